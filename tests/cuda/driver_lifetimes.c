/*
 * What outlives what: streams of threads and of graphs, libraries and links, and the contexts they were made in.
 */
#include "driver_check.h"

#include <pthread.h>

/* A counter that `count` adds one to. */
static const char counter_ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                                  ".visible .global .align 4 .u32 counter;\n"
                                  ".visible .entry count()\n{\n"
                                  "    .reg .b32 %r<3>;\n"
                                  "    ld.global.u32 %r1, [counter];\n    add.u32 %r2, %r1, 1;\n"
                                  "    st.global.u32 [counter], %r2;\n    ret;\n}\n";

static CUcontext new_context(void)
{
    CUcontext context = NULL;

#if CUDA_VERSION >= 13000
    OK(cuCtxCreate(&context, NULL, 0, 0));
#else
    OK(cuCtxCreate(&context, 0, 0));
#endif
    return context;
}

/* --- libraries -------------------------------------------------------------------------------- */
static void count_in(CUcontext context, CUlibrary library, unsigned want)
{
    CUkernel kernel;
    CUdeviceptr counter;
    size_t size;
    unsigned have = 0;

    OK(cuCtxSetCurrent(context));
    OK(cuLibraryGetKernel(&kernel, library, "count"));
    OK(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    OK(cuLibraryGetGlobal(&counter, &size, library, "counter"));
    OK(cuMemcpyDtoH(&have, counter, sizeof have));
    EQUALS(have, want);
}

/* Each context has variables of its own, also when two are of one device, and keeps them. */
static void contexts_of_one_device_keep_variables(void)
{
    CUlibrary library;
    CUcontext first = new_context(), second = new_context();

    OK(cuLibraryLoadData(&library, counter_ptx, NULL, NULL, 0, NULL, NULL, 0));
    count_in(first, library, 1);
    count_in(second, library, 1);
    count_in(first, library, 2);
    count_in(second, library, 2);
    OK(cuCtxDestroy(second));
    count_in(first, library, 3);
    OK(cuLibraryUnload(library));
    OK(cuCtxDestroy(first));
}

enum { THREADS = 4 };

static void *first_use(void *library)
{
    CUkernel kernel;

    OK(cuDevicePrimaryCtxRetain(&(CUcontext){NULL}, 0));
    OK(cuLibraryGetKernel(&kernel, library, "count"));
    OK(cuDevicePrimaryCtxRelease(0));
    return kernel;
}

/* Threads that use a library first, each with the primary context retained while it does. */
static void threads_use_a_library_first(void)
{
    for (int round = 0; round < 20; round++) {
        CUlibrary library;
        pthread_t threads[THREADS];
        void *kernels[THREADS];

        OK(cuCtxSetCurrent(NULL));
        OK(cuLibraryLoadData(&library, counter_ptx, NULL, NULL, 0, NULL, NULL, 0));
        for (int i = 0; i < THREADS; i++) {
            EQUALS(pthread_create(&threads[i], NULL, first_use, library), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            EQUALS(pthread_join(threads[i], &kernels[i]), 0);
            CHECK(kernels[i] == kernels[0]);
        }
        OK(cuLibraryUnload(library));
    }
}

/* --- streams ---------------------------------------------------------------------------------- */
static void *use_own_stream(void *context)
{
    CUdeviceptr memory;

    OK(cuCtxSetCurrent(context));
    OK(cuMemAllocAsync(&memory, 4, CU_STREAM_PER_THREAD));
    OK(cuMemsetD32Async(memory, 7, 1, CU_STREAM_PER_THREAD));
    OK(cuMemFreeAsync(memory, CU_STREAM_PER_THREAD));
    return NULL;
}

/* Threads end with work in their streams, and one lives through many contexts. */
static void streams_of_threads_end(void)
{
    for (int i = 0; i < 50; i++) {
        CUcontext context = new_context();
        pthread_t thread;

        use_own_stream(context);
        EQUALS(pthread_create(&thread, NULL, use_own_stream, context), 0);
        EQUALS(pthread_join(thread, NULL), 0);
        OK(cuCtxSynchronize());
        OK(cuCtxDestroy(context));
    }
}

static CUgraphExec make_wide_graph(CUdeviceptr memory)
{
    CUgraph graph;
    CUgraphExec exec;
    CUcontext context;

    OK(cuCtxGetCurrent(&context));
    OK(cuGraphCreate(&graph, 0));
    for (unsigned i = 0; i < 4; i++) {
        const CUDA_MEMSET_NODE_PARAMS set = {
            .dst = memory + 4 * i, .elementSize = 4, .value = i, .width = 1, .height = 1};
        CUgraphNode node;

        OK(cuGraphAddMemsetNode(&node, graph, NULL, 0, &set, context));
    }
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphDestroy(graph));
    return exec;
}

/* A graph's streams are of the context it was launched in last; it may be destroyed after that. */
static void graphs_outlive_contexts(void)
{
    CUcontext context = new_context();
    CUdeviceptr memory;

    OK(cuMemAlloc(&memory, 16));
    CUgraphExec exec = make_wide_graph(memory);

    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxDestroy(context));
    context = new_context();
    CHECK(cuGraphLaunch(exec, NULL) != CUDA_SUCCESS);
    OK(cuGraphExecDestroy(exec));
    OK(cuCtxDestroy(context));
}

