/*
 * Functions: their heads as they are read, agreement with earlier declarations, and the life of a body.
 *
 * Invariant: `fn.func` is set exactly while a body is being read; the parameter scope (depth 1) and the body scope
 * (depth 2) are open exactly then.
 */
#include <string.h>

#include "frontend/parse.h"

/* --- heads ---------------------------------------------------------------------------------- */
static void head_reset(struct ptx_parse *p)
{
    struct ptx_function *fn = &p->fn;

    fn->params.count = 0;
    fn->rets.count = 0;
    fn->param_decls.count = 0;
    fn->ret_decls.count = 0;
    fn->in_rets = false;
    fn->open_array = false;
    fn->noreturn = false;
    fn->limits_seen = 0;
    fn->in_head = true;
    fn->bad = false;
    memset(fn->maxntid, 0, sizeof fn->maxntid);
    memset(fn->reqntid, 0, sizeof fn->reqntid);
    memset(fn->reqnctapercluster, 0, sizeof fn->reqnctapercluster);
    fn->minnctapersm = fn->maxnctapersm = fn->maxnreg = 0;
}

void ptx_func_begin(struct ptx_parse *p, bool is_entry, struct diag_loc loc)
{
    head_reset(p);
    p->fn.is_entry = is_entry;
    p->fn.linkage = p->decl.linkage;
    p->fn.bad = p->decl.bad;
    p->fn.head_loc = loc;
    p->fn.name = (struct ptx_text){0};
    p->fn.name_loc = loc;
    p->decl.space = PTX_SPACE_NONE;
    if (p->decl.linkage == IR_LINK_COMMON) {
        ptx_error(p, p->decl.linkage_loc, "functions cannot be '.common'");
    }
}

void ptx_func_lists(struct ptx_parse *p, bool rets)
{
    p->fn.in_rets = rets;
    if (rets && p->fn.is_entry) {
        ptx_error(p, p->before_loc, "a kernel has no results");
        p->fn.bad = true;
    }
}

void ptx_func_name(struct ptx_parse *p, struct ptx_text name, struct diag_loc loc)
{
    p->fn.name = name;
    p->fn.name_loc = loc;
}

/* What is wrong with the parameter being read, or NULL. */
static const char *param_fault(const struct ptx_parse *p, bool *of_array)
{
    const struct ptx_decl *d = &p->decl;
    bool open = d->n_dims != 0 && d->dims[0] == 0;
    bool overflow;

    *of_array = d->n_dims != 0;
    if (p->fn.open_array && !p->fn.in_rets) {
        return "an array without size is the last parameter";
    }
    if (open && (p->fn.is_entry || p->fn.in_rets)) {
        return "only functions have array parameters without size";
    }
    if (d->n_dims != 0 && d->space == PTX_REG) {
        return "a '.reg' parameter is not an array";
    }
    ptx_decl_bytes(d, &overflow);
    if (overflow) {
        return "parameter is too large";
    }
    return NULL;
}

void ptx_func_param(struct ptx_parse *p)
{
    struct ptx_decl *d = &p->decl;
    bool of_array, overflow;
    const char *fault = d->bad ? NULL : param_fault(p, &of_array);
    struct ir_param param = {
        .type = (uint8_t)d->type,
        .is_reg = d->space == PTX_REG,
        .is_pointer = d->is_pointer,
        .ptr_space = (uint8_t)ptx_ir_space(d->ptr_space),
        .ptr_align = d->ptr_align,
        .align = d->align != 0 ? d->align : ir_type_bytes(d->type),
        .size_bytes = ptx_decl_bytes(d, &overflow),
    };

    if (fault != NULL) {
        ptx_error(p, of_array ? d->dims_loc : d->name_loc, "%s", fault);
        d->bad = true;
    }
    if (d->bad) {
        p->fn.bad = true;
    }
    p->fn.open_array |= !p->fn.in_rets && d->n_dims != 0 && d->dims[0] == 0;
    if (p->fn.params.count + p->fn.rets.count == PTX_MAX_PARAMS) {
        ptx_fatal(p, d->name_loc, "more than %d parameters", PTX_MAX_PARAMS);
        return;
    }
    param.name = arena_strndup(p->module->arena, d->name.at, d->name.len);
    if (param.name == NULL || !(p->fn.in_rets ? vec_push(&p->fn.rets, param) && vec_push(&p->fn.ret_decls, *d)
                                              : vec_push(&p->fn.params, param) && vec_push(&p->fn.param_decls, *d))) {
        ptx_out_of_memory(p);
    }
}

