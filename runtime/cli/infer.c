/*
 * Inference.  Invariant: nothing the user gave is changed.
 */
#include "runtime/cli/infer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { POINTER_READ = 1, DEFAULT_BLOCK = 32, LEAST_ELEMENTS = 1024, MOST_ELEMENTS = 1 << 24 };

static bool infer_kernel(const struct cli_session *session, struct cli_launch *launch, struct cli_error *error)
{
    ptxemu_kernel_info info;

    if (ptxemu_kernel_count(session->module) == 0) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%s' has no kernel (.entry) to launch", session->sources->path);
    }
    ptxemu_kernel_get_info(ptxemu_kernel_at(session->module, 0), &info);
    return cli_launch_word(launch, cli_span_of("kernel"), cli_span_of(info.name), NULL, error);
}

static void infer_block(const ptxemu_kernel_info *info, struct cli_launch *launch)
{
    const unsigned *from = info->reqntid[0] != 0 ? info->reqntid : info->maxntid;

    for (unsigned axis = 0; axis < 3; axis++) {
        launch->block[axis] = from[axis] != 0 ? from[axis] : 1;
    }
    if (from[0] == 0) {
        launch->block[0] = DEFAULT_BLOCK;
    }
    launch->has_block = true;
}

/* Threads of the launch, at most MOST_ELEMENTS. */
static uint64_t threads_launched(const struct cli_launch *launch)
{
    uint64_t threads = 1;

    for (unsigned axis = 0; axis < 3; axis++) {
        threads *= launch->grid[axis]; /* below 2^24 times below 2^32: no overflow */
        threads = threads < MOST_ELEMENTS ? threads : MOST_ELEMENTS;
        threads *= launch->block[axis];
        threads = threads < MOST_ELEMENTS ? threads : MOST_ELEMENTS;
    }
    return threads;
}

static void describe_pointer(const ptxemu_param_info *param, uint64_t threads, char *spec, size_t room)
{
    const struct cli_type *type = cli_type_named(param->element);
    uint64_t elements = threads > LEAST_ELEMENTS ? threads : LEAST_ELEMENTS;

    snprintf(spec, room, "%s[%" PRIu64 "]:%s", type != NULL ? type->name : "u32", elements,
             param->pointer_use & POINTER_READ ? "iota" : "0");
}

static void describe_scalar(const struct cli_type *type, uint64_t threads, char *spec, size_t room)
{
    bool counts = type->kind != CLI_FLOAT && type->bytes >= 4;

    snprintf(spec, room, "%s:%" PRIu64, type->name, counts ? threads : 1);
}

static void describe_param(const ptxemu_param_info *param, uint64_t threads, char *spec, size_t room)
{
    const struct cli_type *type = cli_type_named(param->type);

    if (param->pointer_use != 0) {
        describe_pointer(param, threads, spec, room);
    } else if (type == NULL || type->bytes != param->bytes) {
        snprintf(spec, room, "b8[%" PRIu64 "]:0", param->bytes);
    } else {
        describe_scalar(type, threads, spec, room);
    }
}

static bool infer_args(const ptxemu_kernel *kernel, struct cli_launch *launch, struct cli_error *error)
{
    uint64_t threads = threads_launched(launch);
    ptxemu_param_info param;
    char spec[64];

    for (size_t i = 0; ptxemu_kernel_param(kernel, i, &param); i++) {
        describe_param(&param, threads, spec, sizeof spec);
        if (!cli_launch_word(launch, cli_span_of("arg"), cli_span_of(spec), NULL, error)) {
            return false;
        }
    }
    return true;
}

bool cli_infer(const struct cli_session *session, struct cli_launch *launch, struct cli_inferred *inferred,
               struct cli_error *error)
{
    ptxemu_kernel_info info;

    *inferred =
        (struct cli_inferred){.kernel = launch->kernel == NULL, .grid = !launch->has_grid, .block = !launch->has_block};
    if (inferred->kernel && !infer_kernel(session, launch, error)) {
        return false;
    }
    ptxemu_kernel *kernel = ptxemu_kernel_find(session->module, launch->kernel);

    if (kernel == NULL) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%s' has no kernel '%s'", session->sources->path, launch->kernel);
    }
    ptxemu_kernel_get_info(kernel, &info);
    if (inferred->grid) {
        launch->grid[0] = launch->grid[1] = launch->grid[2] = 1;
        launch->has_grid = true;
    }
    if (inferred->block) {
        infer_block(&info, launch);
    }
    inferred->args = launch->arg_count == 0 && info.param_count > 0;
    return !inferred->args || infer_args(kernel, launch, error);
}
