/*
 * Sequences of calls of the driver API: each byte that is read picks a call, the next ones its arguments.  Handles come
 * from slots, which keep them after their end, so calls get valid, stale, null and wrong ones.
 *
 * What a real driver could not survive either is left out: host addresses are those of a buffer that is always there,
 * and streams that wait for memory are let go before a call that could wait for them.
 */
#include "fuzz.h"

#include <cuda.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4, BUFFER_BYTES = 4096, GRANULE = 2 << 20, CALLS_MOST = 400 };

static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.global .align 4 .u32 counter = 7;\n.global .texref tex;\n"
    ".visible .entry nothing()\n{\n    ret;\n}\n"
    ".visible .entry add(.param .u64 d, .param .u32 n)\n"
    "{\n"
    "    .reg .b32 %r<4>;\n    .reg .b64 %rd<2>;\n"
    "    ld.param.u64 %rd1, [d];\n    ld.param.u32 %r1, [n];\n    ld.global.u32 %r2, [%rd1];\n"
    "    add.u32 %r3, %r1, %r2;\n    st.global.u32 [%rd1], %r3;\n    ret;\n"
    "}\n";

/* What calls made.  Only the entries of `live` kinds are looked at by those who must not use stale ones. */
static struct {
    CUcontext context;
    CUdeviceptr memory[SLOTS], managed[SLOTS], range[SLOTS];
    CUstream stream[SLOTS];
    CUevent event[SLOTS];
    CUmodule module[SLOTS];
    CUfunction function[SLOTS];
    CUgraph graph[SLOTS];
    CUgraphNode node[SLOTS];
    CUgraphExec exec[SLOTS];
    CUarray array[SLOTS];
    CUtexObject texture[SLOTS];
    CUtexref reference[SLOTS];
    CUmemoryPool pool[SLOTS];
    CUmemGenericAllocationHandle physical[SLOTS];
    volatile uint32_t *gate; /* pinned: streams wait until it is 1 */
    char buffer[BUFFER_BYTES];
} s;

/* --- reading the input ------------------------------------------------------------------------ */
struct input {
    const uint8_t *at, *end;
};

static unsigned byte(struct input *in)
{
    return in->at == in->end ? 0 : *in->at++;
}

static unsigned slot(struct input *in)
{
    return byte(in) % SLOTS;
}

/* A handle of a kind, mostly: else null, another kind's, or none at all. */
static void *handle(struct input *in, void *const *slots)
{
    const unsigned which = byte(in);

    switch (which) {
    case 250:
        return NULL;
    case 251:
        return s.context;
    case 252:
        return s.event[0];
    case 253:
        return s.buffer;
    case 254:
        return (void *)(uintptr_t)1;
    default:
        return slots[which % SLOTS];
    }
}
#define HANDLE(in, kind) handle(in, (void *const *)s.kind)

/* Sizes around what is interesting. */
static size_t size(struct input *in)
{
    static const size_t sizes[] = {0, 1, 3, 4, 8, 64, 100, 256, 1000, 1024, 4096, 4097, GRANULE, 1 << 24};

    return sizes[byte(in) % (sizeof sizes / sizeof *sizes)];
}

/* An address of device memory, allocated or not, in an allocation or beside it. */
static CUdeviceptr address(struct input *in)
{
    const unsigned which = byte(in), offset = byte(in);
    const CUdeviceptr base = which % 3 == 0   ? s.memory[which / 3 % SLOTS]
                             : which % 3 == 1 ? s.range[which / 3 % SLOTS]
                                              : s.memory[which % SLOTS];

    return base == 0 ? 0 : offset < 128 ? base : base + (offset - 128) * 8;
}

static size_t within_buffer(struct input *in)
{
    const size_t bytes = size(in);

    return bytes < BUFFER_BYTES ? bytes : BUFFER_BYTES;
}

