/*
 * Kernels as C source, which any compiler of gcc's kind turns into what embed_object.c writes, and the header for both.
 */
#include "runtime/cli/embed.h"

#include <ctype.h>
#include <string.h>

/* --- pieces ----------------------------------------------------------------------------------- */
/* Structures of bytes have no type in PTX; these have their sizes and alignments. */
static void print_structures(FILE *out, const struct cli_embed_kernel *kernel)
{
    char name[CLI_C_NAME];

    for (size_t i = 0; i < kernel->info.param_count; i++) {
        const ptxemu_param_info *param = &kernel->params[i];

        if (cli_embed_scalar(param) == NULL) {
            cli_embed_param_name(kernel, i, name);
            fprintf(out, "struct %s_%s {\n    unsigned char bytes[%ju] __attribute__((aligned(%ju)));\n};\n",
                    kernel->info.name, name, (uintmax_t)param->bytes, (uintmax_t)param->align);
        }
    }
}

static void print_prototype(FILE *out, const struct cli_embed_kernel *kernel)
{
    fprintf(out, "cudaError_t %s(", kernel->info.name);
    cli_embed_print_params(out, kernel, false);
    fputc(')', out);
}

/* The array that launches take: where each value is. */
static void print_arguments(FILE *out, const struct cli_embed_kernel *kernel)
{
    char name[CLI_C_NAME];

    fputs("    void *arguments[] = {", out);
    for (size_t i = 0; i < kernel->info.param_count; i++) {
        cli_embed_param_name(kernel, i, name);
        fprintf(out, "&%s, ", name);
    }
    fputs("NULL};\n", out);
}

/* --- header ----------------------------------------------------------------------------------- */
static void print_guard(FILE *out, const char *name)
{
    for (const char *at = name; *at != '\0'; at++) {
        fputc(toupper((unsigned char)*at), out);
    }
    fputs("_PTX_H\n", out);
}

static void print_launcher(FILE *out, const struct cli_embed_kernel *kernel)
{
    fprintf(out, "\n/* .entry %s, line %u of %s */\n", kernel->info.name, kernel->info.line, kernel->info.file);
    print_structures(out, kernel);
    print_prototype(out, kernel);
    fprintf(out, ";\nstatic inline cudaError_t %s_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream",
            kernel->info.name);
    cli_embed_print_params(out, kernel, true);
    fputs(")\n{\n", out);
    print_arguments(out, kernel);
    fprintf(out, "\n    return cudaLaunchKernel((const void *)%s, grid, block, arguments, shared, stream);\n}\n",
            kernel->info.name);
}

void cli_embed_print_header(FILE *out, const struct cli_embed *embed)
{
    fprintf(out,
            "/*\n * Kernels from PTX, to be called from C and C++; made by ptxemu embed, together with the object or "
            "source\n * that is to be linked.\n *\n"
            " *     KERNEL_launch(grid, block, shared, stream, arguments...)   starts a kernel\n"
            " *     (const void *)KERNEL   stands for it where the CUDA runtime wants a function\n"
            " *     NAME_ptx, NAME_ptx_size   the text, terminated, and its length\n */\n#ifndef ");
    print_guard(out, embed->name);
    fputs("#define ", out);
    print_guard(out, embed->name);
    fputs(
        "\n#include <cuda_runtime_api.h>\n#include <stddef.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" "
        "{\n#endif\n\n",
        out);
    for (size_t i = 0; i < embed->text_count; i++) {
        fprintf(out, "extern const char %s_ptx[];\nextern const size_t %s_ptx_size;\n", embed->texts[i].name,
                embed->texts[i].name);
    }
    for (size_t i = 0; i < embed->kernel_count; i++) {
        print_launcher(out, &embed->kernels[i]);
    }
    fputs("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n", out);
}

/* --- source ----------------------------------------------------------------------------------- */
static void print_bytes(FILE *out, const uint8_t *bytes, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        fprintf(out, "%s%u,", i % 24 == 0 ? "\n    " : " ", bytes[i]);
    }
}

