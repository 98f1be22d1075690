/*
 * Runs the cases of cases.h on the emulator, through PTX made for each, and compares every word with what a GPU gave.
 *
 *     textures RECORD        the cases whose results differ, and by how much; fails if one differs that need not (see
 * allowed) textures RECORD NAME   all differences of one case
 *
 * RECORD is the file that record.cu writes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ptxemu.h"

#include "cases.h"
#include "tests/conformance/recorded.h"

struct words {
    uint32_t *at;
    size_t count;
};

enum { UNANSWERED = 0xeeeeeeee, PTX_BYTES = 4096, QUESTIONS = 16 };

/* --- kernels ------------------------------------------------------------------------------------------------------ */
static const char *const geometry_words[] = {"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"};

/* Coordinates of each geometry; a layer comes first. */
static const char *const float_places[] = {"{%f0}",
                                           "{%f0,%f1}",
                                           "{%f0,%f1,%f2,%f2}",
                                           "{%r9,%f0}",
                                           "{%r9,%f0,%f1,%f1}",
                                           "{%f0,%f1,%f2,%f2}",
                                           "{%r9,%f0,%f1,%f2}"};
static const char *const integer_places[] = {
    "{%r6}", "{%r6,%r7}", "{%r6,%r7,%r8,%r8}", "{%r9,%r6}", "{%r9,%r6,%r7,%r7}", "", ""};
static const char *const gradients[] = {"{%f4},{%f7}", "{%f4,%f5},{%f7,%f8}", "{%f4,%f5,%f6,%f6},{%f7,%f8,%f9,%f9}"};
static const char *const questions[QUESTIONS] = {"width.b32 %r10,[%rd4]",          "height.b32 %r10,[%rd4]",
                                                 "depth.b32 %r10,[%rd4]",          "channel_data_type.b32 %r10,[%rd4]",
                                                 "channel_order.b32 %r10,[%rd4]",  "normalized_coords.b32 %r10,[%rd4]",
                                                 "array_size.b32 %r10,[%rd4]",     "num_mipmap_levels.b32 %r10,[%rd4]",
                                                 "num_samples.b32 %r10,[%rd4]",    "filter_mode.b32 %r10,[%rd4]",
                                                 "addr_mode_0.b32 %r10,[%rd4]",    "addr_mode_1.b32 %r10,[%rd4]",
                                                 "addr_mode_2.b32 %r10,[%rd4]",    "level.width.b32 %r10,[%rd4],1",
                                                 "level.height.b32 %r10,[%rd4],2", "level.width.b32 %r10,[%rd4],9"};
static const char *const surface_questions[] = {"width",         "height",     "depth",        "channel_data_type",
                                                "channel_order", "array_size", "memory_layout"};

