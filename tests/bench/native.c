/* See native.h.  Compiled by gcc with -O3 -march=native whatever compiler builds the rest. */
#include "native.h"

#include <math.h>
#include <string.h>

void native_vecadd(const struct bench_case *c, void *const *buffers)
{
    const float *restrict a = buffers[0], *restrict b = buffers[1];
    float *restrict sum = buffers[2];

    for (size_t i = 0; i < c->elements; i++) {
        sum[i] = a[i] + b[i];
    }
}

void native_saxpy(const struct bench_case *c, void *const *buffers)
{
    const float *restrict x = buffers[0];
    float *restrict y = buffers[1];
    float a;

    memcpy(&a, &c->scalars[0], sizeof a);
    for (size_t i = 0; i < c->elements; i++) {
        y[i] = a * x[i] + y[i];
    }
}

/* The tree of the kernels: pairs `step` apart, then half as far.  Each level is a vector loop. */
static void add_tree(float *part, size_t count)
{
    for (size_t step = count / 2; step > 0; step /= 2) {
        for (size_t i = 0; i < step; i++) {
            part[i] += part[i + step];
        }
    }
}

/* What each of 256 threads adds before they combine. */
static void add_columns(float part[256], const float *restrict in)
{
    memset(part, 0, 256 * sizeof *part);
    for (size_t row = 0; row < REDUCE_ELEMENTS; row += 256) {
        for (size_t i = 0; i < 256; i++) {
            part[i] += in[row + i];
        }
    }
}

void native_reduce_shared(const struct bench_case *c, void *const *buffers)
{
    const float *restrict in = buffers[0];
    float *restrict out = buffers[1];

    for (size_t p = 0; p < c->buffers[1].count; p++) {
        float part[256];

        add_columns(part, in + p * REDUCE_ELEMENTS);
        add_tree(part, 256);
        out[p] = part[0];
    }
}

void native_reduce_shfl(const struct bench_case *c, void *const *buffers)
{
    const float *restrict in = buffers[0];
    float *restrict out = buffers[1];

    for (size_t p = 0; p < c->buffers[1].count; p++) {
        float lane[256];
        float total = 0;

        add_columns(lane, in + p * REDUCE_ELEMENTS);
        for (size_t warp = 0; warp < 256; warp += 32) {
            add_tree(lane + warp, 32);
            total += lane[warp];
        }
        out[p] = total;
    }
}

/* Four histograms, so that equal neighbours do not wait for each other's store. */
void native_histogram(const struct bench_case *c, void *const *buffers)
{
    const uint32_t *restrict keys = buffers[0];
    uint32_t *restrict bins = buffers[1];
    uint32_t part[4][256] = {{0}};

    for (size_t i = 0; i < c->elements; i += 4) {
        part[0][keys[i] & 255]++;
        part[1][keys[i + 1] & 255]++;
        part[2][keys[i + 2] & 255]++;
        part[3][keys[i + 3] & 255]++;
    }
    for (size_t b = 0; b < 256; b++) {
        bins[b] += part[0][b] + part[1][b] + part[2][b] + part[3][b];
    }
}

