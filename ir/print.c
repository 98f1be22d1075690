/*
 * The intermediate representation as text, for people and golden tests.  The same module always gives the same text,
 * and operands are written as PTX would write them: names as declared, immediates in the notation of their type.
 *
 *   %r3 = add.u32 %r1, 5          @!%p1 bra $L1          {%f1, %f2} = ld.global.v2.f32 [%rd1+8]
 *
 * A result that is thrown away is "_".  Registers that lowering made are %t and their index, blocks without a label b
 * and their index.
 */
#include "ir/passes.h"

#include "ir/forms.h"
#include "ir/matrix.h"

#include <ctype.h>
#include <inttypes.h>

struct printer {
    const struct ir_module *m;
    const struct ir_func *f;
    const struct ir_inst *in;
    FILE *out;
};

/* --- modifiers -------------------------------------------------------------------------------- */
static const char *const round_words[] = {
    [IR_RN] = "rn", [IR_RZ] = "rz",   [IR_RM] = "rm",   [IR_RP] = "rp",   [IR_RNA] = "rna",
    [IR_RS] = "rs", [IR_RNI] = "rni", [IR_RZI] = "rzi", [IR_RMI] = "rmi", [IR_RPI] = "rpi",
};
static const char *const cmp_words[] = {
    [IR_CMP_EQ] = "eq",   [IR_CMP_NE] = "ne",   [IR_CMP_LT] = "lt",   [IR_CMP_LE] = "le",   [IR_CMP_GT] = "gt",
    [IR_CMP_GE] = "ge",   [IR_CMP_LO] = "lo",   [IR_CMP_LS] = "ls",   [IR_CMP_HI] = "hi",   [IR_CMP_HS] = "hs",
    [IR_CMP_EQU] = "equ", [IR_CMP_NEU] = "neu", [IR_CMP_LTU] = "ltu", [IR_CMP_LEU] = "leu", [IR_CMP_GTU] = "gtu",
    [IR_CMP_GEU] = "geu", [IR_CMP_NUM] = "num", [IR_CMP_NAN] = "nan",
};
static const char *const testp_words[] = {
    [IR_TESTP_FINITE] = "finite",         [IR_TESTP_INFINITE] = "infinite", [IR_TESTP_NUMBER] = "number",
    [IR_TESTP_NOTANUMBER] = "notanumber", [IR_TESTP_NORMAL] = "normal",     [IR_TESTP_SUBNORMAL] = "subnormal",
};
static const char *const atom_words[] = {
    [IR_ATOM_ADD] = "add", [IR_ATOM_MIN] = "min", [IR_ATOM_MAX] = "max", [IR_ATOM_AND] = "and",   [IR_ATOM_OR] = "or",
    [IR_ATOM_XOR] = "xor", [IR_ATOM_INC] = "inc", [IR_ATOM_DEC] = "dec", [IR_ATOM_EXCH] = "exch",
};
static const char *const shfl_words[] = {
    [IR_SHFL_UP] = "up", [IR_SHFL_DOWN] = "down", [IR_SHFL_BFLY] = "bfly", [IR_SHFL_IDX] = "idx"};
static const char *const sem_words[] = {
    [IR_SEM_WEAK] = "weak",         [IR_SEM_RELAXED] = "relaxed", [IR_SEM_ACQUIRE] = "acquire",
    [IR_SEM_RELEASE] = "release",   [IR_SEM_ACQ_REL] = "acq_rel", [IR_SEM_SC] = "sc",
    [IR_SEM_VOLATILE] = "volatile", [IR_SEM_MMIO] = "mmio",
};
static const char *const scope_words[] = {
    [IR_SCOPE_CTA] = "cta", [IR_SCOPE_CLUSTER] = "cluster", [IR_SCOPE_GPU] = "gpu", [IR_SCOPE_SYS] = "sys"};
