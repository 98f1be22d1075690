/*
 * Declarations of variables and registers, word by word as the grammar meets them.  A bad declaration still declares
 * its names (with a type that fits anything if its own is unknown), so that one mistake is one message.
 */
#include <string.h>

#include "frontend/parse.h"

enum { MAX_VECTOR_BITS = 128, MAX_SHARED_BYTES = 48 * 1024, MAX_CONST_BYTES = 64 * 1024 };
static const uint64_t MAX_VARIABLE_BYTES = (uint64_t)1 << 40;

static const char *const space_names[] = {"none", ".reg", ".sreg", ".const", ".global", ".local", ".shared", ".param"};

static enum ptx_space space_of_word(struct ptx_text word)
{
    for (enum ptx_space s = PTX_REG; s <= PTX_PARAM; s++) {
        if (ptx_text_is(word, space_names[s])) {
            return s;
        }
    }
    return PTX_SPACE_NONE;
}

enum ir_space ptx_ir_space(enum ptx_space s)
{
    static const enum ir_space of[] = {
        [PTX_CONST] = IR_SPACE_CONST,   [PTX_GLOBAL] = IR_SPACE_GLOBAL, [PTX_LOCAL] = IR_SPACE_LOCAL,
        [PTX_SHARED] = IR_SPACE_SHARED, [PTX_PARAM] = IR_SPACE_PARAM,
    };
    return of[s];
}

static bool at_module_scope(const struct ptx_parse *p)
{
    return !p->fn.in_body && !p->fn.in_head;
}

/* --- the head ------------------------------------------------------------------------------- */
void ptx_decl_begin(struct ptx_parse *p, struct diag_loc loc)
{
    p->decl = (struct ptx_decl){.loc = loc, .vec = 1, .bank = -1};
    if (at_module_scope(p)) {
        ptx_item_begins(p, loc);
    }
}

/* Report the first mistake in a declaration only. */
#define DECL_ERROR(p, loc, ...)                 \
    do {                                        \
        if (!(p)->decl.bad) {                   \
            ptx_error((p), (loc), __VA_ARGS__); \
        }                                       \
        (p)->decl.bad = true;                   \
    } while (0)

void ptx_decl_linkage(struct ptx_parse *p, struct ptx_text word, struct diag_loc loc)
{
    static const struct {
        const char *word;
        enum ir_linkage linkage;
    } rows[] = {{".extern", IR_LINK_EXTERN},
                {".visible", IR_LINK_VISIBLE},
                {".weak", IR_LINK_WEAK},
                {".common", IR_LINK_COMMON}};

    if (p->decl.loc.line == 0 || p->decl.linkage == IR_LINK_INTERNAL) {
        p->decl.loc = loc;
    }
    if (p->fn.in_body) {
        DECL_ERROR(p, loc, "'%.*s' is only allowed at module scope", (int)word.len, word.at);
    } else if (p->decl.linkage != IR_LINK_INTERNAL) {
        DECL_ERROR(p, loc, "a declaration has only one linkage");
    }
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (ptx_text_is(word, rows[i].word)) {
            p->decl.linkage = rows[i].linkage;
            p->decl.linkage_loc = loc;
        }
    }
}

void ptx_decl_space(struct ptx_parse *p, struct ptx_text word, struct diag_loc loc)
{
    struct ptx_decl *d = &p->decl;

    d->space = space_of_word(word);
    d->space_loc = loc;
    if (p->fn.in_head) {
        if (p->fn.is_entry ? d->space != PTX_PARAM : d->space != PTX_PARAM && d->space != PTX_REG) {
            DECL_ERROR(p, loc, "%s, not '%.*s'",
                       p->fn.is_entry ? "parameters of kernels are '.param'"
                                      : "parameters of functions are '.param' or '.reg'",
                       (int)word.len, word.at);
        }
    } else if (d->space == PTX_SREG) {
        DECL_ERROR(p, loc, "special registers cannot be declared");
    } else if (at_module_scope(p) && d->space == PTX_PARAM) {
        DECL_ERROR(p, loc, "'.param' variables belong into functions");
    } else if (at_module_scope(p) && d->space == PTX_REG && p->module->ptx >= 30) {
        DECL_ERROR(p, loc, "registers belong into functions");
    }
}