#define HEAD                                                                                                         \
    ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 " \
    "t, .param .u32 n)\n"                                                                                            \
    "{\n.reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .f32 %f<12>; .reg .b16 %h<8>; .reg .pred %p<2>;\n"                  \
    "ld.param.u64 %rd1,[in]; ld.param.u64 %rd2,[out]; ld.param.u64 %rd4,[t]; ld.param.u32 %r0,[n];\n"                \
    "mov.u32 %r1,%ctaid.x; mov.u32 %r2,%ntid.x; mov.u32 %r3,%tid.x; mad.lo.u32 %r4,%r1,%r2,%r3;\n"                   \
    "mov.u32 %r10,0; mov.u32 %r11,0; mov.u32 %r12,0; mov.u32 %r13,0;\n"                                              \
    "setp.ge.u32 %p0,%r4,%r0; @%p0 ret; mul.wide.u32 %rd5,%r4,16; add.u64 %rd6,%rd2,%rd5;\n"
#define TAIL "st.global.v4.u32 [%rd6],{%r10,%r11,%r12,%r13};\nret;\n}\n"
#define LOADS                                                                                               \
    "mul.wide.u32 %rd7,%r4,56; add.u64 %rd7,%rd1,%rd7;\n"                                                   \
    "ld.global.f32 %f0,[%rd7]; ld.global.f32 %f1,[%rd7+4]; ld.global.f32 %f2,[%rd7+8];\n"                   \
    "ld.global.u32 %r6,[%rd7+12]; ld.global.u32 %r7,[%rd7+16]; ld.global.u32 %r8,[%rd7+20]; ld.global.u32 " \
    "%r9,[%rd7+24];\n"                                                                                      \
    "ld.global.f32 %f3,[%rd7+28]; ld.global.f32 %f4,[%rd7+32]; ld.global.f32 %f5,[%rd7+36]; ld.global.f32 " \
    "%f6,[%rd7+40];\n"                                                                                      \
    "ld.global.f32 %f7,[%rd7+44]; ld.global.f32 %f8,[%rd7+48]; ld.global.f32 %f9,[%rd7+52];\n"
_Static_assert(sizeof(struct tc_sample) == 56, "the kernels know the layout");

#define FOUR "{%%r10,%%r11,%%r12,%%r13}"

static void texture_ptx(const struct tc_case *c, unsigned question, char text[PTX_BYTES])
{
    const char *g = geometry_words[c->geometry], *at = float_places[c->geometry];
    char body[512];

    switch (c->op) {
    case TC_TEX:
        snprintf(body, sizeof body, "tex.%s.v4.u32.f32 " FOUR ",[%%rd4,%s];\n", g, at);
        break;
    case TC_FETCH:
        snprintf(body, sizeof body, "tex.%s.v4.u32.s32 " FOUR ",[%%rd4,%s];\n", g, integer_places[c->geometry]);
        break;
    case TC_LEVEL:
        snprintf(body, sizeof body, "tex.level.%s.v4.u32.f32 " FOUR ",[%%rd4,%s],%%f3;\n", g, at);
        break;
    case TC_GRAD:
        snprintf(body, sizeof body, "tex.grad.%s.v4.u32.f32 " FOUR ",[%%rd4,%s],%s;\n", g, at, gradients[c->geometry]);
        break;
    case TC_OFFSET:
        snprintf(body, sizeof body,
                 "tex.2d.v4.f32.f32 {%%f0,%%f1,%%f2,%%f3},[%%rd4,%s],{3,-2};\n"
                 "mov.b32 %%r10,%%f0; mov.b32 %%r11,%%f1; mov.b32 %%r12,%%f2; mov.b32 %%r13,%%f3;\n",
                 at);
        break;
    case TC_HALF:
        snprintf(body, sizeof body,
                 "tex.%s.v4.f16.f32 {%%h0,%%h1,%%h2,%%h3},[%%rd4,%s];\n"
                 "cvt.u32.u16 %%r10,%%h0; cvt.u32.u16 %%r11,%%h1; cvt.u32.u16 %%r12,%%h2; cvt.u32.u16 %%r13,%%h3;\n",
                 g, at);
        break;
    case TC_QUERY:
        snprintf(body, sizeof body, "txq.%s;\n", questions[question]);
        break;
    default:
        snprintf(body, sizeof body, "tld4.%c.%s.v4.u32.f32 " FOUR ",[%%rd4,%s];\n", "rgba"[c->op - TC_GATHER_R], g, at);
        break;
    }
    snprintf(text, PTX_BYTES, "%s%s%s%s", HEAD, c->op == TC_QUERY ? "" : LOADS, body, TAIL);
}

static void surface_body(const struct ts_case *c, char *body, size_t size)
{
    static const char *const places[] = {"{%r6}", "{%r6,%r7}", "{%r6,%r7,%r8,%r8}", "{%r8,%r6}", "{%r8,%r6,%r7,%r7}"};
    const char *g = geometry_words[c->geometry], *at = places[c->geometry],
               *b = c->bounds == TS_CLAMP ? "clamp" : "zero";

    switch (c->op) {
    case TS_LOAD:
        if (c->parts == 4 && c->bytes == 4) {
            snprintf(
                body, size,
                "suld.b.%s.v4.b8.%s {%%h0,%%h1,%%h2,%%h3},[%%rd4,%s];\n"
                "cvt.u32.u16 %%r10,%%h0; cvt.u32.u16 %%r11,%%h1; cvt.u32.u16 %%r12,%%h2; cvt.u32.u16 %%r13,%%h3;\n",
                g, b, at);
        } else if (c->parts == 4) {
            snprintf(body, size, "suld.b.%s.v4.b32.%s " FOUR ",[%%rd4,%s];\n", g, b, at);
        } else if (c->parts == 2) {
            snprintf(body, size,
                     "suld.b.%s.v2.b16.%s {%%h0,%%h1},[%%rd4,%s];\ncvt.u32.u16 %%r10,%%h0; cvt.u32.u16 %%r11,%%h1;\n",
                     g, b, at);
        } else if (c->bytes == 1) {
            snprintf(body, size, "suld.b.%s.b8.%s {%%h0},[%%rd4,%s];\ncvt.u32.u16 %%r10,%%h0;\n", g, b, at);
        } else if (c->bytes == 4) {
            snprintf(body, size, "suld.b.%s.b32.%s {%%r10},[%%rd4,%s];\n", g, b, at);
        } else {
            snprintf(body, size, "suld.b.%s.b64.%s {%%rd8},[%%rd4,%s];\nmov.b64 {%%r10,%%r11},%%rd8;\n", g, b, at);
        }
        break;
    case TS_STORE:
        if (c->parts == 4) {
            snprintf(body, size,
                     "cvt.u16.u32 %%h0,%%r14; cvt.u16.u32 %%h1,%%r15; cvt.u16.u32 %%h2,%%r16; cvt.u16.u32 %%h3,%%r17;\n"
                     "sust.b.%s.v4.b8.%s [%%rd4,%s],{%%h0,%%h1,%%h2,%%h3};\n",
                     g, b, at);
        } else {
            snprintf(body, size, "sust.b.%s.%s.%s [%%rd4,%s],%s;\n", g, c->parts == 2 ? "v2.b32" : "b32", b, at,
                     c->parts == 2 ? "{%r14,%r15}" : "{%r14}");
        }
        break;
    case TS_STORE_P:
        snprintf(body, size, "sust.p.%s.v4.b32.%s [%%rd4,%s],{%%r14,%%r15,%%r16,%%r17};\n", g, b, at);
        break;
    default: {
        static const char *const words[] = {[TS_ADD] = "b.add", [TS_MIN_S] = "b.min", [TS_MAX_U] = "b.max",
                                            [TS_AND] = "b.and", [TS_OR] = "b.or",     [TS_ADD_P] = "p.add"};
        static const char *const types[] = {[TS_ADD] = "u32", [TS_MIN_S] = "s32", [TS_MAX_U] = "u32",
                                            [TS_AND] = "b32", [TS_OR] = "b32",    [TS_ADD_P] = "b32"};

        snprintf(body, size, "sured.%s.%s.%s.%s [%%rd4,%s],%%r14;\n", words[c->op], g, types[c->op], b, at);
        break;
    }
    }
}

#define SURFACE_LOADS                                                                                          \
    "mul.wide.u32 %rd7,%r4,28; add.u64 %rd7,%rd1,%rd7;\n"                                                      \
    "ld.global.u32 %r6,[%rd7]; ld.global.u32 %r7,[%rd7+4]; ld.global.u32 %r8,[%rd7+8];\n"                      \
    "ld.global.u32 %r14,[%rd7+12]; ld.global.u32 %r15,[%rd7+16]; ld.global.u32 %r16,[%rd7+20]; ld.global.u32 " \
    "%r17,[%rd7+24];\n"
/* Stores are made in the order of the samples, by one thread. */
#define LOOP_HEAD "@%p0 ret; setp.ne.u32 %p1,%r4,0; @%p1 ret;\nagain:\n"
#define LOOP_TAIL "add.u32 %r4,%r4,1; setp.lt.u32 %p1,%r4,%r0; @%p1 bra again;\nret;\n}\n"
_Static_assert(sizeof(struct ts_sample) == 28, "the kernels know the layout");

static void surface_ptx(const struct ts_case *c, unsigned question, char text[PTX_BYTES])
{
    const bool ordered = c->op == TS_STORE || c->op == TS_STORE_P;
    char body[512];

    if (c->op == TS_QUERY) {
        snprintf(text, PTX_BYTES, "%ssuq.%s.b32 %%r10,[%%rd4];\n%s", HEAD, surface_questions[question], TAIL);
        return;
    }
    surface_body(c, body, sizeof body);
    snprintf(text, PTX_BYTES, "%s%s%s%s%s", HEAD, ordered ? LOOP_HEAD : "", SURFACE_LOADS, body,
             ordered ? LOOP_TAIL : TAIL);
}

/* --- running ------------------------------------------------------------------------------------------------------ */
static const char *current = "";

static void must(ptxemu_device *d, ptxemu_status status)
{
    if (status != PTXEMU_OK) {
        fprintf(stderr, "%s: %s\n", current, ptxemu_last_error(d));
        exit(1);
    }
}

struct arguments {
    uint64_t in, out, handle;
    uint32_t n;
};

static void launch(ptxemu_device *d, const char *text, const struct arguments *a)
{
    ptxemu_module *module;
    ptxemu_launch l = {
        .size = sizeof l, .grid = {(a->n + 127) / 128, 1, 1}, .block = {128, 1, 1}, .params = a, .params_bytes = 28};

    if (ptxemu_module_load(d, "case", text, strlen(text), &module) != PTXEMU_OK) {
        fprintf(stderr, "%s:\n%s\n%s\n", current, text, ptxemu_last_error(d));
        exit(1);
    }
    must(d, ptxemu_run(ptxemu_kernel_at(module, 0), &l));
    ptxemu_module_unload(module);
}

static ptxemu_format format_of(const struct tc_case *c)
{
    const ptxemu_channel_kind kind = c->format <= TC_U32   ? PTXEMU_UINT
                                     : c->format <= TC_S32 ? PTXEMU_SINT
                                                           : PTXEMU_FLOAT;

    return (ptxemu_format){kind, tc_texel_bytes(c) / c->channels * 8, c->channels};
}

static void fill(const struct tc_case *c, unsigned level, uint8_t *bytes, size_t row_bytes)
{
    unsigned extent[3];

    tc_extent(c, level, extent);
    for (uint32_t i = 0; i < extent[0] * extent[1] * extent[2]; i++) {
        tc_texel(c, level, extent[0] * extent[1] * extent[2], i,
                 bytes + i / extent[0] * row_bytes + (size_t)(i % extent[0]) * tc_texel_bytes(c));
    }
}

static ptxemu_array *make_array(ptxemu_device *d, const struct tc_case *c)
{
    const bool layered = c->geometry >= TC_A1D;
    const ptxemu_array_options o = {.size = sizeof o,
                                    .format = format_of(c),
                                    .width = c->width,
                                    .height = c->height,
                                    .depth = layered ? 0 : c->depth,
                                    .layers = layered ? c->depth : 0,
                                    .cube = c->geometry >= TC_CUBE,
                                    .levels = c->levels};
    ptxemu_array *array;

    must(d, ptxemu_array_create(d, &o, &array));
    for (unsigned level = 0; level < c->levels; level++) {
        size_t bytes;
        unsigned extent[3];

        tc_extent(c, level, extent);
        fill(c, level, ptxemu_array_texels(array, level, &bytes), (size_t)extent[0] * tc_texel_bytes(c));
    }
    return array;
}

static uint64_t make_texture(ptxemu_device *d, const struct tc_case *c)
{
    static const ptxemu_address_mode modes[] = {PTXEMU_WRAP, PTXEMU_CLAMP, PTXEMU_MIRROR, PTXEMU_BORDER};
    const uint64_t row = (uint64_t)c->width * tc_texel_bytes(c);
    ptxemu_texture_options o = {.size = sizeof o,
                                .linear = c->filter == TC_LINEAR_FILTER,
                                .mip_linear = c->mip_filter == TC_LINEAR_FILTER,
                                .normalized = c->normalized,
                                .as_float = c->as_float,
                                .srgb = c->srgb,
                                .seamless = c->seamless,
                                .border = {0.25f, 0.375f, 0.5f, 0.625f},
                                .level_bias = c->bias,
                                .level_least = c->min_level,
                                .level_most = c->max_level};
    uint64_t handle;

    for (int k = 0; k < 3; k++) {
        o.address_mode[k] = modes[c->address];
    }
    if (c->resource == TC_ARRAY || c->resource == TC_MIPMAP) {
        o.array = make_array(d, c);
    } else {
        o.format = format_of(c);
        o.pitch = c->resource == TC_PITCH ? (row + 511) / 512 * 512 : 0;
        o.width = c->width;
        o.height = c->height;
        o.bytes = c->resource == TC_PITCH ? o.pitch * c->height : row;
        must(d, ptxemu_alloc(d, o.bytes, "texels", &o.address));
        fill(c, 0, ptxemu_view(d, o.address, o.bytes), c->resource == TC_PITCH ? o.pitch : row);
    }
    must(d, ptxemu_texture_create(d, &o, &handle));
    if (o.array != NULL) {
        ptxemu_array_release(o.array);
    }
    return handle;
}

/* Results, four words of each sample. */
static uint32_t *buffers(ptxemu_device *d, size_t sample_bytes, uint32_t n, struct arguments *a, void **samples)
{
    a->n = n;
    must(d, ptxemu_alloc(d, sample_bytes * n, "samples", &a->in));
    must(d, ptxemu_alloc(d, (uint64_t)16 * n, "results", &a->out));
    *samples = ptxemu_view(d, a->in, sample_bytes * n);
    return ptxemu_view(d, a->out, (uint64_t)16 * n);
}

static void run_texture(ptxemu_device *d, const struct tc_case *c, struct words *w)
{
    struct arguments a = {.handle = make_texture(d, c)};
    char text[PTX_BYTES];
    void *samples;
    uint32_t *out = buffers(d, sizeof(struct tc_sample), c->n, &a, &samples);

    for (uint32_t i = 0; i < c->n; i++) {
        ((struct tc_sample *)samples)[i] = tc_at(c, i);
    }
    for (unsigned question = 0; question < (c->op == TC_QUERY ? QUESTIONS : 1); question++) {
        struct arguments one = a;

        one.out = a.out + 16 * question;
        one.n = c->op == TC_QUERY ? 1 : a.n;
        texture_ptx(c, question, text);
        launch(d, text, &one);
    }
    for (uint32_t i = 0; i < c->n; i++) {
        for (unsigned k = 0; k < c->words; k++) {
            w->at[w->count++] = out[4 * i + k];
        }
    }
    ptxemu_free(d, a.in);
    ptxemu_free(d, a.out);
    must(d, ptxemu_handle_destroy(d, a.handle));
}

static void run_surface(ptxemu_device *d, const struct ts_case *c, struct words *w)
{
    const struct tc_case contents = ts_contents(c);
    ptxemu_array *array = make_array(d, &contents);
    struct arguments a;
    char text[PTX_BYTES];
    void *samples;
    uint32_t *out = buffers(d, sizeof(struct ts_sample), c->n, &a, &samples);
    size_t bytes;

    must(d, ptxemu_surface_create(d, array, 0, &a.handle));
    for (uint32_t i = 0; i < c->n; i++) {
        ((struct ts_sample *)samples)[i] = ts_at(c, i);
    }
    for (unsigned question = 0; question < (c->op == TS_QUERY ? 7 : 1); question++) {
        struct arguments one = a;

        one.out = a.out + 16 * question;
        one.n = c->op == TS_QUERY ? 1 : a.n;
        surface_ptx(c, question, text);
        launch(d, text, &one);
    }
    memcpy(w->at, out, (size_t)16 * c->n);
    const void *texels = ptxemu_array_texels(array, 0, &bytes);

    w->at[4 * c->n + bytes / 4] = 0;
    memcpy(w->at + 4 * c->n, texels, bytes);
    w->count = 4 * (size_t)c->n + (bytes + 3) / 4;
    ptxemu_free(d, a.in);
    ptxemu_free(d, a.out);
    must(d, ptxemu_handle_destroy(d, a.handle));
    ptxemu_array_release(array);
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */
struct difference {
    size_t words;
    double most; /* of those that are numbers */
};

static double number(uint32_t bits)
{
    return (double)tc_float(bits);
}

static struct difference compare(const struct words *got, const uint32_t *want, bool tell, const struct tc_case *c)
{
    struct difference d = {0, 0};

    for (size_t i = 0; i < got->count; i++) {
        if (want[i] == got->at[i] || want[i] == UNANSWERED) {
            continue;
        }
        d.words++;
        const double apart = fabs(number(want[i]) - number(got->at[i]));

        d.most = apart > d.most ? apart : d.most;
        if (tell) {
            const unsigned each = c == NULL ? 4 : c->words;
            const struct tc_sample s = c != NULL ? tc_at(c, (uint32_t)(i / each)) : (struct tc_sample){0};

            printf("  %zu.%zu at (%.9g %.9g %.9g) (%d %d %d) layer %d level %g: 0x%08x (%.9g), not 0x%08x (%.9g)\n",
                   i / each, i % each, (double)s.x[0], (double)s.x[1], (double)s.x[2], s.i[0], s.i[1], s.i[2], s.layer,
                   (double)s.level, want[i], number(want[i]), got->at[i], number(got->at[i]));
        }
    }
    return d;
}

/* The level that gradients ask for is estimated in another way than the GPU's: see docs/deviations.md. */
static size_t may_differ(const struct tc_case *c)
{
    if (c == NULL || c->op != TC_GRAD) {
        return 0;
    }
    return c->geometry == TC_1D ? 360 : c->geometry == TC_2D ? 770 : 430;
}

/* Compare one case, whose `n` words are recorded; how many differ that must not. */
static size_t check(ptxemu_device *d, unsigned number, const uint32_t *want, size_t n, bool tell)
{
    static uint32_t storage[1 << 17];
    const struct tc_case *c = number < TC_COUNT ? &tc_cases[number] : NULL;
    struct words got = {storage, 0};

    if (c != NULL) {
        run_texture(d, c, &got);
    } else {
        run_surface(d, &ts_cases[number - TC_COUNT], &got);
    }
    if (got.count != n) {
        fprintf(stderr, "%s: %zu words are recorded, not %zu\n", current, n, got.count);
        return n;
    }
    const struct difference found = compare(&got, want, tell, c);

    if (found.words != 0) {
        printf("%-24s %zu of %zu words differ, at most by %g%s\n", current, found.words, n, found.most,
               found.words <= may_differ(c) ? ": known" : "");
    }
    return found.words <= may_differ(c) ? 0 : found.words;
}

static const char *name_of(unsigned number)
{
    return number < TC_COUNT ? tc_cases[number].name : ts_cases[number - TC_COUNT].name;
}

int main(int argc, char **argv)
{
    const struct blob record = argc > 1 ? recorded_packed(argv[1], "textures.bin") : (struct blob){0};
    const uint32_t *words = (const uint32_t *)record.bytes;
    const size_t count = record.size / sizeof *words;
    ptxemu_device *device;
    size_t at = 0, compared = 0, different = 0;

    if (words == NULL || ptxemu_device_open(NULL, &device, NULL) != PTXEMU_OK) {
        fprintf(stderr, "no record\n");
        return 1;
    }
    for (unsigned i = 0; i < TC_COUNT + TS_COUNT; i++) {
        const size_t n = at < count ? words[at] : 0;

        current = name_of(i);
        if (n == 0 || n > count - at - 1) {
            fprintf(stderr, "%s: not recorded\n", current);
            return 1;
        }
        if (argc == 2 || strcmp(argv[2], current) == 0) {
            different += check(device, i, words + at + 1, n, argc > 2);
            compared += n;
        }
        at += n + 1;
    }
    printf("%zu words compared, %zu differ that must not\n", compared, different);
    ptxemu_device_close(device);
    free(record.bytes);
    return different != 0;
}
