/* Occupancy against what the hardware's rules give on an H200 and an A100. */
#include "check.h"

static const void *scale, *shared;

static int blocks(const void *func, int threads, size_t shared_bytes)
{
    int count = -1;

    CHECK_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, func, threads, shared_bytes));
    return count;
}

/* Both GPUs have 64 warps, 32 CTAs and 65536 registers an SM; scale() needs few registers. */
static void limited_by_warps_and_slots(void)
{
    CHECK_EQUAL(blocks(scale, 32, 0), 32);
    CHECK_EQUAL(blocks(scale, 64, 0), 32);
    CHECK_EQUAL(blocks(scale, 96, 0), 21);
    CHECK_EQUAL(blocks(scale, 256, 0), 8);
    CHECK_EQUAL(blocks(scale, 1000, 0), 2);
    CHECK_EQUAL(blocks(scale, 1024, 0), 2);
}

/* Shared memory an SM, of which each CTA takes 1 KiB for the system beside its own. */
static void limited_by_shared_memory(size_t per_sm)
{
    CHECK_OK(cudaFuncSetAttribute(scale, cudaFuncAttributeMaxDynamicSharedMemorySize, 102400));
    CHECK_EQUAL(blocks(scale, 64, 102400), (int)(per_sm / (102400 + 1024)));
    CHECK_EQUAL(blocks(scale, 64, 16384), (int)(per_sm / (16384 + 1024)));
    CHECK_EQUAL(blocks(shared, 64, 16384), (int)(per_sm / (16384 + 512 + 1024)));
}

static void room_for_dynamic_memory(size_t per_sm)
{
    size_t room = 0;

    CHECK_OK(cudaOccupancyAvailableDynamicSMemPerBlock(&room, scale, 2, 256));
    CHECK_EQUAL(room, per_sm / 2 < 102400 ? per_sm / 2 / 128 * 128 : 102400); /* what the kernel may have at most */
    CHECK_OK(cudaOccupancyAvailableDynamicSMemPerBlock(&room, shared, 2, 256));
    CHECK_EQUAL(room, 49152 - 512);
    CHECK_OK(cudaOccupancyAvailableDynamicSMemPerBlock(&room, scale, 7, 256));
    CHECK_EQUAL(room, per_sm / 7 / 128 * 128);
}

static void wrong_questions(void)
{
    int count = 0;

    CHECK_CODE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, NULL, 32, 0), cudaErrorInvalidDeviceFunction);
    CHECK_CODE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, scale, 0, 0), cudaErrorInvalidValue);
    CHECK_CODE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, scale, 32, 0), cudaErrorInvalidValue);
}

/* A kernel that holds 120 values at once: it loads them all before it stores the first. */
static char *greedy_ptx(void)
{
    enum { VALUES = 120 };
    static char text[32768];
    size_t n = 0;

    n += (size_t)snprintf(text, sizeof text,
                          ".version 8.0\n.target sm_80\n.address_size 64\n"
                          ".visible .entry greedy(.param .u64 data)\n{\n.reg .b32 %%r<%d>;\n.reg .b64 %%rd<2>;\n"
                          "ld.param.u64 %%rd1, [data];\n",
                          VALUES + 1);
    for (int i = 0; i < VALUES; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "ld.global.u32 %%r%d, [%%rd1+%d];\n", i, 4 * i);
    }
    for (int i = 0; i < VALUES; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "st.global.u32 [%%rd1+%d], %%r%d;\n", 4 * i, VALUES - 1 - i);
    }
    snprintf(text + n, sizeof text - n, "ret;\n}\n");
    return text;
}

/* How many registers a kernel takes is only estimated: no CTA is refused for it. */
static void registers_refuse_nothing(void)
{
    cudaLibrary_t library = NULL;
    struct cudaFuncAttributes attributes;
    unsigned values[120], *data = NULL;

    CHECK_OK(cudaLibraryLoadData(&library, greedy_ptx(), NULL, NULL, 0, NULL, NULL, 0));
    const void *greedy = kernel_of(library, "greedy");
    void *arguments[] = {&data};

    CHECK_OK(cudaFuncGetAttributes(&attributes, greedy));
    CHECK(attributes.numRegs >= 120);
    CHECK_EQUAL(attributes.maxThreadsPerBlock, 1024);
    CHECK_EQUAL(blocks(greedy, 1024, 0), 1);
    CHECK(blocks(greedy, 128, 0) < 5); /* but it counts where there is room for more */
    for (unsigned i = 0; i < 120; i++) {
        values[i] = i;
    }
    CHECK_OK(cudaMalloc((void **)&data, sizeof values));
    CHECK_OK(cudaMemcpy(data, values, sizeof values, cudaMemcpyHostToDevice));
    CHECK_OK(cudaLaunchKernel(greedy, extent(1, 1, 1), extent(1024, 1, 1), arguments, 0, NULL));
    CHECK_OK(cudaMemcpy(values, data, sizeof values, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(values[0] + values[119], 119);
    CHECK_OK(cudaFree(data));
    CHECK_OK(cudaLibraryUnload(library));
}

int main(void)
{
    cudaLibrary_t library = load_kernels();
    struct cudaDeviceProp p;

    scale = kernel_of(library, "scale");
    shared = kernel_of(library, "shared");
    CHECK_OK(cudaGetDeviceProperties(&p, 0));
    if (strstr(p.name, "H200") == NULL && strstr(p.name, "A100") == NULL) {
        printf("skipped: nothing is known of this GPU: %s\n", p.name);
        return 77;
    }
    limited_by_warps_and_slots();
    limited_by_shared_memory(p.sharedMemPerMultiprocessor);
    room_for_dynamic_memory(p.sharedMemPerMultiprocessor);
    wrong_questions();
    registers_refuse_nothing();
    CHECK_OK(cudaLibraryUnload(library));
    return 0;
}
