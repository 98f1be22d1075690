/* Streams, events, host functions, captures and graphs. */
#include "answers.h"

static void CUDA_CB nothing(void *argument)
{
    (void)argument;
}

static void CUDA_CB called_back(CUstream stream, CUresult status, void *argument)
{
    (void)stream, (void)status, (void)argument;
}

CUstream new_stream(void)
{
    CUstream stream = NULL;

    must(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    return stream;
}

static CUevent new_event(void)
{
    CUevent event = NULL;

    must(cuEventCreate(&event, CU_EVENT_DEFAULT));
    return event;
}

void streams(void)
{
    CUstream stream = NULL, urgent = NULL;
    int priority = 0;
    unsigned flags = 0;

    use_primary_context();
    ANSWER(cuStreamCreate(&stream, 2));
    ANSWER(cuStreamCreate(NULL, 0));
    ANSWER(cuStreamCreate(&stream, 1));
    ANSWER(cuStreamCreateWithPriority(&urgent, 0, -100));
    ANSWER(cuStreamGetPriority(urgent, &priority));
    answer("priority", priority);
    ANSWER(cuStreamCreateWithPriority(&urgent, 0, 100));
    ANSWER(cuStreamGetPriority(urgent, &priority));
    answer("priority", priority);
    ANSWER(cuStreamGetFlags(stream, &flags));
    answer("flags", flags);
    ANSWER(cuStreamQuery(stream));
    ANSWER(cuStreamDestroy(NULL));
    ANSWER(cuStreamDestroy(CU_STREAM_LEGACY));
    ANSWER(cuStreamGetFlags(NULL, &flags));
    answer("flags", flags);
    ANSWER(cuStreamGetFlags(CU_STREAM_PER_THREAD, &flags));
    answer("flags", flags);
}

void events(void)
{
    use_primary_context();
    const CUstream stream = new_stream(), other = new_stream();
    CUevent event = NULL, untimed = NULL;
    float ms = 0;

    ANSWER(cuEventCreate(&event, 0));
    ANSWER(cuEventCreate(&untimed, 2));
    ANSWER(cuEventCreate(NULL, 0));
    ANSWER(cuEventCreate(&untimed, 0x100));
    ANSWER(cuEventCreate(&untimed, 4));
    ANSWER(cuEventQuery(event));
    ANSWER(cuEventSynchronize(event));
    ANSWER(cuEventElapsedTime(&ms, event, event));
    ANSWER(cuEventCreate(&untimed, 2));
    ANSWER(cuEventRecord(untimed, stream));
    ANSWER(cuEventRecord(event, stream));
    ANSWER(cuStreamSynchronize(stream));
    ANSWER(cuEventElapsedTime(&ms, event, untimed));
    ANSWER(cuEventElapsedTime(&ms, event, event));
    ANSWER(cuEventElapsedTime(NULL, event, event));
    ANSWER(cuStreamWaitEvent(other, event, 0));
    ANSWER(cuStreamWaitEvent(other, event, 8));
    ANSWER(cuEventRecordWithFlags(event, stream, 8));
}

void host_functions(void)
{
    use_primary_context();
    const CUstream stream = new_stream();

    ANSWER(cuLaunchHostFunc(stream, NULL, NULL));
    ANSWER(cuLaunchHostFunc(stream, nothing, NULL));
    ANSWER(cuStreamAddCallback(stream, NULL, NULL, 0));
    ANSWER(cuStreamAddCallback(stream, called_back, NULL, 1));
}

/* --- captures --------------------------------------------------------------------------------- */
static CUresult launch(CUfunction kernel, CUstream stream)
{
    return cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL);
}

