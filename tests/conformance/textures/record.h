/*
 * What the parts of the recording program share: who launches which kernel.
 */
#ifndef TEXTURE_RECORD_H
#define TEXTURE_RECORD_H

#include <cuda_runtime.h>

#include "cases.h"

/* False when there is no kernel for the case. */
bool launch_fetch(const tc_case &c, cudaTextureObject_t t, const tc_sample *in, uint4 *out);
bool launch_visit(const ts_case &c, cudaSurfaceObject_t t, const ts_sample *in, uint4 *out);
bool launch_formatted(const ts_case &c, cudaSurfaceObject_t t, const ts_sample *in, uint4 *out);
void launch_sizes(cudaTextureObject_t t, uint4 *out);
void launch_surface_sizes(cudaSurfaceObject_t t, uint4 *out);
void launch_questions(cudaTextureObject_t t, uint4 *out);
void launch_surface_questions(cudaSurfaceObject_t t, uint4 *out);
/* Say it when the question that was just asked cannot be; its answer is left as it was. */
void report(unsigned question, const char *of);

#endif
