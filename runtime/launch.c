/*
 * Launches: checks against the GPU's limits and the kernel's own, then the engine.
 */
#include "runtime/objects.h"
#include "runtime/host_call.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "emu/children.h"
#include "emu/cluster.h"
#include "ir/passes.h"

enum { WORKSPACE_BYTES = 64 }; /* of a cooperative grid */

static double seconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Note why nothing can run. */
__attribute__((format(printf, 4, 5))) static ptxemu_status refuse(struct rt_outcome *out, enum rt_refusal refusal,
                                                                  ptxemu_status status, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(out->error, sizeof out->error, format, list);
    va_end(list);
    out->refusal = refusal;
    return status;
}

/* --- checks ----------------------------------------------------------------------------------- */
static ptxemu_status check_extents(const struct emu_spec *s, const ptxemu_launch *l, struct rt_outcome *out)
{
    static const char axes[] = "xyz";
    uint64_t threads = 1;

    for (int i = 0; i < 3; i++) {
        if (l->grid[i] == 0 || l->grid[i] > s->max_grid[i]) {
            return refuse(out, RT_REFUSED_EXTENTS, PTXEMU_BAD_INPUT,
                          "grid.%c is %u; it must be between 1 and %llu on %s", axes[i], l->grid[i],
                          (unsigned long long)s->max_grid[i], s->name);
        }
        if (l->block[i] == 0 || l->block[i] > s->max_block[i]) {
            return refuse(out, RT_REFUSED_EXTENTS, PTXEMU_BAD_INPUT,
                          "block.%c is %u; it must be between 1 and %u on %s", axes[i], l->block[i], s->max_block[i],
                          s->name);
        }
        threads *= l->block[i];
    }
    /* A described GPU may have larger grids than can be counted. */
    if (l->grid[0] > INT64_MAX / ((uint64_t)l->grid[1] * l->grid[2])) {
        return refuse(out, RT_REFUSED_EXTENTS, PTXEMU_BAD_INPUT, "the grid has more than 2^63 CTAs");
    }
    if (threads > s->max_threads_per_cta) {
        return refuse(out, RT_REFUSED_EXTENTS, PTXEMU_BAD_INPUT, "the block has %llu threads; %s allows %u",
                      (unsigned long long)threads, s->name, s->max_threads_per_cta);
    }
    return PTXEMU_OK;
}

/* .reqntid must be met, .maxntid not exceeded. */
static ptxemu_status check_directives(const struct ir_func *f, const ptxemu_launch *l, struct rt_outcome *out)
{
    const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    uint64_t most = 1;

    for (int i = 0; i < 3; i++) {
        if (f->reqntid[0] != 0 && l->block[i] != (f->reqntid[i] == 0 ? 1 : f->reqntid[i])) {
            return refuse(out, RT_REFUSED_BLOCK, PTXEMU_BAD_INPUT,
                          "kernel '%s' requires blocks of %ux%ux%u threads (.reqntid)", f->name, f->reqntid[0],
                          f->reqntid[1] == 0 ? 1 : f->reqntid[1], f->reqntid[2] == 0 ? 1 : f->reqntid[2]);
        }
        most *= f->maxntid[i] == 0 ? 1 : f->maxntid[i];
    }
    if (f->maxntid[0] != 0 && threads > most) {
        return refuse(out, RT_REFUSED_BLOCK, PTXEMU_BAD_INPUT,
                      "kernel '%s' takes blocks of at most %llu threads (.maxntid)", f->name, (unsigned long long)most);
    }
    return PTXEMU_OK;
}

/* Bytes of shared memory of a CTA. */
static uint64_t shared_of(const struct ir_func *f, const ptxemu_launch *l)
{
    return l->dynamic_shared != 0 ? f->dynamic_shared_at + l->dynamic_shared : f->shared_bytes;
}

static ptxemu_status check_memory(const struct emu_spec *s, const struct ir_func *f, const ptxemu_launch *l,
                                  struct rt_outcome *out)
{
    const uint64_t shared = shared_of(f, l);

