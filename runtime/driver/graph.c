/*
 * Graphs, nodes and edges.
 *
 * Invariants: an edge is in its end's list `in` and in its start's list `out`, or in neither; both ends are of one
 * graph; graph->nodes is in the order of creation.
 */
#include "runtime/driver/graph.h"

#include <stdlib.h>
#include <string.h>

#include "ir/base/vec.h"
#include "runtime/driver/graph_memory.h"
#include "runtime/driver/handle.h"

/* Ids of graphs and of nodes, from 1; atomic, since graphs without handles are made without the lock. */
static _Atomic uint64_t last_id;

struct drv_graph *drv_graph_of(CUgraph handle)
{
    return drv_handle_get(handle, DRV_GRAPH);
}

struct drv_node *drv_node_of(CUgraphNode handle)
{
    return drv_handle_get(handle, DRV_GRAPH_NODE);
}

struct drv_node *drv_node_of_type(CUgraphNode handle, CUgraphNodeType type)
{
    struct drv_node *node = drv_node_of(handle);

    return node != NULL && node->type == type ? node : NULL;
}

/* --- making and freeing ----------------------------------------------------------------------- */
struct drv_graph *drv_graph_new(enum drv_visibility visibility)
{
    struct drv_graph *g = calloc(1, sizeof *g);

    if (g == NULL) {
        return NULL;
    }
    g->id = ++last_id;
    if (visibility == DRV_VISIBLE) {
        g->handle = drv_handle_new(DRV_GRAPH, g);
        if (g->handle == NULL) {
            free(g);
            return NULL;
        }
    }
    return g;
}

static bool append(struct drv_graph *g, struct drv_node *node)
{
    if (!vec_grow((void **)&g->nodes, g->n_nodes, &g->nodes_size, sizeof(struct drv_node *), 1)) {
        return false;
    }
    node->index = g->n_nodes;
    g->nodes[g->n_nodes++] = node;
    return true;
}

struct drv_node *drv_node_new(struct drv_graph *graph, const struct drv_node_spec *spec, enum drv_visibility visibility)
{
    struct drv_node *node = calloc(1, sizeof *node);

    if (node == NULL) {
        return NULL;
    }
    *node = (struct drv_node){.graph = graph, .type = spec->type, .id = ++last_id};
    if (visibility == DRV_VISIBLE) {
        node->handle = drv_handle_new(DRV_GRAPH_NODE, node);
    }
    if ((visibility == DRV_VISIBLE && node->handle == NULL) || !append(graph, node)) {
        if (node->handle != NULL) {
            drv_handle_drop(node->handle);
        }
        free(node);
        return NULL;
    }
    node->work = spec->work;
    node->context = spec->context;
    node->child = spec->child;
    node->block = spec->block;
    node->allocation = spec->allocation;
    if (node->child != NULL) {
        node->child->owner = node;
    }
    return node;
}

static void hide_node(struct drv_node *node)
{
    if (node->handle != NULL) {
        drv_handle_drop(node->handle);
        node->handle = NULL;
    }
    if (node->child != NULL) {
        drv_graph_hide(node->child);
    }
}

void drv_graph_hide(struct drv_graph *graph)
{
    if (graph->handle != NULL) {
        drv_handle_drop(graph->handle);
        graph->handle = NULL;
    }
    for (size_t i = 0; i < graph->n_nodes; i++) {
        hide_node(graph->nodes[i]);
    }
}

void drv_node_free(struct drv_node *node)
{
    drv_work_release(node->work);
    drv_graph_free(node->child);
    drv_block_release(node->block);
    free(node->allocation);
    free(node->kernel_params);
    free(node->attributes);
    free(node->in);
    free(node->out);
    free(node);
}

void drv_graph_free(struct drv_graph *graph)
{
    if (graph == NULL) {
        return;
    }
    for (size_t i = 0; i < graph->n_nodes; i++) {
        drv_node_free(graph->nodes[i]);
    }
    drv_user_list_release(&graph->users);
    free(graph->nodes);
    free(graph);
}

void drv_node_detach(struct drv_node *node)
{
    struct drv_graph *g = node->graph;
    size_t at = 0;

    while (node->n_in > 0) {
        drv_edge_remove(node->in[node->n_in - 1].from, node);
    }
    while (node->n_out > 0) {
        drv_edge_remove(node, node->out[node->n_out - 1]);
    }
    while (g->nodes[at] != node) {
        at++;
    }
    memmove(&g->nodes[at], &g->nodes[at + 1], (g->n_nodes - at - 1) * sizeof(struct drv_node *));
    g->n_nodes--;
    hide_node(node);
}

/* --- edges ------------------------------------------------------------------------------------ */
bool drv_edge_is_plain(const CUgraphEdgeData *data)
{
    static const CUgraphEdgeData plain;

    return data == NULL || memcmp(data, &plain, sizeof plain) == 0;
}

struct drv_edge *drv_edge_find(struct drv_node *from, struct drv_node *to)
{
    for (unsigned i = 0; i < to->n_in; i++) {
        if (to->in[i].from == from) {
            return &to->in[i];
        }
    }
    return NULL;
}

