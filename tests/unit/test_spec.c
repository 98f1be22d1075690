/*
 * GPU descriptions: built-in ones against their files, names, errors of the reader word for word, and occupancy against
 * values measured on an H200 and worked out by the calculator's documented rules.
 */
#include "emu/spec_fields.h"
#include "ir/base/diag.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- built-in GPUs --------------------------------------------------------------------------------------------------
 */

/* All members, one by one: padding between them may differ. */
static void assert_same_spec(const struct emu_spec *a, const struct emu_spec *b)
{
    for (size_t i = 0; i < SPEC_FIELD_COUNT; i++) {
        const struct spec_field *f = &spec_fields[i];
        cr_assert_arr_eq((const char *)a + f->offset, (const char *)b + f->offset, f->size, "%s of %s", f->key,
                         a->name);
    }
    cr_assert_eq(a->cc_minor, b->cc_minor);
}

Test(spec, built_in_gpus_are_what_their_files_say)
{
    size_t count = 0;

    for (const struct emu_spec *s; (s = emu_spec_at(count)) != NULL; count++) {
        char path[512];
        struct emu_spec from_file;
        struct diag dg;
        snprintf(path, sizeof(path), "%s/emu/gpus/%s.ini", PTXEMU_SOURCE_DIR, s->name);
        diag_init(&dg, path, NULL, 0);
        cr_assert(emu_spec_read(path, &from_file, &dg), "%s", path);
        cr_assert_eq(dg.count, 0);
        assert_same_spec(s, &from_file);
        diag_release(&dg);
    }
    cr_assert_eq(count, 9);
}

Test(spec, a_gpu_is_found_by_the_names_people_use)
{
    static const char *const names[][2] = {
        {"h200", "h200"},           {"H200", "h200"},
        {"NVIDIA H200", "h200"},    {"nvidia-h200", "h200"},
        {"rtx3090", "rtx3090"},     {"NVIDIA GeForce RTX 3090", "rtx3090"},
        {"RTX 4090", "rtx4090"},    {"Tesla T4", "t4"},
        {"v100", "v100"},           {"Tesla V100-SXM2-16GB", "v100"},
        {"a100", "a100-40gb"},      {"NVIDIA A100", "a100-40gb"},
        {"A100-80GB", "a100-80gb"}, {"NVIDIA A100-SXM4-80GB", "a100-80gb"},
        {"h100", "h100"},           {"NVIDIA H100 80GB HBM3", "h100"},
        {"b200", "b200"},
    };
    static const char *const strangers[] = {"", "nvidia", "h20", "h2000", "a1", "rtx", "100", "---", "./h200.ini"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct emu_spec *s = emu_spec_builtin(names[i][0]);
        cr_assert(s && strcmp(s->name, names[i][1]) == 0, "%s", names[i][0]);
    }
    for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++) {
        cr_assert_null(emu_spec_builtin(strangers[i]), "%s", strangers[i]);
    }
    char longest[1000];
    memset(longest, 'h', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    cr_assert_null(emu_spec_builtin(longest));
}

Test(spec, the_h200_is_the_one_that_was_read_out)
{
    const struct emu_spec *s = emu_spec_builtin("h200");

    cr_assert(s->cc_major == 9 && s->cc_minor == 0 && s->sm_count == 132);
    cr_assert(s->max_grid[0] == 2147483647 && s->max_block[2] == 64);
    cr_assert(s->shared_per_sm == 233472 && s->shared_per_cta == 49152 && s->shared_per_cta_optin == 232448);
    cr_assert(s->l2_bytes == 62914560 && s->core_clock_khz == 1980000 && s->memory_bus_bits == 6016);
}

/* --- the reader -----------------------------------------------------------------------------------------------------
 */

