/*
 * Calling the host's functions.  Invariant: what was registered is never changed or freed while its device lives, so
 * that launches need no lock to look at it; only the calls themselves take turns, unless the function allows otherwise.
 */
#include "runtime/host_call.h"
#include "runtime/c_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host_function {
    char *name, *signature; /* owned; the signature may be NULL: as declared */
    void (*function)(void);
    bool thread_safe;
};

struct rt_host {
    struct host_function *functions;
    uint32_t count;
    pthread_mutex_t turn; /* held during calls of functions that are not thread-safe */
};

/* --- registration ------------------------------------------------------------------------------- */
uint32_t rt_host_find(const struct rt_host *host, const char *name)
{
    for (uint32_t i = 0; host != NULL && i < host->count; i++) {
        if (strcmp(host->functions[i].name, name) == 0) {
            return i + 1;
        }
    }
    return 0;
}

void rt_host_free(struct rt_host *host)
{
    if (host == NULL) {
        return;
    }
    for (uint32_t i = 0; i < host->count; i++) {
        free(host->functions[i].name);
        free(host->functions[i].signature);
    }
    pthread_mutex_destroy(&host->turn);
    free(host->functions);
    free(host);
}

static ptxemu_status no_memory(struct rt_messages *out)
{
    return rt_fail(out, PTXEMU_NO_MEMORY, "the host's memory is exhausted");
}

static ptxemu_status check_signature(const char *name, const char *signature, struct rt_messages *out)
{
    struct arena *arena = signature != NULL ? arena_new(0) : NULL;
    struct rt_signature ignored;

    if (signature == NULL) {
        return PTXEMU_OK;
    }
    const char *wrong = arena != NULL ? rt_signature_parse(arena, signature, &ignored) : "out of memory";

    arena_free(arena);
    return wrong == NULL
               ? PTXEMU_OK
               : rt_fail(out, PTXEMU_BAD_INPUT, "signature '%s' of host function '%s': %s", signature, name, wrong);
}

static ptxemu_status check(const ptxemu_device *d, const char *name, void (*function)(void),
                           const ptxemu_host_options *options, struct rt_messages *out)
{
    if (options != NULL && options->size != sizeof *options) {
        return rt_fail(out, PTXEMU_BAD_INPUT, "ptxemu_host_options.size is %zu, this library expects %zu",
                       options->size, sizeof *options);
    }
    if (name == NULL || name[0] == '\0' || function == NULL) {
        return rt_fail(out, PTXEMU_BAD_INPUT, "a host function needs a name and an address");
    }
    if (ir_is_supplied(name)) {
        return rt_fail(out, PTXEMU_BAD_INPUT, "'%s' is a function that CUDA supplies", name);
    }
    if (rt_host_find(d->host, name) != 0) {
        return rt_fail(out, PTXEMU_BAD_INPUT, "there is a host function '%s' already", name);
    }
    return check_signature(name, options != NULL ? options->signature : NULL, out);
}

static struct rt_host *host_of(ptxemu_device *d)
{
    if (d->host == NULL) {
        d->host = calloc(1, sizeof *d->host);
        if (d->host != NULL) {
            pthread_mutex_init(&d->host->turn, NULL);
        }
    }
    return d->host;
}

ptxemu_status ptxemu_host_function(ptxemu_device *device, const char *name, void (*function)(void),
                                   const ptxemu_host_options *options)
{
    static const ptxemu_host_options plain = {.size = sizeof plain};
    const ptxemu_status status = check(device, name, function, options, &device->last);
    struct rt_host *host = status == PTXEMU_OK ? host_of(device) : NULL;

    if (status != PTXEMU_OK) {
        return status;
    }
    options = options != NULL ? options : &plain;

    struct host_function *grown = host != NULL ? reallocarray(host->functions, host->count + 1u, sizeof *grown) : NULL;
    struct host_function f = {.name = strdup(name),
                              .signature = options->signature != NULL ? strdup(options->signature) : NULL,
                              .function = function,
                              .thread_safe = options->thread_safe};

    if (grown != NULL) {
        host->functions = grown;
    }
    if (grown == NULL || f.name == NULL || (options->signature != NULL && f.signature == NULL)) {
        free(f.name);
        free(f.signature);
        return no_memory(&device->last);
    }
    host->functions[host->count++] = f;
    return PTXEMU_OK;
}

/* --- calls of a module -------------------------------------------------------------------------- */
struct call {
    ffi_cif cif;
    void (*function)(void);
    bool thread_safe;
};

struct rt_host_calls {
    struct arena *arena; /* has all that follows */
    struct call *calls;  /* by number, less 1 */
    uint32_t count;
    pthread_mutex_t *turn; /* the device's */
};

void rt_host_calls_free(struct rt_host_calls *calls)
{
    if (calls != NULL) {
        arena_free(calls->arena);
    }
}

/* --- a declaration and a function --------------------------------------------------------------- */
struct binding {
    const struct ir_func *declared;
    const struct host_function *host;
    struct arena *arena;
    struct rt_messages *out;
};

