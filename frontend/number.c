/*
 * Literals: integers in four bases, decimal doubles, and exact bit patterns.  A literal becomes an IMM operand whose
 * bits are the 64-bit integer, the double, or the pattern; how it was written decides where it may stand.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/bits.h"
#include "frontend/parse.h"

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

/* All of [at, at + len) as digits of `base`: false when there is none or one does not belong; *too_big above 64 bits.
 */
static bool digits(const char *at, size_t len, unsigned base, uint64_t *value, bool *too_big)
{
    *value = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned d = (unsigned)digit_of(at[i]);

        if (d >= base) {
            return false;
        }
        *too_big |= __builtin_mul_overflow(*value, base, value);
        *too_big |= __builtin_add_overflow(*value, d, value);
    }
    return len != 0;
}

static struct ptx_operand *bad_number(struct ptx_parse *p, struct diag_loc loc, const char *what)
{
    struct ptx_operand *op = ptx_operand_new(p, PTX_OPND_IMM, loc);

    ptx_error(p, loc, "%s", what);
    return op;
}

static struct ptx_operand *constant(struct ptx_parse *p, struct diag_loc loc, enum ptx_literal literal, uint64_t bits)
{
    struct ptx_operand *op = ptx_operand_new(p, PTX_OPND_IMM, loc);

    if (op != NULL) {
        op->literal = (uint8_t)literal;
        op->bits = bits;
    }
    return op;
}

/* 0f and 0d patterns: exactly as many digits as the format has. */
static struct ptx_operand *pattern(struct ptx_parse *p, struct ptx_text t, struct diag_loc loc)
{
    bool is_single = t.at[1] == 'f' || t.at[1] == 'F';
    bool too_big = false;
    uint64_t bits = 0;

    if (t.len != (is_single ? 10 : 18) || !digits(t.at + 2, t.len - 2, 16, &bits, &too_big)) {
        return bad_number(p, loc,
                          is_single ? "a single-precision literal is '0f' and exactly 8 hexadecimal digits"
                                    : "a double-precision literal is '0d' and exactly 16 hexadecimal digits");
    }
    return constant(p, loc, is_single ? PTX_LIT_F32BITS : PTX_LIT_F64BITS, bits);
}

static struct ptx_operand *decimal(struct ptx_parse *p, struct ptx_text t, struct diag_loc loc)
{
    char *copy = ptx_scratch_alloc(&p->scratch, (size_t)t.len + 1);
    char *end = NULL;
    uint64_t bits;

    if (copy == NULL) {
        ptx_out_of_memory(p);
        return NULL;
    }
    memcpy(copy, t.at, t.len);
    if (strpbrk(copy, "xXpP") != NULL) {
        return bad_number(p, loc, "hexadecimal floating-point literals do not exist; write 0d and 16 digits");
    }
    double value = strtod(copy, &end);

    if (*end != '\0') {
        return bad_number(p, loc,
                          *end == 'f' || *end == 'F' ? "floating-point literals have no suffix"
                                                     : "badly formed floating-point literal");
    }
    if (isinf(value)) {
        return bad_number(p, loc, "floating-point literal is too large for double precision");
    }
    memcpy(&bits, &value, sizeof bits);
    return constant(p, loc, PTX_LIT_DECIMAL, bits);
}

static struct ptx_operand *integer(struct ptx_parse *p, struct ptx_text t, struct diag_loc loc)
{
    const char *at = t.at;
    size_t len = t.len;
    unsigned base = 10;
    bool is_unsigned = len > 1 && at[len - 1] == 'U';
    bool too_big = false;
    uint64_t value;

