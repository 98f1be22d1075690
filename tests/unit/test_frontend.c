/*
 * The front end against the conformance files of tests/ptx, and the words of its messages.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/frontend.h"

/* --- files: one test reads a whole folder, a process for each would take minutes under a sanitizer --- */
static int only_ptx(const struct dirent *e)
{
    const char *dot = strrchr(e->d_name, '.');

    return dot != NULL && strcmp(dot, ".ptx") == 0;
}

/* The names of the .ptx files in tests/ptx/<folder>, sorted. */
static int list_files(const char *folder, struct dirent ***names)
{
    char path[512];

    snprintf(path, sizeof path, "%s/tests/ptx/%s", PTXEMU_SOURCE_DIR, folder);
    return scandir(path, names, only_ptx, alphasort);
}

struct file {
    char name[256];
    char *text;
    size_t len;
};

static struct file read_file(const char *folder, const char *name)
{
    struct file f = {{0}, NULL, 0};
    char path[1024];

    snprintf(f.name, sizeof f.name, "%s", name);
    snprintf(path, sizeof path, "%s/tests/ptx/%s/%s", PTXEMU_SOURCE_DIR, folder, f.name);
    FILE *in = fopen(path, "rb");

    cr_assert(in != NULL, "%s cannot be opened", path);
    fseek(in, 0, SEEK_END);
    f.len = (size_t)ftell(in);
    rewind(in);
    f.text = malloc(f.len + 1);
    cr_assert(f.text != NULL && fread(f.text, 1, f.len, in) == f.len);
    f.text[f.len] = '\0';
    fclose(in);
    return f;
}

static void for_each_file(const char *folder, void (*check)(struct file f))
{
    struct dirent **names;
    const int count = list_files(folder, &names);

    cr_assert(count > 0, "no files in tests/ptx/%s", folder);
    for (int i = 0; i < count; i++) {
        check(read_file(folder, names[i]->d_name));
        free(names[i]);
    }
    free(names);
}

/* The headers of the files give the assembler's options: with -c the text is a part of a program. */
static enum ptx_scope scope_of(const struct file *f)
{
    const char *options = strstr(f->text, "ptxas ");
    const size_t length = options != NULL ? strcspn(options, "\n") : 0;

    return length >= 3 && memcmp(options + length - 3, " -c", 3) == 0 ? PTX_RELOCATABLE : PTX_WHOLE_PROGRAM;
}

/* --- accept --------------------------------------------------------------------------------- */
static void check_accepts(struct file f)
{
    struct diag dg;

    diag_init(&dg, f.name, f.text, f.len);
    cr_expect(ptx_check_only(f.name, f.text, f.len, scope_of(&f), &dg), "%s:%u: %s", f.name,
              dg.count != 0 ? dg.messages[0].loc.line : 0,
              dg.count != 0 ? dg.messages[0].text : "refused without a message");
    diag_release(&dg);
    free(f.text);
}

Test(frontend, accepts)
{
    for_each_file("accept", check_accepts);
}

/* --- reject --------------------------------------------------------------------------------- */
/*
 * Our line differs on purpose: a missing ';' is reported where it is missing, a header out of order at its first line,
 * a second `.file` at itself.
 */
static const char *const other_line[] = {"syntax_001.ptx", "syntax_044.ptx", "syntax_059.ptx",
                                         "header_001.ptx", "header_003.ptx", "duplicate_011.ptx"};

static bool is_listed(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, list[i]) == 0) {
            return true;
        }
    }
    return false;
}
#define IS_LISTED(name, list) is_listed((name), (list), sizeof(list) / sizeof *(list))

/* The first error's line, 0 for none. */
static unsigned first_error_line(const struct diag *dg)
{
    for (size_t i = 0; i < dg->count; i++) {
        if (dg->messages[i].level == DIAG_ERROR) {
            return dg->messages[i].loc.line;
        }
    }
    return 0;
}

