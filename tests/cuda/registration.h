/*
 * Registration as compilers do it, by hand: the functions that no header declares for programs, and fat binaries of one
 * text.
 */
#ifndef PTXEMU_TESTS_CUDA_REGISTRATION_H
#define PTXEMU_TESTS_CUDA_REGISTRATION_H

#include "check.h"

#include <stdint.h>

/* What crt/host_runtime.h declares for compilers. */
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, uint3 *, uint3 *, dim3 *, dim3 *, int *);
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int, int);
void __cudaRegisterManagedVar(void **, void **, char *, const char *, int, size_t, int, int);
char __cudaInitModule(void **);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, struct CUstream_st *);
cudaError_t __cudaPopCallConfiguration(dim3 *, dim3 *, size_t *, void *);
cudaError_t __cudaGetKernel(cudaKernel_t *, const void *);
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void **, size_t, cudaStream_t);

struct wrapper {
    uint32_t magic;
    uint32_t version;
    const void *container;
    const void *list;
};

/* A container with one entry: the text, uncompressed.  Drivers want the compiler's options with it, here none. */
static inline struct wrapper wrap(const char *text, unsigned sm)
{
    size_t payload = (strlen(text) + 1 + 7) & ~(size_t)7;
    uint32_t magic = 0xba55ed50, entry_header = 64 + 16, options_at = 64, option_text_at = 72;
    unsigned char *bytes = calloc(1, 16 + entry_header + payload);
    uint64_t container_size = entry_header + payload;
    uint64_t payload_size = payload, flags = 0x11;
    uint16_t kind = 1, mark = 0x0101, one = 1, header = 16, minor = 0, major = 7;

    CHECK(bytes != NULL);
    memcpy(bytes, &magic, 4);
    memcpy(bytes + 4, &one, 2);
    memcpy(bytes + 6, &header, 2);
    memcpy(bytes + 8, &container_size, 8);
    memcpy(bytes + 16, &kind, 2);
    memcpy(bytes + 18, &mark, 2);
    memcpy(bytes + 20, &entry_header, 4);
    memcpy(bytes + 24, &payload_size, 8);
    memcpy(bytes + 36, &options_at, 4);
    memcpy(bytes + 40, &minor, 2);
    memcpy(bytes + 42, &major, 2);
    memcpy(bytes + 44, &sm, 4);
    memcpy(bytes + 56, &flags, 8);
    memcpy(bytes + 80, &option_text_at, 4); /* and its length, 0 */
    strcpy((char *)bytes + 16 + entry_header, text);
    return (struct wrapper){0x466243b1, 1, bytes, NULL};
}

static inline void unwrap(struct wrapper wrapper)
{
    free((void *)wrapper.container);
}

static inline void register_function(void **handle, const char *stub, const char *name)
{
    __cudaRegisterFunction(handle, stub, (char *)name, name, -1, NULL, NULL, NULL, NULL, NULL);
}

#endif
