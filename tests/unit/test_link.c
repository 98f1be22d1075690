/*
 * Linking: what agrees, what does not, and what comes out, part by part.  The rules are those that nvlink of CUDA 13.0
 * was seen to apply to the same texts.
 */
#include "ir/link.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/frontend.h"
#include "ir/passes.h"

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n" /* what follows begins in line 4 */

/* A function that returns its argument plus `n`, and a kernel that calls f. */
#define F_PLUS(n)                                                                                \
    "(.param .b32 r) f(.param .b32 a) { .reg .b32 %r; ld.param.b32 %r, [a]; add.u32 %r, %r, " #n \
    "; st.param.b32 [r], "                                                                       \
    "%r; ret; }\n"
#define F_DECLARED    ".extern .func (.param .b32 r) f(.param .b32 a);\n"
#define CALLS_F       ".visible .entry k() {\n.param .b32 x, y;\nst.param.b32 [x], 1;\ncall (y), f, (x);\nret;\n}\n"
#define USES_V(space) ".visible .entry k() {\n.reg .b32 %r;\nld." space ".b32 %r, [v];\nret;\n}\n"

enum { MOST_PARTS = 3, MOST_MESSAGES = 4, TEXT_BYTES = 4096 };

struct linked {
    struct diag dg;
    struct diag_text texts[MOST_PARTS];
    char text[MOST_PARTS][TEXT_BYTES];
    struct ir_module *m; /* NULL after errors */
};

static const char *const file_names[MOST_PARTS] = {"a.ptx", "b.ptx", "c.ptx"};

static void link_texts(struct linked *l, const char *const *bodies, enum ir_link_scope scope)
{
    struct ir_module *parts[MOST_PARTS];
    uint32_t count = 0;

    for (; count < MOST_PARTS && bodies[count] != NULL; count++) {
        struct diag dg;

        const bool has_head = strncmp(bodies[count], ".version", 8) == 0;

        snprintf(l->text[count], TEXT_BYTES, "%s%s", has_head ? "" : HEAD, bodies[count]);
        l->texts[count] = (struct diag_text){file_names[count], l->text[count], strlen(l->text[count])};
        diag_init(&dg, file_names[count], l->text[count], strlen(l->text[count]));
        parts[count] = ptx_parse(file_names[count], l->text[count], strlen(l->text[count]), PTX_RELOCATABLE, &dg);
        cr_assert_not_null(parts[count], "%s: %s", file_names[count], dg.count != 0 ? dg.messages[0].text : "?");
        diag_release(&dg);
    }
    diag_init_texts(&l->dg, l->texts, count);
    l->m = ir_link(parts, count, scope, &l->dg);
    for (uint32_t i = 0; i < count; i++) {
        ir_module_free(parts[i]);
    }
}

static void release(struct linked *l)
{
    ir_module_free(l->m);
    diag_release(&l->dg);
}

