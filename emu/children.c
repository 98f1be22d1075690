/*
 * What grids ask for while they run, and what their threads know of it.  See children.h, children_list.h.
 */
#include "emu/children_list.h"

#include <stdlib.h>
#include <string.h>

#include "memsys/memory.h"

enum { BUFFER_BYTES = 4096 }; /* at least: most parameters fit, and buffers are used again */

/* What a thread would be told by cudaGetLastError. */
struct emu_child_error {
    struct emu_child_error *next;
    struct emu_child_asker who;
    int error;
};

struct emu_child_text {
    struct emu_child_text *next;
    const char *words; /* a literal: known by its place */
    uint64_t address;
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
    for (struct emu_child_buffer *b = c->buffers; b != NULL; b = b->next) {
        b->open = false;
    }
    while (c->errors != NULL) {
        struct emu_child_error *next = c->errors->next;

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
        struct emu_child_buffer *next = c->buffers->next;

        (void)mem_release(c->options.memory, c->buffers->address);
        free(c->buffers);
        c->buffers = next;
    }
    while (c->texts != NULL) {
        struct emu_child_text *next = c->texts->next;

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
/* The thread's note, or NULL. */
static struct emu_child_error *note_of(const struct emu_children *c, struct emu_child_asker who)
{
    struct emu_child_error *n = c->errors;

    while (n != NULL && (n->who.cta != who.cta || n->who.thread != who.thread)) {
        n = n->next;
    }
    return n;
}

int emu_children_note(struct emu_children *c, struct emu_child_asker who, int error)
{
    struct emu_child_error *n = error == 0 ? NULL : note_of(c, who);

    if (error != 0 && n == NULL && (n = calloc(1, sizeof *n)) != NULL) {
        *n = (struct emu_child_error){c->errors, who, 0};
        c->errors = n;
    }
    if (n != NULL) {
        n->error = error;
    }
    return error;
}

int emu_children_last_error(const struct emu_children *c, struct emu_child_asker who, bool clear)
{
    struct emu_child_error *n = note_of(c, who);
    const int error = n == NULL ? 0 : n->error;

    if (n != NULL && clear) {
        n->error = 0;
    }
    return error;
}

/* --- what is asked for ------------------------------------------------------------------------ */
bool emu_children_add(struct emu_children *c, uint64_t cta, struct emu_child child)
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
    child.cta = cta;
    child.number = c->count;
    c->all[c->count++] = child;
    return true;
}

struct emu_child_buffer *emu_children_open(struct emu_children *c, uint64_t bytes)
{
    struct emu_child_buffer *b = c->buffers;

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
        b->of.kernel = NULL;
    }
    return b;
}

struct emu_child_buffer *emu_children_buffer(const struct emu_children *c, uint64_t address)
{
    struct emu_child_buffer *b = c->buffers;

    while (b != NULL && (b->address != address || !b->open)) {
        b = b->next;
    }
    return b;
}

/* --- texts ------------------------------------------------------------------------------------ */
uint64_t emu_children_text(struct emu_children *c, const char *words)
{
    struct emu_child_text *t = c->texts;

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
