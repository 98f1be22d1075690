/*
 * ptxemu: run PTX kernels on an emulated NVIDIA GPU.
 *
 * The API in one breath: open a device, load a module from PTX text, take a kernel from it, set its arguments, launch,
 * read the results and the report.
 *
 *     ptxemu_device *dev;
 *     ptxemu_module *mod;
 *     ptxemu_device_open(NULL, &dev);
 *     if (ptxemu_module_load_file(dev, "saxpy.ptx", &mod) != PTXEMU_OK) puts(ptxemu_last_error(dev));
 *     ...
 *
 * Every call that can fail returns a ptxemu_status; details are in ptxemu_last_error and, for PTX text and faults, as
 * data. Objects belong to their device; closing it frees them.  Different devices are independent and may be used from
 * different threads at once; one device is used by one thread at a time.
 */
#ifndef PTXEMU_H
#define PTXEMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PTXEMU_API __attribute__((visibility("default")))
#else
#define PTXEMU_API
#endif

#define PTXEMU_VERSION_MAJOR 0
#define PTXEMU_VERSION_MINOR 1
#define PTXEMU_VERSION_PATCH 0

typedef struct ptxemu_device ptxemu_device;
typedef struct ptxemu_module ptxemu_module;
typedef struct ptxemu_kernel ptxemu_kernel;

/* The values double as exit codes of the command line (see ptxemu(1)). */
typedef enum {
    PTXEMU_OK = 0,
    PTXEMU_FAULT = 1,       /* the kernel did something illegal, trapped, deadlocked or timed out */
    PTXEMU_BAD_INPUT = 2,   /* PTX text, argument or launch that is wrong */
    PTXEMU_UNSUPPORTED = 3, /* something this version refuses by name */
    PTXEMU_NO_MEMORY = 4,   /* host or device memory exhausted */
} ptxemu_status;

PTXEMU_API const char *ptxemu_version(void);                     /* "0.1.0" */
PTXEMU_API const char *ptxemu_status_name(ptxemu_status status); /* "fault" */

/* --- devices ---------------------------------------------------------------------------------- */
typedef struct {
    size_t size;           /* sizeof(ptxemu_device_options), for compatibility */
    const char *gpu;       /* built-in name ("h200") or path of an INI file; NULL: "h200" */
    unsigned host_threads; /* 0: as many as the machine has */
    uint64_t slack;        /* bytes behind each buffer that kernels may touch, at most 2^30; 0: none */
} ptxemu_device_options;

/* Open an emulated GPU; `options` may be NULL.  On failure *device is NULL and, if `error` is not NULL, *error is a
 * malloc'd text. */
PTXEMU_API ptxemu_status ptxemu_device_open(const ptxemu_device_options *options, ptxemu_device **device, char **error);
PTXEMU_API void ptxemu_device_close(ptxemu_device *device);
/* The message of the last call on this device that failed; valid until the next call.  Never NULL. */
PTXEMU_API const char *ptxemu_last_error(const ptxemu_device *device);

typedef struct {
    const char *name, *product;
    unsigned cc_major, cc_minor, sm_count, max_warps_per_sm, max_threads_per_cta;
    uint64_t global_bytes, shared_per_cta, shared_per_cta_optin;
} ptxemu_device_info;
PTXEMU_API void ptxemu_device_get_info(const ptxemu_device *device, ptxemu_device_info *info);
/* Name of the index-th built-in GPU, NULL past the end. */
PTXEMU_API const char *ptxemu_gpu_name(size_t index);

/* --- memory ---------------------------------------------------------------------------------------------------------
 */
typedef uint64_t ptxemu_ptr; /* a device address; 0 is never valid */

/* `label` names the allocation in fault messages and may be NULL.  Memory is zeroed. */
PTXEMU_API ptxemu_status ptxemu_alloc(ptxemu_device *device, uint64_t bytes, const char *label, ptxemu_ptr *address);
PTXEMU_API ptxemu_status ptxemu_free(ptxemu_device *device, ptxemu_ptr address);
PTXEMU_API ptxemu_status ptxemu_write(ptxemu_device *device, ptxemu_ptr to, const void *from, uint64_t bytes);
PTXEMU_API ptxemu_status ptxemu_read(ptxemu_device *device, void *to, ptxemu_ptr from, uint64_t bytes);
/* Host view of device bytes while the allocation lives; NULL when the range is not inside one allocation. */
PTXEMU_API void *ptxemu_view(ptxemu_device *device, ptxemu_ptr address, uint64_t bytes);

/* --- modules and diagnostics ----------------------------------------------------------------------------------------
 */
