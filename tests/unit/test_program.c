/*
 * Programs on disk: what nvcc's carry and need, and that damaged ones are refused or read within their bounds.
 */
#include "runtime/cuda/program.h"

#include "tests/unit/fatbin_samples.h"

#include <elf.h>

static const struct {
    const char *file;
    enum rt_program_kind kind;
    enum rt_cuda_link link;
    const char *library;
    const char *containers; /* one letter each: relocatable or plain, and in brackets the kinds of images */
} PROGRAMS[] = {
    {"scale_shared", RT_PROGRAM_EXECUTABLE, RT_LINK_SHARED, "libcudart.so.13", "p[] p[1] "},
    {"parts_shared", RT_PROGRAM_EXECUTABLE, RT_LINK_SHARED, "libcudart.so.13", "p[2] r[21] r[21] "},
    {"scale.o", RT_PROGRAM_OBJECT, RT_LINK_OBJECT, NULL, "p[1] "},
};

enum { PROGRAM_COUNT = sizeof PROGRAMS / sizeof PROGRAMS[0] };

/* The containers as PROGRAMS writes them; false when one is damaged. */
static bool list(const struct rt_program *program, char *words, size_t room, struct rt_image_error *error)
{
    struct rt_program_cursor containers = {0};
    struct rt_image_cursor images;
    struct rt_bytes container;
    struct rt_image image;
    size_t used = 0;

    words[0] = '\0';
    while (rt_program_next(program, &containers, &container, error)) {
        if (rt_container_open(container, &images, NULL, error) != RT_IMAGE_OK) {
            return false;
        }
        used += (size_t)snprintf(words + used, room - used, "%c[", containers.relocatable ? 'r' : 'p');
        while (used + 16 < room && rt_container_next(&images, &image, error)) {
            used += (size_t)snprintf(words + used, room - used, "%u", image.kind);
        }
        used += (size_t)snprintf(words + used, room - used, "] ");
        if (error->status != RT_IMAGE_OK || used + 16 >= room) {
            return false;
        }
    }
    return error->status == RT_IMAGE_OK;
}

Test(program, programs_say_what_they_carry_and_need)
{
    for (size_t i = 0; i < PROGRAM_COUNT; i++) {
        struct rt_bytes file = sample_read(PROGRAMS[i].file);
        struct rt_image_error error;
        struct rt_program program;
        char words[256];

        cr_assert_eq(rt_program_open(file, &program, &error), RT_IMAGE_OK, "%s", error.text);
        cr_expect_eq(program.kind, PROGRAMS[i].kind);
        cr_expect_eq(program.link, PROGRAMS[i].link, "%s: %s", PROGRAMS[i].file, rt_cuda_link_words(program.link));
        cr_expect_not(program.stripped);
        if (PROGRAMS[i].library == NULL) {
            cr_expect_null(program.library);
        } else {
            cr_expect_str_eq(program.library, PROGRAMS[i].library);
        }
        cr_expect(list(&program, words, sizeof words, &error), "%s", error.text);
        cr_expect_str_eq(words, PROGRAMS[i].containers);
        sample_free(file);
    }
}

Test(program, needed_libraries_are_listed_in_order)
{
    struct rt_bytes file = sample_read("scale_shared");
    struct rt_section dynamic;
    struct rt_image_error error;
    struct rt_program program;
    uint64_t at = 0;

    cr_assert_eq(rt_program_open(file, &program, &error), RT_IMAGE_OK, "%s", error.text);
    cr_assert(rt_elf_dynamic(&program.elf, &dynamic));
    cr_expect_str_eq(rt_elf_needed(&program.elf, &dynamic, &at), "libcudart.so.13");
    cr_expect_str_eq(rt_elf_needed(&program.elf, &dynamic, &at), "libstdc++.so.6");
    cr_expect_str_eq(rt_elf_needed(&program.elf, &dynamic, &at), "libgcc_s.so.1");
    cr_expect_str_eq(rt_elf_needed(&program.elf, &dynamic, &at), "libc.so.6");
    cr_expect_null(rt_elf_needed(&program.elf, &dynamic, &at));
    cr_expect_null(rt_elf_needed(&program.elf, &dynamic, &at));
    sample_free(file);
}

