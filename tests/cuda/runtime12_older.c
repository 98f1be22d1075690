/* Functions of CUDA 12 in their older forms: devices for locations, edges without data. */
#include "check.h"

static void devices_are_locations(void)
{
    int *memory = NULL, last = 99, preferred = 99;

    CHECK_OK(cudaMallocManaged((void **)&memory, 4096, cudaMemAttachGlobal));
    CHECK_OK(cudaMemAdvise(memory, 4096, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
    CHECK_OK(cudaMemPrefetchAsync(memory, 4096, 0, NULL));
    CHECK_OK(cudaDeviceSynchronize());
    CHECK_OK(cudaMemRangeGetAttribute(&last, sizeof last, cudaMemRangeAttributeLastPrefetchLocation, memory, 4096));
    CHECK_EQUAL(last, 0);
    CHECK_OK(
        cudaMemRangeGetAttribute(&preferred, sizeof preferred, cudaMemRangeAttributePreferredLocation, memory, 4096));
    CHECK_EQUAL(preferred, cudaCpuDeviceId);
    CHECK_CODE(cudaMemPrefetchAsync(memory, 4096, 1000, NULL), cudaErrorInvalidDevice);
    cudaGetLastError();
    CHECK_OK(cudaFree(memory));
}

static void edges_have_no_data(void)
{
    cudaGraph_t graph = NULL;
    cudaGraphNode_t a = NULL, b = NULL, c = NULL, from[2], to[2];
    struct cudaGraphNodeParams empty = {.type = cudaGraphNodeTypeEmpty};
    size_t count = 2;

    CHECK_OK(cudaGraphCreate(&graph, 0));
    CHECK_OK(cudaGraphAddEmptyNode(&a, graph, NULL, 0));
    CHECK_OK(cudaGraphAddNode(&b, graph, &a, 1, &empty));
    CHECK_OK(cudaGraphAddEmptyNode(&c, graph, NULL, 0));
    CHECK_OK(cudaGraphAddDependencies(graph, &b, &c, 1));
    CHECK_OK(cudaGraphGetEdges(graph, from, to, &count));
    CHECK_EQUAL(count, 2);
    CHECK_OK(cudaGraphNodeGetDependencies(c, from, &count));
    CHECK(count == 1 && from[0] == b);
    count = 2;
    CHECK_OK(cudaGraphNodeGetDependentNodes(a, to, &count));
    CHECK(count == 1 && to[0] == b);
    CHECK_OK(cudaGraphRemoveDependencies(graph, &b, &c, 1));
    CHECK_OK(cudaGraphGetEdges(graph, NULL, NULL, &count));
    CHECK_EQUAL(count, 1);
    CHECK_OK(cudaGraphDestroy(graph));
}

static void captures_are_described(void)
{
    cudaStream_t stream = NULL;
    cudaGraph_t graph = NULL, seen = NULL;
    const cudaGraphNode_t *nodes = NULL;
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    unsigned long long id = 0;
    size_t count = 99;
    void *memory = NULL;

    CHECK_OK(cudaMalloc(&memory, 16));
    CHECK_OK(cudaStreamCreate(&stream));
    CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK_OK(cudaMemsetAsync(memory, 0, 16, stream));
    CHECK_OK(cudaStreamGetCaptureInfo(stream, &status, &id, &seen, &nodes, &count));
    CHECK(status == cudaStreamCaptureStatusActive && id != 0 && seen != NULL && count == 1);
    CHECK_OK(cudaStreamUpdateCaptureDependencies(stream, NULL, 0, cudaStreamSetCaptureDependencies));
    CHECK_OK(cudaStreamGetCaptureInfo(stream, &status, &id, &seen, &nodes, &count));
    CHECK_EQUAL(count, 0);
    CHECK_OK(cudaStreamEndCapture(stream, &graph));
    CHECK(graph == seen);
    CHECK_OK(cudaGraphDestroy(graph));
    CHECK_OK(cudaStreamDestroy(stream));
    CHECK_OK(cudaFree(memory));
}

int main(void)
{
    devices_are_locations();
    edges_have_no_data();
    captures_are_described();
    CHECK_OK(cudaGetLastError());
    return 0;
}
