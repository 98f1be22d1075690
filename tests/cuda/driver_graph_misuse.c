/*
 * Graph and capture calls in random order, with handles that are good, gone or of something else, from several threads
 * at once. No outcome is wrong but a crash, a hang, or a device that does not work afterwards.
 */
#include "driver_check.h"

#include <pthread.h>

enum { SLOTS = 8, THREADS = 3, CALLS = 6000, STREAMS = 3 };

static CUcontext context;
static CUmodule module;
static CUdeviceptr cells;

/* Handles that threads take from and put to without asking each other. */
static struct {
    void *graphs[SLOTS], *nodes[SLOTS * 4], *execs[SLOTS], *events[SLOTS], *objects[SLOTS];
    void *streams[STREAMS];
    uint64_t addresses[SLOTS];
    void *later[THREADS * CALLS]; /* graphs that captures still write to when their slot is needed */
    unsigned n_later;
} pool;

static unsigned below(uint64_t *state, unsigned n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % n;
}

static void *load(void **slot)
{
    return __atomic_load_n(slot, __ATOMIC_SEQ_CST);
}

/* What was there comes back, to be destroyed. */
static void *store(void **slot, void *handle)
{
    return __atomic_exchange_n(slot, handle, __ATOMIC_SEQ_CST);
}

/* One of the array, or now and then something that is none of its kind. */
static void *pick(uint64_t *state, void **slots, unsigned n)
{
    switch (below(state, 24)) {
    case 0:
        return NULL;
    case 1:
        return &pool;
    case 2:
        return load(&pool.nodes[below(state, SLOTS * 4)]);
    case 3:
        return load(&pool.events[below(state, SLOTS)]);
    default:
        return load(&slots[below(state, n)]);
    }
}

#define GRAPH  ((CUgraph)pick(state, pool.graphs, SLOTS))
#define NODE   ((CUgraphNode)pick(state, pool.nodes, SLOTS * 4))
#define EXEC   ((CUgraphExec)pick(state, pool.execs, SLOTS))
#define EVENT  ((CUevent)pick(state, pool.events, SLOTS))
#define OBJECT ((CUuserObject)pick(state, pool.objects, SLOTS))
#define STREAM ((CUstream)load(&pool.streams[below(state, STREAMS)]))

static void nothing(void *unused)
{
    (void)unused;
}

static void keep_node(uint64_t *state, CUresult result, CUgraphNode node)
{
    if (result == CUDA_SUCCESS) {
        store(&pool.nodes[below(state, SLOTS * 4)], node);
    }
}

static void keep_graph(uint64_t *state, CUresult result, CUgraph graph)
{
    if (result == CUDA_SUCCESS) {
        CUgraph old = store(&pool.graphs[below(state, SLOTS)], graph);

        if (old != NULL && cuGraphDestroy(old) != CUDA_SUCCESS) {
            pool.later[__atomic_fetch_add(&pool.n_later, 1, __ATOMIC_SEQ_CST)] = old;
        }
    }
}

static void keep_exec(uint64_t *state, CUresult result, CUgraphExec exec)
{
    if (result == CUDA_SUCCESS) {
        cuGraphExecDestroy(store(&pool.execs[below(state, SLOTS)], exec));
    }
}

static CUDA_KERNEL_NODE_PARAMS kernel_params(void **arguments)
{
    CUDA_KERNEL_NODE_PARAMS p = {.func = driver_kernel(module, "add"), .kernelParams = arguments};

    p.gridDimX = p.gridDimY = p.gridDimZ = p.blockDimX = p.blockDimY = p.blockDimZ = 1;
    return p;
}

