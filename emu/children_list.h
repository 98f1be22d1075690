/*
 * What one grid asks for and what its threads know of it, for the functions of the device runtime (children_call.c).
 * Private to emu/.  All of it needs the lock, which the functions take for each lane that calls.
 */
#ifndef EMU_CHILDREN_LIST_H
#define EMU_CHILDREN_LIST_H

#include <pthread.h>

#include "emu/children.h"

/* Memory for the parameters of a launch that is being prepared. */
struct emu_child_buffer {
    struct emu_child_buffer *next;
    uint64_t address, bytes;
    bool open;                /* handed to a kernel that has not launched yet */
    struct emu_child_grid of; /* of.kernel NULL: the launch will say */
};

struct emu_child_error;
struct emu_child_text;

struct emu_children {
    pthread_mutex_t lock;
    struct emu_children_options options;
    struct emu_child *all;
    uint64_t count, room;
    struct emu_child_buffer *buffers;
    struct emu_child_error *errors;
    struct emu_child_text *texts;
    uint64_t handles;
};

/* A thread of the grid. */
struct emu_child_asker {
    uint64_t cta;
    unsigned thread;
};

/* Write down what a thread of the CTA asks for.  False when the host's memory is exhausted. */
bool emu_children_add(struct emu_children *c, uint64_t cta, struct emu_child child);

/* A free buffer of at least `bytes`, now open; NULL without memory. */
struct emu_child_buffer *emu_children_open(struct emu_children *c, uint64_t bytes);
/* The open buffer at the address, or NULL. */
struct emu_child_buffer *emu_children_buffer(const struct emu_children *c, uint64_t address);

/* The thread's last error becomes `error`, which is returned.  Without memory it is lost, but for that. */
int emu_children_note(struct emu_children *c, struct emu_child_asker who, int error);
int emu_children_last_error(const struct emu_children *c, struct emu_child_asker who, bool clear);

/* `words`, a literal, where kernels can read them; 0 without memory. */
uint64_t emu_children_text(struct emu_children *c, const char *words);

#endif
