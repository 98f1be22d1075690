/*
 * Launches: checks against the GPU's limits and the kernel's own, then the engine.
 */
#include "runtime/objects.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "ir/passes.h"

enum { HEAP_BYTES = 8 << 20 }; /* cudaLimitMallocHeapSize's default */

static double seconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- checks ----------------------------------------------------------------------------------- */
static ptxemu_status check_extents(ptxemu_device *d, const ptxemu_launch *l)
{
    static const char axes[] = "xyz";
    const struct emu_spec *s = &d->spec;
    uint64_t threads = 1;

    for (int i = 0; i < 3; i++) {
        if (l->grid[i] == 0 || l->grid[i] > s->max_grid[i]) {
            return rt_fail(d, PTXEMU_BAD_INPUT, "grid.%c is %u; it must be between 1 and %llu on %s", axes[i],
                           l->grid[i], (unsigned long long)s->max_grid[i], s->name);
        }
        if (l->block[i] == 0 || l->block[i] > s->max_block[i]) {
            return rt_fail(d, PTXEMU_BAD_INPUT, "block.%c is %u; it must be between 1 and %u on %s", axes[i],
                           l->block[i], s->max_block[i], s->name);
        }
        threads *= l->block[i];
    }
    /* A described GPU may have larger grids than can be counted. */
    if (l->grid[0] > INT64_MAX / ((uint64_t)l->grid[1] * l->grid[2])) {
        return rt_fail(d, PTXEMU_BAD_INPUT, "the grid has more than 2^63 CTAs");
    }
    if (threads > s->max_threads_per_cta) {
        return rt_fail(d, PTXEMU_BAD_INPUT, "the block has %llu threads; %s allows %u", (unsigned long long)threads,
                       s->name, s->max_threads_per_cta);
    }
    return PTXEMU_OK;
}

/* .reqntid must be met, .maxntid not exceeded. */
static ptxemu_status check_directives(ptxemu_device *d, const struct ir_func *f, const ptxemu_launch *l)
{
    const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    uint64_t most = 1;

    for (int i = 0; i < 3; i++) {
        if (f->reqntid[0] != 0 && l->block[i] != (f->reqntid[i] == 0 ? 1 : f->reqntid[i])) {
            return rt_fail(d, PTXEMU_BAD_INPUT, "kernel '%s' requires blocks of %ux%ux%u threads (.reqntid)", f->name,
                           f->reqntid[0], f->reqntid[1] == 0 ? 1 : f->reqntid[1],
                           f->reqntid[2] == 0 ? 1 : f->reqntid[2]);
        }
        most *= f->maxntid[i] == 0 ? 1 : f->maxntid[i];
    }
    if (f->maxntid[0] != 0 && threads > most) {
        return rt_fail(d, PTXEMU_BAD_INPUT, "kernel '%s' takes blocks of at most %llu threads (.maxntid)", f->name,
                       (unsigned long long)most);
    }
    return PTXEMU_OK;
}

static ptxemu_status check_memory(ptxemu_device *d, const struct ir_func *f, const ptxemu_launch *l)
{
    const uint64_t shared = l->dynamic_shared != 0 ? f->dynamic_shared_at + l->dynamic_shared : f->shared_bytes;

    if (f->shared_bytes > d->spec.shared_per_cta) {
        return rt_fail(d, PTXEMU_BAD_INPUT, "kernel '%s' has %llu bytes of static shared memory; %s allows %llu",
                       f->name, (unsigned long long)f->shared_bytes, d->spec.name,
                       (unsigned long long)d->spec.shared_per_cta);
    }
    if (l->dynamic_shared > d->spec.shared_per_cta_optin || shared > d->spec.shared_per_cta_optin) {
        return rt_fail(d, PTXEMU_BAD_INPUT, "the launch needs %llu bytes of shared memory per CTA; %s allows %llu",
                       (unsigned long long)shared, d->spec.name, (unsigned long long)d->spec.shared_per_cta_optin);
    }
    if (f->frame_bytes > d->spec.local_per_thread) {
        return rt_fail(d, PTXEMU_BAD_INPUT, "kernel '%s' has %llu bytes of local memory per thread; %s allows %llu",
                       f->name, (unsigned long long)f->frame_bytes, d->spec.name,
                       (unsigned long long)d->spec.local_per_thread);
    }
    if (l->params_bytes != f->param_bytes || (l->params == NULL && f->param_bytes != 0)) {
        return rt_fail(d, PTXEMU_BAD_INPUT, "kernel '%s' takes %llu bytes of parameters, the launch gives %zu", f->name,
                       (unsigned long long)f->param_bytes, l->params_bytes);
    }
    return PTXEMU_OK;
}