static void captures_forbid(CUstream stream, CUfunction kernel)
{
    CUdeviceptr memory = 0;
    CUgraph graph = NULL;

    ANSWER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ANSWER(cuMemAlloc(&memory, 4));
    ANSWER(cuStreamSynchronize(stream));
    ANSWER(cuStreamEndCapture(stream, &graph));
    ANSWER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ANSWER(cuMemAlloc(&memory, 4));
    ANSWER(cuStreamEndCapture(stream, &graph));
    ANSWER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    ANSWER(cuMemAlloc(&memory, 4));
    ANSWER(launch(kernel, stream));
    ANSWER(launch(kernel, NULL));
    ANSWER(cuStreamQuery(stream));
    ANSWER(cuStreamEndCapture(stream, &graph));
    ANSWER(cuStreamEndCapture(stream, &graph));
    ANSWER(cuStreamBeginCapture(NULL, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ANSWER(cuStreamBeginCapture(stream, (CUstreamCaptureMode)7));
}

static void captured_events(CUstream stream, CUstream other, CUfunction kernel)
{
    const CUevent event = new_event();
    CUgraph graph = NULL;

    ANSWER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ANSWER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ANSWER(cuEventRecord(event, stream));
    ANSWER(cuEventQuery(event));
    ANSWER(cuEventSynchronize(event));
    ANSWER(cuStreamWaitEvent(other, event, 0));
    ANSWER(launch(kernel, other));
    ANSWER(cuStreamEndCapture(other, &graph));
    ANSWER(cuStreamEndCapture(stream, &graph));
    must(cuStreamSynchronize(other));
    ANSWER(cuStreamQuery(stream));
    ANSWER(cuStreamQuery(other));
    ANSWER(cuCtxSynchronize());
}

static void what_else_is_captured(CUstream stream, CUfunction kernel)
{
    CUdeviceptr memory = 0;
    CUgraph graph = NULL;
    static int value;

    must(cuMemAlloc(&memory, 4));
    ANSWER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ANSWER(cuCtxSynchronize());
    ANSWER(cuStreamEndCapture(stream, &graph));
    ANSWER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ANSWER(cuMemcpyHtoD(memory, &value, 4));
    ANSWER(cuStreamEndCapture(stream, &graph));
    ANSWER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ANSWER(launch(kernel, NULL));
    ANSWER(cuStreamEndCapture(stream, &graph));
    ANSWER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ANSWER(cuMemcpyHtoDAsync(memory, &value, 4, stream));
    ANSWER(cuMemsetD8Async(memory, 0, 4, stream));
    ANSWER(cuLaunchHostFunc(stream, nothing, NULL));
    ANSWER(cuStreamAddCallback(stream, called_back, NULL, 0));
    ANSWER(cuStreamDestroy(stream));
}

void captures(void)
{
    use_primary_context();
    const CUfunction kernel = answers_kernel("empty");
    const CUstream stream = new_stream();

    captures_forbid(stream, kernel);
    captured_events(stream, new_stream(), kernel);
    what_else_is_captured(stream, kernel);
}

/* --- graphs ----------------------------------------------------------------------------------- */
void graphs(void)
{
    use_primary_context();
    const CUstream stream = new_stream();
    CUgraph graph = NULL;
    CUgraphNode a = NULL, b = NULL;
    CUgraphExec exec = NULL;

    ANSWER(cuGraphCreate(&graph, 1));
    ANSWER(cuGraphCreate(&graph, 0));
    ANSWER(cuGraphAddEmptyNode(&a, graph, NULL, 0));
    ANSWER(cuGraphAddEmptyNode(&b, graph, &a, 1));
    ANSWER(cuGraphAddDependencies(graph, &b, &a, NULL, 1));
    ANSWER(cuGraphAddDependencies(graph, &a, &b, NULL, 1));
    ANSWER(cuGraphAddDependencies(graph, &a, &a, NULL, 1));
    ANSWER(cuGraphInstantiate(&exec, graph, 0));
    ANSWER(cuGraphAddDependencies(graph, &a, &b, NULL, 1));
    ANSWER(cuGraphRemoveDependencies(graph, &b, &a, NULL, 1));
    ANSWER(cuGraphInstantiate(&exec, graph, 0));
    ANSWER(cuGraphLaunch(exec, stream));
    ANSWER(cuGraphLaunch(NULL, stream));
    ANSWER(cuGraphExecDestroy(exec));
    ANSWER(cuGraphDestroyNode(a));
    ANSWER(cuGraphDestroy(graph));
}