void ptx_decl_bank(struct ptx_parse *p, struct ptx_text number, struct diag_loc loc)
{
    uint64_t bank;

    if (!ptx_plain_number(p, number, loc, "bank", &bank)) {
        p->decl.bad = true;
    } else if (p->decl.space != PTX_CONST) {
        DECL_ERROR(p, loc, "only '.const' has banks");
    } else if (bank > 10) {
        DECL_ERROR(p, loc, "constant banks are numbered 0 to 10");
    } else if (bank != 0 && p->module->ptx > 22) {
        DECL_ERROR(p, loc, "constant banks exist only up to PTX version 2.2");
    } else {
        p->decl.bank = (int)bank;
    }
}

bool ptx_type_of_word(struct ptx_text word, enum ir_type *type)
{
    for (unsigned t = 1; t < IR_TYPE_COUNT && word.len > 1; t++) {
        if (strncmp(word.at + 1, ir_type_info[t].name, word.len - 1) == 0 &&
            ir_type_info[t].name[word.len - 1] == '\0') {
            *type = (enum ir_type)t;
            return true;
        }
    }
    return false;
}

static bool is_declarable(enum ir_type t)
{
    switch (t) {
    case IR_BF16:
    case IR_TF32:
    case IR_BF16X2:
    case IR_F32X2:
    case IR_U16X2:
    case IR_S16X2:
        return false;
    default:
        return t < IR_E4M3X2 || t >= IR_TEXREF;
    }
}

static void set_type(struct ptx_parse *p, enum ir_type type, struct ptx_text word, struct diag_loc loc)
{
    struct ptx_decl *d = &p->decl;

    if (d->type != IR_TYPE_NONE) {
        DECL_ERROR(p, loc, "a declaration has only one type, '.%s' was given already", ir_type_info[d->type].name);
    } else if (!is_declarable(type)) {
        DECL_ERROR(p, loc, "'%.*s' is a type of instructions only; declare '.b%u' instead", (int)word.len, word.at,
                   ir_type_info[type].bits < 8 ? 8 : ir_type_info[type].bits);
        type = ir_type_info[type].bits == 16 ? IR_B16 : ir_type_info[type].bits == 64 ? IR_B64 : IR_B32;
    }
    if (type == IR_B128 && !d->bad && !ptx_needs(p, loc, ".b128", 83, 70)) {
        d->bad = true;
    }
    d->type = type;
    d->type_loc = loc;
}

static void unknown_word(struct ptx_parse *p, struct ptx_text word, struct diag_loc loc)
{
    struct ptx_suggest s;

    ptx_suggest_start(&s, word.at + 1, word.len - 1);
    for (unsigned t = 1; t < IR_TYPE_COUNT; t++) {
        if (is_declarable((enum ir_type)t)) {
            ptx_suggest_try(&s, ir_type_info[t].name, strlen(ir_type_info[t].name));
        }
    }
    if (ptx_suggest_found(&s)) {
        DECL_ERROR(p, loc, "unknown type '%.*s'; did you mean '.%.*s'?", (int)word.len, word.at, (int)s.best.len,
                   s.best.at);
    } else {
        DECL_ERROR(p, loc, "unknown type '%.*s'", (int)word.len, word.at);
    }
    p->decl.type = p->decl.type == IR_TYPE_NONE ? IR_B32 : p->decl.type;
}

void ptx_decl_word(struct ptx_parse *p, struct ptx_text word, struct diag_loc loc)
{
    struct ptx_decl *d = &p->decl;
    enum ptx_space space = space_of_word(word);
    enum ir_type type;

    if (d->is_pointer && d->ptr_space == PTX_SPACE_NONE && space >= PTX_CONST && space <= PTX_SHARED) {
        d->ptr_space = space;
    } else if (space != PTX_SPACE_NONE) {
        DECL_ERROR(p, loc, "a declaration has only one state space");
    } else if (ptx_text_is(word, ".ptr")) {
        if (!p->fn.in_head || !p->fn.is_entry || d->type == IR_TYPE_NONE) {
            DECL_ERROR(p, loc, "'.ptr' follows the type of a kernel's parameter");
        }
        d->is_pointer = true;
    } else if (d->is_pointer) {
        DECL_ERROR(p, loc, "'.ptr' is followed by .const, .global, .local or .shared, not '%.*s'", (int)word.len,
                   word.at);
    } else if (ptx_text_is(word, ".v2") || ptx_text_is(word, ".v4")) {
        if (d->vec != 1 || d->type != IR_TYPE_NONE) {
            DECL_ERROR(p, loc, "'%.*s' stands once, before the type", (int)word.len, word.at);
        }
        d->vec = (uint8_t)(word.at[2] - '0');
    } else if (word.len == 3 && word.at[1] == 'v') {
        DECL_ERROR(p, loc, "vectors have 2 or 4 elements");
    } else if (ptx_type_of_word(word, &type)) {
        set_type(p, type, word, loc);
    } else {
        unknown_word(p, word, loc);
    }
}

