/*
 * Growing text, and the hash of bytes that records hold.
 */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rng.h"

static void reserve(struct text *t, size_t more)
{
    if (t->length + more + 1 <= t->room) {
        return;
    }
    t->room = 2 * (t->length + more + 1);
    t->at = realloc(t->at, t->room);
    if (t->at == NULL) {
        fputs("conformance_random: out of memory\n", stderr);
        exit(2);
    }
}

void text_add(struct text *t, const char *format, ...)
{
    va_list args, again;

    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);

    reserve(t, (size_t)length);
    vsnprintf(t->at + t->length, t->room - t->length, format, again);
    t->length += (size_t)length;
    va_end(again);
    va_end(args);
}

void text_cut(struct text *t, size_t length)
{
    t->length = length;
    if (t->at != NULL) {
        t->at[length] = '\0';
    }
}

void text_free(struct text *t)
{
    free(t->at);
    *t = (struct text){0};
}

uint64_t hash_bytes(const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    uint64_t hash = rng_mix(size);

    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;

        memcpy(&word, at + i, size - i < 8 ? size - i : 8);
        hash = rng_mix(hash ^ word) + 0x9e3779b97f4a7c15u;
    }
    return hash;
}
