/*
 * What grids ask for while they run, and the functions of the device runtime with which they do.  See children.h.
 *
 * Streams and events of kernels order nothing here that order of asking does not: all that a grid asks for runs one
 * after another.  So streams and events are numbers.
 */
#include "emu/children.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "emu/access.h"
#include "emu/builtin.h"
#include "emu/machine.h"

/* cudaError_t, and the streams with a meaning of their own (driver_types.h). */
enum {
    CUDA_INVALID_VALUE = 1,
    CUDA_MEMORY_ALLOCATION = 2,
    CUDA_INVALID_CONFIGURATION = 9,
    CUDA_LAUNCH_PENDING_COUNT_EXCEEDED = 69,
    CUDA_INVALID_DEVICE_FUNCTION = 98,
    STREAM_TAIL_LAUNCH = 3,
    FIRST_HANDLE = 0x100,
    BUFFER_BYTES = 4096, /* at least: most parameters fit, and buffers are used again */
};

/* Memory for the parameters of a launch that is being prepared. */
struct buffer {
    struct buffer *next;
    uint64_t address, bytes;
    bool open;                    /* handed to a kernel that has not launched yet */
    const struct ir_func *kernel; /* NULL: the launch will say */
    unsigned grid[3], block[3];
    uint64_t dynamic_shared;
};

/* What a thread would be told by cudaGetLastError. */
struct error_note {
    struct error_note *next;
    uint64_t cta;
    unsigned thread;
    int error;
};

struct text {
    struct text *next;
    const char *words; /* one of words_of */
    uint64_t address;
};

struct emu_children {
    pthread_mutex_t lock;
    struct emu_children_options options;
    struct emu_child *all;
    uint64_t count, room;
    struct buffer *buffers;
    struct error_note *errors;
    struct text *texts;
    uint64_t handles;
};

struct emu_children *emu_children_new(const struct emu_children_options *options)
{
    struct emu_children *c = calloc(1, sizeof *c);

    if (c != NULL) {
        pthread_mutex_init(&c->lock, NULL);
        c->options = *options;
    }
    return c;
}

void emu_children_reset(struct emu_children *c, unsigned depth)
{
    for (uint64_t i = 0; i < c->count; i++) {
        free(c->all[i].params);
    }
    c->count = 0;
    for (struct buffer *b = c->buffers; b != NULL; b = b->next) {
        b->open = false;
    }
    while (c->errors != NULL) {
        struct error_note *next = c->errors->next;

        free(c->errors);
        c->errors = next;
    }
    c->options.depth = depth;
}

void emu_children_free(struct emu_children *c)
{
    if (c == NULL) {
        return;
    }
    emu_children_reset(c, 0);
    free(c->all);
    while (c->buffers != NULL) {
        struct buffer *next = c->buffers->next;

        (void)mem_release(c->options.memory, c->buffers->address);
        free(c->buffers);
        c->buffers = next;
    }
    while (c->texts != NULL) {
        struct text *next = c->texts->next;

        (void)mem_release(c->options.memory, c->texts->address);
        free(c->texts);
        c->texts = next;
    }
    pthread_mutex_destroy(&c->lock);
    free(c);
}

static int compare(const void *left, const void *right)
{
    const struct emu_child *a = left, *b = right;

    return a->tail != b->tail       ? (int)a->tail - (int)b->tail
           : a->cta != b->cta       ? (a->cta < b->cta ? -1 : 1)
           : a->number != b->number ? (a->number < b->number ? -1 : 1)
                                    : 0;
}

const struct emu_child *emu_children_all(struct emu_children *c, uint64_t *count)
{
    if (c->count > 1) {
        qsort(c->all, c->count, sizeof *c->all, compare);
    }
    *count = c->count;
    return c->all;
}

/* --- errors of threads ------------------------------------------------------------------------ */
static unsigned thread_of(const struct lanes *x, int lane)
{
    return x->warp->index * WARP_LANES + (unsigned)lane;
}

/* Lock held: the thread's note, or NULL. */
static struct error_note *note_of(struct emu_children *c, const struct lanes *x, int lane)
{
    struct error_note *n = c->errors;

    while (n != NULL && (n->cta != x->cta->linear || n->thread != thread_of(x, lane))) {
        n = n->next;
    }
    return n;
}

/* Lock held.  Without memory the error is lost, but for what the call returns. */
static int remember(struct emu_children *c, const struct lanes *x, int lane, int error)
{
    struct error_note *n = error == 0 ? NULL : note_of(c, x, lane);

    if (error != 0 && n == NULL && (n = calloc(1, sizeof *n)) != NULL) {
        *n = (struct error_note){c->errors, x->cta->linear, thread_of(x, lane), 0};
        c->errors = n;
    }
    if (n != NULL) {
        n->error = error;
    }
    return error;
}

