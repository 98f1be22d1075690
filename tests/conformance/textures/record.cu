/*
 * Records the cases of cases.h on a GPU.  nvcc -O1 -std=c++17 -arch=sm_90 record*.cu -o record; ./record textures.bin
 *
 * The file: for every texture case, then every surface case, its results as little-endian words in the order of the samples
 * (the first `words` of each), and behind a surface case's results the bytes of the whole surface.  Every case is preceded by
 * one word, the number of words (bytes of a surface rounded up) that follow; a case that the runtime refused has none.
 */
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "record.h"

#define CHECK(call)                                                                               \
    do {                                                                                          \
        const cudaError_t error_ = (call);                                                             \
        if (error_ != cudaSuccess) {                                                                  \
            fprintf(stderr, "%s: %s: %s\n", current, #call, cudaGetErrorString(error_));               \
            return false;                                                                         \
        }                                                                                         \
    } while (0)

static const char *current = "";

/* Byte that answers are made of where a question cannot be asked. */
enum { UNANSWERED = 0xee };

void report(unsigned question, const char *of)
{
    const cudaError_t error_ = cudaDeviceSynchronize(), last = cudaGetLastError();

    if (error_ != cudaSuccess || last != cudaSuccess) {
        fprintf(stderr, "%s: %s question %u: %s\n", current, of, question, cudaGetErrorString(error_ != cudaSuccess ? error_ : last));
    }
}

/* --- host --------------------------------------------------------------------------------------------------------- */
static cudaChannelFormatDesc channel_desc(const tc_case &c)
{
    const int bits = (int)tc_texel_bytes(&c) / c.channels * 8;
    const cudaChannelFormatKind kind = c.format <= TC_U32   ? cudaChannelFormatKindUnsigned
                                       : c.format <= TC_S32 ? cudaChannelFormatKindSigned
                                                            : cudaChannelFormatKindFloat;

    return cudaCreateChannelDesc(bits, c.channels > 1 ? bits : 0, c.channels > 2 ? bits : 0, c.channels > 3 ? bits : 0, kind);
}

static unsigned array_flags(int geometry, int op)
{
    return (geometry >= TC_A1D && geometry != TC_CUBE ? cudaArrayLayered : 0u) |
           (geometry >= TC_CUBE ? cudaArrayCubemap : 0u) |
           (geometry == TC_2D && op >= TC_GATHER_R && op <= TC_GATHER_A ? cudaArrayTextureGather : 0u);
}

static std::vector<uint8_t> contents(const tc_case &c, unsigned level, unsigned extent[3])
{
    tc_extent(&c, level, extent);
    const uint32_t texels = extent[0] * extent[1] * extent[2];
    const unsigned bytes = tc_texel_bytes(&c);
    std::vector<uint8_t> data((size_t)texels * bytes);

    for (uint32_t i = 0; i < texels; i++) {
        tc_texel(&c, level, texels, i, data.data() + (size_t)i * bytes);
    }
    return data;
}

static bool fill_array(cudaArray_t array, const tc_case &c, unsigned level)
{
    unsigned extent[3];
    std::vector<uint8_t> data = contents(c, level, extent);
    cudaMemcpy3DParms p = {};

    p.srcPtr = make_cudaPitchedPtr(data.data(), (size_t)extent[0] * tc_texel_bytes(&c), extent[0], extent[1]);
    p.dstArray = array;
    p.extent = make_cudaExtent(extent[0], extent[1], extent[2]);
    p.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&p));
    return true;
}

