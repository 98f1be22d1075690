/*
 * A GPU as an engine.
 */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/conformance/driver.h"

struct gpu {
    struct engine base;
    struct driver *driver;
    void *module;
    uint64_t in, out;
    unsigned level;
};

/* What the last call that failed said. */
static void keep_message(struct gpu *g)
{
    snprintf(g->base.message, sizeof g->base.message, "%s", driver_message(g->driver));
}

static bool load(struct engine *base, const char *text, size_t length)
{
    struct gpu *g = (struct gpu *)base;

    (void)length; /* the text ends in a zero byte */
    g->module = driver_load(g->driver, text, g->level);
    if (g->module == NULL) {
        keep_message(g);
    }
    return g->module != NULL;
}

static void unload(struct engine *base)
{
    struct gpu *g = (struct gpu *)base;

    driver_unload(g->driver, g->module);
}

static enum outcome run(struct engine *base, const struct shape *shape, const uint8_t *in, uint8_t *out)
{
    struct gpu *g = (struct gpu *)base;
    void *params[] = {&g->in, &g->out};
    char name[32];

    snprintf(name, sizeof name, "k%llu", (unsigned long long)shape->seed);
    void *kernel = driver_kernel(g->driver, g->module, name);

    if (kernel == NULL) {
        keep_message(g);
        return REFUSED;
    }
    if (!driver_write(g->driver, g->in, in, shape_in_bytes(shape)) ||
        !driver_write(g->driver, g->out, out, shape_out_bytes(shape)) ||
        !driver_run(g->driver, kernel, shape->grid, shape->block, params) ||
        !driver_read(g->driver, out, g->out, shape_out_bytes(shape))) {
        keep_message(g);
        return BROKEN;
    }
    return RAN;
}

static void close_gpu(struct engine *base)
{
    free(base); /* the process ends: so does the context */
}

struct engine *gpu_open(unsigned level, bool *missing)
{
    struct gpu *g = calloc(1, sizeof *g);

    *missing = false;
    if (g == NULL) {
        return NULL;
    }
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    g->base = (struct engine){"gpu", load, run, unload, close_gpu, ""};
    g->level = level;
    g->driver = driver_open(missing);
    if (g->driver == NULL) {
        free(g);
        return NULL;
    }
    g->in = driver_alloc(g->driver, MOST_IN_BYTES);
    g->out = driver_alloc(g->driver, MOST_OUT_BYTES);
    if (g->in == 0 || g->out == 0) {
        fprintf(stderr, "conformance_random: %s\n", driver_message(g->driver));
        free(g);
        return NULL;
    }
    return &g->base;
}
