/*
 * The bits of mbarrier objects and states: what ptxas computes for compute capability 9.0, and that no count disturbs
 * another.
 */
#include "emu/sem.h"

#include <criterion/criterion.h>

static const uint32_t counts[] = {0, 1, 2, 511, 1u << 19, MBAR_COUNT_MOST - 1, MBAR_COUNT_MOST};
static const int32_t transactions[] = {-MBAR_COUNT_MOST, -1, 0, 1, 4096, MBAR_COUNT_MOST};

/* ptxas for mbarrier.init with count n: x = 2^20 - n; low word x << 1, high word x << 11. */
Test(mbarrier, fresh_object_has_the_bits_that_ptxas_computes)
{
    for (size_t i = 1; i < sizeof counts / sizeof counts[0]; i++) {
        const uint32_t x = 0x100000 - counts[i];
        const struct sem_mbar fresh = {.pending = counts[i], .expected = counts[i]};

        cr_assert_eq(sem_mbar_join(fresh), (uint64_t)(x << 11) << 32 | x << 1, "count %u", counts[i]);
    }
}

Test(mbarrier, pending_count_is_that_of_the_state)
{
    for (size_t i = 1; i < sizeof counts / sizeof counts[0]; i++) {
        const struct sem_mbar m = {.phase = true, .pending = counts[i], .expected = 7, .tx = -3};

        cr_assert_eq(sem_mbar_pending_b64(sem_mbar_join(m)), counts[i]);
        cr_assert_eq(sem_mbar_phase(sem_mbar_join(m)), 1);
    }
}

static void check_round_trip(struct sem_mbar m)
{
    const struct sem_mbar back = sem_mbar_split(sem_mbar_join(m));

    cr_assert_eq(back.phase, m.phase);
    cr_assert_eq(back.pending, m.pending, "%u, not %u pending", back.pending, m.pending);
    cr_assert_eq(back.expected, m.expected, "%u, not %u expected", back.expected, m.expected);
    cr_assert_eq(back.tx, m.tx, "%d, not %d transactions", back.tx, m.tx);
}

Test(mbarrier, every_count_comes_back)
{
    const size_t n = sizeof counts / sizeof counts[0], n_tx = sizeof transactions / sizeof transactions[0];

    for (size_t i = 0; i < 2 * n * n * n_tx; i++) {
        check_round_trip((struct sem_mbar){.phase = i % 2,
                                           .pending = counts[i / 2 % n],
                                           .expected = counts[i / 2 / n % n],
                                           .tx = transactions[i / 2 / n / n]});
    }
}
