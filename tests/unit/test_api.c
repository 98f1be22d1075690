/*
 * The public API as a program uses it: devices, modules, launches, faults and diagnostics as data.
 */
#include "include/ptxemu.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

/* Adds `n` to each element, one thread each. */
static const char adder[] = HEAD ".visible .entry add(.param .u64 out, .param .u32 n)\n"
                                 "{\n"
                                 ".reg .b32 %r<8>;\n"
                                 ".reg .b64 %rd<4>;\n"
                                 "ld.param.u64 %rd1, [out];\n"
                                 "ld.param.u32 %r1, [n];\n"
                                 "mov.u32 %r2, %tid.x;\n"
                                 "mov.u32 %r3, %ctaid.x;\n"
                                 "mov.u32 %r4, %ntid.x;\n"
                                 "mad.lo.u32 %r2, %r3, %r4, %r2;\n"
                                 "mad.wide.u32 %rd1, %r2, 4, %rd1;\n"
                                 "ld.global.u32 %r5, [%rd1];\n"
                                 "add.u32 %r5, %r5, %r1;\n"
                                 "st.global.u32 [%rd1], %r5;\n"
                                 "ret;\n"
                                 "}\n"
                                 ".visible .entry trap()\n"
                                 "{\n"
                                 "trap;\n"
                                 "}\n"
                                 ".visible .entry spin()\n"
                                 "{\n"
                                 "L: bra L;\n"
                                 "}\n"
                                 ".global .u32 cell = 41;\n"
                                 ".const .u64 table[3] = {1, 2, 3};\n"
                                 ".visible .entry bump()\n"
                                 "{\n"
                                 ".reg .b32 %r<2>;\n"
                                 "atom.global.add.u32 %r1, [cell], 1;\n"
                                 "ret;\n"
                                 "}\n";

struct add_params {
    ptxemu_ptr out;
    uint32_t n;
};

static ptxemu_device *open_device(void)
{
    ptxemu_device *d = NULL;

    cr_assert_eq(ptxemu_device_open(NULL, &d, NULL), PTXEMU_OK);
    cr_assert_not_null(d);
    return d;
}

static ptxemu_module *load(ptxemu_device *d, const char *text)
{
    ptxemu_module *m = NULL;

    cr_assert_eq(ptxemu_module_load(d, "test.ptx", text, strlen(text), &m), PTXEMU_OK, "%s", ptxemu_last_error(d));
    cr_assert_not_null(m);
    return m;
}

static ptxemu_ptr allocate(ptxemu_device *d, uint64_t bytes, const char *label)
{
    ptxemu_ptr p = 0;

    cr_assert_eq(ptxemu_alloc(d, bytes, label, &p), PTXEMU_OK);
    return p;
}

static ptxemu_launch launch_of(unsigned grid, unsigned block, const void *params, size_t bytes)
{
    return (ptxemu_launch){.size = sizeof(ptxemu_launch),
                           .grid = {grid, 1, 1},
                           .block = {block, 1, 1},
                           .params = params,
                           .params_bytes = bytes};
}

static ptxemu_status run(ptxemu_module *m, const char *kernel, unsigned grid, unsigned block, const void *params,
                         size_t bytes)
{
    const ptxemu_launch launch = launch_of(grid, block, params, bytes);
    ptxemu_kernel *k = ptxemu_kernel_find(m, kernel);

    cr_assert_not_null(k);
    return ptxemu_run(k, &launch);
}

