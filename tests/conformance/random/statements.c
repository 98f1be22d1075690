/*
 * Statements of random programs and their control flow: everything that is no row of rows.def.
 *
 * Nothing undefined is written: registers are all initialised, accesses stay in the thread's own memory (or are
 * separated by barriers, or are atomics that commute), and instructions that work across lanes stand where all lanes of
 * the warp come by, or name exactly the lanes that do.
 */
#include "program.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 3 };

/* --- which statements are kept -------------------------------------------------------------------------------------
 */
static bool is_kept(const struct selection *selection, unsigned statement)
{
    return selection == NULL || statement >= selection->count ||
           ((selection->kept[statement / 64] >> (statement % 64)) & 1) != 0;
}

struct statement begin_statement(struct generator *g)
{
    return (struct statement){g->out->length, is_kept(g->selection, g->statements++)};
}

void end_statement(struct generator *g, struct statement s)
{
    if (!s.kept) {
        text_cut(g->out, s.start);
    }
}

/* --- moving bits between kinds ------------------------------------------------------------------------------------
 */
/* Any value as bits of another kind; NaNs become canonical on the way. */
static void write_bits(struct generator *g)
{
    static const struct {
        enum pool integer;
        uint8_t count;
        enum pool floats[3];
    } groups[] = {{POOL_B16, 2, {POOL_F16, POOL_BF16}},
                  {POOL_B32, 3, {POOL_F32, POOL_F16X2, POOL_BF16X2}},
                  {POOL_B64, 1, {POOL_F64}}};
    const unsigned group = rng_below(&g->rng, 3);
    const enum pool integer = groups[group].integer;
    const enum pool other = groups[group].floats[rng_below(&g->rng, groups[group].count)];
    char bits[NAME_BYTES], value[NAME_BYTES];

    draw_register(g, integer, bits);
    draw_register(g, other, value);
    if (rng_chance(&g->rng, 50)) {
        text_add(g->out, "\tmov%s %s, %s;\n", pool_info[integer].type, value, bits);
    } else {
        make_clean(g, other, value, 0);
        text_add(g->out, "\tmov%s %s, %s;\n", pool_info[integer].type, bits, value);
    }
}

/* The halves of a packed value, each of its own kind. */
static void write_halves(struct generator *g)
{
    const bool brain = rng_chance(&g->rng, 50);
    const enum pool half = brain ? POOL_BF16 : POOL_F16, pair = brain ? POOL_BF16X2 : POOL_F16X2;
    char list[4 * NAME_BYTES], packed[NAME_BYTES];

    draw_different(g, half, 2, list);
    draw_register(g, pair, packed);
    text_add(g->out, rng_chance(&g->rng, 50) ? "\tmov.b32 %2$s, {%1$s};\n" : "\tmov.b32 {%1$s}, %2$s;\n", list, packed);
}

/* A fresh value from the input of some thread: programs that only compute end in zeros and NaNs. */
static void write_refresh(struct generator *g)
{
    const enum pool pool = 1 + rng_below(&g->rng, POOLS - 1);
    const struct pool_info *info = &pool_info[pool];
    char name[NAME_BYTES];
    const unsigned nth = rng_below(&g->rng, info->count), which = rng_below(&g->rng, 3);

    draw_register(g, pool, name);
    if (which == 0) {
        text_add(g->out, "\tld.global%s %s, [%%mine+%u];\n", info->type, name, info->offset + nth * info->bytes);
        return;
    }
    text_add(g->out, "\tadd.u32 %%tr0, %%rank, %u;\n\trem.u32 %%tr0, %%tr0, %%threads;\n", rng_below(&g->rng, 97));
    text_add(g->out, "\tmad.wide.u32 %%td0, %%tr0, %u, %%records;\n", RECORD_BYTES);
    text_add(g->out, "\tld.global%s%s %s, [%%td0+%u];\n", which == 1 ? ".nc" : "", info->type, name,
             info->offset + nth * info->bytes);
}

static void write_special(struct generator *g)
{
    static const char *const names[] = {"%tid.x",       "%ctaid.x",     "%ntid.x",      "%nctaid.x",
                                        "%laneid",      "%lanemask_lt", "%lanemask_le", "%lanemask_eq",
                                        "%lanemask_ge", "%lanemask_gt", "%tid.y",       "%ntid.z"};
    char name[NAME_BYTES];

    draw_register(g, POOL_B32, name);
    text_add(g->out, "\tmov.u32 %s, %s;\n", name, names[rng_below(&g->rng, sizeof names / sizeof *names)]);
}

/* --- carry chains --------------------------------------------------------------------------------------------------
 */
