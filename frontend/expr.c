/*
 * Constant expressions, folded while they are read.  64-bit integers or doubles,
 * never both; PTX's rules for signedness: arithmetic and comparisons are unsigned if either side is, bitwise operators
 * always are, a right shift follows its left side.
 */
#include <string.h>

#include "frontend/bits.h"
#include "frontend/parse.h"

bool ptx_is_constant(const struct ptx_operand *op)
{
    return op->kind == PTX_OPND_IMM;
}

bool ptx_is_integer(const struct ptx_operand *op)
{
    return op->literal == PTX_LIT_INT || op->literal == PTX_LIT_UINT;
}

static struct ptx_operand *set_integer(struct ptx_operand *op, uint64_t bits, bool is_unsigned)
{
    op->literal = is_unsigned ? PTX_LIT_UINT : PTX_LIT_INT;
    op->bits = bits;
    return op;
}

static struct ptx_operand *set_double(struct ptx_operand *op, double value)
{
    op->literal = PTX_LIT_DECIMAL;
    op->bits = ptx_bits_of_double(value);
    return op;
}

/* --- operators on constants ----------------------------------------------------------------- */
static bool usable(struct ptx_parse *p, const struct ptx_operand *op, struct diag_loc loc)
{
    if (op->literal == PTX_LIT_F32BITS) {
        ptx_error(p, loc, "an exact single-precision literal stands alone: no sign, no operator");
        return false;
    }
    return true;
}

struct ptx_operand *ptx_unary(struct ptx_parse *p, enum ptx_expr_op op, struct ptx_operand *a, struct diag_loc loc)
{
    if (a == NULL) {
        return NULL;
    }
    a->loc = ptx_loc_join(loc, a->loc);
    if (a->kind == PTX_OPND_NAME && op == PTX_EXPR_NOT && !a->negated && !a->minus) {
        a->negated = true;
        return a;
    }
    if (a->kind == PTX_OPND_NAME && op == PTX_EXPR_NEG && !a->negated && !a->minus) {
        a->minus = true;
        return a;
    }
    if (!ptx_is_constant(a)) {
        ptx_error(p, loc, "this operator needs a constant");
        return a;
    }
    if (!usable(p, a, loc)) {
        return a;
    }
    if (!ptx_is_integer(a)) {
        if (op == PTX_EXPR_COMPLEMENT) {
            ptx_error(p, loc, "'~' needs an integer");
            return a;
        }
        double v = ptx_double_of_bits(a->bits);

        return op == PTX_EXPR_NOT ? set_integer(a, v == 0, false) : op == PTX_EXPR_NEG ? set_double(a, -v) : a;
    }
    switch (op) {
    case PTX_EXPR_NEG:
        return set_integer(a, -a->bits, a->literal == PTX_LIT_UINT);
    case PTX_EXPR_NOT:
        return set_integer(a, a->bits == 0, false);
    case PTX_EXPR_COMPLEMENT:
        return set_integer(a, ~a->bits, true);
    default:
        return a;
    }
}

static struct ptx_operand *double_binary(struct ptx_parse *p, enum ptx_expr_op op, struct ptx_operand *a,
                                         const struct ptx_operand *b, struct diag_loc loc)
{
    double x = ptx_double_of_bits(a->bits), y = ptx_double_of_bits(b->bits);

    switch (op) {
    case PTX_EXPR_MUL:
        return set_double(a, x * y);
    case PTX_EXPR_DIV:
        return set_double(a, x / y);
    case PTX_EXPR_ADD:
        return set_double(a, x + y);
    case PTX_EXPR_SUB:
        return set_double(a, x - y);
    case PTX_EXPR_LT:
        return set_integer(a, x < y, false);
    case PTX_EXPR_LE:
        return set_integer(a, x <= y, false);
    case PTX_EXPR_GT:
        return set_integer(a, x > y, false);
    case PTX_EXPR_GE:
        return set_integer(a, x >= y, false);
    case PTX_EXPR_EQ:
        return set_integer(a, x == y, false);
    case PTX_EXPR_NE:
        return set_integer(a, x != y, false);
    case PTX_EXPR_LAND:
        return set_integer(a, x != 0 && y != 0, false);
    case PTX_EXPR_LOR:
        return set_integer(a, x != 0 || y != 0, false);
    default:
        ptx_error(p, loc, "this operator needs integers on both sides");
        return a;
    }
}

