/*
 * What to say when no form agrees with an opcode: the word that is to blame, and the nearest form.
 */
#include <stdio.h>
#include <string.h>

#include "frontend/opcode.h"

enum { TEXT_BYTES = 256, MAX_SHOWN_ALTERNATIVES = 6 };

void ptx_unknown_mnemonic(struct ptx_parse *p)
{
    const struct ptx_word *m = &p->inst.mnemonic;
    struct ptx_suggest s;

    ptx_suggest_start(&s, m->text, m->len);
    for (unsigned i = 0; i < ir_form_count; i++) {
        if (i == 0 || ir_form_info[i].mnemonic != ir_form_info[i - 1].mnemonic) {
            ptx_suggest_try(&s, ir_form_info[i].mnemonic, strlen(ir_form_info[i].mnemonic));
        }
    }
    if (ptx_suggest_found(&s)) {
        ptx_error(p, m->loc, "unknown instruction '%.*s'; did you mean '%.*s'?", (int)m->len, m->text, (int)s.best.len,
                  s.best.at);
    } else {
        ptx_error(p, m->loc, "unknown instruction '%.*s'", (int)m->len, m->text);
    }
}

/* --- text of forms -------------------------------------------------------------------------- */
struct writer {
    char *at;
    size_t room;
};

static void put(struct writer *w, const char *text, size_t len)
{
    size_t n = len < w->room ? len : w->room;

    memcpy(w->at, text, n);
    w->at += n;
    w->room -= n;
}

static void put_alternatives(struct writer *w, const struct ptx_element *e)
{
    for (unsigned i = 0; i < e->n_alternatives; i++) {
        if (i == MAX_SHOWN_ALTERNATIVES) {
            put(w, "|...", 4);
            return;
        }
        put(w, i == 0 ? "." : "|.", i == 0 ? 1 : 2);
        put(w, e->alternatives[i].text.at, e->alternatives[i].text.len);
    }
}

void ptx_form_text(const struct ptx_pattern *pat, const uint8_t chosen[PTX_MAX_ELEMENTS], enum ptx_form_style style,
                   char *buffer, size_t size)
{
    struct writer w = {buffer, size - 1};

    put(&w, pat->form->mnemonic, strlen(pat->form->mnemonic));
    for (unsigned k = 0; k < pat->n_elements; k++) {
        const struct ptx_element *e = &pat->elements[k];

        if (chosen[k] != PTX_NO_CHOICE) {
            put(&w, ".", 1);
            put(&w, e->alternatives[chosen[k]].text.at, e->alternatives[chosen[k]].text.len);
        } else if (e->n_alternatives == 1 && !e->optional) {
            put_alternatives(&w, e);
        } else if (style == PTX_FORM_WHOLE || !e->optional) {
            put(&w, e->optional ? "{" : "<", 1);
            put_alternatives(&w, e);
            put(&w, e->optional ? "}" : ">", 1);
        }
    }
    *w.at = '\0';
}

/* --- blame ---------------------------------------------------------------------------------- */
/* Does any form of the mnemonic know the word?  Near misses go to `s`. */
static bool mnemonic_knows(const struct ptx_mnemonic *m, const struct ptx_word *word, struct ptx_suggest *s)
{
    for (uint32_t i = 0; i < m->n_patterns; i++) {
        for (unsigned k = 0; k < m->patterns[i]->n_elements; k++) {
            const struct ptx_element *e = &m->patterns[i]->elements[k];

            for (unsigned a = 0; a < e->n_alternatives; a++) {
                for (unsigned n = 0; n < e->alternatives[a].n_words; n++) {
                    struct ptx_text known = e->alternatives[a].words[n];

                    if (known.len == word->len && memcmp(known.at, word->text, known.len) == 0) {
                        return true;
                    }
                    ptx_suggest_try(s, known.at, known.len);
                }
            }
        }
    }
    return false;
}

/* Report a word that no form of the mnemonic takes; false if there is none. */
static bool blame_unknown_word(struct ptx_parse *p, const struct ptx_mnemonic *m, const struct ptx_words *w)
{
    for (uint32_t i = 0; i < w->count; i++) {
        const struct ptx_word *word = &w->at[i];
        struct ptx_suggest s;

        ptx_suggest_start(&s, word->text, word->len);
        if (mnemonic_knows(m, word, &s)) {
            continue;
        }
        if (ptx_suggest_found(&s)) {
            ptx_error(p, word->loc, "'%s' has no modifier '.%.*s'; did you mean '.%.*s'?", m->name, (int)word->len,
                      word->text, (int)s.best.len, s.best.at);
        } else {
            ptx_error(p, word->loc, "'%s' has no modifier '.%.*s'", m->name, (int)word->len, word->text);
        }
        return true;
    }
    return false;
}

/* How near a pattern comes: words placed count for it, elements without a word against it. */
struct nearness {
    const struct ptx_pattern *pattern;
    uint8_t chosen[PTX_MAX_ELEMENTS];
    uint32_t used;    /* words placed, bit by bit */
    unsigned missing; /* first element that lacks its word, or n_elements */
    int score;
};

