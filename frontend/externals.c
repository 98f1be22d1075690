/*
 * What a module leaves to others: functions without a definition, external variables.
 *
 * Invariant: of a whole program nothing is left open.  After ptx_externals_end every call of it reaches a function with
 * a body or one that CUDA supplies, and every variable but dynamic shared memory and the arrays in constant banks has a
 * size and belongs to the module.
 */
#include "frontend/parse.h"

const char ptx_read_separately[] = "if this is a part of a program, name the others, too: 'ptxemu A.ptx B.ptx'";

/* --- functions ------------------------------------------------------------------------------ */
/* Functions of a whole program whose address is taken have one; a call needs somewhere to go. */
static void check_unresolved(struct ptx_parse *p, const struct ir_func *f, const struct ptx_func_note *note)
{
    const struct diag_loc place = note->called.line != 0 ? note->called : note->addressed;

    if (place.line != 0) {
        ptx_error(p, place, "unresolved extern function '%s': no definition in this module", f->name);
        ptx_note(p, note->declared, "declared here; %s", ptx_read_separately);
    }
}

static void check_function(struct ptx_parse *p, const struct ir_func *f, const struct ptx_func_note *note)
{
    if (f->defined || note->alias) {
        return;
    }
    if (f->linkage != IR_LINK_EXTERN) {
        ptx_error(p, note->declared, "'%s' is declared but never defined", f->name);
    } else if (ir_is_supplied(f->name)) {
        if (note->addressed.line != 0) {
            ptx_error(p, note->addressed, "'%s' is supplied by CUDA and has no address", f->name);
        }
    } else if (p->scope == PTX_WHOLE_PROGRAM) {
        check_unresolved(p, f, note);
    }
}

/* --- variables ------------------------------------------------------------------------------ */
static void close_variable(struct ptx_parse *p, struct ir_symbol *s)
{
    if (s->linkage != IR_LINK_EXTERN || ir_is_filled_at_launch(s)) {
        return;
    }
    if (s->unsized) {
        ptx_error(p, s->loc, "unresolved extern variable '%s': no definition in this module", s->name);
        ptx_note(p, s->loc, "without one its size is unknown; %s", ptx_read_separately);
    } else {
        ptx_warning(p, s->loc, "extern variable '%s' has no definition in this module; it gets one here", s->name);
        s->linkage = IR_LINK_VISIBLE;
    }
}

void ptx_externals_end(struct ptx_parse *p)
{
    /* After an error a definition may be missing only because it could not be read. */
    if (!ptx_going_on(p)) {
        return;
    }
    for (uint32_t i = 0; i < p->module->funcs.count; i++) {
        check_function(p, p->module->funcs.at[i], ptx_func_note(p, i));
    }
    for (uint32_t i = 0; p->scope == PTX_WHOLE_PROGRAM && i < p->module->symbols.count; i++) {
        close_variable(p, &p->module->symbols.at[i]);
    }
}
