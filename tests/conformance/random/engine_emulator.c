/*
 * The emulator as an engine, through its public API.
 */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/ptxemu.h"

struct emulator {
    struct engine base;
    char name[64];
    ptxemu_device *device;
    ptxemu_module *module;
    ptxemu_policy policy;
    unsigned threads;
    ptxemu_ptr in, out;
};

static bool note(struct emulator *e, const char *what)
{
    snprintf(e->base.message, sizeof e->base.message, "%s: %s", what, ptxemu_last_error(e->device));
    return false;
}

static bool load(struct engine *base, const char *text, size_t length)
{
    struct emulator *e = (struct emulator *)base;

    return ptxemu_module_load(e->device, "random.ptx", text, length, &e->module) == PTXEMU_OK || note(e, "load");
}

static void unload(struct engine *base)
{
    struct emulator *e = (struct emulator *)base;

    ptxemu_module_unload(e->module);
    e->module = NULL;
}

static enum outcome run(struct engine *base, const struct shape *shape, const uint8_t *in, uint8_t *out)
{
    struct emulator *e = (struct emulator *)base;
    const uint64_t params[2] = {e->in, e->out};
    char name[32];

    snprintf(name, sizeof name, "k%llu", (unsigned long long)shape->seed);
    ptxemu_kernel *kernel = ptxemu_kernel_find(e->module, name);
    const char *refused = kernel != NULL ? ptxemu_kernel_unsupported(kernel) : "no such kernel";

    if (refused != NULL) {
        snprintf(base->message, sizeof base->message, "%s", refused);
        return REFUSED;
    }
    const ptxemu_launch launch = {.size = sizeof launch,
                                  .grid = {shape->grid, 1, 1},
                                  .block = {shape->block, 1, 1},
                                  .params = params,
                                  .params_bytes = sizeof params,
                                  .host_threads = e->threads,
                                  .policy = e->policy,
                                  .seed = shape->seed,
                                  .timeout_s = 60};

    if (ptxemu_write(e->device, e->in, in, shape_in_bytes(shape)) != PTXEMU_OK ||
        ptxemu_write(e->device, e->out, out, shape_out_bytes(shape)) != PTXEMU_OK ||
        ptxemu_run(kernel, &launch) != PTXEMU_OK ||
        ptxemu_read(e->device, out, e->out, shape_out_bytes(shape)) != PTXEMU_OK) {
        note(e, "launch");
        return FAILED;
    }
    return RAN;
}

static void close_emulator(struct engine *base)
{
    struct emulator *e = (struct emulator *)base;

    ptxemu_device_close(e->device);
    free(e);
}

static bool policy_of(const char *name, ptxemu_policy *policy)
{
    static const char *const names[] = {[PTXEMU_CONVERGE] = "converge",
                                        [PTXEMU_MINPC] = "minpc",
                                        [PTXEMU_SERIAL] = "serial",
                                        [PTXEMU_RANDOM] = "random"};

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) == 0) {
            *policy = (ptxemu_policy)i;
            return true;
        }
    }
    return false;
}

/* The instruction set is chosen by the environment when a device is opened. */
static ptxemu_status open_device(struct emulator *e, const char *isa)
{
    const ptxemu_device_options options = {.size = sizeof options, .host_threads = e->threads};

    if (isa != NULL) {
        setenv("PTXEMU_ISA", isa, 1);
    }
    const ptxemu_status status = ptxemu_device_open(&options, &e->device, NULL);

    if (isa != NULL) {
        unsetenv("PTXEMU_ISA");
    }
    return status;
}

struct engine *emulator_open(const struct emulator_options *options)
{
    struct emulator *e = calloc(1, sizeof *e);

    if (e == NULL || !policy_of(options->policy, &e->policy)) {
        fprintf(stderr, "conformance_random: there is no policy '%s'\n", options->policy);
        free(e);
        return NULL;
    }
    e->threads = options->threads;
    snprintf(e->name, sizeof e->name, "emu:%s:%s:%u", options->policy, options->isa != NULL ? options->isa : "best",
             options->threads);
    e->base = (struct engine){e->name, load, run, unload, close_emulator, ""};
    if (open_device(e, options->isa) != PTXEMU_OK ||
        ptxemu_alloc(e->device, MOST_IN_BYTES, "in", &e->in) != PTXEMU_OK ||
        ptxemu_alloc(e->device, MOST_OUT_BYTES, "out", &e->out) != PTXEMU_OK) {
        fprintf(stderr, "conformance_random: no device\n");
        return NULL;
    }
    return &e->base;
}

enum outcome engine_run_alone(struct engine *e, const struct shape *shape, const char *text, size_t length,
                              uint8_t *out)
{
    static uint8_t in[MOST_IN_BYTES];

    shape_fill(shape, in, out);
    if (!e->load(e, text, length)) {
        return REFUSED;
    }
    const enum outcome outcome = e->run(e, shape, in, out);

    if (outcome != BROKEN) {
        e->unload(e);
    }
    return outcome;
}
