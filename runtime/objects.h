/*
 * The objects behind the public API.  Private to runtime/.
 *
 * Ownership: a device owns its memory, its modules and the text of its last error; a module owns the IR, the addresses
 * of its variables and its kernels; a kernel owns the code decoded for it.
 */
#ifndef RUNTIME_OBJECTS_H
#define RUNTIME_OBJECTS_H

#include "emu/emu.h"
#include "ir/ir.h"
#include "ptxemu.h"

enum { ERROR_BYTES = 4096, FAULT_BYTES = 2048, RT_TEXT_LIMIT_MB = 1024 };

/* A diagnostic as the API hands it out; the texts are owned. */
struct rt_diagnostic {
    ptxemu_level level;
    unsigned line, column;
    char *file, *message, *rendered;
};

struct ptxemu_device {
    struct emu_spec spec;
    struct mem_device *memory;
    const struct handler_set *handlers;
    unsigned host_threads;
    struct emu_heap *heap; /* made at the first launch of a kernel that calls malloc */
    uint64_t heap_address;
    struct ptxemu_module *modules;
    char error[ERROR_BYTES];
    struct rt_diagnostic *diagnostics;
    size_t n_diagnostics;
    struct emu_stats stats; /* of the last launch */
    double wall_s, cpu_s;
    struct emu_fault fault;
    bool has_fault;
    char fault_kernel[256]; /* name of the kernel that faulted and its files: the module may be gone */
    char fault_file[1024];
    char fault_source[1024];
};

struct ptxemu_kernel {
    struct ptxemu_module *module;
    const struct ir_func *func;
    struct emu_program *program; /* decoded at first use */
    bool decoded;
    unsigned registers; /* estimate per thread, 0: not made yet */
    char refused[320];
    struct rt_pointer *pointers; /* per parameter, found at first use */
};

/* What a kernel does with a parameter as an address. */
struct rt_pointer {
    unsigned use; /* bit 0 read, bit 1 written, bit 2 atomics */
    uint8_t type; /* enum ir_type of the accesses; IR_TYPE_NONE: none or several */
    bool mixed;
};

struct ptxemu_module {
    struct ptxemu_device *device;
    struct ptxemu_module *next;
    struct ir_module *ir;
    uint64_t *symbol_address; /* by symbol; 0: none */
    struct ptxemu_kernel *kernels;
    size_t n_kernels;
};

/* Note an error text and hand back `status`. */
__attribute__((format(printf, 3, 4))) ptxemu_status rt_fail(struct ptxemu_device *d, ptxemu_status status,
                                                            const char *format, ...);
void rt_clear_diagnostics(struct ptxemu_device *d);
/* Add to what the device has kept of the same load. */
void rt_keep_diagnostics(struct ptxemu_device *d, const struct diag *dg);

/* What is compiled: all of a program, or something with names that others define. */
enum rt_scope { RT_PROGRAM, RT_PART };
/* PTX text to IR; diagnostics are kept in the device.  Parts are linked. */
ptxemu_status rt_compile(struct ptxemu_device *d, const ptxemu_text *text, enum rt_scope scope, struct ir_module **ir);
ptxemu_status rt_compile_parts(struct ptxemu_device *d, const ptxemu_text *texts, size_t count, enum rt_scope scope,
                               struct ir_module **ir);
/* Decode the kernel if that was not done yet; false when memory is exhausted. */
bool rt_decode(struct ptxemu_kernel *k);
/* Follow the kernel's parameters to the accesses made through them: one entry per parameter, or NULL. */
struct rt_pointer *rt_find_pointers(const struct ir_func *f);

#endif
