/*
 * Fills: memory set to one value, in elements of 1, 2 or 4 bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/driver/copy.h"
#include "runtime/driver/memory.h"

enum { BRIEF_BYTES = 256 << 10 };

static void fill_row(uint8_t *at, const CUDA_MEMSET_NODE_PARAMS *s)
{
    switch (s->elementSize) {
    case 1:
        memset(at, (int)(s->value & 0xff), s->width);
        break;
    case 2:
        for (size_t i = 0; i < s->width; i++) {
            ((uint16_t *)(void *)at)[i] = (uint16_t)s->value;
        }
        break;
    default:
        for (size_t i = 0; i < s->width; i++) {
            ((uint32_t *)(void *)at)[i] = s->value;
        }
        break;
    }
}

static CUresult run_set(struct drv_work *work, struct drv_context *context)
{
    const CUDA_MEMSET_NODE_PARAMS *s = &((struct drv_set_work *)work)->set;

    (void)context;
    for (size_t y = 0; y < s->height; y++) {
        fill_row((uint8_t *)(uintptr_t)s->dst + y * s->pitch, s);
    }
    return CUDA_SUCCESS;
}

static void release_set(struct drv_work *work)
{
    free(work);
}

struct drv_work *drv_set_work(const CUDA_MEMSET_NODE_PARAMS *set)
{
    static const struct drv_work_class brief = {
        .kind = DRV_WORK_SET, .brief = true, .run = run_set, .release = release_set};
    static const struct drv_work_class large = {.kind = DRV_WORK_SET, .run = run_set, .release = release_set};
    struct drv_set_work *w = malloc(sizeof *w);

    if (w == NULL) {
        return NULL;
    }
    const bool is_brief =
        set->width * set->elementSize <= BRIEF_BYTES && set->height * set->width * set->elementSize <= BRIEF_BYTES;

    *w = (struct drv_set_work){.work = {is_brief ? &brief : &large, 1}, .set = *set};
    return &w->work;
}

CUresult drv_set_check(const CUDA_MEMSET_NODE_PARAMS *s)
{
    uint64_t row, extent;

    if ((s->elementSize != 1 && s->elementSize != 2 && s->elementSize != 4) || s->dst % s->elementSize != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (s->width == 0 || s->height == 0) {
        return CUDA_SUCCESS;
    }
    if (__builtin_mul_overflow(s->width, s->elementSize, &row) ||
        (s->height > 1 && (s->pitch < row || s->pitch % s->elementSize != 0)) ||
        __builtin_mul_overflow(s->height - 1, s->pitch, &extent) || __builtin_add_overflow(extent, row, &extent)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return drv_memory_covers(s->dst, extent) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
