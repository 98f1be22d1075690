/*
 * Text that grows.  Memory running out ends the program: a harness has nothing better to do.
 */
#ifndef RANDOM_TEXT_H
#define RANDOM_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct text {
    char *at; /* zero-terminated; NULL while empty */
    size_t length, room;
};

void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_cut(struct text *t, size_t length);
void text_free(struct text *t);

/* 64 bits of any bytes, the same on every host. */
uint64_t hash_bytes(const void *bytes, size_t size);

#endif
