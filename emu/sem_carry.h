/*
 * Meanings of the carry chains (add.cc, subc, mad.hi.cc ...).  The flag is explicit: `cin` 0 or 1, and `*cout`.
 *
 * The flag after a subtraction is NOT the borrow: it is the carry of a + ~b + cin, and subc adds it in the same
 * place. So sub.cc is called with cin = 1, add.cc and mad.cc with cin = 0, and mixed chains (sub.cc then addc) come
 * out as on the GPU.
 */
#ifndef EMU_SEM_CARRY_H
#define EMU_SEM_CARRY_H

#include "sem_int.h"

#define SEM_CARRY(t)                                                                                     \
    SEM sem_t_##t sem_add_cc_##t(sem_t_##t a, sem_t_##t b, unsigned cin, unsigned *cout)                 \
    {                                                                                                    \
        sem_m_##t partial = (sem_m_##t)a + (sem_m_##t)b;                                                 \
        sem_m_##t sum = partial + cin;                                                                   \
        *cout = (unsigned)(partial < (sem_m_##t)a) | (unsigned)(sum < partial);                          \
        return (sem_t_##t)sum;                                                                           \
    }                                                                                                    \
    SEM sem_t_##t sem_sub_cc_##t(sem_t_##t a, sem_t_##t b, unsigned cin, unsigned *cout)                 \
    {                                                                                                    \
        return sem_add_cc_##t(a, (sem_t_##t) ~b, cin, cout);                                             \
    }                                                                                                    \
    SEM sem_t_##t sem_mad_lo_cc_##t(sem_t_##t a, sem_t_##t b, sem_t_##t c, unsigned cin, unsigned *cout) \
    {                                                                                                    \
        return sem_add_cc_##t(sem_mul_lo_##t(a, b), c, cin, cout);                                       \
    }                                                                                                    \
    SEM sem_t_##t sem_mad_hi_cc_##t(sem_t_##t a, sem_t_##t b, sem_t_##t c, unsigned cin, unsigned *cout) \
    {                                                                                                    \
        return sem_add_cc_##t(sem_mul_hi_##t(a, b), c, cin, cout);                                       \
    }
SEM_CARRY(u32)
SEM_CARRY(s32)
SEM_CARRY(u64)
SEM_CARRY(s64)

#endif
