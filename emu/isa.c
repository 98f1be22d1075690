/*
 * Which set of handlers this host runs.
 */
#include <stddef.h>
#include <strings.h>

#include "emu/code.h"

const struct handler_set *emu_handlers_pick(const char *force)
{
    const struct handler_set *sets[3];
    size_t n = 0;

#ifdef EMU_HAVE_V4
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("fma")) {
        sets[n++] = &emu_handlers_v4;
    }
#endif
#ifdef EMU_HAVE_V3
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) {
        sets[n++] = &emu_handlers_v3;
    }
#endif
    sets[n++] = &emu_handlers_base;
    for (size_t i = 0; force != NULL && i < n; i++) {
        if (strcasecmp(force, sets[i]->isa) == 0) {
            return sets[i];
        }
    }
    return sets[0];
}
