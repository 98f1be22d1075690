/*
 * Plans: how an executable graph is run.
 *
 * Lanes are chains of nodes.  A node goes on the lane of something it depends on, if that is the lane's last node so
 * far, else on a new lane; so a chain is one lane, and branches that do not depend on each other run side by side.  A
 * lane is cut into steps where it waits for another lane, or another waits for it, and around what a stream's queue
 * must see by itself: event records, waits for events, and functions of the program.  A chain of a thousand kernels is
 * one step: one entry of a queue.
 *
 * Steps are made in the order of the flat list, so a step waits only for earlier ones: launching them in order cannot
 * deadlock, however few threads there are.
 */
#include <stdlib.h>

#include "runtime/driver/copy.h"
#include "runtime/driver/graph_exec.h"
#include "runtime/driver/handle.h"

/* --- the flat list ---------------------------------------------------------------------------- */
/* Places in the flat list. */
struct places {
    size_t *at;
    uint32_t count, room;
};

static bool append(struct drv_plan *plan, struct drv_node *node, const struct places *deps)
{
    bool good =
        vec_push(&plan->flat, ((struct drv_flat){.node = node, .first_dep = plan->deps.count, .n_deps = deps->count}));

    for (size_t i = 0; i < deps->count && good; i++) {
        good = vec_push(&plan->deps, deps->at[i]);
    }
    return good;
}

static bool flatten(struct drv_plan *plan, struct drv_graph *graph, const struct places *entry, struct places *exits);

/* One node, or all of its graph; `deps` is what it depends on. */
static bool flatten_node(struct drv_plan *plan, struct drv_node *node, const struct places *deps)
{
    struct places inner = {0};
    bool good = true;

    if (node->child == NULL || node->child->n_nodes == 0) {
        return append(plan, node, deps);
    }
    good = flatten(plan, node->child, deps, &inner) && append(plan, node, &inner);
    free(inner.at);
    return good;
}

/* What a node depends on: where its predecessors are in the list, or, for a root, what its graph depends on. */
static bool gather(const struct drv_node *node, const size_t *placed, const struct places *entry, struct places *deps)
{
    bool good = true;

    deps->count = 0;
    for (unsigned i = 0; i < node->n_in && good; i++) {
        good = vec_push(deps, placed[node->in[i].from->index]);
    }
    for (size_t i = 0; node->n_in == 0 && i < entry->count && good; i++) {
        good = vec_push(deps, entry->at[i]);
    }
    return good;
}

static bool flatten(struct drv_plan *plan, struct drv_graph *graph, const struct places *entry, struct places *exits)
{
    struct drv_node **order = calloc(graph->n_nodes + 1, sizeof *order);
    size_t *placed = calloc(graph->n_nodes + 1, sizeof *placed);
    struct places deps = {0};
    bool good = order != NULL && placed != NULL && drv_graph_order(graph, order) == graph->n_nodes;

    for (size_t i = 0; i < graph->n_nodes && good; i++) {
        struct drv_node *node = order[i];

        good = gather(node, placed, entry, &deps) && flatten_node(plan, node, &deps);
        placed[node->index] = plan->flat.count - 1;
        if (good && node->n_out == 0) {
            good = vec_push(exits, plan->flat.count - 1);
        }
    }
    free(order);
    free(placed);
    free(deps.at);
    return good;
}

/* --- lanes ------------------------------------------------------------------------------------ */
/* What the layout knows of each place in the flat list. */
struct place {
    unsigned lane;
    size_t step;
    bool crossed; /* something on another lane depends on it */
};

static unsigned choose_lane(const struct drv_plan *plan, const struct drv_flat *f, const struct place *places,
                            const size_t *tails, unsigned *lanes, unsigned most)
{
    unsigned best = 0;
    bool found = false;

    for (unsigned i = 0; i < f->n_deps; i++) {
        const size_t dep = plan->deps.at[f->first_dep + i];
        const unsigned lane = places[dep].lane;

        if (tails[lane] == dep && (!found || dep > tails[best])) {
            best = lane;
            found = true;
        }
    }
    if (found) {
        return best;
    }
    if (*lanes < most) {
        return (*lanes)++;
    }
    for (unsigned lane = 1; lane < *lanes; lane++) {
        best = tails[lane] < tails[best] ? lane : best;
    }
    return best;
}