static void check_refused(struct rt_bytes file, enum rt_image_status status, const char *text)
{
    struct rt_image_error error;
    struct rt_program program;

    cr_expect_eq(rt_program_open(file, &program, &error), status);
    cr_expect_str_eq(error.text, text);
    sample_free(file);
}

Test(program, other_files_are_refused_by_what_they_are)
{
    struct rt_bytes small = sample_read("scale_shared"), bare = sample_read("scale_shared");

    check_refused(sample_read("add.cubin"), RT_IMAGE_NO_PTX,
                  "this is machine code (a cubin), which is not emulated; PTX is");
    check_refused(sample_read("add.ptx"), RT_IMAGE_MALFORMED, "not an ELF file: its header is missing or damaged");
    ((uint8_t *)small.at)[4] = 1; /* 32 bits */
    check_refused(small, RT_IMAGE_UNKNOWN, "an ELF file that is not one of 64 bits, little-endian");
    memset((uint8_t *)bare.at + 40, 0, 8); /* no sections */
    check_refused(bare, RT_IMAGE_MALFORMED,
                  "its table of sections is missing or damaged, so that device code cannot be found");
}

/* Open a file and follow everything in it; false when something was found damaged, and then there are words. */
static bool read_everything(struct rt_bytes file)
{
    struct rt_image_error error = {0};
    struct rt_program program;
    char words[4096];

    if (rt_program_open(file, &program, &error) == RT_IMAGE_OK && list(&program, words, sizeof words, &error)) {
        return true;
    }
    cr_expect_neq(error.text[0], '\0');
    return false;
}

/* Sections are described at the end of a file: what is cut off has lost them. */
Test(program, every_prefix_is_refused)
{
    struct rt_bytes file = sample_read("scale_shared");

    for (uint64_t size = 0; size < file.size; size += size < 4096 ? 1 : 61) {
        struct rt_bytes prefix = sample_copy(file.at, size);

        cr_expect_not(read_everything(prefix), "%d bytes", (int)size);
        sample_free(prefix);
    }
    cr_expect(read_everything(file));
    sample_free(file);
}

Test(program, no_changed_byte_does_harm)
{
    static const uint8_t changes[] = {0xFF, 0x01, 0x80};
    struct rt_bytes file = sample_read("parts_shared"), copy = sample_copy(file.at, file.size);
    uint8_t *bytes = (uint8_t *)copy.at;
    size_t damaged = 0;

    for (uint64_t i = 0; i < file.size; i++) {
        bytes[i] ^= changes[i % sizeof changes];
        damaged += !read_everything(copy);
        bytes[i] = file.at[i];
    }
    cr_expect(damaged > 30 && damaged < 300, "%d", (int)damaged);
    sample_free(copy);
    sample_free(file);
}

/* Many sections that all are the whole file: reading each of them would take the square of its size. */
Test(program, overlapping_sections_are_refused)
{
    enum { SECTIONS = 100 };
    static const char names[] = "\0.nv_fatbin";
    struct {
        Elf64_Ehdr header;
        Elf64_Shdr sections[SECTIONS];
        char names[sizeof names];
        uint8_t zeros[4096]; /* a legal way to have no containers */
    } file = {.header = {.e_type = ET_DYN, .e_shoff = sizeof file.header, .e_shentsize = sizeof file.sections[0]}};
    struct rt_image_error error;
    struct rt_program program;
    char words[16];

    memcpy(file.header.e_ident, (uint8_t[]){0x7F, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB}, 6);
    memcpy(file.names, names, sizeof names);
    file.header.e_shnum = SECTIONS;
    file.sections[0] = (Elf64_Shdr){.sh_offset = offsetof(__typeof__(file), names), .sh_size = sizeof names};
    for (size_t i = 1; i < SECTIONS; i++) {
        file.sections[i] = (Elf64_Shdr){
            .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = offsetof(__typeof__(file), zeros), .sh_size = 8};
    }
    cr_assert_eq(rt_program_open((struct rt_bytes){(const uint8_t *)&file, sizeof file}, &program, &error), RT_IMAGE_OK,
                 "%s", error.text);
    cr_expect(list(&program, words, sizeof words, &error), "%s", error.text);
    for (size_t i = 1; i < SECTIONS; i++) {
        file.sections[i].sh_size = sizeof file.zeros;
    }
    cr_expect_not(list(&program, words, sizeof words, &error));
    cr_expect_str_eq(error.text, "a damaged ELF file: sections of device code overlap");
}
