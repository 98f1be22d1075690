/*
 * Names and texts of errors.
 */
#include <cuda.h>
#include <stddef.h>

static const struct {
    CUresult value;
    const char *name, *text;
} errors[] = {
#define DRV_ERROR(name, value, text) {(CUresult)(value), #name, text},
#include "runtime/driver/errors.def"
#undef DRV_ERROR
};

enum { ERROR_COUNT = sizeof errors / sizeof *errors };

static int find(CUresult error)
{
    for (int i = 0; i < ERROR_COUNT; i++) {
        if (errors[i].value == error) {
            return i;
        }
    }
    return -1;
}

CUresult cuGetErrorName(CUresult error, const char **pStr)
{
    const int at = find(error);

    if (pStr == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *pStr = at < 0 ? NULL : errors[at].name;
    return at < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **pStr)
{
    const int at = find(error);

    if (pStr == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *pStr = at < 0 ? NULL : errors[at].text;
    return at < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
