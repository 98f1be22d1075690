/* What is said about managed memory, and what is answered; batches of copies. */
#include "driver_check.h"

#define BYTES 65536

static const CUmemLocation on_device = {CU_MEM_LOCATION_TYPE_DEVICE, 0}, on_host = {CU_MEM_LOCATION_TYPE_HOST, 0};

static CUdeviceptr managed(void)
{
    CUdeviceptr memory = 0;

    OK(cuMemAllocManaged(&memory, BYTES, CU_MEM_ATTACH_GLOBAL));
    return memory;
}

static int asked(CUmem_range_attribute attribute, CUdeviceptr memory, size_t size)
{
    int value = -99;

    OK(cuMemRangeGetAttribute(&value, sizeof value, attribute, memory, size));
    return value;
}

static void advice_is_remembered_where_it_was_given(void)
{
    const CUdeviceptr memory = managed();
    const CUmem_range_attribute mostly = CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
                                preferred = CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION;

    CHECK(asked(mostly, memory, BYTES) == 0 && asked(preferred, memory, BYTES) == CU_DEVICE_INVALID);
    OK(cuMemAdvise(memory + 4096, 8192, CU_MEM_ADVISE_SET_READ_MOSTLY, on_host));
    CHECK(asked(mostly, memory + 4096, 8192) == 1 && asked(mostly, memory + 8192, 100) == 1);
    CHECK(asked(mostly, memory, BYTES) == 0 && asked(mostly, memory + 4095, 2) == 0);
    OK(cuMemAdvise(memory + 8192, 100, CU_MEM_ADVISE_UNSET_READ_MOSTLY, on_host));
    CHECK(asked(mostly, memory + 4096, 8192) == 0 && asked(mostly, memory + 4096, 4096) == 1);
    CHECK(asked(mostly, memory + 8292, 3996) == 1);

    OK(cuMemAdvise(memory, BYTES / 2, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, on_device));
    CHECK(asked(preferred, memory, BYTES / 2) == 0 && asked(preferred, memory, BYTES) == CU_DEVICE_INVALID);
    OK(cuMemAdvise(memory + BYTES / 2, BYTES / 2, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, on_host));
    CHECK(asked(preferred, memory + BYTES / 2, BYTES / 2) == CU_DEVICE_CPU);
    CHECK(asked(preferred, memory, BYTES) == CU_DEVICE_INVALID); /* not all the same */
    CHECK(asked(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, memory, 1) == CU_MEM_LOCATION_TYPE_DEVICE);
    OK(cuMemAdvise(memory, BYTES, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, on_host));
    CHECK(asked(preferred, memory, 1) == CU_DEVICE_INVALID);
    OK(cuMemFree(memory));
    IS(cuMemAdvise(memory, 1, CU_MEM_ADVISE_SET_READ_MOSTLY, on_host), CUDA_ERROR_INVALID_VALUE);
}

static void those_who_access_are_listed(void)
{
    const CUdeviceptr memory = managed();
    int list[3] = {9, 9, 9};

    OK(cuMemAdvise(memory, BYTES, CU_MEM_ADVISE_SET_ACCESSED_BY, on_host));
    OK(cuMemAdvise(memory, BYTES / 2, CU_MEM_ADVISE_SET_ACCESSED_BY, on_device));
    OK(cuMemRangeGetAttribute(list, sizeof list, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, BYTES / 2));
    CHECK(list[0] == 0 && list[1] == CU_DEVICE_CPU && list[2] == CU_DEVICE_INVALID);
    OK(cuMemRangeGetAttribute(list, sizeof list, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, BYTES));
    CHECK(list[0] == CU_DEVICE_CPU && list[1] == CU_DEVICE_INVALID);
    OK(cuMemFree(memory));
}

static void prefetches_are_remembered(void)
{
    CUdeviceptr memories[2] = {managed(), managed()};
    CUmemLocation places[2] = {on_device, on_host};
    size_t sizes[2] = {BYTES, BYTES}, firsts[2] = {0, 1};
    const CUmem_range_attribute last = CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION;
    CUmem_range_attribute attributes[2] = {last, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE};
    int place = 9, type = 9;

    CHECK(asked(last, memories[0], BYTES) == CU_DEVICE_INVALID);
    OK(cuMemPrefetchAsync(memories[0], BYTES, on_device, 0, NULL));
    CHECK(asked(last, memories[0], BYTES) == 0);
    OK(cuMemPrefetchAsync(memories[0], BYTES / 2, on_host, 0, NULL));
    CHECK(asked(last, memories[0], BYTES / 2) == CU_DEVICE_CPU && asked(last, memories[0], BYTES) == CU_DEVICE_INVALID);
    OK(cuMemPrefetchBatchAsync(memories, sizes, 2, places, firsts, 2, 0, NULL));
    CHECK(asked(last, memories[0], BYTES) == 0 && asked(last, memories[1], BYTES) == CU_DEVICE_CPU);
    OK(cuMemRangeGetAttributes((void *[]){&place, &type}, (size_t[]){4, 4}, attributes, 2, memories[1], BYTES));
    CHECK(place == CU_DEVICE_CPU && type == CU_MEM_LOCATION_TYPE_HOST);
    OK(cuMemDiscardBatchAsync(memories, sizes, 2, 0, NULL));
    OK(cuMemDiscardAndPrefetchBatchAsync(memories, sizes, 2, places, firsts, 1, 0, NULL));
    CHECK(asked(last, memories[1], BYTES) == 0);
    firsts[1] = 0;
    IS(cuMemPrefetchBatchAsync(memories, sizes, 2, places, firsts, 2, 0, NULL), CUDA_ERROR_INVALID_VALUE);
    OK(cuCtxSynchronize());
    OK(cuMemFree(memories[0]));
    OK(cuMemFree(memories[1]));
}