static const char *const video2_words[] = {
    [IR_V2_NONE] = "", [IR_V2_ADD] = "add", [IR_V2_MIN] = "min", [IR_V2_MAX] = "max", [IR_V2_MERGE] = "merge"};

/* Fields whose zero is a value of its own and is therefore written, per operation. */
enum {
    SHOW_CMP = 1,
    SHOW_TESTP = 2,
    SHOW_ATOM = 4,
    SHOW_SHFL = 8,
    SHOW_SPACE = 16,
    SHOW_FENCE = 32,
    SHOW_VIDEO = 64,
    SHOW_LUT = 128,
    SHOW_FORM = 256,
    SHOW_PART = 512,
    SHOW_GEOMETRY = 1024,
    SHOW_COMPONENT = 2048,
    SHOW_BOUNDS = 4096,
    SHOW_QUERY = 8192
};
static const uint16_t shown[IR_OP_COUNT] = {
    [IR_SETP] = SHOW_CMP,
    [IR_SETP2] = SHOW_CMP,
    [IR_TESTP] = SHOW_TESTP,
    [IR_ATOM] = SHOW_ATOM | SHOW_SPACE,
    [IR_RED] = SHOW_ATOM | SHOW_SPACE,
    [IR_ATOM_CAS] = SHOW_SPACE,
    [IR_REDUX] = SHOW_ATOM,
    [IR_SHFL] = SHOW_SHFL,
    [IR_LD] = SHOW_SPACE,
    [IR_ST] = SHOW_SPACE,
    [IR_PREFETCH] = SHOW_SPACE,
    [IR_CP_ARRIVE] = SHOW_SPACE,
    [IR_CP_ARRIVE_NOINC] = SHOW_SPACE,
    [IR_BULK_SEND_RED] = SHOW_ATOM,
    [IR_BULK_STORE_RED] = SHOW_ATOM,
    [IR_RED_ASYNC] = SHOW_ATOM,
    [IR_MBAR_INIT] = SHOW_SPACE,
    [IR_MBAR_INVAL] = SHOW_SPACE,
    [IR_MBAR_EXPECT_TX] = SHOW_SPACE,
    [IR_MBAR_COMPLETE_TX] = SHOW_SPACE,
    [IR_MBAR_ARRIVE] = SHOW_SPACE,
    [IR_MBAR_ARRIVE_TX] = SHOW_SPACE,
    [IR_MBAR_ARRIVE_HOLD] = SHOW_SPACE,
    [IR_MBAR_DROP] = SHOW_SPACE,
    [IR_MBAR_DROP_TX] = SHOW_SPACE,
    [IR_MBAR_DROP_HOLD] = SHOW_SPACE,
    [IR_MBAR_WAIT] = SHOW_SPACE,
    [IR_MBAR_WAIT_PARITY] = SHOW_SPACE,
    [IR_LDMATRIX] = SHOW_SPACE,
    [IR_STMATRIX] = SHOW_SPACE,
    [IR_CVTA] = SHOW_SPACE,
    [IR_CVTA_TO] = SHOW_SPACE,
    [IR_ISSPACEP] = SHOW_SPACE,
    [IR_FENCE] = SHOW_FENCE,
    [IR_VIDEO] = SHOW_VIDEO,
    [IR_VIDEO_SIMD] = SHOW_VIDEO,
    [IR_LOP3] = SHOW_LUT,
    [IR_WMMA_LOAD] = SHOW_SPACE | SHOW_PART,
    [IR_WMMA_STORE] = SHOW_SPACE | SHOW_PART,
    [IR_TEX] = SHOW_GEOMETRY,
    [IR_TEX_OFFSET] = SHOW_GEOMETRY,
    [IR_TEX_LEVEL] = SHOW_GEOMETRY,
    [IR_TEX_GRAD] = SHOW_GEOMETRY,
    [IR_TLD4] = SHOW_GEOMETRY | SHOW_COMPONENT,
    [IR_TXQ] = SHOW_QUERY,
    [IR_TXQ_LEVEL] = SHOW_QUERY,
    [IR_SUQ] = SHOW_QUERY,
    [IR_SULD] = SHOW_GEOMETRY | SHOW_BOUNDS,
    [IR_SUST] = SHOW_GEOMETRY | SHOW_BOUNDS,
    [IR_SUST_P] = SHOW_GEOMETRY | SHOW_BOUNDS,
    [IR_SURED] = SHOW_GEOMETRY | SHOW_BOUNDS | SHOW_ATOM,
    [IR_SURED_P] = SHOW_GEOMETRY | SHOW_BOUNDS | SHOW_ATOM,
    [IR_REFUSED] = SHOW_FORM,
};