/* --- memory ----------------------------------------------------------------------------------- */
static void allocate(struct input *in)
{
    CUdeviceptr *at = &s.memory[slot(in)];

    cuMemFree(*at);
    cuMemAlloc(at, size(in));
}

static void free_memory(struct input *in)
{
    cuMemFree(address(in));
}

static void allocate_async(struct input *in)
{
    CUdeviceptr *at = &s.memory[slot(in)];

    cuMemFree(*at);
    if (byte(in) % 2 == 0) {
        cuMemAllocAsync(at, size(in), HANDLE(in, stream));
    } else {
        cuMemAllocFromPoolAsync(at, size(in), HANDLE(in, pool), HANDLE(in, stream));
    }
}

static void free_async(struct input *in)
{
    cuMemFreeAsync(address(in), HANDLE(in, stream));
}

static void make_pool(struct input *in)
{
    const CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                       .location = {CU_MEM_LOCATION_TYPE_DEVICE, (int)(byte(in) % 3)}};
    CUmemoryPool *at = &s.pool[slot(in)];

    cuMemPoolDestroy(*at);
    cuMemPoolCreate(at, &properties);
    cuMemPoolTrimTo(HANDLE(in, pool), size(in));
}

static void use_managed(struct input *in)
{
    const CUmemLocation where = {(CUmemLocationType)(byte(in) % 6), (int)(byte(in) % 3)};
    CUdeviceptr *at = &s.managed[slot(in)];
    int answers[4];

    if (byte(in) % 4 == 0) {
        cuMemFree(*at);
        *at = 0;
        cuMemAllocManaged(at, size(in), byte(in) % 4);
    }
    cuMemAdvise(*at + byte(in), size(in), (CUmem_advise)(byte(in) % 8), where);
    cuMemPrefetchAsync(*at + byte(in), size(in), where, 0, HANDLE(in, stream));
    cuMemRangeGetAttribute(answers, 4 * (byte(in) % 5), (CUmem_range_attribute)(byte(in) % 10), *at + byte(in),
                           size(in));
}

static void copy(struct input *in)
{
    const size_t bytes = within_buffer(in);
    const CUdeviceptr there = address(in);

    switch (byte(in) % 6) {
    case 0:
        cuMemcpyHtoD(there, s.buffer, bytes);
        break;
    case 1:
        cuMemcpyDtoH(s.buffer, there, bytes);
        break;
    case 2:
        cuMemcpyDtoD(there, address(in), size(in));
        break;
    case 3:
        cuMemcpyHtoDAsync(there, s.buffer, bytes, HANDLE(in, stream));
        break;
    case 4:
        cuMemcpyDtoHAsync(s.buffer, there, bytes, HANDLE(in, stream));
        break;
    default:
        cuMemcpyDtoDAsync(there, address(in), size(in), HANDLE(in, stream));
    }
}

static void copy_box(struct input *in)
{
    CUDA_MEMCPY3D box = {.srcMemoryType = byte(in) % 2 == 0 ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_ARRAY,
                         .dstMemoryType = byte(in) % 2 == 0 ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_ARRAY,
                         .WidthInBytes = size(in),
                         .Height = byte(in) % 5,
                         .Depth = byte(in) % 3};

    box.srcDevice = address(in);
    box.dstDevice = address(in);
    box.srcArray = HANDLE(in, array);
    box.dstArray = HANDLE(in, array);
    box.srcPitch = size(in);
    box.dstPitch = size(in);
    box.srcHeight = byte(in) % 8;
    box.dstXInBytes = byte(in);
    box.srcY = byte(in) % 8;
    cuMemcpy3DAsync(&box, HANDLE(in, stream));
}

static void fill(struct input *in)
{
    const CUdeviceptr there = address(in);

    switch (byte(in) % 3) {
    case 0:
        cuMemsetD8Async(there, (unsigned char)byte(in), size(in), HANDLE(in, stream));
        break;
    case 1:
        cuMemsetD32(there, byte(in), size(in));
        break;
    default:
        cuMemsetD2D16Async(there, size(in), (unsigned short)byte(in), size(in), byte(in) % 5, HANDLE(in, stream));
    }
}

