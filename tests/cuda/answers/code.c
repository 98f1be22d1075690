/* Modules, functions, launches and the linker. */
#include "answers.h"

#include <stdbool.h>
#include <string.h>

const char answers_ptx[] = ".version 7.8\n.target sm_80\n.address_size 64\n"
                           ".global .align 4 .u32 numbers[4] = {1, 2, 3, 4};\n"
                           ".visible .entry empty()\n{\n    ret;\n}\n"
                           ".visible .entry args(.param .u64 p, .param .u32 n)\n"
                           "{\n"
                           "    .reg .b64 %rd<3>;\n    .reg .b32 %r<2>;\n"
                           "    ld.param.u64 %rd1, [p];\n    ld.param.u32 %r1, [n];\n"
                           "    cvta.to.global.u64 %rd2, %rd1;\n    st.global.u32 [%rd2], %r1;\n    ret;\n"
                           "}\n"
                           ".visible .entry bounded() .maxntid 128, 1, 1\n{\n    ret;\n}\n"
                           ".visible .entry required() .reqntid 64, 1, 1\n{\n    ret;\n}\n"
                           ".visible .entry trapped()\n{\n    trap;\n}\n"
                           ".visible .entry shared()\n"
                           "{\n"
                           "    .shared .align 4 .b8 s[16384];\n    .reg .b32 %r<2>;\n"
                           "    mov.u32 %r1, s;\n    st.shared.u32 [%r1], %r1;\n    ret;\n"
                           "}\n";

CUmodule answers_module(void)
{
    CUmodule module = NULL;

    must(cuModuleLoadData(&module, answers_ptx));
    return module;
}

CUfunction answers_kernel(const char *name)
{
    CUfunction function = NULL;

    must(cuModuleGetFunction(&function, answers_module(), name));
    return function;
}

/* --- modules ---------------------------------------------------------------------------------- */
#define TEXT(version, target, body) ".version " version "\n.target " target "\n.address_size 64\n" body

static void texts(void)
{
    static const char bad[] = TEXT("7.8", "sm_80", ".entry x()\n{\n    bad;\n}\n");
    static const char future[] = TEXT("99.0", "sm_80", ".entry x()\n{\n    ret;\n}\n");
    static const char newer[] = TEXT("8.7", "sm_120", ".entry x()\n{\n    ret;\n}\n");
    static const char undefined[] =
        TEXT("7.8", "sm_80", ".extern .func other();\n.visible .entry x()\n{\n    call other;\n    ret;\n}\n");
    CUmodule module = NULL;

    ANSWER(cuModuleLoadData(&module, "garbage"));
    ANSWER(cuModuleLoadData(&module, bad));
    ANSWER(cuModuleLoadData(&module, future));
    ANSWER(cuModuleLoadData(&module, newer));
    ANSWER(cuModuleLoadData(&module, NULL));
    ANSWER(cuModuleLoadData(NULL, answers_ptx));
    ANSWER(cuModuleLoad(&module, "/nonexistent"));
    ANSWER(cuModuleLoadData(&module, ""));
    ANSWER(cuModuleLoadData(&module, undefined));
}

void modules(void)
{
    CUmodule module = NULL;
    CUfunction function = NULL;
    CUdeviceptr address = 0;
    size_t size = 0;

    use_primary_context();
    texts();
    ANSWER(cuModuleLoadData(&module, answers_ptx));
    ANSWER(cuModuleGetFunction(&function, module, "nope"));
    ANSWER(cuModuleGetFunction(&function, module, "empty"));
    ANSWER(cuModuleGetFunction(&function, module, NULL));
    ANSWER(cuModuleGetGlobal(&address, &size, module, "numbers"));
    answer("size of numbers", (long long)size);
    ANSWER(cuModuleGetGlobal(&address, &size, module, "nope"));
    ANSWER(cuModuleGetGlobal(NULL, NULL, module, "numbers"));
}

/* --- functions -------------------------------------------------------------------------------- */
void function_attributes(void)
{
    static const char *const names[] = {"empty", "bounded", "shared"};

    use_primary_context();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const CUfunction function = answers_kernel(names[i]);

        for (int attribute = 0; attribute < 18; attribute++) {
            int value = -1;
            const CUresult result = cuFuncGetAttribute(&value, (CUfunction_attribute)attribute, function);

            answer_named(result, "attribute %d of %s", attribute, names[i]);
            answer_named(value, "value of attribute %d of %s", attribute, names[i]);
        }
    }
}

static CUresult launch(CUfunction f, unsigned gx, unsigned gy, unsigned bx, unsigned by, unsigned bz, unsigned shared)
{
    return cuLaunchKernel(f, gx, gy, 1, bx, by, bz, shared, NULL, NULL, NULL);
}

