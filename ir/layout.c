/*
 * Where variables lie.  Invariant: offsets are multiples of the symbol's alignment, symbols of one area do not overlap,
 * and every area's size is at most LIMIT_BYTES, so that adding offsets to window bases never overflows.
 *
 *   parameter buffer of an entry   its parameters in order, each at its alignment
 *   frame of one activation        .local variables and .params of the function; the frame of an entry starts with the
 *                                  .local variables of module scope, which only entries may use
 *   static shared memory of a CTA  every sized .shared symbol that the launched entry can reach
 *   dynamic shared memory          all unsized symbols start together, behind the static part
 * (ir_func.dynamic_shared_at)
 *
 * A shared symbol has one offset for all entries that reach it, since functions are compiled once: it goes behind
 * everything placed so far for any of them.  Symbols that several entries reach are placed first.
 *
 * What a function can call: direct targets and, through a register, every function whose address is taken.
 */
#include "ir/ir.h"

#include <stdlib.h>

static const uint64_t limit_bytes = UINT32_MAX;

typedef VEC(uint32_t) index_list;

/* What one function mentions. */
struct mention {
    index_list calls;  /* functions, with repetitions */
    index_list shared; /* symbols, with repetitions */
    bool indirect;     /* calls through a register */
};

struct layout {
    struct ir_module *m;
    struct diag *dg;
    struct mention *of;  /* per function */
    index_list taken;    /* functions whose address is taken */
    index_list *entries; /* per symbol: entries that reach it; empty for all but shared symbols */
    uint32_t *seen_func; /* per function and symbol: entry index plus one that last visited it */
    uint32_t *seen_symbol;
    bool ok; /* memory sufficed */
};

static bool add(struct layout *l, index_list *list, uint32_t index)
{
    l->ok = l->ok && vec_push(list, index);
    return l->ok;
}

/* Round `*end` up to `align`, note the place and add `size`; false beyond the limit. */
static bool place(uint64_t *end, uint64_t *offset, uint64_t size, uint32_t align)
{
    uint64_t mask = align == 0 ? 0 : align - 1;
    uint64_t at = (*end + mask) & ~mask;

    if (at > limit_bytes || size > limit_bytes - at) {
        return false;
    }
    *offset = at;
    *end = at + size;
    return true;
}

/* Errors about what was written in text `text` of the module, if `dg` knows the texts. */
#define LAYOUT_ERROR(l, what, ...)                     \
    do {                                               \
        diag_turn_to((l)->dg, (what)->text);           \
        diag_error((l)->dg, (what)->loc, __VA_ARGS__); \
    } while (0)

/* --- parameters and frames ------------------------------------------------------------ */
static void place_params(struct layout *l, struct ir_func *f)
{
    for (uint32_t i = 0; i < f->n_params; i++) {
        struct ir_param *p = &f->params[i];

        if (!place(&f->param_bytes, &p->offset, p->size_bytes, p->align)) {
            LAYOUT_ERROR(l, f, "parameters of '%s' are too large", f->name);
            return;
        }
        if (ir_ref_kind(p->ref) == IR_REF_SYMBOL) {
            l->m->symbols.at[ir_ref_index(p->ref)].offset = p->offset;
        }
    }
}

static bool in_frame(const struct ir_module *m, uint32_t symbol)
{
    const struct ir_symbol *s = &m->symbols.at[symbol];

    return s->space == IR_SPACE_LOCAL || (s->space == IR_SPACE_PARAM && !s->kernel_param);
}

static void place_module_locals(struct layout *l)
{
    uint64_t end = 0;

    for (uint32_t i = 0; i < l->m->symbols.count; i++) {
        struct ir_symbol *s = &l->m->symbols.at[i];

        if (s->func < 0 && in_frame(l->m, i) && !place(&end, &s->offset, s->size_bytes, s->align)) {
            LAYOUT_ERROR(l, s, "'%s' does not fit into local memory", s->name);
        }
    }
    for (uint32_t i = 0; i < l->m->funcs.count; i++) {
        l->m->funcs.at[i]->frame_bytes = l->m->funcs.at[i]->is_entry ? end : 0;
    }
}