static void ask_of_pointer(struct input *in)
{
    unsigned char answer[64];
    CUdeviceptr base;
    size_t bytes;

    cuPointerGetAttribute(answer, (CUpointer_attribute)(byte(in) % 24), address(in));
    cuMemGetAddressRange(&base, &bytes, address(in));
}

/* --- virtual memory --------------------------------------------------------------------------- */
static size_t granules(struct input *in)
{
    const unsigned n = byte(in);

    return n < 240 ? n % 4 * (size_t)GRANULE : n;
}

static void make_physical(struct input *in)
{
    const CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                            .location = {CU_MEM_LOCATION_TYPE_DEVICE, (int)(byte(in) % 3)}};
    CUmemGenericAllocationHandle *at = &s.physical[slot(in)];

    cuMemRelease(*at);
    cuMemCreate(at, granules(in), &properties, 0);
}

static void change_ranges(struct input *in)
{
    const unsigned at = slot(in);
    const CUdeviceptr where = s.range[at] + granules(in);
    const CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, (int)(byte(in) % 3)},
                                    (CUmemAccess_flags)(byte(in) % 4)};

    switch (byte(in) % 6) {
    case 0:
        if (s.range[at] == 0) {
            cuMemAddressReserve(&s.range[at], 3 * (size_t)GRANULE, 0, 0, 0);
        }
        break;
    case 1:
        cuMemMap(where, granules(in), 0, s.physical[slot(in)], 0);
        break;
    case 2:
        cuMemSetAccess(where, granules(in), &access, 1);
        break;
    case 3:
        cuMemUnmap(where, granules(in));
        break;
    case 4:
        if (cuMemAddressFree(where, granules(in)) == CUDA_SUCCESS) {
            s.range[at] = 0;
        }
        break;
    default:
        cuMemRelease((uintptr_t)HANDLE(in, physical));
    }
}

/* --- streams and events ----------------------------------------------------------------------- */
static void make_stream(struct input *in)
{
    CUstream *at = &s.stream[slot(in)];

    cuStreamDestroy(*at);
    cuStreamCreate(at, byte(in) % 3);
}

static void end_stream(struct input *in)
{
    cuStreamDestroy(HANDLE(in, stream));
}

static void make_event(struct input *in)
{
    CUevent *at = &s.event[slot(in)];

    cuEventDestroy(*at);
    cuEventCreate(at, byte(in) % 4);
}

static void use_event(struct input *in)
{
    const CUevent event = HANDLE(in, event);
    float ms;

    switch (byte(in) % 7) {
    case 0:
        cuEventDestroy(event);
        break;
    case 1:
        cuEventQuery(event);
        break;
    case 2:
        cuEventElapsedTime(&ms, event, HANDLE(in, event));
        break;
    case 3:
        cuStreamWaitEvent(HANDLE(in, stream), event, 0);
        break;
    case 4:
        cuCtxRecordEvent(s.context, event);
        break;
    case 5:
        cuCtxWaitEvent(s.context, event);
        break;
    default:
        cuEventRecord(event, HANDLE(in, stream));
    }
}

static void synchronize(struct input *in)
{
    switch (byte(in) % 3) {
    case 0:
        cuStreamSynchronize(HANDLE(in, stream));
        break;
    case 1:
        cuEventSynchronize(HANDLE(in, event));
        break;
    default:
        cuCtxSynchronize();
    }
}

static void ask_of_stream(struct input *in)
{
    CUstreamCaptureStatus status;
    CUgraph graph;

    cuStreamQuery(HANDLE(in, stream));
    cuStreamIsCapturing(HANDLE(in, stream), &status);
    if (byte(in) % 4 == 0 && cuStreamEndCapture(HANDLE(in, stream), &graph) == CUDA_SUCCESS) {
        cuGraphDestroy(graph);
    }
}