    if (f->shared_bytes > s->shared_per_cta) {
        return refuse(out, RT_REFUSED_SHARED, PTXEMU_BAD_INPUT,
                      "kernel '%s' has %llu bytes of static shared memory; %s allows %llu", f->name,
                      (unsigned long long)f->shared_bytes, s->name, (unsigned long long)s->shared_per_cta);
    }
    if (l->dynamic_shared > s->shared_per_cta_optin || shared > s->shared_per_cta_optin) {
        return refuse(out, RT_REFUSED_SHARED, PTXEMU_BAD_INPUT,
                      "the launch needs %llu bytes of shared memory per CTA; %s allows %llu",
                      (unsigned long long)shared, s->name, (unsigned long long)s->shared_per_cta_optin);
    }
    if (f->frame_bytes > s->local_per_thread) {
        return refuse(out, RT_REFUSED_RESOURCES, PTXEMU_BAD_INPUT,
                      "kernel '%s' has %llu bytes of local memory per thread; %s allows %llu", f->name,
                      (unsigned long long)f->frame_bytes, s->name, (unsigned long long)s->local_per_thread);
    }
    if (l->params_bytes != f->param_bytes || (l->params == NULL && f->param_bytes != 0)) {
        return refuse(out, RT_REFUSED_CALL, PTXEMU_BAD_INPUT,
                      "kernel '%s' takes %llu bytes of parameters, the launch gives %zu", f->name,
                      (unsigned long long)f->param_bytes, l->params_bytes);
    }
    return PTXEMU_OK;
}

static uint64_t cta_count(const ptxemu_launch *l)
{
    return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
}

static unsigned threads_of(const ptxemu_launch *l)
{
    return l->block[0] * l->block[1] * l->block[2];
}

/* All CTAs of a cooperative launch must be resident at once, or its grid barriers would wait for ever. */
static ptxemu_status check_cooperative(const ptxemu_kernel *k, const ptxemu_launch *l, struct rt_outcome *out)
{
    const struct emu_spec *s = &k->module->device->spec;
    struct emu_occupancy o;

    emu_occupancy(s, threads_of(l), rt_registers(k, threads_of(l)), shared_of(k->func, l), &o);
    const uint64_t most = (uint64_t)o.ctas_per_sm * s->sm_count;

    return cta_count(l) <= most
               ? PTXEMU_OK
               : refuse(out, RT_REFUSED_COOPERATIVE, PTXEMU_BAD_INPUT,
                        "a cooperative launch of kernel '%s' with %llu CTAs; %s has at most %llu resident at once",
                        k->func->name, (unsigned long long)cta_count(l), s->name, (unsigned long long)most);
}

/* CTAs of a cluster: as the launch says, else as the kernel does. */
static void cluster_of(const struct ir_func *f, const unsigned given[3], unsigned cluster[3])
{
    const unsigned *chosen = given[0] != 0 ? given : f->reqnctapercluster;

    for (int i = 0; i < 3; i++) {
        cluster[i] = chosen[i] == 0 ? 1 : chosen[i];
    }
}

static bool kernel_agrees(const struct ir_func *f, const unsigned cluster[3])
{
    for (int i = 0; i < 3 && f->reqnctapercluster[0] != 0; i++) {
        if (cluster[i] != (f->reqnctapercluster[i] == 0 ? 1 : f->reqnctapercluster[i])) {
            return false;
        }
    }
    return true;
}

uint64_t rt_cluster_ctas(const struct ir_func *f, const unsigned given[3])
{
    unsigned c[3];

    cluster_of(f, given, c);
    return c[0] > MAX_CLUSTER || c[1] > MAX_CLUSTER || c[2] > MAX_CLUSTER ? UINT64_MAX : (uint64_t)c[0] * c[1] * c[2];
}

bool rt_cluster_fits(const ptxemu_kernel *k, const unsigned grid[3], const unsigned given[3], char why[RT_WHY_BYTES])
{
    const struct emu_spec *s = &k->module->device->spec;
    unsigned c[3];

    cluster_of(k->func, given, c);
    const uint64_t ctas = rt_cluster_ctas(k->func, given);

    why[0] = 0;
    if (!kernel_agrees(k->func, c)) {
        snprintf(why, RT_WHY_BYTES,
                 "clusters of %ux%ux%u CTAs, but kernel '%.120s' requires others (.reqnctapercluster)", c[0], c[1],
                 c[2], k->func->name);
    } else if (ctas == 1) {
        return true;
    } else if (s->cc_major < 9) {
        snprintf(why, RT_WHY_BYTES, "%.80s has no clusters of CTAs", s->name);
    } else if (ctas > MAX_CLUSTER) {
        snprintf(why, RT_WHY_BYTES, "clusters of %ux%ux%u CTAs; %d CTAs are possible", c[0], c[1], c[2], MAX_CLUSTER);
    } else if (grid[0] % c[0] != 0 || grid[1] % c[1] != 0 || grid[2] % c[2] != 0) {
        snprintf(why, RT_WHY_BYTES, "a grid of %ux%ux%u CTAs cannot be divided into clusters of %ux%ux%u", grid[0],
                 grid[1], grid[2], c[0], c[1], c[2]);
    }
    return why[0] == 0;
}

