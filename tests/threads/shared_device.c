/*
 * One device used by several host threads at once: modules loaded and unloaded, memory allocated and freed, kernels of
 * one module launched, also one whose launches fault.  For the thread sanitizer; exits 0 when all is right.
 */
#include "runtime/objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { USERS = 4, ROUNDS = 12, CTAS = 8, THREADS = 64 };

static const char text[] = ".version 8.0\n.target sm_70\n.address_size 64\n"
                           ".global .u32 counter;\n"
                           ".visible .entry add(.param .u64 to, .param .u32 value)\n"
                           "{\n"
                           ".reg .b64 %rd<3>;\n.reg .b32 %r<3>;\n"
                           "ld.param.u64 %rd1, [to];\nld.param.u32 %r1, [value];\n"
                           "red.global.add.u32 [%rd1], %r1;\n"
                           "mov.u64 %rd2, counter;\nred.global.add.u32 [%rd2], 1;\n"
                           "ret;\n}\n"
                           ".visible .entry late(.param .u64 mailbox)\n"
                           "{\n"
                           ".reg .b64 %rd<3>;\n.reg .pred %p1;\n"
                           "ld.param.u64 %rd1, [mailbox];\n"
                           "wait: ld.volatile.global.u64 %rd2, [%rd1];\n"
                           "setp.eq.u64 %p1, %rd2, 0;\n@%p1 bra wait;\n"
                           "st.global.u32 [%rd2], 42;\n"
                           "ret;\n}\n";
static const char wrong[] = ".version 8.0\n.target sm_70\n.address_size 64\n"
                            ".visible .entry k()\n{\nadd.u32 %none, 1, 2;\nret;\n}\n";

struct params {
    ptxemu_ptr to;
    uint32_t value;
};

struct user {
    pthread_t thread;
    ptxemu_device *device;
    ptxemu_module *shared; /* loaded once, launched by all */
    struct rt_outcome outcome;
    ptxemu_ptr mailbox;
    uint32_t number;
    bool ok;
};

static bool check(struct user *u, bool right, const char *what)
{
    if (!right && u->ok) {
        printf("user %u: %s\n", u->number, what);
    }
    u->ok &= right;
    return right;
}

static ptxemu_status launch(struct user *u, ptxemu_module *m, struct params params)
{
    const ptxemu_launch l = {.size = sizeof l,
                             .grid = {CTAS, 1, 1},
                             .block = {THREADS, 1, 1},
                             .params = &params,
                             .params_bytes = 12,
                             .host_threads = 2};

    return rt_launch(ptxemu_kernel_find(m, "add"), &l, NULL, &u->outcome);
}

/* A kernel that adds to memory of this thread alone. */
static void add(struct user *u, ptxemu_module *m)
{
    struct params p = {.value = u->number + 1};
    uint32_t sum = 0;

    check(u, mem_allocate(u->device->memory, 4, 0, MEM_DEVICE, "sum", &p.to) == MEM_OK, "no memory");
    check(u, launch(u, m, p) == PTXEMU_OK, "launch failed");
    mem_copy_from(u->device->memory, &sum, p.to, sizeof sum);
    check(u, sum == p.value * CTAS * THREADS, "wrong sum");
    check(u, u->outcome.stats.ctas == CTAS, "statistics of another launch");
    mem_release(u->device->memory, p.to);
}

/* Its fault is its own, although others run well meanwhile. */
static void fault(struct user *u)
{
    const struct params p = {.to = 16 + u->number * 16};

    check(u, launch(u, u->shared, p) == PTXEMU_FAULT, "no fault");
    check(u, u->outcome.has_fault && u->outcome.fault.address == p.to, "fault of another launch");
    check(u, strstr(u->outcome.error, "null access") != NULL, u->outcome.error);
}

