/*
 * Kernels: what the API tells about them.
 */
#include "runtime/objects.h"

#include <stdio.h>
#include <string.h>

#include "ir/passes.h"

size_t ptxemu_kernel_count(const ptxemu_module *module)
{
    return module->n_kernels;
}

ptxemu_kernel *ptxemu_kernel_at(ptxemu_module *module, size_t index)
{
    return index < module->n_kernels ? &module->kernels[index] : NULL;
}

ptxemu_kernel *ptxemu_kernel_find(ptxemu_module *module, const char *name)
{
    for (size_t i = 0; i < module->n_kernels; i++) {
        if (strcmp(module->kernels[i].func->name, name) == 0) {
            return &module->kernels[i];
        }
    }
    return NULL;
}

/* Threads of a CTA as the kernel's directives say, 0 when they do not. */
static unsigned directed_threads(const struct ir_func *f)
{
    const uint32_t *extents = f->reqntid[0] != 0 ? f->reqntid : f->maxntid;
    uint64_t threads = extents[0];

    for (int i = 1; i < 3; i++) {
        threads *= extents[i] == 0 ? 1 : extents[i];
    }
    return threads > UINT32_MAX ? 0 : (unsigned)threads;
}

unsigned rt_registers(const ptxemu_kernel *kernel, unsigned threads_per_cta)
{
    /* The estimate is made once; the object is the caller's, so the cast only hides a cache. */
    ptxemu_kernel *k = (ptxemu_kernel *)(uintptr_t)kernel;

    if (atomic_load_explicit(&k->registers, memory_order_acquire) == 0) {
        pthread_mutex_lock(&k->module->lock);
        atomic_store_explicit(&k->registers, ir_estimate_registers(k->func), memory_order_release);
        pthread_mutex_unlock(&k->module->lock);
    }
    const unsigned estimate = atomic_load_explicit(&k->registers, memory_order_relaxed);
    const unsigned threads = threads_per_cta != 0 ? threads_per_cta : directed_threads(k->func);
    const struct emu_spec *s = &k->module->device->spec;

    if (threads == 0 || threads > s->max_threads_per_cta) {
        return estimate;
    }
    const unsigned most = emu_registers_that_fit(s, threads);

    return estimate < most ? estimate : most;
}

/* What is done with each parameter as an address; NULL when memory is exhausted. */
static const struct rt_pointer *pointers_of(ptxemu_kernel *k)
{
    pthread_mutex_lock(&k->module->lock);
    if (k->pointers == NULL) {
        k->pointers = rt_find_pointers(k->func);
    }
    pthread_mutex_unlock(&k->module->lock);
    return k->pointers;
}

void ptxemu_kernel_get_info(const ptxemu_kernel *kernel, ptxemu_kernel_info *info)
{
    const struct ir_func *f = kernel->func;

    *info = (ptxemu_kernel_info){.name = f->name,
                                 .param_count = f->n_params,
                                 .param_bytes = f->param_bytes,
                                 .registers = rt_registers(kernel, 0),
                                 .shared_bytes = f->shared_bytes,
                                 .uses_dynamic_shared = f->uses_dynamic_shared,
                                 .local_bytes = f->frame_bytes,
                                 .line = f->loc.line,
                                 .file = f->module->texts.at[f->text]};
    memcpy(info->maxntid, f->maxntid, sizeof info->maxntid);
    memcpy(info->reqntid, f->reqntid, sizeof info->reqntid);
}

bool ptxemu_kernel_param(const ptxemu_kernel *kernel, size_t index, ptxemu_param_info *info)
{
    ptxemu_kernel *k = (ptxemu_kernel *)(uintptr_t)kernel;

    if (index >= k->func->n_params) {
        return false;
    }
    const struct rt_pointer *pointers = pointers_of(k);
    const struct ir_param *p = &k->func->params[index];

    *info = (ptxemu_param_info){.name = p->name,
                                .type = ir_type_info[p->type].name,
                                .bytes = p->size_bytes,
                                .offset = p->offset,
                                .align = p->align};
    if (pointers != NULL) {
        const struct rt_pointer *use = &pointers[index];

        info->pointer_use = use->use;
        info->element = use->mixed || use->type == IR_TYPE_NONE ? NULL : ir_type_info[use->type].name;
    }
    return true;
}

/* The file is only named when there are several. */
static void note_refusal(struct ptxemu_kernel *k)
{
    const struct emu_program *p = k->program;
    const bool linked = p->module->texts.count > 1;

    snprintf(k->refused, sizeof k->refused, "kernel '%s': %s (%s%sline %u)", k->func->name, p->refused,
             linked ? p->refused_text : "", linked ? ", " : "", p->refused_line);
}

static void decode(struct ptxemu_kernel *k)
{
    const struct ptxemu_module *m = k->module;
    const struct mem_device *memory = m->device->memory;

    k->program = emu_decode(k->func, m->device->handlers, m->symbol_address, mem_shared_window(memory),
                            mem_local_window(memory), mem_param_window(memory));
    if (k->program != NULL && k->program->refused != NULL) {
        note_refusal(k);
    }
    atomic_store_explicit(&k->decoded, k->program != NULL, memory_order_release);
}

bool rt_decode(struct ptxemu_kernel *k)
{
    if (!atomic_load_explicit(&k->decoded, memory_order_acquire)) {
        pthread_mutex_lock(&k->module->lock);
        if (!k->decoded) {
            decode(k);
        }
        pthread_mutex_unlock(&k->module->lock);
    }
    return k->decoded;
}

const char *ptxemu_kernel_unsupported(ptxemu_kernel *kernel)
{
    if (!rt_decode(kernel)) {
        return "the host's memory is exhausted";
    }
    return kernel->program->refused != NULL ? kernel->refused : NULL;
}

void ptxemu_kernel_occupancy(const ptxemu_kernel *kernel, unsigned threads_per_cta, uint64_t dynamic_shared,
                             ptxemu_occupancy_info *out)
{
    struct emu_occupancy o;

    emu_occupancy(&kernel->module->device->spec, threads_per_cta, rt_registers(kernel, threads_per_cta),
                  kernel->func->shared_bytes + dynamic_shared, &o);
    *out = (ptxemu_occupancy_info){.ctas_per_sm = o.ctas_per_sm,
                                   .limit_ctas = o.limit_ctas,
                                   .limit_warps = o.limit_warps,
                                   .limit_registers = o.limit_registers,
                                   .limit_shared = o.limit_shared,
                                   .warps_per_sm = o.warps_per_sm,
                                   .theoretical = o.theoretical,
                                   .limiter = o.limiter};
}