/* A complete description; the tests below change one line of it. */
static const char good_text[] = "[gpu]\n"
                                "name = tiny\n"
                                "product = Test GPU\n"
                                "compute_capability = 9.0\n"
                                "[sm]\n"
                                "sm_count = 2\n"
                                "smsp_per_sm = 4\n"
                                "warp_lanes = 32\n"
                                "max_warps_per_sm = 64\n"
                                "max_threads_per_sm = 2048\n"
                                "max_ctas_per_sm = 32\n"
                                "registers_per_sm = 65536\n"
                                "register_alloc_unit = 256\n"
                                "warp_alloc_granularity = 4\n"
                                "shared_per_sm = 228 KiB\n"
                                "shared_alloc_unit = 128\n"
                                "[cta]\n"
                                "max_threads_per_cta = 1024\n"
                                "max_block = 1024, 1024, 64\n"
                                "max_grid = 2147483647, 65535, 65535\n"
                                "registers_per_cta = 65536\n"
                                "max_registers_per_thread = 255\n"
                                "shared_per_cta = 48 KiB\n"
                                "shared_per_cta_optin = 227 KiB\n"
                                "shared_reserved_per_cta = 1 KiB\n"
                                "named_barriers = 16\n"
                                "[memory]\n"
                                "global_bytes = 1 GiB\n"
                                "const_bytes = 64 KiB\n"
                                "local_per_thread = 512 KiB\n"
                                "l2_bytes = 0\n"
                                "memory_bus_bits = 64\n"
                                "[clock]\n"
                                "core_clock = 1 GHz\n"
                                "memory_clock = 500 MHz\n";

static bool read_bytes(const char *text, size_t length, struct emu_spec *out, struct diag *dg)
{
    char path[] = "/tmp/ptxemu-spec-XXXXXX";
    int fd = mkstemp(path);

    cr_assert(fd >= 0 && write(fd, text, length) == (ssize_t)length);
    close(fd);
    diag_init(dg, "tiny.ini", NULL, 0);
    bool good = emu_spec_read(path, out, dg);
    unlink(path);
    return good;
}

/* good_text with the first `from` replaced by `to`. */
static void read_changed(const char *from, const char *to, struct diag *dg)
{
    char text[4096];
    struct emu_spec spec;
    const char *at = strstr(good_text, from);

    cr_assert_not_null(at);
    int length = snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - good_text), good_text, to, at + strlen(from));
    cr_assert_not(read_bytes(text, (size_t)length, &spec, dg), "'%s' was accepted", to);
}

Test(spec, a_description_is_read_with_its_units)
{
    struct emu_spec s;
    struct diag dg;

    cr_assert(read_bytes(good_text, strlen(good_text), &s, &dg));
    cr_assert_eq(dg.count, 0);
    cr_assert(strcmp(s.name, "tiny") == 0 && strcmp(s.product, "Test GPU") == 0);
    cr_assert(s.global_bytes == (uint64_t)1 << 30 && s.shared_per_sm == 233472 && s.l2_bytes == 0);
    cr_assert(s.core_clock_khz == 1000000 && s.memory_clock_khz == 500000);
    diag_release(&dg);
}

Test(spec, comments_blanks_carriage_returns_and_a_bom_are_ignored)
{
    char text[8192] = "\xef\xbb\xbf; a comment\r\n# another\r\n\r\n   \t\r\n";
    size_t length = strlen(text);
    struct emu_spec s;
    struct diag dg;

    for (const char *at = good_text; *at; at++) {
        if (*at == '\n') {
            length += (size_t)sprintf(text + length, " ; why\r\n  ");
        } else {
            text[length++] = *at;
        }
    }
    bool good = read_bytes(text, length, &s, &dg);
    cr_assert(good, "%s", dg.count ? dg.messages[0].text : "");
    cr_assert_str_eq(s.product, "Test GPU");
    diag_release(&dg);
}

/* For a line longer than any that is read. */
#define NINETY "012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"

