/*
 * The analyses on functions built by hand, each with the answers worked out on paper.
 */
#include "passes_support.h"

enum { NONE = IR_NO_BLOCK };

/* The tree of dominators, of post-dominators and the loops, as one row per block. */
struct flow_row {
    uint32_t idom, ipdom, loop_head;
};

static void expect_flow(const struct ir_cfg *cfg, const struct flow_row *rows, uint32_t n)
{
    cr_assert_eq(cfg->n_blocks, n);
    for (uint32_t b = 0; b < n; b++) {
        cr_expect_eq(cfg->idom[b], rows[b].idom, "idom of %u is %d", b, (int)cfg->idom[b]);
        cr_expect_eq(cfg->ipdom[b], rows[b].ipdom, "ipdom of %u is %d", b, (int)cfg->ipdom[b]);
        cr_expect_eq(cfg->loop_head[b], rows[b].loop_head, "loop of %u is %d", b, (int)cfg->loop_head[b]);
    }
}
#define EXPECT_FLOW(cfg, ...)                                \
    expect_flow(cfg, (const struct flow_row[]){__VA_ARGS__}, \
                sizeof((struct flow_row[]){__VA_ARGS__}) / sizeof(struct flow_row))

/*
 * 0: i = sreg; p = i < 7; @p bra 2
 * 1: a = 1; bra 3
 * 2: a = 2
 * 3: use a, b, i
 */
struct diamond {
    struct subject s;
    ir_ref i, p, a, b;
};

static struct diamond diamond(enum ir_sreg sreg)
{
    struct diamond d = {.s = subject_new(true)};

    d.i = reg(&d.s, IR_U32);
    d.p = reg(&d.s, IR_PRED);
    d.a = reg(&d.s, IR_U32);
    d.b = reg(&d.s, IR_U32);
    blocks(&d.s, 4);
    block(&d.s, 0);
    set(&d.s, d.b, 5);
    read_sreg(&d.s, d.i, sreg);
    less(&d.s, d.p, d.i, constant(&d.s, 7));
    jump_if(&d.s, d.p, 2);
    block(&d.s, 1);
    set(&d.s, d.a, 1);
    jump(&d.s, 3);
    block(&d.s, 2);
    set(&d.s, d.a, 2);
    block(&d.s, 3);
    use(&d.s, d.a);
    use(&d.s, d.b);
    use(&d.s, d.i);
    ret(&d.s);
    subject_analyse(&d.s);
    return d;
}

Test(passes, diamond_meets_at_its_join)
{
    struct diamond d = diamond(IR_SREG_TID_X);

    EXPECT_FLOW(d.s.cfg, {NONE, 3, NONE}, {0, 3, NONE}, {0, 3, NONE}, {0, NONE, NONE});
    cr_expect_eq(d.s.cfg->n_rpo, 4);
    cr_expect_eq(d.s.cfg->rpo[0], 0);
    cr_expect_eq(d.s.cfg->rpo[1], 1); /* the block fallen into follows */
    cr_expect_eq(d.s.cfg->rpo[3], 3);
    subject_free(&d.s);
}

Test(passes, diamond_liveness)
{
    struct diamond d = diamond(IR_SREG_TID_X);

    cr_expect(!live_in(&d.s, 0, d.a) && !live_out(&d.s, 0, d.a));
    cr_expect(!live_in(&d.s, 1, d.a) && live_out(&d.s, 1, d.a));
    cr_expect(!live_in(&d.s, 2, d.a) && live_out(&d.s, 2, d.a));
    cr_expect(live_in(&d.s, 3, d.a) && !live_out(&d.s, 3, d.a));
    cr_expect(live_out(&d.s, 0, d.i) && live_in(&d.s, 1, d.i) && live_in(&d.s, 2, d.i) && live_in(&d.s, 3, d.i));
    cr_expect(!live_out(&d.s, 0, d.p));
    subject_free(&d.s);
}

Test(passes, divergent_diamond_makes_its_results_vary)
{
    struct diamond d = diamond(IR_SREG_TID_X);

    cr_expect(!uniform(&d.s, d.i));
    cr_expect(!uniform(&d.s, d.p));
    cr_expect(!uniform(&d.s, d.a), "two constants meet where lanes that parted meet");
    cr_expect(uniform(&d.s, d.b));
    cr_expect(divergent(&d.s, 0));
    cr_expect(!divergent(&d.s, 1));
    cr_expect_eq(d.s.slots->kind[ir_ref_index(d.i)], IR_SLOT_ROW);
    cr_expect_eq(d.s.slots->kind[ir_ref_index(d.p)], IR_SLOT_MASK);
    cr_expect_eq(d.s.slots->kind[ir_ref_index(d.b)], IR_SLOT_SCALAR);
    subject_free(&d.s);
}

