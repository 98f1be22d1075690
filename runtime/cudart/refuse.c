/* The answers of functions that have no implementation (stubs.c). */
#include "stubs.h"

#include "state.h"

#include <stdio.h>
#include <string.h>

/*
 * A machine without a display has no graphics context, which is what registering a buffer of one would say.  All else
 * is not supported.  Longer prefixes first.
 */
static const struct {
    const char *prefix;
    cudaError_t error;
} answers[] = {
    {"cudaGraphicsGLRegister", cudaErrorInvalidGraphicsContext},
    {"cudaGLGetDevices", cudaErrorInvalidGraphicsContext},
    {"cudaGLRegister", cudaErrorInvalidGraphicsContext},
    {"cudaGraphicsVDPAU", cudaErrorInvalidGraphicsContext},
    {"cudaVDPAU", cudaErrorInvalidGraphicsContext},
    /* No resource was ever registered. */
    {"cudaGraphicsEGL", cudaErrorNotSupported},
    {"cudaGraphics", cudaErrorInvalidResourceHandle},
};

static cudaError_t answer(const char *name)
{
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        if (strncmp(name, answers[i].prefix, strlen(answers[i].prefix)) == 0) {
            return answers[i].error;
        }
    }
    return cudaErrorNotSupported;
}

/* This is the first call of the function by anyone. */
static bool is_first(unsigned number)
{
    atomic_uint_least64_t *word = &crt_process()->told[number / 64];
    uint64_t bit = (uint64_t)1 << number % 64;

    return (atomic_fetch_or(word, bit) & bit) == 0;
}

cudaError_t crt_unsupported(const char *what)
{
    if (crt_verbose()) {
        fprintf(stderr, "ptxemu: %s is not supported\n", what);
    }
    return crt_return(cudaErrorNotSupported);
}

int crt_refuse(const char *name, unsigned number)
{
    if (is_first(number) && crt_verbose()) {
        fprintf(stderr, "ptxemu: %s is not supported\n", name);
    }
    return (int)crt_return(answer(name));
}