static const struct {
    const char *from, *to;
    unsigned line; /* of the first message */
    const char *message;
} wrong[] = {
    {"sm_count = 2", "sm_cuont = 2", 6, "unknown key 'sm_cuont' in [sm]"},
    {"[clock]", "[clocks]", 34, "unknown section [clocks]"},
    {"[gpu]\n", "", 1, "unknown section []"},
    {"sm_count = 2", "sm_count = two", 6, "'sm_count' must be a whole number, not 'two'"},
    {"sm_count = 2", "sm_count = -2", 6, "'sm_count' must be a whole number, not '-2'"},
    {"sm_count = 2", "sm_count = 2 KiB", 6, "'sm_count' must be a whole number, not '2 KiB'"},
    {"sm_count = 2", "sm_count = 0", 6, "'sm_count' is '0' but must be from 1 to 4096"},
    {"sm_count = 2", "sm_count =", 6, "'sm_count' must be a whole number, not ''"},
    {"sm_count = 2", "sm_count = 99999999999999999999", 6,
     "'sm_count' must be a whole number, not '99999999999999999999'"},
    {"warp_lanes = 32", "warp_lanes = 64", 8, "'warp_lanes' is '64' but must be from 32 to 32"},
    {"sm_count = 2", "sm_count 2", 6, "expected '[section]' or 'key = value'"},
    {"[sm]", "[sm", 5, "expected '[section]' or 'key = value'"},
    {"sm_count = 2", "sm_count = 2\nsm_count = 3", 7, "'sm_count' is given twice"},
    {"sm_count = 2\n", "", 0, "missing key 'sm_count' in [sm]"},
    {"228 KiB", "228 KB", 15, "'shared_per_sm' must be a size such as '228 KiB', not '228 KB'"},
    {"228 KiB", "1 GiB", 15, "'shared_per_sm' is '1 GiB' but must be from 1024 to 16777216 bytes"},
    {"228 KiB", "18446744073709551615 GiB", 15,
     "'shared_per_sm' must be a size such as '228 KiB', not '18446744073709551615 GiB'"},
    {"1 GHz", "1000", 34, "'core_clock' must be a frequency such as '1980 MHz', not '1000'"},
    {"9.0", "9", 4, "'compute_capability' must be a version such as '9.0', not '9'"},
    {"1024, 1024, 64", "1024, 1024", 19,
     "'max_block' must be three whole numbers such as '1024, 1024, 64', not '1024, 1024'"},
    {"1024, 1024, 64", "1024, 0, 64", 19, "'max_block' is '1024, 0, 64' but must be from 1 to 1024"},
    {"Test GPU", "\"GPU\"", 3, "'product' must be a text in plain ASCII, not '\"GPU\"'"},
    {"tiny", "0123456789012345678901234567890123456789012345678901234567890123", 2,
     "'name' is longer than 63 characters"},
    {"max_warps_per_sm = 64", "max_warps_per_sm = 32", 10,
     "'max_threads_per_sm' exceeds the lanes of 'max_warps_per_sm' warps"},
    {"227 KiB", "228 KiB", 24, "'shared_per_cta_optin' and 'shared_reserved_per_cta' together exceed 'shared_per_sm'"},
    {"sm_count = 2", "sm_count = 2 ; " NINETY NINETY NINETY, 6, "line is longer than 199 characters"},
};

ParameterizedTestParameters(spec, mistakes_are_located_and_explained)
{
    static size_t index[sizeof(wrong) / sizeof(wrong[0])];

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        index[i] = i;
    }
    return cr_make_param_array(size_t, index, sizeof(wrong) / sizeof(wrong[0]));
}

ParameterizedTest(size_t *i, spec, mistakes_are_located_and_explained)
{
    struct diag dg;

    read_changed(wrong[*i].from, wrong[*i].to, &dg);
    cr_assert_geq(dg.count, 1);
    cr_assert_str_eq(dg.messages[0].text, wrong[*i].message);
    cr_assert_eq(dg.messages[0].loc.line, wrong[*i].line, "line %u", dg.messages[0].loc.line);
    diag_release(&dg);
}

Test(spec, all_mistakes_are_reported)
{
    struct diag dg;

    read_changed("sm_count = 2\nsmsp_per_sm = 4\nwarp_lanes = 32\n", "sm_count = x\nnonsense\nlanes = 32\n", &dg);
    cr_assert_eq(dg.errors, 3);
    diag_release(&dg);

    read_changed("sm_count = 2\n", "core_clock = 1 GHz\n", &dg);
    cr_assert_str_eq(dg.messages[1].text, "'core_clock' belongs in [clock]");
    diag_release(&dg);
}

