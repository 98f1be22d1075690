/*
 * Texts to facts: which forms with which types, and which operations, a text contains.  A text is read twice: as
 * written, where a form's types stand in their places, and lowered, where its operations are.
 */
#include "coverage.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/frontend.h"
#include "frontend/pattern.h"
#include "ir/base/arena.h"
#include "selector.h"
#include "tests/conformance/recorded.h"

enum { PATH_BYTES = 4096 };

/* --- forms and their types ---------------------------------------------------------------- */
/* The types an element of a pattern may say, added at the places from `place` on; how many places it fills. */
static unsigned add_element(const struct ptx_element *e, struct type_places *all, unsigned place)
{
    unsigned filled = 0;

    for (unsigned i = 0; i < e->n_alternatives; i++) {
        const struct ptx_alternative *alt = &e->alternatives[i];
        unsigned n = 0;

        for (unsigned w = 0; w < alt->n_words; w++) {
            enum ir_type type;

            if (selector_type(alt->words[w], &type) && place + n < PTX_MAX_TYPES) {
                all->at[place + n++] |= ir_type_bit(type);
            }
        }
        filled = n > filled ? n : filled;
    }
    return filled;
}

static void init_form(struct form_facts *f)
{
    for (unsigned e = 0; e < f->pattern->n_elements; e++) {
        f->n_places += add_element(&f->pattern->elements[e], &f->all, f->n_places);
    }
    if (f->n_places == 0) {
        f->n_places = 1;
        f->all.at[0] = COVER_NO_TYPE;
    }
}

bool coverage_init(struct coverage *c)
{
    *c = (struct coverage){.arena = arena_new(0)};
    c->forms = c->arena != NULL ? ARENA_ARRAY(c->arena, struct form_facts, ir_form_count) : NULL;
    for (unsigned i = 0; c->forms != NULL && i < ir_form_count; i++) {
        c->forms[i].pattern = ptx_pattern_new(c->arena, i);
        if (c->forms[i].pattern == NULL) {
            return false;
        }
        init_form(&c->forms[i]);
    }
    return c->forms != NULL;
}

void coverage_free(struct coverage *c)
{
    arena_free(c->arena);
}

/* The types written in an instruction, by place.  Where an optional type was left out, places are not known. */
static void add_types(const struct form_facts *f, const struct ptx_match *match, struct type_places *seen)
{
    for (unsigned t = 0; t < match->n_types; t++) {
        for (unsigned p = 0; p < f->n_places; p++) {
            if (match->n_types != f->n_places || p == t) {
                seen->at[p] |= f->all.at[p] & ir_type_bit(match->types[t]);
            }
        }
    }
    seen->at[0] |= f->all.at[0] & COVER_NO_TYPE;
}

/* --- one text ----------------------------------------------------------------------------- */
/* What a text is read for. */
struct reader {
    struct coverage *coverage;
    bool recorded; /* else: golden */
    struct selector *claims;
    size_t n_claims;
    bool *claimed;     /* golden: forms that some claim is about */
    uint32_t *seen_in; /* recorded: number of the last kernel that contained a form, so that it counts once */
    uint32_t kernel;
    const char *name;
};

static bool is_claimed(struct reader *r, const struct ptx_inst *inst)
{
    bool claimed = false;

    for (size_t i = 0; i < r->n_claims; i++) {
        if (selector_fits_inst(&r->claims[i], inst)) {
            r->claims[i].used = claimed = true;
        }
    }
    return claimed;
}

static bool see_instruction(void *context, const struct ptx_inst *inst, const struct ptx_match *match)
{
    struct reader *r = context;
    struct form_facts *f = &r->coverage->forms[match->form];

    if (r->recorded) {
        f->n_kernels += r->seen_in[match->form] != r->kernel;
        r->seen_in[match->form] = r->kernel;
        add_types(f, match, &f->recorded);
    } else if (is_claimed(r, inst)) {
        r->claimed[match->form] = true;
        add_types(f, match, &f->tested);
        if (f->test == NULL) {
            f->test = arena_strdup(r->coverage->arena, r->name);
        }
    }
    return true;
}

static bool see_function(void *context, struct ir_func *f)
{
    (void)context;
    (void)f;
    return true;
}

static bool see_end(void *context, struct ir_func *f, uint32_t n_labels)
{
    (void)n_labels;
    return see_function(context, f);
}

static bool see_label(void *context, uint32_t number, const char *name)
{
    (void)context;
    (void)number;
    (void)name;
    return true;
}

