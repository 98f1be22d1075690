/*
 * Address fusion: PTX in, the fused function as text out.  Every case ends in an access through %rd9; what stands
 * before it decides whether the access gets an index.  Wrong fusions would compute another address, so most cases must
 * not fuse.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/frontend.h"
#include "ir/passes.h"

/* %rd1 is uniform, %r1 varies, %p1 varies. */
static const char head[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry k(.param .u64 a, .param .u32 n) {\n"
                           ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<10>; .reg .b64 %rd<20>;\n"
                           "ld.param.u64 %rd1, [a];\nld.param.u32 %r9, [n];\nmov.u32 %r1, %tid.x;\n"
                           "setp.lt.u32 %p1, %r1, 7;\n";
static const char tail[] = "\nret; }\n";

struct fused {
    char *text;
    size_t size;
};

/* The function after ir_fuse, verified. */
static struct fused fuse(const char *body)
{
    char text[2048];
    struct fused out = {0};
    struct diag dg;

    snprintf(text, sizeof text, "%s%s%s", head, body, tail);
    diag_init(&dg, "t.ptx", text, strlen(text));
    struct ir_module *m = ptx_parse("t.ptx", text, strlen(text), PTX_WHOLE_PROGRAM, &dg);

    cr_assert_not_null(m, "%s: %s", body, dg.count != 0 ? dg.messages[0].text : "no message");
    struct ir_func *f = m->funcs.at[0];
    struct ir_cfg *cfg = ir_cfg_new(f);
    struct ir_live *live = ir_live_new(f, cfg);
    struct ir_uniform *uniform = ir_uniform_new(f, cfg, live);

    cr_assert(ir_fuse(f, uniform));
    cr_expect(ir_verify_func(f, &dg), "%s: %s", body, dg.count != 0 ? dg.messages[0].text : "no message");
    FILE *memory = open_memstream(&out.text, &out.size);

    ir_print_func(f, memory);
    fclose(memory);
    ir_uniform_free(uniform);
    ir_live_free(live);
    ir_cfg_free(cfg);
    diag_release(&dg);
    ir_module_free(m);
    return out;
}

static void expect_in(const char *body, const char *line)
{
    struct fused out = fuse(body);

    cr_expect(strstr(out.text, line) != NULL, "'%s' lacks '%s':\n%s", body, line, out.text);
    free(out.text);
}

static void expect_not_in(const char *body, const char *words)
{
    struct fused out = fuse(body);

    cr_expect(strstr(out.text, words) == NULL, "'%s' has '%s':\n%s", body, words, out.text);
    free(out.text);
}

/* --- what fuses ----------------------------------------------------------------------------- */
#define PRODUCT "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd9, %rd1, %rd2;\n"

Test(fuse, every_way_to_write_an_element_address)
{
    static const struct {
        const char *body, *address;
    } cases[] = {
        {PRODUCT "ld.global.f32 %r2, [%rd9+8];", "ld.global.f32 [%rd1+8 + u32 %r1 * 4]"},
        {PRODUCT "ld.f32 %r2, [%rd9];", "[%rd1 + u32 %r1 * 4]"},
        {PRODUCT "st.global.u32 [%rd9], %r1;", "[%rd1 + u32 %r1 * 4], %r1"},
        {PRODUCT "ld.global.v2.u32 {%r2, %r3}, [%rd9];", "{%r2, %r3} = "},
        {PRODUCT "ld.global.v2.u32 {%r2, %r3}, [%rd9];", "[%rd1 + u32 %r1 * 4]"},
        {PRODUCT "@%p1 st.global.u32 [%rd9], %r1;", "[%rd1 + u32 %r1 * 4], %r1"},
        {"mul.wide.s32 %rd2, %r1, 8; add.s64 %rd9, %rd2, %rd1; ld.global.u64 %rd3, [%rd9];", "[%rd1 + s32 %r1 * 8]"},
        {"mul.wide.s32 %rd2, %r1, 255; add.s64 %rd9, %rd1, %rd2; ld.global.u8 %h1, [%rd9];", "[%rd1 + s32 %r1 * 255]"},
        {"cvt.u64.u32 %rd2, %r1; add.u64 %rd9, %rd1, %rd2; ld.global.u8 %h1, [%rd9];", "[%rd1 + u32 %r1 * 1]"},
        {"cvt.s64.s32 %rd2, %r1; shl.b64 %rd3, %rd2, 3; add.s64 %rd9, %rd1, %rd3; ld.global.u64 %rd4, [%rd9];",
         "[%rd1 + s32 %r1 * 8]"},
        {"cvt.u64.u32 %rd2, %r1; shl.b64 %rd3, %rd2, 7; add.s64 %rd9, %rd1, %rd3; ld.global.u64 %rd4, [%rd9];",
         "[%rd1 + u32 %r1 * 128]"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_in(cases[i].body, cases[i].address);
    }
}

Test(fuse, arithmetic_that_nothing_reads_goes_away)
{
    expect_not_in(PRODUCT "ld.global.u32 %r2, [%rd9];", "mul_wide");
    expect_not_in(PRODUCT "ld.global.u32 %r2, [%rd9];", "add");
}

Test(fuse, arithmetic_that_something_else_reads_stays)
{
    expect_in(PRODUCT "ld.global.u32 %r2, [%rd9]; st.global.u64 [%rd1], %rd9;", "[%rd1 + u32 %r1 * 4]");
    expect_in(PRODUCT "ld.global.u32 %r2, [%rd9]; st.global.u64 [%rd1], %rd9;", "%rd9 = add.s64 %rd1, %rd2");
    expect_in(PRODUCT "ld.global.u32 %r2, [%rd9]; st.global.u64 [%rd1], %rd9;", "%rd2 = mul_wide.u32 %r1, 4");
    expect_in(PRODUCT "ld.global.u32 %r2, [%rd9]; st.global.u64 [%rd1], %rd2;", "%rd2 = mul_wide.u32 %r1, 4");
    expect_not_in(PRODUCT "ld.global.u32 %r2, [%rd9]; st.global.u64 [%rd1], %rd2;", "%rd9 = add");
    /* Read in another block. */
    expect_in(PRODUCT "ld.global.u32 %r2, [%rd9]; bra L; L: ld.global.u32 %r3, [%rd9+4];", "%rd9 = add");
}

/* --- what does not -------------------------------------------------------------------------- */
Test(fuse, addresses_that_would_change)
{
    static const char *const bodies[] = {
        /* The 32-bit product or sum wraps before it is widened; fused it would not. */
        "mul.lo.u32 %r2, %r1, 4; add.s32 %r3, %r2, %r9; ld.global.u32 %r4, [%rd1];",
        "mul.lo.s32 %r2, %r1, 3; cvt.u64.u32 %rd2, %r2; mul.lo.u64 %rd3, %rd2, 4; add.u64 %rd9, %rd1, %rd3; "
        "ld.global.u32 %r4, [%rd9];",
        "shl.b32 %r2, %r1, 2; add.u32 %r3, %r9, %r2; cvt.u64.u32 %rd9, %r3; ld.global.u32 %r4, [%rd9];",
        /* A narrower or wider source than the index. */
        "cvt.u64.u16 %rd2, %h1; add.u64 %rd9, %rd1, %rd2; ld.global.u8 %h2, [%rd9];",
        "mov.u64 %rd3, %clock64; cvt.u64.u32 %rd2, %rd3; add.u64 %rd9, %rd1, %rd2; ld.global.u8 %h2, [%rd9];",
        /* Scales that have no place. */
        "mul.wide.u32 %rd2, %r1, 256; add.s64 %rd9, %rd1, %rd2; ld.global.u32 %r2, [%rd9];",
        "mul.wide.u32 %rd2, %r1, 0; add.s64 %rd9, %rd1, %rd2; ld.global.u32 %r2, [%rd9];",
        "mul.wide.s32 %rd2, %r1, -4; add.s64 %rd9, %rd1, %rd2; ld.global.u32 %r2, [%rd9];",
        "mul.wide.u32 %rd2, %r1, %r9; add.s64 %rd9, %rd1, %rd2; ld.global.u32 %r2, [%rd9];",
        "cvt.u64.u32 %rd2, %r1; shl.b64 %rd3, %rd2, 8; add.s64 %rd9, %rd1, %rd3; ld.global.u32 %r2, [%rd9];",
        /* Changed in between: the index, the base, the product, the sum. */
        "mul.wide.u32 %rd2, %r1, 4; add.u32 %r1, %r1, 1; add.s64 %rd9, %rd1, %rd2; ld.global.u32 %r2, [%rd9];",
        PRODUCT "add.u32 %r1, %r1, 1; ld.global.u32 %r2, [%rd9];",
        PRODUCT "add.u64 %rd1, %rd1, 8; ld.global.u32 %r2, [%rd9];",
        "mul.wide.u32 %rd2, %r1, 4; mov.u64 %rd2, %clock64; add.s64 %rd9, %rd1, %rd2; ld.global.u32 %r2, [%rd9];",
        PRODUCT "mov.u64 %rd9, %clock64; ld.global.u32 %r2, [%rd9];",
        "cvt.u64.u32 %rd2, %r1; mov.u32 %r1, %laneid; shl.b64 %rd3, %rd2, 2; add.s64 %rd9, %rd1, %rd3; "
        "ld.global.u32 %r2, [%rd9];",
        /* Definitions under a guard hold for some lanes only. */
        "@%p1 mul.wide.u32 %rd2, %r1, 4; add.s64 %rd9, %rd1, %rd2; ld.global.u32 %r2, [%rd9];",
        "mul.wide.u32 %rd2, %r1, 4; @%p1 add.s64 %rd9, %rd1, %rd2; ld.global.u32 %r2, [%rd9];",
        "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd9, %rd1, %rd2; @%p1 mov.u32 %r1, 3; ld.global.u32 %r2, [%rd9];",
        /* Definitions in another block. */
        PRODUCT "bra L; L: ld.global.u32 %r2, [%rd9];",
        /* A base that varies, an index that does not. */
        "mov.u64 %rd3, %clock64; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd9, %rd3, %rd2; ld.global.u32 %r2, [%rd9];",
        "mul.wide.u32 %rd2, %r9, 4; add.s64 %rd9, %rd1, %rd2; ld.global.u32 %r2, [%rd9];",
        /* A difference is no sum. */
        "mul.wide.u32 %rd2, %r1, 4; sub.s64 %rd9, %rd1, %rd2; ld.global.u32 %r2, [%rd9];",
        /* Other memories have addresses of 32 bits or their own windows; atomics have no index. */
        PRODUCT "ld.shared.u32 %r2, [%rd9];",
        PRODUCT "ld.local.u32 %r2, [%rd9];",
        PRODUCT "atom.global.add.u32 %r2, [%rd9], 1;",
        PRODUCT "red.global.add.u32 [%rd9], 1;",
        PRODUCT "prefetch.global.L2 [%rd9];",
    };

    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        expect_not_in(bodies[i], " * ");
    }
}

Test(fuse, only_the_access_before_a_change_fuses)
{
    const char body[] = PRODUCT "ld.global.u32 %r2, [%rd9];\nadd.u32 %r1, %r1, 1;\nst.global.u32 [%rd9], %r2;";

    expect_in(body, "ld.global.u32 [%rd1 + u32 %r1 * 4]");
    expect_in(body, "st.global.u32 [%rd9], %r2");
    expect_in(body, "%rd9 = add.s64 %rd1, %rd2");
}

Test(fuse, a_load_may_overwrite_its_index)
{
    static const char body[] = PRODUCT "ld.global.u32 %r1, [%rd9];\nst.global.u32 [%rd9], %r1;";

    expect_in(body, "%r1 = ld.global.u32 [%rd1 + u32 %r1 * 4]");
    expect_in(body, "st.global.u32 [%rd9], %r1");
}

/* --- what the verifier says of indices that fusion never makes ------------------------------ */
static struct ir_inst *indexed_load(struct ir_func *f, ir_ref base, ir_ref index, unsigned kind, unsigned scale)
{
    const struct ir_inst init = {
        .op = IR_LD,
        .type = IR_U32,
        .mods = {.vec = 1, .space = IR_SPACE_GLOBAL, .index = kind, .index_scale = scale},
    };
    const ir_ref dst = ir_reg_new(f, IR_U32, "d", UINT32_MAX), srcs[] = {base, ir_const(f, 0), index};

    return ir_append(f, &init, &dst, 1, srcs, 3);
}

static bool accepts_load(enum ir_type base, enum ir_type index, unsigned kind, unsigned scale, enum ir_space space)
{
    struct ir_module *m = ir_module_new("t");
    struct ir_func *f = ir_func_new(m, "f");
    struct diag dg;

    f->defined = true;
    ir_block_start(f, ir_block_new(f, NULL));
    indexed_load(f, ir_reg_new(f, base, "b", UINT32_MAX), ir_reg_new(f, index, "i", UINT32_MAX), kind, scale)
        ->mods.space = space;
    ir_append(f, &(struct ir_inst){.op = IR_RET}, NULL, 0, NULL, 0);
    diag_init(&dg, "t", NULL, 0);
    const bool good = ir_verify(m, &dg);

    diag_release(&dg);
    ir_module_free(m);
    return good;
}

Test(fuse, the_verifier_knows_indices)
{
    cr_expect(accepts_load(IR_U64, IR_U32, 1, 4, IR_SPACE_GLOBAL));
    cr_expect(accepts_load(IR_U64, IR_S32, 2, 255, IR_SPACE_GENERIC));
    cr_expect(!accepts_load(IR_U64, IR_U64, 1, 4, IR_SPACE_GLOBAL), "an index of 64 bits");
    cr_expect(!accepts_load(IR_U64, IR_PRED, 1, 4, IR_SPACE_GLOBAL), "a predicate as index");
    cr_expect(!accepts_load(IR_U32, IR_U32, 1, 4, IR_SPACE_GLOBAL), "a base of 32 bits");
    cr_expect(!accepts_load(IR_U64, IR_U32, 3, 4, IR_SPACE_GLOBAL), "an unknown kind");
    cr_expect(!accepts_load(IR_U64, IR_U32, 1, 0, IR_SPACE_GLOBAL), "a scale of 0");
    cr_expect(!accepts_load(IR_U64, IR_U32, 1, 4, IR_SPACE_SHARED), "shared memory");
    cr_expect(!accepts_load(IR_U64, IR_U32, 0, 0, IR_SPACE_GLOBAL), "a source too many");
}
