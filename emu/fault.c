/*
 * Faults: what went wrong, where, and in words.  Invariant: a launch keeps one fault, that of the lowest CTA that met
 * one before the launch stopped; every message says kernel, CTA, thread and line.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "emu/control.h"
#include "emu/machine.h"
#include "emu/sem_mbarrier.h"

const char *emu_fault_name(enum emu_fault_kind kind)
{
    static const char *const names[] = {
        [EMU_FAULT_NONE] = "no fault",
        [EMU_FAULT_OUT_OF_BOUNDS] = "out-of-bounds access",
        [EMU_FAULT_MISALIGNED] = "misaligned access",
        [EMU_FAULT_NULL] = "null access",
        [EMU_FAULT_READ_ONLY] = "write to read-only memory",
        [EMU_FAULT_TRAP] = "trap",
        [EMU_FAULT_ASSERT] = "assertion failed",
        [EMU_FAULT_DEADLOCK] = "deadlock",
        [EMU_FAULT_TIMEOUT] = "timeout",
        [EMU_FAULT_CANCELLED] = "cancelled",
        [EMU_FAULT_STACK_OVERFLOW] = "stack overflow",
        [EMU_FAULT_BAD_CALL] = "bad call",
        [EMU_FAULT_BAD_BARRIER] = "bad barrier",
        [EMU_FAULT_ILLEGAL_INSTRUCTION] = "illegal instruction",
        [EMU_FAULT_BAD_HANDLE] = "bad handle",
        [EMU_FAULT_NO_MEMORY] = "out of memory",
    };

    return names[kind];
}

static size_t append(struct emu_fault *f, size_t at, const char *format, ...) __attribute__((format(printf, 3, 4)));
static size_t append(struct emu_fault *f, size_t at, const char *format, ...)
{
    va_list list;

    if (at >= sizeof f->message - 1) {
        return at;
    }
    va_start(list, format);
    const int n = vsnprintf(f->message + at, sizeof f->message - at, format, list);

    va_end(list);
    return n < 0 ? at : at + (size_t)n;
}

/* Keep a fault if it is the first or comes from a lower CTA, and stop the launch. */
static void keep(struct machine *m, const struct emu_fault *f)
{
    pthread_mutex_lock(&m->lock);
    if (m->fault->kind == EMU_FAULT_NONE || f->cta_linear < m->fault->cta_linear) {
        *m->fault = *f;
    }
    pthread_mutex_unlock(&m->lock);
    atomic_store(&m->stop, true);
}

static struct ir_line line_of(const struct emu_code *code, const struct uop *u)
{
    const struct ir_module *module = code->program->module;
    const struct ir_inst *in = &code->func->insts.at[u->inst];

    return in->line < module->lines.count ? module->lines.at[in->line] : (struct ir_line){0};
}

/* "kernel 'k', CTA (0,0,0), thread (5,0,0), file.ptx:12 (file.cu:7)" */
static size_t describe(struct emu_fault *f, size_t at, const struct emu_program *p)
{
    const struct ir_module *module = p->module;

    at = append(f, at, "kernel '%s', CTA (%u,%u,%u), thread (%u,%u,%u)", p->entry->name, f->cta[0], f->cta[1],
                f->cta[2], f->thread[0], f->thread[1], f->thread[2]);
    if (f->line.line != 0) {
        at = append(f, at, ", %s:%u", f->text, f->line.line);
    }
    if (f->line.file != 0 && f->line.file < module->files.count && module->files.at[f->line.file].name != NULL) {
        f->source_file = module->files.at[f->line.file].name;
        at = append(f, at, " (%s:%u)", f->source_file, f->line.source_line);
    }
    return at;
}

static void locate(struct emu_fault *f, const struct lanes *x, const struct uop *u, int lane)
{
    const struct cta *cta = x->cta;

    f->cta_linear = cta->linear;
    f->warp = x->warp->index;
    f->lane = (unsigned)lane;
    for (int axis = 0; axis < 3; axis++) {
        f->cta[axis] = cta->id[axis];
        f->thread[axis] = x->tid[axis][lane];
    }
    const struct emu_code *code = x->split->frame->code;

    f->line = line_of(code, u);
    f->text = code->program->module->texts.at[code->func->text];
}

