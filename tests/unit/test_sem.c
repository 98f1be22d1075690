/*
 * Meanings of operations at their corners: what a GPU does where C, IEEE 754 or the host would do something else.
 *
 * Expected bits are recorded results of an H200, but for the formats it lacks (e2m1, e2m3, e3m2, ue8m0), which are
 * checked against their definition.  tests/vectors compares every recorded result; here each rule has a name.
 */
#include "emu/sem.h"

#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>

#define F32(bits) sem_as_f32(bits)
#define F64(bits) sem_as_f64(bits)

static void assert_bits32(uint32_t got, uint32_t want, const char *what)
{
    cr_assert_eq(got, want, "%s: got %08x, want %08x", what, got, want);
}

static void assert_bits64(uint64_t got, uint64_t want, const char *what)
{
    cr_assert_eq(got, want, "%s: got %016llx, want %016llx", what, (unsigned long long)got, (unsigned long long)want);
}

#define BITS32(want, expression) assert_bits32((uint32_t)(expression), want, #expression)
#define BITS64(want, expression) assert_bits64((uint64_t)(expression), want, #expression)
#define FLOAT(want, expression)  assert_bits32(sem_bits_f32(expression), want, #expression)
#define DOUBLE(want, expression) assert_bits64(sem_bits_f64(expression), want, #expression)

/* --- integers ---------------------------------------------------------------------------------------------- */

Test(sem_int, division_by_zero_is_all_ones)
{
    BITS32(0xffff, sem_div_u16(7, 0));
    BITS32(0xffffffff, sem_div_u32(7, 0));
    BITS32(0xffffffff, sem_div_s32(-7, 0));
    BITS64(UINT64_MAX, sem_div_u64(7, 0));
    BITS32(0xffffffff, sem_rem_u32(7, 0));
    BITS32(0xffffffff, sem_rem_s32(7, 0));
    BITS64(UINT64_MAX, sem_rem_s64(7, 0));
}

Test(sem_int, minimum_by_minus_one_wraps)
{
    BITS32(0x80000000, sem_div_s32(INT32_MIN, -1));
    BITS32(0, sem_rem_s32(INT32_MIN, -1));
    BITS64(SEM_SIGN_F64, sem_div_s64(INT64_MIN, -1));
    BITS32(0xffff8000, sem_div_s16(INT16_MIN, -1));
}

/* Narrow division goes through floating point; it must be exact whatever the host's rounding mode. */
Test(sem_int, division_is_exact_in_every_host_rounding_mode)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    static const uint32_t values[] = {1,      2,      3,          7,          10,         0x7fff,    0x8000,
                                      0xfffe, 0xffff, 0x7fffffff, 0x80000001, 0xfffffffe, 0xffffffff};
    const size_t n = sizeof values / sizeof values[0];

    for (size_t i = 0; i < 4 * n * n; i++) {
        uint32_t a = values[i / 4 / n], b = values[i / 4 % n];
        fesetround(modes[i % 4]);
        uint32_t q = sem_div_u32(a, b), r = sem_rem_u32(a, b);
        uint16_t q16 = sem_div_u16((uint16_t)a, (uint16_t)b);
        int32_t s = sem_div_s32((int32_t)a, (int32_t)b);
        fesetround(FE_TONEAREST);
        cr_assert_eq(q, a / b, "%x / %x", a, b);
        cr_assert_eq(r, a % b, "%x %% %x", a, b);
        cr_assert_eq(q16, (uint16_t)b == 0 ? 0xffff : (uint16_t)a / (uint16_t)b, "%x / %x in 16 bits", a, b);
        cr_assert_eq(s, (int64_t)(int32_t)a / (int32_t)b, "%d / %d", (int32_t)a, (int32_t)b);
    }
}