static void wait_at_gate(struct input *in)
{
    *s.gate = byte(in) % 2;
    cuStreamWaitValue32(HANDLE(in, stream), (CUdeviceptr)(uintptr_t)s.gate, 1, CU_STREAM_WAIT_VALUE_EQ);
    cuStreamWriteValue32(HANDLE(in, stream), address(in), byte(in), byte(in) % 3);
}

static void CUDA_CB called(void *argument)
{
    ++*(unsigned char *)argument;
}

static void call_host(struct input *in)
{
    cuLaunchHostFunc(HANDLE(in, stream), byte(in) % 8 == 0 ? NULL : called, s.buffer);
}

/* --- code ------------------------------------------------------------------------------------- */
static void load_module(struct input *in)
{
    const unsigned at = slot(in);

    cuModuleUnload(s.module[at]);
    cuModuleLoadData(&s.module[at], text);
    cuModuleGetFunction(&s.function[at], HANDLE(in, module), byte(in) % 2 == 0 ? "nothing" : "add");
    cuModuleGetTexRef(&s.reference[at], HANDLE(in, module), byte(in) % 8 == 0 ? "counter" : "tex");
}

static void unload_module(struct input *in)
{
    cuModuleUnload(HANDLE(in, module));
}

/* With memory that may be there. */
static void launch(struct input *in)
{
    CUdeviceptr d = s.memory[slot(in)];
    unsigned n = byte(in);
    void *arguments[] = {&d, &n};

    cuLaunchKernel(HANDLE(in, function), byte(in) % 3, 1, 1, byte(in) % 40, 1, 1, (unsigned)size(in) % 70000,
                   HANDLE(in, stream), byte(in) % 16 == 0 ? NULL : arguments, NULL);
}

static void launch_earlier(struct input *in)
{
    const CUfunction f = HANDLE(in, function);
    CUdeviceptr d = s.memory[slot(in)];

    cuFuncSetBlockShape(f, (int)(byte(in) % 3), 1, 1);
    cuParamSetv(f, (int)byte(in) % 16 - 1, &d, sizeof d);
    cuParamSetSize(f, byte(in) % 20);
    cuLaunchGridAsync(f, (int)(byte(in) % 3), 1, HANDLE(in, stream));
}

static void set_function(struct input *in)
{
    int value;

    cuFuncSetAttribute(HANDLE(in, function), (CUfunction_attribute)(byte(in) % 20), (int)size(in));
    cuFuncGetAttribute(&value, (CUfunction_attribute)(byte(in) % 20), HANDLE(in, function));
    cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, HANDLE(in, function), (int)byte(in) - 1, size(in));
}

/* --- arrays and textures ---------------------------------------------------------------------- */
static void make_array(struct input *in)
{
    static const CUarray_format formats[] = {CU_AD_FORMAT_FLOAT, CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_HALF,
                                             CU_AD_FORMAT_SIGNED_INT32, (CUarray_format)0x77};
    const CUDA_ARRAY3D_DESCRIPTOR shape = {byte(in) % 70,         byte(in) % 9, byte(in) % 4,
                                           formats[byte(in) % 5], byte(in) % 5, byte(in) % 8 == 0 ? byte(in) : 0};
    CUarray *at = &s.array[slot(in)];

    cuArrayDestroy(*at);
    cuArray3DCreate(at, &shape);
}

