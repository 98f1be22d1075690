/*
 * Loaded objects: a program or library of this process, and the CUDA runtime that was linked into it, if there is one.
 */
#ifndef RUNTIME_PRELOAD_OBJECT_H
#define RUNTIME_PRELOAD_OBJECT_H

#include "runtime/cuda/elf.h"

#include <link.h>

/* What ld.so knows of an object. */
struct pre_loaded {
    const char *path; /* of its file; "" for the program */
    uintptr_t base;   /* what is added to the addresses in the file */
    const ElfW(Phdr) * segments;
    size_t segment_count;
};

/* A function of the static runtime. */
struct pre_function {
    const char *name; /* in the object's file */
    uint8_t *code;
    size_t room; /* bytes up to what follows it */
};

struct pre_object {
    void *file; /* mapped; names point into it */
    size_t file_bytes;
    struct pre_function *functions; /* all whose names start with "cuda" or "__cuda"; owned */
    size_t function_count;
    unsigned version; /* of the runtime: 11, 12 or 13; 11 stands for all older ones */
};

/*
 * Find the runtime that was linked into an object.  False, with nothing to close, when there is none, or when its
 * functions have no names any more.
 */
bool pre_object_open(const struct pre_loaded *loaded, struct pre_object *object);
void pre_object_close(struct pre_object *object);

#endif
