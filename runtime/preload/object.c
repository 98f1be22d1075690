/*
 * Objects and the runtimes in them.  Invariant: a function handed out lies in a segment of the object that holds code,
 * with all of its room; whatever the file's table of symbols claims.
 */
#include "runtime/preload/object.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the file --------------------------------------------------------------------------------- */
static bool map_file(const char *path, struct pre_object *object)
{
    const int fd = open(path[0] != '\0' ? path : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat info;

    if (fd < 0) {
        return false;
    }
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
        object->file_bytes = (size_t)info.st_size;
        object->file = mmap(NULL, object->file_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    close(fd);
    return object->file != NULL && object->file != MAP_FAILED;
}

/* --- what the names tell ---------------------------------------------------------------------- */
enum mark {
    MARK_REGISTERS = 1, /* all of these four are in every runtime, and hardly in anything else */
    MARK_UNREGISTERS = 2,
    MARK_ALLOCATES = 4,
    MARK_FAILS = 8,
    MARK_RUNTIME = MARK_REGISTERS | MARK_UNREGISTERS | MARK_ALLOCATES | MARK_FAILS,
    MARK_BEFORE_12 = 16, /* functions that only runtimes of some versions have */
    MARK_BEFORE_13 = 32,
};

static const struct {
    const char *name;
    enum mark mark;
} MARKS[] = {
    {"__cudaRegisterFatBinary", MARK_REGISTERS},
    {"__cudaUnregisterFatBinary", MARK_UNREGISTERS},
    {"cudaMalloc", MARK_ALLOCATES},
    {"cudaGetLastError", MARK_FAILS},
    {"__cudaRegisterTexture", MARK_BEFORE_12},
    {"cudaGetDeviceProperties_v2", MARK_BEFORE_13},
};

static unsigned mark_of(const char *name)
{
    for (size_t i = 0; i < sizeof MARKS / sizeof MARKS[0]; i++) {
        if (strcmp(name, MARKS[i].name) == 0) {
            return MARKS[i].mark;
        }
    }
    return 0;
}

static bool is_runtime_name(const char *name)
{
    return strncmp(name, "cuda", 4) == 0 || strncmp(name, "__cuda", 6) == 0;
}

/* What was found while looking through the symbols. */
struct findings {
    unsigned marks;
    uint64_t *starts; /* of all that has a name, sorted, as the file has them */
    size_t start_count;
};

/* --- where code is ---------------------------------------------------------------------------- */
static const ElfW(Phdr) * segment_at(const struct pre_loaded *loaded, uint64_t address)
{
    for (size_t i = 0; i < loaded->segment_count; i++) {
        const ElfW(Phdr) *s = &loaded->segments[i];

        if (s->p_type == PT_LOAD && (s->p_flags & PF_X) != 0 && address >= s->p_vaddr &&
            address - s->p_vaddr < s->p_filesz) {
            return s;
        }
    }
    return NULL;
}

static int compare_starts(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

/* The first start behind `address`, UINT64_MAX: none. */
static uint64_t next_start(const struct findings *f, uint64_t address)
{
    size_t low = 0, high = f->start_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (f->starts[middle] > address) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low < f->start_count ? f->starts[low] : UINT64_MAX;
}

/* Padding behind a function belongs to nobody, so room reaches to the next name, or to the end of the segment. */
static bool place_function(const struct pre_loaded *loaded, const struct findings *f, uint64_t address,
                           struct pre_function *function)
{
    const ElfW(Phdr) *segment = segment_at(loaded, address);

    if (segment == NULL) {
        return false;
    }
    const uint64_t end = segment->p_vaddr + segment->p_filesz, next = next_start(f, address);

    function->code = (uint8_t *)(loaded->base + (uintptr_t)address);
    function->room = (size_t)((next < end ? next : end) - address);
    return true;
}

/* --- looking through the symbols -------------------------------------------------------------- */
static bool gather(const struct rt_elf *elf, const struct rt_section *symbols, struct findings *f)
{
    struct rt_symbol symbol;
    size_t room = 0;

    for (uint64_t i = 0; rt_elf_symbol(elf, symbols, i, &symbol); i++) {
        if (!symbol.defined || symbol.section >= SHN_LORESERVE || symbol.name[0] == '\0') {
            continue;
        }
        f->marks |= symbol.is_function ? mark_of(symbol.name) : 0;
        if (f->start_count == room) {
            room = room * 2 + 1024;

            uint64_t *grown = realloc(f->starts, room * sizeof *grown);

            if (grown == NULL) {
                return false;
            }
            f->starts = grown;
        }
        f->starts[f->start_count++] = symbol.value;
    }
    qsort(f->starts, f->start_count, sizeof *f->starts, compare_starts);
    return true;
}

static bool list_functions(const struct pre_loaded *loaded, const struct rt_elf *elf, const struct rt_section *symbols,
                           const struct findings *f, struct pre_object *object)
{
    struct rt_symbol symbol;
    size_t count = 0;

    for (uint64_t i = 0; rt_elf_symbol(elf, symbols, i, &symbol); i++) {
        count += symbol.defined && symbol.is_function && is_runtime_name(symbol.name);
    }
    object->functions = calloc(count, sizeof *object->functions);
    for (uint64_t i = 0; object->functions != NULL && rt_elf_symbol(elf, symbols, i, &symbol); i++) {
        struct pre_function *function = &object->functions[object->function_count];

        if (symbol.defined && symbol.is_function && is_runtime_name(symbol.name) &&
            place_function(loaded, f, symbol.value, function)) {
            function->name = symbol.name;
            object->function_count++;
        }
    }
    return object->function_count > 0;
}

/* NVIDIA's shared runtime, or ours, is not one that was linked into something. */
static bool is_shared_runtime(const struct rt_elf *elf)
{
    struct rt_section dynamic;
    const char *name = NULL;
    uint64_t at = 0;

    if (rt_elf_dynamic(elf, &dynamic)) {
        name = rt_elf_dynamic_text(elf, &dynamic, DT_SONAME, &at);
    }
    return name != NULL && strncmp(name, "libcudart.so", strlen("libcudart.so")) == 0;
}

static bool find_runtime(const struct pre_loaded *loaded, struct pre_object *object)
{
    const struct rt_bytes file = {object->file, object->file_bytes};
    struct findings f = {0};
    struct rt_image_error ignored;
    struct rt_section symbols;
    struct rt_elf elf;
    uint32_t from = 0;

    bool found = rt_elf_open(file, &elf, &ignored) == RT_IMAGE_OK && rt_elf_find(&elf, SHT_SYMTAB, &from, &symbols) &&
                 !is_shared_runtime(&elf) && gather(&elf, &symbols, &f) && (f.marks & MARK_RUNTIME) == MARK_RUNTIME &&
                 list_functions(loaded, &elf, &symbols, &f, object);

    object->version = (f.marks & MARK_BEFORE_12) != 0 ? 11 : (f.marks & MARK_BEFORE_13) != 0 ? 12 : 13;
    free(f.starts);
    return found;
}

bool pre_object_open(const struct pre_loaded *loaded, struct pre_object *object)
{
    *object = (struct pre_object){0};
    if (!map_file(loaded->path, object)) {
        return false;
    }
    if (find_runtime(loaded, object)) {
        return true;
    }
    pre_object_close(object);
    return false;
}

void pre_object_close(struct pre_object *object)
{
    free(object->functions);
    if (object->file != NULL && object->file != MAP_FAILED) {
        munmap(object->file, object->file_bytes);
    }
    *object = (struct pre_object){0};
}