/* The text lies in the container; a name of its own points there. */
static void print_text(FILE *out, const struct cli_embed_text *text)
{
    const struct rt_container *c = &text->container;

    fprintf(
        out,
        "\nconst unsigned char %s_ptx_container[%ju] __attribute__((section(\".nv_fatbin\"), aligned(8), used)) = {",
        text->name, (uintmax_t)c->size);
    print_bytes(out, c->bytes, c->size);
    fprintf(out,
            "\n};\n__asm__(\".globl %s_ptx\\n.set %s_ptx, %s_ptx_container + %ju\\n\");\nconst size_t %s_ptx_size = "
            "%zu;\n",
            text->name, text->name, text->name, (uintmax_t)c->text_at, text->name,
            strlen((const char *)c->bytes + c->text_at));
}

static void print_wrapper(FILE *out, const struct cli_embed *embed)
{
    const bool linked = embed->text_count > 1;

    if (linked) {
        fputs("\nstatic const void *const list[] = {", out);
        for (size_t i = 0; i < embed->text_count; i++) {
            fprintf(out, "%s_ptx_container, ", embed->texts[i].name);
        }
        fputs("NULL};\n", out);
    }
    fprintf(out,
            "\nstatic const struct {\n    unsigned magic, version;\n    const void *container, *list;\n} wrapper "
            "__attribute__((section(\".nvFatBinSegment\"), aligned(8))) = {0x466243B1, %d, %s_ptx_container, %s};\n",
            linked ? 2 : 1, embed->texts[0].name, linked ? "list" : "NULL");
}

static const char RUNTIME[] =
    "\nvoid **__cudaRegisterFatBinary(void *wrapper);\nvoid __cudaRegisterFatBinaryEnd(void **handle);\n"
    "void __cudaUnregisterFatBinary(void **handle);\n"
    "void __cudaRegisterFunction(void **handle, const char *stub, char *device, const char *name, int limit, void "
    "*thread,\n"
    "                            void *cta, void *block, void *grid, int *warp);\n"
    "cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);\n";

static void print_stub(FILE *out, const struct cli_embed_kernel *kernel)
{
    fputc('\n', out);
    print_structures(out, kernel);
    print_prototype(out, kernel);
    fputs("\n{\n    dim3 grid, block;\n    size_t shared;\n    cudaStream_t stream;\n", out);
    print_arguments(out, kernel);
    fprintf(out,
            "    cudaError_t status = __cudaPopCallConfiguration(&grid, &block, &shared, &stream);\n\n"
            "    return status != cudaSuccess ? status\n"
            "                                 : cudaLaunchKernel((const void *)%s, grid, block, arguments, shared, "
            "stream);\n}\n",
            kernel->info.name);
}

static void print_registration(FILE *out, const struct cli_embed *embed)
{
    fputs("\nstatic void **handle;\n\n__attribute__((constructor)) static void register_kernels(void)\n{\n"
          "    handle = __cudaRegisterFatBinary((void *)&wrapper);\n",
          out);
    for (size_t i = 0; i < embed->kernel_count; i++) {
        const char *name = embed->kernels[i].info.name;

        fprintf(out,
                "    __cudaRegisterFunction(handle, (const char *)%s, (char *)\"%s\", \"%s\", -1, NULL, NULL, NULL, "
                "NULL, NULL);\n",
                name, name, name);
    }
    fputs("    __cudaRegisterFatBinaryEnd(handle);\n}\n\n__attribute__((destructor)) static void "
          "unregister_kernels(void)\n"
          "{\n    __cudaUnregisterFatBinary(handle);\n}\n",
          out);
}

void cli_embed_print_source(FILE *out, const struct cli_embed *embed)
{
    fputs("/* Kernels from PTX; made by ptxemu embed.  To be compiled by gcc or clang, and linked with the CUDA "
          "runtime. */\n"
          "#include <cuda_runtime_api.h>\n#include <stddef.h>\n#include <stdint.h>\n",
          out);
    for (size_t i = 0; i < embed->text_count; i++) {
        print_text(out, &embed->texts[i]);
    }
    fputs(RUNTIME, out);
    print_wrapper(out, embed);
    for (size_t i = 0; i < embed->kernel_count; i++) {
        print_stub(out, &embed->kernels[i]);
    }
    print_registration(out, embed);
}