/* `.word` if the field is set. */
static void flag(struct printer *p, unsigned set, const char *word)
{
    if (set != 0) {
        fprintf(p->out, ".%s", word);
    }
}

#define WORD(p, words, index) flag(p, 1, (index) < sizeof(words) / sizeof *(words) ? (words)[index] : "?")

/* Whether an access has an order between threads, hence a scope; the narrowest is written as well. */
static bool has_scope(const struct ir_mods *m)
{
    return m->sem == IR_SEM_RELAXED || m->sem == IR_SEM_ACQUIRE || m->sem == IR_SEM_RELEASE || m->sem == IR_SEM_ACQ_REL;
}

static void print_what(struct printer *p)
{
    const struct ir_mods *m = &p->in->mods;
    unsigned show = shown[p->in->op];

    if (show & SHOW_SHFL) {
        WORD(p, shfl_words, m->shfl);
    }
    if (show & SHOW_TESTP) {
        WORD(p, testp_words, m->cmp);
    }
    if (show & SHOW_CMP || (m->cmp != 0 && !(show & SHOW_TESTP))) {
        WORD(p, cmp_words, m->cmp);
    }
    if (show & SHOW_FENCE || m->sem != 0) {
        WORD(p, sem_words, m->sem);
    }
    if (show & SHOW_FENCE || m->scope != 0 || has_scope(m)) {
        WORD(p, scope_words, m->scope);
    }
    if (show & SHOW_SPACE || m->space != 0) {
        flag(p, 1, m->space < IR_SPACE_COUNT ? ir_space_name((enum ir_space)m->space) : "?");
    }
    if (show & SHOW_ATOM) {
        WORD(p, atom_words, m->atom);
    }
}

static void print_how(struct printer *p)
{
    const struct ir_mods *m = &p->in->mods;

    if (m->round != 0) {
        WORD(p, round_words, m->round);
    }
    flag(p, m->sync, "sync");
    flag(p, m->uni, "uni");
    flag(p, m->aligned, "aligned");
    flag(p, m->ftz, "ftz");
    flag(p, m->noftz, "noftz");
    flag(p, m->sat, "sat");
    flag(p, m->satfinite, "satfinite");
    flag(p, m->relu, "relu");
    flag(p, m->nan, "NaN");
    flag(p, m->xorsign, "xorsign");
    flag(p, m->abs, "abs");
    flag(p, m->nc, "nc");
    flag(p, m->trans, "trans");
    if (m->vec > 1) {
        fprintf(p->out, ".v%u", m->vec);
    }
}

/* Selectors are printed as the numbers they are stored as. */
static void print_video(struct printer *p)
{
    const struct ir_mods *m = &p->in->mods;

    WORD(p, ir_video_name, m->video);
    flag(p, m->video2 != 0, m->video2 < sizeof video2_words / sizeof *video2_words ? video2_words[m->video2] : "?");
    flag(p, m->po, "po");
    flag(p, m->wrap, "wrap");
    flag(p, m->scale != 0, m->scale == 1 ? "shr7" : "shr15");
    fprintf(p->out, ".%c%c%c", m->vtype_a ? 's' : 'u', m->vtype_b ? 's' : 'u', m->vtype_c ? 's' : 'u');
    fprintf(p->out, ".sel%u_%u_%u_%u", m->dsel, m->asel, m->bsel, m->csel);
    if (m->negate != 0) {
        fprintf(p->out, ".neg%u", m->negate);
    }
}