static int last_error(struct emu_children *c, const struct lanes *x, int lane, bool clear)
{
    struct error_note *n = note_of(c, x, lane);
    const int error = n == NULL ? 0 : n->error;

    if (n != NULL && clear) {
        n->error = 0;
    }
    return error;
}

/* --- what is asked for ------------------------------------------------------------------------ */
/* Lock held.  False when the host's memory is exhausted. */
static bool add(struct emu_children *c, const struct lanes *x, struct emu_child child)
{
    if (c->count == c->room) {
        const uint64_t room = c->room * 2 + 64;
        struct emu_child *all = reallocarray(c->all, room, sizeof *all);

        if (all == NULL) {
            return false;
        }
        c->all = all;
        c->room = room;
    }
    child.cta = x->cta->linear;
    child.number = c->count;
    c->all[c->count++] = child;
    return true;
}

/* Lock held: a free buffer of at least `bytes`, or NULL. */
static struct buffer *open_buffer(struct emu_children *c, uint64_t bytes)
{
    struct buffer *b = c->buffers;

    bytes = bytes < BUFFER_BYTES ? BUFFER_BYTES : bytes;
    while (b != NULL && (b->open || b->bytes < bytes)) {
        b = b->next;
    }
    if (b == NULL && (b = calloc(1, sizeof *b)) != NULL) {
        if (mem_allocate(c->options.memory, bytes, MEM_ALIGN, MEM_HEAP, "parameters of a launch by a kernel",
                         &b->address) != MEM_OK) {
            free(b);
            return NULL;
        }
        b->bytes = bytes;
        b->next = c->buffers;
        c->buffers = b;
    }
    if (b != NULL) {
        b->open = true;
        b->kernel = NULL;
    }
    return b;
}

static struct buffer *buffer_at(struct emu_children *c, uint64_t address)
{
    struct buffer *b = c->buffers;

    while (b != NULL && (b->address != address || !b->open)) {
        b = b->next;
    }
    return b;
}

/* The kernel whose address a program has; NULL: it is none. */
static const struct ir_func *kernel_at(const struct lanes *x, uint64_t address)
{
    const struct ir_module *m = x->worker->machine->program->module;
    const uint64_t index = address / EMU_FUNC_STEP - 1;

    if (address == 0 || address % EMU_FUNC_STEP != 0 || index >= m->funcs.count) {
        return NULL;
    }
    const struct ir_func *f = m->funcs.at[index];

    return f->is_entry && f->defined ? f : NULL;
}

static int check_launch(const struct lanes *x, const struct buffer *b)
{
    const struct machine *m = x->worker->machine;
    const struct emu_spec *s = m->launch->spec;
    uint64_t threads = 1;

    if (b->kernel == NULL) {
        return CUDA_INVALID_DEVICE_FUNCTION;
    }
    for (int i = 0; i < 3; i++) {
        if (b->grid[i] == 0 || b->grid[i] > s->max_grid[i] || b->block[i] == 0 || b->block[i] > s->max_block[i]) {
            return CUDA_INVALID_CONFIGURATION;
        }
        threads *= b->block[i];
    }
    return threads > s->max_threads_per_cta || b->kernel->shared_bytes + b->dynamic_shared > s->shared_per_cta_optin
               ? CUDA_INVALID_CONFIGURATION
           : m->launch->children->options.depth >= m->launch->children->options.most
               ? CUDA_LAUNCH_PENDING_COUNT_EXCEEDED
               : 0;
}

/* Lock held.  The buffer is closed whatever comes of it. */
static int launch(struct emu_children *c, const struct lanes *x, struct buffer *b, uint64_t stream)
{
    const int error = b == NULL ? CUDA_INVALID_VALUE : check_launch(x, b);

    if (b != NULL) {
        b->open = false;
    }
    if (error != 0) {
        return error;
    }
    struct emu_child child = {.kind = EMU_CHILD_GRID,
                              .tail = stream == STREAM_TAIL_LAUNCH,
                              .kernel = b->kernel,
                              .dynamic_shared = b->dynamic_shared};
    const uint64_t bytes = b->kernel->param_bytes;

    memcpy(child.grid, b->grid, sizeof child.grid);
    memcpy(child.block, b->block, sizeof child.block);
    child.params = bytes > b->bytes ? NULL : aligned_alloc(16, (bytes + 31) / 16 * 16);
    if (child.params == NULL) {
        return bytes > b->bytes ? CUDA_INVALID_VALUE : CUDA_MEMORY_ALLOCATION;
    }
    memcpy(child.params, (const void *)(uintptr_t)b->address, bytes);
    if (!add(c, x, child)) {
        free(child.params);
        return CUDA_MEMORY_ALLOCATION;
    }
    return 0;
}

