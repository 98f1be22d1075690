/*
 * Arrays: texels in host memory.  Invariant: a level starts at a multiple of 64 bytes and its rows lie without gaps, so
 * whoever copies into it needs no more than its sizes.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "emu/texture.h"

enum { LEVEL_ALIGN = 64 };
/* More than any GPU has along one dimension. */
enum { MOST_EXTENT = 1 << 18 };

struct emu_array {
    struct emu_array_shape shape;
    _Atomic uint32_t uses;
    uint8_t *bytes;
    struct emu_texels levels[EMU_MOST_LEVELS];
};

static bool is_format(struct emu_format f)
{
    const bool bits = f.bits == 8 || f.bits == 16 || f.bits == 32;
    const bool channels = f.channels == 1 || f.channels == 2 || f.channels == 4;

    if (f.kind == EMU_CHANNEL_FLOAT) {
        return channels && (f.bits == 16 || f.bits == 32);
    }
    return channels && bits && f.kind <= EMU_CHANNEL_SNORM && (f.kind < EMU_CHANNEL_UNORM || f.bits <= 16);
}

bool emu_array_possible(const struct emu_array_shape *s)
{
    const bool extents = s->width >= 1 && s->width <= MOST_EXTENT && s->height <= MOST_EXTENT &&
                         s->depth <= MOST_EXTENT && s->layers <= MOST_EXTENT;
    const bool layers = s->layers == 0 || s->depth == 0;
    const bool cube = !s->cube || (s->layers != 0 && s->layers % 6 == 0 && s->width == s->height);

    return is_format(s->format) && extents && layers && cube && (s->depth == 0 || s->height != 0) && s->levels >= 1 &&
           s->levels <= EMU_MOST_LEVELS;
}

static uint32_t at_level(uint32_t size, uint32_t level)
{
    const uint32_t smaller = size >> level;

    return smaller == 0 ? 1 : smaller;
}

/* Sizes of a level; its bytes are not placed yet. */
static struct emu_texels measure(const struct emu_array_shape *s, uint32_t level)
{
    struct emu_texels t = {.width = at_level(s->width, level),
                           .height = at_level(s->height, level),
                           .slices = s->layers != 0 ? s->layers : at_level(s->depth, level)};

    t.row_bytes = (size_t)t.width * emu_texel_bytes(s->format);
    t.slice_bytes = t.row_bytes * t.height;
    return t;
}

static size_t rounded(size_t bytes)
{
    return (bytes + LEVEL_ALIGN - 1) / LEVEL_ALIGN * LEVEL_ALIGN;
}

struct emu_array *emu_array_new(const struct emu_array_shape *shape)
{
    struct emu_array *a = emu_array_possible(shape) ? calloc(1, sizeof *a) : NULL;
    size_t bytes = 0;

    if (a == NULL) {
        return NULL;
    }
    a->shape = *shape;
    atomic_init(&a->uses, 1);
    for (uint32_t level = 0; level < shape->levels; level++) {
        a->levels[level] = measure(shape, level);
        bytes += rounded(a->levels[level].slice_bytes * a->levels[level].slices);
    }
    /* Large arrays come from the system page by page as they are written, and zero. */
    a->bytes = calloc(bytes / LEVEL_ALIGN + 1, LEVEL_ALIGN);
    if (a->bytes == NULL) {
        free(a);
        return NULL;
    }
    uint8_t *at = a->bytes + (LEVEL_ALIGN - (uintptr_t)a->bytes % LEVEL_ALIGN) % LEVEL_ALIGN;

    for (uint32_t level = 0; level < shape->levels; level++) {
        a->levels[level].bytes = at;
        at += rounded(a->levels[level].slice_bytes * a->levels[level].slices);
    }
    return a;
}

struct emu_array *emu_array_retain(struct emu_array *array)
{
    atomic_fetch_add(&array->uses, 1);
    return array;
}

void emu_array_release(struct emu_array *array)
{
    if (array != NULL && atomic_fetch_sub(&array->uses, 1) == 1) {
        free(array->bytes);
        free(array);
    }
}

const struct emu_array_shape *emu_array_shape(const struct emu_array *array)
{
    return &array->shape;
}

struct emu_texels emu_array_texels(const struct emu_array *array, uint32_t level)
{
    return array->levels[level < array->shape.levels ? level : array->shape.levels - 1];
}
