/*
 * conformance_random: random programs through the emulator's configurations and a GPU, compared with each other and
 * with recorded results.  README.md explains the options; usage() lists them.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "campaign.h"

enum { EXIT_SAME = 0, EXIT_DIFFERENT = 1, EXIT_TROUBLE = 2, EXIT_SKIPPED = 77 };

struct options {
    struct campaign campaign;
    const char *record, *check;
    char *policies, *isas, *threads;
    uint64_t one; /* seed of --dump or --shrink */
    bool use_emulator, dump, shrink, seed_given, count_given;
    unsigned most_shrunk;
};

static int usage(void)
{
    fputs("usage: conformance_random [--engine emu|gpu|both] [--seed N] [--count N] [--per-module N] [--jobs N] "
          "[--level N]\n"
          "           [--policy LIST] [--threads LIST] [--isa LIST] [--record FILE] [--check FILE] [--shrink-most N]\n"
          "       conformance_random --dump SEED\n"
          "       conformance_random --shrink SEED [--engine ...] [--policy LIST] [--threads LIST] [--isa LIST]\n"
          "LIST: names with commas between them; every combination is one engine, compared with the first\n",
          stderr);
    return EXIT_TROUBLE;
}

/* --- options ------------------------------------------------------------------------------------ */
static const struct option long_options[] = {{"engine", required_argument, NULL, 'e'},
                                             {"seed", required_argument, NULL, 's'},
                                             {"count", required_argument, NULL, 'n'},
                                             {"per-module", required_argument, NULL, 'm'},
                                             {"level", required_argument, NULL, 'l'},
                                             {"jobs", required_argument, NULL, 'j'},
                                             {"policy", required_argument, NULL, 'p'},
                                             {"threads", required_argument, NULL, 't'},
                                             {"isa", required_argument, NULL, 'i'},
                                             {"record", required_argument, NULL, 'r'},
                                             {"check", required_argument, NULL, 'c'},
                                             {"dump", required_argument, NULL, 'd'},
                                             {"shrink", required_argument, NULL, 'k'},
                                             {"shrink-most", required_argument, NULL, 'K'},
                                             {NULL, 0, NULL, 0}};

static bool set_engine(struct options *o, const char *name)
{
    o->campaign.use_gpu = strcmp(name, "gpu") == 0 || strcmp(name, "both") == 0;
    o->use_emulator = strcmp(name, "emu") == 0 || strcmp(name, "both") == 0;
    return o->campaign.use_gpu || o->use_emulator;
}

static bool set_option(struct options *o, int letter, char *value)
{
    struct campaign *c = &o->campaign;
    const unsigned long long number = strtoull(value, NULL, 0);

    switch (letter) {
    case 'e':
        return set_engine(o, value);
    case 's':
        o->seed_given = true;
        c->first = number;
        return true;
    case 'n':
        o->count_given = true;
        c->count = (unsigned)number;
        return number > 0;
    case 'l':
        c->level = (unsigned)number;
        return number <= 4;
    case 'm':
        c->per_module = (unsigned)number;
        return number > 0;
    case 'j':
        c->jobs = (unsigned)number;
        return number > 0;
    case 'p':
        o->policies = value;
        return true;
    case 't':
        o->threads = value;
        return true;
    case 'i':
        o->isas = value;
        return true;
    case 'r':
        o->record = value;
        return true;
    case 'c':
        o->check = value;
        return true;
    case 'd':
    case 'k':
        o->one = number;
        o->dump = letter == 'd';
        o->shrink = letter == 'k';
        return true;
    case 'K':
        o->most_shrunk = (unsigned)number;
        return true;
    default:
        return false;
    }
}

/* Split at commas, in place; returns how many. */
static unsigned split(char *list, const char *words[8])
{
    unsigned n = 0;

    for (char *word = strtok(list, ","); word != NULL && n < 8; word = strtok(NULL, ",")) {
        words[n++] = word;
    }
    return n;
}

/* Every combination of the three lists. */
static void combine(struct options *o)
{
    const char *policies[8] = {"converge"}, *isas[8] = {NULL}, *threads[8] = {"1"};
    const unsigned n_policies = o->policies != NULL ? split(o->policies, policies) : 1;
    const unsigned n_isas = o->isas != NULL ? split(o->isas, isas) : 1;
    const unsigned n_threads = o->threads != NULL ? split(o->threads, threads) : 1;
    struct campaign *c = &o->campaign;

    for (unsigned i = 0; o->use_emulator && i < n_policies * n_isas * n_threads && c->n_emulators < MOST_ENGINES - 1;
         i++) {
        c->emulators[c->n_emulators++] = (struct emulator_options){
            policies[i / n_isas / n_threads], isas[i / n_threads % n_isas], (unsigned)atoi(threads[i % n_threads])};
    }
}

