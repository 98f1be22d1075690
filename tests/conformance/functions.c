/*
 * Functions of one 32-bit operand over all 2^32 operands, and divisions over 2^24 pairs, through the whole engine.
 *
 *   conformance_functions [-t HOST-THREADS] [-s STEP] FILE [INSTRUCTION-PREFIX]
 *
 * FILE is hash32.tsv or hashpair.tsv of data/functions (data/README.md): a line has an instruction and the hashes of
 * its results on hardware, one for each block of operands.  A kernel made from the instruction computes the same
 * hashes; every STEP-th block is compared, a different one for each line.  Exit status 0: all compared hashes are
 * equal.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "include/ptxemu.h"
#include "recorded.h"

enum { CTAS_PER_BLOCK = 8, THREADS = 128, WORDS = 12, WORD_BYTES = 16, MOST_BLOCKS = 256 };

/* What is run and how. */
struct options {
    unsigned host_threads, step;
    const char *path, *prefix;
};

/* An instruction of the file. */
struct function {
    const char *text;                                /* up to the first space or tab */
    char mnemonic[WORD_BYTES], types[2][WORD_BYTES]; /* of the destination, of the source */
    const char *remark;
    bool is_pair; /* two operands: a division */
};

/* --- the kernel --------------------------------------------------------------------------- */
static bool is_type(const char *word)
{
    return strchr("fsubte", word[0]) != NULL && strpbrk(word, "0123456789") != NULL;
}

/* Take the instruction apart; a function of one type has it on both sides. */
static struct function function_of(char *instruction)
{
    struct function f = {.text = instruction};
    char words[WORDS * WORD_BYTES], *rest = NULL;
    unsigned n = 0;

    snprintf(words, sizeof words, "%s", instruction);
    for (char *word = strtok_r(words, ".", &rest); word != NULL; word = strtok_r(NULL, ".", &rest)) {
        if (f.mnemonic[0] == '\0') {
            snprintf(f.mnemonic, WORD_BYTES, "%.*s", WORD_BYTES - 1, word);
        } else if (is_type(word) && n < 2) {
            snprintf(f.types[n++], WORD_BYTES, "%.*s", WORD_BYTES - 1, word);
        }
    }
    if (n == 1) {
        memcpy(f.types[1], f.types[0], WORD_BYTES);
    }
    f.is_pair = strcmp(f.mnemonic, "div") == 0;
    return f;
}

/* z = mix64(z), the bits of a counter turned into bits without a pattern. */
static const char mix64[] =
    "    shr.u64 %t, %z, 30;\n    xor.b64 %z, %z, %t;\n    mul.lo.u64 %z, %z, 0xbf58476d1ce4e5b9;\n"
    "    shr.u64 %t, %z, 27;\n    xor.b64 %z, %z, %t;\n    mul.lo.u64 %z, %z, 0x94d049bb133111eb;\n"
    "    shr.u64 %t, %z, 31;\n    xor.b64 %z, %z, %t;\n";

/* %x to %y, the result as 32 bits. */
static void put_function(FILE *out, const struct function *f)
{
    const bool is_packed = strcmp(f->types[0], "e4m3x2") == 0 || strcmp(f->types[0], "e5m2x2") == 0;
    const bool is_half = is_packed || strcmp(f->types[0], "f16") == 0 || strcmp(f->types[0], "bf16") == 0;

    if (strcmp(f->types[0], "f64") == 0) {
        fprintf(out, "    mov.b64 %%wide, {%s, %%x};\n    %s %%wide, %%wide;\n",
                f->remark != NULL && strstr(f->remark, "0xdeadbeef") != NULL ? "0xdeadbeef" : "0", f->text);
        fprintf(out, "    mov.b64 {%%low, %%high}, %%wide;\n    xor.b32 %%y, %%low, %%high;\n");
    } else if (is_half) {
        fprintf(out, "    %s %%half, %%x%s;\n    cvt.u32.u16 %%y, %%half;\n", f->text, is_packed ? ", 0f00000000" : "");
    } else {
        fprintf(out, "    %s %%y, %%x;\n", f->text);
    }
}

