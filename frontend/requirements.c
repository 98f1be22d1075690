/*
 * Language versions and targets: what a form needs, and what single words or operands need beyond that.
 */
#include <stdlib.h>
#include <string.h>

#include "frontend/opcode.h"

/* "sm_80+" or a list of names, in [at, end). */
static bool target_is_in(const struct ptx_parse *p, const char *at, const char *end)
{
    if (end > at && end[-1] == '+') {
        return p->module->sm >= strtoul(at + 3, NULL, 10);
    }
    if (end > at && end[-1] == '-') {
        return p->module->sm >= strtoul(at + 3, NULL, 10) && (p->module->sm < 70 || p->module->ptx < 64);
    }
    while (at < end) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma != NULL ? comma : end;
        unsigned sm = (unsigned)strtoul(at + 3, NULL, 10);
        char suffix = stop[-1] >= 'a' ? stop[-1] : '\0';

        if (sm == p->module->sm && suffix == p->module->sm_suffix) {
            return true;
        }
        at = stop + 1;
    }
    return false;
}

struct needed {
    unsigned ptx;
    const char *targets, *targets_end; /* empty: any */
};

static bool meets(struct ptx_parse *p, struct needed n, struct ptx_text what, struct diag_loc loc, bool report)
{
    char needs[8], has[8];

    if (p->module->ptx < n.ptx) {
        if (report) {
            ptx_error(p, loc, "'%.*s' needs PTX version %s, but the module says %s", (int)what.len, what.at,
                      ptx_version_text(n.ptx, needs), ptx_version_text(p->module->ptx, has));
        }
        return false;
    }
    if (n.targets != n.targets_end && !target_is_in(p, n.targets, n.targets_end)) {
        int len = (int)(n.targets_end - n.targets);
        bool later = n.targets_end[-1] == '+';

        if (report && n.targets_end[-1] == '-') {
            ptx_error(p, loc, "'%.*s' without .sync is gone from sm_70 on since PTX version 6.4", (int)what.len,
                      what.at);
            return false;
        }

        if (report) {
            ptx_error(p, loc, "'%.*s' needs %s%.*s%s, but the module is for %s", (int)what.len, what.at,
                      later ? "" : "one of ", later ? len - 1 : len, n.targets, later ? " or later" : "",
                      p->target_name);
        }
        return false;
    }
    return true;
}

/* Is the word (or the whole alternative) of a `raised` entry among the chosen ones?  Without its dot. */
static bool word_is_chosen(const struct ptx_candidate *c, struct ptx_text word)
{
    for (unsigned k = 0; k < c->pattern->n_elements; k++) {
        if (c->chosen[k] == PTX_NO_CHOICE) {
            continue;
        }
        const struct ptx_alternative *alt = &c->pattern->elements[k].alternatives[c->chosen[k]];

        if (alt->text.len == word.len && memcmp(alt->text.at, word.at, word.len) == 0) {
            return true;
        }
    }
    return false;
}

static bool operand_is_written(const struct ptx_candidate *c, const struct ptx_inst *inst, struct ptx_text role)
{
    for (unsigned i = 0; i < c->pattern->n_operands && i < inst->n_operands; i++) {
        struct ptx_text own = c->pattern->operands[i].role;

        if (own.len == role.len && memcmp(own.at, role.at, role.len) == 0) {
            return inst->operands[i].kind != PTX_OPND_NONE;
        }
    }
    return false;
}

static struct diag_loc loc_of_word(const struct ptx_inst *inst, struct ptx_text word)
{
    for (uint32_t i = 0; i < inst->n_words; i++) {
        if (inst->words[i].len <= word.len && memcmp(inst->words[i].text, word.at, inst->words[i].len) == 0) {
            return inst->words[i].loc;
        }
    }
    return inst->loc;
}

/* "word:87/sm_90+" in [at, end): the word ends at the last colon, since words contain colons themselves. */
static bool check_raised(struct ptx_parse *p, const struct ptx_candidate *c, const struct ptx_inst *inst,
                         const char *at, const char *end, bool of_operand, bool report)
{
    const char *colon = memrchr(at, ':', (size_t)(end - at));
    struct ptx_text what = {at + !of_operand, (uint32_t)(colon - at - !of_operand)};
    const char *slash = memchr(colon, '/', (size_t)(end - colon));
    struct needed n = {0, end, end};

    if (of_operand ? !operand_is_written(c, inst, what) : !word_is_chosen(c, what)) {
        return true;
    }
    if (colon[1] >= '0' && colon[1] <= '9') {
        n.ptx = (unsigned)strtoul(colon + 1, NULL, 10);
        n.targets = slash != NULL ? slash + 1 : end;
    } else {
        n.targets = colon + 1;
    }
    if (of_operand) {
        return meets(p, n, what, inst->loc, report);
    }
    return meets(p, n, (struct ptx_text){at, what.len + 1}, loc_of_word(inst, what), report);
}

/* Generic addressing came with version 2.0. */
static bool is_generic(const struct ptx_candidate *c)
{
    enum ir_op op = (enum ir_op)c->match.op;

    return c->n_spaces == 0 && (op == IR_LD || op == IR_ST || op == IR_ATOM || op == IR_ATOM_CAS || op == IR_RED);
}

bool ptx_check_requirements(struct ptx_parse *p, const struct ptx_candidate *c, const struct ptx_inst *inst,
                            bool report)
{
    const struct ir_form *form = c->pattern->form;
    static const char generic_targets[] = "sm_20+";
    const struct needed n = {form->ptx, form->targets, form->targets + strlen(form->targets)};
    const struct needed generic = {20, generic_targets, generic_targets + sizeof generic_targets - 1};
    struct ptx_text what = {inst->mnemonic.text, inst->mnemonic.len};
    const char *at = form->raised;
    bool of_operand = false;

    if (inst->n_words != 0) {
        const struct ptx_word *last = &inst->words[inst->n_words - 1];

        what.len = (uint32_t)(last->text + last->len - what.at);
    }
    if (!meets(p, n, what, inst->loc, report) || (is_generic(c) && !meets(p, generic, what, inst->loc, report))) {
        return false;
    }
    while (*at != '\0') {
        const char *end = at + strcspn(at, " ");

        if (end - at == 7 && memcmp(at, "operand", 7) == 0) {
            of_operand = true;
        } else {
            if (!check_raised(p, c, inst, at, end, of_operand, report)) {
                return false;
            }
            of_operand = false;
        }
        at = *end == ' ' ? end + 1 : end;
    }
    return true;
}
