/*
 * The careful path of memory accesses: one lane at a time, every check.  See access.h.
 */
#include "emu/access.h"

#include <string.h>

#include "emu/cluster.h"
#include "emu/control.h"
#include "emu/machine.h"
#include "emu/sem.h"

/* Which space an address belongs to, and its offset there. */
static unsigned resolve(const struct lanes *x, unsigned space, uint64_t *address)
{
    const struct emu_program *p = x->worker->machine->program;

    if (space != IR_SPACE_GENERIC) {
        return space;
    }
    if (*address - p->shared_window < MEM_SHARED_WINDOW) {
        *address -= p->shared_window;
        return IR_SPACE_SHARED;
    }
    if (*address - p->local_window < MEM_LOCAL_WINDOW) {
        *address -= p->local_window;
        return IR_SPACE_LOCAL;
    }
    if (*address - p->param_window < MEM_PARAM_WINDOW) {
        *address -= p->param_window;
        return IR_SPACE_PARAM;
    }
    return IR_SPACE_GLOBAL;
}

bool emu_is_own(const struct lanes *x, unsigned space, uint64_t address)
{
    return resolve(x, space, &address) == IR_SPACE_LOCAL;
}

bool emu_in_windows(const struct lanes *x, uint64_t address)
{
    return resolve(x, IR_SPACE_GENERIC, &address) != IR_SPACE_GLOBAL;
}

bool emu_in_constants(const struct lanes *x, uint64_t address)
{
    const struct mem_alloc *a = mem_find(x->worker->map, address, 1);

    return a != NULL && a->kind == MEM_CONST_VAR;
}

static struct mem_window *window_of(struct lanes *x, const struct uop *u)
{
    const struct emu_code *code = x->split->frame->code;

    if (u->vec == 0) {
        /* Not a memory instruction: a function of the runtime reads for a call. */
        return &x->windows[x->worker->machine->program->n_windows];
    }
    return &x->windows[u->vec == 1 && (u->flag & MEM_EXTRA) == 0 ? u->extra : code->extra[u->extra]];
}

/* The allocation that has the bytes; it may have been made while the kernel runs. */
static const struct mem_alloc *find_alloc(struct worker *worker, uint64_t address, unsigned size)
{
    const struct mem_alloc *a = mem_find(worker->map, address, size);

    if (a == NULL) {
        emu_worker_renew_map(worker);
        a = mem_find(worker->map, address, size);
    }
    return a;
}

static bool covers(const struct mem_window *w, uint64_t address, unsigned size)
{
    return size <= w->size && address - w->base <= w->size - size;
}

bool emu_move_window(struct lanes *x, const struct uop *u, uint64_t address, unsigned size)
{
    struct mem_window *w = window_of(x, u);
    const struct mem_alloc *a = covers(w, address, size) ? NULL : mem_find(x->worker->map, address, size);

    if (a != NULL) {
        *w = (struct mem_window){a->base, a->size};
    }
    return a != NULL;
}

/*
 * Host address of global bytes, NULL when they are not one allocation's; the window moves there.  Functions of the
 * runtime and bulk copies, which read and write, share one: it stays away from what is only read.
 */
static uint8_t *global_bytes(struct lanes *x, const struct uop *u, uint64_t address, unsigned size, bool write)
{
    struct mem_window *w = window_of(x, u);

    if (covers(w, address, size)) {
        return (uint8_t *)address;
    }
    const struct mem_alloc *a = find_alloc(x->worker, address, size);

    if (a == NULL || (write && a->read_only)) {
        return NULL;
    }
    if (u->vec != 0 || !a->read_only) {
        *w = (struct mem_window){a->base, a->size};
    }
    return (uint8_t *)address;
}

/* Shared memory of the CTA, or of another one of its cluster, which `owner` (may be NULL) receives; NULL: out of
 * bounds. */
static uint8_t *shared_bytes(const struct cta *own, uint64_t address, unsigned size, struct cta **owner)
{
    struct cta *cta = emu_cluster_cta(own, &address);

    if (owner != NULL) {
        *owner = cta;
    }
    return cta != NULL && size <= cta->shared_bytes && address <= cta->shared_bytes - size ? cta->shared + address
                                                                                           : NULL;
}

