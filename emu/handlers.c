/*
 * All handlers for one instruction set: the file is compiled once per set (EMU_ISA names it) with that set's compiler
 * flags. The bodies are in exec_*.inc; here they become the table that decode.c looks into.
 */
#include "emu/exec.h"

#include "emu/access.h"
#include "emu/control.h"
#include "emu/cluster.h"
#include "emu/bulk.h"
#include "emu/copies.h"
#include "emu/mbarrier.h"
#include "emu/wmma.h"

#ifndef EMU_ISA
#define EMU_ISA base
#endif

#include "emu/exec_lanes.inc"
#include "emu/exec_mufu.inc"
#include "emu/exec_half.inc"
#include "emu/exec_cvt.inc"
#include "emu/exec_pack.inc"
#include "emu/exec_special.inc"
#include "emu/exec_mem.inc"
#include "emu/exec_store.inc"
#include "emu/exec_atom.inc"
#include "emu/exec_cross.inc"
#include "emu/exec_mma.inc"
#include "emu/exec_ctrl.inc"
#include "emu/exec_async.inc"
#include "emu/exec_texture.inc"
#include "emu/exec_matrix_move.inc"

/* Lists of macro calls, which the formatter would turn into stairs. */
/* clang-format off */
#define ANYROW(OPID, T, T2, handler)    {.op = IR_##OPID, .type = T, .type2 = T2, .form = FORM_ANY, .fn = handler},
#define SCALARROW(OPID, T, T2, handler) {.op = IR_##OPID, .type = T, .type2 = T2, .form = FORM_SCALAR, .fn = handler},
#define FULLROW(OPID, T, T2, P, handler) \
    {.op = IR_##OPID, .type = T, .type2 = T2, .form = FORM_FULL, .plain = P, .fn = handler},
#define MIXEDROW(OPID, T, T2, P, k, handler) \
    {.op = IR_##OPID, .type = T, .type2 = T2, .form = FORM_FULL_S, .kinds = k, .plain = P, .fn = handler},
#define PARTROW(OPID, T, T2, k, handler) \
    {.op = IR_##OPID, .type = T, .type2 = T2, .form = FORM_PART_S, .kinds = k, .fn = handler},

/* Rows of a lifted operation: the three handlers every LANESn makes. */
#define ROWS3(OPID, T, T2, P, name) \
    FULLROW(OPID, T, T2, P, name##_full) ANYROW(OPID, T, T2, name##_any) SCALARROW(OPID, T, T2, name##_scalar)
#define ROWS2(OPID, T, T2, P, name) ANYROW(OPID, T, T2, name##_any) SCALARROW(OPID, T, T2, name##_scalar)

#define TABLE_D_A(ID, n, T, op, fn)    ROWS3(op, IR_##ID, 0, HAS_ENV_##n, op##_##n)
#define TABLE_U_A                      TABLE_D_A
#define TABLE_D_AB                     TABLE_D_A
#define TABLE_W_AB                     TABLE_D_A
#define TABLE_D_AU                     TABLE_D_A
#define TABLE_D_ABC                    TABLE_D_A
#define TABLE_W_ABC                    TABLE_D_A
#define TABLE_D_AUU                    TABLE_D_A
#define TABLE_D_ABU                    TABLE_D_A
#define TABLE_D_ABUU(ID, n, T, op, fn) ROWS2(op, IR_##ID, 0, HAS_ENV_##n, op##_##n)

#define TABLE_EACH(shape, set, op, fn)     EACH_##set(TABLE_##shape, op, fn)
#define TABLE_SELECT_0(shape, set, op, fn) TABLE_EACH(shape, set, op, fn)
#define TABLE_SELECT_1(shape, set, op, fn)
#define TABLE_SELECT_(hand, shape, set, op, fn) CAT(TABLE_SELECT_, hand)(shape, set, op, fn)
#define TABLE_SELECT(hand, shape, set, op, fn)  TABLE_SELECT_(hand, shape, set, op, fn)

#define PRED_ROWS(op) ANYROW(op, IR_PRED, 0, op##_pred_any) SCALARROW(op, IR_PRED, 0, op##_pred_scalar)
#define SETP_ROWS(ID, n, T, op, fn)                            \
    FULLROW(SETP, IR_##ID, 0, HAS_ENV_##n, SETP_##n##_full_vv) \
    MIXEDROW(SETP, IR_##ID, 0, HAS_ENV_##n, KIND_B, SETP_##n##_full_vs) ROWS2(SETP, IR_##ID, 0, 0, SETP_##n)
#define CVT_ROWS(d, s, HOST, usual) \
    FULLROW(CVT, TYPE_##d, TYPE_##s, 1, CVT_##d##_##s##_full) ROWS2(CVT, TYPE_##d, TYPE_##s, 1, CVT_##d##_##s)
#define NARROW_CVT_ROWS(d, s) ROWS2(CVT, TYPE_##d, TYPE_##s, 0, CVT_##d##_##s)
#define PAIR_CVT_ROWS(d)      ROWS2(CVT_PACK, TYPE_##d, IR_F32, 0, CVT_PACK_##d)
#define PACK_SAT_ROWS(n, ID)  ROWS3(CVT_PACK_SAT, IR_##ID, IR_S32, 0, CVT_PACK_SAT_##n)
#define MIX_ROWS(n, ID)                               \
    ROWS3(FADD_MIX, IR_F32, IR_##ID, 1, FADD_MIX_##n) \
    ROWS3(FSUB_MIX, IR_F32, IR_##ID, 1, FSUB_MIX_##n) ROWS3(FMA_MIX, IR_F32, IR_##ID, 1, FMA_MIX_##n)
#define RINT_ROWS(t) ROWS2(EMU_CVT_RINT, TYPE_##t, 0, 0, CVT_rint_##t##_rint)
#define TYPE_u8      IR_U8
#define TYPE_s8      IR_S8
#define TYPE_u16     IR_U16
#define TYPE_s16     IR_S16
#define TYPE_u32     IR_U32
#define TYPE_s32     IR_S32
#define TYPE_u64     IR_U64
#define TYPE_s64     IR_S64
#define TYPE_f16     IR_F16
#define TYPE_bf16    IR_BF16
#define TYPE_f32     IR_F32
#define TYPE_f64     IR_F64
#define TYPE_tf32    IR_TF32
#define TYPE_f16x2   IR_F16X2
#define TYPE_bf16x2  IR_BF16X2
#define TYPE_e4m3x2  IR_E4M3X2
#define TYPE_e5m2x2  IR_E5M2X2
#define TYPE_e2m3x2  IR_E2M3X2
#define TYPE_e3m2x2  IR_E3M2X2
#define TYPE_e2m1x2  IR_E2M1X2
#define TYPE_ue8m0x2 IR_UE8M0X2
#define CARRY_ROWS(ID, n, T, op, fn)                                                                                   \
    ANYROW(ADD_CC, IR_##ID, 0, CARRY_ADD_##n) ANYROW(ADDC, IR_##ID, 0, CARRY_ADD_##n)                                  \
    ANYROW(ADDC_CC, IR_##ID, 0, CARRY_ADD_##n) ANYROW(SUB_CC, IR_##ID, 0, CARRY_SUB_##n)                               \
    ANYROW(SUBC, IR_##ID, 0, CARRY_SUB_##n) ANYROW(SUBC_CC, IR_##ID, 0, CARRY_SUB_##n)                                 \
    ANYROW(MAD_LO_CC, IR_##ID, 0, CARRY_MAD_LO_##n) ANYROW(MADC_LO, IR_##ID, 0, CARRY_MAD_LO_##n)                      \
    ANYROW(MADC_LO_CC, IR_##ID, 0, CARRY_MAD_LO_##n) ANYROW(MAD_HI_CC, IR_##ID, 0, CARRY_MAD_HI_##n)                   \
    ANYROW(MADC_HI, IR_##ID, 0, CARRY_MAD_HI_##n) ANYROW(MADC_HI_CC, IR_##ID, 0, CARRY_MAD_HI_##n)
#define TYPE_b16 IR_B16
#define TYPE_b32 IR_B32
#define TYPE_b64 IR_B64
/* Loads by memory type and register size; the form tells the way of addressing. */
#define LOAD_ROWS(m, TM, r, TD)                                                     \
    ANYROW(LD, TYPE_##m, TYPE_##r, LD_##m##_##r##_any)                              \
    MIXEDROW(LD, TYPE_##m, TYPE_##r, 0, MEM_FAR, LD_##m##_##r##_far) \
    PARTROW(LD, TYPE_##m, TYPE_##r, MEM_FAR, LD_##m##_##r##_far_part) \
    MIXEDROW(LD, TYPE_##m, TYPE_##r, 0, MEM_FAR_S, LD_##m##_##r##_far_s)            \
    MIXEDROW(LD, TYPE_##m, TYPE_##r, 0, MEM_FAR_V, LD_##m##_##r##_far_v)            \
    MIXEDROW(LD, TYPE_##m, TYPE_##r, 0, MEM_FAR_INDEX, LD_##m##_##r##_index) \
    PARTROW(LD, TYPE_##m, TYPE_##r, MEM_FAR_INDEX, LD_##m##_##r##_index_part) \
    MIXEDROW(LD, TYPE_##m, TYPE_##r, 0, MEM_SHARED_32, LD_##m##_##r##_shared32) \
    PARTROW(LD, TYPE_##m, TYPE_##r, MEM_SHARED_32, LD_##m##_##r##_shared32_part) \
    MIXEDROW(LD, TYPE_##m, TYPE_##r, 0, MEM_SHARED_64, LD_##m##_##r##_shared64) \
    PARTROW(LD, TYPE_##m, TYPE_##r, MEM_SHARED_64, LD_##m##_##r##_shared64_part) \
    MIXEDROW(LD, TYPE_##m, TYPE_##r, 0, MEM_SHARED_32_V, LD_##m##_##r##_shared32_v) \
    MIXEDROW(LD, TYPE_##m, TYPE_##r, 0, MEM_SHARED_64_V, LD_##m##_##r##_shared64_v) \
    MIXEDROW(LD, TYPE_##m, TYPE_##r, 0, MEM_SHARED_S, LD_##m##_##r##_shared_s)      \
    MIXEDROW(LD, TYPE_##m, TYPE_##r, 0, MEM_LOCAL_S, LD_##m##_##r##_local_s)
#define STORE_ROWS(m, TM, r, TR)                                                  \
    ANYROW(ST, TYPE_##m, TYPE_##r, ST_##m##_##r##_any)                            \
    MIXEDROW(ST, TYPE_##m, TYPE_##r, 0, MEM_FAR, ST_##m##_##r##_far) \
    PARTROW(ST, TYPE_##m, TYPE_##r, MEM_FAR, ST_##m##_##r##_far_part) \
    MIXEDROW(ST, TYPE_##m, TYPE_##r, 0, MEM_FAR_V, ST_##m##_##r##_far_v)          \
    MIXEDROW(ST, TYPE_##m, TYPE_##r, 0, MEM_FAR_INDEX, ST_##m##_##r##_index) \
    PARTROW(ST, TYPE_##m, TYPE_##r, MEM_FAR_INDEX, ST_##m##_##r##_index_part) \
    MIXEDROW(ST, TYPE_##m, TYPE_##r, 0, MEM_SHARED_32, ST_##m##_##r##_shared32) \
    PARTROW(ST, TYPE_##m, TYPE_##r, MEM_SHARED_32, ST_##m##_##r##_shared32_part) \
    MIXEDROW(ST, TYPE_##m, TYPE_##r, 0, MEM_SHARED_64, ST_##m##_##r##_shared64) \
    PARTROW(ST, TYPE_##m, TYPE_##r, MEM_SHARED_64, ST_##m##_##r##_shared64_part) \
    MIXEDROW(ST, TYPE_##m, TYPE_##r, 0, MEM_SHARED_32_V, ST_##m##_##r##_shared32) \
    MIXEDROW(ST, TYPE_##m, TYPE_##r, 0, MEM_SHARED_64_V, ST_##m##_##r##_shared64) \
    MIXEDROW(ST, TYPE_##m, TYPE_##r, 0, MEM_LOCAL_S, ST_##m##_##r##_local_s)

static const struct handler_row rows_of_set[] = {
#define OP(id, shape, types, unit, effects, meaning, words) TABLE_SELECT(IS_HAND(meaning), shape, types, id, meaning)
#define FORM(...)
#include "ir/instructions.def"
#undef OP
#undef FORM
    PRED_ROWS(AND) PRED_ROWS(OR) PRED_ROWS(XOR) PRED_ROWS(NOT) PRED_ROWS(MOV) ROWS3(MOV, IR_B16, 0, 0, MOV_b16)
        ROWS3(MOV, IR_B32, 0, 0, MOV_b32) ROWS3(MOV, IR_B64, 0, 0, MOV_b64) ROWS3(SELP, IR_B16, 0, 0, SELP_b16)
            ROWS3(SELP, IR_B32, 0, 0, SELP_b32) ROWS3(SELP, IR_B64, 0, 0, SELP_b64) ROWS3(
                SLCT, IR_B16, IR_S32, 0, SLCT_b16_s32) ROWS3(SLCT, IR_B32, IR_S32, 0, SLCT_b32_s32)
                ROWS3(SLCT, IR_B64, IR_S32, 0, SLCT_b64_s32) ROWS3(SLCT, IR_B16, IR_F32, 0, SLCT_b16_f32) ROWS3(
                    SLCT, IR_B32, IR_F32, 0, SLCT_b32_f32) ROWS3(SLCT, IR_B64, IR_F32, 0,
                                                                 SLCT_b64_f32) ROWS3(LOP3, IR_B32, 0, 0, LOP3_b32)
                    ROWS3(DP4A, IR_U32, 0, 0, DP4A_u32) ROWS3(DP4A, IR_S32, 0, 0, DP4A_u32) ROWS3(
                        DP2A_LO, IR_U32, 0, 0, DP2A_LO_u32) ROWS3(DP2A_LO, IR_S32, 0, 0, DP2A_LO_u32)
                        ROWS3(DP2A_HI, IR_U32, 0, 0, DP2A_HI_u32) ROWS3(
                            DP2A_HI, IR_S32, 0,
                            0, DP2A_HI_u32) EACH_T_COMPARABLE(SETP_ROWS, x, x)
                            ROWS2(TESTP, IR_F32, 0, 0, TESTP_f32) ROWS2(TESTP, IR_F64, 0, 0, TESTP_f64) ANYROW(
                                SETP2,
                                IR_F16X2, 0, SETP2_f16x2_any) ANYROW(SETP2, IR_BF16X2, 0, SETP2_bf16x2_any)
                                EACH_T_INT32_64(CARRY_ROWS, x, x) EACH_CVT(CVT_ROWS) RINT_ROWS(
                                    f16) RINT_ROWS(bf16) RINT_ROWS(f32) RINT_ROWS(f64) EACH_NARROW_CVT(NARROW_CVT_ROWS)
                                    EACH_PAIR_CVT(PAIR_CVT_ROWS) EACH_PACK_SAT(PACK_SAT_ROWS) EACH_MIX(
                                        MIX_ROWS) FULLROW(CVT_PACK, IR_F16X2, IR_F32, 1, CVT_PACK_f16x2_full)
                                        FULLROW(CVT_PACK, IR_BF16X2, IR_F32, 1, CVT_PACK_bf16x2_full) ANYROW(
                                            VIDEO, IR_B32,
                                            0, VIDEO_any) ANYROW(VIDEO_SIMD, IR_B32, 0,
                                                                 VIDEO_any) EACH_PACKED(PACKED_ROWS)
                                            ANYROW(MOV, IR_B128, 0, MOV_b128_any) EACH_LOAD(LOAD_ROWS) EACH_STORE(
                                                STORE_ROWS) ANYROW(LD, IR_B128, IR_B128, LD_b128_any)
                                                ANYROW(ST, IR_B128, IR_B128, ST_b128_any) ANYROW(
                                                    ATOM, IR_B16, 0, ATOM_b16_any) ANYROW(ATOM, IR_B32, 0, ATOM_b32_any)
                                                    ANYROW(ATOM, IR_B64, 0, ATOM_b64_any) ANYROW(
                                                        ATOM, IR_B128,
                                                        0, ATOM_b128_any) ANYROW(SHFL, IR_B32, 0, SHFL_any)
                                                        ANYROW(VOTE_ALL, IR_PRED, 0, VOTE_ALL_any) ANYROW(
                                                            VOTE_ANY, IR_PRED,
                                                            0, VOTE_ANY_any) ANYROW(VOTE_UNI, IR_PRED, 0, VOTE_UNI_any)
                                                            ANYROW(VOTE_BALLOT, IR_B32, 0, VOTE_BALLOT_any)
                                                                ANYROW(MATCH_ANY, IR_B32, 0, MATCH_ANY_b32_any)
                                                                    ANYROW(MATCH_ANY, IR_B64, 0, MATCH_ANY_b64_any)
                                                                        ANYROW(MATCH_ALL, IR_B32, 0, MATCH_ALL_b32_any)
                                                                            ANYROW(MATCH_ALL, IR_B64, 0,
                                                                                   MATCH_ALL_b64_any)
                                                                                ANYROW(REDUX, IR_B32, 0, REDUX_any) ANYROW(REDUX, IR_F32, 0, REDUX_f32_any)
                                                                                    ANYROW(ELECT, IR_B32, 0, ELECT_any)
                                                                                        ANYROW(ACTIVEMASK, IR_B32, 0,
                                                                                               ACTIVEMASK_any)
                                                                                            ANYROW(WARP_SYNC, IR_B32, 0,
                                                                                                   WARP_SYNC_any)
#define HOT2(op, fn, n, T)                                             \
    MIXEDROW(op, TYPE_##n, 0, HAS_ENV_##n, KIND_B, op##_##n##_full_vs) \
    MIXEDROW(op, TYPE_##n, 0, HAS_ENV_##n, KIND_A, op##_##n##_full_sv)
#define HOT2W(op, fn, n, T, TD) MIXEDROW(op, TYPE_##n, 0, 0, KIND_B, op##_##n##_full_vs)
#define HOT_SHIFT(op, fn, n, T) MIXEDROW(op, TYPE_##n, 0, 0, KIND_B, op##_##n##_full_vs)
#define HOT3(op, fn, n, T)                                                       \
    MIXEDROW(op, TYPE_##n, 0, HAS_ENV_##n, KIND_C, op##_##n##_full_vvs)          \
    MIXEDROW(op, TYPE_##n, 0, HAS_ENV_##n, KIND_B, op##_##n##_full_vsv)          \
    MIXEDROW(op, TYPE_##n, 0, HAS_ENV_##n, KIND_A, op##_##n##_full_svv)          \
    MIXEDROW(op, TYPE_##n, 0, HAS_ENV_##n, KIND_B | KIND_C, op##_##n##_full_vss) \
    MIXEDROW(op, TYPE_##n, 0, HAS_ENV_##n, KIND_A | KIND_C, op##_##n##_full_svs) \
    MIXEDROW(op, TYPE_##n, 0, HAS_ENV_##n, KIND_A | KIND_B, op##_##n##_full_ssv)
#include "emu/hot.def"
#undef HOT2
#undef HOT2W
#undef HOT_SHIFT
#undef HOT3
};
/* clang-format on */

/* Named handlers: the full one, then the one for any lanes. */
#define BOTH(name)               \
    {                            \
        name##_full, name##_part \
    }
#define ONE(name)  \
    {              \
        name, name \
    }
static const emu_handler named_of_set[H_COUNT][2] = {
    [H_EXTRACT] = ONE(EXTRACT_any),
    [H_FRAME_ADDRESS] = ONE(FRAME_ADDRESS_any),
    [H_ISSPACEP] = ONE(ISSPACEP_any),
    [H_MAPA] = ONE(MAPA_any),
    [H_CTA_RANK] = ONE(CTA_RANK_any),
    [H_LD_SCALAR] = ONE(LD_SCALAR_any),
    [H_MMA] = ONE(MMA_any),
    [H_WMMA_LOAD] = ONE(WMMA_LOAD_any),
    [H_WMMA_STORE] = ONE(WMMA_STORE_any),
    [H_COUNT_INSTS] = BOTH(COUNT),
    [H_GUARD] = {GUARD_full, GUARD_any},
    [H_GUARD_S] = ONE(GUARD_S_any),
    [H_BROADCAST_16] = BOTH(BROADCAST_16),
    [H_BROADCAST_32] = BOTH(BROADCAST_32),
    [H_BROADCAST_64] = BOTH(BROADCAST_64),
    [H_BROADCAST_128] = ONE(BROADCAST_128_any),
    [H_BROADCAST_MASK] = ONE(BROADCAST_MASK_any),
    [H_BRA] = BOTH(BRA),
    [H_BRA_IF] = BOTH(BRA_IF),
    [H_BRA_IF_S] = BOTH(BRA_IF_S),
    [H_BRX] = ONE(BRX_any),
    [H_RECONV] = BOTH(RECONV),
    [H_CALL] = ONE(CALL_any),
    [H_RET] = ONE(RET_any),
    [H_EXIT] = ONE(EXIT_any),
    [H_TRAP] = ONE(TRAP_any),
    [H_YIELD] = ONE(YIELD_any),
    [H_HOLD] = BOTH(HOLD),
    [H_BAR] = ONE(BAR_any),
    [H_MOV_TID] = BOTH(MOV_TID),
    [H_MOV_SREG] = ONE(MOV_SREG_any),
    [H_ALLOCA] = ONE(ALLOCA_any),
    [H_FENCE] = ONE(FENCE_any),
    [H_CP_ASYNC] = ONE(CP_ASYNC_any),
    [H_TEXTURE] = ONE(TEXTURE_any),
    [H_CP_GROUP] = ONE(CP_GROUP_any),
    [H_BULK] = ONE(BULK_any),
    [H_BULK_GROUP] = ONE(BULK_GROUP_any),
    [H_MBAR] = ONE(MBAR_any),
    [H_MBAR_WAIT] = ONE(MBAR_WAIT_any),
    [H_LDMATRIX] = ONE(LDMATRIX_any),
    [H_STMATRIX] = ONE(STMATRIX_any),
    [H_MOVMATRIX] = ONE(MOVMATRIX_any),
    [H_ATOM_SHARED_ADD] = {ATOM_shared_add, ATOM_b32_any},
};

/* Run from pc until a handler stops.  While all lanes are active the full handlers run, mostly by chaining themselves.
 */
static void run_set(struct lanes *x, const struct uop *pc)
{
    x->stop = STOP_NONE;
    if (x->mask == ALL_LANES) {
        do {
            pc = pc->full(x, pc, x->rows, x->scalars);
        } while (pc != NULL);
        return;
    }
    do {
        pc = pc->part(x, pc, x->rows, x->scalars);
    } while (pc != NULL);
}

#define SET_NAME_(isa) emu_handlers_##isa
#define SET_NAME(isa)  SET_NAME_(isa)
#define TEXT_(isa)     #isa
#define TEXT(isa)      TEXT_(isa)

const struct handler_set SET_NAME(EMU_ISA) = {
    .isa = TEXT(EMU_ISA),
    .rows = rows_of_set,
    .n_rows = sizeof rows_of_set / sizeof rows_of_set[0],
    .named = named_of_set,
    .run = run_set,
};
