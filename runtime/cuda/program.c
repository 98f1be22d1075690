/*
 * Programs on disk.  Invariant: what a program needs is decided by what the file says of itself, never by its name.
 */
#include "runtime/cuda/program.h"

#include <elf.h>

/* --- how a program reaches CUDA --------------------------------------------------------------- */
static bool starts_with(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

/* The needed library whose name starts so; NULL: none. */
static const char *find_needed(const struct rt_elf *elf, const char *start)
{
    struct rt_section dynamic;
    uint64_t at = 0;
    const char *name;

    if (!rt_elf_dynamic(elf, &dynamic)) {
        return NULL;
    }
    do {
        name = rt_elf_needed(elf, &dynamic, &at);
    } while (name != NULL && !starts_with(name, start));
    return name;
}

/* Whether bytes of the file are this text: what survives stripping. */
static bool mentions(const struct rt_elf *elf, const char *text)
{
    return memmem(elf->file.at, (size_t)elf->file.size, text, strlen(text)) != NULL;
}

/* What the symbols tell. */
struct names {
    bool has_runtime;   /* functions of the CUDA runtime are defined here */
    bool calls_runtime; /* ... or called, and defined elsewhere */
};

static void note_symbol(const struct rt_symbol *symbol, struct names *names)
{
    if (!starts_with(symbol->name, "cuda") && !starts_with(symbol->name, "__cuda")) {
        return;
    }
    names->calls_runtime |= !symbol->defined;
    /* Programs have functions called cuda-something of their own; these two are in every static runtime. */
    names->has_runtime |=
        symbol->defined && symbol->is_function &&
        (strcmp(symbol->name, "__cudaRegisterFatBinary") == 0 || strcmp(symbol->name, "cudaGetLastError") == 0);
}

static void note_symbols(const struct rt_elf *elf, uint32_t type, struct names *names)
{
    struct rt_section section;
    struct rt_symbol symbol;
    uint32_t from = 0;

    if (!rt_elf_find(elf, type, &from, &section)) {
        return;
    }
    for (uint64_t i = 0; rt_elf_symbol(elf, &section, i, &symbol); i++) {
        note_symbol(&symbol, names);
    }
}

static enum rt_cuda_link link_of(struct rt_program *p)
{
    struct names local = {0}, dynamic = {0};

    note_symbols(&p->elf, SHT_SYMTAB, &local);
    note_symbols(&p->elf, SHT_DYNSYM, &dynamic);
    if (p->kind == RT_PROGRAM_OBJECT) {
        return local.calls_runtime ? RT_LINK_OBJECT : RT_LINK_NONE;
    }
    if ((p->library = find_needed(&p->elf, "libcudart.so")) != NULL) {
        return RT_LINK_SHARED;
    }
    if (local.has_runtime || dynamic.has_runtime) {
        return RT_LINK_STATIC;
    }
    if (mentions(&p->elf, "cudaErrorCudartUnloading")) { /* the name of an error, in the table that the runtime has */
        return RT_LINK_STATIC_HIDDEN;
    }
    if (dynamic.calls_runtime) {
        return RT_LINK_BORROWED;
    }
    if ((p->library = find_needed(&p->elf, "libcuda.so")) != NULL || mentions(&p->elf, "libcuda.so")) {
        return RT_LINK_DRIVER;
    }
    return RT_LINK_NONE;
}

/* A position-independent executable differs from a library in asking for a program interpreter. */
static enum rt_program_kind kind_of(const struct rt_elf *elf)
{
    struct rt_section section;

    switch (elf->type) {
    case ET_REL:
        return RT_PROGRAM_OBJECT;
    case ET_EXEC:
        return RT_PROGRAM_EXECUTABLE;
    case ET_DYN:
        for (uint32_t i = 0; rt_elf_section(elf, i, &section); i++) {
            if (strcmp(section.name, ".interp") == 0) {
                return RT_PROGRAM_EXECUTABLE;
            }
        }
        return RT_PROGRAM_LIBRARY;
    default:
        return RT_PROGRAM_OTHER;
    }
}

enum rt_image_status rt_program_open(struct rt_bytes file, struct rt_program *program, struct rt_image_error *error)
{
    struct rt_section symbols;
    uint32_t from = 0;

    *program = (struct rt_program){0};
    if (rt_elf_open(file, &program->elf, error) != RT_IMAGE_OK) {
        return error->status;
    }
    if (program->elf.machine == EM_CUDA) {
        return rt_image_fail(error, RT_IMAGE_NO_PTX, "this is machine code (a cubin), which is not emulated; PTX is");
    }
    program->kind = kind_of(&program->elf);
    program->stripped = !rt_elf_find(&program->elf, SHT_SYMTAB, &from, &symbols);
    program->link = link_of(program);
    return RT_IMAGE_OK;
}

const char *rt_program_kind_words(enum rt_program_kind kind)
{
    static const char *const words[] = {[RT_PROGRAM_EXECUTABLE] = "executable",
                                        [RT_PROGRAM_LIBRARY] = "shared library",
                                        [RT_PROGRAM_OBJECT] = "object file",
                                        [RT_PROGRAM_OTHER] = "ELF file"};

    return words[kind];
}

const char *rt_cuda_link_words(enum rt_cuda_link link)
{
    static const char *const words[] = {
        [RT_LINK_NONE] = "does not use CUDA itself",
        [RT_LINK_OBJECT] = "calls the CUDA runtime, not linked yet",
        [RT_LINK_SHARED] = "needs the shared CUDA runtime",
        [RT_LINK_BORROWED] = "uses the CUDA runtime of the program that loads it",
        [RT_LINK_STATIC] = "contains the static CUDA runtime",
        [RT_LINK_STATIC_HIDDEN] = "contains the static CUDA runtime, stripped of its names",
        [RT_LINK_DRIVER] = "uses the CUDA driver",
    };

    return words[link];
}

/* --- device code ------------------------------------------------------------------------------ */
/* Whether a section has containers; nvcc puts those of relocatable objects into the second. */
static bool holds_containers(const struct rt_section *section, bool *relocatable)
{
    *relocatable = strcmp(section->name, "__nv_relfatbin") == 0;
    return *relocatable || strcmp(section->name, ".nv_fatbin") == 0;
}

/*
 * Go to the next section with containers.  Sections do not overlap, so all together are no larger than the file;
 * damaged ones that are, each the whole file, would take forever.
 */
static bool next_section(const struct rt_elf *elf, struct rt_program_cursor *cursor, struct rt_section *section,
                         struct rt_image_error *error)
{
    cursor->offset = 0;
    while (rt_elf_section(elf, cursor->section, section)) {
        cursor->section++;
        if (!holds_containers(section, &cursor->relocatable)) {
            continue;
        }
        cursor->seen_bytes += section->bytes.size;
        if (cursor->seen_bytes > elf->file.size) {
            rt_image_fail(error, RT_IMAGE_MALFORMED, "a damaged ELF file: sections of device code overlap");
            return false;
        }
        return true;
    }
    return false;
}

static uint64_t skip_zeros(struct rt_bytes bytes, uint64_t offset)
{
    while (offset < bytes.size && bytes.at[offset] == 0) {
        offset++;
    }
    return offset;
}

bool rt_program_next(const struct rt_program *program, struct rt_program_cursor *cursor, struct rt_bytes *container,
                     struct rt_image_error *error)
{
    struct rt_image_cursor images;
    struct rt_section section = {0};
    uint64_t length;

    error->status = RT_IMAGE_OK;
    if (cursor->section != 0) {
        rt_elf_section(&program->elf, cursor->section - 1, &section);
        cursor->offset = skip_zeros(section.bytes, cursor->offset);
    }
    while (cursor->offset >= section.bytes.size) {
        if (!next_section(&program->elf, cursor, &section, error)) {
            return false;
        }
        cursor->offset = skip_zeros(section.bytes, 0);
    }
    const struct rt_bytes rest = rt_bytes_part(section.bytes, cursor->offset, section.bytes.size - cursor->offset);

    if (rt_container_open(rest, &images, &length, error) != RT_IMAGE_OK) {
        return false;
    }
    *container = rt_bytes_part(rest, 0, length);
    cursor->offset += length;
    return true;
}
