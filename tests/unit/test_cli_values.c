/*
 * Patterns and data: the elements they make, where they fail, and how buffers are compared with them.
 */
#include "runtime/cli/compare.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The elements of a specification, printed with spaces between them; the error's text when it has none. */
static const char *elements(const char *text)
{
    static char line[1024];
    struct cli_error error;
    struct cli_spec spec;
    struct cli_values values;

    line[0] = '\0';
    if (!cli_spec_parse(cli_span_of(text), NULL, &spec, &error)) {
        return strcpy(line, error.text);
    }
    if (!cli_values_load(&spec, NULL, 0, 1 << 20, &values, &error)) {
        cli_spec_release(&spec);
        return strcpy(line, error.text);
    }
    for (uint64_t i = 0; i < values.count; i++) {
        unsigned char element[CLI_ELEMENT_BYTES];
        char one[CLI_ELEMENT_TEXT];

        cli_values_fill(&values, i, 1, element);
        cli_element_format(values.type, element, one);
        snprintf(line + strlen(line), sizeof line - strlen(line), i == 0 ? "%s" : " %s", one);
    }
    cli_values_release(&values);
    cli_spec_release(&spec);
    return line;
}

Test(cli_values, patterns)
{
    static const struct {
        const char *spec, *elements;
    } rows[] = {
        {"u32:7", "7"},
        {"u8[3]:const(2)", "2 2 2"},
        {"s32[4]:iota", "0 1 2 3"},
        {"f32[4]:iota(0.5,0.25)", "0.5 0.75 1 1.25"},
        {"s32[4]:iota(5,-3)", "5 2 -1 -4"},
        {"f64[3]:linear(2,1)", "1 3 5"},
        {"u8[5]:mod(3)", "0 1 2 0 1"},
        {"u8[3]:iota(254,1)", "254 255 0"},
        {"u32[3]:text(1 0x10, 3)", "1 16 3"},
        {"f32:text(1;2.5\t-3)", "1 2.5 -3"},
        {"s8[2]", "0 0"},
        {"u64[2]:rand(0)", "16294208416658607535 7960286522194355700"},
        {"u8[4]:rand(3,9,9)", "9 9 9 9"},
        {"f32[2]:rand(3,1.5,1.5)", "1.5 1.5"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert_str_eq(elements(rows[i].spec), rows[i].elements);
    }
}

Test(cli_values, messages)
{
    static const struct {
        const char *spec, *message;
    } rows[] = {
        {"u8[2]:text(1 2 3)", "'u8[2]:text(1 2 3)': 2 elements are wanted, but there are 3"},
        {"u8:text(1 x)", "'u8:text(1 x)': 'x' is not a number"},
        {"u8:text(1 256)", "'u8:text(1 256)': 256 does not fit in u8"},
        {"u8:text(,)", "'u8:text(,)': there are no elements in it"},
        {"u8[99999999999]:0",
         "'u8[99999999999]:0': 99999999999 elements of u8 do not fit: at most 1048576 bytes are left"},
        {"u32[4]:linear(0.5,0)", "'u32[4]:linear(0.5,0)': a pattern of u32 elements needs integers"},
        {"u8:file(/nonexistent/x)",
         "'u8:file(/nonexistent/x)': cannot open '/nonexistent/x': No such file or directory"},
        {"u8:file(/tmp)", "'u8:file(/tmp)': '/tmp' is a directory"},
        {"u8:file(/dev/zero)", "'u8:file(/dev/zero)': '/dev/zero' is not a regular file"},
        {"npy(/tmp)", "'npy(/tmp)': '/tmp' is a directory"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert_str_eq(elements(rows[i].spec), rows[i].message);
    }
}

Test(cli_values, random_values_stay_in_their_range)
{
    struct cli_error error;
    struct cli_spec spec;
    struct cli_values values;
    int32_t integers[1000];
    float reals[1000];

    cr_assert(cli_spec_parse(cli_span_of("s32[1000]:rand(1,-3,4)"), NULL, &spec, &error));
    cr_assert(cli_values_load(&spec, NULL, 0, 1 << 20, &values, &error));
    cli_values_fill(&values, 0, 1000, integers);
    cli_spec_release(&spec);
    cr_assert(cli_spec_parse(cli_span_of("f32[1000]:rand(1)"), NULL, &spec, &error));
    cr_assert(cli_values_load(&spec, NULL, 0, 1 << 20, &values, &error));
    cli_values_fill(&values, 0, 1000, reals);
    cli_spec_release(&spec);
    for (size_t i = 0; i < 1000; i++) {
        cr_assert(integers[i] >= -3 && integers[i] <= 4);
        cr_assert(reals[i] >= 0 && reals[i] <= 1);
    }
}

/* The elements of a file of u16 with these bytes. */
static const char *elements_of_file(const void *bytes, size_t length)
{
    char path[] = "/tmp/ptxemu-values-XXXXXX", spec[64];
    int fd = mkstemp(path);

    cr_assert(fd >= 0 && write(fd, bytes, length) == (ssize_t)length);
    close(fd);
    snprintf(spec, sizeof spec, "u16:file(%s)", path);
    const char *line = elements(spec);
    unlink(path);
    return line;
}

Test(cli_values, raw_files_are_elements_in_order)
{
    static const unsigned char bytes[] = {1, 0, 2, 0, 3};

    cr_assert_str_eq(elements_of_file(bytes, 4), "1 2");
    cr_assert_not_null(strstr(elements_of_file(bytes, 5), "has 5 bytes, which is no whole number of u16 elements"));
    cr_assert_not_null(strstr(elements_of_file(bytes, 0), "there are no elements in it"));
}

/* --- comparison ------------------------------------------------------------------------------- */

static struct cli_difference compare(const char *expected, const void *got, double tolerance)
{
    struct cli_difference difference;
    struct cli_error error;
    struct cli_spec spec;
    struct cli_values values;

    cr_assert(cli_spec_parse(cli_span_of(expected), NULL, &spec, &error));
    cr_assert(cli_values_load(&spec, NULL, 0, 1 << 20, &values, &error));
    cli_compare(&values, got, tolerance, &difference);
    cli_values_release(&values);
    cli_spec_release(&spec);
    return difference;
}

Test(cli_compare, names_the_first_mismatch_and_counts_the_rest)
{
    int32_t got[3000];

    for (int i = 0; i < 3000; i++) {
        got[i] = i == 2000 || i == 2999 ? -1 : i;
    }
    struct cli_difference d = compare("s32[3000]:iota", got, -1);

    cr_assert_eq(d.compared, 3000);
    cr_assert_eq(d.mismatches, 2);
    cr_assert_eq(d.first, 2000);
    cr_assert_str_eq(d.got, "-1");
    cr_assert_str_eq(d.expected, "2000");
}

Test(cli_compare, floats_are_equal_by_value)
{
    const float got[] = {-0.0f, NAN, INFINITY, 1.0f};

    cr_assert_eq(compare("f32:text(0 nan inf 1)", got, -1).mismatches, 0);
    cr_assert_eq(compare("b32:text(0 0 0 0)", got, -1).mismatches, 4);
    cr_assert_eq(compare("f32:text(0 1 -inf 1)", got, 1e9).mismatches, 2);
}

Test(cli_compare, tolerance_is_relative_above_one_and_absolute_below)
{
    const float got[] = {1000.5f, 0.0005f};

    cr_assert_eq(compare("f32:text(1000 0)", got, 1e-3).mismatches, 0);
    cr_assert_eq(compare("f32:text(1000 0)", got, 4e-4).mismatches, 2);
    cr_assert_eq(compare("f32:text(1000 0)", got, -1).mismatches, 2);
}

Test(cli_compare, changed_elements_are_counted_by_their_bits)
{
    const float now[] = {0, 1, -0.0f, 3};
    struct cli_error error;
    struct cli_spec spec;
    struct cli_values before;

    cr_assert(cli_spec_parse(cli_span_of("f32[4]"), NULL, &spec, &error));
    cr_assert(cli_values_load(&spec, NULL, 0, 1 << 20, &before, &error));
    cr_assert_eq(cli_count_changed(&before, (const unsigned char *)now), 3);
    cli_spec_release(&spec);
}