/* --- errors ----------------------------------------------------------------------------------- */
/* Messages as "file:line:column: text", of errors and notes alike. */
static const struct {
    const char *parts[MOST_PARTS + 1];
    const char *messages[MOST_MESSAGES + 1];
} refused[] = {
    {{".visible .func " F_PLUS(1), ".visible .func " F_PLUS(2)},
     {"b.ptx:4:32: multiple definition of 'f'", "a.ptx:4:32: first defined here"}},
    {{".visible .entry k() { ret; }", ".visible .entry k() { ret; }"},
     {"b.ptx:4:17: multiple definition of 'k'", "a.ptx:4:17: first defined here"}},
    {{".visible .global .u32 v = 1;", ".visible .global .u32 v = 2;"},
     {"b.ptx:4:23: multiple definition of 'v'", "a.ptx:4:23: first defined here"}},
    {{".visible .func g() { ret; }\n.visible .func f();\n.alias f, g;", ".visible .func f() { ret; }"},
     {"b.ptx:4:16: multiple definition of 'f'", "a.ptx:5:16: first defined here"}},
    {{F_DECLARED CALLS_F, ".func " F_PLUS(1)},
     {"a.ptx:8:1: undefined reference to 'f'", "a.ptx:4:31: declared here; no part defines it"}},
    {{".extern .global .u32 v;\n" USES_V("global"), ".global .u32 v;"},
     {"a.ptx:7:1: undefined reference to 'v'", "a.ptx:4:22: declared here; no part defines it"}},
    {{".extern .global .u32 v;", ".visible .entry k() { ret; }"},
     {"a.ptx:4:22: undefined reference to 'v'", "a.ptx:4:22: declared here; no part defines it"}},
    {{".extern .shared .u32 v;\n", ".extern .shared .b32 v[];\n" USES_V("shared")},
     {"b.ptx:7:1: undefined reference to 'v'", "b.ptx:4:22: declared here; no part defines it"}},
    {{".extern .func f();\n.visible .global .u64 p = f;", ".visible .entry k() { ret; }"},
     {"a.ptx:5:23: undefined reference to 'f'", "a.ptx:4:15: declared here; no part defines it"}},
    {{".extern .func f();\n.visible .func g() { call f; ret; }",
      ".extern .func g();\n.visible .entry k() { call g; ret; }"},
     {"a.ptx:5:22: undefined reference to 'f'", "a.ptx:4:15: declared here; no part defines it"}},
    {{".visible .func (.param .b32 r) f(.param .b64 a) { ret; }", F_DECLARED CALLS_F},
     {"b.ptx:4:31: 'f' differs between parts in the type of a parameter", "a.ptx:4:32: the other one is here"}},
    {{".visible .func (.param .f32 r) f(.param .b32 a) { ret; }", F_DECLARED CALLS_F},
     {"b.ptx:4:31: 'f' differs between parts in the type of the result", "a.ptx:4:32: the other one is here"}},
    {{".visible .func (.param .b32 r) f() { ret; }", F_DECLARED CALLS_F},
     {"b.ptx:4:31: 'f' differs between parts in the number of parameters", "a.ptx:4:32: the other one is here"}},
    {{".visible .func f(.param .b32 a) { ret; }", F_DECLARED CALLS_F},
     {"b.ptx:4:31: 'f' differs between parts in the number of results", "a.ptx:4:16: the other one is here"}},
    {{".visible .entry f() { ret; }", F_DECLARED CALLS_F},
     {"b.ptx:4:31: 'f' differs between parts in being a kernel", "a.ptx:4:17: the other one is here"}},
    {{".visible .global .u32 f;", F_DECLARED CALLS_F},
     {"b.ptx:4:31: 'f' differs between parts in being a function", "a.ptx:4:23: the other one is here"}},
    {{".weak .entry k(.param .u64 a) { ret; }", ".weak .entry k(.param .u32 a) { ret; }"},
     {"b.ptx:4:14: 'k' differs between parts in the size of its parameters", "a.ptx:4:14: the other one is here"}},
    {{".visible .global .u32 v[4];", ".extern .global .u32 v;\n" USES_V("global")},
     {"b.ptx:4:22: 'v' differs between parts in the size", "a.ptx:4:23: the other one is here"}},
    {{".weak .global .u32 v[2];", ".visible .global .u32 v;"},
     {"b.ptx:4:23: 'v' differs between parts in the size", "a.ptx:4:20: the other one is here"}},
    {{".common .global .u32 v[2];", ".visible .global .u32 v;"},
     {"b.ptx:4:23: 'v' differs between parts in the size", "a.ptx:4:22: the other one is here"}},
    {{".visible .const .u32 v;", ".extern .global .u32 v;\n" USES_V("global")},
     {"b.ptx:4:22: 'v' differs between parts in the state space", "a.ptx:4:22: the other one is here"}},
    {{".visible .global .attribute(.managed) .u32 v;", ".extern .global .u32 v;\n"},
     {"b.ptx:4:22: 'v' differs between parts in being managed", "a.ptx:4:44: the other one is here"}},
    {{".visible .entry k() { ret; }", ".version 8.0\n.target sm_80\n.address_size 32\n.global .u32 v;"},
     {"b.ptx:0:0: addresses have 32 bits here, but 64 in 'a.ptx'"}},
    {{".visible .entry k() { ret; }",
      ".version 8.0\n.target sm_80, texmode_independent\n.address_size 64\n.global .u32 v;"},
     {"b.ptx:0:0: the texture mode is independent here, but unified in 'a.ptx'"}},
    /* Every symbol is reported, each once. */
    {{".extern .func f();\n.extern .func g();\n.visible .entry k() { call f; call g; call f; ret; }",
      ".extern .func f();\n.visible .entry l() { call f; ret; }"},
     {"b.ptx:5:23: undefined reference to 'f'", "b.ptx:4:15: declared here; no part defines it",
      "a.ptx:6:31: undefined reference to 'g'", "a.ptx:5:15: declared here; no part defines it"}},
};

