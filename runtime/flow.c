/*
 * Following parameters: a work list of instructions of activations.  An instruction is looked at once, and again
 * whenever a register or a place that it reads has gained something.
 *
 * A variable passed as an argument and the parameter that receives it are one variable here: functions that change
 * their own copy are rare, and the answers say "may".
 */
#include "runtime/flow.h"

#include <stdlib.h>
#include <string.h>

#include "ir/defuse.h"
#include "runtime/flow_memory.h"

enum {
    MOST_DEPTH = 16,
    MOST_ACTIVATIONS = 4096,
    MOST_CALLED = 1 << 19, /* instructions and registers of all activations but the kernel's */
    NOT_FOLLOWED = UINT32_MAX,
};

/* Who reads a register: instructions at[first[r]] to at[first[r + 1] - 1]. */
struct users {
    uint32_t *first, *at;
};

struct activation {
    const struct ir_func *f;
    uint32_t values; /* index of its first register */
    uint32_t marks;  /* index of its first instruction */
    uint32_t depth;
    uint32_t caller, call; /* activation and instruction that made it */
};

enum { QUEUED = 1, SUBSCRIBED = 2 };

struct item {
    uint32_t activation, inst;
};

struct flow {
    const struct ir_func *kernel;
    struct users *users; /* by function, made when first called */
    VEC(struct activation) activations;
    VEC(struct flow_value) values; /* registers of all activations */
    VEC(uint8_t) marks;            /* of instructions of all activations: waiting in the list; hears of its places */
    VEC(struct item) work;
    struct flow_table activation_of; /* caller, call -> activation, or NOT_FOLLOWED */
    struct flow_memory memory;
    uint32_t called; /* instructions and registers of activations but the kernel's */
    bool ok;         /* memory was enough so far */
};

/* --- who reads what --------------------------------------------------------------------------- */
static bool users_find(struct users *u, const struct ir_func *f)
{
    uint32_t total = 0;

    u->first = calloc(f->regs.count + 2u, sizeof *u->first);
    if (u->first == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < f->insts.count; i++) {
        for (uint32_t k = 0; k < ir_n_uses(f, &f->insts.at[i]); k++) {
            const ir_ref r = ir_use(f, &f->insts.at[i], k);

            if (ir_is_reg(r)) {
                u->first[ir_ref_index(r) + 2]++; /* counted two places up: filling moves the starts one up */
                total++;
            }
        }
    }
    for (uint32_t r = 2; r < f->regs.count + 2u; r++) {
        u->first[r] += u->first[r - 1];
    }
    u->at = malloc((total + 1u) * sizeof *u->at);
    for (uint32_t i = 0; u->at != NULL && i < f->insts.count; i++) {
        for (uint32_t k = 0; k < ir_n_uses(f, &f->insts.at[i]); k++) {
            const ir_ref r = ir_use(f, &f->insts.at[i], k);

            if (ir_is_reg(r)) {
                u->at[u->first[ir_ref_index(r) + 1]++] = i;
            }
        }
    }
    return u->at != NULL;
}

/* --- the work list ---------------------------------------------------------------------------- */
static void look_again(struct flow *w, uint32_t activation, uint32_t inst)
{
    uint8_t *mark = &w->marks.at[w->activations.at[activation].marks + inst];

    if ((*mark & QUEUED) == 0) {
        *mark |= QUEUED;
        w->ok = w->ok && vec_push(&w->work, ((struct item){activation, inst}));
    }
}

static bool is_result(const struct ir_func *f, ir_ref r)
{
    for (uint32_t i = 0; i < f->n_rets; i++) {
        if (f->rets[i].ref == r) {
            return true;
        }
    }
    return false;
}

static void give_register(struct flow *w, uint32_t activation, ir_ref r, struct flow_value v)
{
    const struct activation *a = &w->activations.at[activation];
    const struct users *u = &w->users[a->f->index];
    const uint32_t index = ir_ref_index(r);

    if (!ir_is_reg(r) || !flow_value_merge(&w->values.at[a->values + index], v)) {
        return;
    }
    for (uint32_t i = u->first[index]; i < u->first[index + 1]; i++) {
        look_again(w, activation, u->at[i]);
    }
    if (activation != 0 && is_result(a->f, r)) {
        look_again(w, a->caller, a->call);
    }
}

