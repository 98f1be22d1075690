/*
 * ELF files of 64 bits, as far as the parts of a program have to be found: sections, symbols, names of libraries.
 * Every offset that the file names is checked against the file.
 */
#ifndef RUNTIME_CUDA_ELF_H
#define RUNTIME_CUDA_ELF_H

#include "runtime/cuda/fatbin.h"

struct rt_elf {
    struct rt_bytes file;
    uint16_t type, machine; /* ET_EXEC, ...; EM_X86_64, ... */
    uint64_t sections_at;   /* of the section headers in the file */
    uint32_t section_count; /* all of them lie in the file */
    struct rt_bytes section_names;
};

struct rt_section {
    const char *name; /* "" when it has none */
    uint32_t type;
    struct rt_bytes bytes; /* empty for what takes no place in the file */
    uint32_t link;         /* of symbols and dynamic entries: the section with their names */
};

enum rt_image_status rt_elf_open(struct rt_bytes file, struct rt_elf *elf, struct rt_image_error *error);
/* Section `index`; false past the last one, and for one that lies outside the file. */
bool rt_elf_section(const struct rt_elf *elf, uint32_t index, struct rt_section *section);
/* The first section from `*index` on that has this type; `*index` then is the one behind it. */
bool rt_elf_find(const struct rt_elf *elf, uint32_t type, uint32_t *index, struct rt_section *section);

struct rt_symbol {
    const char *name;
    bool defined, is_function;
    uint64_t value, size; /* of what is defined: its address, as linked, and bytes */
    uint16_t section;     /* that it lies in */
};

/* Symbol `index` of a section of symbols; false past the last one. */
bool rt_elf_symbol(const struct rt_elf *elf, const struct rt_section *symbols, uint64_t index,
                   struct rt_symbol *symbol);

/* The section of dynamic entries; false when there is none. */
bool rt_elf_dynamic(const struct rt_elf *elf, struct rt_section *dynamic);
/* The text of the next entry with this tag, from `*at` on, which starts at 0; NULL: no more. */
const char *rt_elf_dynamic_text(const struct rt_elf *elf, const struct rt_section *dynamic, int64_t tag, uint64_t *at);
/* The number of the first entry with this tag; 0: there is none. */
uint64_t rt_elf_dynamic_number(const struct rt_section *dynamic, int64_t tag);
/* The next library that is needed, from `*at` on, which starts at 0; NULL: no more. */
const char *rt_elf_needed(const struct rt_elf *elf, const struct rt_section *dynamic, uint64_t *at);

#endif
