/*
 * Handles of objects that are gone, and configurations that are not there: calls that a real library does not survive,
 * or answers at random.  Ours say what is wrong, so this program is not for hardware.
 */
#include "newest.h"

static void streams_and_events(void)
{
    cudaStream_t stream = NULL;
    cudaEvent_t event = NULL;

    CHECK_OK(cudaStreamCreate(&stream));
    CHECK_OK(cudaEventCreate(&event));
    CHECK_OK(cudaEventDestroy(event));
    CHECK_CODE(cudaEventDestroy(event), cudaErrorInvalidResourceHandle);
    CHECK_CODE(cudaEventRecord(event, stream), cudaErrorInvalidResourceHandle);
    CHECK_OK(cudaStreamDestroy(stream));
    CHECK_CODE(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
    CHECK_CODE(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
    CHECK_CODE(cudaStreamSynchronize((cudaStream_t)&stream), cudaErrorInvalidResourceHandle);
    CHECK_CODE(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

static void launches(void)
{
    cudaLibrary_t library = load_kernels();
    const void *count = kernel_of(library, "count");
    void *arguments[] = {NULL};

    CHECK_CODE(cudaLaunchKernelExC(NULL, count, arguments), cudaErrorInvalidValue);
    CHECK_CODE(cudaLaunchKernel(&library, extent(1, 1, 1), extent(1, 1, 1), arguments, 0, NULL),
               cudaErrorInvalidResourceHandle);
    CHECK_OK(cudaLibraryUnload(library));
    CHECK_CODE(cudaLaunchKernel(count, extent(1, 1, 1), extent(1, 1, 1), arguments, 0, NULL),
               cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

static void graphs(void)
{
    cudaGraph_t graph = NULL;
    cudaGraphNode_t node = NULL;
    size_t count = 0;

    CHECK_OK(cudaGraphCreate(&graph, 0));
    CHECK_OK(cudaGraphAddEmptyNode(&node, graph, NULL, 0));
    CHECK_OK(cudaGraphDestroyNode(node));
    CHECK_CODE(cudaGraphNodeGetDependencies(node, NULL, NULL, &count), cudaErrorInvalidValue);
    CHECK_CODE(cudaGraphDestroyNode(node), cudaErrorInvalidValue);
    CHECK_OK(cudaGraphDestroy(graph));
    CHECK_CODE(cudaGraphDestroy(graph), cudaErrorInvalidValue);
    CHECK_CODE(cudaGraphGetNodes(graph, NULL, &count), cudaErrorInvalidValue);
    cudaGetLastError();
}

static void count_one(void *counter)
{
    __atomic_add_fetch((int *)counter, 1, __ATOMIC_SEQ_CST);
}

/* References that a graph does not hold are not its to release; the object dies of its last one only. */
static void user_objects(void)
{
    cudaGraph_t graph = NULL;
    cudaUserObject_t object = NULL;
    int destroyed = 0;

    CHECK_OK(cudaUserObjectCreate(&object, &destroyed, count_one, 1, cudaUserObjectNoDestructorSync));
    CHECK_OK(cudaGraphCreate(&graph, 0));
    CHECK_OK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    CHECK_CODE(cudaGraphReleaseUserObject(graph, object, 2), cudaErrorInvalidValue);
    CHECK_EQUAL(__atomic_load_n(&destroyed, __ATOMIC_SEQ_CST), 0);
    CHECK_OK(cudaGraphReleaseUserObject(graph, object, 1));
    while (__atomic_load_n(&destroyed, __ATOMIC_SEQ_CST) == 0) {
    }
    CHECK_CODE(cudaUserObjectRetain(object, 1), cudaErrorInvalidValue);
    CHECK_OK(cudaGraphDestroy(graph));
    cudaGetLastError();
}

int main(void)
{
    CHECK_OK(cudaFree(NULL));
    streams_and_events();
    launches();
    graphs();
    user_objects();
    return 0;
}