/* Pair number %x to %y, the bits of the quotient; the operands come from the counters 2x and 2x + 1. */
static void put_division(FILE *out, const struct function *f)
{
    for (unsigned operand = 0; operand < 2; operand++) {
        fprintf(out, "    cvt.u64.u32 %%z, %%x;\n    shl.b64 %%z, %%z, 1;\n    add.u64 %%z, %%z, %u;\n", operand + 1);
        fprintf(out, "    mad.lo.u64 %%z, %%z, 0x9e3779b97f4a7c15, 1;\n%s    mov.b64 {%%low, %%high}, %%z;\n", mix64);
        fprintf(out, "    mov.b32 %%%c, %%high;\n", 'a' + operand);
    }
    fprintf(out, "    %s %%y, %%a, %%b;\n", f->text);
}

/*
 * A CTA has a part of a block of 2^`bits` operands; its threads take them in turn, so a warp has 32 in a row, and add
 * up mix64(operand << 32 | result).  The list `blocks` says which block is meant.
 */
static void put_kernel(FILE *out, const struct function *f, unsigned bits)
{
    fprintf(out,
            ".version 8.6\n.target sm_90\n.address_size 64\n"
            ".visible .entry k(.param .u64 blocks, .param .u64 hashes)\n{\n"
            "    .reg .pred %%more;\n    .reg .b16 %%half;\n    .reg .b32 %%x, %%y, %%a, %%b, %%low, %%high, %%end;\n"
            "    .reg .b32 %%part, %%of, %%thread;\n    .reg .b64 %%z, %%t, %%sum, %%wide, %%at, %%hash;\n");
    fprintf(out, "    mov.u32 %%of, %%ctaid.x;\n    and.b32 %%part, %%of, %d;\n    div.u32 %%of, %%of, %d;\n",
            CTAS_PER_BLOCK - 1, CTAS_PER_BLOCK);
    fprintf(out,
            "    ld.param.u64 %%at, [blocks];\n    mad.wide.u32 %%at, %%of, 4, %%at;\n    ld.global.u32 %%x, [%%at];\n"
            "    ld.param.u64 %%hash, [hashes];\n    mad.wide.u32 %%hash, %%of, 8, %%hash;\n");
    fprintf(out, "    shl.b32 %%x, %%x, %u;\n    mad.lo.u32 %%x, %%part, %u, %%x;\n    add.u32 %%end, %%x, %u;\n", bits,
            (1u << bits) / CTAS_PER_BLOCK, (1u << bits) / CTAS_PER_BLOCK - THREADS);
    fprintf(out,
            "    mov.u32 %%thread, %%tid.x;\n    add.u32 %%x, %%x, %%thread;\n    add.u32 %%end, %%end, %%thread;\n"
            "    mov.u64 %%sum, 0;\nNEXT:\n");
    if (f->is_pair) {
        put_division(out, f);
    } else {
        put_function(out, f);
    }
    fprintf(out, "    mov.b64 %%z, {%%y, %%x};\n%s    add.u64 %%sum, %%sum, %%z;\n", mix64);
    fprintf(out, "    setp.ne.u32 %%more, %%x, %%end;\n    add.u32 %%x, %%x, %d;\n    @%%more bra NEXT;\n", THREADS);
    fprintf(out, "    red.global.add.u64 [%%hash], %%sum;\n    ret;\n}\n");
}

/* --- running ------------------------------------------------------------------------------ */
static bool launch(ptxemu_device *device, const char *text, unsigned host_threads, const uint32_t *blocks, unsigned n,
                   uint64_t *hashes)
{
    ptxemu_module *module = NULL;
    uint64_t params[2] = {0, 0};
    bool done = ptxemu_module_load(device, "function", text, strlen(text), &module) == PTXEMU_OK &&
                ptxemu_alloc(device, n * sizeof *blocks, "blocks", &params[0]) == PTXEMU_OK &&
                ptxemu_write(device, params[0], blocks, n * sizeof *blocks) == PTXEMU_OK &&
                ptxemu_alloc(device, n * sizeof *hashes, "hashes", &params[1]) == PTXEMU_OK &&
                ptxemu_write(device, params[1], hashes, n * sizeof *hashes) == PTXEMU_OK;

    if (done) {
        const ptxemu_launch launch = {.size = sizeof launch,
                                      .grid = {n * CTAS_PER_BLOCK, 1, 1},
                                      .block = {THREADS, 1, 1},
                                      .params = params,
                                      .params_bytes = sizeof params,
                                      .host_threads = host_threads};

        done = ptxemu_run(ptxemu_kernel_find(module, "k"), &launch) == PTXEMU_OK &&
               ptxemu_read(device, hashes, params[1], n * sizeof *hashes) == PTXEMU_OK;
    }
    if (!done) {
        printf("%s\n", ptxemu_last_error(device));
    }
    ptxemu_free(device, params[0]);
    ptxemu_free(device, params[1]);
    ptxemu_module_unload(module);
    return done;
}

