/* Graph nodes of a registered program: kernels by their host stubs, copies to and from device variables. */
#include "newest.h"
#include "registration.h"

static const char stub; /* of the kernel `count`: *out = counter++ + table[1] */
static char counter[4]; /* shadows of the variables */
static char table[4 * 4];

static void **register_program(struct wrapper *wrapper)
{
    void **handle = __cudaRegisterFatBinary(wrapper);

    register_function(handle, &stub, "count");
    __cudaRegisterVar(handle, counter, "counter", "counter", 0, sizeof counter, 0, 0);
    __cudaRegisterVar(handle, table, "table", "table", 0, sizeof table, 1, 0);
    __cudaRegisterFatBinaryEnd(handle);
    return handle;
}

struct run {
    int start, out, after; /* of the host: the counter before, what the kernel stored, the counter afterwards */
    int *device_out;
};

static void expect(cudaGraphExec_t exec, struct run *run, int start, int out, int after)
{
    run->start = start;
    run->out = run->after = -1;
    CHECK_OK(cudaGraphLaunch(exec, NULL));
    CHECK_OK(cudaStreamSynchronize(NULL));
    CHECK_OK(cudaMemcpy(&run->out, run->device_out, sizeof run->out, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(run->out, out);
    CHECK_EQUAL(run->after, after);
}

static void variables_are_copied_by_nodes(void)
{
    struct run run = {0};
    void *arguments[] = {&run.device_out};
    struct cudaKernelNodeParams kernel = {.func = (void *)&stub, .kernelParams = arguments}, back;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t to, call, from;
    int table_values[4] = {0}, three = 3;

    CHECK_OK(cudaMalloc((void **)&run.device_out, sizeof(int)));
    kernel.gridDim = kernel.blockDim = extent(1, 1, 1);
    CHECK_OK(cudaGraphCreate(&graph, 0));
    CHECK_OK(cudaGraphAddMemcpyNodeToSymbol(&to, graph, NULL, 0, counter, &run.start, sizeof(int), 0,
                                            cudaMemcpyHostToDevice));
    CHECK_OK(cudaGraphAddKernelNode(&call, graph, &to, 1, &kernel));
    CHECK_OK(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &call, 1, &run.after, counter, sizeof(int), 0,
                                              cudaMemcpyDeviceToHost));
    CHECK_OK(cudaGraphKernelNodeGetParams(call, &back));
    CHECK_OK(cudaGraphKernelNodeSetParams(call, &back));
    CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
    expect(exec, &run, 100, 102, 101);
    expect(exec, &run, -7, -5, -6);

    /* The executable graph alone reads another variable, and writes one. */
    CHECK_OK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, from, &run.after, table, sizeof(int), 2 * sizeof(int),
                                                        cudaMemcpyDeviceToHost));
    expect(exec, &run, 0, 2, 3);
    CHECK_OK(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, table, &three, sizeof(int), sizeof(int),
                                                      cudaMemcpyHostToDevice));
    expect(exec, &run, 0, 4, 3); /* the counter is 1 from before */
    CHECK_OK(cudaMemcpyFromSymbol(table_values, table, sizeof table_values, 0, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(table_values[1], 3);

    CHECK_OK(cudaGraphMemcpyNodeSetParamsToSymbol(to, counter, &three, sizeof(int), 0, cudaMemcpyDefault));
    CHECK_OK(cudaGraphMemcpyNodeSetParamsFromSymbol(from, &run.after, counter, sizeof(int), 0, cudaMemcpyDefault));
    CHECK_OK(cudaGraphExecDestroy(exec));
    CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
    expect(exec, &run, 0, 6, 4);
    CHECK_OK(cudaGraphExecDestroy(exec));
    CHECK_OK(cudaGraphDestroy(graph));
    CHECK_OK(cudaFree(run.device_out));
}

static void wrong_copies_are_refused(void)
{
    cudaGraph_t graph = NULL;
    cudaGraphNode_t node;
    int value = 0;

    CHECK_OK(cudaGraphCreate(&graph, 0));
    CHECK_CODE(cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, counter, &value, 4, 1, cudaMemcpyHostToDevice),
               cudaErrorInvalidValue);
    CHECK_CODE(cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, counter, &value, 4, 0, cudaMemcpyDeviceToHost),
               cudaErrorInvalidMemcpyDirection);
    CHECK_CODE(cudaGraphAddMemcpyNodeFromSymbol(&node, graph, NULL, 0, &value, counter, 4, 0, cudaMemcpyHostToDevice),
               cudaErrorInvalidMemcpyDirection);
    CHECK_CODE(cudaGraphAddMemcpyNodeFromSymbol(&node, graph, NULL, 0, &value, &value, 4, 0, cudaMemcpyDeviceToHost),
               cudaErrorInvalidSymbol);
    CHECK_CODE(cudaGetLastError(), cudaErrorInvalidSymbol);
    CHECK_OK(cudaGraphDestroy(graph));
}

int main(void)
{
    struct wrapper wrapper = wrap(kernels_ptx, 70);
    void **handle = register_program(&wrapper);

    variables_are_copied_by_nodes();
    wrong_copies_are_refused();
    CHECK_OK(cudaGetLastError());
    __cudaUnregisterFatBinary(handle);
    unwrap(wrapper);
    return 0;
}