Test(sem_int, saturation_and_halves_of_products)
{
    BITS32(0x7fffffff, sem_add_sat_s32(2, 0x7ffffffe));
    BITS32(0x7fffffff, sem_sub_sat_s32(0, INT32_MIN));
    BITS32(0x80000000, sem_mad_hi_sat_s32(1, -1, INT32_MIN));
    BITS32(0xfffffffe, sem_mul_hi_u32(UINT32_MAX, UINT32_MAX));
    BITS32(0xfffe, sem_mul_hi_u16(0xffff, 0xffff));
    BITS32(1, sem_mul_lo_u16(0xffff, 0xffff));
    BITS64(0x4000000000000000, sem_mul_hi_s64(INT64_MIN, INT64_MIN));
    BITS64(0xfffffffe00000001, sem_mul_wide_u32(UINT32_MAX, UINT32_MAX));
    BITS32(0xffff8000, sem_neg_s16(INT16_MIN));
    BITS32(0x80000000, sem_abs_s32(INT32_MIN));
    BITS32(0, sem_min_relu_s32(0, -1));
    BITS32(0x00050000, sem_max_relu_s16x2(0x0005ffff, 0xfff7fff7));
    BITS32(0x0000ffff, sem_add_u16x2(0xffff8000, 0x00017fff));
}

Test(sem_int, dot_products_take_signs_per_operand)
{
    BITS32(4u * 255 * 255, sem_dp4a_u32(0xffffffff, 0xffffffff, 0, 0));
    BITS32(4, sem_dp4a_u32(0xffffffff, 0xffffffff, 0, 3));
    BITS32((uint32_t)(-4 * 255), sem_dp4a_s32(-1, -1, 0, 1));
    BITS32(2u * 65535 * 255 + 1, sem_dp2a_hi_u32(0xffffffff, 0xffff0000, 1, 0));
}

/* --- bits -------------------------------------------------------------------------------------------------- */

Test(sem_bits, shifts_count_the_whole_amount)
{
    BITS32(0, sem_shl_b16(0xffff, 16));
    BITS32(0, sem_shl_b32(0xffffffff, 32));
    BITS32(0, sem_shr_u32(0xffffffff, 0x100));
    BITS32(0xffffffff, sem_shr_s32(INT32_MIN, UINT32_MAX));
    BITS64(0, sem_shl_b64(1, 64));
    BITS32(0xffffffff, sem_shr_s16(-2, 40));
    BITS32(0x89abcdef, sem_shf_l_clamp_b32(0x89abcdef, 0x01234567, 99));
    BITS32(0x01234567, sem_shf_l_wrap_b32(0x89abcdef, 0x01234567, 32));
    BITS32(0x12345678, sem_shf_l_wrap_b32(0x89abcdef, 0x01234567, 4));
}

Test(sem_bits, fields_beyond_the_top)
{
    BITS32(0xffffffff, sem_bfe_s32(INT32_MIN, 40, 8));
    BITS32(0, sem_bfe_s32(INT32_MIN, 31, 0));
    BITS32(1, sem_bfe_u32(0x80000000, 31, 32));
    BITS32(5, sem_bfe_u32(5, 0x100, 0x120)); /* only eight bits of position and length count */
    BITS64(0, sem_bfe_u64(UINT64_MAX, 256, 8));
    BITS64(UINT64_MAX, sem_bfe_u64(UINT64_MAX, 0, 256));
    BITS32(0x12345678, sem_bfi_b32(0xff, 0x12345678, 32, 4));
    BITS32(0xf2345678, sem_bfi_b32(0xff, 0x12345678, 28, 8));
    BITS32(0xfffffff8, sem_szext_clamp_s32(8, 4));
    BITS32(0, sem_szext_wrap_u32(0xff, 32));
    BITS32(0xff, sem_szext_clamp_u32(0xff, 32));
    BITS32(0xfffffff0, sem_bmsk_clamp_b32(4, 99));
}

Test(sem_bits, searches)
{
    BITS32(0xffffffff, sem_bfind_u32(0));
    BITS32(0xffffffff, sem_bfind_s32(-1));
    BITS32(30, sem_bfind_s32(INT32_MIN));
    BITS32(0, sem_bfind_shiftamt_u32(0x80000000));
    BITS32(64, sem_clz_b64(0));
    BITS32(2, sem_fns_b32(0x16, 0, 2));
    BITS32(1, sem_fns_b32(0x16, 3, (uint32_t)-2));
    BITS32(0xffffffff, sem_fns_b32(0x16, 0, 4));
    BITS32(0x80000000, sem_brev_b32(1));
}