/* A contiguous place of `size` bytes, or NULL: local memory is not contiguous. */
static uint8_t *place(struct lanes *x, const struct uop *u, unsigned space, uint64_t address, unsigned size, bool write)
{
    switch (space) {
    case IR_SPACE_SHARED:
    case IR_SPACE_CLUSTER:
        return shared_bytes(x->cta, address, size, NULL);
    case IR_SPACE_PARAM: {
        const struct machine *m = x->worker->machine;
        const uint64_t bytes = m->program->entry->param_bytes;

        /* Parameters are only read; the launch's buffer is never written through this pointer. */
        return !write && size <= bytes && address <= bytes - size ? (uint8_t *)(uintptr_t)m->launch->params + address
                                                                  : NULL;
    }
    default:
        return global_bytes(x, u, address, size, write);
    }
}

/*
 * Atomic operations on single bytes are made of strong loads and compare-and-swaps of the word around the byte (libcu++
 * does that), which may reach beyond the end of an allocation.  GPUs give memory in larger pieces.
 */
static uint8_t *word_around_end(struct lanes *x, unsigned space, uint64_t address, unsigned size, bool write)
{
    const struct mem_alloc *a = space == IR_SPACE_GLOBAL && size == 4 ? find_alloc(x->worker, address, 1) : NULL;

    return a != NULL && !(write && a->read_only) ? (uint8_t *)address : NULL;
}

static bool local_in_bounds(const struct lanes *x, uint64_t address, unsigned size)
{
    return size <= x->warp->local_bytes && address <= x->warp->local_bytes - size;
}

static bool refuse(struct lanes *x, const struct uop *u, int lane, unsigned space, uint64_t address, unsigned size,
                   bool write)
{
    emu_fault_access(x, u, lane, space, address, size, write);
    return false;
}

static bool check_aligned(struct lanes *x, const struct uop *u, int lane, uint64_t address, unsigned size)
{
    if (address % size != 0) {
        emu_fault_misaligned(x, u, lane, address, size);
        return false;
    }
    return true;
}

/* Sixteen bytes in one access of the host: a sanitizer that knows only the language's own atomics must not look. */
typedef uint64_t piece __attribute__((vector_size(16), may_alias));

__attribute__((noinline, no_sanitize("thread"))) static void copy_piece(void *to, const void *from)
{
    *(volatile piece *)to = *(const volatile piece *)from;
}

void emu_copy_in(void *value, const void *memory, unsigned size)
{
    _Alignas(16) uint8_t pieces[LANE_BYTES];

    switch (size) {
    case 1:
        *(uint8_t *)value = __atomic_load_n((const uint8_t *)memory, __ATOMIC_RELAXED);
        break;
    case 2:
        *(uint16_t *)value = __atomic_load_n((const uint16_t *)memory, __ATOMIC_RELAXED);
        break;
    case 4:
        *(uint32_t *)value = __atomic_load_n((const uint32_t *)memory, __ATOMIC_RELAXED);
        break;
    case 8:
        *(uint64_t *)value = __atomic_load_n((const uint64_t *)memory, __ATOMIC_RELAXED);
        break;
    default:
        for (unsigned i = 0; i < size; i += 16) {
            copy_piece(pieces + i, (const uint8_t *)memory + i);
        }
        memcpy(value, pieces, size);
        break;
    }
}

void emu_copy_out(void *memory, const void *value, unsigned size)
{
    _Alignas(16) uint8_t pieces[LANE_BYTES];

    switch (size) {
    case 1:
        __atomic_store_n((uint8_t *)memory, *(const uint8_t *)value, __ATOMIC_RELAXED);
        break;
    case 2:
        __atomic_store_n((uint16_t *)memory, *(const uint16_t *)value, __ATOMIC_RELAXED);
        break;
    case 4:
        __atomic_store_n((uint32_t *)memory, *(const uint32_t *)value, __ATOMIC_RELAXED);
        break;
    case 8:
        __atomic_store_n((uint64_t *)memory, *(const uint64_t *)value, __ATOMIC_RELAXED);
        break;
    default:
        memcpy(pieces, value, size);
        for (unsigned i = 0; i < size; i += 16) {
            copy_piece((uint8_t *)memory + i, pieces + i);
        }
        break;
    }
}