/* --- signatures ----------------------------------------------------------------------------- */
static struct ir_param *copy_params(struct ptx_parse *p, const struct ir_param *from, uint32_t count)
{
    struct ir_param *to = ARENA_ARRAY(p->module->arena, struct ir_param, count);

    if (to == NULL) {
        ptx_out_of_memory(p);
    } else if (count != 0) {
        memcpy(to, from, count * sizeof *to);
    }
    return to;
}

bool ptx_signature_copy(struct ptx_parse *p, struct ptx_signature *to)
{
    *to = (struct ptx_signature){
        .params = copy_params(p, p->fn.params.at, p->fn.params.count),
        .rets = copy_params(p, p->fn.rets.at, p->fn.rets.count),
        .n_params = p->fn.params.count,
        .n_rets = p->fn.rets.count,
        .open_array = p->fn.open_array,
        .noreturn = p->fn.noreturn,
    };
    return to->params != NULL && to->rets != NULL;
}

static bool same_param(const struct ir_param *a, const struct ir_param *b)
{
    return a->type == b->type && a->is_reg == b->is_reg && a->size_bytes == b->size_bytes && a->align == b->align;
}

const char *ptx_signature_differs(const struct ptx_signature *a, const struct ptx_signature *b)
{
    if (a->n_params != b->n_params) {
        return "number of parameters";
    }
    if (a->n_rets != b->n_rets) {
        return "number of results";
    }
    for (uint32_t i = 0; i < a->n_params; i++) {
        if (!same_param(&a->params[i], &b->params[i])) {
            return "type of a parameter";
        }
    }
    for (uint32_t i = 0; i < a->n_rets; i++) {
        if (!same_param(&a->rets[i], &b->rets[i])) {
            return "type of the result";
        }
    }
    return NULL;
}

/* --- agreement with what was declared before ------------------------------------------------ */
struct ptx_func_note *ptx_func_note(struct ptx_parse *p, uint32_t func)
{
    return &p->func_notes.at[func];
}

void ptx_function_addressed(struct ptx_parse *p, const struct ptx_operand *op)
{
    struct ptx_func_note *note = ptx_func_note(p, ir_ref_index(op->ref));

    if (note->addressed.line == 0) {
        note->addressed = op->loc;
    }
}

static void check_results(struct ptx_parse *p)
{
    uint32_t in_memory = 0;

    for (uint32_t i = 0; i < p->fn.rets.count; i++) {
        in_memory += !p->fn.rets.at[i].is_reg;
    }
    if (in_memory > 1 || (in_memory == 1 && p->fn.rets.count > 1)) {
        ptx_error(p, p->fn.ret_decls.at[1].name_loc, "a function has at most one '.param' result");
    }
}

/* Offsets of a kernel's parameters; the whole must fit what the language version allows. */
static void place_entry_params(struct ptx_parse *p)
{
    unsigned version = p->module->ptx;
    uint64_t limit = version >= 81 ? 32764 : version >= 15 ? 4352 : 256;
    uint64_t offset = 0;

    for (uint32_t i = 0; i < p->fn.params.count; i++) {
        struct ir_param *param = &p->fn.params.at[i];

        offset = (offset + param->align - 1) & ~(uint64_t)(param->align - 1);
        param->offset = offset;
        offset += param->size_bytes;
        if (offset > limit) {
            ptx_error(p, p->fn.param_decls.at[i].name_loc, "parameters take more than %u bytes", (unsigned)limit);
            return;
        }
    }
}

/* Report what keeps this head from agreeing with the earlier one of the same name. */
static bool agrees(struct ptx_parse *p, const struct ir_func *old, const struct ptx_func_note *note, bool defines)
{
    struct ptx_signature sig = {
        .params = p->fn.params.at, .rets = p->fn.rets.at, .n_params = p->fn.params.count, .n_rets = p->fn.rets.count};
    const char *differs = ptx_signature_differs(&note->signature, &sig);
    int len = (int)p->fn.name.len;
    const char *name = p->fn.name.at;

    if (old->is_entry != p->fn.is_entry) {
        ptx_error(p, p->fn.name_loc, "'%.*s' was declared as a %s before", len, name,
                  old->is_entry ? "kernel" : "function");
    } else if (defines && old->defined) {
        ptx_error(p, p->fn.name_loc, "redefinition of '%.*s'", len, name);
    } else if (differs != NULL) {
        ptx_error(p, p->fn.name_loc, "'%.*s' differs from its declaration in the %s", len, name, differs);
    } else if (old->linkage != p->fn.linkage && !(old->linkage == IR_LINK_EXTERN && defines)) {
        ptx_error(p, p->fn.name_loc, "'%.*s' differs from its declaration in the linkage", len, name);
    } else {
        return true;
    }
    ptx_note(p, note->declared, "previous declaration is here");
    return false;
}

