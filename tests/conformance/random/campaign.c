/*
 * The processes of a campaign.  Worker w of n takes every n-th module.  A worker that dies, as one does whose GPU
 * context broke, leaves the program it was at marked as running; the next worker in its place counts that one as
 * crashed and goes on behind it.
 */
#include "campaign.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool campaign_open(const struct campaign *c, struct engine *engines[MOST_ENGINES], unsigned *count, bool *missing)
{
    *count = 0;
    *missing = false;
    if (c->use_gpu) {
        engines[*count] = gpu_open(c->level, missing);
        if (engines[(*count)++] == NULL) {
            return false;
        }
    }
    for (unsigned i = 0; i < c->n_emulators; i++) {
        engines[*count] = emulator_open(&c->emulators[i]);
        if (engines[(*count)++] == NULL) {
            return false;
        }
    }
    return true;
}

/* --- one module ------------------------------------------------------------------------------- */
struct worker {
    const struct campaign *campaign;
    struct result *results;
    struct engine *engines[MOST_ENGINES];
    unsigned n_engines;
    uint8_t in[MOST_IN_BYTES], out[MOST_OUT_BYTES];
};

static void note_outcome(struct worker *w, unsigned engine, unsigned program, enum outcome outcome, size_t bytes)
{
    static const uint8_t states[] = {
        [RAN] = STATE_DONE, [REFUSED] = STATE_REFUSED, [FAILED] = STATE_FAILED, [BROKEN] = STATE_CRASHED};
    struct result *r = &w->results[program];
    const uint64_t hash = outcome == RAN ? hash_bytes(w->out, bytes) : 0;

    if (outcome != RAN) {
        fprintf(stderr, "seed %llu: %s: %s\n", (unsigned long long)(w->campaign->first + program),
                w->engines[engine]->name, w->engines[engine]->message);
    }
    if (engine == 0) {
        r->hash = hash;
        r->state = states[outcome];
    } else if (r->differs == 0 && (r->hash != hash || r->state != states[outcome])) {
        r->differs = (uint8_t)(engine + 1);
    }
}

static enum outcome run_program(struct worker *w, unsigned engine, unsigned program)
{
    const struct shape shape = shape_of(w->campaign->first + program);

    shape_fill(&shape, w->in, w->out);
    const enum outcome outcome = w->engines[engine]->run(w->engines[engine], &shape, w->in, w->out);

    note_outcome(w, engine, program, outcome, shape_out_bytes(&shape));
    return outcome;
}

/* A text for each engine; one program that is refused makes a module of several be refused, so then each is tried
 * alone.
 */
static bool run_module(struct worker *w, unsigned engine, unsigned first, unsigned end)
{
    struct engine *e = w->engines[engine];
    struct text text = {0};
    bool whole = true;

    program_header(&text);
    for (unsigned i = first; i < end; i++) {
        const size_t start = text.length;

        program_write(w->campaign->first + i, NULL, &text);
        w->results[i].text = (uint32_t)hash_bytes(text.at + start, text.length - start);
    }
    if (e->load(e, text.at, text.length)) {
        for (unsigned i = first; i < end && whole; i++) {
            whole = run_program(w, engine, i) != BROKEN;
        }
        if (whole) {
            e->unload(e);
        }
    } else if (end - first == 1) {
        note_outcome(w, engine, first, REFUSED, 0);
    } else {
        for (unsigned i = first; i < end && whole; i++) {
            whole = run_module(w, engine, i, i + 1);
        }
    }
    text_free(&text);
    return whole;
}

/* False: an engine broke and the process must end.  Programs that have not met all engines then count as not done. */
static bool run_chunk(struct worker *w, unsigned first, unsigned end)
{
    bool whole = true;

    for (unsigned i = first; i < end; i++) {
        w->results[i].state = STATE_RUNNING;
        w->results[i].tries++;
    }
    for (unsigned engine = 0; engine < w->n_engines && whole; engine++) {
        whole = run_module(w, engine, first, end);
    }
    for (unsigned i = first; i < end && !whole; i++) {
        w->results[i].state = w->results[i].state == STATE_DONE ? STATE_RUNNING : w->results[i].state;
    }
    return whole;
}

/* --- processes -------------------------------------------------------------------------------- */
enum { WORKER_DONE, WORKER_NO_ENGINE, WORKER_BROKEN };

/* Programs that a dead worker left, one by one: which of them killed it shows when it does so again. */
static bool take_up(struct worker *w, unsigned first, unsigned end)
{
    for (unsigned i = first; i < end; i++) {
        struct result *r = &w->results[i];

        if (r->state == STATE_RUNNING && r->tries > 1) {
            r->state = STATE_CRASHED;
        } else if (r->state <= STATE_RUNNING && !run_chunk(w, i, i + 1)) {
            return false;
        }
    }
    return true;
}

static int work(const struct campaign *c, struct result *results, unsigned nth)
{
    struct worker *w = calloc(1, sizeof *w);
    bool missing;

    if (w == NULL || !campaign_open(c, w->engines, &w->n_engines, &missing)) {
        return WORKER_NO_ENGINE;
    }
    w->campaign = c;
    w->results = results;
    for (unsigned first = nth * c->per_module; first < c->count; first += c->jobs * c->per_module) {
        const unsigned end = first + c->per_module < c->count ? first + c->per_module : c->count;
        bool fresh = true;

        for (unsigned i = first; i < end; i++) {
            fresh = fresh && results[i].state == STATE_NEW;
        }
        if (!(fresh ? run_chunk(w, first, end) : take_up(w, first, end))) {
            return WORKER_BROKEN;
        }
    }
    for (unsigned i = 0; i < w->n_engines; i++) {
        w->engines[i]->close(w->engines[i]);
    }
    free(w);
    return WORKER_DONE;
}

static pid_t start_worker(const struct campaign *c, struct result *results, unsigned nth)
{
    fflush(NULL);
    const pid_t pid = fork();

    if (pid == 0) {
        const int status = work(c, results, nth);

        fflush(NULL);
        _exit(status);
    }
    return pid;
}

bool campaign_run(const struct campaign *c, struct result *results)
{
    pid_t *pids = calloc(c->jobs, sizeof *pids);
    unsigned running = c->jobs, restarts = 0;
    bool good = pids != NULL;

    for (unsigned i = 0; good && i < c->jobs; i++) {
        pids[i] = start_worker(c, results, i);
    }
    while (good && running > 0) {
        int status = 0;
        const pid_t pid = wait(&status);
        unsigned nth = 0;

        while (nth < c->jobs && pids[nth] != pid) {
            nth++;
        }
        if (pid < 0 || nth == c->jobs || (WIFEXITED(status) && WEXITSTATUS(status) == WORKER_DONE)) {
            running--;
        } else if ((WIFEXITED(status) && WEXITSTATUS(status) == WORKER_NO_ENGINE) || ++restarts > 100) {
            good = false;
        } else {
            pids[nth] = start_worker(c, results, nth);
        }
    }
    free(pids);
    return good;
}
