/*
 * The table-driven path: the letters of an operation's shape say what to take from the statement's operands, in order.
 * It serves nearly all arithmetic.  Operands that no letter asks for (cache policies, sizes of hints) have no effect on
 * results and are dropped.
 */
#include "frontend/lower_inst.h"

/* Where the next value comes from: operand `at`, element `element` of it. */
struct cursor {
    struct ptx_lower *l;
    struct ir_inst *in;
    unsigned at;
    unsigned element;
};

/* The next single value; pairs are taken one half after the other. */
static const struct ptx_operand *take(struct cursor *c)
{
    const struct ptx_operand *o = lower_operand(c->l, c->at);

    if (o == NULL) {
        return NULL;
    }
    const struct ptx_operand *e = lower_element(o, c->element);

    if (++c->element >= lower_elements(o)) {
        c->at++;
        c->element = 0;
    }
    return e;
}

static enum ir_type letter_type(const struct cursor *c, char letter)
{
    switch (letter) {
    case 'S':
        return (enum ir_type)c->in->type2;
    case 'W':
        return ir_type_wide((enum ir_type)c->in->type);
    case 'U':
        return IR_U32;
    case 'P':
    case 'Q':
        return IR_PRED;
    default:
        return (enum ir_type)c->in->type;
    }
}

static void take_dst(struct cursor *c, struct lower_refs *dsts, char letter)
{
    /* A second half exists only behind a first one: `d|p`. */
    if (letter == 'Q' && c->element == 0) {
        lower_push(dsts, IR_REF_NONE);
        return;
    }
    /* Behind a single result, a predicate that is not written is the carry. */
    if (letter == 'P' && dsts->count > 0 && c->element == 0) {
        lower_push(dsts, lower_carry(c->l));
        return;
    }
    const struct ptx_operand *o = lower_operand(c->l, c->at);
    unsigned n = letter == 'V' && o != NULL ? lower_elements(o) : 1;

    if (letter == 'V' && o != NULL && o->kind == PTX_OPND_SINK) {
        c->at++;
        for (unsigned i = 0; i < c->in->mods.vec; i++) {
            lower_push(dsts, IR_REF_NONE);
        }
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        const struct ptx_operand *e = take(c);

        lower_push(dsts, e == NULL ? IR_REF_NONE : lower_target(e));
    }
    if (letter == 'V') {
        c->in->mods.vec = n & 15;
    }
}

static void take_value(struct cursor *c, struct lower_refs *srcs, char letter)
{
    const struct ptx_operand *o = take(c);

    if (o == NULL) {
        lower_push(srcs, letter == 'P' ? lower_carry(c->l) : IR_REF_NONE);
    } else {
        lower_push(srcs, lower_value(c->l, o, letter_type(c, letter)));
    }
}

/* Whatever is left, as it is: the table of brx. */
static void take_rest(struct cursor *c, struct lower_refs *srcs)
{
    for (const struct ptx_operand *o = take(c); o != NULL; o = take(c)) {
        lower_push(srcs, o->ref);
    }
}

static void take_src(struct cursor *c, struct lower_refs *srcs, char letter)
{
    const struct ptx_operand *o = lower_operand(c->l, c->at);

    switch (letter) {
    case 'M':
        if (o != NULL) {
            lower_push_address(c->l, srcs, o);
            c->at++;
        }
        break;
    case 'G':
    case 'L':
        if (o != NULL) {
            lower_push(srcs, o->ref);
            c->at++;
        }
        break;
    case 'V':
        c->in->mods.vec = o == NULL ? 1 : lower_elements(o) & 15;
        for (unsigned i = 0; i < c->in->mods.vec; i++) {
            take_value(c, srcs, letter);
        }
        break;
    case '*':
        take_rest(c, srcs);
        break;
    default:
        take_value(c, srcs, letter);
        break;
    }
}

void lower_by_shape(struct ptx_lower *l, const struct ir_inst *init)
{
    const struct ir_shape_info *shape = &ir_shape_info[ir_op_info[init->op].shape];
    struct ir_inst in = *init;
    struct cursor c = {.l = l, .in = &in};
    struct lower_refs dsts = {0}, srcs = {0};

    for (const char *letter = shape->dsts; *letter != '\0'; letter++) {
        take_dst(&c, &dsts, *letter);
    }
    for (const char *letter = shape->srcs; *letter != '\0'; letter++) {
        take_src(&c, &srcs, *letter);
    }
    lower_emit(l, &in, &dsts, &srcs);
}
