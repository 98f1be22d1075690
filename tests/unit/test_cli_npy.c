/*
 * NumPy files: what is read, what is refused and why, and that what is written can be read.
 */
#include "runtime/cli/npy.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A version 1 file in exactly as much memory as it has, so that reading past its end is caught. */
static unsigned char *make(const char *header, size_t data, size_t *length)
{
    size_t size = strlen(header);
    unsigned char *bytes;

    *length = 10 + size + data;
    bytes = calloc(*length, 1);
    memcpy(bytes, "\x93NUMPY\1\0", 8);
    bytes[8] = (unsigned char)size;
    bytes[9] = (unsigned char)(size >> 8);
    memcpy(bytes + 10, header, size);
    return bytes;
}

static bool parse(const char *header, size_t data, struct cli_npy *npy, struct cli_error *error)
{
    size_t length;
    unsigned char *bytes = make(header, data, &length);
    bool ok = cli_npy_parse(bytes, length, npy, error);

    free(bytes);
    return ok;
}

Test(cli_npy, types_and_shapes)
{
    static const struct {
        const char *header;
        size_t data;
        const char *type;
        uint64_t count;
    } rows[] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }\n", 12, "f32", 3},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", 48, "f64", 6},
        {"{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }", 4, "f16", 2},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (5,), }", 5, "u8", 5},
        {"{'descr': '|b1', 'fortran_order': False, 'shape': (5,), }", 5, "u8", 5},
        {"{'descr': '<i8', 'fortran_order': False, 'shape': (), }", 8, "s64", 1},
        {"{'descr': '<i2', 'fortran_order': True, 'shape': (4,), }", 8, "s16", 4},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (0,), }", 0, "u32", 0},
    };
    struct cli_error error;
    struct cli_npy npy;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert(parse(rows[i].header, rows[i].data, &npy, &error), "%s: %s", rows[i].header, error.text);
        cr_assert_str_eq(npy.type->name, rows[i].type);
        cr_assert_eq(npy.count, rows[i].count);
        cr_assert_eq(npy.data_offset, 10 + strlen(rows[i].header));
    }
}

Test(cli_npy, messages)
{
    static const struct {
        const char *header;
        size_t data;
        const char *message;
    } rows[] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 11,
         "its header promises 3 elements of 4 bytes, but 11 bytes follow"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 13,
         "its header promises 3 elements of 4 bytes, but 13 bytes follow"},
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (1, 3), }", 12,
         "the array is in Fortran order; save it with numpy.ascontiguousarray first"},
        {"{'descr': '>f4', 'fortran_order': False, 'shape': (3,), }", 12,
         "its dtype '>f4' cannot be used: expected a little-endian integer or float of 1 to 8 bytes"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (3,), }", 24,
         "its dtype '<c8' cannot be used: expected a little-endian integer or float of 1 to 8 bytes"},
        {"{'descr': '<f3', 'fortran_order': False, 'shape': (3,), }", 9,
         "its dtype '<f3' cannot be used: expected a little-endian integer or float of 1 to 8 bytes"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }", 12,
         "not a valid .npy file: structured arrays cannot be used"},
        {"{'fortran_order': False, 'shape': (3,), }", 12, "not a valid .npy file: no 'descr' in its header"},
        {"{'descr': '<f4', 'shape': (3,), }", 12, "not a valid .npy file: no 'shape' or 'fortran_order' in its header"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (x,), }", 12,
         "not a valid .npy file: its shape is not a list of sizes"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3", 12, "not a valid .npy file: no 'shape' in its header"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296,4294967296,), }", 0,
         "not a valid .npy file: its shape is not a list of sizes"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904,), }", 0,
         "its header promises 4611686018427387904 elements of 8 bytes, but 0 bytes follow"},
    };
    struct cli_error error;
    struct cli_npy npy;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert_not(parse(rows[i].header, rows[i].data, &npy, &error), "%s", rows[i].header);
        cr_assert_str_eq(error.text, rows[i].message);
    }
}

/* Every prefix of a good file is refused, and no byte behind it is read (under the address sanitizer). */
Test(cli_npy, truncation_anywhere_is_noticed)
{
    size_t length;
    unsigned char *whole = make("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 12, &length);
    struct cli_error error;
    struct cli_npy npy;

    for (unsigned version = 1; version <= 4; version++) {
        whole[6] = (unsigned char)version;
        for (size_t kept = 0; kept < length; kept++) {
            unsigned char *part = malloc(kept + 1);

            memcpy(part, whole, kept);
            cr_assert_not(cli_npy_parse(part, kept, &npy, &error), "version %u, %zu bytes", version, kept);
            free(part);
        }
    }
    free(whole);
}

Test(cli_npy, a_header_written_is_a_header_read)
{
    static const char *const types[] = {"u8", "s8", "b16", "s16", "f16", "u32", "f32", "u64", "s64", "f64"};
    struct cli_error error;
    struct cli_npy npy;

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const struct cli_type *type = cli_type_named(types[i]);
        unsigned char *file = calloc(CLI_NPY_HEADER + 7 * type->bytes, 1);

        cr_assert(cli_npy_header(type, 7, file, &error));
        cr_assert(cli_npy_parse(file, CLI_NPY_HEADER + 7 * type->bytes, &npy, &error), "%s: %s", types[i], error.text);
        cr_assert(npy.count == 7 && npy.data_offset == CLI_NPY_HEADER && npy.type->bytes == type->bytes);
        cr_assert(cli_npy_matches(npy.type, type));
        free(file);
    }
    unsigned char header[CLI_NPY_HEADER];

    cr_assert_not(cli_npy_header(cli_type_named("bf16"), 7, header, &error));
}

Test(cli_npy, raw_bits_take_any_type_of_their_size)
{
    cr_assert(cli_npy_matches(cli_type_named("f32"), cli_type_named("b32")));
    cr_assert_not(cli_npy_matches(cli_type_named("f32"), cli_type_named("b64")));
    cr_assert_not(cli_npy_matches(cli_type_named("s32"), cli_type_named("u32")));
}
