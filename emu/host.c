/*
 * Calls of the host's functions.  Each active lane calls with its own arguments, one after the other; what the function
 * is and how it takes arguments is known to whoever loaded the program.
 */
#include <string.h>

#include "emu/machine.h"
#include "emu/values.h"

enum { HOST_ALIGN = 16, MOST_ARGUMENTS = EMU_HOST_BYTES / HOST_ALIGN };

static uint64_t rounded(uint32_t bytes)
{
    return ((uint64_t)bytes + HOST_ALIGN - 1) / HOST_ALIGN * HOST_ALIGN;
}

bool emu_host_fits(const struct emu_site *site)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < site->n_args; i++) {
        bytes += rounded(site->values[i].bytes);
    }
    return site->n_args <= MOST_ARGUMENTS && bytes <= EMU_HOST_BYTES && site->n_rets <= 1 &&
           (site->n_rets == 0 || site->values[site->n_args].bytes <= EMU_HOST_BYTES);
}

/* One lane's arguments. */
struct arguments {
    _Alignas(HOST_ALIGN) uint8_t bytes[EMU_HOST_BYTES];
    void *at[MOST_ARGUMENTS];
};

/* What a call gives may be narrower than what the function takes: the rest is zero. */
static void gather(const struct lanes *x, const struct emu_site *site, int lane, struct arguments *out)
{
    uint8_t *next = out->bytes;

    for (uint32_t i = 0; i < site->n_args; i++) {
        const struct emu_value *value = &site->values[i];

        out->at[i] = next;
        memset(next, 0, rounded(value->bytes));
        emu_value_read(x, x->split->frame, value, lane, 0, next, value->bytes);
        next += rounded(value->bytes);
    }
}

void emu_host_call(struct lanes *x, const struct uop *u, uint32_t function)
{
    const struct emu_site *site = &x->split->frame->code->sites[u->extra];
    const struct emu_launch *launch = x->worker->machine->launch;
    const struct emu_value *result = site->n_rets == 1 ? &site->values[site->n_args] : NULL;
    _Alignas(HOST_ALIGN) uint8_t given[EMU_HOST_BYTES];
    struct arguments arguments;

    for_each_bit (l, x->mask) {
        gather(x, site, l, &arguments);
        memset(given, 0, result != NULL ? rounded(result->bytes) : HOST_ALIGN);
        launch->host_call(launch->host, function, arguments.at, given);
        if (result != NULL && result->kind != VALUE_NONE) {
            emu_value_write(x, x->split->frame, result, l, 0, given, result->bytes);
        }
    }
}
