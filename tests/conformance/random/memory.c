/*
 * Statements that touch memory or other threads, and calls.
 */
#include "program.h"

#include <stdio.h>
#include <string.h>

/* --- the thread's own memory ---------------------------------------------------------------------------------------
 */
/* What memory may be read and written as. */
static const struct access {
    const char *type;
    uint8_t bytes;
    enum pool pool;
} accesses[] = {
    {".u8", 1, POOL_B16},  {".s8", 1, POOL_B32},  {".b8", 1, POOL_B16},    {".u16", 2, POOL_B16},
    {".s16", 2, POOL_B32}, {".b16", 2, POOL_F16}, {".b16", 2, POOL_BF16},  {".u32", 4, POOL_B32},
    {".s32", 4, POOL_B64}, {".b32", 4, POOL_B32}, {".b32", 4, POOL_F16X2}, {".b32", 4, POOL_BF16X2},
    {".f32", 4, POOL_F32}, {".u64", 8, POOL_B64}, {".b64", 8, POOL_B64},   {".f64", 8, POOL_F64},
};

/* Leaves the address of an element of `bytes` in the thread's slot or local memory in `address`. */
static void write_address(struct generator *g, unsigned bytes, const char **space, char address[NAME_BYTES])
{
    static const char *const spaces[] = {".shared", ".local", ""};
    const unsigned which = rng_below(&g->rng, 4), room = which == 0 ? SLOT_BYTES : LOCAL_BYTES;
    char index[NAME_BYTES];

    if (which == 3) { /* generic, of either */
        const bool shared = rng_chance(&g->rng, 50);

        *space = "";
        snprintf(address, NAME_BYTES, "%s+%u", shared ? "%gslot" : "%glocal",
                 bytes * rng_below(&g->rng, (shared ? SLOT_BYTES : LOCAL_BYTES) / bytes));
        return;
    }
    const bool shared = which == 0;

    *space = spaces[shared ? 0 : 1];
    if (rng_chance(&g->rng, 50)) {
        snprintf(address, NAME_BYTES, "%s+%u", shared ? "%slot" : "stack", bytes * rng_below(&g->rng, room / bytes));
        return;
    }
    draw_register(g, POOL_B32, index);
    text_add(g->out, "\tand.b32 %%tr0, %s, %u;\n\tadd.u32 %%tr0, %%tr0, %s;\n", index, (room - bytes) & ~(bytes - 1),
             shared ? "%slot" : "%local");
    snprintf(address, NAME_BYTES, "%%tr0");
}

/* The program's table in constant memory. */
static void write_constant_load(struct generator *g, const struct access *a)
{
    char index[NAME_BYTES], name[NAME_BYTES];

    draw_register(g, POOL_B32, index);
    draw_register(g, a->pool, name);
    if (rng_chance(&g->rng, 40)) {
        text_add(g->out, "\tld.const%s %s, [table%llu+%u];\n", a->type, name, (unsigned long long)g->shape.seed,
                 a->bytes * rng_below(&g->rng, CONST_BYTES / a->bytes));
    } else {
        text_add(g->out, "\tand.b32 %%tr0, %s, %u;\n\tcvt.u64.u32 %%td0, %%tr0;\n", index,
                 (CONST_BYTES - 1) & ~(a->bytes - 1u));
        text_add(g->out, "\tmov.u64 %%td1, table%llu;\n\tadd.u64 %%td0, %%td0, %%td1;\n",
                 (unsigned long long)g->shape.seed);
        text_add(g->out, "\tld.const%s %s, [%%td0];\n", a->type, name);
    }
    hide_value(g, name);
}

void write_table(struct generator *g)
{
    text_add(g->out, ".const .align 8 .b32 table%llu[%u] = {", (unsigned long long)g->shape.seed, CONST_BYTES / 4);
    for (unsigned i = 0; i < CONST_BYTES / 4; i++) {
        text_add(g->out, "%s0x%x", i > 0 ? ", " : "", (unsigned)rng_next(&g->rng));
    }
    text_add(g->out, "};\n");
}