typedef enum { PTXEMU_NOTE, PTXEMU_WARNING, PTXEMU_ERROR } ptxemu_level;
typedef struct {
    ptxemu_level level;
    const char *file;
    unsigned line, column; /* 1-based; 0: no place */
    const char *message;   /* one line */
    const char *rendered;  /* with source line and caret, ends in a newline */
} ptxemu_diagnostic;

/*
 * Parse and load PTX text (`length` bytes; need not be NUL-terminated).  `name` stands in messages.  On failure *module
 * is NULL; diagnostics of the last load, warnings included, are read with ptxemu_diagnostic_at.
 */
PTXEMU_API ptxemu_status ptxemu_module_load(ptxemu_device *device, const char *name, const char *text, size_t length,
                                            ptxemu_module **module);
PTXEMU_API ptxemu_status ptxemu_module_load_file(ptxemu_device *device, const char *path, ptxemu_module **module);

typedef struct {
    size_t size; /* sizeof(ptxemu_load_options), for compatibility */
    /*
     * The text is a part of a larger program.  Otherwise, as in the calls above, it is all of it: functions that are
     * called without being defined are errors.  Of a part everything can be asked, but only kernels that reach nothing
     * undefined can be launched.
     */
    bool relocatable;
} ptxemu_load_options;
/* ptxemu_module_load with options, which may be NULL. */
PTXEMU_API ptxemu_status ptxemu_module_load_with(ptxemu_device *device, const ptxemu_load_options *options,
                                                 const char *name, const char *text, size_t length,
                                                 ptxemu_module **module);

typedef struct {
    size_t size; /* sizeof(ptxemu_text), for compatibility */
    const char *name;
    const char *text; /* `length` bytes; need not be NUL-terminated */
    size_t length;
} ptxemu_text;
/*
 * Parse `count` texts, each a part of one program, link them and load the result.  A name that one part defines with
 * .visible is the .extern of that name in the others; of .weak definitions the first counts, or the .visible one if
 * there is any; of .common variables the largest.  What has no linkage word belongs to its part; where two parts use
 * such a name, the later one is called "name.2" with the number of its part.  `options` may be NULL: then nothing that
 * the kernels or variables need may be left undefined; with `relocatable` it may.
 */
PTXEMU_API ptxemu_status ptxemu_module_link(ptxemu_device *device, const ptxemu_load_options *options,
                                            const ptxemu_text *texts, size_t count, ptxemu_module **module);
PTXEMU_API void ptxemu_module_unload(ptxemu_module *module);
PTXEMU_API size_t ptxemu_diagnostic_count(const ptxemu_device *device);
PTXEMU_API bool ptxemu_diagnostic_at(const ptxemu_device *device, size_t index, ptxemu_diagnostic *out);
/* Address and size of a .global or .const variable. */
PTXEMU_API ptxemu_status ptxemu_module_variable(ptxemu_module *module, const char *name, ptxemu_ptr *address,
                                                uint64_t *bytes);
/* Write the IR as text to a malloc'd string (for --dump=ir). */
PTXEMU_API ptxemu_status ptxemu_module_dump(ptxemu_module *module, const char *what, char **text);

/* --- kernels ---------------------------------------------------------------------------------- */
PTXEMU_API size_t ptxemu_kernel_count(const ptxemu_module *module);
PTXEMU_API ptxemu_kernel *ptxemu_kernel_at(ptxemu_module *module, size_t index);
PTXEMU_API ptxemu_kernel *ptxemu_kernel_find(ptxemu_module *module, const char *name);

typedef struct {
    const char *name;
    size_t param_count;
    uint64_t param_bytes;
    unsigned registers;    /* estimate per thread */
    uint64_t shared_bytes; /* static */
    bool uses_dynamic_shared;
    uint64_t local_bytes;            /* per thread and activation */
    unsigned maxntid[3], reqntid[3]; /* 0: not given */
    unsigned line;                   /* of the .entry in the PTX text */
    const char *file;                /* name of that text */
} ptxemu_kernel_info;
PTXEMU_API void ptxemu_kernel_get_info(const ptxemu_kernel *kernel, ptxemu_kernel_info *info);

typedef struct {
    const char *name;
    const char *type; /* "u64", "f32", "b8" ... */
    uint64_t bytes, offset, align;
    /*
     * What the kernel does with the parameter as an address, found by following it through the code: bit 0 read, bit 1
     * written, bit 2 atomics.  0: never used as an address.  `element` is the type of the accesses ("f32"), NULL if
     * mixed or none.
     */
    unsigned pointer_use;
    const char *element;
} ptxemu_param_info;
PTXEMU_API bool ptxemu_kernel_param(const ptxemu_kernel *kernel, size_t index, ptxemu_param_info *info);
/* Why the kernel cannot run on this device: text naming the instruction and line; NULL when it can. */
PTXEMU_API const char *ptxemu_kernel_unsupported(ptxemu_kernel *kernel);