void ptx_decl_align(struct ptx_parse *p, struct ptx_text number, struct diag_loc loc)
{
    struct ptx_decl *d = &p->decl;
    uint64_t align;

    if (!ptx_plain_number(p, number, loc, "alignment", &align)) {
        d->bad = true;
    } else if (align == 0 || (align & (align - 1)) != 0) {
        DECL_ERROR(p, loc, "alignment must be a power of two");
    } else if (align > (uint64_t)1 << 30) {
        DECL_ERROR(p, loc, "alignment is too large");
    } else if (d->is_pointer) {
        d->ptr_align = (uint32_t)align;
    } else if (d->type != IR_TYPE_NONE) {
        DECL_ERROR(p, loc, "'.align' stands before the type");
    } else if (p->fn.in_head && align > 128) {
        DECL_ERROR(p, loc, "parameters are aligned to at most 128 bytes");
    } else {
        d->align = (uint32_t)align;
        d->align_loc = loc;
    }
}

void ptx_decl_attribute(struct ptx_parse *p, struct ptx_text word, struct diag_loc loc)
{
    bool of_function = p->decl.space == PTX_SPACE_NONE;

    if (ptx_text_is(word, ".unified")) {
        if (!ptx_needs(p, loc, ".unified", 80, 90)) {
            p->decl.bad = true;
            return;
        }
        if (p->scope == PTX_WHOLE_PROGRAM) {
            DECL_ERROR(p, loc, "'.unified' is for separate compilation, but this is read as a whole program");
            ptx_note(p, loc, "%s", ptx_read_separately);
            return;
        }
        if (!of_function && p->decl.space != PTX_GLOBAL) {
            DECL_ERROR(p, loc, "only '.global' variables and functions can be unified");
        }
    } else if (!ptx_text_is(word, ".managed")) {
        DECL_ERROR(p, loc, "unknown attribute '%.*s'; there are .managed and .unified", (int)word.len, word.at);
    } else if (p->decl.space != PTX_GLOBAL) {
        DECL_ERROR(p, loc, "only '.global' variables can be managed");
    } else {
        p->decl.managed = true;
    }
}

static void check_opaque(struct ptx_parse *p)
{
    const struct ptx_decl *d = &p->decl;

    if (p->fn.in_head) {
        return; /* as a kernel's parameter */
    }
    if (d->space != PTX_GLOBAL || !at_module_scope(p)) {
        DECL_ERROR(p, d->type_loc, "'.%s' variables are '.global' at module scope", ir_type_info[d->type].name);
    } else if (d->type == IR_SAMPLERREF && !p->module->texmode_independent) {
        DECL_ERROR(p, d->type_loc, "samplers need '.target ..., texmode_independent'");
    }
}

void ptx_decl_head_done(struct ptx_parse *p, struct diag_loc loc)
{
    struct ptx_decl *d = &p->decl;

    if (d->type == IR_TYPE_NONE) {
        DECL_ERROR(p, loc, "a declaration needs a type");
        d->type = IR_B32;
    }
    const struct ir_type_info *type = &ir_type_info[d->type];

    if (type->kind == IR_KIND_PRED && (d->space != PTX_REG || d->vec != 1)) {
        DECL_ERROR(p, d->type_loc, "predicates are scalar registers");
    } else if (type->bits * d->vec > MAX_VECTOR_BITS && type->kind != IR_KIND_OPAQUE) {
        DECL_ERROR(p, d->type_loc, "a vector has at most %d bits", MAX_VECTOR_BITS);
    } else if (d->vec != 1 && d->space == PTX_PARAM) {
        DECL_ERROR(p, d->type_loc, "'.param' variables cannot be vectors");
    } else if (type->kind == IR_KIND_OPAQUE) {
        check_opaque(p);
    }
    if (d->linkage == IR_LINK_COMMON && d->space != PTX_GLOBAL) {
        DECL_ERROR(p, d->linkage_loc, "only '.global' variables can be '.common'");
    } else if (d->linkage != IR_LINK_INTERNAL && (d->space == PTX_REG || d->space == PTX_LOCAL)) {
        DECL_ERROR(p, d->linkage_loc, "'%s' variables have no linkage", space_names[d->space]);
    }
    if (d->bank > 0 && d->linkage != IR_LINK_EXTERN) {
        DECL_ERROR(p, loc, "variables in constant banks 1 to 10 are external");
    }
}

