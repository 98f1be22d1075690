/*
 * The host's rounding mode around a loop over lanes.  Invariant: outside fp_enter .. fp_leave the host rounds to
 * nearest.
 */
#ifndef EMU_FPENV_H
#define EMU_FPENV_H

#include "emu/sem_env.h"

#if defined(__SSE2__)
#include <xmmintrin.h>

static inline unsigned fp_enter(unsigned mode)
{
    static const unsigned bits[] = {[SEM_RN] = 0x0000, [SEM_RZ] = 0x6000, [SEM_RM] = 0x2000, [SEM_RP] = 0x4000};
    unsigned saved = _mm_getcsr();

    _mm_setcsr((saved & ~0x6000u) | bits[mode]);
    __asm__ volatile("" ::: "memory");
    return saved;
}

static inline void fp_leave(unsigned saved)
{
    __asm__ volatile("" ::: "memory");
    _mm_setcsr(saved);
}
#else
#include <fenv.h>

static inline unsigned fp_enter(unsigned mode)
{
    static const int modes[] = {
        [SEM_RN] = FE_TONEAREST, [SEM_RZ] = FE_TOWARDZERO, [SEM_RM] = FE_DOWNWARD, [SEM_RP] = FE_UPWARD};
    unsigned saved = (unsigned)fegetround();

    fesetround(modes[mode]);
    __asm__ volatile("" ::: "memory");
    return saved;
}

static inline void fp_leave(unsigned saved)
{
    __asm__ volatile("" ::: "memory");
    fesetround((int)saved);
}
#endif

#endif