/* The part of a load or store, the shape, and what differs from the usual order of the matrices. */
static void print_matrix(struct printer *p)
{
    const struct ir_mods *m = &p->in->mods;
    const struct ir_matrix *x = &ir_matrix_info[m->matrix < ir_matrix_count ? m->matrix : 0];

    if (shown[p->in->op] & SHOW_PART) {
        fprintf(p->out, ".%c%s", "abcd"[m->part], m -> acol ? ".col" : ".row");
    } else if (x->m == 8 && x->elements == IR_MATRIX_HALVES) {
        fprintf(p->out, "%s%s", m->acol ? ".col" : ".row", m->bcol ? ".col" : ".row");
    }
    fprintf(p->out, ".m%un%uk%u", x->m, x->n, x->k);
    if (x->elements == IR_MATRIX_BITS && p->in->type2 != IR_TYPE_NONE) {
        flag(p, 1, m->conjunction ? "and" : "xor");
    }
}

/* Of textures and surfaces. */
static void print_texture(struct printer *p, unsigned show)
{
    const struct ir_mods *m = &p->in->mods;

    if (show & SHOW_GEOMETRY) {
        WORD(p, ir_geometry_name, m->geometry);
    }
    if (show & SHOW_COMPONENT) {
        fprintf(p->out, ".%c", "rgba"[m->component]);
    }
    if (show & SHOW_BOUNDS) {
        WORD(p, ir_bounds_name, m->bounds);
    }
    if (show & SHOW_QUERY) {
        WORD(p, ir_query_name, m->query);
    }
}

static void print_opcode(struct printer *p)
{
    const struct ir_inst *in = p->in;
    unsigned show = shown[in->op];

    for (const char *c = ir_op_info[in->op].name; *c != '\0'; c++) {
        fputc(tolower((unsigned char)*c), p->out);
    }
    flag(p, show & SHOW_FORM, in->form < ir_form_count ? ir_form_info[in->form].mnemonic : "?");
    if (in->mods.matrix != 0) {
        print_matrix(p);
    }
    print_what(p);
    print_texture(p, show);
    print_how(p);
    if (show & SHOW_VIDEO) {
        print_video(p);
    } else if (in->mods.asel != 0 || in->mods.bsel != 0) {
        fprintf(p->out, ".sel%u_%u", in->mods.asel, in->mods.bsel);
    }
    if (show & SHOW_LUT) {
        fprintf(p->out, ".lut%u", in->mods.lut);
    }
    flag(p, in->type != IR_TYPE_NONE, ir_type_info[in->type].name);
    flag(p, in->type2 != IR_TYPE_NONE, ir_type_info[in->type2].name);
    if (in->mods.matrix != 0 && in->type2 != IR_TYPE_NONE) {
        flag(p, in->mods.btype < IR_TYPE_COUNT, ir_type_info[in->mods.btype % IR_TYPE_COUNT].name);
        flag(p, in->mods.ctype < IR_TYPE_COUNT, ir_type_info[in->mods.ctype % IR_TYPE_COUNT].name);
    }
}

/* --- operands --------------------------------------------------------------------------------- */
static void print_reg(struct printer *p, uint32_t index)
{
    const struct ir_reg *r = &p->f->regs.at[index];

    if (r->name == NULL) {
        fprintf(p->out, "%%t%u", index);
    } else if (r->number == UINT32_MAX) {
        fputs(r->name, p->out);
    } else {
        fprintf(p->out, "%s%u", r->name, r->number);
    }
}

static void print_block_name(struct printer *p, uint32_t index)
{
    const char *name = p->f->blocks.at[index].name;

    if (name == NULL) {
        fprintf(p->out, "b%u", index);
    } else {
        fputs(name, p->out);
    }
}