static void add_some_node(uint64_t *state)
{
    CUgraph graph = GRAPH;
    CUgraphNode after[2] = {NODE, NODE}, node = NULL;
    const size_t count = below(state, 3);
    CUdeviceptr d = cells + 4 * below(state, 16);
    unsigned n = below(state, 100);
    void *arguments[] = {&d, &n};
    const CUDA_KERNEL_NODE_PARAMS kernel = kernel_params(arguments);
    const CUDA_MEMSET_NODE_PARAMS set = {.dst = d, .value = n, .elementSize = 4, .width = 1, .height = 1};
    const CUDA_HOST_NODE_PARAMS host = {.fn = nothing};
    CUDA_MEM_ALLOC_NODE_PARAMS alloc = {.bytesize = 4096};
    CUresult result;

    alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    alloc.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    switch (below(state, 8)) {
    case 0:
        result = cuGraphAddKernelNode(&node, graph, after, count, &kernel);
        break;
    case 1:
        result = cuGraphAddMemsetNode(&node, graph, after, count, &set, context);
        break;
    case 2:
        result = cuGraphAddHostNode(&node, graph, after, count, &host);
        break;
    case 3:
        result = cuGraphAddChildGraphNode(&node, graph, after, count, GRAPH);
        break;
    case 4:
        result = cuGraphAddEventRecordNode(&node, graph, after, count, EVENT);
        break;
    case 5:
        result = cuGraphAddMemAllocNode(&node, graph, after, below(state, 4) == 0 ? count : 0, &alloc);
        if (result == CUDA_SUCCESS) {
            __atomic_store_n(&pool.addresses[below(state, SLOTS)], alloc.dptr, __ATOMIC_SEQ_CST);
        }
        break;
    case 6:
        result = cuGraphAddMemFreeNode(&node, graph, after, count,
                                       __atomic_load_n(&pool.addresses[below(state, SLOTS)], __ATOMIC_SEQ_CST));
        break;
    default:
        result = cuGraphAddEmptyNode(&node, graph, after, count);
        break;
    }
    keep_node(state, result, node);
}

