/* Initialisation, devices and contexts. */
#include "answers.h"

#include <string.h>

void before_initialization(void)
{
    CUcontext context;
    CUdevice device;
    CUdeviceptr memory;
    int count;

    ANSWER(cuDeviceGetCount(&count));
    ANSWER(cuCtxGetCurrent(&context));
    ANSWER(cuMemAlloc(&memory, 4));
    ANSWER(cuCtxGetDevice(&device));
    ANSWER(cuInit(1));
    ANSWER(cuInit(0));
    ANSWER(cuDriverGetVersion(&count));
    answer("version", count);
}

void without_a_context(void)
{
    CUcontext context;
    CUdevice device;
    CUdeviceptr memory;
    CUstream stream;

    ANSWER(cuMemAlloc(&memory, 4));
    ANSWER(cuCtxSynchronize());
    ANSWER(cuCtxGetCurrent(&context));
    ANSWER(cuCtxPopCurrent(&context));
    ANSWER(cuStreamCreate(&stream, 0));
    ANSWER(cuDeviceGet(&device, -1));
    ANSWER(cuDeviceGet(&device, 99));
    ANSWER(cuDeviceGet(NULL, 0));
    ANSWER(cuDeviceGet(&device, 0));
}

/* Of the places where cudaDeviceProp has something: those behind name and UUIDs, in words of four bytes. */
static void properties(void)
{
    enum { NUMBERS = 288, END = 1008 };
    struct cudaDeviceProp property;
    CUcontext context = NULL;

    memset(&property, 0, sizeof property);
    ANSWER(cudaGetDeviceProperties(&property, 0));
    for (size_t at = NUMBERS; at < END && at + 4 <= sizeof property; at += 4) {
        unsigned word;

        memcpy(&word, (const char *)&property + at, sizeof word);
        answer_named(word, "property at %zu", at);
    }
    answer_text("name", property.name);
    ANSWER(cuCtxGetCurrent(&context));
    answer("current after asking", context != NULL);
}

void devices(void)
{
    enum { NOT_SET = -12345 };

    for (int attribute = 0; attribute < 160; attribute++) {
        int value = NOT_SET;

        answer_named(cuDeviceGetAttribute(&value, (CUdevice_attribute)attribute, 0), "attribute %d", attribute);
        if (value != NOT_SET) {
            answer_named(value, "value of attribute %d", attribute);
        }
    }
    properties();
}

static void limits(void)
{
    size_t size = 0;

    for (int limit = 0; limit < 12; limit++) {
        size = 0;
        answer_named(cuCtxGetLimit(&size, (CUlimit)limit), "limit %d", limit);
        answer_named((long long)size, "value of limit %d", limit);
    }
    ANSWER(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, (size_t)1 << 40));
    ANSWER(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 16 << 20));
    ANSWER(cuCtxGetLimit(&size, CU_LIMIT_MALLOC_HEAP_SIZE));
    answer("heap", (long long)size);
    ANSWER(cuCtxSetLimit((CUlimit)77, 1));
    ANSWER(cuCtxGetLimit(&size, (CUlimit)77));
}

void contexts(void)
{
    CUcontext context = NULL;
    int least = 0, greatest = 0;
    unsigned version = 0, flags = 0;

    ANSWER(cuDevicePrimaryCtxRetain(&context, 0));
    ANSWER(cuCtxSetCurrent(context));
    ANSWER(cuCtxDestroy(context));
    limits();
    ANSWER(cuCtxGetStreamPriorityRange(&least, &greatest));
    answer("least priority", least);
    answer("greatest priority", greatest);
    ANSWER(cuCtxGetApiVersion(context, &version));
    answer("version of the context", version);
    ANSWER(cuCtxGetFlags(&flags));
    answer("flags", flags);
    ANSWER(cuCtxSetFlags(0x1000));
}

/* Things of one context while another is current. */
void contexts_of_others(void)
{
    const CUcontext first = use_primary_context();
    const CUfunction kernel = answers_kernel("empty");
    const CUstream stream = new_stream();
    CUcontext second = NULL, current = NULL;
    CUdeviceptr memory = 0;
    CUevent event;

    must(cuMemAlloc(&memory, 4));
    must(cuEventCreate(&event, 0));
    ANSWER(cuCtxCreate(&second, NULL, 0, 0));
    ANSWER(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    ANSWER(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    ANSWER(cuMemFree(memory));
    ANSWER(cuEventRecord(event, NULL));
    ANSWER(cuCtxDestroy(second));
    ANSWER(cuCtxDestroy(second));
    ANSWER(cuCtxGetCurrent(&current));
    answer("current after the end of the second", current == first);
}