/* Large bit patterns are easier to read in hexadecimal, small ones and signed values in decimal. */
static void print_const(struct printer *p, uint64_t bits, enum ir_type type)
{
    const struct ir_type_info *t = &ir_type_info[type];

    if (type == IR_F32) {
        fprintf(p->out, "0f%08" PRIX32, (uint32_t)bits);
    } else if (type == IR_F64) {
        fprintf(p->out, "0d%016" PRIX64, bits);
    } else if (t->kind == IR_KIND_SINT && t->bits > 0 && t->bits <= 64) {
        fprintf(p->out, "%" PRId64, (int64_t)(bits << (64 - t->bits)) >> (64 - t->bits));
    } else {
        fprintf(p->out, bits < 0x10000 ? "%" PRIu64 : "0x%" PRIX64, bits);
    }
}

static void print_table(struct printer *p, uint32_t index);

static void print_ref(struct printer *p, ir_ref r, enum ir_type type)
{
    uint32_t index = ir_ref_index(r);

    switch (ir_ref_kind(r)) {
    case IR_REF_NONE:
        fputc('_', p->out);
        break;
    case IR_REF_REG:
        print_reg(p, index);
        break;
    case IR_REF_CONST:
        print_const(p, p->f->consts.at[index], type);
        break;
    case IR_REF_SYMBOL:
        fputs(p->m->symbols.at[index].name, p->out);
        break;
    case IR_REF_FUNC:
        fputs(p->m->funcs.at[index]->name, p->out);
        break;
    case IR_REF_SREG:
        fputs(ir_sreg_info[index].name, p->out);
        break;
    case IR_REF_BLOCK:
        print_block_name(p, index);
        break;
    case IR_REF_TABLE:
        print_table(p, index);
        break;
    }
}

static void print_table(struct printer *p, uint32_t index)
{
    const struct ir_table *t = &p->f->tables.at[index];

    fputc('{', p->out);
    for (uint32_t i = 0; i < t->count; i++) {
        fputs(i == 0 ? "" : ", ", p->out);
        print_ref(p, t->refs[i], IR_TYPE_NONE);
    }
    fputc('}', p->out);
}

static void print_address(struct printer *p, ir_ref base, ir_ref offset)
{
    int64_t bytes = ir_ref_kind(offset) == IR_REF_CONST ? (int64_t)ir_const_bits(p->f, offset) : 0;

    fputc('[', p->out);
    if (base == IR_REF_NONE) {
        fprintf(p->out, "%" PRId64, bytes);
    } else {
        print_ref(p, base, IR_TYPE_NONE);
        if (bytes != 0) {
            fprintf(p->out, "%+" PRId64, bytes);
        }
    }
    if (ir_is_indexed(p->in)) {
        fputs(p->in->mods.index == 2 ? " + s32 " : " + u32 ", p->out);
        print_ref(p, ir_srcs(p->f, p->in)[p->in->n_src - 1], IR_TYPE_NONE);
        fprintf(p->out, " * %u", p->in->mods.index_scale);
    }
    fputc(']', p->out);
}

static enum ir_type letter_type(const struct printer *p, char letter)
{
    switch (letter) {
    case 'T':
    case 'O':
    case 'V':
        return (enum ir_type)p->in->type;
    case 'S':
        return (enum ir_type)p->in->type2;
    case 'W':
        return ir_type_wide((enum ir_type)p->in->type);
    default:
        return IR_TYPE_NONE;
    }
}

static void print_vector(struct printer *p, const ir_ref *at, unsigned n)
{
    fputs(n > 1 ? "{" : "", p->out);
    for (unsigned i = 0; i < n; i++) {
        fputs(i == 0 ? "" : ", ", p->out);
        print_ref(p, at[i], (enum ir_type)p->in->type);
    }
    fputs(n > 1 ? "}" : "", p->out);
}