Test(sem_bits, lop3_is_its_table)
{
    for (unsigned lut = 0; lut < 256; lut++) {
        cr_assert_eq(sem_lop3_b32(0xf0, 0xcc, 0xaa, lut) & 0xff, lut);
    }
}

Test(sem_bits, permutes)
{
    BITS32(0x33445566, sem_prmt_b32(0x33221100, 0x77665544, 0x3456));
    BITS32(0xff00ff00, sem_prmt_b32(0x000000f0, 0x0000007f, 0x8c8c));
    BITS32(0x66554433, sem_prmt_f4e_b32(0x33221100, 0x77665544, 3));
    BITS32(0x66770011, sem_prmt_b4e_b32(0x33221100, 0x77665544, 1));
    BITS32(0x33221111, sem_prmt_ecl_b32(0x33221100, 0x77665544, 1));
    BITS32(0x11111100, sem_prmt_ecr_b32(0x33221100, 0x77665544, 1));
    BITS32(0x33223322, sem_prmt_rc16_b32(0x33221100, 0x77665544, 1));
}

/* --- carry chains ------------------------------------------------------------------------------------------ */

Test(sem_carry, the_flag_of_a_subtraction_is_not_borrow)
{
    unsigned flag = 0;

    BITS32(2, sem_sub_cc_u32(5, 3, 1, &flag));
    cr_assert_eq(flag, 1);
    BITS32(0xfffffffe, sem_sub_cc_u32(3, 5, 1, &flag));
    cr_assert_eq(flag, 0);
    BITS32(9, sem_sub_cc_u32(20, 10, flag, &flag)); /* subc subtracts NOT flag */
    BITS64(0, sem_add_cc_u64(UINT64_MAX, 0, 1, &flag));
    cr_assert_eq(flag, 1);
    BITS32(0xfffffffe, sem_mad_hi_cc_u32(UINT32_MAX, UINT32_MAX, UINT32_MAX, 1, &flag));
    cr_assert_eq(flag, 1);
}

/* --- f32, f64 ---------------------------------------------------------------------------------------------- */

Test(sem_float, f32_has_one_nan)
{
    FLOAT(0x7fffffff, sem_fadd_f32(F32(0xffc12345), 1.0f, 0));
    FLOAT(0x7fffffff, sem_fneg_f32(F32(0x7fc00000), 0));
    FLOAT(0x7fffffff, sem_fabs_f32(F32(0xff800001), 0));
    FLOAT(0x7fffffff, sem_fsqrt_f32(-1.0f, 0));
    FLOAT(0x7f800001, sem_cvt_f32_f32(F32(0x7f800001), SEM_RN, 0)); /* a move */
    FLOAT(0xff800001, sem_copysign_f32(-0.0f, F32(0x7f800001), 0));
    FLOAT(0, sem_fadd_f32(NAN, 1.0f, FP_SAT));
}

Test(sem_float, f64_keeps_a_payload)
{
    const double quiet = F64(0x7ff8000000000123), signalling = F64(0xfff0000000000456);

    DOUBLE(0xfff8000000000456, sem_fadd_f64(quiet, signalling, 0)); /* the second operand's, made quiet */
    DOUBLE(0x7ff8000000000123, sem_fadd_f64(quiet, 1.0, 0));
    DOUBLE(0x7ff8000000000123, sem_fdiv_f64(quiet, signalling, 0)); /* the first's */
    DOUBLE(0xfff8000000000456, sem_fma_f64(quiet, signalling, quiet, 0));
    DOUBLE(0x7ff8000000000123, sem_fma_f64(signalling, 1.0, quiet, 0));
    DOUBLE(0xfff8000000000000, sem_fmul_f64(INFINITY, 0.0, 0)); /* invalid: negative NaN */
    DOUBLE(0xfff8000000000456, sem_fabs_f64(signalling, 0));
    DOUBLE(0x7ff8000000000123, sem_fneg_f64(quiet, 0));
}

