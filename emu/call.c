/*
 * Calls: activations, arguments and results.  Each activation has rows, scalars and local memory of its own above its
 * caller's, so recursion is the rule and not an exception.  The uop behind a call is always a RECONV: lanes that part
 * inside a function and return separately meet there.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/builtin.h"
#include "emu/control.h"
#include "emu/machine.h"
#include "emu/values.h"

enum { DEPTH_LIMIT = 1 << 16 };

/* --- values that are words of 4 bytes ---------------------------------------------------------- */
/*
 * Local memory has a word of all lanes in one row, and so do rows of 4 bytes: between those, values move row by row.
 * Rows and scalars of 8 bytes give and take two words at a time.
 */
static bool gives_words(const struct emu_value *v, unsigned bytes)
{
    return bytes % 4 == 0 &&
           ((v->kind == VALUE_FRAME && v->offset % 4 == 0) ||
            ((v->kind == VALUE_ROW || v->kind == VALUE_SCALAR) && v->bytes <= 8 && v->bytes == bytes));
}

static bool takes_words(const struct emu_value *v, unsigned bytes)
{
    return v->kind != VALUE_SCALAR && gives_words(v, bytes);
}

static uint8_t *rows_of(const struct lanes *x, const struct frame *f, const struct emu_value *v)
{
    return v->kind == VALUE_FRAME ? x->warp->local + ((size_t)f->local + v->offset) * WARP_LANES
                                  : x->warp->rows + f->rows + v->offset;
}

/* Word `first` and the one behind it, where there is one, of the value: in its own rows, or put into `copy`. */
static const uint32_t *words_of(const struct lanes *x, const struct frame *f, const struct emu_value *v, unsigned first,
                                uint32_t copy[2 * WARP_LANES])
{
    if (v->kind == VALUE_SCALAR) {
        const uint32_t *words = (const uint32_t *)(x->split->scalars + f->scalars + v->offset);

        for_each_lane (l)
            copy[l] = words[0];
        for (int l = 0; v->bytes == 8 && l < WARP_LANES; l++) {
            copy[WARP_LANES + l] = words[1];
        }
        return copy;
    }
    if (v->kind == VALUE_ROW && v->bytes == 8) {
        const uint64_t *row = (const uint64_t *)rows_of(x, f, v);

        for_each_lane (l)
            copy[l] = (uint32_t)row[l];
        for_each_lane (l)
            copy[WARP_LANES + l] = (uint32_t)(row[l] >> 32);
        return copy;
    }
    return (const uint32_t *)rows_of(x, f, v) + (size_t)first * WARP_LANES;
}

static void put_words(const struct lanes *x, const struct frame *f, const struct emu_value *v, unsigned first,
                      unsigned count, const uint32_t *words)
{
    if (v->kind == VALUE_ROW && v->bytes == 8) {
        uint64_t *row = (uint64_t *)rows_of(x, f, v);

        for_each_bit (l, x->mask) {
            row[l] = words[l] | (uint64_t)words[WARP_LANES + l] << 32;
        }
        return;
    }
    uint32_t *to = (uint32_t *)rows_of(x, f, v) + (size_t)first * WARP_LANES;

    for (unsigned i = 0; i < count; i++, to += WARP_LANES, words += WARP_LANES) {
        if (x->mask == ALL_LANES) {
            memcpy(to, words, sizeof(uint32_t) * WARP_LANES);
            continue;
        }
        for_each_bit (l, x->mask) {
            to[l] = words[l];
        }
    }
}

/* --- all values -------------------------------------------------------------------------------- */
/* Copy the active lanes of one value between activations (or within one). */
static void copy_value(struct lanes *x, const struct frame *from, const struct emu_value *a, const struct frame *to,
                       const struct emu_value *b)
{
    const unsigned bytes = a->bytes < b->bytes ? a->bytes : b->bytes;
    uint8_t part[16];

    if (a->kind == VALUE_NONE || b->kind == VALUE_NONE) {
        return;
    }
    if (gives_words(a, bytes) && takes_words(b, bytes)) {
        for (unsigned i = 0; i < bytes / 4; i += 2) {
            uint32_t copy[2 * WARP_LANES];

            put_words(x, to, b, i, bytes / 4 - i < 2 ? 1 : 2, words_of(x, from, a, i, copy));
        }
        return;
    }
    for_each_bit (l, x->mask) {
        for (unsigned done = 0; done < bytes; done += sizeof part) {
            const unsigned n = bytes - done < sizeof part ? bytes - done : (unsigned)sizeof part;

            emu_value_read(x, from, a, l, done, part, n);
            emu_value_write(x, to, b, l, done, part, n);
        }
    }
}

