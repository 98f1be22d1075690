/*
 * Graphs: work as nodes, and the order among them as edges.
 *
 * A node holds one immutable piece of work (work.h).  Changing a node's parameters puts another in its place; copies of
 * the graph and what was instantiated from it share the old one.  The process's lock guards every graph that has a
 * handle or belongs to one that has; a graph that no handle leads to belongs to whoever holds the pointer.
 *
 * Nothing forbids cycles while a graph is made: instantiation finds them.  Whatever walks edges must come to an end all
 * the same.
 */
#ifndef RUNTIME_DRIVER_GRAPH_H
#define RUNTIME_DRIVER_GRAPH_H

#include "runtime/driver/stream.h"
#include "runtime/driver/work.h"

struct drv_graph;
struct drv_node;
struct drv_block;       /* graph_memory.h */
struct drv_user_object; /* user_object.c */

struct drv_edge {
    struct drv_node *from;
    CUgraphEdgeData data;
};

enum { DRV_NODE_ATTRIBUTES = 17 }; /* more than the highest CUlaunchAttributeID */

/* Values of attributes of a kernel node that its work does not know. */
struct drv_node_attributes {
    uint32_t set; /* bit for each CUlaunchAttributeID */
    CUlaunchAttributeValue values[DRV_NODE_ATTRIBUTES];
};

struct drv_node {
    CUgraphNode handle; /* NULL: of an executable graph's body, which programs do not see */
    struct drv_graph *graph;
    CUgraphNodeType type;
    uint64_t id;           /* counts in the process */
    uint64_t origin;       /* id of the node that this one is a copy of; 0: none */
    struct drv_work *work; /* retained; NULL for child graphs and memory nodes */
    CUcontext context;     /* where it runs; NULL: in the context of the stream */
    struct drv_edge *in;   /* what it depends on, in the order in which the edges were added */
    struct drv_node **out; /* what depends on it */
    uint32_t n_in, in_size, n_out, out_size;
    struct drv_graph *child;                /* of a child graph node; owned */
    struct drv_block *block;                /* of a memory node; retained */
    CUDA_MEM_ALLOC_NODE_PARAMS *allocation; /* of an allocation node, with the descriptors behind it; owned */
    void **kernel_params;                   /* what a getter handed out: pointers into the work; owned */
    struct drv_node_attributes *attributes; /* NULL: none were set; owned */
    bool disabled;                          /* in an executable graph: does nothing */
    size_t index;                           /* scratch of whoever walks the graph, and its place in graph->nodes then */
};

/* References to user objects that a graph owns. */
struct drv_user_list {
    struct drv_user_entry {
        struct drv_user_object *object;
        unsigned count;
    } * at;
    uint32_t count, room;
};

struct drv_graph {
    CUgraph handle; /* NULL: no program can name it */
    uint64_t id;
    struct drv_node **nodes; /* in the order of their creation */
    uint32_t n_nodes, nodes_size;
    struct drv_node *owner; /* the child graph node that it is part of */
    bool moved;             /* into its owner, by CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE */
    unsigned captures;      /* that add to it at present */
    unsigned execs;         /* instantiated from it and not destroyed */
    struct drv_user_list users;
    struct drv_graph *next_dead; /* capture.c's list of those to be freed */
};

/* What a new node is made of.  References go to the node when it is made and stay with the caller when not. */
struct drv_node_spec {
    CUgraphNodeType type;
    struct drv_work *work;
    CUcontext context;
    struct drv_graph *child;
    struct drv_block *block;
    CUDA_MEM_ALLOC_NODE_PARAMS *allocation;
};

static inline void drv_lock(void)
{
    pthread_mutex_lock(&drv_process()->lock);
}

static inline void drv_unlock(void)
{
    pthread_mutex_unlock(&drv_process()->lock);
}

/* --- graph.c; lock held where a graph has a handle -------------------------------------------------------------------
 */
struct drv_graph *drv_graph_of(CUgraph handle);
struct drv_node *drv_node_of(CUgraphNode handle);
/* The node of a handle, if it is of that type. */
struct drv_node *drv_node_of_type(CUgraphNode handle, CUgraphNodeType type);

enum drv_visibility { DRV_HIDDEN, DRV_VISIBLE }; /* whether a graph and its nodes get handles */

struct drv_graph *drv_graph_new(enum drv_visibility visibility);
/* A deep copy; each node remembers which one it is a copy of.  False when memory is exhausted: then *copy is what there
 * is of it, without handles, for drv_graph_free. */
bool drv_graph_copy(const struct drv_graph *graph, enum drv_visibility visibility, struct drv_graph **copy);
/* The handles of a graph, its nodes and its children stop being such: what is left belongs to the caller. */
void drv_graph_hide(struct drv_graph *graph);
/* Without the lock: free a graph that no handle leads to, and release what it holds.  NULL is fine. */
void drv_graph_free(struct drv_graph *graph);

/* Append a node; NULL when memory is exhausted. */
struct drv_node *drv_node_new(struct drv_graph *graph, const struct drv_node_spec *spec,
                              enum drv_visibility visibility);