/*
 * A parameter without size, `.param .b8 args[]`, comes last and starts where the frame ends: a call puts as many bytes
 * there as it passes.
 */
static void place_frames(struct layout *l)
{
    place_module_locals(l);
    for (int last = 0; last < 2; last++) {
        for (uint32_t i = 0; i < l->m->symbols.count; i++) {
            struct ir_symbol *s = &l->m->symbols.at[i];
            const uint32_t align = s->unsized && s->align < IR_FRAME_ALIGN ? IR_FRAME_ALIGN : s->align;

            if (s->func >= 0 && s->unsized == last && in_frame(l->m, i) &&
                !place(&l->m->funcs.at[s->func]->frame_bytes, &s->offset, s->size_bytes, align)) {
                LAYOUT_ERROR(l, s, "'%s' does not fit into local memory", s->name);
            }
        }
    }
}

static void copy_offsets(const struct ir_module *m, struct ir_param *params, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (ir_ref_kind(params[i].ref) == IR_REF_SYMBOL) {
            params[i].offset = m->symbols.at[ir_ref_index(params[i].ref)].offset;
        }
    }
}

static void place_local(struct layout *l)
{
    for (uint32_t i = 0; i < l->m->funcs.count; i++) {
        struct ir_func *f = l->m->funcs.at[i];

        f->param_bytes = 0;
        if (f->is_entry) {
            place_params(l, f);
        }
    }
    place_frames(l);
    for (uint32_t i = 0; i < l->m->funcs.count; i++) {
        struct ir_func *f = l->m->funcs.at[i];

        if (!f->is_entry) {
            copy_offsets(l->m, f->params, f->n_params);
            copy_offsets(l->m, f->rets, f->n_rets);
        }
    }
}

/* --- who mentions what ------------------------------------------------------------------------ */
static void mention_symbol(struct layout *l, struct ir_func *f, uint32_t symbol)
{
    const struct ir_symbol *s = &l->m->symbols.at[symbol];

    if (s->space == IR_SPACE_SHARED) {
        add(l, &l->of[f->index].shared, symbol);
    } else if (s->space == IR_SPACE_LOCAL && s->func < 0 && !f->is_entry) {
        LAYOUT_ERROR(l, f, "function '%s' uses the module-scope .local variable '%s'", f->name, s->name);
    }
}

static void mention_operand(struct layout *l, struct ir_func *f, ir_ref r, bool is_target)
{
    if (ir_ref_kind(r) == IR_REF_SYMBOL) {
        mention_symbol(l, f, ir_ref_index(r));
    } else if (ir_ref_kind(r) == IR_REF_FUNC) {
        add(l, is_target ? &l->of[f->index].calls : &l->taken, ir_ref_index(r));
    } else if (ir_ref_kind(r) == IR_REF_REG && is_target) {
        l->of[f->index].indirect = true;
    }
}

static void mention_func(struct layout *l, struct ir_func *f)
{
    for (uint32_t i = 0; i < f->insts.count; i++) {
        const struct ir_inst *in = &f->insts.at[i];
        uint32_t n = in->n_dst + ir_n_srcs(in);
        bool is_call = (ir_op_info[in->op].effects & IR_E_CALL) != 0;

        for (uint32_t k = 0; k < n; k++) {
            mention_operand(l, f, f->operands.at[in->operands + k], is_call && k == in->n_dst);
        }
    }
}

static void mention_relocs(struct layout *l)
{
    for (uint32_t i = 0; i < l->m->symbols.count; i++) {
        const struct ir_symbol *s = &l->m->symbols.at[i];

        for (uint32_t k = 0; k < s->n_relocs; k++) {
            if (ir_ref_kind(s->relocs[k].target) == IR_REF_FUNC) {
                add(l, &l->taken, ir_ref_index(s->relocs[k].target));
            }
        }
    }
}