/* --- one declarator ------------------------------------------------------------------------- */
void ptx_decl_name(struct ptx_parse *p, struct ptx_text name, struct diag_loc loc)
{
    p->decl.name = name;
    p->decl.name_loc = loc;
    p->decl.range = 0;
    p->decl.n_dims = 0;
    p->decl.has_init = false;
    if (ptx_text_is(name, "_") && !p->fn.in_head) {
        DECL_ERROR(p, loc, "'_' is not a name");
    }
}

void ptx_decl_range(struct ptx_parse *p, struct ptx_text number, struct diag_loc loc)
{
    uint64_t range;

    if (!ptx_plain_number(p, number, loc, "number of names", &range)) {
        p->decl.bad = true;
    } else if (range == 0 || range >= UINT32_MAX) {
        DECL_ERROR(p, loc, "a range declares between 1 and %u names", UINT32_MAX - 1);
    } else if (p->fn.in_head) {
        DECL_ERROR(p, loc, "parameters are declared one by one");
    } else {
        p->decl.range = range;
    }
}

void ptx_decl_dim(struct ptx_parse *p, struct ptx_text number, struct diag_loc loc)
{
    struct ptx_decl *d = &p->decl;
    uint64_t count = 0;

    if (d->n_dims == 0) {
        d->dims_loc = loc;
    }
    if (d->n_dims == PTX_MAX_DIMS) {
        DECL_ERROR(p, loc, "an array has at most %d dimensions", PTX_MAX_DIMS);
        return;
    }
    if (number.at == NULL) {
        if (d->n_dims != 0) {
            DECL_ERROR(p, loc, "only the first dimension may be left open");
        }
    } else if (!ptx_plain_number(p, number, loc, "array size", &count)) {
        d->bad = true;
        return;
    } else if (count == 0) {
        DECL_ERROR(p, loc, "an array cannot have size 0");
        return;
    }
    d->dims[d->n_dims++] = count;
}

uint64_t ptx_decl_bytes(const struct ptx_decl *d, bool *overflow)
{
    uint64_t bytes = (uint64_t)ir_type_bytes(d->type) * d->vec;

    *overflow = false;
    for (uint32_t i = 0; i < d->n_dims; i++) {
        *overflow |= __builtin_mul_overflow(bytes, d->dims[i], &bytes);
    }
    *overflow |= bytes > MAX_VARIABLE_BYTES;
    return bytes;
}

static void check_array(struct ptx_parse *p)
{
    const struct ptx_decl *d = &p->decl;
    bool open = d->n_dims != 0 && d->dims[0] == 0;
    bool overflow;
    uint64_t bytes = ptx_decl_bytes(d, &overflow);

    if (overflow) {
        DECL_ERROR(p, d->dims_loc, "'%.*s' is too large", (int)d->name.len, d->name.at);
    } else if (d->space == PTX_REG && d->n_dims != 0) {
        DECL_ERROR(p, d->dims_loc, "there are no arrays of registers; write '%.*s<n>' for n of them", (int)d->name.len,
                   d->name.at);
    } else if (open && d->linkage != IR_LINK_EXTERN && !d->has_init) {
        DECL_ERROR(p, d->dims_loc, "an array without size needs an initialiser or '.extern'");
    } else if (d->space == PTX_SHARED && bytes > MAX_SHARED_BYTES) {
        DECL_ERROR(p, d->name_loc, "'%.*s' takes %llu bytes, but a kernel has %d bytes of shared memory",
                   (int)d->name.len, d->name.at, (unsigned long long)bytes, MAX_SHARED_BYTES);
    } else if (d->space == PTX_CONST && bytes > MAX_CONST_BYTES) {
        DECL_ERROR(p, d->name_loc, "'%.*s' takes %llu bytes, but there are %d bytes of constant memory",
                   (int)d->name.len, d->name.at, (unsigned long long)bytes, MAX_CONST_BYTES);
    }
}

