/*
 * `ptxemu info FILE.ptx`: what the kernels of a file are and need, as tables, JSON or CSV.  Programs are described by
 * info_program.h.
 */
#include "runtime/cli/commands.h"
#include "runtime/cli/console.h"
#include "runtime/cli/images.h"
#include "runtime/cli/info_program.h"
#include "runtime/cli/json.h"
#include "runtime/cli/options.h"
#include "runtime/cli/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_BLOCK = 256 };

/* A kernel with everything that is said of it. */
struct facts {
    ptxemu_kernel *kernel;
    ptxemu_kernel_info info;
    unsigned threads; /* of a CTA, for the occupancy */
    ptxemu_occupancy_info occupancy;
    const char *unsupported; /* NULL: it can run */
};

/* --block, else what the kernel says itself, else a usual size; at most UINT_MAX threads. */
static unsigned block_threads(const struct cli_info_options *options, const ptxemu_kernel_info *info)
{
    const unsigned *size = options->has_block ? options->block : info->reqntid[0] != 0 ? info->reqntid : info->maxntid;
    unsigned threads = 1;

    if (!options->has_block && size[0] == 0) {
        return DEFAULT_BLOCK;
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        if (__builtin_mul_overflow(threads, size[axis] != 0 ? size[axis] : 1, &threads)) {
            return UINT32_MAX;
        }
    }
    return threads;
}

static struct facts facts_of(const struct cli_session *session, const struct cli_info_options *options, size_t index)
{
    struct facts f = {.kernel = ptxemu_kernel_at(session->module, index)};

    ptxemu_kernel_get_info(f.kernel, &f.info);
    f.threads = block_threads(options, &f.info);
    ptxemu_kernel_occupancy(f.kernel, f.threads, options->shared_bytes, &f.occupancy);
    f.unsupported = ptxemu_kernel_unsupported(f.kernel);
    return f;
}

static const char *use_name(unsigned pointer_use)
{
    static const char *const names[] = {"-",      "read",        "written",        "read+written",
                                        "atomic", "read+atomic", "written+atomic", "read+written+atomic"};

    return names[pointer_use & 7];
}

/* "256", "16x16" or "-" when the kernel says nothing. */
static void add_dimensions(struct cli_table *table, const unsigned size[3])
{
    if (size[0] == 0) {
        cli_table_add(table, "-");
    } else if (size[1] <= 1 && size[2] <= 1) {
        cli_table_add(table, "%u", size[0]);
    } else if (size[2] <= 1) {
        cli_table_add(table, "%ux%u", size[0], size[1]);
    } else {
        cli_table_add(table, "%ux%ux%u", size[0], size[1], size[2]);
    }
}

static void add_headings(struct cli_table *table, const char *const *headings)
{
    for (size_t i = 0; i < table->columns; i++) {
        cli_table_add(table, "%s", headings[i]);
    }
}

/* --- kernels ---------------------------------------------------------------------------------- */

enum { KERNEL_COLUMNS = 14 };

static const char *const KERNEL_HEADINGS[KERNEL_COLUMNS] = {"kernel",  "line",     "params",    "registers", "shared",
                                                            "dynamic", "local",    "reqntid",   "maxntid",   "block",
                                                            "CTAs/SM", "warps/SM", "occupancy", "limiter"};
static const char *const KERNEL_KEYS[KERNEL_COLUMNS] = {
    "kernel",  "line",    "params", "registers",   "shared_bytes", "uses_dynamic_shared", "local_bytes",
    "reqntid", "maxntid", "block",  "ctas_per_sm", "warps_per_sm", "occupancy",           "limiter"};

static void add_kernel(struct cli_table *table, const struct facts *f)
{
    cli_table_add(table, "%s", f->info.name);
    cli_table_add(table, "%u", f->info.line);
    cli_table_add(table, "%zu", f->info.param_count);
    cli_table_add(table, "%u", f->info.registers);
    cli_table_add(table, "%" PRIu64, f->info.shared_bytes);
    cli_table_add(table, "%s", f->info.uses_dynamic_shared ? "yes" : "no");
    cli_table_add(table, "%" PRIu64, f->info.local_bytes);
    add_dimensions(table, f->info.reqntid);
    add_dimensions(table, f->info.maxntid);
    cli_table_add(table, "%u", f->threads);
    cli_table_add(table, "%u", f->occupancy.ctas_per_sm);
    cli_table_add(table, "%u", f->occupancy.warps_per_sm);
    cli_table_add(table, "%.4g", f->occupancy.theoretical);
    cli_table_add(table, "%s", f->occupancy.limiter != NULL ? f->occupancy.limiter : "-");
}