void write_memory(struct generator *g)
{
    const struct access *a = &accesses[rng_below(&g->rng, sizeof accesses / sizeof *accesses)];
    const bool vector = a->bytes == 4 && a->pool <= POOL_F32 && a->pool != POOL_B64 && rng_chance(&g->rng, 30);
    const unsigned count = vector ? 2u << rng_below(&g->rng, 2) : 1;
    char address[NAME_BYTES], list[4 * NAME_BYTES];
    const char *space;

    if (rng_chance(&g->rng, 12)) {
        write_constant_load(g, a);
        return;
    }
    write_address(g, a->bytes * count, &space, address);
    draw_different(g, a->pool, count, list);
    if (rng_chance(&g->rng, 50)) {
        text_add(g->out, vector ? "\tld%s.v%u%s {%s}, [%s];\n" : "\tld%s%.0u%s %s, [%s];\n", space, vector ? count : 0,
                 a->type, list, address);
        hide_value(g, list);
        return;
    }
    if (!vector) {
        make_clean(g, a->pool, list, 0);
    } else if (a->pool == POOL_F32) {
        draw_different(g, POOL_B32, count, list); /* bits: NaNs of floats must not get into memory */
    }
    text_add(g->out, vector ? "\tst%s.v%u%s [%s], {%s};\n" : "\tst%s%.0u%s [%s], %s;\n", space, vector ? count : 0,
             vector ? ".b32" : a->type, address, list);
}

/* --- other threads -------------------------------------------------------------------------------------------------
 */
static void write_barrier_reduction(struct generator *g)
{
    char result[NAME_BYTES], source[NAME_BYTES];

    draw_register(g, POOL_PRED, source);
    if (rng_chance(&g->rng, 40)) {
        draw_register(g, POOL_B32, result);
        text_add(g->out, "\tbar.red.popc.u32 %s, 0, %s;\n", result, source);
    } else {
        draw_register(g, POOL_PRED, result);
        text_add(g->out, "\tbar.red.%s.pred %s, 0, %s;\n", rng_chance(&g->rng, 50) ? "and" : "or", result, source);
    }
}

/* Read another thread's slot between two barriers. */
void write_exchange(struct generator *g)
{
    char name[NAME_BYTES];

    if (!g->uniform) {
        write_atomic(g);
        return;
    }
    if (rng_chance(&g->rng, 30)) {
        write_barrier_reduction(g);
        return;
    }
    text_add(g->out, "\tadd.u32 %%tr0, %%me, %u;\n\trem.u32 %%tr0, %%tr0, %%n;\n", 1 + rng_below(&g->rng, 95));
    text_add(g->out, "\tmad.lo.u32 %%tr0, %%tr0, %u, %%slots;\n\tbar.sync 0;\n", SLOT_BYTES);
    draw_register(g, POOL_B64, name);
    text_add(g->out, "\tld.shared.b64 %s, [%%tr0+%u];\n", name, 8 * rng_below(&g->rng, SLOT_BYTES / 8));
    draw_register(g, POOL_B32, name);
    text_add(g->out, "\tld.shared.b32 %s, [%%tr0+%u];\n\tbar.sync 0;\n", name, 4 * rng_below(&g->rng, SLOT_BYTES / 4));
}

/* Each target knows one operation, so their order does not matter; old values are not used. */
void write_atomic(struct generator *g)
{
    static const char *const words[ATOMIC_WORDS] = {"add.u32", "min.s32", "max.s32", "min.u32",
                                                    "max.u32", "and.b32", "or.b32",  "xor.b32"};
    static const char *const longs[ATOMIC_LONGS] = {"add.u64", "min.s64", "max.u64", "and.b64", "or.b64", "xor.b64"};
    const bool wide = rng_chance(&g->rng, 40), shared = !wide && rng_chance(&g->rng, 50), old = rng_chance(&g->rng, 30);
    const unsigned target = rng_below(&g->rng, wide ? ATOMIC_LONGS : ATOMIC_WORDS);
    const unsigned offset = wide ? 4 * ATOMIC_WORDS + 8 * target : 4 * target;
    char value[NAME_BYTES];

    draw_register(g, wide ? POOL_B64 : POOL_B32, value);
    text_add(g->out, "\t%s.%s.%s ", old ? "atom" : "red", shared ? "shared" : "global",
             wide ? longs[target] : words[target]);
    if (old) {
        text_add(g->out, "%s, ", wide ? "%td1" : "%tr1");
    }
    text_add(g->out, "[%s+%u], %s;\n", shared ? "%acc" : "%atomics", offset, value);
}

