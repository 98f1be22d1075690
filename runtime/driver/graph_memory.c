/*
 * Blocks of graphs and the chunks that back them.
 *
 * Invariants, under the process's lock: a block is in the list while it has references; a chunk is held while the block
 * that lives in it is live; pools[i].reserved is the sum of the chunks of device i, .used of those that some block is
 * mapped to. The bytes themselves are there as long as the block is: what a launch maps is bookkeeping.
 */
#include "runtime/driver/graph_memory.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/driver/capture.h"
#include "runtime/driver/memory.h"

struct drv_chunk {
    struct drv_chunk *next;
    uint64_t size;
    struct drv_ticket ready; /* nothing uses it after that; meaningless while held */
    unsigned maps;           /* blocks mapped to it */
    bool held;
};

static struct drv_block *blocks;
static struct {
    struct drv_chunk *chunks;
    uint64_t used, used_high, reserved, reserved_high;
} pools[DRV_DEVICES_MOST];

/* --- blocks ----------------------------------------------------------------------------------- */
struct drv_block *drv_block_retain(struct drv_block *block)
{
    if (block != NULL) {
        block->references++;
    }
    return block;
}

static void unmap(struct drv_block *block);

/* True when that was the last reference: then the block is the caller's, to free without the lock. */
static bool drop(struct drv_block *block)
{
    if (--block->references > 0) {
        return false;
    }
    struct drv_block **link = &blocks;

    while (*link != block) {
        link = &(*link)->next;
    }
    *link = block->next;
    unmap(block);
    return true;
}

static void free_block(struct drv_block *block)
{
    struct drv_memory m;

    /* It may have gone with its context, and the address be somebody else's now. */
    if (drv_memory_find(block->address, &m) && m.id == block->memory) {
        drv_memory_free(block->address, 1u << DRV_MEMORY_POOLED);
    }
    free(block);
}

void drv_block_release(struct drv_block *block)
{
    if (block == NULL) {
        return;
    }
    drv_lock();
    const bool gone = drop(block);

    drv_unlock();
    if (gone) {
        free_block(block);
    }
}

struct drv_block *drv_block_at(uint64_t address)
{
    struct drv_block *block = blocks;

    while (block != NULL && block->address != address) {
        block = block->next;
    }
    return block;
}

CUDA_MEM_ALLOC_NODE_PARAMS *drv_allocation_copy(const CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    const size_t bytes = params->accessDescCount * sizeof *params->accessDescs;
    CUDA_MEM_ALLOC_NODE_PARAMS *copy = malloc(sizeof *copy + bytes);

    if (copy == NULL) {
        return NULL;
    }
    *copy = *params;
    copy->accessDescs = NULL;
    if (bytes > 0) {
        copy->accessDescs = memcpy(copy + 1, params->accessDescs, bytes);
    }
    return copy;
}

/* --- chunks ----------------------------------------------------------------------------------- */
static void note_highs(int device)
{
    if (pools[device].used > pools[device].used_high) {
        pools[device].used_high = pools[device].used;
    }
    if (pools[device].reserved > pools[device].reserved_high) {
        pools[device].reserved_high = pools[device].reserved;
    }
}

static void map(struct drv_block *block, struct drv_chunk *chunk)
{
    block->chunk = chunk;
    if (chunk->maps++ == 0) {
        pools[block->device].used += chunk->size;
    }
    note_highs(block->device);
}

static void unmap(struct drv_block *block)
{
    if (block->chunk == NULL) {
        return;
    }
    if (--block->chunk->maps == 0) {
        pools[block->device].used -= block->chunk->size;
    }
    block->chunk = NULL;
}

/* Whether work of `stream` may use the chunk from now on. */
static bool is_free(const struct drv_chunk *chunk, const struct drv_stream *stream)
{
    return !chunk->held && (chunk->ready.stream == stream || drv_ticket_done(&chunk->ready));
}

static struct drv_chunk *find_chunk(const struct drv_block *block, const struct drv_stream *stream)
{
    for (struct drv_chunk *c = pools[block->device].chunks; c != NULL; c = c->next) {
        if (c->size == block->size && is_free(c, stream)) {
            return c;
        }
    }
    return NULL;
}

static struct drv_chunk *new_chunk(const struct drv_block *block)
{
    struct drv_chunk *c = calloc(1, sizeof *c);

    if (c != NULL) {
        c->size = block->size;
        c->next = pools[block->device].chunks;
        pools[block->device].chunks = c;
        pools[block->device].reserved += c->size;
    }
    return c;
}