static void give_place(struct flow *w, uint32_t place, struct flow_value v)
{
    if (place == NO_PLACE || place == ANY_PLACE || !flow_value_merge(&w->memory.places.at[place].contents, v)) {
        return;
    }
    for (uint32_t i = w->memory.places.at[place].readers; i != 0; i = w->memory.readers.at[i - 1].next) {
        look_again(w, w->memory.readers.at[i - 1].activation, w->memory.readers.at[i - 1].inst);
    }
}

/* --- memory ----------------------------------------------------------------------------------- */
static uint32_t variable(struct flow *w, uint32_t activation, ir_ref symbol)
{
    const struct ir_symbol *s = &w->kernel->module->symbols.at[ir_ref_index(symbol)];

    if (s->space != IR_SPACE_LOCAL && s->space != IR_SPACE_PARAM) {
        return 0;
    }
    const uint32_t v =
        flow_variable_of(&w->memory, activation, ir_ref_index(symbol), s->kernel_param ? (int64_t)s->offset : -1);

    w->ok = w->ok && v != 0;
    return v;
}

static uint32_t place_at(struct flow *w, uint32_t variable, int64_t offset)
{
    const uint32_t place = variable == 0 ? NO_PLACE : flow_place_of(&w->memory, variable, offset);

    w->ok = w->ok && (variable == 0 || place != NO_PLACE);
    return place;
}

static uint32_t shifted(struct flow *w, uint32_t place, int64_t delta)
{
    const uint32_t to = flow_place_shift(&w->memory, place, delta);

    w->ok = w->ok && (place == NO_PLACE || to != NO_PLACE);
    return to;
}

static struct flow_value operand(struct flow *w, uint32_t activation, ir_ref r)
{
    switch (ir_ref_kind(r)) {
    case IR_REF_REG:
        return w->values.at[w->activations.at[activation].values + ir_ref_index(r)];
    case IR_REF_SYMBOL:
        return (struct flow_value){.place = place_at(w, variable(w, activation, r), 0)};
    default:
        return (struct flow_value){0};
    }
}

/* The set of the parameter at a byte of the kernel's buffer. */
static uint64_t param_at(const struct ir_func *f, uint64_t offset)
{
    for (uint32_t i = 0; i < f->n_params && i < FLOW_PARAMS; i++) {
        if (offset >= f->params[i].offset && offset - f->params[i].offset < f->params[i].size_bytes) {
            return (uint64_t)1 << i;
        }
    }
    return 0;
}

/* What lies at a place; the instruction will hear of changes.  It subscribes once: its places never become other ones.
 */
static struct flow_value contents(struct flow *w, struct item at, uint32_t place)
{
    const uint8_t marks = w->marks.at[w->activations.at[at.activation].marks + at.inst];

    if (place == NO_PLACE || place == ANY_PLACE) {
        return (struct flow_value){0};
    }
    const struct flow_place *p = &w->memory.places.at[place];
    const int64_t kernel_param = w->memory.variables.at[p->variable - 1].kernel_param;

    if (kernel_param >= 0) {
        return (struct flow_value){.params = param_at(w->kernel, (uint64_t)(kernel_param + p->offset))};
    }
    if ((marks & SUBSCRIBED) == 0) {
        w->ok = w->ok && flow_place_read_by(&w->memory, place, at.activation, at.inst);
    }
    return p->contents;
}

/* After the last place of an instruction has been read. */
static void subscribed(struct flow *w, struct item at, uint32_t place)
{
    if (place != NO_PLACE) {
        w->marks.at[w->activations.at[at.activation].marks + at.inst] |= SUBSCRIBED;
    }
}

static uint32_t address(struct flow *w, struct item at, const ir_ref *srcs)
{
    const struct ir_func *f = w->activations.at[at.activation].f;

    return shifted(w, operand(w, at.activation, srcs[0]).place, (int64_t)ir_const_bits(f, srcs[1]));
}

static void follow_load(struct flow *w, struct item at, const struct ir_inst *in)
{
    const struct ir_func *f = w->activations.at[at.activation].f;
    const uint32_t place = address(w, at, ir_srcs(f, in));
    const int64_t bytes = ir_type_bytes((enum ir_type)in->type);

    for (unsigned k = 0; k < in->n_dst; k++) {
        give_register(w, at.activation, ir_dsts(f, in)[k], contents(w, at, shifted(w, place, (int64_t)k * bytes)));
    }
    subscribed(w, at, place);
}