/* --- other lanes ---------------------------------------------------------------------------------------------------
 */
static void write_shuffle(struct generator *g, const char *mask)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    static const char *const clamps[] = {"0x0", "0x1f", "0x1f", "0x1f"};
    const unsigned mode = rng_below(&g->rng, 4);
    char d[NAME_BYTES], p[NAME_BYTES], a[NAME_BYTES], b[NAME_BYTES], c[NAME_BYTES];

    draw_register(g, POOL_B32, d);
    draw_register(g, POOL_PRED, p);
    draw_register(g, POOL_B32, a);
    draw_register(g, POOL_B32, b);
    draw_register(g, POOL_B32, c);
    if (rng_chance(&g->rng, 50)) {
        snprintf(b, sizeof b, "%u", rng_below(&g->rng, 32));
    }
    if (rng_chance(&g->rng, 60)) {
        snprintf(c, sizeof c, "%s", clamps[mode]);
    } else if (rng_chance(&g->rng, 50)) { /* segments of 2 to 16 lanes */
        snprintf(c, sizeof c, "0x%x", (32u - (2u << rng_below(&g->rng, 4))) << 8 | (mode == 0 ? 0 : 0x1f));
    }
    text_add(g->out, "\tshfl.sync.%s.b32 %s|%s, %s, %s, %s, %s;\n", modes[mode], d, p, a, b, c, mask);
}

static void write_vote(struct generator *g, const char *mask)
{
    static const char *const modes[] = {"all", "any", "uni"};
    char d[NAME_BYTES], a[NAME_BYTES];

    draw_register(g, POOL_PRED, a);
    if (rng_chance(&g->rng, 40)) {
        draw_register(g, POOL_B32, d);
        text_add(g->out, "\tvote.sync.ballot.b32 %s, %s, %s;\n", d, a, mask);
    } else {
        draw_register(g, POOL_PRED, d);
        text_add(g->out, "\tvote.sync.%s.pred %s, %s, %s;\n", modes[rng_below(&g->rng, 3)], d, a, mask);
    }
}

static void write_match(struct generator *g, const char *mask)
{
    const bool wide = rng_chance(&g->rng, 40);
    char d[NAME_BYTES], p[NAME_BYTES], a[NAME_BYTES];

    draw_register(g, POOL_B32, d);
    draw_register(g, POOL_PRED, p);
    draw_register(g, wide ? POOL_B64 : POOL_B32, a);
    if (rng_chance(&g->rng, 50)) {
        text_add(g->out, "\tmatch.any.sync.b%d %s, %s, %s;\n", wide ? 64 : 32, d, a, mask);
    } else {
        text_add(g->out, "\tmatch.all.sync.b%d %s|%s, %s, %s;\n", wide ? 64 : 32, d, p, a, mask);
    }
}

static void write_reduction(struct generator *g, const char *mask)
{
    static const char *const modes[] = {"add.u32", "add.s32", "min.u32", "min.s32", "max.u32",
                                        "max.s32", "and.b32", "or.b32",  "xor.b32"};
    char d[NAME_BYTES], a[NAME_BYTES];

    draw_register(g, POOL_B32, d);
    draw_register(g, POOL_B32, a);
    text_add(g->out, "\tredux.sync.%s %s, %s, %s;\n", modes[rng_below(&g->rng, 9)], d, a, mask);
}

/* An instruction that all lanes of `mask` and no others execute. */
static void write_collective(struct generator *g, const char *mask, bool all_lanes)
{
    char d[NAME_BYTES], p[NAME_BYTES];

    switch (rng_below(&g->rng, 5)) {
    case 0:
        write_vote(g, mask);
        break;
    case 1:
        write_match(g, mask);
        break;
    case 2:
        write_reduction(g, mask);
        break;
    case 3:
        draw_register(g, POOL_B32, d);
        draw_register(g, POOL_PRED, p);
        text_add(g->out, "\telect.sync %s|%s, %s;\n", d, p, mask);
        break;
    default:
        if (all_lanes) { /* else the source lane might not be there */
            write_shuffle(g, mask);
        } else {
            write_vote(g, mask);
        }
        break;
    }
}