static struct ptx_operand *divide(struct ptx_parse *p, enum ptx_expr_op op, struct ptx_operand *a,
                                  const struct ptx_operand *b, bool is_unsigned, struct diag_loc loc)
{
    if (b->bits == 0) {
        ptx_error(p, loc, "division by zero in a constant expression");
        return a;
    }
    if (op == PTX_EXPR_REM) {
        return set_integer(a, a->bits % b->bits, true);
    }
    if (is_unsigned) {
        return set_integer(a, a->bits / b->bits, true);
    }
    /* INT64_MIN / -1 wraps. */
    return set_integer(a, b->bits == UINT64_MAX ? -a->bits : (uint64_t)((int64_t)a->bits / (int64_t)b->bits), false);
}

static uint64_t shift_right(const struct ptx_operand *a, uint64_t by)
{
    if (a->literal == PTX_LIT_UINT) {
        return by > 63 ? 0 : a->bits >> by;
    }
    return (uint64_t)((int64_t)a->bits >> (by > 63 ? 63 : by));
}

static struct ptx_operand *integer_binary(struct ptx_parse *p, enum ptx_expr_op op, struct ptx_operand *a,
                                          const struct ptx_operand *b, struct diag_loc loc)
{
    bool is_unsigned = a->literal == PTX_LIT_UINT || b->literal == PTX_LIT_UINT;
    uint64_t x = a->bits, y = b->bits;
    bool less = is_unsigned ? x < y : (int64_t)x < (int64_t)y;

    switch (op) {
    case PTX_EXPR_MUL:
        return set_integer(a, x * y, is_unsigned);
    case PTX_EXPR_DIV:
    case PTX_EXPR_REM:
        return divide(p, op, a, b, is_unsigned, loc);
    case PTX_EXPR_ADD:
        return set_integer(a, x + y, is_unsigned);
    case PTX_EXPR_SUB:
        return set_integer(a, x - y, is_unsigned);
    case PTX_EXPR_SHL:
        return set_integer(a, y > 63 ? 0 : x << y, a->literal == PTX_LIT_UINT);
    case PTX_EXPR_SHR:
        return set_integer(a, shift_right(a, y), a->literal == PTX_LIT_UINT);
    case PTX_EXPR_LT:
        return set_integer(a, less, false);
    case PTX_EXPR_LE:
        return set_integer(a, less || x == y, false);
    case PTX_EXPR_GT:
        return set_integer(a, !less && x != y, false);
    case PTX_EXPR_GE:
        return set_integer(a, !less, false);
    case PTX_EXPR_EQ:
        return set_integer(a, x == y, false);
    case PTX_EXPR_NE:
        return set_integer(a, x != y, false);
    case PTX_EXPR_AND:
        return set_integer(a, x & y, true);
    case PTX_EXPR_XOR:
        return set_integer(a, x ^ y, true);
    case PTX_EXPR_OR:
        return set_integer(a, x | y, true);
    case PTX_EXPR_LAND:
        return set_integer(a, x != 0 && y != 0, false);
    case PTX_EXPR_LOR:
        return set_integer(a, x != 0 || y != 0, false);
    default:
        return a;
    }
}