static void follow_store(struct flow *w, struct item at, const struct ir_inst *in)
{
    const struct ir_func *f = w->activations.at[at.activation].f;
    const uint32_t place = address(w, at, ir_srcs(f, in));
    const int64_t bytes = ir_type_bytes((enum ir_type)in->type);

    for (unsigned k = 2; k < in->n_src; k++) {
        const ir_ref value = ir_srcs(f, in)[k];

        if (ir_is_reg(value)) {
            give_place(w, shifted(w, place, (int64_t)(k - 2) * bytes), operand(w, at.activation, value));
        }
    }
}

/* --- arithmetic ------------------------------------------------------------------------------- */
/* Operations whose result is the address their operand is. */
static bool keeps_address(const struct ir_inst *in)
{
    return in->op == IR_MOV || in->op == IR_CVTA || in->op == IR_CVTA_TO;
}

static struct flow_value computed(struct flow *w, struct item at, const struct ir_inst *in)
{
    const struct ir_func *f = w->activations.at[at.activation].f;
    const ir_ref *srcs = ir_srcs(f, in);
    struct flow_value v = {0};

    if (in->op == IR_LEA) {
        return (struct flow_value){.place = address(w, at, srcs)};
    }
    if (keeps_address(in)) {
        return operand(w, at.activation, srcs[0]);
    }
    for (uint32_t i = 0; i < in->n_src; i++) {
        struct flow_value part = operand(w, at.activation, srcs[i]);

        part.place = part.place == NO_PLACE ? NO_PLACE : ANY_PLACE;
        flow_value_merge(&v, part);
    }
    for (unsigned k = 0; k < 2 && in->op == IR_ADD; k++) {
        if (ir_ref_kind(srcs[k]) == IR_REF_CONST) {
            v.place = shifted(w, operand(w, at.activation, srcs[1 - k]).place, (int64_t)ir_const_bits(f, srcs[k]));
        }
    }
    return v;
}

static void follow_arithmetic(struct flow *w, struct item at, const struct ir_inst *in)
{
    const struct ir_func *f = w->activations.at[at.activation].f;
    const struct flow_value v = computed(w, at, in);

    for (unsigned k = 0; k < in->n_dst; k++) {
        give_register(w, at.activation, ir_dsts(f, in)[k], v);
    }
}

/* --- calls ------------------------------------------------------------------------------------ */
static bool activation_new(struct flow *w, const struct ir_func *f, struct item call, uint32_t depth)
{
    const struct activation a = {.f = f,
                                 .values = w->values.count,
                                 .marks = w->marks.count,
                                 .depth = depth,
                                 .caller = call.activation,
                                 .call = call.inst};
    struct users *u = &w->users[f->index];

    if ((u->first == NULL && !users_find(u, f)) || !vec_push(&w->activations, a) ||
        !vec_reserve(&w->values, f->regs.count) || !vec_reserve(&w->marks, f->insts.count)) {
        return false;
    }
    if (f->regs.count != 0) {
        memset(w->values.at + w->values.count, 0, f->regs.count * sizeof *w->values.at);
    }
    if (f->insts.count != 0) {
        memset(w->marks.at + w->marks.count, 0, f->insts.count);
    }
    w->values.count += f->regs.count;
    w->marks.count += f->insts.count;
    for (uint32_t i = f->insts.count; i-- > 0;) {
        look_again(w, w->activations.count - 1, i); /* the list is a stack: the first comes out first */
    }
    return w->ok;
}

/* A symbol of the caller stands for one of the function, as argument or result. */
static void bind_symbol(struct flow *w, uint32_t caller, ir_ref given, uint32_t callee, ir_ref own)
{
    if (ir_ref_kind(given) == IR_REF_SYMBOL && ir_ref_kind(own) == IR_REF_SYMBOL) {
        const uint32_t v = variable(w, caller, given);

        w->ok = w->ok && (v == 0 || flow_variable_alias(&w->memory, callee, ir_ref_index(own), v));
    }
}

/* The activation that a call makes, or NOT_FOLLOWED. */
static uint32_t callee_of(struct flow *w, struct item at, const struct ir_inst *in, const struct ir_func *callee)
{
    const struct activation caller = w->activations.at[at.activation];
    uint32_t *known = flow_table_at(&w->activation_of, at.activation, at.inst);

    if (known == NULL || *known != 0) {
        w->ok = w->ok && known != NULL;
        return known == NULL ? NOT_FOLLOWED : *known;
    }
    const uint64_t size = (uint64_t)callee->insts.count + callee->regs.count;

    if (!callee->defined || caller.depth == MOST_DEPTH || w->activations.count == MOST_ACTIVATIONS ||
        size > MOST_CALLED - w->called) {
        return *known = NOT_FOLLOWED;
    }
    const uint32_t new = *known = w->activations.count;

    w->called += (uint32_t)size;
    for (uint32_t i = 0; i < callee->n_params; i++) {
        bind_symbol(w, at.activation, ir_srcs(caller.f, in)[1 + i], new, callee->params[i].ref);
    }
    for (uint32_t i = 0; i < callee->n_rets && i < in->n_dst; i++) {
        bind_symbol(w, at.activation, ir_dsts(caller.f, in)[i], new, callee->rets[i].ref);
    }
    w->ok = w->ok && activation_new(w, callee, at, caller.depth + 1);
    return new;
}

