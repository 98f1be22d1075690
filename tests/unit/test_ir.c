/*
 * The intermediate representation by itself: tables, building, printing, verification and layout of modules made by
 * hand.
 */
#include "ir/passes.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

static struct diag dg;

static struct ir_module *new_module(void)
{
    struct ir_module *m = ir_module_new("test.ptx");

    diag_init(&dg, "test.ptx", NULL, 0);
    m->ptx = 80;
    m->sm = 80;
    m->address_bits = 64;
    return m;
}

static struct ir_func *new_func(struct ir_module *m, const char *name, bool is_entry)
{
    struct ir_func *f = ir_func_new(m, name);

    f->is_entry = is_entry;
    f->defined = true;
    ir_block_start(f, ir_block_new(f, NULL));
    return f;
}

static struct ir_inst *emit(struct ir_func *f, enum ir_op op, enum ir_type type, ir_ref d, ir_ref a, ir_ref b)
{
    struct ir_inst in = {.op = op, .type = type, .mods = {.vec = 1}};
    ir_ref srcs[] = {a, b};
    unsigned n_src = a == IR_REF_NONE ? 0 : b == IR_REF_NONE ? 1 : 2;

    return ir_append(f, &in, &d, d != IR_REF_NONE, srcs, n_src);
}

static ir_ref new_symbol(struct ir_module *m, const char *name, enum ir_space space, int32_t func, uint64_t size,
                         uint32_t align)
{
    struct ir_symbol s = {
        .name = name, .space = space, .type = IR_B8, .vec = 1, .align = align, .size_bytes = size, .func = func};

    cr_assert(vec_push(&m->symbols, s));
    return ir_ref_make(IR_REF_SYMBOL, m->symbols.count - 1);
}

/* A use of `symbol` in `f`. */
static void mention(struct ir_func *f, ir_ref symbol)
{
    struct ir_inst in = {.op = IR_LEA, .type = IR_U64, .mods = {.vec = 1}};
    ir_ref d = ir_reg_new(f, IR_B64, NULL, UINT32_MAX);
    ir_ref srcs[] = {symbol, ir_const(f, 0)};

    ir_append(f, &in, &d, 1, srcs, 2);
}

static void call(struct ir_func *f, ir_ref target)
{
    struct ir_inst in = {.op = IR_CALL, .mods = {.vec = 1}};

    ir_append(f, &in, NULL, 0, &target, 1);
}

static ir_ref func_ref(const struct ir_func *f)
{
    return ir_ref_make(IR_REF_FUNC, f->index);
}

/* --- tables ----------------------------------------------------------------------------------- */
Test(ir, every_operation_has_a_name_types_and_letters_known_to_the_verifier)
{
    for (unsigned op = 0; op < IR_OP_COUNT; op++) {
        const struct ir_op_info *info = &ir_op_info[op];

        cr_assert_not_null(info->name);
        cr_assert_neq(info->types, 0, "%s has no type", info->name);
        cr_assert_lt(info->shape, IR_SHAPE_COUNT);
        cr_assert_eq(strspn(ir_shape_info[info->shape].dsts, "TUWVPQDX*"), strlen(ir_shape_info[info->shape].dsts));
        cr_assert_eq(strspn(ir_shape_info[info->shape].srcs, "TSWUPVMOQLGFABCXH*"),
                     strlen(ir_shape_info[info->shape].srcs));
    }
}

Test(ir, type_sets_become_masks)
{
    cr_assert(ir_op_info[IR_ADD].types & ir_type_bit(IR_U16X2));
    cr_assert_not(ir_op_info[IR_ADD].types & ir_type_bit(IR_F32));
    cr_assert_eq(ir_op_info[IR_ADD_SAT].types, ir_type_bit(IR_S32));
    cr_assert_eq(ir_op_info[IR_LD].types, UINT64_MAX);
}

