/* Memory that graphs allocate and free: addresses, lifetimes, reuse, accounting, and what is refused. */
#include "driver_check.h"

enum { BYTES = 1 << 20 };

static CUcontext context;
static CUstream s;

static CUgraph new_graph(void)
{
    CUgraph graph = NULL;

    OK(cuGraphCreate(&graph, 0));
    return graph;
}

static CUDA_MEM_ALLOC_NODE_PARAMS request(size_t bytes)
{
    CUDA_MEM_ALLOC_NODE_PARAMS p = {.bytesize = bytes};

    p.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    return p;
}

static CUdeviceptr add_alloc(CUgraph graph, const CUgraphNode *after, size_t count, CUgraphNode *node)
{
    CUDA_MEM_ALLOC_NODE_PARAMS p = request(BYTES);

    OK(cuGraphAddMemAllocNode(node, graph, after, count, &p));
    CHECK(p.dptr != 0);
    return p.dptr;
}

static CUgraphNode add_set(CUgraph graph, CUgraphNode after, CUdeviceptr at, unsigned value)
{
    const CUDA_MEMSET_NODE_PARAMS p = {.dst = at, .value = value, .elementSize = 4, .width = 4, .height = 1};
    CUgraphNode node = NULL;

    OK(cuGraphAddMemsetNode(&node, graph, &after, 1, &p, context));
    return node;
}

static CUgraphExec instantiate(CUgraph graph, unsigned long long flags)
{
    CUgraphExec exec = NULL;

    OK(cuGraphInstantiate(&exec, graph, flags));
    return exec;
}

static void run(CUgraphExec exec)
{
    OK(cuGraphLaunch(exec, s));
    OK(cuStreamSynchronize(s));
}

static cuuint64_t amount(CUgraphMem_attribute attribute)
{
    cuuint64_t bytes = 0;

    OK(cuDeviceGetGraphMemAttribute(0, attribute, &bytes));
    return bytes;
}

static void expect_footprint(cuuint64_t bytes)
{
    EQUALS(amount(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT), bytes);
}

/* Allocation, use and free in one graph: any number of launches, one address. */
static void within_a_graph(void)
{
    CUgraph graph = new_graph();
    CUgraphNode alloc, set, release;
    CUdeviceptr p = add_alloc(graph, NULL, 0, &alloc), back;
    CUDA_MEM_ALLOC_NODE_PARAMS params;

    set = add_set(graph, alloc, p, 5);
    OK(cuGraphAddMemFreeNode(&release, graph, &set, 1, p));
    OK(cuGraphMemAllocNodeGetParams(alloc, &params));
    CHECK(params.dptr == p && params.bytesize == BYTES);
    OK(cuGraphMemFreeNodeGetParams(release, &back));
    CHECK(back == p);
    IS(cuGraphAddMemFreeNode(&release, graph, &set, 1, p), CUDA_ERROR_INVALID_VALUE);     /* twice */
    IS(cuGraphAddMemFreeNode(&release, graph, &set, 1, p + 4), CUDA_ERROR_INVALID_VALUE); /* no allocation */
    expect_footprint(0);
    CUgraphExec exec = instantiate(graph, 0);

    expect_footprint(0);
    run(exec);
    run(exec);
    expect_footprint(BYTES);
    IS(cuMemFree(p), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuDeviceGraphMemTrim(0));
    expect_footprint(0);
}

/* What comes after a free gets its address. */
static void addresses_are_used_again(void)
{
    CUgraph graph = new_graph();
    CUgraphNode a, b, c, free_a, free_b;
    CUdeviceptr first = add_alloc(graph, NULL, 0, &a), second, third;

    OK(cuGraphAddMemFreeNode(&free_a, graph, &a, 1, first));
    second = add_alloc(graph, &free_a, 1, &b);
    third = add_alloc(graph, NULL, 0, &c); /* not ordered after the free */
    CHECK(second == first && third != first);
    OK(cuGraphAddMemFreeNode(&free_b, graph, &b, 1, second));
    OK(cuGraphAddMemFreeNode(&free_b, graph, &c, 1, third));
    CUgraphExec exec = instantiate(graph, 0);

    run(exec);
    expect_footprint(2 * BYTES);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuDeviceGraphMemTrim(0));
}

