/*
 * Every exported name, weakly: a name that another file implements is that file's, the others answer that the service
 * does not exist.  A program that only links against such a name, or asks and copes, is not troubled.
 *
 * No header of CUDA is included here: the functions are defined without their parameters, which they do not look at.
 */
#include "stubs.h"

/* Names of the other library are none of this one. */
#if PTXEMU_CUDA_VERSION >= 13000
#define ONLY_13(...) __VA_ARGS__
#define ONLY_12(...)
#else
#define ONLY_13(...)
#define ONLY_12(...) __VA_ARGS__
#endif

/* Numbers of the names, for telling each once. */
enum {
#define SYMBOL(name, ...)   NUMBER_##name,
#define SYMBOL13(name, ...) ONLY_13(NUMBER_##name, )
#define SYMBOL12(name, ...) ONLY_12(NUMBER_##name, )
#include "symbols.def"
    NUMBER_OF_NAMES
};

_Static_assert((int)NUMBER_OF_NAMES <= (int)CRT_MAX_NAMES, "a bit for each name");

#define STUB(name)                                              \
    __attribute__((weak, visibility("default"))) int name(void) \
    {                                                           \
        return crt_refuse(#name, NUMBER_##name);                \
    }
#define SYMBOL(name, ...)   STUB(name)
#define SYMBOL13(name, ...) ONLY_13(STUB(name))
#define SYMBOL12(name, ...) ONLY_12(STUB(name))
#include "symbols.def"
