/*
 * What all handler bodies (exec_*.inc) stand on: how a handler is declared, how it reads and writes operands, and how
 * it hands over to the next uop.  Included by handlers.c only, once per instruction set.
 *
 * Each operation gets up to four handlers from one body: FULL (32 active lanes, rows), FULL_S (32 lanes, some sources
 * scalars), ANY (any lanes, any sources; through temporary rows and a blend) and SCALAR (computed once for all lanes).
 */
#ifndef EMU_EXEC_H
#define EMU_EXEC_H

#include "emu/code.h"
#include "emu/fpenv.h"
#include "emu/sem.h"
#include "emu/simd.h"
#include "emu/warp.h"
#include "ir/typesets.h"

#define HANDLER(name)                                                                           \
    static const struct uop *name(struct lanes *x __attribute__((unused)), const struct uop *u, \
                                  uint8_t *rows __attribute__((unused)), uint8_t *scalars __attribute__((unused)))

/* Full handlers go on by a tail call where the compiler guarantees one; else the run loop does it. */
#if defined(__clang__)
#define CHAIN(next) __attribute__((musttail)) return (next)->full(x, (next), rows, scalars)
#else
#define CHAIN(next) return (next)
#endif
#define NEXT return u + 1

#define likely(condition)   __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

/* Operands in place. */
#define ROW(type, offset)    ((type *)__builtin_assume_aligned(rows + (offset), 64))
#define SCALAR(type, offset) (*(type *)(scalars + (offset)))
#define MASK(offset)         (*(lane_mask *)(rows + (offset)))

/* A source as a row, whatever its kind: scalars are spread over a temporary. */
#define ANY_ROW(type, name, offset, kind)        \
    _Alignas(64) type name##_spread[WARP_LANES]; \
    const type *name = name##_spread;            \
    if (u->kinds & (kind)) {                     \
        const type value = SCALAR(type, offset); \
        for_each_lane (l)                        \
            name##_spread[l] = value;            \
    } else {                                     \
        name = ROW(const type, offset);          \
    }

/* A predicate source as a lane mask; uniform predicates are 0 or ~0 so both kinds read alike. */
#define ANY_MASK(offset, kind) (u->kinds & (kind) ? SCALAR(lane_mask, offset) : MASK(offset))

/* Store `value` in the active lanes of a row. */
#define DEFINE_BLEND(type)                                                   \
    static inline void blend_##type(type *d, const type *value, lane_mask m) \
    {                                                                        \
        if (m == ALL_LANES) {                                                \
            for_each_lane (l)                                                \
                d[l] = value[l];                                             \
            return;                                                          \
        }                                                                    \
        for_each_lane (l) {                                                  \
            const type fresh = value[l], old = d[l];                         \
            d[l] = (m >> l) & 1 ? fresh : old;                               \
        }                                                                    \
    }
DEFINE_BLEND(uint16_t)
DEFINE_BLEND(int16_t)
DEFINE_BLEND(uint32_t)
DEFINE_BLEND(int32_t)
DEFINE_BLEND(uint64_t)
DEFINE_BLEND(int64_t)
DEFINE_BLEND(float)
DEFINE_BLEND(double)
#define BLEND(d, value, m) \
    _Generic((d),                                                                                                      \
             uint16_t *: blend_uint16_t,                                                                               \
             int16_t *: blend_int16_t,                                                                                 \
             uint32_t *: blend_uint32_t,                                                                               \
             int32_t *: blend_int32_t,                                                                                 \
             uint64_t *: blend_uint64_t,                                                                               \
             int64_t *: blend_int64_t,                                                                                 \
             float *: blend_float,                                                                                     \
             double *: blend_double)(d, value, m)

static inline void blend_mask(lane_mask *d, lane_mask value, lane_mask m)
{
    *d = (*d & ~m) | (value & m);
}

#endif
