/*
 * Device code in programs: any bytes are a fat binary, a program on disk, and what a program hands over.  Wrappers are
 * left out: their pointers are not bytes of a file, and have to be valid.
 */
#include "fuzz.h"

#include "runtime/cuda/program.h"

#include <stdlib.h>

/* Texts of this size show nothing that shorter ones do not. */
enum { LONGEST_UNPACKED = 1 << 22 };

static void read_container(struct rt_bytes bytes)
{
    struct rt_image_error error;
    struct rt_image_cursor cursor;
    struct rt_image image;
    struct rt_ptx ptx;

    if (rt_container_open(bytes, &cursor, NULL, &error) != RT_IMAGE_OK) {
        return;
    }
    while (rt_container_next(&cursor, &image, &error)) {
        if (image.unpacked_bytes < LONGEST_UNPACKED && rt_image_unpack(&image, &ptx, &error) == RT_IMAGE_OK) {
            free(ptx.text);
        }
    }
    for (unsigned sm = 70; sm < 130; sm += 10) {
        rt_container_choose(bytes, sm, &image, &error);
    }
}

static void read_program(struct rt_bytes bytes)
{
    struct rt_program_cursor cursor = {0};
    struct rt_image_error error;
    struct rt_program program;
    struct rt_section dynamic;
    struct rt_bytes container;
    uint64_t at = 0;

    if (rt_program_open(bytes, &program, &error) != RT_IMAGE_OK) {
        return;
    }
    while (rt_elf_dynamic(&program.elf, &dynamic) && rt_elf_needed(&program.elf, &dynamic, &at) != NULL) {
    }
    while (rt_program_next(&program, &cursor, &container, &error)) {
        read_container(container);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct rt_bytes bytes = {data, size};
    struct rt_image_error error;
    struct rt_image image;
    struct rt_ptx_set set;

    read_container(bytes);
    read_program(bytes);
    if (rt_code_format(bytes) != RT_CODE_WRAPPER &&
        (rt_container_choose(bytes, 90, &image, &error) != RT_IMAGE_OK || image.unpacked_bytes < LONGEST_UNPACKED)) {
        rt_ptx_load(data, size, 90, &set, &error);
        rt_ptx_set_release(&set);
    }
    return 0;
}