/* The destination goes to `d`. */
static void write_carry_link(struct generator *g, enum pool pool, const char *type, bool first, bool last,
                             char d[NAME_BYTES])
{
    static const char *const sums[] = {"add", "sub"};
    static const char *const products[] = {"mad.lo", "mad.hi"};
    static const char *const with_carry[] = {"madc.lo", "madc.hi"};
    const unsigned which = rng_below(&g->rng, 2);
    char a[NAME_BYTES], b[NAME_BYTES], c[NAME_BYTES];

    draw_register(g, pool, d);
    draw_register(g, pool, a);
    draw_register(g, pool, b);
    draw_register(g, pool, c);
    if (rng_chance(&g->rng, 35)) {
        text_add(g->out, "\t%s%s.%s %s, %s, %s, %s;\n", first ? products[which] : with_carry[which], last ? "" : ".cc",
                 type, d, a, b, c);
    } else {
        text_add(g->out, "\t%s%s%s.%s %s, %s, %s;\n", sums[which], first ? "" : "c", last ? "" : ".cc", type, d, a, b);
    }
}

static void write_carry_chain(struct generator *g)
{
    static const char *const types[] = {"u32", "s32", "u64", "s64"};
    const unsigned type = rng_below(&g->rng, 4), links = 2 + rng_below(&g->rng, 3);
    char results[4][NAME_BYTES];

    for (unsigned i = 0; i < links; i++) {
        write_carry_link(g, type < 2 ? POOL_B32 : POOL_B64, types[type], i == 0, i + 1 == links, results[i]);
    }
    for (unsigned i = 0; i < links; i++) {
        hide_value(g, results[i]);
    }
}

/* --- control flow --------------------------------------------------------------------------------------------------
 */
/* Leaves a condition in %tp0. */
static void write_condition(struct generator *g, bool uniform)
{
    static const char *const compare[] = {"lt", "ge", "eq", "ne", "gt", "le"};
    char a[NAME_BYTES], b[NAME_BYTES];

    if (uniform) {
        /* One draw after another: compilers evaluate arguments in orders of their own. */
        const unsigned word = rng_below(&g->rng, HEADER_WORDS), bits = rng_below(&g->rng, 8);
        const char *words = compare[rng_below(&g->rng, 6)];

        text_add(g->out, "\tand.b32 %%tr0, %%u%u, %u;\n\tsetp.%s.u32 %%tp0, %%tr0, %u;\n", word, bits, words,
                 rng_below(&g->rng, 4));
        return;
    }
    switch (rng_below(&g->rng, 4)) {
    case 0:
        draw_register(g, POOL_PRED, a);
        text_add(g->out, "\tnot.pred %%tp0, %s;\n", a);
        break;
    case 1:
        draw_register(g, POOL_B32, a);
        draw_register(g, POOL_B32, b);
        text_add(g->out, "\tsetp.%s.s32 %%tp0, %s, %s;\n", compare[rng_below(&g->rng, 6)], a, b);
        break;
    case 2:
        draw_register(g, POOL_F32, a);
        draw_register(g, POOL_F32, b);
        text_add(g->out, "\tsetp.%s.f32 %%tp0, %s, %s;\n", compare[rng_below(&g->rng, 6)], a, b);
        break;
    default:
        text_add(g->out, "\tand.b32 %%tr0, %%me, %u;\n\tsetp.eq.u32 %%tp0, %%tr0, 0;\n", 1u << rng_below(&g->rng, 6));
        break;
    }
}

/* Whether control flow depends on words that all threads read; functions do not know them. */
static bool draw_uniform(struct generator *g, unsigned percent)
{
    return rng_chance(&g->rng, percent) && !g->in_function;
}

/* A block one level deeper; whether all threads of the CTA come by is as said. */
static void write_inner(struct generator *g, unsigned budget, bool uniform)
{
    const bool outer = g->uniform;

    g->uniform = outer && uniform;
    g->depth++;
    write_block(g, budget);
    g->depth--;
    g->uniform = outer;
}

static void write_if(struct generator *g, unsigned budget)
{
    const bool uniform = draw_uniform(g, 30), has_else = rng_chance(&g->rng, 60);
    const unsigned label = g->labels++;
    const struct statement s = begin_statement(g);

    write_condition(g, uniform);
    text_add(g->out, "\t@%%tp0 bra%s ELSE%u;\n", uniform && rng_chance(&g->rng, 50) ? ".uni" : "", label);
    write_inner(g, budget / 2, uniform);
    if (has_else) {
        text_add(g->out, "\tbra END%u;\nELSE%u:\n", label, label);
        write_inner(g, budget / 2, uniform);
        text_add(g->out, "END%u:\n", label);
    } else {
        text_add(g->out, "ELSE%u:\n", label);
    }
    end_statement(g, s);
}

/* Leave the innermost loop that lanes leave one by one. */
static void write_break(struct generator *g)
{
    write_condition(g, false);
    text_add(g->out, "\t@%%tp0 bra EXIT%u;\n", g->exit_label - 1);
}