Test(api, runs_a_kernel_and_counts)
{
    ptxemu_device *d = open_device();
    ptxemu_module *m = load(d, adder);
    struct add_params p = {allocate(d, 400, "out"), 7};
    uint32_t got[100];
    ptxemu_stats stats;
    ptxemu_fault_info fault;

    cr_assert_eq(run(m, "add", 2, 50, &p, 12), PTXEMU_OK, "%s", ptxemu_last_error(d));
    cr_assert_eq(ptxemu_read(d, got, p.out, sizeof got), PTXEMU_OK);
    for (int i = 0; i < 100; i++) {
        cr_assert_eq(got[i], 7);
    }
    ptxemu_get_stats(d, &stats);
    cr_assert_eq(stats.ctas, 2);
    cr_assert_eq(stats.warps, 4);
    cr_assert_eq(stats.threads, 100);
    cr_assert_eq(stats.warp_instructions, 4 * 11);
    cr_assert_eq(stats.thread_instructions, 100 * 11);
    cr_assert_not(ptxemu_get_fault(d, &fault));
    ptxemu_device_close(d);
}

Test(api, faults_are_data_and_the_device_goes_on)
{
    ptxemu_device *d = open_device();
    ptxemu_module *m = load(d, adder);
    struct add_params p = {allocate(d, 128, "small"), 1};
    ptxemu_fault_info f;
    uint32_t word = 0;

    cr_assert_eq(run(m, "add", 1, 64, &p, 12), PTXEMU_FAULT);
    cr_assert(ptxemu_get_fault(d, &f));
    cr_assert_eq(f.kind, PTXEMU_FAULT_OUT_OF_BOUNDS);
    cr_expect_str_eq(f.kernel, "add");
    cr_assert_eq(f.thread[0], 32);
    cr_assert_eq(f.warp, 1);
    cr_assert_eq(f.lane, 0);
    cr_assert_eq(f.address, p.out + 128);
    cr_assert_eq(f.bytes, 4);
    cr_assert_eq(f.line, 15);
    cr_assert_not_null(strstr(f.message, "'small'"), "%s", f.message);

    cr_assert_eq(run(m, "trap", 1, 1, NULL, 0), PTXEMU_FAULT);
    cr_assert(ptxemu_get_fault(d, &f));
    cr_assert_eq(f.kind, PTXEMU_FAULT_TRAP);

    cr_assert_eq(run(m, "add", 1, 32, &p, 12), PTXEMU_OK);
    cr_assert_not(ptxemu_get_fault(d, &f), "a good launch leaves no fault");
    ptxemu_read(d, &word, p.out, sizeof word);
    cr_assert_eq(word, 2);
    ptxemu_device_close(d);
}

Test(api, says_when_memory_was_freed)
{
    ptxemu_device *d = open_device();
    ptxemu_module *m = load(d, adder);
    struct add_params p = {allocate(d, 4096, "gone"), 1};
    ptxemu_fault_info f;

    cr_assert_eq(ptxemu_free(d, p.out), PTXEMU_OK);
    cr_assert_eq(run(m, "add", 1, 32, &p, 12), PTXEMU_FAULT);
    cr_assert(ptxemu_get_fault(d, &f));
    cr_assert_not_null(strstr(f.message, "freed"), "%s", f.message);
    cr_assert_not_null(strstr(f.message, "gone"), "%s", f.message);
    cr_assert_eq(ptxemu_free(d, p.out), PTXEMU_BAD_INPUT);
    cr_assert_eq(ptxemu_free(d, 12345), PTXEMU_BAD_INPUT);
    ptxemu_device_close(d);
}

