/* Stream capture through the driver API: forks and joins, what is refused meanwhile, and what is left after errors. */
#include "driver_check.h"

#include <pthread.h>

static CUmodule module;
static CUdeviceptr cells; /* 16 words */
static CUstream s, t;     /* do not wait for the legacy stream */

static unsigned cell(int i)
{
    unsigned value;

    OK(cuMemcpyDtoH(&value, cells + 4 * (unsigned)i, 4));
    return value;
}

static CUresult add(CUstream stream, int at, unsigned n)
{
    CUdeviceptr d = cells + 4 * (unsigned)at;
    void *arguments[] = {&d, &n};

    return cuLaunchKernel(driver_kernel(module, "add"), 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL);
}

static void begin(CUstream stream)
{
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
}

static void run(CUgraph graph)
{
    CUgraphExec exec;

    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, s));
    OK(cuStreamSynchronize(s));
    OK(cuGraphExecDestroy(exec));
}

static size_t nodes_of(CUgraph graph)
{
    size_t n;

    OK(cuGraphGetNodes(graph, NULL, &n));
    return n;
}

static size_t edges_of(CUgraph graph)
{
    size_t n;

    OK(cuGraphGetEdges(graph, NULL, NULL, NULL, &n));
    return n;
}

/* The capture of `stream` has failed: it ends with an error and without a graph. */
static void expect_invalid(CUstream stream)
{
    CUstreamCaptureStatus status;
    CUgraph graph = (CUgraph)1;

    OK(cuStreamIsCapturing(stream, &status));
    CHECK(status == CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    IS(add(stream, 0, 1), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    IS(cuStreamEndCapture(stream, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    CHECK(graph == NULL);
    OK(cuStreamIsCapturing(stream, &status));
    CHECK(status == CU_STREAM_CAPTURE_STATUS_NONE);
}

/* --- what is captured --------------------------------------------------------------------------------------------- */
static void one_stream_is_a_chain(void)
{
    CUstreamCaptureStatus status;
    CUgraph graph;

    OK(cuMemsetD32(cells, 0, 16));
    OK(cuStreamIsCapturing(s, &status));
    CHECK(status == CU_STREAM_CAPTURE_STATUS_NONE);
    begin(s);
    OK(cuStreamIsCapturing(s, &status));
    CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
    OK(cuMemsetD32Async(cells, 5, 1, s));
    OK(add(s, 0, 10));
    OK(cuMemcpyDtoDAsync(cells + 4, cells, 4, s));
    OK(cuStreamEndCapture(s, &graph));
    CHECK(nodes_of(graph) == 3 && edges_of(graph) == 2);
    CHECK(cell(0) == 0); /* nothing has run */
    run(graph);
    CHECK(cell(0) == 15 && cell(1) == 15);
    OK(cuGraphDestroy(graph));
    begin(s); /* nothing at all is a graph, too */
    OK(cuStreamEndCapture(s, &graph));
    CHECK(nodes_of(graph) == 0);
    run(graph);
    OK(cuGraphDestroy(graph));
}

static void forks_and_joins(void)
{
    CUgraph graph;
    CUevent fork_event, join_event;
    CUstreamCaptureStatus status;

    OK(cuEventCreate(&fork_event, CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&join_event, CU_EVENT_DISABLE_TIMING));
    OK(cuMemsetD32(cells, 0, 16));
    begin(s);
    OK(add(s, 0, 1));
    OK(cuEventRecord(fork_event, s));
    OK(cuStreamWaitEvent(t, fork_event, 0));
    OK(cuStreamIsCapturing(t, &status));
    CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
    OK(add(t, 1, 2));
    OK(add(s, 2, 3));
    OK(cuEventRecord(join_event, t));
    OK(cuStreamWaitEvent(s, join_event, 0));
    OK(add(s, 1, 4));
    OK(cuStreamEndCapture(s, &graph));
    OK(cuStreamIsCapturing(t, &status));
    CHECK(status == CU_STREAM_CAPTURE_STATUS_NONE);
    CHECK(nodes_of(graph) == 4 && edges_of(graph) == 4);
    run(graph);
    CHECK(cell(0) == 1 && cell(1) == 6 && cell(2) == 3);
    OK(cuGraphDestroy(graph));
    OK(cuEventRecord(fork_event, s)); /* an ordinary event again */
    OK(cuEventSynchronize(fork_event));
    OK(cuEventDestroy(fork_event));
    OK(cuEventDestroy(join_event));
}

/* As on an H200: it does not become a child. */
static void a_graph_is_not_captured(void)
{
    CUgraph inner, outer;
    CUgraphExec exec;

    OK(cuMemsetD32(cells, 0, 16));
    begin(s);
    OK(add(s, 0, 7));
    OK(cuStreamEndCapture(s, &inner));
    OK(cuGraphInstantiate(&exec, inner, 0));
    begin(s);
    IS(cuGraphLaunch(exec, s), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    IS(cuGraphLaunch(exec, s), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    IS(cuStreamEndCapture(s, &outer), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    begin(s);
    IS(cuGraphUpload(exec, s), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    IS(cuStreamEndCapture(s, &outer), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    OK(cuGraphLaunch(exec, s));
    OK(cuStreamSynchronize(s));
    CHECK(cell(0) == 7);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(inner));
}

static void capture_into_a_graph(void)
{
    CUgraph graph, back;
    CUgraphNode first, node;
    size_t n = 1;

    OK(cuMemsetD32(cells, 0, 16));
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddEmptyNode(&first, graph, NULL, 0));
    OK(cuStreamBeginCaptureToGraph(s, graph, &first, NULL, 1, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(add(s, 0, 3));
    OK(cuStreamEndCapture(s, &back));
    CHECK(back == graph && nodes_of(graph) == 2);
    OK(cuGraphNodeGetDependentNodes(first, &node, NULL, &n));
    CHECK(n == 1);
    run(graph);
    CHECK(cell(0) == 3);
    IS(cuStreamBeginCaptureToGraph(s, NULL, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphDestroy(graph));
}

static void dependencies_are_seen_and_changed(void)
{
    CUgraph graph, seen;
    CUgraphNode extra;
    CUstreamCaptureStatus status;
    const CUgraphNode *nodes;
    const CUgraphEdgeData *data;
    cuuint64_t id, next_id;
    size_t n;

    IS(cuStreamUpdateCaptureDependencies(s, NULL, NULL, 0, 0), CUDA_ERROR_ILLEGAL_STATE);
    OK(cuStreamGetCaptureInfo(s, &status, &id, NULL, NULL, NULL, NULL));
    CHECK(status == CU_STREAM_CAPTURE_STATUS_NONE);
    begin(s);
    OK(add(s, 0, 1));
    OK(cuStreamGetCaptureInfo(s, &status, &id, &seen, &nodes, &data, &n));
    CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && n == 1 && data[0].type == 0 && nodes_of(seen) == 1);
    OK(cuGraphAddEmptyNode(&extra, seen, nodes, n));
    OK(cuStreamUpdateCaptureDependencies(s, &extra, NULL, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    OK(cuStreamGetCaptureInfo(s, &status, &id, &seen, &nodes, &data, &n));
    CHECK(n == 2);
    OK(cuStreamUpdateCaptureDependencies(s, &extra, NULL, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    IS(cuStreamUpdateCaptureDependencies(s, NULL, NULL, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES),
       CUDA_ERROR_INVALID_VALUE);
    IS(cuStreamUpdateCaptureDependencies(s, &extra, NULL, 1, 2), CUDA_ERROR_INVALID_VALUE);
    OK(add(s, 0, 1));
    OK(cuStreamEndCapture(s, &graph));
    CHECK(graph == seen && nodes_of(graph) == 3 && edges_of(graph) == 2);
    OK(cuGraphDestroy(graph));
    begin(s);
    OK(cuStreamGetCaptureInfo(s, &status, &next_id, NULL, NULL, NULL, NULL));
    CHECK(next_id != id);
    OK(cuStreamEndCapture(s, &graph));
    OK(cuGraphDestroy(graph));
}

/* Events of the program's, which the graph records and waits for when it runs. */
static void external_events(void)
{
    CUgraph graph;
    CUevent event;
    CUgraphNode nodes[2];
    CUgraphNodeType type;
    size_t n = 2;

    OK(cuEventCreate(&event, 0));
    OK(cuEventRecord(event, t));
    begin(s);
    OK(cuStreamWaitEvent(s, event, CU_EVENT_WAIT_EXTERNAL));
    OK(cuEventRecordWithFlags(event, s, CU_EVENT_RECORD_EXTERNAL));
    OK(cuStreamEndCapture(s, &graph));
    OK(cuGraphGetNodes(graph, nodes, &n));
    CHECK(n == 2);
    OK(cuGraphNodeGetType(nodes[0], &type));
    CHECK(type == CU_GRAPH_NODE_TYPE_WAIT_EVENT);
    OK(cuGraphNodeGetType(nodes[1], &type));
    CHECK(type == CU_GRAPH_NODE_TYPE_EVENT_RECORD);
    run(graph);
    OK(cuEventQuery(event));
    OK(cuGraphDestroy(graph));
    OK(cuEventDestroy(event));
}

/* --- errors ------------------------------------------------------------------------------------------------------- */
static void beginning_and_ending_wrongly(void)
{
    CUgraph graph;
    CUevent event;

    IS(cuStreamBeginCapture(NULL, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    IS(cuStreamBeginCapture(s, (CUstreamCaptureMode)7), CUDA_ERROR_INVALID_VALUE);
    IS(cuStreamEndCapture(s, &graph), CUDA_ERROR_ILLEGAL_STATE);
    begin(s);
    IS(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_ERROR_ILLEGAL_STATE);
    IS(cuStreamEndCapture(t, &graph), CUDA_ERROR_ILLEGAL_STATE);
    OK(cuStreamEndCapture(s, NULL)); /* the graph is nobody's */
    begin(s);
    OK(cuEventCreate(&event, 0));
    OK(cuEventRecord(event, s));
    OK(cuStreamWaitEvent(t, event, 0));
    IS(cuStreamEndCapture(t, &graph), CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    expect_invalid(s);
    OK(cuEventDestroy(event));
}

static void forks_that_are_not_joined(void)
{
    CUgraph graph = (CUgraph)1;
    CUevent event;

    OK(cuEventCreate(&event, 0));
    begin(s);
    OK(cuEventRecord(event, s));
    OK(cuStreamWaitEvent(t, event, 0));
    OK(add(t, 0, 1));
    IS(cuStreamEndCapture(s, &graph), CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
    CHECK(graph == NULL);
    begin(t); /* free again */
    OK(cuStreamEndCapture(t, &graph));
    OK(cuGraphDestroy(graph));
    OK(cuEventDestroy(event));
}

static void captures_do_not_mix(void)
{
    CUevent event, outside;
    CUgraph graph;

    OK(cuEventCreate(&event, 0));
    OK(cuEventCreate(&outside, 0));
    begin(s);
    begin(t);
    OK(add(s, 0, 1));
    OK(cuEventRecord(event, s));
    IS(cuStreamWaitEvent(t, event, 0), CUDA_ERROR_STREAM_CAPTURE_MERGE);
    expect_invalid(t);
    cuStreamEndCapture(s, &graph);

    OK(cuEventRecord(outside, t));
    begin(s);
    IS(cuStreamWaitEvent(s, outside, 0), CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
    expect_invalid(s);
    OK(cuEventDestroy(event));
    OK(cuEventDestroy(outside));
}

static void waiting_for_what_does_not_run(void)
{
    CUevent event;

    OK(cuEventCreate(&event, 0));
    begin(s);
    IS(cuStreamSynchronize(s), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    expect_invalid(s);
    begin(s);
    IS(cuStreamQuery(s), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    expect_invalid(s);
    begin(s);
    OK(cuEventRecord(event, s));
    IS(cuEventQuery(event), CUDA_ERROR_CAPTURED_EVENT);
    expect_invalid(s);
    begin(s);
    IS(cuCtxSynchronize(), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    expect_invalid(s);
    OK(cuEventDestroy(event));
}

static void calls_that_modes_forbid(void)
{
    CUdeviceptr memory;
    CUgraph graph;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;

    begin(s);
    IS(cuMemAlloc(&memory, 4), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    expect_invalid(s);
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuMemAlloc(&memory, 4));
    OK(cuMemFree(memory));
    OK(cuStreamEndCapture(s, &graph));
    OK(cuGraphDestroy(graph));
    begin(s);
    OK(cuThreadExchangeStreamCaptureMode(&mode));
    CHECK(mode == CU_STREAM_CAPTURE_MODE_GLOBAL);
    OK(cuMemAlloc(&memory, 4));
    OK(cuThreadExchangeStreamCaptureMode(&mode));
    CHECK(mode == CU_STREAM_CAPTURE_MODE_RELAXED);
    OK(cuStreamEndCapture(s, &graph));
    OK(cuGraphDestroy(graph));
    OK(cuMemFree(memory));
    mode = (CUstreamCaptureMode)9;
    IS(cuThreadExchangeStreamCaptureMode(&mode), CUDA_ERROR_INVALID_VALUE);
}

static void the_legacy_stream_keeps_out(void)
{
    CUstream blocking;
    CUstreamCaptureStatus status;
    CUgraph graph;

    OK(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
    begin(blocking);
    IS(cuStreamIsCapturing(NULL, &status), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    OK(add(blocking, 0, 1)); /* asking did no harm */
    IS(add(NULL, 0, 1), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    expect_invalid(blocking);
    OK(cuStreamDestroy(blocking));
    begin(s); /* a stream that does not wait for the legacy stream does not mind it */
    OK(add(NULL, 0, 1));
    OK(cuStreamEndCapture(s, &graph));
    OK(cuGraphDestroy(graph));
}

static void streams_that_go_away(void)
{
    CUstream stream;
    CUevent event;
    CUgraph graph;

    OK(cuEventCreate(&event, 0));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    begin(stream);
    OK(add(stream, 0, 1));
    OK(cuEventRecord(event, stream));
    OK(cuStreamDestroy(stream));
    OK(cuCtxSynchronize()); /* nothing captures any more */
    OK(cuEventRecord(event, s));
    OK(cuStreamSynchronize(s));
    begin(s);
    OK(cuStreamEndCapture(s, &graph));
    OK(cuGraphDestroy(graph));
    OK(cuEventDestroy(event));
}

/* --- threads ------------------------------------------------------------------------------------------------------ */
static CUcontext context;
static CUresult end_result, alloc_result;
static CUgraph end_graph;

static void *end_elsewhere(void *unused)
{
    (void)unused;
    OK(cuCtxSetCurrent(context));
    end_result = cuStreamEndCapture(s, &end_graph);
    return NULL;
}

static void *allocate_elsewhere(void *unused)
{
    CUdeviceptr memory;

    (void)unused;
    OK(cuCtxSetCurrent(context));
    alloc_result = cuMemAlloc(&memory, 4);
    if (alloc_result == CUDA_SUCCESS) {
        OK(cuMemFree(memory));
    }
    return NULL;
}

static void on_another_thread(void *(*function)(void *))
{
    pthread_t thread;

    CHECK(pthread_create(&thread, NULL, function, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}

static void captures_belong_to_threads(void)
{
    CUgraph graph;

    begin(s);
    on_another_thread(end_elsewhere);
    CHECK(end_result == CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
    IS(cuStreamEndCapture(s, &graph), CUDA_ERROR_ILLEGAL_STATE); /* it has ended, as on an H200 */
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    on_another_thread(end_elsewhere);
    CHECK(end_result == CUDA_SUCCESS);
    OK(cuGraphDestroy(end_graph));

    begin(s);
    on_another_thread(allocate_elsewhere);
    CHECK(alloc_result == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    expect_invalid(s);
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    on_another_thread(allocate_elsewhere);
    CHECK(alloc_result == CUDA_SUCCESS);
    OK(cuStreamEndCapture(s, &graph));
    OK(cuGraphDestroy(graph));
}

int main(void)
{
    context = use_device();
    module = load_driver_ptx();
    OK(cuMemAlloc(&cells, 64));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&t, CU_STREAM_NON_BLOCKING));
    one_stream_is_a_chain();
    forks_and_joins();
    a_graph_is_not_captured();
    capture_into_a_graph();
    dependencies_are_seen_and_changed();
    external_events();
    beginning_and_ending_wrongly();
    forks_that_are_not_joined();
    captures_do_not_mix();
    waiting_for_what_does_not_run();
    calls_that_modes_forbid();
    the_legacy_stream_keeps_out();
    streams_that_go_away();
    captures_belong_to_threads();
    OK(cuMemFree(cells));
    return 0;
}
