/*
 * Specifications of arguments: numbers, types, shapes, and the messages for what is none.
 */
#include "runtime/cli/spec.h"
#include "runtime/cli/smallfloat.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void parse_number(const char *text, struct cli_number *number)
{
    struct cli_error error;

    cr_assert(cli_number_parse(text, strlen(text), number, &error), "%s", text);
}

Test(cli_number, keeps_all_64_bits_of_an_integer)
{
    static const struct {
        const char *text;
        bool negative;
        uint64_t magnitude;
    } rows[] = {
        {"0", false, 0},
        {"-1", true, 1},
        {"+7", false, 7},
        {"18446744073709551615", false, UINT64_MAX},
        {"0xffffffffffffffff", false, UINT64_MAX},
        {"0X10", false, 16},
        {"0b101", false, 5},
        {"1e3", false, 1000},
        {"4.0", false, 4},
        {"-9223372036854775808", true, UINT64_C(1) << 63},
    };
    struct cli_number n;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        parse_number(rows[i].text, &n);
        cr_assert(n.integral && n.negative == rows[i].negative && n.magnitude == rows[i].magnitude, "%s", rows[i].text);
    }
}

Test(cli_number, reads_floating_point_in_every_spelling)
{
    static const struct {
        const char *text;
        double value;
    } rows[] = {{"1.5", 1.5},
                {"-2.5e-3", -2.5e-3},
                {".25", 0.25},
                {"0x1p-3", 0.125},
                {"0f3F800000", 1.0},
                {"0d4000000000000000", 2},
                {"inf", (double)INFINITY},
                {"-inf", (double)-INFINITY},
                {"-0f3f800000", -1.0}};
    struct cli_number n;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        parse_number(rows[i].text, &n);
        cr_assert_eq(n.real, rows[i].value, "%s gives %g", rows[i].text, n.real);
    }
    parse_number("nan", &n);
    cr_assert(isnan(n.real) && !n.integral);
    parse_number("-0.0", &n);
    cr_assert(signbit(n.real));
}

Test(cli_number, refuses_what_is_no_number)
{
    static const char *const texts[] = {"",   "-",      "x",  "1x", "0x",    "0xg",  "--1", "1 2",
                                        " 1", "nan(1)", "1e", "+",  "infin", "0f12", "1,5"};
    struct cli_number n;
    struct cli_error error;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_assert_not(cli_number_parse(texts[i], strlen(texts[i]), &n, &error), "'%s'", texts[i]);
        cr_assert_eq(error.status, PTXEMU_BAD_INPUT);
    }
}

static bool store(const char *type, const char *text, uint64_t *bits)
{
    struct cli_number n;
    struct cli_error error;

    parse_number(text, &n);
    *bits = 0;
    return cli_element_store(cli_type_named(type), &n, bits, &error);
}

Test(cli_element, holds_what_its_type_holds_and_no_more)
{
    static const struct {
        const char *type, *text;
        bool fits;
        uint64_t bits;
    } rows[] = {
        {"u8", "255", true, 0xff},
        {"u8", "256", false, 0},
        {"u8", "-1", false, 0},
        {"s8", "-128", true, 0x80},
        {"s8", "128", false, 0},
        {"b8", "-1", true, 0xff},
        {"b8", "255", true, 0xff},
        {"b8", "-129", false, 0},
        {"u64", "18446744073709551615", true, UINT64_MAX},
        {"s64", "-9223372036854775808", true, UINT64_C(1) << 63},
        {"s64", "9223372036854775808", false, 0},
        {"u32", "1.5", false, 0},
        {"u32", "inf", false, 0},
        {"f32", "1", true, 0x3f800000},
        {"f64", "-0.0", true, UINT64_C(1) << 63},
        {"f16", "1", true, 0x3c00},
        {"bf16", "1", true, 0x3f80},
    };
    uint64_t bits;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert_eq(store(rows[i].type, rows[i].text, &bits), rows[i].fits, "%s:%s", rows[i].type, rows[i].text);
        cr_assert(!rows[i].fits || bits == rows[i].bits, "%s:%s", rows[i].type, rows[i].text);
    }
}

