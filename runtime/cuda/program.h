/*
 * Programs on disk: which device code an ELF file carries, and how it reaches CUDA, hence what it takes to run it here.
 */
#ifndef RUNTIME_CUDA_PROGRAM_H
#define RUNTIME_CUDA_PROGRAM_H

#include "runtime/cuda/elf.h"

enum rt_program_kind { RT_PROGRAM_EXECUTABLE, RT_PROGRAM_LIBRARY, RT_PROGRAM_OBJECT, RT_PROGRAM_OTHER };

/* The way to CUDA, in the order in which it is looked for. */
enum rt_cuda_link {
    RT_LINK_NONE,          /* nothing of CUDA in this file; the libraries that it needs may know more */
    RT_LINK_OBJECT,        /* an object file, not linked yet */
    RT_LINK_SHARED,        /* needs libcudart.so */
    RT_LINK_BORROWED,      /* calls the runtime and leaves it to who loads this library to have one */
    RT_LINK_STATIC,        /* has the runtime in it, and the names of its functions */
    RT_LINK_STATIC_HIDDEN, /* has the runtime in it, but the names are stripped */
    RT_LINK_DRIVER,        /* needs libcuda.so.1, or opens it while it runs */
};

struct rt_program {
    struct rt_elf elf;
    enum rt_program_kind kind;
    enum rt_cuda_link link;
    bool stripped;       /* there are no names of local functions */
    const char *library; /* of RT_LINK_SHARED and RT_LINK_DRIVER, the one needed: "libcudart.so.13"; else NULL */
};

enum rt_image_status rt_program_open(struct rt_bytes file, struct rt_program *program, struct rt_image_error *error);

/* "executable"; "needs the shared CUDA runtime". */
const char *rt_program_kind_words(enum rt_program_kind kind);
const char *rt_cuda_link_words(enum rt_cuda_link link);

/* Where looking for containers stands; starts zeroed. */
struct rt_program_cursor {
    uint32_t section;    /* index of the one that is read, plus 1; 0: none yet */
    uint64_t offset;     /* in it */
    uint64_t seen_bytes; /* of all sections so far */
    bool relocatable;    /* what was found last is of an object of -rdc=true */
};

/*
 * The next container; false when there is none, or a damaged one: then error->status says so.  Containers lie one
 * behind the other in sections of their own, with zeros between them.
 */
bool rt_program_next(const struct rt_program *program, struct rt_program_cursor *cursor, struct rt_bytes *container,
                     struct rt_image_error *error);

#endif
