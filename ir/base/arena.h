/*
 * Lifetimes: memory that is released all at once.  An arena belongs to one module, one parse or one launch; nothing
 * taken from it is freed alone.  Allocation fails only by returning NULL (memory exhausted or the arena's limit
 * reached).
 */
#ifndef IR_BASE_ARENA_H
#define IR_BASE_ARENA_H

#include <stddef.h>

struct arena;

/* A new arena that hands out at most `limit_bytes` in all (0: no limit).  NULL when memory is exhausted. */
struct arena *arena_new(size_t limit_bytes);
void arena_free(struct arena *a);

/* `size` zeroed bytes aligned to `align` (a power of two, at most 64); NULL on exhaustion.  Size 0 gives a unique
 * address. */
void *arena_alloc(struct arena *a, size_t size, size_t align);
#define ARENA_NEW(a, type)          ((type *)arena_alloc((a), sizeof(type), _Alignof(type)))
#define ARENA_ARRAY(a, type, count) ((type *)arena_alloc_array((a), (count), sizeof(type), _Alignof(type)))

/* As arena_alloc for `count` elements of `size` bytes; NULL when the product overflows. */
void *arena_alloc_array(struct arena *a, size_t count, size_t size, size_t align);

/* Copies of text; `len` excludes the terminator that is added. */
char *arena_strdup(struct arena *a, const char *text);
char *arena_strndup(struct arena *a, const char *text, size_t len);

/* What `from` has handed out lives as long as `into` from now on; `from` itself becomes empty. */
void arena_adopt(struct arena *into, struct arena *from);

/* Bytes handed out so far, block overhead included. */
size_t arena_used(const struct arena *a);

#endif