bool emu_lane_read(struct lanes *x, const struct uop *u, int lane, unsigned space, uint64_t address, unsigned size,
                   void *out)
{
    if (!check_aligned(x, u, lane, address, size)) {
        return false;
    }
    space = resolve(x, space, &address);
    if (space == IR_SPACE_LOCAL) {
        if (!local_in_bounds(x, address, size)) {
            return refuse(x, u, lane, space, address, size, false);
        }
        emu_local_read(x->warp, lane, address, out, size);
        return true;
    }
    const uint8_t *at = place(x, u, space, address, size, false);

    if (at == NULL && (u->flag & MEM_STRONG) != 0) {
        at = word_around_end(x, space, address, size, false);
    }
    if (at == NULL) {
        return refuse(x, u, lane, space, address, size, false);
    }
    emu_copy_in(out, at, size);
    if (u->flag & MEM_STRONG) {
        uint64_t seen[LANE_BYTES / 8] = {0};

        memcpy(seen, out, size);
        emu_note_poll(x, u, address, seen[0] ^ seen[1] ^ seen[2] ^ seen[3]);
    }
    return true;
}

bool emu_lane_target(struct lanes *x, const struct uop *u, int lane, unsigned space, uint64_t address, unsigned size,
                     uint8_t **at)
{
    *at = NULL;
    if (!check_aligned(x, u, lane, address, size)) {
        return false;
    }
    space = resolve(x, space, &address);
    if (space == IR_SPACE_LOCAL) {
        return local_in_bounds(x, address, size) || refuse(x, u, lane, space, address, size, true);
    }
    *at = place(x, u, space, address, size, true);
    return *at != NULL || refuse(x, u, lane, space, address, size, true);
}

bool emu_lane_write(struct lanes *x, const struct uop *u, int lane, unsigned space, uint64_t address, unsigned size,
                    const void *value)
{
    uint8_t *at;

    if (!emu_lane_target(x, u, lane, space, address, size, &at)) {
        return false;
    }
    if (at == NULL) {
        (void)resolve(x, space, &address);
        emu_local_write(x->warp, lane, address, value, size);
    } else {
        emu_copy_out(at, value, size);
    }
    return true;
}

void *emu_lane_atomic(struct lanes *x, const struct uop *u, int lane, unsigned space, uint64_t address, unsigned size,
                      bool *exclusive)
{
    if (!check_aligned(x, u, lane, address, size)) {
        return NULL;
    }
    space = resolve(x, space, &address);
    *exclusive = space == IR_SPACE_SHARED || space == IR_SPACE_CLUSTER;
    uint8_t *at = space == IR_SPACE_LOCAL || space == IR_SPACE_PARAM ? NULL : place(x, u, space, address, size, true);

    if (at == NULL && u->mode == EMU_ATOM_CAS) {
        at = word_around_end(x, space, address, size, true);
    }
    if (at == NULL) {
        emu_fault_access(x, u, lane, space, address, size, true);
    }
    return at;
}

uint8_t *emu_cluster_place(struct lanes *x, const struct uop *u, int lane, unsigned space, struct emu_access want,
                           struct cta **owner)
{
    uint64_t address = want.address;

    if (!check_aligned(x, u, lane, address, want.align != 0 ? want.align : want.size)) {
        return NULL;
    }
    space = resolve(x, space, &address);
    if (space != IR_SPACE_SHARED && space != IR_SPACE_CLUSTER) {
        emu_fault_not_shared(x, u, lane, want.address, want.size);
        return NULL;
    }
    uint8_t *at = shared_bytes(x->cta, address, want.size, owner);

    if (at == NULL) {
        refuse(x, u, lane, space, address, want.size, want.write);
    }
    return at;
}

uint8_t *emu_shared_place(struct lanes *x, const struct uop *u, int lane, unsigned space, struct emu_access want)
{
    struct cta *owner;
    uint8_t *at = emu_cluster_place(x, u, lane, space, want, &owner);

    if (at != NULL && owner != x->cta) {
        emu_fault_not_shared(x, u, lane, want.address, want.size);
        return NULL;
    }
    return at;
}

static uint8_t *global_place(struct lanes *x, const struct uop *u, int lane, uint64_t address, struct emu_part part,
                             bool write)
{
    if (!check_aligned(x, u, lane, address, part.whole)) {
        return NULL;
    }
    uint8_t *at = global_bytes(x, u, address, part.size, write);

    if (at == NULL) {
        refuse(x, u, lane, IR_SPACE_GLOBAL, address, part.size, write);
    }
    return at;
}

