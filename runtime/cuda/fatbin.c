/*
 * Containers and their entries.  Invariant: a cursor never leaves its container, and an image handed out lies inside
 * it.
 */
#include "runtime/cuda/fatbin.h"
#include "runtime/cuda/fatbin_format.h"

#include "runtime/cuda/linked.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static const char RELOCATABLE_OPTION[] = FATBIN_RELOCATABLE_OPTION;

enum rt_image_status rt_image_fail(struct rt_image_error *error, enum rt_image_status status, const char *format, ...)
{
    va_list values;

    error->status = status;
    va_start(values, format);
    vsnprintf(error->text, sizeof error->text, format, values);
    va_end(values);
    return status;
}

/* Byte by byte: where the size is unknown, nothing may be read behind the first byte that differs. */
static bool starts_with(struct rt_bytes b, const char *magic, uint64_t length)
{
    uint64_t i = 0;

    while (i < length && i < b.size && b.at[i] == (uint8_t)magic[i]) {
        i++;
    }
    return i == length;
}

/* PTX starts with white space, a comment or a directive; what follows is for the parser to judge. */
static bool starts_like_ptx(struct rt_bytes b)
{
    uint64_t i = 0;

    while (i < b.size && memchr(" \t\r\n", b.at[i], 4) != NULL) {
        i++;
    }
    return i < b.size && (b.at[i] == '.' || b.at[i] == '/');
}

enum rt_code_format rt_code_format(struct rt_bytes bytes)
{
    static const struct {
        const char *magic;
        enum rt_code_format format;
    } known[] = {
        {"\xB1\x43\x62\x46", RT_CODE_WRAPPER}, {"\x50\xED\x55\xBA", RT_CODE_CONTAINER}, {"\177ELF", RT_CODE_ELF}};

    if (starts_with(bytes, RT_LINKED_MAGIC, 8)) {
        return RT_CODE_LINKED;
    }

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (starts_with(bytes, known[i].magic, 4)) {
            return known[i].format;
        }
    }
    return starts_like_ptx(bytes) ? RT_CODE_TEXT : RT_CODE_NONE;
}

/* --- containers ------------------------------------------------------------------------------- */
enum rt_image_status rt_container_open(struct rt_bytes bytes, struct rt_image_cursor *cursor, uint64_t *length,
                                       struct rt_image_error *error)
{
    if (rt_code_format(bytes) != RT_CODE_CONTAINER || !rt_bytes_hold(bytes, 0, CONTAINER_HEADER)) {
        return rt_image_fail(error, RT_IMAGE_MALFORMED, "not a fat binary: its header is missing or damaged");
    }
    const uint16_t version = rt_bytes_u16(bytes, CONTAINER_VERSION);
    const uint16_t header = rt_bytes_u16(bytes, CONTAINER_HEADER_SIZE);
    const uint64_t size = rt_bytes_u64(bytes, CONTAINER_SIZE);

    if (version != 1) {
        return rt_image_fail(error, RT_IMAGE_UNKNOWN, "a fat binary of version %u; only version 1 is known", version);
    }
    if (header < CONTAINER_HEADER || !rt_bytes_hold(bytes, header, size)) {
        return rt_image_fail(error, RT_IMAGE_MALFORMED,
                             "a damaged fat binary: a header of %u bytes and %" PRIu64 " bytes of images do not fit "
                             "into the %" PRIu64 " bytes that there are",
                             header, size, bytes.size);
    }
    *cursor = (struct rt_image_cursor){.entries = rt_bytes_part(bytes, header, size)};
    if (length != NULL) {
        *length = header + size;
    }
    error->status = RT_IMAGE_OK;
    return RT_IMAGE_OK;
}

/* --- entries ---------------------------------------------------------------------------------- */
static char suffix_of(uint64_t flags)
{
    return (flags & FLAG_ARCHITECTURE) != 0 ? 'a' : (flags & FLAG_FAMILY) != 0 ? 'f' : 0;
}

static enum rt_compression compression_of(uint64_t flags, uint32_t packed_bytes)
{
    const bool lz4 = (flags & FLAG_LZ4) != 0, zstd = (flags & FLAG_ZSTD) != 0;