typedef struct {
    unsigned ctas_per_sm, limit_ctas, limit_warps, limit_registers, limit_shared, warps_per_sm;
    double theoretical;
    const char *limiter;
} ptxemu_occupancy_info;
PTXEMU_API void ptxemu_kernel_occupancy(const ptxemu_kernel *kernel, unsigned threads_per_cta, uint64_t dynamic_shared,
                                        ptxemu_occupancy_info *out);

/* --- textures and surfaces ------------------------------------------------------------------------------------------
 */
/* What the bits of a channel mean; UNORM and SNORM are read as fractions. */
typedef enum { PTXEMU_UINT, PTXEMU_SINT, PTXEMU_FLOAT, PTXEMU_UNORM, PTXEMU_SNORM } ptxemu_channel_kind;
typedef enum { PTXEMU_WRAP, PTXEMU_CLAMP, PTXEMU_MIRROR, PTXEMU_BORDER } ptxemu_address_mode;

typedef struct {
    ptxemu_channel_kind kind;
    unsigned bits, channels; /* 8, 16 or 32; 1, 2 or 4 */
} ptxemu_format;

/* Texels in the host's memory: 1D, 2D or 3D, with layers or levels if asked for. */
typedef struct ptxemu_array ptxemu_array;
typedef struct {
    size_t size; /* sizeof(ptxemu_array_options), for compatibility */
    ptxemu_format format;
    unsigned width, height, depth; /* 0 for dimensions that it does not have */
    unsigned layers;               /* 0: none.  Cubes have six for each: +x, -x, +y, -y, +z, -z */
    bool cube;
    unsigned levels; /* 0 and 1: one */
} ptxemu_array_options;
PTXEMU_API ptxemu_status ptxemu_array_create(ptxemu_device *device, const ptxemu_array_options *options,
                                             ptxemu_array **array);
/* Textures and surfaces made of it keep what they need. */
PTXEMU_API void ptxemu_array_release(ptxemu_array *array);
/* The texels of a level, row by row, slice by slice or layer by layer, without gaps; NULL when there is no such level.
 */
PTXEMU_API void *ptxemu_array_texels(ptxemu_array *array, unsigned level, size_t *bytes);

/* How texels are sampled; of `array`, or of `bytes` bytes at `address` of device memory, in rows `pitch` bytes apart if
 * that is not 0. */
typedef struct {
    size_t size; /* sizeof(ptxemu_texture_options), for compatibility */
    ptxemu_array *array;
    ptxemu_ptr address;
    uint64_t bytes, pitch;
    unsigned width, height; /* with a pitch: in texels */
    ptxemu_format format;   /* of device memory */
    ptxemu_address_mode address_mode[3];
    bool linear, mip_linear; /* interpolate between texels, between levels */
    bool normalized;         /* coordinates are 0 to 1 */
    bool as_float;           /* 8- and 16-bit integers are read as fractions */
    bool srgb, seamless;     /* the texels are sRGB; interpolate across the faces of a cube */
    float border[4];
    float level_bias, level_least, level_most;
} ptxemu_texture_options;
/*
 * Handles are what kernels take as texture and surface objects, in 64-bit parameters.  With neither array nor address
 * the object is a sampler, for variables of type .samplerref.
 */
PTXEMU_API ptxemu_status ptxemu_texture_create(ptxemu_device *device, const ptxemu_texture_options *options,
                                               uint64_t *handle);
PTXEMU_API ptxemu_status ptxemu_surface_create(ptxemu_device *device, ptxemu_array *array, unsigned level,
                                               uint64_t *handle);
PTXEMU_API ptxemu_status ptxemu_handle_destroy(ptxemu_device *device, uint64_t handle);
/* Let a .texref, .samplerref or .surfref variable stand for an object; 0: for none. */
PTXEMU_API ptxemu_status ptxemu_module_bind(ptxemu_module *module, const char *variable, uint64_t handle);

/* --- launches --------------------------------------------------------------------------------- */
typedef enum { PTXEMU_CONVERGE, PTXEMU_MINPC, PTXEMU_SERIAL, PTXEMU_RANDOM } ptxemu_policy;

typedef struct {
    size_t size; /* sizeof(ptxemu_launch) */
    unsigned grid[3], block[3];
    uint64_t dynamic_shared; /* bytes */
    const void *params;      /* the kernel's parameter buffer, param_bytes long */
    size_t params_bytes;
    unsigned host_threads; /* 0: as the device */
    ptxemu_policy policy;
    uint64_t seed;    /* of PTXEMU_RANDOM */
    double timeout_s; /* 0: none */
    /* Called from the launching thread about ten times a second; may be NULL.  Returning false cancels the launch. */
    bool (*progress)(void *user, uint64_t ctas_done, uint64_t ctas_total);
    /* Receives printf output of the kernel; NULL: standard output.  Called from one thread at a time, in order within a
     * CTA. */
    void (*print)(void *user, const char *text, size_t length);
    void *user;
} ptxemu_launch;