/* Memory that outlives its graph's launch. */
static void freed_by_others(void)
{
    CUgraph graph = new_graph(), other = new_graph();
    CUgraphNode alloc, release;
    CUdeviceptr p = add_alloc(graph, NULL, 0, &alloc);
    unsigned words[4] = {0};

    add_set(graph, alloc, p, 77);
    CUgraphExec exec = instantiate(graph, 0), auto_free;

    run(exec);
    OK(cuMemcpyDtoH(words, p, sizeof words));
    CHECK(words[0] == 77 && words[3] == 77);
    IS(cuGraphLaunch(exec, s), CUDA_ERROR_INVALID_VALUE); /* it is still there */
    OK(cuDeviceGraphMemTrim(0));
    expect_footprint(BYTES);
    OK(cuMemFreeAsync(p, s));
    OK(cuStreamSynchronize(s));
    IS(cuMemFree(p), CUDA_ERROR_INVALID_VALUE);
    run(exec);
    OK(cuMemFree(p));
    run(exec);

    OK(cuGraphAddMemFreeNode(&release, other, NULL, 0, p));
    IS(cuGraphAddMemFreeNode(&release, graph, &alloc, 1, p), CUDA_ERROR_INVALID_VALUE); /* another graph does it */
    CUgraphExec freeing = instantiate(other, 0);

    run(freeing);
    IS(cuGraphLaunch(freeing, s), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphExecDestroy(exec));
    auto_free = instantiate(graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
    run(auto_free);
    run(auto_free);
    run(freeing);
    OK(cuGraphExecDestroy(auto_free));
    OK(cuGraphExecDestroy(freeing));
    OK(cuGraphDestroy(graph));
    OK(cuGraphDestroy(other));
    OK(cuDeviceGraphMemTrim(0));
    expect_footprint(0);
}

/* Graphs launched into one stream share memory; what is not freed is kept. */
static void footprints(void)
{
    enum { GRAPHS = 3 };
    CUgraph graphs[GRAPHS];
    CUgraphExec execs[GRAPHS];
    CUdeviceptr p[GRAPHS];
    CUgraphNode alloc, release;
    cuuint64_t zero = 0, one = 1;

    OK(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, &zero));
    IS(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, &one), CUDA_ERROR_INVALID_VALUE);
    IS(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &zero), CUDA_ERROR_INVALID_VALUE);
    for (int i = 0; i < GRAPHS; i++) {
        graphs[i] = new_graph();
        p[i] = add_alloc(graphs[i], NULL, 0, &alloc);
        OK(cuGraphAddMemFreeNode(&release, graphs[i], &alloc, 1, p[i]));
        execs[i] = instantiate(graphs[i], 0);
        OK(cuGraphLaunch(execs[i], s));
        expect_footprint(BYTES);
    }
    CHECK(p[0] != p[1] && p[1] != p[2]);
    OK(cuStreamSynchronize(s));
    EQUALS(amount(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), BYTES);
    EQUALS(amount(CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH), BYTES);
    for (int i = 0; i < GRAPHS; i++) {
        OK(cuGraphExecDestroy(execs[i]));
        OK(cuGraphDestroy(graphs[i]));
    }
    EQUALS(amount(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 0);
    OK(cuDeviceGraphMemTrim(0));
    for (int i = 0; i < GRAPHS; i++) {
        graphs[i] = new_graph();
        p[i] = add_alloc(graphs[i], NULL, 0, &alloc);
        execs[i] = instantiate(graphs[i], 0);
        run(execs[i]);
        expect_footprint((cuuint64_t)(i + 1) * BYTES);
    }
    for (int i = 0; i < GRAPHS; i++) {
        OK(cuMemFreeAsync(p[i], s));
    }
    OK(cuStreamSynchronize(s));
    expect_footprint(GRAPHS * BYTES);
    OK(cuDeviceGraphMemTrim(0));
    expect_footprint(0);
    for (int i = 0; i < GRAPHS; i++) {
        OK(cuGraphExecDestroy(execs[i]));
        OK(cuGraphDestroy(graphs[i]));
    }
}

