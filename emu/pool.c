/*
 * The pool of host threads.  Invariant: everything in it is read and changed under its lock; no launch runs under it.
 */
#include "emu/pool.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS_MOST = 4096 };

struct emu_pool {
    pthread_mutex_t lock;
    pthread_cond_t wanted;   /* somebody wants help, or the pool closes */
    struct machine *wanting; /* machines that want helpers, the oldest first */
    struct worker *idle;     /* workers that nobody uses */
    pthread_t *threads;
    unsigned n_threads, room, waiting; /* threads made, and those of them that wait */
    bool closing;
};

struct emu_pool *emu_pool_new(void)
{
    struct emu_pool *pool = calloc(1, sizeof *pool);

    if (pool != NULL) {
        pthread_mutex_init(&pool->lock, NULL);
        pthread_cond_init(&pool->wanted, NULL);
    }
    return pool;
}

void emu_pool_free(struct emu_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->wanted);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->n_threads; i++) {
        pthread_join(pool->threads[i], NULL);
    }
    while (pool->idle != NULL) {
        struct worker *worker = pool->idle;

        pool->idle = worker->next_idle;
        emu_worker_free(worker);
    }
    pthread_cond_destroy(&pool->wanted);
    pthread_mutex_destroy(&pool->lock);
    free(pool->threads);
    free(pool);
}

/* --- workers ---------------------------------------------------------------------------------- */
struct worker *emu_pool_worker(struct emu_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    struct worker *worker = pool->idle;

    if (worker != NULL) {
        pool->idle = worker->next_idle;
    }
    pthread_mutex_unlock(&pool->lock);
    return worker != NULL ? worker : emu_worker_new();
}

void emu_pool_return(struct emu_pool *pool, struct worker *worker)
{
    pthread_mutex_lock(&pool->lock);
    worker->next_idle = pool->idle;
    pool->idle = worker;
    pthread_mutex_unlock(&pool->lock);
}

/* --- threads ---------------------------------------------------------------------------------- */
/* Take a machine out of the list; nothing happens if it is not there. */
static void withdraw(struct emu_pool *pool, struct machine *m)
{
    struct machine **link = &pool->wanting;

    while (*link != NULL && *link != m) {
        link = &(*link)->next_wanting;
    }
    if (*link == m) {
        *link = m->next_wanting;
    }
}

/* Help the machine that has waited longest; the lock is held but while helping. */
static void help_one(struct emu_pool *pool)
{
    struct machine *m = pool->wanting;

    if (--m->helpers_wanted == 0) {
        withdraw(pool, m);
    }
    m->helpers++;
    pthread_mutex_unlock(&pool->lock);
    emu_machine_help(m);
    pthread_mutex_lock(&pool->lock);
    if (--m->helpers == 0) {
        pthread_cond_signal(&m->helpers_left);
    }
}

static void *thread_main(void *argument)
{
    struct emu_pool *pool = argument;

    pthread_mutex_lock(&pool->lock);
    while (!pool->closing) {
        if (pool->wanting != NULL) {
            help_one(pool);
        } else {
            pool->waiting++;
            pthread_cond_wait(&pool->wanted, &pool->lock);
            pool->waiting--;
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static bool make_room(struct emu_pool *pool)
{
    if (pool->n_threads == pool->room) {
        const unsigned room = pool->room == 0 ? 8 : pool->room * 2;
        pthread_t *grown = reallocarray(pool->threads, room, sizeof *grown);

        if (grown == NULL) {
            return false;
        }
        pool->threads = grown;
        pool->room = room;
    }
    return true;
}

/* Signals of the program are not for these threads. */
static bool start_thread(struct emu_pool *pool)
{
    sigset_t all, before;

    if (!make_room(pool)) {
        return false;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool ok = pthread_create(&pool->threads[pool->n_threads], NULL, thread_main, pool) == 0;

    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pool->n_threads += ok;
    return ok;
}

void emu_pool_ask(struct emu_pool *pool, struct machine *m, unsigned most)
{
    pthread_condattr_t attr;

    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&m->helpers_left, &attr);
    pthread_condattr_destroy(&attr);
    pthread_mutex_lock(&pool->lock);
    struct machine **end = &pool->wanting;

    while (*end != NULL) {
        end = &(*end)->next_wanting;
    }
    *end = m;
    m->next_wanting = NULL;
    m->helpers_wanted = most;
    /* As many threads as the largest launch asked for, however many launches there are. */
    while (pool->n_threads < most && pool->n_threads < THREADS_MOST && start_thread(pool)) {
    }
    for (unsigned i = 0; i < most && i < pool->waiting; i++) {
        pthread_cond_signal(&pool->wanted);
    }
    pthread_mutex_unlock(&pool->lock);
}

/* Wait for helpers to leave, `tick_ms` at most; false when the time was up. */
static bool wait_tick(struct emu_pool *pool, struct machine *m, unsigned tick_ms)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += tick_ms * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    return pthread_cond_timedwait(&m->helpers_left, &pool->lock, &until) != ETIMEDOUT;
}

void emu_pool_settle(struct emu_pool *pool, struct machine *m, unsigned tick_ms, void (*watch)(struct machine *m))
{
    pthread_mutex_lock(&pool->lock);
    withdraw(pool, m);
    while (m->helpers != 0) {
        if (!wait_tick(pool, m, tick_ms)) {
            pthread_mutex_unlock(&pool->lock);
            watch(m);
            pthread_mutex_lock(&pool->lock);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    pthread_cond_destroy(&m->helpers_left);
}