Test(passes, uniform_diamond_keeps_everything_uniform)
{
    struct diamond d = diamond(IR_SREG_CTAID_X);

    cr_expect(uniform(&d.s, d.i) && uniform(&d.s, d.p) && uniform(&d.s, d.a) && uniform(&d.s, d.b));
    cr_expect(!divergent(&d.s, 0));
    cr_expect_eq(d.s.slots->row_bytes, 0);
    cr_expect_eq(d.s.slots->mask_bytes, 0);
    subject_free(&d.s);
}

/*
 * 0: n = sreg; i = 0; k = 0
 * 1: i += 1; k = i; t = i + 3; use t; p = i < n; @p bra 1
 * 2: use k; c = 9; use c
 */
struct loop {
    struct subject s;
    ir_ref n, i, k, t, p, c;
};

static struct loop loop(enum ir_sreg sreg)
{
    struct loop l = {.s = subject_new(true)};

    l.n = reg(&l.s, IR_U32);
    l.i = reg(&l.s, IR_U32);
    l.k = reg(&l.s, IR_U32);
    l.t = reg(&l.s, IR_U32);
    l.c = reg(&l.s, IR_U32);
    l.p = reg(&l.s, IR_PRED);
    blocks(&l.s, 3);
    block(&l.s, 0);
    read_sreg(&l.s, l.n, sreg);
    set(&l.s, l.i, 0);
    block(&l.s, 1);
    add(&l.s, l.i, l.i, constant(&l.s, 1));
    add(&l.s, l.k, l.i, constant(&l.s, 0));
    add(&l.s, l.t, l.i, constant(&l.s, 3));
    use(&l.s, l.t);
    less(&l.s, l.p, l.i, l.n);
    jump_if(&l.s, l.p, 1);
    block(&l.s, 2);
    use(&l.s, l.k);
    set(&l.s, l.c, 9);
    use(&l.s, l.c);
    ret(&l.s);
    subject_analyse(&l.s);
    return l;
}

Test(passes, loop_flow_and_liveness)
{
    struct loop l = loop(IR_SREG_TID_X);

    EXPECT_FLOW(l.s.cfg, {NONE, 1, NONE}, {0, 2, 1}, {1, NONE, NONE});
    cr_expect(live_in(&l.s, 1, l.i) && live_out(&l.s, 1, l.i) && !live_in(&l.s, 2, l.i));
    cr_expect(live_in(&l.s, 1, l.n) && live_out(&l.s, 1, l.n) && !live_in(&l.s, 2, l.n));
    cr_expect(!live_in(&l.s, 1, l.k) && live_out(&l.s, 1, l.k));
    cr_expect(!live_out(&l.s, 1, l.t));
    subject_free(&l.s);
}

Test(passes, divergent_exit_makes_loop_results_vary_outside_only)
{
    struct loop l = loop(IR_SREG_LANEID);

    cr_expect(divergent(&l.s, 1));
    cr_expect(uniform(&l.s, l.i), "lanes still in the loop count alike");
    cr_expect(uniform(&l.s, l.t));
    cr_expect(!uniform(&l.s, l.k), "lanes leave with different counts");
    cr_expect(uniform(&l.s, l.c));
    subject_free(&l.s);
}

Test(passes, uniform_exit_keeps_loop_results_uniform)
{
    struct loop l = loop(IR_SREG_NTID_X);

    cr_expect(!divergent(&l.s, 1));
    cr_expect(uniform(&l.s, l.i) && uniform(&l.s, l.k) && uniform(&l.s, l.p));
    subject_free(&l.s);
}

/*
 * 0: t = tid; i = 0                     the outer loop is uniform, the inner one's exit diverges
 * 1: j = 0
 * 2: j += 1; p = j < t; @p bra 2
 * 3: i += 1; q = i < 10; @q bra 1
 * 4: use i, j
 */
