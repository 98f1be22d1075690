/*
 * conformance_record SET OUT: run a set of kernels on the GPU of this machine and write what they compute.
 *
 * SET is a folder as ../data/README.md describes it, without out.bin.xz or with an old one; OUT becomes its out.bin.
 * Every kernel runs twice, over buffers filled with different bytes: a result that depends on them, or on anything else
 * that differs from run to run, is refused.  Kernels that the driver refuses or that fail are named; their results are
 * the bytes of the empty buffer.  Exit status 0: all recorded; 77: there is no GPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "recorded.h"

enum { POISON = 0xee, OTHER_POISON = 0x5a, EXIT_SKIPPED = 77 };

/* The kernel's results over a buffer filled with `poison`, to `out`. */
static bool run(struct driver *d, void *module, const struct recorded *k, int poison, uint8_t *out)
{
    const size_t in_bytes = k->n * k->in_stride, out_bytes = k->n * k->out_stride;
    uint64_t in_at = driver_alloc(d, in_bytes), out_at = driver_alloc(d, out_bytes);
    uint32_t n = k->n;
    void *args[] = {&in_at, &out_at, &n};

    memset(out, poison, out_bytes);
    const bool done =
        in_at != 0 && out_at != 0 && driver_write(d, in_at, k->in, in_bytes) &&
        driver_write(d, out_at, out, out_bytes) &&
        driver_run(d, driver_kernel(d, module, k->name), (k->n + k->block - 1) / k->block, k->block, args) &&
        driver_read(d, out, out_at, out_bytes);

    driver_free(d, in_at);
    driver_free(d, out_at);
    return done;
}

/* Bytes that differ between the runs are those that neither wrote. */
static bool runs_agree(const uint8_t *first, const uint8_t *second, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        if (first[i] != second[i] && (first[i] != POISON || second[i] != OTHER_POISON)) {
            return false;
        }
    }
    return true;
}

static bool record(struct driver *d, const struct recorded *k, uint8_t *out)
{
    const size_t bytes = k->n * k->out_stride;
    char *text = strndup(k->ptx, k->ptx_bytes);
    uint8_t *again = malloc(bytes);
    void *module = text != NULL ? driver_load(d, text, 3) : NULL;
    bool good = false;

    if (module != NULL && again != NULL) {
        good = run(d, module, k, POISON, out) && run(d, module, k, OTHER_POISON, again);
        if (good && !runs_agree(out, again, bytes)) {
            printf("%s: differs from run to run\n", k->name);
            good = false;
        }
    }
    if (!good) {
        printf("not recorded: %s (%s): %s\n", k->name, k->instruction, driver_message(d));
    }
    if (module != NULL) {
        driver_unload(d, module);
    }
    free(again);
    free(text);
    return good;
}

static bool write_file(const char *path, const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    const bool good = file != NULL && fwrite(bytes, 1, size, file) == size;

    if (file == NULL || fclose(file) != 0 || !good) {
        perror(path);
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct recorded_set set;
    size_t done = 0;
    bool missing;

    if (argc != 3) {
        fprintf(stderr, "usage: conformance_record SET OUT\n");
        return 2;
    }
    if (!recorded_read_inputs(argv[1], &set)) {
        return 2;
    }
    struct driver *d = driver_open(&missing);
    if (d == NULL) {
        recorded_free(&set);
        return missing ? EXIT_SKIPPED : 1;
    }
    printf("%s\n", driver_gpu_name(d));
    for (size_t i = 0; i < set.count && d != NULL; i++) {
        if (record(d, &set.at[i], set.out.bytes + set.at[i].out_at)) {
            done++;
        } else { /* after a fault nothing runs in the same context any more */
            driver_close(d);
            d = driver_open(&missing);
        }
    }
    printf("%zu of %zu kernels recorded\n", done, set.count);
    const bool good = write_file(argv[2], set.out.bytes, set.out.size) && done == set.count;

    if (d != NULL) {
        driver_close(d);
    }
    recorded_free(&set);
    return good ? 0 : 1;
}
