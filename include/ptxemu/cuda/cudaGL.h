/*
 * OpenGL objects in the driver API. Names of objects and targets are GLuint and GLenum, which are unsigned int
 * everywhere: no header of OpenGL is needed. Functions that were deprecated before 4.0 are left out.
 */
#ifndef CUDAGL_H
#define CUDAGL_H

#include "cuda.h"
#include "api_common/begin.h"

#define cuGLGetDevices cuGLGetDevices_v2

typedef enum CUGLDeviceList_enum {
    CU_GL_DEVICE_LIST_ALL = 1,
    CU_GL_DEVICE_LIST_CURRENT_FRAME = 2,
    CU_GL_DEVICE_LIST_NEXT_FRAME = 3
} CUGLDeviceList;

CUresult cuGLGetDevices(unsigned int *pCudaDeviceCount, CUdevice *pCudaDevices, unsigned int cudaDeviceCount,
                        CUGLDeviceList deviceList);
CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource *pCudaResource, unsigned int buffer, unsigned int Flags);
CUresult cuGraphicsGLRegisterImage(CUgraphicsResource *pCudaResource, unsigned int image, unsigned int target,
                                   unsigned int Flags);

#include "api_common/end.h"

#endif
