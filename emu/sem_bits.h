/*
 * Meanings of logic, shifts and bit fields.
 *
 * Invariant: every shift amount of PTX is legal here.  sem_shl and sem_shr define amounts at and beyond the width,
 * and all other functions shift through them or by amounts bounded on the same line.
 */
#ifndef EMU_SEM_BITS_H
#define EMU_SEM_BITS_H

#include "sem_int.h"

/* clang-format off */
#define SEM_BITS_ALL(make, op, expr) make(op, b16, expr) make(op, b32, expr) make(op, b64, expr)
#define SEM_LOGIC1(op, t, expr) SEM sem_t_##t sem_##op##_##t(sem_t_##t a) { return (sem_t_##t)(expr); }
#define SEM_LOGIC2(op, t, expr) SEM sem_t_##t sem_##op##_##t(sem_t_##t a, sem_t_##t b) { return (sem_t_##t)(expr); }
SEM_BITS_ALL(SEM_LOGIC2, and, a & b)
SEM_BITS_ALL(SEM_LOGIC2, or, a | b)
SEM_BITS_ALL(SEM_LOGIC2, xor, a ^ b)
SEM_BITS_ALL(SEM_LOGIC1, not, ~a)
SEM_BITS_ALL(SEM_LOGIC1, cnot, a == 0)

/* Shifts by at least the width leave zeros or signs; the whole 32-bit amount counts. */
#define SEM_SHIFT(op, t, expr) SEM sem_t_##t sem_##op##_##t(sem_t_##t a, uint32_t n) { return (sem_t_##t)(expr); }
SEM_SHIFT(shl, b16, n > 15 ? 0 : (uint32_t)a << (n & 15))
SEM_SHIFT(shl, b32, n > 31 ? 0 : a << (n & 31))
SEM_SHIFT(shl, b64, n > 63 ? 0 : a << (n & 63))
SEM_SHIFT(shr, b16, n > 15 ? 0 : a >> (n & 15))
SEM_SHIFT(shr, b32, n > 31 ? 0 : a >> (n & 31))
SEM_SHIFT(shr, b64, n > 63 ? 0 : a >> (n & 63))
SEM_SHIFT(shr, u16, n > 15 ? 0 : a >> (n & 15))
SEM_SHIFT(shr, u32, n > 31 ? 0 : a >> (n & 31))
SEM_SHIFT(shr, u64, n > 63 ? 0 : a >> (n & 63))
SEM_SHIFT(shr, s16, a >> (n > 15 ? 15 : n))
SEM_SHIFT(shr, s32, a >> (n > 31 ? 31 : n))
SEM_SHIFT(shr, s64, a >> (n > 63 ? 63 : n))

/* Funnel shifts of the pair b:a.  With an amount of 32 one half shifts out, with 0 the other contributes nothing. */
#define SEM_FUNNEL(op, amount, expr)                                                                                   \
    SEM uint32_t sem_##op##_b32(uint32_t a, uint32_t b, uint32_t c) { uint32_t n = (amount); return (expr); }
SEM_FUNNEL(shf_l_clamp, c < 32 ? c : 32, sem_shl_b32(b, n) | sem_shr_b32(a, 32 - n))
SEM_FUNNEL(shf_l_wrap, c & 31, sem_shl_b32(b, n) | sem_shr_b32(a, 32 - n))
SEM_FUNNEL(shf_r_clamp, c < 32 ? c : 32, sem_shr_b32(a, n) | sem_shl_b32(b, 32 - n))
SEM_FUNNEL(shf_r_wrap, c & 31, sem_shr_b32(a, n) | sem_shl_b32(b, 32 - n))