Test(api, refuses_wrong_launches)
{
    ptxemu_device *d = open_device();
    ptxemu_module *m = load(d, adder);
    struct add_params p = {allocate(d, 4096, NULL), 1};
    ptxemu_kernel *k = ptxemu_kernel_find(m, "add");
    ptxemu_launch l = launch_of(1, 32, &p, 12);

    cr_expect_eq(run(m, "add", 1, 32, &p, 8), PTXEMU_BAD_INPUT);
    cr_assert_neq(ptxemu_last_error(d)[0], 0);
    cr_expect_eq(run(m, "add", 1, 32, NULL, 12), PTXEMU_BAD_INPUT);
    cr_expect_eq(run(m, "add", 0, 32, &p, 12), PTXEMU_BAD_INPUT);
    cr_expect_eq(run(m, "add", 1, 0, &p, 12), PTXEMU_BAD_INPUT);
    cr_expect_eq(run(m, "add", 1, 1025, &p, 12), PTXEMU_BAD_INPUT);
    cr_expect_eq(run(m, "add", 0x80000000u, 32, &p, 12), PTXEMU_BAD_INPUT);
    l.block[1] = 33;
    cr_expect_eq(ptxemu_run(k, &l), PTXEMU_BAD_INPUT);
    l = launch_of(1, 32, &p, 12);
    l.grid[2] = 65536;
    cr_expect_eq(ptxemu_run(k, &l), PTXEMU_BAD_INPUT);
    l = launch_of(1, 32, &p, 12);
    l.dynamic_shared = (uint64_t)1 << 40;
    cr_expect_eq(ptxemu_run(k, &l), PTXEMU_BAD_INPUT);
    l = launch_of(1, 32, &p, 12);
    l.policy = (ptxemu_policy)99;
    cr_expect_eq(ptxemu_run(k, &l), PTXEMU_BAD_INPUT);
    l = launch_of(1, 32, &p, 12);
    l.size = 3;
    cr_expect_eq(ptxemu_run(k, &l), PTXEMU_BAD_INPUT);
    cr_expect_eq(run(m, "add", 1, 32, &p, 12), PTXEMU_OK, "and works afterwards: %s", ptxemu_last_error(d));
    cr_assert_null(ptxemu_kernel_find(m, "no_such_kernel"));
    ptxemu_device_close(d);
}

static bool cancel_second_time(void *user, uint64_t done, uint64_t total)
{
    int *calls = user;

    cr_assert_leq(done, total);
    return ++*calls < 2;
}

Test(api, cancels_and_times_out, .timeout = 20)
{
    ptxemu_device *d = open_device();
    ptxemu_module *m = load(d, adder);
    ptxemu_launch l = launch_of(1, 64, NULL, 0);
    ptxemu_fault_info f;
    int calls = 0;

    l.progress = cancel_second_time;
    l.user = &calls;
    cr_assert_eq(ptxemu_run(ptxemu_kernel_find(m, "spin"), &l), PTXEMU_FAULT);
    cr_assert(ptxemu_get_fault(d, &f));
    cr_assert_eq(f.kind, PTXEMU_FAULT_CANCELLED);
    cr_assert_eq(calls, 2);

    l = launch_of(3, 64, NULL, 0);
    l.timeout_s = 0.2;
    cr_assert_eq(ptxemu_run(ptxemu_kernel_find(m, "spin"), &l), PTXEMU_FAULT);
    cr_assert(ptxemu_get_fault(d, &f));
    cr_assert_eq(f.kind, PTXEMU_FAULT_TIMEOUT);
    cr_assert_eq(run(m, "bump", 1, 1, NULL, 0), PTXEMU_OK);
    ptxemu_device_close(d);
}

Test(api, a_part_of_a_program_loads_when_it_is_called_one)
{
    static const char part[] = ".version 9.0\n.target sm_90\n.address_size 64\n.extern .func f;\n"
                               ".visible .entry k() { call f; ret; }\n.visible .entry alone() { ret; }\n";
    const ptxemu_load_options as_part = {.size = sizeof as_part, .relocatable = true};
    const ptxemu_load_options as_whole = {.size = sizeof as_whole}, wrong_size = {.size = 1};
    ptxemu_device *d = open_device();
    ptxemu_module *m;

    cr_expect_eq(ptxemu_module_load(d, "part.ptx", part, strlen(part), &m), PTXEMU_BAD_INPUT);
    cr_expect_eq(ptxemu_module_load_with(d, NULL, "part.ptx", part, strlen(part), &m), PTXEMU_BAD_INPUT);
    cr_expect_eq(ptxemu_module_load_with(d, &as_whole, "part.ptx", part, strlen(part), &m), PTXEMU_BAD_INPUT);
    cr_expect_eq(ptxemu_module_load_with(d, &wrong_size, "part.ptx", part, strlen(part), &m), PTXEMU_BAD_INPUT);
    cr_expect(m == NULL);
    cr_assert_eq(ptxemu_module_load_with(d, &as_part, "part.ptx", part, strlen(part), &m), PTXEMU_OK);
    cr_expect(ptxemu_kernel_unsupported(ptxemu_kernel_find(m, "k")) != NULL);
    cr_expect(ptxemu_kernel_unsupported(ptxemu_kernel_find(m, "alone")) == NULL);
    ptxemu_device_close(d);
}

