/*
 * What a driver answers to good and bad calls.  Each chapter makes its calls in a fixed order; every answer is one
 * line, compared with the line that was recorded on a GPU.
 *
 * A chapter prepares what it needs with `must`, which is not recorded.
 */
#ifndef PTXEMU_TESTS_CUDA_ANSWERS_H
#define PTXEMU_TESTS_CUDA_ANSWERS_H

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

/* A call and the code that it returns. */
#define ANSWER(call) answer(#call, (long long)(call))

/* What a call or number said; `what` is formatted like printf's. */
void answer(const char *what, long long value);
__attribute__((format(printf, 2, 3))) void answer_named(long long value, const char *what, ...);
/* The same with a text. */
void answer_text(const char *what, const char *text);
/* What a chapter needs and does not ask about: the test ends when it fails. */
#define must(call) must_be_zero((long long)(call), #call)
void must_be_zero(long long value, const char *call);

/* The primary context of device 0, current from now on. */
CUcontext use_primary_context(void);
/* Kernels empty(), args(u64, u32), bounded() of up to 128 threads, required() of 64, shared() with 16 KiB, trapped().
 */
extern const char answers_ptx[];
CUfunction answers_kernel(const char *name);
CUmodule answers_module(void);
CUstream new_stream(void);
static inline CUdeviceptr address_of(const void *host)
{
    return (CUdeviceptr)(uintptr_t)host;
}

/* --- the chapters, in order --- */
void before_initialization(void);
void without_a_context(void);
void devices(void);
void contexts(void);
void device_memory(void);
void copies_and_fills(void);
void host_memory(void);
void registered_memory(void);
void pointers(void);
void modules(void);
void function_attributes(void);
void launches(void);
void function_settings(void);
void occupancy(void);
void streams(void);
void events(void);
void host_functions(void);
void captures(void);
void graphs(void);
void linker(void);
void pools(void);
void arrays(void);
void contexts_of_others(void);
void runtime_errors(void);
void runtime_launches(void);
void runtime_memory(void);
void error_texts(void);
void after_a_trap(void);

#endif
