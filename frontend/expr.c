/*
 * Constant expressions, folded while they are read, and the operands built around names.  64-bit integers or doubles,
 * never both; PTX's rules for signedness: arithmetic and comparisons are unsigned if either side is, bitwise operators
 * always are, a right shift follows its left side.
 */
#include <string.h>

#include "frontend/parse.h"

static bool is_constant(const struct ptx_operand *op)
{
    return op->kind == PTX_OPND_IMM;
}

static bool is_integer(const struct ptx_operand *op)
{
    return op->literal == PTX_LIT_INT || op->literal == PTX_LIT_UINT;
}

static double as_double(uint64_t bits)
{
    double d;

    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint64_t as_bits(double d)
{
    uint64_t bits;

    memcpy(&bits, &d, sizeof bits);
    return bits;
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
    op->bits = as_bits(value);
    return op;
}

/* --- operators on constants
 * ---------------------------------------------------------------------------------------------- */
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
    if (!is_constant(a)) {
        ptx_error(p, loc, "this operator needs a constant");
        return a;
    }
    if (!usable(p, a, loc)) {
        return a;
    }
    if (!is_integer(a)) {
        if (op == PTX_EXPR_COMPLEMENT) {
            ptx_error(p, loc, "'~' needs an integer");
            return a;
        }
        double v = as_double(a->bits);

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
    double x = as_double(a->bits), y = as_double(b->bits);

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

    if (op == PTX_EXPR_ADD && a_is_name && is_constant(b) && is_integer(b)) {
        a->offset = (int64_t)((uint64_t)a->offset + b->bits);
        return a;
    }
    if (op == PTX_EXPR_SUB && a_is_name && is_constant(b)) {
        ptx_error(p, loc, "offsets are only added: write '+-' instead of '-'");
    } else if (op == PTX_EXPR_ADD && is_constant(a) && b->kind == PTX_OPND_NAME) {
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

    if (!is_constant(a) || !is_constant(b)) {
        a = name_binary(p, op, a, b, loc);
    } else if (!usable(p, a, loc) || !usable(p, b, loc)) {
        return a;
    } else if (is_integer(a) != is_integer(b)) {
        ptx_error(p, loc, "integers and floating-point numbers do not mix in a constant expression");
    } else {
        a = is_integer(a) ? integer_binary(p, op, a, b, loc) : double_binary(p, op, a, b, loc);
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
    if (!is_constant(c) || !is_integer(c)) {
        ptx_error(p, c->loc, "the condition of '?:' must be a constant integer");
        return a;
    }
    if (!is_constant(a) || !is_constant(b)) {
        ptx_error(p, a->loc, "this operator needs constants on both sides");
        return a;
    }
    if (!usable(p, a, a->loc) || !usable(p, b, b->loc)) {
        return a;
    }
    if (is_integer(a) != is_integer(b)) {
        ptx_error(p, a->loc, "integers and floating-point numbers do not mix in a constant expression");
        return a;
    }
    struct ptx_operand *chosen = c->bits != 0 ? a : b;

    if (is_integer(chosen) && (a->literal == PTX_LIT_UINT || b->literal == PTX_LIT_UINT)) {
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
    } else if (!is_constant(a) || !is_integer(a)) {
        ptx_error(p, a->loc, "only constant integers can be cast");
    } else {
        set_integer(a, a->bits, to_unsigned);
    }
    return a;
}

/* --- operands around names
 * --------------------------------------------------------------------------------------------------- */
struct ptx_operand *ptx_name_operand(struct ptx_parse *p, struct ptx_text name, struct diag_loc loc)
{
    struct ptx_operand *op = ptx_operand_new(p, PTX_OPND_NAME, loc);

    if (op == NULL) {
        return NULL;
    }
    op->name = name.at;
    op->name_len = name.len;
    if (ptx_text_is(name, "WARP_SZ")) {
        op->kind = PTX_OPND_IMM;
        op->bits = 32;
    }
    return op;
}

/* .b0, .h1, .b3210 ... into `sel`; false if the word is none. */
static bool parse_selector(struct ptx_text word, struct ptx_selector *sel)
{
    unsigned digits = word.len - 2;

    if (word.len < 3 || digits > 4 || (word.at[1] != 'b' && word.at[1] != 'h')) {
        return false;
    }
    sel->kind = word.at[1];
    sel->count = (uint8_t)digits;
    for (unsigned i = 0; i < digits; i++) {
        char c = word.at[2 + i];

        if (c < '0' || c > '7') {
            return false;
        }
        sel->digit[i] = (uint8_t)(c - '0');
    }
    return true;
}

struct ptx_operand *ptx_selected(struct ptx_parse *p, struct ptx_operand *op, struct ptx_text word, struct diag_loc loc)
{
    static const char components[] = "xyzwrgba";

    if (op == NULL) {
        return NULL;
    }
    if (op->kind == PTX_OPND_ADDRESS) {
        op->is_unified = ptx_text_is(word, ".unified");
        if (!op->is_unified) {
            ptx_error(p, loc, "only '.unified' may follow an address, not '%.*s'", (int)word.len, word.at);
        }
        return op;
    }
    const char *found = word.len == 2 ? strchr(components, word.at[1]) : NULL;

    op->loc = ptx_loc_join(op->loc, loc);
    if (found != NULL) {
        op->selector = (struct ptx_selector){'x', 1, {(uint8_t)((found - components) % 4)}};
        /* As one name: special registers are listed with their components. */
        op->name_len = (uint32_t)(word.at + word.len - op->name) == op->name_len + 2 ? op->name_len + 2 : op->name_len;
    } else if (!parse_selector(word, &op->selector)) {
        /* Reported when the name is resolved: it may be the next instruction, with a semicolon missing before it. */
        op->selector = (struct ptx_selector){.kind = '?'};
        op->bits = (uint64_t)(word.at - p->text);
        op->count = word.len;
    }
    return op;
}

struct ptx_operand *ptx_applied(struct ptx_parse *p, struct ptx_text function, struct diag_loc loc,
                                struct ptx_operand *a)
{
    if (a == NULL) {
        return NULL;
    }
    if (!ptx_text_is(function, "generic")) {
        ptx_error(p, loc, "'%.*s' cannot be applied; the only function in initialisers is 'generic'", (int)function.len,
                  function.at);
    } else if (a->kind != PTX_OPND_NAME || a->negated || a->minus) {
        ptx_error(p, a->loc, "'generic' needs the name of a variable");
    } else {
        a->generic = true;
    }
    return a;
}

struct ptx_operand *ptx_masked(struct ptx_parse *p, struct ptx_operand *mask, struct ptx_operand *a)
{
    if (a == NULL || mask == NULL) {
        return a;
    }
    for (unsigned byte = 0; byte < 8; byte++) {
        if (is_integer(mask) && mask->bits == (uint64_t)0xff << 8 * byte) {
            a->mask = (uint8_t)(byte + 1);
            if (is_constant(a) && is_integer(a)) {
                a->bits = a->bits >> 8 * byte & 0xff;
            }
            return a;
        }
    }
    ptx_error(p, mask->loc, "a mask is 0xFF shifted by whole bytes");
    return a;
}

/* Turn a name with or without an offset, or a constant, into an address. */
static struct ptx_operand *plain_address(struct ptx_parse *p, struct ptx_operand *a, struct diag_loc loc)
{
    if (is_constant(a) && is_integer(a)) {
        a->kind = PTX_OPND_ADDRESS;
        a->offset = (int64_t)a->bits;
        a->name = NULL;
    } else if (a->kind == PTX_OPND_NAME && !a->negated && !a->minus && !a->generic) {
        a->kind = PTX_OPND_ADDRESS;
    } else {
        ptx_error(p, a->loc, "an address is a register, a variable or a constant, with '+' and a constant offset");
    }
    a->loc = ptx_loc_join(loc, a->loc);
    return a;
}

struct ptx_operand *ptx_address(struct ptx_parse *p, struct ptx_list *list, struct diag_loc loc)
{
    if (list == NULL || list->count == 0) {
        return NULL;
    }
    if (list->count == 1) {
        return plain_address(p, list->items[0], loc);
    }
    return ptx_operand_list(p, PTX_OPND_TUPLE, list, loc);
}

struct ptx_operand *ptx_subscript(struct ptx_parse *p, struct ptx_operand *name, struct ptx_operand *index,
                                  struct diag_loc loc)
{
    if (name == NULL || index == NULL) {
        return name;
    }
    if (name->kind != PTX_OPND_NAME) {
        ptx_error(p, loc, "only a variable can have a subscript");
        return name;
    }
    name->kind = PTX_OPND_ADDRESS;
    if (is_constant(index) && is_integer(index)) {
        name->offset = (int64_t)index->bits;
    } else if (index->kind == PTX_OPND_NAME && !index->negated && !index->minus && index->offset == 0) {
        name->elements = index;
        name->count = 1;
    } else {
        ptx_error(p, index->loc, "a subscript is a constant or a register");
    }
    return name;
}

struct ptx_operand *ptx_paired(struct ptx_parse *p, struct ptx_operand *a, struct ptx_operand *b, struct diag_loc loc)
{
    if (a == NULL || b == NULL) {
        return a;
    }
    if (is_constant(a) && is_constant(b)) {
        return ptx_binary(p, PTX_EXPR_OR, a, b, loc);
    }
    if (a->kind == PTX_OPND_PAIR || b->kind == PTX_OPND_PAIR) {
        ptx_error(p, loc, "at most two results can be joined by '|'");
        return a;
    }
    struct ptx_list *list = ptx_list_add(p, ptx_list_add(p, ptx_list_new(p, a->loc), a), b);

    return ptx_operand_list(p, PTX_OPND_PAIR, list, a->loc);
}

/* --- literals as values of a type
 * ----------------------------------------------------------------------------------------------- */
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
        single = (float)as_double(op->bits);
        memcpy(&single_bits, &single, sizeof single_bits);
        op->bits = single_bits;
    } else if (type == IR_F64 && op->literal == PTX_LIT_F32BITS) {
        single_bits = (uint32_t)op->bits;
        memcpy(&single, &single_bits, sizeof single);
        op->bits = as_bits((double)single);
    } else if (type == IR_PRED) {
        op->bits = op->bits != 0;
    } else if (ir_type_info[type].bits < 64) {
        op->bits &= ((uint64_t)1 << ir_type_info[type].bits) - 1;
    }
    op->type = (uint8_t)type;
}
