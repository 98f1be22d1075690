/* Graphs through the driver API: topology, parameters, executable graphs and their updates, and what is refused. */
#include "driver_check.h"

static CUcontext context;
static CUmodule module;
static CUdeviceptr cells; /* 16 words */

static unsigned cell(int i)
{
    unsigned value;

    OK(cuMemcpyDtoH(&value, cells + 4 * (unsigned)i, 4));
    return value;
}

static void clear_cells(void)
{
    OK(cuMemsetD32(cells, 0, 16));
}

static void run(CUgraphExec exec)
{
    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
}

static CUgraph new_graph(void)
{
    CUgraph graph = NULL;

    OK(cuGraphCreate(&graph, 0));
    return graph;
}

static CUgraphExec instantiate(CUgraph graph)
{
    CUgraphExec exec = NULL;

    OK(cuGraphInstantiate(&exec, graph, 0));
    return exec;
}

static CUgraphNode add_kernel(CUgraph graph, const CUgraphNode *after, size_t count, int at, unsigned n)
{
    CUdeviceptr d = cells + 4 * (unsigned)at;
    void *arguments[] = {&d, &n};
    CUDA_KERNEL_NODE_PARAMS p = {.func = driver_kernel(module, "add"), .kernelParams = arguments};
    CUgraphNode node = NULL;

    p.gridDimX = p.gridDimY = p.gridDimZ = p.blockDimX = p.blockDimY = p.blockDimZ = 1;
    OK(cuGraphAddKernelNode(&node, graph, after, count, &p));
    return node;
}

static CUgraphNode add_memset(CUgraph graph, const CUgraphNode *after, size_t count, int at, unsigned value)
{
    const CUDA_MEMSET_NODE_PARAMS p = {
        .dst = cells + 4 * (unsigned)at, .value = value, .elementSize = 4, .width = 1, .height = 1};
    CUgraphNode node = NULL;

    OK(cuGraphAddMemsetNode(&node, graph, after, count, &p, context));
    return node;
}

/* --- topology ----------------------------------------------------------------------------------------------------- */
static void lists_of_nodes_and_edges(void)
{
    CUgraph graph = new_graph();
    CUgraphNode a, b, c, nodes[8], from[8], to[8];
    CUgraphEdgeData data[8];
    size_t n;

    OK(cuGraphAddEmptyNode(&a, graph, NULL, 0));
    OK(cuGraphAddEmptyNode(&b, graph, NULL, 0));
    OK(cuGraphAddEmptyNode(&c, graph, (CUgraphNode[]){a, b}, 2));
    OK(cuGraphGetNodes(graph, NULL, &n));
    CHECK(n == 3);
    n = 2; /* too few places: the first ones */
    OK(cuGraphGetNodes(graph, nodes, &n));
    CHECK(n == 2);
    n = 8; /* too many: the rest is NULL */
    memset(nodes, 1, sizeof nodes);
    OK(cuGraphGetNodes(graph, nodes, &n));
    CHECK(n == 3 && nodes[3] == NULL && nodes[7] == NULL);
    n = 8;
    OK(cuGraphGetRootNodes(graph, nodes, &n));
    CHECK(n == 2);
    n = 8;
    OK(cuGraphGetEdges(graph, from, to, NULL, &n));
    CHECK(n == 2 && to[0] == c && to[1] == c && from[2] == NULL && to[2] == NULL);
    n = 8;
    OK(cuGraphGetEdges(graph, from, to, data, &n));
    CHECK(n == 2 && data[0].type == CU_GRAPH_DEPENDENCY_TYPE_DEFAULT);
    n = 8;
    OK(cuGraphNodeGetDependencies(c, nodes, NULL, &n));
    CHECK(n == 2 && nodes[0] == a && nodes[1] == b);
    n = 8;
    OK(cuGraphNodeGetDependentNodes(a, nodes, NULL, &n));
    CHECK(n == 1 && nodes[0] == c);
    IS(cuGraphNodeGetDependencies(c, NULL, data, &n), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphRemoveDependencies(graph, &a, &c, NULL, 1));
    IS(cuGraphRemoveDependencies(graph, &a, &c, NULL, 1), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphDestroyNode(b));
    OK(cuGraphNodeGetDependencies(c, NULL, NULL, &n));
    CHECK(n == 0);
    OK(cuGraphDestroy(graph));
}

