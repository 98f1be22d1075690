/* Graphs through the runtime API: every kind of node, parameters there and back, capture, updates, clones, user
 * objects. */
#include "newest.h"
#include "registration.h"

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

enum { COUNT = 64 };

static const char scale_stub[1]; /* of the kernel: graphs name kernels by their host stubs */

struct buffers {
    float in[COUNT], out[COUNT];
    float *x, *y; /* of the device */
};

static void make_buffers(struct buffers *b)
{
    for (int i = 0; i < COUNT; i++) {
        b->in[i] = (float)i;
        b->out[i] = -1;
    }
    CHECK_OK(cudaMalloc((void **)&b->x, sizeof b->in));
    CHECK_OK(cudaMalloc((void **)&b->y, sizeof b->out));
}

static void drop_buffers(struct buffers *b)
{
    CHECK_OK(cudaFree(b->x));
    CHECK_OK(cudaFree(b->y));
}

static void run(cudaGraphExec_t exec)
{
    CHECK_OK(cudaGraphLaunch(exec, NULL));
    CHECK_OK(cudaStreamSynchronize(NULL));
}

static void expect_scaled(const struct buffers *b, float factor)
{
    for (int i = 0; i < COUNT; i++) {
        CHECK(b->out[i] == factor * b->in[i]);
    }
}

/* --- nodes made by hand ----------------------------------------------------------------------- */
/* in -> x, y = a * x, y -> out; then with other parameters, in the graph and in its executable form. */
static void copies_and_a_kernel(void)
{
    struct buffers b;
    float a = 3, other = 5;
    unsigned n = COUNT;
    void *arguments[] = {&b.y, &b.x, &a, &n}, *other_arguments[] = {&b.y, &b.x, &other, &n};
    struct cudaKernelNodeParams kernel = {.func = (void *)scale_stub, .kernelParams = arguments}, back;
    struct cudaMemcpy3DParms copy;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t nodes[3];
    enum cudaGraphNodeType type;
    size_t count = 0;

    kernel.gridDim = extent(2, 1, 1);
    kernel.blockDim = extent(32, 1, 1);
    make_buffers(&b);
    CHECK_OK(cudaGraphCreate(&graph, 0));
    CHECK_OK(cudaGraphAddMemcpyNode1D(&nodes[0], graph, NULL, 0, b.x, b.in, sizeof b.in, cudaMemcpyHostToDevice));
    CHECK_OK(cudaGraphAddKernelNode(&nodes[1], graph, &nodes[0], 1, &kernel));
    CHECK_OK(
        cudaGraphAddMemcpyNode1D(&nodes[2], graph, &nodes[1], 1, b.out, b.y, sizeof b.out, cudaMemcpyDeviceToHost));
    CHECK_OK(cudaGraphGetNodes(graph, NULL, &count));
    CHECK_EQUAL(count, 3);
    CHECK_OK(cudaGraphNodeGetType(nodes[1], &type));
    CHECK_EQUAL(type, cudaGraphNodeTypeKernel);

    CHECK_OK(cudaGraphKernelNodeGetParams(nodes[1], &back));
    CHECK(back.gridDim.x == 2 && back.gridDim.z == 1 && back.blockDim.x == 32 && back.sharedMemBytes == 0);
    CHECK(*(float *)back.kernelParams[2] == 3 && *(unsigned *)back.kernelParams[3] == COUNT);
    CHECK_OK(cudaGraphMemcpyNodeGetParams(nodes[2], &copy));
    CHECK(copy.srcPtr.ptr == b.y && copy.dstPtr.ptr == b.out && copy.srcArray == NULL && copy.dstArray == NULL);
    CHECK_EQUAL(copy.extent.width, sizeof b.out);
    CHECK_EQUAL(copy.kind, cudaMemcpyDeviceToHost);

    CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
    run(exec);
    expect_scaled(&b, 3);

    kernel.kernelParams = other_arguments;
    CHECK_OK(cudaGraphExecKernelNodeSetParams(exec, nodes[1], &kernel));
    run(exec);
    expect_scaled(&b, 5);

    /* What a node says of itself can be given back to it: the function is one that the runtime knows. */
    CHECK_OK(cudaGraphKernelNodeSetParams(nodes[1], &back));
    CHECK_OK(cudaGraphExecUpdate(exec, graph, &(cudaGraphExecUpdateResultInfo){0}));
    run(exec);
    expect_scaled(&b, 3);

    CHECK_OK(cudaGraphMemcpyNodeSetParams1D(nodes[2], b.out, b.x, sizeof b.out, cudaMemcpyDeviceToHost));
    CHECK_OK(cudaGraphExecMemcpyNodeSetParams1D(exec, nodes[2], b.out, b.x, sizeof b.out, cudaMemcpyDeviceToHost));
    run(exec);
    expect_scaled(&b, 1);

    CHECK_CODE(cudaGraphAddKernelNode(&nodes[1], graph, NULL, 0, NULL), cudaErrorInvalidValue);
    kernel.func = &kernel;
    CHECK_CODE(cudaGraphAddKernelNode(&nodes[1], graph, NULL, 0, &kernel), cudaErrorInvalidResourceHandle);
    CHECK_CODE(cudaGraphAddMemcpyNode1D(&nodes[0], graph, NULL, 0, b.x, b.in, 4, (enum cudaMemcpyKind)7),
               cudaErrorInvalidMemcpyDirection);
    cudaGetLastError();
    CHECK_OK(cudaGraphExecDestroy(exec));
    CHECK_OK(cudaGraphDestroy(graph));
    drop_buffers(&b);
}

