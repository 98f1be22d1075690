/*
 * Functions that the CUDA runtime supplies to kernels: printf's other half, the device heap, assertions.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/access.h"
#include "emu/builtin.h"
#include "emu/control.h"
#include "emu/machine.h"
#include "emu/values.h"

static const char *const names[] = {
#define BUILTIN(id, name) [BUILTIN_##id] = (name),
#define SYSTEM(name)
#define FAMILY(prefix)
#include "ir/builtins.def"
};

int emu_builtin_find(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            return (int)i;
        }
    }
    return -1;
}

bool emu_builtin_uses_heap(int which)
{
    return which == BUILTIN_MALLOC || which == BUILTIN_FREE || which == BUILTIN_CDP_MALLOC || which == BUILTIN_CDP_FREE;
}

bool emu_builtin_uses_children(int which)
{
    return which > BUILTIN_ASSERTFAIL;
}

enum { TEXT_LIMIT = 4096 };

static const struct emu_site *site_of(const struct lanes *x, const struct uop *u)
{
    return &x->split->frame->code->sites[u->extra];
}

uint64_t emu_argument(const struct lanes *x, const struct uop *u, int lane, unsigned i)
{
    const struct emu_site *site = site_of(x, u);
    uint64_t value = 0;

    if (i < site->n_args && site->values[i].bytes <= sizeof value) {
        emu_value_read(x, x->split->frame, &site->values[i], lane, 0, &value, site->values[i].bytes);
    }
    return value;
}

void emu_argument_bytes(const struct lanes *x, const struct uop *u, int lane, unsigned i, void *out, unsigned size)
{
    const struct emu_site *site = site_of(x, u);

    memset(out, 0, size);
    if (i < site->n_args) {
        const uint32_t bytes = site->values[i].bytes;

        emu_value_read(x, x->split->frame, &site->values[i], lane, 0, out, size < bytes ? size : bytes);
    }
}

void emu_give_result(const struct lanes *x, const struct uop *u, int lane, uint64_t value)
{
    const struct emu_site *site = site_of(x, u);

    if (site->n_rets == 1 && site->values[site->n_args].kind != VALUE_NONE) {
        const struct emu_value *to = &site->values[site->n_args];

        emu_value_write(x, x->split->frame, to, lane, 0, &value, to->bytes > sizeof value ? sizeof value : to->bytes);
    }
}

/* A zero-terminated text in the kernel's memory; false after a fault. */
static bool read_text(struct lanes *x, const struct uop *u, int lane, uint64_t address, char text[TEXT_LIMIT])
{
    for (unsigned i = 0; i < TEXT_LIMIT - 1; i++) {
        if (!emu_lane_read(x, u, lane, IR_SPACE_GENERIC, address + i, 1, &text[i])) {
            return false;
        }
        if (text[i] == 0) {
            return true;
        }
    }
    text[TEXT_LIMIT - 1] = 0;
    return true;
}

/* --- printf ----------------------------------------------------------------------------------- */
struct output {
    char text[TEXT_LIMIT];
    size_t len;
    unsigned arguments; /* taken: what printf returns on a GPU, -1 without a format (measured on H200) */
};

static void put(struct output *out, const char *text, size_t n)
{
    n = n > sizeof out->text - out->len ? sizeof out->text - out->len : n;
    memcpy(out->text + out->len, text, n);
    out->len += n;
}

/* A conversion: its characters from '%' on, without length modifiers and '*'. */
struct conversion {
    char spec[64];
    size_t len;
    bool wide;       /* ll, l, j, z: 64-bit integer */
    unsigned halves; /* h, hh */
    char kind;       /* 'd', 's', ...; 0 when the text ended */
};

/* Arguments lie one after another at their natural alignment. */
struct cursor {
    uint64_t at;
    unsigned taken;
};

static bool next_argument(struct lanes *x, const struct uop *u, int lane, struct cursor *c, unsigned size,
                          uint64_t *value)
{
    *value = 0;
    c->at = (c->at + size - 1) / size * size;
    if (!emu_lane_read(x, u, lane, IR_SPACE_GENERIC, c->at, size, value)) {
        return false;
    }
    c->at += size;
    c->taken++;
    return true;
}

static void keep_char(struct conversion *c, char ch)
{
    if (c->len < sizeof c->spec - 8) {
        c->spec[c->len++] = ch;
    }
}