static bool read_options(struct options *o, int argc, char **argv)
{
    int letter;

    *o = (struct options){.campaign = {.first = 1, .count = 300, .per_module = 16, .jobs = 1, .level = 4},
                          .use_emulator = true};
    while ((letter = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        if (!set_option(o, letter, optarg)) {
            return false;
        }
    }
    combine(o);
    return optind == argc;
}

/* --- results ------------------------------------------------------------------------------------ */
static const char *engine_name(const struct campaign *c, unsigned index, char name[64])
{
    if (c->use_gpu && index == 0) {
        return "gpu";
    }
    const struct emulator_options *e = &c->emulators[index - c->use_gpu];

    snprintf(name, 64, "%s, %s handlers, %u threads", e->policy, e->isa != NULL ? e->isa : "best", e->threads);
    return name;
}

/* Programs that did not run or about which engines disagree. */
static unsigned print_differences(const struct campaign *c, const struct result *results)
{
    static const char *const states[] = {"not run", "not run to the end", "ran", "refused", "failed", "crashed"};
    unsigned wrong = 0;
    char a[64], b[64];

    for (unsigned i = 0; i < c->count; i++) {
        const struct result *r = &results[i];

        if (r->state != STATE_DONE) {
            printf("seed %llu: %s\n", (unsigned long long)(c->first + i), states[r->state]);
        } else if (r->differs != 0) {
            printf("seed %llu: %s differs from %s\n", (unsigned long long)(c->first + i),
                   engine_name(c, r->differs - 1u, b), engine_name(c, 0, a));
        }
        wrong += r->state != STATE_DONE || r->differs != 0;
    }
    return wrong;
}

static unsigned print_disagreements(const struct campaign *c, const struct result *results, const struct record *record)
{
    unsigned counts[4] = {0};

    for (unsigned i = 0; i < c->count; i++) {
        const enum agreement agreement = record_compare(record, c->first + i, &results[i]);

        counts[agreement]++;
        if (agreement == OTHER_RESULT) {
            printf("seed %llu: not the recorded result\n", (unsigned long long)(c->first + i));
        }
    }
    printf("%u as recorded, %u not, %u without a record\n", counts[AGREES], counts[OTHER_RESULT], counts[NOT_RECORDED]);
    if (counts[OTHER_TEXT] > 0) {
        printf("%u programs are not those that were recorded: the generator has changed, record again\n",
               counts[OTHER_TEXT]);
    }
    return counts[OTHER_RESULT] + counts[OTHER_TEXT] + (counts[AGREES] == 0);
}

/* Make the first few differences small. */
static void shrink_differences(const struct campaign *c, const struct result *results, unsigned most)
{
    struct engine *engines[MOST_ENGINES];
    unsigned count;
    bool missing;

    if (most == 0 || !campaign_open(c, engines, &count, &missing)) {
        return;
    }
    for (unsigned i = 0; i < c->count && most > 0; i++) {
        if (results[i].state == STATE_DONE && results[i].differs != 0) {
            shrink(c->first + i, engines[0], engines[results[i].differs - 1], stdout);
            most--;
        }
    }
}

/* --- what can be asked for ------------------------------------------------------------------------ */
static int dump(uint64_t seed)
{
    const struct shape shape = shape_of(seed);
    struct text text = {0};

    program_header(&text);
    program_write(seed, NULL, &text);
    printf("// seed %llu, grid %u, block %u\n%s", (unsigned long long)seed, shape.grid, shape.block, text.at);
    text_free(&text);
    return EXIT_SAME;
}

static int shrink_one(const struct options *o)
{
    struct engine *engines[MOST_ENGINES];
    unsigned count;
    bool missing;

    if (!campaign_open(&o->campaign, engines, &count, &missing)) {
        return missing ? EXIT_SKIPPED : EXIT_TROUBLE;
    }
    for (unsigned i = 1; i < count; i++) {
        shrink(o->one, engines[0], engines[i], stdout);
    }
    return EXIT_SAME;
}

/* A process of its own asks for the GPU, since a process that has a context must not fork. */
static bool gpu_is_missing(const struct campaign *c)
{
    struct campaign probe = {.count = 1, .per_module = 1, .jobs = 1, .use_gpu = true, .first = c->first};
    struct result result[1] = {{0}};

    return c->use_gpu && !campaign_run(&probe, result);
}

static int run(struct options *o)
{
    struct campaign *c = &o->campaign;
    struct record record = {0};
    unsigned wrong = 0;

    if (o->check != NULL && !record_read(o->check, &record)) {
        return EXIT_TROUBLE;
    }
    if (o->check != NULL && !o->seed_given) {
        c->first = record.first;
        c->count = o->count_given ? c->count : record.count;
    }
    if (gpu_is_missing(c)) {
        puts("skipped: no NVIDIA driver (libcuda.so.1) or no GPU");
        return EXIT_SKIPPED;
    }
    struct result *results =
        mmap(NULL, c->count * sizeof *results, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (results == MAP_FAILED || !campaign_run(c, results)) {
        return EXIT_TROUBLE;
    }
    wrong = print_differences(c, results);
    printf("%u programs on %u engines, %u differ or did not run\n", c->count, c->n_emulators + c->use_gpu, wrong);
    if (o->check != NULL) {
        wrong += print_disagreements(c, results, &record);
    }
    if (o->record != NULL && !record_write(o->record, c, results)) {
        return EXIT_TROUBLE;
    }
    fflush(stdout);
    shrink_differences(c, results, o->most_shrunk);
    free(record.results);
    return wrong == 0 ? EXIT_SAME : EXIT_DIFFERENT;
}

int main(int argc, char **argv)
{
    struct options options;

    if (!read_options(&options, argc, argv)) {
        return usage();
    }
    if (options.dump) {
        return dump(options.one);
    }
    return options.shrink ? shrink_one(&options) : run(&options);
}
