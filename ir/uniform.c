/*
 * Uniformity: which registers hold one value for all lanes that execute together.
 *
 * Starts from the belief that everything is uniform and withdraws it until nothing changes: a register varies when some
 * definition of it does (by its nature, an operand or its guard), or when a divergent branch makes lanes meet that took
 * its value from different definitions (divergence.c).  Each register and each branch is withdrawn at most once.
 *
 * Lanes that execute together are assumed to have met along paths of this function's graph: they ran the same blocks
 * since they last met, or met at a place that divergence.c names.  Frames of different call depth never execute
 * together.
 */
#include "ir/passes.h"

#include <stdlib.h>

#include "ir/defuse.h"
#include "ir/divergence.h"

/* --- what varies by nature ------------------------------------------------------------------------------------ */

/* Special registers with one value for a warp, whenever its lanes read them. */
static const uint8_t warp_sregs[IR_SREG_COUNT] = {
    [IR_SREG_TID_W] = 1,
    [IR_SREG_NTID_X] = 1,
    [IR_SREG_NTID_Y] = 1,
    [IR_SREG_NTID_Z] = 1,
    [IR_SREG_NTID_W] = 1,
    [IR_SREG_CTAID_X] = 1,
    [IR_SREG_CTAID_Y] = 1,
    [IR_SREG_CTAID_Z] = 1,
    [IR_SREG_CTAID_W] = 1,
    [IR_SREG_NCTAID_X] = 1,
    [IR_SREG_NCTAID_Y] = 1,
    [IR_SREG_NCTAID_Z] = 1,
    [IR_SREG_NCTAID_W] = 1,
    [IR_SREG_CLUSTERID_X] = 1,
    [IR_SREG_CLUSTERID_Y] = 1,
    [IR_SREG_CLUSTERID_Z] = 1,
    [IR_SREG_CLUSTERID_W] = 1,
    [IR_SREG_NCLUSTERID_X] = 1,
    [IR_SREG_NCLUSTERID_Y] = 1,
    [IR_SREG_NCLUSTERID_Z] = 1,
    [IR_SREG_NCLUSTERID_W] = 1,
    [IR_SREG_CLUSTER_CTAID_X] = 1,
    [IR_SREG_CLUSTER_CTAID_Y] = 1,
    [IR_SREG_CLUSTER_CTAID_Z] = 1,
    [IR_SREG_CLUSTER_CTAID_W] = 1,
    [IR_SREG_CLUSTER_NCTAID_X] = 1,
    [IR_SREG_CLUSTER_NCTAID_Y] = 1,
    [IR_SREG_CLUSTER_NCTAID_Z] = 1,
    [IR_SREG_CLUSTER_NCTAID_W] = 1,
    [IR_SREG_CLUSTER_CTARANK] = 1,
    [IR_SREG_CLUSTER_NCTARANK] = 1,
    [IR_SREG_IS_EXPLICIT_CLUSTER] = 1,
    [IR_SREG_WARPID] = 1,
    [IR_SREG_NWARPID] = 1,
    [IR_SREG_SMID] = 1,
    [IR_SREG_NSMID] = 1,
    [IR_SREG_GRIDID] = 1,
    [IR_SREG_CURRENT_GRAPH_EXEC] = 1,
    [IR_SREG_TOTAL_SMEM_SIZE] = 1,
    [IR_SREG_AGGR_SMEM_SIZE] = 1,
    [IR_SREG_DYNAMIC_SMEM_SIZE] = 1,
    [IR_SREG_RESERVED_SMEM_OFFSET_BEGIN] = 1,
    [IR_SREG_RESERVED_SMEM_OFFSET_END] = 1,
    [IR_SREG_RESERVED_SMEM_OFFSET_CAP] = 1,
    [IR_SREG_RESERVED_SMEM_OFFSET_0] = 1,
    [IR_SREG_RESERVED_SMEM_OFFSET_1] = 1,
    [IR_SREG_ENVREG0... IR_SREG_ENVREG31] = 1,
};
_Static_assert(IR_SREG_ENVREG31 - IR_SREG_ENVREG0 == 31, "the environment registers stand together");

struct analysis {
    const struct ir_func *f;
    const struct ir_cfg *cfg;
    struct ir_uniform *u;
    struct ir_divergence *divergence;
    uint32_t *use_at, *use; /* instructions that read each register: use[use_at[r]] .. use[use_at[r + 1] - 1] */
    uint32_t *block_of;     /* per instruction */
    uint32_t *queue;        /* registers found to vary whose uses are not looked at yet; each enters once */
    uint32_t n_queue;
    ir_ref *params; /* symbols of the entry's parameters, ascending */
    uint32_t n_params;
    bool calls; /* the function calls, hence has parameter space that is not read-only */
};

static int compare_refs(const void *a, const void *b)
{
    ir_ref x = *(const ir_ref *)a, y = *(const ir_ref *)b;

    return (x > y) - (x < y);
}

static bool is_entry_param(const struct analysis *a, ir_ref symbol)
{
    return bsearch(&symbol, a->params, a->n_params, sizeof *a->params, compare_refs) != NULL;
}