Test(cli_element, is_printed_so_that_it_reads_back)
{
    static const struct {
        const char *type, *text;
    } rows[] = {{"u8", "255"},  {"s8", "-1"},           {"u64", "18446744073709551615"},
                {"f32", "1.5"}, {"f32", "0.100000001"}, {"f64", "0.10000000000000001"},
                {"f32", "inf"}, {"f32", "-inf"},        {"f64", "nan"},
                {"f16", "0.5"}};
    char text[CLI_ELEMENT_TEXT];
    uint64_t bits;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert(store(rows[i].type, rows[i].text, &bits));
        cli_element_format(cli_type_named(rows[i].type), &bits, text);
        cr_assert_str_eq(text, rows[i].text);
    }
}

Test(cli_smallfloat, every_16_bit_value_survives_the_round_trip)
{
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        double half = cli_small_float_decode(&CLI_FLOAT16, (uint16_t)bits);
        double brain = cli_small_float_decode(&CLI_BFLOAT16, (uint16_t)bits);

        cr_assert(isnan(half) || cli_small_float_encode(&CLI_FLOAT16, half) == bits, "%04x", bits);
        cr_assert(isnan(brain) || cli_small_float_encode(&CLI_BFLOAT16, brain) == bits, "%04x", bits);
    }
}

Test(cli_smallfloat, rounds_to_nearest_even)
{
    static const struct {
        double value;
        uint16_t bits;
    } rows[] = {
        {1 + 0x1p-11, 0x3c00},           /* a tie goes to even, down */
        {1 + 3 * 0x1p-11, 0x3c02},       /* and up */
        {1 + 0x1p-11 + 0x1p-40, 0x3c01}, /* above the tie */
        {65504, 0x7bff},                 /* the largest */
        {65519.99, 0x7bff},
        {65520, 0x7c00},   /* the first that overflows */
        {0x1p-24, 0x0001}, /* the smallest denormal */
        {0x1p-25, 0x0000},
        {0x1p-14 - 0x1p-25, 0x0400}, /* denormal rounds up to the smallest normal */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert_eq(cli_small_float_encode(&CLI_FLOAT16, rows[i].value), rows[i].bits, "%a", rows[i].value);
    }
}

Test(cli_spec, shapes)
{
    static const struct {
        const char *text;
        enum cli_spec_kind kind;
        const char *type;
        uint64_t count;
        enum cli_pattern_kind pattern;
    } rows[] = {
        {"u32:5", CLI_SCALAR, "u32", 0, CLI_CONST},
        {" f64:-1e300 ", CLI_SCALAR, "f64", 0, CLI_CONST},
        {"f32[1024]:iota", CLI_BUFFER, "f32", 1024, CLI_LINEAR},
        {"f32[4K]:0", CLI_BUFFER, "f32", 4096, CLI_CONST},
        {"f32[0x10]", CLI_BUFFER, "f32", 16, CLI_CONST},
        {"u8[7]:file(a:b.bin)", CLI_BUFFER, "u8", 7, CLI_FILE},
        {"u8:file(a[1].bin)", CLI_BUFFER, "u8", 0, CLI_FILE},
        {"u8[]:text(1 2)", CLI_BUFFER, "u8", 0, CLI_TEXT},
        {"npy(x.npy)", CLI_BUFFER, NULL, 0, CLI_NPY},
        {"b8[12]:rand(1)", CLI_BUFFER, "b8", 12, CLI_RAND},
    };
    struct cli_error error;
    struct cli_spec s;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert(cli_spec_parse(cli_span_of(rows[i].text), NULL, &s, &error), "%s: %s", rows[i].text, error.text);
        cr_assert(s.kind == rows[i].kind && s.type == cli_type_named(rows[i].type) && s.count == rows[i].count &&
                      s.pattern.kind == rows[i].pattern,
                  "%s", rows[i].text);
        cli_spec_release(&s);
    }
    cr_assert(cli_spec_parse(cli_span_of("=3"), NULL, &s, &error));
    cr_assert(s.kind == CLI_REUSE && s.reused == 3);
    cli_spec_release(&s);
}