/* A width or precision, no larger than a text can be: the host's printf would take memory and time for it. */
static void keep_number(struct conversion *c, long value)
{
    char digits[16];

    value = value > TEXT_LIMIT ? TEXT_LIMIT : value < -TEXT_LIMIT ? -TEXT_LIMIT : value;
    for (int i = 0, n = snprintf(digits, sizeof digits, "%ld", value); i < n; i++) {
        keep_char(c, digits[i]);
    }
}

/* Parse one conversion at `f` (behind the percent sign); a '*' takes an argument. */
static const char *parse_conversion(struct lanes *x, const struct uop *u, int lane, const char *f, struct cursor *args,
                                    struct conversion *c, bool *ok)
{
    *c = (struct conversion){.spec = "%", .len = 1};
    for (; *f != 0; f++) {
        if (strchr("-+ #0.", *f) != NULL) {
            keep_char(c, *f);
        } else if (*f >= '1' && *f <= '9') {
            char *end;

            keep_number(c, strtol(f, &end, 10));
            f = end - 1;
        } else if (*f == '*') {
            uint64_t value;

            *ok = next_argument(x, u, lane, args, 4, &value);
            if (!*ok) {
                return f;
            }
            keep_number(c, (int32_t)value);
        } else if (strchr("ljzt", *f) != NULL) {
            c->wide = true;
        } else if (*f == 'h') {
            c->halves++;
        } else if (*f != 'L' && *f != 'q') {
            c->kind = *f;
            return f + 1;
        }
    }
    return f;
}

static void finish_spec(struct conversion *c, const char *tail)
{
    strcpy(c->spec + c->len, tail);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
/* Print one conversion of the kernel's format: the format is rebuilt from known characters only. */
static bool print_conversion(struct lanes *x, const struct uop *u, int lane, struct cursor *args, struct conversion *c,
                             struct output *out)
{
    char piece[TEXT_LIMIT], text[TEXT_LIMIT];
    uint64_t value;
    int n;

    switch (c->kind) {
    case 'd':
    case 'i':
        if (!next_argument(x, u, lane, args, c->wide ? 8 : 4, &value)) {
            return false;
        }
        finish_spec(c, "lld");
        const long long number = c->wide          ? (long long)value
                                 : c->halves == 2 ? (int8_t)value
                                 : c->halves == 1 ? (int16_t)value
                                                  : (int32_t)value;

        n = snprintf(piece, sizeof piece, c->spec, number);
        break;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        if (!next_argument(x, u, lane, args, c->wide ? 8 : 4, &value)) {
            return false;
        }
        finish_spec(c, (const char[]){'l', 'l', c->kind, 0});
        value = c->halves == 2 ? (uint8_t)value : c->halves == 1 ? (uint16_t)value : value;
        n = snprintf(piece, sizeof piece, c->spec, (unsigned long long)value);
        break;
    case 'c':
        if (!next_argument(x, u, lane, args, 4, &value)) {
            return false;
        }
        finish_spec(c, "c");
        n = snprintf(piece, sizeof piece, c->spec, (int)(unsigned char)value);
        break;
    case 'p':
        if (!next_argument(x, u, lane, args, 8, &value)) {
            return false;
        }
        finish_spec(c, "p");
        n = snprintf(piece, sizeof piece, c->spec, (void *)(uintptr_t)value);
        break;
    case 's':
        if (!next_argument(x, u, lane, args, 8, &value)) {
            return false;
        }
        strcpy(text, "(null)");
        if (value != 0 && !read_text(x, u, lane, value, text)) {
            return false;
        }
        finish_spec(c, "s");
        n = snprintf(piece, sizeof piece, c->spec, text);
        break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': {
        double real;

        if (!next_argument(x, u, lane, args, 8, &value)) {
            return false;
        }
        memcpy(&real, &value, sizeof real);
        finish_spec(c, (const char[]){c->kind, 0});
        n = snprintf(piece, sizeof piece, c->spec, real);
        break;
    }
    case '%':
        put(out, "%", 1);
        return true;
    default:
        /* Not a conversion: printed as it stands, as CUDA does. */
        put(out, c->spec, c->len);
        if (c->kind != 0) {
            put(out, &c->kind, 1);
        }
        return true;
    }
    put(out, piece, n < 0 ? 0 : (size_t)n >= sizeof piece ? sizeof piece - 1 : (size_t)n);
    return true;
}
#pragma GCC diagnostic pop

