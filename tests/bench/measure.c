/* Clocks, data in host memory, and the loop that keeps the best of several runs.  Results are checked on every
 * measurement. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double bench_cpu_now(void)
{
    return now(CLOCK_PROCESS_CPUTIME_ID);
}

double bench_wall_now(void)
{
    return now(CLOCK_MONOTONIC);
}

void **bench_host_buffers(const struct bench_case *c)
{
    const size_t count = bench_buffer_count(c);
    void **buffers = calloc(BENCH_MAX_BUFFERS, sizeof *buffers);

    for (size_t i = 0; buffers != NULL && i < count; i++) {
        const size_t bytes = (c->buffers[i].count * 4 + 63) / 64 * 64;

        buffers[i] = aligned_alloc(64, bytes);
        if (buffers[i] == NULL) {
            buffers = NULL;
            break;
        }
        memset(buffers[i], 0, bytes);
        if (c->buffers[i].fill != NULL) {
            c->buffers[i].fill(buffers[i], c->buffers[i].count);
        }
    }
    if (buffers == NULL) {
        fputs("ptxemu-bench: out of memory\n", stderr);
        exit(1);
    }
    return buffers;
}

void bench_free_buffers(const struct bench_case *c, void **buffers)
{
    const size_t count = bench_buffer_count(c);

    for (size_t i = 0; i < count; i++) {
        free(buffers[i]);
    }
    free(buffers);
}

static size_t different_floats(const float *got, const float *want, size_t count, double tolerance)
{
    size_t different = 0;

    for (size_t i = 0; i < count; i++) {
        different += !(fabs((double)got[i] - want[i]) <= tolerance * (fabs((double)want[i]) + 1e-6));
    }
    return different;
}

static size_t different_words(const uint32_t *got, const uint32_t *want, size_t count)
{
    size_t different = 0;

    for (size_t i = 0; i < count; i++) {
        different += got[i] != want[i];
    }
    return different;
}

static bool outputs_agree(const char *engine, const struct bench_case *c, void *const *got, void *const *want)
{
    const size_t buffers = bench_buffer_count(c);

    for (size_t i = 0; i < buffers; i++) {
        const struct bench_buffer *b = &c->buffers[i];

        if (!b->output) {
            continue;
        }
        size_t different = b->type == BENCH_F32 ? different_floats(got[i], want[i], b->count, c->tolerance)
                                                : different_words(got[i], want[i], b->count);

        if ((double)different > c->may_differ * (double)b->count) {
            fprintf(stderr, "%s: %s: %zu of %zu results differ from native C\n", c->name, engine, different, b->count);
            return false;
        }
    }
    return true;
}

/* One run on fresh inputs. */
static bool run_once(const struct bench_engine *engine, void *state, void *const *inputs, struct bench_time *time)
{
    if (!engine->upload(state, inputs)) {
        return false;
    }
    const double wall = bench_wall_now(), cpu = bench_cpu_now();

    if (!engine->run(state)) {
        return false;
    }
    const double cpu_s = bench_cpu_now() - cpu, wall_s = bench_wall_now() - wall;

    time->cpu_s = fmin(time->cpu_s, cpu_s);
    time->wall_s = fmin(time->wall_s, wall_s);
    return true;
}

static bool run_repeatedly(const struct bench_engine *engine, const struct bench_case *c, void *state, double seconds,
                           void *const *reference, struct bench_time *time)
{
    enum { AT_LEAST = 3 };
    void **host = bench_host_buffers(c);
    const double start = bench_wall_now();
    bool ok = true;

    *time = (struct bench_time){.cpu_s = INFINITY, .wall_s = INFINITY};
    for (int runs = 0; ok && (runs < AT_LEAST || bench_wall_now() - start < seconds); runs++) {
        ok = run_once(engine, state, host, time);
    }
    ok = ok && engine->download(state, host);
    if (ok && reference != NULL) {
        ok = outputs_agree(engine->name, c, host, reference);
    }
    bench_free_buffers(c, host);
    return ok;
}

bool bench_measure(const struct bench_engine *engine, const struct bench_case *c, unsigned host_threads, double seconds,
                   void *const *reference, struct bench_time *time)
{
    void *state;

    *time = (struct bench_time){0};
    if (!engine->open(c, host_threads, &state)) {
        return false;
    }
    const bool valid = run_repeatedly(engine, c, state, seconds, reference, time);

    time->valid = valid;
    if (valid && engine->instructions != NULL) {
        time->instructions = engine->instructions(state);
    }
    engine->close(state);
    return valid;
}
