/*
 * Random programs on words of memory, run as graphs, as captures and in streams, against one that runs them in order.
 *
 * An operation reads and writes words; whatever touches a word after a write of it, or writes it after a read, depends
 * on that. Random further dependencies come on top, and nodes are made in random order, so the only thing that keeps
 * the result right is that edges, events and streams are obeyed.
 */
#include "driver_check.h"

enum { WORDS = 12, OPS_MOST = 40, STREAMS = 4, ROUNDS = 60, LAUNCHES = 3 };

enum kind { SET, COPY, HOST, KERNEL, KINDS };

/* d = value; d = a; d = 3a + b, on the host and on the device. */
struct op {
    enum kind kind;
    int d, a, b;
    unsigned value;
};

struct program {
    struct op ops[OPS_MOST];
    int n;
};

/* Words that the host and the device reach, and what a host function needs to know. */
struct words {
    unsigned *at;
    struct host_op {
        unsigned *d, *a, *b;
    } host_ops[OPS_MOST];
};

static CUcontext context;
static CUmodule module;
static CUstream streams[STREAMS];
static uint64_t state;

static unsigned random_below(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

static int random_word(void)
{
    return (int)random_below(WORDS);
}

static void make_program(struct program *p)
{
    p->n = 5 + (int)random_below(OPS_MOST - 5);
    for (int i = 0; i < p->n; i++) {
        p->ops[i] = (struct op){(enum kind)random_below(KINDS), random_word(), random_word(), random_word(),
                                random_below(1000)};
        if (p->ops[i].kind == COPY && p->ops[i].a == p->ops[i].d) {
            p->ops[i].kind = KERNEL;
        }
    }
}

static void interpret(const struct program *p, unsigned *w)
{
    for (int i = 0; i < p->n; i++) {
        const struct op *o = &p->ops[i];

        w[o->d] = o->kind == SET ? o->value : o->kind == COPY ? w[o->a] : 3 * w[o->a] + w[o->b];
    }
}

static int reads(const struct op *o, int word)
{
    return o->kind != SET && (o->a == word || (o->kind != COPY && o->b == word));
}

static int conflict(const struct op *x, const struct op *y)
{
    return reads(x, y->d) || reads(y, x->d) || x->d == y->d;
}

static void combine_on_host(void *argument)
{
    const struct host_op *o = argument;

    *o->d = 3 * *o->a + *o->b;
}

static CUdeviceptr address(const struct words *w, int word)
{
    return (CUdeviceptr)(uintptr_t)&w->at[word];
}

static struct words new_words(void)
{
    struct words w = {0};

    OK(cuMemHostAlloc((void **)&w.at, WORDS * sizeof *w.at, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE));
    for (int i = 0; i < WORDS; i++) {
        w.at[i] = (unsigned)i;
    }
    return w;
}

/* --- operations as nodes ------------------------------------------------------------------------------------------ */
static CUgraphNode add_node(CUgraph graph, const struct op *o, struct words *w, int number)
{
    const CUDA_MEMSET_NODE_PARAMS set = {
        .dst = address(w, o->d), .value = o->value, .elementSize = 4, .width = 1, .height = 1};
    const CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                                .srcDevice = address(w, o->a),
                                .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                                .dstDevice = address(w, o->d),
                                .WidthInBytes = 4,
                                .Height = 1,
                                .Depth = 1};
    const CUDA_HOST_NODE_PARAMS host = {.fn = combine_on_host, .userData = &w->host_ops[number]};
    CUdeviceptr d = address(w, o->d), a = address(w, o->a), b = address(w, o->b);
    void *arguments[] = {&d, &a, &b};
    CUDA_KERNEL_NODE_PARAMS kernel = {.func = driver_kernel(module, "combine"), .kernelParams = arguments};
    CUgraphNode node = NULL;

    kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = kernel.blockDimX = kernel.blockDimY = kernel.blockDimZ = 1;
    w->host_ops[number] = (struct host_op){&w->at[o->d], &w->at[o->a], &w->at[o->b]};
    switch (o->kind) {
    case SET:
        OK(cuGraphAddMemsetNode(&node, graph, NULL, 0, &set, context));
        break;
    case COPY:
        OK(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, context));
        break;
    case HOST:
        OK(cuGraphAddHostNode(&node, graph, NULL, 0, &host));
        break;
    default:
        OK(cuGraphAddKernelNode(&node, graph, NULL, 0, &kernel));
        break;
    }
    return node;
}

static void shuffle(int *order, int n)
{
    for (int i = 0; i < n; i++) {
        order[i] = i;
    }
    for (int i = n - 1; i > 0; i--) {
        const int j = (int)random_below((unsigned)i + 1), swapped = order[i];

        order[i] = order[j];
        order[j] = swapped;
    }
}

static CUgraph make_graph(const struct program *p, struct words *w)
{
    CUgraph graph = NULL;
    CUgraphNode nodes[OPS_MOST];
    int order[OPS_MOST];

    OK(cuGraphCreate(&graph, 0));
    shuffle(order, p->n);
    for (int i = 0; i < p->n; i++) {
        nodes[order[i]] = add_node(graph, &p->ops[order[i]], w, order[i]);
    }
    for (int i = 0; i < p->n; i++) {
        for (int j = 0; j < i; j++) {
            if (conflict(&p->ops[j], &p->ops[i]) || random_below(20) == 0) {
                OK(cuGraphAddDependencies(graph, &nodes[j], &nodes[i], NULL, 1));
            }
        }
    }
    return graph;
}

