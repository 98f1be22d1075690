//! kernel intrinsics
//! grid 1
//! block 64
//! arg u32[1]
//! arg b32[64]:iota
//! expect 0 0
// What device code may call without including anything, thread by thread; the kernel counts what is not as documented. nvcc,
// where it is found, compiles the same text against NVIDIA's headers.
#include <cuda_runtime.h>
#include <assert.h>
#include <stdio.h>

#include <cmath>

static __device__ void failed(unsigned *failures, int line)
{
    printf("line %d is wrong for thread %d\n", line, (int)threadIdx.x);
    atomicAdd(failures, 1u);
}
#define CHECK(condition) \
    if (!(condition)) \
        failed(failures, __LINE__);

__device__ int counters[8];
__device__ double sum_f64;
__device__ float sum_f32;
__device__ unsigned long long wide;
__constant__ int table[4] = {2, 3, 5, 7};

struct pair {
    int first, second;
    __device__ pair(int a, int b) : first(a), second(b) {}
};

static __device__ __noinline__ int far_away(int x)
{
    return x * table[x & 3];
}

static __device__ __forceinline__ void variables(unsigned *failures)
{
    dim3 cta = blockDim;
    uint3 place = threadIdx;

    CHECK(cta.x == 64 && cta.y == 1 && blockDim.z == 1);
    CHECK(place.x == threadIdx.x && place.y == 0 && blockIdx.x == 0 && gridDim.x == 1);
    CHECK(warpSize == 32);
    CHECK(far_away(3) == 21);
}

static __device__ void warps(unsigned *failures)
{
    const unsigned all = 0xffffffff;
    int lane = threadIdx.x % 32;
    int predicate;

    CHECK(__shfl_sync(all, lane * 3, 5) == 15);
    CHECK(__shfl_sync(all, lane, lane + 1, 8) == (lane & 24) + ((lane + 1) & 7));
    CHECK(__shfl_up_sync(all, (float)lane, 1) == (lane == 0 ? 0.0f : lane - 1.0f));
    CHECK(__shfl_down_sync(all, (double)lane, 2u, 16) == (lane % 16 < 14 ? lane + 2.0 : (double)lane));
    CHECK(__shfl_xor_sync(all, (long long)lane << 40, 31) == (long long)(lane ^ 31) << 40);
    CHECK(__shfl_xor_sync(all, (unsigned long)lane << 33, 1) == (unsigned long)(lane ^ 1) << 33);
    CHECK(__ballot_sync(all, lane < 5) == 0x1f);
    CHECK(__any_sync(all, lane == 9) && !__any_sync(all, lane == 40));
    CHECK(__all_sync(all, lane < 32) && !__all_sync(all, lane));
    CHECK(__activemask() == all);
    CHECK(__match_any_sync(all, lane / 8) == 0xffu << (lane & 24));
    CHECK(__match_all_sync(all, 7ull, &predicate) == all && predicate);
    CHECK(__match_all_sync(all, lane, &predicate) == 0 && !predicate);
    CHECK(__reduce_add_sync(all, lane) == 496);
    CHECK(__reduce_max_sync(all, -lane) == 0 && __reduce_min_sync(all, -lane) == -31);
    CHECK(__reduce_or_sync(all, 1u << lane) == all && __reduce_xor_sync(all, (unsigned)lane) == 0);
    CHECK(__syncthreads_count(lane == 3) == 2 && __syncthreads_and(1) && !__syncthreads_or(0));
    __syncwarp();
    __syncwarp(all);
    __threadfence_block();
    __threadfence();
    __threadfence_system();
}

static __device__ void atomics(unsigned *failures)
{
    atomicAdd(&counters[0], 2);
    atomicSub(&counters[1], 1);
    atomicMax(&counters[2], (int)threadIdx.x);
    atomicMin(&counters[3], -(int)threadIdx.x);
    atomicOr(&counters[4], 1 << (threadIdx.x & 7));
    atomicAdd(&sum_f64, 0.5);
    atomicAdd(&sum_f32, 0.25f);
    atomicAdd_block(&wide, 1ull << 40);
    atomicInc((unsigned *)&counters[5], 9u);
    __syncthreads();
    CHECK(counters[0] == 128 && counters[1] == -64 && counters[2] == 63 && counters[3] == -63);
    CHECK(counters[4] == 0xff && sum_f64 == 32 && sum_f32 == 16 && wide == 64ull << 40);
    CHECK(counters[5] == 4);
    __syncthreads();
    if (threadIdx.x == 0) {
        CHECK(atomicCAS(&counters[6], 0, 5) == 0 && atomicCAS(&counters[6], 0, 6) == 5);
        CHECK(atomicExch(&sum_f32, 1.5f) == 16 && sum_f32 == 1.5f);
        CHECK(atomicExch(&wide, 3ull) == 64ull << 40);
    }
}

