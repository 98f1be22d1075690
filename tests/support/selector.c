/*
 * Selectors: words against the words of an instruction, or against all that a form allows.
 */
#include "selector.h"

#include <string.h>

#include "ir/base/arena.h"

static bool same(struct ptx_text a, const char *text, size_t length)
{
    return a.len == length && memcmp(a.at, text, length) == 0;
}

bool selector_type(struct ptx_text word, enum ir_type *type)
{
    return ptx_type_of_word((struct ptx_text){word.at - 1, word.len + 1}, type);
}

struct selector selector_of(const char *text)
{
    struct selector s = {.text = text};
    size_t length = strcspn(text, ".");

    s.mnemonic = (struct ptx_text){text, (uint32_t)length};
    for (text += length; *text == '.' && s.n_words < SELECTOR_WORDS; text += length) {
        enum ir_type type;

        text++;
        length = strcspn(text, ".");
        s.words[s.n_words] = (struct ptx_text){text, (uint32_t)length};
        if (selector_type(s.words[s.n_words++], &type)) {
            s.types |= ir_type_bit(type);
        }
    }
    return s;
}

bool selector_list(struct arena *arena, char *line, struct selector **list, size_t *count)
{
    const size_t room = *count + strlen(line);
    struct selector *more = ARENA_ARRAY(arena, struct selector, room);
    char *rest = NULL;

    if (more == NULL) {
        return false;
    }
    if (*count != 0) {
        memcpy(more, *list, *count * sizeof *more);
    }
    for (char *word = strtok_r(line, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        more[(*count)++] = selector_of(word);
    }
    *list = more;
    return true;
}

static bool inst_has(const struct ptx_inst *inst, struct ptx_text word)
{
    for (uint32_t i = 0; i < inst->n_words; i++) {
        if (same(word, inst->words[i].text, inst->words[i].len)) {
            return true;
        }
    }
    return false;
}

bool selector_fits_inst(const struct selector *s, const struct ptx_inst *inst)
{
    if (!same(s->mnemonic, inst->mnemonic.text, inst->mnemonic.len)) {
        return false;
    }
    for (unsigned i = 0; i < s->n_words; i++) {
        if (!inst_has(inst, s->words[i])) {
            return false;
        }
    }
    return true;
}

static bool element_allows(const struct ptx_element *e, struct ptx_text word)
{
    for (unsigned a = 0; a < e->n_alternatives; a++) {
        for (unsigned w = 0; w < e->alternatives[a].n_words; w++) {
            if (same(word, e->alternatives[a].words[w].at, e->alternatives[a].words[w].len)) {
                return true;
            }
        }
    }
    return false;
}

static bool form_allows(const struct ptx_pattern *pattern, struct ptx_text word)
{
    for (unsigned e = 0; e < pattern->n_elements; e++) {
        if (element_allows(&pattern->elements[e], word)) {
            return true;
        }
    }
    return false;
}

bool selector_fits_form(const struct selector *s, const struct ptx_pattern *pattern)
{
    const char *mnemonic = pattern->form->mnemonic;

    if (!same(s->mnemonic, mnemonic, strlen(mnemonic))) {
        return false;
    }
    for (unsigned i = 0; i < s->n_words; i++) {
        if (!form_allows(pattern, s->words[i])) {
            return false;
        }
    }
    return true;
}