static void what_such_graphs_cannot_do(void)
{
    CUgraph graph = new_graph(), parent = new_graph(), clone, inner;
    CUgraphNode alloc, set, node;
    CUDA_MEM_ALLOC_NODE_PARAMS bad = request(0);
    const CUDA_MEMSET_NODE_PARAMS fill = {.dst = 4, .elementSize = 4, .width = 4, .height = 1};
    CUgraphNodeParams move = {.type = CU_GRAPH_NODE_TYPE_GRAPH};
    CUgraphExec exec, second;

    IS(cuGraphAddMemAllocNode(&node, graph, NULL, 0, &bad), CUDA_ERROR_INVALID_VALUE);
    bad = request(4);
    bad.poolProps.location.id = 99;
    IS(cuGraphAddMemAllocNode(&node, graph, NULL, 0, &bad), CUDA_ERROR_INVALID_VALUE);
    IS(cuGraphAddMemAllocNode(&node, graph, NULL, 0, NULL), CUDA_ERROR_INVALID_VALUE);
    IS(cuGraphAddMemsetNode(&node, graph, NULL, 0, &fill, NULL), CUDA_ERROR_INVALID_VALUE); /* in no context */
    CUdeviceptr p = add_alloc(graph, NULL, 0, &alloc);

    set = add_set(graph, alloc, p, 1);
    CHECK(cuGraphDestroyNode(set) != CUDA_SUCCESS);
    CHECK(cuGraphRemoveDependencies(graph, &alloc, &set, NULL, 1) != CUDA_SUCCESS);
    CHECK(cuGraphClone(&clone, graph) != CUDA_SUCCESS);
    CHECK(cuGraphAddChildGraphNode(&node, parent, NULL, 0, graph) != CUDA_SUCCESS);
    exec = instantiate(graph, 0);
    CHECK(cuGraphInstantiate(&second, graph, 0) != CUDA_SUCCESS);
    OK(cuGraphExecDestroy(exec));

    /* It can be moved into another graph. */
    move.graph.graph = graph;
    move.graph.ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
    OK(cuGraphAddNode(&node, parent, NULL, NULL, 0, &move));
    OK(cuGraphChildGraphNodeGetGraph(node, &inner));
    CHECK(inner == graph);
    CHECK(cuGraphInstantiate(&second, graph, 0) != CUDA_SUCCESS);
    CHECK(cuGraphDestroy(graph) != CUDA_SUCCESS);
    exec = instantiate(parent, 0);
    run(exec);
    OK(cuMemFree(p));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(parent));
}

/* Allocation and free in stream order become nodes. */
static void captured(void)
{
    CUgraph graph;
    CUgraphNode nodes[3];
    CUgraphNodeType type;
    CUdeviceptr p, q;
    unsigned value = 0;
    size_t n = 3;

    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemAllocAsync(&p, BYTES, s));
    OK(cuMemsetD32Async(p, 9, 4, s));
    OK(cuMemFreeAsync(p, s));
    OK(cuStreamEndCapture(s, &graph));
    OK(cuGraphGetNodes(graph, nodes, &n));
    CHECK(n == 3);
    OK(cuGraphNodeGetType(nodes[0], &type));
    CHECK(type == CU_GRAPH_NODE_TYPE_MEM_ALLOC);
    OK(cuGraphNodeGetType(nodes[2], &type));
    CHECK(type == CU_GRAPH_NODE_TYPE_MEM_FREE);
    CUgraphExec exec = instantiate(graph, 0);

    run(exec);
    run(exec);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));

    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemAllocAsync(&q, BYTES, s));
    OK(cuMemsetD32Async(q, 11, 4, s));
    OK(cuStreamEndCapture(s, &graph));
    exec = instantiate(graph, 0);
    run(exec);
    OK(cuMemcpyDtoH(&value, q, 4));
    CHECK(value == 11);
    OK(cuMemFreeAsync(q, s));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuStreamSynchronize(s));
}

int main(void)
{
    context = use_device();
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    within_a_graph();
    addresses_are_used_again();
    freed_by_others();
    footprints();
    what_such_graphs_cannot_do();
    captured();
    return 0;
}
