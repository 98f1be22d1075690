/*
 * Functions of the host that kernels call, and kernels that the host calls as functions: every kind of argument
 * arrives, from every lane, and comes back.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ptxemu.h"

#define HEAD ".version 7.0\n.target sm_80\n.address_size 64\n"

static ptxemu_device *open_device(void)
{
    ptxemu_device *device = NULL;

    cr_assert_eq(ptxemu_device_open(NULL, &device, NULL), PTXEMU_OK);
    return device;
}

static ptxemu_kernel *load(ptxemu_device *device, const char *text)
{
    ptxemu_module *module = NULL;
    const ptxemu_status status = ptxemu_module_load(device, "test.ptx", text, strlen(text), &module);
    ptxemu_diagnostic d;

    cr_assert_eq(status, PTXEMU_OK, "%s: %s", ptxemu_last_error(device),
                 ptxemu_diagnostic_at(device, 0, &d) ? d.rendered : "");
    return ptxemu_kernel_at(module, 0);
}

/* --- kernels as functions ----------------------------------------------------------------------- */
/* Stores every parameter, widened to 8 bytes, and the bytes of a structure. */
static const char STORES[] = HEAD
    ".visible .entry k(.param .u64 out, .param .u8 a, .param .s16 b, .param .b32 c, .param .f32 d, .param .f64 e,\n"
    ".param .s64 f, .param .align 4 .b8 g[12], .param .align 8 .b8 h[24], .param .u16 last)\n{\n"
    ".reg .u64 %o, %v; .reg .s64 %s; .reg .f32 %f; .reg .f64 %d; .reg .u16 %w; .reg .u32 %r;\n"
    "ld.param.u64 %o, [out];\n"
    "ld.param.u8 %v, [a]; st.global.u64 [%o], %v;\n"
    "ld.param.s16 %s, [b]; st.global.s64 [%o + 8], %s;\n"
    "ld.param.u32 %v, [c]; st.global.u64 [%o + 16], %v;\n"
    "ld.param.f32 %f, [d]; cvt.f64.f32 %d, %f; st.global.f64 [%o + 24], %d;\n"
    "ld.param.f64 %d, [e]; st.global.f64 [%o + 32], %d;\n"
    "ld.param.s64 %s, [f]; st.global.s64 [%o + 40], %s;\n"
    "ld.param.u32 %r, [g]; st.global.u32 [%o + 48], %r;\n"
    "ld.param.u32 %r, [g + 8]; st.global.u32 [%o + 52], %r;\n"
    "ld.param.u64 %v, [h]; st.global.u64 [%o + 56], %v;\n"
    "ld.param.u64 %v, [h + 16]; st.global.u64 [%o + 64], %v;\n"
    "ld.param.u16 %v, [last]; st.global.u64 [%o + 72], %v;\n"
    "ret;\n}\n";

struct three {
    uint32_t at[3];
};

struct longs {
    uint64_t at[3];
};

typedef ptxemu_status (*stores)(void *, uint8_t, int16_t, uint32_t, float, double, int64_t, struct three, struct longs,
                                uint16_t);

Test(kernel_function, every_kind_of_parameter_arrives)
{
    ptxemu_device *device = open_device();
    ptxemu_kernel *kernel = load(device, STORES);
    const ptxemu_launch launch = {.size = sizeof launch, .grid = {1, 1, 1}, .block = {1, 1, 1}};
    stores function = (stores)ptxemu_kernel_function(kernel, &launch);
    ptxemu_ptr out;

    cr_assert_not_null((void *)function, "%s", ptxemu_last_error(device));
    cr_assert_eq(ptxemu_alloc(device, 80, "out", &out), PTXEMU_OK);
    void *view = ptxemu_view(device, out, 80);

    cr_assert_eq(function(view, 200, -3, 0xdeadbeef, 1.5f, -2.25, -5000000000, (struct three){{11, 12, 13}},
                          (struct longs){{21, 22, 23}}, 65535),
                 PTXEMU_OK);
    const int64_t *integers = view;
    const double *reals = view;
    const uint32_t *words = view;

    cr_expect_eq(integers[0], 200);
    cr_expect_eq(integers[1], -3);
    cr_expect_eq(integers[2], 0xdeadbeef);
    cr_expect_eq(reals[3], 1.5);
    cr_expect_eq(reals[4], -2.25);
    cr_expect_eq(integers[5], -5000000000);
    cr_expect_eq(words[12], 11);
    cr_expect_eq(words[13], 13);
    cr_expect_eq(integers[7], 21);
    cr_expect_eq(integers[8], 23);
    cr_expect_eq(integers[9], 65535);
    ptxemu_device_close(device);
}

