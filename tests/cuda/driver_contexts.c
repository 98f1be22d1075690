/* What becomes of things whose context is destroyed. */
#include "driver_check.h"

static CUcontext first;

static CUcontext new_context(void)
{
    CUcontext context = NULL;

    OK(cuCtxCreate(&context, NULL, 0, 0));
    return context;
}

static void end_of(CUcontext context)
{
    OK(cuCtxDestroy(context));
    OK(cuCtxSetCurrent(first));
}

/* Its kernels are not launched any more; all that is left to do with it is allowed. */
static void graphs_outlive_contexts(void)
{
    const CUcontext context = new_context();
    CUDA_KERNEL_NODE_PARAMS kernel = {
        .gridDimX = 1, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1, .blockDimY = 1, .blockDimZ = 1};
    CUgraph graph = NULL, clone = NULL;
    CUgraphNode node = NULL;
    CUgraphExec exec = NULL;
    CUstream stream = NULL;

    kernel.func = driver_kernel(load_driver_ptx(), "nothing");
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddKernelNode(&node, graph, NULL, 0, &kernel));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    end_of(context);
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuGraphKernelNodeGetParams(node, &kernel));
    OK(cuGraphClone(&clone, graph));
    CHECK(cuGraphKernelNodeSetParams(node, &kernel) != CUDA_SUCCESS); /* the function is no more */
    OK(cuGraphDestroy(graph));
    OK(cuGraphDestroy(clone));
    OK(cuGraphExecDestroy(exec));
    OK(cuStreamDestroy(stream));
}

/* Branches of a graph run in streams of the context that launched it last. */
static void graphs_go_from_one_context_to_another(void)
{
    CUgraph graph = NULL;
    CUgraphNode nodes[3];
    CUgraphExec exec = NULL;
    CUstream stream = NULL;

    OK(cuGraphCreate(&graph, 0));
    for (int i = 0; i < 3; i++) {
        OK(cuGraphAddEmptyNode(&nodes[i], graph, NULL, 0));
    }
    OK(cuGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++) {
        const CUcontext context = new_context();

        OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
        OK(cuGraphLaunch(exec, stream));
        end_of(context);
    }
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

static void captures_end_with_their_context(void)
{
    const CUcontext context = new_context();
    const CUfunction kernel = driver_kernel(load_driver_ptx(), "nothing");
    CUstream stream = NULL;
    CUgraph graph = NULL;

    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    end_of(context);
    CHECK(cuStreamEndCapture(stream, &graph) != CUDA_SUCCESS);
}

static void arrays_and_objects_end_with_their_context(void)
{
    const CUcontext context = new_context();
    const CUDA_ARRAY_DESCRIPTOR shape = {4, 4, CU_AD_FORMAT_FLOAT, 1};
    const CUDA_TEXTURE_DESC how = {.filterMode = CU_TR_FILTER_MODE_POINT};
    CUDA_RESOURCE_DESC what = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUarray array = NULL;
    CUtexObject texture = 0;

    OK(cuArrayCreate(&array, &shape));
    what.res.array.hArray = array;
    OK(cuTexObjectCreate(&texture, &what, &how, NULL));
    end_of(context);
    IS(cuArrayDestroy(array), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    CHECK(cuTexObjectDestroy(texture) != CUDA_SUCCESS);
}

static void events_outlive_contexts(void)
{
    const CUcontext context = new_context();
    CUevent event = NULL, other = NULL;
    CUstream stream = NULL;

    OK(cuEventCreate(&event, 0));
    OK(cuEventRecord(event, NULL));
    OK(cuEventCreate(&other, 0));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuEventRecord(other, stream));
    OK(cuStreamDestroy(stream)); /* which the event still knows */
    end_of(context);
    OK(cuEventQuery(event));
    OK(cuEventQuery(other));
    OK(cuEventDestroy(other));
    IS(cuEventRecord(event, NULL), CUDA_ERROR_INVALID_HANDLE); /* of another context */
    OK(cuEventDestroy(event));
}

/* Each context has code and variables of its own, also when they are of one device, and keeps them. */
static void libraries_are_loaded_into_each_context(void)
{
    static const char counter_ptx[] =
        ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".visible .global .align 4 .u32 counter = 7;\n.visible .entry k()\n{\n    ret;\n}\n";
    const CUcontext second = new_context();
    CUlibrary library = NULL;
    CUdeviceptr here = 0, there = 0, again = 0;
    size_t size = 0;

    OK(cuLibraryLoadData(&library, counter_ptx, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetGlobal(&there, &size, library, "counter"));
    OK(cuCtxSetCurrent(first));
    OK(cuLibraryGetGlobal(&here, &size, library, "counter"));
    CHECK(here != there);
    OK(cuCtxSetCurrent(second));
    OK(cuLibraryGetGlobal(&again, &size, library, "counter"));
    CHECK(again == there);
    end_of(second);
    OK(cuLibraryGetGlobal(&again, &size, library, "counter"));
    CHECK(again == here);
    OK(cuLibraryUnload(library));
}

/* keep(p): *p = malloc(1 MiB). */
static const char heap_ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".extern .func (.param .b64 result) malloc(.param .b64 size);\n"
    ".visible .entry keep(.param .u64 p)\n"
    "{\n"
    "    .reg .b64 %rd<4>;\n"
    "    ld.param.u64 %rd1, [p];\n"
    "    {\n    .param .b64 size;\n    .param .b64 result;\n    st.param.b64 [size], 1048576;\n"
    "    call (result), malloc, (size);\n    ld.param.b64 %rd2, [result];\n    }\n"
    "    st.global.u64 [%rd1], %rd2;\n    ret;\n"
    "}\n";

/* How often a kernel gets a MiB of the heap before there is none. */
static int pieces_of_heap(void)
{
    CUmodule module = NULL;
    CUdeviceptr out = 0;
    void *arguments[] = {&out};
    uint64_t address = 1;
    int count = -1;

    OK(cuModuleLoadData(&module, heap_ptx));
    OK(cuMemAlloc(&out, sizeof address));
    const CUfunction keep = driver_kernel(module, "keep");

    for (; address != 0 && count < 100; count++) {
        OK(cuLaunchKernel(keep, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
        OK(cuMemcpyDtoH(&address, out, sizeof address));
    }
    OK(cuMemFree(out));
    return count;
}

/* The heap of kernels is new after a reset, and can be given another size. */
static void heaps_end_with_their_context(void)
{
    OK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 16 << 20));
    const int pieces = pieces_of_heap();

    CHECK(pieces > 8 && pieces <= 16);
    EQUALS(pieces_of_heap(), 0);
    IS(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 32 << 20), CUDA_ERROR_INVALID_VALUE);
    OK(cuDevicePrimaryCtxReset(0));
    first = use_device();
    CHECK(pieces_of_heap() < 9);
    OK(cuDevicePrimaryCtxReset(0));
    first = use_device();
    OK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 16 << 20));
    EQUALS(pieces_of_heap(), pieces);
}

int main(void)
{
    first = use_device();
    heaps_end_with_their_context();
    graphs_outlive_contexts();
    graphs_go_from_one_context_to_another();
    captures_end_with_their_context();
    arrays_and_objects_end_with_their_context();
    events_outlive_contexts();
    libraries_are_loaded_into_each_context();
    return 0;
}