/* What may be written with a name on one side: name + constant. */
static struct ptx_operand *name_binary(struct ptx_parse *p, enum ptx_expr_op op, struct ptx_operand *a,
                                       const struct ptx_operand *b, struct diag_loc loc)
{
    bool a_is_name = a->kind == PTX_OPND_NAME && !a->negated && !a->minus;

    if (op == PTX_EXPR_ADD && a_is_name && ptx_is_constant(b) && ptx_is_integer(b)) {
        a->offset = (int64_t)((uint64_t)a->offset + b->bits);
        return a;
    }
    if (op == PTX_EXPR_SUB && a_is_name && ptx_is_constant(b)) {
        ptx_error(p, loc, "offsets are only added: write '+-' instead of '-'");
    } else if (op == PTX_EXPR_ADD && ptx_is_constant(a) && b->kind == PTX_OPND_NAME) {
        ptx_error(p, loc, "the offset follows the name: write '%.*s+...'", (int)b->name_len, b->name);
    } else if (op == PTX_EXPR_ADD && a_is_name && b->kind == PTX_OPND_NAME) {
        ptx_error(p, loc, "'%.*s' cannot be added here, only a constant offset can", (int)b->name_len, b->name);
    } else {
        ptx_error(p, loc, "this operator needs constants on both sides");
    }
    return a;
}

struct ptx_operand *ptx_binary(struct ptx_parse *p, enum ptx_expr_op op, struct ptx_operand *a, struct ptx_operand *b,
                               struct diag_loc loc)
{
    if (a == NULL || b == NULL) {
        return a;
    }
    struct diag_loc whole = ptx_loc_join(a->loc, b->loc);

    if (!ptx_is_constant(a) || !ptx_is_constant(b)) {
        a = name_binary(p, op, a, b, loc);
    } else if (!usable(p, a, loc) || !usable(p, b, loc)) {
        return a;
    } else if (ptx_is_integer(a) != ptx_is_integer(b)) {
        ptx_error(p, loc, "integers and floating-point numbers do not mix in a constant expression");
    } else {
        a = ptx_is_integer(a) ? integer_binary(p, op, a, b, loc) : double_binary(p, op, a, b, loc);
    }
    a->loc = whole;
    return a;
}

struct ptx_operand *ptx_conditional(struct ptx_parse *p, struct ptx_operand *c, struct ptx_operand *a,
                                    struct ptx_operand *b)
{
    if (c == NULL || a == NULL || b == NULL) {
        return a;
    }
    if (!ptx_is_constant(c) || !ptx_is_integer(c)) {
        ptx_error(p, c->loc, "the condition of '?:' must be a constant integer");
        return a;
    }
    if (!ptx_is_constant(a) || !ptx_is_constant(b)) {
        ptx_error(p, a->loc, "this operator needs constants on both sides");
        return a;
    }
    if (!usable(p, a, a->loc) || !usable(p, b, b->loc)) {
        return a;
    }
    if (ptx_is_integer(a) != ptx_is_integer(b)) {
        ptx_error(p, a->loc, "integers and floating-point numbers do not mix in a constant expression");
        return a;
    }
    struct ptx_operand *chosen = c->bits != 0 ? a : b;

    if (ptx_is_integer(chosen) && (a->literal == PTX_LIT_UINT || b->literal == PTX_LIT_UINT)) {
        chosen->literal = PTX_LIT_UINT;
    }
    chosen->loc = ptx_loc_join(c->loc, b->loc);
    return chosen;
}

struct ptx_operand *ptx_cast(struct ptx_parse *p, struct ptx_text type, struct diag_loc type_loc, struct ptx_operand *a)
{
    bool to_unsigned = ptx_text_is(type, ".u64");

    if (a == NULL) {
        return NULL;
    }
    if (!to_unsigned && !ptx_text_is(type, ".s64")) {
        ptx_error(p, type_loc, "the only casts are (.s64) and (.u64)");
    } else if (!ptx_is_constant(a) || !ptx_is_integer(a)) {
        ptx_error(p, a->loc, "only constant integers can be cast");
    } else {
        set_integer(a, a->bits, to_unsigned);
    }
    return a;
}
