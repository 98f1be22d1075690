/*
 * The 64 bits of an mbarrier object, and of the states that arrivals return, as GPUs of compute capability 9.0 have
 * them.  ptxas computes the initial object and takes the pending count out of a state with ordinary arithmetic, which
 * shows where the counts are:
 *
 *   63      62 ... 43         42 ... 21   20 ... 1           0
 *   phase   2^20 - pending    tx-count    2^20 - expected    0
 *
 * Counts of arrivals are kept as what is missing to 2^20, modulo 2^20; the tx-count is signed.
 */
#ifndef EMU_SEM_MBARRIER_H
#define EMU_SEM_MBARRIER_H

#include <stdbool.h>
#include <stdint.h>

#include "sem_env.h"

enum { MBAR_COUNT_MOST = (1 << 20) - 1 };

/* An mbarrier taken apart. */
struct sem_mbar {
    bool phase; /* parity of the phase under way */
    uint32_t pending, expected;
    int32_t tx;
};

static inline uint64_t sem_mbar_missing(uint32_t count)
{
    return (0x100000u - count) & 0xfffffu;
}

static inline uint64_t sem_mbar_join(struct sem_mbar m)
{
    return (uint64_t)m.phase << 63 | sem_mbar_missing(m.pending) << 43 | ((uint64_t)(uint32_t)m.tx & 0x3fffffu) << 21 |
           sem_mbar_missing(m.expected) << 1;
}

static inline struct sem_mbar sem_mbar_split(uint64_t bits)
{
    /* The difference to 2^20, which itself stands for none. */
    const uint32_t pending = (uint32_t)sem_mbar_missing(bits >> 43 & 0xfffffu);
    const uint32_t expected = (uint32_t)sem_mbar_missing(bits >> 1 & 0xfffffu);

    return (struct sem_mbar){.phase = bits >> 63,
                             .pending = pending,
                             .expected = expected,
                             .tx = (int32_t)((uint32_t)(bits >> 21) << 10) >> 10};
}

/* Parity of the phase that a state belongs to. */
static inline unsigned sem_mbar_phase(uint64_t state)
{
    return state >> 63;
}

/* mbarrier.pending_count, as ptxas expands it. */
SEM uint32_t sem_mbar_pending_b64(uint64_t a)
{
    return 0x100000u - (uint32_t)(a >> 43 & 0xfffffu);
}

#endif