Test(passes, nested_loops)
{
    struct subject s = subject_new(true);
    ir_ref t = reg(&s, IR_U32), i = reg(&s, IR_U32), j = reg(&s, IR_U32);
    ir_ref p = reg(&s, IR_PRED), q = reg(&s, IR_PRED);

    blocks(&s, 5);
    block(&s, 0);
    read_sreg(&s, t, IR_SREG_TID_X);
    set(&s, i, 0);
    block(&s, 1);
    set(&s, j, 0);
    block(&s, 2);
    add(&s, j, j, constant(&s, 1));
    less(&s, p, j, t);
    jump_if(&s, p, 2);
    block(&s, 3);
    add(&s, i, i, constant(&s, 1));
    less(&s, q, i, constant(&s, 10));
    jump_if(&s, q, 1);
    block(&s, 4);
    use(&s, i);
    use(&s, j);
    ret(&s);
    subject_analyse(&s);

    EXPECT_FLOW(s.cfg, {NONE, 1, NONE}, {0, 2, 1}, {1, 3, 2}, {2, 4, 1}, {3, NONE, NONE});
    cr_expect(divergent(&s, 2) && !divergent(&s, 3));
    cr_expect(uniform(&s, i) && uniform(&s, q), "lanes of the inner loop meet before the outer one counts");
    cr_expect(!uniform(&s, j), "j leaves the inner loop at different times");
    cr_expect(live_in(&s, 1, i) && live_in(&s, 2, i) && live_in(&s, 2, t) && !live_in(&s, 1, j));
    subject_free(&s);
}

/*
 * 0: t = tid; i = 0
 * 1: v = i + 1; p = t < i; @p bra 4      break, at different times
 * 2: i += 1; q = i < 8; @q bra 1
 * 3: w = 0; bra 5
 * 4: w = v + 1                           only lanes that broke out, each with its own v
 * 5: use w
 */
Test(passes, break_carries_values_of_different_iterations)
{
    struct subject s = subject_new(true);
    ir_ref t = reg(&s, IR_U32), i = reg(&s, IR_U32), v = reg(&s, IR_U32), w = reg(&s, IR_U32);
    ir_ref p = reg(&s, IR_PRED), q = reg(&s, IR_PRED);

    blocks(&s, 6);
    block(&s, 0);
    read_sreg(&s, t, IR_SREG_TID_X);
    set(&s, i, 0);
    block(&s, 1);
    add(&s, v, i, constant(&s, 1));
    less(&s, p, t, i);
    jump_if(&s, p, 4);
    block(&s, 2);
    add(&s, i, i, constant(&s, 1));
    less(&s, q, i, constant(&s, 8));
    jump_if(&s, q, 1);
    block(&s, 3);
    set(&s, w, 0);
    jump(&s, 5);
    block(&s, 4);
    add(&s, w, v, constant(&s, 1));
    block(&s, 5);
    use(&s, w);
    ret(&s);
    subject_analyse(&s);

    EXPECT_FLOW(s.cfg, {NONE, 1, NONE}, {0, 5, 1}, {1, 5, 1}, {2, 5, NONE}, {1, 5, NONE}, {1, NONE, NONE});
    cr_expect(divergent(&s, 1) && !divergent(&s, 2));
    cr_expect(!uniform(&s, v) && !uniform(&s, w));
    cr_expect(uniform(&s, i), "inside, all lanes run the same iteration");
    subject_free(&s);
}

/*
 * 0: t = tid; p = t < 3; a = 1; @p exit
 * 1: b = a; use b
 */
Test(passes, guarded_exit_takes_lanes_away_without_a_meeting)
{
    struct subject s = subject_new(true);
    ir_ref t = reg(&s, IR_U32), a = reg(&s, IR_U32), b = reg(&s, IR_U32), p = reg(&s, IR_PRED);

    blocks(&s, 2);
    block(&s, 0);
    read_sreg(&s, t, IR_SREG_TID_X);
    less(&s, p, t, constant(&s, 3));
    set(&s, a, 1);
    emit_if(&s, p, IR_EXIT, IR_B32, NO_OPERANDS, NO_OPERANDS);
    block(&s, 1);
    emit(&s, IR_MOV, IR_B32, OPERANDS(b), OPERANDS(a));
    use(&s, b);
    ret(&s);
    subject_analyse(&s);

    EXPECT_FLOW(s.cfg, {NONE, NONE, NONE}, {0, NONE, NONE});
    cr_expect(divergent(&s, 0));
    cr_expect(uniform(&s, a) && uniform(&s, b));
    subject_free(&s);
}

