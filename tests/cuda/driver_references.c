/* Texture and surface references: variables of device code, bound by name. */
#include "driver_check.h"

#define N 16

/* at(out, i): *out = texel i; sampled(out, x): *out = sampled at x; in_2d(out, x, y); put(i, value): surf[i] = value.
 */
static const char references_ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".global .texref tex;\n.global .surfref surf;\n.global .u32 plain;\n"
    ".visible .entry at(.param .u64 out, .param .s32 i)\n"
    "{\n"
    "    .reg .b32 %r<2>;\n    .reg .b64 %rd<2>;\n    .reg .f32 %f<5>;\n"
    "    ld.param.u64 %rd1, [out];\n    ld.param.u32 %r1, [i];\n"
    "    tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [tex, {%r1}];\n    st.global.f32 [%rd1], %f1;\n    ret;\n"
    "}\n"
    ".visible .entry sampled(.param .u64 out, .param .f32 x)\n"
    "{\n"
    "    .reg .b64 %rd<2>;\n    .reg .f32 %f<6>;\n"
    "    ld.param.u64 %rd1, [out];\n    ld.param.f32 %f5, [x];\n"
    "    tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [tex, {%f5}];\n    st.global.f32 [%rd1], %f1;\n    ret;\n"
    "}\n"
    ".visible .entry in_2d(.param .u64 out, .param .f32 x, .param .f32 y)\n"
    "{\n"
    "    .reg .b64 %rd<2>;\n    .reg .f32 %f<7>;\n"
    "    ld.param.u64 %rd1, [out];\n    ld.param.f32 %f5, [x];\n    ld.param.f32 %f6, [y];\n"
    "    tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [tex, {%f5, %f6}];\n    st.global.f32 [%rd1], %f1;\n    ret;\n"
    "}\n"
    ".visible .entry put(.param .s32 i, .param .f32 value)\n"
    "{\n"
    "    .reg .b32 %r<4>;\n"
    "    ld.param.u32 %r1, [i];\n    ld.param.b32 %r2, [value];\n    shl.b32 %r3, %r1, 2;\n"
    "    sust.b.1d.b32.trap [surf, {%r3}], %r2;\n    ret;\n"
    "}\n";

static struct {
    CUmodule module;
    CUtexref tex;
    CUdeviceptr out;
} t;

