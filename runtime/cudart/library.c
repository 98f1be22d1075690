/* Libraries: device code that a program loads itself, as PTX text, fat binary or file. */
#include "cudart.h"
#include "forward.h"

/* The runtime's option numbers are the driver's. */
cudaError_t CUDARTAPI cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *jit_options,
                                          void **jit_values, unsigned jit_count,
                                          enum cudaLibraryOption *library_options, void **library_values,
                                          unsigned library_count)
{
    return CRT_CALL(cuLibraryLoadData((CUlibrary *)library, code, (CUjit_option *)jit_options, jit_values, jit_count,
                                      (CUlibraryOption *)library_options, library_values, library_count));
}

cudaError_t CUDARTAPI cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path, enum cudaJitOption *jit_options,
                                              void **jit_values, unsigned jit_count,
                                              enum cudaLibraryOption *library_options, void **library_values,
                                              unsigned library_count)
{
    return CRT_CALL(cuLibraryLoadFromFile((CUlibrary *)library, path, (CUjit_option *)jit_options, jit_values,
                                          jit_count, (CUlibraryOption *)library_options, library_values,
                                          library_count));
}

cudaError_t CUDARTAPI cudaLibraryUnload(cudaLibrary_t library)
{
    return CRT_CALL(cuLibraryUnload((CUlibrary)library));
}

cudaError_t CUDARTAPI cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    return CRT_CALL(cuLibraryGetKernel((CUkernel *)kernel, (CUlibrary)library, name));
}

cudaError_t CUDARTAPI cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library)
{
    return CRT_CALL(cuLibraryGetKernelCount(count, (CUlibrary)library));
}

cudaError_t CUDARTAPI cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned count, cudaLibrary_t library)
{
    return CRT_CALL(cuLibraryEnumerateKernels((CUkernel *)kernels, count, (CUlibrary)library));
}

cudaError_t CUDARTAPI cudaLibraryGetGlobal(void **address, size_t *size, cudaLibrary_t library, const char *name)
{
    return CRT_CALL(cuLibraryGetGlobal((CUdeviceptr *)address, size, (CUlibrary)library, name));
}

cudaError_t CUDARTAPI cudaLibraryGetManaged(void **address, size_t *size, cudaLibrary_t library, const char *name)
{
    return CRT_CALL(cuLibraryGetManaged((CUdeviceptr *)address, size, (CUlibrary)library, name));
}

cudaError_t CUDARTAPI cudaLibraryGetUnifiedFunction(void **function, cudaLibrary_t library, const char *symbol)
{
    return CRT_CALL(cuLibraryGetUnifiedFunction(function, (CUlibrary)library, symbol));
}
