/*
 * Modules: PTX text to IR, variables to device memory, diagnostics as data.
 */
#include "runtime/objects.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "emu/values.h"
#include "frontend/frontend.h"
#include "ir/passes.h"

enum { TEXT_LIMIT_MB = 1024 };

/* --- diagnostics ------------------------------------------------------------------------------ */
void rt_clear_diagnostics(struct ptxemu_device *d)
{
    for (size_t i = 0; i < d->n_diagnostics; i++) {
        free(d->diagnostics[i].message);
        free(d->diagnostics[i].rendered);
    }
    free(d->diagnostics);
    free(d->diagnostics_file);
    d->diagnostics = NULL;
    d->diagnostics_file = NULL;
    d->n_diagnostics = 0;
}

static void keep_diagnostics(struct ptxemu_device *d, const struct diag *dg)
{
    static const ptxemu_level levels[] = {
        [DIAG_NOTE] = PTXEMU_NOTE, [DIAG_WARNING] = PTXEMU_WARNING, [DIAG_ERROR] = PTXEMU_ERROR};

    rt_clear_diagnostics(d);
    d->diagnostics = calloc(dg->count + 1, sizeof *d->diagnostics);
    d->diagnostics_file = strdup(dg->file);
    for (size_t i = 0; d->diagnostics != NULL && i < dg->count; i++) {
        const struct diag_message *m = &dg->messages[i];

        d->diagnostics[d->n_diagnostics++] = (struct rt_diagnostic){.level = levels[m->level],
                                                                    .line = m->loc.line,
                                                                    .column = m->loc.column,
                                                                    .message = strdup(m->text),
                                                                    .rendered = diag_format(dg, m, false)};
    }
}

size_t ptxemu_diagnostic_count(const ptxemu_device *device)
{
    return device->n_diagnostics;
}

bool ptxemu_diagnostic_at(const ptxemu_device *device, size_t index, ptxemu_diagnostic *out)
{
    if (index >= device->n_diagnostics) {
        return false;
    }
    const struct rt_diagnostic *d = &device->diagnostics[index];

    *out = (ptxemu_diagnostic){.level = d->level,
                               .file = device->diagnostics_file != NULL ? device->diagnostics_file : "",
                               .line = d->line,
                               .column = d->column,
                               .message = d->message != NULL ? d->message : "",
                               .rendered = d->rendered != NULL ? d->rendered : ""};
    return true;
}

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

