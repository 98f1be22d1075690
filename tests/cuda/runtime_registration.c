/*
 * Registration as compilers do it, with fat binaries made by hand: stubs, variables, managed variables, two modules
 * that share a name, call configurations, and that a bad module is nobody's trouble before it is used.
 */
#include "registration.h"

/* Host stubs: their addresses are all that matters. */
static const char count_stub[1], other_stub[1], missing_stub[1], bad_stub[1];

static int counter_shadow, table_shadow[4], other_counter_shadow, missing_shadow;
static int *managed_pointer;

static const char other_ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                                ".global .align 4 .u32 counter = 100;\n"
                                ".global .attribute(.managed) .align 4 .u32 shown = 42;\n"
                                ".visible .entry bump()\n{\n    .reg .b32 %r<3>;\n"
                                "    atom.global.add.u32 %r1, [shown], 1;\n    ret;\n}\n";

static void launch(const char *stub, void **arguments)
{
    dim3 grid, block;
    size_t shared = 99;
    cudaStream_t stream = (cudaStream_t)1;
    cudaKernel_t kernel = NULL;

    CHECK(__cudaPushCallConfiguration(extent(1, 1, 1), extent(1, 1, 1), 0, NULL) == 0);
    CHECK_OK(__cudaGetKernel(&kernel, stub));
    CHECK_OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    CHECK_EQUAL(shared, 0);
    CHECK(stream == NULL);
    CHECK_OK(__cudaLaunchKernel(kernel, grid, block, arguments, shared, stream));
}

static void configurations_are_a_stack(void)
{
    dim3 grid, block;
    size_t shared = 0;
    cudaStream_t stream = NULL;

    CHECK(__cudaPushCallConfiguration(extent(1, 2, 3), extent(4, 5, 6), 7, NULL) == 0);
    CHECK(__cudaPushCallConfiguration(extent(9, 9, 9), extent(9, 9, 9), 9, (cudaStream_t)2) == 0);
    CHECK_OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    CHECK(grid.z == 9 && shared == 9 && stream == (cudaStream_t)2);
    CHECK_OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    CHECK(grid.x == 1 && grid.y == 2 && grid.z == 3 && block.x == 4 && block.z == 6 && shared == 7 && stream == NULL);
    CHECK_CODE(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaErrorMissingConfiguration);
    CHECK_CODE(cudaGetLastError(), cudaErrorMissingConfiguration);
}