/* --- the functions ---------------------------------------------------------------------------- */
struct call {
    struct lanes *x;
    const struct uop *u;
    int lane;
    struct emu_children *c;
};

static uint64_t argument(const struct call *k, unsigned i)
{
    return emu_argument(k->x, k->u, k->lane, i);
}

static void take_extents(const struct call *k, struct buffer *b, unsigned first)
{
    emu_argument_bytes(k->x, k->u, k->lane, first, b->grid, sizeof b->grid);
    emu_argument_bytes(k->x, k->u, k->lane, first + 1, b->block, sizeof b->block);
    b->dynamic_shared = (uint32_t)argument(k, first + 2);
}

/* void *cudaGetParameterBuffer(size_t alignment, size_t size) */
static uint64_t get_buffer(const struct call *k)
{
    const struct buffer *b = argument(k, 0) > MEM_ALIGN ? NULL : open_buffer(k->c, argument(k, 1));

    if (b == NULL) {
        remember(k->c, k->x, k->lane, CUDA_MEMORY_ALLOCATION);
    }
    return b == NULL ? 0 : b->address;
}

/* void *cudaGetParameterBufferV2(void *func, dim3 grid, dim3 block, unsigned shared) */
static uint64_t get_buffer_v2(const struct call *k)
{
    struct buffer asked = {.kernel = kernel_at(k->x, argument(k, 0))};

    take_extents(k, &asked, 1);
    int error = check_launch(k->x, &asked);
    struct buffer *b = error == 0 ? open_buffer(k->c, asked.kernel->param_bytes) : NULL;

    if (b == NULL) {
        error = error == 0 ? CUDA_MEMORY_ALLOCATION : error;
        remember(k->c, k->x, k->lane, error);
        return 0;
    }
    b->kernel = asked.kernel;
    b->dynamic_shared = asked.dynamic_shared;
    memcpy(b->grid, asked.grid, sizeof b->grid);
    memcpy(b->block, asked.block, sizeof b->block);
    return b->address;
}

/* cudaError_t cudaLaunchDevice(void *func, void *buffer, dim3 grid, dim3 block, unsigned shared, cudaStream_t stream)
 */
static int launch_v1(const struct call *k)
{
    struct buffer *b = buffer_at(k->c, argument(k, 1));

    if (b != NULL) {
        b->kernel = kernel_at(k->x, argument(k, 0));
        take_extents(k, b, 2);
    }
    return launch(k->c, k->x, b, argument(k, 5));
}

/* cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) */
static int copy(const struct call *k)
{
    const struct emu_child child = {.kind = EMU_CHILD_COPY,
                                    .tail = argument(k, 4) == STREAM_TAIL_LAUNCH,
                                    .to = argument(k, 0),
                                    .from = argument(k, 1),
                                    .bytes = argument(k, 2)};

    return add(k->c, k->x, child) ? 0 : CUDA_MEMORY_ALLOCATION;
}

/* cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) */
static int set(const struct call *k)
{
    const struct emu_child child = {.kind = EMU_CHILD_SET,
                                    .tail = argument(k, 3) == STREAM_TAIL_LAUNCH,
                                    .to = argument(k, 0),
                                    .value = (uint8_t)argument(k, 1),
                                    .bytes = argument(k, 2)};

    return add(k->c, k->x, child) ? 0 : CUDA_MEMORY_ALLOCATION;
}

/* The texts of the errors that there can be. */
static const char *words_of(int error)
{
    switch (error) {
    case 0:
        return "no error";
    case CUDA_INVALID_VALUE:
        return "invalid argument";
    case CUDA_MEMORY_ALLOCATION:
        return "out of memory";
    case CUDA_INVALID_CONFIGURATION:
        return "invalid configuration argument";
    case CUDA_LAUNCH_PENDING_COUNT_EXCEEDED:
        return "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount";
    case CUDA_INVALID_DEVICE_FUNCTION:
        return "invalid device function";
    default:
        return "unrecognized error code";
    }
}

