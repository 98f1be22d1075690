/*
 * Internal header of the CUDA runtime library: how a call begins and ends, what a handle of the runtime means to the
 * driver.
 *
 * The runtime API is a thin layer over the documented driver API: every function of this folder checks its arguments,
 * translates them, calls the driver and translates the result.  The behaviour is the driver's.  The pattern is
 *
 *     cudaError_t CUDARTAPI cudaFree(void *pointer)
 *     {
 *         cudaError_t error = crt_begin();
 *
 *         return error != cudaSuccess ? error : crt_end(cuMemFree((CUdeviceptr)pointer));
 *     }
 *
 * Invariant: every code that a public function returns has gone through crt_return() (which crt_begin and crt_end
 * call), so that it is the calling thread's last error.
 *
 * Functions with a variant for the per-thread default stream (names in _ptsz or _ptds) live in files that hold nothing
 * else. CMake compiles these twice; the second time CUDA_API_PER_THREAD_DEFAULT_STREAM is defined, and CUDA's headers
 * give the functions their other names.
 */
#ifndef PTXEMU_CUDART_H
#define PTXEMU_CUDART_H

/* What the headers declare is what the library exports; all else is hidden. */
#pragma GCC visibility push(default)
#include <cuda.h>
#include <cuda_runtime_api.h>
#pragma GCC visibility pop

#include <stdbool.h>
#include <stddef.h>

/* --- the frame of a call (context.c, error.c) --------------------------------------------------------------------- */

/*
 * Begin a call that needs a device: initialise the driver at the first use, and give the calling thread a context,
 * unless it has one (also one of the driver API's).  An error is noted as the last one; the caller only returns it.
 */
cudaError_t crt_begin(void);

/* Begin a call that needs the driver but no context (device queries). */
cudaError_t crt_begin_without_context(void);

/* End a call with the driver's answer, or the runtime's own error: note it as the thread's last one and return it. */
cudaError_t crt_end(CUresult result);
cudaError_t crt_return(cudaError_t error);

/* The runtime's name of a driver's error. */
cudaError_t crt_error(CUresult result);

/*
 * The service that is asked for does not exist, though the function does (for some arguments): cudaErrorNotSupported,
 * with a message that names `what` when messages are wanted.
 */
cudaError_t crt_unsupported(const char *what);

/* Messages are wanted (PTXEMU_VERBOSE). */
bool crt_verbose(void);

/* --- devices (context.c) ------------------------------------------------------------------------------------------ */

/* The device of the calling thread: of its current context, else the one that it chose. */
int crt_device(void);

/* Number of devices; valid after a successful crt_begin(). */
int crt_device_count(void);

/* --- handles (handle.c) ------------------------------------------------------------------------------------------- */

/*
 * What cuLaunchKernel and its like take for `func`: the address of a host stub, a cudaKernel_t or a cudaFunction_t.
 * Loads the module of a stub at its first use.  After crt_begin().
 */
cudaError_t crt_kernel(const void *func, CUfunction *function);

/* As crt_kernel, but a function of the current context, for calls of the driver that do not take kernels. */
cudaError_t crt_function(const void *func, CUfunction *function);

/* Address and size (either may be NULL) of a device variable in the current context, from its host shadow. */
cudaError_t crt_symbol(const void *symbol, CUdeviceptr *address, size_t *size_bytes);

/* Where the part of a device variable is that begins at `offset`, which has to hold `count` bytes. */
cudaError_t crt_symbol_range(const void *symbol, size_t offset, size_t count, CUdeviceptr *begin);

/* --- default streams ---------------------------------------------------------------------------------------------- */

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define CRT_DEFAULT_STREAM CU_STREAM_PER_THREAD
#else
#define CRT_DEFAULT_STREAM CU_STREAM_LEGACY
#endif

/* Stream 0 is what this compilation of the file says it is. */
static inline CUstream crt_stream(cudaStream_t stream)
{
    return stream != NULL ? stream : CRT_DEFAULT_STREAM;
}

#endif
