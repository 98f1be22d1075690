/*
 * "did you mean": which known word is nearest to one that is not known.  Distance counts inserted, deleted, exchanged
 * and swapped characters; among equals the one that starts alike for longer wins; only a distance that a slip of the
 * finger explains counts as found.
 */
#include <string.h>

#include "frontend/parse.h"

enum { MAX_WORD = 48 };

void ptx_suggest_start(struct ptx_suggest *s, const char *text, size_t len)
{
    *s = (struct ptx_suggest){.wanted = {text, (uint32_t)len}, .distance = UINT32_MAX, .rank = UINT32_MAX};
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;

    return m < c ? m : c;
}

/* Edit distance with neighbouring characters swapped counted as one (restricted Damerau-Levenshtein). */
static unsigned distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
    unsigned rows[3][MAX_WORD + 1];
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];

    for (unsigned j = 0; j <= b_len; j++) {
        last[j] = j;
    }
    for (size_t i = 1; i <= a_len; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_len; j++) {
            unsigned differs = a[i - 1] != b[j - 1];

            row[j] = min3(last[j] + 1, row[j - 1] + 1, last[j - 1] + differs);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < row[j]) {
                row[j] = before[j - 2] + 1;
            }
        }
        unsigned *spare = before;

        before = last;
        last = row;
        row = spare;
    }
    return last[b_len];
}

static unsigned common_start(const char *a, size_t a_len, const char *b, size_t b_len)
{
    unsigned n = 0;

    while (n < a_len && n < b_len && a[n] == b[n]) {
        n++;
    }
    return n;
}

void ptx_suggest_try(struct ptx_suggest *s, const char *text, size_t len)
{
    size_t longer = len > s->wanted.len ? len : s->wanted.len;
    size_t shorter = len > s->wanted.len ? s->wanted.len : len;

    if (longer > MAX_WORD || shorter == 0 || longer - shorter > 2) {
        return;
    }
    unsigned d = distance(s->wanted.at, s->wanted.len, text, len);
    unsigned rank = d * 2 * MAX_WORD + MAX_WORD - common_start(s->wanted.at, s->wanted.len, text, len);

    if (rank < s->rank) {
        s->rank = rank;
        s->distance = d;
        s->best = (struct ptx_text){text, (uint32_t)len};
    }
}

bool ptx_suggest_found(const struct ptx_suggest *s)
{
    return s->distance != 0 && s->distance <= (s->wanted.len <= 4 ? 1u : 2u);
}