/*
 * Kernel parameters and constants do not change during a launch.  In a kernel that calls, parameter space also holds
 * the arguments of its calls, so there the parameter must be named.
 */
static bool loads_launch_constant(const struct analysis *a, const struct ir_inst *in)
{
    ir_ref base = ir_n_srcs(in) > 0 ? ir_srcs(a->f, in)[0] : ir_ref_make(IR_REF_NONE, 0);

    if (in->mods.space == IR_SPACE_CONST) {
        return true;
    }
    if (in->mods.space != IR_SPACE_PARAM || !a->f->is_entry) {
        return false;
    }
    return !a->calls || is_entry_param(a, base);
}

/*
 * One address names one place for all lanes, and lanes that execute a load together read it at once.  Lanes that
 * executed it apart may have seen different values, as with any register that was written while they were apart.  A
 * generic address may be local, where each lane has a place of its own.
 */
static bool loads_shared_memory(const struct ir_inst *in)
{
    return in->mods.space == IR_SPACE_GLOBAL || in->mods.space == IR_SPACE_SHARED || in->mods.space == IR_SPACE_CLUSTER;
}

/* A variable in the frame lies where the calls before put the frame, and those lanes may have come from different
 * callers. */
static bool is_frame_address(const struct analysis *a, const struct ir_inst *in)
{
    ir_ref base = ir_n_srcs(in) > 0 ? ir_srcs(a->f, in)[0] : ir_ref_make(IR_REF_NONE, 0);

    if (a->f->is_entry || ir_ref_kind(base) != IR_REF_SYMBOL) {
        return false;
    }
    switch (a->f->module->symbols.at[ir_ref_index(base)].space) {
    case IR_SPACE_LOCAL:
    case IR_SPACE_PARAM:
        return true;
    default:
        return false;
    }
}

/* Does the result depend on more than operands that are equal for all lanes? */
static bool varies_by_nature(const struct analysis *a, const struct ir_inst *in)
{
    uint32_t effects = ir_op_info[in->op].effects;

    if (in->op == IR_LEA) {
        return is_frame_address(a, in);
    }
    if (in->op == IR_LD) {
        return !loads_shared_memory(in) && !loads_launch_constant(a, in);
    }
    return (effects & ~(uint32_t)(IR_E_PURE | IR_E_COMMUTES | IR_E_SREG)) != 0 ||
           (effects & (IR_E_PURE | IR_E_SREG)) == 0;
}

static bool sreg_varies(ir_ref r)
{
    return ir_ref_kind(r) == IR_REF_SREG && warp_sregs[ir_ref_index(r)] == 0;
}

/* --- withdrawal ----------------------------------------------------------------------------------------------- */

static bool is_uniform(const struct ir_uniform *u, uint32_t reg)
{
    return u->regs[reg / 64] >> (reg % 64) & 1;
}

static void set_varying(void *context, uint32_t reg)
{
    struct analysis *a = context;

    if (is_uniform(a->u, reg)) {
        a->u->regs[reg / 64] &= ~((uint64_t)1 << (reg % 64));
        a->queue[a->n_queue++] = reg;
    }
}

static void set_results_varying(struct analysis *a, const struct ir_inst *in)
{
    for (uint32_t k = 0; k < in->n_dst; k++) {
        if (ir_is_reg(ir_dsts(a->f, in)[k])) {
            set_varying(a, ir_ref_index(ir_dsts(a->f, in)[k]));
        }
    }
}

/* `in` reads something that varies. */
static void spread(struct analysis *a, uint32_t index)
{
    const struct ir_inst *in = &a->f->insts.at[index];
    uint32_t block = a->block_of[index];

    set_results_varying(a, in);
    if ((ir_op_info[in->op].effects & IR_E_BRANCH) == 0 || (a->u->divergent[block / 64] >> (block % 64) & 1)) {
        return;
    }
    a->u->divergent[block / 64] |= (uint64_t)1 << (block % 64);
    ir_divergence_branch(a->divergence, block, set_varying, a);
}

/* A RET reads the function's results only to hand them over; they do not make it part lanes. */
static bool depends_on(const struct ir_inst *in, uint32_t reg)
{
    return in->op != IR_RET || in->guard == ir_ref_make(IR_REF_REG, reg);
}

static void settle(struct analysis *a)
{
    while (a->n_queue > 0) {
        uint32_t reg = a->queue[--a->n_queue];

        for (uint32_t i = a->use_at[reg]; i < a->use_at[reg + 1]; i++) {
            if (depends_on(&a->f->insts.at[a->use[i]], reg)) {
                spread(a, a->use[i]);
            }
        }
    }
}

/* --- start ---------------------------------------------------------------------------------------------------- */

static void start_registers(struct analysis *a)
{
    const struct ir_func *f = a->f;

    for (uint32_t r = 0; r < f->regs.count; r++) {
        a->u->regs[r / 64] |= (uint64_t)1 << (r % 64);
    }
    for (uint32_t r = 0; r < f->regs.count; r++) {
        if (f->regs.at[r].type == IR_B128) {
            set_varying(a, r);
        }
    }
    for (uint32_t p = 0; p < f->n_params; p++) {
        if (!f->is_entry && ir_is_reg(f->params[p].ref)) {
            set_varying(a, ir_ref_index(f->params[p].ref));
        }
    }
}

