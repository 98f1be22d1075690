/*
 * sem_vectors DIRECTORY [FAMILY [NAME-PREFIX]]: compare every recorded arithmetic result with the meanings.
 * sem_vectors --hash FILE [STEP]: compare over all operands, every STEP-th block of them (vectors_hash.c).
 *
 * Prints each kernel that differs with its first differing records, and each that no function was found for.  Exit
 * status 0 only if all kernels of the arithmetic families were compared and all their records are equal bit for
 * bit. Kernels of other families (memory, warp, control) are counted and passed over.
 */
#include "vectors.h"
#include "sem_env.h"

#include "tests/conformance/recorded.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE_BYTES = 1024, SHOWN = 3 };

/* A field of a record. */
struct field {
    size_t offset, size;
};

/* A recorded kernel with the fields of its records. */
struct kernel {
    const struct recorded *recorded;
    struct field in[VEC_FIELDS], out[VEC_FIELDS];
    size_t n_in, n_out;
};

struct tally {
    size_t kernels, others, unknown, records, matched;
};

static size_t field_size(const char *type)
{
    if (strncmp(type, "pred", 4) == 0 || strstr(type, "x2") != NULL) {
        return 4;
    }
    return (size_t)atoi(type + strcspn(type, "0123456789")) / 8;
}

static size_t read_fields(const char *text, struct field *fields)
{
    char copy[LINE_BYTES];
    size_t n = 0;

    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok(copy, " "); word != NULL && n < VEC_FIELDS; word = strtok(NULL, " ")) {
        char *at = strchr(word, '@');

        if (at == NULL) {
            break;
        }
        *at = '\0';
        fields[n++] = (struct field){.offset = (size_t)atoi(at + 1), .size = field_size(word)};
    }
    return n;
}

static const char *const type_words[] = {
    "u8",  "u16", "u32",  "u64",   "s8",     "s16",   "s32",   "s64",    "b8",     "b16",  "b32", "b64", "f16", "bf16",
    "f32", "f64", "tf32", "f16x2", "bf16x2", "u16x2", "s16x2", "e4m3x2", "e5m2x2", "pred", "u4",  "s4",  "u2",  "s2",
};
static const char *const cmp_words[] = {"eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
                                        "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
static const char *const mode_words[] = {"rn", "rz", "rm", "rp", "rna"};

static int find_word(const char *word, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(word, words[i]) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* A rounding word, with or without the i of the integral roundings. */
static bool take_mode(const char *word, struct vec_inst *inst)
{
    size_t length = strlen(word);
    char base[VEC_NAME];

    snprintf(base, sizeof base, "%s", word);
    if (length == 3 && word[2] == 'i') {
        base[2] = '\0';
    }
    int mode = find_word(base, mode_words, VEC_COUNT(mode_words));
    if (mode < 0) {
        return false;
    }
    inst->mode = (unsigned)mode;
    inst->has_mode = true;
    inst->integral = base[2] == '\0' && length == 3;
    return true;
}

static unsigned env_bit(const char *word)
{
    static const char *const words[] = {"ftz", "sat", "NaN", "xorsign", "relu", "none", "satfinite"};
    static const unsigned bits[] = {FP_FTZ, FP_SAT, FP_PASS_NAN, FP_XORSIGN, FP_RELU, 0, FP_SATFINITE};
    int i = find_word(word, words, VEC_COUNT(words));

    return i < 0 ? 0 : bits[i];
}

static void take_word(const char *word, struct vec_inst *inst)
{
    bool compares = strncmp(inst->op, "set", 3) == 0 || strncmp(inst->op, "vset", 4) == 0;
    unsigned bit = env_bit(word);
    int cmp = compares ? find_word(word, cmp_words, VEC_COUNT(cmp_words)) : -1;

    if (cmp >= 0) {
        inst->cmp = (unsigned)cmp;
    } else if (find_word(word, type_words, VEC_COUNT(type_words)) >= 0) {
        if (inst->n_types < VEC_WORDS) {
            snprintf(inst->types[inst->n_types++], VEC_NAME, "%s", word);
        }
    } else if (bit != 0) {
        inst->env |= bit;
    } else if (strcmp(word, "abs") == 0 && (inst->env & FP_XORSIGN)) {
        return;
    } else if (strcmp(word, "neg") == 0 && compares) {
        inst->negated = true;
    } else if (compares || (inst->op[0] == 'v' && inst->n_types > 0)) {
        snprintf(inst->combine, sizeof inst->combine, "%s", word);
    } else if (!take_mode(word, inst)) {
        snprintf(inst->op + strlen(inst->op), VEC_NAME - strlen(inst->op), "_%s", word);
    }
}

static void parse_instruction(const char *text, struct vec_inst *inst)
{
    char copy[256];

    *inst = (struct vec_inst){.text = text};
    snprintf(copy, sizeof copy, "%s", text);
    copy[strcspn(copy, " ")] = '\0';
    char *word = strtok(copy, ".");
    snprintf(inst->op, sizeof inst->op, "%s", word);
    while ((word = strtok(NULL, ".")) != NULL) {
        take_word(word, inst);
    }
    for (size_t i = 0; i < inst->n_types; i++) {
        snprintf(inst->type_list + strlen(inst->type_list), sizeof inst->type_list - strlen(inst->type_list), "%s%s",
                 i == 0 ? "" : ".", inst->types[i]);
    }
}

vec_function *vec_lookup(const struct vec_entry *table, size_t n, const struct vec_inst *inst)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(table[i].op, inst->op) == 0 && strcmp(table[i].types, inst->type_list) == 0) {
            return table[i].run;
        }
    }
    return NULL;
}

