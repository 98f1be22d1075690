/*
 * Runs what grids asked for while they ran: see emu/children.h.  What a grid asked for in its turn comes before the
 * next in order, so that a grid is complete when it is left; tail launches come last.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "emu/children.h"
#include "runtime/objects.h"

static struct ptxemu_kernel *kernel_of(struct ptxemu_module *m, const struct ir_func *f)
{
    for (size_t i = 0; i < m->n_kernels; i++) {
        if (m->kernels[i].func == f) {
            return &m->kernels[i];
        }
    }
    return NULL; /* never: kernels of a module are all in its list */
}

/* Something went wrong that no thread of a grid did. */
__attribute__((format(printf, 4, 5))) static ptxemu_status fault(struct rt_outcome *out, const struct ptxemu_kernel *k,
                                                                 struct emu_fault what, const char *format, ...)
{
    char words[1024];
    va_list list;

    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    out->fault = what;
    snprintf(out->fault.message, sizeof out->fault.message, "%s: kernel '%.200s': %s", emu_fault_name(what.kind),
             k->func->name, words);
    snprintf(out->error, sizeof out->error, "%s", out->fault.message);
    rt_keep_fault(out, k);
    return PTXEMU_FAULT;
}

static ptxemu_status run_memory(struct ptxemu_kernel *parent, const struct emu_child *child, struct rt_outcome *out)
{
    struct mem_device *memory = parent->module->device->memory;
    const bool copies = child->kind == EMU_CHILD_COPY;

    if (child->bytes == 0) {
        return PTXEMU_OK;
    }
    uint8_t *to = mem_host_pointer(memory, child->to, child->bytes);
    const uint8_t *from = copies ? mem_host_pointer(memory, child->from, child->bytes) : to;

    if (to == NULL || from == NULL) {
        const uint64_t address = to == NULL ? child->to : child->from;

        return fault(
            out, parent, (struct emu_fault){.kind = EMU_FAULT_OUT_OF_BOUNDS, .address = address, .bytes = child->bytes},
            "a %s of %llu bytes %s 0x%llx that it asked for is not inside one allocation", copies ? "copy" : "memset",
            (unsigned long long)child->bytes, to == NULL ? "to" : "from", (unsigned long long)address);
    }
    if (copies) {
        memmove(to, from, child->bytes);
    } else {
        memset(to, child->value, child->bytes);
    }
    return PTXEMU_OK;
}

static void add_stats(struct emu_stats *sum, const struct emu_stats *more)
{
    sum->thread_insts += more->thread_insts;
    sum->warp_insts += more->warp_insts;
    sum->divergent += more->divergent;
    sum->barriers += more->barriers;
    sum->ctas += more->ctas;
    sum->warps += more->warps;
    sum->threads += more->threads;
    sum->wall_ns += more->wall_ns;
}

/* Grids that have ended and whose children have not, each the child of the one before: a list, since there may be
 * thousands. */
struct level {
    struct level *above;
    struct ptxemu_kernel *kernel;
    struct emu_children *children;
    const struct emu_child *all;
    uint64_t count, next;
    unsigned depth;
};

struct family {
    double started; /* seconds on CLOCK_MONOTONIC */
    const ptxemu_launch *launch;
    const struct rt_launch_options *options;
    struct level *lowest, *spare;
    struct rt_outcome *out;
    struct emu_stats sum;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static ptxemu_status no_memory(struct rt_outcome *out)
{
    out->refusal = RT_REFUSED_NO_MEMORY;
    snprintf(out->error, sizeof out->error, "the host's memory is exhausted");
    return PTXEMU_NO_MEMORY;
}

static struct level *new_level(const struct family *f, const struct ptxemu_kernel *k)
{
    enum { PENDING = 2048 }; /* unless the program says otherwise: CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT */
    const struct emu_children_options options = {.memory = k->module->device->memory,
                                                 .most = f->options->pending_most != 0 ? f->options->pending_most
                                                                                       : PENDING};
    struct level *l = calloc(1, sizeof *l);

    if (l != NULL) {
        l->children = emu_children_new(&options);
    }
    if (l != NULL && l->children == NULL) {
        free(l);
        return NULL;
    }
    return l;
}

/* Levels that were left are used again, with their memory. */
static bool enter(struct family *f, struct ptxemu_kernel *k)
{
    struct level *l = f->spare;

    if (l != NULL) {
        f->spare = l->above;
    } else if ((l = new_level(f, k)) == NULL) {
        return false;
    }
    *l = (struct level){.above = f->lowest,
                        .kernel = k,
                        .children = l->children,
                        .depth = f->lowest == NULL ? 0 : f->lowest->depth + 1};
    emu_children_reset(l->children, l->depth);
    f->lowest = l;
    return true;
}

static void leave(struct family *f)
{
    struct level *l = f->lowest;

    f->lowest = l->above;
    l->above = f->spare;
    f->spare = l;
}

static void drop_spare(struct family *f)
{
    while (f->spare != NULL) {
        struct level *next = f->spare->above;

        emu_children_free(f->spare->children);
        free(f->spare);
        f->spare = next;
    }
}

/* The grid becomes the lowest level. */
static ptxemu_status run_grid(struct family *f, struct ptxemu_kernel *k, const ptxemu_launch *launch,
                              const struct rt_launch_options *options)
{
    if (!enter(f, k)) {
        return no_memory(f->out);
    }
    const ptxemu_status status = rt_launch_one(k, launch, options, f->lowest->children, f->out);

    add_stats(&f->sum, &f->out->stats);
    f->lowest->all = emu_children_all(f->lowest->children, &f->lowest->count);
    return status;
}

static ptxemu_status run_child(struct family *f, const struct emu_child *child)
{
    struct level *parent = f->lowest;
    const struct rt_launch_options plain = {.assertion = f->options->assertion};
    ptxemu_launch l = *f->launch;

    if (f->launch->timeout_s > 0) {
        l.timeout_s -= now() - f->started;
        if (l.timeout_s <= 0) {
            return fault(f->out, parent->kernel, (struct emu_fault){.kind = EMU_FAULT_TIMEOUT},
                         "with all that was launched by kernels it ran longer than %g s", f->launch->timeout_s);
        }
    }
    if (child->kind != EMU_CHILD_GRID) {
        return run_memory(parent->kernel, child, f->out);
    }
    memcpy(l.grid, child->of.grid, sizeof l.grid);
    memcpy(l.block, child->of.block, sizeof l.block);
    l.dynamic_shared = child->of.dynamic_shared;
    l.params = child->params;
    l.params_bytes = child->of.kernel->param_bytes;
    return run_grid(f, kernel_of(parent->kernel->module, child->of.kernel), &l, &plain);
}

ptxemu_status rt_launch_family(struct ptxemu_kernel *k, const ptxemu_launch *launch,
                               const struct rt_launch_options *options, struct rt_outcome *out)
{
    struct family f = {.started = now(), .launch = launch, .options = options, .out = out};
    ptxemu_status status = run_grid(&f, k, launch, options);

    while (f.lowest != NULL) {
        struct level *l = f.lowest;

        if (status == PTXEMU_OK && l->next < l->count) {
            status = run_child(&f, &l->all[l->next++]);
        } else {
            leave(&f);
        }
    }
    drop_spare(&f);
    out->stats = f.sum;
    return status;
}
