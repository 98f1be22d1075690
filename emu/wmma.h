/*
 * How wmma.load and wmma.store move a fragment: which element each lane's register holds (sem_mma.h has the layouts of
 * one tile, a fragment is a number of tiles), and in which pieces it is read and written.
 *
 * `outer` counts the rows of a and of an accumulator, the columns of b; `inner` counts k, or the accumulator's columns.
 * m8n32 is computed as the transposed product, so its accumulators have it the other way round.
 */
#ifndef EMU_WMMA_H
#define EMU_WMMA_H

#include <stdbool.h>
#include <stdint.h>

struct wmma_transfer {
    uint8_t bits; /* of an element */
    uint8_t k;
    uint8_t registers; /* of the fragment */
    bool accumulator;
    bool neighbours; /* elements that differ in `inner` by one are neighbours in memory, else those in `outer` */
    bool tall;       /* tiles are 16 rows or columns high, not 8 */
    bool wide;       /* accumulators: a second tile with the same rows */
    uint8_t outers;  /* size of the matrix along `outer`: registers beyond it repeat the first ones */
};

static inline unsigned wmma_per_register(const struct wmma_transfer *t)
{
    return t->bits >= 32 ? 1 : 32u / t->bits;
}

/* Element i of register r of the lane. */
static inline void wmma_place(const struct wmma_transfer *t, unsigned r, unsigned lane, unsigned i, unsigned *outer,
                              unsigned *inner)
{
    const unsigned g = lane / 4, q = lane % 4, e = wmma_per_register(t);

    if (t->accumulator) {
        const unsigned element = r * e + i;

        *outer = g + 8 * (t->wide ? element / 2 % 2 : element / 2);
        *inner = 2 * q + element % 2 + (t->wide ? 8 * (element / 4) : 0);
        return;
    }
    const unsigned pairs = t->k / (4 * e), own = r % (t->outers / 8u * pairs);

    if (t->tall) {
        *outer = own / (2 * pairs) * 16 + g + 8 * (own % 2);
        *inner = own / 2 % pairs * 4 * e + q * e + i;
    } else {
        *outer = own / pairs * 8 + g;
        *inner = own % pairs * 4 * e + q * e + i;
    }
}

/* A piece: what a lane reads or writes at once. */
struct wmma_piece {
    uint8_t bytes;
    uint8_t registers;    /* that it fills, 1 or 2 */
    uint8_t per_register; /* pieces that fill one register: 4 for single bytes */
    bool exchanged; /* 16-bit elements that are no neighbours: the lanes read lines of 8 by 8 blocks and exchange */
};

static inline struct wmma_piece wmma_piece_of(const struct wmma_transfer *t)
{
    const uint8_t reg = t->bits == 64 ? 8 : 4;

    if (t->neighbours) {
        const uint8_t pair = t->accumulator && t->bits >= 32 ? 2 : 1;

        return (struct wmma_piece){.bytes = (uint8_t)(reg * pair), .registers = pair, .per_register = 1};
    }
    if (t->bits == 8) {
        return (struct wmma_piece){.bytes = 1, .registers = 1, .per_register = 4};
    }
    return (struct wmma_piece){.bytes = reg, .registers = 1, .per_register = 1, .exchanged = t->bits == 16};
}

/* Where the piece of register r lies: on which line of memory, and how many elements from its start. */
static inline void wmma_piece_place(const struct wmma_transfer *t, const struct wmma_piece *p, unsigned r,
                                    unsigned part, unsigned lane, unsigned *line, unsigned *at)
{
    unsigned outer, inner;

    wmma_place(t, r, p->exchanged ? 0 : lane, part, &outer, &inner);
    if (p->exchanged) {
        *line = inner + lane / 4;
        *at = outer + 2 * (lane % 4);
    } else if (t->neighbours) {
        *line = outer;
        *at = inner;
    } else {
        *line = inner;
        *at = outer;
    }
}

#endif