/* As above, but more follows in the same block: no edge, no parting of the block's end. */
Test(passes, guarded_exit_inside_a_block_makes_no_edge)
{
    struct subject s = subject_new(true);
    ir_ref t = reg(&s, IR_U32), p = reg(&s, IR_PRED);

    blocks(&s, 2);
    block(&s, 0);
    read_sreg(&s, t, IR_SREG_TID_X);
    less(&s, p, t, constant(&s, 3));
    emit_if(&s, p, IR_EXIT, IR_B32, NO_OPERANDS, NO_OPERANDS);
    use(&s, t);
    block(&s, 1);
    ret(&s);
    subject_analyse(&s);

    EXPECT_FLOW(s.cfg, {NONE, 1, NONE}, {0, NONE, NONE});
    subject_free(&s);
}

/*
 * 0: @p bra 2 ; 1: -> 2, 3 ; 2: -> 1, 3 ; 3: ret      the cycle 1 <-> 2 has two entries and is no natural loop
 */
Test(passes, irreducible_cycle)
{
    struct subject s = subject_new(true);
    ir_ref t = reg(&s, IR_U32), i = reg(&s, IR_U32), p = reg(&s, IR_PRED), q = reg(&s, IR_PRED);

    blocks(&s, 4);
    block(&s, 0);
    read_sreg(&s, t, IR_SREG_TID_X);
    set(&s, i, 0);
    less(&s, p, t, constant(&s, 3));
    jump_if(&s, p, 2);
    block(&s, 1);
    add(&s, i, i, constant(&s, 1));
    less(&s, q, i, constant(&s, 9));
    jump_if(&s, q, 3);
    block(&s, 2);
    add(&s, i, i, constant(&s, 2));
    less(&s, q, i, constant(&s, 9));
    jump_if(&s, q, 1);
    block(&s, 3);
    use(&s, i);
    ret(&s);
    subject_analyse(&s);

    EXPECT_FLOW(s.cfg, {NONE, 3, NONE}, {0, 3, NONE}, {0, 3, NONE}, {0, NONE, NONE});
    cr_expect(divergent(&s, 0));
    cr_expect(!uniform(&s, i) && !uniform(&s, q), "lanes enter the cycle at different places");
    subject_free(&s);
}

/*
 * 0: @p bra 2 ; 1: bra 1 ; 2: @p bra 5 ; 3: @p bra 3 ; 4: bra 3 ; 5: ret      1 and the loop 3, 4 are endless
 */
Test(passes, endless_loops_have_postdominators)
{
    struct subject s = subject_new(true);
    ir_ref t = reg(&s, IR_U32), p = reg(&s, IR_PRED);

    blocks(&s, 6);
    block(&s, 0);
    read_sreg(&s, t, IR_SREG_TID_X);
    less(&s, p, t, constant(&s, 3));
    jump_if(&s, p, 2);
    block(&s, 1);
    jump(&s, 1);
    block(&s, 2);
    jump_if(&s, p, 5);
    block(&s, 3);
    jump_if(&s, p, 3);
    block(&s, 4);
    jump(&s, 3);
    block(&s, 5);
    ret(&s);
    subject_analyse(&s);

    EXPECT_FLOW(s.cfg, {NONE, NONE, NONE}, {0, NONE, 1}, {0, NONE, NONE}, {2, 4, 3}, {3, NONE, 3}, {2, NONE, NONE});
    subject_free(&s);
}

/* 0: brx x, {1, 2, 2, 3} ; 1: a = 1; bra 4 ; 2: a = 1; bra 4 ; 3: a = 2 ; 4: use a ; 5 is unreachable */
static struct subject indexed(enum ir_sreg sreg, ir_ref *a)
{
    struct subject s = subject_new(true);
    ir_ref x = reg(&s, IR_U32);

    *a = reg(&s, IR_U32);
    blocks(&s, 6);
    block(&s, 0);
    read_sreg(&s, x, sreg);
    jump_indexed(&s, x, (const uint32_t[]){1, 2, 2, 3}, 4);
    block(&s, 1);
    set(&s, *a, 1);
    jump(&s, 4);
    block(&s, 2);
    set(&s, *a, 1);
    jump(&s, 4);
    block(&s, 3);
    set(&s, *a, 2);
    block(&s, 4);
    use(&s, *a);
    ret(&s);
    block(&s, 5);
    jump(&s, 4);
    subject_analyse(&s);
    return s;
}

