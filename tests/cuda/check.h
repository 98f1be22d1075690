/*
 * What the CUDA test programs share: checks that say where they failed, and the PTX that several of them run.
 * A program exits 0 if all checks held, 1 if one failed, 77 (skipped, with a reason on stdout) where a machine lacks
 * what it needs.
 */
#ifndef PTXEMU_TESTS_CUDA_CHECK_H
#define PTXEMU_TESTS_CUDA_CHECK_H

#include <cuda_runtime_api.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) check_that((condition), #condition, __FILE__, __LINE__)

/* The call must return this code. */
#define CHECK_CODE(call, code) check_code((call), (code), #call, __FILE__, __LINE__)

#define CHECK_OK(call) CHECK_CODE(call, cudaSuccess)

#define CHECK_EQUAL(have, want) check_equal((long long)(have), (long long)(want), #have, __FILE__, __LINE__)

static inline void check_that(int holds, const char *what, const char *file, int line)
{
    if (!holds) {
        fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
        exit(1);
    }
}

static inline void check_code(cudaError_t have, cudaError_t want, const char *what, const char *file, int line)
{
    if (have != want) {
        fprintf(stderr, "%s:%d: %s: %s (%d), expected %s (%d)\n", file, line, what, cudaGetErrorName(have), (int)have,
                cudaGetErrorName(want), (int)want);
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

/* out[i] = a * x[i] for i < n; fault() stores to address 0; spin(flag) waits for *flag != 0. */
static const char kernels_ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".global .align 4 .u32 counter = 7;\n"
    ".const .align 4 .b8 table[16] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0};\n"
    ".visible .entry scale(.param .u64 out, .param .u64 x, .param .f32 a, .param .u32 n)\n"
    "{\n"
    "    .reg .pred %p<2>;\n    .reg .b32 %r<6>;\n    .reg .b64 %rd<6>;\n    .reg .f32 %f<4>;\n"
    "    ld.param.u64 %rd1, [out];\n    ld.param.u64 %rd2, [x];\n    ld.param.f32 %f1, [a];\n"
    "    ld.param.u32 %r1, [n];\n"
    "    mov.u32 %r2, %ctaid.x;\n    mov.u32 %r3, %ntid.x;\n    mov.u32 %r4, %tid.x;\n"
    "    mad.lo.s32 %r5, %r2, %r3, %r4;\n    setp.ge.u32 %p1, %r5, %r1;\n    @%p1 bra done;\n"
    "    mul.wide.u32 %rd3, %r5, 4;\n    add.s64 %rd4, %rd2, %rd3;\n    add.s64 %rd5, %rd1, %rd3;\n"
    "    ld.global.f32 %f2, [%rd4];\n    mul.f32 %f3, %f2, %f1;\n    st.global.f32 [%rd5], %f3;\n"
    "done:\n    ret;\n"
    "}\n"
    ".visible .entry fault()\n"
    "{\n    .reg .b64 %rd<2>;\n    mov.u64 %rd1, 0;\n    st.global.u32 [%rd1], 1;\n    ret;\n}\n"
    ".visible .entry count(.param .u64 out)\n"
    "{\n"
    "    .reg .b32 %r<4>;\n    .reg .b64 %rd<3>;\n"
    "    ld.param.u64 %rd1, [out];\n    atom.global.add.u32 %r1, [counter], 1;\n"
    "    ld.const.u32 %r2, [table+4];\n    add.s32 %r3, %r1, %r2;\n    st.global.u32 [%rd1], %r3;\n    ret;\n"
    "}\n"
    ".visible .entry shared(.param .u64 out)\n"
    "{\n"
    "    .shared .align 4 .b8 tile[512];\n    .reg .b32 %r<3>;\n    .reg .b64 %rd<2>;\n"
    "    ld.param.u64 %rd1, [out];\n    mov.u32 %r1, 5;\n    st.shared.u32 [tile], %r1;\n"
    "    ld.shared.u32 %r2, [tile];\n    st.global.u32 [%rd1], %r2;\n    ret;\n"
    "}\n";

/* The library of kernels_ptx, and a kernel of it. */
static inline cudaLibrary_t load_kernels(void)
{
    cudaLibrary_t library = NULL;

    CHECK_OK(cudaLibraryLoadData(&library, kernels_ptx, NULL, NULL, 0, NULL, NULL, 0));
    return library;
}

static inline const void *kernel_of(cudaLibrary_t library, const char *name)
{
    cudaKernel_t kernel = NULL;

    CHECK_OK(cudaLibraryGetKernel(&kernel, library, name));
    return (const void *)kernel;
}

static inline dim3 extent(unsigned x, unsigned y, unsigned z)
{
    dim3 d;

    d.x = x;
    d.y = y;
    d.z = z;
    return d;
}

#endif