Test(sem_float, minimum_and_maximum)
{
    FLOAT(0x80000000, sem_fmin_f32(0.0f, -0.0f, 0));
    FLOAT(0, sem_fmax_f32(-0.0f, 0.0f, 0));
    FLOAT(0x3f800000, sem_fmin_f32(NAN, 1.0f, 0));
    FLOAT(0x3f800000, sem_fmax_f32(1.0f, NAN, 0));
    FLOAT(0x7fffffff, sem_fmax_f32(1.0f, NAN, FP_PASS_NAN));
    FLOAT(0xbf800000, sem_fmin_f32(-1.0f, 2.0f, FP_XORSIGN));
    FLOAT(0x40400000, sem_fmax3_f32(-3.0f, 2.0f, 1.0f, FP_ABS));
    DOUBLE(0x8000000000000000, sem_fmin_f64(0.0, -0.0, 0));
}

/* Flushing looks at the result rounded to 24 bits with unbounded exponent, not at the subnormal rounding. */
Test(sem_float, flush_after_rounding)
{
    const float below_one = F32(0x3f7fffff), smallest = F32(0x00800000);

    FLOAT(0x80000000, sem_fadd_f32(F32(0x80000001), -0.0f, FP_FTZ));
    FLOAT(0x007fffff, sem_fadd_f32(smallest, F32(0x80000001), 0));
    FLOAT(0, sem_fadd_f32(F32(0x00800001), F32(0x80800000), FP_FTZ));
    FLOAT(0x00800000, sem_fmul_f32(below_one, smallest, 0)); /* rounds up to the smallest normal */
    FLOAT(0, sem_fmul_f32(below_one, smallest, FP_FTZ));     /* but its 24 bits are below */
    FLOAT(0x7f800000, sem_fmul_f32(F32(0x7f7fffff), 2.0f, FP_FTZ));
}

Test(sem_float, rounding_follows_the_host)
{
    volatile float one = 1.0f, three = 3.0f;

    fesetround(FE_TOWARDZERO);
    const float down = sem_fdiv_f32(one, three, 0);
    fesetround(FE_UPWARD);
    const float up = sem_fdiv_f32(one, three, 0);
    fesetround(FE_TONEAREST);
    FLOAT(0x3eaaaaaa, down);
    FLOAT(0x3eaaaaab, up);
}

/* --- comparison -------------------------------------------------------------------------------------------- */

Test(sem_cmp, unordered)
{
    cr_assert(!sem_cmp_f32(NAN, 1.0f, CMP_NE, 0));
    cr_assert(sem_cmp_f32(NAN, 1.0f, CMP_NEU, 0));
    cr_assert(sem_cmp_f32(NAN, 1.0f, CMP_LTU, 0));
    cr_assert(sem_cmp_f64(1.0, 1.0, CMP_EQU, 0));
    cr_assert(sem_cmp_f16(0x7e00, 0, CMP_NAN_, 0));
    cr_assert(sem_cmp_f16(0x8000, 0, CMP_EQ, 0));
    cr_assert(!sem_cmp_f32(F32(1), 0.0f, CMP_EQ, 0));
    cr_assert(sem_cmp_f32(F32(1), 0.0f, CMP_EQ, FP_FTZ));
    cr_assert(sem_cmp_s32(-1, 1, CMP_HI));
    cr_assert(sem_cmp_u32(1, 0xffffffff, CMP_LO));
}

Test(sem_cmp, zero_is_normal)
{
    cr_assert(sem_testp_f32(-0.0f, CLASS_NORMAL));
    cr_assert(!sem_testp_f32(0.0f, CLASS_SUBNORMAL));
    cr_assert(sem_testp_f64(F64(1), CLASS_SUBNORMAL));
    cr_assert(!sem_testp_f64(INFINITY, CLASS_FINITE));
}

