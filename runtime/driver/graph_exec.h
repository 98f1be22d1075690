/*
 * Executable graphs.
 *
 * The body is a private copy of the graph as it was.  Its nodes, those of child graphs among them, lie in one flat list
 * in an order that respects all edges; the plan (graph_plan.c) cuts the list into steps and spreads them over lanes.  A
 * launch gives each lane's steps to one stream, the launch stream being the first lane's.
 *
 * Updates change nodes of the body, with the process's lock held, and make the plan stale; the next launch makes its
 * work anew.  Launches that are under way keep the work they were given.
 */
#ifndef RUNTIME_DRIVER_GRAPH_EXEC_H
#define RUNTIME_DRIVER_GRAPH_EXEC_H

#include "ir/base/vec.h"
#include "runtime/driver/graph.h"

enum { DRV_LANES_MOST = 16 };

/* The body, as long as the executable graph or work of its launches is there: so long its user objects must live. */
struct drv_keep {
    _Atomic unsigned references;
    struct drv_graph *body;
};

/* A node in the flat list. */
struct drv_flat {
    struct drv_node *node; /* a child graph node stands for the end of its graph */
    size_t first_dep;      /* in deps */
    unsigned n_deps;
};

/* One entry of a lane's queue: nodes that run one after the other. */
struct drv_step {
    unsigned lane;
    size_t first, count; /* in members */
    size_t first_wait;   /* in waits: steps of other lanes that must be done */
    unsigned n_waits;
    struct drv_work *work; /* NULL: not made yet */
};

struct drv_plan {
    VEC(struct drv_flat) flat;
    VEC(size_t) deps; /* places in flat */
    struct drv_step *steps;
    size_t n_steps;
    size_t *members;   /* places in flat, by step */
    VEC(size_t) waits; /* steps */
    unsigned lanes;
    size_t last[DRV_LANES_MOST]; /* the last step of each lane */
};

struct drv_exec {
    CUgraphExec handle;
    unsigned references; /* the handle's and calls' under way; lock */
    CUgraph source;      /* what it was instantiated from; may be gone */
    uint64_t source_id;
    unsigned long long flags;
    struct drv_keep *keep;
    struct drv_plan plan;
    bool stale;                /* nodes changed since the steps' work was made; lock */
    pthread_mutex_t launching; /* one launch at a time; taken before the process's lock */
    struct drv_ticket last;    /* the end of the latest launch */
    struct drv_context *lane_context;
    struct drv_stream *lanes[DRV_LANES_MOST]; /* from 1; made when first needed */
    struct drv_node **memory;                 /* memory nodes in the order of the flat list */
    size_t n_memory;
};

/* --- graph_plan.c; without the lock ----------------------------------------------------------- */
/* Lay out a body without cycles; false when memory is exhausted. */
bool drv_plan_make(struct drv_plan *plan, struct drv_graph *body, unsigned lanes_most);
/* Lock held: make the work of all steps.  Earlier work goes to `old`, which has room for one entry per step.  False
 * when memory is exhausted. */
bool drv_plan_fill(struct drv_plan *plan, struct drv_keep *keep, struct drv_work **old);
void drv_plan_free(struct drv_plan *plan);
void drv_keep_drop(struct drv_keep *keep);

/* --- graph_exec.c ----------------------------------------------------------------------------- */
/* Without the lock.  NULL: the handle is none. */
struct drv_exec *drv_exec_take(CUgraphExec handle);
void drv_exec_drop(struct drv_exec *exec);
/* Lock held: the node of the body that stands for a node of the graph that was instantiated. */
struct drv_node *drv_exec_node(const struct drv_exec *exec, CUgraphNode node);

/* cuGraphInstantiateWithParams, without its upload.  Without the lock. */
CUresult drv_instantiate(CUgraphExec *out, CUgraph handle, CUDA_GRAPH_INSTANTIATE_PARAMS *params);

/* --- graph_launch.c; without the lock --------------------------------------------------------- */
CUresult drv_exec_launch(struct drv_exec *exec, struct drv_stream *stream, struct drv_context *context);

/* --- graph_update.c --------------------------------------------------------------------------- */
/* Whether a node of an executable graph may get this work instead of its own; lock held. */
CUgraphExecUpdateResult drv_check_change(const struct drv_node *node, const struct drv_work *work);

#endif
