/*
 * Lowering by itself: statements made by hand go through the sink, the printed instructions come out.  What a whole
 * program becomes is in tests/golden/ir; here are the cases where order, guards and blocks matter.
 */
#include "frontend/lower.h"
#include "ir/forms.h"
#include "ir/passes.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

/* One function under construction. */
struct bench {
    struct ir_module *m;
    struct ir_func *f;
    struct ptx_lower *l;
    struct ptx_sink sink;
    struct ptx_inst inst;
    struct ptx_match match;
};

static void begin(struct bench *b)
{
    memset(b, 0, sizeof *b);
    b->m = ir_module_new("test.ptx");
    b->m->address_bits = 64;
    b->f = ir_func_new(b->m, "k");
    b->f->is_entry = true;
    b->l = ptx_lower_new();
    b->sink = ptx_lower_sink(b->l);
    cr_assert(b->sink.function_begin(b->sink.context, b->f));
}

static struct ptx_operand reg(struct bench *b, enum ir_type type, const char *name)
{
    return (struct ptx_operand){.kind = PTX_OPND_REG, .type = type, .ref = ir_reg_new(b->f, type, name, UINT32_MAX)};
}

static struct ptx_operand imm(uint64_t bits)
{
    return (struct ptx_operand){.kind = PTX_OPND_IMM, .bits = bits};
}

static struct ptx_operand label(uint32_t number)
{
    return (struct ptx_operand){.kind = PTX_OPND_LABEL, .ref = ir_ref_make(IR_REF_BLOCK, number)};
}

/* A form of the operation, so that the mnemonic can be looked at. */
static uint16_t form_of(enum ir_op op, const char *mnemonic)
{
    for (unsigned i = 0; i < ir_form_count; i++) {
        if (ir_form_info[i].op == op && (mnemonic == NULL || strcmp(ir_form_info[i].mnemonic, mnemonic) == 0)) {
            return (uint16_t)i;
        }
    }
    cr_assert(false, "no form of operation %d", op);
    return 0;
}

static void state(struct bench *b, enum ir_op op, enum ir_type type, enum ir_type type2)
{
    b->match = (struct ptx_match){.op = op, .form = form_of(op, NULL), .types = {type, type2}, .mods = {.vec = 1}};
    b->match.n_types = (type != IR_TYPE_NONE) + (type2 != IR_TYPE_NONE);
    b->inst = (struct ptx_inst){.line = {.line = 1, .column = 1}};
}

static void operand(struct bench *b, struct ptx_operand o)
{
    b->inst.operands[b->inst.n_operands++] = o;
}

static void lower(struct bench *b)
{
    cr_assert(b->sink.instruction(b->sink.context, &b->inst, &b->match));
}

/* The function's instructions, one a line, as printed; blocks are named. */
static void expect(struct bench *b, uint32_t n_labels, const char *want)
{
    char *text = NULL;
    size_t size = 0;
    struct diag dg;

    cr_assert(b->sink.function_end(b->sink.context, b->f, n_labels));
    diag_init(&dg, "test.ptx", NULL, 0);
    bool valid = ir_verify(b->m, &dg);

    cr_assert(valid, "%s", dg.count == 0 ? "" : dg.messages[0].text);
    FILE *out = open_memstream(&text, &size);

    ir_print_func(b->f, out);
    fclose(out);
    const char *body = strchr(text, '\n') + 1;

    cr_assert_str_eq(body, want);
    free(text);
    diag_release(&dg);
    ptx_lower_free(b->l);
    ir_module_free(b->m);
}

Test(ir_lower, a_body_without_a_jump_returns)
{
    struct bench b;

    begin(&b);
    expect(&b, 0, "b0:\n    ret\n}\n");
}

Test(ir_lower, operands_follow_the_shape)
{
    struct bench b;

    begin(&b);
    state(&b, IR_ADD, IR_S32, IR_TYPE_NONE);
    operand(&b, reg(&b, IR_B32, "d"));
    operand(&b, reg(&b, IR_B32, "a"));
    operand(&b, imm((uint32_t)-4));
    lower(&b);
    expect(&b, 0, "b0:\n    d = add.s32 a, -4\n    ret\n}\n");
}

Test(ir_lower, labels_that_stand_together_share_a_block)
{
    struct bench b;

    begin(&b);
    cr_assert(b.sink.label(b.sink.context, 0, "top"));
    state(&b, IR_BRA, IR_TYPE_NONE, IR_TYPE_NONE);
    operand(&b, label(2));
    b.inst.guard = reg(&b, IR_PRED, "p").ref;
    lower(&b);
    state(&b, IR_BRA, IR_TYPE_NONE, IR_TYPE_NONE);
    operand(&b, label(0));
    lower(&b);
    cr_assert(b.sink.label(b.sink.context, 1, "one"));
    cr_assert(b.sink.label(b.sink.context, 2, "two"));
    expect(&b, 3, "top:\n    @p bra one\nb1:\n    bra top\none:\n    ret\n}\n");
}

