/*
 * Textures and surfaces through the public API: the kernels of tests/golden/texture, and what goes wrong.
 */
#include "ptxemu.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- objects as tests/golden/texture/README.md lists them --------------------------------------------------------- */
enum { HANDLES = 27, MOST_WORDS = 512 };

struct shape {
    unsigned width, height, depth, layers;
    bool cube;
};
static const struct shape shapes[] = {
    {.width = 8},
    {.width = 8, .height = 4},
    {.width = 8, .height = 4, .depth = 2},
    {.width = 8, .layers = 3},
    {.width = 8, .height = 4, .layers = 3},
    {.width = 4, .height = 4, .layers = 6, .cube = true},
    {.width = 4, .height = 4, .layers = 12, .cube = true},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0], PLANE = 1 };

static const ptxemu_format u32x4 = {PTXEMU_UINT, 32, 4}, f32x4 = {PTXEMU_FLOAT, 32, 4}, u32x1 = {PTXEMU_UINT, 32, 1},
                           u32x2 = {PTXEMU_UINT, 32, 2}, u8x4 = {PTXEMU_UINT, 8, 4};

static void put_texel(uint8_t *at, const ptxemu_format *f, uint32_t value)
{
    for (unsigned k = 0; k < f->channels; k++) {
        const uint32_t whole = value + 4096 * k;
        const float number = (float)whole;

        memcpy(at + k * f->bits / 8, f->kind == PTXEMU_FLOAT ? (const void *)&number : (const void *)&whole,
               f->bits / 8);
    }
}

static unsigned at_level(unsigned size, unsigned level)
{
    return size >> level == 0 ? 1 : size >> level;
}

static ptxemu_array *make_array(ptxemu_device *d, const struct shape *s, const ptxemu_format *f, unsigned levels)
{
    const ptxemu_array_options o = {.size = sizeof o,
                                    .format = *f,
                                    .width = s->width,
                                    .height = s->height,
                                    .depth = s->depth,
                                    .layers = s->layers,
                                    .cube = s->cube,
                                    .levels = levels};
    ptxemu_array *array;

    cr_assert_eq(ptxemu_array_create(d, &o, &array), PTXEMU_OK, "%s", ptxemu_last_error(d));
    for (unsigned level = 0; level < levels; level++) {
        const unsigned width = at_level(s->width, level), height = at_level(s->height, level),
                       texel = f->bits / 8 * f->channels;
        size_t bytes;
        uint8_t *texels = ptxemu_array_texels(array, level, &bytes);

        for (size_t i = 0; i < bytes / texel; i++) {
            const size_t x = i % width, y = i / width % height, slice = i / width / height;

            put_texel(texels + i * texel, f, (uint32_t)(x + 16 * y + 256 * slice + 1024 * level));
        }
    }
    return array;
}

static ptxemu_texture_options clamped(void)
{
    return (ptxemu_texture_options){.size = sizeof(ptxemu_texture_options),
                                    .address_mode = {PTXEMU_CLAMP, PTXEMU_CLAMP, PTXEMU_CLAMP},
                                    .level_most = 100};
}

static uint64_t texture(ptxemu_device *d, const struct shape *s, const ptxemu_format *f, unsigned levels, bool linear)
{
    ptxemu_texture_options o = clamped();
    uint64_t handle;

    o.array = make_array(d, s, f, levels);
    o.normalized = s->cube || levels > 1;
    o.linear = linear;
    cr_assert_eq(ptxemu_texture_create(d, &o, &handle), PTXEMU_OK, "%s", ptxemu_last_error(d));
    ptxemu_array_release(o.array);
    return handle;
}

static uint64_t surface(ptxemu_device *d, const struct shape *s, const ptxemu_format *f)
{
    ptxemu_array *array = make_array(d, s, f, 1);
    uint64_t handle;

    cr_assert_eq(ptxemu_surface_create(d, array, 0, &handle), PTXEMU_OK);
    ptxemu_array_release(array);
    return handle;
}

static uint64_t wrapping_sampler(ptxemu_device *d)
{
    const ptxemu_texture_options o = {.size = sizeof o, .normalized = true};
    uint64_t handle;

    cr_assert_eq(ptxemu_texture_create(d, &o, &handle), PTXEMU_OK);
    return handle;
}

