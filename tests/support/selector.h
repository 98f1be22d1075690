/*
 * A few words that pick instructions and forms: "ld.v8.f32" is every `ld` with these words in it, in any order.
 */
#ifndef SUPPORT_SELECTOR_H
#define SUPPORT_SELECTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "frontend/ast.h"
#include "frontend/pattern.h"

enum { SELECTOR_WORDS = 12 };

struct selector {
    const char *text;
    struct ptx_text mnemonic, words[SELECTOR_WORDS];
    unsigned n_words;
    uint64_t types; /* those among the words, as ir_type_bit */
    bool used;      /* it has picked something */
};

/* `text` taken apart; it must outlive the selector. */
struct selector selector_of(const char *text);
/* Append one for each word of `line`, which is changed and must outlive them, to an array in the arena. */
bool selector_list(struct arena *arena, char *line, struct selector **list, size_t *count);

/* The type that a word says; the word's dot must stand before it. */
bool selector_type(struct ptx_text word, enum ir_type *type);

bool selector_fits_inst(const struct selector *s, const struct ptx_inst *inst);
/* Could an instruction of this form have the words? */
bool selector_fits_form(const struct selector *s, const struct ptx_pattern *pattern);

#endif