/* --- parameters ------------------------------------------------------------------------------- */

enum { PARAM_COLUMNS = 7 };

static const char *const PARAM_HEADINGS[PARAM_COLUMNS] = {"kernel", "arg",    "name",   "type",
                                                          "bytes",  "offset", "pointer"};

static void add_params(struct cli_table *table, const struct facts *f)
{
    ptxemu_param_info p;

    for (size_t i = 0; ptxemu_kernel_param(f->kernel, i, &p); i++) {
        cli_table_add(table, "%s", f->info.name);
        cli_table_add(table, "%zu", i);
        cli_table_add(table, "%s", p.name);
        cli_table_add(table, ".%s", p.type);
        cli_table_add(table, "%" PRIu64, p.bytes);
        cli_table_add(table, "%" PRIu64, p.offset);
        if (p.pointer_use != 0 && p.element != NULL) {
            cli_table_add(table, "%s %s", use_name(p.pointer_use), p.element);
        } else {
            cli_table_add(table, "%s", use_name(p.pointer_use));
        }
    }
}

/* --- formats ---------------------------------------------------------------------------------- */

static bool print_text(const struct cli_session *session, const struct cli_info_options *options)
{
    struct cli_table kernels = {.columns = KERNEL_COLUMNS}, params = {.columns = PARAM_COLUMNS};
    size_t count = ptxemu_kernel_count(session->module);

    for (size_t i = 0; i < session->source_count; i++) {
        printf("%s%s", i == 0 ? "" : ", ", session->sources[i].path);
    }
    printf(": %zu kernel%s, on %s (%s, sm_%u%u)\n", count, count == 1 ? "" : "s", session->gpu.name,
           session->gpu.product, session->gpu.cc_major, session->gpu.cc_minor);
    add_headings(&kernels, KERNEL_HEADINGS);
    add_headings(&params, PARAM_HEADINGS);
    for (size_t i = 0; i < count; i++) {
        struct facts f = facts_of(session, options, i);

        add_kernel(&kernels, &f);
        add_params(&params, &f);
    }
    bool ok = cli_table_print_below(&kernels);

    ok &= cli_table_print_below(&params);
    cli_table_release(&kernels);
    cli_table_release(&params);
    return ok;
}

static void print_unsupported(const struct cli_session *session, const struct cli_info_options *options)
{
    bool first = true;

    for (size_t i = 0; i < ptxemu_kernel_count(session->module); i++) {
        struct facts f = facts_of(session, options, i);

        if (f.unsupported != NULL) {
            printf("%s%s cannot run here: %s\n", first ? "\n" : "", f.info.name, f.unsupported);
            first = false;
        }
    }
}

/* One row per kernel; what is unsupported is one more column. */
static bool print_csv(const struct cli_session *session, const struct cli_info_options *options)
{
    struct cli_table table = {.columns = KERNEL_COLUMNS + 1};

    for (size_t i = 0; i < KERNEL_COLUMNS; i++) {
        cli_table_add(&table, "%s", KERNEL_KEYS[i]);
    }
    cli_table_add(&table, "unsupported");
    for (size_t i = 0; i < ptxemu_kernel_count(session->module); i++) {
        struct facts f = facts_of(session, options, i);

        add_kernel(&table, &f);
        cli_table_add(&table, "%s", f.unsupported != NULL ? f.unsupported : "");
    }
    bool ok = !table.failed;

    cli_table_print_csv(&table);
    cli_table_release(&table);
    return ok;
}

static json_t *params_json(const struct facts *f)
{
    json_t *list = json_array();
    ptxemu_param_info p;

    for (size_t i = 0; ptxemu_kernel_param(f->kernel, i, &p); i++) {
        json_array_append_new(list,
                              json_pack("{s:o,s:o,s:o,s:o,s:o,s:b,s:b,s:b,s:o}", "name", cli_json_text(p.name), "type",
                                        cli_json_text(p.type), "bytes", cli_json_uint(p.bytes), "offset",
                                        cli_json_uint(p.offset), "align", cli_json_uint(p.align), "read",
                                        (int)(p.pointer_use & 1), "written", (int)(p.pointer_use >> 1 & 1), "atomic",
                                        (int)(p.pointer_use >> 2 & 1), "element", cli_json_text(p.element)));
    }
    return list;
}

