/*
 * A real GPU through its driver, libcuda.so.1, loaded when there is one.  The declarations are our own: the driver's
 * ABI is stable, and nothing of NVIDIA's is needed to build.
 */
#ifndef CONFORMANCE_GPU_H
#define CONFORMANCE_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpu;

/* The first GPU, ready for use by this thread.  NULL, with the reason printed, where there is no driver or no GPU. */
struct gpu *gpu_open(void);
void gpu_close(struct gpu *g);
const char *gpu_name(const struct gpu *g);

/* Device memory; 0 on failure. */
uint64_t gpu_alloc(struct gpu *g, size_t bytes);
void gpu_free(struct gpu *g, uint64_t address);
bool gpu_write(struct gpu *g, uint64_t address, const void *from, size_t bytes);
bool gpu_read(struct gpu *g, void *to, uint64_t address, size_t bytes);

/* A module of PTX text that ends with a zero byte.  NULL, with the compiler's words printed, when it is refused. */
void *gpu_load(struct gpu *g, const char *name, const char *text);
void gpu_unload(struct gpu *g, void *module);

/* Run a kernel of one-dimensional shape to its end; `args` points to one value for each parameter. */
bool gpu_run(struct gpu *g, void *module, const char *kernel, unsigned ctas, unsigned threads, void **args);

#endif
