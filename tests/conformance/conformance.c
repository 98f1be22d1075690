/*
 * Run recorded kernels through the whole engine and compare every byte of their results with those of the hardware.
 *
 *   conformance [-p POLICY] [-t HOST-THREADS] FOLDER [FAMILY [NAME-PREFIX]]
 *
 * Each kernel is a module of its own: its text is parsed, launched over all its records and thrown away.  The output
 * buffer is poisoned first; bytes between the fields of a record must keep the poison, as they did on the hardware.
 * Prints each kernel that could not run or differs, with its first differing records, then a line per family.  Exit
 * status 0: all records equal.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/ptxemu.h"
#include "recorded.h"

enum { POISON = 0xee, SHOWN = 3, FAMILIES = 32 };

struct tally {
    const char *family;
    size_t kernels, failed; /* failed: did not run to the end */
    size_t records, equal;
};

struct run {
    ptxemu_device *device;
    ptxemu_policy policy;
    unsigned host_threads;
    struct tally families[FAMILIES];
    size_t n_families;
};

static struct tally *family_of(struct run *run, const char *name)
{
    size_t i = 0;

    while (i < run->n_families && strcmp(run->families[i].family, name) != 0) {
        i++;
    }
    if (i == run->n_families && i < FAMILIES - 1) {
        run->families[run->n_families++].family = name;
    }
    return &run->families[i];
}

/* --- running ---------------------------------------------------------------------------------- */
/* The parameters (in, out, n) as the kernel's buffer has them. */
struct params {
    uint64_t in, out;
    uint32_t n;
};
enum { PARAMS_BYTES = offsetof(struct params, n) + sizeof(uint32_t) };

static bool launch(struct run *run, ptxemu_module *module, const struct recorded *k, const struct params *params)
{
    ptxemu_kernel *kernel = ptxemu_kernel_find(module, k->name);
    const char *refused = kernel != NULL ? ptxemu_kernel_unsupported(kernel) : "no such kernel";
    const ptxemu_launch launch = {.size = sizeof launch,
                                  .grid = {(k->n + k->block - 1) / k->block, 1, 1},
                                  .block = {k->block, 1, 1},
                                  .params = params,
                                  .params_bytes = PARAMS_BYTES,
                                  .host_threads = run->host_threads,
                                  .policy = run->policy,
                                  .seed = 1,
                                  .timeout_s = 30};

    if (refused != NULL) {
        printf("%s: %s\n", k->name, refused);
        return false;
    }
    if (ptxemu_run(kernel, &launch) != PTXEMU_OK) {
        printf("%s: %s\n", k->name, ptxemu_last_error(run->device));
        return false;
    }
    return true;
}

static bool prepare(struct run *run, const struct recorded *k, struct params *params)
{
    const uint64_t in_bytes = (uint64_t)k->n * k->in_stride, out_bytes = (uint64_t)k->n * k->out_stride;
    void *poisoned;

    if (ptxemu_alloc(run->device, in_bytes, "in", &params->in) != PTXEMU_OK ||
        ptxemu_write(run->device, params->in, k->in, in_bytes) != PTXEMU_OK ||
        ptxemu_alloc(run->device, out_bytes, "out", &params->out) != PTXEMU_OK) {
        return false;
    }
    poisoned = ptxemu_view(run->device, params->out, out_bytes);
    if (poisoned != NULL) {
        memset(poisoned, POISON, out_bytes);
    }
    return poisoned != NULL;
}

/* --- comparing -----------------------------------------------------------------------------------------------------
 */
static void show_bytes(const char *what, const uint8_t *bytes, size_t n)
{
    printf(" %s", what);
    for (size_t i = 0; i < n; i++) {
        printf("%s%02x", i % 4 == 0 ? " " : "", bytes[i]);
    }
}

static size_t count_equal(const struct recorded *k, const uint8_t *got)
{
    size_t equal = 0;

    for (size_t i = 0; i < k->n; i++) {
        const uint8_t *want = k->out + i * k->out_stride, *have = got + i * k->out_stride;
        const bool same = memcmp(want, have, k->out_stride) == 0;

        equal += same;
        if (!same && i - equal < SHOWN) {
            printf("%s (%s) record %zu:", k->name, k->instruction, i);
            show_bytes("in", k->in + i * k->in_stride, k->in_stride);
            show_bytes("want", want, k->out_stride);
            show_bytes("got", have, k->out_stride);
            printf("\n");
        }
    }
    return equal;
}

