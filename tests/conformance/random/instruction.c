/*
 * One random instruction: a row of rows.def, its modifiers and its operands drawn.
 */
#include "program.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    const char *mnemonic, *modifiers, *operands;
    uint8_t family;
};

enum {
#define FAMILY(name, weight) FAMILY_##name,
#define ROW(mnemonic, modifiers, operands)
#include "rows.def"
#undef FAMILY
#undef ROW
    FAMILIES
};

static const uint8_t family_weight[FAMILIES] = {
#define FAMILY(name, weight) weight,
#define ROW(mnemonic, modifiers, operands)
#include "rows.def"
#undef FAMILY
#undef ROW
};

/* FAMILY rows stand among the others as marks, so that a family is a range. */
static const struct row rows[] = {
#define FAMILY(name, weight)               {NULL, NULL, NULL, FAMILY_##name},
#define ROW(mnemonic, modifiers, operands) {mnemonic, modifiers, operands, 0},
#include "rows.def"
#undef FAMILY
#undef ROW
    {NULL, NULL, NULL, FAMILIES},
};

static const struct row *draw_row(struct generator *g)
{
    unsigned total = 0, family = 0, first = 0, last;

    for (unsigned i = 0; i < FAMILIES; i++) {
        total += family_weight[i];
    }
    unsigned left = rng_below(&g->rng, total);

    while (left >= family_weight[family]) {
        left -= family_weight[family++];
    }
    while (rows[first].mnemonic != NULL || rows[first].family != family) {
        first++;
    }
    for (last = first + 1; rows[last].mnemonic != NULL; last++) {
    }
    return &rows[first + 1 + rng_below(&g->rng, last - first - 1)];
}

/* --- modifiers -------------------------------------------------------------------------------- */
/* What is known about the instruction while it is made. */
struct draft {
    struct generator *g;
    struct text words;    /* mnemonic and modifiers */
    struct text operands; /* so far */
    char types[26][12];   /* the word that choice 'A' + i made */
    unsigned cleaned;     /* temporaries used for canonical NaNs */
    unsigned negated;     /* video operands with a minus sign */
    bool may_negate;
};

static void choose(struct draft *d, const char *at, const char *end, bool optional)
{
    const char *colon = memchr(at, ':', (size_t)(end - at)), *start = at;
    unsigned count = 1, chosen;

    if (colon != NULL && *at != '.') {
        start = colon + 1;
    }
    for (const char *c = start; c < end; c++) {
        count += *c == '|';
    }
    if (optional && rng_chance(&d->g->rng, 60)) {
        return;
    }
    chosen = rng_below(&d->g->rng, count);
    for (; chosen > 0; chosen--) {
        start = memchr(start, '|', (size_t)(end - start)) + 1;
    }
    const char *bar = memchr(start, '|', (size_t)(end - start));
    const int length = (int)((bar != NULL ? bar : end) - start);

    text_add(&d->words, "%.*s", length, start);
    if (*at >= 'A' && *at <= 'Z' && at[1] == ':') {
        snprintf(d->types[*at - 'A'], sizeof d->types[0], "%.*s", length, start);
    }
}

static void write_modifiers(struct draft *d, const char *at)
{
    while (*at != '\0') {
        if (*at == '<' || *at == '{') {
            const char *end = strchr(at, *at == '<' ? '>' : '}');

            choose(d, at + 1, end, *at == '{');
            at = end + 1;
        } else {
            const size_t length = strcspn(at, "<{");

            text_add(&d->words, "%.*s", (int)length, at);
            at += length;
        }
    }
}

/* --- operands --------------------------------------------------------------------------------- */
struct operand {
    char kind[24]; /* without flags */
    const char *flags;
    bool is_destination;
};

static bool has_flag(const struct operand *o, char flag)
{
    return strchr(o->flags, flag) != NULL;
}

static enum pool pool_of_type(const char *type)
{
    static const struct {
        const char *type;
        enum pool pool;
    } named[] = {{".pred", POOL_PRED},  {".f32", POOL_F32},     {".f64", POOL_F64},       {".f16", POOL_F16},
                 {".bf16", POOL_BF16},  {".f16x2", POOL_F16X2}, {".bf16x2", POOL_BF16X2}, {".u16x2", POOL_B32},
                 {".s16x2", POOL_B32},  {".u8", POOL_B16},      {".s8", POOL_B16},        {".b8", POOL_B16},
                 {".e4m3x2", POOL_B16}, {".e5m2x2", POOL_B16}};

    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (strcmp(type, named[i].type) == 0) {
            return named[i].pool;
        }
    }
    switch (atoi(type + 2)) {
    case 16:
        return POOL_B16;
    case 32:
        return POOL_B32;
    default:
        assert(strcmp(type + 2, "64") == 0);
        return POOL_B64;
    }
}

