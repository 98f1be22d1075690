/*
 * How many registers hold a thread's part of a matrix.  The manual gives the layouts in figures; only counts and types
 * are checked here.
 */
#include "frontend/opcode.h"

/* Registers of operand `which` of wmma for 8-bit, 16-bit and bf16 elements; m8n32k16 and m32n8k16 differ in a and b. */
static uint32_t wmma_operand(const struct ptx_candidate *c, bool is_a, enum ir_type element)
{
    bool narrow = is_a ? c->match.shape[0] == 8 : c->match.shape[1] == 8; /* the operand's outer size is 8 */
    bool wide = is_a ? c->match.shape[0] == 32 : c->match.shape[1] == 32;

    switch (element) {
    case IR_F16:
        return 8;
    case IR_BF16:
        return narrow ? 2 : wide ? 8 : 4;
    default:
        return narrow ? 1 : wide ? 4 : 2;
    }
}

static uint32_t accumulator(const struct ptx_candidate *c, enum ir_type type)
{
    bool is_wmma = c->pattern->form->mnemonic[0] == 'w';
    uint32_t full = is_wmma || c->match.shape[0] == 8 ? 8 : 4;

    return type == IR_F16 ? full / 2 : full;
}

uint32_t ptx_fragment(const struct ptx_candidate *c, const struct ptx_operand_pattern *o, enum ir_type *type)
{
    enum ir_type element = ptx_type_of(c, o->type);
    bool is_single = element == IR_F32;

    *type = is_single ? IR_F32 : IR_B32;
    switch ((enum ptx_fragment_kind)o->sub) {
    case PTX_FRAG_ACC:
        return accumulator(c, element);
    case PTX_FRAG_WMMA_A:
        return wmma_operand(c, true, element);
    case PTX_FRAG_WMMA_B:
        return wmma_operand(c, false, element);
    case PTX_FRAG_WMMA_C:
        return element == IR_F16 ? 4 : 8;
    case PTX_FRAG_WGMMA:
        return element == IR_F16 ? c->match.shape[1] / 4u : c->match.shape[1] / 2u;
    case PTX_FRAG_TMEM:
        *type = IR_B32;
        return (uint32_t)c->tmem_scale * c->tmem_count;
    }
    return 0;
}
