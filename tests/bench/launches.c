/*
 * What a launch costs beside the work of its threads: an empty kernel, one warp or 64 CTAs of 256 threads, launched
 * over and over by one host thread, or by two at once.  Prints microseconds per launch, best of several series.
 */
#include "runtime/objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SERIES = 7, USERS_MOST = 2 };

static const char text[] = ".version 8.0\n.target sm_70\n.address_size 64\n"
                           ".visible .entry empty(.param .u64 p)\n{\nret;\n}\n";

struct shape {
    const char *name;
    unsigned ctas, threads, host_threads, users;
};

struct user {
    pthread_t thread;
    ptxemu_kernel *kernel;
    const struct shape *shape;
    unsigned launches;
    bool ok;
};

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static void *launch_all(void *argument)
{
    struct user *u = argument;
    const uint64_t param = 0;
    const ptxemu_launch l = {.size = sizeof l,
                             .grid = {u->shape->ctas, 1, 1},
                             .block = {u->shape->threads, 1, 1},
                             .params = &param,
                             .params_bytes = sizeof param,
                             .host_threads = u->shape->host_threads};
    struct rt_outcome *out = malloc(sizeof *out);

    u->ok = out != NULL;
    for (unsigned i = 0; u->ok && i < u->launches; i++) {
        u->ok = rt_launch(u->kernel, &l, NULL, out) == PTXEMU_OK;
    }
    free(out);
    return NULL;
}

/* Microseconds per launch of one series; negative when a launch failed. */
static double series(ptxemu_kernel *kernel, const struct shape *shape, unsigned launches)
{
    struct user users[USERS_MOST];
    const double start = now_us();
    bool ok = true;

    for (unsigned i = 0; i < shape->users; i++) {
        users[i] = (struct user){.kernel = kernel, .shape = shape, .launches = launches};
        if (i != 0 && pthread_create(&users[i].thread, NULL, launch_all, &users[i]) != 0) {
            return -1;
        }
    }
    launch_all(&users[0]);
    ok = users[0].ok;
    for (unsigned i = 1; i < shape->users; i++) {
        pthread_join(users[i].thread, NULL);
        ok &= users[i].ok;
    }
    return ok ? (now_us() - start) / launches : -1;
}

static double best(ptxemu_kernel *kernel, const struct shape *shape, unsigned launches)
{
    double least = series(kernel, shape, launches / 8 + 1);

    for (int i = 0; i < SERIES && least >= 0; i++) {
        const double us = series(kernel, shape, launches);

        least = us < least ? us : least;
    }
    return least;
}

int main(int argc, char **argv)
{
    static const struct shape shapes[] = {
        {"1 CTA x 32, 1 host thread", 1, 32, 1, 1},          {"1 CTA x 32, 2 host threads", 1, 32, 2, 1},
        {"64 CTAs x 256, 1 host thread", 64, 256, 1, 1},     {"64 CTAs x 256, 2 host threads", 64, 256, 2, 1},
        {"1 CTA x 32, by two threads at once", 1, 32, 2, 2}, {"64 CTAs x 256, by two threads at once", 64, 256, 2, 2},
    };
    const unsigned launches = argc > 1 && strcmp(argv[1], "--quick") == 0 ? 50 : 5000;
    ptxemu_device *device;
    ptxemu_module *module;

    if (ptxemu_device_open(NULL, &device, NULL) != PTXEMU_OK ||
        ptxemu_module_load(device, "empty.ptx", text, sizeof text - 1, &module) != PTXEMU_OK) {
        return 1;
    }
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const double us = best(ptxemu_kernel_find(module, "empty"), &shapes[i], launches);

        if (us < 0) {
            printf("%s: a launch failed\n", shapes[i].name);
            return 1;
        }
        printf("%-40s %8.2f us\n", shapes[i].name, us);
    }
    ptxemu_device_close(device);
    return 0;
}