/* The pool of "T", ".u32" or "wide(T)". */
static enum pool pool_of_kind(const struct draft *d, const char *kind)
{
    if (strncmp(kind, "wide(", 5) == 0) {
        return pool_of_type(d->types[kind[5] - 'A']) == POOL_B16 ? POOL_B32 : POOL_B64;
    }
    return pool_of_type(*kind == '.' ? kind : d->types[*kind - 'A']);
}

/* Flag w: integers may be in a wider register. */
static enum pool widen(struct generator *g, enum pool pool)
{
    if (pool > POOL_B64 || !rng_chance(&g->rng, 25)) {
        return pool;
    }
    return pool + rng_below(&g->rng, (unsigned)(POOL_B64 - pool) + 1);
}

/* The divisor `name`, with 3 in place of 0, in a temporary. */
static void make_nonzero(struct generator *g, enum pool pool, char name[NAME_BYTES])
{
    static const char letter[] = {[POOL_B16] = 's', [POOL_B32] = 'r', [POOL_B64] = 'd'};
    static const char *const bits[] = {[POOL_B16] = "b16", [POOL_B32] = "b32", [POOL_B64] = "b64"};

    text_add(g->out, "\tsetp.eq.%s %%tp2, %s, 0;\n\tselp.%s %%t%c2, 3, %s, %%tp2;\n", bits[pool], name, bits[pool],
             letter[pool], name);
    snprintf(name, NAME_BYTES, "%%t%c2", letter[pool]);
}

static void write_register(struct draft *d, const struct operand *o, enum pool pool)
{
    struct generator *g = d->g;
    char name[NAME_BYTES];

    draw_register(g, pool, name);
    if (has_flag(o, 'n')) {
        make_nonzero(g, pool, name);
    } else if (has_flag(o, 'k')) {
        text_add(g->out, "\tand.b32 %%tr2, %s, 31;\n", name);
        snprintf(name, sizeof name, "%%tr2");
    } else if (has_flag(o, 'c')) {
        make_clean(g, pool, name, d->cleaned++);
    }
    text_add(&d->operands, "%s%s", has_flag(o, '!') && rng_chance(&g->rng, 30) ? "!" : "", name);
}

static void write_value(struct draft *d, const struct operand *o)
{
    enum pool pool = pool_of_kind(d, o->kind);
    char immediate[NAME_BYTES];

    if (has_flag(o, 'w')) {
        pool = widen(d->g, pool);
    }
    if (has_flag(o, 'i') && pool != POOL_PRED && rng_chance(&d->g->rng, 12)) {
        draw_immediate(d->g, pool, immediate);
        text_add(&d->operands, "%s", immediate);
        return;
    }
    if (has_flag(o, 'm') && rng_chance(&d->g->rng, 40)) {
        text_add(&d->operands, "%u", rng_below(&d->g->rng, 32));
        return;
    }
    if (has_flag(o, 'j') && rng_chance(&d->g->rng, 40)) {
        text_add(&d->operands, "%u", rng_below(&d->g->rng, 72));
        return;
    }
    write_register(d, o, pool);
}

/* "T|.pred" */
static void write_two_destinations(struct draft *d, const char *kind)
{
    const char *bar = strchr(kind, '|');
    char first[24], list[4 * NAME_BYTES], name[NAME_BYTES];

    snprintf(first, sizeof first, "%.*s", (int)(bar - kind), kind);
    const enum pool pool = pool_of_kind(d, first);

    if (pool == POOL_PRED) {
        draw_different(d->g, POOL_PRED, 2, list);
        *strchr(list, ',') = '|';
        text_add(&d->operands, "%s", list);
        return;
    }
    draw_register(d->g, pool, name);
    text_add(&d->operands, "%s", name);
    draw_register(d->g, POOL_PRED, name);
    text_add(&d->operands, "|%s", name);
}

/* "{2 x .b16}" */
static void write_vector(struct draft *d, const struct operand *o)
{
    const unsigned count = (unsigned)(o->kind[1] - '0');
    char type[24], list[4 * NAME_BYTES], name[NAME_BYTES];

    snprintf(type, sizeof type, "%.*s", (int)strcspn(strchr(o->kind, '.'), "}"), strchr(o->kind, '.'));
    const enum pool pool = pool_of_type(type);

    if (o->is_destination) {
        draw_different(d->g, pool, count, list);
        text_add(&d->operands, "{%s}", list);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        draw_register(d->g, pool, name);
        text_add(&d->operands, "%s%s", i == 0 ? "{" : ", ", name);
    }
    text_add(&d->operands, "}");
}

/* "const -32..32" */
static void write_constant(struct draft *d, const char *kind)
{
    char *end;
    const long low = strtol(kind + strlen("const "), &end, 10), high = strtol(end + 2, NULL, 10);

    text_add(&d->operands, "%ld", low + (long)rng_below(&d->g->rng, (unsigned)(high - low)));
}