static ptxemu_status check_cluster(const ptxemu_kernel *k, const ptxemu_launch *l,
                                   const struct rt_launch_options *options, struct rt_outcome *out)
{
    char why[RT_WHY_BYTES];

    return rt_cluster_fits(k, l->grid, options->cluster, why)
               ? PTXEMU_OK
               : refuse(out, RT_REFUSED_CLUSTER, PTXEMU_BAD_INPUT, "%s", why);
}

static ptxemu_status check_options(const ptxemu_kernel *k, const ptxemu_launch *l,
                                   const struct rt_launch_options *options, struct rt_outcome *out)
{
    const ptxemu_status status = check_cluster(k, l, options, out);

    return status == PTXEMU_OK && options->cooperative ? check_cooperative(k, l, out) : status;
}

static ptxemu_status check_call(const ptxemu_launch *l, struct rt_outcome *out)
{
    if (l->size != sizeof *l) {
        return refuse(out, RT_REFUSED_CALL, PTXEMU_BAD_INPUT, "ptxemu_launch.size is %zu, this library expects %zu",
                      l->size, sizeof *l);
    }
    if ((unsigned)l->policy > PTXEMU_RANDOM) {
        return refuse(out, RT_REFUSED_CALL, PTXEMU_BAD_INPUT, "there is no scheduling policy %d", (int)l->policy);
    }
    return PTXEMU_OK;
}

static ptxemu_status check_kernel(ptxemu_kernel *k, struct rt_outcome *out)
{
    if (!rt_decode(k)) {
        return refuse(out, RT_REFUSED_NO_MEMORY, PTXEMU_NO_MEMORY, "the host's memory is exhausted");
    }
    if (k->program->static_rows > EMU_ROW_LIMIT / 2) {
        return refuse(out, RT_REFUSED_RESOURCES, PTXEMU_BAD_INPUT,
                      "kernel '%s' keeps %u bytes of registers alive in each thread, more than any GPU can",
                      k->func->name, k->program->static_rows / 32);
    }
    return k->program->refused == NULL ? PTXEMU_OK
                                       : refuse(out, RT_REFUSED_KERNEL, PTXEMU_UNSUPPORTED, "%s", k->refused);
}

static ptxemu_status check(ptxemu_kernel *k, const ptxemu_launch *l, const struct rt_launch_options *options,
                           struct rt_outcome *out)
{
    const struct emu_spec *s = &k->module->device->spec;
    ptxemu_status status = check_call(l, out);

    status = status == PTXEMU_OK ? check_extents(s, l, out) : status;
    status = status == PTXEMU_OK ? check_directives(k->func, l, out) : status;
    status = status == PTXEMU_OK ? check_memory(s, k->func, l, out) : status;
    status = status == PTXEMU_OK ? check_options(k, l, options, out) : status;
    return status == PTXEMU_OK ? check_kernel(k, out) : status;
}

/* --- running ---------------------------------------------------------------------------------- */
bool rt_set_heap_bytes(ptxemu_device *d, uint64_t bytes)
{
    pthread_mutex_lock(&d->lock);
    const bool early = d->heap == NULL;

    if (early) {
        d->heap_bytes = bytes;
    }
    pthread_mutex_unlock(&d->lock);
    return early;
}

void rt_drop_heap(ptxemu_device *d)
{
    pthread_mutex_lock(&d->lock);
    if (d->heap != NULL) {
        emu_heap_free(d->heap);
        (void)mem_release(d->memory, d->heap_address);
        d->heap = NULL;
    }
    d->heap_bytes = RT_HEAP_BYTES;
    pthread_mutex_unlock(&d->lock);
}