/* What a variable or register of one activation holds goes to one of another.  Two variables are the same one. */
static void hand_over(struct flow *w, struct item at, uint32_t from, ir_ref source, uint32_t to, ir_ref target)
{
    const bool in_memory = ir_ref_kind(source) == IR_REF_SYMBOL;
    const struct flow_value v = operand(w, from, source);

    if (ir_is_reg(target)) {
        give_register(w, to, target, in_memory ? contents(w, at, v.place) : v);
    } else if (!in_memory && ir_ref_kind(target) == IR_REF_SYMBOL) {
        give_place(w, operand(w, to, target).place, v);
    }
}

static void follow_call(struct flow *w, struct item at, const struct ir_inst *in)
{
    const struct ir_func *f = w->activations.at[at.activation].f;
    const ir_ref target = ir_srcs(f, in)[0];

    if (ir_ref_kind(target) != IR_REF_FUNC) {
        return;
    }
    const struct ir_func *callee = f->module->funcs.at[ir_ref_index(target)];
    const uint32_t a = callee_of(w, at, in, callee);

    if (a == NOT_FOLLOWED || !w->ok) {
        return;
    }
    for (uint32_t i = 0; i < callee->n_params; i++) {
        hand_over(w, at, at.activation, ir_srcs(f, in)[1 + i], a, callee->params[i].ref);
    }
    for (uint32_t i = 0; i < callee->n_rets && i < in->n_dst; i++) {
        hand_over(w, at, a, callee->rets[i].ref, at.activation, ir_dsts(f, in)[i]);
    }
    subscribed(w, at, ANY_PLACE);
}

/* --- all together ----------------------------------------------------------------------------- */
static void follow(struct flow *w, struct item at)
{
    const struct activation *a = &w->activations.at[at.activation];
    const struct ir_inst *in = &a->f->insts.at[at.inst];

    w->marks.at[a->marks + at.inst] &= (uint8_t)~QUEUED;
    if (in->op == IR_LD) {
        follow_load(w, at, in);
    } else if (in->op == IR_ST) {
        follow_store(w, at, in);
    } else if (in->op == IR_CALL) {
        follow_call(w, at, in);
    } else if ((ir_op_info[in->op].effects & IR_E_PURE) != 0) {
        follow_arithmetic(w, at, in);
    }
}

struct flow *flow_new(const struct ir_func *kernel)
{
    struct flow *w = calloc(1, sizeof *w);

    if (w == NULL) {
        return NULL;
    }
    w->kernel = kernel;
    w->users = calloc(kernel->module->funcs.count, sizeof *w->users);
    w->ok = flow_memory_init(&w->memory) && w->users != NULL;
    w->ok = w->ok && activation_new(w, kernel, (struct item){0}, 0);
    while (w->ok && w->work.count != 0) {
        follow(w, w->work.at[--w->work.count]);
    }
    if (!w->ok) {
        flow_free(w);
        return NULL;
    }
    return w;
}

void flow_free(struct flow *w)
{
    if (w == NULL) {
        return;
    }
    for (uint32_t i = 0; w->users != NULL && i < w->kernel->module->funcs.count; i++) {
        free(w->users[i].first);
        free(w->users[i].at);
    }
    free(w->users);
    free(w->activation_of.slots);
    flow_memory_free(&w->memory);
    vec_free(&w->activations);
    vec_free(&w->values);
    vec_free(&w->marks);
    vec_free(&w->work);
    free(w);
}

/* --- answers ---------------------------------------------------------------------------------- */
uint32_t flow_activations(const struct flow *w)
{
    return w->activations.count;
}

const struct ir_func *flow_function(const struct flow *w, uint32_t activation)
{
    return w->activations.at[activation].f;
}

uint64_t flow_params(const struct flow *w, uint32_t activation, ir_ref r)
{
    return ir_is_reg(r) ? w->values.at[w->activations.at[activation].values + ir_ref_index(r)].params : 0;
}