static void check_rejects(struct file f)
{
    const char *header = strstr(f.text, "// line: ");
    unsigned expected =
        header != NULL ? (unsigned)strtoul(header + strlen("// line: "), NULL, 10) : 0; /* 0: none named */
    struct diag dg;

    diag_init(&dg, f.name, f.text, f.len);
    bool accepted = ptx_check_only(f.name, f.text, f.len, scope_of(&f), &dg);

    cr_expect(!accepted, "%s is accepted", f.name);
    if (expected != 0 && !IS_LISTED(f.name, other_line)) {
        cr_expect(first_error_line(&dg) == expected, "%s: error in line %u instead of %u: %s", f.name,
                  first_error_line(&dg), expected, dg.count != 0 ? dg.messages[0].text : "");
    }
    diag_release(&dg);
    free(f.text);
}

Test(frontend, rejects)
{
    for_each_file("reject", check_rejects);
}

/* --- messages, word for word ---------------------------------------------------------------- */
/* Line 1 to 12 of every text below; the mistake stands in line 13. */
static const char prologue[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                               ".global .u32 g;\n"
                               ".func (.param .b32 r) f(.param .f32 a) { st.param.b32 [r], 0; ret; }\n"
                               ".visible .entry k(.param .u64 p0, .param .u32 n) {\n"
                               ".reg .pred %p<3>;\n"
                               ".reg .b16 %h<4>;\n"
                               ".reg .b32 %r<8>;\n"
                               ".reg .b64 %rd<8>;\n"
                               ".reg .f32 %f<8>;\n"
                               ".reg .f64 %fd<4>;\n";
static const char epilogue[] = "\nret; }\n";

static const struct mistake {
    const char *text;
    const char *message; /* of the first error: "line:column: text" */
} mistakes[] = {
    /* punctuation */
    {"add.u32 %r1, %r2, %r3\nmov.u32 %r1, %r2;", "13:22: expected ';'"},
    {"ret\nmov.u32 %r1, %r2;", "13:4: expected ';'"},
    {"mov.u32 %r1, %r2.q;", "13:14: '.q' is not a component: .x, .y, .z, .w or .r, .g, .b, .a"},
    {"add.u32 %r1 %r2, %r3;", "13:13: expected ',' before '%r2'"},
    {"ret;;", "13:5: a statement is missing before ';'"},
    {"ld.global.u32 %r1, [%rd1;", "13:25: expected ',' or ']' before ';'"},
    {"{ ret;", "15:1: unexpected end of the text: '}' is missing"},
    {"/* ret;", "13:1: comment is not closed"},
    {".pragma \"nounroll;", "13:9: string is not closed"},
    {"add.u32 %r1,,%r2,%r3;", "13:13: expected an operand before ','"},
    {"mov.b64 %rd1, {};", "13:15: a vector needs elements"},
    {".rge .u32 q;", "13:1: unknown directive '.rge'; did you mean '.reg'?"},
    {".u32 q;", "13:1: a declaration begins with its state space, such as '.reg' or '.global', not with a type"},
    {"}\nadd.u32 %r1, %r2, %r3;", "14:1: instruction 'add' stands outside a function"},
    {".entry j() { ret; }", "13:1: a function cannot stand inside a function; is a '}' missing above?"},
    /* names */
    {"add.u32 %r1, %r2, %r9;", "13:19: '%r9' is outside the declared range %r<8>"},
    {"add.u32 %r1, %rx, %r3;", "13:14: use of undeclared register '%rx'; did you mean '%rd'?"},
    {"mov.u64 %rd1, gg;", "13:15: use of undeclared name 'gg'; did you mean 'g'?"},
    {"ld.param.u64 %rd1, [p1];", "13:20: use of undeclared name 'p1'; did you mean 'p0'?"},
    {"mov.u32 %r1, %tidd.x;", "13:14: use of undeclared register '%tidd.x'; did you mean '%tid.x'?"},
    {"DONE: bra DONT;", "13:11: use of undefined label 'DONT'; did you mean 'DONE'?"},
    {"bra NOWHERE;", "13:5: use of undefined label 'NOWHERE'"},
    {"L: ret; L: ret;", "13:9: redefinition of label 'L'"},
    {".reg .u32 %r3;", "13:11: redefinition of '%r3'"},
    /* mnemonics and modifiers */
    {"addd.u32 %r1, %r2, %r3;", "13:1: unknown instruction 'addd'; did you mean 'add'?"},
    {"add.u23 %r1, %r2, %r3;", "13:4: 'add' has no modifier '.u23'; did you mean '.u32'?"},
    {"add.sat.u32 %r1, %r2, %r3;", "13:4: '.sat' does not go with the rest; closest forms are add.u32 and add.sat.s32"},
    {"add.ftz.ftz.f32 %f1, %f2, %f3;", "13:8: '.ftz' is repeated; closest form is add{.rn|.rz|.rm|.rp}.ftz{.sat}.f32"},
    {"mul.u32 %r1, %r2, %r3;", "13:1: 'mul' needs one of .hi, .lo, .wide; closest form is mul.hi.u32"},
    {"fma.f32 %f1, %f2, %f3, %f4;", "13:1: 'fma' needs one of .rn, .rz, .rm, .rp; closest form is "
                                    "fma<.rn|.rz|.rm|.rp>{.ftz}{.sat}.f32"},
    {"mul.u32.lo %r1, %r2, %r3;", "13:1: the modifiers of 'mul' are in the wrong order; the form is mul.lo.u32"},
    {"tanh.approx.bf16 %h1, %h2;", "13:12: '.bf16' needs sm_90 or later, but the module is for sm_80"},
    {"min.s16x2 %r1, %r2, %r3;", "13:1: 'min.s16x2' needs sm_90 or later, but the module is for sm_80"},
    /* operands */
    {"add.u32 %r1, %r2;", "13:1: 'add.u32' takes 3 operands, not 2"},
    {"add.u32 %r1, %r2, %rd3;", "13:19: register '%rd3' is .b64, but 'add.u32' needs .u32 here"},
    {"mul.wide.u32 %r1, %r2, %r3;", "13:14: register '%r1' is .b32, but 'mul.wide.u32' needs .u64 here"},
    {"add.f32 %f1, %f2, 1;", "13:19: an integer cannot be a .f32 operand of 'add.f32'"},
    {"add.u32 %r1, %r2, 1.0;", "13:19: a floating-point constant cannot be a .u32 operand of 'add.u32'"},
    {"add.u32 %r1, %r2, %tid.x;", "13:19: special register '%tid.x' can only be read by mov and cvt"},
    {"add.u32 %r1, %r2, -%r3;", "13:19: register '%r3' cannot have a minus sign here"},
    {"ld.global.u32 %r1, %rd1;", "13:20: the second operand of 'ld.global.u32' must be an address in brackets, "
                                 "not a .b64 register"},
    {"ld.global.u32 %r1, [%r1];", "13:20: the address needs a 64-bit register, but '%r1' is .b32"},
    {"ld.shared.u32 %r1, [g];", "13:20: 'g' is a .global variable, which 'ld.shared.u32' does not reach"},
    {"ld.global.v4.u32 {%r1,%r2}, [%rd1];", "13:18: the first operand of 'ld.global.v4.u32' is a vector of 4, "
                                            "not a vector of 2"},
    {"ld.global.u32 %r1, [%rd1-4];", "13:25: offsets are only added: write '+-' instead of '-'"},
    {"bar.sync 16;", "13:10: the constant must be from 0 to 15"},
    {"@%r1 ret;", "13:2: guard '%r1' is .b32, but a guard is a .pred register"},
    {"st.param.u32 [n], %r1;", "13:14: parameter 'n' cannot be written"},
    /* calls */
    {"call (%r1), f, (%f2, %f3);", "13:16: the call has 2 arguments, but the function has 1"},
    {"call (%r1), f, (%h1);", "13:17: register '%h1' is .b16, but .f32 is expected"},
    {"call (%r1), f, (%fd1);", "13:17: register '%fd1' is .f64, but .f32 is expected"},
    {"call k;", "13:6: 'k' is a kernel and cannot be called"},
    {"call (%r1), %rd1, (%f1);", "13:13: an indirect call needs the label of '.callprototype' or '.calltargets'"},
    /* constants and declarations */
    {"mov.u32 %r1, 1/0;", "13:15: division by zero in a constant expression"},
    {"mov.u32 %r1, 08;", "13:14: a literal that starts with 0 is octal and has no digit above 7"},
    {"mov.f32 %f1, 0f3F80000;", "13:14: a single-precision literal is '0f' and exactly 8 hexadecimal digits"},
    {".global .bf16 q;", "13:9: '.bf16' is a type of instructions only; declare '.b16' instead"},
    {".shared .align 3 .b8 s[4];", "13:16: alignment must be a power of two"},
    {".global .u32 q[2] = {1, 2, 3};", "13:28: more values than the variable has elements"},
    {".reg .u32 q[4];", "13:13: there are no arrays of registers; write 'q<n>' for n of them"},
};

ParameterizedTestParameters(frontend, messages)
{
    static size_t at[sizeof mistakes / sizeof *mistakes];

    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        at[i] = i;
    }
    return cr_make_param_array(size_t, at, sizeof at / sizeof *at);
}

