/*
 * Functions by name: what cuGetProcAddress answers, and what exported names do that nobody implements.
 *
 * A function whose signature changed has several exported names, each with the release in which it came; who asks says
 * which release's signature is meant, and gets the newest that is not newer.
 */
#define __CUDA_API_VERSION_INTERNAL /* the headers rename nothing */
#include <cuda.h>
#include <dlfcn.h>
#include <string.h>

#include "runtime/driver/process.h"
#include "runtime/driver/stubs.h"

enum variant { PLAIN, PTSZ, PTDS };

static const struct entry {
    const char *symbol, *api;
    int since;
    enum variant variant;
} entries[] = {
#define SYMBOL(name, api, since, variant) {#name, api, since, variant},
#include "runtime/driver/symbols.def"
#undef SYMBOL
};

enum { ENTRY_COUNT = sizeof entries / sizeof *entries };

int drv_stub(const char *name)
{
    return drv_unsupported(name);
}

/* The newest name of a function for a release; of equals the one with the longer, later name. */
static const struct entry *find(const char *api, int version, bool per_thread)
{
    const struct entry *best = NULL;

    for (int i = 0; i < ENTRY_COUNT; i++) {
        const struct entry *e = &entries[i];

        if (strcmp(e->api, api) == 0 && e->since <= version && (e->variant != PLAIN) == per_thread &&
            (best == NULL || e->since >= best->since)) {
            best = e;
        }
    }
    return best;
}

static bool exists(const char *api)
{
    for (int i = 0; i < ENTRY_COUNT; i++) {
        if (strcmp(entries[i].api, api) == 0) {
            return true;
        }
    }
    return false;
}

/* This library's own symbol, whatever else the process has loaded. */
static void *address_of(const char *symbol)
{
    static void *_Atomic self;
    Dl_info info;

    if (self == NULL && dladdr((void *)(uintptr_t)drv_stub, &info) != 0) {
        self = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    }
    return self == NULL ? NULL : dlsym(self, symbol);
}

CUresult cuGetProcAddress_v2(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *symbolStatus)
{
    enum { PER_THREAD = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM };
    const struct entry *entry;
    CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;

    if (symbol == NULL || pfn == NULL || (flags & ~(cuuint64_t)(CU_GET_PROC_ADDRESS_LEGACY_STREAM | PER_THREAD)) != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    entry = (flags & PER_THREAD) != 0 ? find(symbol, cudaVersion, true) : NULL;
    if (entry == NULL) {
        entry = find(symbol, cudaVersion, false);
    }
    *pfn = entry == NULL ? NULL : address_of(entry->symbol);
    if (*pfn == NULL) {
        status = exists(symbol) ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    }
    if (symbolStatus != NULL) {
        *symbolStatus = status;
    }
    return *pfn != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* For callers that were compiled with the per-thread default stream. */
CUresult cuGetProcAddress_v2_ptsz(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
                                  CUdriverProcAddressQueryResult *symbolStatus)
{
    const bool given =
        (flags & (CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)) != 0;

    return cuGetProcAddress_v2(symbol, pfn, cudaVersion,
                               given ? flags : flags | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, symbolStatus);
}

CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags)
{
    return cuGetProcAddress_v2(symbol, pfn, cudaVersion, flags, NULL);
}

/* Tables that are not documented are not imitated. */
CUresult cuGetExportTable(const void **ppExportTable, const CUuuid *pExportTableId)
{
    static _Atomic bool told;

    if (ppExportTable == NULL || pExportTableId == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *ppExportTable = NULL;
    if (!told) {
        told = true;
        drv_verbose(
            "the program asks for undocumented tables of NVIDIA's driver, which ptxemu does not have; if it has "
            "NVIDIA's CUDA runtime in it, run it with `ptxemu ./program`, or link it with -cudart shared");
    }
    return CUDA_ERROR_NOT_FOUND;
}