/* --- pools ------------------------------------------------------------------------------------ */
static CUmemoryPool new_pool(void)
{
    const CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                  .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
    cuuint64_t keep = UINT64_MAX;
    CUmemoryPool pool;

    OK(cuMemPoolCreate(&pool, &props));
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep));
    return pool;
}

static CUdeviceptr allocate_from(CUmemoryPool pool)
{
    CUdeviceptr memory;

    OK(cuMemAllocFromPoolAsync(&memory, 1 << 20, pool, NULL));
    return memory;
}

/* A pool is of a device, its memory of a context: it has none when that has ended. */
static void pools_outlive_contexts(void)
{
    CUcontext context = new_context();
    CUmemoryPool pool = new_pool();
    cuuint64_t have = 1;
    const CUdeviceptr kept = allocate_from(pool);

    allocate_from(pool);
    OK(cuMemFreeAsync(kept, NULL));
    OK(cuCtxSynchronize());
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &have));
    EQUALS(have, 2 << 20);
    OK(cuCtxDestroy(context));
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &have));
    EQUALS(have, 0);
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &have));
    EQUALS(have, 0);
    context = new_context();
    allocate_from(pool);
    OK(cuMemPoolDestroy(pool));
    OK(cuCtxDestroy(context));
}

/* The memory of another device's pool is that device's. */
static void pools_are_of_devices(void)
{
    const CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                  .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 1}};
    CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0},
                              .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    int devices = 0, ordinal = -1;
    CUmemoryPool pool;

    OK(cuDeviceGetCount(&devices));
    if (devices < 2) {
        return;
    }
    CUcontext context = new_context();

    OK(cuMemPoolCreate(&pool, &props));
    OK(cuMemPoolSetAccess(pool, &access, 1));
    const CUdeviceptr memory = allocate_from(pool);

    OK(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, memory));
    EQUALS(ordinal, 1);
    OK(cuMemFreeAsync(memory, NULL));
    OK(cuCtxSynchronize());
    OK(cuMemPoolDestroy(pool));
    OK(cuCtxDestroy(context));
}

/* --- links ------------------------------------------------------------------------------------ */
static void links_outlive_contexts(void)
{
    CUcontext context = new_context();
    CUlinkState link;
    void *image = NULL;
    size_t size = 0, again = 0;
    char text[sizeof counter_ptx];

    memcpy(text, counter_ptx, sizeof text);
    OK(cuLinkCreate(0, NULL, NULL, &link));
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, text, sizeof text, "counter", 0, NULL, NULL));
    OK(cuLinkComplete(link, &image, &size));
    OK(cuLinkComplete(link, &image, &again));
    CHECK(size > 0 && size == again);
    OK(cuLinkDestroy(link));
    OK(cuLinkCreate(0, NULL, NULL, &link));
    OK(cuCtxDestroy(context));
    context = new_context();
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, text, sizeof text, "counter", 0, NULL, NULL));
    IS(cuLinkComplete(link, &image, &size), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    OK(cuLinkDestroy(link));
    OK(cuCtxDestroy(context));
}

int main(void)
{
    OK(cuInit(0));
    contexts_of_one_device_keep_variables();
    threads_use_a_library_first();
    streams_of_threads_end();
    graphs_outlive_contexts();
    pools_outlive_contexts();
    pools_are_of_devices();
    links_outlive_contexts();
    return 0;
}