/* The text of an error where kernels can read it; 0 when there is no room. */
static uint64_t text_of(struct emu_children *c, int error)
{
    const char *words = words_of(error);
    struct text *t = c->texts;

    while (t != NULL && t->words != words) {
        t = t->next;
    }
    if (t != NULL) {
        return t->address;
    }
    t = calloc(1, sizeof *t);
    if (t == NULL || mem_allocate(c->options.memory, strlen(words) + 1, MEM_ALIGN, MEM_HEAP, "text of an error",
                                  &t->address) != MEM_OK) {
        free(t);
        return 0;
    }
    (void)mem_copy_to(c->options.memory, t->address, words, strlen(words) + 1);
    t->words = words;
    t->next = c->texts;
    c->texts = t;
    return t->address;
}

/* Store a result through the pointer that is argument 0; false after a fault. */
static bool give_through(const struct call *k, const void *value, unsigned bytes)
{
    return emu_lane_write(k->x, k->u, k->lane, IR_SPACE_GENERIC, argument(k, 0), bytes, value);
}

static bool take_heap(const struct call *k)
{
    struct emu_heap *heap = k->x->worker->machine->launch->heap;
    const uint64_t address = heap == NULL ? 0 : emu_heap_take(heap, argument(k, 1));
    const int error = address == 0 ? CUDA_MEMORY_ALLOCATION : 0;

    emu_give_result(k->x, k->u, k->lane, (uint32_t)remember(k->c, k->x, k->lane, error));
    return give_through(k, &address, sizeof address);
}

static int give_heap(const struct call *k)
{
    struct emu_heap *heap = k->x->worker->machine->launch->heap;
    const uint64_t address = argument(k, 0);

    return address == 0 || (heap != NULL && emu_heap_give(heap, address)) ? 0 : CUDA_INVALID_VALUE;
}

static bool make_handle(const struct call *k)
{
    const uint64_t handle = FIRST_HANDLE + k->c->handles++;

    emu_give_result(k->x, k->u, k->lane, 0);
    return give_through(k, &handle, sizeof handle);
}

/* Lock held; false after a fault. */
static bool call_one(const struct call *k, int which)
{
    uint64_t result = 0;
    int error = 0;

    switch (which) {
    case BUILTIN_CDP_BUFFER:
    case BUILTIN_CDP_BUFFER_V2:
        result = which == BUILTIN_CDP_BUFFER ? get_buffer(k) : get_buffer_v2(k);
        break;
    case BUILTIN_CDP_LAUNCH:
    case BUILTIN_CDP_LAUNCH_PTSZ:
        error = launch_v1(k);
        break;
    case BUILTIN_CDP_LAUNCH_V2:
    case BUILTIN_CDP_LAUNCH_V2_PTSZ:
        error = launch(k->c, k->x, buffer_at(k->c, argument(k, 0)), argument(k, 1));
        break;
    case BUILTIN_CDP_COPY:
    case BUILTIN_CDP_COPY_PTSZ:
        error = copy(k);
        break;
    case BUILTIN_CDP_SET:
    case BUILTIN_CDP_SET_PTSZ:
        error = set(k);
        break;
    case BUILTIN_CDP_MALLOC:
        return take_heap(k);
    case BUILTIN_CDP_FREE:
        error = give_heap(k);
        break;
    case BUILTIN_CDP_STREAM_CREATE:
    case BUILTIN_CDP_EVENT_CREATE:
        return make_handle(k);
    case BUILTIN_CDP_LAST_ERROR:
    case BUILTIN_CDP_PEEK_ERROR:
        result = (uint32_t)last_error(k->c, k->x, k->lane, which == BUILTIN_CDP_LAST_ERROR);
        break;
    case BUILTIN_CDP_ERROR_STRING:
        result = text_of(k->c, (int)argument(k, 0));
        break;
    case BUILTIN_CDP_DEVICE:
        emu_give_result(k->x, k->u, k->lane, 0);
        return give_through(k, &(int){0}, sizeof(int));
    default: /* streams and events order nothing, see above */
        break;
    }
    if (error != 0) {
        result = (uint32_t)remember(k->c, k->x, k->lane, error);
    }
    emu_give_result(k->x, k->u, k->lane, result);
    return true;
}

bool emu_children_call(struct lanes *x, const struct uop *u, int which)
{
    struct emu_children *c = x->worker->machine->launch->children;
    bool ok = true;

    for_each_bit (l, x->mask) {
        if (c == NULL) {
            emu_fault_note(x, u, l, EMU_FAULT_NO_MEMORY, EMU_NO_RANGE, "no memory for launches by kernels");
            return false;
        }
        pthread_mutex_lock(&c->lock);
        ok = ok && call_one(&(struct call){x, u, l, c}, which);
        pthread_mutex_unlock(&c->lock);
    }
    return ok;
}
