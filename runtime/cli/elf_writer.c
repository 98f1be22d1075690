/*
 * Writing ELF objects.
 *
 *     header | sections' bytes ... | relocations of each ... | symbols | names of symbols | names of sections | headers
 *
 * Invariant: after a failure nothing more is stored, and nothing is written.
 */
#include "runtime/cli/elf_writer.h"
#include "runtime/cli/text.h"

#include <stdlib.h>
#include <string.h>

/* Make an array longer by `more` zeroed elements; NULL, and the writer failed, when memory is exhausted. */
static void *grow(struct cli_elf *elf, void *array, size_t count, size_t more, size_t size)
{
    char *grown = elf->failed ? NULL : reallocarray(array, count + more, size);

    if (grown == NULL) {
        elf->failed = true;
        return NULL;
    }
    memset(grown + count * size, 0, more * size);
    return grown;
}

unsigned cli_elf_section(struct cli_elf *elf, const char *name, uint32_t type, uint64_t flags, uint64_t align)
{
    struct cli_elf_section *grown = grow(elf, elf->sections, elf->section_count, 1, sizeof *grown);

    if (grown == NULL) {
        return 0;
    }
    elf->sections = grown;
    elf->sections[elf->section_count] =
        (struct cli_elf_section){.name = name, .type = type, .flags = flags, .align = align};
    return (unsigned)elf->section_count++;
}

uint64_t cli_elf_append(struct cli_elf *elf, unsigned section, const void *bytes, size_t size, size_t align)
{
    if (elf->failed) {
        return 0;
    }
    struct cli_elf_section *s = &elf->sections[section];
    const size_t at = (s->size + align - 1) / align * align;
    unsigned char *grown = grow(elf, s->bytes, s->size, at - s->size + size, 1);

    if (grown == NULL) {
        return 0;
    }
    s->bytes = grown;
    if (bytes != NULL) {
        memcpy(s->bytes + at, bytes, size);
    }
    s->size = at + size;
    return at;
}

unsigned cli_elf_symbol(struct cli_elf *elf, const char *name, unsigned section, uint64_t offset, uint64_t size,
                        enum cli_elf_binding binding, unsigned type)
{
    struct cli_elf_symbol *grown = grow(elf, elf->symbols, elf->symbol_count, 1, sizeof *grown);

    if (grown == NULL) {
        return 0;
    }
    elf->symbols = grown;
    elf->symbols[elf->symbol_count] = (struct cli_elf_symbol){
        .name = name,
        .entry = {.st_info = (unsigned char)ELF64_ST_INFO(binding, type),
                  .st_shndx = section == CLI_ELF_UNDEFINED ? SHN_UNDEF : (uint16_t)(section + 1),
                  .st_value = offset,
                  .st_size = size},
    };
    return (unsigned)elf->symbol_count++;
}

void cli_elf_relocate(struct cli_elf *elf, unsigned section, uint64_t offset, unsigned symbol, uint32_t type,
                      int64_t addend)
{
    if (elf->failed) {
        return;
    }
    struct cli_elf_section *s = &elf->sections[section];
    Elf64_Rela *grown = grow(elf, s->relocations, s->relocation_count, 1, sizeof *grown);

    if (grown != NULL) {
        s->relocations = grown;
        s->relocations[s->relocation_count++] =
            (Elf64_Rela){.r_offset = offset, .r_info = ELF64_R_INFO((uint64_t)symbol, type), .r_addend = addend};
    }
}

/* --- the file --------------------------------------------------------------------------------- */
/* What is written: the sections, and those that describe them, in one list. */
struct output {
    struct cli_elf *elf;
    struct cli_elf out;     /* sections only, from 0, without the empty one */
    uint32_t *symbol_index; /* in the table of symbols, by the number that the caller knows */
    size_t local_count;     /* the empty one included */
    Elf64_Shdr *headers;    /* what the lists do not say: link, info, entry size */
};

