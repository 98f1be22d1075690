/*
 * Linked images, written and read.
 */
#include "runtime/cuda/linked.h"

#include <stdlib.h>
#include <string.h>

static size_t padded(size_t length)
{
    return (length + 1 + 7) / 8 * 8; /* at least one zero */
}

void *rt_linked_write(const struct rt_ptx_set *set, size_t *size)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < set->count; i++) {
        bytes += 8 + padded(set->parts[i].length);
    }
    char *image = calloc(1, RT_LINKED_HEADER + bytes);
    char *at = image + RT_LINKED_HEADER;

    if (image == NULL) {
        return NULL;
    }
    memcpy(image, RT_LINKED_MAGIC, 8);
    memcpy(image + 8, &bytes, 8);
    for (size_t i = 0; i < set->count; i++) {
        const uint64_t length = set->parts[i].length;

        memcpy(at, &length, 8);
        memcpy(at + 8, set->parts[i].text, length);
        at += 8 + padded(length);
    }
    *size = RT_LINKED_HEADER + bytes;
    return image;
}

static enum rt_image_status add(struct rt_bytes text, struct rt_ptx_set *set, struct rt_image_error *error)
{
    struct rt_ptx *grown = reallocarray(set->parts, set->count + 1, sizeof *grown);
    char *copy = grown == NULL ? NULL : strndup((const char *)text.at, text.size);

    if (grown != NULL) {
        set->parts = grown;
    }
    if (copy == NULL) {
        return rt_image_fail(error, RT_IMAGE_OUT_OF_MEMORY, "out of memory");
    }
    set->parts[set->count++] = (struct rt_ptx){copy, strlen(copy)};
    return RT_IMAGE_OK;
}

enum rt_image_status rt_linked_read(struct rt_bytes bytes, struct rt_ptx_set *set, struct rt_image_error *error)
{
    const uint64_t size = rt_bytes_u64(bytes, 8);
    const struct rt_bytes all = rt_bytes_part(bytes, RT_LINKED_HEADER, size);
    uint64_t at = 0;

    if (all.at == NULL) {
        return rt_image_fail(error, RT_IMAGE_MALFORMED, "a linked image is cut off");
    }
    set->relocatable = true;
    while (at < all.size) {
        const uint64_t length = rt_bytes_u64(all, at);
        const struct rt_bytes text = rt_bytes_part(all, at + 8, length);

        if (!rt_bytes_hold(all, at, 8) || text.at == NULL || length > RT_PTX_LIMIT_BYTES) {
            return rt_image_fail(error, RT_IMAGE_MALFORMED, "a linked image is damaged");
        }
        if (add(text, set, error) != RT_IMAGE_OK) {
            return error->status;
        }
        at += 8 + padded(length);
    }
    return RT_IMAGE_OK;
}
