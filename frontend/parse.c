/*
 * The life of one parse: set-up, running the grammar, and the errors on the way.
 *
 * Invariant: after `stopped` is set the lexer reports the end of the file and nothing more is reported, so that every
 * error path ends in the ordinary way.
 */
#include "frontend/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/grammar.h"
#include "frontend/lower.h"
#include "frontend/opcode.h"

enum { MESSAGE_BYTES = 1024 };

/* --- errors ----------------------------------------------------------------------------------------------------------
 */
static void report(struct ptx_parse *p, enum diag_level level, struct diag_loc loc, const char *format, va_list args)
{
    char text[MESSAGE_BYTES];

    if (p->stopped) {
        return;
    }
    vsnprintf(text, sizeof text, format, args);
    if (level == DIAG_ERROR) {
        diag_error(p->dg, loc, "%s", text);
    } else if (level == DIAG_WARNING) {
        diag_warning(p->dg, loc, "%s", text);
    } else {
        diag_note(p->dg, loc, "%s", text);
    }
}

void ptx_error(struct ptx_parse *p, struct diag_loc loc, const char *format, ...)
{
    va_list args;

    if (p->dg->errors >= PTX_MAX_ERRORS && !p->stopped) {
        diag_note(p->dg, loc, "too many errors, stopping here");
        p->stopped = true;
    }
    va_start(args, format);
    report(p, DIAG_ERROR, loc, format, args);
    va_end(args);
}

void ptx_warning(struct ptx_parse *p, struct diag_loc loc, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    report(p, DIAG_WARNING, loc, format, args);
    va_end(args);
}

void ptx_note(struct ptx_parse *p, struct diag_loc loc, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    report(p, DIAG_NOTE, loc, format, args);
    va_end(args);
}

void ptx_fatal(struct ptx_parse *p, struct diag_loc loc, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    report(p, DIAG_ERROR, loc, format, args);
    va_end(args);
    p->stopped = true;
}

void ptx_out_of_memory(struct ptx_parse *p)
{
    if (!p->no_memory) {
        p->no_memory = true;
        ptx_fatal(p, p->token_loc, "out of memory");
    }
}

bool ptx_going_on(const struct ptx_parse *p)
{
    return !p->stopped && p->dg->errors == 0;
}

/* --- text ----------------------------------------------------------------------------------- */
bool ptx_text_is(struct ptx_text t, const char *word)
{
    return strncmp(t.at, word, t.len) == 0 && word[t.len] == '\0';
}

uint32_t ptx_hash(const char *text, size_t len)
{
    uint32_t h = 2166136261u;

    for (size_t i = 0; i < len; i++) {
        h = (h ^ (unsigned char)text[i]) * 16777619u;
    }
    return h ^ h >> 15;
}

const char *ptx_version_text(unsigned version, char buffer[8])
{
    snprintf(buffer, 8, "%u.%u", version / 10 % 100, version % 10);
    return buffer;
}

bool ptx_needs(struct ptx_parse *p, struct diag_loc loc, const char *what, unsigned ptx, unsigned sm)
{
    char needs[8], has[8];

    if (p->module->ptx < ptx) {
        ptx_error(p, loc, "'%s' needs PTX version %s, but the module says %s", what, ptx_version_text(ptx, needs),
                  ptx_version_text(p->module->ptx, has));
        return false;
    }
    if (p->module->sm < sm) {
        ptx_error(p, loc, "'%s' needs sm_%u or later, but the module is for %s", what, sm, p->target_name);
        return false;
    }
    return true;
}

/* --- lists ---------------------------------------------------------------------------------- */
struct ptx_operand *ptx_operand_new(struct ptx_parse *p, enum ptx_operand_kind kind, struct diag_loc loc)
{
    struct ptx_operand *op = ptx_scratch_alloc(&p->scratch, sizeof *op);

    if (op == NULL) {
        ptx_out_of_memory(p);
        return NULL;
    }
    op->kind = (uint8_t)kind;
    op->loc = loc;
    return op;
}

struct ptx_list *ptx_list_new(struct ptx_parse *p, struct diag_loc loc)
{
    struct ptx_list *list = ptx_scratch_alloc(&p->scratch, sizeof *list);

    if (list == NULL) {
        ptx_out_of_memory(p);
        return NULL;
    }
    list->loc = loc;
    return list;
}

struct ptx_list *ptx_list_add(struct ptx_parse *p, struct ptx_list *list, struct ptx_operand *op)
{
    if (list == NULL || op == NULL) {
        return list;
    }
    if (list->count == PTX_MAX_LIST) {
        if (!p->stopped) {
            ptx_fatal(p, op->loc, "more than %d operands in one list", PTX_MAX_LIST);
        }
        return list;
    }
    if (list->count == list->room) {
        uint32_t room = list->room == 0 ? 8 : 2 * list->room;
        struct ptx_operand **items = ptx_scratch_alloc(&p->scratch, room * sizeof *items);

        if (items == NULL) {
            ptx_out_of_memory(p);
            return list;
        }
        if (list->count != 0) {
            memcpy(items, list->items, list->count * sizeof *items);
        }
        list->items = items;
        list->room = room;
    }
    list->items[list->count++] = op;
    return list;
}