ParameterizedTest(size_t *index, frontend, messages)
{
    const struct mistake *m = &mistakes[*index];
    char text[4096], got[1024] = "no message";
    struct diag dg;

    snprintf(text, sizeof text, "%s%s%s", prologue, m->text, epilogue);
    diag_init(&dg, "t.ptx", text, strlen(text));
    cr_expect(!ptx_check_only("t.ptx", text, strlen(text), PTX_WHOLE_PROGRAM, &dg), "accepted: %s", m->text);
    if (dg.count != 0) {
        snprintf(got, sizeof got, "%u:%u: %s", dg.messages[0].loc.line, dg.messages[0].loc.column, dg.messages[0].text);
    }
    cr_expect_str_eq(got, m->message);
    diag_release(&dg);
}

/* --- the list of messages ------------------------------------------------------------------- */
static struct diag check_text(const char *text)
{
    struct diag dg;

    diag_init(&dg, "t.ptx", text, strlen(text));
    ptx_check_only("t.ptx", text, strlen(text), PTX_WHOLE_PROGRAM, &dg);
    return dg;
}

/* --- whole programs and parts of them -------------------------------------------------------- */
struct external {
    const char *text;         /* after three lines of header */
    const char *whole, *part; /* the first message, NULL: none at all */
};

#define UNRESOLVED "unresolved extern function 'f': no definition in this module"
#define NO_ADDRESS "'malloc' is supplied by CUDA and has no address"
#define MALLOC     ".extern .func (.param .b64 r) malloc(.param .b64 a); "

