/*
 * Modules: what was compiled becomes something with addresses.  Invariant: a module is handed out whole or not at all.
 */
#include "emu/texture.h"
#include "runtime/objects.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "emu/values.h"
#include "ir/passes.h"
#include "runtime/host_call.h"
#include "runtime/kernel_function.h"

/* --- variables -------------------------------------------------------------------------------- */
static bool is_placed(const struct ir_symbol *s)
{
    return (s->space == IR_SPACE_GLOBAL || s->space == IR_SPACE_CONST) && s->linkage != IR_LINK_EXTERN;
}

static uint64_t generic_window(const struct ptxemu_module *m, const struct ir_symbol *s)
{
    return s->space == IR_SPACE_SHARED ? mem_shared_window(m->device->memory) : 0;
}

/* The value of an address in an initialiser. */
static uint64_t address_of(const struct ptxemu_module *m, const struct ir_reloc *r)
{
    const uint32_t index = ir_ref_index(r->target);

    if (ir_ref_kind(r->target) == IR_REF_FUNC) {
        return (uint64_t)EMU_FUNC_STEP * (index + 1u);
    }
    const struct ir_symbol *s = &m->ir->symbols.at[index];
    const uint64_t own = is_placed(s) ? m->symbol_address[index] : s->offset;

    return own + (r->generic ? generic_window(m, s) : 0);
}

static ptxemu_status fill_variable(struct ptxemu_module *m, uint32_t index, struct rt_messages *out)
{
    const struct ir_symbol *s = &m->ir->symbols.at[index];
    uint8_t *at = mem_host_pointer(m->device->memory, m->symbol_address[index], s->size_bytes == 0 ? 1 : s->size_bytes);

    if (at == NULL) {
        return rt_fail(out, PTXEMU_NO_MEMORY, "variable '%s' has no memory", s->name);
    }
    if (s->init != NULL) {
        memcpy(at, s->init, s->init_bytes);
    }
    for (uint32_t i = 0; i < s->n_relocs; i++) {
        const struct ir_reloc *r = &s->relocs[i];
        const uint64_t value = (address_of(m, r) + (uint64_t)r->addend) >> r->shift;

        memcpy(at + r->offset, &value, r->width);
    }
    mem_set_read_only(m->device->memory, m->symbol_address[index], s->space == IR_SPACE_CONST);
    return PTXEMU_OK;
}

static ptxemu_status place_variables(struct ptxemu_module *m, struct rt_messages *out)
{
    struct ptxemu_device *d = m->device;
    uint64_t const_bytes = 0;

    m->symbol_address = calloc(m->ir->symbols.count + 1u, sizeof *m->symbol_address);
    if (m->symbol_address == NULL) {
        return rt_fail(out, PTXEMU_NO_MEMORY, "the host's memory is exhausted");
    }
    for (uint32_t i = 0; i < m->ir->symbols.count; i++) {
        const struct ir_symbol *s = &m->ir->symbols.at[i];
        char label[200];

        if (!is_placed(s)) {
            continue;
        }
        const_bytes += s->space == IR_SPACE_CONST ? s->size_bytes : 0;
        if (const_bytes > d->spec.const_bytes) {
            return rt_fail(out, PTXEMU_BAD_INPUT, "constant memory: the module's .const variables exceed %llu bytes",
                           (unsigned long long)d->spec.const_bytes);
        }
        snprintf(label, sizeof label, "variable %s", s->name);
        const enum mem_status status =
            mem_allocate(d->memory, s->size_bytes == 0 ? 1 : s->size_bytes, s->align,
                         s->space == IR_SPACE_CONST ? MEM_CONST_VAR : MEM_GLOBAL_VAR, label, &m->symbol_address[i]);

        if (status != MEM_OK) {
            return rt_fail(out, PTXEMU_NO_MEMORY, "variable '%s' needs %llu bytes of device memory, more than there is",
                           s->name, (unsigned long long)s->size_bytes);
        }
    }
    for (uint32_t i = 0; i < m->ir->symbols.count; i++) {
        if (m->symbol_address[i] != 0) {
            const ptxemu_status status = fill_variable(m, i, out);

            if (status != PTXEMU_OK) {
                return status;
            }
        }
    }
    return PTXEMU_OK;
}