/* --- halves ------------------------------------------------------------------------------------------------ */

Test(sem_half, fma_rounds_once)
{
    /* 3 * 683/2048 = 1 + 2^-11 lies halfway between two f16; a c that f32 cannot hold beside it decides */
    BITS32(0x3c00, sem_fma_f16(0x4200, 0x3556, 0x0000, 0));
    BITS32(0x3c01, sem_fma_f16(0x4200, 0x3556, 0x0001, 0));
    BITS32(0x3c00, sem_fma_f16(0x4200, 0x3556, 0x8001, 0));
    /* 3 * 87/256 = 261/256 likewise for bf16; even f64 cannot hold 2^-133 beside it */
    BITS32(0x3f82, sem_fma_bf16(0x4040, 0x3eae, 0x0000, 0));
    BITS32(0x3f83, sem_fma_bf16(0x4040, 0x3eae, 0x0001, 0));
    BITS32(0x3f82, sem_fma_bf16(0x4040, 0x3eae, 0x8001, 0));
    BITS32(0x7fff, sem_fma_f16(0x7c00, 0x0000, 0x3c00, 0));
    BITS32(0, sem_fma_f16(0x3c00, 0xbc00, 0, FP_RELU));
    BITS32(0, sem_fma_oob_f16(0xfff7, 0x3c00, 0x7e00, 0));
}

Test(sem_half, products_below_the_f32_range)
{
    BITS32(0x1372, sem_fmul_bf16(0xa979, 0xa979, 0));
    BITS32(0, sem_fmul_bf16(0x0a84, 0x0a84, 0));
    BITS32(0x8000, sem_fmul_bf16(0x8a84, 0x0a84, 0));
}

Test(sem_half, every_f16_survives_widening)
{
    for (uint32_t h = 0; h < 0x10000; h++) {
        bool nan = (h & 0x7fff) > 0x7c00;
        uint16_t back = sem_f32_to_f16(sem_f16_to_f32((uint16_t)h));
        cr_assert_eq(back, nan ? 0x7fff : h, "%04x came back as %04x", h, back);
    }
}

/* --- conversion -------------------------------------------------------------------------------------------- */

Test(sem_cvt, float_to_integer_clamps)
{
    BITS32(0x7fffffff, sem_cvt_s32_f32(3e9f, SEM_RZ, 0));
    BITS32(0x80000000, sem_cvt_s32_f32(-INFINITY, SEM_RZ, 0));
    BITS32(0, sem_cvt_u32_f32(-1.0f, SEM_RN, 0));
    BITS32(0xff, sem_cvt_u8_f32(255.5f, SEM_RN, 0));
    BITS64(0x7fffffffffffffff, sem_cvt_s64_f64(1e19, SEM_RN, 0));
    BITS64(0xfffffffffffff800, sem_cvt_u64_f64(0x1.fffffffffffffp63, SEM_RN, 0));
}

Test(sem_cvt, nan_to_integer_depends_on_the_source)
{
    BITS32(0, sem_cvt_s32_f32(NAN, SEM_RN, 0));
    BITS64(SEM_SIGN_F64, sem_cvt_u64_f32(NAN, SEM_RN, 0));
    BITS32(0x80000000, sem_cvt_u32_f64(NAN, SEM_RN, 0));
    BITS32(0x8000, sem_cvt_u16_f64(NAN, SEM_RN, 0));
    BITS32(0xffffff80, sem_cvt_s8_f64(NAN, SEM_RN, 0));
}