    len -= is_unsigned;
    if (len > 1 && at[0] == '0') {
        base = at[1] == 'x' || at[1] == 'X' ? 16 : at[1] == 'b' || at[1] == 'B' ? 2 : 8;
        at += base == 8 ? 1 : 2;
        len -= base == 8 ? 1 : 2;
    }
    if (!digits(at, len, base, &value, &too_big)) {
        if (len == 0) {
            return bad_number(p, loc, "digits must follow the prefix of a literal");
        }
        if (base == 8 && digits(at, len, 10, &value, &too_big)) {
            return bad_number(p, loc, "a literal that starts with 0 is octal and has no digit above 7");
        }
        char last = at[len - 1];

        if (last == 'u' || last == 'L' || last == 'l' || is_unsigned) {
            return bad_number(p, loc, "the only suffix of an integer literal is 'U'");
        }
        return bad_number(p, loc,
                          base == 10 ? "badly formed number, or a name that starts with a digit"
                                     : "digit does not belong to the base of this literal");
    }
    if (too_big) {
        return bad_number(p, loc, "integer literal does not fit 64 bits");
    }
    return constant(p, loc, is_unsigned || value > INT64_MAX ? PTX_LIT_UINT : PTX_LIT_INT, value);
}

/* Is it written like a floating-point number?  Hexadecimal integers have 'e' as a digit. */
static bool looks_decimal(struct ptx_text t)
{
    if (memchr(t.at, '.', t.len) != NULL) {
        return true;
    }
    for (uint32_t i = 0; i < t.len; i++) {
        if (t.at[i] == 'e' || t.at[i] == 'E') {
            return true;
        }
        if (t.at[i] < '0' || t.at[i] > '9') {
            return t.at[i] == '+' || t.at[i] == '-';
        }
    }
    return false;
}

struct ptx_operand *ptx_number(struct ptx_parse *p, struct ptx_text t, struct diag_loc loc)
{
    if (t.len > 1 && t.at[0] == '0' && strchr("fFdD", t.at[1]) != NULL && t.at[1] != '\0') {
        return pattern(p, t, loc);
    }
    if (looks_decimal(t)) {
        return decimal(p, t, loc);
    }
    return integer(p, t, loc);
}

bool ptx_plain_number(struct ptx_parse *p, struct ptx_text t, struct diag_loc loc, const char *what, uint64_t *value)
{
    size_t errors = p->dg->errors;

    if (ptx_text_is(t, "WARP_SZ")) {
        *value = 32;
        return true;
    }
    if (t.at[0] < '0' || t.at[0] > '9') {
        ptx_error(p, loc, "%s must be a plain number, not '%.*s'", what, (int)t.len, t.at);
        return false;
    }
    const struct ptx_operand *op = ptx_number(p, t, loc);

    if (op == NULL || p->dg->errors != errors) {
        return false;
    }
    if (op->literal != PTX_LIT_INT && op->literal != PTX_LIT_UINT) {
        ptx_error(p, loc, "%s must be an integer", what);
        return false;
    }
    *value = op->bits;
    return true;
}

/* --- literals as values of a type ----------------------------------------------------------- */
bool ptx_literal_fits(const struct ptx_operand *op, enum ir_type type)
{
    const struct ir_type_info *info = &ir_type_info[type];

    switch (op->literal) {
    case PTX_LIT_INT:
    case PTX_LIT_UINT:
        return (info->kind == IR_KIND_BITS || info->kind == IR_KIND_UINT || info->kind == IR_KIND_SINT ||
                info->kind == IR_KIND_PRED) &&
               info->bits <= 64;
    case PTX_LIT_F32BITS:
        return type == IR_F32 || type == IR_F64 || type == IR_B32;
    default:
        return type == IR_F32 || type == IR_F64 || type == IR_B64;
    }
}

void ptx_literal_convert(struct ptx_operand *op, enum ir_type type)
{
    float single;
    uint32_t single_bits;

    if (type == IR_F32 && op->literal != PTX_LIT_F32BITS) {
        single = (float)ptx_double_of_bits(op->bits);
        memcpy(&single_bits, &single, sizeof single_bits);
        op->bits = single_bits;
    } else if (type == IR_F64 && op->literal == PTX_LIT_F32BITS) {
        single_bits = (uint32_t)op->bits;
        memcpy(&single, &single_bits, sizeof single);
        op->bits = ptx_bits_of_double((double)single);
    } else if (type == IR_PRED) {
        op->bits = op->bits != 0;
    } else if (ir_type_info[type].bits < 64) {
        op->bits &= ((uint64_t)1 << ir_type_info[type].bits) - 1;
    }
    op->type = (uint8_t)type;
}