static void wrong_questions(void)
{
    const CUdeviceptr memory = managed();
    const CUmemLocation nowhere = {CU_MEM_LOCATION_TYPE_DEVICE, 1000};
    CUdeviceptr plain = 0;
    int value = 0;

    OK(cuMemAlloc(&plain, BYTES));
    IS(cuMemAdvise(plain, 1, CU_MEM_ADVISE_SET_READ_MOSTLY, on_host), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemAdvise(memory, BYTES + 1, CU_MEM_ADVISE_SET_READ_MOSTLY, on_host), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemAdvise(memory, BYTES, (CUmem_advise)77, on_host), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemAdvise(memory, BYTES, CU_MEM_ADVISE_SET_ACCESSED_BY, nowhere), CUDA_ERROR_INVALID_DEVICE);
    IS(cuMemPrefetchAsync(memory, BYTES, nowhere, 0, NULL), CUDA_ERROR_INVALID_DEVICE);
    IS(cuMemPrefetchAsync(memory, 0, on_device, 0, NULL), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemRangeGetAttribute(&value, 3, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, 1), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemRangeGetAttribute(&value, 4, (CUmem_range_attribute)77, memory, 1), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree(memory));
    OK(cuMemFree(plain));
}

/* --- batches of copies ------------------------------------------------------------------------ */
static void copies_come_in_batches(void)
{
    CUmemcpyAttributes attributes[2] = {{.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM},
                                        {.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL}};
    unsigned in[4] = {1, 2, 3, 4}, out[4] = {0};
    size_t sizes[2] = {8, 8}, firsts[2] = {0, 1};
    CUdeviceptr device = 0;
    CUstream stream = NULL;

    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc(&device, sizeof in));
    CUdeviceptr to[2] = {device + 8, device}, from[2] = {(CUdeviceptr)(uintptr_t)in, (CUdeviceptr)(uintptr_t)(in + 2)};

    OK(cuMemcpyBatchAsync(to, from, sizes, 2, attributes, firsts, 2, stream));
    memset(in + 2, 0, 8); /* read before the call was back */
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH(out, device, sizeof out));
    CHECK(out[0] == 3 && out[1] == 4 && out[2] == 1 && out[3] == 2);
    IS(cuMemcpyBatchAsync(to, from, sizes, 2, attributes, firsts, 2, NULL), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemcpyBatchAsync(to, from, sizes, 2, attributes, firsts, 3, stream), CUDA_ERROR_INVALID_VALUE);
    attributes[1].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_INVALID;
    IS(cuMemcpyBatchAsync(to, from, sizes, 2, attributes, firsts, 2, stream), CUDA_ERROR_INVALID_VALUE);
    to[1] = device + 12; /* too long: nothing of the batch is copied */
    in[0] = 9;
    attributes[1].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
    IS(cuMemcpyBatchAsync(to, from, sizes, 2, attributes, firsts, 2, stream), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemcpyDtoH(out, device, sizeof out));
    CHECK(out[2] == 1);
    OK(cuMemFree(device));
    OK(cuStreamDestroy(stream));
}

/* A box of 2 x 2 floats into an array, and from there into rows of 3. */
static void boxes_come_in_batches(void)
{
    const CUDA_ARRAY_DESCRIPTOR shape = {4, 4, CU_AD_FORMAT_FLOAT, 1};
    float in[4] = {1, 2, 3, 4}, out[6] = {0};
    CUDA_MEMCPY3D_BATCH_OP op = {.extent = {2, 2, 1}, .srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
    CUstream stream = NULL;
    CUarray array = NULL;

    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuArrayCreate(&array, &shape));
    op.src.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
    op.src.op.ptr.ptr = (CUdeviceptr)(uintptr_t)in;
    op.dst.type = CU_MEMCPY_OPERAND_TYPE_ARRAY;
    op.dst.op.array.array = array;
    op.dst.op.array.offset = (CUoffset3D){1, 2, 0};
    OK(cuMemcpy3DBatchAsync(1, &op, 0, stream));
    op.src = op.dst;
    op.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
    op.dst.op.ptr.ptr = (CUdeviceptr)(uintptr_t)out;
    op.dst.op.ptr.rowLength = 3;
    op.dst.op.ptr.layerHeight = 2;
    OK(cuMemcpy3DBatchAsync(1, &op, 0, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(out[0] == 1 && out[1] == 2 && out[2] == 0 && out[3] == 3 && out[4] == 4);
    op.extent.width = 0;
    IS(cuMemcpy3DBatchAsync(1, &op, 0, stream), CUDA_ERROR_INVALID_VALUE);
    op.extent.width = 4; /* more than is left of a row */
    IS(cuMemcpy3DBatchAsync(1, &op, 0, stream), CUDA_ERROR_INVALID_VALUE);
    OK(cuArrayDestroy(array));
    OK(cuStreamDestroy(stream));
}

int main(void)
{
    use_device();
    advice_is_remembered_where_it_was_given();
    those_who_access_are_listed();
    prefetches_are_remembered();
    wrong_questions();
    copies_come_in_batches();
    boxes_come_in_batches();
    return 0;
}