static void spread(struct drv_plan *plan, struct place *places, unsigned most)
{
    size_t tails[DRV_LANES_MOST];
    unsigned lanes = 0;

    for (size_t i = 0; i < plan->flat.count; i++) {
        const struct drv_flat *f = &plan->flat.at[i];

        places[i].lane = choose_lane(plan, f, places, tails, &lanes, most);
        tails[places[i].lane] = i;
        for (unsigned j = 0; j < f->n_deps; j++) {
            struct place *dep = &places[plan->deps.at[f->first_dep + j]];

            dep->crossed = dep->crossed || dep->lane != places[i].lane;
        }
    }
    plan->lanes = lanes;
}

/* --- steps ------------------------------------------------------------------------------------ */
static bool is_alone(const struct drv_node *node)
{
    return node->type == CU_GRAPH_NODE_TYPE_HOST || node->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD ||
           node->type == CU_GRAPH_NODE_TYPE_WAIT_EVENT;
}

/* A new step that begins with a place of the flat list.  A lane is a queue: of several steps of it the last one counts.
 */
static bool begin_step(struct drv_plan *plan, const struct place *places, size_t at)
{
    const struct drv_flat *f = &plan->flat.at[at];
    struct drv_step *step = &plan->steps[plan->n_steps++];
    size_t latest[DRV_LANES_MOST] = {0}; /* step + 1 */

    *step = (struct drv_step){.lane = places[at].lane, .first_wait = plan->waits.count};
    for (unsigned i = 0; i < f->n_deps; i++) {
        const struct place *dep = &places[plan->deps.at[f->first_dep + i]];

        if (dep->lane != step->lane && dep->step >= latest[dep->lane]) {
            latest[dep->lane] = dep->step + 1;
        }
    }
    for (unsigned lane = 0; lane < plan->lanes; lane++) {
        if (latest[lane] != 0) {
            if (!vec_push(&plan->waits, latest[lane] - 1)) {
                return false;
            }
            step->n_waits++;
        }
    }
    return true;
}

static bool depends_across(const struct drv_plan *plan, const struct place *places, size_t at)
{
    const struct drv_flat *f = &plan->flat.at[at];

    for (unsigned i = 0; i < f->n_deps; i++) {
        if (places[plan->deps.at[f->first_dep + i]].lane != places[at].lane) {
            return true;
        }
    }
    return false;
}

static bool cut(struct drv_plan *plan, struct place *places)
{
    size_t open[DRV_LANES_MOST]; /* the step that a lane's next node may join, + 1 */

    for (unsigned lane = 0; lane < DRV_LANES_MOST; lane++) {
        open[lane] = 0;
    }
    for (size_t i = 0; i < plan->flat.count; i++) {
        const unsigned lane = places[i].lane;
        const bool alone = is_alone(plan->flat.at[i].node);

        if (open[lane] == 0 || alone || depends_across(plan, places, i)) {
            if (!begin_step(plan, places, i)) {
                return false;
            }
            open[lane] = plan->n_steps;
        }
        places[i].step = open[lane] - 1;
        plan->steps[places[i].step].count++;
        if (alone || places[i].crossed) {
            open[lane] = 0;
        }
    }
    return true;
}

/* Which places each step has, and which step is its lane's last. */
static void list_members(struct drv_plan *plan, const struct place *places)
{
    size_t next = 0;

    for (size_t s = 0; s < plan->n_steps; s++) {
        plan->steps[s].first = next;
        next += plan->steps[s].count;
        plan->steps[s].count = 0;
        plan->last[plan->steps[s].lane] = s;
    }
    for (size_t i = 0; i < plan->flat.count; i++) {
        struct drv_step *step = &plan->steps[places[i].step];

        plan->members[step->first + step->count++] = i;
    }
}

bool drv_plan_make(struct drv_plan *plan, struct drv_graph *body, unsigned lanes_most)
{
    struct places none = {0}, exits = {0};
    const unsigned most = lanes_most > DRV_LANES_MOST ? DRV_LANES_MOST : lanes_most;
    bool good = flatten(plan, body, &none, &exits);
    struct place *places = calloc(plan->flat.count + 1, sizeof *places);

    plan->steps = calloc(plan->flat.count + 1, sizeof *plan->steps);
    plan->members = calloc(plan->flat.count + 1, sizeof *plan->members);
    good = good && places != NULL && plan->steps != NULL && plan->members != NULL;
    if (good) {
        spread(plan, places, most);
        good = cut(plan, places);
    }
    if (good) {
        list_members(plan, places);
    }
    free(places);
    free(exits.at);
    return good;
}