/* --- reach: a depth-first walk from each entry ------------------------------------------------ */
static void push_unseen(struct layout *l, index_list *todo, const index_list *funcs, uint32_t stamp)
{
    for (uint32_t i = 0; i < funcs->count; i++) {
        uint32_t f = funcs->at[i];

        if (l->seen_func[f] != stamp && add(l, todo, f)) {
            l->seen_func[f] = stamp;
        }
    }
}

static void reach_symbols(struct layout *l, struct ir_func *entry, const index_list *shared, uint32_t stamp)
{
    for (uint32_t i = 0; i < shared->count; i++) {
        uint32_t s = shared->at[i];

        if (l->seen_symbol[s] == stamp) {
            continue;
        }
        l->seen_symbol[s] = stamp;
        entry->uses_dynamic_shared |= l->m->symbols.at[s].unsized;
        add(l, &l->entries[s], entry->index);
    }
}

static void reach_from(struct layout *l, struct ir_func *entry)
{
    uint32_t stamp = entry->index + 1;
    index_list todo = {0};

    l->seen_func[entry->index] = stamp;
    add(l, &todo, entry->index);
    while (todo.count > 0) {
        const struct mention *at = &l->of[todo.at[--todo.count]];

        reach_symbols(l, entry, &at->shared, stamp);
        push_unseen(l, &todo, &at->calls, stamp);
        if (at->indirect) {
            push_unseen(l, &todo, &l->taken, stamp);
        }
    }
    vec_free(&todo);
}

/* --- shared memory ---------------------------------------------------------------------------- */
static void place_shared_symbol(struct layout *l, uint32_t symbol)
{
    struct ir_symbol *s = &l->m->symbols.at[symbol];
    const index_list *entries = &l->entries[symbol];
    uint64_t end = 0;

    for (uint32_t i = 0; i < entries->count; i++) {
        uint64_t bytes = l->m->funcs.at[entries->at[i]]->shared_bytes;

        end = bytes > end ? bytes : end;
    }
    if (!place(&end, &s->offset, s->size_bytes, s->align)) {
        LAYOUT_ERROR(l, s, "'%s' does not fit into shared memory", s->name);
        return;
    }
    for (uint32_t i = 0; i < entries->count; i++) {
        l->m->funcs.at[entries->at[i]]->shared_bytes = end;
    }
}

/* Symbols reached by at least `least` and at most `most` entries. */
static void place_shared_reached_by(struct layout *l, uint32_t least, uint32_t most)
{
    for (uint32_t i = 0; i < l->m->symbols.count; i++) {
        if (l->entries[i].count >= least && l->entries[i].count <= most && !l->m->symbols.at[i].unsized) {
            place_shared_symbol(l, i);
        }
    }
}

static void place_dynamic(struct layout *l)
{
    for (uint32_t i = 0; i < l->m->funcs.count; i++) {
        l->m->funcs.at[i]->dynamic_shared_at = l->m->funcs.at[i]->shared_bytes;
    }
    for (uint32_t i = 0; i < l->m->symbols.count; i++) {
        const struct ir_symbol *s = &l->m->symbols.at[i];
        uint64_t mask = s->align == 0 ? 0 : s->align - 1;

        for (uint32_t k = 0; s->unsized && k < l->entries[i].count; k++) {
            struct ir_func *f = l->m->funcs.at[l->entries[i].at[k]];

            /* Alignments are powers of two: rounding up twice satisfies both. */
            f->dynamic_shared_at = (f->dynamic_shared_at + mask) & ~mask;
        }
    }
}

static void place_shared(struct layout *l)
{
    for (uint32_t i = 0; i < l->m->funcs.count; i++) {
        struct ir_func *f = l->m->funcs.at[i];

        f->shared_bytes = 0;
        f->uses_dynamic_shared = false;
        if (f->is_entry) {
            reach_from(l, f);
        }
    }
    place_shared_reached_by(l, 2, UINT32_MAX);
    place_shared_reached_by(l, 1, 1);
    place_dynamic(l);
}

/* --- recursion -------------------------------------------------------------------------------- */
/*
 * Strike out functions whose callees are all struck out until none is left: what remains can reach a cycle.  `left`
 * counts the calls not struck out; a caller appears in `callers` once per call.
 */
