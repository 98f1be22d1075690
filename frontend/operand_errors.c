/*
 * What to say when the operands do not fit: which one, what it is, what was expected, and the form that was meant.
 */
#include <stdio.h>
#include <string.h>

#include "frontend/opcode.h"

enum { TEXT_BYTES = 256 };

static const char *ordinal(unsigned n, char buffer[24])
{
    static const char *const words[] = {"first", "second", "third", "fourth", "fifth", "sixth"};

    if (n < sizeof words / sizeof *words) {
        return words[n];
    }
    snprintf(buffer, 24, "%uth", n + 1);
    return buffer;
}

/* What the operand is, for a reader. */
static const char *describe(const struct ptx_parse *p, const struct ptx_operand *op, char buffer[TEXT_BYTES])
{
    switch (op->kind) {
    case PTX_OPND_REG:
        snprintf(buffer, TEXT_BYTES, "a .%s register", ir_type_info[op->type].name);
        break;
    case PTX_OPND_SREG:
        snprintf(buffer, TEXT_BYTES, "the special register '%s'", ir_sreg_info[ir_ref_index(op->ref)].name);
        break;
    case PTX_OPND_IMM:
        return op->literal == PTX_LIT_INT || op->literal == PTX_LIT_UINT ? "an integer" : "a floating-point constant";
    case PTX_OPND_SYMBOL:
        snprintf(buffer, TEXT_BYTES, "the address of '%.100s'", p->module->symbols.at[ir_ref_index(op->ref)].name);
        break;
    case PTX_OPND_FUNC:
        return "a function";
    case PTX_OPND_LABEL:
        return "a label";
    case PTX_OPND_ADDRESS:
        return "an address in brackets";
    case PTX_OPND_VECTOR:
        snprintf(buffer, TEXT_BYTES, "a vector of %u", op->count);
        break;
    case PTX_OPND_PAIR:
        return "a pair joined by '|'";
    case PTX_OPND_LIST:
        return "a list in parentheses";
    case PTX_OPND_SINK:
        return "'_'";
    case PTX_OPND_TUPLE:
        return "a texture operand";
    default:
        return "something else";
    }
    return buffer;
}

/* What the form wants in this place. */
static const char *expected(const struct ptx_candidate *c, const struct ptx_operand_pattern *o, char buffer[TEXT_BYTES])
{
    enum ir_type type;

    switch ((enum ptx_operand_pattern_kind)o->kind) {
    case PTX_PAT_REG:
        type = ptx_type_of(c, o->type);
        snprintf(buffer, TEXT_BYTES, o->immediate ? "a .%s register or a constant" : "a .%s register",
                 ir_type_info[type].name);
        break;
    case PTX_PAT_PAIR:
        return "two results joined by '|'";
    case PTX_PAT_VECTOR:
        type = ptx_type_of(c, o->type);
        snprintf(buffer, TEXT_BYTES,
                 o->count_role != 0 && c->role_number[o->count_role - 'A'] == 0 ? "a .%s register"
                                                                                : "a vector of .%s registers",
                 ir_type_info[type].name);
        break;
    case PTX_PAT_FRAGMENT:
        snprintf(buffer, TEXT_BYTES, "a vector of %u registers", ptx_fragment(c, o, &type));
        break;
    case PTX_PAT_ADDRESS:
    case PTX_PAT_TMEM:
        return "an address in brackets";
    case PTX_PAT_MAP:
    case PTX_PAT_TEXTURE:
        return "[handle, {coordinates}]";
    case PTX_PAT_HANDLE:
        return "a texture, sampler or surface in brackets";
    case PTX_PAT_COORDS:
        return "a vector of coordinates";
    case PTX_PAT_CONST:
        return o->reg_ok ? "a .u32 register or a constant" : "a constant integer";
    case PTX_PAT_FRACTION:
        return "a constant fraction";
    case PTX_PAT_VIDEO:
        return "a .u32 register";
    case PTX_PAT_LABEL:
        return "a label";
    case PTX_PAT_LABELS:
        return "the label of '.branchtargets'";
    case PTX_PAT_ADDRESS_OF:
        return "a variable";
    case PTX_PAT_FUNCTION:
        return "a function";
    case PTX_PAT_KERNEL:
        return "a kernel";
    case PTX_PAT_VARIABLE:
        return "a variable";
    case PTX_PAT_SREG:
    case PTX_PAT_SREG4:
        return "a special register";
    case PTX_PAT_SINK:
        return "'_'";
    default:
        return "another operand";
    }
    return buffer;
}

static void report_count(struct ptx_parse *p, const struct ptx_candidate *c, const struct ptx_inst *inst,
                         const char *form)
{
    unsigned min = c->pattern->n_required, max = c->pattern->n_operands;
    char range[32];

    if (inst->n_operands >= min && inst->n_operands <= max && min != max) {
        ptx_error(p, inst->loc, "the operands of '%s' do not agree with its modifiers", form);
        return;
    }
    if (min == max) {
        snprintf(range, sizeof range, "%u operand%s", max, max == 1 ? "" : "s");
    } else {
        snprintf(range, sizeof range, "%u to %u operands", min, max);
    }
    ptx_error(p, inst->loc, "'%s' takes %s, not %u", form, max == 0 ? "no operands" : range, inst->n_operands);
}