/* Only kernels have ports, and only two kernels can be tied more loosely than by completion. */
static bool is_valid(const CUgraphEdgeData *data, const struct drv_node *from, const struct drv_node *to)
{
    static const unsigned char unused[sizeof data->reserved];
    const bool kernels = from->type == CU_GRAPH_NODE_TYPE_KERNEL && to->type == CU_GRAPH_NODE_TYPE_KERNEL;

    if (drv_edge_is_plain(data)) {
        return true;
    }
    return kernels && data->to_port == 0 && data->type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC &&
           (data->from_port == CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC ||
            data->from_port == CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER) &&
           memcmp(data->reserved, unused, sizeof unused) == 0;
}

CUresult drv_edge_add(struct drv_node *from, struct drv_node *to, const CUgraphEdgeData *data)
{
    if (from == to || from->graph != to->graph || !is_valid(data, from, to) || drv_edge_find(from, to) != NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (!vec_grow((void **)&to->in, to->n_in, &to->in_size, sizeof *to->in, 1) ||
        !vec_grow((void **)&from->out, from->n_out, &from->out_size, sizeof(struct drv_node *), 1)) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    to->in[to->n_in++] = (struct drv_edge){.from = from, .data = data == NULL ? (CUgraphEdgeData){0} : *data};
    from->out[from->n_out++] = to;
    return CUDA_SUCCESS;
}

void drv_edge_remove(struct drv_node *from, struct drv_node *to)
{
    struct drv_edge *edge = drv_edge_find(from, to);
    unsigned at = 0;

    if (edge == NULL) {
        return;
    }
    memmove(edge, edge + 1, (size_t)(&to->in[to->n_in] - (edge + 1)) * sizeof *edge);
    to->n_in--;
    while (from->out[at] != to) {
        at++;
    }
    memmove(&from->out[at], &from->out[at + 1], (from->n_out - at - 1) * sizeof *from->out);
    from->n_out--;
}

/* --- copies ----------------------------------------------------------------------------------- */
/* A node like `from`, without edges; false when memory is exhausted. */
static bool copy_node(struct drv_graph *into, const struct drv_node *from, enum drv_visibility visibility)
{
    const struct drv_node_spec bare = {.type = from->type, .context = from->context};
    struct drv_node *node = drv_node_new(into, &bare, visibility);
    bool good = node != NULL;

    if (!good) {
        return false;
    }
    node->origin = from->id;
    node->disabled = from->disabled;
    node->work = from->work == NULL ? NULL : drv_work_retain(from->work);
    node->block = drv_block_retain(from->block);
    if (from->allocation != NULL) {
        node->allocation = drv_allocation_copy(from->allocation);
        good = node->allocation != NULL;
    }
    if (from->attributes != NULL) {
        node->attributes = malloc(sizeof *node->attributes);
        good = good && node->attributes != NULL;
        if (node->attributes != NULL) {
            *node->attributes = *from->attributes;
        }
    }
    if (from->child != NULL) {
        good = drv_graph_copy(from->child, visibility, &node->child) && good;
        if (node->child != NULL) {
            node->child->owner = node;
        }
    }
    return good;
}

/* Nodes of the copy have the places of the originals. */
static bool copy_edges(struct drv_graph *copy, const struct drv_graph *graph)
{
    for (size_t i = 0; i < graph->n_nodes; i++) {
        const struct drv_node *to = graph->nodes[i];

        for (unsigned j = 0; j < to->n_in; j++) {
            const struct drv_edge *edge = &to->in[j];

            if (drv_edge_add(copy->nodes[edge->from->index], copy->nodes[i], &edge->data) != CUDA_SUCCESS) {
                return false;
            }
        }
    }
    return true;
}

bool drv_graph_copy(const struct drv_graph *graph, enum drv_visibility visibility, struct drv_graph **copy)
{
    struct drv_graph *c = drv_graph_new(visibility);
    bool good = c != NULL && drv_user_list_copy(&c->users, &graph->users);

    for (size_t i = 0; i < graph->n_nodes && good; i++) {
        graph->nodes[i]->index = i;
        good = copy_node(c, graph->nodes[i], visibility);
    }
    good = good && copy_edges(c, graph);
    if (!good && c != NULL) {
        drv_graph_hide(c);
    }
    *copy = c;
    return good;
}

/* --- questions -------------------------------------------------------------------------------- */
bool drv_graph_has_memory(const struct drv_graph *graph)
{
    for (size_t i = 0; i < graph->n_nodes; i++) {
        const struct drv_node *node = graph->nodes[i];

        if (node->block != NULL || (node->child != NULL && drv_graph_has_memory(node->child))) {
            return true;
        }
    }
    return false;
}

struct drv_node *drv_graph_find_copy(struct drv_graph *graph, uint64_t origin)
{
    for (size_t i = 0; i < graph->n_nodes; i++) {
        struct drv_node *node = graph->nodes[i];

        if (node->origin == origin) {
            return node;
        }
        if (node->child != NULL && (node = drv_graph_find_copy(node->child, origin)) != NULL) {
            return node;
        }
    }
    return NULL;
}