/* activemask says which lanes happen to run together; under the serial policy none do, which is as legal. */
static bool tells_schedule(const struct run *run, const struct recorded *k)
{
    return run->policy == PTXEMU_SERIAL && strncmp(k->name, "activemask", strlen("activemask")) == 0;
}

static void check(struct run *run, const struct recorded *k)
{
    struct tally *tally = family_of(run, k->family);
    struct params params = {.n = k->n};
    ptxemu_module *module = NULL;

    tally->kernels++;
    tally->records += k->n;
    if (ptxemu_module_load(run->device, k->name, k->ptx, k->ptx_bytes, &module) != PTXEMU_OK ||
        !prepare(run, k, &params)) {
        printf("%s: %s\n", k->name, ptxemu_last_error(run->device));
        tally->failed++;
    } else if (!launch(run, module, k, &params)) {
        tally->failed++;
    } else {
        tally->equal += count_equal(k, ptxemu_view(run->device, params.out, (uint64_t)k->n * k->out_stride));
    }
    if (params.in != 0) {
        ptxemu_free(run->device, params.in);
    }
    if (params.out != 0) {
        ptxemu_free(run->device, params.out);
    }
    ptxemu_module_unload(module);
}

static bool report(const struct run *run)
{
    struct tally all = {.family = "all"};

    for (size_t i = 0; i < run->n_families; i++) {
        const struct tally *t = &run->families[i];

        printf("%-10s %5zu kernels, %zu did not run; %zu of %zu records equal\n", t->family, t->kernels, t->failed,
               t->equal, t->records);
        all.kernels += t->kernels;
        all.failed += t->failed;
        all.records += t->records;
        all.equal += t->equal;
    }
    printf("%-10s %5zu kernels, %zu did not run; %zu of %zu records equal\n", all.family, all.kernels, all.failed,
           all.equal, all.records);
    return all.records > 0 && all.equal == all.records;
}

/* --- options --------------------------------------------------------------------------------------------------------
 */
static bool read_policy(const char *word, ptxemu_policy *policy)
{
    static const char *const words[] = {"converge", "minpc", "serial", "random"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(word, words[i]) == 0) {
            *policy = (ptxemu_policy)i;
            return true;
        }
    }
    return false;
}

static bool read_options(int argc, char **argv, struct run *run)
{
    for (int option; (option = getopt(argc, argv, "p:t:")) != -1;) {
        if (option == 't') {
            run->host_threads = (unsigned)atoi(optarg);
        } else if (option != 'p' || !read_policy(optarg, &run->policy)) {
            return false;
        }
    }
    return optind < argc;
}

int main(int argc, char **argv)
{
    struct run run = {.host_threads = 1};
    struct recorded_set set;
    char *error = NULL;

    if (!read_options(argc, argv, &run)) {
        fprintf(
            stderr,
            "usage: conformance [-p converge|minpc|serial|random] [-t HOST-THREADS] FOLDER [FAMILY [NAME-PREFIX]]\n");
        return 2;
    }
    const char *family = optind + 1 < argc ? argv[optind + 1] : "", *prefix = optind + 2 < argc ? argv[optind + 2] : "";

    if (!recorded_read(argv[optind], &set)) {
        return 2;
    }
    if (ptxemu_device_open(NULL, &run.device, &error) != PTXEMU_OK) {
        fprintf(stderr, "%s\n", error);
        free(error);
        return 2;
    }
    for (size_t i = 0; i < set.count; i++) {
        if (!tells_schedule(&run, &set.at[i]) && (family[0] == '\0' || strcmp(family, set.at[i].family) == 0) &&
            strncmp(prefix, set.at[i].name, strlen(prefix)) == 0) {
            check(&run, &set.at[i]);
        }
    }
    const bool all_equal = report(&run);

    ptxemu_device_close(run.device);
    recorded_free(&set);
    return all_equal ? 0 : 1;
}