void launches(void)
{
    use_primary_context();
    const CUfunction empty = answers_kernel("empty"), args = answers_kernel("args"),
                     bounded = answers_kernel("bounded"), required = answers_kernel("required"),
                     shared = answers_kernel("shared");
    CUdeviceptr memory = 0;
    int n = 3;
    void *both[] = {&memory, &n};

    must(cuMemAlloc(&memory, 4));
    ANSWER(launch(empty, 1, 1, 1, 1, 1, 0));
    ANSWER(launch(empty, 0, 1, 1, 1, 1, 0));
    ANSWER(launch(empty, 1, 1, 0, 1, 1, 0));
    ANSWER(launch(empty, 1, 1, 1025, 1, 1, 0));
    ANSWER(launch(empty, 1, 1, 32, 32, 2, 0));
    ANSWER(launch(empty, 1, 65536, 1, 1, 1, 0));
    ANSWER(launch(empty, 1, 1, 1, 1, 65, 0));
    ANSWER(launch(empty, 1, 1, 1, 1, 1, 49152));
    ANSWER(launch(empty, 1, 1, 1, 1, 1, 49153));
    ANSWER(launch(empty, 1, 1, 1, 1, 1, 300000));
    ANSWER(launch(shared, 1, 1, 1, 1, 1, 40000));
    ANSWER(launch(bounded, 1, 1, 256, 1, 1, 0));
    ANSWER(launch(bounded, 1, 1, 64, 2, 1, 0));
    ANSWER(launch(required, 1, 1, 32, 1, 1, 0));
    ANSWER(launch(required, 1, 1, 64, 1, 1, 0));
    ANSWER(launch(args, 1, 1, 1, 1, 1, 0));
    ANSWER(launch(NULL, 1, 1, 1, 1, 1, 0));
    ANSWER(cuLaunchKernel(empty, 1, 1, 1, 1, 1, 1, 0, NULL, both, both));
    ANSWER(cuCtxSynchronize());
}

void function_settings(void)
{
    enum {
        MOST = 232448,  /* bytes of shared memory that a CTA can have */
        FULL = 132 * 32 /* CTAs of a warp that are resident at a time */
    };
    const CUfunction_attribute dynamic = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                               carveout = CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT;

    use_primary_context();
    const CUfunction empty = answers_kernel("empty"), args = answers_kernel("args"), shared = answers_kernel("shared");
    size_t offset = 9, size = 9;

    ANSWER(cuFuncSetAttribute(empty, dynamic, MOST));
    ANSWER(cuFuncSetAttribute(empty, dynamic, MOST + 1));
    ANSWER(cuFuncSetAttribute(empty, dynamic, -1));
    ANSWER(launch(empty, 1, 1, 1, 1, 1, MOST));
    ANSWER(launch(empty, 1, 1, 1, 1, 1, MOST + 1));
    ANSWER(cuFuncSetAttribute(empty, CU_FUNC_ATTRIBUTE_NUM_REGS, 3));
    ANSWER(cuFuncSetAttribute(empty, carveout, 101));
    ANSWER(cuFuncSetAttribute(empty, (CUfunction_attribute)77, 1));
    ANSWER(cuFuncSetAttribute(shared, dynamic, MOST - 16384));
    ANSWER(cuFuncSetAttribute(shared, dynamic, MOST - 16384 + 1));
    ANSWER(cuLaunchCooperativeKernel(empty, FULL, 1, 1, 32, 1, 1, 0, NULL, NULL));
    ANSWER(cuLaunchCooperativeKernel(empty, FULL + 1, 1, 1, 32, 1, 1, 0, NULL, NULL));
    ANSWER(cuFuncGetParamInfo(args, 1, &offset, &size));
    answer("offset", (long long)offset);
    answer("size", (long long)size);
    ANSWER(cuFuncGetParamInfo(args, 2, &offset, &size));
    ANSWER(cuFuncGetParamInfo(args, 0, NULL, &size));
    ANSWER(cuFuncGetParamInfo(args, 0, &offset, NULL));
    must(cuCtxSynchronize());
}

/* --- occupancy -------------------------------------------------------------------------------- */
static void best_block(CUfunction function, const char *name, size_t shared, int limit)
{
    int grid = 0, block = 0;

    answer_named(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, NULL, shared, limit), "best block of %s",
                 name);
    answer_named(grid, "CTAs of the best grid of %s", name);
    answer_named(block, "threads of the best block of %s", name);
}

void occupancy(void)
{
    use_primary_context();
    const CUfunction empty = answers_kernel("empty"), bounded = answers_kernel("bounded");
    int ctas = 0;
    size_t bytes = 0;

    must(cuFuncSetAttribute(empty, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448));
    best_block(empty, "empty", 0, 0);
    best_block(bounded, "bounded", 0, 0);
    best_block(empty, "empty with 40000 bytes", 40000, 0);
    best_block(empty, "empty up to 100 threads", 0, 100);
    ANSWER(cuOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, empty, 256, 0));
    answer("CTAs", ctas);
    ANSWER(cuOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, empty, 0, 0));
    ANSWER(cuOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, empty, 2000, 0));
    answer("CTAs", ctas);
    ANSWER(cuOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, empty, 32, 300000));
    answer("CTAs", ctas);
    for (int n = 1; n < 40; n += 5) {
        answer_named(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, empty, n, 32), "%d CTAs with shared memory", n);
        answer_named((long long)bytes, "shared memory of each of %d", n);
    }
}

/* --- linker ----------------------------------------------------------------------------------- */
static CUresult add_text(CUlinkState link, const char *text, const char *name)
{
    return cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)(uintptr_t)text, strlen(text) + 1, name, 0, NULL, NULL);
}

void linker(void)
{
    CUlinkState link = NULL;
    void *image = NULL;
    size_t size = 0;

    use_primary_context();
    ANSWER(cuLinkCreate(0, NULL, NULL, &link));
    ANSWER(add_text(link, "junk", "x"));
    ANSWER(cuLinkComplete(link, &image, &size));
    ANSWER(cuLinkDestroy(link));
    ANSWER(cuLinkCreate(0, NULL, NULL, &link));
    ANSWER(add_text(link, answers_ptx, "x"));
    ANSWER(add_text(link, answers_ptx, "y"));
    ANSWER(cuLinkComplete(link, &image, &size));
    ANSWER(cuLinkDestroy(link));
    ANSWER(cuLinkCreate(0, NULL, NULL, &link));
    ANSWER(cuLinkComplete(link, &image, &size));
    ANSWER(cuLinkDestroy(link));
}
