/*
 * Graphs as text for Graphviz.
 *
 * The text is made in memory with the lock held and written without it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/driver/graph.h"
#include "runtime/driver/graph_memory.h"
#include "runtime/driver/module.h"

enum { ALL = ~(unsigned)CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES };

static const char *type_name(CUgraphNodeType type)
{
    static const char *const names[] = {
        [CU_GRAPH_NODE_TYPE_KERNEL] = "KERNEL",         [CU_GRAPH_NODE_TYPE_MEMCPY] = "MEMCPY",
        [CU_GRAPH_NODE_TYPE_MEMSET] = "MEMSET",         [CU_GRAPH_NODE_TYPE_HOST] = "HOST",
        [CU_GRAPH_NODE_TYPE_GRAPH] = "GRAPH",           [CU_GRAPH_NODE_TYPE_EMPTY] = "EMPTY",
        [CU_GRAPH_NODE_TYPE_WAIT_EVENT] = "WAIT_EVENT", [CU_GRAPH_NODE_TYPE_EVENT_RECORD] = "EVENT_RECORD",
        [CU_GRAPH_NODE_TYPE_MEM_ALLOC] = "MEM_ALLOC",   [CU_GRAPH_NODE_TYPE_MEM_FREE] = "MEM_FREE"};

    return names[type];
}

/* Lines of a label end in "\n", which Graphviz reads. */
static void print_kernel(FILE *out, const struct drv_kernel_work *w, unsigned flags)
{
    fprintf(out, "\\n%s", w->function->kernel->func->name);
    if ((flags & CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS) != 0) {
        fprintf(out, "\\n\\<\\<\\<(%u,%u,%u),(%u,%u,%u),%u\\>\\>\\>", w->grid[0], w->grid[1], w->grid[2], w->block[0],
                w->block[1], w->block[2], w->shared_bytes);
    }
    if ((flags & CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES) != 0) {
        fprintf(out, "\\nfunction %p", (void *)w->handle);
    }
    if ((flags & CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES) != 0) {
        fprintf(out, "\\ncooperative %d, cluster (%u,%u,%u)", w->cooperative, w->cluster[0], w->cluster[1],
                w->cluster[2]);
    }
}

static const char *memory_name(CUmemorytype type)
{
    return type == CU_MEMORYTYPE_HOST ? "host" : type == CU_MEMORYTYPE_ARRAY ? "array" : "device";
}

static void print_copy(FILE *out, const CUDA_MEMCPY3D_PEER *c, unsigned flags)
{
    fprintf(out, "\\n%s to %s", memory_name(c->srcMemoryType), memory_name(c->dstMemoryType));
    if ((flags & CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS) != 0) {
        fprintf(out, "\\n%zu x %zu x %zu bytes, pitches %zu and %zu", c->WidthInBytes, c->Height, c->Depth, c->srcPitch,
                c->dstPitch);
    }
}

static void print_set(FILE *out, const CUDA_MEMSET_NODE_PARAMS *s, unsigned flags)
{
    if ((flags & CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS) != 0) {
        fprintf(out, "\\n0x%llx = %u\\n%zu x %zu elements of %u bytes, pitch %zu", s->dst, s->value, s->width,
                s->height, s->elementSize, s->pitch);
    }
}

static void print_rest(FILE *out, const struct drv_node *node, unsigned flags)
{
    const struct drv_host_work *host = (const struct drv_host_work *)node->work;
    const struct drv_event_work *event = (const struct drv_event_work *)node->work;

    switch (node->type) {
    case CU_GRAPH_NODE_TYPE_HOST:
        if ((flags & CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS) != 0) {
            fprintf(out, "\\n%p(%p)", (void *)(uintptr_t)host->function, host->argument);
        }
        break;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        if ((flags & CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS) != 0) {
            fprintf(out, "\\nevent %p", (void *)event->handle);
        }
        break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        if ((flags & CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS) != 0) {
            fprintf(out, "\\n0x%llx, %zu bytes", node->allocation->dptr, node->allocation->bytesize);
        }
        break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        if ((flags & CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS) != 0) {
            fprintf(out, "\\n0x%llx", (unsigned long long)node->block->address);
        }
        break;
    default:
        break;
    }
}

