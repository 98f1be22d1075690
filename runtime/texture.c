/*
 * Textures and surfaces of the public API: options become the engine's descriptions.  Invariant: a handle belongs to
 * the device that made it; the engine finds all others.
 */
#include <string.h>

#include "emu/texture.h"
#include "runtime/objects.h"

static struct emu_format format_of(const ptxemu_format *f)
{
    const bool fits = f->bits <= UINT8_MAX && f->channels <= UINT8_MAX && (unsigned)f->kind <= PTXEMU_SNORM;

    return fits ? (struct emu_format){(uint8_t)f->kind, (uint8_t)f->bits, (uint8_t)f->channels}
                : (struct emu_format){0};
}

/* --- arrays ------------------------------------------------------------------------------------------------------- */
ptxemu_status ptxemu_array_create(ptxemu_device *device, const ptxemu_array_options *o, ptxemu_array **array)
{
    *array = NULL;
    if (o->size != sizeof *o) {
        return rt_fail(&device->last, PTXEMU_BAD_INPUT, "ptxemu_array_options.size is %zu, this library expects %zu",
                       o->size, sizeof *o);
    }
    const struct emu_array_shape shape = {.format = format_of(&o->format),
                                          .width = o->width,
                                          .height = o->height,
                                          .depth = o->depth,
                                          .layers = o->layers,
                                          .cube = o->cube,
                                          .levels = o->levels == 0 ? 1 : o->levels};

    if (!emu_array_possible(&shape)) {
        return rt_fail(&device->last, PTXEMU_BAD_INPUT, "there are no arrays of this format and these sizes");
    }
    *array = (ptxemu_array *)emu_array_new(&shape);
    return *array != NULL ? PTXEMU_OK : rt_fail(&device->last, PTXEMU_NO_MEMORY, "the host's memory is exhausted");
}

void ptxemu_array_release(ptxemu_array *array)
{
    emu_array_release((struct emu_array *)array);
}

void *ptxemu_array_texels(ptxemu_array *array, unsigned level, size_t *bytes)
{
    const struct emu_array *a = (const struct emu_array *)array;

    *bytes = 0;
    if (level >= emu_array_shape(a)->levels) {
        return NULL;
    }
    const struct emu_texels t = emu_array_texels(a, level);

    *bytes = t.slice_bytes * t.slices;
    return t.bytes;
}

/* --- objects ------------------------------------------------------------------------------------------------------ */
static enum emu_resource resource_of(const ptxemu_texture_options *o)
{
    return o->array != NULL  ? EMU_RESOURCE_ARRAY
           : o->address == 0 ? EMU_RESOURCE_NONE
           : o->pitch != 0   ? EMU_RESOURCE_PITCH
                             : EMU_RESOURCE_LINEAR;
}

static uint8_t address_mode(ptxemu_address_mode mode)
{
    static const uint8_t modes[] = {[PTXEMU_WRAP] = EMU_ADDRESS_WRAP,
                                    [PTXEMU_CLAMP] = EMU_ADDRESS_CLAMP,
                                    [PTXEMU_MIRROR] = EMU_ADDRESS_MIRROR,
                                    [PTXEMU_BORDER] = EMU_ADDRESS_BORDER};

    return (unsigned)mode < sizeof modes ? modes[mode] : UINT8_MAX;
}

static struct emu_texture description(const ptxemu_texture_options *o)
{
    struct emu_texture t = {.resource = (uint8_t)resource_of(o),
                            .array = (struct emu_array *)o->array,
                            .address = o->address,
                            .bytes = o->bytes,
                            .pitch = o->pitch,
                            .width = o->width,
                            .height = o->height,
                            .format = o->array != NULL ? (struct emu_format){0} : format_of(&o->format),
                            .linear = o->linear,
                            .mip_linear = o->mip_linear,
                            .normalized = o->normalized,
                            .as_float = o->as_float,
                            .srgb = o->srgb,
                            .seamless = o->seamless,
                            .level_bias = o->level_bias,
                            .level_least = o->level_least,
                            .level_most = o->level_most};

    memcpy(t.border, o->border, sizeof t.border);
    for (int k = 0; k < 3; k++) {
        t.address_mode[k] = address_mode(o->address_mode[k]);
    }
    return t;
}

static ptxemu_status status_of(ptxemu_device *d, enum emu_texture_status status, const char *flaw)
{
    switch (status) {
    case EMU_TEXTURE_OK:
        return PTXEMU_OK;
    case EMU_TEXTURE_BAD:
        return rt_fail(&d->last, PTXEMU_BAD_INPUT, "%s", flaw);
    default:
        return rt_fail(&d->last, PTXEMU_NO_MEMORY, "the host's memory is exhausted, or there are too many objects");
    }
}

ptxemu_status ptxemu_texture_create(ptxemu_device *device, const ptxemu_texture_options *o, uint64_t *handle)
{
    *handle = 0;
    if (o->size != sizeof *o) {
        return rt_fail(&device->last, PTXEMU_BAD_INPUT, "ptxemu_texture_options.size is %zu, this library expects %zu",
                       o->size, sizeof *o);
    }
    const struct emu_texture t = description(o);

    return status_of(device, emu_texture_create(device->bindings, &t, handle), emu_texture_flaw(&t));
}

ptxemu_status ptxemu_surface_create(ptxemu_device *device, ptxemu_array *array, unsigned level, uint64_t *handle)
{
    return status_of(device, emu_surface_create(device->bindings, (struct emu_array *)array, level, handle),
                     "the array has no such level");
}

ptxemu_status ptxemu_handle_destroy(ptxemu_device *device, uint64_t handle)
{
    return emu_handle_destroy(device->bindings, handle)
               ? PTXEMU_OK
               : rt_fail(&device->last, PTXEMU_BAD_INPUT, "0x%llx is the handle of nothing",
                         (unsigned long long)handle);
}

ptxemu_status ptxemu_module_bind(ptxemu_module *module, const char *variable, uint64_t handle)
{
    ptxemu_device *d = module->device;
    uint64_t address, bytes;
    const ptxemu_status status = ptxemu_module_variable(module, variable, &address, &bytes);

    if (status != PTXEMU_OK) {
        return status;
    }
    return emu_bindings_bind(d->bindings, address, handle)
               ? PTXEMU_OK
               : rt_fail(&d->last, PTXEMU_BAD_INPUT, "0x%llx is the handle of nothing", (unsigned long long)handle);
}