static ptxemu_status mismatch(const struct binding *b, const char *what)
{
    return rt_fail(b->out, PTXEMU_BAD_INPUT,
                   "host function '%s' is \"%s\", but declared otherwise in %s, line %u: %s differs", b->declared->name,
                   b->host->signature, b->declared->module->texts.at[b->declared->text], b->declared->loc.line, what);
}

static ptxemu_status check_declaration(const struct binding *b, const struct rt_signature *s)
{
    if (s->count != b->declared->n_params) {
        return mismatch(b, "the number of arguments");
    }
    for (unsigned i = 0; i < s->count; i++) {
        if (!rt_c_type_fits(s->arguments[i], &b->declared->params[i])) {
            char what[40];

            snprintf(what, sizeof what, "the size of argument %u", i + 1);
            return mismatch(b, what);
        }
    }
    if (b->declared->n_rets == 0) {
        return PTXEMU_OK;
    }
    return s->result != &ffi_type_void && rt_c_type_fits(s->result, &b->declared->rets[0])
               ? PTXEMU_OK
               : mismatch(b, "the size of the result");
}

/* The signature that the declaration says. */
static ptxemu_status read_declaration(const struct binding *b, struct rt_signature *s)
{
    const struct ir_func *f = b->declared;

    s->result = f->n_rets == 0 ? &ffi_type_void : rt_c_type(b->arena, &f->rets[0]);
    s->arguments = ARENA_ARRAY(b->arena, ffi_type *, f->n_params + 1u);
    s->count = f->n_params;
    bool ok = s->result != NULL && s->arguments != NULL;

    for (uint32_t i = 0; ok && i < f->n_params; i++) {
        s->arguments[i] = rt_c_type(b->arena, &f->params[i]);
        ok = s->arguments[i] != NULL;
    }
    return ok ? PTXEMU_OK
              : rt_fail(b->out, PTXEMU_UNSUPPORTED,
                        "host function '%s' is declared in %s, line %u, with types that C "
                        "does not have",
                        f->name, f->module->texts.at[f->text], f->loc.line);
}

static ptxemu_status bind_call(const struct binding *b, struct call *call)
{
    struct rt_signature s;
    ptxemu_status status;

    if (b->declared->n_rets > 1) {
        return rt_fail(b->out, PTXEMU_UNSUPPORTED, "host function '%s' is declared with several results",
                       b->declared->name);
    }
    if (b->host->signature == NULL) {
        status = read_declaration(b, &s);
    } else {
        /* It was looked at when it was registered. */
        status =
            rt_signature_parse(b->arena, b->host->signature, &s) == NULL ? check_declaration(b, &s) : no_memory(b->out);
    }
    if (status != PTXEMU_OK) {
        return status;
    }
    call->function = b->host->function;
    call->thread_safe = b->host->thread_safe;
    return ffi_prep_cif(&call->cif, FFI_DEFAULT_ABI, s.count, s.result, s.arguments) == FFI_OK
               ? PTXEMU_OK
               : rt_fail(b->out, PTXEMU_UNSUPPORTED, "host function '%s' cannot be called with these types",
                         b->declared->name);
}

/* --- all of a module ---------------------------------------------------------------------------- */
static uint32_t count_declarations(const struct ir_module *ir)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < ir->funcs.count; i++) {
        count += ir->funcs.at[i]->host_function != 0;
    }
    return count;
}

static struct rt_host_calls *make_calls(struct ptxemu_module *m, uint32_t count)
{
    struct arena *arena = arena_new(0);
    struct rt_host_calls *calls = arena != NULL ? ARENA_NEW(arena, struct rt_host_calls) : NULL;

    if (calls != NULL) {
        *calls = (struct rt_host_calls){
            .arena = arena, .calls = ARENA_ARRAY(arena, struct call, count), .turn = &m->device->host->turn};
    }
    if (calls == NULL || calls->calls == NULL) {
        arena_free(arena);
        return NULL;
    }
    return calls;
}

ptxemu_status rt_host_bind(struct ptxemu_module *m, struct rt_messages *out)
{
    const uint32_t count = count_declarations(m->ir);
    ptxemu_status status = PTXEMU_OK;

    if (count == 0) {
        return PTXEMU_OK;
    }
    m->host_calls = make_calls(m, count);
    if (m->host_calls == NULL) {
        return no_memory(out);
    }
    for (uint32_t i = 0; i < m->ir->funcs.count && status == PTXEMU_OK; i++) {
        struct ir_func *f = m->ir->funcs.at[i];

        if (f->host_function == 0) {
            continue;
        }
        const struct host_function *host = &m->device->host->functions[f->host_function - 1];
        const struct binding b = {f, host, m->host_calls->arena, out};

        status = bind_call(&b, &m->host_calls->calls[m->host_calls->count++]);
        f->host_function = m->host_calls->count;
    }
    return status;
}

void rt_host_call(void *calls, uint32_t number, void **arguments, void *result)
{
    struct rt_host_calls *c = calls;
    struct call *call = &c->calls[number - 1];

    if (!call->thread_safe) {
        pthread_mutex_lock(c->turn);
    }
    ffi_call(&call->cif, call->function, result, arguments);
    if (!call->thread_safe) {
        pthread_mutex_unlock(c->turn);
    }
}
