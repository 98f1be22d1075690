/*
 * Devices: opening, closing, memory and error texts.
 */
#include "emu/texture.h"
#include "runtime/objects.h"
#include "runtime/host_call.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char default_gpu[] = "h200";

const char *ptxemu_version(void)
{
    return "0.1.0";
}

const char *ptxemu_status_name(ptxemu_status status)
{
    switch (status) {
    case PTXEMU_OK:
        return "ok";
    case PTXEMU_FAULT:
        return "fault";
    case PTXEMU_BAD_INPUT:
        return "bad input";
    case PTXEMU_UNSUPPORTED:
        return "unsupported";
    case PTXEMU_NO_MEMORY:
        return "out of memory";
    }
    return "unknown status";
}

ptxemu_status rt_fail(struct rt_messages *out, ptxemu_status status, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(out->error, sizeof out->error, format, list);
    va_end(list);
    return status;
}

/* --- opening ---------------------------------------------------------------------------------- */
static char *copy_text(const char *text)
{
    return text == NULL ? NULL : strdup(text);
}

static bool looks_like_file(const char *name)
{
    return strchr(name, '/') != NULL || strchr(name, '.') != NULL;
}

/* All messages of a list, one per line. */
static char *join_messages(const struct diag *dg)
{
    char *all = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&all, &size);

    if (out == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < dg->count; i++) {
        char *one = diag_format(&dg->messages[i], false);

        fputs(one != NULL ? one : "", out);
        free(one);
    }
    fclose(out);
    return all;
}

static ptxemu_status find_spec(const char *gpu, struct emu_spec *spec, char **error)
{
    const struct emu_spec *builtin = emu_spec_builtin(gpu);

    if (builtin != NULL) {
        *spec = *builtin;
        return PTXEMU_OK;
    }
    if (looks_like_file(gpu)) {
        struct diag dg;
        bool ok;

        diag_init(&dg, gpu, NULL, 0);
        ok = emu_spec_read(gpu, spec, &dg);
        *error = ok ? NULL : join_messages(&dg);
        diag_release(&dg);
        return ok ? PTXEMU_OK : PTXEMU_BAD_INPUT;
    }
    if (asprintf(error,
                 "unknown GPU '%s' (ptxemu --list-gpus shows the known ones; a file name must contain '/' or '.')",
                 gpu) < 0) {
        *error = NULL;
    }
    return PTXEMU_BAD_INPUT;
}

/* What the device consists of, apart from its description. */
static ptxemu_status make_parts(struct ptxemu_device *d, char **error)
{
    d->memory = mem_device_new(d->spec.global_bytes);
    d->pool = emu_pool_new();
    if (d->memory != NULL && d->pool != NULL) {
        return PTXEMU_OK;
    }
    *error = copy_text(d->memory == NULL ? "the host has no address space for the device's memory"
                                         : "the host's memory is exhausted");
    mem_device_free(d->memory);
    emu_pool_free(d->pool);
    return PTXEMU_NO_MEMORY;
}

ptxemu_status ptxemu_device_open(const ptxemu_device_options *options, ptxemu_device **device, char **error)
{
    const char *gpu = options != NULL && options->gpu != NULL ? options->gpu : default_gpu;
    const unsigned threads = options != NULL ? options->host_threads : 0;
    struct ptxemu_device *d = calloc(1, sizeof *d);
    char *text = NULL;
    ptxemu_status status;

    *device = NULL;
    if (error != NULL) {
        *error = NULL;
    }
    if (d == NULL) {
        return PTXEMU_NO_MEMORY;
    }
    status = find_spec(gpu, &d->spec, &text);
    if (status == PTXEMU_OK) {
        status = make_parts(d, &text);
    }
    if (status == PTXEMU_OK && (d->bindings = emu_bindings_new()) == NULL) {
        mem_device_free(d->memory);
        status = PTXEMU_NO_MEMORY;
    }
    if (status != PTXEMU_OK) {
        free(d);
        if (error != NULL) {
            *error = text;
        } else {
            free(text);
        }
        return status;
    }
    pthread_mutex_init(&d->lock, NULL);
    if (options != NULL && options->size >= offsetof(ptxemu_device_options, slack) + sizeof options->slack) {
        mem_set_slack(d->memory, options->slack);
    }
    const long online = sysconf(_SC_NPROCESSORS_ONLN);

    d->host_threads = threads != 0 ? threads : online > 0 ? (unsigned)online : 1;
    d->heap_bytes = RT_HEAP_BYTES;
    d->handlers = emu_handlers_pick(getenv("PTXEMU_ISA"));
    *device = d;
    return PTXEMU_OK;
}

