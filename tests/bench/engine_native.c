/* Native C as an engine: works in the host's buffers, so uploading is a copy into its own. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

struct native_state {
    const struct bench_case *c;
    void **buffers; /* owned */
};

static bool native_open(const struct bench_case *c, unsigned host_threads, void **state)
{
    struct native_state *s = calloc(1, sizeof *s);

    (void)host_threads;
    *state = s;
    if (s == NULL) {
        return false;
    }
    s->c = c;
    s->buffers = bench_host_buffers(c);
    return true;
}

static bool native_upload(void *state, void *const *host)
{
    const struct native_state *s = state;

    for (size_t i = 0; i < bench_buffer_count(s->c); i++) {
        memcpy(s->buffers[i], host[i], s->c->buffers[i].count * 4);
    }
    return true;
}

static bool native_run(void *state)
{
    const struct native_state *s = state;

    s->c->native(s->c, s->buffers);
    return true;
}

static bool native_download(void *state, void *const *host)
{
    const struct native_state *s = state;

    for (size_t i = 0; i < bench_buffer_count(s->c); i++) {
        memcpy(host[i], s->buffers[i], s->c->buffers[i].count * 4);
    }
    return true;
}

static void native_close(void *state)
{
    struct native_state *s = state;

    bench_free_buffers(s->c, s->buffers);
    free(s);
}

const struct bench_engine bench_native = {
    .name = "native C",
    .open = native_open,
    .upload = native_upload,
    .run = native_run,
    .download = native_download,
    .close = native_close,
};
