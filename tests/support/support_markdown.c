/*
 * docs/support.md as text: one line per form, ordered by mnemonic.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_CHOICES = 12 }; /* longer choices (shapes of matrices) are cut to the first and the last */

static bool is_refused(const struct ir_form *form)
{
    return form->op == IR_REFUSED;
}

/* --- patterns --------------------------------------------------------------------------------- */
static unsigned count_choices(const char *at, const char *end)
{
    unsigned n = 1;

    for (; at < end; at++) {
        n += *at == '|';
    }
    return n;
}

/* Bars would end the cell. */
static void put_escaped(FILE *out, const char *at, const char *end)
{
    for (; at < end; at++) {
        fputs(*at == '|' ? "\\|" : (char[]){*at, '\0'}, out);
    }
}

/* A choice `<R:.a|.b>` or `{R:.a|.b}` without its letter; `at` is behind the opening bracket. */
static void put_choice(FILE *out, const char *at, const char *end)
{
    const char *colon = memchr(at, ':', (size_t)(end - at));

    /* The letter is a name of letters only; other colons belong to words such as .shared::cta. */
    if (colon != NULL && strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == (size_t)(colon - at)) {
        at = colon + 1;
    }
    if (count_choices(at, end) <= SHOWN_CHOICES) {
        put_escaped(out, at, end);
        return;
    }
    const char *first_end = memchr(at, '|', (size_t)(end - at)), *last = end;

    while (last[-1] != '|') {
        last--;
    }
    fprintf(out, "%.*s ... %.*s", (int)(first_end - at), at, (int)(end - last), last);
}

static void put_form(FILE *out, const struct ir_form *form)
{
    const char *at = form->modifiers;

    fprintf(out, "`%s", form->mnemonic);
    while (*at != '\0') {
        const char close = *at == '<' ? '>' : *at == '{' ? '}' : '\0';
        const char *end = close != '\0' ? strchr(at, close) : NULL;

        if (end == NULL) {
            fputc(*at++, out);
            continue;
        }
        fputc(*at, out);
        put_choice(out, at + 1, end);
        fputc(close, out);
        at = end + 1;
    }
    fputc('`', out);
}

/* --- cells ------------------------------------------------------------------------------------ */
static void put_version(FILE *out, unsigned ptx)
{
    fprintf(out, "%u.%u", ptx / 10, ptx % 10);
}

/* "word:version/targets": what a word needs beyond its form. */
static void put_raised(FILE *out, const char *at)
{
    while (*at != '\0') {
        const size_t length = strcspn(at, " ");
        const char *end = at + length, *need = end;

        while (need > at && need[-1] != ':') {
            need--;
        }
        fprintf(out, "; `");
        put_escaped(out, at, need > at ? need - 1 : at);
        fprintf(out, "`: ");
        const unsigned version = (unsigned)strtoul(need, NULL, 10);
        const char *targets = memchr(need, '/', (size_t)(end - need));

        if (version != 0) {
            put_version(out, version);
        }
        if (version == 0 || targets != NULL) {
            const char *from = version == 0 ? need : targets + 1;

            fprintf(out, "%s%.*s", version == 0 ? "" : " ", (int)(end - from), from);
        }
        at = end + strspn(end, " ");
    }
}

static void put_cell(FILE *out, const char *text)
{
    put_escaped(out, text, text + strlen(text));
}

/* Types in words: ".u16 .s16"; nothing for a form without types. */
static void put_types(FILE *out, uint64_t types)
{
    const char *space = "";

    for (unsigned t = 0; t < IR_TYPE_COUNT; t++) {
        if (types >> t & 1) {
            fprintf(out, "%s`.%s`", space, ir_type_info[t].name);
            space = " ";
        }
    }
}

/* What of a form is not recorded: types at all places together. */
static uint64_t unrecorded(const struct form_facts *f)
{
    uint64_t types = 0;

    for (unsigned p = 0; p < f->n_places; p++) {
        types |= f->all.at[p] & ~f->recorded.at[p];
    }
    return types;
}

