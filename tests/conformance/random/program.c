/*
 * A whole program: shape, buffers, and the entry around its random statements.
 */
#include "program.h"

#include <stdio.h>
#include <string.h>

/* --- shape and buffers --------------------------------------------------------------------------------------------
 */
enum { STREAM_SHAPE = 1, STREAM_CODE, STREAM_INPUT };

struct shape shape_of(uint64_t seed)
{
    static const unsigned blocks[] = {64, 96, 32, 64, 96, 45, 33, 80};
    struct rng r = rng_stream(seed, STREAM_SHAPE);
    const unsigned block = blocks[rng_below(&r, 8)];

    return (struct shape){seed, block, 1 + rng_below(&r, 3)};
}

size_t shape_in_bytes(const struct shape *shape)
{
    return HEADER_BYTES + (size_t)shape->block * shape->grid * RECORD_BYTES;
}

size_t shape_out_bytes(const struct shape *shape)
{
    return (size_t)shape->block * shape->grid * RECORD_BYTES + ATOMIC_BYTES + (size_t)shape->grid * ATOMIC_WORDS * 4;
}

/* A float of the format with these fields: often a special value, else any. */
static uint64_t draw_float(struct rng *r, unsigned exponent_bits, unsigned fraction_bits)
{
    const uint64_t top = (uint64_t)1 << (exponent_bits + fraction_bits),
                   infinity = top - ((uint64_t)1 << fraction_bits);
    const uint64_t one = (infinity >> 1) & infinity, sign = rng_chance(r, 50) ? top : 0;
    const uint64_t fraction = rng_next(r) & (((uint64_t)1 << fraction_bits) - 1);
    const uint64_t unit = (uint64_t)1 << fraction_bits;

    switch (rng_below(r, 12)) {
    case 0:
        return sign;
    case 1:
        return sign | one;
    case 2:
        return sign | infinity;
    case 3:
        return sign | infinity | fraction | 1; /* a NaN */
    case 4:
        return sign | fraction; /* subnormal */
    case 5:
        return sign | (unit * (1 + rng_below(r, (1u << exponent_bits) - 2))); /* a power of two */
    case 6:
        return sign | (infinity - 1); /* the largest */
    case 7:
        return sign | unit | (fraction & 7); /* about the smallest normal */
    case 8:
    case 9:
        return sign | (one + unit * rng_below(r, exponent_bits) + fraction); /* moderate */
    default:
        return rng_next(r) & (2 * top - 1);
    }
}

static uint64_t draw_word(struct rng *r, unsigned bits)
{
    const uint64_t ones = ~(uint64_t)0 >> (64 - bits);

    switch (rng_below(r, 8)) {
    case 0:
        return rng_below(r, 3);
    case 1:
        return ones - rng_below(r, 3);
    case 2:
        return (((uint64_t)1 << (bits - 1)) - rng_below(r, 2)) & ones;
    case 3:
        return (uint64_t)1 << rng_below(r, bits);
    case 4:
        return rng_below(r, 100);
    default:
        return rng_next(r) & ones;
    }
}

/* Two halves, the low one first. */
static uint64_t draw_pair(struct rng *r, unsigned exponent, unsigned mantissa)
{
    const uint64_t low = draw_float(r, exponent, mantissa);

    return low | draw_float(r, exponent, mantissa) << 16;
}

static uint64_t draw_input(struct rng *r, enum pool pool)
{
    switch (pool) {
    case POOL_B16:
        return draw_word(r, 16);
    case POOL_B32:
        return draw_word(r, 32);
    case POOL_B64:
        return draw_word(r, 64);
    case POOL_F32:
        return draw_float(r, 8, 23);
    case POOL_F64:
        return draw_float(r, 11, 52);
    case POOL_F16:
        return draw_float(r, 5, 10);
    case POOL_BF16:
        return draw_float(r, 8, 7);
    case POOL_F16X2:
        return draw_pair(r, 5, 10);
    case POOL_BF16X2:
        return draw_pair(r, 8, 7);
    default:
        return rng_next(r) & 0xffffffff;
    }
}

static void fill_record(struct rng *r, uint8_t *record)
{
    for (unsigned pool = 0; pool < POOLS; pool++) {
        const struct pool_info *info = &pool_info[pool];
        const unsigned bytes = info->bytes != 0 ? info->bytes : 4, count = info->bytes != 0 ? info->count : 1;

        for (unsigned i = 0; i < count; i++) {
            const uint64_t value = draw_input(r, (enum pool)pool);

            memcpy(record + info->offset + i * bytes, &value, bytes);
        }
    }
}

