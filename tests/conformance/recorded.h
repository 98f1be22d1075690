/*
 * A set of recorded results (a folder of tests/conformance/data): kernels with their PTX, inputs and outputs.
 */
#ifndef CONFORMANCE_RECORDED_H
#define CONFORMANCE_RECORDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blob {
    uint8_t *bytes;
    size_t size;
};

/* A kernel (in, out, n): thread i reads record i of `in` and writes record i of `out`. */
struct recorded {
    const char *name; /* of the .entry too */
    const char *family, *instruction;
    const char *ptx; /* one module, ptx_bytes long */
    size_t ptx_bytes;
    const uint8_t *in, *out; /* n records each */
    size_t in_stride, out_stride;
    size_t out_at;                      /* of `out` in the set's outputs */
    const char *in_fields, *out_fields; /* what a record holds: "type@offset" words */
    uint32_t n;
    unsigned block; /* threads of a CTA */
};

struct recorded_set {
    struct recorded *at;
    size_t count;
    char *index; /* text that the names point into */
    struct blob in, out;
    struct ptx_file {
        char name[32];
        struct blob text;
    } files[32];
    size_t n_files;
};

/* Read the folder.  False, with a message printed, when it is not complete. */
bool recorded_read(const char *folder, struct recorded_set *set);
/* The same with zeros for results: a set that is still to be recorded. */
bool recorded_read_inputs(const char *folder, struct recorded_set *set);
void recorded_free(struct recorded_set *set);

/* A whole file, with a zero byte behind it; `bytes` is NULL, with a message printed, when it cannot be read. */
struct blob recorded_text(const char *path);
/* FOLDER/NAME.xz, unpacked. */
struct blob recorded_packed(const char *folder, const char *name);

#endif