/* Some of the warp's lanes take a branch and work together there. */
static void write_partial(struct generator *g)
{
    const unsigned label = g->labels++, count = 1 + rng_below(&g->rng, 3);
    char p[NAME_BYTES];

    draw_register(g, POOL_PRED, p);
    text_add(g->out, "\tnot.pred %%tp1, %s;\n\tvote.sync.ballot.b32 %%tr3, %s, 0xffffffff;\n", p, p);
    text_add(g->out, "\t@%%tp1 bra PART%u;\n", label);
    for (unsigned i = 0; i < count; i++) {
        write_collective(g, "%tr3", false);
    }
    text_add(g->out, "PART%u:\n", label);
}

void write_warp(struct generator *g)
{
    if (!g->uniform || g->shape.block % 32 != 0) {
        write_instruction(g, "");
    } else if (rng_chance(&g->rng, 25)) {
        write_partial(g);
    } else {
        write_collective(g, "0xffffffff", true);
    }
}

/* --- functions -----------------------------------------------------------------------------------------------------
 */
/* Parameters of the functions of a program, and their result, the last; alike for all, so that a register can name any.
 */
enum { MOST_PARAMS = 4, STREAM_SIGNATURE = 100 };
static unsigned signature(uint64_t seed, enum pool params[MOST_PARAMS + 1])
{
    static const enum pool kinds[] = {POOL_B32, POOL_B64, POOL_F32, POOL_F64, POOL_B32, POOL_B16};
    struct rng r = rng_stream(seed, STREAM_SIGNATURE);
    const unsigned count = 1 + rng_below(&r, MOST_PARAMS);

    for (unsigned i = 0; i <= count; i++) {
        params[i] = kinds[rng_below(&r, 6)];
    }
    return count;
}

/* Call the function whose address lanes choose for themselves; what is called like in a prototype. */
static void write_indirect(struct generator *g, const enum pool params[], unsigned count, const char *arguments)
{
    const unsigned long long seed = g->shape.seed;
    const unsigned label = g->labels++;
    char name[NAME_BYTES];

    draw_register(g, POOL_PRED, name);
    text_add(g->out, "\tmov.u64 %%td0, f%llu_0;\n\tmov.u64 %%td1, f%llu_%u;\n\tselp.b64 %%td0, %%td0, %%td1, %s;\n",
             seed, seed, g->functions - 1, name);
    text_add(g->out, "PROTOTYPE%u:\n\t.callprototype (.param %s _) _ (", label, pool_info[params[count]].type);
    for (unsigned i = 0; i < count; i++) {
        text_add(g->out, "%s.param %s _", i > 0 ? ", " : "", pool_info[params[i]].type);
    }
    text_add(g->out, ");\n\tcall (result), %%td0, (%s), PROTOTYPE%u;\n", arguments, label);
}

void write_call(struct generator *g)
{
    enum pool params[MOST_PARAMS + 1];
    char name[NAME_BYTES], arguments[NAME_BYTES] = "";

    if (g->functions == 0) {
        write_instruction(g, "");
        return;
    }
    const unsigned count = signature(g->shape.seed, params);

    text_add(g->out, "\t{\n\t.param %s result;\n", pool_info[params[count]].type);
    for (unsigned i = 0; i < count; i++) {
        draw_register(g, params[i], name);
        text_add(g->out, "\t.param %s a%u;\n\tst.param%s [a%u], %s;\n", pool_info[params[i]].type, i,
                 pool_info[params[i]].type, i, name);
        snprintf(arguments + strlen(arguments), sizeof arguments - strlen(arguments), "%sa%u", i > 0 ? ", " : "", i);
    }
    if (rng_chance(&g->rng, 40)) {
        write_indirect(g, params, count, arguments);
    } else {
        text_add(g->out, "\tcall.uni (result), f%llu_%u, (%s);\n", (unsigned long long)g->shape.seed,
                 rng_below(&g->rng, g->functions), arguments);
    }
    draw_register(g, params[count], name);
    text_add(g->out, "\tld.param%s %s, [result];\n\t}\n", pool_info[params[count]].type, name);
}