/* Counts.  bfind looks at the highest bit that differs from the sign: negative numbers are inverted. */
#define SEM_COUNT(op, t, expr) SEM uint32_t sem_##op##_##t(sem_t_##t a) { return (uint32_t)(expr); }
SEM_COUNT(popc, b32, __builtin_popcount(a))
SEM_COUNT(popc, b64, __builtin_popcountll(a))
SEM_COUNT(clz, b32, a == 0 ? 32 : __builtin_clz(a))
SEM_COUNT(clz, b64, a == 0 ? 64 : __builtin_clzll(a))
SEM_COUNT(bfind, u32, 31 - sem_clz_b32(a))
SEM_COUNT(bfind, u64, 63 - sem_clz_b64(a))
SEM_COUNT(bfind_shiftamt, u32, a == 0 ? ~0u : sem_clz_b32(a))
SEM_COUNT(bfind_shiftamt, u64, a == 0 ? ~0u : sem_clz_b64(a))
SEM_COUNT(bfind, s32, sem_bfind_u32((uint32_t)(a ^ a >> 31)))
SEM_COUNT(bfind, s64, sem_bfind_u64((uint64_t)(a ^ a >> 63)))
SEM_COUNT(bfind_shiftamt, s32, sem_bfind_shiftamt_u32((uint32_t)(a ^ a >> 31)))
SEM_COUNT(bfind_shiftamt, s64, sem_bfind_shiftamt_u64((uint64_t)(a ^ a >> 63)))
/* clang-format on */

/* Position of the |offset|-th set bit counting up (or down for negative offsets) from base; ~0 if there is none. */
SEM uint32_t sem_fns_b32(uint32_t mask, uint32_t base, uint32_t offset)
{
    uint32_t step = (int32_t)offset < 0 ? ~0u : 1u;
    uint32_t wanted = (int32_t)offset < 0 ? 0 - offset : offset;

    if (wanted == 0) {
        return sem_shr_b32(mask, base) & 1 ? base : ~0u;
    }
    for (uint32_t position = base; position < 32; position += step) {
        wanted -= mask >> position & 1;
        if (wanted == 0) {
            return position;
        }
    }
    return ~0u;
}

SEM uint32_t sem_brev_b32(uint32_t a)
{
    a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
    a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
    a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(a);
}

SEM uint64_t sem_brev_b64(uint64_t a)
{
    return (uint64_t)sem_brev_b32((uint32_t)a) << 32 | sem_brev_b32((uint32_t)(a >> 32));
}

/*
 * Bit fields, for one width: `limit` masks position and length first (the 32-bit forms look at 8 bits of each
 * only).  A field may reach beyond the top: zeros follow there, or copies of the sign in bfe.s.  An empty field is
 * 0.
 */
