/*
 * Runs what grids asked for while they ran: see emu/children.h.  What a grid asked for in its turn comes before the
 * next in order, so that a grid is complete when it is left; tail launches come last.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static ptxemu_status run_memory(struct ptxemu_kernel *parent, const struct emu_child *child, struct rt_outcome *out)
{
    struct mem_device *memory = parent->module->device->memory;
    const bool copies = child->kind == EMU_CHILD_COPY;
    uint8_t *to = child->bytes == 0 ? NULL : mem_host_pointer(memory, child->to, child->bytes);
    const uint8_t *from = child->bytes == 0 || !copies ? to : mem_host_pointer(memory, child->from, child->bytes);

    if (child->bytes == 0) {
        return PTXEMU_OK;
    }
    if (to == NULL || from == NULL) {
        out->fault = (struct emu_fault){
            .kind = EMU_FAULT_OUT_OF_BOUNDS, .address = to == NULL ? child->to : child->from, .bytes = child->bytes};
        snprintf(out->error, sizeof out->error,
                 "out-of-bounds access: a %s of %llu bytes %s 0x%llx, asked for by kernel '%s', is not inside one "
                 "allocation",
                 copies ? "copy" : "memset", (unsigned long long)child->bytes, to == NULL ? "to" : "from",
                 (unsigned long long)out->fault.address, parent->func->name);
        snprintf(out->fault.message, sizeof out->fault.message, "%.2000s", out->error);
        rt_keep_fault(out, parent);
        return PTXEMU_FAULT;
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
    const ptxemu_launch *launch;
    const struct rt_launch_options *options;
    struct level *lowest;
    struct rt_outcome *out;
    struct emu_stats sum;
};

static ptxemu_status no_memory(struct rt_outcome *out)
{
    out->refusal = RT_REFUSED_NO_MEMORY;
    snprintf(out->error, sizeof out->error, "the host's memory is exhausted");
    return PTXEMU_NO_MEMORY;
}

static bool enter(struct family *f, struct ptxemu_kernel *k)
{
    enum { PENDING = 2048 }; /* unless the program says otherwise: CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT */
    struct level *l = calloc(1, sizeof *l);

    if (l == NULL) {
        return false;
    }
    *l = (struct level){.above = f->lowest, .kernel = k, .depth = f->lowest == NULL ? 0 : f->lowest->depth + 1};
    l->children = emu_children_new(
        &(struct emu_children_options){.memory = k->module->device->memory,
                                       .depth = l->depth,
                                       .most = f->options->pending_most != 0 ? f->options->pending_most : PENDING});
    if (l->children == NULL) {
        free(l);
        return false;
    }
    f->lowest = l;
    return true;
}

static void leave(struct family *f)
{
    struct level *l = f->lowest;

    f->lowest = l->above;
    emu_children_free(l->children);
    free(l);
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

    if (child->kind != EMU_CHILD_GRID) {
        return run_memory(parent->kernel, child, f->out);
    }
    memcpy(l.grid, child->grid, sizeof l.grid);
    memcpy(l.block, child->block, sizeof l.block);
    l.dynamic_shared = child->dynamic_shared;
    l.params = child->params;
    l.params_bytes = child->kernel->param_bytes;
    return run_grid(f, kernel_of(parent->kernel->module, child->kernel), &l, &plain);
}

ptxemu_status rt_launch_family(struct ptxemu_kernel *k, const ptxemu_launch *launch,
                               const struct rt_launch_options *options, struct rt_outcome *out)
{
    struct family f = {.launch = launch, .options = options, .out = out};
    ptxemu_status status = run_grid(&f, k, launch, options);

    while (f.lowest != NULL) {
        struct level *l = f.lowest;

        if (status == PTXEMU_OK && l->next < l->count) {
            status = run_child(&f, &l->all[l->next++]);
        } else {
            leave(&f);
        }
    }
    out->stats = f.sum;
    return status;
}
