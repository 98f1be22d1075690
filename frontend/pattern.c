/*
 * Reader of the notation explained at the top of forms.def.  The strings are ours: what they cannot contain is
 * asserted, not reported.
 */
#include "frontend/pattern.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *find_end(const char *at, char close)
{
    const char *end = strchr(at, close);

    assert(end != NULL);
    return end;
}

/* --- modifiers ------------------------------------------------------------------------------ */
/* ".xorsign.abs" into its words. */
static void split_words(struct ptx_alternative *alt)
{
    const char *at = alt->text.at, *end = at + alt->text.len;

    while (at < end) {
        const char *dot = memchr(at, '.', (size_t)(end - at));
        const char *stop = dot != NULL ? dot : end;

        assert(alt->n_words < sizeof alt->words / sizeof *alt->words);
        alt->words[alt->n_words++] = (struct ptx_text){at, (uint32_t)(stop - at)};
        at = stop + 1;
    }
}

static bool set_alternatives(struct arena *a, struct ptx_element *e, const char *at, const char *end)
{
    unsigned count = 1;

    for (const char *c = at; c < end; c++) {
        count += *c == '|';
    }
    e->alternatives = ARENA_ARRAY(a, struct ptx_alternative, count);
    if (e->alternatives == NULL) {
        return false;
    }
    while (at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        const char *stop = bar != NULL ? bar : end;
        struct ptx_alternative *alt = &e->alternatives[e->n_alternatives++];

        alt->text = (struct ptx_text){at + 1, (uint32_t)(stop - at - 1)};
        split_words(alt);
        at = stop + 1;
    }
    return true;
}

/* `<R:.a|.b>` or `{R:.a|.b}`; *at is moved behind it. */
static bool read_choice(struct arena *a, struct ptx_element *e, const char **at)
{
    const char *start = *at + 1;
    const char *end = find_end(start, **at == '<' ? '>' : '}');
    const char *colon = memchr(start, ':', (size_t)(end - start));

    e->optional = **at == '{';
    if (colon != NULL && colon > start && *start != '.') {
        e->role = (struct ptx_text){start, (uint32_t)(colon - start)};
        start = colon + 1;
    }
    *at = end + 1;
    return set_alternatives(a, e, start, end);
}

static bool read_literal(struct arena *a, struct ptx_element *e, const char **at)
{
    const char *end = *at + 1;

    assert(**at == '.');
    while (*end != '\0' && strchr(".<{", *end) == NULL) {
        end++;
    }
    bool good = set_alternatives(a, e, *at, end);

    *at = end;
    return good;
}

static bool read_modifiers(struct arena *a, struct ptx_pattern *pat)
{
    const char *at = pat->form->modifiers;

    while (*at != '\0') {
        struct ptx_element *e = &pat->elements[pat->n_elements++];

        assert(pat->n_elements <= PTX_MAX_ELEMENTS);
        if (!(*at == '<' || *at == '{' ? read_choice(a, e, &at) : read_literal(a, e, &at))) {
            return false;
        }
    }
    return true;
}

/* --- operands ------------------------------------------------------------------------------- */
static bool starts(const char *at, const char *word)
{
    return strncmp(at, word, strlen(word)) == 0;
}

/* ".u32", "T" or "wide(T)". */
static struct ptx_type_ref read_type(const char *at)
{
    struct ptx_type_ref ref = {0};
    enum ir_type type = IR_TYPE_NONE;

    if (starts(at, "wide(")) {
        ref.wide = true;
        at += 5;
    }
    if (*at != '.') {
        ref.role = *at;
        return ref;
    }
    bool known = ptx_type_of_word((struct ptx_text){at, (uint32_t)strcspn(at, "})=?|, ")}, &type);

    assert(known);
    (void)known;
    ref.type = (uint8_t)type;
    return ref;
}

