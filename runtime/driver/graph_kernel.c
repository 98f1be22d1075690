/*
 * Kernel nodes: parameters and attributes.
 *
 * Two attributes are part of the work, cooperation and cluster size: setting one makes other work of it.  The rest is
 * only kept, for whoever asks.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/driver/graph.h"
#include "runtime/driver/handle.h"
#include "runtime/driver/module.h"

static const struct drv_kernel_work *kernel_of(const struct drv_node *node)
{
    return (const struct drv_kernel_work *)node->work;
}

/* The context of the kernel's module; NULL: it is gone. */
static struct drv_context *home_of(const struct drv_kernel_work *work)
{
    return work->function->module->context;
}

/* --- work like other work --------------------------------------------------------------------- */
static CUresult remake(const struct drv_kernel_work *w, bool cooperative, const unsigned cluster[3],
                       struct drv_work **out)
{
    size_t bytes = w->params_bytes;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, (void *)(uintptr_t)w->params, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    struct drv_launch launch = {.shared_bytes = w->shared_bytes, .cooperative = cooperative, .extra = extra};

    if (home_of(w) == NULL) {
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    }
    memcpy(launch.grid, w->grid, sizeof launch.grid);
    memcpy(launch.block, w->block, sizeof launch.block);
    memcpy(launch.cluster, cluster, sizeof launch.cluster);
    return drv_launch_work(home_of(w), w->handle, &launch, out);
}

CUresult drv_kernel_work_with(const struct drv_kernel_work *work, CUlaunchAttributeID id,
                              const CUlaunchAttributeValue *value, struct drv_work **out)
{
    const unsigned cluster[3] = {value->clusterDim.x, value->clusterDim.y, value->clusterDim.z};

    return id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE ? remake(work, value->cooperative != 0, work->cluster, out)
                                                 : remake(work, work->cooperative, cluster, out);
}

CUresult drv_kernel_work_like(const CUDA_KERNEL_NODE_PARAMS *params, const struct drv_kernel_work *old,
                              struct drv_work **out)
{
    struct drv_work *made = NULL;
    CUresult result = params == NULL ? CUDA_ERROR_INVALID_VALUE : drv_kernel_work(params, &made);

    if (result == CUDA_SUCCESS && (old->cooperative || old->cluster[0] != 0)) {
        struct drv_work *bare = made;

        result = remake((const struct drv_kernel_work *)bare, old->cooperative, old->cluster, &made);
        drv_work_release(bare);
    }
    if (result == CUDA_SUCCESS) {
        *out = made;
    }
    return result;
}

CUcontext drv_kernel_work_context(const struct drv_work *work)
{
    struct drv_context *home = home_of((const struct drv_kernel_work *)work);

    return home == NULL ? NULL : drv_context_handle(home);
}

/* --- parameters ------------------------------------------------------------------------------- */
CUresult CUDAAPI cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                      size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
    struct drv_node_spec spec = {.type = CU_GRAPH_NODE_TYPE_KERNEL};
    CUresult result = drv_ready();

    if (result == CUDA_SUCCESS) {
        result = nodeParams == NULL ? CUDA_ERROR_INVALID_VALUE : drv_kernel_work(nodeParams, &spec.work);
    }
    if (result == CUDA_SUCCESS) {
        spec.context = drv_kernel_work_context(spec.work);
        result = drv_node_add(phGraphNode, hGraph, dependencies, NULL, numDependencies, &spec);
    }
    return result;
}

/* Pointers to the parameters inside the work; the node keeps them.  NULL when memory is exhausted, or there are none.
 */
static void **param_pointers(struct drv_node *node)
{
    const struct drv_kernel_work *w = kernel_of(node);
    ptxemu_param_info info;
    size_t count = 0;

    while (ptxemu_kernel_param(w->function->kernel, count, &info)) {
        count++;
    }
    if (node->kernel_params == NULL && count > 0) {
        node->kernel_params = calloc(count, sizeof *node->kernel_params);
        for (size_t i = 0; i < count && node->kernel_params != NULL; i++) {
            ptxemu_kernel_param(w->function->kernel, i, &info);
            node->kernel_params[i] = (uint8_t *)(uintptr_t)w->params + info.offset;
        }
    }
    return node->kernel_params;
}

static CUDA_KERNEL_NODE_PARAMS params_of(struct drv_node *node)
{
    const struct drv_kernel_work *w = kernel_of(node);

    return (CUDA_KERNEL_NODE_PARAMS){
        .func = w->function->handle,
        .gridDimX = w->grid[0],
        .gridDimY = w->grid[1],
        .gridDimZ = w->grid[2],
        .blockDimX = w->block[0],
        .blockDimY = w->block[1],
        .blockDimZ = w->block[2],
        .sharedMemBytes = w->shared_bytes,
        .kernelParams = param_pointers(node),
        .kern = drv_handle_get(w->handle, DRV_KERNEL) != NULL ? (CUkernel)w->handle : NULL,
        .ctx = drv_kernel_work_context(node->work),
    };
}

CUresult CUDAAPI cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    struct drv_node *node = drv_node_of_type(hNode, CU_GRAPH_NODE_TYPE_KERNEL);

    if (node != NULL && nodeParams != NULL) {
        *nodeParams = params_of(node);
        result = CUDA_SUCCESS;
    }
    drv_unlock();
    return result;
}