static void strike(struct layout *l, const index_list *callers, uint32_t *left)
{
    index_list todo = {0};

    for (uint32_t i = 0; i < l->m->funcs.count; i++) {
        if (left[i] == 0) {
            add(l, &todo, i);
        }
    }
    while (todo.count > 0) {
        const index_list *list = &callers[todo.at[--todo.count]];

        for (uint32_t k = 0; k < list->count; k++) {
            if (--left[list->at[k]] == 0) {
                add(l, &todo, list->at[k]);
            }
        }
    }
    vec_free(&todo);
}

/* A function that is left after striking out from both ends lies on a cycle or between two. */
static void mark_recursive(struct layout *l, const index_list *callers, uint32_t *left)
{
    uint32_t n = l->m->funcs.count;
    uint32_t *wanted = calloc(n + 1, sizeof *wanted); /* callers not struck out */

    if (wanted == NULL) {
        l->ok = false;
        return;
    }
    index_list *callees = calloc(n + 1, sizeof *callees);

    for (uint32_t i = 0; callees != NULL && i < n; i++) {
        wanted[i] = callers[i].count;
        callees[i] = l->of[i].calls;
    }
    if (callees != NULL) {
        strike(l, callees, wanted);
    } else {
        l->ok = false;
    }
    for (uint32_t i = 0; i < n; i++) {
        l->m->funcs.at[i]->recursive = l->of[i].indirect || (left[i] != 0 && wanted[i] != 0);
    }
    free(callees);
    free(wanted);
}

static void find_recursion(struct layout *l)
{
    uint32_t n = l->m->funcs.count;
    index_list *callers = calloc(n + 1, sizeof *callers);
    uint32_t *left = calloc(n + 1, sizeof *left);

    l->ok = l->ok && callers != NULL && left != NULL;
    for (uint32_t i = 0; l->ok && i < n; i++) {
        left[i] = l->of[i].calls.count;
        for (uint32_t k = 0; k < l->of[i].calls.count; k++) {
            add(l, &callers[l->of[i].calls.at[k]], i);
        }
    }
    if (l->ok) {
        strike(l, callers, left);
        mark_recursive(l, callers, left);
    }
    for (uint32_t i = 0; callers != NULL && i < n; i++) {
        vec_free(&callers[i]);
    }
    free(callers);
    free(left);
}

/* --- the whole -------------------------------------------------------------------------------- */
static void release(struct layout *l)
{
    for (uint32_t i = 0; l->of != NULL && i < l->m->funcs.count; i++) {
        vec_free(&l->of[i].calls);
        vec_free(&l->of[i].shared);
    }
    for (uint32_t i = 0; l->entries != NULL && i < l->m->symbols.count; i++) {
        vec_free(&l->entries[i]);
    }
    vec_free(&l->taken);
    free(l->of);
    free(l->entries);
    free(l->seen_func);
    free(l->seen_symbol);
}

bool ir_layout(struct ir_module *m, struct diag *dg)
{
    size_t errors = dg->errors;
    struct layout l = {
        .m = m,
        .dg = dg,
        .of = calloc(m->funcs.count + 1, sizeof(struct mention)),
        .entries = calloc(m->symbols.count + 1, sizeof(index_list)),
        .seen_func = calloc(m->funcs.count + 1, sizeof(uint32_t)),
        .seen_symbol = calloc(m->symbols.count + 1, sizeof(uint32_t)),
    };

    l.ok = l.of != NULL && l.entries != NULL && l.seen_func != NULL && l.seen_symbol != NULL;
    for (uint32_t i = 0; l.ok && i < m->funcs.count; i++) {
        mention_func(&l, m->funcs.at[i]);
    }
    if (l.ok) {
        mention_relocs(&l);
        place_local(&l);
        place_shared(&l);
        find_recursion(&l);
    }
    release(&l);
    if (!l.ok) {
        diag_error(dg, (struct diag_loc){0}, "memory exhausted");
    }
    return dg->errors == errors;
}
