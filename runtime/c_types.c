/*
 * Types of C.  Invariant: libffi's own types are never written to; a structure's size and alignment are known when it
 * is handed out.
 */
#include "runtime/c_types.h"

#include <ctype.h>
#include <string.h>

static const struct {
    const char *name;
    ffi_type *type;
} SCALARS[] = {
    {"u8", &ffi_type_uint8},      {"s8", &ffi_type_sint8},   {"b8", &ffi_type_uint8},    {"u16", &ffi_type_uint16},
    {"s16", &ffi_type_sint16},    {"b16", &ffi_type_uint16}, {"f16", &ffi_type_uint16},  {"bf16", &ffi_type_uint16},
    {"u32", &ffi_type_uint32},    {"s32", &ffi_type_sint32}, {"b32", &ffi_type_uint32},  {"f16x2", &ffi_type_uint32},
    {"bf16x2", &ffi_type_uint32}, {"u64", &ffi_type_uint64}, {"s64", &ffi_type_sint64},  {"b64", &ffi_type_uint64},
    {"f32", &ffi_type_float},     {"f64", &ffi_type_double}, {"ptr", &ffi_type_pointer},
};

static ffi_type *find_scalar(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof SCALARS / sizeof SCALARS[0]; i++) {
        if (strlen(SCALARS[i].name) == length && memcmp(SCALARS[i].name, name, length) == 0) {
            return SCALARS[i].type;
        }
    }
    return NULL;
}

/* --- declarations ----------------------------------------------------------------------------- */
/* With its size set, libffi does not compute it from the members, which say too little of the alignment. */
static ffi_type *bytes_type(struct arena *arena, uint64_t size, uint32_t align)
{
    ffi_type *type = ARENA_NEW(arena, ffi_type);
    ffi_type **members = ARENA_ARRAY(arena, ffi_type *, size + 1);

    if (type == NULL || members == NULL) {
        return NULL;
    }
    for (uint64_t i = 0; i < size; i++) {
        members[i] = &ffi_type_uint8;
    }
    *type = (ffi_type){
        .size = (size_t)size, .alignment = (unsigned short)align, .type = FFI_TYPE_STRUCT, .elements = members};
    return type;
}

ffi_type *rt_c_type(struct arena *arena, const struct ir_param *param)
{
    enum { LARGEST = 1 << 16, LARGEST_ALIGN = 128 };
    const char *name = ir_type_info[param->type].name;
    ffi_type *scalar = find_scalar(name, strlen(name));

    if (scalar != NULL && scalar->size == param->size_bytes) {
        return scalar;
    }
    return scalar != NULL && param->size_bytes > 0 && param->size_bytes <= LARGEST && param->align <= LARGEST_ALIGN
               ? bytes_type(arena, param->size_bytes, param->align == 0 ? 1 : param->align)
               : NULL;
}

bool rt_c_type_fits(const ffi_type *type, const struct ir_param *param)
{
    const bool is_integer = type->type != FFI_TYPE_STRUCT && type->type != FFI_TYPE_FLOAT &&
                            type->type != FFI_TYPE_DOUBLE && type->type != FFI_TYPE_POINTER;

    return type->size == param->size_bytes || (is_integer && type->size < 4 && param->size_bytes == 4);
}

/* --- signatures ------------------------------------------------------------------------------- */
struct reader {
    struct arena *arena;
    const char *at;
    const char *wrong; /* NULL: nothing yet */
    unsigned depth;    /* structures around */
};

static void *fail(struct reader *r, const char *what)
{
    r->wrong = r->wrong != NULL ? r->wrong : what;
    return NULL;
}

static bool take(struct reader *r, char c)
{
    r->at += strspn(r->at, " \t");
    if (*r->at != c) {
        return false;
    }
    r->at++;
    return true;
}

static ffi_type *read_type(struct reader *r);

/* Types up to `end`, which is taken, too; an array that a NULL ends. */
static ffi_type **read_list(struct reader *r, char end, unsigned *count)
{
    ffi_type *list[RT_SIGNATURE_LIMIT];

    *count = 0;
    if (!take(r, end)) {
        do {
            ffi_type *type = *count < RT_SIGNATURE_LIMIT ? read_type(r) : fail(r, "there are too many types");

            if (type == NULL) {
                return NULL;
            }
            list[(*count)++] = type;
        } while (take(r, ','));
        if (!take(r, end)) {
            return fail(r, end == ')' ? "expected ',' or ')' behind a type" : "expected ',' or '}' behind a type");
        }
    }
    ffi_type **out = ARENA_ARRAY(r->arena, ffi_type *, *count + 1u);

    if (out == NULL) {
        return fail(r, "out of memory");
    }
    memcpy(out, list, *count * sizeof *list);
    return out;
}

static ffi_type *read_structure(struct reader *r)
{
    enum { DEEPEST = 8 };
    ffi_type *type = ARENA_NEW(r->arena, ffi_type);
    unsigned count = 0;

    if (r->depth == DEEPEST) {
        return fail(r, "structures are nested too deeply");
    }
    r->depth++;
    ffi_type **members = read_list(r, '}', &count);

    r->depth--;
    if (members == NULL || type == NULL) {
        return fail(r, "out of memory");
    }
    if (count == 0) {
        return fail(r, "a structure without members");
    }
    *type = (ffi_type){.type = FFI_TYPE_STRUCT, .elements = members};
    /* Computes the size, and that of members. */
    return ffi_get_struct_offsets(FFI_DEFAULT_ABI, type, NULL) == FFI_OK ? type : fail(r, "a structure that cannot be");
}

static ffi_type *read_type(struct reader *r)
{
    size_t length = 0;

    if (take(r, '{')) {
        return read_structure(r);
    }
    r->at += strspn(r->at, " \t");
    while (isalnum((unsigned char)r->at[length])) {
        length++;
    }
    ffi_type *type = find_scalar(r->at, length);

    if (type == NULL) {
        return fail(r, "expected a type: u8 to u64, s8 to s64, f32, f64, ptr, or {TYPE, ...}");
    }
    r->at += length;
    return type;
}

static bool take_void(struct reader *r)
{
    r->at += strspn(r->at, " \t");
    if (strncmp(r->at, "void", 4) != 0 || isalnum((unsigned char)r->at[4])) {
        return false;
    }
    r->at += 4;
    return true;
}

const char *rt_signature_parse(struct arena *arena, const char *text, struct rt_signature *s)
{
    struct reader r = {.arena = arena, .at = text};

    *s = (struct rt_signature){.result = take_void(&r) ? &ffi_type_void : read_type(&r)};
    if (s->result == NULL) {
        return r.wrong;
    }
    if (!take(&r, '(')) {
        return "expected '(' behind the type of the result";
    }
    s->arguments = read_list(&r, ')', &s->count);
    if (s->arguments != NULL && *(r.at += strspn(r.at, " \t")) != '\0') {
        fail(&r, "there is something behind ')'");
    }
    return r.wrong;
}