/* Take a node out of its graph, with its edges and handles; drv_node_free frees it, without the lock. */
void drv_node_detach(struct drv_node *node);
void drv_node_free(struct drv_node *node);

/* CUDA_ERROR_INVALID_VALUE: the edge exists, would lead from a node to itself or between graphs, or its data is not
 * valid. */
CUresult drv_edge_add(struct drv_node *from, struct drv_node *to, const CUgraphEdgeData *data);
struct drv_edge *drv_edge_find(struct drv_node *from, struct drv_node *to);
void drv_edge_remove(struct drv_node *from, struct drv_node *to);
bool drv_edge_is_plain(const CUgraphEdgeData *data);

/* Whether the graph, or a graph in it, allocates or frees memory. */
bool drv_graph_has_memory(const struct drv_graph *graph);
/* The copy of node `origin` in a graph or the graphs in it; NULL: there is none. */
struct drv_node *drv_graph_find_copy(struct drv_graph *graph, uint64_t origin);
/* Set every node's index to its place in graph->nodes. */
void drv_graph_number(struct drv_graph *graph);
/* Nodes in an order that respects all edges, by age where they leave a choice.  Returns how many there are: fewer than
 * graph->n_nodes when some are part of a cycle or behind one.  `order` has room for all. */
size_t drv_graph_order(struct drv_graph *graph, struct drv_node **order);
/* Set `reached` (by place in graph->nodes) for every node from which one of `to` can be reached, these among them;
 * false when memory is exhausted.  Numbers the graph. */
bool drv_graph_reach_back(struct drv_graph *graph, struct drv_node *const *to, size_t n_to, bool *reached);

/* --- graph_nodes.c ---------------------------------------------------------------------------------------------------
 */
/* Without the lock: what every cuGraphAdd...Node for work ends in.  The reference to it goes to the node or is given
 * up.
 */
CUresult drv_node_add(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *data,
                      size_t count, const struct drv_node_spec *spec);
/* The same with the lock held; a reference that no node got stays with the caller. */
CUresult drv_node_add_locked(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies,
                             const CUgraphEdgeData *data, size_t count, const struct drv_node_spec *spec);
/* Put other work in a node's place; takes over the reference.  Without the lock. */
CUresult drv_node_replace(CUgraphNode node, CUgraphNodeType type, struct drv_work *work, CUcontext context);
/* The work of a node for a getter, retained; NULL when the handle is none of a node of that type. */
struct drv_work *drv_node_work(CUgraphNode node, CUgraphNodeType type);
/* The type of node that captured work becomes. */
CUgraphNodeType drv_node_type_of(const struct drv_work *work);
CUresult drv_child_node_add(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies,
                            const CUgraphEdgeData *data, size_t count, CUgraph child,
                            CUgraphChildGraphNodeOwnership ownership);

/* --- the kinds of work from parameters; without the lock -------------------------------------- */
CUresult drv_memcpy_node_work(const CUDA_MEMCPY3D *params, CUcontext *context, struct drv_work **work);
CUresult drv_memset_node_work(const CUDA_MEMSET_NODE_PARAMS *params, CUcontext *context, struct drv_work **work);
CUresult drv_host_node_work(const CUDA_HOST_NODE_PARAMS *params, struct drv_work **work);
CUresult drv_event_node_work(CUevent event, CUgraphNodeType type, struct drv_work **work);
/* For anything but child graphs and memory nodes, by the tagged union.  `old`: what the node did before; NULL: it is
 * new. */
CUresult drv_any_node_work(const CUgraphNodeParams *params, const struct drv_work *old, CUcontext *context,
                           struct drv_work **work);
/* --- graph_kernel.c; without the lock --------------------------------------------------------- */
/* Work from new parameters for a node whose work was `old`: attributes stay. */
CUresult drv_kernel_work_like(const CUDA_KERNEL_NODE_PARAMS *params, const struct drv_kernel_work *old,
                              struct drv_work **out);
/* Note an attribute that work does not know.  Lock held. */
CUresult drv_kernel_node_keep(struct drv_node *node, CUkernelNodeAttrID attribute, const CUkernelNodeAttrValue *value);
/* Where it runs; NULL: that context is gone. */
CUcontext drv_kernel_work_context(const struct drv_work *work);
/* The same work but for one attribute: cooperation or cluster size. */
CUresult drv_kernel_work_with(const struct drv_kernel_work *work, CUlaunchAttributeID id,
                              const CUlaunchAttributeValue *value, struct drv_work **out);

/* --- user_object.c ---------------------------------------------------------------------------- */
/* Lock held: give a list references of its own to what another has; false when memory is exhausted. */
bool drv_user_list_copy(struct drv_user_list *to, const struct drv_user_list *from);
/* Lock held: append the references of another list; false when memory is exhausted. */
bool drv_user_list_append(struct drv_user_list *to, const struct drv_user_list *from);
/* Without the lock: give up all references. */
void drv_user_list_release(struct drv_user_list *list);

#endif
