/*
 * Unpacking PTX.  Invariant: memory is asked for only after the sizes in the headers were found possible: below the
 * limit, in reach of the compression from what there is, and, where the compressed data says its own size, the same.
 */
#include "runtime/cuda/fatbin.h"

#include <inttypes.h>
#include <lz4.h>
#include <stdlib.h>
#include <zstd.h>

/*
 * What a byte can become at most.  LZ4: a byte that lengthens a match adds 255.  zstd: a block of four bytes, a header
 * and the byte that is repeated, stands for up to 128 KiB.
 */
static const uint64_t LARGEST_RATIO[] = {[RT_RAW] = 1, [RT_LZ4] = 255, [RT_ZSTD] = 32768};

static enum rt_image_status damaged(struct rt_image_error *error, const char *what)
{
    return rt_image_fail(error, RT_IMAGE_MALFORMED, "a damaged fat binary: %s", what);
}

/* zstd says in its own header how much will come out, if whoever compressed knew. */
static bool agrees_with_frame(const struct rt_image *image)
{
    const unsigned long long size = ZSTD_getFrameContentSize(image->payload.at, (size_t)image->payload.size);

    return size == ZSTD_CONTENTSIZE_UNKNOWN || size == image->unpacked_bytes;
}

static enum rt_image_status check_sizes(const struct rt_image *image, struct rt_image_error *error)
{
    if (image->compression == RT_COMPRESSION_UNKNOWN) {
        return rt_image_fail(error, RT_IMAGE_UNKNOWN,
                             "PTX compressed in a way that is not known (flags 0x%" PRIx64 "); nvcc's option "
                             "--compress-mode=none leaves it as it is",
                             image->flags);
    }
    if (image->unpacked_bytes > RT_PTX_LIMIT_BYTES ||
        image->unpacked_bytes / LARGEST_RATIO[image->compression] > image->payload.size) {
        return rt_image_fail(error, RT_IMAGE_MALFORMED,
                             "a damaged fat binary: %" PRIu64 " bytes of PTX cannot come out of %" PRIu64,
                             image->unpacked_bytes, image->payload.size);
    }
    if (image->compression == RT_ZSTD && !agrees_with_frame(image)) {
        return damaged(error, "the sizes of compressed PTX contradict each other");
    }
    return RT_IMAGE_OK;
}

/* Fill all of `to`, image->unpacked_bytes long. */
static bool unpack_lz4(const struct rt_image *image, char *to)
{
    return image->payload.size <= LZ4_MAX_INPUT_SIZE &&
           LZ4_decompress_safe((const char *)image->payload.at, to, (int)image->payload.size,
                               (int)image->unpacked_bytes) == (int)image->unpacked_bytes;
}

static bool unpack_zstd(const struct rt_image *image, char *to)
{
    return ZSTD_decompress(to, (size_t)image->unpacked_bytes, image->payload.at, (size_t)image->payload.size) ==
           image->unpacked_bytes;
}

static bool unpack(const struct rt_image *image, char *to)
{
    switch (image->compression) {
    case RT_LZ4:
        return unpack_lz4(image, to);
    case RT_ZSTD:
        return unpack_zstd(image, to);
    default:
        memcpy(to, image->payload.at, (size_t)image->payload.size);
        return true;
    }
}

enum rt_image_status rt_image_unpack(const struct rt_image *image, struct rt_ptx *ptx, struct rt_image_error *error)
{
    *ptx = (struct rt_ptx){NULL, 0};
    error->status = RT_IMAGE_OK;
    if (image->kind != RT_IMAGE_PTX) {
        return rt_image_fail(error, RT_IMAGE_NO_PTX, "the image is no PTX");
    }
    if (image->payload.size == 0) {
        return damaged(error, "an image is empty");
    }
    if (check_sizes(image, error) != RT_IMAGE_OK) {
        return error->status;
    }
    char *text = malloc((size_t)image->unpacked_bytes + 1);

    if (text == NULL) {
        return rt_image_fail(error, RT_IMAGE_OUT_OF_MEMORY, "out of memory");
    }
    if (!unpack(image, text)) {
        free(text);
        return damaged(error, "compressed PTX cannot be unpacked");
    }
    text[image->unpacked_bytes] = '\0'; /* it has one, but who knows; what follows the first is padding */
    *ptx = (struct rt_ptx){text, strlen(text)};
    return RT_IMAGE_OK;
}