static ptxemu_status check(ptxemu_kernel *k, const ptxemu_launch *l)
{
    ptxemu_device *d = k->module->device;
    ptxemu_status status;

    if (l->size != sizeof *l) {
        return rt_fail(d, PTXEMU_BAD_INPUT, "ptxemu_launch.size is %zu, this library expects %zu", l->size, sizeof *l);
    }
    if ((unsigned)l->policy > PTXEMU_RANDOM) {
        return rt_fail(d, PTXEMU_BAD_INPUT, "there is no scheduling policy %d", (int)l->policy);
    }
    status = check_extents(d, l);
    status = status == PTXEMU_OK ? check_directives(d, k->func, l) : status;
    status = status == PTXEMU_OK ? check_memory(d, k->func, l) : status;
    if (status != PTXEMU_OK) {
        return status;
    }
    if (!rt_decode(k)) {
        return rt_fail(d, PTXEMU_NO_MEMORY, "the host's memory is exhausted");
    }
    if (k->program->static_rows > EMU_ROW_LIMIT / 2) {
        return rt_fail(d, PTXEMU_BAD_INPUT,
                       "kernel '%s' keeps %u bytes of registers alive in each thread, more than any GPU can",
                       k->func->name, k->program->static_rows / 32);
    }
    return k->program->refused == NULL ? PTXEMU_OK : rt_fail(d, PTXEMU_UNSUPPORTED, "%s", k->refused);
}

/* --- running ---------------------------------------------------------------------------------- */
static void make_heap(ptxemu_device *d)
{
    if (d->heap == NULL &&
        mem_allocate(d->memory, HEAP_BYTES, MEM_ALIGN, MEM_HEAP, "device heap", &d->heap_address) == MEM_OK) {
        d->heap = emu_heap_new(d->heap_address, HEAP_BYTES);
    }
}

static enum emu_policy policy_of(ptxemu_policy policy)
{
    switch (policy) {
    case PTXEMU_MINPC:
        return EMU_MINPC;
    case PTXEMU_SERIAL:
        return EMU_SERIAL;
    case PTXEMU_RANDOM:
        return EMU_RANDOM;
    default:
        return EMU_CONVERGE;
    }
}

ptxemu_status ptxemu_run(ptxemu_kernel *kernel, const ptxemu_launch *launch)
{
    ptxemu_device *d = kernel->module->device;
    const ptxemu_status status = check(kernel, launch);
    ptxemu_kernel_info info;

    d->has_fault = false;
    d->stats = (struct emu_stats){0};
    if (status != PTXEMU_OK) {
        return status;
    }
    if (kernel->program->calls) {
        make_heap(d);
    }
    ptxemu_kernel_get_info(kernel, &info);
    const struct emu_launch l = {.program = kernel->program,
                                 .spec = &d->spec,
                                 .memory = d->memory,
                                 .heap = d->heap,
                                 .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
                                 .block = {launch->block[0], launch->block[1], launch->block[2]},
                                 .dynamic_shared = launch->dynamic_shared,
                                 .params = launch->params,
                                 .registers = info.registers,
                                 .host_threads = launch->host_threads != 0 ? launch->host_threads : d->host_threads,
                                 .policy = policy_of(launch->policy),
                                 .seed = launch->seed,
                                 .timeout_s = launch->timeout_s,
                                 .progress = launch->progress,
                                 .print = launch->print,
                                 .user = launch->user};
    const double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    const enum emu_result result = emu_run(&l, &d->stats, &d->fault);

    d->wall_s = seconds(CLOCK_MONOTONIC) - wall;
    d->cpu_s = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    switch (result) {
    case EMU_DONE:
        return PTXEMU_OK;
    case EMU_FAULTED:
        d->has_fault = true;
        snprintf(d->fault_kernel, sizeof d->fault_kernel, "%s", kernel->func->name);
        snprintf(d->fault_file, sizeof d->fault_file, "%s", d->fault.text != NULL ? d->fault.text : "");
        snprintf(d->fault_source, sizeof d->fault_source, "%s",
                 d->fault.source_file != NULL ? d->fault.source_file : "");
        return rt_fail(d, PTXEMU_FAULT, "%s", d->fault.message);
    default:
        return rt_fail(d, PTXEMU_NO_MEMORY, "%s", d->fault.message);
    }
}

