/*
 * The heap of kernels: blocks are apart, room is found whatever was given back, and neither many blocks nor none left
 * cost much.
 */
#include "runtime/objects.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BASE ((uint64_t)1 << 32)

enum { MANY = 1000000 };

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

Test(heap, what_is_given_back_becomes_one_block_again)
{
    struct emu_heap *h = emu_heap_new(BASE, 1024);
    const uint64_t a = emu_heap_take(h, 300), b = emu_heap_take(h, 300), c = emu_heap_take(h, 300);

    cr_assert(a != 0 && b != 0 && c != 0 && a % 16 == 0 && b % 16 == 0 && c % 16 == 0);
    cr_assert_eq(emu_heap_take(h, 300), 0, "there is no room");
    cr_assert(emu_heap_give(h, a));
    cr_assert(emu_heap_give(h, c));
    cr_assert_eq(emu_heap_take(h, 600), 0, "the free blocks do not touch");
    cr_assert(emu_heap_give(h, b));
    cr_assert_eq(emu_heap_take(h, 1024), BASE);
    emu_heap_free(h);
}

Test(heap, only_what_was_taken_is_given_back)
{
    struct emu_heap *h = emu_heap_new(BASE, 4096);
    const uint64_t a = emu_heap_take(h, 100);

    cr_assert_eq(emu_heap_take(h, 0), 0);
    cr_assert_eq(emu_heap_take(h, 4097), 0);
    cr_assert_eq(emu_heap_take(h, UINT64_MAX), 0);
    cr_assert(!emu_heap_give(h, a + 16) && !emu_heap_give(h, a + 1) && !emu_heap_give(h, BASE - 16));
    cr_assert(!emu_heap_give(h, BASE + 4096));
    cr_assert(emu_heap_give(h, a));
    cr_assert(!emu_heap_give(h, a), "twice");
    emu_heap_free(h);
}

/* Blocks of all sizes, taken and given at random: they never overlap, and at the end all is one block. */
Test(heap, blocks_never_overlap)
{
    enum { BYTES = 1 << 20, BLOCKS = 400, STEPS = 40000 };
    struct emu_heap *h = emu_heap_new(BASE, BYTES);
    uint64_t at[BLOCKS] = {0};
    uint32_t size[BLOCKS];
    uint8_t *owner = calloc(BYTES, 1); /* per byte: taken */
    uint64_t random = 1;

    for (int step = 0; step < STEPS; step++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const unsigned i = (unsigned)(random >> 33) % BLOCKS;

        if (at[i] != 0) {
            memset(owner + (at[i] - BASE), 0, size[i]);
            cr_assert(emu_heap_give(h, at[i]));
            at[i] = 0;
            continue;
        }
        size[i] = 1u + (unsigned)(random >> 50) % (1u << (random >> 20) % 15);
        at[i] = emu_heap_take(h, size[i]);
        for (uint32_t k = 0; at[i] != 0 && k < size[i]; k++) {
            cr_assert_eq(owner[at[i] - BASE + k], 0, "step %d", step);
            owner[at[i] - BASE + k] = 1;
        }
    }
    for (unsigned i = 0; i < BLOCKS; i++) {
        cr_assert(at[i] == 0 || emu_heap_give(h, at[i]));
    }
    cr_assert_eq(emu_heap_take(h, BYTES), BASE);
    emu_heap_free(h);
    free(owner);
}

Test(heap, a_million_small_blocks_and_a_full_heap_cost_little)
{
    struct emu_heap *h = emu_heap_new(BASE, (uint64_t)MANY * 32);
    uint64_t *at = malloc(MANY * sizeof *at);
    const double start = seconds();

    for (size_t i = 0; i < MANY; i++) {
        at[i] = emu_heap_take(h, 20);
        cr_assert_neq(at[i], 0);
    }
    for (size_t i = 0; i < MANY; i++) {
        cr_assert_eq(emu_heap_take(h, 1), 0);
    }
    /* One hole, again and again, somewhere else. */
    for (size_t i = 0; i < MANY; i++) {
        const size_t k = i * 7919 % MANY;

        cr_assert(emu_heap_give(h, at[k]));
        at[k] = emu_heap_take(h, 32);
        cr_assert_neq(at[k], 0);
    }
    for (size_t i = 0; i < MANY; i++) {
        cr_assert(emu_heap_give(h, at[i * 7919 % MANY]));
    }
    /* A search through all blocks for each call would take hours. */
    cr_assert_lt(seconds() - start, 10.0);
    free(at);
    emu_heap_free(h);
}