Test(spec, files_that_are_none_are_refused)
{
    struct emu_spec s;
    struct diag dg;

    diag_init(&dg, "x", NULL, 0);
    cr_assert_not(emu_spec_read("/nowhere/gpu.ini", &s, &dg));
    cr_assert_str_eq(dg.messages[0].text, "cannot open '/nowhere/gpu.ini': No such file or directory");
    diag_release(&dg);

    diag_init(&dg, "x", NULL, 0);
    cr_assert_not(emu_spec_read("/tmp", &s, &dg));
    cr_assert_str_eq(dg.messages[0].text, "cannot read '/tmp': Is a directory");
    diag_release(&dg);

    diag_init(&dg, "x", NULL, 0);
    cr_assert_not(emu_spec_read("/dev/zero", &s, &dg));
    cr_assert_str_eq(dg.messages[0].text, "'/dev/zero' is too large for a GPU description");
    diag_release(&dg);

    cr_assert_not(read_bytes("[gpu]\0", 6, &s, &dg));
    cr_assert_str_eq(dg.messages[0].text, "not a text file");
    diag_release(&dg);

    cr_assert_not(read_bytes("", 0, &s, &dg));
    cr_assert_eq(dg.errors, SPEC_FIELD_COUNT, "every key is missing");
    diag_release(&dg);
}

/* Every prefix, and every byte replaced by each of some nasty ones: errors, never crashes. */
Test(spec, damaged_files_never_crash)
{
    static const char nasty[] = {'[', ']', '=', ';', '\n', '\0', '9', '-', (char)0xff};
    size_t length = strlen(good_text);
    char text[sizeof(good_text)];
    struct emu_spec s;
    struct diag dg;

    for (size_t i = 0; i < length; i += 3) {
        read_bytes(good_text, i, &s, &dg);
        cr_assert_gt(dg.errors, 0);
        diag_release(&dg);
        memcpy(text, good_text, length);
        text[i] = nasty[i / 3 % sizeof(nasty)];
        read_bytes(text, length, &s, &dg);
        diag_release(&dg);
    }
}

/* The manual lists each parameter as `key` in a table row. */
Test(spec, every_parameter_is_documented)
{
    static char text[1 << 16];
    FILE *f = fopen(PTXEMU_SOURCE_DIR "/docs/configuration.md", "r");

    cr_assert_not_null(f);
    text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
    fclose(f);
    for (size_t i = 0; i < SPEC_FIELD_COUNT; i++) {
        char row[80];
        snprintf(row, sizeof(row), "\n| `%s` |", spec_fields[i].key);
        cr_assert_not_null(strstr(text, row), "docs/configuration.md has no row for '%s'", spec_fields[i].key);
    }
}

/* --- occupancy ------------------------------------------------------------------------------------------------------
 */