static void check_range(struct ptx_parse *p)
{
    const struct ptx_decl *d = &p->decl;

    if (d->range != 0 && (d->n_dims != 0 || d->has_init)) {
        DECL_ERROR(p, d->name_loc, "a range of names has neither array size nor initialiser");
    }
}

/* --- entering it ---------------------------------------------------------------------------- */
uint32_t ptx_symbol_new(struct ptx_parse *p, const struct ptx_decl *d, const char *name)
{
    bool overflow;
    struct ir_symbol sym = {
        .name = name,
        .space = (uint8_t)ptx_ir_space(d->space),
        .type = (uint8_t)d->type,
        .vec = d->vec,
        .linkage = (uint8_t)d->linkage,
        .align = d->align != 0 ? d->align : ir_type_bytes(d->type) * d->vec,
        .size_bytes = ptx_decl_bytes(d, &overflow),
        .unsized = d->n_dims != 0 && d->dims[0] == 0,
        .banked = d->bank > 0,
        .managed = d->managed,
        .func = p->fn.func != NULL ? (int32_t)p->fn.func->index : -1,
        .loc = d->name_loc,
    };

    if (name == NULL) {
        return PTX_NO_INDEX;
    }
    if (!vec_push(&p->module->symbols, sym)) {
        ptx_out_of_memory(p);
        return PTX_NO_INDEX;
    }
    return p->module->symbols.count - 1;
}

/* An external variable may be declared again, and once without `.extern`; the symbol then becomes the definition. */
static bool completes_external(struct ptx_parse *p)
{
    const struct ptx_decl *d = &p->decl;
    struct ptx_name *old = ptx_name_find(p, d->name, PTX_NAME_VAR);
    bool overflow;

    if (old == NULL || old->depth != p->names.depth || d->range != 0 || old->kind != PTX_NAME_VAR) {
        return false;
    }
    struct ir_symbol *sym = &p->module->symbols.at[old->index];

    if (sym->linkage != IR_LINK_EXTERN || sym->type != d->type || sym->vec != d->vec ||
        sym->space != ptx_ir_space(d->space) || sym->func != -1) {
        return false;
    }
    sym->linkage = (uint8_t)d->linkage;
    if (sym->unsized || d->linkage != IR_LINK_EXTERN) {
        sym->size_bytes = ptx_decl_bytes(d, &overflow);
        sym->unsized = d->n_dims != 0 && d->dims[0] == 0;
    }
    if (d->has_init) {
        ptx_init_store(p, sym);
    }
    return true;
}

static void enter_variable(struct ptx_parse *p, struct ptx_name *name)
{
    const struct ptx_decl *d = &p->decl;

    if (d->range != 0) {
        struct ptx_decl *copy = ARENA_NEW(p->arena, struct ptx_decl);

        if (copy == NULL) {
            ptx_out_of_memory(p);
            return;
        }
        *copy = *d;
        name->decl = copy;
        return;
    }
    uint32_t at = (uint32_t)(name - p->names.all.at);
    uint32_t index = ptx_symbol_new(p, d, arena_strndup(p->module->arena, d->name.at, d->name.len));

    p->names.all.at[at].index = index;
    if (index != PTX_NO_INDEX && d->has_init) {
        ptx_init_store(p, &p->module->symbols.at[index]);
    }
}

void ptx_decl_variable(struct ptx_parse *p)
{
    struct ptx_decl *d = &p->decl;

    check_range(p);
    check_array(p);
    if (ptx_text_is(d->name, "_")) {
        return;
    }
    if (d->space != PTX_REG && completes_external(p)) {
        return;
    }
    if (d->bad) {
        d->n_dims = 0; /* declared all the same, as something harmless */
    }
    struct ptx_name *name = ptx_name_declare(p, d->name, d->space == PTX_REG ? PTX_NAME_REG : PTX_NAME_VAR,
                                             (uint32_t)d->range, d->name_loc);

    if (name == NULL) {
        return;
    }
    name->type = (uint8_t)d->type;
    name->vec = d->vec;
    name->space = (uint8_t)d->space;
    if (d->space != PTX_REG) {
        enter_variable(p, name);
    }
}
