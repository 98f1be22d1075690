/*
 * The built-in GPUs: a constant table made at build time from emu/gpus/, and looking one up by the names people use.
 */
#include "emu/spec.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const struct emu_spec builtins[] = {
#include "emu_gpus.inc"
};

enum { BUILTIN_COUNT = sizeof(builtins) / sizeof(builtins[0]) };

const struct emu_spec *emu_spec_at(size_t index)
{
    return index < BUILTIN_COUNT ? &builtins[index] : NULL;
}

/* Marketing words that do not tell GPUs apart. */
static const char *const vendor_words[] = {"nvidia", "geforce", "tesla", "graphics", "gpu"};

static bool is_vendor_word(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof(vendor_words) / sizeof(vendor_words[0]); i++) {
        if (strlen(vendor_words[i]) == length && strncasecmp(vendor_words[i], word, length) == 0) {
            return true;
        }
    }
    return false;
}

/* A name reduced to what tells GPUs apart: lower-case letters and digits, without vendor words. */
struct plain_name {
    char text[96];
    size_t length;
    size_t first; /* length of its first word */
};

static bool append_word(struct plain_name *p, const char *word, size_t length)
{
    if (length > sizeof(p->text) - 1 - p->length) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        p->text[p->length++] = (char)tolower((unsigned char)word[i]);
    }
    p->text[p->length] = '\0';
    if (p->first == 0) {
        p->first = length;
    }
    return true;
}

/* False when the name is longer than any GPU's. */
static bool plain_name_of(const char *name, struct plain_name *p)
{
    *p = (struct plain_name){0};
    while (*name) {
        size_t length = 0;
        while (isalnum((unsigned char)name[length])) {
            length++;
        }
        if (length > 0 && !is_vendor_word(name, length) && !append_word(p, name, length)) {
            return false;
        }
        name += length > 0 ? length : 1;
    }
    return true;
}

static bool same(const struct plain_name *a, const struct plain_name *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

const struct emu_spec *emu_spec_builtin(const char *name)
{
    struct plain_name wanted, known;
    const struct emu_spec *by_first_word = NULL;

    if (!plain_name_of(name, &wanted) || wanted.length == 0) {
        return NULL;
    }
    for (size_t i = 0; i < BUILTIN_COUNT; i++) {
        const struct emu_spec *s = &builtins[i];
        bool by_product = plain_name_of(s->product, &known) && same(&wanted, &known);
        if (by_product || (plain_name_of(s->name, &known) && same(&wanted, &known))) {
            return s;
        }
        /* "a100" stands for the first of the A100s. */
        if (!by_first_word && wanted.length == known.first && memcmp(wanted.text, known.text, known.first) == 0) {
            by_first_word = s;
        }
    }
    return by_first_word;
}