Test(passes, indexed_branch)
{
    ir_ref a;
    struct subject s = indexed(IR_SREG_TID_X, &a);

    EXPECT_FLOW(s.cfg, {NONE, 4, NONE}, {0, 4, NONE}, {0, 4, NONE}, {0, 4, NONE}, {0, NONE, NONE}, {NONE, 4, NONE});
    cr_expect_eq(s.cfg->succ_at[1] - s.cfg->succ_at[0], 3, "successors are distinct");
    cr_expect_eq(s.cfg->rpo_index[5], NONE);
    cr_expect_eq(s.cfg->n_rpo, 5);
    cr_expect(divergent(&s, 0) && !uniform(&s, a));
    subject_free(&s);

    s = indexed(IR_SREG_SMID, &a);
    cr_expect(!divergent(&s, 0) && uniform(&s, a));
    subject_free(&s);
}

/* 0: t = tid; p = t < 3; a = 1; @p a = 2; q: uniform; b = 1; @q b = 2 */
Test(passes, guarded_definitions)
{
    struct subject s = subject_new(true);
    ir_ref t = reg(&s, IR_U32), a = reg(&s, IR_U32), b = reg(&s, IR_U32), z = reg(&s, IR_U32);
    ir_ref p = reg(&s, IR_PRED), q = reg(&s, IR_PRED);

    blocks(&s, 2);
    block(&s, 0);
    read_sreg(&s, t, IR_SREG_TID_X);
    less(&s, p, t, constant(&s, 3));
    set(&s, a, 1);
    set(&s, b, 1);
    block(&s, 1);
    emit_if(&s, p, IR_MOV, IR_B32, OPERANDS(a), OPERANDS(constant(&s, 2)));
    emit_if(&s, q, IR_MOV, IR_B32, OPERANDS(b), OPERANDS(constant(&s, 2)));
    emit_if(&s, p, IR_MOV, IR_B32, OPERANDS(z), OPERANDS(constant(&s, 2)));
    use(&s, a);
    use(&s, b);
    use(&s, z);
    ret(&s);
    subject_analyse(&s);

    cr_expect(!uniform(&s, a) && uniform(&s, b) && uniform(&s, q) && !uniform(&s, z));
    cr_expect(live_in(&s, 1, a), "lanes without the guard keep the old value");
    cr_expect(live_in(&s, 0, z), "read without a definition: alive from the entry");
    cr_expect(live_in(&s, 0, q));
    subject_free(&s);
}

/* What loads, calls and parameters give. */
Test(passes, sources_of_uniform_values)
{
    struct subject s = subject_new(true);
    ir_ref param = reg(&s, IR_U32), constant_at = reg(&s, IR_U32), indexed_at = reg(&s, IR_U32);
    ir_ref global = reg(&s, IR_U32), local = reg(&s, IR_U32), generic = reg(&s, IR_U32), old = reg(&s, IR_U32);
    ir_ref t = reg(&s, IR_U32), wide = reg(&s, IR_B128), clock = reg(&s, IR_U32);
    struct ir_symbol symbol = {.name = "p", .space = IR_SPACE_PARAM, .func = 0};
    struct ir_param formal = {.name = "p", .ref = ir_ref_make(IR_REF_SYMBOL, 0)};
    struct ir_inst load = {.op = IR_LD, .type = IR_U32, .mods = {.vec = 1, .space = IR_SPACE_PARAM}};
    ir_ref zero = constant(&s, 0);

    cr_assert(vec_push(&s.m->symbols, symbol));
    s.f->params = &formal;
    s.f->n_params = 1;
    blocks(&s, 1);
    block(&s, 0);
    read_sreg(&s, t, IR_SREG_TID_X);
    read_sreg(&s, clock, IR_SREG_CLOCK);
    emit_init(&s, load, OPERANDS(param), OPERANDS(formal.ref, zero));
    load.mods.space = IR_SPACE_CONST;
    emit_init(&s, load, OPERANDS(constant_at), OPERANDS(param, zero));
    emit_init(&s, load, OPERANDS(indexed_at), OPERANDS(t, zero));
    load.mods.space = IR_SPACE_GLOBAL;
    emit_init(&s, load, OPERANDS(global), OPERANDS(param, zero));
    load.mods.space = IR_SPACE_LOCAL;
    emit_init(&s, load, OPERANDS(local), OPERANDS(param, zero));
    load.mods.space = IR_SPACE_GENERIC;
    emit_init(&s, load, OPERANDS(generic), OPERANDS(param, zero));
    load = (struct ir_inst){.op = IR_ATOM, .type = IR_U32, .mods = {.vec = 1, .space = IR_SPACE_GLOBAL}};
    emit_init(&s, load, OPERANDS(old), OPERANDS(param, zero, zero));
    emit(&s, IR_MOV, IR_B128, OPERANDS(wide), OPERANDS(zero));
    ret(&s);
    subject_analyse(&s);

    cr_expect(uniform(&s, param) && uniform(&s, constant_at));
    cr_expect(uniform(&s, global), "one place, read once for all lanes");
    cr_expect(!uniform(&s, local) && !uniform(&s, generic), "each lane may have a place of its own");
    cr_expect(!uniform(&s, old), "each lane's operation sees the one before");
    cr_expect(!uniform(&s, indexed_at) && !uniform(&s, wide) && !uniform(&s, clock));
    subject_free(&s);
}

