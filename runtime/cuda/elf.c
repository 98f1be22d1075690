/*
 * ELF files.  Invariant: every name handed out is terminated inside the file, every range lies inside it.
 */
#include "runtime/cuda/elf.h"

#include <elf.h>

/* The string at `offset` of a section of strings; "" when there is none. */
static const char *string_at(struct rt_bytes strings, uint64_t offset)
{
    return rt_bytes_hold_string(strings, offset) ? (const char *)strings.at + offset : "";
}

static bool read_header(const struct rt_elf *elf, uint32_t index, Elf64_Shdr *header)
{
    return index < elf->section_count &&
           rt_bytes_copy(elf->file, elf->sections_at + (uint64_t)index * sizeof *header, header, sizeof *header);
}

/* Counts that do not fit into the file's header stand in section 0. */
static bool read_sections(struct rt_elf *elf, const Elf64_Ehdr *header)
{
    Elf64_Shdr first = {0}, names;

    elf->sections_at = header->e_shoff;
    if (header->e_shoff == 0 || header->e_shentsize != sizeof first ||
        !rt_bytes_copy(elf->file, header->e_shoff, &first, sizeof first)) {
        return false;
    }
    const uint64_t count = header->e_shnum != 0 ? header->e_shnum : first.sh_size;
    const uint32_t names_index = header->e_shstrndx != SHN_XINDEX ? header->e_shstrndx : first.sh_link;

    if (count > UINT32_MAX || !rt_bytes_hold(elf->file, header->e_shoff, count * sizeof first)) {
        return false;
    }
    elf->section_count = (uint32_t)count;
    if (!read_header(elf, names_index, &names)) {
        return false;
    }
    elf->section_names = rt_bytes_part(elf->file, names.sh_offset, names.sh_size);
    return true;
}

enum rt_image_status rt_elf_open(struct rt_bytes file, struct rt_elf *elf, struct rt_image_error *error)
{
    Elf64_Ehdr header;

    *elf = (struct rt_elf){.file = file};
    error->status = RT_IMAGE_OK;
    if (rt_code_format(file) != RT_CODE_ELF || !rt_bytes_copy(file, 0, &header, sizeof header)) {
        return rt_image_fail(error, RT_IMAGE_MALFORMED, "not an ELF file: its header is missing or damaged");
    }
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) {
        return rt_image_fail(error, RT_IMAGE_UNKNOWN, "an ELF file that is not one of 64 bits, little-endian");
    }
    elf->type = header.e_type;
    elf->machine = header.e_machine;
    if (!read_sections(elf, &header)) {
        return rt_image_fail(error, RT_IMAGE_MALFORMED,
                             "its table of sections is missing or damaged, so that device code cannot be found");
    }
    return RT_IMAGE_OK;
}

bool rt_elf_section(const struct rt_elf *elf, uint32_t index, struct rt_section *section)
{
    Elf64_Shdr header;

    if (!read_header(elf, index, &header)) {
        return false;
    }
    *section = (struct rt_section){
        .name = string_at(elf->section_names, header.sh_name), .type = header.sh_type, .link = header.sh_link};
    if (header.sh_type != SHT_NOBITS) {
        section->bytes = rt_bytes_part(elf->file, header.sh_offset, header.sh_size);
    }
    return true;
}

bool rt_elf_find(const struct rt_elf *elf, uint32_t type, uint32_t *index, struct rt_section *section)
{
    while (rt_elf_section(elf, *index, section)) {
        ++*index;
        if (section->type == type) {
            return true;
        }
    }
    return false;
}

/* The strings that belong to a section of symbols or dynamic entries. */
static struct rt_bytes strings_of(const struct rt_elf *elf, const struct rt_section *section)
{
    struct rt_section strings = {0};

    return rt_elf_section(elf, section->link, &strings) ? strings.bytes : (struct rt_bytes){NULL, 0};
}

bool rt_elf_symbol(const struct rt_elf *elf, const struct rt_section *symbols, uint64_t index, struct rt_symbol *symbol)
{
    Elf64_Sym entry;

    if (index >= symbols->bytes.size / sizeof entry ||
        !rt_bytes_copy(symbols->bytes, index * sizeof entry, &entry, sizeof entry)) {
        return false;
    }
    *symbol = (struct rt_symbol){.name = string_at(strings_of(elf, symbols), entry.st_name),
                                 .defined = entry.st_shndx != SHN_UNDEF,
                                 .is_function = ELF64_ST_TYPE(entry.st_info) == STT_FUNC,
                                 .value = entry.st_value,
                                 .size = entry.st_size,
                                 .section = entry.st_shndx};
    return true;
}

bool rt_elf_dynamic(const struct rt_elf *elf, struct rt_section *dynamic)
{
    uint32_t from = 0;

    return rt_elf_find(elf, SHT_DYNAMIC, &from, dynamic);
}

/* Read entries from `*at` on, up to and with the next one of this tag; false: there is no more. */
static bool next_dynamic(const struct rt_section *dynamic, int64_t tag, uint64_t *at, Elf64_Dyn *entry)
{
    while (rt_bytes_copy(dynamic->bytes, *at, entry, sizeof *entry)) {
        *at += sizeof *entry;
        if (entry->d_tag == tag) {
            return true;
        }
    }
    return false;
}

const char *rt_elf_dynamic_text(const struct rt_elf *elf, const struct rt_section *dynamic, int64_t tag, uint64_t *at)
{
    Elf64_Dyn entry;

    return next_dynamic(dynamic, tag, at, &entry) ? string_at(strings_of(elf, dynamic), entry.d_un.d_val) : NULL;
}

uint64_t rt_elf_dynamic_number(const struct rt_section *dynamic, int64_t tag)
{
    Elf64_Dyn entry;
    uint64_t at = 0;

    return next_dynamic(dynamic, tag, &at, &entry) ? entry.d_un.d_val : 0;
}

const char *rt_elf_needed(const struct rt_elf *elf, const struct rt_section *dynamic, uint64_t *at)
{
    return rt_elf_dynamic_text(elf, dynamic, DT_NEEDED, at);
}
