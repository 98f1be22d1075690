/*
 * What the front end hands on: a sink that writes down everything it is told, against the expected notes.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/ast.h"
#include "frontend/frontend.h"

struct notes {
    char text[4096];
    size_t used;
    struct ir_func *func;
};

__attribute__((format(printf, 2, 3))) static void note(struct notes *n, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    n->used += (size_t)vsnprintf(n->text + n->used, sizeof n->text - n->used, format, args);
    va_end(args);
}

static bool begin(void *context, struct ir_func *f)
{
    ((struct notes *)context)->func = f;
    note(context, "%s %s\n", f->is_entry ? "entry" : "func", f->name);
    return true;
}

static bool end(void *context, struct ir_func *f, uint32_t n_labels)
{
    note(context, "end %s, %u labels, %u registers\n", f->name, n_labels, f->regs.count);
    return true;
}

static bool label(void *context, uint32_t number, const char *name)
{
    note(context, "%s is %u\n", name, number);
    return true;
}

static void note_operand(struct notes *n, const struct ptx_operand *op)
{
    static const char *const kinds[] = {"none", "_", "r", "s", "#", "&", "f", "L", "T", "P", "[", "{", "|", "(", "["};

    note(n, " %s", kinds[op->kind]);
    if (op->kind == PTX_OPND_IMM) {
        note(n, "%llx", (unsigned long long)op->bits);
    } else if (op->kind == PTX_OPND_ADDRESS) {
        note(n, "%u:%u%+lld]", ir_ref_kind(op->ref), ir_ref_index(op->ref), (long long)op->offset);
    } else if (op->kind == PTX_OPND_SREG) {
        note(n, "%s", ir_sreg_info[ir_ref_index(op->ref)].name);
    } else if (op->count == 0 && op->kind != PTX_OPND_NONE && op->kind != PTX_OPND_SINK) {
        note(n, "%u%s", ir_ref_index(op->ref), op->negated ? "!" : "");
    }
    for (uint32_t i = 0; i < op->count; i++) {
        note_operand(n, &op->elements[i]);
    }
}

static bool instruction(void *context, const struct ptx_inst *inst, const struct ptx_match *match)
{
    struct notes *n = context;

    for (const char *c = ir_op_info[match->op].name; *c != '\0'; c++) {
        note(n, "%c", tolower((unsigned char)*c));
    }
    for (unsigned i = 0; i < match->n_types; i++) {
        note(n, ".%s", ir_type_info[match->types[i]].name);
    }
    if (inst->guard != IR_REF_NONE) {
        note(n, " @%s%u", inst->guard_not ? "!" : "", ir_ref_index(inst->guard));
    }
    for (uint32_t i = 0; i < inst->n_operands; i++) {
        note_operand(n, &inst->operands[i]);
    }
    note(n, "\n");
    return true;
}

#define HEADER ".version 9.0\n.target sm_90\n.address_size 64\n"

/* Parse and write down; the module, which the caller frees. */
static struct ir_module *listen(const char *text, struct notes *n)
{
    const struct ptx_sink sink = {n, begin, end, label, instruction};
    struct diag dg;

    *n = (struct notes){0};
    diag_init(&dg, "t.ptx", text, strlen(text));
    struct ir_module *m = ptx_parse_into("t.ptx", text, strlen(text), PTX_RELOCATABLE, &dg, &sink);

    cr_assert(m != NULL, "%u: %s", dg.count != 0 ? dg.messages[0].loc.line : 0,
              dg.count != 0 ? dg.messages[0].text : "");
    diag_release(&dg);
    return m;
}

static void expect_notes(const char *body, const char *expected)
{
    char text[4096];
    struct notes n;

    snprintf(text, sizeof text, HEADER "%s", body);
    ir_module_free(listen(text, &n));
    cr_expect_str_eq(n.text, expected);
}

Test(sink, registers_come_into_being_on_first_use)
{
    expect_notes(".entry k() { .reg .b32 %r<1000000>; .reg .f32 unused; add.u32 %r999999, %r5, 7; }",
                 "entry k\nadd.u32 r0 r1 #7\nend k, 0 labels, 2 registers\n");
}

Test(sink, labels_are_numbered_by_first_mention)
{
    expect_notes(".entry k() { .reg .pred p; A: @!p bra C; B: bra A; C: D: ret; }",
                 "entry k\nA is 0\nbra @!0 L1\nB is 2\nbra L0\nC is 1\nD is 3\nret\nend k, 4 labels, 1 registers\n");
}

