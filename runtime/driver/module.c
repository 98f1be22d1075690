/*
 * Modules: images to texts, texts to code in device memory, and the names in it.
 */
#include "runtime/driver/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/driver/handle.h"
#include "runtime/driver/memory.h"
#include "runtime/driver/stream.h"
#include "runtime/driver/texture_reference.h"

/* --- images ----------------------------------------------------------------------------------- */
static CUresult image_error(enum rt_image_status status)
{
    switch (status) {
    case RT_IMAGE_OK:
        return CUDA_SUCCESS;
    case RT_IMAGE_NO_PTX:
    case RT_IMAGE_OTHER_GPU:
    case RT_IMAGE_EMPTY:
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    case RT_IMAGE_OUT_OF_MEMORY:
        return CUDA_ERROR_OUT_OF_MEMORY;
    default:
        return CUDA_ERROR_INVALID_IMAGE;
    }
}

CUresult drv_image_texts(const void *image, struct drv_device *device, struct rt_ptx_set *texts, char *error,
                         size_t error_size)
{
    const struct emu_spec *spec = &device->gpu->spec;
    struct rt_image_error why = {.status = RT_IMAGE_OK};
    const enum rt_image_status status =
        rt_ptx_load(image, RT_SIZE_UNKNOWN, spec->cc_major * 10 + spec->cc_minor, texts, &why);

    if (status != RT_IMAGE_OK) {
        snprintf(error, error_size, "%s", why.text);
        drv_say("%s", why.text);
    }
    return image_error(status);
}

/* --- loading ---------------------------------------------------------------------------------- */
/* Whether a text is of a version of PTX that is yet to come. */
static bool is_of_the_future(const char *text)
{
    static const unsigned versions[] = {
#define VERSION(number) number,
#define TARGET(name, sm, suffix, ptx)
#define RENAMED(name, now, ptx)
#include "ir/targets.def"
#undef VERSION
#undef TARGET
#undef RENAMED
    };
    const char *directive = strstr(text, ".version");
    unsigned major = 0, minor = 0;

    return directive != NULL && sscanf(directive, ".version %3u.%3u", &major, &minor) == 2 &&
           major * 10 + minor > versions[sizeof versions / sizeof *versions - 1];
}

static CUresult load_error(ptxemu_status status, const struct rt_ptx_set *set)
{
    for (size_t i = 0; i < set->count && status == PTXEMU_BAD_INPUT; i++) {
        if (is_of_the_future(set->parts[i].text)) {
            return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
        }
    }
    switch (status) {
    case PTXEMU_OK:
        return CUDA_SUCCESS;
    case PTXEMU_NO_MEMORY:
        return CUDA_ERROR_OUT_OF_MEMORY;
    case PTXEMU_UNSUPPORTED:
        return CUDA_ERROR_NOT_SUPPORTED;
    default:
        return CUDA_ERROR_INVALID_PTX;
    }
}

/* All errors, as the compiler renders them. */
static void write_diagnostics(const struct rt_messages *out, char *text, size_t size)
{
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0; i < out->n_diagnostics && length < size; i++) {
        if (out->diagnostics[i].level == PTXEMU_ERROR) {
            const int n = snprintf(text + length, size - length, "%s", out->diagnostics[i].rendered);

            length += n > 0 ? (size_t)n : 0;
        }
    }
    if (length == 0) {
        snprintf(text, size, "%s", out->error);
    }
}

/* A GPU runs what is for its architecture or an earlier one. */
static ptxemu_status check_target(const struct drv_device *device, struct ptxemu_module **code, char *error,
                                  size_t error_size)
{
    const struct emu_spec *spec = &device->gpu->spec;
    const struct ir_module *ir = (*code)->ir;
    const char suffix[] = {ir->sm_suffix, '\0'};

    if (rt_image_fits(&(struct rt_image){.sm = ir->sm, .suffix = ir->sm_suffix},
                      spec->cc_major * 10 + spec->cc_minor)) {
        return PTXEMU_OK;
    }
    snprintf(error, error_size, "the code is for sm_%u%s, and %s is sm_%u", (unsigned)ir->sm, suffix, spec->product,
             spec->cc_major * 10 + spec->cc_minor);
    ptxemu_module_unload(*code);
    *code = NULL;
    return PTXEMU_BAD_INPUT;
}