void ptxemu_get_stats(const ptxemu_device *device, ptxemu_stats *out)
{
    const struct emu_stats *s = &device->stats;

    *out = (ptxemu_stats){.thread_instructions = s->thread_insts,
                          .warp_instructions = s->warp_insts,
                          .divergent_branches = s->divergent,
                          .barriers = s->barriers,
                          .ctas = s->ctas,
                          .warps = s->warps,
                          .threads = s->threads,
                          .wall_s = device->wall_s,
                          .cpu_s = device->cpu_s};
}

static ptxemu_fault_kind fault_kind(enum emu_fault_kind kind)
{
    static const ptxemu_fault_kind kinds[] = {
        [EMU_FAULT_NONE] = PTXEMU_FAULT_NONE,
        [EMU_FAULT_OUT_OF_BOUNDS] = PTXEMU_FAULT_OUT_OF_BOUNDS,
        [EMU_FAULT_MISALIGNED] = PTXEMU_FAULT_MISALIGNED,
        [EMU_FAULT_NULL] = PTXEMU_FAULT_NULL,
        [EMU_FAULT_READ_ONLY] = PTXEMU_FAULT_READ_ONLY,
        [EMU_FAULT_TRAP] = PTXEMU_FAULT_TRAP,
        [EMU_FAULT_ASSERT] = PTXEMU_FAULT_ASSERT,
        [EMU_FAULT_DEADLOCK] = PTXEMU_FAULT_DEADLOCK,
        [EMU_FAULT_TIMEOUT] = PTXEMU_FAULT_TIMEOUT,
        [EMU_FAULT_CANCELLED] = PTXEMU_FAULT_CANCELLED,
        [EMU_FAULT_STACK_OVERFLOW] = PTXEMU_FAULT_STACK_OVERFLOW,
        [EMU_FAULT_BAD_CALL] = PTXEMU_FAULT_BAD_CALL,
        [EMU_FAULT_BAD_BARRIER] = PTXEMU_FAULT_BAD_BARRIER,
        [EMU_FAULT_ILLEGAL_INSTRUCTION] = PTXEMU_FAULT_ILLEGAL_INSTRUCTION,
        [EMU_FAULT_NO_MEMORY] = PTXEMU_FAULT_NONE,
    };

    return kinds[kind];
}

bool ptxemu_get_fault(const ptxemu_device *device, ptxemu_fault_info *out)
{
    const struct emu_fault *f = &device->fault;

    if (!device->has_fault) {
        return false;
    }
    *out = (ptxemu_fault_info){.kind = fault_kind(f->kind),
                               .kernel = device->fault_kernel,
                               .warp = f->warp,
                               .lane = f->lane,
                               .line = f->line.line,
                               .source_file = f->source_file != NULL ? device->fault_source : NULL,
                               .source_line = f->source_file != NULL ? f->line.source_line : 0,
                               .address = f->address,
                               .bytes = f->bytes,
                               .message = f->message,
                               .file = f->text != NULL ? device->fault_file : NULL};
    memcpy(out->cta, f->cta, sizeof out->cta);
    memcpy(out->thread, f->thread, sizeof out->thread);
    return true;
}
