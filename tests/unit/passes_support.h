/*
 * Small functions built by hand for the tests of the analyses.  Memory exhaustion ends the test through an assertion.
 */
#ifndef TESTS_UNIT_PASSES_SUPPORT_H
#define TESTS_UNIT_PASSES_SUPPORT_H

#include <criterion/criterion.h>

#include "ir/ir.h"
#include "ir/passes.h"

/* A function under construction and what the analyses say about it. */
struct subject {
    struct ir_module *m;
    struct ir_func *f;
    struct ir_cfg *cfg;
    struct ir_live *live;
    struct ir_uniform *uniform;
    struct ir_slots *slots;
};

static inline struct subject subject_new(bool is_entry)
{
    struct subject s = {.m = ir_module_new("test")};

    cr_assert(s.m != NULL);
    s.f = ir_func_new(s.m, "f");
    cr_assert(s.f != NULL);
    s.f->is_entry = is_entry;
    s.f->defined = true;
    return s;
}

static inline void subject_analyse(struct subject *s)
{
    cr_assert((s->cfg = ir_cfg_new(s->f)) != NULL);
    cr_assert((s->live = ir_live_new(s->f, s->cfg)) != NULL);
    cr_assert((s->uniform = ir_uniform_new(s->f, s->cfg, s->live)) != NULL);
    cr_assert((s->slots = ir_slots_new(s->f, s->cfg, s->live, s->uniform)) != NULL);
}

static inline void subject_free(struct subject *s)
{
    ir_slots_free(s->slots);
    ir_uniform_free(s->uniform);
    ir_live_free(s->live);
    ir_cfg_free(s->cfg);
    ir_module_free(s->m);
}

static inline ir_ref reg(struct subject *s, enum ir_type type)
{
    ir_ref r = ir_reg_new(s->f, type, NULL, UINT32_MAX);

    cr_assert(r != IR_REF_NONE || s->f->regs.count == 1);
    return r;
}

/* Make `n` blocks; emit() fills the one that block() started last. */
static inline void blocks(struct subject *s, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        cr_assert(ir_block_new(s->f, NULL) == i);
    }
}

static inline void block(struct subject *s, uint32_t b)
{
    ir_block_start(s->f, b);
}

struct operands {
    ir_ref at[8];
    unsigned n;
};
#define OPERANDS(...)                                                              \
    (struct operands)                                                              \
    {                                                                              \
        .at = {__VA_ARGS__}, .n = sizeof((ir_ref[]){__VA_ARGS__}) / sizeof(ir_ref) \
    }
#define NO_OPERANDS ((struct operands){.n = 0})

static inline void emit_init(struct subject *s, struct ir_inst init, struct operands dsts, struct operands srcs)
{
    cr_assert(ir_append(s->f, &init, dsts.at, dsts.n, srcs.at, srcs.n) != NULL);
}

static inline void emit(struct subject *s, enum ir_op op, enum ir_type type, struct operands dsts, struct operands srcs)
{
    emit_init(s, (struct ir_inst){.op = (uint16_t)op, .type = (uint8_t)type}, dsts, srcs);
}

static inline void emit_if(struct subject *s, ir_ref guard, enum ir_op op, enum ir_type type, struct operands dsts,
                           struct operands srcs)
{
    emit_init(s, (struct ir_inst){.op = (uint16_t)op, .type = (uint8_t)type, .guard = guard}, dsts, srcs);
}

static inline ir_ref constant(struct subject *s, uint64_t bits)
{
    return ir_const(s->f, bits);
}

static inline void jump(struct subject *s, uint32_t to)
{
    emit(s, IR_BRA, IR_B32, NO_OPERANDS, OPERANDS(ir_ref_make(IR_REF_BLOCK, to)));
}

static inline void jump_if(struct subject *s, ir_ref guard, uint32_t to)
{
    emit_if(s, guard, IR_BRA, IR_B32, NO_OPERANDS, OPERANDS(ir_ref_make(IR_REF_BLOCK, to)));
}

/* Through a fresh table. */
static inline void jump_indexed(struct subject *s, ir_ref index, const uint32_t *to, uint32_t n)
{
    struct ir_table table = {.refs = ARENA_ARRAY(s->m->arena, ir_ref, n), .count = n};

    cr_assert(table.refs != NULL);
    for (uint32_t i = 0; i < n; i++) {
        table.refs[i] = ir_ref_make(IR_REF_BLOCK, to[i]);
    }
    cr_assert(vec_push(&s->f->tables, table));
    emit(s, IR_BRX, IR_B32, NO_OPERANDS, OPERANDS(index, ir_ref_make(IR_REF_TABLE, s->f->tables.count - 1)));
}

static inline void ret(struct subject *s)
{
    emit(s, IR_RET, IR_B32, NO_OPERANDS, NO_OPERANDS);
}

/* r = special register */
static inline void read_sreg(struct subject *s, ir_ref r, enum ir_sreg sreg)
{
    emit(s, IR_MOV_SREG, IR_U32, OPERANDS(r), OPERANDS(ir_ref_make(IR_REF_SREG, (uint32_t)sreg)));
}

/* r = a + b */
static inline void add(struct subject *s, ir_ref r, ir_ref a, ir_ref b)
{
    emit(s, IR_ADD, IR_U32, OPERANDS(r), OPERANDS(a, b));
}

/* p = a < b */
static inline void less(struct subject *s, ir_ref p, ir_ref a, ir_ref b)
{
    emit_init(s, (struct ir_inst){.op = IR_SETP, .type = IR_U32, .mods.cmp = IR_CMP_LT}, OPERANDS(p), OPERANDS(a, b));
}

/* r = value */
static inline void set(struct subject *s, ir_ref r, uint64_t value)
{
    emit(s, IR_MOV, IR_B32, OPERANDS(r), OPERANDS(constant(s, value)));
}

/* Somebody needs r. */
static inline void use(struct subject *s, ir_ref r)
{
    emit_init(s, (struct ir_inst){.op = IR_ST, .type = IR_U32, .mods = {.vec = 1, .space = IR_SPACE_GLOBAL}},
              NO_OPERANDS, OPERANDS(IR_REF_NONE, constant(s, 0), r));
}

static inline bool uniform(const struct subject *s, ir_ref r)
{
    uint32_t index = ir_ref_index(r);

    return s->uniform->regs[index / 64] >> (index % 64) & 1;
}

static inline bool divergent(const struct subject *s, uint32_t b)
{
    return s->uniform->divergent[b / 64] >> (b % 64) & 1;
}

static inline bool live_in(const struct subject *s, uint32_t b, ir_ref r)
{
    return ir_live_in(s->live, b, ir_ref_index(r));
}

static inline bool live_out(const struct subject *s, uint32_t b, ir_ref r)
{
    return ir_live_out(s->live, b, ir_ref_index(r));
}

/* Do the slots of two registers overlap? */
static inline bool share(const struct subject *s, ir_ref a, ir_ref b)
{
    uint32_t i = ir_ref_index(a), j = ir_ref_index(b);

    return s->slots->kind[i] == s->slots->kind[j] && s->slots->offset[i] == s->slots->offset[j];
}

#endif
