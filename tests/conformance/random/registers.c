/*
 * The registers of programs: their kinds, how they are drawn, constants, and canonical NaNs.
 */
#include "program.h"

#include <stdio.h>
#include <string.h>

const struct pool_info pool_info[POOLS] = {
    [POOL_PRED] = {"%p", ".pred", ".pred", 0, 4, 152}, [POOL_B16] = {"%s", ".b16", ".b16", 2, 4, 156},
    [POOL_B32] = {"%r", ".b32", ".b32", 4, 8, 72},     [POOL_B64] = {"%d", ".b64", ".b64", 8, 5, 0},
    [POOL_F32] = {"%f", ".f32", ".f32", 4, 6, 104},    [POOL_F64] = {"%e", ".f64", ".f64", 8, 4, 40},
    [POOL_F16] = {"%h", ".b16", ".b16", 2, 3, 164},    [POOL_BF16] = {"%g", ".b16", ".b16", 2, 3, 170},
    [POOL_F16X2] = {"%hh", ".b32", ".b32", 4, 3, 128}, [POOL_BF16X2] = {"%gg", ".b32", ".b32", 4, 3, 140},
};

void draw_register(struct generator *g, enum pool pool, char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, "%s%u", pool_info[pool].prefix, rng_below(&g->rng, pool_info[pool].count));
}

void draw_different(struct generator *g, enum pool pool, unsigned count, char list[4 * NAME_BYTES])
{
    unsigned first = rng_below(&g->rng, pool_info[pool].count);
    size_t length = 0;

    for (unsigned i = 0; i < count; i++) {
        length += (size_t)snprintf(list + length, 4 * NAME_BYTES - length, "%s%s%u", i > 0 ? ", " : "",
                                   pool_info[pool].prefix, (first + i) % pool_info[pool].count);
    }
}

/* --- constants ------------------------------------------------------------------------------------------------------
 */
static uint64_t draw_integer(struct generator *g, unsigned bits)
{
    const uint64_t ones = ~(uint64_t)0 >> (64 - bits), top = (uint64_t)1 << (bits - 1);

    switch (rng_below(&g->rng, 8)) {
    case 0:
        return rng_below(&g->rng, 4);
    case 1:
        return rng_below(&g->rng, bits + 8);
    case 2:
        return ones - rng_below(&g->rng, 3);
    case 3:
        return (top - rng_below(&g->rng, 3)) & ones;
    case 4:
        return (uint64_t)1 << rng_below(&g->rng, bits);
    case 5:
        return rng_next(&g->rng) & 0xff;
    default:
        return rng_next(&g->rng) & ones;
    }
}

static uint32_t draw_f32(struct generator *g)
{
    static const uint32_t special[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40000000,
                                       0x7f800000, 0xff800000, 0x7fc00000, 0x00000001, 0x807fffff, 0x00800000,
                                       0x7f7fffff, 0x4b000000, 0x4f000000, 0x5f000000};

    return rng_chance(&g->rng, 60) ? special[rng_below(&g->rng, 16)] : (uint32_t)rng_next(&g->rng);
}

static uint64_t draw_f64(struct generator *g)
{
    static const uint64_t special[] = {0,
                                       0x8000000000000000,
                                       0x3ff0000000000000,
                                       0xbff0000000000000,
                                       0x3fe0000000000000,
                                       0x7ff0000000000000,
                                       0xfff0000000000000,
                                       0x7ff8000000000000,
                                       1,
                                       0x0010000000000000,
                                       0x7fefffffffffffff,
                                       0x41e0000000000000};

    return rng_chance(&g->rng, 60) ? special[rng_below(&g->rng, 12)] : rng_next(&g->rng);
}

void draw_immediate(struct generator *g, enum pool pool, char text[NAME_BYTES])
{
    switch (pool) {
    case POOL_B16:
        snprintf(text, NAME_BYTES, "0x%x", (unsigned)draw_integer(g, 16));
        break;
    case POOL_B32:
        snprintf(text, NAME_BYTES, "0x%x", (unsigned)draw_integer(g, 32));
        break;
    case POOL_B64:
        snprintf(text, NAME_BYTES, "0x%llx", (unsigned long long)draw_integer(g, 64));
        break;
    case POOL_F32:
        snprintf(text, NAME_BYTES, "0f%08X", draw_f32(g));
        break;
    case POOL_F64:
        snprintf(text, NAME_BYTES, "0d%016llX", (unsigned long long)draw_f64(g));
        break;
    default:
        draw_register(g, pool, text);
        break;
    }
}

/* --- NaNs ------------------------------------------------------------------------------------ */
static void clean_scalar(struct generator *g, const char *type, const char *bits, const char *canonical,
                         const char *prefix, char name[NAME_BYTES], unsigned slot)
{
    text_add(g->out, "\tsetp.nan.%s %%tp2, %s, %s;\n\tselp.%s %%t%s%u, %s, %s, %%tp2;\n", type, name, name, bits,
             prefix, slot, canonical, name);
    snprintf(name, NAME_BYTES, "%%t%s%u", prefix, slot);
}

static void clean_pair(struct generator *g, const char *type, const char *canonical, const char *prefix,
                       char name[NAME_BYTES], unsigned slot)
{
    text_add(g->out, "\tsetp.nan.%s %%tp2|%%tp3, %s, %s;\n\tmov.b32 {%%ts0, %%ts1}, %s;\n", type, name, name, name);
    text_add(g->out, "\tselp.b16 %%ts0, %s, %%ts0, %%tp2;\n\tselp.b16 %%ts1, %s, %%ts1, %%tp3;\n", canonical,
             canonical);
    text_add(g->out, "\tmov.b32 %%t%s%u, {%%ts0, %%ts1};\n", prefix, slot);
    snprintf(name, NAME_BYTES, "%%t%s%u", prefix, slot);
}

void make_clean(struct generator *g, enum pool pool, char name[NAME_BYTES], unsigned slot)
{
    switch (pool) {
    case POOL_F32:
        clean_scalar(g, "f32", "f32", "0f7FFFFFFF", "f", name, slot);
        break;
    case POOL_F64:
        clean_scalar(g, "f64", "f64", "0d7FFFFFFFFFFFFFFF", "e", name, slot);
        break;
    case POOL_F16:
        clean_scalar(g, "f16", "b16", "0x7fff", "h", name, slot);
        break;
    case POOL_BF16:
        clean_scalar(g, "bf16", "b16", "0x7fff", "g", name, slot);
        break;
    case POOL_F16X2:
        clean_pair(g, "f16x2", "0x7fff", "hh", name, slot);
        break;
    case POOL_BF16X2:
        clean_pair(g, "bf16x2", "0x7fff", "gg", name, slot);
        break;
    default:
        break;
    }
}

/* --- values the assembler cannot know --------------------------------------------------------- */
static bool pool_of_register(const char *name, enum pool *pool)
{
    for (unsigned p = POOL_B16; p < POOLS; p++) {
        const size_t length = strlen(pool_info[p].prefix);

        if (strncmp(name, pool_info[p].prefix, length) == 0 && name[length] >= '0' && name[length] <= '9') {
            *pool = (enum pool)p;
            return true;
        }
    }
    return false;
}

void hide_value(struct generator *g, const char *name)
{
    const int length = (int)strcspn(name, ".|,");
    enum pool pool;

    if (pool_of_register(name, &pool)) {
        text_add(g->out, "\txor.b%u %.*s, %.*s, %%z%u;\n", 8u * pool_info[pool].bytes, length, name, length, name,
                 8u * pool_info[pool].bytes);
    }
}