static CUresult compile(struct drv_device *device, const struct rt_ptx_set *set, struct ptxemu_module **code,
                        char *error, size_t error_size)
{
    ptxemu_text *texts = calloc(set->count, sizeof *texts);
    char(*names)[40] = calloc(set->count, sizeof *names);
    struct rt_messages out = {0};
    ptxemu_status status = PTXEMU_NO_MEMORY;

    if (texts != NULL && names != NULL) {
        for (size_t i = 0; i < set->count; i++) {
            snprintf(names[i], sizeof names[i], set->count == 1 ? "PTX" : "PTX %zu", i + 1);
            texts[i] = (ptxemu_text){sizeof *texts, names[i], set->parts[i].text, set->parts[i].length};
        }
        status = set->relocatable ? rt_link(device->gpu, texts, set->count, RT_PROGRAM, code, &out)
                                  : rt_load(device->gpu, texts, set->count, RT_PROGRAM, code, &out);
        if (status != PTXEMU_OK) {
            write_diagnostics(&out, error, error_size);
        } else {
            status = check_target(device, code, error, error_size);
        }
        if (status != PTXEMU_OK) {
            drv_say("device code cannot be loaded\n%s", error);
        }
        rt_drop_diagnostics(&out);
    }
    free(texts);
    free(names);
    return load_error(status, set);
}

/* Variables are memory that programs may copy to and from. */
static CUresult note_variables(struct drv_module *m, bool note)
{
    const struct ptxemu_module *code = m->code;
    CUresult result = CUDA_SUCCESS;

    for (uint32_t i = 0; i < code->ir->symbols.count; i++) {
        const uint64_t address = code->symbol_address[i], size = code->ir->symbols.at[i].size_bytes;

        if (address != 0 && note && result == CUDA_SUCCESS) {
            result = drv_memory_note(&(struct drv_memory){
                .base = address, .size = size == 0 ? 1 : size, .kind = DRV_MEMORY_VARIABLE, .context = m->context});
        } else if (address != 0 && !note) {
            drv_memory_forget(address);
        }
    }
    return result;
}

static CUresult make_functions(struct drv_module *m)
{
    m->n_functions = ptxemu_kernel_count(m->code);
    m->functions = calloc(m->n_functions + 1, sizeof *m->functions);
    if (m->functions == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < m->n_functions; i++) {
        struct drv_function *f = &m->functions[i];

        f->module = m;
        f->kernel = ptxemu_kernel_at(m->code, i);
        f->settings = (struct drv_function_settings){.max_dynamic_shared = -1, .carveout = -1};
        f->handle = drv_handle_new(DRV_FUNCTION, f);
        if (f->handle == NULL) {
            return CUDA_ERROR_OUT_OF_MEMORY;
        }
    }
    return CUDA_SUCCESS;
}

static void module_free(struct drv_module *m)
{
    if (m->context != NULL) {
        note_variables(m, false);
    }
    for (size_t i = 0; i < m->n_functions && m->functions != NULL; i++) {
        free(m->functions[i].earlier_launch);
    }
    free(m->functions);
    ptxemu_module_unload(m->code);
    free(m);
}

static void drop_handles(struct drv_module *m)
{
    for (size_t i = 0; i < m->n_functions && m->functions != NULL; i++) {
        if (m->functions[i].handle != NULL) {
            drv_handle_drop(m->functions[i].handle);
            m->functions[i].handle = NULL;
        }
    }
    while (m->texture_references != NULL) {
        struct drv_reference *r = m->texture_references;

        m->texture_references = r->next;
        drv_reference_free(r);
    }
    if (m->handle != NULL) {
        drv_handle_drop(m->handle);
        m->handle = NULL;
    }
}