/* Texels 0 to 7 in device memory. */
static uint64_t memory_texture(ptxemu_device *d, const ptxemu_format *f)
{
    const unsigned texel = f->bits / 8 * f->channels;
    ptxemu_texture_options o = clamped();
    uint64_t handle;

    o.format = *f;
    o.bytes = 8 * texel;
    cr_assert_eq(ptxemu_alloc(d, o.bytes, "texels", &o.address), PTXEMU_OK);
    for (unsigned i = 0; i < 8; i++) {
        put_texel((uint8_t *)ptxemu_view(d, o.address, o.bytes) + i * texel, f, i);
    }
    cr_assert_eq(ptxemu_texture_create(d, &o, &handle), PTXEMU_OK, "%s", ptxemu_last_error(d));
    return handle;
}

static void make_handles(ptxemu_device *d, uint64_t handles[HANDLES])
{
    static const uint8_t surfaces[] = {1, 0, 2, 3, 4}; /* indices of shapes */

    for (unsigned i = 0; i < SHAPES; i++) {
        handles[i] = texture(d, &shapes[i], &u32x4, 1, false);
        handles[SHAPES + i] = texture(d, &shapes[i], &f32x4, 1, false);
    }
    handles[14] = texture(d, &shapes[PLANE], &f32x4, 3, false);
    handles[15] = texture(d, &shapes[PLANE], &u32x4, 3, false);
    for (unsigned i = 0; i < sizeof surfaces; i++) {
        handles[16 + i] = surface(d, &shapes[surfaces[i]], &u32x1);
    }
    handles[21] = surface(d, &shapes[PLANE], &u8x4);
    handles[22] = surface(d, &shapes[PLANE], &u32x2);
    handles[23] = wrapping_sampler(d);
    handles[24] = texture(d, &shapes[0], &f32x4, 1, true);
    handles[25] = memory_texture(d, &u32x4);
    handles[26] = memory_texture(d, &f32x4);
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */
struct arguments {
    uint64_t out;
    uint64_t handles[HANDLES];
};

static ptxemu_device *open_device(void)
{
    ptxemu_device *d;

    cr_assert_eq(ptxemu_device_open(NULL, &d, NULL), PTXEMU_OK);
    return d;
}

static ptxemu_status run(ptxemu_module *module, const struct arguments *a)
{
    ptxemu_kernel *kernel = ptxemu_kernel_find(module, "check");
    ptxemu_kernel_info info;
    ptxemu_launch l = {.size = sizeof l, .grid = {1, 1, 1}, .block = {1, 1, 1}, .params = a, .host_threads = 1};

    ptxemu_kernel_get_info(kernel, &info);
    l.params_bytes = info.param_bytes;
    return ptxemu_run(kernel, &l);
}

static void bind(ptxemu_module *module, const char *name, uint64_t handle)
{
    uint64_t address, bytes;

    if (ptxemu_module_variable(module, name, &address, &bytes) == PTXEMU_OK) {
        cr_assert_eq(ptxemu_module_bind(module, name, handle), PTXEMU_OK);
    }
}

static unsigned expected(const char *path, uint32_t words[MOST_WORDS])
{
    FILE *in = fopen(path, "r");
    char line[400];
    unsigned n = 0;

    cr_assert_not_null(in, "%s", path);
    while (fgets(line, sizeof line, in) != NULL) {
        const char *at = strncmp(line, "// expect:", 10) == 0 ? line + 10 : NULL;

        for (char *end; at != NULL && n < MOST_WORDS; at = end) {
            const uint32_t word = (uint32_t)strtoul(at, &end, 16);

            if (end == at) {
                break;
            }
            words[n++] = word;
        }
    }
    fclose(in);
    return n;
}

static const char *const files[] = {"fetch",         "base",          "resident",   "half",        "cube",
                                    "level",         "gradient",      "offset",     "linear",      "gather",
                                    "query",         "type",          "references", "independent", "surface_load",
                                    "surface_store", "surface_reduce"};

static void check_file(const char *name)
{
    ptxemu_device *d = open_device();
    ptxemu_module *module;
    struct arguments a;
    uint32_t want[MOST_WORDS];
    char path[400];

    snprintf(path, sizeof path, "%s/tests/golden/texture/%s.ptx", PTXEMU_SOURCE_DIR, name);
    const unsigned n = expected(path, want);

    cr_assert_neq(n, 0, "%s expects nothing", name);
    cr_assert_eq(ptxemu_module_load_file(d, path, &module), PTXEMU_OK, "%s", ptxemu_last_error(d));
    make_handles(d, a.handles);
    bind(module, "tx", a.handles[8]);
    bind(module, "smp", a.handles[23]);
    bind(module, "srf", a.handles[16]);
    cr_assert_eq(ptxemu_alloc(d, sizeof want, "out", &a.out), PTXEMU_OK);
    cr_assert_eq(run(module, &a), PTXEMU_OK, "%s", ptxemu_last_error(d));
    const uint32_t *got = ptxemu_view(d, a.out, sizeof want);

    for (unsigned i = 0; i < n; i++) {
        cr_expect_eq(got[i], want[i], "%s: word %u is 0x%08x, not 0x%08x", name, i, got[i], want[i]);
    }
    ptxemu_device_close(d);
}

Test(texture, kernels_write_what_their_files_expect)
{
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        check_file(files[i]);
    }
}

