// Prints what a set of headers says about each fact of facts.inc: values, sizes, offsets, signatures, the names behind
// macros.  Types are printed as C++ mangles them, so that two sets of headers can be compared as text.
#include <cstddef>
#include <cstdio>
#include <typeinfo>

#include <cuda.h>
#if !defined(__CUDA_API_VERSION_INTERNAL) // which is a matter of the driver API only
#include <cudaProfiler.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <driver_functions.h>
#include <library_types.h>
#endif

#define TEXT(x)  TEXT_(x)
#define TEXT_(x) #x

#define ENUMERATOR(fact)      std::printf("enumerator %s = %lld\n", #fact, (long long)(fact));
#define RECORD(type)          std::printf("record %s: %zu bytes, aligned to %zu\n", #type, sizeof(type), alignof(type));
#define AGGREGATE(type, path) std::printf("%s.%s at %zu, %zu bytes\n", #type, #path, offsetof(type, path), \
                                          sizeof(((type *)0)->path));
#define MEMBER(type, path)    std::printf("%s.%s at %zu, type %s\n", #type, #path, offsetof(type, path), \
                                          typeid(decltype(((type *)0)->path)).name());
#define FUNCTION(fact)        std::printf("function %s is %s, type %s\n", #fact, TEXT(fact), typeid(decltype(fact)).name());
#define RENAMED(fact)         std::printf("macro %s is %s\n", #fact, TEXT(fact));
#define CONSTANT(fact)        std::printf("macro %s = %lld\n", #fact, (long long)(fact));

int main()
{
#include "facts.inc"
}