/* Back a block for use by `stream`; without memory for the bookkeeping there is none. */
static void hold(struct drv_block *block, struct drv_stream *stream)
{
    if (block->chunk == NULL || !is_free(block->chunk, stream)) {
        struct drv_chunk *chunk = find_chunk(block, stream);

        unmap(block);
        chunk = chunk != NULL ? chunk : new_chunk(block);
        if (chunk != NULL) {
            map(block, chunk);
        }
    }
    if (block->chunk != NULL) {
        block->chunk->held = true;
    }
}

/* The block's chunk is free after all that the stream was given; `stream` NULL: now. */
static void let_go(struct drv_block *block, struct drv_stream *stream)
{
    if (block->chunk != NULL) {
        block->chunk->held = false;
        drv_ticket_drop(&block->chunk->ready);
        if (stream != NULL) {
            block->chunk->ready = drv_ticket_take(stream);
        }
    }
}

/* --- launches --------------------------------------------------------------------------------- */
static bool is_alloc(const struct drv_node *node)
{
    return node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC;
}

/* Whether a node before this one names the same block. */
static bool is_again(struct drv_node *const *nodes, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (nodes[i]->block == nodes[at]->block) {
            return true;
        }
    }
    return false;
}

/* Whether every allocation finds its block free and every free finds it live; with auto_free an allocation may find
 * what an earlier launch left.  Uses `live` as the launch will, and puts it back from the nodes' indices. */
static bool simulate(struct drv_node *const *nodes, size_t count, bool auto_free)
{
    size_t done = 0;
    bool good = true;

    for (; done < count; done++) {
        struct drv_block *block = nodes[done]->block;

        good = is_alloc(nodes[done]) ? !block->live || (auto_free && !is_again(nodes, done)) : block->live;
        if (!good) {
            break;
        }
        nodes[done]->index = block->live;
        block->live = is_alloc(nodes[done]);
    }
    while (done > 0) {
        done--;
        nodes[done]->block->live = nodes[done]->index != 0;
    }
    return good;
}

CUresult drv_blocks_launch(struct drv_node *const *nodes, size_t count, bool auto_free, struct drv_stream *stream)
{
    if (!simulate(nodes, count, auto_free)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t i = 0; i < count; i++) {
        struct drv_block *block = nodes[i]->block;

        if (block->live) {
            block->live = false;
            block->references--; /* never the last: the node has one */
            let_go(block, stream);
        }
        if (is_alloc(nodes[i])) {
            hold(block, stream);
            block->live = true;
            block->references++;
        }
    }
    return CUDA_SUCCESS;
}

void drv_blocks_launched(struct drv_node *const *nodes, size_t count, struct drv_stream *stream)
{
    for (size_t i = 0; i < count; i++) {
        if (!nodes[i]->block->live) {
            let_go(nodes[i]->block, stream);
        }
    }
}

void drv_blocks_unmap(struct drv_node *const *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!nodes[i]->block->live) {
            unmap(nodes[i]->block);
        }
    }
}

bool drv_graph_memory_free(uint64_t address, struct drv_stream *stream, CUresult *result)
{
    bool gone = false;

    drv_lock();
    struct drv_block *block = drv_block_at(address);

    if (block != NULL) {
        *result = block->live ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
        if (block->live) {
            block->live = false;
            let_go(block, stream);
            gone = drop(block);
        }
    }
    drv_unlock();
    if (gone) {
        free_block(block);
    }
    return block != NULL;
}

/* --- nodes ------------------------------------------------------------------------------------ */
static CUresult check_allocation(const CUDA_MEM_ALLOC_NODE_PARAMS *p)
{
    if (p == NULL || p->bytesize == 0 || p->poolProps.allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
        p->poolProps.handleTypes != CU_MEM_HANDLE_TYPE_NONE ||
        p->poolProps.location.type != CU_MEM_LOCATION_TYPE_DEVICE || drv_device(p->poolProps.location.id) == NULL ||
        p->accessDescCount > (size_t)drv_process()->device_count ||
        (p->accessDescCount > 0 && p->accessDescs == NULL)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t i = 0; i < p->accessDescCount; i++) {
        const CUmemAccessDesc *d = &p->accessDescs[i];

        if (d->location.type != CU_MEM_LOCATION_TYPE_DEVICE || drv_device(d->location.id) == NULL ||
            d->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
            return CUDA_ERROR_INVALID_VALUE;
        }
    }
    return CUDA_SUCCESS;
}

