/*
 * What the parts of ptxemu-bench share: a case (one kernel on fixed data), an engine that can run it (native C, ptxemu,
 * PoCL) and what a measurement is.
 *
 * Every engine computes the same outputs from the same inputs; native's outputs are the reference for the others.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_MAX_CASES = 16, BENCH_MAX_BUFFERS = 3, BENCH_MAX_SCALARS = 2, BENCH_MAX_MATRIX = 8 };

enum bench_type { BENCH_F32, BENCH_U32 };

/* Data of one pointer parameter. */
struct bench_buffer {
    size_t count; /* elements of 4 bytes; 0 ends the list */
    enum bench_type type;
    bool output;                            /* compared with native's */
    void (*fill)(void *data, size_t count); /* NULL: zeros */
};

/* One kernel, in kernels/NAME.cu and NAME.ptx: pointers first, then 32-bit scalars given by their bits. */
struct bench_case {
    const char *name;
    unsigned grid[3], block[3]; /* CTAs; threads of a CTA */
    struct bench_buffer buffers[BENCH_MAX_BUFFERS];
    uint32_t scalars[BENCH_MAX_SCALARS];
    size_t scalar_count;
    uint64_t elements; /* of the problem: what "elements per second" counts */
    void (*native)(const struct bench_case *c, void *const *buffers);
    double tolerance;  /* relative, of f32 outputs */
    double may_differ; /* part of the outputs that may be off by more: chaotic iterations */
    bool many_ctas;    /* enough work for the comparison of one with two host threads */
};

/* Write the table, at most BENCH_MAX_CASES rows, and return their number; `quick` makes the problems smaller. */
size_t bench_make_cases(bool quick, struct bench_case *cases);
size_t bench_buffer_count(const struct bench_case *c);

/* One engine ready to run one case again and again. */
struct bench_engine {
    const char *name;
    /* Make `state` for a case; false with a message on stderr when the engine cannot run it. */
    bool (*open)(const struct bench_case *c, unsigned host_threads, void **state);
    /* Inputs in host memory, `host[i]` for buffer i, go to the engine; not timed. */
    bool (*upload)(void *state, void *const *host);
    bool (*run)(void *state); /* timed */
    bool (*download)(void *state, void *const *host);
    void (*close)(void *state);
    /* PTX thread-instructions of the last run; NULL: unknown to this engine */
    uint64_t (*instructions)(void *state);
};

extern const struct bench_engine bench_native;
extern const struct bench_engine bench_ptxemu;
/* NULL when OpenCL was not there at build time or has no CPU device now. */
const struct bench_engine *bench_opencl(void);

/* The best of several runs. */
struct bench_time {
    bool valid;
    double cpu_s, wall_s;  /* minima; not necessarily of the same run */
    uint64_t instructions; /* 0: unknown */
};

struct bench_row {
    const struct bench_case *c;
    struct bench_time native, ptxemu, opencl;
};

/* Figures that are not kernels of the table. */
struct bench_extras {
    struct {
        const char *name;
        double speedup; /* wall time of one host thread / of two */
    } threads[BENCH_MAX_CASES];
    size_t thread_count;
    double startup_s;    /* spawn, parse 100 lines, launch, exit: wall time */
    unsigned empty_ctas; /* 0: not measured */
    double empty_s;      /* wall time of that many CTAs of 32 threads that return at once */
    double empty_cpu_s;
    double parse_mb_per_s; /* 10^6 bytes per CPU-second */
    double parse_bytes;    /* peak memory growth per byte of input */
    uint64_t parse_size;   /* bytes of the text */
    struct {
        const char *name; /* of the elements */
        double per_s;     /* instructions of a warp per CPU-second */
    } matrix[BENCH_MAX_MATRIX];
    size_t matrix_count;
};

/* measure.c */
double bench_cpu_now(void);
double bench_wall_now(void);
/* Run for `seconds` at least, three times at least, and keep the best.  False when the engine or its results fail. */
bool bench_measure(const struct bench_engine *engine, const struct bench_case *c, unsigned host_threads, double seconds,
                   void *const *reference, struct bench_time *time);
void **bench_host_buffers(const struct bench_case *c); /* filled; exits when memory is exhausted */
void bench_free_buffers(const struct bench_case *c, void **buffers);

/* extras.c; `ptxemu` is the path of the command line, NULL: no start-up time. */
void bench_measure_threads(bool quick, double seconds, struct bench_extras *out);
void bench_measure_startup(const char *ptxemu, struct bench_extras *out);
void bench_measure_empty(bool quick, struct bench_extras *out);
void bench_measure_parse(bool quick, struct bench_extras *out);

/* functions.c: print what each approximate function costs; false when one does not run. */
bool bench_print_functions(bool quick);
/* matrix.c: mma.sync and mma.sp. */
void bench_measure_matrix(bool quick, struct bench_extras *out);

/* text.c: nvcc's PTX of all benchmark kernels, repeated under new names to at least `size` bytes; malloc'd. */
char *bench_nvcc_text(size_t size, size_t *length);
char *bench_read_kernel(const char *name, const char *suffix, size_t *length);

/* report.c */
void bench_print_table(const struct bench_row *rows, size_t count, const struct bench_extras *extras);
bool bench_write_json(const char *path, const struct bench_row *rows, size_t count, const struct bench_extras *extras);

#endif