Test(ir, sizes_and_wide_types)
{
    cr_assert_eq(ir_type_bytes(IR_PRED), 1);
    cr_assert_eq(ir_type_bytes(IR_S16), 2);
    cr_assert_eq(ir_type_bytes(IR_B128), 16);
    cr_assert_eq(ir_type_wide(IR_S32), IR_S64);
    cr_assert_eq(ir_type_wide(IR_U16), IR_U32);
    cr_assert_eq(ir_type_wide(IR_PRED), IR_TYPE_NONE);
}

/* --- building --------------------------------------------------------------------------------- */
Test(ir, equal_constants_share_a_reference)
{
    struct ir_module *m = new_module();
    struct ir_func *f = new_func(m, "k", true);
    ir_ref seven = ir_const(f, 7);

    for (uint64_t i = 0; i < 1000; i++) {
        cr_assert_eq(ir_const_bits(f, ir_const(f, i * i)), i * i);
    }
    cr_assert_eq(ir_const(f, 7), seven);
    cr_assert_eq(f->consts.count, 1001);
    ir_module_free(m);
}

Test(ir, instructions_keep_more_sources_than_a_byte_counts)
{
    struct ir_module *m = new_module();
    struct ir_func *f = new_func(m, "k", true);
    struct ir_inst in = {.op = IR_REFUSED, .mods = {.vec = 1}};
    ir_ref srcs[300];

    for (unsigned i = 0; i < 300; i++) {
        srcs[i] = ir_const(f, i);
    }
    const struct ir_inst *big = ir_append(f, &in, NULL, 0, srcs, 300);

    cr_assert_eq(ir_n_srcs(big), 300);
    cr_assert_eq(ir_const_bits(f, ir_srcs(f, big)[299]), 299);
    ir_module_free(m);
}

/* --- printing --------------------------------------------------------------------------------- */
static void expect_inst(struct ir_func *f, const struct ir_inst *in, const char *text)
{
    char buffer[200];

    ir_format_inst(f, in, buffer, sizeof buffer);
    cr_assert_str_eq(buffer, text);
}

Test(ir, instructions_print_as_ptx_would_name_them)
{
    struct ir_module *m = new_module();
    struct ir_func *f = new_func(m, "k", true);
    ir_ref r1 = ir_reg_new(f, IR_B32, "%r", 1), r2 = ir_reg_new(f, IR_B32, "%r", 2);
    ir_ref p = ir_reg_new(f, IR_PRED, "p", UINT32_MAX), t = ir_reg_new(f, IR_F32, NULL, UINT32_MAX);

    expect_inst(f, emit(f, IR_ADD, IR_S32, r1, r2, ir_const(f, 0xFFFFFFFF)), "%r1 = add.s32 %r2, -1");
    expect_inst(f, emit(f, IR_ADD, IR_U32, r1, r2, ir_const(f, 0xFFFFFFFF)), "%r1 = add.u32 %r2, 0xFFFFFFFF");
    expect_inst(f, emit(f, IR_FADD, IR_F32, t, t, ir_const(f, 0x3F800000)), "%t3 = fadd.f32 %t3, 0f3F800000");

    struct ir_inst *in = emit(f, IR_SETP, IR_S32, p, r1, r2);

    in->mods.cmp = IR_CMP_GE;
    in->guard = p;
    in->guard_not = 1;
    expect_inst(f, in, "@!p p = setp.ge.s32 %r1, %r2");
    ir_module_free(m);
}

Test(ir, addresses_and_vectors_print_in_brackets_and_braces)
{
    struct ir_module *m = new_module();
    struct ir_func *f = new_func(m, "k", true);
    ir_ref a = ir_reg_new(f, IR_B64, "%rd", 1), r1 = ir_reg_new(f, IR_B32, "%r", 1);
    struct ir_inst in = {.op = IR_LD, .type = IR_U32, .mods = {.vec = 2, .space = IR_SPACE_GLOBAL}};
    ir_ref dsts[] = {r1, IR_REF_NONE}, srcs[] = {a, ir_const(f, (uint64_t)-8)};

    expect_inst(f, ir_append(f, &in, dsts, 2, srcs, 2), "{%r1, _} = ld.global.v2.u32 [%rd1-8]");
    ir_module_free(m);
}