void ptxemu_device_close(ptxemu_device *device)
{
    if (device == NULL) {
        return;
    }
    while (device->modules != NULL) {
        ptxemu_module_unload(device->modules);
    }
    rt_drop_diagnostics(&device->last);
    rt_host_free(device->host);
    emu_heap_free(device->heap);
    emu_bindings_free(device->bindings);
    mem_device_free(device->memory);
    emu_pool_free(device->pool);
    pthread_mutex_destroy(&device->lock);
    free(device);
}

const char *ptxemu_last_error(const ptxemu_device *device)
{
    return device->last.error;
}

void ptxemu_device_get_info(const ptxemu_device *device, ptxemu_device_info *info)
{
    const struct emu_spec *s = &device->spec;

    *info = (ptxemu_device_info){.name = s->name,
                                 .product = s->product,
                                 .cc_major = s->cc_major,
                                 .cc_minor = s->cc_minor,
                                 .sm_count = s->sm_count,
                                 .max_warps_per_sm = s->max_warps_per_sm,
                                 .max_threads_per_cta = s->max_threads_per_cta,
                                 .global_bytes = s->global_bytes,
                                 .shared_per_cta = s->shared_per_cta,
                                 .shared_per_cta_optin = s->shared_per_cta_optin};
}

const char *ptxemu_gpu_name(size_t index)
{
    const struct emu_spec *spec = emu_spec_at(index);

    return spec == NULL ? NULL : spec->name;
}

/* --- memory ----------------------------------------------------------------------------------- */
static ptxemu_status memory_status(ptxemu_device *d, enum mem_status status, const char *what, uint64_t address,
                                   uint64_t bytes)
{
    switch (status) {
    case MEM_OK:
        return PTXEMU_OK;
    case MEM_OUT_OF_MEMORY:
        return rt_fail(&d->last, PTXEMU_NO_MEMORY, "%s: no room for %llu bytes of device memory", what,
                       (unsigned long long)bytes);
    case MEM_INVALID_SIZE:
        return rt_fail(&d->last, PTXEMU_BAD_INPUT, "%s: %llu bytes is not a valid size", what,
                       (unsigned long long)bytes);
    default:
        return rt_fail(&d->last, PTXEMU_BAD_INPUT, "%s: 0x%llx is not the address of %llu bytes in one allocation",
                       what, (unsigned long long)address, (unsigned long long)bytes);
    }
}

ptxemu_status ptxemu_alloc(ptxemu_device *device, uint64_t bytes, const char *label, ptxemu_ptr *address)
{
    return memory_status(device, mem_allocate(device->memory, bytes, MEM_ALIGN, MEM_DEVICE, label, address),
                         "allocation", 0, bytes);
}

ptxemu_status ptxemu_free(ptxemu_device *device, ptxemu_ptr address)
{
    return memory_status(device, mem_release(device->memory, address), "free", address, 0);
}

ptxemu_status ptxemu_write(ptxemu_device *device, ptxemu_ptr to, const void *from, uint64_t bytes)
{
    return memory_status(device, mem_copy_to(device->memory, to, from, bytes), "write", to, bytes);
}

ptxemu_status ptxemu_read(ptxemu_device *device, void *to, ptxemu_ptr from, uint64_t bytes)
{
    return memory_status(device, mem_copy_from(device->memory, to, from, bytes), "read", from, bytes);
}

void *ptxemu_view(ptxemu_device *device, ptxemu_ptr address, uint64_t bytes)
{
    return mem_host_pointer(device->memory, address, bytes);
}