    if (lz4 != zstd) {
        return lz4 ? RT_LZ4 : RT_ZSTD;
    }
    return lz4 || packed_bytes != 0 ? RT_COMPRESSION_UNKNOWN : RT_RAW;
}

/* The options of the assembler; false when they lie outside.  In other entries than PTX something else stands there. */
static bool read_options(struct rt_bytes header, struct rt_image *image)
{
    const uint32_t at = rt_bytes_u32(header, ENTRY_OPTIONS);
    const uint32_t offset = rt_bytes_u32(header, (uint64_t)at + 0), length = rt_bytes_u32(header, (uint64_t)at + 4);

    if (image->kind != RT_IMAGE_PTX || at == 0) {
        return true;
    }
    image->options = rt_bytes_part(header, offset, length);
    image->relocatable = length >= sizeof RELOCATABLE_OPTION - 1 && image->options.at != NULL &&
                         memmem(image->options.at, length, RELOCATABLE_OPTION, sizeof RELOCATABLE_OPTION - 1) != NULL;
    return rt_bytes_hold(header, at, 8) && rt_bytes_hold(header, offset, length);
}

static bool read_identifier(struct rt_bytes header, struct rt_image *image)
{
    const uint32_t offset = rt_bytes_u32(header, ENTRY_NAME), length = rt_bytes_u32(header, ENTRY_NAME_LENGTH);

    image->identifier = offset != 0 ? rt_bytes_part(header, offset, length) : (struct rt_bytes){NULL, 0};
    return offset == 0 || rt_bytes_hold(header, offset, length);
}

/* Take the padding off the payload; false when more is compressed than there is. */
static bool read_payload(struct rt_bytes header, struct rt_bytes padded, struct rt_image *image)
{
    const uint32_t packed = rt_bytes_u32(header, ENTRY_PACKED_SIZE);

    image->compression = compression_of(image->flags, packed);
    if (image->compression == RT_RAW) {
        image->payload = padded;
        image->unpacked_bytes = padded.size;
        return true;
    }
    image->payload = rt_bytes_part(padded, 0, packed);
    image->unpacked_bytes = rt_bytes_u64(header, ENTRY_UNPACKED_SIZE);
    return packed != 0 && packed <= padded.size;
}

/* Fields that stand in every header. */
static struct rt_image describe(struct rt_bytes header)
{
    const uint64_t flags = rt_bytes_u64(header, ENTRY_FLAGS);

    return (struct rt_image){
        .kind = rt_bytes_u16(header, ENTRY_KIND),
        .version = {rt_bytes_u16(header, ENTRY_MAJOR), rt_bytes_u16(header, ENTRY_MINOR)},
        .sm = rt_bytes_u32(header, ENTRY_SM),
        .suffix = suffix_of(flags),
        .is_64bit = (flags & FLAG_64BIT) != 0,
        .debug = (flags & FLAG_DEBUG) != 0,
        .flags = flags,
    };
}

bool rt_container_next(struct rt_image_cursor *cursor, struct rt_image *image, struct rt_image_error *error)
{
    const struct rt_bytes rest = rt_bytes_part(cursor->entries, cursor->offset, cursor->entries.size - cursor->offset);
    const uint32_t header_size = rt_bytes_u32(rest, ENTRY_HEADER_SIZE);
    const uint64_t payload_size = rt_bytes_u64(rest, ENTRY_PAYLOAD_SIZE);
    const struct rt_bytes header = rt_bytes_part(rest, 0, header_size);

    error->status = RT_IMAGE_OK;
    if (rest.size == 0) {
        return false;
    }
    *image = describe(header);
    if (header_size < ENTRY_HEADER || header.at == NULL || !rt_bytes_hold(rest, header_size, payload_size) ||
        !read_options(header, image) || !read_identifier(header, image) ||
        !read_payload(header, rt_bytes_part(rest, header_size, payload_size), image)) {
        rt_image_fail(error, RT_IMAGE_MALFORMED,
                      "a damaged fat binary: the header of the image at byte %" PRIu64 " of %" PRIu64
                      " points outside its place",
                      cursor->offset, cursor->entries.size);
        return false;
    }
    cursor->offset += header_size + payload_size;
    return true;
}