static void report_range(struct ptx_parse *p, const struct ptx_operand_pattern *o, const struct ptx_operand *op)
{
    char text[TEXT_BYTES];

    if (o->kind == PTX_PAT_FRACTION) {
        snprintf(text, sizeof text, "a fraction above 0 and at most 1");
    } else if (o->power_of_two) {
        snprintf(text, sizeof text, "a power of two");
    } else if (o->ranged && o->step != 1) {
        snprintf(text, sizeof text, "a multiple of %lld from %lld to %lld", (long long)o->step, (long long)o->low,
                 (long long)o->high);
    } else if (o->ranged) {
        snprintf(text, sizeof text, "from %lld to %lld", (long long)o->low, (long long)o->high);
    } else {
        size_t used = 0;

        for (unsigned i = 0; i < o->n_list; i++) {
            used +=
                (size_t)snprintf(text + used, sizeof text - used, i == 0 ? "%lld" : " or %lld", (long long)o->list[i]);
        }
    }
    ptx_error(p, op->loc, "the constant must be %s", text);
}

static void report_address(struct ptx_parse *p, const struct ptx_fault *f)
{
    const struct ptx_operand *op = f->op;

    if (op->kind == PTX_OPND_ADDRESS && op->name == NULL) {
        ptx_error(p, op->loc, "a constant address is only allowed in '.local'");
    } else if (op->kind == PTX_OPND_ADDRESS && op->is_unified) {
        ptx_error(p, op->loc, "'.unified' is not allowed here");
    } else if (f->want != IR_TYPE_NONE && op->type != IR_TYPE_NONE) {
        ptx_error(p, op->loc, "the address needs a 64-bit register, but '%.*s' is .%s", (int)op->name_len, op->name,
                  ir_type_info[op->type].name);
    } else if (op->type != IR_TYPE_NONE) {
        ptx_error(p, op->loc, "'%.*s' is .%s and cannot hold an address", (int)op->name_len, op->name,
                  ir_type_info[op->type].name);
    } else {
        ptx_error(p, op->loc, "this is not an address");
    }
}

void ptx_report_fault(struct ptx_parse *p, const struct ptx_candidate *c, const struct ptx_inst *inst,
                      const struct ptx_fault *f)
{
    const struct ptx_operand_pattern *o = &c->pattern->operands[f->operand];
    const struct ptx_operand *op = f->op;
    const char *want = ir_type_info[f->want].name;
    char form[TEXT_BYTES], a[TEXT_BYTES], b[TEXT_BYTES], n[24];

    ptx_form_text(c->pattern, c->chosen, PTX_FORM_CHOSEN, form, sizeof form);
    switch ((enum ptx_fault_kind)f->kind) {
    case PTX_FAULT_COUNT:
        report_count(p, c, inst, form);
        break;
    case PTX_FAULT_TYPE:
        if (op->kind == PTX_OPND_REG) {
            ptx_error(p, op->loc, "register '%.*s' is .%s, but '%s' needs .%s here", (int)op->name_len, op->name,
                      ir_type_info[op->type].name, form, want);
        } else {
            ptx_error(p, op->loc, "%s cannot be a .%s operand of '%s'", describe(p, op, a), want, form);
        }
        break;
    case PTX_FAULT_LITERAL:
        if (!o->immediate && o->kind == PTX_PAT_REG) {
            ptx_error(p, op->loc, "the %s operand of '%s' must be a .%s register, not a constant",
                      ordinal(f->operand, n), form, want);
        } else {
            ptx_error(p, op->loc, "%s cannot be a .%s operand of '%s'", describe(p, op, a), want, form);
        }
        break;
    case PTX_FAULT_RANGE:
        report_range(p, o, op);
        break;
    case PTX_FAULT_ELEMENTS:
        ptx_error(p, op->loc, "the %s operand of '%s' is a vector of %u, not %s", ordinal(f->operand, n), form,
                  f->count, describe(p, op, a));
        break;
    case PTX_FAULT_SPACE:
        ptx_error(p, op->loc, "'%.*s' is a .%s variable, which '%s' does not reach", (int)op->name_len, op->name,
                  ir_space_name((enum ir_space)op->space), form);
        break;
    case PTX_FAULT_SINK:
        ptx_error(p, op->loc, "the %s operand of '%s' cannot be thrown away", ordinal(f->operand, n), form);
        break;
    case PTX_FAULT_ADDRESS:
        report_address(p, f);
        break;
    case PTX_FAULT_SELECTOR:
        ptx_error(p, op->loc,
                  op->selector.kind == 0 ? "'%.*s' needs a selector such as .b0 or .h1 here"
                                         : "'%.*s' cannot have this selector here",
                  (int)op->name_len, op->name);
        break;
    case PTX_FAULT_NEGATION:
        ptx_error(p, op->loc,
                  op->offset != 0 ? "nothing can be added to register '%.*s' here"
                  : op->minus     ? "register '%.*s' cannot have a minus sign here"
                                  : "'%.*s' cannot be negated here",
                  (int)op->name_len, op->name);
        break;
    case PTX_FAULT_SPECIAL:
        ptx_error(p, op->loc, "special register '%s' can only be read by mov and cvt",
                  ir_sreg_info[ir_ref_index(op->ref)].name);
        break;
    case PTX_FAULT_SAMPLER:
        ptx_error(p, op->loc, "with texmode_independent a texture needs a sampler: [texture, sampler, {coordinates}]");
        break;
    default:
        ptx_error(p, op != NULL ? op->loc : inst->loc, "the %s operand of '%s' must be %s, not %s",
                  ordinal(f->operand, n), form, expected(c, o, b), op != NULL ? describe(p, op, a) : "missing");
        break;
    }
}