static struct ir_func *new_func(struct ptx_parse *p)
{
    const char *text = arena_strndup(p->module->arena, p->fn.name.at, p->fn.name.len);
    struct ir_func *f = text != NULL ? ir_func_new(p->module, text) : NULL;

    if (f == NULL || !vec_push(&p->func_notes, ((struct ptx_func_note){.declared = p->fn.name_loc}))) {
        ptx_out_of_memory(p);
        return NULL;
    }
    f->is_entry = p->fn.is_entry;
    f->linkage = (uint8_t)p->fn.linkage;
    f->loc = p->fn.name_loc;
    f->noreturn = p->fn.noreturn;
    return f;
}

/* The function this head declares, new or declared before; NULL after reporting. */
static struct ir_func *enter_head(struct ptx_parse *p, bool defines)
{
    struct ptx_name *name = ptx_name_find(p, p->fn.name, PTX_NAME_FUNC);

    if (name != NULL) {
        struct ir_func *old = p->module->funcs.at[name->index];

        if (!agrees(p, old, ptx_func_note(p, name->index), defines)) {
            return NULL;
        }
        if (defines) {
            old->linkage = (uint8_t)p->fn.linkage;
        }
        return old;
    }
    name = ptx_name_declare(p, p->fn.name, PTX_NAME_FUNC, 0, p->fn.name_loc);
    if (name == NULL) {
        return NULL;
    }
    uint32_t at = (uint32_t)(name - p->names.all.at);
    struct ir_func *f = new_func(p);

    if (f != NULL) {
        p->names.all.at[at].index = f->index;
    }
    return f;
}

/* Checks at the end of a head; the function, or NULL after reporting. */
static struct ir_func *head_done(struct ptx_parse *p, bool defines)
{
    p->fn.in_head = false;
    ptx_func_limits_check(p);
    check_results(p);
    if (p->fn.is_entry) {
        place_entry_params(p);
        if (p->fn.params.count != 0) {
            ptx_needs(p, p->fn.name_loc, "parameter list", 14, 10);
        }
        if (defines && p->fn.linkage == IR_LINK_EXTERN) {
            ptx_error(p, p->fn.name_loc, "an external kernel has no body");
        }
    }
    struct ir_func *f = p->fn.name.len != 0 ? enter_head(p, defines) : NULL;

    if (f == NULL || p->no_memory) {
        return NULL;
    }
    struct ptx_func_note *note = ptx_func_note(p, f->index);

    if (!ptx_signature_copy(p, &note->signature)) {
        return NULL;
    }
    if (f->params == NULL) {
        f->params = note->signature.params;
        f->n_params = note->signature.n_params;
        f->rets = note->signature.rets;
        f->n_rets = note->signature.n_rets;
    }
    return f;
}

void ptx_func_declared(struct ptx_parse *p, struct diag_loc loc)
{
    (void)loc;
    head_done(p, false);
    p->fn.name = (struct ptx_text){0};
}

/* --- bodies --------------------------------------------------------------------------------- */
static void declare_params(struct ptx_parse *p, struct ir_param *params, uint32_t count, const struct ptx_decl *decls)
{
    for (uint32_t i = 0; i < count && !p->no_memory; i++) {
        const struct ptx_decl *d = &decls[i];

        if (ptx_text_is(d->name, "_")) {
            continue;
        }
        struct ptx_name *name =
            ptx_name_declare(p, d->name, d->space == PTX_REG ? PTX_NAME_REG : PTX_NAME_VAR, 0, d->name_loc);

        if (name == NULL) {
            continue;
        }
        name->type = (uint8_t)d->type;
        name->vec = d->vec;
        name->space = (uint8_t)d->space;
        name->is_param = true;
        uint32_t at = (uint32_t)(name - p->names.all.at);
        uint32_t index = PTX_NO_INDEX;

        if (d->space != PTX_REG) {
            index = ptx_symbol_new(p, d, params[i].name);
            params[i].ref = index != PTX_NO_INDEX ? ir_ref_make(IR_REF_SYMBOL, index) : IR_REF_NONE;
        } else {
            for (unsigned k = 0; k < d->vec; k++) {
                ir_ref ref = ir_reg_new(p->fn.func, d->type, params[i].name, UINT32_MAX);

                params[i].ref = k == 0 ? ref : params[i].ref;
            }
            index = ir_ref_index(params[i].ref);
        }
        p->names.all.at[at].index = index;
    }
}