static bool print_lane(struct lanes *x, const struct uop *u, int lane, struct output *out)
{
    char format[TEXT_LIMIT];
    struct cursor args = {.at = emu_argument(x, u, lane, 1)};
    const uint64_t where = emu_argument(x, u, lane, 0);
    bool ok = true;

    if (where == 0) {
        out->arguments = UINT_MAX;
        return true;
    }
    if (!read_text(x, u, lane, where, format)) {
        return false;
    }
    for (const char *f = format; *f != 0 && ok;) {
        const size_t plain = strcspn(f, "%");

        put(out, f, plain);
        f += plain;
        if (*f == '%') {
            struct conversion c;

            f = parse_conversion(x, u, lane, f + 1, &args, &c, &ok);
            ok = ok && print_conversion(x, u, lane, &args, &c, out);
        }
    }
    out->arguments = args.taken;
    return ok;
}

static bool call_vprintf(struct lanes *x, const struct uop *u)
{
    struct machine *m = x->worker->machine;

    for_each_bit (l, x->mask) {
        struct output out = {.len = 0};

        if (!print_lane(x, u, l, &out)) {
            return false;
        }
        pthread_mutex_lock(&m->lock);
        if (m->launch->print != NULL) {
            m->launch->print(m->launch->user, out.text, out.len);
        } else {
            fwrite(out.text, 1, out.len, stdout);
        }
        pthread_mutex_unlock(&m->lock);
        emu_give_result(x, u, l, out.arguments);
    }
    return true;
}

/* --- heap and assertions ---------------------------------------------------------------------- */
static bool call_malloc(struct lanes *x, const struct uop *u)
{
    struct emu_heap *heap = x->worker->machine->launch->heap;

    for_each_bit (l, x->mask) {
        emu_give_result(x, u, l, heap == NULL ? 0 : emu_heap_take(heap, emu_argument(x, u, l, 0)));
    }
    return true;
}

static bool call_free(struct lanes *x, const struct uop *u)
{
    struct emu_heap *heap = x->worker->machine->launch->heap;

    for_each_bit (l, x->mask) {
        const uint64_t address = emu_argument(x, u, l, 0);

        if (address != 0 && (heap == NULL || !emu_heap_give(heap, address))) {
            emu_fault_note(x, u, l, EMU_FAULT_BAD_CALL, (struct emu_range){address, 0},
                           "free of 0x%llx, which malloc did not return", (unsigned long long)address);
            return false;
        }
    }
    return true;
}

/* What one lane asserts. */
struct assertion {
    char message[TEXT_LIMIT], file[TEXT_LIMIT], function[TEXT_LIMIT];
    unsigned line;
};

static bool read_assertion(struct lanes *x, const struct uop *u, int lane, struct assertion *a)
{
    a->line = (unsigned)emu_argument(x, u, lane, 2);
    return read_text(x, u, lane, emu_argument(x, u, lane, 0), a->message) &&
           read_text(x, u, lane, emu_argument(x, u, lane, 1), a->file) &&
           read_text(x, u, lane, emu_argument(x, u, lane, 3), a->function);
}

static void tell_assertion(struct lanes *x, int lane, const struct assertion *a)
{
    struct machine *m = x->worker->machine;
    struct emu_assertion told = {.expression = a->message, .file = a->file, .function = a->function, .line = a->line};

    for (int axis = 0; axis < 3; axis++) {
        told.cta[axis] = x->cta->id[axis];
        told.thread[axis] = x->tid[axis][lane];
    }
    pthread_mutex_lock(&m->lock);
    m->launch->assertion(m->launch->user, &told);
    pthread_mutex_unlock(&m->lock);
}

/* The fault is the first lane's; whoever listens hears of all. */
static bool call_assertfail(struct lanes *x, const struct uop *u)
{
    const int first = mask_first(x->mask);
    struct assertion a;

    for_each_bit (l, x->worker->machine->launch->assertion != NULL ? x->mask : 0) {
        if (!read_assertion(x, u, l, &a)) {
            return false;
        }
        tell_assertion(x, l, &a);
    }
    if (read_assertion(x, u, first, &a)) {
        emu_fault_note(x, u, first, EMU_FAULT_ASSERT, EMU_NO_RANGE, "%.400s:%u: %.200s: '%.200s'", a.file, a.line,
                       a.function, a.message);
    }
    return false;
}

bool emu_builtin_call(struct lanes *x, const struct uop *u, int which)
{
    switch (which) {
    case BUILTIN_VPRINTF:
        return call_vprintf(x, u);
    case BUILTIN_MALLOC:
        return call_malloc(x, u);
    case BUILTIN_FREE:
        return call_free(x, u);
    case BUILTIN_ASSERTFAIL:
        return call_assertfail(x, u);
    default:
        return emu_children_call(x, u, which);
    }
}