Test(kernel_function, a_failure_is_the_result)
{
    ptxemu_device *device = open_device();
    ptxemu_kernel *kernel = load(device, STORES);
    ptxemu_launch launch = {.size = sizeof launch, .grid = {1, 1, 1}, .block = {1, 1, 1}};
    stores function = (stores)ptxemu_kernel_function(kernel, &launch);

    cr_expect_eq(function(NULL, 0, 0, 0, 0, 0, 0, (struct three){{0}}, (struct longs){{0}}, 0), PTXEMU_FAULT);
    launch.block[0] = 5000;
    function = (stores)ptxemu_kernel_function(kernel, &launch);
    cr_expect_eq(function(NULL, 0, 0, 0, 0, 0, 0, (struct three){{0}}, (struct longs){{0}}, 0), PTXEMU_BAD_INPUT);
    launch.size--;
    cr_expect_null(ptxemu_kernel_function(kernel, &launch));
    ptxemu_device_close(device);
}

/* --- functions for kernels ---------------------------------------------------------------------- */
static int32_t add_small(uint8_t a, int8_t b, uint16_t c, int16_t d)
{
    return a + b + c + d;
}

static float mix(float a, double b, int64_t c)
{
    return a * (float)b + (float)c;
}

struct pair {
    float x, y;
};

static struct pair swap(struct pair p)
{
    return (struct pair){p.y, p.x};
}

static void store(uint32_t *to, uint32_t value)
{
    *to = value;
}

static int8_t narrow(int8_t value)
{
    return (int8_t)-value;
}

static ptxemu_status add_function(ptxemu_device *device, const char *name, void (*function)(void),
                                  const char *signature)
{
    const ptxemu_host_options options = {.size = sizeof options, .signature = signature};

    return ptxemu_host_function(device, name, function, &options);
}

/* Run a kernel whose parameter is the address of `bytes` bytes, with one warp; what it wrote. */
static const void *run(ptxemu_device *device, ptxemu_kernel *kernel, size_t bytes)
{
    ptxemu_ptr out;

    cr_assert_eq(ptxemu_alloc(device, bytes, "out", &out), PTXEMU_OK);
    const ptxemu_launch launch = {.size = sizeof launch,
                                  .grid = {2, 1, 1},
                                  .block = {32, 1, 1},
                                  .params = &out,
                                  .params_bytes = sizeof out,
                                  .host_threads = 2};

    cr_assert_eq(ptxemu_run(kernel, &launch), PTXEMU_OK, "%s", ptxemu_last_error(device));
    return ptxemu_view(device, out, bytes);
}

/* The thread's place among the 64 is in %i, the address of its 16 bytes in %o. */
#define KERNEL                                                                                                     \
    ".visible .entry k(.param .u64 out)\n{\n.reg .u64 %o, %l; .reg .u32 %i, %c, %r; .reg .f32 %f; .reg .f64 %d;\n" \
    ".reg .u16 %h; .reg .pred %p;\n"                                                                               \
    "mov.u32 %i, %tid.x; mov.u32 %c, %ctaid.x; mad.lo.u32 %i, %c, 32, %i;\n"                                       \
    "ld.param.u64 %o, [out]; mad.wide.u32 %o, %i, 16, %o;\n"

Test(host_function, types_are_those_of_the_declaration)
{
    ptxemu_device *device = open_device();

    cr_assert_eq(ptxemu_host_function(device, "add_small", (void (*)(void))add_small, NULL), PTXEMU_OK);
    cr_assert_eq(ptxemu_host_function(device, "mix", (void (*)(void))mix, NULL), PTXEMU_OK);
    ptxemu_kernel *kernel =
        load(device,
             HEAD ".extern .func (.param .s32 r) add_small(.param .u8 a, .param .s8 b, .param .u16 c, .param .s16 d);\n"
                  ".extern .func (.param .f32 r) mix(.param .f32 a, .param .f64 b, .param .s64 c);\n" KERNEL
                  "{ .param .u8 a; .param .s8 b; .param .u16 c; .param .s16 d; .param .s32 r;\n"
                  "  cvt.u16.u32 %h, %i; st.param.u8 [a], %h; mov.u16 %h, -100; st.param.s8 [b], %h;\n"
                  "  mov.u16 %h, 40000; st.param.u16 [c], %h; mov.u16 %h, -5; st.param.s16 [d], %h;\n"
                  "  call (r), add_small, (a, b, c, d); ld.param.s32 %r, [r]; st.global.u32 [%o], %r; }\n"
                  "{ .param .f32 a; .param .f64 b; .param .s64 c; .param .f32 r;\n"
                  "  mov.f32 %f, 0f3FC00000; st.param.f32 [a], %f; cvt.rn.f64.u32 %d, %i; st.param.f64 [b], %d;\n"
                  "  mov.u64 %l, -7; st.param.s64 [c], %l;\n"
                  "  call (r), mix, (a, b, c); ld.param.f32 %f, [r]; st.global.f32 [%o + 4], %f; }\n"
                  "ret;\n}\n");
    const int32_t *words = run(device, kernel, 64 * 16);
    const float *reals = (const float *)words;

    for (int i = 0; i < 64; i++) {
        cr_expect_eq(words[4 * i], i - 100 + 40000 - 5, "thread %d: %d", i, words[4 * i]);
        cr_expect_eq(reals[4 * i + 1], 1.5f * (float)i - 7, "thread %d: %g", i, reals[4 * i + 1]);
    }
    ptxemu_device_close(device);
}