/* --- with kernels ----------------------------------------------------------------------------- */
static const char text[] =
    ".version 8.0\n.target sm_70\n.address_size 64\n"
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n"
    ".visible .entry make(.param .u64 out, .param .u64 bytes)\n{\n"
    ".reg .b64 %rd<6>;\n.reg .b32 %r<4>;\n.reg .pred %p1;\n"
    "ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [bytes];\nmov.u32 %r1, %tid.x;\n"
    "{ .param .b64 n; .param .b64 r;\nst.param.b64 [n], %rd2;\ncall (r), malloc, (n);\nld.param.b64 %rd3, [r]; }\n"
    "mad.wide.u32 %rd4, %r1, 8, %rd1;\nst.global.u64 [%rd4], %rd3;\n"
    "setp.eq.u64 %p1, %rd3, 0;\n@%p1 exit;\nst.global.u32 [%rd3], %r1;\nret;\n}\n"
    ".visible .entry look(.param .u64 out, .param .u64 bytes)\n{\n"
    ".reg .b64 %rd<6>;\n.reg .b32 %r<4>;\n"
    "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n"
    "mad.wide.u32 %rd4, %r1, 8, %rd1;\nld.global.u64 %rd3, [%rd4];\nld.global.u32 %r2, [%rd3];\n"
    "cvt.u64.u32 %rd2, %r2;\nst.global.u64 [%rd4], %rd2;\nret;\n}\n";

static ptxemu_status launch(ptxemu_module *m, const char *kernel, uint64_t out, uint64_t bytes)
{
    const uint64_t params[2] = {out, bytes};
    const ptxemu_launch l = {
        .size = sizeof l, .grid = {1, 1, 1}, .block = {64, 1, 1}, .params = params, .params_bytes = sizeof params};

    return ptxemu_run(ptxemu_kernel_find(m, kernel), &l);
}

Test(heap, a_later_kernel_reads_what_was_allocated_and_the_size_is_set_before)
{
    ptxemu_device *d;
    ptxemu_module *m;
    uint64_t out, got[64];
    unsigned none = 0;

    cr_assert_eq(ptxemu_device_open(NULL, &d, NULL), PTXEMU_OK);
    cr_assert_eq(ptxemu_module_load(d, "heap.ptx", text, sizeof text - 1, &m), PTXEMU_OK, "%s", ptxemu_last_error(d));
    cr_assert_eq(ptxemu_alloc(d, 64 * 8, "out", &out), PTXEMU_OK);
    cr_assert_eq(rt_heap_bytes(d), 8u << 20);
    cr_assert(rt_set_heap_bytes(d, 64 << 20));
    cr_assert_eq(launch(m, "make", out, (1 << 20) - 64), PTXEMU_OK, "%s", ptxemu_last_error(d));
    cr_assert(!rt_set_heap_bytes(d, 1 << 20), "too late");
    cr_assert_eq(rt_heap_bytes(d), 64u << 20);
    cr_assert_eq(launch(m, "look", out, 0), PTXEMU_OK, "%s", ptxemu_last_error(d));
    cr_assert_eq(ptxemu_read(d, got, out, sizeof got), PTXEMU_OK);
    for (unsigned i = 0; i < 64; i++) {
        cr_assert_eq(got[i], i);
    }
    /* The 64 blocks are still taken: what is left is too small. */
    cr_assert_eq(launch(m, "make", out, 1 << 20), PTXEMU_OK, "%s", ptxemu_last_error(d));
    cr_assert_eq(ptxemu_read(d, got, out, sizeof got), PTXEMU_OK);
    for (unsigned i = 0; i < 64; i++) {
        none += got[i] == 0;
    }
    cr_assert_eq(none, 64u);
    ptxemu_device_close(d);
}
