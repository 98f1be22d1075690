/*
 * What host threads share, for the thread sanitizer to watch: CTAs of one launch spread over host threads, and two
 * devices used at once by two threads.  A plain program, since Criterion does not run under that sanitizer.  Exits 0
 * when all is right.
 */
#include "include/ptxemu.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CTAS = 64, THREADS = 64, DEVICES = 2, LAUNCHES = 3 };

/* The kernel's parameters, in order. */
struct params {
    ptxemu_ptr total, tickets, lock, guarded;
};

struct session {
    pthread_t thread;
    unsigned lines; /* printed by the kernel; the callback runs in one thread at a time */
    bool ok;
};

static void count_line(void *user, const char *text, size_t length)
{
    struct session *s = user;

    for (size_t i = 0; i < length; i++) {
        s->lines += text[i] == '\n';
    }
}

static uint32_t word_at(ptxemu_device *device, ptxemu_ptr address)
{
    uint32_t word = 0;

    ptxemu_read(device, &word, address, sizeof word);
    return word;
}

/* Every CTA took a ticket of its own. */
static bool tickets_differ(ptxemu_device *device, ptxemu_ptr address)
{
    uint32_t tickets[CTAS];
    bool taken[CTAS] = {false};

    ptxemu_read(device, tickets, address, sizeof tickets);
    for (unsigned i = 0; i < CTAS; i++) {
        if (tickets[i] >= CTAS || taken[tickets[i]]) {
            return false;
        }
        taken[tickets[i]] = true;
    }
    return true;
}

static bool results_right(ptxemu_device *device, const struct params *p)
{
    const uint32_t sum = THREADS * (THREADS - 1) / 2; /* of the thread numbers of a CTA */

    return word_at(device, p->total) == sum * THREADS * CTAS && word_at(device, p->guarded) == CTAS &&
           word_at(device, p->lock) == 0 && tickets_differ(device, p->tickets);
}

static bool launch_once(ptxemu_device *device, ptxemu_kernel *kernel, struct session *s)
{
    struct params p;

    if (ptxemu_alloc(device, 4, "total", &p.total) != PTXEMU_OK ||
        ptxemu_alloc(device, (CTAS + 1) * sizeof(uint32_t), "tickets", &p.tickets) != PTXEMU_OK ||
        ptxemu_alloc(device, 4, "lock", &p.lock) != PTXEMU_OK ||
        ptxemu_alloc(device, 4, "guarded", &p.guarded) != PTXEMU_OK) {
        return false;
    }
    const ptxemu_launch launch = {.size = sizeof launch,
                                  .grid = {CTAS, 1, 1},
                                  .block = {THREADS, 1, 1},
                                  .params = &p,
                                  .params_bytes = sizeof p,
                                  .host_threads = 4,
                                  .print = count_line,
                                  .user = s};

    s->lines = 0;
    const bool ok = ptxemu_run(kernel, &launch) == PTXEMU_OK && s->lines == CTAS && results_right(device, &p);

    ptxemu_free(device, p.total);
    ptxemu_free(device, p.tickets);
    ptxemu_free(device, p.lock);
    ptxemu_free(device, p.guarded);
    return ok;
}

static void *use_device(void *user)
{
    struct session *s = user;
    ptxemu_device *device;
    ptxemu_module *module;
    char *error = NULL;

    if (ptxemu_device_open(NULL, &device, &error) != PTXEMU_OK) {
        puts(error);
        free(error);
        return NULL;
    }
    s->ok = ptxemu_module_load_file(device, THREADS_PTX, &module) == PTXEMU_OK;
    for (int i = 0; s->ok && i < LAUNCHES; i++) {
        s->ok = launch_once(device, ptxemu_kernel_find(module, "mixed"), s);
    }
    if (!s->ok) {
        printf("wrong results, or: %s\n", ptxemu_last_error(device));
    }
    ptxemu_device_close(device);
    return NULL;
}

int main(void)
{
    struct session sessions[DEVICES] = {{0}};
    bool ok = true;

    for (int i = 0; i < DEVICES; i++) {
        if (pthread_create(&sessions[i].thread, NULL, use_device, &sessions[i]) != 0) {
            return 1;
        }
    }
    for (int i = 0; i < DEVICES; i++) {
        pthread_join(sessions[i].thread, NULL);
        ok &= sessions[i].ok;
    }
    return ok ? 0 : 1;
}