Test(host_function, a_signature_says_what_the_declaration_does_not)
{
    ptxemu_device *device = open_device();

    cr_assert_eq(add_function(device, "mix", (void (*)(void))mix, "f32 (f32, f64, s64)"), PTXEMU_OK);
    cr_assert_eq(add_function(device, "swap", (void (*)(void))swap, "{f32, f32} ({f32, f32})"), PTXEMU_OK);
    cr_assert_eq(add_function(device, "narrow", (void (*)(void))narrow, " s8( s8 ) "), PTXEMU_OK);
    ptxemu_kernel *kernel = load(
        device, HEAD ".extern .func (.param .b32 r) mix(.param .b32 a, .param .b64 b, .param .b64 c);\n"
                     ".extern .func (.param .align 4 .b8 r[8]) swap(.param .align 4 .b8 p[8]);\n"
                     ".extern .func (.param .b32 r) narrow(.param .b32 v);\n" KERNEL
                     "{ .param .b32 a; .param .b64 b; .param .b64 c; .param .b32 r;\n"
                     "  mov.f32 %f, 0f3FC00000; st.param.f32 [a], %f; cvt.rn.f64.u32 %d, %i; st.param.f64 [b], %d;\n"
                     "  mov.u64 %l, -7; st.param.b64 [c], %l;\n"
                     "  call (r), mix, (a, b, c); ld.param.f32 %f, [r]; st.global.f32 [%o + 4], %f; }\n"
                     "{ .param .align 4 .b8 p[8]; .param .align 4 .b8 r[8];\n"
                     "  st.param.b32 [p], %i; mov.u32 %r, 9; st.param.b32 [p + 4], %r;\n"
                     "  call (r), swap, (p); ld.param.b32 %r, [r]; st.global.u32 [%o + 8], %r;\n"
                     "  ld.param.b32 %r, [r + 4]; st.global.u32 [%o + 12], %r; }\n"
                     "{ .param .b32 v; .param .b32 r; st.param.b32 [v], %i;\n"
                     "  call (r), narrow, (v); ld.param.b32 %r, [r]; st.global.u32 [%o], %r; }\n"
                     "ret;\n}\n");
    const int32_t *words = run(device, kernel, 64 * 16);
    const float *reals = (const float *)words;

    for (int i = 0; i < 64; i++) {
        cr_expect_eq(words[4 * i], -i, "thread %d: %d", i, words[4 * i]);
        cr_expect_eq(reals[4 * i + 1], 1.5f * (float)i - 7, "thread %d: %g", i, reals[4 * i + 1]);
        cr_expect_eq(words[4 * i + 2], 9);
        cr_expect_eq(words[4 * i + 3], i);
    }
    ptxemu_device_close(device);
}

Test(host_function, only_active_lanes_call_and_device_memory_is_the_hosts)
{
    ptxemu_device *device = open_device();

    cr_assert_eq(ptxemu_host_function(device, "store", (void (*)(void))store, NULL), PTXEMU_OK);
    ptxemu_kernel *kernel =
        load(device, HEAD ".extern .func store(.param .u64 to, .param .u32 value);\n" KERNEL
                          "and.b32 %r, %i, 1; setp.eq.u32 %p, %r, 0; @%p bra END;\n"
                          "{ .param .u64 to; .param .u32 value; st.param.u64 [to], %o; st.param.u32 [value], %i;\n"
                          "  call store, (to, value); }\nEND: ret;\n}\n");
    const int32_t *words = run(device, kernel, 64 * 16);

    for (int i = 0; i < 64; i++) {
        cr_expect_eq(words[4 * i], i % 2 == 1 ? i : 0);
    }
    ptxemu_device_close(device);
}