Test(api, parts_are_linked)
{
    static const char main_part[] =
        HEAD ".extern .func f(.param .b64 at);\n.extern .global .u32 n;\n"
             ".visible .entry k(.param .u64 out) {\n.reg .b64 %rd;\n.reg .b32 %r;\n"
             ".param .b64 a;\nld.param.u64 %rd, [out];\nst.param.b64 [a], %rd;\n"
             "call f, (a);\nld.global.u32 %r, [n];\nst.global.u32 [%rd + 4], %r;\nret;\n}\n";
    static const char other[] = HEAD ".visible .global .u32 n = 9;\n.visible .func f(.param .b64 at) {\n"
                                     ".reg .b64 %rd;\nld.param.u64 %rd, [at];\nst.global.u32 [%rd], 7;\nret;\n}\n";
    const ptxemu_text texts[] = {{sizeof *texts, "main.ptx", main_part, strlen(main_part)},
                                 {sizeof *texts, "other.ptx", other, strlen(other)}};
    ptxemu_device *d = open_device();
    ptxemu_module *m;
    ptxemu_ptr out, n;
    uint64_t bytes;
    uint32_t results[2];
    ptxemu_kernel_info info;
    ptxemu_fault_info fault;

    cr_assert_eq(ptxemu_module_link(d, NULL, texts, 2, &m), PTXEMU_OK);
    cr_assert_eq(ptxemu_module_variable(m, "n", &n, &bytes), PTXEMU_OK);
    cr_assert_eq(ptxemu_alloc(d, 8, NULL, &out), PTXEMU_OK);
    cr_assert_eq(run(m, "k", 1, 1, &out, sizeof out), PTXEMU_OK);
    cr_assert_eq(ptxemu_read(d, results, out, sizeof results), PTXEMU_OK);
    cr_expect_eq(results[0], 7);
    cr_expect_eq(results[1], 9);
    ptxemu_kernel_get_info(ptxemu_kernel_find(m, "k"), &info);
    cr_expect_str_eq(info.file, "main.ptx");
    cr_expect_eq(info.line, 6);

    /* The fault is in the second text. */
    out = 0;
    cr_assert_eq(run(m, "k", 1, 1, &out, sizeof out), PTXEMU_FAULT);
    cr_assert(ptxemu_get_fault(d, &fault));
    cr_expect_str_eq(fault.file, "other.ptx");
    cr_expect_eq(fault.line, 8);
    ptxemu_device_close(d);
}