void shape_fill(const struct shape *shape, uint8_t *in, uint8_t *out)
{
    struct rng r = rng_stream(shape->seed, STREAM_INPUT);
    const size_t records = (size_t)shape->block * shape->grid;

    memset(in, 0, shape_in_bytes(shape));
    memset(out, 0xee, shape_out_bytes(shape));
    for (unsigned i = 0; i < HEADER_BYTES / 4; i++) {
        const uint32_t word = (uint32_t)draw_word(&r, 32);

        memcpy(in + 4 * i, &word, 4);
    }
    for (size_t i = 0; i < records; i++) {
        fill_record(&r, in + HEADER_BYTES + i * RECORD_BYTES);
    }
    for (unsigned i = 0; i < ATOMIC_BYTES / 4; i++) {
        const uint32_t word = (uint32_t)rng_next(&r);

        memcpy(out + records * RECORD_BYTES + 4 * i, &word, 4);
    }
}

/* --- the entry ------------------------------------------------------------------------------------------------------
 */
void program_header(struct text *out)
{
    text_add(out, ".version 8.4\n.target sm_90\n.address_size 64\n\n");
}

void write_registers(struct generator *g)
{
    for (unsigned pool = 0; pool < POOLS; pool++) {
        text_add(g->out, "\t.reg %s %s<%u>;\n", pool_info[pool].declared, pool_info[pool].prefix,
                 pool_info[pool].count);
    }
    text_add(g->out, "\t.reg .pred %%tp<4>;\n\t.reg .b16 %%ts<3>, %%th<2>, %%tg<2>;\n\t.reg .b32 %%tr<4>, %%thh<2>, "
                     "%%tgg<2>, %%c<3>, %%me, %%z32;\n\t.reg .b16 %%z16;\n\t.reg .b64 %%td<3>, %%z64;\n\t.reg .f32 "
                     "%%tf<2>;\n\t.reg .f64 %%te<2>;\n");
    text_add(g->out, "\tmov.u32 %%z32, %%ctaid.z;\n\tcvt.u16.u32 %%z16, %%z32;\n\tcvt.u64.u32 %%z64, %%z32;\n");
}

static void write_addresses(const struct generator *g)
{
    struct text *out = g->out;
    const unsigned threads = g->shape.block * g->shape.grid;

    text_add(out, "\t.reg .b32 %%u<%u>, %%n, %%cta, %%rank, %%threads, %%slot, %%slots, %%local, %%acc;\n",
             HEADER_WORDS);
    text_add(out, "\t.reg .b64 %%mine, %%records, %%out, %%result, %%atomics, %%gslot, %%glocal;\n");
    text_add(out, "\t.shared .align 16 .b8 shared[%u];\n\t.shared .align 16 .b8 shared_acc[%u];\n",
             SLOT_BYTES * g->shape.block, 4 * ATOMIC_WORDS);
    text_add(out, "\t.local .align 16 .b8 stack[%u];\n", LOCAL_BYTES);
    text_add(out, "\tmov.u32 %%me, %%tid.x;\n\tmov.u32 %%cta, %%ctaid.x;\n\tmov.u32 %%n, %%ntid.x;\n"
                  "\tmad.lo.u32 %%rank, %%cta, %%n, %%me;\n");
    text_add(out, "\tmov.u32 %%tr0, %%nctaid.x;\n\tmul.lo.u32 %%threads, %%tr0, %%n;\n");
    text_add(out, "\tld.param.u64 %%td0, [in];\n\tcvta.to.global.u64 %%td0, %%td0;\n"
                  "\tld.global.v4.b32 {%%u0, %%u1, %%u2, %%u3}, [%%td0];\n");
    text_add(out, "\tadd.u64 %%records, %%td0, %u;\n\tmad.wide.u32 %%mine, %%rank, %u, %%records;\n", HEADER_BYTES,
             RECORD_BYTES);
    text_add(out,
             "\tld.param.u64 %%out, [out];\n\tcvta.to.global.u64 %%out, %%out;\n"
             "\tmad.wide.u32 %%result, %%rank, %u, %%out;\n\tadd.u64 %%atomics, %%out, %u;\n",
             RECORD_BYTES, threads * RECORD_BYTES);
    text_add(out,
             "\tmov.u32 %%slots, shared;\n\tmad.lo.u32 %%slot, %%me, %u, %%slots;\n\tmov.u32 %%local, stack;\n"
             "\tmov.u32 %%acc, shared_acc;\n",
             SLOT_BYTES);
    text_add(out, "\tcvt.u64.u32 %%gslot, %%slot;\n\tcvta.shared.u64 %%gslot, %%gslot;\n"
                  "\tcvt.u64.u32 %%glocal, %%local;\n\tcvta.local.u64 %%glocal, %%glocal;\n");
}

