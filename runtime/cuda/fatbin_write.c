/*
 * Writing containers.  Invariant: what is written is what fatbin.c reads, with the options and flags that nvcc gives.
 */
#include "runtime/cuda/fatbin_write.h"
#include "runtime/cuda/fatbin_format.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* --- what the text says of itself ------------------------------------------------------------- */
struct heading {
    unsigned major, minor; /* .version */
    unsigned sm;           /* .target */
    char suffix;           /* 'a', 'f' or 0 */
};

/* Behind white space and comments. */
static const char *skip_blanks(const char *at)
{
    for (;;) {
        if (isspace((unsigned char)*at)) {
            at++;
        } else if (at[0] == '/' && at[1] == '/') {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*' && strstr(at + 2, "*/") != NULL) {
            at = strstr(at + 2, "*/") + 2;
        } else {
            return at;
        }
    }
}

/* .version comes first, .target second; `text` is terminated. */
static bool read_heading(const char *text, struct heading *h)
{
    int length = 0;

    if (sscanf(skip_blanks(text), ".version %u.%u%n", &h->major, &h->minor, &length) != 2) {
        return false;
    }
    const char *target = skip_blanks(skip_blanks(text) + length);

    if (sscanf(target, ".target sm_%u%n", &h->sm, &length) != 1) {
        return false;
    }
    h->suffix = target[length] == 'a' || target[length] == 'f' ? target[length] : '\0';
    return true;
}

/* --- writing ---------------------------------------------------------------------------------- */
static void put(uint8_t *to, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        to[i] = (uint8_t)(value >> 8 * i);
    }
}

/* Options stand behind the header, their place before them; the payload starts at a multiple of 8. */
static const char NO_OPTIONS[8] = "";
static const char RELOCATABLE_OPTIONS[16] = FATBIN_RELOCATABLE_OPTION " ";

static void put_entry(uint8_t *entry, uint64_t header_bytes, uint64_t payload_bytes, const struct heading *h)
{
    const uint64_t special = h->suffix == 'a' ? FLAG_ARCHITECTURE : h->suffix == 'f' ? FLAG_FAMILY : 0;

    put(entry + ENTRY_KIND, RT_IMAGE_PTX, 2);
    put(entry + ENTRY_FORMAT, ENTRY_FORMAT_VALUE, 2);
    put(entry + ENTRY_HEADER_SIZE, header_bytes, 4);
    put(entry + ENTRY_PAYLOAD_SIZE, payload_bytes, 8);
    put(entry + ENTRY_OPTIONS, ENTRY_HEADER, 4);
    put(entry + ENTRY_MINOR, h->minor, 2);
    put(entry + ENTRY_MAJOR, h->major, 2);
    put(entry + ENTRY_SM, h->sm, 4);
    put(entry + ENTRY_FLAGS, FLAG_64BIT | FLAG_LINUX | special, 8);
}

static void put_options(uint8_t *entry, const char *options)
{
    put(entry + ENTRY_HEADER, ENTRY_HEADER + 8, 4);
    put(entry + ENTRY_HEADER + 4, strlen(options), 4);
    memcpy(entry + ENTRY_HEADER + 8, options, strlen(options));
}

static enum rt_image_status write_container(const char *text, uint64_t length, bool relocatable,
                                            struct rt_container *container, struct rt_image_error *error)
{
    const char *options = relocatable ? RELOCATABLE_OPTIONS : NO_OPTIONS;
    const uint64_t option_bytes = relocatable ? sizeof RELOCATABLE_OPTIONS : 0;
    const uint64_t header_bytes = ENTRY_HEADER + 8 + option_bytes, payload_bytes = (length + 8) / 8 * 8;
    struct heading heading;

    if (!read_heading(text, &heading)) {
        return rt_image_fail(error, RT_IMAGE_MALFORMED, "the text does not start with .version and .target");
    }
    *container = (struct rt_container){.size = CONTAINER_HEADER + header_bytes + payload_bytes,
                                       .text_at = CONTAINER_HEADER + header_bytes};
    container->bytes = calloc(1, container->size);
    if (container->bytes == NULL) {
        return rt_image_fail(error, RT_IMAGE_OUT_OF_MEMORY, "out of memory");
    }
    put(container->bytes, CONTAINER_MAGIC, 4);
    put(container->bytes + CONTAINER_VERSION, 1, 2);
    put(container->bytes + CONTAINER_HEADER_SIZE, CONTAINER_HEADER, 2);
    put(container->bytes + CONTAINER_SIZE, header_bytes + payload_bytes, 8);
    put_entry(container->bytes + CONTAINER_HEADER, header_bytes, payload_bytes, &heading);
    put_options(container->bytes + CONTAINER_HEADER, options);
    memcpy(container->bytes + container->text_at, text, length);
    return RT_IMAGE_OK;
}

enum rt_image_status rt_container_write(struct rt_bytes text, bool relocatable, struct rt_container *container,
                                        struct rt_image_error *error)
{
    char *terminated = strndup((const char *)text.at, (size_t)text.size);

    *container = (struct rt_container){0};
    if (terminated == NULL) {
        return rt_image_fail(error, RT_IMAGE_OUT_OF_MEMORY, "out of memory");
    }
    const enum rt_image_status status = write_container(terminated, strlen(terminated), relocatable, container, error);

    free(terminated);
    return status;
}