static void change_a_graph(uint64_t *state)
{
    CUgraphNode from = NODE, to = NODE, list[4], other[4], node = NULL;
    CUgraph graph = GRAPH, made = NULL;
    CUuserObject object = NULL;
    size_t n = below(state, 5);
    CUresult result;

    switch (below(state, 14)) {
    case 0:
        result = cuGraphCreate(&made, 0);
        keep_graph(state, result, made);
        break;
    case 1:
        result = cuGraphClone(&made, graph);
        keep_graph(state, result, made);
        break;
    case 2:
        cuGraphAddDependencies(graph, &from, &to, NULL, 1);
        break;
    case 3:
        cuGraphRemoveDependencies(graph, &from, &to, NULL, 1);
        break;
    case 4:
        cuGraphDestroyNode(from);
        break;
    case 5:
        cuGraphGetNodes(graph, list, &n);
        break;
    case 6:
        cuGraphGetEdges(graph, list, other, NULL, &n);
        break;
    case 7:
        cuGraphNodeGetDependencies(from, list, NULL, &n);
        break;
    case 8:
        cuGraphNodeGetDependentNodes(from, list, NULL, &n);
        break;
    case 9:
        result = cuGraphNodeFindInClone(&node, from, graph);
        keep_node(state, result, node);
        break;
    case 10:
        result = cuUserObjectCreate(&object, NULL, nothing, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
        if (result == CUDA_SUCCESS) {
            cuGraphRetainUserObject(graph, object, 1, 0);
            store(&pool.objects[below(state, SLOTS)], object);
            cuUserObjectRelease(object, 1);
        }
        break;
    case 11:
        cuGraphReleaseUserObject(graph, OBJECT, 1);
        break;
    case 12:
        cuGraphRetainUserObject(graph, OBJECT, 1, 0);
        break;
    default:
        result = cuGraphNodeGetDependencies(to, &node, NULL, &(size_t){1});
        keep_node(state, result, node);
        break;
    }
}

static void use_an_exec(uint64_t *state)
{
    CUdeviceptr d = cells + 4 * below(state, 16);
    unsigned n = below(state, 100), enabled;
    void *arguments[] = {&d, &n};
    CUDA_KERNEL_NODE_PARAMS kernel = kernel_params(arguments);
    const CUDA_MEMSET_NODE_PARAMS set = {.dst = d, .value = n, .elementSize = 4, .width = 1, .height = 1};
    CUgraphExecUpdateResultInfo info;
    CUgraphExec made = NULL;
    CUresult result;

    switch (below(state, 10)) {
    case 0:
    case 1:
        result = cuGraphInstantiate(&made, GRAPH, below(state, 2));
        keep_exec(state, result, made);
        break;
    case 2:
    case 3:
        cuGraphLaunch(EXEC, STREAM);
        break;
    case 4:
        cuGraphExecUpdate(EXEC, GRAPH, &info);
        break;
    case 5:
        cuGraphExecKernelNodeSetParams(EXEC, NODE, &kernel);
        break;
    case 6:
        cuGraphExecMemsetNodeSetParams(EXEC, NODE, &set, context);
        break;
    case 7:
        cuGraphNodeSetEnabled(EXEC, NODE, below(state, 2));
        break;
    case 8:
        cuGraphNodeGetEnabled(EXEC, NODE, &enabled);
        break;
    default:
        if (cuGraphKernelNodeSetParams(NODE, &kernel) != CUDA_SUCCESS) {
            cuGraphMemsetNodeSetParams(NODE, &set);
        }
        break;
    }
}

static void capture_something(uint64_t *state)
{
    CUstream stream = STREAM;
    CUstreamCaptureStatus status;
    CUdeviceptr memory = 0;
    CUevent event = NULL;
    CUgraph made = NULL;
    CUgraphNode node = NODE;
    CUresult result;

    switch (below(state, 12)) {
    case 0:
        cuStreamBeginCapture(stream, (CUstreamCaptureMode)below(state, 4));
        break;
    case 1:
        cuStreamBeginCaptureToGraph(stream, GRAPH, &node, NULL, below(state, 2), CU_STREAM_CAPTURE_MODE_RELAXED);
        break;
    case 2:
    case 3:
        result = cuStreamEndCapture(stream, &made);
        keep_graph(state, result, made);
        break;
    case 4:
        cuMemsetD32Async(cells, 1, 16, stream);
        break;
    case 5:
        cuLaunchHostFunc(stream, nothing, NULL);
        break;
    case 6:
        cuEventRecordWithFlags(EVENT, stream, below(state, 2));
        break;
    case 7:
        cuStreamWaitEvent(stream, EVENT, below(state, 2));
        break;
    case 8:
        if (cuMemAllocAsync(&memory, 4096, stream) == CUDA_SUCCESS) {
            cuMemFreeAsync(memory, stream);
        }
        break;
    case 9:
        cuStreamUpdateCaptureDependencies(stream, &node, NULL, 1, below(state, 2));
        break;
    case 10:
        cuStreamIsCapturing(stream, &status);
        break;
    default:
        if (cuEventCreate(&event, CU_EVENT_DISABLE_TIMING) == CUDA_SUCCESS) {
            cuEventDestroy(store(&pool.events[below(state, SLOTS)], event));
        }
        break;
    }
}

static void *misuse(void *seed)
{
    uint64_t start = (uint64_t)(uintptr_t)seed, *state = &start;

    OK(cuCtxSetCurrent(context));
    for (int i = 0; i < CALLS; i++) {
        switch (below(state, 4)) {
        case 0:
            add_some_node(state);
            break;
        case 1:
            change_a_graph(state);
            break;
        case 2:
            use_an_exec(state);
            break;
        default:
            capture_something(state);
            break;
        }
    }
    return NULL;
}

static void end_everything(void)
{
    CUgraph graph;

    for (int i = 0; i < STREAMS; i++) {
        if (cuStreamEndCapture(pool.streams[i], &graph) == CUDA_SUCCESS) {
            cuGraphDestroy(graph);
        }
        cuStreamDestroy(pool.streams[i]);
    }
    for (unsigned i = 0; i < pool.n_later; i++) {
        cuGraphDestroy(pool.later[i]);
    }
    for (int i = 0; i < SLOTS; i++) {
        cuGraphDestroy(pool.graphs[i]);
        cuGraphExecDestroy(pool.execs[i]);
        cuEventDestroy(pool.events[i]);
    }
}

static void expect_a_working_device(void)
{
    CUstream stream;
    CUgraph graph;
    CUgraphExec exec;
    unsigned n = 5, value = 0;
    void *arguments[] = {&cells, &n};

    OK(cuCtxSynchronize());
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemsetD32(cells, 1, 16));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuLaunchKernel(driver_kernel(module, "add"), 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH(&value, cells, 4));
    CHECK(value == 6);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuStreamDestroy(stream));
}

int main(int argc, char **argv)
{
    const unsigned first = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 1;
    pthread_t threads[THREADS];

    context = use_device();
    module = load_driver_ptx();
    OK(cuMemAlloc(&cells, 64));
    for (int i = 0; i < STREAMS; i++) {
        OK(cuStreamCreate((CUstream *)&pool.streams[i], CU_STREAM_NON_BLOCKING));
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, misuse, (void *)(uintptr_t)(first * THREADS + (unsigned)i)) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    end_everything();
    expect_a_working_device();
    return 0;
}