/* --- refusals ----------------------------------------------------------------------------------- */
Test(host_function, unknown_ones_are_refused_by_name)
{
    static const char text[] = HEAD ".extern .func other(.param .u64 to);\n" KERNEL
                                    "{ .param .u64 to; st.param.u64 [to], %o; call other, (to); }\nret;\n}\n";
    ptxemu_device *device = open_device();
    ptxemu_module *module = NULL;
    ptxemu_diagnostic d;

    cr_assert_eq(ptxemu_host_function(device, "store", (void (*)(void))store, NULL), PTXEMU_OK);
    cr_expect_eq(ptxemu_module_load(device, "test.ptx", text, strlen(text), &module), PTXEMU_BAD_INPUT);
    cr_assert(ptxemu_diagnostic_at(device, 0, &d));
    cr_expect_str_eq(d.message, "undefined reference to 'other'");
    ptxemu_device_close(device);
}

Test(host_function, registrations_that_cannot_be_are_refused)
{
    static const struct {
        const char *name, *signature, *message;
    } cases[] = {
        {"malloc", NULL, "'malloc' is a function that CUDA supplies"},
        {"", NULL, "a host function needs a name and an address"},
        {"taken", NULL, "there is a host function 'taken' already"},
        {"f", "",
         "signature '' of host function 'f': expected a type: u8 to u64, s8 to s64, f32, f64, ptr, or {TYPE, ...}"},
        {"f", "void", "signature 'void' of host function 'f': expected '(' behind the type of the result"},
        {"f", "void (u32", "signature 'void (u32' of host function 'f': expected ',' or ')' behind a type"},
        {"f", "void () ;", "signature 'void () ;' of host function 'f': there is something behind ')'"},
        {"f", "void ({})", "signature 'void ({})' of host function 'f': a structure without members"},
        {"f", "void ({{{{{{{{{u8}}}}}}}}})",
         "signature 'void ({{{{{{{{{u8}}}}}}}}})' of host function 'f': structures are nested too deeply"},
        {"f", "void (void)",
         "signature 'void (void)' of host function 'f': expected a type: u8 to u64, s8 to s64, f32, f64, ptr, or "
         "{TYPE, ...}"},
    };
    ptxemu_device *device = open_device();

    cr_assert_eq(ptxemu_host_function(device, "taken", (void (*)(void))store, NULL), PTXEMU_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_eq(add_function(device, cases[i].name, (void (*)(void))store, cases[i].signature), PTXEMU_BAD_INPUT);
        cr_expect_str_eq(ptxemu_last_error(device), cases[i].message);
    }
    cr_expect_eq(ptxemu_host_function(device, "f", NULL, NULL), PTXEMU_BAD_INPUT);
    ptxemu_device_close(device);
}

static void check_declaration(const char *signature, const char *declaration, const char *message)
{
    ptxemu_device *device = open_device();
    ptxemu_module *module = NULL;
    char text[512];

    snprintf(text, sizeof text, HEAD "%s\n", declaration);
    cr_assert_eq(add_function(device, "f", (void (*)(void))store, signature), PTXEMU_OK);
    cr_expect_eq(ptxemu_module_load(device, "test.ptx", text, strlen(text), &module), PTXEMU_BAD_INPUT);
    cr_expect_str_eq(ptxemu_last_error(device), message);
    ptxemu_device_close(device);
}

Test(host_function, declarations_must_be_what_the_function_is)
{
    check_declaration("void (u64)", ".extern .func f(.param .b64 a, .param .b32 b);",
                      "host function 'f' is \"void (u64)\", but declared otherwise in test.ptx, line 4: the number of "
                      "arguments differs");
    check_declaration(
        "void (u64, f64)", ".extern .func f(.param .b64 a, .param .b32 b);",
        "host function 'f' is \"void (u64, f64)\", but declared otherwise in test.ptx, line 4: the size of "
        "argument 2 differs");
    check_declaration(
        "void (u64)", ".extern .func (.param .b32 r) f(.param .b64 a);",
        "host function 'f' is \"void (u64)\", but declared otherwise in test.ptx, line 4: the size of the "
        "result differs");
    check_declaration(
        "void ({f32, f32})", ".extern .func f(.param .align 4 .b8 a[12]);",
        "host function 'f' is \"void ({f32, f32})\", but declared otherwise in test.ptx, line 4: the size of "
        "argument 1 differs");
}