/* Whose memory it is: the current context's, if it is of that device. */
static CUresult context_on(CUdevice device, struct drv_context **context)
{
    *context = drv_current();
    return *context != NULL && (*context)->device->ordinal == device ? CUDA_SUCCESS
                                                                     : drv_primary(drv_device(device), context);
}

static CUresult new_block(const CUDA_MEM_ALLOC_NODE_PARAMS *params, struct drv_block **out)
{
    struct drv_context *context;
    struct drv_memory memory;
    struct drv_block *block = calloc(1, sizeof *block);
    CUresult result = block == NULL ? CUDA_ERROR_OUT_OF_MEMORY : context_on(params->poolProps.location.id, &context);

    if (result == CUDA_SUCCESS) {
        *block = (struct drv_block){.references = 1, .size = params->bytesize, .device = params->poolProps.location.id};
        result =
            drv_memory_allocate(context, DRV_MEMORY_POOLED, block->size, 0, "cuGraphAddMemAllocNode", &block->address);
    }
    if (result != CUDA_SUCCESS) {
        free(block);
        return result;
    }
    block->memory = drv_memory_find(block->address, &memory) ? memory.id : 0;
    drv_lock();
    block->next = blocks;
    blocks = block;
    drv_unlock();
    *out = block;
    return CUDA_SUCCESS;
}

/*
 * A block of the same graph and size whose latest allocation is freed before anything that depends on `dependencies`
 * runs: programs count on getting the same address (CUDA Programming Guide, "Address Reuse within a Graph").  Lock
 * held.
 */
static struct drv_block *reusable(struct drv_graph *graph, const CUgraphNode *dependencies, size_t count,
                                  const CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    bool *reached = calloc(graph->n_nodes + 1, sizeof *reached);
    struct drv_node **from = calloc(count + 1, sizeof *from);
    struct drv_block *found = NULL;
    size_t n = 0;

    for (size_t i = 0; i < count && from != NULL; i++) {
        struct drv_node *node = drv_node_of(dependencies[i]);

        if (node != NULL && node->graph == graph) {
            from[n++] = node;
        }
    }
    if (n > 0 && reached != NULL && drv_graph_reach_back(graph, from, n, reached)) {
        for (size_t i = 0; i < graph->n_nodes && found == NULL; i++) {
            const struct drv_node *node = graph->nodes[i];
            struct drv_block *b = node->block;

            if (reached[i] && node->type == CU_GRAPH_NODE_TYPE_MEM_FREE && b->freer == node->id &&
                b->graph == graph->id && b->size == params->bytesize && b->device == params->poolProps.location.id) {
                found = b;
            }
        }
    }
    free(reached);
    free(from);
    return found;
}

/* Graphs that became part of another take no more memory nodes. */
static bool takes_memory(const struct drv_graph *graph)
{
    return graph != NULL && graph->owner == NULL;
}

CUresult drv_alloc_node_add(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies,
                            const CUgraphEdgeData *data, size_t count, CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    struct drv_block *block = NULL;
    CUDA_MEM_ALLOC_NODE_PARAMS *copy = NULL;
    CUresult result =
        out == NULL || (count > 0 && dependencies == NULL) ? CUDA_ERROR_INVALID_VALUE : check_allocation(params);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    drv_lock();
    struct drv_graph *g = drv_graph_of(graph);

    result = takes_memory(g) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        block = drv_block_retain(reusable(g, dependencies, count, params));
    }
    drv_unlock();
    if (result == CUDA_SUCCESS && block == NULL) {
        result = new_block(params, &block);
    }
    if (result == CUDA_SUCCESS) {
        params->dptr = block->address;
        copy = drv_allocation_copy(params);
        result = copy == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
    }
    if (result == CUDA_SUCCESS) {
        const struct drv_node_spec spec = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC, .block = block, .allocation = copy};

        drv_lock();
        result = drv_node_add_locked(out, graph, dependencies, data, count, &spec);
        if (result == CUDA_SUCCESS) {
            block->graph = drv_node_of(*out)->graph->id;
            block->freer = 0;
        }
        drv_unlock();
    }
    if (result != CUDA_SUCCESS) {
        drv_block_release(block);
        free(copy);
    }
    return result;
}

/* What speaks against a node that frees the block in this graph; lock held. */
static bool may_free(const struct drv_block *block, const struct drv_graph *graph)
{
    return block != NULL && takes_memory(graph) && block->freer == 0 && !block->freed_elsewhere;
}