#define SEM_FIELDS(n, limit)                                                                             \
    /* The low `len` bits of a, the rest zero or copies of bit len - 1. */                               \
    SEM uint##n##_t sem_low_u##n(uint##n##_t a, uint32_t len)                                            \
    {                                                                                                    \
        uint32_t unused = n - (len > n ? n : len);                                                       \
        return sem_shr_u##n(sem_shl_b##n(a, unused), unused);                                            \
    }                                                                                                    \
    SEM int##n##_t sem_low_s##n(int##n##_t a, uint32_t len)                                              \
    {                                                                                                    \
        uint32_t unused = (n - (len > n ? n : len)) & (n - 1);                                           \
        return len == 0 ? 0 : (int##n##_t)((uint##n##_t)a << unused) >> unused;                          \
    }                                                                                                    \
    SEM uint##n##_t sem_bfe_u##n(uint##n##_t a, uint32_t pos, uint32_t len)                              \
    {                                                                                                    \
        return sem_low_u##n(sem_shr_u##n(a, pos & (limit)), len & (limit));                              \
    }                                                                                                    \
    SEM int##n##_t sem_bfe_s##n(int##n##_t a, uint32_t pos, uint32_t len)                                \
    {                                                                                                    \
        return sem_low_s##n(sem_shr_s##n(a, pos & (limit)), len & (limit));                              \
    }                                                                                                    \
    SEM uint##n##_t sem_bfi_b##n(uint##n##_t a, uint##n##_t b, uint32_t pos, uint32_t len)               \
    {                                                                                                    \
        uint##n##_t field = sem_shl_b##n(sem_low_u##n((uint##n##_t) - 1, len & (limit)), pos & (limit)); \
        return (sem_shl_b##n(a, pos & (limit)) & field) | (b & ~field);                                  \
    }
SEM_FIELDS(32, 0xffu)
SEM_FIELDS(64, 0xffffffffu)

SEM uint32_t sem_szext_clamp_u32(uint32_t a, uint32_t n)
{
    return sem_low_u32(a, n);
}

SEM int32_t sem_szext_clamp_s32(int32_t a, uint32_t n)
{
    return sem_low_s32(a, n);
}

SEM uint32_t sem_szext_wrap_u32(uint32_t a, uint32_t n)
{
    return sem_low_u32(a, n & 31);
}

SEM int32_t sem_szext_wrap_s32(int32_t a, uint32_t n)
{
    return sem_low_s32(a, n & 31);
}

SEM uint32_t sem_bmsk_clamp_b32(uint32_t a, uint32_t b)
{
    return sem_shl_b32(sem_low_u32(~0u, b), a);
}

SEM uint32_t sem_bmsk_wrap_b32(uint32_t a, uint32_t b)
{
    return sem_shl_b32(sem_low_u32(~0u, b & 31), a & 31);
}

/* `low` where the bit of x is 0, `high` where it is 1. */
SEM uint32_t sem_mux(uint32_t x, uint32_t low, uint32_t high)
{
    return low ^ ((low ^ high) & x);
}

/* Bit (4a + 2b + c) of lut is the result for the bits a, b, c: a tree of seven multiplexers. */
SEM uint32_t sem_lop3_b32(uint32_t a, uint32_t b, uint32_t c, unsigned lut)
{
    uint32_t leaf[8];

    for (unsigned i = 0; i < 8; i++) {
        leaf[i] = 0u - (lut >> i & 1);
    }
    return sem_mux(a, sem_mux(b, sem_mux(c, leaf[0], leaf[1]), sem_mux(c, leaf[2], leaf[3])),
                   sem_mux(b, sem_mux(c, leaf[4], leaf[5]), sem_mux(c, leaf[6], leaf[7])));
}

/* Each selector nibble names one byte of b:a; its top bit asks for eight copies of that byte's sign instead. */
SEM uint32_t sem_prmt_b32(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t pair = (uint64_t)b << 32 | a;
    uint32_t result = 0;

    for (unsigned i = 0; i < 4; i++) {
        uint32_t select = c >> (4 * i);
        uint32_t byte = (uint32_t)(pair >> (8 * (select & 7))) & 0xff;
        uint32_t sign = (0u - (byte >> 7)) & 0xff;

        result |= (select & 8 ? sign : byte) << (8 * i);
    }
    return result;
}

/* The other modes of prmt are formulas for the four byte numbers, from the low bits s of c. */
#define SEM_PRMT_MODE(mode, byte0, byte1, byte2, byte3)                                          \
    SEM uint32_t sem_prmt_##mode##_b32(uint32_t a, uint32_t b, uint32_t c)                       \
    {                                                                                            \
        uint32_t s = c & 3;                                                                      \
        uint32_t select = ((byte0)&7) | ((byte1)&7) << 4 | ((byte2)&7) << 8 | ((byte3)&7) << 12; \
        return sem_prmt_b32(a, b, select);                                                       \
    }
SEM_PRMT_MODE(f4e, s, s + 1, s + 2, s + 3)
SEM_PRMT_MODE(b4e, s, s - 1, s - 2, s - 3)
SEM_PRMT_MODE(rc8, s, s, s, s)
SEM_PRMT_MODE(ecl, s, s > 1 ? s : 1, s > 2 ? s : 2, 3)
SEM_PRMT_MODE(ecr, 0, s < 1 ? s : 1, s < 2 ? s : 2, s)
SEM_PRMT_MODE(rc16, (s & 1) * 2, (s & 1) * 2 + 1, (s & 1) * 2, (s & 1) * 2 + 1)

#endif
