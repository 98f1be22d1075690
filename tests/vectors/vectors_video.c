/* Comparison of the video family.  The parsed words give types and operation; part selectors come from the PTX line. */
#include "vectors_adapt.h"

static const char *const op_words[] = {"vadd",  "vsub", "vabsdiff", "vmin", "vmax",
                                       "vavrg", "vshl", "vshr",     "vset", "vmad"};

/* "%ir0.b3210": the parts of operand number `operand` of the line, lowest last; returns how many characters there are.
 */
static size_t selector(const char *line, int operand, char *kind, char digits[5])
{
    const char *at = line + strcspn(line, " ");
    size_t n = 0;

    for (; operand > 0 && at != NULL; operand--) {
        at = strchr(at + 1, ',');
    }
    if (at == NULL) {
        return 0;
    }
    size_t end = 1 + strcspn(at + 1, ",;");
    const char *dot = memchr(at, '.', end);
    if (dot == NULL) {
        return 0;
    }
    *kind = dot[1];
    while (dot + 2 + n < at + end && n < 4) {
        digits[n] = dot[2 + n];
        n++;
    }
    return n;
}

static bool negated(const char *line, int operand)
{
    const char *at = line;

    for (; operand > 0 && at != NULL; operand--) {
        at = strchr(at + 1, ',');
    }
    return at != NULL && at[2] == '-';
}

static uint8_t scalar_part(const char *line, int operand)
{
    char kind = 0, digits[5] = {0};

    if (selector(line, operand, &kind, digits) == 0) {
        return PART_WORD;
    }
    return (uint8_t)((kind == 'h' ? PART_H0 : PART_B0) + (digits[0] - '0'));
}

/* SIMD operand: one digit per element, the highest first. */
static uint16_t simd_select(const char *line, int operand, uint16_t otherwise)
{
    char kind = 0, digits[5] = {0};
    size_t n = selector(line, operand, &kind, digits);
    uint16_t select = 0;

    for (size_t i = 0; i < n; i++) {
        select = (uint16_t)(select << 4 | (digits[i] - '0'));
    }
    return n == 0 ? otherwise : select;
}

static uint8_t simd_mask(const char *line)
{
    char kind = 0, digits[5] = {0};
    size_t n = selector(line, 0, &kind, digits);
    uint8_t mask = 0;

    for (size_t i = 0; i < n; i++) {
        mask |= (uint8_t)(1 << (digits[i] - '0'));
    }
    return n == 0 ? 0xf : mask;
}

static struct sem_video describe(const struct vec_inst *m)
{
    size_t length = strcspn(m->op, "_234");
    bool set = strncmp(m->op, "vset", 4) == 0;
    const char *a = m->types[set ? 0 : 1], *b = m->types[set ? 1 : 2];
    struct sem_video v = {.cmp = (uint8_t)m->cmp, .mask = 0xf, .elements = 1};

    for (size_t i = 0; i < VEC_COUNT(op_words); i++) {
        if (strlen(op_words[i]) == length && strncmp(op_words[i], m->op, length) == 0) {
            v.op = (uint8_t)i;
        }
    }
    v.elements = m->op[length] == '2' ? 2 : m->op[length] == '4' ? 4 : 1;
    v.a_signed = a[0] == 's';
    v.b_signed = b[0] == 's';
    v.d_signed = m->types[0][0] == 's';
    v.sat = (m->env & FP_SAT) != 0;
    v.wrap = strstr(m->line, ".wrap") != NULL;
    v.plus_one = strstr(m->line, ".po") != NULL;
    v.shift = strstr(m->line, ".shr7") != NULL ? 7 : strstr(m->line, ".shr15") != NULL ? 15 : 0;
    v.second = strstr(m->line, ".add ") != NULL   ? SECOND_ADD
               : strstr(m->line, ".min ") != NULL ? SECOND_MIN
               : strstr(m->line, ".max ") != NULL ? SECOND_MAX
                                                  : SECOND_NONE;
    v.negate_product = negated(m->line, 1) != negated(m->line, 2);
    v.negate_c = negated(m->line, 3);
    if (v.elements > 1) {
        v.mask = simd_mask(m->line);
        v.a_select = simd_select(m->line, 1, 0x3210);
        v.b_select = simd_select(m->line, 2, v.elements == 2 ? 0x32 : 0x7654);
    } else {
        v.d_part = scalar_part(m->line, 0);
        v.a_part = scalar_part(m->line, 1);
        v.b_part = scalar_part(m->line, 2);
    }
    return v;
}

static void video(const uint64_t *v, uint64_t *o, const struct vec_inst *m)
{
    struct sem_video spec = describe(m);

    o[0] = sem_video(&spec, (uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]);
}

vec_function *vec_find_video(const struct vec_inst *inst)
{
    return inst->line[0] == 'v' ? video : NULL;
}