static void copy_limits(const struct ptx_function *fn, struct ir_func *f)
{
    memcpy(f->maxntid, fn->maxntid, sizeof f->maxntid);
    memcpy(f->reqntid, fn->reqntid, sizeof f->reqntid);
    memcpy(f->reqnctapercluster, fn->reqnctapercluster, sizeof f->reqnctapercluster);
    f->minnctapersm = fn->minnctapersm;
    f->maxnctapersm = fn->maxnctapersm;
    f->maxnreg = fn->maxnreg;
    f->noreturn |= fn->noreturn;
}

/* A body whose head was refused is still read, as that of a function nobody can name. */
static struct ir_func *nameless(struct ptx_parse *p)
{
    struct ir_func *f = p->no_memory ? NULL : new_func(p);

    if (f != NULL) {
        f->params = copy_params(p, p->fn.params.at, p->fn.params.count);
        f->rets = copy_params(p, p->fn.rets.at, p->fn.rets.count);
    }
    return f != NULL && f->params != NULL && f->rets != NULL ? f : NULL;
}

void ptx_func_body(struct ptx_parse *p, struct diag_loc open)
{
    struct ir_func *f = head_done(p, true);

    if (f == NULL) {
        f = nameless(p);
    }
    p->fn.open_loc = open;
    p->fn.in_body = true;
    p->fn.func = f;
    p->source_file = 0;
    p->source_line = p->source_column = 0;
    if (f == NULL) {
        p->stopped = true; /* no memory, and reported */
        return;
    }
    if (f->defined) {
        return; /* unreachable after agrees() */
    }
    const struct ptx_func_note *note = ptx_func_note(p, f->index);

    if (note->signature.params != NULL) {
        f->params = note->signature.params;
        f->rets = note->signature.rets;
    }
    f->n_params = p->fn.params.count;
    f->n_rets = p->fn.rets.count;
    f->defined = true;
    f->loc = p->fn.name_loc;
    copy_limits(&p->fn, f);
    ptx_func_note(p, f->index)->defined = p->fn.name_loc;
    ptx_scope_open(p);
    declare_params(p, f->params, f->n_params, p->fn.param_decls.at);
    declare_params(p, f->rets, f->n_rets, p->fn.ret_decls.at);
    ptx_scope_open(p);
    ptx_labels_start(p);
    ptx_labels_open(p);
    if (ptx_going_on(p) && !p->sink->function_begin(p->sink->context, f)) {
        ptx_out_of_memory(p);
    }
}

void ptx_func_end(struct ptx_parse *p, struct diag_loc close)
{
    struct ir_func *f = p->fn.func;

    (void)close;
    if (f != NULL && !p->stopped) {
        ptx_labels_place(p);
        ptx_labels_close(p);
        ptx_scope_close(p);
        ptx_scope_close(p);
        if (ptx_going_on(p) && !p->sink->function_end(p->sink->context, f, p->labels.n_numbers)) {
            ptx_out_of_memory(p);
        }
    }
    p->fn.func = NULL;
    p->fn.in_body = false;
    p->fn.name = (struct ptx_text){0};
}

void ptx_block_open(struct ptx_parse *p, struct diag_loc loc)
{
    if (p->nesting >= PTX_MAX_NESTING) {
        ptx_fatal(p, loc, "blocks are nested more than %d deep", PTX_MAX_NESTING);
        return;
    }
    if (p->stopped || !vec_push(&p->open_blocks, loc)) {
        return;
    }
    p->nesting++;
    ptx_labels_place(p);
    ptx_scope_open(p);
    ptx_labels_open(p);
}

void ptx_block_close(struct ptx_parse *p, struct diag_loc loc)
{
    (void)loc;
    if (p->stopped || p->nesting == 0) {
        return;
    }
    p->nesting--;
    p->open_blocks.count--;
    ptx_labels_place(p);
    ptx_labels_close(p);
    ptx_scope_close(p);
}