static const struct {
    const char *gpu;
    unsigned threads, registers;
    uint64_t shared;
    unsigned ctas, limit_warps, limit_registers, limit_shared;
    const char *limiter;
} kernels[] = {
    /*
     * Read from an H200 with Nsight Compute (block limits of warps and registers) or by counting resident CTAs.  Shared
     * memory is the limit of the whole 228 KiB at 1 KiB for the system and the request per CTA: floor(228 / 1) = 228.
     */
    {"h200", 256, 32, 0, 8, 8, 8, 228, "none"},
    {"h200", 256, 16, 0, 8, 8, 16, 228, "none"},
    {"h200", 256, 24, 0, 8, 8, 10, 228, "none"}, /* 24*32 = 768 a warp; floor(16384/768) = 21 per SMSP, 84 per SM, /8 */
    {"h200", 256, 64, 8192, 4, 8, 4, 25, "registers"},
    {"h200", 512, 23, 0, 4, 4, 5, 228, "none"}, /* 23 becomes 24: 84 warps, / 16 */
    {"h200", 128, 17, 0, 16, 16, 21, 228, "none"},
    {"h200", 1, 22, 0, 32, 64, 84, 228, "CTA slots"}, /* half of the warps stay empty: slots run out */
    {"h200", 32, 16, 0, 32, 64, 128, 228, "CTA slots"},
    {"h200", 1024, 28, 0, 2, 2, 2, 228, "none"},
    {"h200", 256, 17, 65536, 3, 8, 10, 3, "shared memory"},
    {"h200", 256, 16, 32768, 6, 8, 16, 6, "shared memory"},
    {"h200", 256, 16, 102400, 2, 8, 16, 2, "shared memory"},
    {"h200", 256, 16, 114688, 2, 8, 16, 2, "shared memory"},
    {"h200", 96, 16, 0, 21, 21, 42, 228, "warps"}, /* 21 CTAs of 3 warps: 63 of 64 */
    {"h200", 192, 16, 0, 10, 10, 21, 228, "warps"},
    /* By the rules.  The largest request fits once; one byte more never. */
    {"h200", 256, 32, 232448, 1, 8, 8, 1, "shared memory"},
    {"h200", 256, 32, 232449, 0, 8, 8, 0, "shared memory"},
    /* 255 becomes 256 registers, 8192 a warp: 2 per SMSP, 8 per SM; 9 warps count as 12 in the launch check: 98304. */
    {"h200", 256, 255, 0, 1, 8, 1, 228, "registers"},
    {"h200", 288, 255, 0, 0, 7, 0, 228, "registers"},
    {"h200", 256, 256, 0, 0, 8, 0, 228, "registers"},
    {"h200", 1024, 64, 0, 1, 2, 1, 228, "registers"},
    {"h200", 1025, 16, 0, 0, 0, 3, 228, "warps"}, /* more threads than a CTA may have */
    {"h200", 0, 16, 0, 0, 0, 128, 228, "warps"},
    {"h200", 4294967295u, 255, 0, 0, 0, 0, 228, "registers"},
    {"h200", 256, 32, UINT64_MAX, 0, 8, 8, 0, "shared memory"},
    {"h200", 256, 0, 0, 8, 8, 32, 228, "none"}, /* nothing known of registers: slots are the only limit left */
    /* 48 warps: 3 CTAs of 512 fit, 1 of 1024.  100 KiB shared, 16 slots. */
    {"rtx3090", 512, 40, 0, 3, 3, 3, 100, "none"},
    {"rtx3090", 1024, 32, 0, 1, 1, 2, 100, "warps"},
    {"rtx3090", 64, 16, 0, 16, 24, 64, 100, "CTA slots"},
    {"rtx4090", 64, 16, 0, 24, 24, 64, 100, "none"},
    /* T4 and V100 reserve nothing and allocate shared memory by 256 bytes: 65536 / 4352 = 15, 98304 / 256 = 384. */
    {"t4", 128, 32, 4097, 8, 8, 16, 15, "none"},
    {"t4", 64, 32, 0, 16, 16, 32, 16, "none"},
    {"v100", 64, 32, 1, 32, 32, 32, 384, "none"},
    /* A100: 164 KiB; 5 KiB + 1 KiB = 6 KiB fit 27 times. */
    {"a100", 64, 32, 5120, 27, 32, 32, 27, "shared memory"},
};

ParameterizedTestParameters(spec, occupancy_follows_the_calculator)
{
    static size_t index[sizeof(kernels) / sizeof(kernels[0])];

    for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
        index[i] = i;
    }
    return cr_make_param_array(size_t, index, sizeof(kernels) / sizeof(kernels[0]));
}

ParameterizedTest(size_t *i, spec, occupancy_follows_the_calculator)
{
    const struct emu_spec *s = emu_spec_builtin(kernels[*i].gpu);
    struct emu_occupancy o;

    emu_occupancy(s, kernels[*i].threads, kernels[*i].registers, kernels[*i].shared, &o);
    cr_assert_eq(o.ctas_per_sm, kernels[*i].ctas, "case %zu: %u CTAs", *i, o.ctas_per_sm);
    cr_assert_eq(o.limit_ctas, s->max_ctas_per_sm);
    cr_assert_eq(o.limit_warps, kernels[*i].limit_warps, "case %zu: warps %u", *i, o.limit_warps);
    cr_assert_eq(o.limit_registers, kernels[*i].limit_registers, "case %zu: registers %u", *i, o.limit_registers);
    cr_assert_eq(o.limit_shared, kernels[*i].limit_shared, "case %zu: shared %u", *i, o.limit_shared);
    cr_assert_str_eq(o.limiter, kernels[*i].limiter, "case %zu: limiter %s", *i, o.limiter);
    cr_assert_eq(o.warps_per_sm, o.ctas_per_sm * ((kernels[*i].threads + 31) / 32));
    cr_assert_float_eq(o.theoretical, (double)o.warps_per_sm / s->max_warps_per_sm, 1e-12);
}
