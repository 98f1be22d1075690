/*
 * Directives between a function's parameters and its body: performance limits of kernels, attributes of functions.
 */
#include <string.h>

#include "frontend/parse.h"

enum { FOR_ENTRY = 1, FOR_FUNC = 2, ZERO_OK = 4, ONCE = 8 };

enum limit_id {
    LIMIT_MAXNTID,
    LIMIT_REQNTID,
    LIMIT_MINNCTAPERSM,
    LIMIT_MAXNCTAPERSM,
    LIMIT_MAXNREG,
    LIMIT_REQNCTAPERCLUSTER,
    LIMIT_MAXCLUSTERRANK,
    LIMIT_EXPLICITCLUSTER,
    LIMIT_BLOCKSARECLUSTERS,
    LIMIT_NORETURN,
    LIMIT_ABI_PRESERVE,
    LIMIT_ABI_PRESERVE_CONTROL,
    LIMIT_COUNT,
};

static const struct limit {
    const char *word;
    uint8_t min, max; /* numbers that follow */
    uint8_t flags;
    uint8_t ptx, sm; /* first version and target */
} limits[] = {
    [LIMIT_MAXNTID] = {".maxntid", 1, 3, FOR_ENTRY, 10, 10},
    [LIMIT_REQNTID] = {".reqntid", 1, 3, FOR_ENTRY | ONCE, 10, 10},
    [LIMIT_MINNCTAPERSM] = {".minnctapersm", 1, 1, FOR_ENTRY, 10, 10},
    [LIMIT_MAXNCTAPERSM] = {".maxnctapersm", 1, 1, FOR_ENTRY, 10, 10},
    [LIMIT_MAXNREG] = {".maxnreg", 1, 1, FOR_ENTRY, 10, 10},
    [LIMIT_REQNCTAPERCLUSTER] = {".reqnctapercluster", 1, 3, FOR_ENTRY | ZERO_OK, 78, 90},
    [LIMIT_MAXCLUSTERRANK] = {".maxclusterrank", 1, 1, FOR_ENTRY | ZERO_OK, 78, 90},
    [LIMIT_EXPLICITCLUSTER] = {".explicitcluster", 0, 0, FOR_ENTRY, 78, 90},
    [LIMIT_BLOCKSARECLUSTERS] = {".blocksareclusters", 0, 0, FOR_ENTRY, 90, 90},
    [LIMIT_NORETURN] = {".noreturn", 0, 0, FOR_FUNC, 64, 30},
    [LIMIT_ABI_PRESERVE] = {".abi_preserve", 1, 1, FOR_FUNC | ZERO_OK, 90, 80},
    [LIMIT_ABI_PRESERVE_CONTROL] = {".abi_preserve_control", 1, 1, FOR_FUNC | ZERO_OK, 90, 80},
};

static bool seen(const struct ptx_parse *p, enum limit_id id)
{
    return (p->fn.limits_seen >> id & 1) != 0;
}

/* The numbers of the directive into v[3], missing ones 1.  False after reporting. */
static bool take_numbers(struct ptx_parse *p, const struct limit *l, const struct ptx_list *numbers, uint32_t v[3],
                         struct diag_loc loc)
{
    uint32_t count = numbers != NULL ? numbers->count : 0;

    if (count < l->min || count > l->max) {
        if (l->max == 0) {
            ptx_error(p, loc, "'%s' takes no number", l->word);
        } else {
            ptx_error(p, loc, "'%s' takes %s", l->word, l->max == 1 ? "one number" : "one to three numbers");
        }
        return false;
    }
    v[0] = v[1] = v[2] = 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_operand *op = numbers->items[i];

        if (op->literal != PTX_LIT_INT || op->bits > UINT32_MAX || (op->bits == 0 && (l->flags & ZERO_OK) == 0)) {
            ptx_error(p, op->loc, "'%s' takes positive integers", l->word);
            return false;
        }
        v[i] = (uint32_t)op->bits;
    }
    return true;
}

static void store(struct ptx_parse *p, enum limit_id id, const uint32_t v[3])
{
    switch (id) {
    case LIMIT_MAXNTID:
        memcpy(p->fn.maxntid, v, sizeof p->fn.maxntid);
        break;
    case LIMIT_REQNTID:
        memcpy(p->fn.reqntid, v, sizeof p->fn.reqntid);
        break;
    case LIMIT_REQNCTAPERCLUSTER:
        memcpy(p->fn.reqnctapercluster, v, sizeof p->fn.reqnctapercluster);
        break;
    case LIMIT_MINNCTAPERSM:
        p->fn.minnctapersm = v[0];
        break;
    case LIMIT_MAXNCTAPERSM:
        p->fn.maxnctapersm = v[0];
        break;
    case LIMIT_MAXNREG:
        p->fn.maxnreg = v[0];
        break;
    case LIMIT_NORETURN:
        p->fn.noreturn = true;
        break;
    default:
        break;
    }
}

void ptx_func_limit(struct ptx_parse *p, struct ptx_text word, const struct ptx_list *numbers, struct diag_loc loc)
{
    enum limit_id id = 0;
    uint32_t v[3];

    while (id < LIMIT_COUNT && !ptx_text_is(word, limits[id].word)) {
        id++;
    }
    if (id == LIMIT_COUNT) {
        return; /* the lexer knows the same words */
    }
    const struct limit *l = &limits[id];

    p->fn.limit_loc = loc;
    if ((l->flags & (p->fn.is_entry ? FOR_ENTRY : FOR_FUNC)) == 0) {
        ptx_error(p, loc, "'%s' is only for %s", l->word, p->fn.is_entry ? "functions" : "kernels");
    } else if (id == LIMIT_MAXNCTAPERSM && p->module->ptx > 20) {
        ptx_error(p, loc, "'%s' was removed in PTX version 2.1; use '.minnctapersm'", l->word);
    } else if (ptx_needs(p, loc, l->word, l->ptx, l->sm) && take_numbers(p, l, numbers, v, loc)) {
        store(p, id, v);
    }
    p->fn.limits_seen |= (uint32_t)1 << id;
}

void ptx_func_limits_check(struct ptx_parse *p)
{
    struct diag_loc loc = p->fn.limit_loc;

    if (seen(p, LIMIT_MAXNTID) && seen(p, LIMIT_REQNTID)) {
        ptx_error(p, loc, "'.maxntid' and '.reqntid' exclude each other");
    } else if (seen(p, LIMIT_REQNCTAPERCLUSTER) && seen(p, LIMIT_MAXCLUSTERRANK)) {
        ptx_error(p, loc, "'.reqnctapercluster' and '.maxclusterrank' exclude each other");
    } else if (seen(p, LIMIT_BLOCKSARECLUSTERS) && !(seen(p, LIMIT_REQNTID) && seen(p, LIMIT_REQNCTAPERCLUSTER))) {
        ptx_error(p, loc, "'.blocksareclusters' needs '.reqntid' and '.reqnctapercluster'");
    } else if (p->fn.noreturn && p->fn.rets.count != 0) {
        ptx_error(p, loc, "a '.noreturn' function has no result");
    }
}