/* --- loading ---------------------------------------------------------------------------------- */
static ptxemu_status make_kernels(struct ptxemu_module *m, struct rt_messages *out)
{
    m->kernels = calloc(m->ir->funcs.count + 1u, sizeof *m->kernels);
    if (m->kernels == NULL) {
        return rt_fail(out, PTXEMU_NO_MEMORY, "the host's memory is exhausted");
    }
    for (uint32_t i = 0; i < m->ir->funcs.count; i++) {
        if (m->ir->funcs.at[i]->is_entry && m->ir->funcs.at[i]->defined) {
            m->kernels[m->n_kernels].module = m;
            m->kernels[m->n_kernels++].func = m->ir->funcs.at[i];
        }
    }
    return PTXEMU_OK;
}

/* Release what the module has; it is in no list. */
static void release(struct ptxemu_module *module)
{
    for (size_t i = 0; i < module->n_kernels; i++) {
        emu_program_free(module->kernels[i].program);
        free(module->kernels[i].pointers);
    }
    /* Backwards: the memory map is an array in the order of addresses, which closes the gap behind what is released. */
    for (uint32_t i = module->symbol_address != NULL ? module->ir->symbols.count : 0; i-- > 0;) {
        if (module->symbol_address[i] != 0) {
            emu_bindings_bind(module->device->bindings, module->symbol_address[i], 0);
            mem_release(module->device->memory, module->symbol_address[i]);
        }
    }
    rt_kernel_functions_free(module->functions);
    rt_host_calls_free(module->host_calls);
    free(module->kernels);
    free(module->symbol_address);
    ir_module_free(module->ir);
    pthread_mutex_destroy(&module->lock);
    free(module);
}

static void enter_list(struct ptxemu_module *m)
{
    pthread_mutex_lock(&m->device->lock);
    m->next = m->device->modules;
    m->device->modules = m;
    pthread_mutex_unlock(&m->device->lock);
}

static void leave_list(struct ptxemu_module *m)
{
    pthread_mutex_lock(&m->device->lock);
    struct ptxemu_module **link = &m->device->modules;

    while (*link != NULL && *link != m) {
        link = &(*link)->next;
    }
    if (*link == m) {
        *link = m->next;
    }
    pthread_mutex_unlock(&m->device->lock);
}

/* Place what was compiled (`status` says whether it was) in device memory and hand it out. */
static ptxemu_status finish(ptxemu_device *device, struct ir_module *ir, ptxemu_status status, ptxemu_module **module,
                            struct rt_messages *out)
{
    struct ptxemu_module *m = status == PTXEMU_OK ? calloc(1, sizeof *m) : NULL;

    if (status != PTXEMU_OK) {
        return status;
    }
    if (m == NULL) {
        ir_module_free(ir);
        return rt_fail(out, PTXEMU_NO_MEMORY, "the host's memory is exhausted");
    }
    m->device = device;
    m->ir = ir;
    pthread_mutex_init(&m->lock, NULL);
    status = place_variables(m, out);
    if (status == PTXEMU_OK) {
        status = make_kernels(m, out);
    }
    if (status == PTXEMU_OK) {
        status = rt_host_bind(m, out);
    }
    if (status != PTXEMU_OK) {
        release(m);
        return status;
    }
    enter_list(m);
    *module = m;
    return PTXEMU_OK;
}

/* The error text stays: it is only valid, and read, after a failure, which overwrites it. */
static void start_messages(struct rt_messages *out)
{
    out->diagnostics = NULL;
    out->n_diagnostics = 0;
}

ptxemu_status rt_link(ptxemu_device *d, const ptxemu_text *texts, size_t count, enum rt_scope scope,
                      ptxemu_module **module, struct rt_messages *out)
{
    struct ir_module *ir = NULL;

    *module = NULL;
    start_messages(out);
    const ptxemu_status status = rt_compile_parts(texts, count, scope, d->host, &ir, out);

    return finish(d, ir, status, module, out);
}

ptxemu_status rt_load(ptxemu_device *d, const ptxemu_text *texts, size_t count, enum rt_scope scope,
                      ptxemu_module **module, struct rt_messages *out)
{
    struct ir_module *ir = NULL;

    if (count != 1 || d->host != NULL) {
        return rt_link(d, texts, count, scope, module, out);
    }
    *module = NULL;
    start_messages(out);
    const ptxemu_status status = rt_compile(texts, scope, &ir, out);

    return finish(d, ir, status, module, out);
}

/* --- the public calls --------------------------------------------------------------------------- */
/* Options may come from a program that was compiled with another version of them. */
static ptxemu_status scope_of(ptxemu_device *device, const ptxemu_load_options *options, enum rt_scope *scope)
{
    *scope = options != NULL && options->relocatable ? RT_PART : RT_PROGRAM;
    return options == NULL || options->size == sizeof *options
               ? PTXEMU_OK
               : rt_fail(&device->last, PTXEMU_BAD_INPUT, "ptxemu_load_options.size is %zu, this library expects %zu",
                         options->size, sizeof *options);
}

