/* Logs and tables of internal functions. */
#ifndef PTXEMU_CUDA_RUNTIME_SYSTEM_H
#define PTXEMU_CUDA_RUNTIME_SYSTEM_H

#include "rename.h"
#include "../driver_types.h"

#include "../api_common/begin.h"

cudaError_t cudaGetExportTable(const void **ppExportTable, const cudaUUID_t *pExportTableId);

cudaError_t cudaLogsCurrent(cudaLogIterator *iterator_out, unsigned int flags);
cudaError_t cudaLogsDumpToFile(cudaLogIterator *iterator, const char *pathToFile, unsigned int flags);
cudaError_t cudaLogsDumpToMemory(cudaLogIterator *iterator, char *buffer, size_t *size, unsigned int flags);
cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc, void *userData,
                                     cudaLogsCallbackHandle *callback_out);
cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback);

#include "../api_common/end.h"

#endif