static float result_of(const char *kernel, void **arguments)
{
    float value = -1;

    OK(cuLaunchKernel(driver_kernel(t.module, kernel), 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
    OK(cuMemcpyDtoH(&value, t.out, sizeof value));
    return value;
}

static float at(int i)
{
    return result_of("at", (void *[]){&t.out, &i});
}

static float sampled(float x)
{
    return result_of("sampled", (void *[]){&t.out, &x});
}

static float in_2d(float x, float y)
{
    return result_of("in_2d", (void *[]){&t.out, &x, &y});
}

/* N floats: 0, 10, 20, ... */
static CUdeviceptr tens(void)
{
    float values[N];
    CUdeviceptr memory = 0;

    for (int i = 0; i < N; i++) {
        values[i] = 10.0f * (float)i;
    }
    OK(cuMemAlloc(&memory, sizeof values));
    OK(cuMemcpyHtoD(memory, values, sizeof values));
    return memory;
}

static CUarray array_of(CUdeviceptr values)
{
    const CUDA_ARRAY_DESCRIPTOR shape = {N, 0, CU_AD_FORMAT_FLOAT, 1};
    CUarray array = NULL;

    OK(cuArrayCreate(&array, &shape));
    OK(cuMemcpyDtoA(array, 0, values, N * sizeof(float)));
    return array;
}

static void are_found_by_name(void)
{
    CUtexref again = NULL;
    CUsurfref surf = NULL;
    CUarray array = NULL;

    OK(cuModuleGetTexRef(&t.tex, t.module, "tex"));
    OK(cuModuleGetTexRef(&again, t.module, "tex"));
    CHECK(again == t.tex);
    OK(cuModuleGetSurfRef(&surf, t.module, "surf"));
    IS(cuModuleGetTexRef(&again, t.module, "surf"), CUDA_ERROR_NOT_FOUND);
    IS(cuModuleGetTexRef(&again, t.module, "plain"), CUDA_ERROR_NOT_FOUND);
    IS(cuModuleGetSurfRef(&surf, t.module, "tex"), CUDA_ERROR_NOT_FOUND);
    IS(cuModuleGetTexRef(&again, t.module, NULL), CUDA_ERROR_INVALID_VALUE);
    IS(cuModuleGetTexRef(&again, NULL, "tex"), CUDA_ERROR_INVALID_HANDLE);
    IS(cuTexRefGetArray(&array, t.tex), CUDA_ERROR_INVALID_VALUE); /* stands for nothing yet */
    IS(cuTexRefSetFlags((CUtexref)surf, 0), CUDA_ERROR_INVALID_HANDLE);
    IS(cuTexRefDestroy(t.tex), CUDA_ERROR_INVALID_VALUE);
}

static void stand_for_memory(void)
{
    const CUdeviceptr memory = tens();
    CUarray_format format;
    CUdeviceptr address = 0;
    size_t offset = 1;
    int channels = 0;

    CHECK(memory % 512 == 0);
    OK(cuTexRefSetFormat(t.tex, CU_AD_FORMAT_FLOAT, 1));
    OK(cuTexRefGetFormat(&format, &channels, t.tex));
    CHECK(format == CU_AD_FORMAT_FLOAT && channels == 1);
    OK(cuTexRefSetAddress(&offset, t.tex, memory, N * sizeof(float)));
    CHECK(offset == 0);
    OK(cuTexRefGetAddress(&address, t.tex));
    CHECK(address == memory);
    CHECK(at(0) == 0 && at(7) == 70);
    CHECK(at(N) == 0); /* behind the end */
    OK(cuTexRefSetAddress(&offset, t.tex, memory + 8, 4 * sizeof(float)));
    CHECK(offset == 8); /* for the kernel to add */
    CHECK(at(2) == 20 && at(5) == 50 && at(6) == 0);
    IS(cuTexRefSetAddress(NULL, t.tex, memory + 8, 4), CUDA_ERROR_INVALID_VALUE);
    IS(cuTexRefSetAddress(&offset, t.tex, memory, 4096), CUDA_ERROR_INVALID_VALUE);
    IS(cuTexRefSetFormat(t.tex, CU_AD_FORMAT_FLOAT, 3), CUDA_ERROR_INVALID_VALUE);
    CHECK(at(5) == 50); /* as it was */
    OK(cuMemFree(memory));
}

static void stand_for_rows(void)
{
    const CUDA_ARRAY_DESCRIPTOR shape = {4, 2, CU_AD_FORMAT_FLOAT, 1};
    const CUdeviceptr memory = tens();

    OK(cuTexRefSetFilterMode(t.tex, CU_TR_FILTER_MODE_POINT));
    OK(cuTexRefSetAddress2D(t.tex, &shape, memory, 32)); /* 8 floats a row, of which 4 are the texture's */
    CHECK(in_2d(1.5f, 0.5f) == 10 && in_2d(2.5f, 1.5f) == 100);
    CHECK(in_2d(9.5f, 1.5f) == 110); /* clamped to the last column */
    IS(cuTexRefSetAddress2D(t.tex, &shape, memory + 4, 32), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree(memory));
}

static void stand_for_arrays(void)
{
    const CUdeviceptr memory = tens();
    const CUarray array = array_of(memory);
    CUarray asked = NULL;
    CUfilter_mode filter;
    CUaddress_mode mode;
    unsigned flags = 99;

    IS(cuTexRefSetArray(t.tex, array, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuTexRefSetArray(t.tex, (CUarray)&filter, CU_TRSA_OVERRIDE_FORMAT), CUDA_ERROR_INVALID_HANDLE);
    OK(cuTexRefSetArray(t.tex, array, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuTexRefGetArray(&asked, t.tex));
    CHECK(asked == array);
    OK(cuTexRefSetFilterMode(t.tex, CU_TR_FILTER_MODE_LINEAR));
    OK(cuTexRefGetFilterMode(&filter, t.tex));
    CHECK(filter == CU_TR_FILTER_MODE_LINEAR);
    CHECK(sampled(3.0f) == 25); /* between texels 2 and 3 */
    OK(cuTexRefSetFilterMode(t.tex, CU_TR_FILTER_MODE_POINT));
    OK(cuTexRefSetFlags(t.tex, CU_TRSF_NORMALIZED_COORDINATES));
    OK(cuTexRefSetAddressMode(t.tex, 0, CU_TR_ADDRESS_MODE_WRAP));
    OK(cuTexRefGetAddressMode(&mode, t.tex, 0));
    OK(cuTexRefGetFlags(&flags, t.tex));
    CHECK(mode == CU_TR_ADDRESS_MODE_WRAP && flags == CU_TRSF_NORMALIZED_COORDINATES);
    CHECK(sampled(0.53125f) == 80 && sampled(1.53125f) == 80);
    OK(cuTexRefSetAddressMode(t.tex, 0, CU_TR_ADDRESS_MODE_CLAMP));
    CHECK(sampled(1.53125f) == 150);
    IS(cuTexRefSetAddressMode(t.tex, 3, CU_TR_ADDRESS_MODE_CLAMP), CUDA_ERROR_INVALID_VALUE);
    IS(cuTexRefSetFilterMode(t.tex, (CUfilter_mode)7), CUDA_ERROR_INVALID_VALUE);
    IS(cuTexRefSetFlags(t.tex, 1u << 20), CUDA_ERROR_INVALID_VALUE);
    OK(cuArrayDestroy(array)); /* what the variable stands for stays */
    CHECK(sampled(0.53125f) == 80);
    OK(cuMemFree(memory));
}

static void surfaces_are_written(void)
{
    const CUdeviceptr memory = tens();
    const CUarray array = array_of(memory);
    CUsurfref surf = NULL;
    CUarray asked = NULL;
    float value = 12.5f, values[N];
    int i = 3;

    OK(cuModuleGetSurfRef(&surf, t.module, "surf"));
    IS(cuSurfRefGetArray(&asked, surf), CUDA_ERROR_INVALID_VALUE);
    IS(cuSurfRefSetArray(surf, array, 1), CUDA_ERROR_INVALID_VALUE);
    OK(cuSurfRefSetArray(surf, array, 0));
    OK(cuSurfRefGetArray(&asked, surf));
    CHECK(asked == array);
    OK(cuLaunchKernel(driver_kernel(t.module, "put"), 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&i, &value}, NULL));
    OK(cuMemcpyAtoH(values, array, 0, sizeof values));
    CHECK(values[2] == 20 && values[3] == 12.5f && values[4] == 40);
    OK(cuArrayDestroy(array));
    OK(cuMemFree(memory));
}

static void other_settings_are_kept(void)
{
    float border[4] = {1, 2, 3, 4}, asked[4] = {0}, bias = 0, least = 0, most = 0;
    CUfilter_mode filter;
    int anisotropy = 0;

    OK(cuTexRefSetBorderColor(t.tex, border));
    OK(cuTexRefGetBorderColor(asked, t.tex));
    CHECK(memcmp(asked, border, sizeof border) == 0);
    OK(cuTexRefSetMipmapLevelBias(t.tex, 0.5f));
    OK(cuTexRefGetMipmapLevelBias(&bias, t.tex));
    OK(cuTexRefSetMipmapLevelClamp(t.tex, 1, 2));
    OK(cuTexRefGetMipmapLevelClamp(&least, &most, t.tex));
    CHECK(bias == 0.5f && least == 1 && most == 2);
    OK(cuTexRefSetMipmapFilterMode(t.tex, CU_TR_FILTER_MODE_LINEAR));
    OK(cuTexRefGetMipmapFilterMode(&filter, t.tex));
    OK(cuTexRefSetMaxAnisotropy(t.tex, 4));
    OK(cuTexRefGetMaxAnisotropy(&anisotropy, t.tex));
    CHECK(filter == CU_TR_FILTER_MODE_LINEAR && anisotropy == 4);
}

static void end_with_their_module(void)
{
    CUtexref own = NULL;

    OK(cuTexRefCreate(&own));
    OK(cuTexRefSetFlags(own, CU_TRSF_READ_AS_INTEGER));
    OK(cuParamSetTexRef(driver_kernel(t.module, "at"), CU_PARAM_TR_DEFAULT, own));
    OK(cuTexRefDestroy(own));
    IS(cuTexRefDestroy(own), CUDA_ERROR_INVALID_HANDLE);
    OK(cuModuleUnload(t.module));
    IS(cuTexRefSetFlags(t.tex, 0), CUDA_ERROR_INVALID_HANDLE);
}

int main(void)
{
    use_device();
    OK(cuModuleLoadData(&t.module, references_ptx));
    OK(cuMemAlloc(&t.out, sizeof(float)));
    are_found_by_name();
    stand_for_memory();
    stand_for_rows();
    stand_for_arrays();
    surfaces_are_written();
    other_settings_are_kept();
    end_with_their_module();
    return 0;
}