void emu_fault_note(struct lanes *x, const struct uop *u, int lane, enum emu_fault_kind kind, struct emu_range at,
                    const char *format, ...)
{
    struct emu_fault f = {.kind = kind, .address = at.address, .bytes = at.bytes};
    char words[1024];
    va_list list;

    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    locate(&f, x, u, lane);
    const size_t end = append(&f, 0, "%s: %s: ", emu_fault_name(kind), words);

    describe(&f, end, x->worker->machine->program);
    x->stop = STOP_FAULT;
    keep(x->worker->machine, &f);
}

void emu_fault_launch(struct machine *m, enum emu_fault_kind kind, const char *format, ...)
{
    struct emu_fault f = {.kind = kind, .cta_linear = UINT64_MAX};
    char words[1024];
    va_list list;

    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    append(&f, 0, "%s: kernel '%s': %s", emu_fault_name(kind), m->program->entry->name, words);
    keep(m, &f);
}

/* --- accesses --------------------------------------------------------------------------------- */
/* An allocation as messages need it: one that lives, or one that was freed. */
struct place {
    const char *state, *label; /* "freed " or nothing; NULL: it has no label */
    uint64_t base, size;
};

/* Where an access is, as seen from an allocation. */
static void word_distance(char *text, size_t size, const struct place *a, uint64_t address, unsigned bytes)
{
    if (address < a->base) {
        snprintf(text, size, "%llu bytes before", (unsigned long long)(a->base - address));
    } else if (address - a->base >= a->size) {
        const uint64_t past = address - a->base - a->size;

        snprintf(text, size, past == 0 ? "right behind" : "%llu bytes past the end of", (unsigned long long)past);
    } else {
        snprintf(text, size, address - a->base + bytes > a->size ? "across the end of" : "inside");
    }
}

static void name_nearest(char *text, size_t size, const struct worker *worker, uint64_t address, unsigned bytes)
{
    struct mem_freed freed;
    struct place a;
    char where[64];

    if (mem_find_freed(worker->machine->launch->memory, address, &freed)) {
        a = (struct place){"freed ", freed.labelled ? freed.label : NULL, freed.base, freed.size};
    } else {
        int64_t distance;
        const struct mem_alloc *live = mem_nearest(worker->map, address, &distance);

        if (live == NULL) {
            snprintf(text, size, "nothing is allocated");
            return;
        }
        a = (struct place){"", live->label, live->base, live->size - live->slack};
    }
    word_distance(where, sizeof where, &a, address, bytes);
    snprintf(text, size, "%s %s%s%s%s (%llu bytes at 0x%llx)", where, a.state, a.label != NULL ? "'" : "allocation ",
             a.label != NULL ? a.label : "", a.label != NULL ? "'" : "", (unsigned long long)a.size,
             (unsigned long long)a.base);
}