static lane_mask *mask_of(const struct lanes *x, const struct frame *f, const struct emu_value *v)
{
    uint8_t *base = v->kind == VALUE_MASK ? x->warp->rows + f->rows : x->split->scalars + f->scalars;

    return (lane_mask *)(base + v->offset);
}

/*
 * The bytes of a 16-byte row value lie in two rows; all others are one element of one row.  A predicate reads as a word
 * that is 0 or 1 and is written by its lowest bit: what a call gives and what the callee takes need not agree.
 */
void emu_value_read(const struct lanes *x, const struct frame *f, const struct emu_value *v, int lane, unsigned first,
                    void *out, unsigned n)
{
    const struct warp *w = x->warp;
    const unsigned l = (unsigned)lane;

    switch (v->kind) {
    case VALUE_ROW:
        if (v->bytes == 16) {
            const uint64_t *row = (const uint64_t *)(w->rows + f->rows + v->offset);
            const uint64_t both[2] = {row[l], row[l + WARP_LANES]};

            memcpy(out, both, n);
        } else {
            memcpy(out, w->rows + f->rows + v->offset + (size_t)l * v->bytes, n);
        }
        break;
    case VALUE_SCALAR:
        memcpy(out, x->split->scalars + f->scalars + v->offset + first, n);
        break;
    case VALUE_MASK:
    case VALUE_SCALAR_MASK: {
        const uint32_t bit = (*mask_of(x, f, v) >> l) & 1;

        memcpy(out, (const uint8_t *)&bit + first, n);
        break;
    }
    default:
        emu_local_read(w, lane, (uint64_t)f->local + v->offset + first, out, n);
        break;
    }
}

void emu_value_write(const struct lanes *x, const struct frame *f, const struct emu_value *v, int lane, unsigned first,
                     const void *value, unsigned n)
{
    struct warp *w = x->warp;
    const unsigned l = (unsigned)lane;

    switch (v->kind) {
    case VALUE_ROW:
        if (v->bytes == 16) {
            uint64_t *row = (uint64_t *)(w->rows + f->rows + v->offset);
            uint64_t both[2] = {row[l], row[l + WARP_LANES]};

            memcpy(both, value, n);
            row[l] = both[0];
            row[l + WARP_LANES] = both[1];
        } else {
            memcpy(w->rows + f->rows + v->offset + (size_t)l * v->bytes, value, n);
        }
        break;
    case VALUE_SCALAR:
        memcpy(x->split->scalars + f->scalars + v->offset + first, value, n);
        break;
    case VALUE_MASK:
    case VALUE_SCALAR_MASK: {
        lane_mask *mask = mask_of(x, f, v);

        *mask = (*mask & ~lane_bit(lane)) | (lane_mask)(*(const uint8_t *)value & 1) << l;
        break;
    }
    default:
        emu_local_write(w, lane, (uint64_t)f->local + v->offset + first, value, n);
        break;
    }
}

static struct frame *new_frame(struct worker *worker)
{
    struct frame *f = worker->free_frames;

    if (f == NULL) {
        return malloc(sizeof *f);
    }
    worker->free_frames = f->caller;
    return f;
}

/* Rows that read as zero before they are written, for the lanes that enter. */
static void clear_rows(struct lanes *x, const struct frame *f)
{
    const struct emu_code *code = f->code;

    for (uint32_t i = 0; i < code->n_zero_rows; i++) {
        uint8_t *row = x->warp->rows + f->rows + code->zero_rows[2 * i];
        const unsigned bytes = code->zero_rows[2 * i + 1];

        if (bytes == sizeof(lane_mask)) {
            *(lane_mask *)row &= ~x->mask;
            continue;
        }
        for_each_bit (l, x->mask) {
            const unsigned each = bytes == 16 * WARP_LANES ? 8 : bytes / WARP_LANES;

            for (unsigned at = (unsigned)l * each; at < bytes; at += each * WARP_LANES) {
                memset(row + at, 0, each);
            }
        }
    }
}