/* One tile of C += tiles of A and B; the innermost loop is one vector. */
static void multiply_tiles(size_t n, const float *restrict a, const float *restrict b, float sum[16][16])
{
    for (size_t k = 0; k < 16; k++) {
        for (size_t i = 0; i < 16; i++) {
            for (size_t j = 0; j < 16; j++) {
                sum[i][j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
}

/* Tiles of 16 x 16, as in the kernel. */
void native_sgemm(const struct bench_case *c, void *const *buffers)
{
    const size_t n = c->scalars[0];
    const float *restrict a = buffers[0], *restrict b = buffers[1];
    float *restrict out = buffers[2];

    for (size_t row = 0; row < n; row += 16) {
        for (size_t column = 0; column < n; column += 16) {
            float sum[16][16] = {{0}};

            for (size_t k = 0; k < n; k += 16) {
                multiply_tiles(n, a + row * n + k, b + k * n + column, sum);
            }
            for (size_t i = 0; i < 16; i++) {
                memcpy(out + (row + i) * n + column, sum[i], sizeof sum[i]);
            }
        }
    }
}

void native_stencil(const struct bench_case *c, void *const *buffers)
{
    const size_t n = c->scalars[0];
    const float *restrict in = buffers[0];
    float *restrict out = buffers[1];

    memcpy(out, in, n * n * n * sizeof *out); /* the faces */
    for (size_t z = 1; z < n - 1; z++) {
        for (size_t y = 1; y < n - 1; y++) {
            const size_t row = (z * n + y) * n;

            for (size_t i = row + 1; i < row + n - 1; i++) {
                out[i] = 0.4f * in[i] +
                         0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n]);
            }
        }
    }
}

static uint32_t mandelbrot_point(float cx, float cy, uint32_t limit)
{
    float x = 0, y = 0;
    uint32_t n = 0;

    while (n < limit && x * x + y * y <= 4.0f) {
        const float next = x * x - y * y + cx;

        y = 2.0f * x * y + cy;
        x = next;
        n++;
    }
    return n;
}

void native_mandelbrot(const struct bench_case *c, void *const *buffers)
{
    const uint32_t size = c->scalars[0], limit = c->scalars[1];
    const float step = 3.0f / (float)size;
    uint32_t *restrict iterations = buffers[0];

    for (uint32_t py = 0; py < size; py++) {
        for (uint32_t px = 0; px < size; px++) {
            iterations[py * size + px] = mandelbrot_point(-2.2f + step * (float)px, -1.5f + step * (float)py, limit);
        }
    }
}

/* Sixteen bodies side by side, so that the loop over the others is a vector loop without reordering any sum. */
void native_nbody(const struct bench_case *c, void *const *buffers)
{
    enum { SIDE = 16 };
    const size_t n = c->scalars[0];
    const float(*restrict body)[4] = buffers[0];
    float(*restrict acceleration)[4] = buffers[1];

    for (size_t first = 0; first < n; first += SIDE) {
        float x[SIDE], y[SIDE], z[SIDE], ax[SIDE] = {0}, ay[SIDE] = {0}, az[SIDE] = {0};

        for (size_t i = 0; i < SIDE; i++) {
            x[i] = body[first + i][0];
            y[i] = body[first + i][1];
            z[i] = body[first + i][2];
        }
        for (size_t j = 0; j < n; j++) {
            for (size_t i = 0; i < SIDE; i++) {
                const float dx = body[j][0] - x[i], dy = body[j][1] - y[i], dz = body[j][2] - z[i];
                const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
                const float strength = body[j][3] * inverse * inverse * inverse;

                ax[i] += dx * strength;
                ay[i] += dy * strength;
                az[i] += dz * strength;
            }
        }
        for (size_t i = 0; i < SIDE; i++) {
            acceleration[first + i][0] = ax[i];
            acceleration[first + i][1] = ay[i];
            acceleration[first + i][2] = az[i];
            acceleration[first + i][3] = 0;
        }
    }
}

static inline uint32_t rotate(uint32_t v, int n)
{
    return v >> n | v << (32 - n);
}

static uint32_t sha_mix(uint32_t id)
{
    uint32_t w[16];
    uint32_t s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    for (uint32_t i = 0; i < 16; i++) {
        w[i] = id * 0x9e3779b9u + i;
    }
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t a = s[0], e = s[4], t = w[i % 16], w1 = w[(i + 1) % 16], w14 = w[(i + 14) % 16];
        const uint32_t t1 = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & s[5]) ^ (~e & s[6])) +
                            0x428a2f98u * (i + 1) + t;
        const uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));

        s[7] = s[6];
        s[6] = s[5];
        s[5] = e;
        s[4] = s[3] + t1;
        s[3] = s[2];
        s[2] = s[1];
        s[1] = a;
        s[0] = t1 + t2;
        w[i % 16] = t + (rotate(w1, 7) ^ rotate(w1, 18) ^ w1 >> 3) + w[(i + 9) % 16] +
                    (rotate(w14, 17) ^ rotate(w14, 19) ^ w14 >> 10);
    }
    return s[0] ^ s[1] ^ s[2] ^ s[3] ^ s[4] ^ s[5] ^ s[6] ^ s[7];
}

void native_sha_mix(const struct bench_case *c, void *const *buffers)
{
    uint32_t *restrict out = buffers[0];

    for (size_t i = 0; i < c->elements; i++) {
        out[i] = sha_mix((uint32_t)i);
    }
}

/* One chain after the other: each step waits for the load before it, as in the kernel's threads. */
void native_chase(const struct bench_case *c, void *const *buffers)
{
    const uint32_t *restrict next = buffers[0];
    uint32_t *restrict out = buffers[1];
    const size_t chains = c->buffers[1].count;

    for (size_t i = 0; i < chains; i++) {
        uint32_t at = (uint32_t)i;

        for (uint32_t step = 0; step < c->scalars[0]; step++) {
            at = next[at];
        }
        out[i] = at;
    }
}