struct ptx_operand *ptx_operand_list(struct ptx_parse *p, enum ptx_operand_kind kind, const struct ptx_list *list,
                                     struct diag_loc loc)
{
    struct ptx_operand *op = ptx_operand_new(p, kind, loc);
    uint32_t count = list != NULL ? list->count : 0;

    if (op == NULL || count == 0) {
        return op;
    }
    op->elements = ptx_scratch_alloc(&p->scratch, count * sizeof *op->elements);
    if (op->elements == NULL) {
        ptx_out_of_memory(p);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        op->elements[i] = *list->items[i];
    }
    op->count = count;
    op->loc = ptx_loc_join(loc, list->items[count - 1]->loc);
    return op;
}

/* From the start of `a` to the end of `b` if both are on one line, else `a`. */
struct diag_loc ptx_loc_join(struct diag_loc a, struct diag_loc b)
{
    if (a.line == b.line && b.column >= a.column) {
        uint32_t length = b.column - a.column + b.length;

        a.length = length < 255 ? length : 255;
    }
    return a;
}

void ptx_statement_done(struct ptx_parse *p)
{
    ptx_scratch_reset(&p->scratch);
    p->errors_before = p->dg->errors;
    p->inst.n_words = 0;
    p->inst.n_operands = 0;
    p->inst.guard = IR_REF_NONE;
    p->inst.guard_not = false;
}

/* --- set-up --------------------------------------------------------------------------------- */
static bool parse_init(struct ptx_parse *p)
{
    p->arena = arena_new(0);
    return p->arena != NULL && ptx_names_init(p) && ptx_labels_init(p) && (p->opcodes = ptx_opcodes_new(p)) != NULL;
}

static void parse_release(struct ptx_parse *p)
{
    ptx_scratch_free(&p->scratch);
    ptx_names_free(p);
    ptx_labels_free(p);
    ptx_opcodes_free(p->opcodes);
    vec_free(&p->fn.params);
    vec_free(&p->fn.rets);
    vec_free(&p->fn.param_decls);
    vec_free(&p->fn.ret_decls);
    vec_free(&p->func_notes);
    vec_free(&p->open_blocks);
    vec_free(&p->files);
    free(p->locs.slots);
    vec_free(&p->init.relocs);
    free(p->init.bytes);
    arena_free(p->arena);
}

static void parse_run(struct ptx_parse *p)
{
    void *scanner = NULL;

    if (!ptx_lexer_start(p, &scanner)) {
        ptx_out_of_memory(p);
    } else {
        ptx_yyparse(p, scanner);
    }
    if (scanner != NULL) {
        ptx_lexer_stop(scanner);
    }
}

struct ir_module *ptx_parse_into(const char *name, const char *text, size_t len, enum ptx_scope scope, struct diag *dg,
                                 const struct ptx_sink *sink)
{
    struct ir_module *module = ir_module_new(name);
    struct ptx_parse *p = calloc(1, sizeof *p);
    size_t errors_before = dg->errors;

    if (p != NULL && module != NULL) {
        p->dg = dg;
        p->text = text;
        p->len = len;
        p->module = module;
        p->scope = scope;
        p->sink = sink;
        if (parse_init(p)) {
            parse_run(p);
        } else {
            ptx_out_of_memory(p);
        }
        parse_release(p);
    } else {
        diag_error(dg, (struct diag_loc){0}, "out of memory");
    }
    free(p);
    if (dg->errors != errors_before) {
        ir_module_free(module);
        return NULL;
    }
    return module;
}

/* --- a sink that only looks on -------------------------------------------------------------- */
static bool ignore_begin(void *context, struct ir_func *f)
{
    (void)context;
    (void)f;
    return true;
}

static bool ignore_end(void *context, struct ir_func *f, uint32_t n_labels)
{
    (void)context;
    (void)f;
    (void)n_labels;
    return true;
}

static bool ignore_label(void *context, uint32_t number, const char *name)
{
    (void)context;
    (void)number;
    (void)name;
    return true;
}

static bool ignore_instruction(void *context, const struct ptx_inst *inst, const struct ptx_match *match)
{
    (void)context;
    (void)inst;
    (void)match;
    return true;
}

bool ptx_check_only(const char *name, const char *text, size_t len, enum ptx_scope scope, struct diag *dg)
{
    static const struct ptx_sink ignore = {
        .function_begin = ignore_begin,
        .function_end = ignore_end,
        .label = ignore_label,
        .instruction = ignore_instruction,
    };
    struct ir_module *m = ptx_parse_into(name, text, len, scope, dg, &ignore);

    ir_module_free(m);
    return m != NULL;
}

struct ir_module *ptx_parse(const char *name, const char *text, size_t len, enum ptx_scope scope, struct diag *dg)
{
    struct ptx_lower *lower = ptx_lower_new();

    if (lower == NULL) {
        diag_error(dg, (struct diag_loc){0}, "out of memory");
        return NULL;
    }
    const struct ptx_sink sink = ptx_lower_sink(lower);
    struct ir_module *m = ptx_parse_into(name, text, len, scope, dg, &sink);

    ptx_lower_free(lower);
    if (m != NULL && !ir_layout(m, dg)) {
        ir_module_free(m);
        return NULL;
    }
    return m;
}