Test(ir_lower, the_guard_of_setp_may_be_its_result)
{
    struct bench b;

    begin(&b);
    struct ptx_operand p = reg(&b, IR_PRED, "p"), q = reg(&b, IR_PRED, "q"), pair[] = {p, q};

    state(&b, IR_SETP, IR_U32, IR_TYPE_NONE);
    b.match.boolop = PTX_BOOL_AND;
    b.match.mods.cmp = IR_CMP_LT;
    b.inst.guard = q.ref;
    operand(&b, (struct ptx_operand){.kind = PTX_OPND_PAIR, .count = 2, .elements = pair});
    operand(&b, reg(&b, IR_B32, "a"));
    operand(&b, imm(5));
    p.negated = true;
    operand(&b, p);
    lower(&b);
    expect(&b, 0,
           "b0:\n"
           "    %t4 = not.pred p\n"
           "    %t3 = setp.lt.u32 a, 5\n"
           "    %t5 = not.pred %t3\n"
           "    %t6 = and.pred %t5, %t4\n"
           "    %t7 = and.pred %t3, %t4\n"
           "    @q p = mov.pred %t7\n"
           "    @q q = mov.pred %t6\n"
           "    ret\n}\n");
}

Test(ir_lower, a_wide_register_receives_a_conversion_in_two_steps)
{
    struct bench b;

    begin(&b);
    state(&b, IR_CVT, IR_S8, IR_S64);
    operand(&b, reg(&b, IR_B64, "d"));
    operand(&b, reg(&b, IR_B64, "a"));
    b.inst.guard = reg(&b, IR_PRED, "p").ref;
    b.inst.guard_not = true;
    lower(&b);
    expect(&b, 0, "b0:\n    %t3 = cvt.s8.s64 a\n    @!p d = cvt.s64.s8 %t3\n    ret\n}\n");
}

Test(ir_lower, a_vector_move_reads_before_it_writes)
{
    struct bench b;

    begin(&b);
    struct ptx_operand x = reg(&b, IR_B32, "x"), y = reg(&b, IR_B32, "y"), to[] = {x, y}, from[] = {y, x};

    state(&b, IR_MOV, IR_U32, IR_TYPE_NONE);
    operand(&b, (struct ptx_operand){.kind = PTX_OPND_VECTOR, .count = 2, .elements = to});
    operand(&b, (struct ptx_operand){.kind = PTX_OPND_VECTOR, .count = 2, .elements = from});
    lower(&b);
    expect(&b, 0,
           "b0:\n    %t2 = mov.u32 y\n    %t3 = mov.u32 x\n    x = mov.u32 %t2\n    y = mov.u32 %t3\n    ret\n}\n");
}

Test(ir_lower, the_carry_is_one_predicate_of_the_function)
{
    struct bench b;

    begin(&b);
    struct ptx_operand r = reg(&b, IR_B32, "r");

    for (unsigned i = 0; i < 2; i++) {
        state(&b, i == 0 ? IR_ADD_CC : IR_ADDC_CC, IR_U32, IR_TYPE_NONE);
        for (unsigned k = 0; k < 3; k++) {
            operand(&b, r);
        }
        lower(&b);
    }
    expect(&b, 0, "b0:\n    r, %cc = add_cc.u32 r, r\n    r, %cc = addc_cc.u32 r, r, %cc\n    ret\n}\n");
}

Test(ir_lower, set_of_a_packed_type_gives_one_value_per_half)
{
    struct bench b;

    begin(&b);
    struct ptx_operand r = reg(&b, IR_B32, "r");

    state(&b, IR_SETP, IR_F16X2, IR_F16X2);
    b.match.mods.cmp = IR_CMP_GT;
    for (unsigned k = 0; k < 3; k++) {
        operand(&b, r);
    }
    lower(&b);
    expect(&b, 0,
           "b0:\n"
           "    %t1, %t2 = setp2.gt.f16x2 r, r\n"
           "    %t3 = selp.b16 15360, 0, %t1\n"
           "    %t4 = selp.b16 15360, 0, %t2\n"
           "    r = pack.v2.b32.b16 %t3, %t4\n"
           "    ret\n}\n");
}

Test(ir_lower, a_call_may_have_many_arguments)
{
    struct bench b;
    enum { MANY = 300 };
    struct ptx_operand *args = calloc(MANY, sizeof *args);

    begin(&b);
    struct ir_func *callee = ir_func_new(b.m, "callee");

    for (unsigned i = 0; i < MANY; i++) {
        args[i] = imm(i);
    }
    state(&b, IR_CALL, IR_TYPE_NONE, IR_TYPE_NONE);
    operand(&b, (struct ptx_operand){.kind = PTX_OPND_LIST});
    operand(&b, (struct ptx_operand){.kind = PTX_OPND_FUNC, .ref = ir_ref_make(IR_REF_FUNC, callee->index)});
    operand(&b, (struct ptx_operand){.kind = PTX_OPND_LIST, .count = MANY, .elements = args});
    operand(&b, (struct ptx_operand){.kind = PTX_OPND_NONE});
    lower(&b);
    cr_assert_eq(ir_n_srcs(&b.f->insts.at[0]), MANY + 1);
    ptx_lower_free(b.l);
    ir_module_free(b.m);
    free(args);
}
