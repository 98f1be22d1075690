/*
 * PTX texts to one module of IR: parsing, and linking where there are parts.  Invariant: every problem becomes a
 * diagnostic of the caller, and errors of one part do not hide those of another.
 */
#include "runtime/objects.h"

#include <stdlib.h>

#include "frontend/frontend.h"
#include "runtime/host_call.h"
#include "ir/link.h"

static const char *name_of(const ptxemu_text *text)
{
    return text->name != NULL ? text->name : "<text>";
}

static ptxemu_status no_memory(struct rt_messages *out)
{
    return rt_fail(out, PTXEMU_NO_MEMORY, "the host's memory is exhausted");
}

/* The module of one text, or NULL; `*errors` counts what was wrong with it. */
static struct ir_module *parse(const ptxemu_text *text, enum ptx_scope scope, struct rt_messages *out, size_t *errors)
{
    struct diag dg;

    diag_init(&dg, name_of(text), text->text, text->length);
    struct ir_module *m = ptx_parse(name_of(text), text->text, text->length, scope, &dg);

    rt_keep_diagnostics(out, &dg);
    *errors += dg.errors;
    diag_release(&dg);
    return m;
}

static ptxemu_status check_length(const ptxemu_text *text, struct rt_messages *out)
{
    return text->length <= (size_t)RT_TEXT_LIMIT_MB << 20
               ? PTXEMU_OK
               : rt_fail(out, PTXEMU_BAD_INPUT, "%s: more than %d MB of text", name_of(text), RT_TEXT_LIMIT_MB);
}

ptxemu_status rt_compile(const ptxemu_text *text, enum rt_scope scope, struct ir_module **ir, struct rt_messages *out)
{
    size_t errors = 0;
    const ptxemu_status status = check_length(text, out);

    *ir = NULL;
    if (status != PTXEMU_OK) {
        return status;
    }
    *ir = parse(text, scope == RT_PART ? PTX_RELOCATABLE : PTX_WHOLE_PROGRAM, out, &errors);
    if (*ir != NULL) {
        return PTXEMU_OK;
    }
    return errors == 0
               ? no_memory(out)
               : rt_fail(out, PTXEMU_BAD_INPUT, "%zu error%s in %s", errors, errors == 1 ? "" : "s", name_of(text));
}

/* --- parts ------------------------------------------------------------------------------------ */
struct parts {
    struct rt_messages *out;
    const struct rt_host *host; /* may be NULL */
    const ptxemu_text *texts;
    uint32_t count;
    struct ir_module **modules;
    struct diag_text *sources; /* the texts, for messages */
};

/* Declarations that functions of the host stand for are not missing when the parts are linked. */
static void mark_host_functions(const struct parts *p, struct ir_module *m)
{
    for (uint32_t i = 0; m != NULL && p->host != NULL && i < m->funcs.count; i++) {
        struct ir_func *f = m->funcs.at[i];

        f->host_function = !f->defined && f->linkage == IR_LINK_EXTERN ? rt_host_find(p->host, f->name) : 0;
    }
}

static ptxemu_status parse_parts(struct parts *p)
{
    size_t errors = 0, wrong = 0, last = 0;

    for (uint32_t i = 0; i < p->count; i++) {
        const size_t before = errors;

        p->modules[i] = parse(&p->texts[i], PTX_RELOCATABLE, p->out, &errors);
        mark_host_functions(p, p->modules[i]);
        p->sources[i] = (struct diag_text){name_of(&p->texts[i]), p->texts[i].text, p->texts[i].length};
        if (p->modules[i] == NULL && errors == before) {
            return no_memory(p->out);
        }
        last = errors != before ? i : last;
        wrong += errors != before;
    }
    if (wrong > 1) {
        return rt_fail(p->out, PTXEMU_BAD_INPUT, "%zu errors in %zu texts", errors, wrong);
    }
    return errors == 0 ? PTXEMU_OK
                       : rt_fail(p->out, PTXEMU_BAD_INPUT, "%zu error%s in %s", errors, errors == 1 ? "" : "s",
                                 name_of(&p->texts[last]));
}

static ptxemu_status link_parts(struct parts *p, enum rt_scope scope, struct ir_module **ir)
{
    struct diag dg;

    diag_init_texts(&dg, p->sources, p->count);
    *ir = ir_link(p->modules, p->count, scope == RT_PART ? IR_LINK_PART : IR_LINK_PROGRAM, &dg);
    rt_keep_diagnostics(p->out, &dg);
    const size_t errors = dg.errors;

    diag_release(&dg);
    return *ir != NULL ? PTXEMU_OK
                       : rt_fail(p->out, PTXEMU_BAD_INPUT, "%zu error%s in linking %u text%s", errors,
                                 errors == 1 ? "" : "s", p->count, p->count == 1 ? "" : "s");
}

ptxemu_status rt_compile_parts(const ptxemu_text *texts, size_t count, enum rt_scope scope, const struct rt_host *host,
                               struct ir_module **ir, struct rt_messages *out)
{
    struct parts p = {.out = out, .host = host, .texts = texts, .count = (uint32_t)count};
    ptxemu_status status = PTXEMU_OK;

    *ir = NULL;
    for (size_t i = 0; i < count && status == PTXEMU_OK; i++) {
        status = check_length(&texts[i], out);
    }
    if (status != PTXEMU_OK) {
        return status;
    }
    p.modules = count > UINT32_MAX ? NULL : calloc(count, sizeof(struct ir_module *));
    p.sources = p.modules == NULL ? NULL : calloc(count, sizeof *p.sources);
    status = p.sources == NULL ? no_memory(out) : parse_parts(&p);
    if (status == PTXEMU_OK) {
        status = link_parts(&p, scope, ir);
    }
    for (uint32_t i = 0; p.modules != NULL && i < p.count; i++) {
        ir_module_free(p.modules[i]);
    }
    free(p.modules);
    free(p.sources);
    return status;
}
