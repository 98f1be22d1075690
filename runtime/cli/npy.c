/*
 * NumPy files.
 *
 *     \x93NUMPY  major  minor  header length (2 bytes; 4 from version 2)
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   padded with spaces, ends in a newline
 *     data
 *
 * Invariant: no byte outside [0, length) is read, whatever the header claims.
 */
#include "runtime/cli/npy.h"
#include "runtime/cli/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char MAGIC[6] = "\x93NUMPY";

static bool fail(struct cli_error *error, const char *what)
{
    return cli_fail(error, PTXEMU_BAD_INPUT, "not a valid .npy file: %s", what);
}

/* What follows `'key':` in the header's dictionary; false when the key is missing. */
static bool find_key(struct cli_span header, const char *key, struct cli_span *value)
{
    const char *found = memmem(header.at, header.length, key, strlen(key));

    if (found == NULL) {
        return false;
    }
    struct cli_span rest = {found + strlen(key), header.length - (size_t)(found - header.at) - strlen(key)};

    *value = cli_span_trim(rest);
    return true;
}

/* The text between two quotes at the start of `value`. */
static bool quoted(struct cli_span value, struct cli_span *inside)
{
    if (value.length < 2 || (value.at[0] != '\'' && value.at[0] != '"')) {
        return false;
    }
    const char *end = memchr(value.at + 1, value.at[0], value.length - 1);

    if (end == NULL) {
        return false;
    }
    *inside = (struct cli_span){value.at + 1, (size_t)(end - value.at) - 1};
    return true;
}

/* "<f4" is f32; the order does not matter for single bytes. */
static const struct cli_type *type_of(struct cli_span descr)
{
    char name[8];

    if (descr.length != 3 || descr.at[2] < '1' || descr.at[2] > '8' ||
        strchr(descr.at[2] == '1' ? "<>|=" : "<=", descr.at[0]) == NULL) {
        return NULL;
    }
    static const char letters[][2] = {{'f', 'f'}, {'u', 'u'}, {'i', 's'}, {'b', 'u'}}; /* NumPy's, ours */

    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        if (letters[i][0] == descr.at[1]) {
            snprintf(name, sizeof name, "%c%d", letters[i][1], (descr.at[2] - '0') * 8);
            return cli_type_named(name);
        }
    }
    return NULL;
}

static bool read_type(struct cli_span header, struct cli_npy *npy, struct cli_error *error)
{
    struct cli_span value = {0}, descr = {0};

    if (!find_key(header, "'descr':", &value)) {
        return fail(error, "no 'descr' in its header");
    }
    if (!quoted(value, &descr)) {
        return fail(error, "structured arrays cannot be used");
    }
    npy->type = type_of(descr);
    if (npy->type == NULL) {
        return cli_fail(error, PTXEMU_BAD_INPUT,
                        "its dtype '%.*s' cannot be used: expected a little-endian integer or float of 1 to 8 bytes",
                        cli_span_shown(descr), descr.at);
    }
    return true;
}

static bool read_shape(struct cli_span value, struct cli_npy *npy, unsigned *dimensions, struct cli_error *error)
{
    const char *end = value.length == 0 || value.at[0] != '(' ? NULL : memchr(value.at, ')', value.length);

    if (end == NULL) {
        return fail(error, "no 'shape' in its header");
    }
    struct cli_span list = {value.at + 1, (size_t)(end - value.at) - 1};

    npy->count = 1; /* a shape without dimensions is one element */
    for (*dimensions = 0; cli_span_trim(list).length > 0; ++*dimensions) {
        struct cli_span item = cli_span_trim(cli_span_cut(&list, ','));
        uint64_t size;

        if (!cli_size_parse(item, &size, error) || __builtin_mul_overflow(npy->count, size, &npy->count)) {
            return fail(error, "its shape is not a list of sizes");
        }
    }
    return true;
}

