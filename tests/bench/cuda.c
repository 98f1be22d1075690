/*
 * What calls of CUDA cost beside the work they ask for: launches, queueing, copies against the C library's memcpy,
 * streams that run beside each other, graphs, allocations.  A program of the runtime library like any other; only
 * wall-clock times, each the best of several series.  --quick shows that it runs; its times say nothing.
 */
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SERIES = 5, ENOUGH_US = 1000000, QUEUED = 10000, NODES = 100 };

/* empty(p) does nothing; turn(out, n) computes for n turns in each thread. */
static const char text[] =
    ".version 8.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry empty(.param .u64 p)\n{\n    ret;\n}\n"
    ".visible .entry turn(.param .u64 out, .param .u32 n)\n"
    "{\n"
    "    .reg .pred %p<2>;\n    .reg .b32 %r<4>;\n    .reg .b64 %rd<2>;\n"
    "    ld.param.u64 %rd1, [out];\n    ld.param.u32 %r1, [n];\n    mov.u32 %r2, %tid.x;\n"
    "again:\n"
    "    mad.lo.u32 %r2, %r2, 1664525, 1013904223;\n    sub.u32 %r1, %r1, 1;\n    setp.ne.u32 %p1, %r1, 0;\n"
    "    @%p1 bra again;\n    st.global.u32 [%rd1], %r2;\n    ret;\n"
    "}\n";

static const void *empty, *turn;
static unsigned scale = 1; /* divides all counts */

static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}

#define CHECK(call) check(call, __LINE__)

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

/* The shortest time of `work(argument)`: of many short series one is undisturbed even where other programs run. */
static double best_us(void (*work)(void *), void *argument)
{
    const double end = now_us() + (double)ENOUGH_US / scale;
    double least = 1e30;

    for (int i = 0; i < SERIES || now_us() < end; i++) {
        const double start = now_us();

        work(argument);
        const double us = now_us() - start;

        least = us < least ? us : least;
    }
    return least;
}

static dim3 extent(unsigned x)
{
    dim3 d;

    d.x = x;
    d.y = d.z = 1;
    return d;
}

static void launch_empty(cudaStream_t stream)
{
    void *p = NULL;
    void *arguments[] = {&p};

    CHECK(cudaLaunchKernel(empty, extent(1), extent(32), arguments, 0, stream));
}

/* --- launches --------------------------------------------------------------------------------- */
struct launches {
    cudaStream_t stream;
    unsigned count;
    bool wait_each;
};

static void launch_many(void *argument)
{
    const struct launches *l = argument;

    for (unsigned i = 0; i < l->count; i++) {
        launch_empty(l->stream);
        if (l->wait_each) {
            CHECK(cudaStreamSynchronize(l->stream));
        }
    }
    CHECK(cudaStreamSynchronize(l->stream));
}

static void measure_launches(void)
{
    struct launches l = {.count = 1000 / scale};

    printf("%-54s %9.2f us\n", "empty kernel, in a loop", best_us(launch_many, &l) / l.count);
    l.wait_each = true;
    printf("%-54s %9.2f us\n", "empty kernel, waiting for each", best_us(launch_many, &l) / l.count);
    CHECK(cudaStreamCreate(&l.stream));
    l.wait_each = false;
    printf("%-54s %9.2f us\n", "empty kernel, in a loop, own stream", best_us(launch_many, &l) / l.count);
    CHECK(cudaStreamDestroy(l.stream));
}

