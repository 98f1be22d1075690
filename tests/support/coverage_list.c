/*
 * tests/conformance/unrecorded.tsv, and the judgement: what runs is exercised, or the list says why not.
 *
 * A line is a selector of forms (selector.h), or "OPERATION TYPE" of ir/ops.def, a tab and a reason.  Lines that
 * begin with # and empty ones are passed over.  A line that excuses nothing is an error, so the list never outlives
 * what it says.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coverage.h"
#include "ir/base/arena.h"
#include "selector.h"
#include "tests/conformance/recorded.h"

static bool runs(unsigned form)
{
    return ir_form_info[form].op != IR_REFUSED;
}

uint64_t coverage_untested(const struct form_facts *f, unsigned place)
{
    return f->all.at[place] & ~f->recorded.at[place] & ~f->tested.at[place];
}

/* The types of an operation that it must be exercised with; none for operations of any type, which their forms tell. */
static uint64_t op_types(unsigned op)
{
    return ~ir_op_info[op].types != 0 ? ir_op_info[op].types : 0;
}

static uint64_t op_untested(const struct coverage *c, unsigned op)
{
    return op_types(op) & ~c->ops[op].recorded & ~c->ops[op].tested;
}

/* --- the list ----------------------------------------------------------------------------- */
/* Excuse what is unexercised of a form; whether there was anything. */
static bool excuse_form(struct form_facts *f, const struct selector *s, const char *reason)
{
    bool excused = false;

    for (unsigned p = 0; p < f->n_places; p++) {
        const uint64_t meant = f->all.at[p] & s->types;
        const uint64_t now = coverage_untested(f, p) & (meant != 0 ? meant : f->all.at[p]);

        f->listed.at[p] |= now;
        excused = excused || now != 0;
    }
    f->reason = excused && f->reason == NULL ? reason : f->reason;
    return excused;
}

static bool excuse_forms(struct coverage *c, const char *text, const char *reason)
{
    const struct selector s = selector_of(text);
    bool excused = false;

    for (unsigned i = 0; i < ir_form_count; i++) {
        if (runs(i) && selector_fits_form(&s, c->forms[i].pattern)) {
            excused = excuse_form(&c->forms[i], &s, reason) || excused;
        }
    }
    return excused;
}

static bool excuse_op(struct coverage *c, const char *name, size_t length, const char *type)
{
    for (unsigned op = 0; op < IR_OP_COUNT; op++) {
        const uint64_t now = op_untested(c, op);

        for (unsigned t = 0; t < IR_TYPE_COUNT; t++) {
            if ((now >> t & 1) != 0 && strcmp(ir_type_info[t].name, type) == 0 &&
                strlen(ir_op_info[op].name) == length && memcmp(ir_op_info[op].name, name, length) == 0) {
                c->ops[op].listed |= ir_type_bit(t);
                return true;
            }
        }
    }
    return false;
}

static bool read_line(struct coverage *c, const char *path, char *line)
{
    char *reason = strchr(line, '\t');

    if (*line == '#' || *line == '\0') {
        return true;
    }
    if (reason == NULL || reason[1] == '\0') {
        printf("%s: no reason: %s\n", path, line);
        return false;
    }
    *reason++ = '\0';
    const char *space = strchr(line, ' ');
    const bool excused =
        space != NULL ? excuse_op(c, line, (size_t)(space - line), space + 1) : excuse_forms(c, line, reason);

    if (!excused) {
        printf("%s: '%s' names nothing that is unexercised\n", path, line);
    }
    return excused;
}

bool coverage_add_list(struct coverage *c, const char *path)
{
    struct blob file = recorded_text(path);
    char *text = file.bytes != NULL ? arena_strdup(c->arena, (const char *)file.bytes) : NULL;
    bool good = text != NULL;

    free(file.bytes);
    for (char *line; text != NULL && (line = strsep(&text, "\n")) != NULL;) {
        good = read_line(c, path, line) && good;
    }
    return good;
}

/* --- judgement ---------------------------------------------------------------------------- */
static void print_types(uint64_t types)
{
    for (unsigned t = 0; t < IR_TYPE_COUNT; t++) {
        if (types >> t & 1) {
            printf(" .%s", ir_type_info[t].name);
        }
    }
    printf("\n");
}

static bool judge_form(const struct form_facts *f)
{
    bool good = true;

    for (unsigned p = 0; p < f->n_places; p++) {
        const uint64_t missing = coverage_untested(f, p) & ~f->listed.at[p];

        if (missing != 0) {
            printf("nothing exercises %s%s (%s), type %u:", f->pattern->form->mnemonic, f->pattern->form->modifiers,
                   f->pattern->form->operands, p + 1);
            print_types(missing & ~COVER_NO_TYPE);
            good = false;
        }
    }
    return good;
}

bool coverage_complete(const struct coverage *c)
{
    bool good = true;

    for (unsigned i = 0; i < ir_form_count; i++) {
        good = (!runs(i) || judge_form(&c->forms[i])) && good;
    }
    for (unsigned op = 0; op < IR_OP_COUNT; op++) {
        const uint64_t missing = op_untested(c, op) & ~c->ops[op].listed;

        if (missing != 0) {
            printf("nothing exercises operation %s on", ir_op_info[op].name);
            print_types(missing);
            good = false;
        }
    }
    return good;
}