Test(api, parts_that_cannot_be_linked_are_refused)
{
    static const char caller[] = HEAD ".extern .func f;\n.visible .entry k() { call f; ret; }\n";
    static const char broken[] = HEAD "frobnicate;\n";
    ptxemu_text texts[] = {{sizeof *texts, "caller.ptx", caller, strlen(caller)},
                           {sizeof *texts, "broken.ptx", broken, strlen(broken)},
                           {sizeof *texts, NULL, broken, strlen(broken)}};
    const ptxemu_load_options as_part = {.size = sizeof as_part, .relocatable = true}, wrong_size = {.size = 1};
    ptxemu_device *d = open_device();
    ptxemu_module *m;
    ptxemu_diagnostic g;

    cr_expect_eq(ptxemu_module_link(d, NULL, texts, 0, &m), PTXEMU_BAD_INPUT);
    cr_expect_eq(ptxemu_module_link(d, &wrong_size, texts, 1, &m), PTXEMU_BAD_INPUT);
    cr_expect_eq(ptxemu_module_link(d, NULL, texts, 1, &m), PTXEMU_BAD_INPUT);
    cr_expect_str_eq(ptxemu_last_error(d), "1 error in linking 1 text");
    cr_assert_eq(ptxemu_diagnostic_count(d), 2);
    cr_assert(ptxemu_diagnostic_at(d, 0, &g));
    cr_expect_str_eq(g.file, "caller.ptx");
    cr_expect_str_eq(g.message, "undefined reference to 'f'");

    /* Errors of every text are kept, under its name. */
    cr_expect_eq(ptxemu_module_link(d, NULL, texts, 3, &m), PTXEMU_BAD_INPUT);
    cr_assert_eq(ptxemu_diagnostic_count(d), 2);
    cr_assert(ptxemu_diagnostic_at(d, 0, &g));
    cr_expect_str_eq(g.file, "broken.ptx");
    cr_assert(ptxemu_diagnostic_at(d, 1, &g));
    cr_expect_str_eq(g.file, "<text>");
    cr_expect_str_eq(ptxemu_last_error(d), "2 errors in 2 texts");

    cr_assert_eq(ptxemu_module_link(d, &as_part, texts, 1, &m), PTXEMU_OK);
    cr_expect(ptxemu_kernel_unsupported(ptxemu_kernel_find(m, "k")) != NULL);
    texts[0].size = 1;
    cr_expect_eq(ptxemu_module_link(d, NULL, texts, 1, &m), PTXEMU_BAD_INPUT);
    cr_expect_null(m);
    ptxemu_device_close(d);
}

Test(api, module_errors_are_data)
{
    static const char bad[] = HEAD ".visible .entry k()\n{\nadd.q32 %r1, 2, 3;\nfrobnicate;\nret;\n}\n";
    ptxemu_device *d = open_device();
    ptxemu_module *m = (ptxemu_module *)&d;
    ptxemu_diagnostic g;
    size_t errors = 0;

    cr_assert_eq(ptxemu_module_load(d, "bad.ptx", bad, strlen(bad), &m), PTXEMU_BAD_INPUT);
    cr_assert_null(m);
    cr_assert_geq(ptxemu_diagnostic_count(d), 2);
    for (size_t i = 0; i < ptxemu_diagnostic_count(d); i++) {
        cr_assert(ptxemu_diagnostic_at(d, i, &g));
        errors += g.level == PTXEMU_ERROR;
        cr_assert_str_eq(g.file, "bad.ptx");
        cr_assert_neq(g.line, 0);
        cr_assert_not_null(strstr(g.rendered, g.message));
        cr_assert_null(strchr(g.message, '\n'));
    }
    cr_assert_geq(errors, 2);
    cr_assert_not(ptxemu_diagnostic_at(d, ptxemu_diagnostic_count(d), &g));
    cr_assert_eq(ptxemu_module_load_file(d, "/no/such/file.ptx", &m), PTXEMU_BAD_INPUT);
    cr_assert_null(m);
    cr_assert_not_null(strstr(ptxemu_last_error(d), "/no/such/file.ptx"));
    cr_assert_eq(ptxemu_module_load(d, "empty.ptx", "", 0, &m), PTXEMU_BAD_INPUT);
    load(d, adder);
    cr_assert_eq(ptxemu_diagnostic_count(d), 0, "of the last load only");
    ptxemu_device_close(d);
}

