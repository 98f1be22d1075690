/*
 * A real GPU through its driver, libcuda.so.1, loaded when there is one.  The declarations are our own: the driver's
 * ABI is stable, and nothing of NVIDIA's is needed to build.
 */
#ifndef CONFORMANCE_DRIVER_H
#define CONFORMANCE_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct driver;

/* The first GPU, ready for use by this thread.  NULL, with the reason on stderr; *missing: there is no driver or GPU.
 */
struct driver *driver_open(bool *missing);
void driver_close(struct driver *d);
const char *driver_gpu_name(const struct driver *d);
/* Why the last call that failed did, in the driver's words. */
const char *driver_message(const struct driver *d);

/* Device memory; 0 on failure. */
uint64_t driver_alloc(struct driver *d, size_t bytes);
void driver_free(struct driver *d, uint64_t address);
bool driver_write(struct driver *d, uint64_t address, const void *from, size_t bytes);
bool driver_read(struct driver *d, void *to, uint64_t address, size_t bytes);

/*
 * A module of PTX text that ends with a zero byte; NULL when it is refused.  `level`: how hard the driver's assembler
 * tries to make it fast, 0 to 4.
 */
void *driver_load(struct driver *d, const char *text, unsigned level);
void driver_unload(struct driver *d, void *module);
/* NULL when the module has no such kernel. */
void *driver_kernel(struct driver *d, void *module, const char *name);
/* Run a kernel of one-dimensional shape to its end; `args` points to one value for each parameter. */
bool driver_run(struct driver *d, void *kernel, unsigned ctas, unsigned threads, void **args);

#endif
