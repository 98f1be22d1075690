/*
 * Bytes that somebody else wrote: a range, and reads from it that never leave it.  Numbers are little-endian and may
 * stand at any address.
 */
#ifndef RUNTIME_CUDA_BYTES_H
#define RUNTIME_CUDA_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct rt_bytes {
    const uint8_t *at;
    uint64_t size;
};

/* Whether `size` bytes from `offset` on lie inside. */
static inline bool rt_bytes_hold(struct rt_bytes b, uint64_t offset, uint64_t size)
{
    return offset <= b.size && size <= b.size - offset;
}

/* The part of `size` bytes from `offset` on; empty when it does not lie inside. */
static inline struct rt_bytes rt_bytes_part(struct rt_bytes b, uint64_t offset, uint64_t size)
{
    return rt_bytes_hold(b, offset, size) ? (struct rt_bytes){b.at + offset, size} : (struct rt_bytes){NULL, 0};
}

/* Copy `size` bytes from `offset` on to `to`; false, and `to` as it was, when they do not lie inside. */
static inline bool rt_bytes_copy(struct rt_bytes b, uint64_t offset, void *to, size_t size)
{
    if (!rt_bytes_hold(b, offset, size)) {
        return false;
    }
    memcpy(to, b.at + offset, size);
    return true;
}

/* The number at `offset`; 0 when it does not lie inside. */
static inline uint16_t rt_bytes_u16(struct rt_bytes b, uint64_t offset)
{
    uint8_t raw[2] = {0};

    rt_bytes_copy(b, offset, raw, sizeof raw);
    return (uint16_t)(raw[0] | raw[1] << 8);
}

static inline uint32_t rt_bytes_u32(struct rt_bytes b, uint64_t offset)
{
    return rt_bytes_u16(b, offset) | (uint32_t)rt_bytes_u16(b, offset + 2) << 16;
}

static inline uint64_t rt_bytes_u64(struct rt_bytes b, uint64_t offset)
{
    return rt_bytes_u32(b, offset) | (uint64_t)rt_bytes_u32(b, offset + 4) << 32;
}

/*
 * Whether a string starts at `offset` and ends, with its terminator, inside.  Only for tables of strings, which end
 * with a terminator: looking at that one keeps many long strings from costing the square of their length.
 */
static inline bool rt_bytes_hold_string(struct rt_bytes b, uint64_t offset)
{
    return offset < b.size && b.at[b.size - 1] == 0;
}

#endif
