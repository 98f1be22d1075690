/*
 * The benchmark cases: which kernel, on how much data.  Sizes are chosen so that one run of ptxemu takes some tenths of
 * a second, and inputs are fixed so that every run does the same work.
 */
#include "bench.h"
#include "native.h"

#include <string.h>

/* 32 well mixed bits from an index (the finaliser of MurmurHash3). */
static uint32_t mix(uint32_t v)
{
    v ^= v >> 16;
    v *= 0x85ebca6bu;
    v ^= v >> 13;
    v *= 0xc2b2ae35u;
    return v ^ (v >> 16);
}

static void fill_unit_floats(void *data, size_t count)
{
    float *f = data;

    for (size_t i = 0; i < count; i++) {
        f[i] = (float)(mix((uint32_t)i) >> 8) * 0x1p-24f;
    }
}

static void fill_words(void *data, size_t count)
{
    uint32_t *w = data;

    for (size_t i = 0; i < count; i++) {
        w[i] = mix((uint32_t)i);
    }
}

/* One cycle through all elements in random order, so that no chain of links is short (Sattolo's shuffle). */
static void fill_cycle(void *data, size_t count)
{
    uint32_t *next = data;

    for (size_t i = 0; i < count; i++) {
        next[i] = (uint32_t)i;
    }
    for (size_t i = count - 1; i > 0; i--) {
        size_t j = mix((uint32_t)i) % i;
        uint32_t kept = next[i];

        next[i] = next[j];
        next[j] = kept;
    }
}

/* How large each kind of problem is. */
struct sizes {
    uint32_t vector; /* elements */
    uint32_t matrix; /* rows and columns */
    uint32_t bodies;
    uint32_t picture; /* pixels a side */
    uint32_t cube;    /* points a side */
    uint32_t hashes;
    uint32_t chains;
};

static const struct sizes full_sizes = {.vector = 1 << 24,
                                        .matrix = 512,
                                        .bodies = 4096,
                                        .picture = 1024,
                                        .cube = 192,
                                        .hashes = 1 << 17,
                                        .chains = 1 << 14};
static const struct sizes quick_sizes = {
    .vector = 1 << 18, .matrix = 128, .bodies = 1024, .picture = 128, .cube = 64, .hashes = 1 << 12, .chains = 1 << 10};

enum {
    CHASE_TABLE = 1 << 18, /* links of 4 bytes: a table that fits in a level-2 cache */
    CHASE_STEPS = 256,
    HISTOGRAM_PER_THREAD = 16,
    MANDELBROT_LIMIT = 256,
    FLOAT_BITS_2_5 = 0x40200000,
};

#define INPUT(n, t, f)                         \
    {                                          \
        .count = (n), .type = (t), .fill = (f) \
    }
#define OUTPUT(n, t)                              \
    {                                             \
        .count = (n), .type = (t), .output = true \
    }
#define F32 BENCH_F32
#define U32 BENCH_U32

static size_t vector_cases(uint32_t n, struct bench_case *out)
{
    const struct bench_case cases[] = {
        {.name = "vecadd",
         .grid = {n / 256, 1, 1},
         .block = {256, 1, 1},
         .buffers = {INPUT(n, F32, fill_unit_floats), INPUT(n, F32, fill_unit_floats), OUTPUT(n, F32)},
         .scalars = {n},
         .scalar_count = 1,
         .elements = n,
         .native = native_vecadd},
        {.name = "saxpy",
         .grid = {n / 256, 1, 1},
         .block = {256, 1, 1},
         .buffers = {INPUT(n, F32, fill_unit_floats),
                     {.count = n, .type = F32, .output = true, .fill = fill_unit_floats}},
         .scalars = {FLOAT_BITS_2_5, n},
         .scalar_count = 2,
         .elements = n,
         .native = native_saxpy,
         .tolerance = 1e-6},
        {.name = "reduce_shfl",
         .grid = {n / REDUCE_ELEMENTS, 1, 1},
         .block = {256, 1, 1},
         .buffers = {INPUT(n, F32, fill_unit_floats), OUTPUT(n / REDUCE_ELEMENTS, F32)},
         .elements = n,
         .native = native_reduce_shfl,
         .tolerance = 1e-5},
        {.name = "reduce_shared",
         .grid = {n / REDUCE_ELEMENTS, 1, 1},
         .block = {256, 1, 1},
         .buffers = {INPUT(n, F32, fill_unit_floats), OUTPUT(n / REDUCE_ELEMENTS, F32)},
         .elements = n,
         .native = native_reduce_shared,
         .tolerance = 1e-5},
        {.name = "histogram",
         .grid = {n / 256 / HISTOGRAM_PER_THREAD, 1, 1},
         .block = {256, 1, 1},
         .buffers = {INPUT(n, U32, fill_words), OUTPUT(256, U32)},
         .scalars = {HISTOGRAM_PER_THREAD},
         .scalar_count = 1,
         .elements = n,
         .native = native_histogram},
    };

    memcpy(out, cases, sizeof cases);
    return sizeof cases / sizeof *cases;
}

