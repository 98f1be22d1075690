/* Modules, libraries and the linker: how code comes into a context. */
#ifndef PTXEMU_CUDA_DRIVER_MODULE_H
#define PTXEMU_CUDA_DRIVER_MODULE_H

#include "result.h"

#include "../api_common/begin.h"

#define CU_COMPUTE_ACCELERATED_TARGET_BASE 0x10000
#define CU_COMPUTE_FAMILY_TARGET_BASE      0x20000

typedef enum CUjit_cacheMode_enum {
    CU_JIT_CACHE_OPTION_NONE = 0,
    CU_JIT_CACHE_OPTION_CG = 1,
    CU_JIT_CACHE_OPTION_CA = 2
} CUjit_cacheMode;

typedef enum CUjit_fallback_enum { CU_PREFER_PTX = 0, CU_PREFER_BINARY = 1 } CUjit_fallback;

/* Options of the linker and the loader. Values that fit go into the pointer itself; the sizes of logs come back the
 * same way. */
typedef enum CUjit_option_enum {
    CU_JIT_MAX_REGISTERS = 0,
    CU_JIT_THREADS_PER_BLOCK = 1,
    CU_JIT_WALL_TIME = 2,
    CU_JIT_INFO_LOG_BUFFER = 3,
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
    CU_JIT_ERROR_LOG_BUFFER = 5,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    CU_JIT_OPTIMIZATION_LEVEL = 7,
    CU_JIT_TARGET_FROM_CUCONTEXT = 8,
    CU_JIT_TARGET = 9,
    CU_JIT_FALLBACK_STRATEGY = 10,
    CU_JIT_GENERATE_DEBUG_INFO = 11,
    CU_JIT_LOG_VERBOSE = 12,
    CU_JIT_GENERATE_LINE_INFO = 13,
    CU_JIT_CACHE_MODE = 14,
    CU_JIT_NEW_SM3X_OPT = 15,
    CU_JIT_FAST_COMPILE = 16,
    CU_JIT_GLOBAL_SYMBOL_NAMES = 17,
    CU_JIT_GLOBAL_SYMBOL_ADDRESSES = 18,
    CU_JIT_GLOBAL_SYMBOL_COUNT = 19,
    CU_JIT_LTO = 20,
    CU_JIT_FTZ = 21,
    CU_JIT_PREC_DIV = 22,
    CU_JIT_PREC_SQRT = 23,
    CU_JIT_FMA = 24,
    CU_JIT_REFERENCED_KERNEL_NAMES = 25,
    CU_JIT_REFERENCED_KERNEL_COUNT = 26,
    CU_JIT_REFERENCED_VARIABLE_NAMES = 27,
    CU_JIT_REFERENCED_VARIABLE_COUNT = 28,
    CU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES = 29,
    CU_JIT_POSITION_INDEPENDENT_CODE = 30,
    CU_JIT_MIN_CTA_PER_SM = 31,
    CU_JIT_MAX_THREADS_PER_BLOCK = 32,
    CU_JIT_OVERRIDE_DIRECTIVE_VALUES = 33,
    CU_JIT_SPLIT_COMPILE = 34,
#if PTXEMU_CUDA_VERSION >= 13000
    CU_JIT_NUM_OPTIONS = 35
#else
    CU_JIT_NUM_OPTIONS = 34
#endif
} CUjit_option;