static bool make_resource(const tc_case &c, cudaResourceDesc *r)
{
    const cudaChannelFormatDesc f = channel_desc(c);
    const cudaExtent e = make_cudaExtent(c.width, c.height, c.depth);
    unsigned extent[3];

    memset(r, 0, sizeof *r);
    if (c.resource == TC_ARRAY) {
        r->resType = cudaResourceTypeArray;
        CHECK(cudaMalloc3DArray(&r->res.array.array, &f, e, array_flags(c.geometry, c.op)));
        return fill_array(r->res.array.array, c, 0);
    }
    if (c.resource == TC_MIPMAP) {
        r->resType = cudaResourceTypeMipmappedArray;
        CHECK(cudaMallocMipmappedArray(&r->res.mipmap.mipmap, &f, e, c.levels, array_flags(c.geometry, c.op)));
        for (unsigned l = 0; l < c.levels; l++) {
            cudaArray_t level;

            CHECK(cudaGetMipmappedArrayLevel(&level, r->res.mipmap.mipmap, l));
            if (!fill_array(level, c, l)) {
                return false;
            }
        }
        return true;
    }
    std::vector<uint8_t> data = contents(c, 0, extent);

    if (c.resource == TC_LINEAR) {
        r->resType = cudaResourceTypeLinear;
        r->res.linear.desc = f;
        r->res.linear.sizeInBytes = data.size();
        CHECK(cudaMalloc(&r->res.linear.devPtr, data.size()));
        CHECK(cudaMemcpy(r->res.linear.devPtr, data.data(), data.size(), cudaMemcpyHostToDevice));
        return true;
    }
    const size_t row = (size_t)extent[0] * tc_texel_bytes(&c);

    r->resType = cudaResourceTypePitch2D;
    r->res.pitch2D.desc = f;
    r->res.pitch2D.width = extent[0];
    r->res.pitch2D.height = extent[1];
    CHECK(cudaMallocPitch(&r->res.pitch2D.devPtr, &r->res.pitch2D.pitchInBytes, row, extent[1]));
    CHECK(cudaMemcpy2D(r->res.pitch2D.devPtr, r->res.pitch2D.pitchInBytes, data.data(), row, row, extent[1], cudaMemcpyHostToDevice));
    return true;
}

static bool make_texture(const tc_case &c, const cudaResourceDesc &r, cudaTextureObject_t *t)
{
    static const cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder};
    cudaTextureDesc d;

    memset(&d, 0, sizeof d);
    for (int k = 0; k < 3; k++) {
        d.addressMode[k] = modes[c.address];
    }
    for (int k = 0; k < 4; k++) {
        d.borderColor[k] = 0.25f + 0.125f * (float)k;
    }
    d.filterMode = c.filter == TC_POINT ? cudaFilterModePoint : cudaFilterModeLinear;
    d.mipmapFilterMode = c.mip_filter == TC_POINT ? cudaFilterModePoint : cudaFilterModeLinear;
    d.readMode = c.as_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    d.normalizedCoords = c.normalized;
    d.sRGB = c.srgb;
    d.seamlessCubemap = c.seamless;
    d.mipmapLevelBias = c.bias;
    d.minMipmapLevelClamp = c.min_level;
    d.maxMipmapLevelClamp = c.max_level;
    CHECK(cudaCreateTextureObject(t, &r, &d, NULL));
    return true;
}

static bool run_texture(const tc_case &c, std::vector<uint32_t> *out)
{
    cudaResourceDesc r;
    cudaTextureObject_t t;
    std::vector<tc_sample> samples(c.n);
    std::vector<uint4> results(c.n);
    tc_sample *in;
    uint4 *words;

    if (!make_resource(c, &r) || !make_texture(c, r, &t)) {
        return false;
    }
    for (uint32_t i = 0; i < c.n; i++) {
        samples[i] = tc_at(&c, i);
    }
    CHECK(cudaMalloc(&in, c.n * sizeof(tc_sample)));
    CHECK(cudaMalloc(&words, c.n * sizeof(uint4)));
    CHECK(cudaMemcpy(in, samples.data(), c.n * sizeof(tc_sample), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(words, UNANSWERED, c.n * sizeof(uint4)));
    if (c.op == TC_QUERY) {
        launch_questions(t, words);
    } else if (!launch_fetch(c, t, in, words)) {
        fprintf(stderr, "%s: no kernel\n", current);
        return false;
    }
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(results.data(), words, c.n * sizeof(uint4), cudaMemcpyDeviceToHost));
    for (const uint4 &v : results) {
        const uint32_t w[4] = {v.x, v.y, v.z, v.w};

        out->insert(out->end(), w, w + c.words);
    }
    cudaFree(in);
    cudaFree(words);
    cudaDestroyTextureObject(t);
    return true;
}

