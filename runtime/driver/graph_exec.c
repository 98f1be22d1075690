/*
 * Executable graphs: instantiation and the end.
 */
#include "runtime/driver/graph_exec.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/driver/graph_memory.h"
#include "runtime/driver/handle.h"

enum {
    FLAGS_KNOWN = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
                  CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY
};

/* --- finding and dropping --------------------------------------------------------------------- */
struct drv_exec *drv_exec_take(CUgraphExec handle)
{
    drv_lock();
    struct drv_exec *exec = drv_handle_get(handle, DRV_GRAPH_EXEC);

    if (exec != NULL) {
        exec->references++;
    }
    drv_unlock();
    return exec;
}

static void free_exec(struct drv_exec *exec)
{
    drv_plan_free(&exec->plan);
    drv_keep_drop(exec->keep);
    pthread_mutex_destroy(&exec->launching);
    free(exec->memory);
    free(exec);
}

void drv_exec_drop(struct drv_exec *exec)
{
    drv_lock();
    const bool last = --exec->references == 0;

    if (last) {
        drv_ticket_drop(&exec->last);
        for (unsigned i = 1; i < DRV_LANES_MOST; i++) {
            if (exec->lanes[i] != NULL) {
                drv_stream_leave(exec->lanes[i]);
            }
        }
    }
    drv_unlock();
    if (last) {
        free_exec(exec);
    }
}