Test(api, modules_have_variables_of_their_own)
{
    ptxemu_device *d = open_device();
    ptxemu_module *a = load(d, adder), *b = load(d, adder);
    ptxemu_ptr cell_a, cell_b, table;
    uint64_t bytes, values[3];
    uint32_t word;

    cr_assert_eq(ptxemu_module_variable(a, "cell", &cell_a, &bytes), PTXEMU_OK);
    cr_assert_eq(bytes, 4);
    cr_assert_eq(ptxemu_module_variable(b, "cell", &cell_b, &bytes), PTXEMU_OK);
    cr_assert_neq(cell_a, cell_b);
    cr_assert_eq(run(a, "bump", 3, 5, NULL, 0), PTXEMU_OK);
    ptxemu_read(d, &word, cell_a, 4);
    cr_assert_eq(word, 41 + 15);
    ptxemu_read(d, &word, cell_b, 4);
    cr_assert_eq(word, 41);
    cr_assert_eq(ptxemu_module_variable(a, "table", &table, &bytes), PTXEMU_OK);
    cr_assert_eq(bytes, 24);
    ptxemu_read(d, values, table, sizeof values);
    cr_assert_eq(values[2], 3);
    cr_assert_eq(ptxemu_module_variable(a, "nothing", &table, &bytes), PTXEMU_BAD_INPUT);
    ptxemu_module_unload(a);
    cr_assert_eq(run(b, "bump", 1, 1, NULL, 0), PTXEMU_OK);
    ptxemu_device_close(d);
}

Test(api, describes_kernels)
{
    ptxemu_device *d = open_device();
    ptxemu_module *m = load(d, adder);
    ptxemu_kernel_info info;
    ptxemu_param_info param;

    cr_assert_eq(ptxemu_kernel_count(m), 4);
    cr_assert_null(ptxemu_kernel_at(m, 4));
    ptxemu_kernel_get_info(ptxemu_kernel_at(m, 0), &info);
    cr_assert_str_eq(info.name, "add");
    cr_assert_eq(info.param_count, 2);
    cr_assert_eq(info.param_bytes, 12);
    cr_assert_eq(info.line, 4);
    cr_assert(ptxemu_kernel_param(ptxemu_kernel_at(m, 0), 0, &param));
    cr_assert_str_eq(param.name, "out");
    cr_assert_eq(param.pointer_use, 3);
    cr_assert_str_eq(param.element, "u32");
    cr_assert(ptxemu_kernel_param(ptxemu_kernel_at(m, 0), 1, &param));
    cr_assert_eq(param.pointer_use, 0);
    cr_assert_not(ptxemu_kernel_param(ptxemu_kernel_at(m, 0), 2, &param));
    cr_assert_null(ptxemu_kernel_unsupported(ptxemu_kernel_at(m, 0)));
    ptxemu_device_close(d);
}

Test(api, unsupported_kernels_are_refused_at_launch_only)
{
    static const char texture[] = HEAD ".global .texref t; .visible .entry good()\n{\nret;\n}\n"
                                       ".visible .entry bad()\n{\n.reg .b32 %r<4>;\n"
                                       "tex.2dms.v4.u32.s32 {%r1, %r1, %r1, %r1}, [t, {0, 0, 0, 0}];\nret;\n}\n";
    ptxemu_device *d = open_device();
    ptxemu_module *m = load(d, texture);
    const char *why = ptxemu_kernel_unsupported(ptxemu_kernel_find(m, "bad"));

    cr_assert_not_null(why);
    cr_assert_not_null(strstr(why, "unsupported: tex"), "%s", why);
    cr_assert_not_null(strstr(why, "11"), "%s", why);
    cr_assert_eq(run(m, "bad", 1, 32, NULL, 0), PTXEMU_UNSUPPORTED);
    cr_assert_not_null(strstr(ptxemu_last_error(d), "tex"));
    cr_assert_null(ptxemu_kernel_unsupported(ptxemu_kernel_find(m, "good")));
    cr_assert_eq(run(m, "good", 1, 32, NULL, 0), PTXEMU_OK);
    ptxemu_device_close(d);
}