CUresult drv_module_load(struct drv_context *context, const struct rt_ptx_set *texts, struct drv_module **module,
                         char *error, size_t error_size)
{
    struct drv_module *m = calloc(1, sizeof *m);
    CUresult result = m == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;

    if (result == CUDA_SUCCESS) {
        result = compile(context->device, texts, &m->code, error, error_size);
        if (result != CUDA_SUCCESS) {
            free(m);
            return result;
        }
        m->context = context;
        m->references = 1;
        result = note_variables(m, true);
    }
    if (result == CUDA_SUCCESS) {
        result = make_functions(m);
    }
    if (result != CUDA_SUCCESS) {
        if (m != NULL) {
            drop_handles(m);
            module_free(m);
        }
        return result;
    }
    pthread_mutex_lock(&drv_process()->lock);
    m->next = context->modules;
    context->modules = m;
    pthread_mutex_unlock(&drv_process()->lock);
    *module = m;
    return CUDA_SUCCESS;
}

CUmodule drv_module_handle(struct drv_module *module)
{
    pthread_mutex_lock(&drv_process()->lock);
    if (module->handle == NULL) {
        module->handle = drv_handle_new(DRV_MODULE, module);
    }
    const CUmodule handle = module->handle;

    pthread_mutex_unlock(&drv_process()->lock);
    return handle;
}

void drv_module_retain(struct drv_module *module)
{
    module->references++;
}

void drv_module_drop(struct drv_module *module)
{
    pthread_mutex_lock(&drv_process()->lock);
    const bool last = --module->references == 0;

    if (last && module->context != NULL) {
        struct drv_module **link = &module->context->modules;

        while (*link != module) {
            link = &(*link)->next;
        }
        *link = module->next;
    }
    pthread_mutex_unlock(&drv_process()->lock);
    if (last) {
        module_free(module);
    }
}

/* Whether the owner's reference was still there: whoever gets true gives it up. */
static bool begin_unload(struct drv_module *m)
{
    const bool first = !m->unloaded;

    m->unloaded = true;
    drv_library_forget(m);
    return first;
}

/* Nothing runs any more in the context; nodes of graphs may still hold work of its modules. */
void drv_modules_end(struct drv_context *context)
{
    pthread_mutex_t *lock = &drv_process()->lock;

    for (;;) {
        pthread_mutex_lock(lock);
        struct drv_module *m = context->modules;
        const bool first = m != NULL && begin_unload(m);

        if (m != NULL) {
            m->references++;
            context->modules = m->next;
        }
        pthread_mutex_unlock(lock);
        if (m == NULL) {
            break;
        }
        if (first) {
            drop_handles(m);
        }
        note_variables(m, false);
        pthread_mutex_lock(lock);
        m->context = NULL;
        m->references -= first;
        pthread_mutex_unlock(lock);
        drv_module_drop(m);
    }
}

/* --- names in a module ------------------------------------------------------------------------ */
struct drv_function *drv_module_function(struct drv_module *module, const char *name)
{
    struct ptxemu_kernel *kernel = ptxemu_kernel_find(module->code, name);

    return kernel == NULL ? NULL : &module->functions[kernel - module->code->kernels];
}

/* Constants are ordinary memory, which a kernel may write once it has the address from the host; a store that gets
 * there without is a mistake, and stays refused. */
static void open_constant(const struct drv_module *module, uint32_t symbol)
{
    mem_set_read_only(module->code->device->memory, module->code->symbol_address[symbol], false);
}

CUresult drv_module_variable(struct drv_module *module, const char *name, CUdeviceptr *address, size_t *bytes)
{
    const struct ir_module *ir = module->code->ir;

    for (uint32_t i = 0; i < ir->symbols.count; i++) {
        const struct ir_symbol *s = &ir->symbols.at[i];

        if (module->code->symbol_address[i] != 0 && s->func < 0 && strcmp(s->name, name) == 0) {
            if (s->space == IR_SPACE_CONST) {
                open_constant(module, i);
            }
            *address = module->code->symbol_address[i];
            *bytes = s->size_bytes;
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_NOT_FOUND;
}

void drv_module_unload(struct drv_module *module)
{
    pthread_mutex_lock(&drv_process()->lock);
    const bool first = begin_unload(module);

    pthread_mutex_unlock(&drv_process()->lock);
    if (first) {
        drop_handles(module);
        drv_module_drop(module);
    }
}