Test(ir, a_text_that_does_not_fit_is_cut)
{
    struct ir_module *m = new_module();
    struct ir_func *f = new_func(m, "k", true);
    ir_ref r = ir_reg_new(f, IR_B32, "%r", 1);
    const struct ir_inst *in = emit(f, IR_ADD, IR_U32, r, r, r);
    char buffer[8] = "xxxxxxx";

    ir_format_inst(f, in, buffer, sizeof buffer);
    cr_assert_str_eq(buffer, "%r1 = a");
    ir_format_inst(f, in, buffer, 0);
    ir_module_free(m);
}

/* --- verification ----------------------------------------------------------------------------- */
static void expect_invalid(struct ir_module *m, const char *text)
{
    cr_assert_not(ir_verify(m, &dg));
    cr_assert_geq(dg.count, 1);
    cr_assert_not_null(strstr(dg.messages[0].text, text), "'%s' does not say '%s'", dg.messages[0].text, text);
    diag_release(&dg);
    ir_module_free(m);
}

Test(ir, a_valid_function_verifies)
{
    struct ir_module *m = new_module();
    struct ir_func *f = new_func(m, "k", true);
    ir_ref r = ir_reg_new(f, IR_B32, "%r", 1);

    emit(f, IR_ADD, IR_U32, r, r, ir_const(f, 1));
    emit(f, IR_EXIT, IR_TYPE_NONE, IR_REF_NONE, IR_REF_NONE, IR_REF_NONE);
    cr_assert(ir_verify(m, &dg));
    cr_assert_eq(dg.errors, 0);
    ir_module_free(m);
}

Test(ir, width_of_a_register_is_checked)
{
    struct ir_module *m = new_module();
    struct ir_func *f = new_func(m, "k", true);
    ir_ref r = ir_reg_new(f, IR_B32, "%r", 1), rd = ir_reg_new(f, IR_B64, "%rd", 1);

    emit(f, IR_ADD, IR_U32, r, rd, ir_const(f, 1));
    emit(f, IR_EXIT, IR_TYPE_NONE, IR_REF_NONE, IR_REF_NONE, IR_REF_NONE);
    expect_invalid(m, "register of 64 bits for a value of 32");
}

Test(ir, type_of_an_operation_is_checked)
{
    struct ir_module *m = new_module();
    struct ir_func *f = new_func(m, "k", true);
    ir_ref r = ir_reg_new(f, IR_F32, "%f", 1);

    emit(f, IR_ADD, IR_F32, r, r, r);
    emit(f, IR_EXIT, IR_TYPE_NONE, IR_REF_NONE, IR_REF_NONE, IR_REF_NONE);
    expect_invalid(m, "has no .f32 form");
}

Test(ir, missing_operand_is_checked)
{
    struct ir_module *m = new_module();
    struct ir_func *f = new_func(m, "k", true);
    ir_ref r = ir_reg_new(f, IR_B32, "%r", 1);

    emit(f, IR_ADD, IR_U32, r, r, IR_REF_NONE);
    emit(f, IR_EXIT, IR_TYPE_NONE, IR_REF_NONE, IR_REF_NONE, IR_REF_NONE);
    expect_invalid(m, "are missing");
}

Test(ir, guard_must_be_a_predicate)
{
    struct ir_module *m = new_module();
    struct ir_func *f = new_func(m, "k", true);
    ir_ref r = ir_reg_new(f, IR_B32, "%r", 1);

    emit(f, IR_ADD, IR_U32, r, r, r)->guard = r;
    emit(f, IR_EXIT, IR_TYPE_NONE, IR_REF_NONE, IR_REF_NONE, IR_REF_NONE);
    expect_invalid(m, "the guard is not a predicate register");
}

Test(ir, control_must_not_run_off)
{
    struct ir_module *m = new_module();
    struct ir_func *f = new_func(m, "k", true);
    ir_ref r = ir_reg_new(f, IR_B32, "%r", 1);

    emit(f, IR_ADD, IR_U32, r, r, r);
    expect_invalid(m, "control runs off the end");
}

