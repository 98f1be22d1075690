/*
 * The tables of types, shapes, operations and special registers, expanded from their .def files, and small questions
 * about them.  Invariant: entry i of a table describes enumerator i, because both are expansions of the same rows.
 */
#include "ir/ir.h"

#include <string.h>

#include "ir/typesets.h"

/* The effect column names effects without their prefix. */
enum {
    E_PURE = IR_E_PURE,
    E_COMMUTES = IR_E_COMMUTES,
    E_LOAD = IR_E_LOAD,
    E_STORE = IR_E_STORE,
    E_ATOMIC = IR_E_ATOMIC,
    E_FENCE = IR_E_FENCE,
    E_CROSS = IR_E_CROSS,
    E_SYNC = IR_E_SYNC,
    E_BARRIER = IR_E_BARRIER,
    E_BRANCH = IR_E_BRANCH,
    E_END = IR_E_END,
    E_CALL = IR_E_CALL,
    E_FAULT = IR_E_FAULT,
    E_SREG = IR_E_SREG,
    E_HINT = IR_E_HINT,
    E_YIELD = IR_E_YIELD,
    E_STACK = IR_E_STACK,
    E_ASYNC = IR_E_ASYNC,
};

const struct ir_type_info ir_type_info[IR_TYPE_COUNT] = {
    [IR_TYPE_NONE] = {.name = "", .bits = 0, .kind = IR_KIND_NONE},
#define TYPE(id, word, width, what) [IR_##id] = {.name = word, .bits = width, .kind = IR_KIND_##what},
#include "ir/types.def"
#undef TYPE
};

const struct ir_shape_info ir_shape_info[IR_SHAPE_COUNT] = {
#define SHAPE(id, d, s) [IR_SHAPE_##id] = {.name = #id, .dsts = d, .srcs = s},
#include "ir/shapes.def"
#undef SHAPE
};

const char *const ir_geometry_name[IR_GEOMETRY_COUNT] = {"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"};
const char *const ir_bounds_name[3] = {"trap", "clamp", "zero"};
const char *const ir_query_name[IR_QUERY_COUNT] = {
    [IR_QUERY_WIDTH] = "width",           [IR_QUERY_HEIGHT] = "height",
    [IR_QUERY_DEPTH] = "depth",           [IR_QUERY_DATA_TYPE] = "channel_data_type",
    [IR_QUERY_ORDER] = "channel_order",   [IR_QUERY_NORMALIZED] = "normalized_coords",
    [IR_QUERY_LAYERS] = "array_size",     [IR_QUERY_LEVELS] = "num_mipmap_levels",
    [IR_QUERY_SAMPLES] = "num_samples",   [IR_QUERY_FILTER] = "filter_mode",
    [IR_QUERY_ADDRESS_0] = "addr_mode_0", [IR_QUERY_ADDRESS_1] = "addr_mode_1",
    [IR_QUERY_ADDRESS_2] = "addr_mode_2", [IR_QUERY_UNNORMALIZED] = "force_unnormalized_coords",
    [IR_QUERY_LAYOUT] = "memory_layout",
};

/* An empty set stands for all types. */
#define MASK(set) (IR_TYPES(set) == 0 ? ~(uint64_t)0 : IR_TYPES(set))

const struct ir_op_info ir_op_info[IR_OP_COUNT] = {
#define OP(id, shp, typeset, pipe, eff, meaning, text) \
    [IR_##id] = {.name = #id,                          \
                 .types = MASK(typeset),               \
                 .effects = eff,                       \
                 .shape = IR_SHAPE_##shp,              \
                 .unit = IR_UNIT_##pipe,               \
                 .words = text},
#define FORM(...)
#include "ir/instructions.def"
#undef OP
#undef FORM
};

const struct ir_sreg_info ir_sreg_info[IR_SREG_COUNT] = {
    [IR_SREG_NONE] = {.name = "", .bits = 0},
#define SREG(id, word, width, version, target, text) \
    [IR_SREG_##id] = {.name = word, .bits = width, .ptx = version, .sm = target},
#include "ir/sregs.def"
#undef SREG
};

const char *const ir_video_name[IR_VIDEO_COUNT] = {
    [IR_VADD] = "vadd",           [IR_VSUB] = "vsub",   [IR_VABSDIFF] = "vabsdiff", [IR_VMIN] = "vmin",
    [IR_VMAX] = "vmax",           [IR_VSHL] = "vshl",   [IR_VSHR] = "vshr",         [IR_VMAD] = "vmad",
    [IR_VSET] = "vset",           [IR_VADD2] = "vadd2", [IR_VSUB2] = "vsub2",       [IR_VAVRG2] = "vavrg2",
    [IR_VABSDIFF2] = "vabsdiff2", [IR_VMIN2] = "vmin2", [IR_VMAX2] = "vmax2",       [IR_VSET2] = "vset2",
    [IR_VADD4] = "vadd4",         [IR_VSUB4] = "vsub4", [IR_VAVRG4] = "vavrg4",     [IR_VABSDIFF4] = "vabsdiff4",
    [IR_VMIN4] = "vmin4",         [IR_VMAX4] = "vmax4", [IR_VSET4] = "vset4",
};
const char *ir_space_name(enum ir_space s)
{
    static const char *const names[IR_SPACE_COUNT] = {[IR_SPACE_GENERIC] = "generic",
                                                      [IR_SPACE_GLOBAL] = "global",
                                                      [IR_SPACE_SHARED] = "shared",
                                                      [IR_SPACE_LOCAL] = "local",
                                                      [IR_SPACE_CONST] = "const",
                                                      [IR_SPACE_PARAM] = "param",
                                                      [IR_SPACE_CLUSTER] = "shared::cluster"};

    return names[s];
}

unsigned ir_type_bytes(enum ir_type t)
{
    return (ir_type_info[t].bits + 7u) / 8u;
}

enum ir_type ir_type_wide(enum ir_type t)
{
    switch (ir_type_info[t].kind) {
    case IR_KIND_BITS:
    case IR_KIND_UINT:
    case IR_KIND_SINT:
        for (unsigned w = IR_TYPE_NONE + 1; w < IR_TYPE_COUNT; w++) {
            if (ir_type_info[w].kind == ir_type_info[t].kind && ir_type_info[w].bits == 2 * ir_type_info[t].bits) {
                return (enum ir_type)w;
            }
        }
        break;
    default:
        break;
    }
    return t == IR_F16 ? IR_F32 : t == IR_F32 ? IR_F64 : IR_TYPE_NONE;
}

bool ir_is_supplied(const char *name)
{
    static const char *const names[] = {
#define BUILTIN(id, name) (name),
#define SYSTEM(name)      (name),
#define FAMILY(prefix)
#include "ir/builtins.def"
    };
    static const char *const prefixes[] = {
#define BUILTIN(id, name)
#define SYSTEM(name)
#define FAMILY(prefix) (prefix),
#include "ir/builtins.def"
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) {
            return true;
        }
    }
    return false;
}
