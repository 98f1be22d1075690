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

int main(void)
{
    first = use_device();
    graphs_outlive_contexts();
    graphs_go_from_one_context_to_another();
    captures_end_with_their_context();
    arrays_and_objects_end_with_their_context();
    events_outlive_contexts();
    libraries_are_loaded_into_each_context();
    return 0;
}