/* The wanted hashes of every step-th block from `first` on, and the numbers of the blocks. */
static unsigned choose_blocks(char *hashes, unsigned first, unsigned step, uint32_t *blocks, uint64_t *want,
                              unsigned *total)
{
    unsigned n = 0;

    *total = 0;
    for (char *word = strtok(hashes, "\t"); word != NULL && *total < MOST_BLOCKS; word = strtok(NULL, "\t")) {
        if (*total % step == first % step) {
            blocks[n] = *total;
            want[n++] = strtoull(word, NULL, 16);
        }
        ++*total;
    }
    return n;
}

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Compare one line; adds to the blocks compared and equal. */
static bool check(ptxemu_device *device, const struct options *o, char *line, unsigned number, unsigned *compared,
                  unsigned *equal)
{
    static const unsigned operand_bits = 24, pair_bits = 18; /* of a block */
    uint32_t blocks[MOST_BLOCKS];
    uint64_t want[MOST_BLOCKS], got[MOST_BLOCKS] = {0};
    char *hashes = strchr(line, '\t'), *remark = strchr(line, ' '), *text = NULL;
    size_t length = 0;
    unsigned total, good = 0;
    FILE *out = open_memstream(&text, &length);

    *hashes++ = '\0';
    if (remark != NULL) {
        *remark++ = '\0';
    }
    struct function f = function_of(line);

    f.remark = remark;
    const unsigned n = choose_blocks(hashes, number, o->step, blocks, want, &total);
    const double start = now_s();

    if (out == NULL) {
        return false;
    }
    put_kernel(out, &f, f.is_pair ? pair_bits : operand_bits);
    fclose(out);
    const bool ran = launch(device, text, o->host_threads, blocks, n, got);

    for (unsigned i = 0; i < n; i++) {
        good += ran && got[i] == want[i];
    }
    printf("%s%s%s: %u of %u blocks equal, of %u; %.1f s\n", line, remark != NULL ? " " : "",
           remark != NULL ? remark : "", good, n, total, now_s() - start);
    fflush(stdout);
    free(text);
    *compared += n;
    *equal += good;
    return ran;
}

/* --- options ------------------------------------------------------------------------------ */
static bool read_options(int argc, char **argv, struct options *o)
{
    *o = (struct options){.host_threads = 1, .step = 1, .prefix = ""};
    for (int option; (option = getopt(argc, argv, "t:s:")) != -1;) {
        if (option == 't') {
            o->host_threads = (unsigned)atoi(optarg);
        } else if (option == 's') {
            o->step = (unsigned)atoi(optarg);
        } else {
            return false;
        }
    }
    if (optind >= argc || o->step == 0) {
        return false;
    }
    o->path = argv[optind];
    o->prefix = optind + 1 < argc ? argv[optind + 1] : "";
    return true;
}

int main(int argc, char **argv)
{
    struct options o;
    unsigned number = 0, compared = 0, equal = 0;
    ptxemu_device *device = NULL;
    bool good = true;

    if (!read_options(argc, argv, &o)) {
        fprintf(stderr, "usage: conformance_functions [-t HOST-THREADS] [-s STEP] FILE [INSTRUCTION-PREFIX]\n");
        return 2;
    }
    struct blob file = recorded_text(o.path);

    if (file.bytes == NULL || ptxemu_device_open(NULL, &device, NULL) != PTXEMU_OK) {
        return 2;
    }
    char *next = (char *)file.bytes;
    for (char *line; (line = strsep(&next, "\n")) != NULL;) {
        if (*line != '#' && strchr(line, '\t') != NULL && strncmp(line, o.prefix, strlen(o.prefix)) == 0) {
            good = check(device, &o, line, number, &compared, &equal) && good;
            number++;
        }
    }
    printf("%u functions: %u of %u blocks equal\n", number, equal, compared);
    ptxemu_device_close(device);
    free(file.bytes);
    return good && compared > 0 && equal == compared ? 0 : 1;
}