uint64_t rt_heap_bytes(ptxemu_device *d)
{
    pthread_mutex_lock(&d->lock);
    const uint64_t bytes = d->heap_bytes;

    pthread_mutex_unlock(&d->lock);
    return bytes;
}

/* The device's heap, made when a kernel first needs it; NULL when there is no room. */
static struct emu_heap *heap_of(ptxemu_device *d)
{
    pthread_mutex_lock(&d->lock);
    if (d->heap == NULL &&
        mem_allocate(d->memory, d->heap_bytes, MEM_ALIGN, MEM_HEAP, "device heap", &d->heap_address) == MEM_OK) {
        d->heap = emu_heap_new(d->heap_address, d->heap_bytes);
        if (d->heap == NULL) {
            (void)mem_release(d->memory, d->heap_address);
        }
    }
    struct emu_heap *heap = d->heap;

    pthread_mutex_unlock(&d->lock);
    return heap;
}

/* Zeroed memory in which the CTAs of a cooperative grid count each other; 0 when there is no room. */
static uint64_t take_workspace(ptxemu_device *d)
{
    static const uint8_t zeros[WORKSPACE_BYTES];
    uint64_t at = 0;

    pthread_mutex_lock(&d->lock);
    if (d->n_workspaces != 0) {
        at = d->workspaces[--d->n_workspaces];
    }
    pthread_mutex_unlock(&d->lock);
    if (at == 0) {
        (void)mem_allocate(d->memory, WORKSPACE_BYTES, MEM_ALIGN, MEM_HEAP, "workspace of a cooperative grid", &at);
    } else {
        (void)mem_copy_to(d->memory, at, zeros, sizeof zeros);
    }
    return at;
}