static void use_texture(struct input *in)
{
    CUDA_RESOURCE_DESC resource = {.resType = (CUresourcetype)(byte(in) % 5)};
    const CUDA_TEXTURE_DESC how = {.filterMode = (CUfilter_mode)(byte(in) % 3), .flags = byte(in) % 4};
    CUtexObject *at = &s.texture[slot(in)];
    CUtexref reference = HANDLE(in, reference);
    size_t offset;

    cuTexObjectDestroy(*at);
    if (resource.resType == CU_RESOURCE_TYPE_ARRAY) {
        resource.res.array.hArray = HANDLE(in, array);
    } else {
        resource.res.linear.devPtr = address(in);
        resource.res.linear.format = CU_AD_FORMAT_FLOAT;
        resource.res.linear.numChannels = byte(in) % 5;
        resource.res.linear.sizeInBytes = size(in);
    }
    cuTexObjectCreate(at, &resource, &how, NULL);
    cuTexRefSetAddress(&offset, reference, address(in), size(in));
    cuTexRefSetArray(reference, HANDLE(in, array), CU_TRSA_OVERRIDE_FORMAT);
    cuTexRefSetFilterMode(reference, (CUfilter_mode)(byte(in) % 3));
}

/* --- graphs ----------------------------------------------------------------------------------- */
static void make_graph(struct input *in)
{
    CUgraph *at = &s.graph[slot(in)];

    cuGraphDestroy(*at);
    if (byte(in) % 4 == 0) {
        cuGraphClone(at, HANDLE(in, graph));
    } else {
        cuGraphCreate(at, 0);
    }
}

static void add_node(struct input *in)
{
    CUgraphNode *at = &s.node[slot(in)], before = HANDLE(in, node);
    const CUgraph graph = HANDLE(in, graph);
    const size_t n = byte(in) % 2;
    const CUDA_HOST_NODE_PARAMS host = {called, s.buffer};
    CUdeviceptr d = s.memory[slot(in)];
    unsigned value = byte(in);
    void *arguments[] = {&d, &value};
    CUDA_MEMSET_NODE_PARAMS set = {d, 0, value, 4, size(in), 1};
    const CUDA_KERNEL_NODE_PARAMS kernel = {.func = HANDLE(in, function), 1, 1, 1, 1, 1, 1, .kernelParams = arguments};
    CUDA_MEM_ALLOC_NODE_PARAMS memory = {
        .poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}},
        .bytesize = size(in)};

    switch (byte(in) % 8) {
    case 0:
        cuGraphAddEmptyNode(at, graph, &before, n);
        break;
    case 1:
        cuGraphAddHostNode(at, graph, &before, n, &host);
        break;
    case 2:
        cuGraphAddMemsetNode(at, graph, &before, n, &set, s.context);
        break;
    case 3:
        cuGraphAddKernelNode(at, graph, &before, n, &kernel);
        break;
    case 4:
        cuGraphAddChildGraphNode(at, graph, &before, n, HANDLE(in, graph));
        break;
    case 5:
        cuGraphAddEventRecordNode(at, graph, &before, n, HANDLE(in, event));
        break;
    case 6:
        if (cuGraphAddMemAllocNode(at, graph, &before, n, &memory) == CUDA_SUCCESS) {
            s.memory[slot(in)] = memory.dptr;
        }
        break;
    default:
        cuGraphAddMemFreeNode(at, graph, &before, n, d);
    }
}

static void change_graph(struct input *in)
{
    CUgraphNode a = HANDLE(in, node), b = HANDLE(in, node);

    switch (byte(in) % 4) {
    case 0:
        cuGraphAddDependencies(HANDLE(in, graph), &a, &b, NULL, 1);
        break;
    case 1:
        cuGraphRemoveDependencies(HANDLE(in, graph), &a, &b, NULL, 1);
        break;
    case 2:
        cuGraphDestroyNode(a);
        break;
    default:
        cuGraphDestroy(HANDLE(in, graph));
    }
}