typedef vec_function *vec_finder(const struct vec_inst *inst);

/* NULL for families that are not arithmetic. */
static vec_finder *find_family(const char *family)
{
    static const struct {
        const char *family;
        vec_finder *find;
    } families[] = {
        {"int", vec_find_int},   {"int_carry", vec_find_int}, {"logic", vec_find_int}, {"f32", vec_find_float},
        {"f64", vec_find_float}, {"half", vec_find_half},     {"cvt", vec_find_cvt},   {"setp", vec_find_cmp},
        {"mufu", vec_find_mufu}, {"video", vec_find_video},
    };

    for (size_t i = 0; i < VEC_COUNT(families); i++) {
        if (strcmp(family, families[i].family) == 0) {
            return families[i].find;
        }
    }
    return NULL;
}

static void load(const uint8_t *record, const struct field *fields, size_t n, uint64_t *values)
{
    for (size_t i = 0; i < n; i++) {
        values[i] = 0;
        memcpy(&values[i], record + fields[i].offset, fields[i].size);
    }
}

static void show(const struct kernel *k, size_t i, const uint64_t *in, const uint64_t *want, const uint64_t *got)
{
    printf("    record %zu:", i);
    for (size_t f = 0; f < k->n_in; f++) {
        printf(" %llx", (unsigned long long)in[f]);
    }
    for (size_t f = 0; f < k->n_out; f++) {
        if (want[f] != got[f]) {
            printf(" | out %zu want %llx got %llx", f, (unsigned long long)want[f], (unsigned long long)got[f]);
        }
    }
    printf("\n");
}

/* The line of the kernel's PTX that starts with a video mnemonic; the instruction column leaves out its selectors. */
static void read_video_line(const struct recorded *r, struct vec_inst *inst)
{
    const char *line = memmem(r->ptx, r->ptx_bytes, "\n\tv", strlen("\n\tv"));

    if (line != NULL) {
        snprintf(inst->line, sizeof inst->line, "%.*s", (int)strcspn(line + 2, "\n"), line + 2);
        /* the words of the line itself, where the column has only a name */
        char kept[sizeof inst->line];
        memcpy(kept, inst->line, sizeof kept);
        parse_instruction(kept, inst);
        memcpy(inst->line, kept, sizeof kept);
        inst->text = r->instruction;
    }
}

static size_t compare(const struct kernel *k, const struct vec_inst *inst, vec_function *run)
{
    static const int host_modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD, FE_TONEAREST};
    const struct recorded *r = k->recorded;
    size_t matched = 0, shown = 0;

    for (size_t i = 0; i < r->n; i++) {
        uint64_t a[VEC_FIELDS] = {0}, want[VEC_FIELDS] = {0}, got[VEC_FIELDS] = {0};

        load(r->in + i * r->in_stride, k->in, k->n_in, a);
        load(r->out + i * r->out_stride, k->out, k->n_out, want);
        fesetround(host_modes[inst->mode]);
        run(a, got, inst);
        fesetround(FE_TONEAREST);
        for (size_t f = 0; f < k->n_out; f++) {
            got[f] &= ~(uint64_t)0 >> (64 - 8 * k->out[f].size);
        }
        if (memcmp(want, got, k->n_out * sizeof want[0]) == 0) {
            matched++;
        } else if (shown++ < SHOWN) {
            if (shown == 1) {
                printf("%s (%s)\n", r->name, r->instruction);
            }
            show(k, i, a, want, got);
        }
    }
    if (matched != r->n) {
        printf("    %zu of %u differ\n", r->n - matched, r->n);
    }
    return matched;
}

/* Compare one kernel and count it. */
static void check_kernel(const struct recorded *r, struct tally *total)
{
    struct kernel k = {.recorded = r};
    struct vec_inst inst;
    vec_finder *find = find_family(r->family);

    total->kernels++;
    if (find == NULL) {
        total->others++;
        return;
    }
    parse_instruction(r->instruction, &inst);
    if (strcmp(r->family, "video") == 0) {
        read_video_line(r, &inst);
    }
    vec_function *run = find(&inst);
    if (run == NULL) {
        total->unknown++;
        printf("no function: %s %s\n", r->family, r->instruction);
        return;
    }
    k.n_in = read_fields(r->in_fields, k.in);
    k.n_out = read_fields(r->out_fields, k.out);
    total->records += r->n;
    total->matched += compare(&k, &inst, run);
}

static int check_directory(const char *directory, const char *family, const char *prefix)
{
    struct tally total = {0};
    struct recorded_set set;

    if (!recorded_read(directory, &set)) {
        return 2;
    }
    for (size_t i = 0; i < set.count; i++) {
        const struct recorded *r = &set.at[i];

        if ((family[0] == '\0' || strcmp(family, r->family) == 0) && strncmp(prefix, r->name, strlen(prefix)) == 0) {
            check_kernel(r, &total);
        }
    }
    recorded_free(&set);
    printf("%zu kernels: %zu of other families, %zu not compared; %zu of %zu records equal\n", total.kernels,
           total.others, total.unknown, total.matched, total.records);
    return total.records > 0 && total.unknown == 0 && total.matched == total.records ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc >= 3 && strcmp(argv[1], "--hash") == 0) {
        return vec_check_hashes(argv[2], argc > 3 ? (unsigned)atoi(argv[3]) : 1);
    }
    if (argc < 2) {
        fprintf(stderr, "usage: sem_vectors DIRECTORY [FAMILY [NAME-PREFIX]]\n       sem_vectors --hash FILE [STEP]\n");
        return 2;
    }
    return check_directory(argv[1], argc > 2 ? argv[2] : "", argc > 3 ? argv[3] : "");
}