static void measure(const struct ptx_pattern *pat, const struct ptx_words *w, struct nearness *n)
{
    int wanted = 0;

    n->pattern = pat;
    n->used = ptx_pattern_partial(pat, w, n->chosen, &n->missing);
    for (unsigned k = 0; k < pat->n_elements; k++) {
        wanted += n->chosen[k] == PTX_NO_CHOICE && !pat->elements[k].optional;
    }
    n->score = 4 * __builtin_popcount(n->used) - 3 * wanted + ((n->used & 1) != 0);
    /* Types are what people mean most seriously: a form that has the last word is nearer. */
    if (w->count != 0 && (n->used >> (w->count - 1) & 1) != 0) {
        n->score += 2;
    }
}

/* The nearest form; `with`: among those that place this word, or all if negative. */
static bool nearest(const struct ptx_mnemonic *m, const struct ptx_words *w, int with, struct nearness *best)
{
    best->pattern = NULL;
    for (uint32_t i = 0; i < m->n_patterns; i++) {
        struct nearness n;

        measure(m->patterns[i], w, &n);
        if ((with < 0 || (n.used >> with & 1) != 0) && (best->pattern == NULL || n.score > best->score)) {
            *best = n;
        }
    }
    return best->pattern != NULL;
}

static bool is_repeated(const struct ptx_words *w, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++) {
        if (w->at[k].len == w->at[i].len && memcmp(w->at[k].text, w->at[i].text, w->at[i].len) == 0) {
            return true;
        }
    }
    return false;
}

/* The first word that the nearest form has no place for, and the nearest form that has one. */
static void blame_extra_word(struct ptx_parse *p, const struct ptx_mnemonic *m, const struct ptx_words *w,
                             const struct nearness *near)
{
    char form[TEXT_BYTES], other_form[TEXT_BYTES];
    struct nearness other;
    uint32_t i = 0;

    while ((near->used >> i & 1) != 0) {
        i++;
    }
    const struct ptx_word *word = &w->at[i];

    ptx_form_text(near->pattern, near->chosen, PTX_FORM_WHOLE, form, sizeof form);
    if (is_repeated(w, i)) {
        ptx_error(p, word->loc, "'.%.*s' is repeated; closest form is %s", (int)word->len, word->text, form);
    } else if (nearest(m, w, (int)i, &other)) {
        ptx_form_text(other.pattern, other.chosen, PTX_FORM_WHOLE, other_form, sizeof other_form);
        ptx_error(p, word->loc, "'.%.*s' does not go with the rest; closest forms are %s and %s", (int)word->len,
                  word->text, form, other_form);
    } else {
        ptx_error(p, word->loc, "'.%.*s' does not go with the rest; closest form is %s", (int)word->len, word->text,
                  form);
    }
}

/* The words that would fill the gap, in all forms that come as near. */
static void blame_missing_word(struct ptx_parse *p, const struct ptx_mnemonic *m, const struct ptx_words *w,
                               const struct nearness *near)
{
    char form[TEXT_BYTES], wanted[TEXT_BYTES] = "";
    struct writer out = {wanted, sizeof wanted - 1};
    unsigned shown = 0;

    for (uint32_t i = 0; i < m->n_patterns; i++) {
        struct nearness n;

        measure(m->patterns[i], w, &n);
        if (n.score != near->score || n.used != near->used || n.missing >= n.pattern->n_elements) {
            continue;
        }
        const struct ptx_element *e = &n.pattern->elements[n.missing];

        for (unsigned a = 0; a < e->n_alternatives && shown < 2 * MAX_SHOWN_ALTERNATIVES; a++) {
            char word[64];

            snprintf(word, sizeof word, "%s.%.*s", shown == 0 ? "" : ", ", (int)e->alternatives[a].text.len,
                     e->alternatives[a].text.at);
            *out.at = '\0';
            if (strstr(wanted, word + (shown == 0 ? 0 : 2)) == NULL) {
                put(&out, word, strlen(word));
                shown++;
            }
        }
    }
    *out.at = '\0';
    ptx_form_text(near->pattern, near->chosen, PTX_FORM_WHOLE, form, sizeof form);
    ptx_error(p, p->inst.loc,
              shown == 1 ? "'%s' needs %s; closest form is %s" : "'%s' needs one of %s; closest form is %s", m->name,
              wanted, form);
}

void ptx_no_form(struct ptx_parse *p, const struct ptx_mnemonic *m, const struct ptx_words *w)
{
    struct nearness near;
    char form[TEXT_BYTES];

    if (blame_unknown_word(p, m, w) || !nearest(m, w, -1, &near)) {
        return;
    }
    if (near.used != (w->count == 32 ? UINT32_MAX : ((uint32_t)1 << w->count) - 1)) {
        blame_extra_word(p, m, w, &near);
    } else if (near.missing < near.pattern->n_elements) {
        blame_missing_word(p, m, w, &near);
    } else {
        ptx_form_text(near.pattern, near.chosen, PTX_FORM_WHOLE, form, sizeof form);
        ptx_error(p, p->inst.loc, "the modifiers of '%s' are in the wrong order; the form is %s", m->name, form);
    }
}