/* --- queueing --------------------------------------------------------------------------------- */
/* KiB of memory that the process occupies. */
static long resident_kib(void)
{
    long pages = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");

    if (f == NULL || fscanf(f, "%ld %ld", &pages, &resident) != 2) {
        resident = 0;
    }
    if (f != NULL) {
        fclose(f);
    }
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Launches of a kernel that takes long enough for the queue to fill. */
static void measure_queue(void)
{
    const unsigned count = QUEUED / scale;
    void *out = NULL;
    unsigned turns = 2000;
    void *arguments[] = {&out, &turns};
    cudaStream_t stream;
    long before, most = 0;

    CHECK(cudaMalloc(&out, 4));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaLaunchKernel(turn, extent(1), extent(32), arguments, 0, stream));
    CHECK(cudaStreamSynchronize(stream));
    before = resident_kib();
    for (unsigned i = 0; i < count; i++) {
        CHECK(cudaLaunchKernel(turn, extent(1), extent(32), arguments, 0, stream));
        if (i % 500 == 499) {
            const long now = resident_kib();

            most = now > most ? now : most;
        }
    }
    CHECK(cudaStreamSynchronize(stream));
    printf("%-54s %9ld KiB\n", "memory that 10000 queued launches take", most > before ? most - before : 0);
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(out));
}

/* --- copies ----------------------------------------------------------------------------------- */
struct copy {
    void *to;
    const void *from;
    size_t bytes;
    unsigned times;
    enum cudaMemcpyKind kind;
};

static void copy_by_cuda(void *argument)
{
    const struct copy *c = argument;

    for (unsigned i = 0; i < c->times; i++) {
        CHECK(cudaMemcpy(c->to, c->from, c->bytes, c->kind));
    }
    CHECK(cudaDeviceSynchronize());
}

static void copy_by_c(void *argument)
{
    const struct copy *c = argument;

    for (unsigned i = 0; i < c->times; i++) {
        memcpy(c->to, c->from, c->bytes);
        __asm__ volatile("" : : "r"(c->to) : "memory"); /* somebody may look at each */
    }
}

static void measure_copies_of(size_t bytes, unsigned times)
{
    static const char *const names[] = {[cudaMemcpyHostToDevice] = "host to device",
                                        [cudaMemcpyDeviceToHost] = "device to host",
                                        [cudaMemcpyDeviceToDevice] = "device to device"};
    void *host = malloc(bytes), *other = malloc(bytes), *device = NULL, *second = NULL;

    CHECK(host != NULL && other != NULL ? cudaSuccess : cudaErrorMemoryAllocation);
    CHECK(cudaMalloc(&device, bytes));
    CHECK(cudaMalloc(&second, bytes));
    memset(host, 1, bytes);
    memset(other, 2, bytes);
    CHECK(cudaMemset(device, 3, bytes));
    CHECK(cudaMemset(second, 4, bytes));
    struct copy plain = {other, host, bytes, times, cudaMemcpyHostToHost};
    struct copy copies[] = {{device, host, bytes, times, cudaMemcpyHostToDevice},
                            {host, device, bytes, times, cudaMemcpyDeviceToHost},
                            {second, device, bytes, times, cudaMemcpyDeviceToDevice}};
    const double c_us = best_us(copy_by_c, &plain) / times;

    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        const double us = best_us(copy_by_cuda, &copies[i]) / times;
        char what[80];

        snprintf(what, sizeof what, "cudaMemcpy, %zu KiB, %s", bytes / 1024, names[copies[i].kind]);
        printf("%-54s %9.2f us, %.2f x memcpy\n", what, us, us / c_us);
    }
    CHECK(cudaFree(device));
    CHECK(cudaFree(second));
    free(host);
    free(other);
}

static void measure_copies(void)
{
    measure_copies_of(4096, 1000 / scale);
    measure_copies_of(1 << 20, 10 / scale + 1);
    measure_copies_of((64u << 20) / scale, 1);
}

/* --- streams beside each other ---------------------------------------------------------------- */
struct lane {
    pthread_t thread;
    cudaStream_t stream;
    void *out;
    unsigned launches, turns;
};

static void *launch_turns(void *argument)
{
    struct lane *lane = argument;
    void *arguments[] = {&lane->out, &lane->turns};

    for (unsigned i = 0; i < lane->launches; i++) {
        CHECK(cudaLaunchKernel(turn, extent(1), extent(256), arguments, 0, lane->stream));
    }
    CHECK(cudaStreamSynchronize(lane->stream));
    return NULL;
}