Test(link, what_does_not_fit_is_reported_with_both_places)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct linked l;
        size_t n = 0;

        link_texts(&l, refused[i].parts, IR_LINK_PROGRAM);
        cr_assert_null(l.m, "case %zu", i);
        for (; n < l.dg.count; n++) {
            const struct diag_message *m = &l.dg.messages[n];
            char shown[300];

            snprintf(shown, sizeof shown, "%s:%u:%u: %s", m->of.file, m->loc.line, m->loc.column, m->text);
            cr_assert_not_null(refused[i].messages[n], "case %zu also says: %s", i, shown);
            cr_expect_str_eq(shown, refused[i].messages[n]);
        }
        cr_expect_null(refused[i].messages[n], "case %zu does not say: %s", i, refused[i].messages[n]);
        release(&l);
    }
}

Test(link, messages_show_the_line_of_their_text)
{
    static const char *const parts[] = {".visible .global .u32 v = 1;", "\n.visible .global .u32 v = 2;", NULL};
    struct linked l;

    link_texts(&l, parts, IR_LINK_PROGRAM);
    cr_assert_eq(l.dg.count, 2);
    char *second = diag_format(&l.dg.messages[0], false), *first = diag_format(&l.dg.messages[1], false);

    cr_expect_str_eq(second, "b.ptx:5:23: error: multiple definition of 'v'\n"
                             ".visible .global .u32 v = 2;\n"
                             "                      ^\n");
    cr_expect_str_eq(first, "a.ptx:4:23: note: first defined here\n"
                            ".visible .global .u32 v = 1;\n"
                            "                      ^\n");
    free(second);
    free(first);
    release(&l);
}

/* --- what fits -------------------------------------------------------------------------------- */
static const char *const accepted[][MOST_PARTS + 1] = {
    {".visible .func " F_PLUS(1), F_DECLARED CALLS_F},
    {F_DECLARED CALLS_F, ".weak .func " F_PLUS(1), ".visible .func " F_PLUS(2)},
    {".weak .entry k() { ret; }", ".weak .entry k() { ret; }", ".visible .entry k() { ret; }"},
    {".entry k() { ret; }", ".entry k() { ret; }"},
    {".extern .func f();\n.visible .entry k() { ret; }"}, /* declared, never called */
    {".extern .func f();\n.visible .func g() { call f; ret; }\n.visible .entry k() { ret; }"}, /* never reached */
    {".visible .func (.reg .u32 r) f(.reg .s32 a) { mov.b32 r, a; ret; }", F_DECLARED CALLS_F},
    {".visible .global .f32 v;", ".extern .global .b32 v;\n" USES_V("global")},
    {".visible .global .u32 v[4];", ".extern .global .u32 v[];\n" USES_V("global")},
    {".extern .global .u32 v[];\n" USES_V("global"), ".common .global .u32 v;", ".common .global .u32 v[7];"},
    {".common .global .u32 v;", ".weak .global .u32 v = 3;", ".visible .global .u32 v = 4;\n" USES_V("global")},
    {".visible .shared .b32 v[9];", ".extern .shared .b32 v[];\n" USES_V("shared")},
    {".extern .shared .b32 v[];\n" USES_V("shared"), ".extern .shared .align 16 .b8 v[];"},
    {".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n.visible .entry k() {\n.reg .b64 %d;\n"
     ".param .b64 x, y;\n.param .b32 z;\nst.param.b64 [x], %d;\nst.param.b64 [y], %d;\ncall (z), vprintf, (x, y);\n"
     "ret;\n}"},
    {".visible .func g() { ret; }\n.visible .func f();\n.alias f, g;",
     ".extern .func f();\n.visible .entry k() { call f; ret; }"},
};