/* Kept for the next launch: what is freed would push others out of the memory of freed allocations. */
static void give_workspace(ptxemu_device *d, uint64_t at)
{
    pthread_mutex_lock(&d->lock);
    const bool kept = d->n_workspaces < RT_WORKSPACES;

    if (kept) {
        d->workspaces[d->n_workspaces++] = at;
    }
    pthread_mutex_unlock(&d->lock);
    if (!kept) {
        (void)mem_release(d->memory, at);
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

static void keep_text(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text != NULL ? text : "");
}

/* The fault's texts become the outcome's own. */
void rt_keep_fault(struct rt_outcome *out, const struct ptxemu_kernel *k)
{
    out->has_fault = true;
    keep_text(out->fault_kernel, sizeof out->fault_kernel, k->func->name);
    keep_text(out->fault_file, sizeof out->fault_file, out->fault.text);
    keep_text(out->fault_source, sizeof out->fault_source, out->fault.source_file);
}

static ptxemu_status run(ptxemu_kernel *k, const ptxemu_launch *launch, const struct rt_launch_options *options,
                         uint64_t workspace, struct emu_children *children, struct rt_outcome *out)
{
    ptxemu_device *d = k->module->device;
    unsigned cluster[3];

    cluster_of(k->func, options->cluster, cluster);
    const struct emu_launch l = {.program = k->program,
                                 .spec = &d->spec,
                                 .memory = d->memory,
                                 .heap = k->program->uses_heap ? heap_of(d) : NULL,
                                 .children = children,
                                 .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
                                 .block = {launch->block[0], launch->block[1], launch->block[2]},
                                 .cluster = {cluster[0], cluster[1], cluster[2]},
                                 .explicit_cluster = options->cluster[0] != 0 || k->func->reqnctapercluster[0] != 0,
                                 .dynamic_shared = launch->dynamic_shared,
                                 .grid_workspace = workspace,
                                 .params = launch->params,
                                 .registers = rt_registers(k, threads_of(launch)),
                                 .host_threads = launch->host_threads != 0 ? launch->host_threads : d->host_threads,
                                 .pool = d->pool,
                                 .bindings = d->bindings,
                                 .pace = &k->pace,
                                 .policy = policy_of(launch->policy),
                                 .seed = launch->seed,
                                 .timeout_s = launch->timeout_s,
                                 .progress = launch->progress,
                                 .print = launch->print,
                                 .assertion = options->assertion,
                                 .user = launch->user,
                                 .host_call = rt_host_call,
                                 .host = k->module->host_calls};
    const enum emu_result result = emu_run(&l, &out->stats, &out->fault);

    if (result == EMU_DONE) {
        return PTXEMU_OK;
    }
    keep_text(out->error, sizeof out->error, out->fault.message);
    if (result == EMU_FAULTED) {
        rt_keep_fault(out, k);
        return PTXEMU_FAULT;
    }
    return PTXEMU_NO_MEMORY;
}

static ptxemu_status run_cooperative(ptxemu_kernel *k, const ptxemu_launch *launch,
                                     const struct rt_launch_options *options, struct emu_children *children,
                                     struct rt_outcome *out)
{
    ptxemu_device *d = k->module->device;
    const uint64_t workspace = take_workspace(d);

    if (workspace == 0) {
        return refuse(out, RT_REFUSED_NO_MEMORY, PTXEMU_NO_MEMORY, "no device memory for the workspace of the grid");
    }
    const ptxemu_status status = run(k, launch, options, workspace, children, out);

    give_workspace(d, workspace);
    return status;
}

ptxemu_status rt_launch_one(struct ptxemu_kernel *k, const ptxemu_launch *launch,
                            const struct rt_launch_options *options, struct emu_children *children,
                            struct rt_outcome *out)
{
    out->refusal = RT_NOT_REFUSED;
    out->has_fault = false;
    out->stats = (struct emu_stats){0};
    out->error[0] = 0;
    const ptxemu_status status = check(k, launch, options, out);

    if (status != PTXEMU_OK) {
        return status;
    }
    return options->cooperative ? run_cooperative(k, launch, options, children, out)
                                : run(k, launch, options, 0, children, out);
}

ptxemu_status rt_launch(struct ptxemu_kernel *k, const ptxemu_launch *launch, const struct rt_launch_options *options,
                        struct rt_outcome *out)
{
    static const struct rt_launch_options plain;

    options = options != NULL ? options : &plain;
    return rt_decode(k) && k->program->uses_children ? rt_launch_family(k, launch, options, out)
                                                     : rt_launch_one(k, launch, options, NULL, out);
}

/* --- the public calls --------------------------------------------------------------------------- */
ptxemu_status ptxemu_run(ptxemu_kernel *kernel, const ptxemu_launch *launch)
{
    ptxemu_device *d = kernel->module->device;
    const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    const ptxemu_status status = rt_launch(kernel, launch, NULL, &d->launched);

    d->cpu_s = d->launched.refusal == RT_NOT_REFUSED ? seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu : 0;
    return status == PTXEMU_OK ? status : rt_fail(&d->last, status, "%s", d->launched.error);
}

void ptxemu_get_stats(const ptxemu_device *device, ptxemu_stats *out)
{
    const struct emu_stats *s = &device->launched.stats;

    *out = (ptxemu_stats){.thread_instructions = s->thread_insts,
                          .warp_instructions = s->warp_insts,
                          .divergent_branches = s->divergent,
                          .barriers = s->barriers,
                          .ctas = s->ctas,
                          .warps = s->warps,
                          .threads = s->threads,
                          .wall_s = 1e-9 * (double)s->wall_ns,
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
        [EMU_FAULT_BAD_HANDLE] = PTXEMU_FAULT_BAD_HANDLE,
        [EMU_FAULT_NO_MEMORY] = PTXEMU_FAULT_NONE,
    };

    return kinds[kind];
}

bool ptxemu_get_fault(const ptxemu_device *device, ptxemu_fault_info *out)
{
    const struct emu_fault *f = &device->launched.fault;

    if (!device->launched.has_fault) {
        return false;
    }
    *out = (ptxemu_fault_info){.kind = fault_kind(f->kind),
                               .kernel = device->launched.fault_kernel,
                               .warp = f->warp,
                               .lane = f->lane,
                               .line = f->line.line,
                               .source_file = f->source_file != NULL ? device->launched.fault_source : NULL,
                               .source_line = f->source_file != NULL ? f->line.source_line : 0,
                               .address = f->address,
                               .bytes = f->bytes,
                               .message = f->message,
                               .file = f->text != NULL ? device->launched.fault_file : NULL};
    memcpy(out->cta, f->cta, sizeof out->cta);
    memcpy(out->thread, f->thread, sizeof out->thread);
    return true;
}