Test(passes, arguments_and_results_of_functions_vary)
{
    struct subject s = subject_new(false);
    ir_ref a = reg(&s, IR_U32), unused = reg(&s, IR_U32), r = reg(&s, IR_U32);
    struct ir_param formals[2] = {{.is_reg = true, .ref = a}, {.is_reg = true, .ref = unused}};
    struct ir_param result = {.is_reg = true, .ref = r};

    s.f->params = formals;
    s.f->n_params = 2;
    s.f->rets = &result;
    s.f->n_rets = 1;
    blocks(&s, 2);
    block(&s, 0);
    emit(&s, IR_CALL, IR_B32, OPERANDS(r), OPERANDS(ir_ref_make(IR_REF_FUNC, 0), a));
    block(&s, 1);
    ret(&s);
    subject_analyse(&s);

    cr_expect(!uniform(&s, a) && !uniform(&s, r) && !uniform(&s, unused));
    cr_expect(live_in(&s, 1, r), "RET hands it over");
    cr_expect_neq(s.slots->kind[ir_ref_index(unused)], IR_SLOT_NONE, "the caller stores the argument all the same");
    cr_expect(!share(&s, a, unused));
    cr_expect(!share(&s, a, r), "a call's results overlap none of its arguments");
    subject_free(&s);
}

/* --- slots ------------------------------------------------------------------------------------ */

Test(passes, pure_destination_takes_the_place_of_a_dying_source)
{
    struct subject s = subject_new(true);
    ir_ref t = reg(&s, IR_U32), a = reg(&s, IR_U32), b = reg(&s, IR_U32), never = reg(&s, IR_U32);

    blocks(&s, 1);
    block(&s, 0);
    read_sreg(&s, t, IR_SREG_TID_X);
    add(&s, a, t, t);
    add(&s, b, a, constant(&s, 1));
    use(&s, b);
    ret(&s);
    subject_analyse(&s);

    cr_expect(share(&s, t, a) && share(&s, a, b));
    cr_expect_eq(s.slots->row_bytes, 128);
    cr_expect_eq(s.slots->kind[ir_ref_index(never)], IR_SLOT_NONE);
    subject_free(&s);
}