static const struct external externals[] = {
    {".extern .func f;", NULL, NULL},
    {".extern .func f; .entry k() { call f; }", "4:36: " UNRESOLVED, NULL},
    {".extern .func f; .func g() { call f; ret; }", "4:35: " UNRESOLVED, NULL},
    {".extern .func f; .entry k() { .reg .b64 d; mov.u64 d, f; }", "4:55: " UNRESOLVED, NULL},
    {".extern .func f; .global .u64 o = f;", "4:35: " UNRESOLVED, NULL},
    {".extern .func f; .func g() { ret; } .alias f, g; .entry k() { call f; }", NULL, NULL},
    {".func f; .entry k() { call f; }", "4:7: 'f' is declared but never defined",
     "4:7: 'f' is declared but never defined"},
    {MALLOC ".entry k() { .param .b64 p; call (p), malloc, (p); }", NULL, NULL},
    {MALLOC ".entry k() { .reg .b64 d; mov.u64 d, malloc; }", "4:91: " NO_ADDRESS, "4:91: " NO_ADDRESS},
    {".extern .func cnpLaunchDeviceV2; .extern .func __cuda_syscall_a; .entry k() { call cnpLaunchDeviceV2; "
     "call __cuda_syscall_a; }",
     NULL, NULL},
    {".extern .global .u32 v;", "4:22: extern variable 'v' has no definition in this module; it gets one here", NULL},
    {".extern .global .u32 v; .visible .global .u32 v = 3;", NULL, NULL},
    {".extern .global .u32 v[];", "4:22: unresolved extern variable 'v': no definition in this module", NULL},
    {".extern .shared .u32 v[];", NULL, NULL},
    {".global .attribute(.unified(1, 2)) .u32 v;",
     "4:20: '.unified' is for separate compilation, but this is read as a whole program", NULL},
};

