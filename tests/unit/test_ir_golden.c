/*
 * Lowering, seen through the printer: tests/golden/ir/NAME.ptx must lower to the text of NAME.ir beside it and verify.
 * PTXEMU_REWRITE_GOLDEN=1 in the environment writes the files instead; review that difference.
 */
#include "frontend/frontend.h"
#include "ir/passes.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char pattern[] = PTXEMU_SOURCE_DIR "/tests/golden/ir/*.ptx";

static char *read_file(const char *path, size_t *len)
{
    FILE *in = fopen(path, "rb");
    char *text = NULL;
    FILE *out = open_memstream(&text, len);

    for (int c = in == NULL ? EOF : fgetc(in); c != EOF; c = fgetc(in)) {
        fputc(c, out);
    }
    fclose(out);
    if (in != NULL) {
        fclose(in);
    }
    return text;
}

static char *print(const struct ir_module *m)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    ir_print_module(m, out);
    fclose(out);
    return text;
}

static void show(const struct diag *dg)
{
    for (size_t i = 0; i < dg->count; i++) {
        char *text = diag_format(&dg->messages[i], false);

        fputs(text, stderr);
        free(text);
    }
}

/* The expected text lies beside the source. */
static char *golden_path(const char *source)
{
    char *path = NULL;

    cr_assert_geq(asprintf(&path, "%.*s.ir", (int)(strlen(source) - strlen(".ptx")), source), 0);
    return path;
}

static void rewrite(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");

    cr_assert_not_null(out);
    fputs(text, out);
    fclose(out);
}

/* Points at the first line that differs: whole dumps are too long to read. */
static void expect_same(const char *path, const char *got, const char *want)
{
    unsigned line = 1;

    while (*got != '\0' && *got == *want) {
        line += *got == '\n';
        got++;
        want++;
    }
    cr_assert(*got == *want, "%s:%u: got '%.*s', expected '%.*s'", path, line, (int)strcspn(got, "\n"), got,
              (int)strcspn(want, "\n"), want);
}

static void check_file(const char *source)
{
    size_t len = 0, golden_len = 0;
    char *text = read_file(source, &len);
    char *path = golden_path(source);
    struct diag dg;

    diag_init(&dg, source, text, len);
    struct ir_module *m = ptx_parse("golden.ptx", text, len, PTX_RELOCATABLE, &dg);

    show(&dg);
    cr_assert_not_null(m, "%s does not parse", source);
    bool valid = ir_verify(m, &dg);

    show(&dg);
    cr_assert(valid, "%s does not verify", source);
    char *got = print(m);

    if (getenv("PTXEMU_REWRITE_GOLDEN") != NULL) {
        rewrite(path, got);
    } else {
        char *want = read_file(path, &golden_len);

        expect_same(path, got, want);
        free(want);
    }
    free(got);
    ir_module_free(m);
    diag_release(&dg);
    free(path);
    free(text);
}

/* Parameters are copied into another process: an index survives that, a pointer does not. */
ParameterizedTestParameters(ir_golden, lowers_as_recorded)
{
    static size_t indices[256];
    glob_t files = {0};

    glob(pattern, 0, NULL, &files);
    size_t count = files.gl_pathc < 256 ? files.gl_pathc : 256;

    globfree(&files);
    for (size_t i = 0; i < count; i++) {
        indices[i] = i;
    }
    return cr_make_param_array(size_t, indices, count);
}

ParameterizedTest(size_t *index, ir_golden, lowers_as_recorded)
{
    glob_t files = {0};

    cr_assert_eq(glob(pattern, 0, NULL, &files), 0);
    check_file(files.gl_pathv[*index]);
    globfree(&files);
}