Test(cli_spec, messages)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "nothing given: expected TYPE:VALUE or TYPE[COUNT]:PATTERN"},
        {"5", "'5': expected TYPE:VALUE or TYPE[COUNT]:PATTERN, as in u32:5 or f32[1024]:iota"},
        {"u32", "'u32': expected TYPE:VALUE or TYPE[COUNT]:PATTERN, as in u32:5 or f32[1024]:iota"},
        {"u31:5", "'u31:5': 'u31' is not a type: expected u8..u64, s8..s64, b8..b64, f16, bf16, f32 or f64"},
        {"u8:256", "'u8:256': 256 does not fit in u8"},
        {"u8[3]:const(-1)", "'u8[3]:const(-1)': -1 does not fit in u8"},
        {"u32:1.5", "'u32:1.5': 1.5 is not an integer of 64 bits; u32 holds integers"},
        {"u32:iota", "'u32:iota': only buffers have patterns; write u32[COUNT]:..."},
        {"u32[0]:1", "'u32[0]:1': a buffer needs at least one element"},
        {"u32[-1]:1", "'u32[-1]:1': '-1' is not a size: expected a whole number, also with K, M or G"},
        {"u32[3:1", "'u32[3:1': expected '[COUNT]' after the type, found '[3'"},
        {"u32[]:7", "'u32[]:7': a buffer that is not made of data needs a count, as in u32[1024]:iota"},
        {"u64[0x2000000000000000]:0",
         "'u64[0x2000000000000000]:0': 2305843009213693952 elements of u64 are more than any memory holds"},
        {"f32[4]:iota(1)", "'f32[4]:iota(1)': wrong number of values in iota: expected iota or iota(START,STEP)"},
        {"f32[4]:rand(1,2)",
         "'f32[4]:rand(1,2)': wrong number of values in rand: expected rand(SEED) or rand(SEED,LO,HI)"},
        {"f32[4]:rand(1,3,2)", "'f32[4]:rand(1,3,2)': rand(SEED,LO,HI) needs finite LO <= HI"},
        {"f32[4]:mod(0)", "'f32[4]:mod(0)': mod(M) needs an integer M of at least 1"},
        {"f32[4]:text()", "'f32[4]:text()': nothing in text(): expected text(1 2 3)"},
        {"f32[4]:iota x", "'f32[4]:iota x': expected '(...)' after the name of a pattern, found ' x'"},
        {"=x", "'=x': expected '=N', N an argument of the first launch"},
    };
    struct cli_error error;
    struct cli_spec s;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert_not(cli_spec_parse(cli_span_of(rows[i].text), NULL, &s, &error), "%s", rows[i].text);
        cr_assert_str_eq(error.text, rows[i].message);
        cr_assert_eq(error.status, PTXEMU_BAD_INPUT);
    }
}

Test(cli_spec, paths_are_relative_to_the_folder)
{
    struct cli_error error;
    struct cli_spec s;

    cr_assert(cli_spec_parse(cli_span_of("u8:file(in.bin)"), "some/where", &s, &error));
    cr_assert_str_eq(s.pattern.source, "some/where/in.bin");
    cli_spec_release(&s);
    cr_assert(cli_spec_parse(cli_span_of("u8:file(/in.bin)"), "some/where", &s, &error));
    cr_assert_str_eq(s.pattern.source, "/in.bin");
    cli_spec_release(&s);
}

Test(cli_spec, an_expectation_needs_no_type)
{
    struct cli_error error;
    struct cli_spec s;

    cr_assert(cli_spec_parse_expected(cli_span_of("linear(3,1)"), NULL, &s, &error));
    cr_assert(s.kind == CLI_BUFFER && s.type == NULL && s.count == 0);
    cli_spec_release(&s);
    cr_assert(cli_spec_parse_expected(cli_span_of("f32[4]:1"), NULL, &s, &error));
    cr_assert(s.count == 4 && s.type == cli_type_named("f32"));
    cli_spec_release(&s);
}

Test(cli_spec, long_garbage_is_cut_in_messages)
{
    char text[5000];
    struct cli_error error;
    struct cli_spec s;

    memset(text, 'u', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    cr_assert_not(cli_spec_parse(cli_span_of(text), NULL, &s, &error));
    cr_assert_lt(strlen(error.text), 300);
}

Test(cli_error, a_message_that_is_too_long_is_cut)
{
    struct cli_error error;
    char place[CLI_ERROR_TEXT + 100];

    memset(place, 'p', sizeof place - 1);
    place[sizeof place - 1] = '\0';
    cli_fail(&error, PTXEMU_BAD_INPUT, "%s", "what");
    cli_fail_at(&error, "%s: ", place);
    cr_assert_eq(strlen(error.text), CLI_ERROR_TEXT - 1);
}