static void start_instructions(struct analysis *a)
{
    for (uint32_t i = 0; i < a->f->insts.count; i++) {
        const struct ir_inst *in = &a->f->insts.at[i];
        uint32_t n = ir_n_srcs(in);

        if (in->n_dst > 0 && varies_by_nature(a, in)) {
            set_results_varying(a, in);
        }
        for (uint32_t k = 0; k < n; k++) {
            if (sreg_varies(ir_srcs(a->f, in)[k])) {
                spread(a, i);
            }
        }
    }
}

static void each_use(struct analysis *a, uint32_t *at, uint32_t *list)
{
    for (uint32_t i = 0; i < a->f->insts.count; i++) {
        const struct ir_inst *in = &a->f->insts.at[i];
        uint32_t n = ir_n_uses(a->f, in);

        for (uint32_t k = 0; k < n; k++) {
            ir_ref r = ir_use(a->f, in, k);

            if (!ir_is_reg(r)) {
                continue;
            }
            if (list != NULL) {
                list[at[ir_ref_index(r)]] = i;
            }
            at[ir_ref_index(r)]++;
        }
    }
}

/* The technique is that of liveness.c: count one place late, sum, fill, shift. */
static bool find_uses(struct analysis *a)
{
    uint32_t n = a->f->regs.count;

    a->use_at = calloc((size_t)n + 2, sizeof *a->use_at);
    if (a->use_at == NULL) {
        return false;
    }
    each_use(a, a->use_at + 1, NULL);
    for (uint32_t r = 0; r < n; r++) {
        a->use_at[r + 1] += a->use_at[r];
    }
    a->use = malloc(((size_t)a->use_at[n] + 1) * sizeof *a->use);
    if (a->use == NULL) {
        return false;
    }
    each_use(a, a->use_at, a->use);
    for (uint32_t r = n; r > 0; r--) {
        a->use_at[r] = a->use_at[r - 1];
    }
    a->use_at[0] = 0;
    return true;
}

static bool find_params(struct analysis *a)
{
    const struct ir_func *f = a->f;

    a->params = malloc(((size_t)f->n_params + 1) * sizeof *a->params);
    if (a->params == NULL) {
        return false;
    }
    for (uint32_t p = 0; f->is_entry && p < f->n_params; p++) {
        if (ir_ref_kind(f->params[p].ref) == IR_REF_SYMBOL) {
            a->params[a->n_params++] = f->params[p].ref;
        }
    }
    qsort(a->params, a->n_params, sizeof *a->params, compare_refs);
    return true;
}

static bool find_blocks(struct analysis *a)
{
    const struct ir_func *f = a->f;

    a->block_of = calloc((size_t)f->insts.count + 1, sizeof *a->block_of);
    if (a->block_of == NULL) {
        return false;
    }
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        for (uint32_t i = 0; i < f->blocks.at[b].count; i++) {
            a->block_of[f->blocks.at[b].first + i] = b;
        }
    }
    for (uint32_t i = 0; i < f->insts.count; i++) {
        a->calls |= (ir_op_info[f->insts.at[i].op].effects & IR_E_CALL) != 0;
    }
    return true;
}

static bool analysis_init(struct analysis *a, const struct ir_live *live)
{
    a->queue = malloc(((size_t)a->f->regs.count + 1) * sizeof *a->queue);
    a->divergence = ir_divergence_new(a->f, a->cfg, live);
    return a->queue != NULL && a->divergence != NULL && find_uses(a) && find_blocks(a) && find_params(a);
}

static void analysis_release(struct analysis *a)
{
    ir_divergence_free(a->divergence);
    free(a->use_at);
    free(a->use);
    free(a->block_of);
    free(a->queue);
    free(a->params);
}

static struct ir_uniform *allocate(const struct ir_func *f)
{
    struct ir_uniform *u = calloc(1, sizeof *u);

    if (u == NULL) {
        return NULL;
    }
    u->regs = calloc((size_t)f->regs.count / 64 + 1, sizeof *u->regs);
    u->divergent = calloc((size_t)f->blocks.count / 64 + 1, sizeof *u->divergent);
    if (u->regs == NULL || u->divergent == NULL) {
        ir_uniform_free(u);
        return NULL;
    }
    return u;
}

struct ir_uniform *ir_uniform_new(const struct ir_func *f, const struct ir_cfg *cfg, const struct ir_live *live)
{
    struct analysis a = {.f = f, .cfg = cfg, .u = allocate(f)};
    bool ok = a.u != NULL && analysis_init(&a, live);

    if (ok) {
        start_registers(&a);
        start_instructions(&a);
        settle(&a);
    }
    analysis_release(&a);
    if (!ok) {
        ir_uniform_free(a.u);
        return NULL;
    }
    return a.u;
}

void ir_uniform_free(struct ir_uniform *u)
{
    if (u == NULL) {
        return;
    }
    free(u->regs);
    free(u->divergent);
    free(u);
}
