/*
 * Inference: what to launch when nobody said.  The answer is written in the words of a launch description, so what was
 * inferred can be shown, and typed, by a user.
 */
#ifndef RUNTIME_CLI_INFER_H
#define RUNTIME_CLI_INFER_H

#include "runtime/cli/plan.h"
#include "runtime/cli/session.h"

/* What of a launch was inferred. */
struct cli_inferred {
    bool kernel, grid, block, args;
};

/*
 * Complete a launch:
 *   kernel  the only one, else the first of the file
 *   grid    1
 *   block   .reqntid, else .maxntid, else 32
 *   args    (only when none is given)
 *           pointers, by what the kernel does with them: a buffer of as many elements as threads are launched, at least
 *           1024 and at most 2^24, of the type the kernel accesses; iota if it is read, zeros otherwise
 *           32-bit and 64-bit integers: the number of threads launched; narrower ones 1; floats 1; arrays zeros
 */
bool cli_infer(const struct cli_session *session, struct cli_launch *launch, struct cli_inferred *inferred,
               struct cli_error *error);

#endif