static void see_operations(struct reader *r, const struct ir_module *module)
{
    for (uint32_t f = 0; f < module->funcs.count; f++) {
        const struct ir_func *func = module->funcs.at[f];

        for (uint32_t n = 0; n < func->insts.count; n++) {
            const struct ir_inst *in = &func->insts.at[n];
            struct op_facts *op = &r->coverage->ops[in->op];

            if (r->recorded) {
                op->recorded |= ir_type_bit(in->type);
            } else if (r->claimed[in->form]) {
                op->tested |= ir_type_bit(in->type);
            }
        }
    }
}

static bool read_text(struct reader *r, const char *text, size_t length)
{
    const struct ptx_sink sink = {r, see_function, see_end, see_label, see_instruction};
    struct diag dg;

    diag_init(&dg, r->name, text, length);
    struct ir_module *written = ptx_parse_into(r->name, text, length, PTX_RELOCATABLE, &dg, &sink);
    struct ir_module *lowered = written != NULL ? ptx_parse(r->name, text, length, PTX_RELOCATABLE, &dg) : NULL;

    if (lowered != NULL) {
        see_operations(r, lowered);
    } else {
        printf("%s: line %u: %s\n", r->name, dg.count != 0 ? dg.messages[0].loc.line : 0,
               dg.count != 0 ? dg.messages[0].text : "not accepted");
    }
    ir_module_free(written);
    ir_module_free(lowered);
    diag_release(&dg);
    return lowered != NULL;
}

/* --- recorded kernels --------------------------------------------------------------------- */
bool coverage_add_recorded(struct coverage *c, const struct recorded_set *set)
{
    struct reader reader = {.coverage = c, .recorded = true};
    bool good = true;

    reader.seen_in = ARENA_ARRAY(c->arena, uint32_t, ir_form_count);
    if (reader.seen_in == NULL) {
        return false;
    }
    for (size_t i = 0; i < set->count; i++) {
        reader.name = set->at[i].name;
        reader.kernel++;
        good = read_text(&reader, set->at[i].ptx, set->at[i].ptx_bytes) && good;
    }
    return good;
}

/* --- golden files ------------------------------------------------------------------------- */
/* The words behind "// covers:" at the beginning of a line, as selectors in the arena. */
static bool read_claims(struct reader *r, const char *text)
{
    static const char heading[] = "\n// covers:";

    r->claims = NULL;
    r->n_claims = 0;
    for (const char *at = text; (at = strstr(at, heading)) != NULL;) {
        at += strlen(heading);
        char *line = arena_strndup(r->coverage->arena, at, strcspn(at, "\n"));

        if (line == NULL || !selector_list(r->coverage->arena, line, &r->claims, &r->n_claims)) {
            return false;
        }
    }
    return true;
}

static bool claims_kept(const struct reader *r)
{
    bool good = true;

    for (size_t i = 0; i < r->n_claims; i++) {
        if (!r->claims[i].used) {
            printf("%s: covers '%s', which it does not contain\n", r->name, r->claims[i].text);
            good = false;
        }
    }
    return good;
}

static bool read_golden(struct coverage *c, const char *folder, const char *file)
{
    char path[PATH_BYTES], name[PATH_BYTES];
    struct reader reader = {.coverage = c, .name = name};
    bool good = true;

    snprintf(path, sizeof path, "%s/%s", folder, file);
    snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - strlen(".ptx")), file);
    struct blob text = recorded_text(path);

    reader.claimed = ARENA_ARRAY(c->arena, bool, ir_form_count);
    if (text.bytes == NULL || reader.claimed == NULL || !read_claims(&reader, (const char *)text.bytes)) {
        good = false;
    } else if (reader.n_claims != 0) {
        good = read_text(&reader, (const char *)text.bytes, text.size) && claims_kept(&reader);
    }
    free(text.bytes);
    return good;
}

static int is_ptx(const struct dirent *entry)
{
    const char *suffix = strrchr(entry->d_name, '.');

    return suffix != NULL && strcmp(suffix, ".ptx") == 0;
}

bool coverage_add_golden(struct coverage *c, const char *folder)
{
    struct dirent **files = NULL;
    const int n = scandir(folder, &files, is_ptx, alphasort);
    bool good = n > 0;

    for (int i = 0; i < n; i++) {
        good = read_golden(c, folder, files[i]->d_name) && good;
        free(files[i]);
    }
    free(files);
    return good;
}