/* Boxes in an array, of which positions and widths count elements. */
static void copies_of_arrays(void)
{
    enum { WIDTH = 8, HEIGHT = 8 };
    const struct cudaChannelFormatDesc desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    struct buffers b;
    struct cudaMemcpy3DParms copy = {.kind = cudaMemcpyHostToDevice}, back;
    cudaArray_t array = NULL;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t in, out;

    make_buffers(&b);
    CHECK_OK(cudaMallocArray(&array, &desc, WIDTH, HEIGHT, 0));
    CHECK_OK(cudaGraphCreate(&graph, 0));
    copy.srcPtr = (struct cudaPitchedPtr){.ptr = b.in, .pitch = WIDTH * 4, .xsize = WIDTH, .ysize = HEIGHT};
    copy.dstArray = array;
    copy.extent = (struct cudaExtent){.width = WIDTH, .height = HEIGHT, .depth = 1};
    CHECK_OK(cudaGraphAddMemcpyNode(&in, graph, NULL, 0, &copy));
    copy = (struct cudaMemcpy3DParms){.srcArray = array, .kind = cudaMemcpyDeviceToHost};
    copy.srcPos = (struct cudaPos){.x = 3, .y = 2};
    copy.dstPtr = (struct cudaPitchedPtr){.ptr = b.out, .pitch = WIDTH * 4, .xsize = WIDTH, .ysize = HEIGHT};
    copy.extent = (struct cudaExtent){.width = 4, .height = 5, .depth = 1};
    CHECK_OK(cudaGraphAddMemcpyNode(&out, graph, &in, 1, &copy));
    CHECK_OK(cudaGraphMemcpyNodeGetParams(out, &back));
    CHECK(back.srcArray == array && back.srcPos.x == 3 && back.srcPos.y == 2 && back.dstPtr.ptr == b.out);
    CHECK(back.extent.width == 4 && back.extent.height == 5 && back.extent.depth == 1);
    CHECK_EQUAL(back.kind, cudaMemcpyDeviceToHost);
    CHECK_OK(cudaGraphMemcpyNodeSetParams(out, &back));
    CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
    run(exec);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            CHECK(b.out[y * WIDTH + x] == (x < 4 && y < 5 ? b.in[(y + 2) * WIDTH + x + 3] : -1));
        }
    }
    copy.srcPos.x = 0;
    CHECK_CODE(cudaGraphExecMemcpyNodeSetParams(exec, out, &copy), cudaErrorInvalidValue); /* for one dimension only */
    cudaGetLastError();
    CHECK_OK(cudaGraphExecDestroy(exec));
    CHECK_OK(cudaGraphDestroy(graph));
    CHECK_OK(cudaFreeArray(array));
    drop_buffers(&b);
}

static void count_up(void *argument)
{
    atomic_fetch_add((atomic_int *)argument, 1);
}