Test(link, what_fits_becomes_one_valid_module)
{
    for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++) {
        struct linked l;

        link_texts(&l, accepted[i], IR_LINK_PROGRAM);
        cr_assert_not_null(l.m, "case %zu: %s", i, l.dg.count != 0 ? l.dg.messages[0].text : "?");
        cr_expect_eq(l.dg.count, 0);
        cr_expect(ir_verify(l.m, &l.dg), "case %zu: %s", i, l.dg.count != 0 ? l.dg.messages[0].text : "?");
        release(&l);
    }
}

Test(link, of_a_part_names_may_stay_open)
{
    static const char *const parts[] = {F_DECLARED CALLS_F, ".extern .global .u32 v;\n", NULL};
    struct linked l;

    link_texts(&l, parts, IR_LINK_PART);
    cr_assert_not_null(l.m);
    cr_expect_eq(l.m->funcs.count, 2);
    cr_expect_eq(l.m->symbols.at[l.m->symbols.count - 1].linkage, IR_LINK_EXTERN);
    release(&l);
}

/* --- what comes out --------------------------------------------------------------------------- */
static const struct ir_symbol *symbol_called(const struct ir_module *m, const char *name)
{
    const struct ir_symbol *found = NULL;

    for (uint32_t i = 0; i < m->symbols.count; i++) {
        if (m->symbols.at[i].func < 0 && strcmp(m->symbols.at[i].name, name) == 0) {
            cr_assert_null(found, "two variables are called '%s'", name);
            found = &m->symbols.at[i];
        }
    }
    cr_assert_not_null(found, "no variable is called '%s'", name);
    return found;
}

static const struct ir_func *func_called(const struct ir_module *m, const char *name)
{
    const struct ir_func *found = NULL;

    for (uint32_t i = 0; i < m->funcs.count; i++) {
        cr_assert_eq(m->funcs.at[i]->index, i);
        if (strcmp(m->funcs.at[i]->name, name) == 0) {
            cr_assert_null(found, "two functions are called '%s'", name);
            found = m->funcs.at[i];
        }
    }
    cr_assert_not_null(found, "no function is called '%s'", name);
    return found;
}

/* The function that the first call of `f` goes to. */
static const struct ir_func *called_by(const struct ir_func *f)
{
    for (uint32_t i = 0; i < f->insts.count; i++) {
        const struct ir_inst *in = &f->insts.at[i];

        if (in->op == IR_CALL) {
            return f->module->funcs.at[ir_ref_index(ir_srcs(f, in)[0])];
        }
    }
    return NULL;
}