void emu_fault_access(struct lanes *x, const struct uop *u, int lane, unsigned space, uint64_t address, unsigned size,
                      bool write)
{
    struct machine *m = x->worker->machine;
    const struct emu_range range = {address, size};
    const char *verb = write ? "write" : "read";

    if (space == IR_SPACE_SHARED || space == IR_SPACE_CLUSTER) {
        emu_fault_note(x, u, lane, EMU_FAULT_OUT_OF_BOUNDS, range,
                       "%s of %u bytes at shared address 0x%llx, the CTA has %llu bytes of shared memory", verb, size,
                       (unsigned long long)address, (unsigned long long)x->shared_bytes);
    } else if (space == IR_SPACE_LOCAL) {
        emu_fault_note(x, u, lane, EMU_FAULT_OUT_OF_BOUNDS, range,
                       "%s of %u bytes at local address 0x%llx, the thread has %u bytes of local memory", verb, size,
                       (unsigned long long)address, x->warp->local_bytes);
    } else if (space == IR_SPACE_PARAM) {
        emu_fault_note(x, u, lane, EMU_FAULT_OUT_OF_BOUNDS, range,
                       "%s of %u bytes at parameter address 0x%llx, the kernel has %llu bytes of parameters", verb,
                       size, (unsigned long long)address, (unsigned long long)m->program->entry->param_bytes);
    } else if (address < 4096) {
        emu_fault_note(x, u, lane, EMU_FAULT_NULL, range, "%s of %u bytes at 0x%llx", verb, size,
                       (unsigned long long)address);
    } else {
        char nearest[400];
        const struct mem_alloc *a = mem_find(x->worker->map, address, size);

        if (a != NULL && write && a->read_only) {
            emu_fault_note(x, u, lane, EMU_FAULT_READ_ONLY, range, "write of %u bytes at 0x%llx inside '%s'", size,
                           (unsigned long long)address, a->label != NULL ? a->label : "constant memory");
            return;
        }
        name_nearest(nearest, sizeof nearest, x->worker, address, size);
        emu_fault_note(x, u, lane, EMU_FAULT_OUT_OF_BOUNDS, range, "%s of %u bytes at 0x%llx, %s", verb, size,
                       (unsigned long long)address, nearest);
    }
}

const struct uop *emu_fault_misaligned(struct lanes *x, const struct uop *u, int lane, uint64_t address, unsigned size)
{
    emu_fault_note(x, u, lane, EMU_FAULT_MISALIGNED, (struct emu_range){address, size},
                   "access of %u bytes at 0x%llx, which is not a multiple of %u", size, (unsigned long long)address,
                   size);
    return NULL;
}

const struct uop *emu_fault_not_shared(struct lanes *x, const struct uop *u, int lane, uint64_t address, unsigned size)
{
    emu_fault_note(x, u, lane, EMU_FAULT_OUT_OF_BOUNDS, (struct emu_range){address, size},
                   "access of %u bytes at 0x%llx, which is not in shared memory", size, (unsigned long long)address);
    return NULL;
}

const struct uop *emu_fault_branch(struct lanes *x, const struct uop *u, int lane, uint32_t index, uint32_t count)
{
    emu_fault_note(x, u, lane, EMU_FAULT_BAD_CALL, EMU_NO_RANGE, "brx.idx with index %u in a table of %u labels", index,
                   count);
    return NULL;
}

const struct uop *emu_fault_trap(struct lanes *x, const struct uop *u)
{
    emu_fault_note(x, u, mask_first(x->mask), EMU_FAULT_TRAP, EMU_NO_RANGE, "%s",
                   u->mode ? "brkpt without a debugger" : "the kernel executed trap");
    return NULL;
}

/* --- deadlock --------------------------------------------------------------------------------- */
static size_t append_barrier_name(struct emu_fault *f, size_t at, unsigned id)
{
    return id == CLUSTER_BARRIER ? append(f, at, "the cluster's barrier") : append(f, at, "barrier %u", id);
}

/* What a barrier has and lacks. */
static size_t append_barrier(struct emu_fault *f, size_t at, const struct cta *cta, unsigned id)
{
    const struct cta_barrier *b = &cta->barriers[id];
    unsigned arrived = 0, missing = 0;

    for (uint32_t i = 0; i < cta->n_warps; i++) {
        arrived += (unsigned)mask_count(b->arrived[i]);
        missing += (unsigned)mask_count(cta->warps[i].alive & ~b->arrived[i]);
    }
    at = append_barrier_name(f, append(f, at, "\n  "), id);
    if (b->expected != 0) {
        return append(f, at, ": %u threads arrived, %u expected", arrived, b->expected);
    }
    return append(f, at, ": %u threads arrived, %u have not", arrived, missing);
}

static bool waits(const struct split *s)
{
    return s->state == SPLIT_AT_BARRIER || s->state == SPLIT_AT_SYNC || s->state == SPLIT_AT_MBARRIER;
}