/* Nodes of a body keep the order of the ids of what they are copies of. */
static struct drv_node *find_copy(const struct drv_graph *body, uint64_t origin)
{
    size_t low = 0, high = body->n_nodes;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (body->nodes[middle]->origin < origin) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < body->n_nodes && body->nodes[low]->origin == origin) {
        return body->nodes[low];
    }
    for (size_t i = 0; i < body->n_nodes; i++) {
        struct drv_node *found = body->nodes[i]->child == NULL ? NULL : find_copy(body->nodes[i]->child, origin);

        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

struct drv_node *drv_exec_node(const struct drv_exec *exec, CUgraphNode handle)
{
    const struct drv_node *node = drv_node_of(handle);

    return node == NULL ? NULL : find_copy(exec->keep->body, node->id);
}

/* --- instantiation ---------------------------------------------------------------------------- */
/* A node that is part of a cycle or behind one, here or in a child graph; NULL: there is none.  Lock held. */
static struct drv_node *find_cycle(struct drv_graph *graph)
{
    struct drv_node **order = calloc(graph->n_nodes + 1, sizeof *order);
    struct drv_node *found = NULL;
    const size_t count = order == NULL ? 0 : drv_graph_order(graph, order);

    for (size_t i = 0; i < count; i++) {
        order[i]->index = SIZE_MAX;
    }
    for (size_t i = 0; i < graph->n_nodes && found == NULL; i++) {
        struct drv_node *node = graph->nodes[i];

        found = node->index != SIZE_MAX ? node : node->child != NULL ? find_cycle(node->child) : NULL;
    }
    free(order);
    return found;
}

static unsigned lanes_most(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned threads = drv_process()->options.host_threads;
    const unsigned most = threads != 0 ? threads : online > 0 ? (unsigned)online : 1;

    return most < 2 ? 2 : most;
}

static bool list_memory(struct drv_exec *exec)
{
    const struct drv_plan *plan = &exec->plan;

    exec->memory = calloc(plan->flat.count + 1, sizeof *exec->memory);
    for (size_t i = 0; i < plan->flat.count && exec->memory != NULL; i++) {
        if (plan->flat.at[i].node->block != NULL) {
            exec->memory[exec->n_memory++] = plan->flat.at[i].node;
        }
    }
    return exec->memory != NULL;
}

/* Around a body, which it takes over; NULL when memory is exhausted. */
static struct drv_exec *new_exec(struct drv_graph *body, unsigned long long flags)
{
    struct drv_exec *exec = calloc(1, sizeof *exec);
    struct drv_keep *keep = calloc(1, sizeof *keep);

    if (exec == NULL || keep == NULL) {
        free(exec);
        free(keep);
        drv_graph_free(body);
        return NULL;
    }
    *keep = (struct drv_keep){.references = 1, .body = body};
    *exec = (struct drv_exec){.references = 1, .flags = flags, .keep = keep, .stale = true};
    pthread_mutex_init(&exec->launching, NULL);
    if (!drv_plan_make(&exec->plan, body, lanes_most()) || !list_memory(exec) ||
        (exec->handle = drv_handle_new(DRV_GRAPH_EXEC, exec)) == NULL) {
        free_exec(exec);
        return NULL;
    }
    return exec;
}

/* The body of what is to be instantiated.  Lock held. */
static CUresult take_body(CUgraph handle, CUDA_GRAPH_INSTANTIATE_PARAMS *params, struct drv_graph **body)
{
    struct drv_graph *graph = drv_graph_of(handle);

    if (graph == NULL || graph->moved || graph->captures > 0 || (graph->execs > 0 && drv_graph_has_memory(graph))) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const struct drv_node *bad = find_cycle(graph);

    if (bad != NULL) {
        params->result_out = CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
        params->hErrNode_out = bad->handle;
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (!drv_graph_copy(graph, DRV_HIDDEN, body)) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    graph->execs++;
    return CUDA_SUCCESS;
}

/* The graph has one executable graph fewer.  Lock held. */
static void forget_exec(CUgraph source, uint64_t id)
{
    struct drv_graph *graph = drv_graph_of(source);

    if (graph != NULL && graph->id == id) {
        graph->execs--;
    }
}

static CUresult check_flags(unsigned long long flags)
{
    if ((flags & ~(unsigned long long)FLAGS_KNOWN) != 0 ||
        ((flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0 &&
         (flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) != 0)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0
               ? drv_unsupported("CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH")
               : CUDA_SUCCESS;
}

CUresult drv_instantiate(CUgraphExec *out, CUgraph handle, CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    struct drv_graph *body = NULL;
    uint64_t id = 0;
    CUresult result = drv_ready();

    params->hErrNode_out = NULL;
    params->result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
    if (result == CUDA_SUCCESS) {
        result = out == NULL ? CUDA_ERROR_INVALID_VALUE : check_flags(params->flags);
    }
    if (result != CUDA_SUCCESS) {
        return result;
    }
    drv_lock();
    result = take_body(handle, params, &body);
    id = result == CUDA_SUCCESS ? drv_graph_of(handle)->id : 0;
    drv_unlock();
    if (result != CUDA_SUCCESS) {
        drv_graph_free(body);
        return result;
    }
    struct drv_exec *exec = new_exec(body, params->flags);

    if (exec == NULL) {
        drv_lock();
        forget_exec(handle, id);
        drv_unlock();
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    exec->source = handle;
    exec->source_id = id;
    *out = exec->handle;
    params->result_out = CUDA_GRAPH_INSTANTIATE_SUCCESS;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph, unsigned long long flags)
{
    CUDA_GRAPH_INSTANTIATE_PARAMS params = {.flags = flags};

    return (flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) != 0 ? CUDA_ERROR_INVALID_VALUE
                                                             : drv_instantiate(phGraphExec, hGraph, &params);
}

CUresult CUDAAPI cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t *flags)
{
    struct drv_exec *exec = drv_exec_take(hGraphExec);
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    if (exec == NULL) {
        return result;
    }
    if (flags != NULL) {
        *flags = exec->flags & ~(unsigned long long)(CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
                                                     CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY); /* as an H200 */
        result = CUDA_SUCCESS;
    }
    drv_exec_drop(exec);
    return result;
}

CUresult CUDAAPI cuGraphExecDestroy(CUgraphExec hGraphExec)
{
    drv_lock();
    struct drv_exec *exec = drv_handle_get(hGraphExec, DRV_GRAPH_EXEC);

    if (exec != NULL) {
        drv_handle_drop(hGraphExec);
        forget_exec(exec->source, exec->source_id);
        drv_blocks_unmap(exec->memory, exec->n_memory);
    }
    drv_unlock();
    if (exec == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    drv_exec_drop(exec);
    return CUDA_SUCCESS;
}