static void run_graph(struct input *in)
{
    CUgraphExec *at = &s.exec[slot(in)];
    CUgraphExecUpdateResultInfo info;

    switch (byte(in) % 4) {
    case 0:
        cuGraphExecDestroy(*at);
        cuGraphInstantiate(at, HANDLE(in, graph),
                           byte(in) % 4 == 0 ? CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH : 0);
        break;
    case 1:
        cuGraphExecUpdate(HANDLE(in, exec), HANDLE(in, graph), &info);
        break;
    default:
        cuGraphLaunch(HANDLE(in, exec), HANDLE(in, stream));
    }
}

static void capture(struct input *in)
{
    CUgraph *at = &s.graph[slot(in)], graph = NULL;

    if (byte(in) % 2 == 0) {
        cuStreamBeginCapture(HANDLE(in, stream), (CUstreamCaptureMode)(byte(in) % 4));
    } else if (cuStreamEndCapture(HANDLE(in, stream), &graph) == CUDA_SUCCESS) {
        cuGraphDestroy(*at);
        *at = graph;
    }
}

/* --- all of them ------------------------------------------------------------------------------ */
/* Calls that never wait may be made while the gate is closed. */
static const struct call {
    void (*make)(struct input *);
    bool waits;
} calls[] = {
    {allocate, true},      {free_memory, true},     {allocate_async, true}, {free_async, false},
    {make_pool, true},     {use_managed, true},     {copy, true},           {copy_box, true},
    {fill, false},         {ask_of_pointer, false}, {make_physical, true},  {change_ranges, true},
    {make_stream, false},  {end_stream, false},     {make_event, false},    {use_event, false},
    {synchronize, true},   {ask_of_stream, false},  {wait_at_gate, false},  {call_host, false},
    {load_module, true},   {unload_module, true},   {launch, false},        {launch_earlier, false},
    {set_function, false}, {make_array, true},      {use_texture, true},    {make_graph, false},
    {add_node, false},     {change_graph, false},   {run_graph, true},      {capture, false},
};

static void begin(void)
{
    void *pinned = NULL;

    setenv("PTXEMU_GPU", FUZZ_GPU, 0);
    setenv("PTXEMU_GPUS", "2", 0);
    setenv("PTXEMU_THREADS", "1", 0);
    setenv("PTXEMU_TIMEOUT", "2", 0);
    memset(&s, 0, sizeof s);
    if (cuInit(0) != CUDA_SUCCESS || cuCtxCreate(&s.context, NULL, 0, 0) != CUDA_SUCCESS ||
        cuMemHostAlloc(&pinned, 4, 0) != CUDA_SUCCESS) {
        __builtin_trap();
    }
    s.gate = pinned;
    *s.gate = 1;
}

/* What no context owns is given back here. */
static void end(void)
{
    *s.gate = 1;
    for (int i = 0; i < SLOTS; i++) {
        cuStreamDestroy(s.stream[i]);
        cuGraphExecDestroy(s.exec[i]);
        cuGraphDestroy(s.graph[i]);
        cuEventDestroy(s.event[i]);
        cuTexObjectDestroy(s.texture[i]);
        cuArrayDestroy(s.array[i]);
        cuMemPoolDestroy(s.pool[i]);
        if (s.range[i] != 0) {
            for (CUdeviceptr at = s.range[i]; at < s.range[i] + 3 * (CUdeviceptr)GRANULE; at += GRANULE) {
                for (size_t n = 1; n <= 3; n++) { /* of whichever size the mapping is */
                    cuMemUnmap(at, n * GRANULE);
                }
            }
            cuMemAddressFree(s.range[i], 3 * (size_t)GRANULE);
        }
        cuMemRelease(s.physical[i]);
    }
    if (cuCtxDestroy(s.context) != CUDA_SUCCESS) {
        __builtin_trap();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, data + size};

    begin();
    for (int i = 0; i < CALLS_MOST && in.at < in.end; i++) {
        const struct call *call = &calls[byte(&in) % (sizeof calls / sizeof *calls)];

        if (call->waits) {
            *s.gate = 1;
        }
        call->make(&in);
    }
    end();
    return 0;
}