/* Of two splits that wait in the same way. */
static bool waits_for_same(const struct split *a, const struct split *b)
{
    switch (a->state) {
    case SPLIT_AT_BARRIER:
        return a->barrier == b->barrier;
    case SPLIT_AT_MBARRIER:
        return a->wait_at == b->wait_at;
    default:
        return a->sync_mask == b->sync_mask;
    }
}

/* Lanes of a warp that wait like `first`: at one place, for the same. */
static lane_mask lanes_like(const struct warp *w, const struct split *first)
{
    lane_mask lanes = 0;

    for_each_bit (k, w->used) {
        const struct split *s = &w->splits[k];
        const bool same = s->state == first->state && s->pc == first->pc && waits_for_same(s, first);

        lanes |= same ? s->mask : 0;
    }
    return lanes;
}

/* What the mbarrier that is waited at lacks. */
static size_t append_mbarrier(struct emu_fault *f, size_t at, const struct cta *cta, uint32_t place)
{
    uint64_t bits;

    if (place == UINT32_MAX) {
        return append(f, at, "at several mbarriers");
    }
    memcpy(&bits, cta->shared + place, sizeof bits);
    const struct sem_mbar m = sem_mbar_split(bits);

    return append(f, at, "at the mbarrier at shared address 0x%x: %u of %u arrivals and %d transactions are missing",
                  place, m.pending, m.expected, m.tx);
}

/* One line for each group of lanes of a warp; `seen` keeps groups from being told twice. */
static size_t append_waiting(struct emu_fault *f, size_t at, const struct warp *w)
{
    lane_mask seen = 0;

    for_each_bit (k, w->used) {
        const struct split *s = &w->splits[k];

        if (!waits(s) || (s->mask & seen) != 0) {
            continue;
        }
        const lane_mask lanes = lanes_like(w, s);
        const unsigned line = line_of(s->frame->code, s->pc).line;

        seen |= lanes;
        at = append(f, at, "\n  warp %u lanes 0x%08x (%d threads) at line %u wait ", w->index, lanes, mask_count(lanes),
                    line);
        if (s->state == SPLIT_AT_BARRIER) {
            at = append_barrier_name(f, append(f, at, "at "), s->barrier);
        } else if (s->state == SPLIT_AT_MBARRIER) {
            at = append_mbarrier(f, at, w->cta, s->wait_at);
        } else {
            at = append(f, at, "for lanes 0x%08x of their warp", s->sync_mask & w->alive & ~lanes);
        }
    }
    return at;
}

/* The place where the first blocked thread waits stands for the whole deadlock. */
static void locate_blocked(struct emu_fault *f, struct worker *worker, struct cta *cta)
{
    struct lanes *x = &worker->lanes;

    for (uint32_t i = 0; i < cta->n_warps; i++) {
        struct warp *w = &cta->warps[i];

        for_each_bit (k, w->used) {
            if (waits(&w->splits[k])) {
                x->warp = w;
                x->cta = cta;
                x->split = &w->splits[k];
                for (int axis = 0; axis < 3; axis++) {
                    x->tid[axis] = worker->tid_rows + ((size_t)i * 3 + (size_t)axis) * WARP_LANES;
                }
                locate(f, x, x->split->pc, mask_first(x->split->mask));
                return;
            }
        }
    }
}

void emu_fault_deadlock(struct worker *worker, struct cta *cta)
{
    struct emu_fault f = {.kind = EMU_FAULT_DEADLOCK};
    size_t at = append(&f, 0, "%s: all threads of the CTA are blocked: ", emu_fault_name(EMU_FAULT_DEADLOCK));

    locate_blocked(&f, worker, cta);
    at = describe(&f, at, worker->machine->program);
    for (unsigned id = 0; id < ALL_BARRIERS; id++) {
        if (cta->barriers[id].in_use) {
            at = append_barrier(&f, at, cta, id);
        }
    }
    for (uint32_t i = 0; i < cta->n_warps; i++) {
        at = append_waiting(&f, at, &cta->warps[i]);
    }
    worker->lanes.stop = STOP_FAULT;
    keep(worker->machine, &f);
}