/*
 * Rows of different width put one lane in different places, so two activations with different rows must not overlap
 * even though their lanes are disjoint.  Each function therefore has a place of its own in the warp's rows, and each
 * level of recursion a stretch with a place for every recursive function: whatever splits do, activations at one place
 * have one layout.
 */
static uint64_t place_rows(const struct emu_code *code, uint32_t level)
{
    const struct emu_program *p = code->program;

    return code->func->recursive ? p->static_rows + (uint64_t)(level - 1) * p->recursive_rows + code->rows_at
                                 : code->rows_at;
}

static const struct uop *overflow(struct lanes *x, const struct uop *u, unsigned depth)
{
    emu_fault_note(x, u, mask_first(x->mask), EMU_FAULT_STACK_OVERFLOW, EMU_NO_RANGE,
                   "no room for another activation after %u nested calls", depth);
    return NULL;
}

/* Whether the last parameter has no size and takes what a call passes. */
static bool is_open(const struct emu_code *code)
{
    return code->n_params != 0 && code->params[code->n_params - 1].bytes == UINT32_MAX;
}

/* How many bytes a call passes there; they lie where the function's alloca begins. */
static uint64_t open_bytes(const struct emu_site *site, const struct emu_code *code)
{
    return is_open(code) && site->n_args == code->n_params ? ir_frame_end(site->values[site->n_args - 1].bytes) : 0;
}

/* Enter `code` with the arguments of call site `u`. */
static const struct uop *enter(struct lanes *x, const struct uop *u, const struct emu_code *code)
{
    struct split *s = x->split;
    struct frame *caller = s->frame;
    const struct emu_site *site = &caller->code->sites[u->extra];
    const uint32_t level = caller->level + code->func->recursive;
    const uint64_t rows = place_rows(code, level);
    const uint64_t scalars = (uint64_t)caller->scalars + caller->code->frame_scalars;
    const uint64_t local = ir_frame_end((uint64_t)caller->local + caller->code->frame_local + s->stack_bytes);
    const uint64_t open = open_bytes(site, code);

    if (caller->depth >= DEPTH_LIMIT ||
        !emu_warp_reserve(x->worker, x->warp, rows + code->frame_rows + 64, scalars + code->frame_scalars + 16,
                          local + code->frame_local + open)) {
        return overflow(x, u, caller->depth);
    }
    struct frame *f = new_frame(x->worker);

    if (f == NULL) {
        return overflow(x, u, caller->depth);
    }
    *f = (struct frame){.caller = caller,
                        .code = code,
                        .call = u,
                        .rows = (uint32_t)rows,
                        .scalars = (uint32_t)scalars,
                        .local = (uint32_t)local,
                        .depth = caller->depth + 1,
                        .level = level,
                        .uses = 1,
                        .caller_stack = s->stack_bytes};
    s->stack_bytes = (uint32_t)open;
    memcpy(s->scalars + f->scalars, code->consts, (size_t)code->n_consts * 8);
    clear_rows(x, f);
    for (uint32_t i = 0; i < site->n_args && i < code->n_params; i++) {
        copy_value(x, caller, &site->values[i], f, &code->params[i]);
    }
    s->frame = f;
    s->pc = code->uops;
    x->stop = STOP_RESUME;
    return NULL;
}

static const struct emu_code *code_at(const struct emu_program *p, uint64_t address)
{
    const uint64_t index = address / EMU_FUNC_STEP - 1;

    return address != 0 && address % EMU_FUNC_STEP == 0 && index < p->module->funcs.count ? p->codes[index] : NULL;
}