static void one_lane(void *argument)
{
    launch_turns(argument);
}

static void two_lanes(void *argument)
{
    struct lane *lanes = argument;

    CHECK(pthread_create(&lanes[1].thread, NULL, launch_turns, &lanes[1]) == 0 ? cudaSuccess : cudaErrorUnknown);
    launch_turns(&lanes[0]);
    pthread_join(lanes[1].thread, NULL);
}

/* Kernels of one CTA, which one host thread runs: two streams of them can take as long as one. */
static void measure_overlap(void)
{
    struct lane lanes[2] = {{.launches = 4, .turns = 3000 / scale}};

    lanes[1] = lanes[0];
    for (int i = 0; i < 2; i++) {
        CHECK(cudaStreamCreate(&lanes[i].stream));
        CHECK(cudaMalloc(&lanes[i].out, 4));
    }
    const double one = best_us(one_lane, lanes), two = best_us(two_lanes, lanes);

    printf("%-54s %9.2f x one\n", "work of two streams by two threads", 2 * one / two);
    for (int i = 0; i < 2; i++) {
        CHECK(cudaStreamDestroy(lanes[i].stream));
        CHECK(cudaFree(lanes[i].out));
    }
}

/* --- graphs ----------------------------------------------------------------------------------- */
struct graph_run {
    cudaGraphExec_t exec;
    cudaStream_t stream;
    unsigned count;
};

static void launch_graph(void *argument)
{
    const struct graph_run *run = argument;

    for (unsigned i = 0; i < run->count; i++) {
        CHECK(cudaGraphLaunch(run->exec, run->stream));
    }
    CHECK(cudaStreamSynchronize(run->stream));
}

static void measure_graph(void)
{
    struct graph_run run = {.count = 10 / scale + 1};
    cudaGraph_t graph;

    CHECK(cudaStreamCreate(&run.stream));
    CHECK(cudaStreamBeginCapture(run.stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < NODES; i++) {
        launch_empty(run.stream);
    }
    CHECK(cudaStreamEndCapture(run.stream, &graph));
    CHECK(cudaGraphInstantiate(&run.exec, graph, 0));
    printf("%-54s %9.2f us\n", "node of a graph of 100 empty kernels", best_us(launch_graph, &run) / run.count / NODES);
    CHECK(cudaGraphExecDestroy(run.exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(run.stream));
}

/* --- small calls ------------------------------------------------------------------------------ */
static void allocate_and_free(void *argument)
{
    const unsigned count = *(unsigned *)argument;
    void *p = NULL;

    for (unsigned i = 0; i < count; i++) {
        CHECK(cudaMalloc(&p, 1 << 20));
        CHECK(cudaFree(p));
    }
}

static void record_and_wait(void *argument)
{
    const unsigned count = *(unsigned *)argument;
    cudaEvent_t event;

    CHECK(cudaEventCreate(&event));
    for (unsigned i = 0; i < count; i++) {
        CHECK(cudaEventRecord(event, NULL));
        CHECK(cudaEventSynchronize(event));
    }
    CHECK(cudaEventDestroy(event));
}

static void measure_calls(void)
{
    unsigned count = 500 / scale;

    printf("%-54s %9.2f us\n", "cudaMalloc and cudaFree of 1 MiB", best_us(allocate_and_free, &count) / count);
    printf("%-54s %9.2f us\n", "cudaEventRecord and cudaEventSynchronize", best_us(record_and_wait, &count) / count);
}

int main(int argc, char **argv)
{
    cudaLibrary_t library;

    scale = argc > 1 && strcmp(argv[1], "--quick") == 0 ? 100 : 1;
    CHECK(cudaLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0));
    CHECK(cudaLibraryGetKernel((cudaKernel_t *)&empty, library, "empty"));
    CHECK(cudaLibraryGetKernel((cudaKernel_t *)&turn, library, "turn"));
    measure_queue();
    measure_launches();
    measure_copies();
    measure_overlap();
    measure_graph();
    measure_calls();
    return 0;
}