static ptxemu_status fill_variable(struct ptxemu_module *m, uint32_t index)
{
    const struct ir_symbol *s = &m->ir->symbols.at[index];
    uint8_t *at = mem_host_pointer(m->device->memory, m->symbol_address[index], s->size_bytes == 0 ? 1 : s->size_bytes);

    if (at == NULL) {
        return rt_fail(m->device, PTXEMU_NO_MEMORY, "variable '%s' has no memory", s->name);
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

static ptxemu_status place_variables(struct ptxemu_module *m)
{
    struct ptxemu_device *d = m->device;
    uint64_t const_bytes = 0;

    m->symbol_address = calloc(m->ir->symbols.count + 1u, sizeof *m->symbol_address);
    if (m->symbol_address == NULL) {
        return rt_fail(d, PTXEMU_NO_MEMORY, "the host's memory is exhausted");
    }
    for (uint32_t i = 0; i < m->ir->symbols.count; i++) {
        const struct ir_symbol *s = &m->ir->symbols.at[i];
        char label[200];

        if (!is_placed(s)) {
            continue;
        }
        const_bytes += s->space == IR_SPACE_CONST ? s->size_bytes : 0;
        if (const_bytes > d->spec.const_bytes) {
            return rt_fail(d, PTXEMU_BAD_INPUT, "constant memory: the module's .const variables exceed %llu bytes",
                           (unsigned long long)d->spec.const_bytes);
        }
        snprintf(label, sizeof label, "variable %s", s->name);
        const enum mem_status status =
            mem_allocate(d->memory, s->size_bytes == 0 ? 1 : s->size_bytes, s->align,
                         s->space == IR_SPACE_CONST ? MEM_CONST_VAR : MEM_GLOBAL_VAR, label, &m->symbol_address[i]);

        if (status != MEM_OK) {
            return rt_fail(d, PTXEMU_NO_MEMORY, "variable '%s' needs %llu bytes of device memory, more than there is",
                           s->name, (unsigned long long)s->size_bytes);
        }
    }
    for (uint32_t i = 0; i < m->ir->symbols.count; i++) {
        if (m->symbol_address[i] != 0) {
            const ptxemu_status status = fill_variable(m, i);

            if (status != PTXEMU_OK) {
                return status;
            }
        }
    }
    return PTXEMU_OK;
}

/* --- loading ---------------------------------------------------------------------------------- */
static ptxemu_status make_kernels(struct ptxemu_module *m)
{
    m->kernels = calloc(m->ir->funcs.count + 1u, sizeof *m->kernels);
    if (m->kernels == NULL) {
        return rt_fail(m->device, PTXEMU_NO_MEMORY, "the host's memory is exhausted");
    }
    for (uint32_t i = 0; i < m->ir->funcs.count; i++) {
        if (m->ir->funcs.at[i]->is_entry && m->ir->funcs.at[i]->defined) {
            m->kernels[m->n_kernels++] = (struct ptxemu_kernel){.module = m, .func = m->ir->funcs.at[i]};
        }
    }
    return PTXEMU_OK;
}

/* Text to IR; diagnostics are kept in the device. */
static ptxemu_status parse(struct ptxemu_module *m, const char *name, size_t length, enum ptx_scope scope)
{
    struct ptxemu_device *d = m->device;
    struct diag dg;
    ptxemu_status status = PTXEMU_OK;

    diag_init(&dg, name, m->text, length);
    m->ir = ptx_parse(name, m->text, length, scope, &dg);
    keep_diagnostics(d, &dg);
    if (m->ir == NULL) {
        status = dg.errors == 0
                     ? rt_fail(d, PTXEMU_NO_MEMORY, "the host's memory is exhausted")
                     : rt_fail(d, PTXEMU_BAD_INPUT, "%zu error%s in %s", dg.errors, dg.errors == 1 ? "" : "s", name);
    }
    diag_release(&dg);
    return status;
}

static ptxemu_status load(ptxemu_device *device, const char *name, const char *text, size_t length,
                          enum ptx_scope scope, ptxemu_module **module)
{
    struct ptxemu_module *m = calloc(1, sizeof *m);
    ptxemu_status status;

    *module = NULL;
    rt_clear_diagnostics(device);
    if (m == NULL || length > (size_t)TEXT_LIMIT_MB << 20) {
        free(m);
        return m == NULL ? rt_fail(device, PTXEMU_NO_MEMORY, "the host's memory is exhausted")
                         : rt_fail(device, PTXEMU_BAD_INPUT, "%s: more than %d MB of text", name, TEXT_LIMIT_MB);
    }
    m->device = device;
    m->next = device->modules;
    device->modules = m;
    m->text = malloc(length + 2);
    if (m->text == NULL) {
        status = rt_fail(device, PTXEMU_NO_MEMORY, "the host's memory is exhausted");
    } else {
        memcpy(m->text, text, length);
        m->text[length] = m->text[length + 1] = 0;
        status = parse(m, name != NULL ? name : "<text>", length, scope);
    }
    if (status == PTXEMU_OK) {
        status = place_variables(m);
    }
    if (status == PTXEMU_OK) {
        status = make_kernels(m);
    }
    if (status != PTXEMU_OK) {
        ptxemu_module_unload(m);
        return status;
    }
    *module = m;
    return PTXEMU_OK;
}

ptxemu_status ptxemu_module_load(ptxemu_device *device, const char *name, const char *text, size_t length,
                                 ptxemu_module **module)
{
    return load(device, name, text, length, PTX_WHOLE_PROGRAM, module);
}

ptxemu_status ptxemu_module_load_with(ptxemu_device *device, const ptxemu_load_options *options, const char *name,
                                      const char *text, size_t length, ptxemu_module **module)
{
    const bool part = options != NULL && options->relocatable;

    *module = NULL;
    if (options != NULL && options->size != sizeof *options) {
        return rt_fail(device, PTXEMU_BAD_INPUT, "ptxemu_load_options.size is %zu, this library expects %zu",
                       options->size, sizeof *options);
    }
    return load(device, name, text, length, part ? PTX_RELOCATABLE : PTX_WHOLE_PROGRAM, module);
}

ptxemu_status ptxemu_module_load_file(ptxemu_device *device, const char *path, ptxemu_module **module)
{
    FILE *in = fopen(path, "rb");
    struct stat st;
    ptxemu_status status;

    *module = NULL;
    rt_clear_diagnostics(device);
    if (in == NULL) {
        return rt_fail(device, PTXEMU_BAD_INPUT, "%s: %s", path, strerror(errno));
    }
    if (fstat(fileno(in), &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > (off_t)TEXT_LIMIT_MB << 20) {
        fclose(in);
        return rt_fail(device, PTXEMU_BAD_INPUT, "%s: not a file of at most %d MB", path, TEXT_LIMIT_MB);
    }
    char *text = malloc((size_t)st.st_size + 1);
    const size_t length = text == NULL ? 0 : fread(text, 1, (size_t)st.st_size, in);

    if (text == NULL) {
        status = rt_fail(device, PTXEMU_NO_MEMORY, "the host's memory is exhausted");
    } else if (ferror(in)) {
        status = rt_fail(device, PTXEMU_BAD_INPUT, "%s: %s", path, strerror(errno));
    } else {
        status = ptxemu_module_load(device, path, text, length, module);
    }
    free(text);
    fclose(in);
    return status;
}

void ptxemu_module_unload(ptxemu_module *module)
{
    if (module == NULL) {
        return;
    }
    struct ptxemu_module **link = &module->device->modules;

    while (*link != NULL && *link != module) {
        link = &(*link)->next;
    }
    if (*link == module) {
        *link = module->next;
    }
    for (size_t i = 0; i < module->n_kernels; i++) {
        emu_program_free(module->kernels[i].program);
        free(module->kernels[i].pointers);
    }
    for (uint32_t i = 0; module->symbol_address != NULL && i < module->ir->symbols.count; i++) {
        if (module->symbol_address[i] != 0) {
            mem_release(module->device->memory, module->symbol_address[i]);
        }
    }
    free(module->kernels);
    free(module->symbol_address);
    ir_module_free(module->ir);
    free(module->text);
    free(module);
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
    return rt_fail(module->device, PTXEMU_BAD_INPUT, "the module has no variable '%s'", name);
}

ptxemu_status ptxemu_module_dump(ptxemu_module *module, const char *what, char **text)
{
    size_t size = 0;

    *text = NULL;
    if (strcmp(what, "ir") != 0) {
        return rt_fail(module->device, PTXEMU_BAD_INPUT, "there is nothing called '%s' to dump (known: ir)", what);
    }
    FILE *out = open_memstream(text, &size);

    if (out == NULL) {
        return rt_fail(module->device, PTXEMU_NO_MEMORY, "the host's memory is exhausted");
    }
    ir_print_module(module->ir, out);
    fclose(out);
    return PTXEMU_OK;
}
