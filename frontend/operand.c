/*
 * Operands built around names while they are read: addresses, selectors, pairs.
 */
#include <string.h>

#include "frontend/parse.h"

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
        if (ptx_is_integer(mask) && mask->bits == (uint64_t)0xff << 8 * byte) {
            a->mask = (uint8_t)(byte + 1);
            if (ptx_is_constant(a) && ptx_is_integer(a)) {
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
    if (ptx_is_constant(a) && ptx_is_integer(a)) {
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
    bool is_register = index->kind == PTX_OPND_NAME && !index->negated && !index->minus && index->offset == 0;

    if (name->kind != PTX_OPND_NAME) {
        ptx_error(p, loc, "only a variable can have a subscript");
    } else if (!is_register && (!ptx_is_constant(index) || !ptx_is_integer(index))) {
        ptx_error(p, index->loc, "a subscript is a constant or a register");
    } else {
        name->kind = PTX_OPND_ADDRESS;
        name->subscript = true;
        name->offset = is_register ? 0 : (int64_t)index->bits;
        name->elements = is_register ? index : NULL;
        name->count = is_register;
    }
    return name;
}

struct ptx_operand *ptx_paired(struct ptx_parse *p, struct ptx_operand *a, struct ptx_operand *b, struct diag_loc loc)
{
    if (a == NULL || b == NULL) {
        return a;
    }
    if (ptx_is_constant(a) && ptx_is_constant(b)) {
        return ptx_binary(p, PTX_EXPR_OR, a, b, loc);
    }
    if (a->kind == PTX_OPND_PAIR || b->kind == PTX_OPND_PAIR) {
        ptx_error(p, loc, "at most two results can be joined by '|'");
        return a;
    }
    struct ptx_list *list = ptx_list_add(p, ptx_list_add(p, ptx_list_new(p, a->loc), a), b);

    return ptx_operand_list(p, PTX_OPND_PAIR, list, a->loc);
}
