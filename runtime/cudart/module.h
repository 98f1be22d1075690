/* Loading of registered device code: from what registry.h knows to objects of the driver. */
#ifndef PTXEMU_CUDART_MODULE_H
#define PTXEMU_CUDART_MODULE_H

#include "registry.h"

/* A module for a wrapper, with no entries; NULL without memory. */
struct crt_module *crt_module_new(const void *wrapper);

/* Unload the module and free it; its entries are gone already. */
void crt_module_free(struct crt_module *module);

/* Load the module, unless it is, and give the program its managed variables. */
CUresult crt_module_load(struct crt_module *module, CUlibrary *library);

#endif