/* "{4 x T}", "{V x T}", "{2*V x T}", "{D-2 x T}". */
static void read_count(struct ptx_operand_pattern *o, const char *at)
{
    o->scale = 1;
    if (*at >= '0' && *at <= '9') {
        o->scale = (uint8_t)strtol(at, (char **)&at, 10);
        if (*at != '*') {
            o->type = read_type(strstr(at, " x ") + 3);
            return;
        }
        at++;
    }
    o->count_role = *at++;
    if (*at == '-') {
        o->minus = (uint8_t)(at[1] - '0');
    }
    o->type = read_type(strstr(at, " x ") + 3);
}

static void read_fragment(struct ptx_operand_pattern *o, const char *at)
{
    static const char *const names[] = {
        [PTX_FRAG_ACC] = "acc ",       [PTX_FRAG_WMMA_A] = "wmma_a ", [PTX_FRAG_WMMA_B] = "wmma_b ",
        [PTX_FRAG_WMMA_C] = "wmma_c ", [PTX_FRAG_WGMMA] = "wgmma ",   [PTX_FRAG_TMEM] = "tmem",
    };

    o->kind = PTX_PAT_FRAGMENT;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (starts(at, names[i])) {
            o->sub = (uint8_t)i;
            if (i != PTX_FRAG_TMEM) {
                o->type = read_type(at + strlen(names[i]));
            }
            return;
        }
    }
    assert(!"unknown fragment");
}

static void read_braces(struct ptx_operand_pattern *o, const char *at)
{
    if (starts(at, "gradient}") || starts(at, "offsets}")) {
        o->kind = PTX_PAT_COORDS;
    } else if (strstr(at, " x ") != NULL && strstr(at, " x ") < strchr(at, '}')) {
        o->kind = PTX_PAT_VECTOR;
        read_count(o, at);
    } else {
        read_fragment(o, at);
    }
}

static void read_brackets(struct ptx_operand_pattern *o, const char *at)
{
    if (starts(at, "addr]")) {
        o->kind = PTX_PAT_ADDRESS;
        o->unified = starts(at, "addr].unified");
    } else if (starts(at, "tmem]")) {
        o->kind = PTX_PAT_TMEM;
    } else if (starts(at, "map,")) {
        o->kind = PTX_PAT_MAP;
        o->count_role = at[5] == 'D' ? 'D' : 0;
        o->scale = at[5] == 'D' ? 1 : 5;
    } else if (strchr(at, '{') == NULL) {
        o->kind = PTX_PAT_HANDLE;
    } else {
        o->kind = PTX_PAT_TEXTURE;
        o->has_sampler = starts(at, "tx, smp");
    }
}

static void read_constant(struct ptx_operand_pattern *o, const char *at)
{
    o->kind = PTX_PAT_CONST;
    if (starts(at, "any")) {
        return;
    }
    if (starts(at, "pow2")) {
        o->power_of_two = true;
        return;
    }
    char *end;

    o->low = strtol(at, &end, 10);
    o->step = 1;
    if (starts(end, "..")) {
        o->ranged = true;
        o->high = strtol(end + 2, &end, 10);
        if (*end == '/') {
            o->step = strtol(end + 1, &end, 10);
        }
        return;
    }
    o->listed = true;
    o->list[o->n_list++] = o->low;
    while (*end == '|') {
        assert(o->n_list < sizeof o->list / sizeof *o->list);
        o->list[o->n_list++] = strtol(end + 1, &end, 10);
    }
}