void drv_plan_free(struct drv_plan *plan)
{
    for (size_t i = 0; i < plan->n_steps; i++) {
        drv_work_release(plan->steps[i].work);
    }
    vec_free(&plan->flat);
    vec_free(&plan->deps);
    free(plan->steps);
    free(plan->members);
    vec_free(&plan->waits);
}

/* --- the work of steps ------------------------------------------------------------------------ */
struct segment {
    struct drv_work work;
    struct drv_keep *keep;
    size_t count;
    struct entry {
        struct drv_work *work; /* retained */
        CUcontext context;     /* NULL: the stream's */
    } entries[];
};

void drv_keep_drop(struct drv_keep *keep)
{
    if (keep != NULL && --keep->references == 0) {
        drv_graph_free(keep->body);
        free(keep);
    }
}

/* Whether the memory that a node was given is there still: a graph does not keep the program from freeing it. */
static bool has_memory(const struct drv_work *work)
{
    if (work->class->kind == DRV_WORK_SET) {
        return drv_set_check(&((const struct drv_set_work *)work)->set) == CUDA_SUCCESS;
    }
    if (work->class->kind == DRV_WORK_COPY) {
        CUDA_MEMCPY3D_PEER copy = ((const struct drv_copy_work *)work)->copy;

        return drv_copy_check(&copy) == CUDA_SUCCESS;
    }
    return true;
}

static CUresult run_entry(const struct entry *entry, struct drv_context *context)
{
    struct drv_context *home = entry->context == NULL || entry->context == context->handle
                                   ? context
                                   : drv_handle_get(entry->context, DRV_CONTEXT);

    if (home == NULL) {
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    }
    const CUresult result = home->sticky != 0          ? (CUresult)home->sticky
                            : !has_memory(entry->work) ? CUDA_ERROR_ILLEGAL_ADDRESS
                                                       : entry->work->class->run(entry->work, home);

    if (result != CUDA_SUCCESS && home != context) {
        drv_context_fail(home, result);
    }
    return result;
}

static CUresult run_segment(struct drv_work *work, struct drv_context *context)
{
    const struct segment *s = (const struct segment *)work;
    CUresult result = CUDA_SUCCESS;

    for (size_t i = 0; i < s->count && result == CUDA_SUCCESS; i++) {
        result = run_entry(&s->entries[i], context);
    }
    return result;
}

static void release_segment(struct drv_work *work)
{
    struct segment *s = (struct segment *)work;

    for (size_t i = 0; i < s->count; i++) {
        drv_work_release(s->entries[i].work);
    }
    drv_keep_drop(s->keep);
    free(s);
}

static struct drv_work *segment_of(const struct drv_plan *plan, const struct drv_step *step, struct drv_keep *keep)
{
    static const struct drv_work_class class = {.kind = DRV_WORK_GRAPH, .run = run_segment, .release = release_segment};
    struct segment *s = malloc(sizeof *s + step->count * sizeof *s->entries);

    if (s == NULL) {
        return NULL;
    }
    *s = (struct segment){.work = {&class, 1}, .keep = keep};
    keep->references++;
    for (size_t i = 0; i < step->count; i++) {
        const struct drv_node *node = plan->flat.at[plan->members[step->first + i]].node;

        if (node->work != NULL && node->work->class->run != NULL && !node->disabled) {
            s->entries[s->count++] = (struct entry){drv_work_retain(node->work), node->context};
        }
    }
    return &s->work;
}

bool drv_plan_fill(struct drv_plan *plan, struct drv_keep *keep, struct drv_work **old)
{
    for (size_t i = 0; i < plan->n_steps; i++) {
        struct drv_step *step = &plan->steps[i];
        struct drv_node *first = plan->flat.at[plan->members[step->first]].node;
        struct drv_work *work = is_alone(first) ? drv_work_retain(first->work) : segment_of(plan, step, keep);

        if (work == NULL) {
            return false;
        }
        old[i] = step->work;
        step->work = work;
    }
    return true;
}
