/*
 * Building modules and functions.  Invariant: operand indices, block ranges and references made here are always in
 * range, and blocks partition the instructions in order; a failed call (memory exhausted) leaves the function as it
 * was.
 */
#include "ir/ir.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t max_index = ((uint32_t)1 << IR_REF_KIND_SHIFT) - 1;

struct ir_module *ir_module_new(const char *name)
{
    struct ir_module *m = calloc(1, sizeof *m);

    if (m == NULL) {
        return NULL;
    }
    m->arena = arena_new(0);
    m->name = m->arena == NULL ? NULL : arena_strdup(m->arena, name);
    /* Entry 0 of both means "none", so that zeroed structures are valid. */
    if (m->name == NULL || !vec_push(&m->files, (struct ir_file){0}) || !vec_push(&m->lines, (struct ir_line){0}) ||
        !vec_push(&m->texts, m->name)) {
        ir_module_free(m);
        return NULL;
    }
    return m;
}

void ir_func_release(struct ir_func *f)
{
    vec_free(&f->regs);
    vec_free(&f->consts);
    vec_free(&f->operands);
    vec_free(&f->insts);
    vec_free(&f->blocks);
    vec_free(&f->tables);
    free(f->const_slots);
}

void ir_module_free(struct ir_module *m)
{
    if (m == NULL) {
        return;
    }
    for (uint32_t i = 0; i < m->funcs.count; i++) {
        ir_func_release(m->funcs.at[i]);
    }
    vec_free(&m->symbols);
    vec_free(&m->funcs);
    vec_free(&m->lines);
    vec_free(&m->files);
    vec_free(&m->texts);
    arena_free(m->arena);
    free(m);
}

struct ir_func *ir_func_new(struct ir_module *m, const char *name)
{
    struct ir_func *f = ARENA_NEW(m->arena, struct ir_func);

    if (f == NULL || m->funcs.count >= max_index) {
        return NULL;
    }
    f->name = arena_strdup(m->arena, name);
    f->module = m;
    f->index = m->funcs.count;
    return f->name != NULL && vec_push(&m->funcs, f) ? f : NULL;
}

ir_ref ir_reg_new(struct ir_func *f, enum ir_type type, const char *name, uint32_t number)
{
    struct ir_reg reg = {.type = (uint8_t)type, .name = name, .number = number};

    if (f->regs.count >= max_index || !vec_push(&f->regs, reg)) {
        return IR_REF_NONE;
    }
    return ir_ref_make(IR_REF_REG, f->regs.count - 1);
}

/* --- constants: an open-addressing hash at most half full ------------------------------ */
static uint32_t hash_start(const struct ir_func *f, uint64_t bits)
{
    return (uint32_t)(bits * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (f->n_const_slots - 1);
}

/* The slot that holds `bits`, or the free one where it belongs. */
static uint32_t *find_slot(const struct ir_func *f, uint64_t bits)
{
    uint32_t i = hash_start(f, bits);

    while (f->const_slots[i] != 0 && f->consts.at[f->const_slots[i] - 1] != bits) {
        i = (i + 1) & (f->n_const_slots - 1);
    }
    return &f->const_slots[i];
}

static bool grow_slots(struct ir_func *f)
{
    if (f->consts.count < f->n_const_slots / 2) {
        return true;
    }
    uint32_t count = f->n_const_slots == 0 ? 16 : f->n_const_slots * 2;
    uint32_t *slots = calloc(count, sizeof *slots);

    if (slots == NULL) {
        return false;
    }
    free(f->const_slots);
    f->const_slots = slots;
    f->n_const_slots = count;
    for (uint32_t i = 0; i < f->consts.count; i++) {
        *find_slot(f, f->consts.at[i]) = i + 1;
    }
    return true;
}

ir_ref ir_const(struct ir_func *f, uint64_t bits)
{
    if (!grow_slots(f)) {
        return IR_REF_NONE;
    }
    uint32_t *slot = find_slot(f, bits);

    if (*slot == 0) {
        if (f->consts.count >= max_index || !vec_push(&f->consts, bits)) {
            return IR_REF_NONE;
        }
        *slot = f->consts.count;
    }
    return ir_ref_make(IR_REF_CONST, *slot - 1);
}

/* --- blocks and instructions ------------------------------------------------------------------ */
uint32_t ir_block_new(struct ir_func *f, const char *name)
{
    struct ir_block block = {.first = f->insts.count, .name = name};

    if (f->blocks.count >= max_index || !vec_push(&f->blocks, block)) {
        return UINT32_MAX;
    }
    return f->blocks.count - 1;
}

void ir_block_start(struct ir_func *f, uint32_t block)
{
    f->blocks.at[block].first = f->insts.count;
    f->building = block;
}

struct ir_inst *ir_append(struct ir_func *f, const struct ir_inst *init, const ir_ref *dsts, unsigned n_dst,
                          const ir_ref *srcs, unsigned n_src)
{
    /* Some room even for an instruction without operands: the place of none is still a place in an array. */
    if (n_dst > UINT8_MAX || f->building >= f->blocks.count || !vec_reserve(&f->operands, n_dst + n_src + 1) ||
        !vec_push(&f->insts, *init)) {
        return NULL;
    }
    struct ir_inst *in = &f->insts.at[f->insts.count - 1];

    in->operands = f->operands.count;
    in->n_dst = (uint8_t)n_dst;
    in->n_src = n_src > UINT8_MAX ? UINT8_MAX : (uint8_t)n_src;
    in->n_wide = n_src > UINT8_MAX ? n_src : 0;
    if (n_dst > 0) {
        memcpy(f->operands.at + f->operands.count, dsts, n_dst * sizeof *dsts);
    }
    if (n_src > 0) {
        memcpy(f->operands.at + f->operands.count + n_dst, srcs, n_src * sizeof *srcs);
    }
    f->operands.count += n_dst + n_src;
    f->blocks.at[f->building].count++;
    return in;
}
