/*
 * Registers that vary because control parted.  Lanes that part at the end of block X wait for each other at its
 * immediate post-dominator P.  Before P they run in any order, and those that find themselves at one instruction may go
 * on together. What they hold by then may differ only from blocks J on where
 *
 *   - two paths from X meet that share nothing but X (a join), or P;
 *   - a cycle through X is left, if X can be reached again before P: lanes leave it in different iterations;
 *   - X leads, if several of its ways come back to X: lanes on one overtake those on another;
 *   - a cycle is closed in the wake of one of these: lanes that came at different times are in different iterations.
 *
 * The region R is what X reaches without passing P.  Lanes that meet in J executed different parts of R, so a register
 * that some block of R writes and that is alive in J may hold values of different origin; what is computed after J from
 * other registers is equal again.  Lanes that never part, or that leave the function, disagree about nothing.  The
 * paths follow Rosemann, Moll, Hack, "An abstract interpretation for SPMD divergence on reducible control flow graphs"
 * (POPL 2021), with registers instead of phi nodes; the last two kinds of J are not there, because its lanes meet at
 * joins only.
 *
 * One branch costs as much as its region.  A function of many branches with large regions could take quadratic time, so
 * the work is limited; past the limit every register that is written outside the entry block and alive across blocks
 * varies.
 */
#include "ir/divergence.h"

#include <stdlib.h>

#include "ir/defuse.h"

enum { NONE = UINT32_MAX, WORK_LIMIT = 1 << 26 };

struct ir_divergence {
    const struct ir_func *f;
    const struct ir_cfg *cfg;
    const struct ir_live *live;
    uint32_t *def_at, *def; /* blocks that define each register, ascending: def[def_at[r]] .. def[def_at[r + 1] - 1] */
    uint32_t *memory;       /* holds the arrays below, one element per block */
    uint32_t *seen;         /* mark of the latest region that held the block */
    uint32_t *cycle;        /* the same for the cycle through the branch */
    uint32_t *label;        /* the join (or successor of the branch) that all paths to the block came through last */
    uint32_t *order;        /* the region in reverse post-order from the branch, which comes first */
    uint32_t *stack;
    uint32_t *next;     /* edge to try next, while searching */
    uint32_t *position; /* in `order` */
    uint32_t *joins;    /* mark of the latest region in which the block is a join */
    uint32_t n_order;
    uint32_t mark;      /* of the current region */
    bool again;         /* the branch lies in its own region */
    uint64_t work_left; /* steps */
    bool gave_up;       /* all registers that could vary have been reported */
};

/* --- definitions ---------------------------------------------------------------------------------------------- */

/* Count, or with `list` record, the blocks that define each register; `last` keeps a block from being counted twice. */
static void each_definition(struct ir_divergence *d, uint32_t *at, uint32_t *list, uint32_t *last)
{
    for (uint32_t b = 0; b < d->f->blocks.count; b++) {
        const struct ir_block *block = &d->f->blocks.at[b];

        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            const struct ir_inst *in = &d->f->insts.at[i];

            for (uint32_t k = 0; k < in->n_dst; k++) {
                ir_ref r = ir_dsts(d->f, in)[k];
                uint32_t reg = ir_ref_index(r);

                if (!ir_is_reg(r) || last[reg] == b) {
                    continue;
                }
                last[reg] = b;
                if (list != NULL) {
                    list[at[reg]] = b;
                }
                at[reg]++;
            }
        }
    }
}

/* As in liveness.c: counts lie one place late, filling moves starts to ends, and a shift undoes that. */
static bool find_definitions(struct ir_divergence *d)
{
    uint32_t n = d->f->regs.count;
    uint32_t *last = malloc(((size_t)n + 1) * sizeof *last);

    d->def_at = calloc((size_t)n + 2, sizeof *d->def_at);
    if (last == NULL || d->def_at == NULL) {
        free(last);
        return false;
    }
    for (uint32_t r = 0; r < n; r++) {
        last[r] = NONE;
    }
    each_definition(d, d->def_at + 1, NULL, last);
    for (uint32_t r = 0; r < n; r++) {
        d->def_at[r + 1] += d->def_at[r];
        last[r] = NONE;
    }
    d->def = malloc(((size_t)d->def_at[n] + 1) * sizeof *d->def);
    if (d->def != NULL) {
        each_definition(d, d->def_at, d->def, last);
        for (uint32_t r = n; r > 0; r--) {
            d->def_at[r] = d->def_at[r - 1];
        }
        d->def_at[0] = 0;
    }
    free(last);
    return d->def != NULL;
}