static void print_node(FILE *out, const struct drv_graph *graph, const struct drv_node *node, unsigned flags)
{
    fprintf(out, "\"graph_%llu_node_%zu\"[shape=\"%s\" label=\"%zu\\n%s", (unsigned long long)graph->id, node->index,
            node->type == CU_GRAPH_NODE_TYPE_KERNEL ? "octagon" : "rectangle", node->index, type_name(node->type));
    switch (node->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        print_kernel(out, (const struct drv_kernel_work *)node->work, flags);
        break;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        print_copy(out, &((const struct drv_copy_work *)node->work)->copy, flags);
        break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
        print_set(out, &((const struct drv_set_work *)node->work)->set, flags);
        break;
    default:
        print_rest(out, node, flags);
        break;
    }
    if ((flags & CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES) != 0) {
        fprintf(out, "\\nnode %p", (void *)node->handle);
    }
    fprintf(out, "\"];\n");
}

static void print_edges(FILE *out, const struct drv_graph *graph, const struct drv_node *node, unsigned flags)
{
    for (unsigned i = 0; i < node->n_in; i++) {
        fprintf(out, "\"graph_%llu_node_%zu\" -> \"graph_%llu_node_%zu\"", (unsigned long long)graph->id,
                node->in[i].from->index, (unsigned long long)graph->id, node->index);
        if ((flags & CU_GRAPH_DEBUG_DOT_FLAGS_EXTRA_TOPO_INFO) != 0) {
            fprintf(out, "[label=\"%u\"]", i);
        }
        fprintf(out, ";\n");
    }
}

static void print_graph(FILE *out, struct drv_graph *graph, unsigned flags)
{
    drv_graph_number(graph);
    fprintf(out, "subgraph cluster_%llu {\nlabel=\"graph_%llu\" graph[style=\"dashed\"];\n",
            (unsigned long long)graph->id, (unsigned long long)graph->id);
    for (size_t i = 0; i < graph->n_nodes; i++) {
        print_node(out, graph, graph->nodes[i], flags);
    }
    for (size_t i = 0; i < graph->n_nodes; i++) {
        print_edges(out, graph, graph->nodes[i], flags);
    }
    for (size_t i = 0; i < graph->n_nodes; i++) {
        if (graph->nodes[i]->child != NULL) {
            print_graph(out, graph->nodes[i]->child, flags);
        }
    }
    fprintf(out, "}\n");
}

/* The text, malloc'd; CUDA_ERROR_INVALID_VALUE when the handle is none. */
static CUresult describe(CUgraph handle, unsigned flags, char **text, size_t *length)
{
    FILE *out = open_memstream(text, length);
    CUresult result = out == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;

    if (out == NULL) {
        return result;
    }
    drv_lock();
    struct drv_graph *graph = drv_graph_of(handle);

    if (graph != NULL) {
        fprintf(out, "digraph dot {\n");
        print_graph(out, graph, (flags & CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE) != 0 ? ALL : flags);
        fprintf(out, "}\n");
        result = CUDA_SUCCESS;
    }
    drv_unlock();
    return fclose(out) == 0 ? result : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult write_file(const char *path, const char *text, size_t length)
{
    FILE *out = fopen(path, "w");

    if (out == NULL) {
        return CUDA_ERROR_OPERATING_SYSTEM;
    }
    const bool written = fwrite(text, 1, length, out) == length;

    return fclose(out) == 0 && written ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}

CUresult CUDAAPI cuGraphDebugDotPrint(CUgraph hGraph, const char *path, unsigned int flags)
{
    char *text = NULL;
    size_t length = 0;
    CUresult result = path == NULL ? CUDA_ERROR_INVALID_VALUE : describe(hGraph, flags, &text, &length);

    if (result == CUDA_SUCCESS) {
        result = write_file(path, text, length);
    }
    free(text);
    return result;
}