static void expect_first_message(const char *text, enum ptx_scope scope, const char *expected)
{
    char got[1024] = "";
    struct diag dg;

    diag_init(&dg, "t.ptx", text, strlen(text));
    const bool accepted = ptx_check_only("t.ptx", text, strlen(text), scope, &dg);

    if (dg.count != 0) {
        snprintf(got, sizeof got, "%u:%u: %s", dg.messages[0].loc.line, dg.messages[0].loc.column, dg.messages[0].text);
    }
    cr_expect_str_eq(got, expected != NULL ? expected : "", "%s: %s", text, got);
    cr_expect_eq(accepted, dg.errors == 0);
    diag_release(&dg);
}

Test(frontend, a_whole_program_leaves_nothing_to_others)
{
    for (size_t i = 0; i < sizeof externals / sizeof *externals; i++) {
        char text[1024];

        snprintf(text, sizeof text, ".version 9.0\n.target sm_90\n.address_size 64\n%s", externals[i].text);
        expect_first_message(text, PTX_WHOLE_PROGRAM, externals[i].whole);
        expect_first_message(text, PTX_RELOCATABLE, externals[i].part);
    }
}

Test(frontend, reports_every_unresolved_function)
{
    struct diag dg = check_text(".version 9.0\n.target sm_90\n.address_size 64\n"
                                ".extern .func f;\n.extern .func g;\n.entry k() {\ncall f;\ncall g;\ncall f;\n}\n");

    cr_assert_eq(dg.count, 4);
    cr_expect_eq(dg.messages[0].loc.line, 7);
    cr_expect_eq(dg.messages[1].loc.line, 4);
    cr_expect_str_eq(dg.messages[1].text,
                     "declared here; if this is a part of a program, name the others, too: 'ptxemu A.ptx B.ptx'");
    cr_expect_eq(dg.messages[2].loc.line, 8);
    diag_release(&dg);
}

Test(frontend, reports_several_mistakes_in_one_run)
{
    char text[4096];

    snprintf(text, sizeof text, "%s%s%s", prologue, "add.u32 %r1, %r2;\nadd.u32 %r1 %r2;\nmov.u32 %zz, 1;\nbra L;",
             epilogue);
    struct diag dg = check_text(text);

    cr_assert_eq(dg.errors, 4);
    cr_expect_eq(dg.messages[0].loc.line, 13);
    cr_expect_eq(dg.messages[1].loc.line, 14);
    cr_expect_eq(dg.messages[2].loc.line, 15);
    cr_expect_eq(dg.messages[3].loc.line, 16);
    diag_release(&dg);
}

