/*
 * Make a program small while two engines still differ about it: leave out runs of statements, long ones first.  Any
 * choice of statements is a complete program, so nothing needs repair.  Only a function may not go before its calls:
 * both engines refuse such a text, and so agree about it.
 */
#include "campaign.h"

#include <stdlib.h>
#include <string.h>

/* --- differences in words ----------------------------------------------------------------------- */
static void describe_register(const struct shape *shape, size_t at, const uint8_t *a, const uint8_t *b, FILE *out)
{
    const size_t thread = at / RECORD_BYTES, inside = at % RECORD_BYTES;

    for (unsigned pool = 0; pool < POOLS; pool++) {
        const struct pool_info *info = &pool_info[pool];
        const unsigned bytes = info->bytes != 0 ? info->bytes : 4, count = info->bytes != 0 ? info->count : 1;

        if (inside < info->offset || inside >= info->offset + bytes * count) {
            continue;
        }
        const unsigned nth = (unsigned)(inside - info->offset) / bytes;
        const size_t start = thread * RECORD_BYTES + info->offset + nth * bytes;
        uint64_t va = 0, vb = 0;

        memcpy(&va, a + start, bytes);
        memcpy(&vb, b + start, bytes);
        fprintf(out, "// cta %zu thread %zu %s%u: 0x%llx, 0x%llx\n", thread / shape->block, thread % shape->block,
                info->prefix, nth, (unsigned long long)va, (unsigned long long)vb);
    }
}

void describe_difference(const struct shape *shape, const uint8_t *a, const uint8_t *b, const char *name_a,
                         const char *name_b, FILE *out)
{
    const size_t records = (size_t)shape->block * shape->grid * RECORD_BYTES, all = shape_out_bytes(shape);
    unsigned shown = 0, differ = 0;

    fprintf(out, "// seed %llu, grid %u, block %u: %s, %s\n", (unsigned long long)shape->seed, shape->grid,
            shape->block, name_a, name_b);
    for (size_t at = 0; at < all; at += 2) {
        if (memcmp(a + at, b + at, 2) == 0) {
            continue;
        }
        differ++;
        if (shown++ >= 8) {
            continue;
        }
        if (at < records) {
            describe_register(shape, at, a, b, out);
        } else {
            fprintf(out, "// target of atomics at byte %zu: 0x%02x%02x, 0x%02x%02x\n", at - records, a[at + 1], a[at],
                    b[at + 1], b[at]);
        }
    }
    fprintf(out, "// %u half-words differ\n", differ);
}

/* --- shrinking ---------------------------------------------------------------------------------- */
struct shrinker {
    struct shape shape;
    struct engine *a, *b;
    struct selection selection;
    uint64_t *kept;
    uint8_t *out_a, *out_b;
    bool broken;
};

static void write_text(const struct shrinker *s, struct text *text)
{
    program_header(text);
    program_write(s->shape.seed, &s->selection, text);
}

static bool still_differs(struct shrinker *s)
{
    struct text text = {0};

    if (s->broken) {
        return false;
    }
    write_text(s, &text);
    const enum outcome a = engine_run_alone(s->a, &s->shape, text.at, text.length, s->out_a);
    const enum outcome b = engine_run_alone(s->b, &s->shape, text.at, text.length, s->out_b);

    text_free(&text);
    s->broken = a == BROKEN || b == BROKEN;
    return a != b || (a == RAN && memcmp(s->out_a, s->out_b, shape_out_bytes(&s->shape)) != 0);
}

static bool is_kept(const struct shrinker *s, unsigned statement)
{
    return (s->kept[statement / 64] >> (statement % 64)) & 1;
}

/* Leave out statements first..end-1 if the difference stays; true if that was something new. */
static bool try_without(struct shrinker *s, unsigned first, unsigned end)
{
    const size_t words = s->selection.count / 64 + 1;
    uint64_t *before = malloc(words * sizeof *before);
    bool any = false;

    memcpy(before, s->kept, words * sizeof *before);
    for (unsigned i = first; i < end; i++) {
        any = any || is_kept(s, i);
        s->kept[i / 64] &= ~((uint64_t)1 << (i % 64));
    }
    any = any && still_differs(s);
    if (!any) {
        memcpy(s->kept, before, words * sizeof *before);
    }
    free(before);
    return any;
}

static void leave_out(struct shrinker *s)
{
    bool again = true;

    for (unsigned run = (s->selection.count + 1) / 2; run > 0; run /= 2) {
        for (unsigned first = 0; first < s->selection.count; first += run) {
            const unsigned end = first + run < s->selection.count ? first + run : s->selection.count;

            try_without(s, first, end);
        }
    }
    while (again) {
        again = false;
        for (unsigned i = s->selection.count; i-- > 0;) {
            again = try_without(s, i, i + 1) || again;
        }
    }
}

void shrink(uint64_t seed, struct engine *a, struct engine *b, FILE *out)
{
    struct shrinker s = {.shape = shape_of(seed), .a = a, .b = b};
    struct text text = {0};

    s.selection.count = program_write(seed, NULL, &text);
    text_free(&text);
    s.kept = malloc((s.selection.count / 64 + 1) * sizeof *s.kept);
    s.out_a = malloc(MOST_OUT_BYTES);
    s.out_b = malloc(MOST_OUT_BYTES);
    memset(s.kept, 0xff, (s.selection.count / 64 + 1) * sizeof *s.kept);
    s.selection.kept = s.kept;
    if (!still_differs(&s)) {
        fprintf(out, "// seed %llu: %s and %s agree\n", (unsigned long long)seed, a->name, b->name);
    } else {
        leave_out(&s);
        if (still_differs(&s)) {
            describe_difference(&s.shape, s.out_a, s.out_b, a->name, b->name, out);
        }
        write_text(&s, &text);
        fprintf(out, "%s\n", text.at);
        text_free(&text);
    }
    fflush(out);
    free(s.kept);
    free(s.out_a);
    free(s.out_b);
}