/* Operands by the letters of the shape; what letters do not cover ('*', or invalid code) is printed plainly. */
static void print_operands(struct printer *p, const char *letters, const ir_ref *at, uint32_t count)
{
    for (uint32_t i = 0; i < count;) {
        char letter = *letters == '\0' ? '*' : *letters;
        const bool fragment = ir_matrix_is_letter(letter);
        uint32_t n = fragment        ? ir_matrix_letter_regs(p->in, letter)
                     : letter == 'V' ? p->in->mods.vec
                     : letter == 'M' ? 2
                                     : 1;

        n = n == 0 ? 1 : n > count - i ? count - i : n;
        fputs(i == 0 ? "" : ", ", p->out);
        if (letter == 'M' && n == 2) {
            print_address(p, at[i], at[i + 1]);
        } else if (letter == 'V' || fragment) {
            print_vector(p, at + i, n);
        } else {
            print_ref(p, at[i], letter_type(p, letter));
        }
        i += n;
        letters += letter == '*' ? 0 : 1;
    }
}

static void print_inst(struct printer *p)
{
    const struct ir_inst *in = p->in;
    const struct ir_shape_info *shape = &ir_shape_info[ir_op_info[in->op].shape];

    if (in->guard != IR_REF_NONE) {
        fputs(in->guard_not ? "@!" : "@", p->out);
        print_ref(p, in->guard, IR_PRED);
        fputc(' ', p->out);
    }
    if (in->n_dst > 0) {
        print_operands(p, shape->dsts, ir_dsts(p->f, in), in->n_dst);
        fputs(" = ", p->out);
    }
    print_opcode(p);
    if (ir_n_srcs(in) > 0) {
        fputc(' ', p->out);
        print_operands(p, shape->srcs, ir_srcs(p->f, in), ir_n_srcs(in) - (ir_is_indexed(in) ? 1 : 0));
    }
}

/* --- functions and modules -------------------------------------------------------------------- */
static const char *const link_words[] = {[IR_LINK_INTERNAL] = "",
                                         [IR_LINK_VISIBLE] = "visible ",
                                         [IR_LINK_EXTERN] = "extern ",
                                         [IR_LINK_WEAK] = "weak ",
                                         [IR_LINK_COMMON] = "common "};

static void print_params(struct printer *p, const struct ir_param *params, uint32_t count)
{
    fputc('(', p->out);
    for (uint32_t i = 0; i < count; i++) {
        const struct ir_param *a = &params[i];

        fprintf(p->out, "%s%s %s %s", i == 0 ? "" : ", ", a->is_reg ? "reg" : "param", ir_type_info[a->type].name,
                a->name == NULL ? "_" : a->name);
        if (!a->is_reg) {
            fprintf(p->out, " bytes %" PRIu64 " at %" PRIu64, a->size_bytes, a->offset);
        }
    }
    fputc(')', p->out);
}

static void print_facts(struct printer *p)
{
    const struct ir_func *f = p->f;

    fprintf(p->out, " frame %" PRIu64, f->frame_bytes);
    if (f->is_entry) {
        fprintf(p->out, " params %" PRIu64 " shared %" PRIu64, f->param_bytes, f->shared_bytes);
    }
    if (f->uses_dynamic_shared) {
        fprintf(p->out, " dynamic at %" PRIu64, f->dynamic_shared_at);
    }
    fputs(f->recursive ? " recursive" : "", p->out);
    fputs(f->noreturn ? " noreturn" : "", p->out);
}