/* What says that the results are right: records of a GPU, a test, or only the manual, and then why. */
static void put_truth(FILE *out, const struct form_facts *f)
{
    const uint64_t rest = unrecorded(f);

    if (f->n_kernels != 0) {
        fprintf(out, "hardware");
        if (rest == 0) {
            return;
        }
        fprintf(out, "; ");
        put_types(out, rest);
        fprintf(out, ": ");
    }
    if (f->test != NULL) {
        fprintf(out, "test `%s`", f->test);
    } else {
        fprintf(out, "manual");
    }
    if (f->reason != NULL) {
        fprintf(out, " (");
        put_cell(out, f->reason);
        fprintf(out, ")");
    }
}

static void put_row(FILE *out, const struct ir_form *form, const struct form_facts *f)
{
    fprintf(out, "| ");
    put_form(out, form);
    fprintf(out, " | ");
    put_version(out, form->ptx);
    fprintf(out, " | ");
    put_cell(out, form->targets);
    put_raised(out, form->raised);
    if (is_refused(form)) {
        fprintf(out, " | refused | | | ");
    } else {
        fprintf(out, " | yes | %u | ", f->n_kernels);
        put_truth(out, f);
        fprintf(out, " | ");
    }
    put_cell(out, form->words);
    fprintf(out, " |\n");
}

/* --- the document ---------------------------------------------------------------------------------------------------
 */
static int by_mnemonic(const void *a, const void *b)
{
    const struct ir_form *f = &ir_form_info[*(const unsigned *)a], *g = &ir_form_info[*(const unsigned *)b];
    const int order = strcmp(f->mnemonic, g->mnemonic);

    return order != 0 ? order : f < g ? -1 : 1;
}

static void put_summary(FILE *out, const struct coverage *coverage)
{
    unsigned runs = 0, recorded = 0, tested = 0;

    for (unsigned i = 0; i < ir_form_count; i++) {
        const struct form_facts *f = &coverage->forms[i];

        runs += !is_refused(&ir_form_info[i]);
        recorded += !is_refused(&ir_form_info[i]) && f->n_kernels != 0;
        tested += !is_refused(&ir_form_info[i]) && f->n_kernels == 0 && f->test != NULL;
    }
    fprintf(
        out,
        "# Instructions\n\n"
        "Every form of every instruction that the front end accepts: %u forms, of which %u run and %u are refused by\n"
        "name when a kernel that contains them is to run. Of those that run, %u occur in kernels whose results were\n"
        "recorded on an NVIDIA H200 and are compared bit for bit (`tests/conformance/data`); %u more follow the PTX\n"
        "manual and have a test of their own (`tests/golden/run`). A test holds the tables to this, type by type.\n\n"
        "In a form, `<...>` is a choice, `{...}` may be left out. **PTX** is the first language version that has it,\n"
        "**targets** are the GPUs; words that need more than their form follow with what they need. **Vectors** "
        "counts\n"
        "the recorded kernels that contain the form. **Checked against** says where its results are known from:\n"
        "hardware, but for the types that follow; a test whose results follow the manual; or the manual alone, and "
        "why.\n"
        "What the assembler expands into several machine instructions counts as one form.\n\n"
        "This file is made from `ir/forms.def` by a test (`ctest -R support`); `PTXEMU_REWRITE=1` writes it anew.\n",
        ir_form_count, runs, ir_form_count - runs, recorded, tested);
}

void support_write(FILE *out, const struct coverage *coverage)
{
    unsigned *order = calloc(ir_form_count, sizeof *order);
    const char *mnemonic = "";

    if (order == NULL) {
        return;
    }
    for (unsigned i = 0; i < ir_form_count; i++) {
        order[i] = i;
    }
    qsort(order, ir_form_count, sizeof *order, by_mnemonic);
    put_summary(out, coverage);
    for (unsigned i = 0; i < ir_form_count; i++) {
        const struct ir_form *form = &ir_form_info[order[i]];

        if (strcmp(form->mnemonic, mnemonic) != 0) {
            mnemonic = form->mnemonic;
            fprintf(out,
                    "\n## %s\n\n| form | PTX | targets | runs | vectors | checked against | what it does "
                    "|\n|---|---|---|---|---|---|---|\n",
                    mnemonic);
        }
        put_row(out, form, &coverage->forms[order[i]]);
    }
    free(order);
}
