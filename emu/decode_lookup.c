/*
 * What the tables and an instruction's modifiers say: handlers by operation and type, environment, rounding, mode.
 */
#include "emu/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "emu/sem_env.h"
#include "ir/forms.h"

void dec_refuse(struct decoder *d, const struct ir_inst *in, const char *format, ...)
{
    struct emu_program *p = d->program;
    char words[256];
    va_list list;

    if (p->refused != NULL) {
        return;
    }
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    p->refused_line = in != NULL && in->line < p->module->lines.count ? p->module->lines.at[in->line].line : 0;
    p->refused_text = p->module->texts.at[d->f->text];
    p->refused = arena_strdup(p->arena, words);
    d->ok = d->ok && p->refused != NULL;
}

/* The opcode for messages: mnemonic and the fixed words of its form. */
void dec_refuse_form(struct decoder *d, const struct ir_inst *in)
{
    char text[160];

    if (in->op == IR_REFUSED) {
        const struct ir_form *form = &ir_form_info[in->form];
        size_t n = strcspn(form->modifiers, "<{");

        snprintf(text, sizeof text, "%s%.*s", form->mnemonic, (int)(n > 100 ? 100 : n), form->modifiers);
        dec_refuse(d, in, "unsupported: %s", text);
        return;
    }
    ir_format_inst(d->f, in, text, sizeof text);
    dec_refuse(d, in, "unsupported: %s", text);
}

/* Chains of rows by operation, so that looking one up does not walk the whole table. */
bool dec_index_handlers(struct emu_program *p)
{
    const struct handler_set *set = p->handlers;
    uint16_t *first = ARENA_ARRAY(p->arena, uint16_t, EMU_OP_COUNT),
             *next = ARENA_ARRAY(p->arena, uint16_t, set->n_rows + 1);

    if (first == NULL || next == NULL) {
        return false;
    }
    for (size_t i = 0; i < set->n_rows; i++) {
        next[i + 1] = first[set->rows[i].op];
        first[set->rows[i].op] = (uint16_t)(i + 1);
    }
    p->row_first = first;
    p->row_next = next;
    return true;
}

/* --- lookup ----------------------------------------------------------------------------------- */
bool dec_lookup(const struct emu_program *p, unsigned op, unsigned type, unsigned type2, unsigned kinds, bool plain,
                struct handlers *out)
{
    const struct handler_set *set = p->handlers;

    *out = (struct handlers){0};
    for (uint16_t i = p->row_first[op]; i != 0; i = p->row_next[i]) {
        const struct handler_row *r = &set->rows[i - 1];
        const bool any_modifiers = r->form == FORM_ANY || r->form == FORM_SCALAR;

        if (r->type != type || r->type2 != type2 || (r->plain && !plain && !any_modifiers)) {
            continue;
        }
        switch (r->form) {
        case FORM_ANY:
            out->any = r;
            break;
        case FORM_SCALAR:
            out->scalar = r;
            break;
        case FORM_FULL:
            out->full = r;
            break;
        case FORM_PART_S:
            if (r->kinds == kinds) {
                out->part = r;
            }
            break;
        default:
            if (r->kinds == kinds) {
                out->mixed = r;
            }
            break;
        }
    }
    return out->any != NULL;
}

/* The type under which an operation's handlers are listed: many care for the size only. */
unsigned dec_listed_type(const struct ir_inst *in)
{
    static const enum ir_type by_bytes[17] = {[1] = IR_B16, [2] = IR_B16, [4] = IR_B32, [8] = IR_B64, [16] = IR_B128};

    switch (in->op) {
    case IR_MOV:
    case IR_SELP:
    case IR_SLCT:
    case IR_PACK:
    case IR_UNPACK:
    case IR_MATCH_ANY:
    case IR_MATCH_ALL:
        return in->type == IR_PRED ? IR_PRED : by_bytes[ir_type_bytes((enum ir_type)in->type)];
    case IR_REDUX:
        return in->type == IR_F32 ? IR_F32 : IR_B32;
    case IR_SHFL:
    case IR_ELECT:
    case IR_VOTE_BALLOT:
    case IR_ACTIVEMASK:
    case IR_WARP_SYNC:
        return IR_B32;
    case IR_VOTE_ALL:
    case IR_VOTE_ANY:
    case IR_VOTE_UNI:
        return IR_PRED;
    case IR_VIDEO:
    case IR_VIDEO_SIMD:
        return IR_B32;
    default:
        return in->type;
    }
}

unsigned dec_listed_type2(const struct ir_inst *in)
{
    switch (in->op) {
    case IR_PACK:
    case IR_UNPACK:
        return in->type2;
    case IR_SLCT:
    case IR_CVT:
    case IR_CVT_PACK:
    case IR_CVT_PACK_SAT:
    case IR_FADD_MIX:
    case IR_FSUB_MIX:
    case IR_FMA_MIX:
        return in->type2;
    default:
        return 0;
    }
}

/* --- modifiers -------------------------------------------------------------------------------- */
uint8_t dec_environment(const struct ir_mods *m)
{
    return (uint8_t)((m->ftz ? FP_FTZ : 0) | (m->sat ? FP_SAT : 0) | (m->nan ? FP_PASS_NAN : 0) |
                     (m->xorsign ? FP_XORSIGN : 0) | (m->relu ? FP_RELU : 0) | (m->abs ? FP_ABS : 0) |
                     (m->satfinite ? FP_SATFINITE : 0));
}

uint8_t dec_rounding(const struct ir_mods *m)
{
    static const uint8_t as_sem[] = {
        [IR_RN] = SEM_RN, [IR_RZ] = SEM_RZ,  [IR_RM] = SEM_RM,  [IR_RP] = SEM_RP,  [IR_RNA] = SEM_RNA,
        [IR_RS] = SEM_RN, [IR_RNI] = SEM_RN, [IR_RZI] = SEM_RZ, [IR_RMI] = SEM_RM, [IR_RPI] = SEM_RP};

    return as_sem[m->round];
}

bool dec_to_integral(const struct ir_mods *m)
{
    return m->round >= IR_RNI;
}

bool dec_is_float(unsigned type)
{
    return ir_type_info[type].kind == IR_KIND_FLOAT;
}

/* What the handler reads from `mode`. */
uint8_t dec_mode(const struct ir_inst *in)
{
    switch (in->op) {
    case IR_SETP:
    case IR_SETP2:
    case IR_TESTP:
        return in->mods.cmp;
    case IR_LOP3:
        return in->mods.lut;
    case IR_DP4A:
    case IR_DP2A_LO:
    case IR_DP2A_HI:
        return (uint8_t)(in->mods.asel | in->mods.bsel << 1);
    case IR_SHFL:
        return in->mods.shfl;
    case IR_REDUX:
        return in->mods.atom;
    default:
        return dec_rounding(&in->mods);
    }
}

/* Whether the fast handlers serve: no modifiers but .ftz, and the rounding they were made for. */
bool dec_is_plain(const struct ir_inst *in)
{
    const uint8_t env = dec_environment(&in->mods);

    switch (in->op) {
    case IR_SETP:
        return env == 0;
    case IR_CVT:
        if (env != 0) {
            return false;
        }
        if (dec_is_float(in->type2) && !dec_is_float(in->type)) {
            return dec_rounding(&in->mods) == SEM_RZ;
        }
        return dec_rounding(&in->mods) == SEM_RN;
    default:
        return (env & ~(unsigned)FP_FTZ) == 0 && dec_rounding(&in->mods) == SEM_RN;
    }
}
