/* What two devices have to do with each other: order of copies between them, events and fills.  As on two H200s. */
#include "driver_check.h"

/* count(p, n): add 1 to *p n times, one after another. */
static const char count_ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                                ".visible .entry count(.param .u64 p, .param .u32 n)\n"
                                "{\n"
                                "    .reg .pred %p<2>;\n    .reg .b32 %r<4>;\n    .reg .b64 %rd<2>;\n"
                                "    ld.param.u64 %rd1, [p];\n    ld.param.u32 %r1, [n];\n"
                                "again:\n"
                                "    atom.global.add.u32 %r2, [%rd1], 1;\n    sub.u32 %r1, %r1, 1;\n"
                                "    setp.ne.u32 %p1, %r1, 0;\n    @%p1 bra again;\n    ret;\n"
                                "}\n";

enum { MANY = 300000 };

struct device {
    CUcontext context;
    CUfunction count;
    CUdeviceptr memory;
};

static struct device devices[2];

static void open_device(int ordinal)
{
    struct device *d = &devices[ordinal];
    CUmodule module = NULL;

    OK(cuDevicePrimaryCtxRetain(&d->context, ordinal));
    OK(cuCtxSetCurrent(d->context));
    OK(cuModuleLoadData(&module, count_ptx));
    d->count = driver_kernel(module, "count");
    OK(cuMemAlloc(&d->memory, 64));
}

static void use(int ordinal)
{
    OK(cuCtxSetCurrent(devices[ordinal].context));
}

static void clear_both(void)
{
    for (int i = 0; i < 2; i++) {
        use(i);
        OK(cuMemsetD32(devices[i].memory, 0, 4));
        OK(cuCtxSynchronize());
    }
}

/* Keep a device busy with its memory. */
static void start_counting(int ordinal)
{
    uint32_t n = MANY;
    void *arguments[] = {&devices[ordinal].memory, &n};

    use(ordinal);
    OK(cuLaunchKernel(devices[ordinal].count, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
}

static uint32_t value_at(int ordinal)
{
    uint32_t value = 0;

    for (int i = 0; i < 2; i++) {
        use(i);
        OK(cuCtxSynchronize());
    }
    use(ordinal);
    OK(cuMemcpyDtoH(&value, devices[ordinal].memory, sizeof value));
    return value;
}

/* Copies between devices in the default stream come behind all work of both, and before what follows. */
static void copies_wait_for_both_devices(void)
{
    const CUdeviceptr to = devices[0].memory, from = devices[1].memory;

    for (int way = 0; way < 4; way++) {
        clear_both();
        start_counting(1);
        use(0);
        switch (way) {
        case 0:
            OK(cuMemcpyPeer(to, devices[0].context, from, devices[1].context, 4));
            break;
        case 1:
            OK(cuMemcpyPeerAsync(to, devices[0].context, from, devices[1].context, 4, NULL));
            break;
        case 2:
            OK(cuMemcpy(to, from, 4));
            break;
        default:
            OK(cuMemcpyAsync(to, from, 4, NULL));
            break;
        }
        start_counting(1); /* after the copy */
        EQUALS(value_at(0), MANY);
        EQUALS(value_at(1), 2 * MANY);
    }
    clear_both();
    start_counting(0); /* the target is busy */
    use(1);
    OK(cuMemcpyPeer(to, devices[0].context, from, devices[1].context, 4));
    EQUALS(value_at(0), 0);
}

static void copies_of_the_host_wait_for_the_other_device(void)
{
    uint32_t value = 0, five = 5;

    clear_both();
    start_counting(1);
    use(0);
    OK(cuMemcpyDtoH(&value, devices[1].memory, sizeof value));
    EQUALS(value, MANY);
    clear_both();
    start_counting(1);
    use(0);
    OK(cuMemcpyHtoD(devices[1].memory, &five, sizeof five));
    EQUALS(value_at(1), 5);
}

static void clocks_are_not_compared(void)
{
    CUevent events[2];
    float ms = 0;

    for (int i = 0; i < 2; i++) {
        use(i);
        OK(cuEventCreate(&events[i], CU_EVENT_DEFAULT));
        OK(cuEventRecord(events[i], NULL));
        OK(cuCtxSynchronize());
    }
    IS(cuEventElapsedTime(&ms, events[0], events[1]), CUDA_ERROR_INVALID_HANDLE);
    OK(cuEventElapsedTime(&ms, events[0], events[0]));
    OK(cuEventDestroy(events[0]));
    OK(cuEventDestroy(events[1]));
}

static void fills_need_access(void)
{
    CUstream stream = NULL;

    use(1);
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    IS(cuMemsetD32Async(devices[0].memory, 0, 1, stream), CUDA_ERROR_INVALID_VALUE);
    OK(cuStreamDestroy(stream));
    use(0);
    IS(cuMemsetD32(devices[1].memory, 0, 1), CUDA_ERROR_INVALID_VALUE);
    OK(cuCtxEnablePeerAccess(devices[1].context, 0));
    OK(cuMemsetD32(devices[1].memory, 7, 1));
    EQUALS(value_at(1), 7);
}

int main(void)
{
    OK(cuInit(0));
    open_device(0);
    open_device(1);
    copies_wait_for_both_devices();
    copies_of_the_host_wait_for_the_other_device();
    clocks_are_not_compared();
    fills_need_access();
    return 0;
}