static __device__ void integers(unsigned *failures)
{
    CHECK(__popc(0xf0f0u) == 8 && __popcll(~0ull) == 64);
    CHECK(__clz(1) == 31 && __clz(0) == 32 && __clzll(0) == 64 && __ffs(8) == 4 && __ffs(0) == 0 && __ffsll(1ll << 40) == 41);
    CHECK(__brev(1u) == 0x80000000 && __brevll(1ull) == 1ull << 63);
    CHECK(__byte_perm(0x33221100, 0x77665544, 0x7531) == 0x77553311);
    CHECK(__funnelshift_l(0x80000000, 1, 1) == 3 && __funnelshift_r(2, 1, 1) == 0x80000001);
    CHECK(__funnelshift_lc(5, 6, 40) == 5 && __funnelshift_rc(5, 6, 40) == 6);
    CHECK(__mulhi(-1, 1) == -1 && __umulhi(0xffffffff, 2) == 1 && __umul64hi(1ull << 63, 6) == 3);
    CHECK(__mul24(0x1000003, 2) == 6 && __umul24(5, 7) == 35);
    CHECK(__hadd(5, 8) == 6 && __rhadd(5, 8) == 7 && __uhadd(0xffffffff, 1) == 0x80000000);
    CHECK(__sad(-3, 4, 1) == 8 && __usad(9, 4, 1) == 6);
    CHECK(__dp4a(0x01020304, 0x01010101, 10) == 20 && __dp4a(0xffffffffu, 0x01010101u, 0u) == 1020);
    CHECK(min(3, -2) == -2 && max(3u, 7u) == 7 && min(3ll, 2ll) == 2 && max(1.0f, 2.0f) == 2 && min(1.0, 2.0f) == 1);
    CHECK(abs(-3) == 3 && abs(-2.5f) == 2.5f && llabs(-5ll) == 5);
}

static __device__ void conversions(unsigned *failures)
{
    float third = 1.0f / 3.0f;

    CHECK(__float2int_rn(2.5f) == 2 && __float2int_rz(-2.7f) == -2 && __float2int_ru(2.1f) == 3 && __float2int_rd(-2.1f) == -3);
    CHECK(__double2int_rn(3.5) == 4 && __double2ll_rd(-0.5) == -1 && __float2uint_rn(7.0f) == 7);
    CHECK(__int_as_float(0x3f800000) == 1.0f && __float_as_uint(-0.0f) == 0x80000000);
    CHECK(__double2hiint(1.0) == 0x3ff00000 && __double2loint(1.0) == 0 && __hiloint2double(0x40000000, 0) == 2.0);
    CHECK(__double2float_rd(0.1) < __double2float_ru(0.1) && __int2float_rz(0x7fffffff) == 2147483520.0f);
    CHECK(__fadd_rd(1.0f, 1e-20f) == 1.0f && __fadd_ru(1.0f, 1e-20f) > 1.0f);
    CHECK(__fmul_rz(third, 3.0f) <= 1.0f && __fdiv_rn(1.0f, 3.0f) == third && __frcp_rn(4.0f) == 0.25f);
    CHECK(__dadd_ru(1.0, 1e-30) > 1.0 && __fma_rn(2.0, 3.0, 4.0) == 10.0 && __dsqrt_rn(9.0) == 3.0);
    CHECK(__fmaf_rn(2.0f, 3.0f, 4.0f) == 10.0f && __fsqrt_rn(16.0f) == 4.0f && __saturatef(3.0f) == 1.0f);
    CHECK(fabsf(__expf(1.0f) - 2.7182817f) < 1e-5f && fabsf(__sinf(1.0f) - 0.8414710f) < 1e-5f);
    CHECK(fabsf(__logf(2.0f) - 0.6931472f) < 1e-5f && fabsf(__powf(2.0f, 3.0f) - 8.0f) < 1e-4f);
    CHECK(fabsf(__fdividef(1.0f, 3.0f) - third) < 1e-6f && fabsf(rsqrtf(4.0f) - 0.5f) < 1e-6f);
}

static __device__ void overloads(unsigned *failures)
{
    double whole;
    float sine, cosine;
    int exponent;

    CHECK(sizeof(sin(1.0f)) == 4 && sizeof(sin(1.0)) == 8 && sizeof(std::exp(1.0f)) == 4 && sizeof(std::pow(2.0f, 2.0f)) == 4);
    CHECK(sqrt(16) == 4.0 && std::sqrt(9.0f) == 3.0f && pow(2.0, 10) == 1024 && std::pow(2, 3) == 8);
    CHECK(std::abs(-2.5) == 2.5 && std::floor(-1.5f) == -2 && std::fmax(1.0f, 2.0f) == 2 && fmod(7, 4) == 3);
    CHECK(modf(2.75, &whole) == 0.75 && whole == 2 && frexp(12.0, &exponent) == 0.75 && exponent == 4);
    CHECK(ldexp(1.0, -1074) > 0 && ldexpf(1.0f, 3) == 8 && scalbn(3.0, 2) == 12 && ilogb(10.0) == 3);
    CHECK(lrint(2.5) == 2 && llround(2.5) == 3 && lroundf(-0.5f) == -1 && nextafterf(1.0f, 2.0f) > 1);
    CHECK(isnan(nanf("")) && std::isinf(INFINITY) && isfinite(1.0f) && signbit(-0.0) && !std::isnan(1.0));
    sincosf(0.5f, &sine, &cosine);
    CHECK(sine == sinf(0.5f) && cosine == cosf(0.5f) && sinpi(0.5) == 1 && cospi(1.0) == -1);
    CHECK(fma(2.0f, 3.0f, 1.0f) == 7 && fminf(1, 2) == 1 && copysignf(3, -1) == -3 && exp10(2.0) == 100 && rint(2.5) == 2);
}

static __device__ void memory(unsigned *failures, const int *numbers)
{
    int4 four = __ldg((const int4 *)numbers + 2);
    pair *made = new pair(1, threadIdx.x);
    int *heap = (int *)malloc(16);
    float4 v = make_float4(1, 2, 3, 4);

    CHECK(__ldg(numbers + 5) == 5 && four.x == 8 && four.w == 11 && __ldcg(numbers + 6) == 6);
    CHECK(made->second == (int)threadIdx.x && heap != 0 && v.z == 3);
    delete made;
    free(heap);
    assert(numbers[0] == 0);
}

extern "C" __global__ void __launch_bounds__(64) intrinsics(unsigned *failures, const int *numbers)
{
    variables(failures);
    warps(failures);
    atomics(failures);
    integers(failures);
    conversions(failures);
    overloads(failures);
    memory(failures, numbers);
}