Test(ir, operand_index_out_of_range_is_checked)
{
    struct ir_module *m = new_module();
    struct ir_func *f = new_func(m, "k", true);
    ir_ref r = ir_reg_new(f, IR_B32, "%r", 1);

    emit(f, IR_ADD, IR_U32, r, r, ir_ref_make(IR_REF_REG, 5));
    emit(f, IR_EXIT, IR_TYPE_NONE, IR_REF_NONE, IR_REF_NONE, IR_REF_NONE);
    expect_invalid(m, "operand 2 out of range");
}

/* --- layout ------------------------------------------------------------------------------------------------ */
static uint64_t offset_of(const struct ir_module *m, ir_ref symbol)
{
    return m->symbols.at[ir_ref_index(symbol)].offset;
}

Test(ir, parameters_lie_at_their_alignment)
{
    struct ir_module *m = new_module();
    struct ir_func *f = new_func(m, "k", true);
    ir_ref a = new_symbol(m, "a", IR_SPACE_PARAM, 0, 4, 4), b = new_symbol(m, "b", IR_SPACE_PARAM, 0, 8, 8);
    ir_ref c = new_symbol(m, "c", IR_SPACE_PARAM, 0, 1, 1), local = new_symbol(m, "x", IR_SPACE_PARAM, 0, 4, 4);
    struct ir_param params[] = {{.name = "a", .size_bytes = 4, .align = 4, .ref = a},
                                {.name = "b", .size_bytes = 8, .align = 8, .ref = b},
                                {.name = "c", .size_bytes = 1, .align = 1, .ref = c}};

    m->symbols.at[0].kernel_param = m->symbols.at[1].kernel_param = m->symbols.at[2].kernel_param = true;
    f->params = params;
    f->n_params = 3;
    cr_assert(ir_layout(m, &dg));
    cr_assert_eq(offset_of(m, a), 0);
    cr_assert_eq(offset_of(m, b), 8);
    cr_assert_eq(params[2].offset, 16);
    cr_assert_eq(f->param_bytes, 17);
    cr_assert_eq(offset_of(m, local), 0, "a variable for a call lies in the frame");
    cr_assert_eq(f->frame_bytes, 4);
    ir_module_free(m);
}

Test(ir, shared_memory_of_an_entry_includes_what_it_calls)
{
    struct ir_module *m = new_module();
    struct ir_func *leaf = new_func(m, "leaf", false), *mid = new_func(m, "mid", false);
    struct ir_func *k = new_func(m, "k", true), *other = new_func(m, "other", true);
    ir_ref s = new_symbol(m, "s", IR_SPACE_SHARED, -1, 100, 4), own = new_symbol(m, "own", IR_SPACE_SHARED, 2, 8, 16);
    ir_ref dyn = new_symbol(m, "dyn", IR_SPACE_SHARED, -1, 0, 64),
           unused = new_symbol(m, "u", IR_SPACE_SHARED, -1, 9, 1);

    m->symbols.at[ir_ref_index(dyn)].unsized = true;
    mention(leaf, s);
    mention(leaf, dyn);
    call(mid, func_ref(leaf));
    call(k, func_ref(mid));
    mention(k, own);
    (void)unused;
    cr_assert(ir_layout(m, &dg));
    cr_assert_eq(offset_of(m, s), 0);
    cr_assert_eq(offset_of(m, own), 112);
    cr_assert_eq(k->shared_bytes, 120);
    cr_assert(k->uses_dynamic_shared);
    cr_assert_eq(k->dynamic_shared_at, 128);
    cr_assert_eq(other->shared_bytes, 0);
    cr_assert_not(other->uses_dynamic_shared);
    ir_module_free(m);
}

Test(ir, a_shared_symbol_has_one_place_for_all_entries_that_reach_it)
{
    struct ir_module *m = new_module();
    struct ir_func *a = new_func(m, "a", true), *b = new_func(m, "b", true);
    ir_ref own = new_symbol(m, "own", IR_SPACE_SHARED, 0, 64, 4),
           both = new_symbol(m, "both", IR_SPACE_SHARED, -1, 16, 4);

    mention(a, own);
    mention(a, both);
    mention(b, both);
    cr_assert(ir_layout(m, &dg));
    cr_assert_eq(offset_of(m, both), 0);
    cr_assert_eq(offset_of(m, own), 16);
    cr_assert_eq(a->shared_bytes, 80);
    cr_assert_eq(b->shared_bytes, 16);
    ir_module_free(m);
}

