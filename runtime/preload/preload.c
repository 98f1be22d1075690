/*
 * libptxemu-preload.so: programs that have the CUDA runtime linked into them get ours.
 *
 * At start, before any constructor of the program runs, every object that is loaded is looked through for a runtime
 * that was linked statically.  At each of its public functions a jump is written to the function of that name in our
 * libcudart.so of the same version.  Registration, which the program's constructors do, then arrives there, and so does
 * everything else; the runtime's own code is never run.
 *
 * Invariant: nothing is written but those jumps; a program without such a runtime loads nothing and runs as it would.
 */
#include "runtime/preload/jump.h"
#include "runtime/preload/object.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    va_list values;

    fputs("ptxemu: ", stderr);
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
}

static bool is_verbose(void)
{
    const char *value = getenv("PTXEMU_VERBOSE");

    return value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
}

static const char *name_of(const struct pre_loaded *loaded)
{
    return loaded->path[0] != '\0' ? loaded->path : program_invocation_name;
}

/* --- our runtime ------------------------------------------------------------------------------ */
/* Open the library of that version beside this one; NULL with a message. */
static void *open_runtime(unsigned version)
{
    Dl_info own;
    char *path;

    if (dladdr((const void *)(uintptr_t)say, &own) == 0 || strrchr(own.dli_fname, '/') == NULL) {
        say("cannot find the folder of the preloaded library");
        return NULL;
    }
    if (asprintf(&path, "%.*s/libcudart.so.%u", (int)(strrchr(own.dli_fname, '/') - own.dli_fname), own.dli_fname,
                 version) < 0) {
        return NULL;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL) {
        say("cannot load the CUDA runtime: %s", dlerror());
    }
    free(path);
    return library;
}

/* --- writing ---------------------------------------------------------------------------------- */
/* The part of an object's functions that lies in one of its segments, and the pages that it takes. */
struct stretch {
    const struct pre_loaded *loaded;
    const struct pre_object *object;
    uintptr_t low, high; /* of the segment */
    uint8_t *pages;
    size_t page_bytes; /* 0: there is none */
};

static bool is_inside(const struct stretch *s, const struct pre_function *f)
{
    return (uintptr_t)f->code >= s->low && (uintptr_t)f->code < s->high;
}

static struct stretch stretch_of(const struct pre_loaded *loaded, const struct pre_object *object, size_t segment)
{
    const ElfW(Phdr) *header = &loaded->segments[segment];
    struct stretch s = {
        loaded, object, loaded->base + header->p_vaddr, loaded->base + header->p_vaddr + header->p_memsz, NULL, 0};
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t low = UINTPTR_MAX, high = 0;

    for (size_t i = 0; i < object->function_count; i++) {
        const struct pre_function *f = &object->functions[i];
        const uintptr_t at = (uintptr_t)f->code, end = at + (f->room < PRE_JUMP_LIMIT ? f->room : PRE_JUMP_LIMIT);

        if (is_inside(&s, f)) {
            low = at < low ? at : low;
            high = end > high ? end : high;
        }
    }
    if (low < high) {
        s.pages = (uint8_t *)(low / page * page);
        s.page_bytes = (high + page - 1) / page * page - low / page * page;
    }
    return s;
}

/* The longer form keeps the function a target of indirect calls; where only the shorter fits, that matters more. */
static bool write_jump(const struct pre_function *f, const void *target)
{
    uint8_t code[PRE_JUMP_LIMIT];
    size_t length = pre_jump_write(code, target, pre_has_landing(f->code, f->room));

    if (length > f->room) {
        length = pre_jump_write(code, target, false);
    }
    if (length > f->room) {
        return false;
    }
    memcpy(f->code, code, length);
    __builtin___clear_cache((char *)f->code, (char *)f->code + length);
    return true;
}

static size_t write_jumps(const struct stretch *s, void *runtime)
{
    size_t written = 0;

    for (size_t i = 0; i < s->object->function_count; i++) {
        const struct pre_function *f = &s->object->functions[i];
        const void *target = is_inside(s, f) ? dlsym(runtime, f->name) : NULL;

        if (target == NULL) {
            continue; /* the program's own, or one that only the runtime's functions call */
        }
        if (write_jump(f, target)) {
            written++;
        } else {
            say("%s: '%s' is too short to be redirected", name_of(s->loaded), f->name);
        }
    }
    return written;
}

/* No page can be written and executed at once; nothing else runs yet that could need the code meanwhile. */
static size_t redirect_stretch(const struct stretch *s, void *runtime)
{
    if (mprotect(s->pages, s->page_bytes, PROT_READ | PROT_WRITE) != 0) {
        say("%s: the static CUDA runtime cannot be redirected: %s", name_of(s->loaded), strerror(errno));
        return 0;
    }
    const size_t written = write_jumps(s, runtime);

    if (mprotect(s->pages, s->page_bytes, PROT_READ | PROT_EXEC) != 0) {
        say("%s: redirected code cannot be made executable again: %s; is there a policy against it (SELinux: execmod)?",
            name_of(s->loaded), strerror(errno));
        _exit(3);
    }
    return written;
}

static void redirect(const struct pre_loaded *loaded, const struct pre_object *object, void *runtime)
{
    size_t written = 0;

    for (size_t i = 0; i < loaded->segment_count; i++) {
        if (loaded->segments[i].p_type == PT_LOAD && (loaded->segments[i].p_flags & PF_X) != 0) {
            const struct stretch s = stretch_of(loaded, object, i);

            written += s.page_bytes > 0 ? redirect_stretch(&s, runtime) : 0;
        }
    }
    if (is_verbose()) {
        say("%s: %zu functions of the static CUDA runtime, version %u, are redirected", name_of(loaded), written,
            object->version);
    }
}

static void look_at(const struct pre_loaded *loaded)
{
    struct pre_object object;

    if (!pre_object_open(loaded, &object)) {
        return;
    }
    if (object.version < 12) {
        say("%s: contains the runtime of CUDA 11 or older; build it with CUDA 12 or 13", name_of(loaded));
    } else {
        void *runtime = open_runtime(object.version);

        if (runtime != NULL) {
            redirect(loaded, &object, runtime);
        }
    }
    pre_object_close(&object);
}

/* --- at start --------------------------------------------------------------------------------- */
struct list {
    struct pre_loaded *at;
    size_t count;
};

/* ld.so must not be called from here, so the objects are only noted. */
static int note_object(struct dl_phdr_info *info, size_t size, void *user)
{
    struct list *list = user;
    struct pre_loaded *grown = realloc(list->at, (list->count + 1) * sizeof *grown);

    (void)size;
    if (grown == NULL) {
        return 1;
    }
    list->at = grown;
    list->at[list->count++] = (struct pre_loaded){info->dlpi_name, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum};
    return 0;
}

/*
 * The library is linked with "-z initfirst", so this is the first constructor of the process: the program's own, which
 * register its kernels, come later, in whatever order its libraries are.  The C library's constructor may come later,
 * too; what it has not set yet, and we need, is the environment.
 */
__attribute__((constructor)) static void start(int argc, char **argv, char **variables)
{
    struct list list = {0};

    (void)argc;
    if (environ == NULL) {
        environ = variables;
    }
    if (program_invocation_name == NULL || program_invocation_name[0] == '\0') {
        program_invocation_name = argv[0];
    }
    dl_iterate_phdr(note_object, &list);
    for (size_t i = 0; i < list.count; i++) {
        look_at(&list.at[i]);
    }
    free(list.at);
}
