/* Every thread follows a chain of `steps` links through a table, starting at its own index. */
#include "portable.h"

KERNEL chase(GLOBAL const word *next, GLOBAL word *out, word steps)
{
    word id = GLOBAL_ID(0);
    word at = id;

    for (word i = 0; i < steps; i++) {
        at = next[at];
    }
    out[id] = at;
}
