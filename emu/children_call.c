/*
 * The functions of the device runtime with which kernels launch, copy and set memory.  See children.h.
 *
 * Streams and events of kernels order nothing here that order of asking does not: all that a grid asks for runs one
 * after another.  So streams and events are numbers.
 */
#include "emu/children_list.h"

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
};

/* --- launches --------------------------------------------------------------------------------- */
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

static int check_launch(const struct lanes *x, const struct emu_child_grid *of)
{
    const struct machine *m = x->worker->machine;
    const struct emu_spec *s = m->launch->spec;
    uint64_t threads = 1;

    if (of->kernel == NULL) {
        return CUDA_INVALID_DEVICE_FUNCTION;
    }
    for (int i = 0; i < 3; i++) {
        if (of->grid[i] == 0 || of->grid[i] > s->max_grid[i] || of->block[i] == 0 || of->block[i] > s->max_block[i]) {
            return CUDA_INVALID_CONFIGURATION;
        }
        threads *= of->block[i];
    }
    return threads > s->max_threads_per_cta || of->kernel->shared_bytes + of->dynamic_shared > s->shared_per_cta_optin
               ? CUDA_INVALID_CONFIGURATION
           : m->launch->children->options.depth >= m->launch->children->options.most
               ? CUDA_LAUNCH_PENDING_COUNT_EXCEEDED
               : 0;
}

/* The buffer, NULL for a wrong address, is closed whatever comes of it. */
static int launch(struct emu_children *c, const struct lanes *x, struct emu_child_buffer *b, uint64_t stream)
{
    const int error = b == NULL ? CUDA_INVALID_VALUE : check_launch(x, &b->of);

    if (b != NULL) {
        b->open = false;
    }
    if (error != 0) {
        return error;
    }
    struct emu_child child = {.kind = EMU_CHILD_GRID, .tail = stream == STREAM_TAIL_LAUNCH, .of = b->of};
    const uint64_t bytes = b->of.kernel->param_bytes;

    child.params = bytes > b->bytes ? NULL : aligned_alloc(16, (bytes + 31) / 16 * 16);
    if (child.params == NULL) {
        return bytes > b->bytes ? CUDA_INVALID_VALUE : CUDA_MEMORY_ALLOCATION;
    }
    memcpy(child.params, (const void *)(uintptr_t)b->address, bytes);
    if (!emu_children_add(c, x->cta->linear, child)) {
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

static struct emu_child_asker asker(const struct call *k)
{
    return (struct emu_child_asker){k->x->cta->linear, k->x->warp->index * WARP_LANES + (unsigned)k->lane};
}

static uint64_t argument(const struct call *k, unsigned i)
{
    return emu_argument(k->x, k->u, k->lane, i);
}

/* The lane's error. */
static int note(const struct call *k, int error)
{
    return emu_children_note(k->c, asker(k), error);
}

static void take_extents(const struct call *k, struct emu_child_grid *of, unsigned first)
{
    emu_argument_bytes(k->x, k->u, k->lane, first, of->grid, sizeof of->grid);
    emu_argument_bytes(k->x, k->u, k->lane, first + 1, of->block, sizeof of->block);
    of->dynamic_shared = (uint32_t)argument(k, first + 2);
}

/* void *cudaGetParameterBuffer(size_t alignment, size_t size) */
static uint64_t get_buffer(const struct call *k)
{
    const struct emu_child_buffer *b = argument(k, 0) > MEM_ALIGN ? NULL : emu_children_open(k->c, argument(k, 1));

    if (b == NULL) {
        (void)note(k, CUDA_MEMORY_ALLOCATION);
    }
    return b == NULL ? 0 : b->address;
}

/* void *cudaGetParameterBufferV2(void *func, dim3 grid, dim3 block, unsigned shared) */
static uint64_t get_buffer_v2(const struct call *k)
{
    struct emu_child_grid asked = {.kernel = kernel_at(k->x, argument(k, 0))};

    take_extents(k, &asked, 1);
    const int error = check_launch(k->x, &asked);
    struct emu_child_buffer *b = error == 0 ? emu_children_open(k->c, asked.kernel->param_bytes) : NULL;

    if (b == NULL) {
        (void)note(k, error == 0 ? CUDA_MEMORY_ALLOCATION : error);
        return 0;
    }
    b->of = asked;
    return b->address;
}

/* cudaError_t cudaLaunchDevice(void *func, void *buffer, dim3 grid, dim3 block, unsigned shared, cudaStream_t stream)
 */
static int launch_v1(const struct call *k)
{
    struct emu_child_buffer *b = emu_children_buffer(k->c, argument(k, 1));

    if (b != NULL) {
        b->of.kernel = kernel_at(k->x, argument(k, 0));
        take_extents(k, &b->of, 2);
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

    return emu_children_add(k->c, k->x->cta->linear, child) ? 0 : CUDA_MEMORY_ALLOCATION;
}

/* cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) */
static int set(const struct call *k)
{
    const struct emu_child child = {.kind = EMU_CHILD_SET,
                                    .tail = argument(k, 3) == STREAM_TAIL_LAUNCH,
                                    .to = argument(k, 0),
                                    .value = (uint8_t)argument(k, 1),
                                    .bytes = argument(k, 2)};

    return emu_children_add(k->c, k->x->cta->linear, child) ? 0 : CUDA_MEMORY_ALLOCATION;
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

    emu_give_result(k->x, k->u, k->lane, (uint32_t)note(k, error));
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

/* False after a fault. */
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
        error = launch(k->c, k->x, emu_children_buffer(k->c, argument(k, 0)), argument(k, 1));
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
        result = (uint32_t)emu_children_last_error(k->c, asker(k), which == BUILTIN_CDP_LAST_ERROR);
        break;
    case BUILTIN_CDP_ERROR_STRING:
        result = emu_children_text(k->c, words_of((int)argument(k, 0)));
        break;
    case BUILTIN_CDP_DEVICE:
        emu_give_result(k->x, k->u, k->lane, 0);
        return give_through(k, &(int){0}, sizeof(int));
    default: /* streams and events order nothing, see above */
        break;
    }
    if (error != 0) {
        result = (uint32_t)note(k, error);
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