/* --- what goes wrong ---------------------------------------------------------------------------------------------- */
#define KERNEL(variables, body)                                                                          \
    ".version 9.0\n.target sm_90\n.address_size 64\n" variables                                          \
    ".visible .entry check(.param .u64 out, .param .align 8 .b8 handles[216])\n{\n"                      \
    ".reg .b64 %rd<4>; .reg .b32 %r<8>; .reg .f32 %f<8>;\nld.param.u64 %rd0, [out]; ld.param.u64 %rd1, " \
    "[handles];\n" body "st.global.u32 [%rd0], %r0; st.global.f32 [%rd0+4], %f0;\nret;\n}\n"

/* Run a kernel that must fault; the message. */
static const char *fault_of(ptxemu_device *d, const char *text, const struct arguments *a, ptxemu_fault_kind kind)
{
    ptxemu_module *module;
    ptxemu_fault_info fault;

    cr_assert_eq(ptxemu_module_load(d, "fault.ptx", text, strlen(text), &module), PTXEMU_OK, "%s",
                 ptxemu_last_error(d));
    cr_assert_eq(run(module, a), PTXEMU_FAULT);
    cr_assert(ptxemu_get_fault(d, &fault));
    cr_assert_eq(fault.kind, kind, "%s", fault.message);
    return fault.message;
}

static struct arguments with_handle(ptxemu_device *d, uint64_t handle)
{
    struct arguments a = {.handles = {handle}};

    cr_assert_eq(ptxemu_alloc(d, 64, "out", &a.out), PTXEMU_OK);
    return a;
}

static const char fetch_1d[] = KERNEL("", "tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {0f3F000000}];\n");
static const char load_2d[] = KERNEL("", "suld.b.2d.b32.trap %r0, [%rd1, {32, 1}];\n");

Test(texture, unknown_and_stale_handles_are_named)
{
    ptxemu_device *d = open_device();
    const uint64_t handle = texture(d, &shapes[0], &f32x4, 1, false);
    const struct arguments garbage = with_handle(d, 0x1234), stale = with_handle(d, handle), none = with_handle(d, 0);

    cr_assert_not_null(
        strstr(fault_of(d, fetch_1d, &garbage, PTXEMU_FAULT_BAD_HANDLE), "0x1234 is the handle of no texture"));
    cr_assert_not_null(
        strstr(fault_of(d, fetch_1d, &none, PTXEMU_FAULT_BAD_HANDLE), "0x0 is the handle of no texture"));
    cr_assert_eq(ptxemu_handle_destroy(d, handle), PTXEMU_OK);
    cr_assert_eq(ptxemu_handle_destroy(d, handle), PTXEMU_BAD_INPUT);
    cr_assert_neq(texture(d, &shapes[0], &f32x4, 1, false), handle, "handles are not handed out twice");
    fault_of(d, fetch_1d, &stale, PTXEMU_FAULT_BAD_HANDLE);
    ptxemu_device_close(d);
}

Test(texture, a_surface_is_no_texture)
{
    ptxemu_device *d = open_device();
    const struct arguments a = with_handle(d, surface(d, &shapes[PLANE], &u32x1));

    fault_of(d, fetch_1d, &a, PTXEMU_FAULT_BAD_HANDLE);
    ptxemu_device_close(d);
}

Test(texture, an_access_outside_traps)
{
    ptxemu_device *d = open_device();
    const struct arguments a = with_handle(d, surface(d, &shapes[PLANE], &u32x1));

    cr_assert_not_null(
        strstr(fault_of(d, load_2d, &a, PTXEMU_FAULT_OUT_OF_BOUNDS),
               "access of 4 bytes at byte 32 of row 1, slice 0 of a surface of 32 bytes, 4 rows and 1 slices"));
    ptxemu_device_close(d);
}

Test(texture, variables_are_named_when_nothing_is_bound)
{
    static const char text[] =
        KERNEL(".global .texref colours;\n", "tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [colours, {0f3F000000}];\n");
    ptxemu_device *d = open_device();
    const struct arguments a = with_handle(d, 0);

    cr_assert_not_null(
        strstr(fault_of(d, text, &a, PTXEMU_FAULT_BAD_HANDLE), "variable 'colours' is bound to no texture"));
    ptxemu_device_close(d);
}

