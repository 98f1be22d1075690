/*
 * What runs programs: the emulator in one of its configurations, or a GPU through its driver.
 */
#ifndef RANDOM_ENGINE_H
#define RANDOM_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program.h"

struct engine;

/* A configuration of the emulator. */
struct emulator_options {
    const char *policy; /* converge, minpc, serial, random */
    const char *isa;    /* base, v3, v4; NULL: the best */
    unsigned threads;   /* of the host */
};

/* NULL, with a message on stderr. */
struct engine *emulator_open(const struct emulator_options *options);
/* `level`: of the driver's assembler, 0 to 4; *missing: there is no driver or no GPU. */
struct engine *gpu_open(unsigned level, bool *missing);

enum outcome {
    RAN,
    REFUSED, /* the text was not accepted */
    FAILED,  /* the launch ended with a fault */
    BROKEN,  /* the engine is of no more use: a fault on a GPU ends its context */
};

struct engine {
    const char *name; /* for messages */
    /* Load a module, run one of its programs, unload.  `out` holds the buffer as it is before, then after. */
    bool (*load)(struct engine *e, const char *text, size_t length);
    enum outcome (*run)(struct engine *e, const struct shape *shape, const uint8_t *in, uint8_t *out);
    void (*unload)(struct engine *e);
    void (*close)(struct engine *e);
    char message[2000]; /* why the last call failed */
};

/* Load the text of one program and run it. */
enum outcome engine_run_alone(struct engine *e, const struct shape *shape, const char *text, size_t length,
                              uint8_t *out);

#endif