struct ir_divergence *ir_divergence_new(const struct ir_func *f, const struct ir_cfg *cfg, const struct ir_live *live)
{
    struct ir_divergence *d = calloc(1, sizeof *d);
    size_t n = cfg->n_blocks;

    if (d == NULL) {
        return NULL;
    }
    *d = (struct ir_divergence){.f = f, .cfg = cfg, .live = live, .work_left = WORK_LIMIT};
    d->memory = calloc(8 * n + 1, sizeof *d->memory);
    if (d->memory == NULL || !find_definitions(d)) {
        ir_divergence_free(d);
        return NULL;
    }
    d->seen = d->memory;
    d->cycle = d->seen + n;
    d->label = d->cycle + n;
    d->order = d->label + n;
    d->stack = d->order + n;
    d->next = d->stack + n;
    d->position = d->next + n;
    d->joins = d->position + n;
    return d;
}

void ir_divergence_free(struct ir_divergence *d)
{
    if (d == NULL) {
        return;
    }
    free(d->def_at);
    free(d->def);
    free(d->memory);
    free(d);
}

/* --- work limit ----------------------------------------------------------------------------------------------- */

static bool spend(struct ir_divergence *d, uint64_t steps)
{
    if (d->work_left < steps) {
        d->work_left = 0;
        return false;
    }
    d->work_left -= steps;
    return true;
}

/* The entry block runs once, before lanes can part, unless something branches back to it. */
static bool written_only_at_entry(const struct ir_divergence *d, uint32_t reg)
{
    uint32_t at = d->def_at[reg], end = d->def_at[reg + 1];
    bool entry_repeats = d->cfg->pred_at[1] != d->cfg->pred_at[0];

    return at == end || (end - at == 1 && d->def[at] == 0 && !entry_repeats);
}

static void give_up(struct ir_divergence *d, ir_varies_fn varies, void *context)
{
    uint32_t n_in = d->live->in_at[d->cfg->n_blocks];

    d->gave_up = true;
    for (uint32_t i = 0; i < n_in; i++) {
        if (!written_only_at_entry(d, d->live->in[i])) {
            varies(context, d->live->in[i]);
        }
    }
}

/* --- the region ----------------------------------------------------------------------------------------------- */

/* Depth-first search from the branch that does not enter its post-dominator. */
static bool find_region(struct ir_divergence *d, uint32_t branch)
{
    const struct ir_cfg *cfg = d->cfg;
    uint32_t stop = cfg->ipdom[branch];
    uint32_t depth = 0, finished = 0;

    d->mark++;
    d->again = false;
    d->seen[branch] = d->mark;
    d->next[branch] = cfg->succ_at[branch];
    d->stack[depth++] = branch;
    while (depth > 0) {
        uint32_t b = d->stack[depth - 1];

        if (!spend(d, 1)) {
            return false;
        }
        if (d->next[b] == cfg->succ_at[b + 1]) {
            d->order[finished++] = b;
            depth--;
            continue;
        }
        uint32_t to = cfg->succ[d->next[b]++];
        d->again |= to == branch;
        if (to != stop && d->seen[to] != d->mark) {
            d->seen[to] = d->mark;
            d->next[to] = cfg->succ_at[to];
            d->stack[depth++] = to;
        }
    }
    for (uint32_t i = 0; i < finished / 2; i++) {
        uint32_t swap = d->order[i];

        d->order[i] = d->order[finished - 1 - i];
        d->order[finished - 1 - i] = swap;
    }
    for (uint32_t i = 0; i < finished; i++) {
        d->position[d->order[i]] = i;
    }
    d->n_order = finished;
    return true;
}

static bool in_region(const struct ir_divergence *d, uint32_t block, uint32_t branch)
{
    return d->seen[block] == d->mark && (block != branch || d->again);
}

/* --- registers written in a set of blocks and alive where lanes meet ------------------------------------------ */