Test(texture, what_a_variable_is_bound_to_stays)
{
    static const char text[] =
        KERNEL(".global .texref colours;\n", "tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [colours, {0f40200000}];\n");
    ptxemu_device *d = open_device();
    const struct arguments a = with_handle(d, 0);
    const uint64_t handle = texture(d, &shapes[0], &f32x4, 1, false);
    ptxemu_module *module;

    cr_assert_eq(ptxemu_module_load(d, "bound.ptx", text, strlen(text), &module), PTXEMU_OK);
    cr_assert_eq(ptxemu_module_bind(module, "colours", handle), PTXEMU_OK);
    cr_assert_eq(ptxemu_handle_destroy(d, handle), PTXEMU_OK);
    cr_assert_eq(run(module, &a), PTXEMU_OK, "%s", ptxemu_last_error(d));
    cr_assert_float_eq(((const float *)ptxemu_view(d, a.out, 64))[1], 2, 0);
    cr_assert_eq(ptxemu_module_bind(module, "colours", 0), PTXEMU_OK);
    cr_assert_eq(run(module, &a), PTXEMU_FAULT);
    cr_assert_eq(ptxemu_module_bind(module, "colours", handle), PTXEMU_BAD_INPUT);
    ptxemu_device_close(d);
}

/* --- device memory ------------------------------------------------------------------------------------------------ */
static const char fetch_linear[] = KERNEL("", "tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%rd1, {3}];\n");
static const char fetch_beyond[] = KERNEL("", "tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%rd1, {4}];\n");

static uint32_t fetched(ptxemu_device *d, const char *text, const struct arguments *a)
{
    ptxemu_module *module;

    cr_assert_eq(ptxemu_module_load(d, "linear.ptx", text, strlen(text), &module), PTXEMU_OK);
    cr_assert_eq(run(module, a), PTXEMU_OK, "%s", ptxemu_last_error(d));
    return *(const uint32_t *)ptxemu_view(d, a->out, 4);
}

Test(texture, linear_memory_is_read_as_long_as_it_is_there)
{
    static const uint32_t values[4] = {5, 6, 7, 8};
    ptxemu_device *d = open_device();
    ptxemu_texture_options o = clamped();
    uint64_t handle;

    cr_assert_eq(ptxemu_alloc(d, sizeof values, "texels", &o.address), PTXEMU_OK);
    cr_assert_eq(ptxemu_write(d, o.address, values, sizeof values), PTXEMU_OK);
    o.bytes = sizeof values;
    o.format = u32x1;
    cr_assert_eq(ptxemu_texture_create(d, &o, &handle), PTXEMU_OK);
    const struct arguments a = with_handle(d, handle);

    cr_assert_eq(fetched(d, fetch_linear, &a), 8);
    cr_assert_eq(fetched(d, fetch_beyond, &a), 0, "outside is zero");
    cr_assert_eq(ptxemu_free(d, o.address), PTXEMU_OK);
    fault_of(d, fetch_linear, &a, PTXEMU_FAULT_OUT_OF_BOUNDS);
    ptxemu_device_close(d);
}

/* --- descriptions ------------------------------------------------------------------------------------------------- */
Test(texture, contradictory_descriptions_are_refused)
{
    ptxemu_device *d = open_device();
    const ptxemu_array_options three_channels = {
        .size = sizeof three_channels, .format = {PTXEMU_UINT, 8, 3}, .width = 4};
    const ptxemu_array_options flat_cube = {
        .size = sizeof flat_cube, .format = u8x4, .width = 4, .height = 2, .layers = 6, .cube = true};
    ptxemu_texture_options o = clamped();
    ptxemu_array *array;
    uint64_t handle;

    cr_assert_eq(ptxemu_array_create(d, &three_channels, &array), PTXEMU_BAD_INPUT);
    cr_assert_eq(ptxemu_array_create(d, &flat_cube, &array), PTXEMU_BAD_INPUT);
    o.address = 4098;
    o.bytes = 64;
    o.format = u32x1;
    cr_assert_eq(ptxemu_texture_create(d, &o, &handle), PTXEMU_BAD_INPUT);
    cr_assert_str_eq(ptxemu_last_error(d), "the texels' address is not a multiple of their size");
    o.address = 4096;
    o.address_mode[1] = (ptxemu_address_mode)7;
    cr_assert_eq(ptxemu_texture_create(d, &o, &handle), PTXEMU_BAD_INPUT);
    o = clamped();
    o.size = 8;
    cr_assert_eq(ptxemu_texture_create(d, &o, &handle), PTXEMU_BAD_INPUT);
    ptxemu_device_close(d);
}
