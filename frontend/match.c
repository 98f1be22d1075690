/*
 * Matching written words against a pattern, and what the matched words mean.
 *
 * Words stand in any order, with three exceptions: the first `fixed` elements of a form come first and in order; types,
 * state spaces and matrix layouts keep the order of the pattern among themselves.  The search backtracks only over
 * optional elements.
 */
#include <stdlib.h>
#include <string.h>

#include "frontend/opcode.h"

static bool same_text(struct ptx_text a, const char *b, uint32_t b_len)
{
    return a.len == b_len && memcmp(a.at, b, b_len) == 0;
}

/* --- words ---------------------------------------------------------------------------------- */
struct modifier_row {
    const char *word;
    uint8_t slot;
};
static const struct modifier_row modifiers[] = {
    {"", 0},
#define MODIFIER(id, word, slot) {word, PTX_SLOT_##slot},
#define MEANING(role, word, field, value)
#include "frontend/modifiers.def"
#undef MODIFIER
#undef MEANING
};

static enum ptx_modifier modifier_of(const char *text, uint32_t len)
{
    for (unsigned i = 1; i < PTX_MOD_COUNT; i++) {
        if (strncmp(modifiers[i].word, text, len) == 0 && modifiers[i].word[len] == '\0') {
            return (enum ptx_modifier)i;
        }
    }
    return PTX_MOD_NONE;
}

static enum ptx_slot slot_of(const char *text, uint32_t len)
{
    enum ir_type type;

    if (ptx_type_of_word((struct ptx_text){text - 1, len + 1}, &type)) {
        return PTX_SLOT_TYPE;
    }
    return (enum ptx_slot)modifiers[modifier_of(text, len)].slot;
}

void ptx_words_collect(const struct ptx_inst *inst, struct ptx_words *w)
{
    w->count = 0;
    for (uint32_t i = 0; i < inst->n_words; i++) {
        const struct ptx_word *word = &inst->words[i];
        enum ptx_slot slot = slot_of(word->text, word->len);
        bool again = false;

        for (uint32_t k = 0; k < w->count && slot == PTX_SLOT_REPEAT; k++) {
            again |= w->at[k].len == word->len && memcmp(w->at[k].text, word->text, word->len) == 0;
        }
        if (!again) {
            w->slot[w->count] = (uint8_t)(slot == PTX_SLOT_REPEAT ? PTX_SLOT_PLAIN : slot);
            w->at[w->count++] = *word;
        }
    }
}

/* --- matching ------------------------------------------------------------------------------- */
struct matcher {
    const struct ptx_pattern *pat;
    const struct ptx_words *words;
    uint32_t used; /* bit per word */
    bool any_order;
    uint8_t *chosen;
};

/* The word in the place `text` may take, or -1. */
static int find_word(const struct matcher *m, struct ptx_text text, unsigned element)
{
    const struct ptx_words *w = m->words;
    bool fixed = element < m->pat->form->fixed && !m->any_order;

    for (uint32_t i = 0; i < w->count; i++) {
        if ((m->used >> i & 1) != 0) {
            continue;
        }
        if (same_text(text, w->at[i].text, w->at[i].len)) {
            return (int)i;
        }
        if (fixed) {
            return -1;
        }
    }
    return -1;
}

/* Is word `i` the first of its kind that is not used, where that matters? */
static bool in_turn(const struct matcher *m, int i)
{
    const struct ptx_words *w = m->words;

    for (int k = 0; k < i && w->slot[i] != PTX_SLOT_PLAIN && !m->any_order; k++) {
        if ((m->used >> k & 1) == 0 && w->slot[k] == w->slot[i]) {
            return false;
        }
    }
    return true;
}

static bool take(struct matcher *m, const struct ptx_alternative *alt, unsigned element)
{
    for (unsigned i = 0; i < alt->n_words; i++) {
        int at = find_word(m, alt->words[i], element);

        if (at < 0 || !in_turn(m, at)) {
            return false;
        }
        m->used |= (uint32_t)1 << at;
    }
    return true;
}