static void kernels_run(void)
{
    int *out = NULL;
    int value = 0;
    void *arguments[] = {&out};

    CHECK_OK(cudaMalloc((void **)&out, 4));
    launch(count_stub, arguments);
    CHECK_OK(cudaMemcpy(&value, out, 4, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(value, 7 + 2);
    CHECK_OK(cudaLaunchKernel(count_stub, extent(1, 1, 1), extent(1, 1, 1), arguments, 0, NULL));
    CHECK_OK(cudaMemcpy(&value, out, 4, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(value, 8 + 2);
    CHECK_OK(cudaFree(out));
}

/* Both modules have a variable `counter`; the host addresses tell them apart. */
static void symbols_belong_to_their_module(void)
{
    void *address = NULL, *other = NULL;
    size_t size = 0;
    int value = 0, table[4] = {0};

    CHECK_OK(cudaGetSymbolAddress(&address, &counter_shadow));
    CHECK_OK(cudaGetSymbolAddress(&other, &other_counter_shadow));
    CHECK(address != other);
    CHECK_OK(cudaGetSymbolSize(&size, table_shadow));
    CHECK_EQUAL(size, 16);
    CHECK_OK(cudaMemcpyFromSymbol(&value, &other_counter_shadow, 4, 0, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(value, 100);
    value = 55;
    CHECK_OK(cudaMemcpyToSymbol(&counter_shadow, &value, 4, 0, cudaMemcpyHostToDevice));
    value = 0;
    CHECK_OK(cudaMemcpyFromSymbol(&value, &counter_shadow, 4, 0, cudaMemcpyDefault));
    CHECK_EQUAL(value, 55);
    CHECK_OK(cudaMemcpyFromSymbolAsync(table, table_shadow, 8, 4, cudaMemcpyDeviceToHost, NULL));
    CHECK_OK(cudaDeviceSynchronize());
    CHECK(table[0] == 2 && table[1] == 3);
    CHECK_CODE(cudaMemcpyFromSymbol(table, table_shadow, 16, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    CHECK_CODE(cudaMemcpyFromSymbol(table, table_shadow, 4, (size_t)-1, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    CHECK_CODE(cudaMemcpyToSymbol(table_shadow, table, 4, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
    CHECK_CODE(cudaGetSymbolAddress(&address, &size), cudaErrorInvalidSymbol);
    CHECK_CODE(cudaGetSymbolAddress(&address, &missing_shadow), cudaErrorSymbolNotFound);
    CHECK_CODE(cudaGetSymbolAddress(&address, count_stub), cudaErrorInvalidSymbol);
    CHECK_CODE(cudaGetLastError(), cudaErrorInvalidSymbol);
}

static void managed_variables_are_the_hosts_too(void **module)
{
    void *address = NULL;

    CHECK(__cudaInitModule(module) != 0);
    CHECK(managed_pointer != NULL);
    CHECK_EQUAL(*managed_pointer, 42);
    *managed_pointer = 50;
    launch(other_stub, NULL);
    CHECK_OK(cudaDeviceSynchronize());
    CHECK_EQUAL(*managed_pointer, 51);
    CHECK_OK(cudaGetSymbolAddress(&address, managed_pointer)); /* what cudaGetSymbolAddress(&p, variable) compiles to */
    CHECK(address == managed_pointer);
}

/* Variables are the context's: a new one has them as the code says. */
static void variables_start_anew_after_a_reset(void)
{
    int value = 0;

    CHECK_OK(cudaMemcpyFromSymbol(&value, &counter_shadow, 4, 0, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(value, 55);
    CHECK_OK(cudaDeviceReset());
    CHECK_OK(cudaMemcpyFromSymbol(&value, &counter_shadow, 4, 0, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(value, 7);
    kernels_run();
}

static void bad_modules_fail_at_their_use(void)
{
    struct wrapper bad = wrap(".version 7.0\n.target sm_70\n.address_size 64\nnonsense\n", 70);
    void **module = __cudaRegisterFatBinary(&bad);
    struct cudaFuncAttributes attributes;

    register_function(module, bad_stub, "bad");
    __cudaRegisterFatBinaryEnd(module);
    CHECK_OK(cudaDeviceSynchronize());
    CHECK_CODE(cudaFuncGetAttributes(&attributes, bad_stub), cudaErrorInvalidPtx);
    CHECK_CODE(cudaLaunchKernel(bad_stub, extent(1, 1, 1), extent(1, 1, 1), NULL, 0, NULL), cudaErrorInvalidPtx);
    CHECK_CODE(cudaFuncGetAttributes(&attributes, missing_stub), cudaErrorSymbolNotFound);
    __cudaUnregisterFatBinary(module);
    unwrap(bad);
    CHECK_CODE(cudaFuncGetAttributes(&attributes, bad_stub), cudaErrorInvalidResourceHandle);
    CHECK_CODE(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

/* The device code is for a newer GPU than any. */
static void code_for_another_gpu(void)
{
    struct wrapper newer = wrap(other_ptx, 999);
    void **module = __cudaRegisterFatBinary(&newer);
    struct cudaFuncAttributes attributes;

    register_function(module, bad_stub, "bump");
    __cudaRegisterFatBinaryEnd(module);
    CHECK_CODE(cudaFuncGetAttributes(&attributes, bad_stub), cudaErrorNoKernelImageForDevice);
    __cudaUnregisterFatBinary(module);
    unwrap(newer);
    cudaGetLastError();
}

int main(void)
{
    struct wrapper first = wrap(kernels_ptx, 70), second = wrap(other_ptx, 70);
    void **module = __cudaRegisterFatBinary(&first), **other = __cudaRegisterFatBinary(&second);

    register_function(module, count_stub, "count");
    register_function(module, missing_stub, "missing");
    __cudaRegisterVar(module, (char *)&counter_shadow, (char *)"counter", "counter", 0, 4, 0, 0);
    __cudaRegisterVar(module, (char *)table_shadow, (char *)"table", "table", 0, 16, 1, 0);
    __cudaRegisterVar(module, (char *)&missing_shadow, (char *)"missing", "missing", 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(module);
    register_function(other, other_stub, "bump");
    __cudaRegisterVar(other, (char *)&other_counter_shadow, (char *)"counter", "counter", 0, 4, 0, 0);
    __cudaRegisterManagedVar(other, (void **)&managed_pointer, (char *)"shown", "shown", 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(other);

    configurations_are_a_stack();
    kernels_run();
    symbols_belong_to_their_module();
    managed_variables_are_the_hosts_too(other);
    variables_start_anew_after_a_reset();
    bad_modules_fail_at_their_use();
    code_for_another_gpu();
    __cudaUnregisterFatBinary(other);
    __cudaUnregisterFatBinary(module);
    unwrap(first);
    unwrap(second);
    return 0;
}