typedef enum CUjit_target_enum {
    CU_TARGET_COMPUTE_30 = 0x1e,
    CU_TARGET_COMPUTE_32 = 0x20,
    CU_TARGET_COMPUTE_35 = 0x23,
    CU_TARGET_COMPUTE_37 = 0x25,
    CU_TARGET_COMPUTE_50 = 0x32,
    CU_TARGET_COMPUTE_52 = 0x34,
    CU_TARGET_COMPUTE_53 = 0x35,
    CU_TARGET_COMPUTE_60 = 0x3c,
    CU_TARGET_COMPUTE_61 = 0x3d,
    CU_TARGET_COMPUTE_62 = 0x3e,
    CU_TARGET_COMPUTE_70 = 0x46,
    CU_TARGET_COMPUTE_72 = 0x48,
    CU_TARGET_COMPUTE_75 = 0x4b,
    CU_TARGET_COMPUTE_80 = 0x50,
    CU_TARGET_COMPUTE_86 = 0x56,
    CU_TARGET_COMPUTE_87 = 0x57,
    CU_TARGET_COMPUTE_89 = 0x59,
    CU_TARGET_COMPUTE_90 = 0x5a,
    CU_TARGET_COMPUTE_100 = 0x64,
#if PTXEMU_CUDA_VERSION < 13000
    CU_TARGET_COMPUTE_101 = 0x65,
#endif
    CU_TARGET_COMPUTE_103 = 0x67,
    CU_TARGET_COMPUTE_110 = 0x6e,
    CU_TARGET_COMPUTE_120 = 0x78,
    CU_TARGET_COMPUTE_121 = 0x79,
    CU_TARGET_COMPUTE_90A = 0x1005a,
    CU_TARGET_COMPUTE_100A = 0x10064,
#if PTXEMU_CUDA_VERSION < 13000
    CU_TARGET_COMPUTE_101A = 0x10065,
#endif
    CU_TARGET_COMPUTE_103A = 0x10067,
    CU_TARGET_COMPUTE_110A = 0x1006e,
    CU_TARGET_COMPUTE_120A = 0x10078,
    CU_TARGET_COMPUTE_121A = 0x10079,
    CU_TARGET_COMPUTE_100F = 0x20064,
    CU_TARGET_COMPUTE_103F = 0x20067,
    CU_TARGET_COMPUTE_110F = 0x2006e,
    CU_TARGET_COMPUTE_120F = 0x20078,
    CU_TARGET_COMPUTE_121F = 0x20079
} CUjit_target;

/* What a text or image given to the linker is. */
typedef enum CUjitInputType_enum {
    CU_JIT_INPUT_CUBIN = 0,
    CU_JIT_INPUT_PTX = 1,
    CU_JIT_INPUT_FATBINARY = 2,
    CU_JIT_INPUT_OBJECT = 3,
    CU_JIT_INPUT_LIBRARY = 4,
    CU_JIT_INPUT_NVVM = 5,
    CU_JIT_NUM_INPUT_TYPES = 6
} CUjitInputType;

typedef enum CUlibraryOption_enum {
    CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0,
    CU_LIBRARY_BINARY_IS_PRESERVED = 1,
    CU_LIBRARY_NUM_OPTIONS = 2
} CUlibraryOption;

typedef enum CUmoduleLoadingMode_enum { CU_MODULE_EAGER_LOADING = 1, CU_MODULE_LAZY_LOADING = 2 } CUmoduleLoadingMode;

typedef struct CUlibraryHostUniversalFunctionAndDataTable_st {
    void *functionTable;
    size_t functionWindowSize;
    void *dataTable;
    size_t dataWindowSize;
} CUlibraryHostUniversalFunctionAndDataTable;

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int numKernels, CUlibrary lib);
CUresult cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name);
CUresult cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library, const char *name);
CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary lib);
CUresult cuLibraryGetManaged(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name);
CUresult cuLibraryGetModule(CUmodule *pMod, CUlibrary library);
CUresult cuLibraryGetUnifiedFunction(void **fptr, CUlibrary library, const char *symbol);
CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions, void **jitOptionsValues,
                           unsigned int numJitOptions, CUlibraryOption *libraryOptions, void **libraryOptionValues,
                           unsigned int numLibraryOptions);
CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *fileName, CUjit_option *jitOptions,
                               void **jitOptionsValues, unsigned int numJitOptions, CUlibraryOption *libraryOptions,
                               void **libraryOptionValues, unsigned int numLibraryOptions);
CUresult cuLibraryUnload(CUlibrary library);

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                       unsigned int numOptions, CUjit_option *options, void **optionValues);
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int numOptions,
                       CUjit_option *options, void **optionValues);
CUresult cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut);
CUresult cuLinkCreate(unsigned int numOptions, CUjit_option *options, void **optionValues, CUlinkState *stateOut);
CUresult cuLinkDestroy(CUlinkState state);

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int numFunctions, CUmodule mod);
CUresult cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name);
CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule mod);
CUresult cuModuleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name);
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode);
CUresult cuModuleLoad(CUmodule *module, const char *fname);
CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions, CUjit_option *options,
                            void **optionValues);
CUresult cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin);
CUresult cuModuleUnload(CUmodule hmod);

#include "../api_common/end.h"

#endif