static bool match_from(struct matcher *m, unsigned element)
{
    if (element == m->pat->n_elements) {
        return m->used == (m->words->count == 32 ? UINT32_MAX : ((uint32_t)1 << m->words->count) - 1);
    }
    const struct ptx_element *e = &m->pat->elements[element];
    uint32_t used = m->used;

    for (unsigned i = 0; i < e->n_alternatives; i++) {
        m->used = used;
        m->chosen[element] = (uint8_t)i;
        if (take(m, &e->alternatives[i], element) && match_from(m, element + 1)) {
            return true;
        }
    }
    m->used = used;
    m->chosen[element] = PTX_NO_CHOICE;
    return e->optional && match_from(m, element + 1);
}

bool ptx_pattern_match(const struct ptx_pattern *pat, const struct ptx_words *w, uint8_t chosen[PTX_MAX_ELEMENTS])
{
    struct matcher m = {pat, w, 0, false, chosen};

    return match_from(&m, 0);
}

uint32_t ptx_pattern_partial(const struct ptx_pattern *pat, const struct ptx_words *w, uint8_t chosen[PTX_MAX_ELEMENTS],
                             unsigned *missing)
{
    struct matcher m = {pat, w, 0, true, chosen};

    *missing = pat->n_elements;
    for (unsigned k = 0; k < pat->n_elements; k++) {
        const struct ptx_element *e = &pat->elements[k];
        bool taken = false;

        chosen[k] = PTX_NO_CHOICE;
        for (unsigned i = 0; i < e->n_alternatives && !taken; i++) {
            uint32_t used = m.used;

            taken = take(&m, &e->alternatives[i], k);
            m.used = taken ? m.used : used;
            chosen[k] = taken ? (uint8_t)i : PTX_NO_CHOICE;
        }
        if (!taken && !e->optional && *missing == pat->n_elements) {
            *missing = k;
        }
    }
    return m.used;
}

/* --- meaning -------------------------------------------------------------------------------- */
enum field {
    FIELD_round,
    FIELD_ftz,
    FIELD_sat,
    FIELD_relu,
    FIELD_satfinite,
    FIELD_nan,
    FIELD_xorsign,
    FIELD_abs,
    FIELD_noftz,
    FIELD_nc,
    FIELD_uni,
    FIELD_sync,
    FIELD_aligned,
    FIELD_po,
    FIELD_wrap,
    FIELD_cmp,
    FIELD_atom,
    FIELD_shfl,
    FIELD_video2,
    FIELD_space,
    FIELD_sem,
    FIELD_scope,
    FIELD_vec,
    FIELD_scale,
    FIELD_trans,
    FIELD_geometry,
    FIELD_component,
    FIELD_bounds,
    FIELD_query,
};

static const struct meaning {
    const char *role, *word;
    uint8_t field, value;
} meanings[] = {
#define MODIFIER(id, word, slot)
#define MEANING(role, word, field, value) {role, word, FIELD_##field, value},
#include "frontend/modifiers.def"
#undef MODIFIER
#undef MEANING
};

static void set_field(struct ir_mods *m, enum field field, unsigned value)
{
    switch (field) {
#define SET(name)        \
    case FIELD_##name:   \
        m->name = value; \
        break;
        SET(round)
        SET(ftz)
        SET(sat)
        SET(relu)
        SET(satfinite)
        SET(nan)
        SET(xorsign)
        SET(abs)
        SET(noftz)
        SET(nc)
        SET(uni)
        SET(sync)
        SET(aligned)
        SET(po)
        SET(wrap)
        SET(cmp)
        SET(atom)
        SET(shfl)
        SET(video2)
        SET(space)
        SET(sem)
        SET(scope)
        SET(vec)
        SET(scale)
        SET(trans)
        SET(geometry)
        SET(component)
        SET(bounds)
        SET(query)
#undef SET
    }
}

static bool apply(struct ir_mods *mods, struct ptx_text role, struct ptx_text word)
{
    bool found = false;

    for (unsigned i = 0; i < sizeof meanings / sizeof *meanings && !found; i++) {
        const struct meaning *row = &meanings[i];

        if (ptx_text_is(word, row->word) && (row->role[0] == '\0' || (role.len != 0 && ptx_text_is(role, row->role)))) {
            set_field(mods, (enum field)row->field, row->value);
            found = true;
        }
    }
    return found;
}

