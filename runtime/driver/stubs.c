/*
 * Every exported name, weakly: a name that another file implements is that file's, the others answer that the service
 * does not exist.  No header of CUDA is included here: the functions are defined without their parameters, which they
 * do not look at.
 */
#include "runtime/driver/stubs.h"

#define SYMBOL(name, ...)                                       \
    __attribute__((weak, visibility("default"))) int name(void) \
    {                                                           \
        return drv_stub(#name);                                 \
    }
#include "runtime/driver/symbols.def"