static void load(struct user *u)
{
    const ptxemu_text good = {.size = sizeof good, .name = "good.ptx", .text = text, .length = sizeof text - 1};
    const ptxemu_text bad = {.size = sizeof bad, .name = "bad.ptx", .text = wrong, .length = sizeof wrong - 1};
    struct rt_messages said;
    ptxemu_module *m;

    if (check(u, rt_load(u->device, &good, 1, RT_PROGRAM, &m, &said) == PTXEMU_OK, "load failed")) {
        add(u, m);
        ptxemu_module_unload(m);
    }
    rt_drop_diagnostics(&said);
    check(u, rt_load(u->device, &bad, 1, RT_PROGRAM, &m, &said) == PTXEMU_BAD_INPUT && m == NULL, "bad text loaded");
    check(u, said.n_diagnostics == 1 && strcmp(said.diagnostics[0].file, "bad.ptx") == 0, "diagnostics of another");
    rt_drop_diagnostics(&said);
}

static void *use(void *argument)
{
    struct user *u = argument;

    for (int i = 0; i < ROUNDS && u->ok; i++) {
        add(u, u->shared);
        fault(u);
        load(u);
    }
    return NULL;
}

/* --- memory that comes while a kernel runs ------------------------------------------------------ */
static void *run_late(void *argument)
{
    struct user *u = argument;
    const ptxemu_ptr mailbox = u->mailbox;
    const ptxemu_launch l = {.size = sizeof l,
                             .grid = {1, 1, 1},
                             .block = {1, 1, 1},
                             .params = &mailbox,
                             .params_bytes = sizeof mailbox,
                             .timeout_s = 60};

    check(u, rt_launch(ptxemu_kernel_find(u->shared, "late"), &l, NULL, &u->outcome) == PTXEMU_OK, u->outcome.error);
    return NULL;
}

/* A kernel waits for the address of memory that is allocated after it was started, and writes there. */
static bool late_memory(ptxemu_device *device, ptxemu_module *shared)
{
    struct user u = {.device = device, .shared = shared, .ok = true};
    const struct timespec soon = {.tv_nsec = 20000000};
    uint64_t late = 0;
    uint32_t got = 0;

    if (mem_allocate(device->memory, 8, 0, MEM_DEVICE, "mailbox", &u.mailbox) != MEM_OK ||
        pthread_create(&u.thread, NULL, run_late, &u) != 0) {
        return false;
    }
    nanosleep(&soon, NULL);
    check(&u, mem_allocate(device->memory, 4, 0, MEM_DEVICE, "late", &late) == MEM_OK, "no memory");
    __atomic_store_n((uint64_t *)mem_host_pointer(device->memory, u.mailbox, 8), late, __ATOMIC_RELEASE);
    pthread_join(u.thread, NULL);
    mem_copy_from(device->memory, &got, late, sizeof got);
    return check(&u, got == 42, "nothing was written to the late memory");
}

static bool counted(ptxemu_module *m, uint32_t expected)
{
    ptxemu_ptr at;
    uint64_t bytes;
    uint32_t count = 0;

    return ptxemu_module_variable(m, "counter", &at, &bytes) == PTXEMU_OK &&
           ptxemu_read(m->device, &count, at, sizeof count) == PTXEMU_OK && count == expected;
}

int main(void)
{
    struct user users[USERS];
    ptxemu_device *device;
    ptxemu_module *shared;
    bool ok = true;

    if (ptxemu_device_open(NULL, &device, NULL) != PTXEMU_OK ||
        ptxemu_module_load(device, "shared.ptx", text, sizeof text - 1, &shared) != PTXEMU_OK) {
        return 1;
    }
    for (uint32_t i = 0; i < USERS; i++) {
        users[i] = (struct user){.device = device, .shared = shared, .number = i, .ok = true};
        if (pthread_create(&users[i].thread, NULL, use, &users[i]) != 0) {
            return 1;
        }
    }
    for (int i = 0; i < USERS; i++) {
        pthread_join(users[i].thread, NULL);
        ok &= users[i].ok;
    }
    if (ok && !counted(shared, USERS * ROUNDS * CTAS * THREADS)) {
        puts("launches of the shared module were lost");
        ok = false;
    }
    ok &= late_memory(device, shared);
    ptxemu_device_close(device);
    return ok ? 0 : 1;
}