/* A whole alternative may mean something of its own; else each word does. */
static void apply_alternative(struct ir_mods *mods, struct ptx_text role, const struct ptx_alternative *alt)
{
    if (alt->n_words > 1 && apply(mods, role, alt->text)) {
        return;
    }
    for (unsigned i = 0; i < alt->n_words; i++) {
        apply(mods, role, alt->words[i]);
    }
}

static void note_role(struct ptx_candidate *c, struct ptx_text role, struct ptx_text word)
{
    enum ir_type type;

    if (role.len == 4 && memcmp(role.at, "bool", 4) == 0) {
        c->match.boolop = word.at[0] == 'a' ? PTX_BOOL_AND : word.at[0] == 'o' ? PTX_BOOL_OR : PTX_BOOL_XOR;
    }
    if (role.len != 1 || role.at[0] < 'A' || role.at[0] > 'Z') {
        return;
    }
    if (ptx_type_of_word((struct ptx_text){word.at - 1, word.len + 1}, &type)) {
        c->role_type[role.at[0] - 'A'] = (uint8_t)type;
    }
    for (uint32_t i = 0; i < word.len; i++) {
        if (word.at[i] >= '0' && word.at[i] <= '9') {
            c->role_number[role.at[0] - 'A'] = (uint8_t)strtol(word.at + i, NULL, 10);
            return;
        }
    }
}

/* Numbers of .m16n8k16, and of .x4 and .16x64b for tensor memory. */
static void note_shape(struct ptx_candidate *c, const struct ptx_word *word)
{
    const char *at = word->text;
    char *end;

    if (*at == 'm' && word->len > 3 && at[1] >= '0' && at[1] <= '9') {
        c->match.shape[0] = (uint16_t)strtol(at + 1, &end, 10);
        c->match.shape[1] = *end == 'n' ? (uint16_t)strtol(end + 1, &end, 10) : 0;
        c->match.shape[2] = *end == 'k' ? (uint16_t)strtol(end + 1, &end, 10) : 0;
    } else if (*at == 'x' && word->len > 1 && word->len < 5) {
        c->tmem_count = (uint16_t)strtol(at + 1, NULL, 10);
    } else if (word->len > 4 && (memcmp(at, "16x", 3) == 0 || memcmp(at, "32x", 3) == 0)) {
        c->tmem_scale = memcmp(at, "16x128b", 7) == 0 ? 2 : memcmp(at, "16x256b", 7) == 0 ? 4 : 1;
    }
}

bool ptx_candidate_init(struct ptx_candidate *c, const struct ptx_pattern *pat, const struct ptx_words *w,
                        const uint8_t chosen[PTX_MAX_ELEMENTS])
{
    c->pattern = pat;
    c->match.form = pat->index;
    c->match.op = pat->form->op;
    c->match.mods.vec = 1;
    memcpy(c->chosen, chosen, sizeof c->chosen);
    for (unsigned k = 0; k < pat->n_elements; k++) {
        const struct ptx_element *e = &pat->elements[k];

        if (chosen[k] != PTX_NO_CHOICE) {
            apply_alternative(&c->match.mods, e->role, &e->alternatives[chosen[k]]);
            note_role(c, e->role, e->alternatives[chosen[k]].words[0]);
        }
    }
    for (uint32_t i = 0; i < w->count; i++) {
        enum ir_type type;
        enum ptx_modifier id = modifier_of(w->at[i].text, w->at[i].len);

        if (ptx_type_of_word((struct ptx_text){w->at[i].text - 1, w->at[i].len + 1}, &type)) {
            if (c->match.n_types < PTX_MAX_TYPES) {
                c->match.types[c->match.n_types++] = (uint8_t)type;
            }
        } else if (id != PTX_MOD_NONE) {
            c->match.words[c->match.n_words++] = (uint16_t)id;
        }
        note_shape(c, &w->at[i]);
        c->n_spaces += w->slot[i] == PTX_SLOT_SPACE;
    }
    return true;
}