Test(passes, other_destinations_overlap_no_source)
{
    struct subject s = subject_new(true);
    ir_ref t = reg(&s, IR_U32), a = reg(&s, IR_U32), b = reg(&s, IR_U32), c = reg(&s, IR_U32), d = reg(&s, IR_U32);
    ir_ref w = reg(&s, IR_U64), x = reg(&s, IR_U64), p = reg(&s, IR_PRED), q = reg(&s, IR_PRED);
    ir_ref lane = reg(&s, IR_U32), carry = reg(&s, IR_PRED);
    ir_ref zero = constant(&s, 0);

    blocks(&s, 1);
    block(&s, 0);
    read_sreg(&s, t, IR_SREG_TID_X);
    read_sreg(&s, lane, IR_SREG_LANEID);
    emit(&s, IR_SHFL, IR_B32, OPERANDS(a, p), OPERANDS(t, zero, zero, zero)); /* t dies */
    emit(&s, IR_ADD_CC, IR_U32, OPERANDS(b, carry), OPERANDS(a, lane));       /* a and lane die */
    emit_if(&s, p, IR_ADD, IR_U32, OPERANDS(c), OPERANDS(b, zero));           /* b dies, but there is a guard */
    emit(&s, IR_ADDC, IR_U32, OPERANDS(d), OPERANDS(c, zero, carry));
    emit(&s, IR_MUL_WIDE, IR_U32, OPERANDS(w), OPERANDS(d, d));
    emit(&s, IR_MAD_WIDE, IR_U32, OPERANDS(x), OPERANDS(t, t, w)); /* w dies, but sources differ in width */
    less(&s, q, x, zero);
    emit_if(&s, q, IR_EXIT, IR_B32, NO_OPERANDS, NO_OPERANDS);
    ret(&s);
    subject_analyse(&s);

    cr_expect(!share(&s, a, t) && !share(&s, p, carry));
    cr_expect(!share(&s, b, a) && !share(&s, b, lane));
    cr_expect(!share(&s, c, b));
    cr_expect(!share(&s, x, w));
    subject_free(&s);
}

Test(passes, latest_freed_slot_is_taken_first)
{
    struct subject s = subject_new(true);
    ir_ref t = reg(&s, IR_U32), a = reg(&s, IR_U32), b = reg(&s, IR_U32), c = reg(&s, IR_U32);

    blocks(&s, 1);
    block(&s, 0);
    read_sreg(&s, t, IR_SREG_TID_X);
    read_sreg(&s, a, IR_SREG_TID_Y);
    read_sreg(&s, b, IR_SREG_TID_Z);
    use(&s, a);
    use(&s, b);
    read_sreg(&s, c, IR_SREG_LANEID);
    use(&s, c);
    use(&s, t);
    ret(&s);
    subject_analyse(&s);

    cr_expect(share(&s, c, b) && !share(&s, c, t));
    cr_expect_eq(s.slots->row_bytes, 3 * 128);
    subject_free(&s);
}

Test(passes, rows_have_the_width_of_their_type)
{
    struct subject s = subject_new(true);
    ir_ref h = reg(&s, IR_U16), w = reg(&s, IR_U32), d = reg(&s, IR_F64), q = reg(&s, IR_B128);
    struct ir_inst load = {.op = IR_LD, .type = IR_U16, .mods = {.vec = 1, .space = IR_SPACE_GLOBAL}};
    ir_ref t = reg(&s, IR_U64);
    struct operands at_zero = OPERANDS(t, constant(&s, 0));

    blocks(&s, 1);
    block(&s, 0);
    emit(&s, IR_MOV_SREG, IR_U64, OPERANDS(t), OPERANDS(ir_ref_make(IR_REF_SREG, IR_SREG_TID_X)));
    emit_init(&s, load, OPERANDS(h), at_zero);
    load.type = IR_U32;
    emit_init(&s, load, OPERANDS(w), at_zero);
    load.type = IR_F64;
    emit_init(&s, load, OPERANDS(d), at_zero);
    load.type = IR_B128;
    emit_init(&s, load, OPERANDS(q), at_zero);
    use(&s, h);
    use(&s, w);
    use(&s, d);
    use(&s, q);
    ret(&s);
    subject_analyse(&s);

    cr_expect_eq(s.slots->row_bytes, 64 + 128 + 256 + 512 + 256);
    cr_expect_eq(s.slots->offset[ir_ref_index(q)] % 64, 0);
    subject_free(&s);
}

/* --- registers per thread --------------------------------------------------------------------- */

Test(passes, register_estimate_has_bounds_and_obeys_maxnreg)
{
    struct subject s = subject_new(true);
    ir_ref r[200];

    blocks(&s, 1);
    block(&s, 0);
    for (size_t i = 0; i < 200; i++) {
        r[i] = reg(&s, IR_U64);
        set(&s, r[i], i);
    }
    for (size_t i = 0; i < 200; i++) {
        use(&s, r[i]);
    }
    ret(&s);

    cr_expect_eq(ir_estimate_registers(s.f), 255);
    s.f->maxnreg = 64;
    cr_expect_eq(ir_estimate_registers(s.f), 64);
    subject_free(&s);

    s = subject_new(true);
    blocks(&s, 1);
    block(&s, 0);
    ret(&s);
    cr_expect_eq(ir_estimate_registers(s.f), 8);
    subject_free(&s);
}
