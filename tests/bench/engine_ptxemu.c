/* ptxemu as an engine, through its public API only. */
#include "bench.h"

#include "ptxemu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ptxemu_state {
    const struct bench_case *c;
    ptxemu_device *device;
    ptxemu_kernel *kernel;
    ptxemu_ptr buffers[BENCH_MAX_BUFFERS];
    unsigned char params[BENCH_MAX_BUFFERS * 8 + BENCH_MAX_SCALARS * 4];
    ptxemu_launch launch;
};

static bool load_kernel(struct ptxemu_state *s)
{
    size_t length;
    char *text = bench_read_kernel(s->c->name, ".ptx", &length);
    ptxemu_module *module;

    if (text == NULL) {
        return false;
    }
    const ptxemu_status status = ptxemu_module_load(s->device, s->c->name, text, length, &module);

    free(text);
    if (status != PTXEMU_OK) {
        return false;
    }
    s->kernel = ptxemu_kernel_find(module, s->c->name);
    return s->kernel != NULL;
}

/* Pointers first, then the scalars: natural alignment leaves no gaps. */
static bool set_params(struct ptxemu_state *s)
{
    const size_t count = bench_buffer_count(s->c);

    for (size_t i = 0; i < count; i++) {
        if (ptxemu_alloc(s->device, s->c->buffers[i].count * 4, NULL, &s->buffers[i]) != PTXEMU_OK) {
            return false;
        }
        memcpy(s->params + i * 8, &s->buffers[i], 8);
    }
    memcpy(s->params + count * 8, s->c->scalars, s->c->scalar_count * 4);
    s->launch.params = s->params;
    s->launch.params_bytes = count * 8 + s->c->scalar_count * 4;
    return true;
}

static void engine_close(void *state)
{
    struct ptxemu_state *s = state;

    ptxemu_device_close(s->device);
    free(s);
}

static bool engine_open(const struct bench_case *c, unsigned host_threads, void **state)
{
    struct ptxemu_state *s = calloc(1, sizeof *s);
    const ptxemu_device_options options = {.size = sizeof options, .host_threads = host_threads};
    char *error = NULL;

    if (s == NULL) {
        return false;
    }
    s->c = c;
    if (ptxemu_device_open(&options, &s->device, &error) != PTXEMU_OK) {
        fprintf(stderr, "%s: %s\n", c->name, error);
        free(error);
        free(s);
        return false;
    }
    s->launch = (ptxemu_launch){.size = sizeof s->launch, .host_threads = host_threads};
    memcpy(s->launch.grid, c->grid, sizeof c->grid);
    memcpy(s->launch.block, c->block, sizeof c->block);
    if (!load_kernel(s) || !set_params(s)) {
        fprintf(stderr, "%s: %s\n", c->name, ptxemu_last_error(s->device));
        engine_close(s);
        return false;
    }
    *state = s;
    return true;
}

static bool engine_upload(void *state, void *const *host)
{
    struct ptxemu_state *s = state;

    for (size_t i = 0; i < bench_buffer_count(s->c); i++) {
        if (ptxemu_write(s->device, s->buffers[i], host[i], s->c->buffers[i].count * 4) != PTXEMU_OK) {
            return false;
        }
    }
    return true;
}

static bool engine_run(void *state)
{
    struct ptxemu_state *s = state;

    if (ptxemu_run(s->kernel, &s->launch) != PTXEMU_OK) {
        fprintf(stderr, "%s: %s\n", s->c->name, ptxemu_last_error(s->device));
        return false;
    }
    return true;
}

static bool engine_download(void *state, void *const *host)
{
    struct ptxemu_state *s = state;

    for (size_t i = 0; i < bench_buffer_count(s->c); i++) {
        if (ptxemu_read(s->device, host[i], s->buffers[i], s->c->buffers[i].count * 4) != PTXEMU_OK) {
            return false;
        }
    }
    return true;
}

static uint64_t engine_instructions(void *state)
{
    const struct ptxemu_state *s = state;
    ptxemu_stats stats;

    ptxemu_get_stats(s->device, &stats);
    return stats.thread_instructions;
}

const struct bench_engine bench_ptxemu = {
    .name = "ptxemu",
    .open = engine_open,
    .upload = engine_upload,
    .run = engine_run,
    .download = engine_download,
    .close = engine_close,
    .instructions = engine_instructions,
};