/* The linker wants local symbols first. */
static void number_symbols(struct output *o)
{
    uint32_t next = 1;

    for (int global = 0; global < 2; global++) {
        for (size_t i = 0; i < o->elf->symbol_count; i++) {
            if ((ELF64_ST_BIND(o->elf->symbols[i].entry.st_info) != STB_LOCAL) == global) {
                o->symbol_index[i] = next++;
            }
        }
        o->local_count = global == 0 ? next : o->local_count;
    }
}

static uint32_t add_name(struct cli_elf *out, unsigned section, const char *name)
{
    return name[0] == '\0' ? 0 : (uint32_t)cli_elf_append(out, section, name, strlen(name) + 1, 1);
}

static void add_symbols(struct output *o, unsigned symbols, unsigned names)
{
    const struct cli_elf *elf = o->elf;
    const size_t count = elf->symbol_count + 1;

    cli_elf_append(&o->out, symbols, NULL, count * sizeof(Elf64_Sym), 8);
    cli_elf_append(&o->out, names, "", 1, 1);
    for (size_t i = 0; i < elf->symbol_count && !o->out.failed; i++) {
        Elf64_Sym entry = elf->symbols[i].entry;

        entry.st_name = add_name(&o->out, names, elf->symbols[i].name);
        memcpy(o->out.sections[symbols].bytes + o->symbol_index[i] * sizeof entry, &entry, sizeof entry);
    }
}

static void add_relocations(struct output *o, unsigned to, const struct cli_elf_section *from)
{
    for (size_t i = 0; i < from->relocation_count; i++) {
        Elf64_Rela entry = from->relocations[i];

        entry.r_info = ELF64_R_INFO((uint64_t)o->symbol_index[ELF64_R_SYM(entry.r_info)], ELF64_R_TYPE(entry.r_info));
        cli_elf_append(&o->out, to, &entry, sizeof entry, 8);
    }
}

/* ".rela" and the name of what it is for, which follows it in the table of names anyway. */
static const char RELOCATION_NAME[] = ".rela";

static void add_sections(struct output *o)
{
    const struct cli_elf *elf = o->elf;
    const unsigned symbols = cli_elf_section(&o->out, ".symtab", SHT_SYMTAB, 0, 8);
    const unsigned symbol_names = cli_elf_section(&o->out, ".strtab", SHT_STRTAB, 0, 1);

    cli_elf_section(&o->out, ".shstrtab", SHT_STRTAB, 0, 1);
    for (size_t i = 0; i < elf->section_count; i++) {
        if (elf->sections[i].relocation_count > 0) {
            add_relocations(o, cli_elf_section(&o->out, RELOCATION_NAME, SHT_RELA, SHF_INFO_LINK, 8),
                            &elf->sections[i]);
        }
    }
    add_symbols(o, symbols, symbol_names);
}

/* Headers of the caller's sections come first, so that the section numbers in its symbols hold. */
static size_t header_count(const struct output *o)
{
    return 1 + o->elf->section_count + o->out.section_count;
}

static void fill_links(struct output *o)
{
    const uint32_t symbols = (uint32_t)(1 + o->elf->section_count);
    Elf64_Shdr *own = &o->headers[symbols];
    size_t next = 3; /* behind .symtab, .strtab and .shstrtab */

    own[0].sh_link = symbols + 1;
    own[0].sh_info = (uint32_t)o->local_count;
    own[0].sh_entsize = sizeof(Elf64_Sym);
    for (size_t i = 0; i < o->elf->section_count; i++) {
        if (o->elf->sections[i].relocation_count > 0) {
            own[next].sh_link = symbols;
            own[next].sh_info = (uint32_t)(1 + i);
            own[next++].sh_entsize = sizeof(Elf64_Rela);
        }
    }
}

static const struct cli_elf_section *section_at(const struct output *o, size_t header)
{
    return header <= o->elf->section_count ? &o->elf->sections[header - 1]
                                           : &o->out.sections[header - 1 - o->elf->section_count];
}

