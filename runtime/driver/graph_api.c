/*
 * Graphs as programs see them: made, copied, destroyed, and asked about their nodes and edges.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/driver/graph.h"
#include "runtime/driver/handle.h"

/* --- graphs ----------------------------------------------------------------------------------- */
CUresult CUDAAPI cuGraphCreate(CUgraph *phGraph, unsigned int flags)
{
    const CUresult ready = drv_ready();

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    if (phGraph == NULL || flags != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct drv_graph *graph = drv_graph_new(DRV_VISIBLE);

    if (graph == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *phGraph = graph->handle;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphDestroy(CUgraph hGraph)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    struct drv_graph *graph = drv_graph_of(hGraph);

    if (graph != NULL && graph->owner == NULL && graph->captures == 0) {
        drv_graph_hide(graph);
        result = CUDA_SUCCESS;
    }
    drv_unlock();
    if (result == CUDA_SUCCESS) {
        drv_graph_free(graph);
    }
    return result;
}

CUresult CUDAAPI cuGraphClone(CUgraph *phGraphClone, CUgraph originalGraph)
{
    struct drv_graph *copy = NULL;
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    struct drv_graph *graph = drv_graph_of(originalGraph);

    if (phGraphClone != NULL && graph != NULL) {
        result = drv_graph_has_memory(graph)                 ? CUDA_ERROR_NOT_SUPPORTED /* as on H200 */
                 : drv_graph_copy(graph, DRV_VISIBLE, &copy) ? CUDA_SUCCESS
                                                             : CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (result == CUDA_SUCCESS) {
        *phGraphClone = copy->handle;
        copy = NULL;
    }
    drv_unlock();
    drv_graph_free(copy);
    return result;
}

CUresult CUDAAPI cuGraphNodeFindInClone(CUgraphNode *phNode, CUgraphNode hOriginalNode, CUgraph hClonedGraph)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    const struct drv_node *original = drv_node_of(hOriginalNode);
    struct drv_graph *clone = drv_graph_of(hClonedGraph);
    const struct drv_node *node = original == NULL || clone == NULL ? NULL : drv_graph_find_copy(clone, original->id);

    if (phNode != NULL && node != NULL) {
        *phNode = node->handle;
        result = CUDA_SUCCESS;
    }
    drv_unlock();
    return result;
}

CUresult CUDAAPI cuGraphDestroyNode(CUgraphNode hNode)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    struct drv_node *node = drv_node_of(hNode);

    if (node != NULL && !drv_graph_has_memory(node->graph)) {
        drv_node_detach(node);
        result = CUDA_SUCCESS;
    }
    drv_unlock();
    if (result == CUDA_SUCCESS) {
        drv_node_free(node);
    }
    return result;
}

CUresult CUDAAPI cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType *type)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    const struct drv_node *node = drv_node_of(hNode);

    if (node != NULL && type != NULL) {
        *type = node->type;
        result = CUDA_SUCCESS;
    }
    drv_unlock();
    return result;
}

/* --- lists of nodes --------------------------------------------------------------------------- */
/* A list that a program gave room for, or (`nodes` NULL) only wants the length of. */
struct list {
    CUgraphNode *nodes, *to; /* `to`: second ends, of edges */
    CUgraphEdgeData *data;
    size_t room, count;
    bool lossy; /* an entry's edge data had no place to go */
};

static void put(struct list *l, CUgraphNode node, CUgraphNode to, const CUgraphEdgeData *data)
{
    if (l->nodes != NULL && l->count < l->room) {
        l->nodes[l->count] = node;
        if (l->to != NULL) {
            l->to[l->count] = to;
        }
        if (l->data != NULL) {
            l->data[l->count] = data == NULL ? (CUgraphEdgeData){0} : *data;
        }
        l->lossy = l->lossy || (l->data == NULL && !drv_edge_is_plain(data));
    }
    l->count++;
}

/* Entries beyond the list's end become NULL; *count becomes the number of entries that hold something. */
static CUresult finish(struct list *l, size_t *count)
{
    if (l->nodes == NULL) {
        *count = l->count;
        return CUDA_SUCCESS;
    }
    for (size_t i = l->count; i < l->room; i++) {
        l->nodes[i] = NULL;
        if (l->to != NULL) {
            l->to[i] = NULL;
        }
    }
    *count = l->count < l->room ? l->count : l->room;
    return l->lossy ? CUDA_ERROR_LOSSY_QUERY : CUDA_SUCCESS;
}

static void list_nodes(const struct drv_graph *graph, bool roots_only, struct list *list)
{
    for (size_t i = 0; i < graph->n_nodes; i++) {
        if (!roots_only || graph->nodes[i]->n_in == 0) {
            put(list, graph->nodes[i]->handle, NULL, NULL);
        }
    }
}