/* The first register of each pool that can be a parameter from a parameter, or else from one that was. */
static void write_arguments(struct generator *g, const enum pool params[], unsigned count)
{
    text_add(g->out, "\tmov.b64 %%d0, 0x123456789abcdef;\n\tmov.b32 %%r0, 0x7fff0001;\n\tmov.b16 %%s0, 0x3c01;\n");
    text_add(g->out, "\tmov.f32 %%f0, 0f3FC00000;\n\tmov.f64 %%e0, 0d3FF8000000000000;\n");
    for (unsigned i = 0; i < count; i++) {
        text_add(g->out, "\tld.param%s %s%u, [a%u];\n", pool_info[params[i]].type, pool_info[params[i]].prefix, 0, i);
    }
}

/* Every register of a function gets a value that depends on its arguments. */
static void write_derived(struct generator *g)
{
    static const char *const first[] = {"%d0", "%r0", "%s0", "%f0", "%e0"};

    for (unsigned i = 0; i < sizeof first / sizeof *first; i++) {
        hide_value(g, first[i]);
    }
    for (unsigned i = 1; i < MOST_REGISTERS; i++) {
        text_add(g->out, "\tadd.u32 %%r%u, %%r%u, 0x%x;\n", i, i - 1, (unsigned)rng_next(&g->rng));
    }
    for (unsigned i = 1; i < pool_info[POOL_B64].count; i++) {
        text_add(g->out, "\tmad.wide.u32 %%d%u, %%r%u, %%r%u, %%d%u;\n", i, i, i + 1, i - 1);
    }
    for (unsigned i = 1; i < pool_info[POOL_B16].count; i++) {
        text_add(g->out, "\tadd.u16 %%s%u, %%s%u, %u;\n", i, i - 1, rng_below(&g->rng, 65536));
    }
    for (unsigned i = 1; i < pool_info[POOL_F32].count; i++) {
        text_add(g->out, "\tmov.b32 %%f%u, %%r%u;\n", i, i);
    }
    for (unsigned i = 1; i < pool_info[POOL_F64].count; i++) {
        text_add(g->out, "\tmov.b64 %%e%u, %%d%u;\n", i, i);
    }
    for (unsigned i = 0; i < 3; i++) {
        text_add(g->out, "\tmov.b16 %%h%u, %%s%u;\n\tmov.b16 %%g%u, %%s%u;\n", i, i, i, i + 1);
        text_add(g->out, "\tmov.b32 %%hh%u, %%r%u;\n\tmov.b32 %%gg%u, %%r%u;\n", i, i + 2, i, i + 4);
    }
    for (unsigned i = 0; i < pool_info[POOL_PRED].count; i++) {
        text_add(g->out, "\tsetp.lt.s32 %%p%u, %%r%u, %%r%u;\n", i, i, i + 1);
    }
}

static void write_function(struct generator *g, unsigned index)
{
    enum pool params[MOST_PARAMS + 1];
    const unsigned count = signature(g->shape.seed, params);
    const struct statement s = begin_statement(g);
    char name[NAME_BYTES];

    text_add(g->out, ".func (.param %s result) f%llu_%u(", pool_info[params[count]].type,
             (unsigned long long)g->shape.seed, index);
    for (unsigned i = 0; i < count; i++) {
        text_add(g->out, "%s.param %s a%u", i > 0 ? ", " : "", pool_info[params[i]].type, i);
    }
    text_add(g->out, ")\n{\n");
    write_registers(g);
    text_add(g->out, "\tmov.u32 %%me, %%tid.x;\n");
    write_arguments(g, params, count);
    write_derived(g);
    write_block(g, 6 + rng_below(&g->rng, 14));
    draw_register(g, params[count], name);
    text_add(g->out, "\tst.param%s [result], %s;\n\tret;\n}\n", pool_info[params[count]].type, name);
    end_statement(g, s);
}

void write_functions(struct generator *g)
{
    const unsigned functions = rng_chance(&g->rng, 40) ? 1 + rng_below(&g->rng, 2) : 0;

    g->in_function = true;
    g->uniform = false;
    for (unsigned i = 0; i < functions; i++) {
        write_function(g, i);
    }
    g->in_function = false;
    g->functions = functions;
}