Test(frontend, stops_after_twenty_errors)
{
    char text[8192];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", prologue);

    for (int i = 0; i < 50; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "mov.u32 %%zz%d, 1;\n", i);
    }
    snprintf(text + used, sizeof text - used, "%s", epilogue);
    struct diag dg = check_text(text);

    cr_assert_eq(dg.errors, 20);
    cr_expect_str_eq(dg.messages[dg.count - 1].text, "too many errors, stopping here");
    diag_release(&dg);
}

Test(frontend, notes_point_to_the_previous_declaration)
{
    struct diag dg = check_text(".version 8.0\n.target sm_80\n.global .u32 a;\n.global .f32 a;\n");

    cr_assert_eq(dg.count, 2);
    cr_expect_str_eq(dg.messages[0].text, "redefinition of 'a'");
    cr_expect_eq(dg.messages[1].level, DIAG_NOTE);
    cr_expect_eq(dg.messages[1].loc.line, 3);
    diag_release(&dg);
}

/* --- hostile text --------------------------------------------------------------------------- */
/* `before`, then `piece` many times, then `after`: refused or accepted, but never a crash and never slow. */
static bool survive(const char *before, const char *piece, size_t times, const char *after)
{
    size_t piece_len = strlen(piece), room = strlen(before) + piece_len * times + strlen(after) + 1, used;
    char *text = malloc(room);
    struct diag dg;

    cr_assert(text != NULL);
    used = (size_t)snprintf(text, room, "%s", before);
    for (size_t i = 0; i < times; i++) {
        memcpy(text + used, piece, piece_len);
        used += piece_len;
    }
    used += (size_t)snprintf(text + used, room - used, "%s", after);
    diag_init(&dg, "t.ptx", text, used);
    bool good = ptx_check_only("t.ptx", text, used, PTX_WHOLE_PROGRAM, &dg);

    diag_release(&dg);
    free(text);
    return good;
}

#define HEADER ".version 9.0\n.target sm_90\n.address_size 64\n"

Test(frontend, survives_deep_nesting)
{
    cr_expect_not(survive(HEADER ".entry k() {", "{", 200, ""));
    cr_expect_not(survive(HEADER ".entry k() {", "{", 100000, ""));
    cr_expect_not(survive(HEADER ".entry k() { .reg .b32 r; mov.b32 r, ", "(", 100000, "1; }"));
    cr_expect_not(survive(HEADER ".entry k() { .reg .b32 r; mov.b32 r, ", "- ", 100000, "1; }"));
    cr_expect_not(survive(HEADER ".global .b32 a[2] = ", "{", 100000, "1"));
    cr_expect_not(survive(HEADER ".entry k() { add", ".sat", 100000, ".s32 a, b, c; }"));
}

Test(frontend, survives_large_numbers)
{
    cr_expect(survive(HEADER ".entry k() { .reg .b32 r<4294967294>; mov.b32 r4294967293, r0; ret; }", "", 0, ""));
    cr_expect(survive(HEADER ".global .b8 a[2147483648]; .entry k() { ret; }", "", 0, ""));
    cr_expect_not(survive(HEADER ".global .b8 a[4294967296][4294967296][4294967296];", "", 0, ""));
    cr_expect_not(survive(HEADER ".global .b64 a[4294967296][4294967296] = {{1},{1}};", "", 0, ""));
    cr_expect_not(survive(HEADER ".global .u64 a = 99999999999999999999999;", "", 0, ""));
}

Test(frontend, survives_cut_off_text)
{
    cr_expect_not(survive("", "", 0, ""));
    cr_expect_not(survive(".version", "", 0, ""));
    cr_expect_not(survive(HEADER "/*", "*", 100000, ""));
    cr_expect_not(survive(HEADER ".file 1 \"", "a", 100000, ""));
    cr_expect_not(survive(HEADER ".entry k(.param .u32", "", 0, ""));
    cr_expect_not(survive(HEADER ".entry k() { L: ", "", 0, ""));
    cr_expect_not(survive(HEADER ".entry k() { call (", "", 0, ""));
}