static void write_loads(const struct generator *g)
{
    for (unsigned pool = 1; pool < POOLS; pool++) {
        const struct pool_info *info = &pool_info[pool];

        for (unsigned i = 0; i < info->count; i++) {
            text_add(g->out, "\tld.global%s %s%u, [%%mine+%u];\n", info->type, info->prefix, i,
                     info->offset + i * info->bytes);
        }
    }
    text_add(g->out, "\tld.global.b32 %%tr0, [%%mine+%u];\n", pool_info[POOL_PRED].offset);
    for (unsigned i = 0; i < pool_info[POOL_PRED].count; i++) {
        text_add(g->out, "\tand.b32 %%tr1, %%tr0, %u;\n\tsetp.ne.u32 %%p%u, %%tr1, 0;\n", 1u << i, i);
    }
}

/* The thread's memory gets its first values; thread i of the first ones the i-th target of atomics on shared memory. */
static void write_first_values(const struct generator *g)
{
    for (unsigned i = 0; i < SLOT_BYTES; i += 16) {
        text_add(g->out, "\tst.shared.v4.b32 [%%slot+%u], {%%r%u, %%r%u, %%r%u, %%r%u};\n", i, i / 8, i / 8 + 1,
                 i / 8 + 2, i / 8 + 3);
    }
    for (unsigned i = 0; i < LOCAL_BYTES; i += 16) {
        text_add(g->out, "\tst.local.v4.b32 [stack+%u], {%%r%u, %%r%u, %%r%u, %%r%u};\n", i, i / 16, i / 16 + 1,
                 i / 16 + 2, i / 16 + 3);
    }
    text_add(g->out,
             "\tsetp.lt.u32 %%tp0, %%me, %u;\n\tmad.lo.u32 %%tr0, %%me, 4, %%acc;\n"
             "\t@%%tp0 st.shared.b32 [%%tr0], %%u1;\n\tbar.sync 0;\n",
             ATOMIC_WORDS);
}

static void write_stores(struct generator *g)
{
    for (unsigned pool = 1; pool < POOLS; pool++) {
        const struct pool_info *info = &pool_info[pool];

        for (unsigned i = 0; i < info->count; i++) {
            char name[NAME_BYTES];

            const struct statement s = begin_statement(g);

            snprintf(name, sizeof name, "%s%u", info->prefix, i);
            make_clean(g, (enum pool)pool, name, 0);
            text_add(g->out, "\tst.global%s [%%result+%u], %s;\n", info->type, info->offset + i * info->bytes, name);
            end_statement(g, s);
        }
    }
    const struct statement s = begin_statement(g);

    text_add(g->out, "\tmov.b32 %%tr0, 0;\n");
    for (unsigned i = 0; i < pool_info[POOL_PRED].count; i++) {
        text_add(g->out, "\tselp.b32 %%tr1, %u, 0, %%p%u;\n\tor.b32 %%tr0, %%tr0, %%tr1;\n", 1u << i, i);
    }
    text_add(g->out, "\tst.global.b32 [%%result+%u], %%tr0;\n", pool_info[POOL_PRED].offset);
    end_statement(g, s);
}

/* The targets of atomics on shared memory, behind those on global memory. */
static void write_accumulators(const struct generator *g)
{
    text_add(g->out,
             "\tbar.sync 0;\n\tsetp.lt.u32 %%tp0, %%me, %u;\n\tmad.lo.u32 %%tr0, %%me, 4, %%acc;\n"
             "\tld.shared.b32 %%tr1, [%%acc];\n\t@%%tp0 ld.shared.b32 %%tr1, [%%tr0];\n",
             ATOMIC_WORDS);
    text_add(g->out,
             "\tmad.lo.u32 %%tr2, %%cta, %u, %%me;\n\tmad.wide.u32 %%td0, %%tr2, 4, %%atomics;\n"
             "\t@%%tp0 st.global.b32 [%%td0+%u], %%tr1;\n\tret;\n}\n\n",
             ATOMIC_WORDS, ATOMIC_BYTES);
}

unsigned program_write(uint64_t seed, const struct selection *selection, struct text *out)
{
    struct generator g = {
        .rng = rng_stream(seed, STREAM_CODE), .out = out, .shape = shape_of(seed), .selection = selection};

    write_table(&g);
    write_functions(&g);
    text_add(out, ".visible .entry k%llu(.param .u64 in, .param .u64 out)\n{\n", (unsigned long long)seed);
    write_registers(&g);
    write_addresses(&g);
    write_loads(&g);
    write_first_values(&g);
    g.uniform = true;
    write_block(&g, 20 + rng_below(&g.rng, 90));
    write_stores(&g);
    write_accumulators(&g);
    return g.statements;
}