typedef enum {
    PTXEMU_FAULT_NONE,
    PTXEMU_FAULT_OUT_OF_BOUNDS,
    PTXEMU_FAULT_MISALIGNED,
    PTXEMU_FAULT_NULL,
    PTXEMU_FAULT_READ_ONLY,
    PTXEMU_FAULT_TRAP,
    PTXEMU_FAULT_ASSERT,
    PTXEMU_FAULT_DEADLOCK,
    PTXEMU_FAULT_TIMEOUT,
    PTXEMU_FAULT_CANCELLED,
    PTXEMU_FAULT_STACK_OVERFLOW,
    PTXEMU_FAULT_BAD_CALL,
    PTXEMU_FAULT_BAD_BARRIER,
    PTXEMU_FAULT_ILLEGAL_INSTRUCTION, /* legal to write, but not to execute as it was: a lane that its own mask lacks */
    PTXEMU_FAULT_BAD_HANDLE, /* of a texture, sampler or surface: no such object, or a variable that is not bound */
} ptxemu_fault_kind;

typedef struct {
    ptxemu_fault_kind kind;
    const char *kernel;
    unsigned cta[3], thread[3];
    unsigned warp, lane;
    unsigned line;           /* of the PTX text; 0: unknown */
    const char *source_file; /* from .loc, NULL: none */
    unsigned source_line;
    uint64_t address, bytes; /* of the access, 0 if it was none */
    const char *message;     /* all of it in words, several lines for a deadlock */
    const char *file;        /* name of the PTX text that `line` is of; NULL: unknown */
} ptxemu_fault_info;

typedef struct {
    uint64_t thread_instructions; /* PTX instructions times lanes that executed them */
    uint64_t warp_instructions;   /* PTX instructions times warps */
    uint64_t divergent_branches;  /* branches whose lanes parted */
    uint64_t barriers;            /* warp arrivals at CTA barriers */
    uint64_t ctas, warps, threads;
    double wall_s, cpu_s;
} ptxemu_stats;

/* Run a kernel to the end.  PTXEMU_FAULT: see ptxemu_get_fault. */
PTXEMU_API ptxemu_status ptxemu_run(ptxemu_kernel *kernel, const ptxemu_launch *launch);
PTXEMU_API void ptxemu_get_stats(const ptxemu_device *device, ptxemu_stats *out); /* of the last launch */
PTXEMU_API bool ptxemu_get_fault(const ptxemu_device *device,
                                 ptxemu_fault_info *out); /* false: the last launch had none */

/* --- kernels as functions, functions for kernels --------------------------------------------------------------------
 */
/*
 * A function of C that launches the kernel as `launch` says (its params are not looked at; what it points to must live
 * on) and waits for the end: cast it to ptxemu_status (*)(parameters...).  Integers are passed by size and sign (.b
 * types and 16-bit floating point as unsigned), .f32 as float, .f64 as double, addresses as uint64_t, or a pointer of
 * ptxemu_view's, which are the same; arrays as structures by value of that size and alignment, without floating-point
 * members.  It lives as long as the module.  NULL: see ptxemu_last_error.
 */
PTXEMU_API void *ptxemu_kernel_function(ptxemu_kernel *kernel, const ptxemu_launch *launch);

typedef struct {
    size_t size; /* sizeof(ptxemu_host_options), for compatibility */
    /*
     * "RESULT (TYPE, ...)" in the words of PTX, such as "f32 (ptr, s32, {f64, f64})", or "void (u64)"; braces are
     * structures by value.  NULL: as the PTX declares the function, by the rules of ptxemu_kernel_function.  Needed
     * where that is not enough: nvcc declares floating point as .b32 and .b64, and structures as bytes.
     */
    const char *signature;
    bool thread_safe; /* several host threads may call it at once; else calls on this device take turns */
} ptxemu_host_options;
/*
 * In modules that are loaded from now on, declarations without a definition (.extern .func) of this name stand for
 * `function`, cast to void (*)(void).  Each thread of a grid that calls it does so with its own arguments, in no
 * particular order; addresses of device memory can be used as pointers.  It must return, and must not call ptxemu for
 * the same device.  Modules of such a device are linked even if they have one text: what they need must be there.
 * `options` may be NULL.
 */
PTXEMU_API ptxemu_status ptxemu_host_function(ptxemu_device *device, const char *name, void (*function)(void),
                                              const ptxemu_host_options *options);

#ifdef __cplusplus
}
#endif

#endif