/* Names of sections; that of a section of relocations contains the name of the section they are for. */
static void fill_names(struct output *o)
{
    const unsigned names = 2;
    const size_t first_own = 1 + o->elf->section_count;

    cli_elf_append(&o->out, names, "", 1, 1);
    for (size_t i = 1; i < header_count(o) && !o->out.failed; i++) {
        if (i < first_own || section_at(o, i)->type != SHT_RELA) {
            o->headers[i].sh_name = add_name(&o->out, names, section_at(o, i)->name);
            continue;
        }
        o->headers[i].sh_name = (uint32_t)cli_elf_append(&o->out, names, RELOCATION_NAME, strlen(RELOCATION_NAME), 1);
        add_name(&o->out, names, section_at(o, o->headers[i].sh_info)->name);
    }
}

/* Give every section its place; how long the file is. */
static size_t fill_places(struct output *o)
{
    size_t at = sizeof(Elf64_Ehdr);

    for (size_t i = 1; i < header_count(o); i++) {
        const struct cli_elf_section *s = section_at(o, i);
        Elf64_Shdr *h = &o->headers[i];

        at = (at + s->align - 1) / s->align * s->align;
        h->sh_type = s->type;
        h->sh_flags = s->flags;
        h->sh_addralign = s->align;
        h->sh_offset = at;
        h->sh_size = s->size;
        at += s->type == SHT_NOBITS ? 0 : s->size;
    }
    return (at + 7) / 8 * 8 + header_count(o) * sizeof(Elf64_Shdr);
}

static unsigned char *write_file(const struct output *o, size_t size)
{
    const size_t headers = header_count(o) * sizeof(Elf64_Shdr);
    unsigned char *file = calloc(1, size);
    const Elf64_Ehdr header = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT, ELFOSABI_SYSV},
        .e_type = ET_REL,
        .e_machine = o->elf->machine,
        .e_version = EV_CURRENT,
        .e_shoff = size - headers,
        .e_ehsize = sizeof header,
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = (uint16_t)header_count(o),
        .e_shstrndx = (uint16_t)(1 + o->elf->section_count + 2),
    };

    if (file == NULL) {
        return NULL;
    }
    memcpy(file, &header, sizeof header);
    for (size_t i = 1; i < header_count(o); i++) {
        const struct cli_elf_section *s = section_at(o, i);

        if (s->type != SHT_NOBITS && s->size > 0) {
            memcpy(file + o->headers[i].sh_offset, s->bytes, s->size);
        }
    }
    memcpy(file + size - headers, o->headers, headers);
    return file;
}

bool cli_elf_finish(struct cli_elf *elf, unsigned char **file, size_t *size, struct cli_error *error)
{
    struct output o = {.elf = elf, .out = {.failed = elf->failed}};

    *file = NULL;
    o.symbol_index = calloc(elf->symbol_count + 1, sizeof *o.symbol_index);
    if (o.symbol_index != NULL && !elf->failed) {
        number_symbols(&o);
        add_sections(&o);
        o.headers = o.out.failed ? NULL : calloc(header_count(&o), sizeof *o.headers);
    }
    if (o.headers != NULL) {
        fill_links(&o);
        fill_names(&o);
    }
    if (o.headers != NULL && !o.out.failed) {
        *size = fill_places(&o);
        *file = write_file(&o, *size);
    }
    free(o.headers);
    free(o.symbol_index);
    cli_elf_release(&o.out);
    return *file != NULL || cli_fail_memory(error);
}

void cli_elf_release(struct cli_elf *elf)
{
    for (size_t i = 0; i < elf->section_count; i++) {
        free(elf->sections[i].bytes);
        free(elf->sections[i].relocations);
    }
    free(elf->sections);
    free(elf->symbols);
    *elf = (struct cli_elf){0};
}