Test(sem_cvt, rounds_by_its_mode_not_the_hosts)
{
    static const int hosts[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

    for (size_t i = 0; i < 4; i++) {
        volatile float half = 2.5f, minus_half = -2.5f, small = 0x1p-30f;
        fesetround(hosts[i]);
        int32_t rn = sem_cvt_s32_f32(half, SEM_RN, 0), rm = sem_cvt_s32_f32(minus_half, SEM_RM, 0);
        int32_t rp = sem_cvt_s32_f32(small, SEM_RP, 0), rz = sem_cvt_s32_f32(minus_half, SEM_RZ, 0);
        uint16_t up = sem_cvt_f16_f32(small, SEM_RP, 0), near = sem_cvt_f16_f32(small, SEM_RN, 0);
        uint32_t zero = sem_bits_f32(sem_f16_to_f32(0)), from_zero = sem_bits_f32(sem_cvt_f32_u64(0, SEM_RM, 0));
        fesetround(FE_TONEAREST);
        cr_assert_eq(rn, 2);
        cr_assert_eq(rm, -3);
        cr_assert_eq(rp, 1);
        cr_assert_eq(rz, -2);
        cr_assert_eq(up, 1);
        cr_assert_eq(near, 0);
        cr_assert_eq(zero, 0);
        cr_assert_eq(from_zero, 0);
    }
}

/* Zero stays +0 although compilers' own unsigned conversions can make it -0 when the host rounds down. */
Test(sem_cvt, integer_zero_is_positive)
{
    static const int hosts[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

    for (size_t i = 0; i < 4; i++) {
        volatile uint64_t zero = 0;
        fesetround(hosts[i]);
        uint64_t bits = sem_bits_f32(sem_cvt_f32_u32((uint32_t)zero, SEM_RM, 0));
        bits |= sem_bits_f32(sem_cvt_f32_u64(zero, SEM_RM, 0));
        bits |= sem_bits_f64(sem_cvt_f64_u32((uint32_t)zero, SEM_RM, 0));
        bits |= sem_bits_f64(sem_cvt_f64_u64(zero, SEM_RM, 0));
        bits |= sem_cvt_bf16_s32((int32_t)zero, SEM_RM, 0);
        bits |= sem_cvt_f16_u64(zero, SEM_RM, 0);
        fesetround(FE_TONEAREST);
        cr_assert_eq(bits, 0);
    }
}

Test(sem_cvt, integral_rounding_keeps_the_sign_of_zero)
{
    FLOAT(0x80000000, sem_cvt_rint_f32(-0.25f, SEM_RN, 0));
    FLOAT(0x80000000, sem_cvt_rint_f32(-0.5f, SEM_RP, 0));
    FLOAT(0x40000000, sem_cvt_rint_f32(2.5f, SEM_RN, 0));
    DOUBLE(0xc008000000000000, sem_cvt_rint_f64(-2.25, SEM_RM, 0));
    BITS32(0x7fff, sem_cvt_rint_f16(0xfc01, SEM_RZ, 0));
}

Test(sem_cvt, overflow_of_narrow_formats)
{
    BITS32(0x7c00, sem_cvt_f16_f32(65520.0f, SEM_RN, 0));
    BITS32(0x7bff, sem_cvt_f16_f32(1e30f, SEM_RZ, 0));
    BITS32(0x7bff, sem_cvt_f16_f32(INFINITY, SEM_RN, FP_SATFINITE));
    BITS32(0xfbff, sem_cvt_f16_f32(-1e30f, SEM_RP, 0));
    BITS32(0xfc00, sem_cvt_f16_s32(INT32_MIN, SEM_RN, 0));
    BITS32(0x5f80, sem_cvt_bf16_u64(UINT64_MAX, SEM_RN, 0));
    BITS32(0x5f7f, sem_cvt_bf16_u64(UINT64_MAX, SEM_RZ, 0));
    BITS32(0x7efe, sem_cvt_e4m3x2_f32(INFINITY, -INFINITY, SEM_RN, FP_SATFINITE));
    BITS32(0x7ffb, sem_cvt_e5m2x2_f32(NAN, -1e9f, SEM_RN, FP_SATFINITE));
}

Test(sem_cvt, tf32)
{
    BITS32(0x7fffe000, sem_cvt_tf32_f32(NAN, SEM_RN, 0));
    BITS32(0x7f800000, sem_cvt_tf32_f32(F32(0x7f800001), SEM_RNA, 0)); /* .rna just cuts a NaN */
    BITS32(0x7f7fe000, sem_cvt_tf32_f32(F32(0x7f800001), SEM_RNA, FP_SATFINITE));
    BITS32(0x3f802000, sem_cvt_tf32_f32(F32(0x3f801000), SEM_RNA, 0));
    BITS32(0x3f800000, sem_cvt_tf32_f32(F32(0x3f801000), SEM_RN, 0));
}

Test(sem_cvt, saturating_pack)
{
    BITS32(0x7fff8000, sem_cvt_pack_sat_s16(INT32_MAX, INT32_MIN, 0));
    BITS32(0x1234ff00, sem_cvt_pack_sat_u8(300, -5, 0x00001234));
    BITS32(0x23456786, sem_cvt_pack_sat_s2(1, -2, 0x12345678));
}

/* The formats below eight bits, by the OCP MX definition: magnitude code, mantissa bits, bias. */
static double element_value(uint32_t code, int mantissa, int bias)
{
    uint32_t exponent = code >> mantissa, fraction = code & ((1u << mantissa) - 1);

    return exponent == 0 ? ldexp(fraction, 1 - bias - mantissa)
                         : ldexp((1u << mantissa) + fraction, (int)exponent - bias - mantissa);
}

/* Every multiple of 1/64 of the finest unit: the nearest code wins, at a tie the even one, beyond the end the last. */
static uint32_t nearest_code(double x, int mantissa, int bias, uint32_t last)
{
    uint32_t best = 0;

    for (uint32_t code = 1; code <= last; code++) {
        double distance = fabs(element_value(code, mantissa, bias) - x);
        double other = fabs(element_value(best, mantissa, bias) - x);
        best = distance < other || (distance == other && code % 2 == 0) ? code : best;
    }
    return best;
}

#define CHECK_FORMAT(format, mantissa, bias, last, sign)                                         \
    Test(sem_cvt, format##_is_rounded_to_nearest_even)                                           \
    {                                                                                            \
        const double end = 1.25 * element_value(last, mantissa, bias);                           \
        for (double x = 0; x <= end; x += end / 4096) {                                          \
            uint32_t pair = sem_cvt_##format##x2_f32(-(float)x, (float)x, SEM_RN, FP_SATFINITE); \
            uint32_t want = nearest_code((double)(float)x, mantissa, bias, last);                \
            cr_assert_eq(pair &((sign)-1), want, "%g became %x", x, pair);                       \
        }                                                                                        \
        for (uint32_t code = 0; code <= (last); code++) {                                        \
            uint32_t half = sem_cvt_f16_##format(code, 0);                                       \
            cr_assert_eq(sem_f16_to_f32((uint16_t)half), element_value(code, mantissa, bias));   \
            cr_assert_eq(sem_cvt_f16_##format(code | (sign), 0), half | 0x8000);                 \
        }                                                                                        \
    }
CHECK_FORMAT(e2m1, 1, 1, 0x07, 0x08u)
CHECK_FORMAT(e2m3, 3, 1, 0x1f, 0x20u)
CHECK_FORMAT(e3m2, 2, 3, 0x1f, 0x20u)
CHECK_FORMAT(e4m3, 3, 7, 0x7e, 0x80u)
CHECK_FORMAT(e5m2, 2, 15, 0x7b, 0x80u)

Test(sem_cvt, ue8m0_is_a_power_of_two)
{
    BITS32(0x7f80, sem_cvt_ue8m0x2_f32(1.0f, 1.5f, SEM_RP, FP_SATFINITE));
    BITS32(0x7f7f, sem_cvt_ue8m0x2_f32(-1.0f, 1.5f, SEM_RZ, FP_SATFINITE));
    BITS32(0xfeff, sem_cvt_ue8m0x2_f32(INFINITY, NAN, SEM_RP, FP_SATFINITE));
    BITS32(0x0001, sem_cvt_ue8m0x2_f32(0x1p-127f, 0x1.8p-127f, SEM_RP, FP_SATFINITE));
    BITS32(0x3f800040, sem_cvt_bf16x2_ue8m0x2(0x7f00, SEM_RN, 0));
}

/* --- approximate functions --------------------------------------------------------------------------------- */

Test(sem_mufu, special_cases)
{
    FLOAT(0xff800000, sem_frcp_approx_f32(-0.0f, 0));
    FLOAT(0x7f800000, sem_frcp_approx_f32(F32(1), FP_FTZ));
    FLOAT(0x80000000, sem_fsqrt_approx_f32(-0.0f, 0));
    FLOAT(0x7fffffff, sem_frsqrt_approx_f32(-1.0f, 0));
    FLOAT(0x3f000000, sem_frsqrt_approx_f32(4.0f, 0)); /* powers of four are exact */
    FLOAT(0, sem_flg2_approx_f32(1.0f, 0));
    FLOAT(0xbf7ffffe, sem_flg2_approx_f32(0.5f, 0)); /* other powers of two are not */
    FLOAT(0x7fffffff, sem_fsin_approx_f32(INFINITY, 0));
    FLOAT(0x3f800000, sem_fcos_approx_f32(0.0f, 0));
    FLOAT(1, sem_ftanh_approx_f32(F32(1), 0));
    FLOAT(0x3f800000, sem_fex2_approx_f32(0.0f, 0));
    BITS32(0x7c00, sem_fex2_approx_f16(0x4c00, 0));
    DOUBLE(0x7fffffff00000000, sem_frcp_approx_f64(NAN, FP_FTZ));
    DOUBLE(0x3fe0000000000000, sem_frsqrt_approx_f64(4.0, 0));
}

/* The unit's square leaves out partial products below column 19; here it is by its definition. */
Test(sem_mufu, square_without_low_columns)
{
    for (uint32_t x = 0; x < 1u << 17; x++) {
        uint64_t sum = 0;
        for (int i = 0; i < 17; i++) {
            for (int j = i; j < 17 && (x >> i & 1); j++) {
                int column = i == j ? 2 * i : i + j + 1;
                sum += (x >> j & 1) && column >= 19 ? (uint64_t)1 << column : 0;
            }
        }
        cr_assert_eq(sem_mufu_square(sem_mufu_upper(x)), sum >> 19, "square of %x", x);
    }
}

/* --- video ------------------------------------------------------------------------------------------------- */

Test(sem_video, scalar)
{
    const struct sem_video add = {.op = VIDEO_ADD,
                                  .a_part = PART_B1,
                                  .b_part = PART_H0,
                                  .d_part = PART_B3,
                                  .elements = 1,
                                  .a_signed = true,
                                  .b_signed = true,
                                  .d_signed = true,
                                  .sat = true};
    const struct sem_video set = {.op = VIDEO_SET,
                                  .cmp = CMP_LT,
                                  .a_part = PART_WORD,
                                  .b_part = PART_WORD,
                                  .d_part = PART_WORD,
                                  .elements = 1,
                                  .a_signed = true,
                                  .b_signed = true,
                                  .second = SECOND_ADD};

    BITS32(0x7f345678, sem_video(&add, 0x00007f00, 0x00000010, 0x12345678));
    BITS32(0x7f345678, sem_video(&add, 0x00008000, 0x0000ff00, 0x12345678)); /* negative: the greatest, too */
    BITS32(8, sem_video(&set, 0xffffffff, 0, 7));
}

Test(sem_video, simd)
{
    const struct sem_video diff = {
        .op = VIDEO_ABSDIFF, .elements = 4, .mask = 0xf, .a_select = 0x3210, .b_select = 0x7654, .second = SECOND_ADD};
    const struct sem_video swap = {.op = VIDEO_MAX,
                                   .elements = 2,
                                   .mask = 0x2,
                                   .a_select = 0x01,
                                   .b_select = 0x32,
                                   .a_signed = true,
                                   .b_signed = true,
                                   .d_signed = true};

    BITS32(100 + 1 + 2 + 3 + 4, sem_video(&diff, 0x0a0b0c0d, 0x090d0f11, 100));
    BITS32(0x0005beef, sem_video(&swap, 0x00070005, 0x00040003, 0xdeadbeef));
}
