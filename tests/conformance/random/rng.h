/*
 * Pseudo-random numbers: splitmix64.  A generated program depends on its seed and on the order of the draws alone, so
 * these functions never change.
 */
#ifndef RANDOM_RNG_H
#define RANDOM_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
    uint64_t state;
};

static inline uint64_t rng_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint64_t rng_next(struct rng *r)
{
    r->state += 0x9e3779b97f4a7c15u;
    return rng_mix(r->state);
}

/* A number below `n`; the tiny bias of the remainder does not matter here. */
static inline unsigned rng_below(struct rng *r, unsigned n)
{
    return (unsigned)((rng_next(r) >> 16) % n);
}

/* True `percent` times in a hundred. */
static inline bool rng_chance(struct rng *r, unsigned percent)
{
    return rng_below(r, 100) < percent;
}

/* Another stream of the same seed. */
static inline struct rng rng_stream(uint64_t seed, uint64_t stream)
{
    return (struct rng){rng_mix(seed + 0x9e3779b97f4a7c15u) ^ rng_mix(~stream)};
}

#endif
