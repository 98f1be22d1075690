/*
 * Build tool: GPU descriptions in, rows of a C table out.  Uses the same reader as the program, so a description that
 * the program would refuse stops the build, and opening a built-in GPU parses nothing.
 *
 *     ptxemu_gpu_table OUTPUT FILE.ini...
 */
#include "emu/spec_fields.h"
#include "ir/base/diag.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_diagnostics(const struct diag *dg)
{
    for (size_t i = 0; i < dg->count; i++) {
        char *text = diag_format(&dg->messages[i], false);
        fputs(text ? text : "out of memory\n", stderr);
        free(text);
    }
}

static bool read_spec(const char *path, struct emu_spec *spec)
{
    struct diag dg;

    diag_init(&dg, path, NULL, 0);
    bool good = emu_spec_read(path, spec, &dg);
    print_diagnostics(&dg);
    diag_release(&dg);
    return good;
}

/* One writer per member type: a row of the wrong kind does not compile. */
static void print_text(FILE *out, const char *text)
{
    fprintf(out, "\"%s\"", text);
}

static void print_count(FILE *out, const unsigned *value)
{
    fprintf(out, "%u", *value);
}

static void print_large(FILE *out, const uint64_t *value)
{
    fprintf(out, "UINT64_C(%" PRIu64 ")", *value);
}

static void print_count3(FILE *out, const unsigned (*v)[3])
{
    fprintf(out, "{%u, %u, %u}", (*v)[0], (*v)[1], (*v)[2]);
}

static void print_large3(FILE *out, const uint64_t (*v)[3])
{
    fprintf(out, "{UINT64_C(%" PRIu64 "), UINT64_C(%" PRIu64 "), UINT64_C(%" PRIu64 ")}", (*v)[0], (*v)[1], (*v)[2]);
}

#define print_TEXT(out, m)    print_text(out, *(m))
#define print_VERSION(out, m) print_count(out, m)
#define print_COUNT(out, m)   print_count(out, m)
#define print_CLOCK(out, m)   print_count(out, m)
#define print_BYTES(out, m)   print_large(out, m)
#define print_COUNT3(out, m)  print_count3(out, m)
#define print_LARGE3(out, m)  print_large3(out, m)

static void print_spec(FILE *out, const struct emu_spec *s)
{
    fprintf(out, "{\n");
#define SPEC_FIELD(section, key, member, kind, least, most) \
    fprintf(out, "    ." #member " = ");                    \
    print_##kind(out, &s->member);                          \
    fprintf(out, ",\n");
#include "emu/spec_fields.def"
#undef SPEC_FIELD
    fprintf(out, "    .cc_minor = %u,\n},\n", s->cc_minor);
}

static bool print_table(FILE *out, int count, char **paths)
{
    fprintf(out, "/* Generated from emu/gpus/ by ptxemu_gpu_table. */\n");
    for (int i = 0; i < count; i++) {
        struct emu_spec spec;
        if (!read_spec(paths[i], &spec)) {
            return false;
        }
        print_spec(out, &spec);
    }
    return true;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s OUTPUT FILE.ini...\n", argv[0]);
        return 2;
    }
    FILE *out = fopen(argv[1], "w");
    if (!out) {
        perror(argv[1]);
        return 2;
    }
    bool good = print_table(out, argc - 2, argv + 2);
    good = fclose(out) == 0 && good;
    if (!good) {
        remove(argv[1]);
    }
    return good ? 0 : 1;
}