const uint8_t *emu_global_source(struct lanes *x, const struct uop *u, int lane, uint64_t address, struct emu_part part)
{
    return global_place(x, u, lane, address, part, false);
}

uint8_t *emu_global_target(struct lanes *x, const struct uop *u, int lane, uint64_t address, struct emu_part part)
{
    return global_place(x, u, lane, address, part, true);
}

/* --- what atomic operations compute ----------------------------------------------------------- */
static uint64_t sum_packed(unsigned type, uint64_t old, uint64_t b)
{
    return type == IR_F16X2 ? sem_fadd_f16x2((uint32_t)old, (uint32_t)b, 0)
                            : sem_fadd_bf16x2((uint32_t)old, (uint32_t)b, 0);
}

static bool is_nan_f64(uint64_t bits)
{
    return (bits & ~SEM_SIGN_F64) > SEM_INF_F64;
}

/*
 * Whose NaN the sum is.  The units of global memory hand on the operand's, else the memory's, without making it quiet;
 * the SM, which works on shared memory, adds as add.f64 does with the memory as its second operand.
 */
static uint64_t f64_sum(uint64_t old, uint64_t b, bool global)
{
    if (global && (is_nan_f64(b) || is_nan_f64(old))) {
        return is_nan_f64(b) ? b : old;
    }
    return sem_bits_f64(sem_fadd_f64(sem_as_f64(b), sem_as_f64(old), 0));
}

/* Sums of floating-point values. */
static uint64_t float_sum(unsigned type, uint64_t old, uint64_t b, bool global)
{
    switch (type) {
    case IR_F32:
        return sem_bits_f32(sem_fadd_f32(sem_as_f32((uint32_t)old), sem_as_f32((uint32_t)b), global ? FP_FTZ : 0));
    case IR_F64:
        return f64_sum(old, b, global);
    case IR_F16:
        return sem_fadd_f16((uint16_t)old, (uint16_t)b, 0);
    case IR_BF16:
        return sem_fadd_bf16((uint16_t)old, (uint16_t)b, 0);
    default:
        return sum_packed(type, old, b);
    }
}

static bool is_float(unsigned type)
{
    return ir_type_info[type].kind == IR_KIND_FLOAT || ir_type_info[type].kind == IR_KIND_PACKED;
}

static uint64_t extreme(unsigned type, bool want_less, uint64_t old, uint64_t b)
{
    bool less;

    switch (type) {
    case IR_S32:
        less = (int32_t)b < (int32_t)old;
        break;
    case IR_S64:
        less = (int64_t)b < (int64_t)old;
        break;
    case IR_F16:
        return want_less ? sem_fmin_f16((uint16_t)old, (uint16_t)b, 0) : sem_fmax_f16((uint16_t)old, (uint16_t)b, 0);
    case IR_BF16:
        return want_less ? sem_fmin_bf16((uint16_t)old, (uint16_t)b, 0) : sem_fmax_bf16((uint16_t)old, (uint16_t)b, 0);
    case IR_F16X2:
        return want_less ? sem_fmin_f16x2((uint32_t)old, (uint32_t)b, 0)
                         : sem_fmax_f16x2((uint32_t)old, (uint32_t)b, 0);
    case IR_BF16X2:
        return want_less ? sem_fmin_bf16x2((uint32_t)old, (uint32_t)b, 0)
                         : sem_fmax_bf16x2((uint32_t)old, (uint32_t)b, 0);
    default:
        less = b < old;
        break;
    }
    return less == want_less ? b : old;
}

static uint64_t combine(unsigned type, unsigned op, uint64_t old, uint64_t b, uint64_t c, bool global)
{
    switch (op) {
    case IR_ATOM_ADD:
        return is_float(type) ? float_sum(type, old, b, global) : old + b;
    case IR_ATOM_MIN:
        return extreme(type, true, old, b);
    case IR_ATOM_MAX:
        return extreme(type, false, old, b);
    case IR_ATOM_AND:
        return old & b;
    case IR_ATOM_OR:
        return old | b;
    case IR_ATOM_XOR:
        return old ^ b;
    case IR_ATOM_INC:
        return (uint32_t)old >= (uint32_t)b ? 0 : (uint32_t)old + 1;
    case IR_ATOM_DEC:
        return (uint32_t)old == 0 || (uint32_t)old > (uint32_t)b ? (uint32_t)b : (uint32_t)old - 1;
    case IR_ATOM_EXCH:
        return b;
    default:
        return old == b ? c : old;
    }
}

