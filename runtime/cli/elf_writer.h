/*
 * Writes relocatable ELF objects: sections, symbols, relocations.  Failures are kept until the end, so that callers
 * need not look at each step.
 */
#ifndef RUNTIME_CLI_ELF_WRITER_H
#define RUNTIME_CLI_ELF_WRITER_H

#include "runtime/cli/error.h"

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

struct cli_elf_section {
    const char *name;
    uint32_t type; /* SHT_* */
    uint64_t flags, align;
    unsigned char *bytes;
    size_t size;
    Elf64_Rela *relocations; /* their symbols are numbered as cli_elf_symbol returned */
    size_t relocation_count;
};

struct cli_elf_symbol {
    const char *name; /* must live as long as the writer */
    Elf64_Sym entry;
};

struct cli_elf {
    uint16_t machine; /* EM_* */
    struct cli_elf_section *sections;
    size_t section_count;
    struct cli_elf_symbol *symbols;
    size_t symbol_count;
    bool failed; /* memory is exhausted */
};

/* What symbols are made with. */
enum cli_elf_binding { CLI_ELF_LOCAL = STB_LOCAL, CLI_ELF_GLOBAL = STB_GLOBAL };
enum { CLI_ELF_UNDEFINED = UINT16_MAX }; /* the section of a symbol that another object has */

/* A new section; its number. */
unsigned cli_elf_section(struct cli_elf *elf, const char *name, uint32_t type, uint64_t flags, uint64_t align);
/* Append bytes (NULL: zeros) at the next multiple of `align`; where they begin. */
uint64_t cli_elf_append(struct cli_elf *elf, unsigned section, const void *bytes, size_t size, size_t align);
/* A symbol for `size` bytes at an offset of a section; its number.  `type`: STT_*. */
unsigned cli_elf_symbol(struct cli_elf *elf, const char *name, unsigned section, uint64_t offset, uint64_t size,
                        enum cli_elf_binding binding, unsigned type);
/* At an offset of a section, the linker puts symbol + addend, as the relocation's type says. */
void cli_elf_relocate(struct cli_elf *elf, unsigned section, uint64_t offset, unsigned symbol, uint32_t type,
                      int64_t addend);
/* The whole file, malloc'd. */
bool cli_elf_finish(struct cli_elf *elf, unsigned char **file, size_t *size, struct cli_error *error);
void cli_elf_release(struct cli_elf *elf);

#endif
