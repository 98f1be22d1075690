/*
 * Updates of executable graphs: from a whole graph of the same shape, or one node at a time.
 *
 * Invariant: an update is made as a whole or not at all; nothing is changed before everything was checked.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/driver/graph_exec.h"
#include "runtime/driver/memory.h"
#include "runtime/driver/module.h"

/* --- what may change -------------------------------------------------------------------------- */
static struct drv_context *owner_of(uint64_t address)
{
    struct drv_memory memory;

    return drv_memory_find(address, &memory) ? memory.context : NULL;
}

static CUgraphExecUpdateResult check_kernel(const struct drv_work *old, const struct drv_work *new)
{
    const struct drv_kernel_work *o = (const struct drv_kernel_work *)old, *n = (const struct drv_kernel_work *)new;

    if (o->function->module->context != n->function->module->context) {
        return CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE;
    }
    return o->cooperative != n->cooperative ? CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED
                                            : CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

/* One side of a copy keeps its kind and, on a device, whose memory it is. */
static bool same_side(CUmemorytype old_type, CUdeviceptr old, CUmemorytype new_type, CUdeviceptr new)
{
    return old_type == new_type && (old_type != CU_MEMORYTYPE_DEVICE || owner_of(old) == owner_of(new));
}

static CUgraphExecUpdateResult check_copy(const struct drv_work *old, const struct drv_work *new)
{
    const CUDA_MEMCPY3D_PEER *o = &((const struct drv_copy_work *)old)->copy;
    const CUDA_MEMCPY3D_PEER *n = &((const struct drv_copy_work *)new)->copy;

    return same_side(o->srcMemoryType, o->srcDevice, n->srcMemoryType, n->srcDevice) &&
                   same_side(o->dstMemoryType, o->dstDevice, n->dstMemoryType, n->dstDevice)
               ? CU_GRAPH_EXEC_UPDATE_SUCCESS
               : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}

static CUgraphExecUpdateResult check_set(const struct drv_work *old, const struct drv_work *new)
{
    const CUDA_MEMSET_NODE_PARAMS *o = &((const struct drv_set_work *)old)->set;
    const CUDA_MEMSET_NODE_PARAMS *n = &((const struct drv_set_work *)new)->set;
    const bool same_shape =
        o->height == n->height &&
        (o->height == 1 || (o->width == n->width && o->pitch == n->pitch && o->elementSize == n->elementSize));

    return same_shape && owner_of(o->dst) == owner_of(n->dst) ? CU_GRAPH_EXEC_UPDATE_SUCCESS
                                                              : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}

CUgraphExecUpdateResult drv_check_change(const struct drv_node *node, const struct drv_work *work)
{
    switch (node->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return check_kernel(node->work, work);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return check_copy(node->work, work);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return check_set(node->work, work);
    default:
        return CU_GRAPH_EXEC_UPDATE_SUCCESS;
    }
}

/* --- pairing two graphs ----------------------------------------------------------------------- */
/* Nodes of the body and of the graph that shall take its place, by their places in both. */
struct pairing {
    struct drv_graph *body, *graph;
    size_t *of_graph, *of_body; /* partner's place + 1; 0: none yet */
    size_t *stack;              /* places in graph whose dependencies are not paired yet */
    size_t depth;
    CUgraphExecUpdateResultInfo *info;
};

static bool differs(struct pairing *p, CUgraphExecUpdateResult result, const struct drv_node *node,
                    const struct drv_node *from)
{
    *p->info = (CUgraphExecUpdateResultInfo){.result = result,
                                             .errorNode = node == NULL ? NULL : node->handle,
                                             .errorFromNode = from == NULL ? NULL : from->handle};
    return false;
}

/* False when one of them has another partner. */
static bool pair(struct pairing *p, const struct drv_node *body, const struct drv_node *node)
{
    if (p->of_graph[node->index] != 0 || p->of_body[body->index] != 0) {
        return p->of_graph[node->index] == body->index + 1;
    }
    p->of_graph[node->index] = body->index + 1;
    p->of_body[body->index] = node->index + 1;
    p->stack[p->depth++] = node->index;
    return true;
}

static bool pair_dependencies(struct pairing *p)
{
    while (p->depth > 0) {
        const struct drv_node *node = p->graph->nodes[p->stack[--p->depth]];
        const struct drv_node *body = p->body->nodes[p->of_graph[node->index] - 1];

        if (body->type != node->type) {
            return differs(p, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, node, NULL);
        }
        if (body->n_in != node->n_in) {
            return differs(p, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, node, NULL);
        }
        for (unsigned i = 0; i < node->n_in; i++) {
            if (!pair(p, body->in[i].from, node->in[i].from)) {
                return differs(p, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, node, node->in[i].from);
            }
        }
    }
    return true;
}

/* From the last nodes of both, in their order, along the edges, in theirs. */
static bool pair_all(struct pairing *p)
{
    size_t at = 0;

    for (size_t i = 0; i < p->graph->n_nodes; i++) {
        const struct drv_node *exit = p->graph->nodes[i];

        if (exit->n_out > 0) {
            continue;
        }
        while (at < p->body->n_nodes && p->body->nodes[at]->n_out > 0) {
            at++;
        }
        if (at == p->body->n_nodes || !pair(p, p->body->nodes[at++], exit)) {
            return differs(p, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, exit, NULL);
        }
        if (!pair_dependencies(p)) {
            return false;
        }
    }
    for (size_t i = 0; i < p->graph->n_nodes; i++) {
        if (p->of_graph[i] == 0) {
            return differs(p, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, p->graph->nodes[i], NULL);
        }
    }
    return true;
}

/* --- the update ------------------------------------------------------------------------------- */
/* Replacements that were checked: made when all are. */
struct changes {
    struct change {
        struct drv_node *node;
        const struct drv_node *from;
        struct drv_work *old;
    } * at;
    uint32_t count, room;
};

static bool check_graph(struct drv_graph *body, struct drv_graph *graph, struct changes *changes,
                        CUgraphExecUpdateResultInfo *info);

static bool check_pair(struct pairing *p, struct drv_node *body, const struct drv_node *node, struct changes *changes)
{
    if (node->child != NULL) {
        return check_graph(body->child, node->child, changes, p->info);
    }
    if (node->block != body->block) {
        return differs(p, CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED, node, NULL);
    }
    if (node->block != NULL) {
        return true;
    }
    const CUgraphExecUpdateResult result = drv_check_change(body, node->work);

    if (result != CU_GRAPH_EXEC_UPDATE_SUCCESS) {
        return differs(p, result, node, NULL);
    }
    return vec_push(changes, ((struct change){.node = body, .from = node})) ||
           differs(p, CU_GRAPH_EXEC_UPDATE_ERROR, NULL, NULL);
}

static bool check_graph(struct drv_graph *body, struct drv_graph *graph, struct changes *changes,
                        CUgraphExecUpdateResultInfo *info)
{
    struct pairing p = {.body = body, .graph = graph, .info = info};
    const size_t count = graph->n_nodes;

    if (count != body->n_nodes) {
        return differs(&p, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, NULL, NULL);
    }
    size_t *room = calloc(3 * count + 1, sizeof *room);

    if (room == NULL) {
        return differs(&p, CU_GRAPH_EXEC_UPDATE_ERROR, NULL, NULL);
    }
    p.of_graph = room;
    p.of_body = room + count;
    p.stack = room + 2 * count;
    drv_graph_number(body);
    drv_graph_number(graph);
    bool good = pair_all(&p);

    for (size_t i = 0; i < count && good; i++) {
        good = check_pair(&p, body->nodes[p.of_graph[i] - 1], graph->nodes[i], changes);
    }
    free(room);
    return good;
}

/* Lock held. */
static void make_changes(struct drv_exec *exec, struct changes *c)
{
    for (size_t i = 0; i < c->count; i++) {
        struct change *change = &c->at[i];

        change->old = change->node->work;
        change->node->work = drv_work_retain(change->from->work);
        change->node->context = change->from->context;
    }
    exec->stale = true;
}

static void free_changes(struct changes *c)
{
    for (size_t i = 0; i < c->count; i++) {
        drv_work_release(c->at[i].old);
    }
    vec_free(c);
}

static CUresult update(struct drv_exec *exec, CUgraph handle, CUgraphExecUpdateResultInfo *info)
{
    struct changes changes = {0};
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    *info = (CUgraphExecUpdateResultInfo){.result = CU_GRAPH_EXEC_UPDATE_ERROR};
    drv_lock();
    struct drv_graph *graph = drv_graph_of(handle);

    if (exec != NULL && graph != NULL && !graph->moved) {
        result = CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
        if (check_graph(exec->keep->body, graph, &changes, info)) {
            make_changes(exec, &changes);
            info->result = CU_GRAPH_EXEC_UPDATE_SUCCESS;
            result = CUDA_SUCCESS;
        }
    }
    drv_unlock();
    free_changes(&changes);
    return result;
}

CUresult CUDAAPI cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphExecUpdateResultInfo *resultInfo)
{
    struct drv_exec *exec = drv_exec_take(hGraphExec);
    CUgraphExecUpdateResultInfo unwanted;
    const CUresult result = update(exec, hGraph, resultInfo == NULL ? &unwanted : resultInfo);

    if (exec != NULL) {
        drv_exec_drop(exec);
    }
    return result;
}

CUresult CUDAAPI cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraph childGraph)
{
    struct drv_exec *exec = drv_exec_take(hGraphExec);
    struct changes changes = {0};
    CUgraphExecUpdateResultInfo info;
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    if (exec == NULL) {
        return result;
    }
    drv_lock();
    const struct drv_node *node = drv_exec_node(exec, hNode);
    struct drv_graph *graph = drv_graph_of(childGraph);

    if (node != NULL && node->child != NULL && graph != NULL) {
        result = CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
        if (check_graph(node->child, graph, &changes, &info)) {
            make_changes(exec, &changes);
            result = CUDA_SUCCESS;
        }
    }
    drv_unlock();
    free_changes(&changes);
    drv_exec_drop(exec);
    return result;
}