static CUresult get_nodes(CUgraph handle, bool roots_only, CUgraphNode *nodes, size_t *count)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    const struct drv_graph *graph = drv_graph_of(handle);

    if (graph != NULL && count != NULL) {
        struct list list = {.nodes = nodes, .room = *count};

        list_nodes(graph, roots_only, &list);
        result = finish(&list, count);
    }
    drv_unlock();
    return result;
}

CUresult CUDAAPI cuGraphGetNodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes)
{
    return get_nodes(hGraph, false, nodes, numNodes);
}

CUresult CUDAAPI cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode *rootNodes, size_t *numRootNodes)
{
    return get_nodes(hGraph, true, rootNodes, numRootNodes);
}

/* --- edges ------------------------------------------------------------------------------------ */
CUresult CUDAAPI cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edgeData,
                                 size_t *numEdges)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    const struct drv_graph *graph = drv_graph_of(hGraph);

    if (graph != NULL && numEdges != NULL && (from == NULL) == (to == NULL) && (edgeData == NULL || from != NULL)) {
        struct list list = {.nodes = from, .to = to, .data = edgeData, .room = *numEdges};

        for (size_t i = 0; i < graph->n_nodes; i++) {
            const struct drv_node *node = graph->nodes[i];

            for (unsigned j = 0; j < node->n_in; j++) {
                put(&list, node->in[j].from->handle, node->handle, &node->in[j].data);
            }
        }
        result = finish(&list, numEdges);
    }
    drv_unlock();
    return result;
}

CUresult CUDAAPI cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode *dependencies, CUgraphEdgeData *edgeData,
                                            size_t *numDependencies)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    const struct drv_node *node = drv_node_of(hNode);

    if (node != NULL && numDependencies != NULL && (edgeData == NULL || dependencies != NULL)) {
        struct list list = {.nodes = dependencies, .data = edgeData, .room = *numDependencies};

        for (unsigned i = 0; i < node->n_in; i++) {
            put(&list, node->in[i].from->handle, NULL, &node->in[i].data);
        }
        result = finish(&list, numDependencies);
    }
    drv_unlock();
    return result;
}

CUresult CUDAAPI cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode *dependentNodes, CUgraphEdgeData *edgeData,
                                              size_t *numDependentNodes)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    struct drv_node *node = drv_node_of(hNode);

    if (node != NULL && numDependentNodes != NULL && (edgeData == NULL || dependentNodes != NULL)) {
        struct list list = {.nodes = dependentNodes, .data = edgeData, .room = *numDependentNodes};

        for (unsigned i = 0; i < node->n_out; i++) {
            put(&list, node->out[i]->handle, NULL, &drv_edge_find(node, node->out[i])->data);
        }
        result = finish(&list, numDependentNodes);
    }
    drv_unlock();
    return result;
}

/* Both ends, if they are nodes of the graph. */
static bool find_ends(const struct drv_graph *graph, CUgraphNode from, CUgraphNode to, struct drv_node **f,
                      struct drv_node **t)
{
    *f = drv_node_of(from);
    *t = drv_node_of(to);
    return *f != NULL && *t != NULL && (*f)->graph == graph && (*t)->graph == graph;
}

/* Up to the first that is refused: as on an H200, those before it are there then. */
static CUresult add_all(const struct drv_graph *graph, const CUgraphNode *from, const CUgraphNode *to,
                        const CUgraphEdgeData *data, size_t count)
{
    CUresult result = CUDA_SUCCESS;
    struct drv_node *f, *t;

    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
        result = find_ends(graph, from[i], to[i], &f, &t) ? drv_edge_add(f, t, data == NULL ? NULL : &data[i])
                                                          : CUDA_ERROR_INVALID_VALUE;
    }
    return result;
}

CUresult CUDAAPI cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                        const CUgraphEdgeData *edgeData, size_t numDependencies)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    const struct drv_graph *graph = drv_graph_of(hGraph);

    if (graph != NULL && (numDependencies == 0 || (from != NULL && to != NULL))) {
        result = add_all(graph, from, to, edgeData, numDependencies);
    }
    drv_unlock();
    return result;
}

/* Whatever their data is, and up to the first that is not there: as on an H200, those before it are gone then. */
static CUresult remove_all(const struct drv_graph *graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
    struct drv_node *f, *t;

    for (size_t i = 0; i < count; i++) {
        if (!find_ends(graph, from[i], to[i], &f, &t) || drv_edge_find(f, t) == NULL) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        drv_edge_remove(f, t);
    }
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                           const CUgraphEdgeData *edgeData, size_t numDependencies)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    (void)edgeData;
    drv_lock();
    const struct drv_graph *graph = drv_graph_of(hGraph);

    if (graph != NULL && numDependencies == 0) {
        result = CUDA_SUCCESS;
    } else if (graph != NULL && from != NULL && to != NULL && !drv_graph_has_memory(graph)) {
        result = remove_all(graph, from, to, numDependencies);
    }
    drv_unlock();
    return result;
}
