/*
 * What the tests of the driver API share: checks that say where they failed, a context, and kernels in PTX.  They need
 * libcuda.so.1 alone, so they also run against a real driver.
 */
#ifndef PTXEMU_TESTS_CUDA_DRIVER_CHECK_H
#define PTXEMU_TESTS_CUDA_DRIVER_CHECK_H

#include <cuda.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) check_that((condition), #condition, __FILE__, __LINE__)
/* The call must return this code. */
#define IS(call, code) check_code((call), (code), #call, __FILE__, __LINE__)
#define OK(call)       IS(call, CUDA_SUCCESS)
/* A number must have this value. */
#define EQUALS(have, want) check_equal((long long)(have), (long long)(want), #have, __FILE__, __LINE__)

static inline void check_that(int holds, const char *what, const char *file, int line)
{
    if (!holds) {
        fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
        exit(1);
    }
}

static inline void check_code(CUresult have, CUresult want, const char *what, const char *file, int line)
{
    if (have != want) {
        fprintf(stderr, "%s:%d: %s: %d, expected %d\n", file, line, what, (int)have, (int)want);
        exit(1);
    }
}

static inline void check_equal(long long have, long long want, const char *what, const char *file, int line)
{
    if (have != want) {
        fprintf(stderr, "%s:%d: %s is %lld, expected %lld\n", file, line, what, have, want);
        exit(1);
    }
}

/* nothing(); combine(d, a, b): *d = 3 * *a + *b; add(d, n): *d += n. */
static const char driver_ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry nothing()\n{\n    ret;\n}\n"
    ".visible .entry combine(.param .u64 d, .param .u64 a, .param .u64 b)\n"
    "{\n"
    "    .reg .b32 %r<4>;\n    .reg .b64 %rd<4>;\n"
    "    ld.param.u64 %rd1, [d];\n    ld.param.u64 %rd2, [a];\n    ld.param.u64 %rd3, [b];\n"
    "    ld.global.u32 %r1, [%rd2];\n    ld.global.u32 %r2, [%rd3];\n    mad.lo.u32 %r3, %r1, 3, %r2;\n"
    "    st.global.u32 [%rd1], %r3;\n    ret;\n"
    "}\n"
    ".visible .entry add(.param .u64 d, .param .u32 n)\n"
    "{\n"
    "    .reg .b32 %r<4>;\n    .reg .b64 %rd<2>;\n"
    "    ld.param.u64 %rd1, [d];\n    ld.param.u32 %r1, [n];\n    ld.global.u32 %r2, [%rd1];\n"
    "    add.u32 %r3, %r1, %r2;\n    st.global.u32 [%rd1], %r3;\n    ret;\n"
    "}\n";

/* The primary context of device 0, current. */
static inline CUcontext use_device(void)
{
    CUcontext context = NULL;

    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    return context;
}

static inline CUfunction driver_kernel(CUmodule module, const char *name)
{
    CUfunction function = NULL;

    OK(cuModuleGetFunction(&function, module, name));
    return function;
}

static inline CUmodule load_driver_ptx(void)
{
    CUmodule module = NULL;

    OK(cuModuleLoadData(&module, driver_ptx));
    return module;
}

#endif