static void read_word(struct ptx_operand_pattern *o, const char *at)
{
    static const struct {
        const char *word;
        uint8_t kind, sub;
    } rows[] = {
        {"vsrcN", PTX_PAT_VIDEO, PTX_VIDEO_SRC_NEG},
        {"vsrc", PTX_PAT_VIDEO, PTX_VIDEO_SRC},
        {"vaddend", PTX_PAT_VIDEO, PTX_VIDEO_ADDEND},
        {"vdst", PTX_PAT_VIDEO, PTX_VIDEO_DST},
        {"vmask", PTX_PAT_VIDEO, PTX_VIDEO_MASK},
        {"labels", PTX_PAT_LABELS, 0},
        {"label", PTX_PAT_LABEL, 0},
        {"call", PTX_PAT_CALL, 0},
        {"address", PTX_PAT_ADDRESS_OF, 0},
        {"function", PTX_PAT_FUNCTION, 0},
        {"kernel", PTX_PAT_KERNEL, 0},
        {"regoffset", PTX_PAT_REG_OFFSET, 0},
        {"variable", PTX_PAT_VARIABLE, 0},
        {"sreg4", PTX_PAT_SREG4, 0},
        {"sreg", PTX_PAT_SREG, 0},
        {"fraction", PTX_PAT_FRACTION, 0},
        {"_", PTX_PAT_SINK, 0},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (starts(at, rows[i].word)) {
            o->kind = rows[i].kind;
            o->sub = rows[i].sub;
            return;
        }
    }
    assert(!"unknown operand kind");
}

static void read_kind(struct ptx_operand_pattern *o, const char *at, const char *end)
{
    const char *bar = memchr(at, '|', (size_t)(end - at));

    if (starts(at, "reg ")) {
        o->kind = PTX_PAT_REG;
        o->type = read_type(at + 4);
    } else if (*at == '{') {
        read_braces(o, at + 1);
    } else if (*at == '[') {
        read_brackets(o, at + 1);
    } else if (starts(at, "const ")) {
        read_constant(o, at + 6);
    } else {
        read_word(o, at);
    }
    if (bar != NULL && (o->kind == PTX_PAT_REG || o->kind == PTX_PAT_VECTOR)) {
        o->pair_of_vector = o->kind == PTX_PAT_VECTOR;
        o->kind = PTX_PAT_PAIR;
        o->second = read_type(bar + 5); /* "|reg T" */
    }
}

/* One operand in [at, end): role ':' kind, then '=' and flags, then '?'. */
static void read_operand(struct ptx_operand_pattern *o, const char *at, const char *end)
{
    const char *colon = find_end(at, ':');
    const char *flags = memchr(at, '=', (size_t)(end - at));

    o->role = (struct ptx_text){at, (uint32_t)(colon - at)};
    o->optional = end[-1] == '?';
    for (const char *c = flags != NULL ? flags + 1 : end; c < end; c++) {
        o->immediate |= *c == 'i';
        o->sink |= *c == '_';
        o->reg_ok |= *c == 'r';
        o->wider |= *c == 'w';
        o->special |= *c == 's';
    }
    read_kind(o, colon + 1, flags != NULL ? flags : end);
}

static void read_operands(struct ptx_pattern *pat)
{
    const char *at = pat->form->operands;

    while (*at != '\0') {
        const char *end = at;

        for (int depth = 0; *end != '\0' && (depth != 0 || *end != ','); end++) {
            depth += (strchr("{[(", *end) != NULL) - (strchr("}])", *end) != NULL);
        }
        struct ptx_operand_pattern *o = &pat->operands[pat->n_operands++];

        assert(pat->n_operands <= PTX_MAX_FORM_OPERANDS);
        if (starts(at, "call")) {
            o->kind = PTX_PAT_CALL;
        } else {
            read_operand(o, at, end);
        }
        pat->n_required += !o->optional;
        at = *end == ',' ? end + 2 : end;
    }
}

struct ptx_pattern *ptx_pattern_new(struct arena *a, unsigned index)
{
    struct ptx_pattern *pat = ARENA_NEW(a, struct ptx_pattern);

    if (pat == NULL) {
        return NULL;
    }
    pat->form = &ir_form_info[index];
    pat->index = (uint16_t)index;
    if (!read_modifiers(a, pat)) {
        return NULL;
    }
    read_operands(pat);
    return pat;
}