static const struct uop *call_indirect(struct lanes *x, const struct uop *u)
{
    const uint64_t *row = (const uint64_t *)(x->rows + u->a);
    const uint64_t scalar = u->kinds & KIND_A ? *(const uint64_t *)(x->scalars + u->a) : 0;
    const int first = mask_first(x->mask);
    const uint64_t address = u->kinds & KIND_A ? scalar : row[first];
    lane_mask same = x->mask;

    if (!(u->kinds & KIND_A)) {
        same = 0;
        for_each_bit (l, x->mask) {
            same |= (lane_mask)(row[l] == address) << l;
        }
    }
    if (same != x->mask) {
        /*
         * The others stay at the call for another turn, which counts their instructions; these lanes go in at once, or
         * a merge would undo the parting.
         */
        x->thread_insts -= (uint64_t)u->n_insts * (unsigned)mask_count(x->mask & ~same);
        emu_diverge_multi(x, u, same, u);
        emu_set_mask(x, same);
    }
    const struct emu_code *code = code_at(x->worker->machine->program, address);
    const struct emu_site *site = &x->split->frame->code->sites[u->extra];

    if (code == NULL || code->func->is_entry) {
        emu_fault_note(x, u, first, EMU_FAULT_BAD_CALL, (struct emu_range){address, 0},
                       "call through 0x%llx, which is no function", (unsigned long long)address);
        return NULL;
    }
    if (code->n_params != site->n_args && !(is_open(code) && code->n_params == site->n_args + 1)) {
        emu_fault_note(x, u, first, EMU_FAULT_BAD_CALL, (struct emu_range){address, 0},
                       "call of '%s' with %u arguments, it takes %u", code->func->name, site->n_args, code->n_params);
        return NULL;
    }
    return enter(x, u, code);
}

const struct uop *emu_call(struct lanes *x, const struct uop *u)
{
    const struct emu_program *p = x->worker->machine->program;

    switch (u->mode) {
    case CALL_DIRECT:
        return enter(x, u, p->codes[u->b]);
    case CALL_INDIRECT:
        return call_indirect(x, u);
    case CALL_HOST:
        emu_host_call(x, u, u->b);
        return u + 1;
    default:
        return emu_builtin_call(x, u, (int)u->b) ? u + 1 : NULL;
    }
}

const struct uop *emu_return(struct lanes *x, const struct uop *u)
{
    struct split *s = x->split;
    struct frame *f = s->frame;

    if (f->caller == NULL) {
        return emu_exit_lanes(x, u, x->mask);
    }
    const struct emu_site *site = &f->caller->code->sites[f->call->extra];

    for (uint32_t i = 0; i < site->n_rets && i < f->code->n_rets; i++) {
        copy_value(x, f, &f->code->rets[i], f->caller, &site->values[site->n_args + i]);
    }
    s->frame = emu_frame_keep(f->caller);
    s->stack_bytes = f->caller_stack;
    s->pc = f->call + 1;
    emu_frame_drop(x->worker, f);
    x->stop = STOP_RESUME;
    return NULL;
}

/* alloca, stacksave and stackrestore: mode = enum stack_mode; d = result, a = bytes or position; imm = alignment. */
const struct uop *emu_stack(struct lanes *x, const struct uop *u, uint8_t *rows, uint8_t *scalars)
{
    struct split *s = x->split;
    const struct frame *f = s->frame;
    const uint64_t bottom = (uint64_t)f->local + f->code->frame_local;
    uint64_t result = bottom + s->stack_bytes;

    if (u->mode != STACK_SAVE) {
        const bool wide = u->flag == 64;
        uint64_t wanted = 0;

        for_each_bit (l, x->mask) {
            const uint64_t v = u->kinds & KIND_A
                                   ? (wide ? *(const uint64_t *)(scalars + u->a) : *(const uint32_t *)(scalars + u->a))
                               : wide ? ((const uint64_t *)(rows + u->a))[l]
                                      : ((const uint32_t *)(rows + u->a))[l];

            wanted = v > wanted ? v : wanted;
        }
        if (u->mode == STACK_RESTORE) {
            s->stack_bytes =
                wanted >= bottom && wanted - bottom <= s->stack_bytes ? (uint32_t)(wanted - bottom) : s->stack_bytes;
            return u + 1;
        }
        const uint64_t align = u->imm < 16 ? 16 : u->imm;

        result = (result + align - 1) / align * align;
        if (wanted > UINT32_MAX || !emu_warp_reserve(x->worker, x->warp, 0, 0, result + wanted)) {
            emu_fault_note(x, u, mask_first(x->mask), EMU_FAULT_STACK_OVERFLOW, EMU_NO_RANGE, "alloca of %llu bytes",
                           (unsigned long long)wanted);
            return NULL;
        }
        s->stack_bytes = (uint32_t)(result + wanted - bottom);
    }
    for_each_bit (l, x->mask) {
        if (u->vec == 8) {
            ((uint64_t *)(rows + u->d))[l] = result;
        } else {
            ((uint32_t *)(rows + u->d))[l] = (uint32_t)result;
        }
    }
    return u + 1;
}