ptxemu_status ptxemu_module_load(ptxemu_device *device, const char *name, const char *text, size_t length,
                                 ptxemu_module **module)
{
    return ptxemu_module_load_with(device, NULL, name, text, length, module);
}

ptxemu_status ptxemu_module_load_with(ptxemu_device *device, const ptxemu_load_options *options, const char *name,
                                      const char *text, size_t length, ptxemu_module **module)
{
    const ptxemu_text all = {.size = sizeof all, .name = name, .text = text, .length = length};
    enum rt_scope scope;
    const ptxemu_status status = scope_of(device, options, &scope);

    *module = NULL;
    if (status != PTXEMU_OK) {
        return status;
    }
    rt_drop_diagnostics(&device->last);
    return rt_load(device, &all, 1, scope, module, &device->last);
}

ptxemu_status ptxemu_module_link(ptxemu_device *device, const ptxemu_load_options *options, const ptxemu_text *texts,
                                 size_t count, ptxemu_module **module)
{
    enum rt_scope scope;
    const ptxemu_status status = scope_of(device, options, &scope);

    *module = NULL;
    rt_drop_diagnostics(&device->last);
    if (status != PTXEMU_OK) {
        return status;
    }
    if (count == 0) {
        return rt_fail(&device->last, PTXEMU_BAD_INPUT, "there is nothing to link");
    }
    if (texts->size != sizeof *texts) {
        return rt_fail(&device->last, PTXEMU_BAD_INPUT, "ptxemu_text.size is %zu, this library expects %zu",
                       texts->size, sizeof *texts);
    }
    return rt_link(device, texts, count, scope, module, &device->last);
}

ptxemu_status ptxemu_module_load_file(ptxemu_device *device, const char *path, ptxemu_module **module)
{
    FILE *in = fopen(path, "rb");
    struct stat st;
    ptxemu_status status;

    *module = NULL;
    rt_drop_diagnostics(&device->last);
    if (in == NULL) {
        return rt_fail(&device->last, PTXEMU_BAD_INPUT, "%s: %s", path, strerror(errno));
    }
    if (fstat(fileno(in), &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > (off_t)RT_TEXT_LIMIT_MB << 20) {
        fclose(in);
        return rt_fail(&device->last, PTXEMU_BAD_INPUT, "%s: not a file of at most %d MB", path, RT_TEXT_LIMIT_MB);
    }
    char *text = malloc((size_t)st.st_size + 1);
    const size_t length = text == NULL ? 0 : fread(text, 1, (size_t)st.st_size, in);

    if (text == NULL) {
        status = rt_fail(&device->last, PTXEMU_NO_MEMORY, "the host's memory is exhausted");
    } else if (ferror(in)) {
        status = rt_fail(&device->last, PTXEMU_BAD_INPUT, "%s: %s", path, strerror(errno));
    } else {
        status = ptxemu_module_load(device, path, text, length, module);
    }
    free(text);
    fclose(in);
    return status;
}

void ptxemu_module_unload(ptxemu_module *module)
{
    if (module != NULL) {
        leave_list(module);
        release(module);
    }
}

ptxemu_status ptxemu_module_variable(ptxemu_module *module, const char *name, ptxemu_ptr *address, uint64_t *bytes)
{
    for (uint32_t i = 0; i < module->ir->symbols.count; i++) {
        const struct ir_symbol *s = &module->ir->symbols.at[i];

        if (module->symbol_address[i] != 0 && s->func < 0 && strcmp(s->name, name) == 0) {
            *address = module->symbol_address[i];
            *bytes = s->size_bytes;
            return PTXEMU_OK;
        }
    }
    return rt_fail(&module->device->last, PTXEMU_BAD_INPUT, "the module has no variable '%s'", name);
}

ptxemu_status ptxemu_module_dump(ptxemu_module *module, const char *what, char **text)
{
    size_t size = 0;

    *text = NULL;
    if (strcmp(what, "ir") != 0) {
        return rt_fail(&module->device->last, PTXEMU_BAD_INPUT, "there is nothing called '%s' to dump (known: ir)",
                       what);
    }
    FILE *out = open_memstream(text, &size);

    if (out == NULL) {
        return rt_fail(&module->device->last, PTXEMU_NO_MEMORY, "the host's memory is exhausted");
    }
    ir_print_module(module->ir, out);
    fclose(out);
    return PTXEMU_OK;
}