Test(link, the_definition_of_the_highest_rank_counts)
{
    static const char *const parts[] = {
        ".common .global .align 4 .b8 c[4];\n.weak .global .u32 w = 1;\n.weak .global .u32 first = 1;\n" F_DECLARED
            CALLS_F ".extern .global .align 64 .b8 big[16];\n",
        ".common .global .align 8 .b8 c[24];\n.weak .global .u32 first = 2;\n.weak .func " F_PLUS(
            1) ".visible .global .align 4 .b8 big[16] = {1};\n",
        ".visible .global .u32 w = 7;\n.visible .func " F_PLUS(2), NULL};
    struct linked l;

    link_texts(&l, parts, IR_LINK_PROGRAM);
    cr_assert_not_null(l.m);
    cr_expect_eq(symbol_called(l.m, "c")->size_bytes, 24);
    cr_expect_eq(symbol_called(l.m, "c")->align, 8);
    cr_expect_eq(symbol_called(l.m, "w")->init[0], 7);
    cr_expect_eq(symbol_called(l.m, "first")->init[0], 1);
    cr_expect_eq(symbol_called(l.m, "big")->init[0], 1);
    cr_expect_eq(symbol_called(l.m, "big")->align, 64);
    const struct ir_func *f = func_called(l.m, "f");

    cr_expect_eq(f->linkage, IR_LINK_VISIBLE);
    cr_expect_eq(f->text, 2);
    cr_expect_str_eq(l.m->texts.at[f->text], "c.ptx");
    cr_expect_eq(called_by(func_called(l.m, "k")), f);
    release(&l);
}

Test(link, private_names_keep_apart)
{
    static const char *const parts[] = {
        ".global .u32 v = 1;\n.func f() { ret; }\n.entry k() { call f; ret; }\n.func g() { ret; }\n",
        ".global .u32 v = 2;\n.func f() { ret; }\n.entry k() { call f; ret; }\n.visible .global .u64 p = v;\n",
        ".visible .func g() { ret; }\n.global .u32 only;\n", NULL};
    struct linked l;

    link_texts(&l, parts, IR_LINK_PROGRAM);
    cr_assert_not_null(l.m);
    cr_expect_eq(symbol_called(l.m, "v")->init[0], 1);
    cr_expect_eq(symbol_called(l.m, "v.2")->init[0], 2);
    cr_expect_eq(&l.m->symbols.at[ir_ref_index(symbol_called(l.m, "p")->relocs[0].target)], symbol_called(l.m, "v.2"));
    cr_expect_eq(called_by(func_called(l.m, "k")), func_called(l.m, "f"));
    cr_expect_eq(called_by(func_called(l.m, "k.2")), func_called(l.m, "f.2"));
    cr_expect_eq(func_called(l.m, "g")->linkage, IR_LINK_VISIBLE, "public names keep their spelling");
    cr_expect_eq(func_called(l.m, "g.1")->text, 0);
    symbol_called(l.m, "only");
    release(&l);
}

Test(link, functions_left_out_take_their_variables_along)
{
    static const char *const parts[] = {
        ".weak .func f() {\n.global .u32 inner;\n.local .b8 l[16];\nret;\n}\n",
        ".weak .func f() {\n.global .u32 inner;\n.local .b8 l[16];\nret;\n}\n.visible .entry k() { call f; ret; }\n",
        NULL};
    struct linked l;

    link_texts(&l, parts, IR_LINK_PROGRAM);
    cr_assert_not_null(l.m);
    cr_expect_eq(l.m->funcs.count, 2);
    cr_expect_eq(l.m->symbols.count, 2);
    for (uint32_t i = 0; i < l.m->symbols.count; i++) {
        cr_expect_eq(l.m->symbols.at[i].func, (int32_t)func_called(l.m, "f")->index);
    }
    release(&l);
}

Test(link, an_alias_is_called_from_other_parts)
{
    static const char *const parts[] = {".extern .func f();\n.visible .entry k() { call f; ret; }\n",
                                        ".func g() { ret; }\n.visible .func f();\n.alias f, g;\n", NULL};
    struct linked l;

    link_texts(&l, parts, IR_LINK_PROGRAM);
    cr_assert_not_null(l.m);
    cr_expect_eq(called_by(func_called(l.m, "k")), func_called(l.m, "g"));
    release(&l);
}