Test(sink, a_block_hides_outer_names)
{
    expect_notes(
        ".entry k() { .reg .b32 a; mov.b32 a, 1; { .reg .f32 a; mov.f32 a, 1.0; bra L; } L: mov.b32 a, 2; }",
        "entry k\nmov.b32 r0 #1\nmov.f32 r1 #3f800000\nbra L0\nL is 0\nmov.b32 r0 #2\nend k, 1 labels, 2 registers\n");
}

Test(sink, sibling_blocks_have_labels_of_their_own)
{
    expect_notes(".entry k() { { bra D; D: } { bra D; D: } }",
                 "entry k\nbra L0\nD is 0\nbra L1\nD is 1\nend k, 2 labels, 0 registers\n");
}

Test(sink, constants_are_bits_of_the_operand_type)
{
    expect_notes(".entry k() { .reg .b16 h; .reg .b32 r; .reg .f32 f; .reg .f64 d; .reg .pred p;\n"
                 "mov.u16 h, -1; mov.u32 r, 0x123456789; mov.f32 f, 1.5; mov.f64 d, 0f3F800000; and.pred p, p, 4;\n"
                 "mov.b32 r, (1 << 4 | 3) + 7 % 4; }",
                 "entry k\nmov.u16 r0 #ffff\nmov.u32 r1 #23456789\nmov.f32 r2 #3fc00000\nmov.f64 r3 #3ff0000000000000\n"
                 "and.pred r4 r4 #1\nmov.b32 r1 #16\nend k, 0 labels, 5 registers\n");
}

Test(sink, vectors_are_taken_apart)
{
    expect_notes(".entry k() { .reg .v4 .f32 v; .reg .b64 a; .reg .f32 f; .reg .b32 r;\n"
                 "ld.global.v4.f32 v, [a+-16]; mov.f32 f, v.z; mov.v4.u32 {r, _, _, _}, %tid; }",
                 "entry k\nld.f32 { r0 r1 r2 r3 [1:4-16]\nmov.f32 r5 r2\n"
                 "mov_sreg.u32 { r6 _ _ _ { s%tid.x s%tid.y s%tid.z s%tid.w\nend k, 0 labels, 7 registers\n");
}

Test(sink, subscripts_count_elements)
{
    expect_notes(".global .v2 .u16 a[4]; .entry k() { .reg .b32 r; ld.global.u32 r, a[3]; ld.global.u32 r, [a+3]; }",
                 "entry k\nld.u32 r0 [3:0+12]\nld.u32 r0 [3:0+3]\nend k, 0 labels, 1 registers\n");
}

Test(sink, modifiers_may_stand_in_any_order)
{
    expect_notes(".entry k() { .reg .f32 f<4>; add.f32.sat.rz.ftz f1, f2, f3; }",
                 "entry k\nfadd.f32 r0 r1 r2\nend k, 0 labels, 3 registers\n");
}

Test(sink, operands_left_out_are_marked)
{
    expect_notes(".entry k() { .reg .pred p; .reg .b32 r; bar.sync 1; bar.red.popc.u32 r, 2, !p; }",
                 "entry k\nbar_sync #1 none\nbar_red_popc.u32 r0 #2 none r1!\nend k, 0 labels, 2 registers\n");
}

Test(sink, calls_have_one_form)
{
    expect_notes(".func f() { ret; } .func (.reg .b32 r) g(.reg .b32 a) { ret; }\n"
                 ".entry k() { .reg .b32 x; .reg .b64 t; P: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n"
                 "call f; call (x), g, (5); call (_), t, (x), P; }",
                 "func f\nret\nend f, 0 labels, 0 registers\nfunc g\nret\nend g, 0 labels, 2 registers\nentry k\n"
                 "call (0 f0 (0 none\ncall ( r0 f1 ( #5 none\ncall ( _ r1 ( r0 P0\nend k, 0 labels, 2 registers\n");
}

Test(sink, branch_tables_refer_to_label_numbers)
{
    char text[1024];
    struct notes n;

    snprintf(text, sizeof text,
             HEADER ".entry k() { .reg .b32 x; T: .branchtargets L<2>; brx.idx x, T; L0: ret; L1: ret; }");
    struct ir_module *m = listen(text, &n);

    cr_assert_eq(n.func->tables.count, 1);
    cr_expect_eq(n.func->tables.at[0].count, 2);
    cr_expect_eq(n.func->tables.at[0].refs[1], ir_ref_make(IR_REF_BLOCK, 1));
    cr_expect(strstr(n.text, "brx r0 T0\nL0 is 0\nret\nL1 is 1\n") != NULL, "%s", n.text);
    ir_module_free(m);
}