CUresult drv_free_node_add(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies,
                           const CUgraphEdgeData *data, size_t count, CUdeviceptr address)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    struct drv_block *block = drv_block_at(address);
    const struct drv_graph *g = drv_graph_of(graph);

    if (may_free(block, g)) {
        const struct drv_node_spec spec = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .block = block};

        result = drv_node_add_locked(out, graph, dependencies, data, count, &spec);
    }
    if (result == CUDA_SUCCESS) {
        drv_block_retain(block);
        if (block->graph == g->id) {
            block->freer = drv_node_of(*out)->id;
        } else {
            block->freed_elsewhere = true;
        }
    }
    drv_unlock();
    return result;
}

CUresult CUDAAPI cuGraphAddMemAllocNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                        size_t numDependencies, CUDA_MEM_ALLOC_NODE_PARAMS *nodeParams)
{
    const CUresult ready = drv_ready();

    return ready != CUDA_SUCCESS
               ? ready
               : drv_alloc_node_add(phGraphNode, hGraph, dependencies, NULL, numDependencies, nodeParams);
}

CUresult CUDAAPI cuGraphMemAllocNodeGetParams(CUgraphNode hNode, CUDA_MEM_ALLOC_NODE_PARAMS *params_out)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    const struct drv_node *node = drv_node_of_type(hNode, CU_GRAPH_NODE_TYPE_MEM_ALLOC);

    if (node != NULL && params_out != NULL) {
        *params_out = *node->allocation;
        result = CUDA_SUCCESS;
    }
    drv_unlock();
    return result;
}

CUresult CUDAAPI cuGraphAddMemFreeNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                       size_t numDependencies, CUdeviceptr dptr)
{
    const CUresult ready = drv_ready();

    return ready != CUDA_SUCCESS ? ready
                                 : drv_free_node_add(phGraphNode, hGraph, dependencies, NULL, numDependencies, dptr);
}

CUresult CUDAAPI cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr *dptr_out)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    const struct drv_node *node = drv_node_of_type(hNode, CU_GRAPH_NODE_TYPE_MEM_FREE);

    if (node != NULL && dptr_out != NULL) {
        *dptr_out = node->block->address;
        result = CUDA_SUCCESS;
    }
    drv_unlock();
    return result;
}

/* --- what a device's graphs use --------------------------------------------------------------- */
static void unmap_all(const struct drv_chunk *chunk)
{
    for (struct drv_block *b = blocks; b != NULL; b = b->next) {
        if (b->chunk == chunk) {
            unmap(b);
        }
    }
}

CUresult CUDAAPI cuDeviceGraphMemTrim(CUdevice device)
{
    const CUresult ready = drv_ready();

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    if (drv_device(device) == NULL) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    drv_lock();
    for (struct drv_chunk **link = &pools[device].chunks; *link != NULL;) {
        struct drv_chunk *c = *link;

        if (!c->held && drv_ticket_done(&c->ready)) {
            unmap_all(c);
            *link = c->next;
            pools[device].reserved -= c->size;
            drv_ticket_drop(&c->ready);
            free(c);
        } else {
            link = &c->next;
        }
    }
    drv_unlock();
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value)
{
    const CUresult ready = drv_ready();
    CUresult result = CUDA_SUCCESS;
    uint64_t bytes = 0;

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    if (drv_device(device) == NULL || value == NULL) {
        return value == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_DEVICE;
    }
    drv_lock();
    switch (attr) {
    case CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT:
        bytes = pools[device].used;
        break;
    case CU_GRAPH_MEM_ATTR_USED_MEM_HIGH:
        bytes = pools[device].used_high;
        break;
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT:
        bytes = pools[device].reserved;
        break;
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH:
        bytes = pools[device].reserved_high;
        break;
    default:
        result = CUDA_ERROR_INVALID_VALUE;
        break;
    }
    drv_unlock();
    if (result == CUDA_SUCCESS) {
        *(cuuint64_t *)value = bytes;
    }
    return result;
}

CUresult CUDAAPI cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value)
{
    const CUresult ready = drv_ready();

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    if (drv_device(device) == NULL) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    if (value == NULL || *(cuuint64_t *)value != 0 ||
        (attr != CU_GRAPH_MEM_ATTR_USED_MEM_HIGH && attr != CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    drv_lock();
    if (attr == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH) {
        pools[device].used_high = pools[device].used;
    } else {
        pools[device].reserved_high = pools[device].reserved;
    }
    drv_unlock();
    return CUDA_SUCCESS;
}
