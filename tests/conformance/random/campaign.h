/*
 * Many programs through several engines.
 */
#ifndef RANDOM_CAMPAIGN_H
#define RANDOM_CAMPAIGN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "engine.h"

enum { MOST_ENGINES = 64 };

/* What is to be done. */
struct campaign {
    uint64_t first;
    unsigned count, per_module, jobs;
    bool use_gpu;   /* as the first engine */
    unsigned level; /* of the assembler in the GPU's driver, 0 to 4 */
    struct emulator_options emulators[MOST_ENGINES];
    unsigned n_emulators;
};

enum state { STATE_NEW, STATE_RUNNING, STATE_DONE, STATE_REFUSED, STATE_FAILED, STATE_CRASHED };

/* What came out of one program; shared by the processes of a campaign. */
struct result {
    uint8_t state;   /* of the first engine; all others are compared with it */
    uint8_t differs; /* 1 + the first engine that differs, 0: none */
    uint8_t tries;   /* processes that began it */
    uint32_t text;   /* hash of the program's text */
    uint64_t hash;   /* of the first engine's output */
};

/* Open the campaign's engines; false with a message.  *missing: for lack of a GPU. */
bool campaign_open(const struct campaign *c, struct engine *engines[MOST_ENGINES], unsigned *count, bool *missing);
/* Run all programs; `results` has `count` zeroed entries, shared between processes.  False: not all could be run. */
bool campaign_run(const struct campaign *c, struct result *results);

/* --- files of results --------------------------------------------------------------------------- */
bool record_write(const char *path, const struct campaign *c, const struct result *results);

struct record {
    uint64_t first;
    unsigned count;
    struct result *results; /* text and hash only as far as the file keeps them */
};
bool record_read(const char *path, struct record *record);
/* Does `result` agree with the file?  Says what is wrong when it does not. */
enum agreement { AGREES, NOT_RECORDED, OTHER_TEXT, OTHER_RESULT };
enum agreement record_compare(const struct record *record, uint64_t seed, const struct result *result);

/* --- small programs from large ones --------------------------------------------------------------- */
/* Print to `out` the smallest program found, made of `seed`, for which two engines differ, and how. */
void shrink(uint64_t seed, struct engine *a, struct engine *b, FILE *out);
/* Where two outputs differ: threads and registers. */
void describe_difference(const struct shape *shape, const uint8_t *a, const uint8_t *b, const char *name_a,
                         const char *name_b, FILE *out);

#endif