Test(api, memory_is_checked)
{
    ptxemu_device *d = open_device();
    ptxemu_ptr p = allocate(d, 100, NULL), q;
    uint8_t bytes[128] = {1};

    cr_assert_eq(ptxemu_write(d, p, bytes, 100), PTXEMU_OK);
    cr_assert_eq(ptxemu_write(d, p, bytes, 101), PTXEMU_BAD_INPUT);
    cr_assert_eq(ptxemu_read(d, bytes, p + 90, 11), PTXEMU_BAD_INPUT);
    cr_assert_eq(ptxemu_read(d, bytes, p - 1, 1), PTXEMU_BAD_INPUT);
    cr_assert_eq(ptxemu_read(d, bytes, 0, 1), PTXEMU_BAD_INPUT);
    cr_assert_eq(ptxemu_write(d, p, bytes, UINT64_MAX), PTXEMU_BAD_INPUT);
    cr_assert_not_null(ptxemu_view(d, p, 100));
    cr_assert_null(ptxemu_view(d, p, 101));
    cr_assert_null(ptxemu_view(d, p + UINT64_MAX / 2, 1));
    cr_assert_eq(ptxemu_alloc(d, UINT64_MAX, NULL, &q), PTXEMU_NO_MEMORY);
    ptxemu_device_close(d);
}

Test(api, opening_can_fail)
{
    ptxemu_device *d = (ptxemu_device *)&d;
    char *error = NULL;
    const ptxemu_device_options unknown = {.size = sizeof unknown, .gpu = "voodoo2"};

    cr_assert_eq(ptxemu_device_open(&unknown, &d, &error), PTXEMU_BAD_INPUT);
    cr_assert_null(d);
    cr_assert_not_null(strstr(error, "voodoo2"));
    free(error);
    cr_assert_eq(ptxemu_device_open(&unknown, &d, NULL), PTXEMU_BAD_INPUT);
    ptxemu_device_close(NULL);
}

struct job {
    ptxemu_device *device;
    uint32_t n;
    ptxemu_status status;
    uint32_t got;
};

static void *work(void *argument)
{
    struct job *j = argument;
    ptxemu_module *m;
    struct add_params p = {0, j->n};

    j->status = ptxemu_module_load(j->device, "job.ptx", adder, strlen(adder), &m);
    if (j->status == PTXEMU_OK) {
        ptxemu_alloc(j->device, 64 * 64 * 4, "out", &p.out);
        for (int i = 0; i < 20 && j->status == PTXEMU_OK; i++) {
            j->status = run(m, "add", 64, 64, &p, 12);
        }
        ptxemu_read(j->device, &j->got, p.out + 4000, 4);
    }
    return NULL;
}

Test(api, two_devices_at_once)
{
    struct job jobs[2] = {{open_device(), 3, PTXEMU_OK, 0}, {open_device(), 1000, PTXEMU_OK, 0}};
    pthread_t threads[2];

    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, work, &jobs[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        cr_assert_eq(jobs[i].status, PTXEMU_OK);
        cr_assert_eq(jobs[i].got, 20 * jobs[i].n);
        ptxemu_device_close(jobs[i].device);
    }
}

/* An address of one device means nothing on another. */
Test(api, devices_do_not_share_memory)
{
    ptxemu_device *a = open_device(), *b = open_device();
    ptxemu_ptr p = allocate(a, 4096, "of a");
    ptxemu_module *m = load(b, adder);
    struct add_params params = {p, 1};
    uint32_t word;

    cr_assert_eq(ptxemu_read(b, &word, p, 4), PTXEMU_BAD_INPUT);
    cr_assert_eq(run(m, "add", 1, 32, &params, 12), PTXEMU_FAULT);
    cr_assert_eq(ptxemu_read(a, &word, p, 4), PTXEMU_OK);
    cr_assert_eq(word, 0);
    ptxemu_device_close(a);
    ptxemu_device_close(b);
}