/* A read-modify-write of n bits: plain when nobody else can see it, else by compare-and-swap. */
#define ATOMIC(n)                                                                                                   \
    static uint64_t atomic_##n(uint##n##_t *at, unsigned type, unsigned op, uint64_t b, uint64_t c, bool exclusive, \
                               bool global)                                                                         \
    {                                                                                                               \
        uint##n##_t old = __atomic_load_n(at, __ATOMIC_RELAXED);                                                    \
        if (exclusive) {                                                                                            \
            *at = (uint##n##_t)combine(type, op, old, b, c, global);                                                \
            return old;                                                                                             \
        }                                                                                                           \
        while (!__atomic_compare_exchange_n(at, &old, (uint##n##_t)combine(type, op, old, b, c, global), true,      \
                                            __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {                                  \
        }                                                                                                           \
        return old;                                                                                                 \
    }
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)

#define ATOMIC_LANES(n)                                                                                     \
    static void atomic_lanes_##n(uint##n##_t *at, unsigned type, unsigned op, const uint##n##_t *b,         \
                                 const uint##n##_t *c, lane_mask lanes, bool exclusive, bool global,        \
                                 uint64_t old[WARP_LANES])                                                  \
    {                                                                                                       \
        uint##n##_t seen = __atomic_load_n(at, __ATOMIC_RELAXED), value;                                    \
        do {                                                                                                \
            value = seen;                                                                                   \
            for_each_bit (l, lanes) {                                                                       \
                old[l] = value;                                                                             \
                value = (uint##n##_t)combine(type, op, value, b[l], c == NULL ? 0 : c[l], global);          \
            }                                                                                               \
            if (exclusive) {                                                                                \
                *at = value;                                                                                \
                return;                                                                                     \
            }                                                                                               \
        } while (!__atomic_compare_exchange_n(at, &seen, value, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)); \
    }
ATOMIC_LANES(16)
ATOMIC_LANES(32)
ATOMIC_LANES(64)

void emu_atomic_lanes(void *at, unsigned type, unsigned op, const void *b, const void *c, lane_mask lanes,
                      bool exclusive, bool global, uint64_t old[WARP_LANES])
{
    switch (ir_type_bytes((enum ir_type)type)) {
    case 2:
        atomic_lanes_16(at, type, op, b, c, lanes, exclusive, global, old);
        break;
    case 4:
        atomic_lanes_32(at, type, op, b, c, lanes, exclusive, global, old);
        break;
    default:
        atomic_lanes_64(at, type, op, b, c, lanes, exclusive, global, old);
        break;
    }
}

uint64_t emu_atomic(void *at, unsigned type, unsigned op, uint64_t b, uint64_t c, bool exclusive, bool global)
{
    switch (ir_type_bytes((enum ir_type)type)) {
    case 2:
        return atomic_16(at, type, op, b, c, exclusive, global);
    case 4:
        if (op == IR_ATOM_ADD && !exclusive && !is_float(type)) {
            return __atomic_fetch_add((uint32_t *)at, (uint32_t)b, __ATOMIC_ACQ_REL);
        }
        return atomic_32(at, type, op, b, c, exclusive, global);
    default:
        if (op == IR_ATOM_ADD && !exclusive && !is_float(type)) {
            return __atomic_fetch_add((uint64_t *)at, b, __ATOMIC_ACQ_REL);
        }
        return atomic_64(at, type, op, b, c, exclusive, global);
    }
}

void emu_atomic_128(void *at, unsigned op, const uint64_t b[2], const uint64_t c[2], uint64_t old[2])
{
    typedef unsigned __int128 u128;
    u128 *p = at;
    const u128 want = (u128)b[1] << 64 | b[0], fresh = op == EMU_ATOM_CAS ? (u128)c[1] << 64 | c[0] : want;
    u128 seen;

    do {
        seen = *(volatile u128 *)p;
        if (op == EMU_ATOM_CAS && seen != want) {
            /* Confirm that the two halves were read together. */
            if (__sync_bool_compare_and_swap(p, seen, seen)) {
                break;
            }
            continue;
        }
    } while (!__sync_bool_compare_and_swap(p, seen, fresh));
    old[0] = (uint64_t)seen;
    old[1] = (uint64_t)(seen >> 64);
}