/* The graph once, or twice as children one after the other. */
static CUgraph wrap(CUgraph graph, int times)
{
    CUgraph outer = NULL;
    CUgraphNode node = NULL, next;

    OK(cuGraphCreate(&outer, 0));
    for (int i = 0; i < times; i++) {
        OK(cuGraphAddChildGraphNode(&next, outer, node == NULL ? NULL : &node, node != NULL, graph));
        node = next;
    }
    return outer;
}

static void launch(CUgraph graph, CUstream stream)
{
    CUgraphExec exec = NULL;

    OK(cuGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < LAUNCHES; i++) {
        OK(cuGraphLaunch(exec, stream));
    }
    OK(cuGraphExecDestroy(exec)); /* with work in flight */
    OK(cuStreamSynchronize(stream));
}

static void expect(const char *what, unsigned seed, const struct words *w, const struct program *p, int times)
{
    unsigned wanted[WORDS];

    for (int i = 0; i < WORDS; i++) {
        wanted[i] = (unsigned)i;
    }
    for (int i = 0; i < times; i++) {
        interpret(p, wanted);
    }
    for (int i = 0; i < WORDS; i++) {
        if (w->at[i] != wanted[i]) {
            fprintf(stderr, "%s, seed %u: word %d is %u, expected %u\n", what, seed, i, w->at[i], wanted[i]);
            exit(1);
        }
    }
}

static void run_as_graph(unsigned seed)
{
    struct program p;
    struct words w = new_words();
    const int times = (int)random_below(3);
    CUgraph graph, outer;

    make_program(&p);
    graph = make_graph(&p, &w);
    launch(graph, streams[random_below(STREAMS)]);
    outer = wrap(graph, times);
    OK(cuGraphDestroy(graph));
    launch(outer, streams[random_below(STREAMS)]);
    expect("graph", seed, &w, &p, LAUNCHES * (1 + times));
    OK(cuGraphDestroy(outer));
    OK(cuMemFreeHost(w.at));
}

/* --- operations in streams ---------------------------------------------------------------------------------------- */
static void submit(const struct op *o, struct words *w, int number, CUstream stream)
{
    CUdeviceptr d = address(w, o->d), a = address(w, o->a), b = address(w, o->b);
    void *arguments[] = {&d, &a, &b};

    w->host_ops[number] = (struct host_op){&w->at[o->d], &w->at[o->a], &w->at[o->b]};
    switch (o->kind) {
    case SET:
        OK(cuMemsetD32Async(d, o->value, 1, stream));
        break;
    case COPY:
        OK(cuMemcpyAsync(d, a, 4, stream));
        break;
    case HOST:
        OK(cuLaunchHostFunc(stream, combine_on_host, &w->host_ops[number]));
        break;
    default:
        OK(cuLaunchKernel(driver_kernel(module, "combine"), 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
        break;
    }
}

static void follow(CUstream later, CUstream earlier)
{
    CUevent event = NULL;

    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    OK(cuEventRecord(event, earlier));
    OK(cuStreamWaitEvent(later, event, 0));
    OK(cuEventDestroy(event));
}

/* All streams begin after the first one and end before it. */
static void submit_program(const struct program *p, struct words *w, uint64_t seed)
{
    int placed[OPS_MOST];

    state = seed;
    for (int i = 1; i < STREAMS; i++) {
        follow(streams[i], streams[0]);
    }
    for (int i = 0; i < p->n; i++) {
        int behind[STREAMS] = {0};

        placed[i] = (int)random_below(STREAMS);
        for (int j = 0; j < i; j++) {
            behind[placed[j]] |= conflict(&p->ops[j], &p->ops[i]) || random_below(30) == 0;
        }
        for (int s = 0; s < STREAMS; s++) {
            if (behind[s] && s != placed[i]) {
                follow(streams[placed[i]], streams[s]);
            }
        }
        submit(&p->ops[i], w, i, streams[placed[i]]);
    }
    for (int i = 1; i < STREAMS; i++) {
        follow(streams[0], streams[i]);
    }
}

static void run_as_capture(unsigned seed)
{
    struct program p;
    struct words captured = new_words(), live = new_words();
    CUgraph graph = NULL;

    make_program(&p);
    const uint64_t from_here = state;

    OK(cuStreamBeginCapture(streams[0], CU_STREAM_CAPTURE_MODE_RELAXED));
    submit_program(&p, &captured, from_here);
    OK(cuStreamEndCapture(streams[0], &graph));
    for (int i = 0; i < WORDS; i++) {
        CHECK(captured.at[i] == (unsigned)i); /* nothing has run */
    }
    launch(graph, streams[random_below(STREAMS)]);
    expect("capture", seed, &captured, &p, LAUNCHES);
    OK(cuGraphDestroy(graph));
    submit_program(&p, &live, from_here);
    OK(cuStreamSynchronize(streams[0]));
    expect("streams", seed, &live, &p, 1);
    OK(cuMemFreeHost(captured.at));
    OK(cuMemFreeHost(live.at));
}

int main(int argc, char **argv)
{
    const unsigned first = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 1;

    context = use_device();
    module = load_driver_ptx();
    for (int i = 0; i < STREAMS; i++) {
        OK(cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
    }
    for (unsigned seed = first; seed < first + ROUNDS; seed++) {
        state = seed;
        run_as_graph(seed);
        run_as_capture(seed);
    }
    return 0;
}