static void print_symbol(const struct ir_module *m, const struct ir_symbol *s, FILE *out)
{
    fprintf(out, "%s%s %s", link_words[s->linkage], ir_space_name((enum ir_space)s->space), ir_type_info[s->type].name);
    if (s->vec > 1) {
        fprintf(out, ".v%u", s->vec);
    }
    fprintf(out, " %s align %u bytes %" PRIu64, s->name, s->align, s->size_bytes);
    if (s->space == IR_SPACE_SHARED || s->space == IR_SPACE_LOCAL || s->space == IR_SPACE_PARAM) {
        fprintf(out, " at %" PRIu64, s->offset);
    }
    fputs(s->unsized ? " unsized" : "", out);
    fputs(s->managed ? " managed" : "", out);
    if (s->init != NULL) {
        fputs(" =", out);
        for (uint64_t i = 0; i < s->init_bytes; i++) {
            fprintf(out, "%s%02x", i % 4 == 0 ? " " : "", s->init[i]);
        }
    }
    for (uint32_t i = 0; i < s->n_relocs; i++) {
        const struct ir_reloc *r = &s->relocs[i];
        bool is_func = ir_ref_kind(r->target) == IR_REF_FUNC;
        const char *name =
            is_func ? m->funcs.at[ir_ref_index(r->target)]->name : m->symbols.at[ir_ref_index(r->target)].name;

        fprintf(out, " reloc(%" PRIu64 ": %s%s%+" PRId64 " >> %u, %u)", r->offset, r->generic ? "generic " : "", name,
                r->addend, r->shift, r->width);
    }
    fputc('\n', out);
}

static void print_owned_symbols(const struct ir_module *m, int32_t func, const char *indent, FILE *out)
{
    for (uint32_t i = 0; i < m->symbols.count; i++) {
        if (m->symbols.at[i].func == func) {
            fputs(indent, out);
            print_symbol(m, &m->symbols.at[i], out);
        }
    }
}

static void print_body(struct printer *p)
{
    for (uint32_t b = 0; b < p->f->blocks.count; b++) {
        const struct ir_block *block = &p->f->blocks.at[b];

        print_block_name(p, b);
        fputs(":\n", p->out);
        for (uint32_t i = 0; i < block->count; i++) {
            p->in = &p->f->insts.at[block->first + i];
            fputs("    ", p->out);
            print_inst(p);
            fputc('\n', p->out);
        }
    }
}

void ir_print_func(const struct ir_func *f, FILE *out)
{
    struct printer p = {.m = f->module, .f = f, .out = out};

    fprintf(out, "%s%s %s", link_words[f->linkage], f->is_entry ? "entry" : "func", f->name);
    print_params(&p, f->params, f->n_params);
    if (f->n_rets > 0) {
        fputs(" -> ", out);
        print_params(&p, f->rets, f->n_rets);
    }
    print_facts(&p);
    if (!f->defined) {
        fputc('\n', out);
        return;
    }
    fputs(" {\n", out);
    print_owned_symbols(f->module, (int32_t)f->index, "    ", out);
    print_body(&p);
    fputs("}\n", out);
}

void ir_print_module(const struct ir_module *m, FILE *out)
{
    fprintf(out, "module ptx %u.%u sm_%u", m->ptx / 10, m->ptx % 10, m->sm);
    if (m->sm_suffix != 0) {
        fputc(m->sm_suffix, out);
    }
    fprintf(out, " address %u\n", m->address_bits);
    print_owned_symbols(m, -1, "", out);
    for (uint32_t i = 0; i < m->funcs.count; i++) {
        fputc('\n', out);
        ir_print_func(m->funcs.at[i], out);
    }
}

void ir_format_inst(const struct ir_func *f, const struct ir_inst *in, char *buffer, size_t size)
{
    if (size == 0) {
        return;
    }
    struct printer p = {.m = f->module, .f = f, .in = in, .out = fmemopen(buffer, size, "w")};

    buffer[0] = '\0';
    if (p.out == NULL) {
        return;
    }
    /* Unbuffered, so that a line that is too long keeps its beginning. */
    setvbuf(p.out, NULL, _IONBF, 0);
    print_inst(&p);
    fclose(p.out);
    buffer[size - 1] = '\0';
}