struct meeting {
    uint32_t branch;
    const uint32_t *set; /* blocks with set[b] == mark; the branch itself counts only if it runs again */
    ir_varies_fn varies;
    void *context;
};

static bool written_in(struct ir_divergence *d, const struct meeting *m, uint32_t reg)
{
    for (uint32_t i = d->def_at[reg]; i < d->def_at[reg + 1]; i++) {
        if (!spend(d, 1)) {
            return false;
        }
        if (m->set[d->def[i]] == d->mark && (d->def[i] != m->branch || d->again)) {
            return true;
        }
    }
    return false;
}

static bool meet_at(struct ir_divergence *d, const struct meeting *m, uint32_t block)
{
    for (uint32_t i = d->live->in_at[block]; i < d->live->in_at[block + 1]; i++) {
        if (!spend(d, 1)) {
            return false;
        }
        if (written_in(d, m, d->live->in[i])) {
            m->varies(m->context, d->live->in[i]);
        }
    }
    return d->work_left > 0;
}

/* --- joins ---------------------------------------------------------------------------------------------------- */

/* What the edge brings: the label of where it starts, or at the branch a new one for each successor. */
static uint32_t label_along(const struct ir_divergence *d, uint32_t from, uint32_t to, uint32_t branch)
{
    if (from == branch) {
        return to;
    }
    return d->seen[from] == d->mark ? d->label[from] : NONE;
}

/* The label of a block from its predecessors': their common one, or the block itself where different ones meet. */
static uint32_t merge_labels(struct ir_divergence *d, uint32_t block, uint32_t branch)
{
    const struct ir_cfg *cfg = d->cfg;
    uint32_t label = NONE;

    for (uint32_t e = cfg->pred_at[block]; e < cfg->pred_at[block + 1]; e++) {
        uint32_t other = label_along(d, cfg->pred[e], block, branch);

        if (label == NONE) {
            label = other;
        } else if (other != NONE && other != label) {
            return block;
        }
    }
    return label;
}

/*
 * A block is labelled with itself where labels meet, and where the branch leads there directly.  Labels only ever move
 * towards blocks that have become joins, hence the repetition ends; without irreducible flow after two rounds.
 */
static bool label_region(struct ir_divergence *d, uint32_t branch)
{
    bool changed = true;

    for (uint32_t i = 0; i < d->n_order; i++) {
        d->label[d->order[i]] = NONE;
    }
    while (changed) {
        changed = false;
        for (uint32_t i = 1; i < d->n_order; i++) {
            uint32_t b = d->order[i];

            if (!spend(d, 1 + d->cfg->pred_at[b + 1] - d->cfg->pred_at[b])) {
                return false;
            }
            uint32_t label = d->label[b] == b ? b : merge_labels(d, b, branch);
            changed |= label != d->label[b];
            d->label[b] = label;
        }
    }
    return true;
}

/* Do paths with different labels meet at the start of `block`, once labels are settled? */
static bool is_join(const struct ir_divergence *d, uint32_t block, uint32_t branch)
{
    const struct ir_cfg *cfg = d->cfg;
    uint32_t first = NONE;

    for (uint32_t e = cfg->pred_at[block]; e < cfg->pred_at[block + 1]; e++) {
        uint32_t label = label_along(d, cfg->pred[e], block, branch);

        if (label != NONE && first != NONE && label != first) {
            return true;
        }
        first = label != NONE ? label : first;
    }
    return false;
}

/*
 * Where at least two ways lead back to the branch, lanes that took one may come around and overtake those still on
 * another: then they meet wherever the branch leads.
 */
static void join_laps(struct ir_divergence *d, uint32_t branch)
{
    const struct ir_cfg *cfg = d->cfg;
    uint32_t ways = 0;

    for (uint32_t e = cfg->succ_at[branch]; e < cfg->succ_at[branch + 1]; e++) {
        ways += d->cycle[cfg->succ[e]] == d->mark;
    }
    if (ways < 2) {
        return;
    }
    d->joins[branch] = d->mark;
    for (uint32_t e = cfg->succ_at[branch]; e < cfg->succ_at[branch + 1]; e++) {
        d->joins[cfg->succ[e]] = d->mark;
    }
}