/* --- the module ----------------------------------------------------------------------------- */
Test(module, variables_and_initialisers)
{
    struct notes n;
    struct ir_module *m = listen(HEADER ".const .align 8 .u16 a[2][3] = {{1, 2}, {3}};\n"
                                        ".global .u64 p[] = {a+2, generic(a), 0, 5};\n"
                                        ".global .b8 big[2147483648];\n"
                                        ".extern .shared .align 16 .b8 dynamic[];\n",
                                 &n);
    const struct ir_symbol *a = &m->symbols.at[0], *p = &m->symbols.at[1], *big = &m->symbols.at[2],
                           *d = &m->symbols.at[3];
    static const uint8_t image[] = {1, 0, 2, 0, 0, 0, 3};

    cr_assert_eq(m->symbols.count, 4);
    cr_expect_eq(a->space, IR_SPACE_CONST);
    cr_expect_eq(a->align, 8);
    cr_expect_eq(a->size_bytes, 12);
    cr_assert_geq(a->init_bytes, sizeof image);
    cr_expect(memcmp(a->init, image, sizeof image) == 0);
    cr_expect_eq(p->size_bytes, 32);
    cr_assert_eq(p->n_relocs, 2);
    cr_expect_eq(p->relocs[0].addend, 2);
    cr_expect_not(p->relocs[0].generic);
    cr_expect(p->relocs[1].generic);
    cr_expect_eq(p->relocs[1].offset, 8);
    cr_expect_eq(p->init[24], 5);
    cr_expect_eq(big->size_bytes, 2147483648u);
    cr_expect_null(big->init);
    cr_expect(d->unsized);
    cr_expect_eq(d->linkage, IR_LINK_EXTERN);
    ir_module_free(m);
}

Test(module, kernels_and_their_limits)
{
    struct notes n;
    struct ir_module *m = listen(
        HEADER ".visible .entry k(.param .u8 a, .param .u64 .ptr .global .align 16 p, .param .align 8 .b8 s[12])\n"
               ".maxntid 128, 2 .minnctapersm 3 .maxnreg 40 { ret; }",
        &n);
    const struct ir_func *f = m->funcs.at[0];

    cr_expect_eq(m->ptx, 90);
    cr_expect_eq(m->sm, 90);
    cr_expect(f->is_entry && f->defined);
    cr_expect_eq(f->linkage, IR_LINK_VISIBLE);
    cr_assert_eq(f->n_params, 3);
    cr_expect_eq(f->params[1].offset, 8);
    cr_expect(f->params[1].is_pointer);
    cr_expect_eq(f->params[1].ptr_align, 16);
    cr_expect_eq(f->params[2].offset, 16);
    cr_expect_eq(f->params[2].size_bytes, 12);
    cr_expect_eq(f->maxntid[0], 128);
    cr_expect_eq(f->maxntid[1], 2);
    cr_expect_eq(f->maxntid[2], 1);
    cr_expect_eq(f->minnctapersm, 3);
    cr_expect_eq(f->maxnreg, 40);
    ir_module_free(m);
}

static struct ir_line last_line;
static bool keep_line(void *context, const struct ptx_inst *inst, const struct ptx_match *match)
{
    (void)context;
    (void)match;
    last_line = inst->line;
    return true;
}

Test(module, source_positions)
{
    const char *text = HEADER ".entry k()\n{\n  .loc 2 17 5\n  ret;\n}\n.file 2 \"a.cu\"\n";
    struct notes n = {0};
    const struct ptx_sink sink = {&n, begin, end, label, keep_line};
    struct diag dg;

    diag_init(&dg, "t.ptx", text, strlen(text));
    struct ir_module *m = ptx_parse_into("t.ptx", text, strlen(text), PTX_RELOCATABLE, &dg, &sink);

    cr_assert_not_null(m);
    cr_expect_eq(last_line.line, 7);
    cr_expect_eq(last_line.column, 3);
    cr_expect_eq(last_line.source_line, 17);
    cr_expect_eq(last_line.source_column, 5);
    cr_expect_str_eq(m->files.at[last_line.file].name, "a.cu");
    diag_release(&dg);
    ir_module_free(m);
}

Test(module, nothing_is_handed_on_after_an_error)
{
    const char *text = HEADER ".entry k() { .reg .b32 r; mov.b32 r, 1; mov.b32 r, q; mov.b32 r, 2; }";
    struct notes n = {0};
    const struct ptx_sink sink = {&n, begin, end, label, instruction};
    struct diag dg;

    diag_init(&dg, "t.ptx", text, strlen(text));
    cr_expect_null(ptx_parse_into("t.ptx", text, strlen(text), PTX_RELOCATABLE, &dg, &sink));
    cr_expect_str_eq(n.text, "entry k\nmov.b32 r0 #1\n");
    diag_release(&dg);
}
