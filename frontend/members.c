/*
 * Hash tables from 64-bit keys to indices: the members of register ranges that exist, and sets of keys.  They live
 * outside the list of names, since a member belongs to the scope of its range, not to the one it is first used in.
 */
#include <stdlib.h>
#include <string.h>

#include "frontend/parse.h"

enum { FIRST_MEMBERS = 256 };

void ptx_members_forget(struct ptx_members *m)
{
    if (m->room > FIRST_MEMBERS) {
        free(m->slots);
        *m = (struct ptx_members){0};
    } else if (m->room != 0) {
        memset(m->slots, 0, m->room * sizeof *m->slots);
        m->count = 0;
    }
}

static uint64_t mix(uint64_t key)
{
    key *= 0x9e3779b97f4a7c15u;
    return key ^ key >> 32;
}

static bool grow_members(struct ptx_members *m)
{
    uint32_t room = m->room == 0 ? FIRST_MEMBERS : m->room * 2;
    struct ptx_member *slots = room != 0 ? calloc(room, sizeof *slots) : NULL;

    if (slots == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < m->room; i++) {
        if (m->slots[i].key != 0) {
            uint32_t at = (uint32_t)mix(m->slots[i].key) & (room - 1);

            while (slots[at].key != 0) {
                at = (at + 1) & (room - 1);
            }
            slots[at] = m->slots[i];
        }
    }
    free(m->slots);
    m->slots = slots;
    m->room = room;
    return true;
}

struct ptx_member *ptx_members_slot(struct ptx_members *m, uint64_t key)
{
    if (m->count * 4 >= m->room * 3 && !grow_members(m)) {
        return NULL;
    }
    uint32_t at = (uint32_t)mix(key) & (m->room - 1);

    while (m->slots[at].key != 0 && m->slots[at].key != key) {
        at = (at + 1) & (m->room - 1);
    }
    return &m->slots[at];
}