CUresult CUDAAPI cuGraphKernelNodeSetParams(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
    struct drv_work *old = drv_node_work(hNode, CU_GRAPH_NODE_TYPE_KERNEL), *work = NULL;
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    if (old != NULL) {
        result = drv_kernel_work_like(nodeParams, (const struct drv_kernel_work *)old, &work);
    }
    if (result == CUDA_SUCCESS) {
        result = drv_node_replace(hNode, CU_GRAPH_NODE_TYPE_KERNEL, work, drv_kernel_work_context(work));
    }
    drv_work_release(old);
    return result;
}

/* --- attributes ------------------------------------------------------------------------------- */
static bool is_part_of_work(CUkernelNodeAttrID attribute)
{
    return attribute == CU_LAUNCH_ATTRIBUTE_COOPERATIVE || attribute == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
}

/* Attributes that a node keeps for whoever asks. */
static bool is_kept(CUkernelNodeAttrID attribute)
{
    switch (attribute) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        return true;
    default:
        return false;
    }
}

CUresult CUDAAPI cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
                                               CUkernelNodeAttrValue *value_out)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    const struct drv_node *node = drv_node_of_type(hNode, CU_GRAPH_NODE_TYPE_KERNEL);

    if (node != NULL && value_out != NULL && (is_part_of_work(attr) || is_kept(attr))) {
        memset(value_out, 0, sizeof *value_out);
        if (attr == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) {
            value_out->cooperative = kernel_of(node)->cooperative;
        } else if (attr == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
            value_out->clusterDim.x = kernel_of(node)->cluster[0];
            value_out->clusterDim.y = kernel_of(node)->cluster[1];
            value_out->clusterDim.z = kernel_of(node)->cluster[2];
        } else if (node->attributes != NULL && (node->attributes->set & 1u << attr) != 0) {
            *value_out = node->attributes->values[attr];
        }
        result = CUDA_SUCCESS;
    }
    drv_unlock();
    return result;
}

static CUresult set_work_attribute(CUgraphNode handle, CUkernelNodeAttrID attribute, const CUkernelNodeAttrValue *value)
{
    struct drv_work *old = drv_node_work(handle, CU_GRAPH_NODE_TYPE_KERNEL), *work = NULL;
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    if (old != NULL) {
        result = drv_kernel_work_with((const struct drv_kernel_work *)old, attribute, value, &work);
    }
    if (result == CUDA_SUCCESS) {
        result = drv_node_replace(handle, CU_GRAPH_NODE_TYPE_KERNEL, work, drv_kernel_work_context(work));
    }
    drv_work_release(old);
    return result;
}

CUresult drv_kernel_node_keep(struct drv_node *node, CUkernelNodeAttrID attribute, const CUkernelNodeAttrValue *value)
{
    node->attributes = node->attributes != NULL ? node->attributes : calloc(1, sizeof *node->attributes);
    if (node->attributes == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    node->attributes->set |= 1u << attribute;
    node->attributes->values[attribute] = *value;
    return CUDA_SUCCESS;
}

static CUresult keep_attribute(CUgraphNode handle, CUkernelNodeAttrID attribute, const CUkernelNodeAttrValue *value)
{
    drv_lock();
    struct drv_node *node = drv_node_of_type(handle, CU_GRAPH_NODE_TYPE_KERNEL);
    const CUresult result = node == NULL ? CUDA_ERROR_INVALID_VALUE : drv_kernel_node_keep(node, attribute, value);

    drv_unlock();
    return result;
}

CUresult CUDAAPI cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
                                               const CUkernelNodeAttrValue *value)
{
    if (value == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (attr == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE &&
        value->deviceUpdatableKernelNode.deviceUpdatable != 0) {
        return drv_unsupported("CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE");
    }
    return is_part_of_work(attr) ? set_work_attribute(hNode, attr, value)
           : is_kept(attr)       ? keep_attribute(hNode, attr, value)
                                 : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src)
{
    struct drv_work *from = drv_node_work(src, CU_GRAPH_NODE_TYPE_KERNEL),
                    *to = drv_node_work(dst, CU_GRAPH_NODE_TYPE_KERNEL);
    struct drv_work *work = NULL;
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    if (from != NULL && to != NULL && drv_kernel_work_context(from) == drv_kernel_work_context(to)) {
        const struct drv_kernel_work *f = (const struct drv_kernel_work *)from;

        result = remake((const struct drv_kernel_work *)to, f->cooperative, f->cluster, &work);
    }
    if (result == CUDA_SUCCESS) {
        result = drv_node_replace(dst, CU_GRAPH_NODE_TYPE_KERNEL, work, drv_kernel_work_context(work));
    }
    drv_work_release(from);
    drv_work_release(to);
    for (unsigned id = 0; id < DRV_NODE_ATTRIBUTES && result == CUDA_SUCCESS; id++) {
        CUkernelNodeAttrValue value;

        if (is_kept(id)) {
            result = cuGraphKernelNodeGetAttribute(src, id, &value);
            result = result == CUDA_SUCCESS ? keep_attribute(dst, id, &value) : result;
        }
    }
    return result;
}
