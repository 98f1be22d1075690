/*
 * Element formats: the runtime's channel descriptors (bits of each channel, and a kind) and the driver's array formats
 * (one name, and a number of channels).
 */
#ifndef PTXEMU_CUDART_FORMAT_H
#define PTXEMU_CUDART_FORMAT_H

#include "cudart.h"

/* The driver's name of a format; cudaErrorInvalidChannelDescriptor if no such format exists. */
cudaError_t crt_format_from_desc(const struct cudaChannelFormatDesc *desc, CUarray_format *format,
                                 unsigned *channel_count);

/* The inverse; all zero with kind `None` for a format that the runtime has no descriptor for. */
struct cudaChannelFormatDesc crt_desc_from_format(CUarray_format format, unsigned channel_count);

/* Descriptor of an array of the current context. */
CUresult crt_array_descriptor(cudaArray_const_t array, CUDA_ARRAY3D_DESCRIPTOR *descriptor);

/* Bytes of one element of an array. */
CUresult crt_array_element_bytes(cudaArray_const_t array, size_t *bytes);

#endif
