/*
 * How a texture or surface instruction is decoded: uop.mode says what it does, operands.h lists its operands, of which
 * `vec` are results.  Private to emu/.
 *
 * uop: mode = enum texture_mode; space = enum ir_geometry; env = channel, enum ir_query, or enum ir_atom; flag = enum
 * ir_bounds; vec = values moved; c = enum ir_type of a value; d = mask of the predicate result or NO_OPERAND.
 */
#ifndef EMU_TEXTURE_EXEC_H
#define EMU_TEXTURE_EXEC_H

#include "emu/code.h"
#include "emu/control.h"
#include "emu/operands.h"
#include "emu/texture_object.h"

enum texture_mode {
    TEXTURE_SAMPLE, /* with a level of 0 */
    TEXTURE_LEVEL,
    TEXTURE_GRADIENT,
    TEXTURE_OFFSET,
    TEXTURE_FETCH, /* coordinates are integers */
    TEXTURE_FETCH_LEVEL,
    TEXTURE_GATHER,
    TEXTURE_QUERY,
    TEXTURE_QUERY_LEVEL,
    TEXTURE_TYPE,
    SURFACE_QUERY,
    SURFACE_LOAD,
    SURFACE_STORE,
    SURFACE_STORE_TEXEL,
    SURFACE_REDUCE,
    SURFACE_REDUCE_TEXEL,
};

/*
 * The object that a lane's handle stands for, if it is of one of the `kinds` (bit per enum emu_object_kind) and the
 * memory that it is about is there; NULL after a fault.
 */
const struct emu_object *emu_texture_object(struct lanes *x, const struct uop *u, int lane, uint64_t handle,
                                            unsigned kinds);

/* surface.c: execute a mode that moves data of surfaces for the active lanes; false after a fault. */
bool emu_surface(struct lanes *x, const struct uop *u, const struct emu_operands *o);

#endif
