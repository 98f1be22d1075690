/*
 * Parameters of kernels as C sees them.  PTX knows sizes, seldom meanings: what is used as an address is a pointer, an
 * array of bytes is a structure of which nobody knows the members, 16-bit floating point is passed by its bits.
 */
#include "runtime/cli/embed.h"

#include <ctype.h>
#include <string.h>

/* What cannot be in C: beyond 16 the place of an argument on the stack is not known to its caller alone. */
enum { LARGEST_ALIGN = 16 };

enum { POINTER_READ = 1 };

static const struct {
    const char *ptx, *c;
    unsigned bytes;
} TYPES[] = {
    {"u8", "uint8_t", 1},      {"s8", "int8_t", 1},    {"b8", "uint8_t", 1},   {"u16", "uint16_t", 2},
    {"s16", "int16_t", 2},     {"b16", "uint16_t", 2}, {"f16", "uint16_t", 2}, {"bf16", "uint16_t", 2},
    {"u32", "uint32_t", 4},    {"s32", "int32_t", 4},  {"b32", "uint32_t", 4}, {"f16x2", "uint32_t", 4},
    {"bf16x2", "uint32_t", 4}, {"f32", "float", 4},    {"u64", "uint64_t", 8}, {"s64", "int64_t", 8},
    {"b64", "uint64_t", 8},    {"f64", "double", 8},
};

static const char *c_type(const ptxemu_param_info *param, unsigned *bytes)
{
    for (size_t i = 0; i < sizeof TYPES / sizeof TYPES[0]; i++) {
        if (strcmp(param->type, TYPES[i].ptx) == 0) {
            *bytes = TYPES[i].bytes;
            return TYPES[i].c;
        }
    }
    *bytes = 0;
    return NULL;
}

const char *cli_embed_scalar(const ptxemu_param_info *param)
{
    unsigned bytes;
    const char *type = c_type(param, &bytes);

    if (type == NULL || param->bytes != bytes) {
        return NULL;
    }
    if (bytes == 8 && param->pointer_use != 0) {
        return param->pointer_use == POINTER_READ ? "const void *" : "void *";
    }
    return type;
}

bool cli_embed_is_floating(const ptxemu_param_info *param)
{
    const char *type = cli_embed_scalar(param);

    return type != NULL && (strcmp(type, "float") == 0 || strcmp(type, "double") == 0);
}

void cli_embed_param_name(const struct cli_embed_kernel *kernel, size_t index, char name[CLI_C_NAME])
{
    static const char between[] = "_param_";
    const char *own = kernel->params[index].name, *kernel_name = kernel->info.name;
    const size_t length = strlen(kernel_name);
    size_t at = 2;

    if (strncmp(own, kernel_name, length) == 0 && strncmp(own + length, between, strlen(between)) == 0) {
        own += length + strlen(between);
    }
    memcpy(name, "p_", at);
    for (; *own != '\0' && at < CLI_C_NAME - 1; own++) {
        name[at++] = isalnum((unsigned char)*own) ? *own : '_';
    }
    name[at] = '\0';
}

void cli_embed_print_params(FILE *out, const struct cli_embed_kernel *kernel, bool follows)
{
    char name[CLI_C_NAME];

    for (size_t i = 0; i < kernel->info.param_count; i++) {
        const char *type = cli_embed_scalar(&kernel->params[i]);

        cli_embed_param_name(kernel, i, name);
        fputs(i > 0 ? ", " : follows ? ",\n    " : "", out);
        if (type == NULL) {
            fprintf(out, "struct %s_%s %s", kernel->info.name, name, name);
        } else {
            fprintf(out, "%s%s%s", type, type[strlen(type) - 1] == '*' ? "" : " ", name);
        }
    }
    if (!follows && kernel->info.param_count == 0) {
        fputs("void", out);
    }
}

static bool is_identifier(const char *name)
{
    for (const char *at = name; *at != '\0'; at++) {
        if (!isalnum((unsigned char)*at) && *at != '_' && *at != '$') {
            return false;
        }
    }
    return !isdigit((unsigned char)name[0]);
}

bool cli_embed_check_kernel(const struct cli_embed_kernel *kernel, struct cli_error *error)
{
    unsigned bytes;

    if (!is_identifier(kernel->info.name)) {
        return cli_fail(error, PTXEMU_UNSUPPORTED,
                        "kernel '%s' has a name that C cannot have; of kernels with the same name in several files the "
                        "later ones are called so",
                        kernel->info.name);
    }
    for (size_t i = 0; i < kernel->info.param_count; i++) {
        const ptxemu_param_info *param = &kernel->params[i];

        if (c_type(param, &bytes) == NULL || param->align > LARGEST_ALIGN) {
            return cli_fail(error, PTXEMU_UNSUPPORTED,
                            "kernel '%s', parameter '%s': .%s, aligned to %ju, cannot be passed from C",
                            kernel->info.name, param->name, param->type, (uintmax_t)param->align);
        }
    }
    return true;
}
