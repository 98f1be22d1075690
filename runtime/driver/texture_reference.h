/*
 * Texture and surface references: variables of device code (.texref, .surfref) that the program lets stand for memory
 * or an array, and of which it says how they are sampled.
 *
 * What is set takes effect for kernels that are launched later: a change waits for those that run.
 */
#ifndef RUNTIME_DRIVER_TEXTURE_REFERENCE_H
#define RUNTIME_DRIVER_TEXTURE_REFERENCE_H

#include "runtime/driver/module.h"
#include "runtime/driver/texture.h"

struct drv_reference {
    struct drv_reference *next; /* in the module */
    void *handle;               /* a CUtexref or CUsurfref */
    bool surface;
    struct drv_module *module; /* NULL: made by cuTexRefCreate, no variable */
    uint64_t address;          /* of the variable */
    bool bound;                /* stands for something */
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC sampling;
    CUarray_format format; /* of texels in memory */
    unsigned channels;
};

/* The reference to a variable of a module; made when it is asked for first. */
CUresult drv_reference_of_variable(struct drv_module *module, const char *name, bool surface,
                                   struct drv_reference **reference);
/* One without a variable; NULL when memory is exhausted. */
struct drv_reference *drv_reference_new(struct drv_module *module, bool surface);
/*
 * Let its variable stand for what the description says now, or for nothing.  Settings come one by one, so a description
 * that does not fit together, or whose memory is gone, is no error: the variable stands for nothing until it does.
 */
CUresult drv_reference_bind(struct drv_reference *reference);
/* The handle ends. */
void drv_reference_free(struct drv_reference *reference);

#endif