static bool read_layout(struct cli_span header, struct cli_npy *npy, struct cli_error *error)
{
    struct cli_span shape = {0}, order = {0};
    unsigned dimensions = 0;

    if (!find_key(header, "'shape':", &shape) || !find_key(header, "'fortran_order':", &order)) {
        return fail(error, "no 'shape' or 'fortran_order' in its header");
    }
    if (!read_shape(shape, npy, &dimensions, error)) {
        return false;
    }
    bool fortran = order.length >= 4 && memcmp(order.at, "True", 4) == 0;

    if (fortran && dimensions > 1) {
        return cli_fail(error, PTXEMU_BAD_INPUT,
                        "the array is in Fortran order; save it with numpy.ascontiguousarray first");
    }
    return true;
}

/* Where the header's text lies; depends on the version. */
static bool find_header(const unsigned char *bytes, size_t length, struct cli_span *header, struct cli_error *error)
{
    if (length < 10 || memcmp(bytes, MAGIC, sizeof MAGIC) != 0) {
        return fail(error, "it does not start with \\x93NUMPY");
    }
    if (bytes[6] < 1 || bytes[6] > 3) {
        return cli_fail(error, PTXEMU_BAD_INPUT, ".npy version %u.%u is not known", bytes[6], bytes[7]);
    }
    size_t start = bytes[6] == 1 ? 10 : 12;
    size_t size = (size_t)bytes[8] | (size_t)bytes[9] << 8;

    if (length < start) {
        return fail(error, "its header is cut off");
    }
    if (bytes[6] > 1) {
        size |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    }
    if (size > length - start) {
        return fail(error, "its header is cut off");
    }
    *header = (struct cli_span){(const char *)bytes + start, size};
    return true;
}

bool cli_npy_parse(const unsigned char *bytes, size_t length, struct cli_npy *npy, struct cli_error *error)
{
    struct cli_span header = {0};
    uint64_t data;

    if (!find_header(bytes, length, &header, error) || !read_type(header, npy, error) ||
        !read_layout(header, npy, error)) {
        return false;
    }
    npy->data_offset = (size_t)((const unsigned char *)header.at - bytes) + header.length;

    uint64_t present = length - npy->data_offset;

    if (__builtin_mul_overflow(npy->count, (uint64_t)npy->type->bytes, &data) || data != present) {
        return cli_fail(error, PTXEMU_BAD_INPUT,
                        "its header promises %" PRIu64 " elements of %u bytes, but %" PRIu64 " bytes follow",
                        npy->count, npy->type->bytes, present);
    }
    return true;
}

bool cli_npy_matches(const struct cli_type *in_file, const struct cli_type *wanted)
{
    return in_file == wanted || (wanted->kind == CLI_BITS && in_file->bytes == wanted->bytes);
}

/* NumPy's letter for a type's kind; raw bits are saved as unsigned integers. */
static char letter_of(const struct cli_type *type)
{
    switch (type->kind) {
    case CLI_FLOAT:
        return 'f';
    case CLI_SIGNED:
        return 'i';
    default:
        return 'u';
    }
}

bool cli_npy_header(const struct cli_type *type, uint64_t count, unsigned char header[CLI_NPY_HEADER],
                    struct cli_error *error)
{
    enum { TEXT = CLI_NPY_HEADER - 10 };
    char text[TEXT + 1];

    if (strcmp(type->name, "bf16") == 0) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "NumPy has no type for bf16; write a raw file instead");
    }
    int used = snprintf(text, sizeof text, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (%" PRIu64 ",), }",
                        type->bytes == 1 ? '|' : '<', letter_of(type), type->bytes, count);

    memset(text + used, ' ', (size_t)(TEXT - used));
    text[TEXT - 1] = '\n';
    memcpy(header, MAGIC, sizeof MAGIC);
    memcpy(header + 6, (const unsigned char[]){1, 0, TEXT, 0}, 4);
    memcpy(header + 10, text, TEXT);
    return true;
}
