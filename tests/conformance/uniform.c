/*
 * Run recorded arithmetic with operands that are the same in all lanes.
 *
 *   conformance_uniform FOLDER [FAMILY [NAME-PREFIX]]
 *
 * The engine keeps values that it can prove equal in all lanes as scalars and has handlers of their own for each
 * mixture of scalar and varying operands, which the recorded kernels as they are never reach.  So each kernel is
 * changed: some of its loads from the input become loads of a kernel parameter, one variant for each choice of loads.
 * A warp then computes one record 32 times, and each lane must give the recorded result.  STEP picks the records.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/ptxemu.h"
#include "recorded.h"

enum { LANES = 32, STEP = 61, RECORD_ROOM = 64, MOST_LOADS = 4, POISON = 0xee };

struct params {
    uint64_t in, out;
    uint32_t n;
    uint8_t record[RECORD_ROOM] __attribute__((aligned(8)));
};

struct tally {
    size_t variants, failed, launches, equal;
};

static bool is_arithmetic(const char *family)
{
    static const char *const families[] = {"int",  "int_carry", "logic", "f32",  "f64",
                                           "half", "cvt",       "setp",  "mufu", "video"};

    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        if (strcmp(family, families[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* --- variants -------------------------------------------------------------------------------------------------------
 */
static const char input_load[] = "ld.global.", input_address[] = "[%rdi+";

/* The next load of an input at or behind `at`, NULL if there is none. */
static const char *next_load(const char *at)
{
    while ((at = strstr(at, input_load)) != NULL) {
        const char *address = strstr(at, input_address), *end = strchr(at, ';');

        if (address != NULL && end != NULL && address < end) {
            return at;
        }
        at++;
    }
    return NULL;
}

static unsigned count_loads(const char *text)
{
    unsigned n = 0;

    for (const char *at = text; (at = next_load(at)) != NULL; at++) {
        n++;
    }
    return n;
}

/* The kernel with the loads whose bits are set in `chosen` reading the parameter `record`; malloc'd. */
static char *variant(const char *text, unsigned chosen)
{
    static const char last_param[] = ".param .u32 n)";
    char *made = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&made, &length);
    const char *at = strstr(text, last_param);

    if (out == NULL || at == NULL) {
        return NULL;
    }
    fprintf(out, "%.*s.param .u32 n, .param .align 8 .b8 record[%d])", (int)(at - text), text, RECORD_ROOM);
    at += strlen(last_param);
    for (const char *load; (load = next_load(at)) != NULL; chosen >>= 1) {
        const char *type = load + strlen(input_load), *address = strstr(load, input_address), *end = strchr(load, ';');

        fwrite(at, 1, (size_t)(load - at), out);
        if (chosen & 1) {
            const char *offset = address + strlen(input_address);

            fprintf(out, "ld.param.%.*s[record+%.*s", (int)(address - type), type, (int)(end - offset), offset);
        } else {
            fwrite(load, 1, (size_t)(end - load), out);
        }
        at = end;
    }
    fputs(at, out);
    fclose(out);
    return made;
}

/* --- running --------------------------------------------------------------------------------------------------------
 */
static bool run_record(ptxemu_device *device, ptxemu_kernel *kernel, const struct recorded *k, size_t i,
                       struct params *params)
{
    const uint8_t *in = k->in + i * k->in_stride, *want = k->out + i * k->out_stride;
    uint8_t *ins = ptxemu_view(device, params->in, LANES * k->in_stride);
    uint8_t *outs = ptxemu_view(device, params->out, LANES * k->out_stride);
    const ptxemu_launch launch = {.size = sizeof launch,
                                  .grid = {1, 1, 1},
                                  .block = {LANES, 1, 1},
                                  .params = params,
                                  .params_bytes = offsetof(struct params, record) + RECORD_ROOM,
                                  .host_threads = 1};

    memset(outs, POISON, LANES * k->out_stride);
    memcpy(params->record, in, k->in_stride);
    for (size_t lane = 0; lane < LANES; lane++) {
        memcpy(ins + lane * k->in_stride, in, k->in_stride);
    }
    if (ptxemu_run(kernel, &launch) != PTXEMU_OK) {
        printf("%s: %s\n", k->name, ptxemu_last_error(device));
        return false;
    }
    for (size_t lane = 0; lane < LANES; lane++) {
        if (memcmp(outs + lane * k->out_stride, want, k->out_stride) != 0) {
            return false;
        }
    }
    return true;
}

static void run_variant(ptxemu_device *device, const struct recorded *k, unsigned chosen, const char *text,
                        struct tally *tally)
{
    struct params params = {.n = LANES};
    ptxemu_module *module = NULL;
    ptxemu_kernel *kernel = NULL;
    size_t wrong = 0, first = 0;

    tally->variants++;
    if (ptxemu_module_load(device, k->name, text, strlen(text), &module) == PTXEMU_OK &&
        ptxemu_alloc(device, LANES * k->in_stride, "in", &params.in) == PTXEMU_OK &&
        ptxemu_alloc(device, LANES * k->out_stride, "out", &params.out) == PTXEMU_OK) {
        kernel = ptxemu_kernel_find(module, k->name);
    }
    if (kernel == NULL) {
        printf("%s: %s\n", k->name, ptxemu_last_error(device));
        tally->failed++;
    }
    for (size_t i = 0; kernel != NULL && i < k->n; i += STEP) {
        const bool equal = run_record(device, kernel, k, i, &params);

        tally->launches++;
        tally->equal += equal;
        first = !equal && wrong == 0 ? i : first;
        wrong += !equal;
    }
    if (wrong != 0) {
        printf("%s (%s), scalar loads %x: %zu records differ, first %zu\n", k->name, k->instruction, chosen, wrong,
               first);
    }
    ptxemu_free(device, params.in);
    ptxemu_free(device, params.out);
    ptxemu_module_unload(module);
}

static void check(ptxemu_device *device, const struct recorded *k, struct tally *tally)
{
    char *text = strndup(k->ptx, k->ptx_bytes);
    const unsigned loads = text != NULL ? count_loads(text) : 0;

    if (loads <= MOST_LOADS && k->in_stride <= RECORD_ROOM) {
        for (unsigned chosen = 1; chosen < 1u << loads; chosen++) {
            char *changed = variant(text, chosen);

            if (changed != NULL) {
                run_variant(device, k, chosen, changed, tally);
            }
            free(changed);
        }
    }
    free(text);
}

int main(int argc, char **argv)
{
    const char *family = argc > 2 ? argv[2] : "", *prefix = argc > 3 ? argv[3] : "";
    ptxemu_device *device = NULL;
    struct recorded_set set;
    struct tally tally = {0};

    if (argc < 2) {
        fprintf(stderr, "usage: conformance_uniform FOLDER [FAMILY [NAME-PREFIX]]\n");
        return 2;
    }
    if (!recorded_read(argv[1], &set) || ptxemu_device_open(NULL, &device, NULL) != PTXEMU_OK) {
        return 2;
    }
    for (size_t i = 0; i < set.count; i++) {
        const struct recorded *k = &set.at[i];

        if (is_arithmetic(k->family) && (family[0] == '\0' || strcmp(family, k->family) == 0) &&
            strncmp(prefix, k->name, strlen(prefix)) == 0) {
            check(device, k, &tally);
        }
    }
    printf("%zu variants, %zu did not load; %zu of %zu launches equal\n", tally.variants, tally.failed, tally.equal,
           tally.launches);
    ptxemu_device_close(device);
    recorded_free(&set);
    return tally.failed == 0 && tally.launches > 0 && tally.equal == tally.launches ? 0 : 1;
}