static size_t field_cases(const struct sizes *s, struct bench_case *out)
{
    const uint32_t n = s->matrix;
    const size_t area = (size_t)n * n, points = (size_t)s->cube * s->cube * s->cube;
    const size_t pixels = (size_t)s->picture * s->picture;
    const struct bench_case cases[] = {
        {.name = "sgemm",
         .grid = {n / 16, n / 16, 1},
         .block = {16, 16, 1},
         .buffers = {INPUT(area, F32, fill_unit_floats), INPUT(area, F32, fill_unit_floats), OUTPUT(area, F32)},
         .scalars = {n},
         .scalar_count = 1,
         .elements = area * n,
         .native = native_sgemm,
         .tolerance = 1e-4,
         .many_ctas = true},
        {.name = "stencil",
         .grid = {s->cube / 32, s->cube / 4, s->cube / 2},
         .block = {32, 4, 2},
         .buffers = {INPUT(points, F32, fill_unit_floats), OUTPUT(points, F32)},
         .scalars = {s->cube},
         .scalar_count = 1,
         .elements = points,
         .native = native_stencil,
         .tolerance = 1e-5,
         .many_ctas = true},
        {.name = "mandelbrot",
         .grid = {s->picture / 16, s->picture / 16, 1},
         .block = {16, 16, 1},
         .buffers = {OUTPUT(pixels, U32)},
         .scalars = {s->picture, MANDELBROT_LIMIT},
         .scalar_count = 2,
         .elements = pixels,
         .native = native_mandelbrot,
         .may_differ = 0.02,
         .many_ctas = true},
    };

    memcpy(out, cases, sizeof cases);
    return sizeof cases / sizeof *cases;
}

static size_t item_cases(const struct sizes *s, struct bench_case *out)
{
    const size_t coordinates = (size_t)s->bodies * 4;
    const struct bench_case cases[] = {
        {.name = "nbody",
         .grid = {s->bodies / 256, 1, 1},
         .block = {256, 1, 1},
         .buffers = {INPUT(coordinates, F32, fill_unit_floats), OUTPUT(coordinates, F32)},
         .scalars = {s->bodies},
         .scalar_count = 1,
         .elements = (uint64_t)s->bodies * s->bodies,
         .native = native_nbody,
         .tolerance = 2e-3,
         .may_differ = 0.01,
         .many_ctas = true},
        {.name = "sha_mix",
         .grid = {s->hashes / 256, 1, 1},
         .block = {256, 1, 1},
         .buffers = {OUTPUT(s->hashes, U32)},
         .elements = s->hashes,
         .native = native_sha_mix,
         .many_ctas = true},
        {.name = "chase",
         .grid = {s->chains / 256, 1, 1},
         .block = {256, 1, 1},
         .buffers = {INPUT(CHASE_TABLE, U32, fill_cycle), OUTPUT(s->chains, U32)},
         .scalars = {CHASE_STEPS},
         .scalar_count = 1,
         .elements = (uint64_t)s->chains * CHASE_STEPS,
         .native = native_chase,
         .many_ctas = true},
    };

    memcpy(out, cases, sizeof cases);
    return sizeof cases / sizeof *cases;
}

size_t bench_make_cases(bool quick, struct bench_case *cases)
{
    const struct sizes *sizes = quick ? &quick_sizes : &full_sizes;
    size_t count = vector_cases(sizes->vector, cases);

    count += field_cases(sizes, cases + count);
    count += item_cases(sizes, cases + count);
    return count;
}

size_t bench_buffer_count(const struct bench_case *c)
{
    size_t count = 0;

    while (count < BENCH_MAX_BUFFERS && c->buffers[count].count > 0) {
        count++;
    }
    return count;
}