/* Fills, host functions, empty nodes, child graphs and events, with edges added and removed by hand. */
static void the_other_kinds(void)
{
    atomic_int calls = 0;
    uint32_t *memory = NULL, out[8] = {0};
    struct cudaMemsetParams fill = {.value = 0xabcd1234, .elementSize = 4, .width = 8, .height = 1}, fill_back;
    struct cudaHostNodeParams host = {.fn = count_up, .userData = &calls}, host_back;
    cudaGraph_t graph = NULL, child = NULL, child_back = NULL;
    cudaGraphNode_t set, call, empty, record, wait, nested, from[16], to[16];
    cudaGraphExec_t exec = NULL;
    cudaEvent_t event = NULL, event_back = NULL;
    size_t count = 16;

    CHECK_OK(cudaMalloc((void **)&memory, sizeof out));
    CHECK_OK(cudaEventCreate(&event));
    CHECK_OK(cudaGraphCreate(&child, 0));
    CHECK_OK(cudaGraphAddHostNode(&call, child, NULL, 0, &host));
    CHECK_OK(cudaGraphCreate(&graph, 0));
    fill.dst = memory;
    CHECK_OK(cudaGraphAddMemsetNode(&set, graph, NULL, 0, &fill));
    CHECK_OK(cudaGraphAddHostNode(&call, graph, NULL, 0, &host));
    CHECK_OK(cudaGraphAddEmptyNode(&empty, graph, NULL, 0));
    CHECK_OK(cudaGraphAddEventRecordNode(&record, graph, &empty, 1, event));
    CHECK_OK(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, event));
    CHECK_OK(cudaGraphAddChildGraphNode(&nested, graph, &wait, 1, child));
    CHECK_OK(cudaGraphDestroy(child)); /* the node has its own */
    CHECK_OK(
        cudaGraphAddDependencies(graph, (cudaGraphNode_t[]){set, call}, (cudaGraphNode_t[]){empty, empty}, NULL, 2));
    CHECK_OK(cudaGraphGetEdges(graph, from, to, NULL, &count));
    CHECK_EQUAL(count, 5);
    CHECK_OK(cudaGraphGetRootNodes(graph, NULL, &count));
    CHECK_EQUAL(count, 2);
    CHECK_OK(cudaGraphNodeGetDependencies(empty, NULL, NULL, &count));
    CHECK_EQUAL(count, 2);
    CHECK_OK(cudaGraphRemoveDependencies(graph, &call, &empty, NULL, 1));
    CHECK_OK(cudaGraphNodeGetDependentNodes(call, NULL, NULL, &count));
    CHECK_EQUAL(count, 0);

    CHECK_OK(cudaGraphMemsetNodeGetParams(set, &fill_back));
    CHECK(fill_back.dst == memory && fill_back.value == fill.value && fill_back.width == 8);
    CHECK_EQUAL(fill_back.elementSize, 4);
    CHECK_OK(cudaGraphHostNodeGetParams(call, &host_back));
    CHECK(host_back.fn == count_up && host_back.userData == &calls);
    CHECK_OK(cudaGraphEventRecordNodeGetEvent(record, &event_back));
    CHECK(event_back == event);
    CHECK_OK(cudaGraphChildGraphNodeGetGraph(nested, &child_back));
    CHECK(child_back != NULL && child_back != graph);

    CHECK_OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    run(exec);
    CHECK_EQUAL(atomic_load(&calls), 2);
    CHECK_OK(cudaEventSynchronize(event));
    CHECK_OK(cudaMemcpy(out, memory, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 8; i++) {
        CHECK_EQUAL(out[i], 0xabcd1234);
    }
    /* Host nodes of the executable graph alone are changed, then a fill is. */
    fill.value = 0x55;
    fill.elementSize = 1;
    fill.width = 32;
    CHECK_OK(cudaGraphExecMemsetNodeSetParams(exec, set, &fill));
    run(exec);
    CHECK_EQUAL(atomic_load(&calls), 4);
    CHECK_OK(cudaMemcpy(out, memory, sizeof out, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(out[7], 0x55555555);
    CHECK_OK(cudaGraphExecDestroy(exec));
    CHECK_OK(cudaGraphDestroy(graph));
    CHECK_OK(cudaEventDestroy(event));
    CHECK_OK(cudaFree(memory));
}

/* The same through the union of all parameters. */
static void nodes_by_the_general_call(void)
{
    struct buffers b;
    float a = 4;
    unsigned n = COUNT;
    struct cudaGraphNodeParams copy = {.type = cudaGraphNodeTypeMemcpy}, kernel = {.type = cudaGraphNodeTypeKernel},
                               back = {.type = cudaGraphNodeTypeMemcpy}, set = {.type = cudaGraphNodeTypeMemset};
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t nodes[4];
    cudaGraphInstantiateParams how = {.flags = cudaGraphInstantiateFlagUpload};

    make_buffers(&b);
    copy.memcpy.copyParams = (struct cudaMemcpy3DParms){
        .srcPtr = {.ptr = b.in, .pitch = sizeof b.in, .xsize = sizeof b.in, .ysize = 1},
        .dstPtr = {.ptr = b.x, .pitch = sizeof b.in, .xsize = sizeof b.in, .ysize = 1},
        .extent = {.width = sizeof b.in, .height = 1, .depth = 1},
        .kind = cudaMemcpyHostToDevice,
    };
    kernel.kernel.func = (void *)scale_stub;
    kernel.kernel.gridDim = extent(1, 1, 1);
    kernel.kernel.blockDim = extent(COUNT, 1, 1);
    kernel.kernel.kernelParams = (void *[]){&b.y, &b.x, &a, &n};
    back.memcpy.copyParams = copy.memcpy.copyParams;
    back.memcpy.copyParams.srcPtr.ptr = b.y;
    back.memcpy.copyParams.dstPtr.ptr = b.out;
    back.memcpy.copyParams.kind = cudaMemcpyDefault;
    set.memset.dst = b.y;
    set.memset.elementSize = 1;
    set.memset.width = 4;
    set.memset.height = 1;
    CHECK_OK(cudaGraphCreate(&graph, 0));
    CHECK_OK(cudaGraphAddNode(&nodes[0], graph, NULL, NULL, 0, &copy));
    CHECK_OK(cudaGraphAddNode(&nodes[1], graph, &nodes[0], NULL, 1, &kernel));
    CHECK_OK(cudaGraphAddNode(&nodes[2], graph, &nodes[1], NULL, 1, &back));
    CHECK_OK(cudaGraphAddNode(&nodes[3], graph, &nodes[2], NULL, 1, &set));
    CHECK_OK(cudaGraphInstantiateWithParams(&exec, graph, &how));
    CHECK_EQUAL(how.result_out, cudaGraphInstantiateSuccess);
    run(exec);
    expect_scaled(&b, 4);
    kernel.type = (enum cudaGraphNodeType)12; /* nothing that the runtime makes */
    CHECK_CODE(cudaGraphAddNode(&nodes[3], graph, NULL, NULL, 0, &kernel), cudaErrorInvalidValue);
    CHECK_CODE(cudaGraphAddNode(&nodes[3], graph, NULL, NULL, 0, NULL), cudaErrorInvalidValue);
    kernel.type = cudaGraphNodeTypeExtSemaphoreWait;
    CHECK_CODE(cudaGraphAddNode(&nodes[3], graph, NULL, NULL, 0, &kernel), cudaErrorNotSupported);
    cudaGetLastError();
    CHECK_OK(cudaGraphExecDestroy(exec));
    CHECK_OK(cudaGraphDestroy(graph));
    drop_buffers(&b);
}

static void graphs_allocate(void)
{
    struct cudaMemAllocNodeParams allocation = {
        .poolProps = {.allocType = cudaMemAllocationTypePinned, .location = {cudaMemLocationTypeDevice, 0}},
        .bytesize = 1000,
    };
    struct cudaMemsetParams fill = {.value = 9, .elementSize = 1, .width = 1000, .height = 1};
    unsigned char out[1000] = {0};
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t nodes[4];
    void *freed = NULL;
    uint64_t used = 99;

    CHECK_OK(cudaGraphCreate(&graph, 0));
    CHECK_OK(cudaGraphAddMemAllocNode(&nodes[0], graph, NULL, 0, &allocation));
    CHECK(allocation.dptr != NULL);
    fill.dst = allocation.dptr;
    CHECK_OK(cudaGraphAddMemsetNode(&nodes[1], graph, &nodes[0], 1, &fill));
    CHECK_OK(
        cudaGraphAddMemcpyNode1D(&nodes[2], graph, &nodes[1], 1, out, allocation.dptr, 1000, cudaMemcpyDeviceToHost));
    CHECK_OK(cudaGraphAddMemFreeNode(&nodes[3], graph, &nodes[2], 1, allocation.dptr));
    CHECK_OK(cudaGraphMemFreeNodeGetParams(nodes[3], &freed));
    CHECK(freed == allocation.dptr);
    CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
    run(exec);
    run(exec);
    CHECK(out[0] == 9 && out[999] == 9);
    CHECK_OK(cudaGraphExecDestroy(exec));
    CHECK_OK(cudaGraphDestroy(graph));
    CHECK_OK(cudaDeviceGraphMemTrim(0));
    CHECK_OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    CHECK_EQUAL(used, 0);
}

/* --- capture ---------------------------------------------------------------------------------- */
static void capture_with_a_fork(void)
{
    struct buffers b;
    float a = 7;
    unsigned n = COUNT;
    atomic_int calls = 0;
    cudaStream_t stream = NULL, side = NULL;
    cudaEvent_t forked = NULL, joined = NULL;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    enum cudaStreamCaptureStatus status;
    unsigned long long id = 0;
    size_t count = 0;

    make_buffers(&b);
    CHECK_OK(cudaStreamCreate(&stream));
    CHECK_OK(cudaStreamCreate(&side));
    CHECK_OK(cudaEventCreate(&forked));
    CHECK_OK(cudaEventCreate(&joined));
    CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK_OK(cudaStreamIsCapturing(stream, &status));
    CHECK_EQUAL(status, cudaStreamCaptureStatusActive);
    CHECK_OK(cudaStreamGetCaptureInfo(stream, &status, &id, NULL, NULL, NULL, &count));
    CHECK(id != 0 && count == 0);
    CHECK_OK(cudaMemcpyAsync(b.x, b.in, sizeof b.in, cudaMemcpyHostToDevice, stream));
    CHECK_OK(cudaEventRecord(forked, stream));
    CHECK_OK(cudaStreamWaitEvent(side, forked, 0));
    CHECK_OK(cudaLaunchHostFunc(side, count_up, &calls));
    CHECK_OK(cudaEventRecord(joined, side));
    CHECK_OK(
        cudaLaunchKernel(scale_stub, extent(1, 1, 1), extent(COUNT, 1, 1), (void *[]){&b.y, &b.x, &a, &n}, 0, stream));
    CHECK_OK(cudaStreamWaitEvent(stream, joined, 0));
    CHECK_OK(cudaMemcpyAsync(b.out, b.y, sizeof b.out, cudaMemcpyDeviceToHost, stream));
    CHECK_OK(cudaStreamEndCapture(stream, &graph));
    CHECK_OK(cudaStreamIsCapturing(stream, &status));
    CHECK_EQUAL(status, cudaStreamCaptureStatusNone);
    CHECK(b.out[1] == -1 && atomic_load(&calls) == 0); /* nothing has run */
    CHECK_OK(cudaGraphGetNodes(graph, NULL, &count));
    CHECK_EQUAL(count, 4);
    CHECK_OK(cudaGraphGetEdges(graph, NULL, NULL, NULL, &count));
    CHECK_EQUAL(count, 4);
    CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 1; i <= 3; i++) {
        CHECK_OK(cudaGraphLaunch(exec, stream));
        CHECK_OK(cudaStreamSynchronize(stream));
        expect_scaled(&b, 7);
        CHECK_EQUAL(atomic_load(&calls), i);
    }
    CHECK_OK(cudaGraphExecDestroy(exec));
    CHECK_OK(cudaGraphDestroy(graph));
    CHECK_OK(cudaEventDestroy(forked));
    CHECK_OK(cudaEventDestroy(joined));
    CHECK_OK(cudaStreamDestroy(stream));
    CHECK_OK(cudaStreamDestroy(side));
    drop_buffers(&b);
}

static void what_cannot_be_captured(void)
{
    cudaStream_t stream = NULL, side = NULL;
    cudaEvent_t event = NULL;
    cudaGraph_t graph = NULL;
    void *memory = NULL;

    CHECK_OK(cudaStreamCreate(&stream));
    CHECK_OK(cudaStreamCreate(&side));
    CHECK_OK(cudaEventCreate(&event));
    CHECK_CODE(cudaStreamBeginCapture(NULL, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
    CHECK_CODE(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);

    CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK_CODE(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
    CHECK_CODE(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
    CHECK(graph == NULL);

    CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    CHECK_OK(cudaMalloc(&memory, 16)); /* allowed in this mode */
    CHECK_OK(cudaMemsetAsync(memory, 0, 16, stream));
    CHECK_OK(cudaEventRecord(event, stream));
    CHECK_OK(cudaStreamWaitEvent(side, event, 0));
    CHECK_OK(cudaMemsetAsync(memory, 1, 16, side));
    CHECK_CODE(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);
    CHECK_OK(cudaStreamSynchronize(side));
    CHECK_OK(cudaFree(memory));
    CHECK_OK(cudaEventDestroy(event));
    CHECK_OK(cudaStreamDestroy(stream));
    CHECK_OK(cudaStreamDestroy(side));
    cudaGetLastError();
}

/* --- whole graphs ----------------------------------------------------------------------------- */
static void drop(void *argument)
{
    atomic_fetch_add((atomic_int *)argument, 1);
}

static void graphs_keep_objects_alive(void)
{
    atomic_int drops = 0;
    cudaUserObject_t object = NULL;
    cudaGraph_t graph = NULL, clone = NULL;

    CHECK_OK(cudaUserObjectCreate(&object, &drops, drop, 1, cudaUserObjectNoDestructorSync));
    CHECK_OK(cudaGraphCreate(&graph, 0));
    CHECK_OK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    CHECK_OK(cudaGraphClone(&clone, graph));
    CHECK_OK(cudaGraphDestroy(graph));
    CHECK_OK(cudaDeviceSynchronize());
    CHECK_EQUAL(atomic_load(&drops), 0);
    CHECK_OK(cudaGraphDestroy(clone));
    for (int i = 0; i < 10000 && atomic_load(&drops) == 0; i++) { /* destructors run when the driver sees fit */
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    CHECK_EQUAL(atomic_load(&drops), 1);
}

static void clones_have_nodes_of_their_own(void)
{
    atomic_int calls = 0;
    struct cudaHostNodeParams host = {.fn = count_up, .userData = &calls};
    cudaGraph_t graph = NULL, clone = NULL;
    cudaGraphNode_t node, twin = NULL;
    cudaGraphExec_t exec = NULL;
    unsigned enabled = 99;

    CHECK_OK(cudaGraphCreate(&graph, 0));
    CHECK_OK(cudaGraphAddHostNode(&node, graph, NULL, 0, &host));
    CHECK_OK(cudaGraphClone(&clone, graph));
    CHECK_OK(cudaGraphNodeFindInClone(&twin, node, clone));
    CHECK(twin != NULL && twin != node);
    CHECK_OK(cudaGraphDestroyNode(node));
    CHECK_OK(cudaGraphInstantiate(&exec, clone, 0));
    run(exec);
    CHECK_EQUAL(atomic_load(&calls), 1);
    CHECK_CODE(cudaGraphNodeGetEnabled(exec, twin, &enabled), cudaErrorInvalidValue); /* kernels and fills only */
    cudaGetLastError();
    CHECK_OK(cudaGraphExecDestroy(exec));
    CHECK_OK(cudaGraphDestroy(graph));
    CHECK_OK(cudaGraphDestroy(clone));
}

int main(void)
{
    struct wrapper wrapper = wrap(kernels_ptx, 70);
    void **module = __cudaRegisterFatBinary(&wrapper);

    register_function(module, scale_stub, "scale");
    __cudaRegisterFatBinaryEnd(module);
    copies_and_a_kernel();
    copies_of_arrays();
    the_other_kinds();
    nodes_by_the_general_call();
    graphs_allocate();
    capture_with_a_fork();
    what_cannot_be_captured();
    graphs_keep_objects_alive();
    clones_have_nodes_of_their_own();
    CHECK_OK(cudaGetLastError());
    __cudaUnregisterFatBinary(module);
    unwrap(wrapper);
    return 0;
}