Test(link, the_newest_version_and_target_count)
{
    static const char *const parts[] = {".version 7.0\n.target sm_70\n.address_size 64\n.global .u32 a;",
                                        ".version 8.0\n.target sm_90a\n.address_size 64\n.global .u32 b;",
                                        ".version 8.6\n.target sm_80\n.address_size 64\n.global .u32 c;", NULL};
    struct linked l;

    link_texts(&l, parts, IR_LINK_PROGRAM);
    cr_assert_not_null(l.m);
    cr_expect_eq(l.m->ptx, 86);
    cr_expect_eq(l.m->sm, 90);
    cr_expect_eq(l.m->sm_suffix, 'a');
    release(&l);
}

Test(link, lines_and_source_files_are_kept)
{
    static const char *const parts[] = {".visible .entry k() {\n.loc 1 10 0\nret;\n}\n.file 1 \"shared.h\"\n",
                                        ".visible .entry l() {\n.loc 1 20 0\nbar.sync 0;\n.loc 2 30 0\nret;\n}\n.file "
                                        "1 \"b.cu\"\n.file 2 \"shared.h\"\n",
                                        NULL};
    struct linked l;

    link_texts(&l, parts, IR_LINK_PROGRAM);
    cr_assert_not_null(l.m);
    cr_expect_eq(l.m->files.count, 3, "a file that two parts name is one");
    const struct ir_func *f = func_called(l.m, "l");
    const struct ir_line *bar = &l.m->lines.at[f->insts.at[0].line], *ret = &l.m->lines.at[f->insts.at[1].line];

    cr_expect_eq(bar->line, 6);
    cr_expect_eq(bar->source_line, 20);
    cr_expect_str_eq(l.m->files.at[bar->file].name, "b.cu");
    cr_expect_eq(ret->source_line, 30);
    cr_expect_str_eq(l.m->files.at[ret->file].name, "shared.h");
    release(&l);
}

Test(link, layout_knows_all_parts)
{
    static const char *const parts[] = {
        ".shared .b8 s[100];\n.extern .shared .align 16 .b8 dynamic[];\n.extern .func f();\n"
        ".visible .entry k() {\n.reg .b32 %r;\nld.shared.b8 %r, [s];\nld.shared.b8 %r, [dynamic];\ncall f;\nret;\n}\n",
        ".shared .b8 s[28];\n.extern .shared .align 64 .b8 other[];\n.extern .func g();\n"
        ".visible .func f() {\n.reg .b32 %r;\nld.shared.b8 %r, [s];\nld.shared.b8 %r, [other];\ncall g;\nret;\n}\n",
        ".extern .func f();\n.visible .func g() { call f; ret; }\n", NULL};
    struct linked l;

    link_texts(&l, parts, IR_LINK_PROGRAM);
    cr_assert_not_null(l.m);
    const struct ir_func *k = func_called(l.m, "k");

    cr_expect_eq(k->shared_bytes, 128);
    cr_expect_eq(k->dynamic_shared_at, 128);
    cr_expect(k->uses_dynamic_shared);
    cr_expect(func_called(l.m, "f")->recursive);
    cr_expect_not(k->recursive);
    release(&l);
}

/* Errors of layout are about text of some part, too. */
Test(link, layout_errors_name_the_part)
{
    struct ir_module *m;
    struct diag_text texts[] = {{"a.ptx", NULL, 0}, {"b.ptx", NULL, 0}};
    struct diag dg;

    diag_init_texts(&dg, texts, 2);
    m = ir_module_new("a.ptx");
    cr_assert_not_null(m);
    vec_push(&m->texts, "b.ptx");
    const struct ir_symbol big = {.name = "big",
                                  .space = IR_SPACE_LOCAL,
                                  .type = IR_B8,
                                  .align = 1,
                                  .text = 1,
                                  .size_bytes = UINT64_MAX / 2,
                                  .func = -1,
                                  .loc = {.line = 9}};

    vec_push(&m->symbols, big);
    cr_expect_not(ir_layout(m, &dg));
    cr_assert_eq(dg.count, 1);
    cr_expect_str_eq(dg.messages[0].of.file, "b.ptx");
    ir_module_free(m);
    diag_release(&dg);
}