static bool find_joins(struct ir_divergence *d, uint32_t branch)
{
    for (uint32_t i = 1; i < d->n_order; i++) {
        uint32_t b = d->order[i];

        if (!spend(d, 1 + d->cfg->pred_at[b + 1] - d->cfg->pred_at[b])) {
            return false;
        }
        d->joins[b] = is_join(d, b, branch) ? d->mark : 0;
    }
    d->joins[branch] = 0;
    if (d->again) {
        join_laps(d, branch);
    }
    return true;
}

/* May lanes come to the block at different times, although no different paths meet there? */
static bool is_in_wake(const struct ir_divergence *d, uint32_t block, uint32_t branch)
{
    if (d->again && (d->cycle[block] != d->mark || d->joins[branch] == d->mark)) {
        return true;
    }
    return block != branch && d->joins[d->label[block]] == d->mark;
}

/* Every cycle in the region has a block that is entered against the order. */
static bool closes_cycle(const struct ir_divergence *d, uint32_t block)
{
    const struct ir_cfg *cfg = d->cfg;

    for (uint32_t e = cfg->pred_at[block]; e < cfg->pred_at[block + 1]; e++) {
        uint32_t from = cfg->pred[e];

        if (d->seen[from] == d->mark && d->position[from] >= d->position[block]) {
            return true;
        }
    }
    return false;
}

static bool meet_in_region(struct ir_divergence *d, const struct meeting *m)
{
    for (uint32_t i = d->again ? 0 : 1; i < d->n_order; i++) {
        uint32_t b = d->order[i];
        bool meets = d->joins[b] == d->mark || (is_in_wake(d, b, m->branch) && closes_cycle(d, b));

        if (meets && !meet_at(d, m, b)) {
            return false;
        }
    }
    return true;
}

/* --- cycles through the branch -------------------------------------------------------------------------------- */

/* Blocks of the region from which the branch is reached again. */
static bool find_cycle(struct ir_divergence *d, uint32_t branch)
{
    const struct ir_cfg *cfg = d->cfg;
    uint32_t depth = 0;

    d->cycle[branch] = d->mark;
    d->stack[depth++] = branch;
    while (depth > 0) {
        uint32_t b = d->stack[--depth];

        if (!spend(d, 1 + cfg->pred_at[b + 1] - cfg->pred_at[b])) {
            return false;
        }
        for (uint32_t e = cfg->pred_at[b]; e < cfg->pred_at[b + 1]; e++) {
            uint32_t from = cfg->pred[e];

            if (in_region(d, from, branch) && d->cycle[from] != d->mark) {
                d->cycle[from] = d->mark;
                d->stack[depth++] = from;
            }
        }
    }
    return true;
}

static bool meet_behind_cycle(struct ir_divergence *d, const struct meeting *m)
{
    const struct ir_cfg *cfg = d->cfg;

    for (uint32_t i = 0; i < d->n_order; i++) {
        uint32_t b = d->order[i];

        if (d->cycle[b] != d->mark) {
            continue;
        }
        for (uint32_t e = cfg->succ_at[b]; e < cfg->succ_at[b + 1]; e++) {
            if (d->cycle[cfg->succ[e]] != d->mark && !meet_at(d, m, cfg->succ[e])) {
                return false;
            }
        }
    }
    return true;
}

/* --- one branch ----------------------------------------------------------------------------------------------- */

static bool analyse_branch(struct ir_divergence *d, uint32_t branch, struct meeting *m)
{
    uint32_t meet = d->cfg->ipdom[branch];

    if (!find_region(d, branch) || (d->again && !find_cycle(d, branch)) || !label_region(d, branch) ||
        !find_joins(d, branch)) {
        return false;
    }
    m->set = d->seen;
    if (!meet_in_region(d, m) || (meet != IR_NO_BLOCK && !meet_at(d, m, meet))) {
        return false;
    }
    m->set = d->cycle;
    return !d->again || meet_behind_cycle(d, m);
}

void ir_divergence_branch(struct ir_divergence *d, uint32_t block, ir_varies_fn varies, void *context)
{
    struct meeting m = {.branch = block, .varies = varies, .context = context};

    /* With one way on, the other lanes return, exit or never part. */
    if (d->gave_up || d->cfg->succ_at[block + 1] - d->cfg->succ_at[block] < 2) {
        return;
    }
    if (!analyse_branch(d, block, &m)) {
        give_up(d, varies, context);
    }
}