/* Loops nested deeper turn fewer times. */
static void write_loop(struct generator *g, unsigned budget)
{
    static const unsigned most[] = {7, 3, 1};
    const bool uniform = draw_uniform(g, 40);
    const unsigned label = g->labels++, loop = g->loops, outer_exit = g->exit_label;
    char count[NAME_BYTES];
    const struct statement s = begin_statement(g);

    if (uniform) {
        snprintf(count, sizeof count, "%%u%u", rng_below(&g->rng, HEADER_WORDS));
    } else {
        draw_register(g, POOL_B32, count);
    }
    text_add(g->out, "\tand.b32 %%c%u, %s, %u;\nLOOP%u:\n", loop, count, most[loop], label);
    g->loops++;
    /* Only a loop whose lanes part anyway may be left early; within a uniform one, its outer loop must not be left. */
    g->exit_label = uniform ? 0 : label + 1;
    write_inner(g, budget / 2, uniform);
    g->exit_label = outer_exit;
    g->loops--;
    text_add(g->out, "\tadd.s32 %%c%u, %%c%u, -1;\n\tsetp.ge.s32 %%tp0, %%c%u, 0;\n\t@%%tp0 bra LOOP%u;\nEXIT%u:\n",
             loop, loop, loop, label, label);
    end_statement(g, s);
}

static void write_switch(struct generator *g, unsigned budget)
{
    const bool uniform = draw_uniform(g, 30);
    const unsigned label = g->labels++, cases = 2 + rng_below(&g->rng, 3);
    char index[NAME_BYTES];
    const struct statement s = begin_statement(g);

    draw_register(g, POOL_B32, index);
    if (uniform) {
        snprintf(index, sizeof index, "%%u%u", rng_below(&g->rng, HEADER_WORDS));
    }
    text_add(g->out, "\trem.u32 %%tr0, %s, %u;\nTABLE%u:\n\t.branchtargets ", index, cases, label);
    for (unsigned i = 0; i < cases; i++) {
        text_add(g->out, "%sCASE%u_%u", i > 0 ? ", " : "", label, i);
    }
    text_add(g->out, ";\n\tbrx.idx %%tr0, TABLE%u;\n", label);
    for (unsigned i = 0; i < cases; i++) {
        text_add(g->out, "CASE%u_%u:\n", label, i);
        write_inner(g, budget / cases, uniform);
        if (rng_chance(&g->rng, 80)) { /* or fall into the next case */
            text_add(g->out, "\tbra ENDCASE%u;\n", label);
        }
    }
    text_add(g->out, "ENDCASE%u:\n", label);
    end_statement(g, s);
}

static void write_control(struct generator *g, unsigned budget)
{
    const unsigned which = rng_below(&g->rng, 100);

    if (which < 50) {
        write_if(g, budget);
    } else if (which < 80 && g->loops < MOST_DEPTH) {
        write_loop(g, budget);
    } else {
        write_switch(g, budget);
    }
}

/* --- blocks --------------------------------------------------------------------------------------------------------
 */
static void write_guarded(struct generator *g)
{
    char guard[NAME_BYTES + 4] = "", name[NAME_BYTES];

    if (rng_chance(&g->rng, 15)) {
        draw_register(g, POOL_PRED, name);
        snprintf(guard, sizeof guard, "@%s%s ", rng_chance(&g->rng, 50) ? "!" : "", name);
    }
    write_instruction(g, guard);
}

/* A statement without statements inside; what needs memory or other lanes is left to entries. */
static void write_simple(struct generator *g)
{
    const unsigned which = rng_below(&g->rng, 100);
    const struct statement s = begin_statement(g);

    if (which < 70 || (g->in_function && which >= (g->exit_label != 0 ? 84 : 83))) {
        write_guarded(g);
    } else if (which < 76) {
        write_bits(g);
    } else if (which < 78) {
        write_halves(g);
    } else if (which < 81) {
        write_carry_chain(g);
    } else if (which < 83) {
        write_special(g);
    } else if (which == 83 && g->exit_label != 0) {
        write_break(g);
    } else if (which < 87) {
        write_refresh(g);
    } else if (which < 92) {
        write_memory(g);
    } else if (which < 94) {
        write_atomic(g);
    } else if (which < 96) {
        write_call(g);
    } else if (which < 97) {
        write_exchange(g);
    } else {
        write_warp(g);
    }
    end_statement(g, s);
}

void write_block(struct generator *g, unsigned budget)
{
    while (budget > 0) {
        if (g->depth < MOST_DEPTH && budget >= 8 && rng_chance(&g->rng, 8)) {
            const unsigned inner = budget < 40 ? budget : 40;

            write_control(g, inner);
            budget -= inner / 2;
        } else {
            write_simple(g);
            budget--;
        }
    }
}