static json_t *occupancy_json(const struct facts *f)
{
    const ptxemu_occupancy_info *o = &f->occupancy;

    return json_pack("{s:I,s:I,s:I,s:o,s:o,s:{s:I,s:I,s:I,s:I}}", "block", (json_int_t)f->threads, "ctas_per_sm",
                     (json_int_t)o->ctas_per_sm, "warps_per_sm", (json_int_t)o->warps_per_sm, "theoretical",
                     cli_json_real(o->theoretical), "limiter", cli_json_text(o->limiter), "limits", "ctas",
                     (json_int_t)o->limit_ctas, "warps", (json_int_t)o->limit_warps, "registers",
                     (json_int_t)o->limit_registers, "shared", (json_int_t)o->limit_shared);
}

static json_t *kernel_json(const struct facts *f)
{
    const ptxemu_kernel_info *k = &f->info;

    return json_pack("{s:o,s:o,s:I,s:o,s:I,s:o,s:b,s:o,s:o,s:o,s:o,s:o,s:o}", "name", cli_json_text(k->name), "file",
                     cli_json_text(k->file), "line", (json_int_t)k->line, "param_bytes", cli_json_uint(k->param_bytes),
                     "registers", (json_int_t)k->registers, "shared_bytes", cli_json_uint(k->shared_bytes),
                     "uses_dynamic_shared", k->uses_dynamic_shared, "local_bytes", cli_json_uint(k->local_bytes),
                     "reqntid", cli_json_dimensions(k->reqntid), "maxntid", cli_json_dimensions(k->maxntid), "params",
                     params_json(f), "occupancy", occupancy_json(f), "unsupported", cli_json_text(f->unsupported));
}

static json_t *gpu_json(const ptxemu_device_info *gpu)
{
    return json_pack("{s:o,s:o,s:I,s:I,s:I}", "name", cli_json_text(gpu->name), "product", cli_json_text(gpu->product),
                     "cc_major", (json_int_t)gpu->cc_major, "cc_minor", (json_int_t)gpu->cc_minor, "sm_count",
                     (json_int_t)gpu->sm_count);
}

static bool print_json(const struct cli_session *session, const struct cli_info_options *options)
{
    json_t *kernels = json_array();

    for (size_t i = 0; i < ptxemu_kernel_count(session->module); i++) {
        struct facts f = facts_of(session, options, i);

        json_array_append_new(kernels, kernel_json(&f));
    }
    return cli_json_put(json_pack(
        "{s:s,s:o,s:o,s:o,s:o,s:o}", "version", ptxemu_version(), "file", cli_json_text(options->files.paths[0]),
        "files", cli_json_texts(options->files.paths, options->files.count), "gpu", gpu_json(&session->gpu), "kernels",
        kernels, "diagnostics", cli_json_diagnostics(session->device)));
}

static bool print_facts(const struct cli_session *session, const struct cli_info_options *options)
{
    switch (options->format) {
    case CLI_FORMAT_JSON:
        return print_json(session, options);
    case CLI_FORMAT_CSV:
        return print_csv(session, options);
    default:
        if (!print_text(session, options)) {
            return false;
        }
        print_unsupported(session, options);
        return true;
    }
}

static bool describe_file(const struct cli_info_options *options, struct cli_error *error)
{
    struct cli_session session;

    if (!cli_session_open(&options->files, &(struct cli_machine){.gpu = options->gpu}, &session, error)) {
        return false;
    }
    bool ok = cli_session_load(&session, options->scope, error);

    cli_console_diagnostics(session.device, false);
    if (ok && (!print_facts(&session, options) || fflush(stdout) != 0)) {
        ok = cli_fail(error, PTXEMU_BAD_INPUT, "cannot write to standard output");
    }
    cli_session_close(&session);
    return ok;
}

static int describe(struct cli_info_options *options, struct cli_error *error)
{
    if (options->help) {
        cli_info_help();
        return PTXEMU_OK;
    }
    const bool is_program = options->files.count == 1 && cli_images_recognise(options->files.paths[0]);

    if (is_program ? !cli_info_program(options, error) : !describe_file(options, error)) {
        cli_console_error(error);
        return (int)error->status;
    }
    return PTXEMU_OK;
}

int cli_info_command(int argc, char **argv)
{
    struct cli_info_options options;
    struct cli_error error;
    int code;

    if (cli_info_options_parse(argc, argv, &options, &error)) {
        code = describe(&options, &error);
    } else {
        cli_console_error(&error);
        code = (int)error.status;
    }
    cli_info_options_release(&options);
    return code;
}