/* --- video ------------------------------------------------------------------------------------ */
static void write_video_mask(struct draft *d, const char *name)
{
    static const char *const two[] = {"", ".h0", ".h1", ".h10"};
    static const char *const four[] = {"",     ".b0",  ".b1",  ".b2",   ".b3",   ".b10",  ".b20",  ".b21",
                                       ".b30", ".b31", ".b32", ".b210", ".b310", ".b320", ".b321", ".b3210"};
    const bool halves = memchr(d->words.at, '2', strcspn(d->words.at, ".")) != NULL;

    text_add(&d->operands, "%s%s", name, halves ? two[rng_below(&d->g->rng, 4)] : four[rng_below(&d->g->rng, 16)]);
}

/*
 * Part of a packed source of a SIMD video instruction: any parts of a and b, named by digits, highest first.  The
 * assembler takes .b1024 for a type.
 */
static void write_video_parts(struct draft *d, const char *name)
{
    const bool halves = memchr(d->words.at, '2', strcspn(d->words.at, ".")) != NULL;
    const unsigned parts = halves ? 2 : 4;
    unsigned digits = 0;

    text_add(&d->operands, "%s", name);
    if (rng_chance(&d->g->rng, 50)) {
        return;
    }
    for (unsigned i = 0; i < parts; i++) {
        digits = digits * 10 + rng_below(&d->g->rng, 2 * parts);
    }
    text_add(&d->operands, "%s%0*u", halves ? ".h" : ".b", (int)parts, digits == 1024 ? 1025 : digits);
}

static void write_video(struct draft *d, const struct operand *o)
{
    static const char *const selectors[] = {".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
    const bool simd = strpbrk(d->words.at, "24") != NULL && strcspn(d->words.at, "24") < strcspn(d->words.at, ".");
    const bool negatable = strcmp(o->kind, "vsrcN") == 0 || strcmp(o->kind, "vaddend") == 0;
    char name[NAME_BYTES];

    if (has_flag(o, 'i') && rng_chance(&d->g->rng, 8)) {
        draw_immediate(d->g, POOL_B32, name);
        text_add(&d->operands, "%s", name);
        return;
    }
    draw_register(d->g, POOL_B32, name);
    if (strcmp(o->kind, "vmask") == 0) {
        write_video_mask(d, name);
        return;
    }
    if (simd) {
        write_video_parts(d, name);
        return;
    }
    if (negatable && d->may_negate && d->negated == 0 && rng_chance(&d->g->rng, 20)) {
        d->negated++;
        text_add(&d->operands, "-");
    }
    const bool selected =
        strcmp(o->kind, "vdst") == 0 || (strcmp(o->kind, "vaddend") != 0 && rng_chance(&d->g->rng, 50));

    text_add(&d->operands, "%s%s", name, selected ? selectors[rng_below(&d->g->rng, 6)] : "");
}

/* --- all of it -------------------------------------------------------------------------------- */
static void write_operand(struct draft *d, const struct operand *o)
{
    if (*o->kind == 'v') {
        write_video(d, o);
    } else if (*o->kind == '{') {
        write_vector(d, o);
    } else if (strncmp(o->kind, "const ", 6) == 0) {
        write_constant(d, o->kind);
    } else if (strchr(o->kind, '|') != NULL) {
        write_two_destinations(d, o->kind);
    } else {
        write_value(d, o);
    }
}

static void write_operands(struct draft *d, const char *at)
{
    while (*at != '\0') {
        const size_t length = strcspn(at, ","), kind = strcspn(at, "=,");
        struct operand o = {.flags = "", .is_destination = d->operands.length == 0};
        char flags[8] = "";

        snprintf(o.kind, sizeof o.kind, "%.*s", (int)kind, at);
        if (at[kind] == '=') {
            snprintf(flags, sizeof flags, "%.*s", (int)(length - kind - 1), at + kind + 1);
            o.flags = flags;
        }
        if (d->operands.length > 0) {
            text_add(&d->operands, ", ");
        }
        write_operand(d, &o);
        at += length;
        at += strspn(at, ", ");
    }
}

/*
 * ptxas 13.0 makes several machine instructions of these and guards only some of them: where the guard is false the
 * destination changes all the same.
 */
static bool loses_guards(const char *opcode)
{
    return strncmp(opcode, "set.", 4) == 0 || strncmp(opcode, "testp.", 6) == 0;
}

void write_instruction(struct generator *g, const char *guard)
{
    const struct row *row = draw_row(g);
    struct draft d = {.g = g};

    text_add(&d.words, "%s", row->mnemonic);
    write_modifiers(&d, row->modifiers);
    d.may_negate = strstr(d.words.at, ".po") == NULL;
    write_operands(&d, row->operands);
    text_add(g->out, "\t%s%s %s;\n", loses_guards(d.words.at) ? "" : guard, d.words.at, d.operands.at);
    hide_value(g, d.operands.at);
    text_free(&d.words);
    text_free(&d.operands);
}
