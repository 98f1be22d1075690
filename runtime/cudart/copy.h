/*
 * Copies as the driver describes them: what the directions of the runtime mean, and its three-dimensional parameters
 * translated both ways.
 */
#ifndef PTXEMU_CUDART_COPY_H
#define PTXEMU_CUDART_COPY_H

#include "cudart.h"

/* Kinds of memory on both sides of a copy of that direction; false if there is no such direction. */
bool crt_copy_sides(enum cudaMemcpyKind kind, CUmemorytype *source, CUmemorytype *destination);

/* Whether a side of that kind may be, or has to be, an array: device memory, or whatever it turns out to be. */
bool crt_side_may_be_array(CUmemorytype side);

/* A copy of rows without arrays: cudaMemcpy2D. */
cudaError_t crt_copy_rows(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width_bytes, size_t height,
                          enum cudaMemcpyKind kind, CUDA_MEMCPY2D *copy);

/*
 * cudaMemcpy3D and a graph's memcpy node.  Positions and extents count an array's elements where one takes part, so the
 * driver is asked for their size; needs a context.
 */
cudaError_t crt_copy_3d(const struct cudaMemcpy3DParms *parms, CUDA_MEMCPY3D *copy);

/* The inverse. Arrays of which the driver does not know the elements count in bytes. */
void crt_parms_from_copy_3d(const CUDA_MEMCPY3D *copy, struct cudaMemcpy3DParms *parms);

/* cudaMemcpy3DPeer.  `copy` lacks the contexts. */
cudaError_t crt_copy_3d_peer(const struct cudaMemcpy3DPeerParms *parms, CUDA_MEMCPY3D_PEER *copy);

/* Primary context of a device, made if need be; the calling thread's context stays what it is. */
cudaError_t crt_peer_context(int device, CUcontext *context);

/* A copy in one dimension of a linear range, as a graph's node: one row of bytes. */
cudaError_t crt_copy_1d(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, CUDA_MEMCPY3D *copy);

#endif