static bool run_surface(const ts_case &c, std::vector<uint32_t> *out)
{
    const tc_case as_texture = ts_contents(&c);
    const cudaChannelFormatDesc f = channel_desc(as_texture);
    std::vector<ts_sample> samples(c.n);
    std::vector<uint4> results(c.n);
    cudaResourceDesc r;
    cudaSurfaceObject_t t;
    cudaMemcpy3DParms p = {};
    unsigned extent[3];
    ts_sample *in;
    uint4 *words;

    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    CHECK(cudaMalloc3DArray(&r.res.array.array, &f, make_cudaExtent(c.width, c.height, c.depth), array_flags(c.geometry, 0) | cudaArraySurfaceLoadStore));
    if (!fill_array(r.res.array.array, as_texture, 0)) {
        return false;
    }
    CHECK(cudaCreateSurfaceObject(&t, &r));
    for (uint32_t i = 0; i < c.n; i++) {
        samples[i] = ts_at(&c, i);
    }
    CHECK(cudaMalloc(&in, c.n * sizeof(ts_sample)));
    CHECK(cudaMalloc(&words, c.n * sizeof(uint4)));
    CHECK(cudaMemset(words, 0, c.n * sizeof(uint4)));
    CHECK(cudaMemcpy(in, samples.data(), c.n * sizeof(ts_sample), cudaMemcpyHostToDevice));
    if (c.op == TS_QUERY) {
        CHECK(cudaMemset(words, UNANSWERED, c.n * sizeof(uint4)));
        launch_surface_questions(t, words);
    } else if (!launch_visit(c, t, in, words)) {
        fprintf(stderr, "%s: no kernel\n", current);
        return false;
    }
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(results.data(), words, c.n * sizeof(uint4), cudaMemcpyDeviceToHost));
    for (const uint4 &v : results) {
        const uint32_t w[4] = {v.x, v.y, v.z, v.w};

        out->insert(out->end(), w, w + 4);
    }
    tc_extent(&as_texture, 0, extent);
    const size_t row = (size_t)extent[0] * tc_texel_bytes(&as_texture), bytes = row * extent[1] * extent[2];
    std::vector<uint8_t> whole((bytes + 3) & ~(size_t)3);

    p.srcArray = r.res.array.array;
    p.dstPtr = make_cudaPitchedPtr(whole.data(), row, extent[0], extent[1]);
    p.extent = make_cudaExtent(extent[0], extent[1], extent[2]);
    p.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&p));
    for (size_t at = 0; at < whole.size(); at += 4) {
        uint32_t w;

        memcpy(&w, &whole[at], 4);
        out->push_back(w);
    }
    return true;
}

int main(int argc, char **argv)
{
    FILE *file = fopen(argc > 1 ? argv[1] : "textures.bin", "wb");
    unsigned refused = 0;

    if (file == NULL) {
        perror("textures.bin");
        return 1;
    }
    for (unsigned i = 0; i < TC_COUNT + TS_COUNT; i++) {
        std::vector<uint32_t> words;

        current = i < TC_COUNT ? tc_cases[i].name : ts_cases[i - TC_COUNT].name;
        const bool ok = i < TC_COUNT ? run_texture(tc_cases[i], &words) : run_surface(ts_cases[i - TC_COUNT], &words);

        if (!ok) {
            words.clear();
            refused++;
            cudaGetLastError();
        }
        const uint32_t n = (uint32_t)words.size();

        fwrite(&n, 4, 1, file);
        fwrite(words.data(), 4, n, file);
    }
    fclose(file);
    printf("%u cases, %u refused\n", (unsigned)(TC_COUNT + TS_COUNT), refused);
    return 0;
}
