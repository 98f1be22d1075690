/*
 * The newest forms of functions that CUDA 12's headers declare under names of their own, so that a test reads the same
 * for both releases.
 */
#ifndef PTXEMU_TESTS_CUDA_NEWEST_H
#define PTXEMU_TESTS_CUDA_NEWEST_H

#include "check.h"

#if PTXEMU_CUDA_VERSION < 13000
#define cudaGraphAddDependencies       cudaGraphAddDependencies_v2
#define cudaGraphAddNode               cudaGraphAddNode_v2
#define cudaGraphGetEdges              cudaGraphGetEdges_v2
#define cudaGraphNodeGetDependencies   cudaGraphNodeGetDependencies_v2
#define cudaGraphNodeGetDependentNodes cudaGraphNodeGetDependentNodes_v2
#define cudaGraphRemoveDependencies    cudaGraphRemoveDependencies_v2
#define cudaMemAdvise                  cudaMemAdvise_v2
#define cudaMemPrefetchAsync           cudaMemPrefetchAsync_v2
#undef cudaStreamGetCaptureInfo
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_v3
#endif

#endif