Test(ir, a_call_through_a_register_reaches_functions_whose_address_is_taken)
{
    struct ir_module *m = new_module();
    struct ir_func *taken = new_func(m, "taken", false), *plain = new_func(m, "plain", false);
    struct ir_func *k = new_func(m, "k", true);
    ir_ref s = new_symbol(m, "s", IR_SPACE_SHARED, 0, 32, 4), t = new_symbol(m, "t", IR_SPACE_SHARED, 1, 32, 4);

    mention(taken, s);
    mention(plain, t);
    mention(k, func_ref(taken));
    call(k, ir_reg_new(k, IR_B64, "%rd", 1));
    cr_assert(ir_layout(m, &dg));
    cr_assert_eq(k->shared_bytes, 32);
    cr_assert(k->recursive);
    cr_assert_not(taken->recursive);
    ir_module_free(m);
}

Test(ir, recursion_is_found_and_callers_of_it_are_not_recursive)
{
    struct ir_module *m = new_module();
    struct ir_func *a = new_func(m, "a", false), *b = new_func(m, "b", false), *self = new_func(m, "self", false);
    struct ir_func *leaf = new_func(m, "leaf", false), *k = new_func(m, "k", true);

    call(a, func_ref(b));
    call(b, func_ref(a));
    call(b, func_ref(leaf));
    call(self, func_ref(self));
    call(k, func_ref(a));
    call(k, func_ref(self));
    cr_assert(ir_layout(m, &dg));
    cr_assert(a->recursive && b->recursive && self->recursive);
    cr_assert_not(leaf->recursive);
    cr_assert_not(k->recursive);
    ir_module_free(m);
}

Test(ir, what_does_not_fit_is_reported)
{
    struct ir_module *m = new_module();
    struct ir_func *k = new_func(m, "k", true);

    mention(k, new_symbol(m, "huge", IR_SPACE_SHARED, -1, UINT64_MAX - 3, 4));
    new_symbol(m, "frame", IR_SPACE_LOCAL, 0, UINT64_MAX - 3, 8);
    cr_assert_not(ir_layout(m, &dg));
    cr_assert_eq(dg.errors, 2);
    cr_assert_str_eq(dg.messages[0].text, "'frame' does not fit into local memory");
    cr_assert_str_eq(dg.messages[1].text, "'huge' does not fit into shared memory");
    diag_release(&dg);
    ir_module_free(m);
}

/* --- diagnostics ------------------------------------------------------------------------------ */
Test(ir, a_diagnostic_shows_its_line_and_a_caret)
{
    static const char text[] = "first\n\tadd.u32 %r1;\nlast";
    struct diag d;

    diag_init(&d, "a.ptx", text, sizeof text - 1);
    diag_error(&d, (struct diag_loc){.line = 2, .column = 2, .length = 7}, "no '%s'", "add");
    char *shown = diag_format(&d.messages[0], false);

    cr_assert_str_eq(shown, "a.ptx:2:2: error: no 'add'\n        add.u32 %r1;\n        ^~~~~~~\n");
    free(shown);
    diag_release(&d);
}

Test(ir, a_diagnostic_beyond_the_text_has_no_caret)
{
    struct diag d;

    diag_init(&d, "a.ptx", "x", 1);
    diag_warning(&d, (struct diag_loc){.line = 9, .column = 1}, "w");
    diag_note(&d, (struct diag_loc){0}, "n");
    char *shown = diag_format(&d.messages[0], false), *note = diag_format(&d.messages[1], false);

    cr_assert_str_eq(shown, "a.ptx:9:1: warning: w\n");
    cr_assert_str_eq(note, "a.ptx: note: n\n");
    free(shown);
    free(note);
    diag_release(&d);
}
