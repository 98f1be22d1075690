/*
 * Memory of graphs: what allocation nodes allocate.
 *
 * The address of an allocation is fixed when its node is made.  A block is such a range of addresses; one graph uses it
 * again for a later allocation of the same size that comes after the free node of the earlier one.  "Live" is a block
 * from the launch of a graph that allocates it to the launch, or the call, that frees it.
 *
 * What programs see of physical memory (cuDeviceGetGraphMemAttribute) is kept in chunks, which launches take in stream
 * order: a chunk is used again by the stream that freed it, and by others once that stream's work is done.
 */
#ifndef RUNTIME_DRIVER_GRAPH_MEMORY_H
#define RUNTIME_DRIVER_GRAPH_MEMORY_H

#include "runtime/driver/graph.h"

struct drv_chunk;

struct drv_block {
    struct drv_block *next; /* of all */
    unsigned references;    /* of nodes, of blocks that are live; lock */
    uint64_t address, size;
    uint64_t memory; /* id of its record in the table of memory */
    int device;
    uint64_t graph;       /* id of the graph that allocates it */
    uint64_t freer;       /* id of the node in that graph that frees the latest allocation of it; 0: none does */
    bool freed_elsewhere; /* another graph has a free node for it */
    bool live;
    struct drv_chunk *chunk; /* that backs it; NULL: none */
};

/* Lock held; NULL is fine. */
struct drv_block *drv_block_retain(struct drv_block *block);
/* Without the lock; NULL is fine. */
void drv_block_release(struct drv_block *block);
/* An allocation node's parameters in one piece with the descriptors they point to. */
CUDA_MEM_ALLOC_NODE_PARAMS *drv_allocation_copy(const CUDA_MEM_ALLOC_NODE_PARAMS *params);

/* The block that a graph allocates at this address; lock held. */
struct drv_block *drv_block_at(uint64_t address);

/*
 * cuMemFree and cuMemFreeAsync of an address that may be a graph's: false when it is none; otherwise *result says how
 * it went.  `stream`: where the free is ordered; NULL: everything is done.  Without the lock.
 */
bool drv_graph_memory_free(uint64_t address, struct drv_stream *stream, CUresult *result);

/* A graph is about to be launched into `stream`: its allocations and frees, in order, become true.  An error changes
 * nothing.  Lock held. */
CUresult drv_blocks_launch(struct drv_node *const *nodes, size_t count, bool auto_free, struct drv_stream *stream);
/* What the latest launch freed is free once the stream is as far as it is now.  Lock held. */
void drv_blocks_launched(struct drv_node *const *nodes, size_t count, struct drv_stream *stream);
/* The executable graph is gone: blocks that are not live need no memory any more.  Lock held. */
void drv_blocks_unmap(struct drv_node *const *nodes, size_t count);

/* What a capture makes of cuMemAllocAsync and cuMemFreeAsync: see capture.h. */
CUresult drv_alloc_node_add(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies,
                            const CUgraphEdgeData *data, size_t count, CUDA_MEM_ALLOC_NODE_PARAMS *params);
CUresult drv_free_node_add(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies,
                           const CUgraphEdgeData *data, size_t count, CUdeviceptr address);

#endif