static void edges_that_are_refused(void)
{
    CUgraph graph = new_graph(), other = new_graph();
    CUgraphNode a, b, c, foreign, node;
    CUgraphExec exec;
    CUgraphEdgeData programmatic = {.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC,
                                    .type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC};
    size_t n;

    OK(cuGraphAddEmptyNode(&a, graph, NULL, 0));
    OK(cuGraphAddEmptyNode(&b, graph, &a, 1));
    OK(cuGraphAddEmptyNode(&foreign, other, NULL, 0));
    IS(cuGraphAddEmptyNode(&node, graph, &foreign, 1), CUDA_ERROR_INVALID_VALUE);
    IS(cuGraphAddEmptyNode(&node, graph, (CUgraphNode[]){a, a}, 2), CUDA_ERROR_INVALID_VALUE);
    IS(cuGraphAddEmptyNode(&node, graph, NULL, 1), CUDA_ERROR_INVALID_VALUE);
    IS(cuGraphAddEmptyNode(NULL, graph, NULL, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuGraphAddDependencies(graph, &a, &b, NULL, 1), CUDA_ERROR_INVALID_VALUE);
    IS(cuGraphAddDependencies(graph, &a, &a, NULL, 1), CUDA_ERROR_INVALID_VALUE);
    IS(cuGraphAddDependencies(graph, &a, &foreign, NULL, 1), CUDA_ERROR_INVALID_VALUE);
    /* As on an H200, what comes before a refused edge is there. */
    OK(cuGraphAddEmptyNode(&c, graph, NULL, 0));
    IS(cuGraphAddDependencies(graph, (CUgraphNode[]){a, a}, (CUgraphNode[]){c, b}, NULL, 2), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphNodeGetDependencies(c, NULL, NULL, &n));
    EQUALS(n, 1);
    OK(cuGraphGetNodes(graph, NULL, &n)); /* nothing is left of nodes that were refused */
    CHECK(n == 3);
    /* Only kernels have ports. */
    IS(cuGraphAddDependencies(graph, &a, &c, &programmatic, 1), CUDA_ERROR_INVALID_VALUE);
    /* Cycles are found when the graph is instantiated. */
    OK(cuGraphAddDependencies(graph, &b, &a, NULL, 1));
    IS(cuGraphInstantiate(&exec, graph, 0), CUDA_ERROR_INVALID_VALUE);
    CUDA_GRAPH_INSTANTIATE_PARAMS params = {.flags = 0};
    IS(cuGraphInstantiateWithParams(&exec, graph, &params), CUDA_ERROR_INVALID_VALUE);
    CHECK(params.result_out == CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE);
    CHECK(params.hErrNode_out == a || params.hErrNode_out == b);
    OK(cuGraphDestroy(graph));
    OK(cuGraphDestroy(other));
}

static void edges_between_kernels_may_have_data(void)
{
    CUgraph graph = new_graph();
    CUgraphNode a = add_kernel(graph, NULL, 0, 0, 1), b = add_kernel(graph, NULL, 0, 1, 1), from, to;
    CUgraphEdgeData data = {.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC,
                            .type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC},
                    plain = {0}, back;
    size_t n = 1;

    OK(cuGraphAddDependencies(graph, &a, &b, &data, 1));
    IS(cuGraphGetEdges(graph, &from, &to, NULL, &n), CUDA_ERROR_LOSSY_QUERY);
    n = 1;
    OK(cuGraphGetEdges(graph, &from, &to, &back, &n));
    CHECK(from == a && to == b && memcmp(&data, &back, sizeof data) == 0);
    OK(cuGraphRemoveDependencies(graph, &a, &b, &plain, 1)); /* whatever its data */
    IS(cuGraphRemoveDependencies(graph, &a, &b, &data, 1), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphAddDependencies(graph, &a, &b, &data, 1));
    OK(cuGraphRemoveDependencies(graph, &a, &b, NULL, 1));
    OK(cuGraphDestroy(graph));
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */
static void parameters_there_and_back(void)
{
    CUgraph graph = new_graph();
    CUgraphNode kernel = add_kernel(graph, NULL, 0, 3, 42), set = add_memset(graph, NULL, 0, 1, 7), copy;
    unsigned target = 0;
    const CUDA_MEMCPY3D give = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                                .srcDevice = cells,
                                .dstMemoryType = CU_MEMORYTYPE_HOST,
                                .dstHost = &target,
                                .WidthInBytes = 4,
                                .Height = 1,
                                .Depth = 1};
    CUDA_KERNEL_NODE_PARAMS k;
    CUDA_MEMSET_NODE_PARAMS s;
    CUDA_MEMCPY3D c;

    OK(cuGraphAddMemcpyNode(&copy, graph, NULL, 0, &give, context));
    OK(cuGraphKernelNodeGetParams(kernel, &k));
    CHECK(k.gridDimX == 1 && k.blockDimZ == 1 && k.sharedMemBytes == 0 && k.extra == NULL);
    CHECK(*(CUdeviceptr *)k.kernelParams[0] == cells + 12 && *(unsigned *)k.kernelParams[1] == 42);
    OK(cuGraphKernelNodeSetParams(kernel, &k)); /* what it gave out it takes */
    OK(cuGraphKernelNodeGetParams(kernel, &k));
    CHECK(*(unsigned *)k.kernelParams[1] == 42);
    k.gridDimX = 0;
    IS(cuGraphKernelNodeSetParams(kernel, &k), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphMemsetNodeGetParams(set, &s));
    CHECK(s.dst == cells + 4 && s.value == 7 && s.elementSize == 4 && s.width == 1 && s.height == 1);
    s.elementSize = 3;
    IS(cuGraphMemsetNodeSetParams(set, &s), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphMemcpyNodeGetParams(copy, &c));
    CHECK(c.srcMemoryType == CU_MEMORYTYPE_DEVICE && c.srcDevice == cells && c.dstHost == &target &&
          c.WidthInBytes == 4);
    /* Each getter knows its own kind only. */
    IS(cuGraphKernelNodeGetParams(set, &k), CUDA_ERROR_INVALID_VALUE);
    IS(cuGraphMemsetNodeGetParams(copy, &s), CUDA_ERROR_INVALID_VALUE);
    IS(cuGraphMemcpyNodeGetParams(kernel, &c), CUDA_ERROR_INVALID_VALUE);
    IS(cuGraphKernelNodeGetParams(kernel, NULL), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphDestroy(graph));
}

static void attributes_of_kernels(void)
{
    CUgraph graph = new_graph();
    CUgraphNode a = add_kernel(graph, NULL, 0, 0, 1), b = add_kernel(graph, NULL, 0, 0, 1);
    CUkernelNodeAttrValue value = {.priority = -3}, back;

    OK(cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    value = (CUkernelNodeAttrValue){.cooperative = 1};
    OK(cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    OK(cuGraphKernelNodeGetAttribute(b, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &back));
    CHECK(back.cooperative == 0);
    OK(cuGraphKernelNodeCopyAttributes(b, a));
    OK(cuGraphKernelNodeGetAttribute(b, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &back));
    CHECK(back.cooperative == 1);
    OK(cuGraphKernelNodeGetAttribute(b, CU_LAUNCH_ATTRIBUTE_PRIORITY, &back));
    CHECK(back.priority == -3);
    IS(cuGraphKernelNodeGetAttribute(b, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &back), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphDestroy(graph));
}

static void clones_and_children(void)
{
    CUgraph child = new_graph(), parent = new_graph(), inner, clone;
    CUgraphNode first = add_memset(parent, NULL, 0, 0, 100), node, found, last;
    CUgraphNodeType type;
    size_t n;

    add_kernel(child, NULL, 0, 0, 5);
    clear_cells();
    OK(cuGraphAddChildGraphNode(&node, parent, &first, 1, child));
    OK(cuGraphChildGraphNodeGetGraph(node, &inner));
    CHECK(inner != child);
    IS(cuGraphDestroy(inner), CUDA_ERROR_INVALID_VALUE);
    last = add_kernel(parent, &node, 1, 0, 1000);
    OK(cuGraphClone(&clone, parent));
    OK(cuGraphNodeFindInClone(&found, node, clone));
    OK(cuGraphNodeGetType(found, &type));
    CHECK(type == CU_GRAPH_NODE_TYPE_GRAPH && found != node);
    OK(cuGraphNodeFindInClone(&found, last, clone));
    OK(cuGraphDestroyNode(found));
    OK(cuGraphGetNodes(parent, NULL, &n));
    CHECK(n == 3);
    OK(cuGraphDestroy(child)); /* the copy lives on */

    CUgraphExec whole = instantiate(parent), part = instantiate(clone);

    OK(cuGraphDestroy(parent));
    OK(cuGraphDestroy(clone));
    run(whole);
    CHECK(cell(0) == 1105);
    run(part);
    CHECK(cell(0) == 105);
    OK(cuGraphExecDestroy(whole));
    OK(cuGraphExecDestroy(part));
    IS(cuGraphLaunch(part, NULL), CUDA_ERROR_INVALID_VALUE);
    IS(cuGraphExecDestroy(part), CUDA_ERROR_INVALID_VALUE);
}

static void nodes_by_tagged_union(void)
{
    CUgraph graph = new_graph();
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEMSET};
    CUgraphNode node, second;
    size_t n;

    clear_cells();
    p.memset = (CUDA_MEMSET_NODE_PARAMS_v2){
        .dst = cells, .value = 9, .elementSize = 4, .width = 1, .height = 1, .ctx = context};
    OK(cuGraphAddNode(&node, graph, NULL, NULL, 0, &p));
    p.memset.dst = cells + 4;
    OK(cuGraphAddNode(&second, graph, &node, NULL, 1, &p));
    p.memset.value = 11;
    OK(cuGraphNodeSetParams(second, &p));
    p.reserved2 = 1;
    IS(cuGraphAddNode(&node, graph, NULL, NULL, 0, &p), CUDA_ERROR_INVALID_VALUE);
    p = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_HOST};
    IS(cuGraphNodeSetParams(second, &p), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphGetNodes(graph, NULL, &n));
    CHECK(n == 2);

    CUgraphExec exec = instantiate(graph);

    run(exec);
    CHECK(cell(0) == 9 && cell(1) == 11);
    p = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_MEMSET};
    p.memset = (CUDA_MEMSET_NODE_PARAMS_v2){
        .dst = cells + 8, .value = 13, .elementSize = 4, .width = 1, .height = 1, .ctx = context};
    OK(cuGraphExecNodeSetParams(exec, second, &p));
    run(exec);
    CHECK(cell(2) == 13);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

/* --- executable graphs -------------------------------------------------------------------------------------------- */
static void nodes_are_turned_off(void)
{
    CUgraph graph = new_graph();
    CUgraphNode a = add_kernel(graph, NULL, 0, 0, 1), b = add_kernel(graph, &a, 1, 1, 1), empty;
    unsigned enabled;

    OK(cuGraphAddEmptyNode(&empty, graph, &b, 1));
    clear_cells();
    CUgraphExec exec = instantiate(graph);

    OK(cuGraphNodeSetEnabled(exec, a, 0));
    OK(cuGraphNodeGetEnabled(exec, a, &enabled));
    CHECK(enabled == 0);
    run(exec);
    CHECK(cell(0) == 0 && cell(1) == 1);
    OK(cuGraphNodeSetEnabled(exec, a, 1));
    run(exec);
    CHECK(cell(0) == 1 && cell(1) == 2);
    IS(cuGraphNodeSetEnabled(exec, empty, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

static void parameters_of_executable_graphs(void)
{
    CUgraph graph = new_graph();
    CUgraphNode kernel = add_kernel(graph, NULL, 0, 0, 1), set = add_memset(graph, &kernel, 1, 1, 5);
    CUDA_KERNEL_NODE_PARAMS k, before;
    CUDA_MEMSET_NODE_PARAMS s;
    CUgraphExec exec = instantiate(graph);
    CUdeviceptr d = cells + 8;
    unsigned n = 30;
    void *arguments[] = {&d, &n};

    clear_cells();
    OK(cuGraphKernelNodeGetParams(kernel, &k));
    k.kernelParams = arguments;
    OK(cuGraphExecKernelNodeSetParams(exec, kernel, &k));
    OK(cuGraphKernelNodeGetParams(kernel, &before)); /* the graph itself is as it was */
    CHECK(*(unsigned *)before.kernelParams[1] == 1);
    OK(cuGraphMemsetNodeGetParams(set, &s));
    s.value = 6;
    OK(cuGraphExecMemsetNodeSetParams(exec, set, &s, context));
    run(exec);
    CHECK(cell(0) == 0 && cell(1) == 6 && cell(2) == 30);
    IS(cuGraphExecMemsetNodeSetParams(exec, kernel, &s, context), CUDA_ERROR_INVALID_VALUE);
    s.height = 2;
    s.pitch = 8;
    IS(cuGraphExecMemsetNodeSetParams(exec, set, &s, context), CUDA_ERROR_INVALID_VALUE);
    run(exec); /* a refused change changes nothing */
    CHECK(cell(1) == 6 && cell(2) == 60);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

/* a, then b and c side by side; with other numbers. */
static CUgraph forked(unsigned n, CUgraphNode *nodes)
{
    CUgraph graph = new_graph();

    nodes[0] = add_memset(graph, NULL, 0, 0, n);
    nodes[1] = add_kernel(graph, &nodes[0], 1, 0, 1);
    nodes[2] = add_kernel(graph, &nodes[0], 1, 1, n);
    return graph;
}

static void updates_from_whole_graphs(void)
{
    CUgraphNode nodes[4], more[4];
    CUgraph graph = forked(10, nodes), other = forked(20, more);
    CUgraphExec exec = instantiate(graph);
    CUgraphExecUpdateResultInfo info;

    clear_cells();
    OK(cuGraphExecUpdate(exec, other, &info));
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS && info.errorNode == NULL);
    run(exec);
    CHECK(cell(0) == 21 && cell(1) == 20);

    OK(cuGraphAddEmptyNode(&more[3], other, NULL, 0)); /* another number of nodes */
    IS(cuGraphExecUpdate(exec, other, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED && info.errorNode == NULL);
    OK(cuGraphDestroyNode(more[3]));

    OK(cuGraphDestroyNode(more[2])); /* another kind of node */
    more[2] = add_memset(other, &more[0], 1, 2, 1);
    IS(cuGraphExecUpdate(exec, other, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED && info.errorNode == more[2]);

    OK(cuGraphDestroyNode(more[2])); /* another edge */
    more[2] = add_kernel(other, NULL, 0, 2, 1);
    IS(cuGraphExecUpdate(exec, other, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED && info.errorNode == more[2]);
    IS(cuGraphExecUpdate(exec, NULL, &info), CUDA_ERROR_INVALID_VALUE);
    run(exec);
    CHECK(cell(0) == 21 && cell(1) == 40);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuGraphDestroy(other));
}

static void updates_of_children(void)
{
    CUgraph child = new_graph(), next = new_graph(), graph = new_graph();
    CUgraphNode node;

    add_kernel(child, NULL, 0, 0, 1);
    add_kernel(next, NULL, 0, 0, 50);
    OK(cuGraphAddChildGraphNode(&node, graph, NULL, 0, child));
    CUgraphExec exec = instantiate(graph);

    clear_cells();
    run(exec);
    OK(cuGraphExecChildGraphNodeSetParams(exec, node, next));
    run(exec);
    CHECK(cell(0) == 51);
    add_kernel(next, NULL, 0, 0, 1);
    IS(cuGraphExecChildGraphNodeSetParams(exec, node, next), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuGraphDestroy(child));
    OK(cuGraphDestroy(next));
}

static void flags_of_instantiation(void)
{
    CUgraph graph = new_graph();
    CUgraphExec exec;
    CUDA_GRAPH_INSTANTIATE_PARAMS params = {.flags = CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY};
    cuuint64_t flags;

    add_kernel(graph, NULL, 0, 0, 1);
    OK(cuGraphInstantiateWithParams(&exec, graph, &params));
    CHECK(params.result_out == CUDA_GRAPH_INSTANTIATE_SUCCESS && params.hErrNode_out == NULL);
    OK(cuGraphExecGetFlags(exec, &flags));
    EQUALS(flags, 0); /* as on an H200 */
    OK(cuGraphUpload(exec, NULL));
    OK(cuGraphExecDestroy(exec));
    IS(cuGraphInstantiate(&exec, graph, 1 << 20), CUDA_ERROR_INVALID_VALUE);
    IS(cuGraphInstantiate(&exec, NULL, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuGraphInstantiate(NULL, graph, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphDestroy(graph));
}

/* --- events, host functions, user objects ------------------------------------------------------------------------- */
static void add_one(void *counter)
{
    __atomic_add_fetch((int *)counter, 1, __ATOMIC_SEQ_CST);
}

static void events_in_graphs(void)
{
    CUgraph graph = new_graph();
    CUevent start, end, back;
    CUgraphNode a, host, b;
    int calls = 0;
    const CUDA_HOST_NODE_PARAMS p = {.fn = add_one, .userData = &calls};
    float ms = -1;

    OK(cuEventCreate(&start, 0));
    OK(cuEventCreate(&end, 0));
    OK(cuGraphAddEventRecordNode(&a, graph, NULL, 0, start));
    OK(cuGraphAddHostNode(&host, graph, &a, 1, &p));
    OK(cuGraphAddEventRecordNode(&b, graph, &host, 1, start));
    OK(cuGraphEventRecordNodeSetEvent(b, end));
    OK(cuGraphEventRecordNodeGetEvent(b, &back));
    CHECK(back == end);
    IS(cuGraphEventWaitNodeGetEvent(b, &back), CUDA_ERROR_INVALID_VALUE);
    IS(cuGraphAddEventWaitNode(&a, graph, NULL, 0, NULL), CUDA_ERROR_INVALID_VALUE);
    CUgraphExec exec = instantiate(graph);

    OK(cuGraphLaunch(exec, NULL));
    OK(cuEventSynchronize(end));
    CHECK(calls == 1);
    OK(cuEventElapsedTime(&ms, start, end));
    CHECK(ms >= 0);
    OK(cuEventDestroy(start)); /* the graphs have it still */
    run(exec);
    CHECK(calls == 2);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuEventDestroy(end));
}

static void wait_for(const int *counter, int value)
{
    while (__atomic_load_n(counter, __ATOMIC_SEQ_CST) != value) {
    }
}

static void user_objects_live_as_long_as_graphs(void)
{
    CUgraph graph = new_graph(), clone;
    CUuserObject object;
    int destroyed = 0;

    IS(cuUserObjectCreate(&object, &destroyed, add_one, 1, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuUserObjectCreate(&object, &destroyed, add_one, 0, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC),
       CUDA_ERROR_INVALID_VALUE);
    OK(cuUserObjectCreate(&object, &destroyed, add_one, 2, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    OK(cuUserObjectRetain(object, 1));
    OK(cuUserObjectRelease(object, 2));
    OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    OK(cuGraphClone(&clone, graph));
    CUgraphExec exec = instantiate(graph);

    OK(cuGraphReleaseUserObject(graph, object, 1));
    OK(cuGraphDestroy(graph));
    run(exec);
    OK(cuGraphExecDestroy(exec));
    OK(cuCtxSynchronize());
    CHECK(destroyed == 0);
    OK(cuGraphDestroy(clone));
    wait_for(&destroyed, 1);
}

/* --- what nodes use goes away ----------------------------------------------------------------------------------------
 */
static void contexts_and_modules_that_are_gone(void)
{
    CUcontext own = NULL;
    CUmodule module_there;
    CUgraph graph = new_graph();
    CUgraphNode node, second;
    CUgraphExec exec;
    CUkernelNodeAttrValue value = {.cooperative = 1};
    CUDA_KERNEL_NODE_PARAMS p;

    OK(cuCtxCreate(&own, NULL, 0, 0));
    OK(cuModuleLoadData(&module_there, driver_ptx));
    p = (CUDA_KERNEL_NODE_PARAMS){.func = driver_kernel(module_there, "nothing")};
    p.gridDimX = p.gridDimY = p.gridDimZ = p.blockDimX = p.blockDimY = p.blockDimZ = 1;
    OK(cuGraphAddKernelNode(&node, graph, NULL, 0, &p));
    OK(cuGraphAddKernelNode(&second, graph, &node, 1, &p));
    exec = instantiate(graph);
    run(exec);
    OK(cuModuleUnload(module_there)); /* the nodes keep the code */
    run(exec);
    OK(cuCtxDestroy(own));
    OK(cuCtxSetCurrent(context));
    IS(cuGraphLaunch(exec, NULL), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    OK(cuGraphKernelNodeGetParams(node, &p));
    CHECK(p.func == NULL);
    CHECK(cuGraphKernelNodeSetParams(node, &p) != CUDA_SUCCESS);
    CHECK(cuGraphKernelNodeSetAttribute(node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value) != CUDA_SUCCESS);
    CHECK(cuGraphKernelNodeCopyAttributes(node, second) != CUDA_SUCCESS);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuCtxSynchronize());
}

/* --- text --------------------------------------------------------------------------------------------------------- */
static void graphs_as_text(void)
{
    CUgraph graph = new_graph();
    CUgraphNode a = add_kernel(graph, NULL, 0, 0, 1);
    char name[] = "/tmp/ptxemu-graph-XXXXXX", text[4096];
    const int file = mkstemp(name);

    add_memset(graph, &a, 1, 1, 2);
    OK(cuGraphDebugDotPrint(graph, name, CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE));
    FILE *in = fdopen(file, "r");
    const size_t n = fread(text, 1, sizeof text - 1, in);

    text[n] = '\0';
    fclose(in);
    remove(name);
    CHECK(strstr(text, "digraph dot {") == text && strstr(text, "KERNEL") != NULL && strstr(text, "MEMSET") != NULL);
    CHECK(strstr(text, "add") != NULL && strstr(text, "->") != NULL);
    IS(cuGraphDebugDotPrint(graph, "/nowhere/at/all", 0), CUDA_ERROR_OPERATING_SYSTEM);
    IS(cuGraphDebugDotPrint(graph, NULL, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphDestroy(graph));
}

int main(void)
{
    context = use_device();
    module = load_driver_ptx();
    OK(cuMemAlloc(&cells, 64));
    lists_of_nodes_and_edges();
    edges_that_are_refused();
    edges_between_kernels_may_have_data();
    parameters_there_and_back();
    attributes_of_kernels();
    clones_and_children();
    nodes_by_tagged_union();
    nodes_are_turned_off();
    parameters_of_executable_graphs();
    updates_from_whole_graphs();
    updates_of_children();
    flags_of_instantiation();
    events_in_graphs();
    user_objects_live_as_long_as_graphs();
    contexts_and_modules_that_are_gone();
    graphs_as_text();
    OK(cuMemFree(cells));
    return 0;
}
