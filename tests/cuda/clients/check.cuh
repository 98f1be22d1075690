// For the CUDA programs: CHECK counts what is not so, report() says how it went.
#ifndef CLIENTS_CHECK_CUH
#define CLIENTS_CHECK_CUH

#include <cstdio>

static int failures;

#define CHECK(condition)                                                  \
    do {                                                                  \
        if (!(condition)) {                                               \
            std::printf("line %d: %s is not so\n", __LINE__, #condition); \
            failures++;                                                   \
        }                                                                 \
    } while (0)

static int report()
{
    std::puts(failures == 0 ? "ok" : "failed");
    return failures != 0;
}

#endif
