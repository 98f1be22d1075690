/*
 * Parameters of graph nodes: the runtime's translated to the driver's, and back.
 *
 * A kernel is named by its host stub, and contexts are not named at all: a node belongs to the context that is current
 * when it is made.
 */
#ifndef PTXEMU_CUDART_GRAPH_NODE_H
#define PTXEMU_CUDART_GRAPH_NODE_H

#include "cudart.h"

/* All after crt_begin(). */
cudaError_t crt_kernel_node(const struct cudaKernelNodeParams *params, CUDA_KERNEL_NODE_PARAMS *node);
void crt_params_from_kernel_node(const CUDA_KERNEL_NODE_PARAMS *node, struct cudaKernelNodeParams *params);

/* The driver's memset parameters, without a context. */
CUDA_MEMSET_NODE_PARAMS crt_memset_node(const struct cudaMemsetParams *params);

/* The current context, which copies and fills are made in. */
cudaError_t crt_current_context(CUcontext *context);

#endif
