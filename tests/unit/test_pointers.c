/*
 * What a kernel does with its parameters as addresses, asked through the API.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ptxemu.h"

enum { NOT = 0, READ = 1, WRITTEN = 2, ATOMIC = 4 };

static ptxemu_kernel *load(ptxemu_device **device, const char *text)
{
    ptxemu_module *m;

    cr_assert_eq(ptxemu_device_open(NULL, device, NULL), PTXEMU_OK);
    cr_assert_eq(ptxemu_module_load(*device, "t.ptx", text, strlen(text), &m), PTXEMU_OK, "%s",
                 ptxemu_diagnostic_count(*device) != 0 ? ptxemu_last_error(*device) : "");
    return ptxemu_kernel_find(m, "k");
}

/* `functions`, then kernel k with three pointers and a number. */
static void expect(const char *functions, const char *body, unsigned a, unsigned b, unsigned c)
{
    const unsigned want[] = {a, b, c, NOT};
    char text[4096];
    ptxemu_device *device;
    ptxemu_param_info p;

    snprintf(text, sizeof text,
             ".version 8.0\n.target sm_80\n.address_size 64\n%s\n"
             ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {\n"
             ".local .align 8 .b8 depot[64]; .reg .b64 %%SP, %%SPL; .reg .pred %%p<4>;\n"
             ".reg .b32 %%r<10>; .reg .f32 %%f<10>; .reg .b64 %%rd<20>;\n"
             "mov.u64 %%SPL, depot; cvta.local.u64 %%SP, %%SPL;\n"
             "ld.param.u64 %%rd1, [a]; ld.param.u64 %%rd2, [b]; ld.param.u64 %%rd3, [c]; ld.param.u32 %%r1, [n];\n"
             "%s\nret; }\n",
             functions, body);
    ptxemu_kernel *k = load(&device, text);

    for (size_t i = 0; i < 4; i++) {
        cr_assert(ptxemu_kernel_param(k, i, &p));
        cr_expect_eq(p.pointer_use, want[i], "parameter %zu: %u, expected %u, in\n%s", i, p.pointer_use, want[i], text);
    }
    ptxemu_device_close(device);
}

Test(pointers, through_registers)
{
    expect("", "ld.global.u32 %r2, [%rd1]; st.global.u32 [%rd2+4], %r2; atom.global.add.u32 %r3, [%rd3], 1;", READ,
           WRITTEN, ATOMIC);
    expect("", "mul.wide.u32 %rd4, %r1, 4; add.u64 %rd5, %rd4, %rd2; ld.u32 %r2, [%rd5];", NOT, READ, NOT);
    expect("", "cvta.to.global.u64 %rd4, %rd3; selp.b64 %rd5, %rd1, %rd4, %p1; st.global.u32 [%rd5], %r1;", WRITTEN,
           NOT, WRITTEN);
}

Test(pointers, through_local_memory)
{
    expect("", "st.u64 [%SP+8], %rd1; st.u64 [%SP+16], %rd2; ld.u64 %rd4, [%SP+16]; ld.u32 %r2, [%rd4];", NOT, READ,
           NOT);
    expect("", "st.local.u64 [%SPL+8], %rd1; ld.u64 %rd4, [%SP+8]; st.u32 [%rd4], %r1;", WRITTEN, NOT, NOT);
    expect("", "st.local.u64 [depot+24], %rd3; add.u64 %rd5, %SP, 16; ld.u64 %rd4, [%rd5+8]; ld.u32 %r2, [%rd4];", NOT,
           NOT, READ);
    expect("", "st.local.v2.u64 [depot], {%rd1, %rd2}; ld.u64 %rd4, [%SP+8]; ld.u32 %r2, [%rd4];", NOT, READ, NOT);
    expect("",
           "st.local.u64 [depot], %rd1; st.local.u64 [depot+8], %rd2; ld.v2.u64 {%rd4, %rd5}, [%SP]; st.u32 [%rd5], 1;",
           NOT, WRITTEN, NOT);
    /* A local variable's address lies in local memory itself. */
    expect(
        "",
        "st.u64 [%SP], %rd1; add.u64 %rd4, %SP, 0; st.u64 [%SP+32], %rd4; ld.u64 %rd5, [%SP+32]; ld.u64 %rd6, [%rd5];"
        "st.u32 [%rd6], 1;",
        WRITTEN, NOT, NOT);
    /* The store stands behind the load, as in a loop. */
    expect("", "L: ld.u64 %rd4, [%SP+8]; ld.u32 %r2, [%rd4]; st.u64 [%SP+8], %rd3; bra L;", NOT, NOT, READ);
    /* An access to local memory itself is none of a parameter's. */
    expect("", "st.u64 [%SP], %rd1; ld.u64 %rd4, [%SP];", NOT, NOT, NOT);
    /* Somewhere in local memory: nothing is known. */
    expect(
        "",
        "cvt.u64.u32 %rd7, %r1; add.u64 %rd8, %SP, %rd7; st.u64 [%rd8], %rd1; ld.u64 %rd4, [%SP]; ld.u32 %r2, [%rd4];",
        NOT, NOT, NOT);
}

static const char loader[] = ".func (.param .b32 r) get(.param .b64 p) { .reg .b64 %rd<2>; .reg .b32 %r<2>;"
                             "ld.param.u64 %rd1, [p]; ld.u32 %r1, [%rd1]; st.param.b32 [r], %r1; ret; }\n";
#define GET(pointer) "{ .param .b64 p; .param .b32 r; st.param.b64 [p], " pointer "; call (r), get, (p); }"

Test(pointers, into_functions)
{
    expect(loader, GET("%rd2"), NOT, READ, NOT);
    /* Two calls of one function are not mixed up. */
    expect(loader, GET("%rd1") GET("%rd3") "st.u32 [%rd2], %r1;", READ, WRITTEN, READ);
    expect(".func put(.reg .b64 p, .reg .b32 v) { st.global.u32 [p], v; ret; }", "call put, (%rd3, %r1);", NOT, NOT,
           WRITTEN);
    /* A structure by reference, two functions deep. */
    expect(".func inner(.param .b64 s) { .reg .b64 %rd<4>; ld.param.u64 %rd1, [s]; ld.u64 %rd2, [%rd1+8];"
           "red.add.u32 [%rd2], 1; ret; }\n"
           ".func outer(.param .b64 s) { .reg .b64 %rd<4>; ld.param.u64 %rd1, [s]; { .param .b64 t;"
           "st.param.b64 [t], %rd1; call inner, (t); } ret; }\n",
           "st.u64 [%SP], %rd1; st.u64 [%SP+8], %rd2; { .param .b64 s; st.param.b64 [s], %SP; call outer, (s); }", NOT,
           ATOMIC, NOT);
}

Test(pointers, out_of_functions)
{
    expect(
        ".func (.param .b64 r) same(.param .b64 p) { .reg .b64 %rd<2>; ld.param.u64 %rd1, [p]; st.param.b64 [r], %rd1;"
        "ret; }\n",
        "{ .param .b64 p; .param .b64 r; st.param.b64 [p], %rd1; call (r), same, (p); ld.param.b64 %rd4, [r]; }"
        "ld.u32 %r2, [%rd4];",
        READ, NOT, NOT);
    expect(".func (.reg .b64 r) next(.reg .b64 p) { add.u64 r, p, 4; ret; }",
           "call (%rd4), next, (%rd2); st.u32 [%rd4], 1;", NOT, WRITTEN, NOT);
    /* Stored through a pointer to the caller's variable. */
    expect(
        ".func fill(.param .b64 s, .param .b64 p) { .reg .b64 %rd<4>; ld.param.u64 %rd1, [s]; ld.param.u64 %rd2, [p];"
        "st.u64 [%rd1+8], %rd2; ret; }\n",
        "{ .param .b64 s; .param .b64 p; st.param.b64 [s], %SP; st.param.b64 [p], %rd3; call fill, (s, p); }"
        "ld.u64 %rd4, [%SP+8]; ld.u32 %r2, [%rd4];",
        NOT, NOT, READ);
}

Test(pointers, recursion_ends)
{
    /* 2^16 activations if each call had one. */
    expect(".func twice(.reg .b64 p) { .reg .b32 %r<2>; ld.u32 %r1, [p]; call twice, (p); call twice, (p); ret; }",
           "call twice, (%rd1);", READ, NOT, NOT);
}

/* A chain of blocks in the text's reverse order, through which a parameter passes: time must grow as the text does. */
static double seconds_for_chain(unsigned length)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct timespec before, after;
    ptxemu_device *device;
    ptxemu_param_info p;

    fprintf(out,
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a) {\n.reg .b64 %%rd<%u>;\n"
            "ld.param.u64 %%rd0, [a];\nbra L0;\n",
            length + 2);
    for (unsigned i = length; i-- > 0;) {
        fprintf(out, "L%u: mov.u64 %%rd%u, %%rd%u;\n", i, i + 1, i);
        fprintf(out, i + 1 == length ? "bra END;\n" : "bra L%u;\n", i + 1);
    }
    fprintf(out, "END: st.global.u32 [%%rd%u], 1;\nret; }\n", length);
    fclose(out);
    ptxemu_kernel *k = load(&device, text);

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    cr_assert(ptxemu_kernel_param(k, 0, &p));
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    cr_expect_eq(p.pointer_use, WRITTEN);
    ptxemu_device_close(device);
    free(text);
    return (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) * 1e-9;
}

Test(pointers, blocks_in_reverse_order_take_no_longer)
{
    /* Quadratic, this would be 10^10 steps. */
    cr_expect_lt(seconds_for_chain(100000), 2.0);
}
