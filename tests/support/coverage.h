/*
 * What exercises the forms of ir/forms.def and the operations of ir/ops.def, and what does not.
 *
 * The unit is a form with one of the types it may be written with, at the place where the type stands: `cvt.f16.u8` is
 * about two units of its form.  A unit is exercised by a kernel whose results were recorded on hardware, or by a
 * golden file that claims it in a line `// covers:`; else tests/conformance/unrecorded.tsv must say why it is not.
 * Operations are held to the same with the types of their row in ir/ops.def.
 */
#ifndef SUPPORT_COVERAGE_H
#define SUPPORT_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frontend/ast.h"
#include "ir/forms.h"

struct arena;
struct ptx_pattern;
struct recorded_set;

/* Types by place, as masks of ir_type_bit; a form without types has one place with COVER_NO_TYPE. */
struct type_places {
    uint64_t at[PTX_MAX_TYPES];
};
#define COVER_NO_TYPE ((uint64_t)1 << 63)

struct form_facts {
    const struct ptx_pattern *pattern;
    unsigned n_places;
    struct type_places all, recorded, tested, listed;
    uint32_t n_kernels; /* recorded ones that contain it */
    const char *test;   /* the first golden file that claims it, without folder and suffix; NULL if none does */
    const char *reason; /* why it is not exercised, NULL if nothing is said */
    bool accepted;      /* some file of tests/ptx/accept uses it */
};

struct op_facts {
    uint64_t recorded, tested, listed; /* types */
};

struct coverage {
    struct arena *arena; /* owns all of it */
    struct form_facts *forms;
    struct op_facts ops[IR_OP_COUNT];
};

/* Everything unexercised.  False when memory is exhausted. */
bool coverage_init(struct coverage *c);
void coverage_free(struct coverage *c);

/* Note what is in kernels recorded on hardware. */
bool coverage_add_recorded(struct coverage *c, const struct recorded_set *set);
/* Note what the golden files of a folder claim.  False, with a message, for a claim that the file does not keep. */
bool coverage_add_golden(struct coverage *c, const char *folder);
/* Note the exceptions of a list.  False, with a message, for one that is none. */
bool coverage_add_list(struct coverage *c, const char *path);
/* Is every unit that runs exercised or excepted?  Prints those that are not. */
bool coverage_complete(const struct coverage *c);

/* Types of `f` at a place that are neither recorded nor tested; with listed ones or without. */
uint64_t coverage_untested(const struct form_facts *f, unsigned place);

#endif
