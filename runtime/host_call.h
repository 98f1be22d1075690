/*
 * Functions of the host that kernels call: those that a device knows, and how a module's declarations are called.
 */
#ifndef RUNTIME_HOST_CALL_H
#define RUNTIME_HOST_CALL_H

#include "runtime/objects.h"

struct rt_host;
struct rt_host_calls;

/* The number, from 1, of the function of that name; 0: there is none. */
uint32_t rt_host_find(const struct rt_host *host, const char *name);
void rt_host_free(struct rt_host *host);

/*
 * Prepare the calls of all functions that were found when the module was compiled, and give the declarations the
 * numbers of their calls.  Fails when a declaration cannot be what the function is.
 */
ptxemu_status rt_host_bind(struct ptxemu_module *m, struct rt_messages *out);
void rt_host_calls_free(struct rt_host_calls *calls);
/* What the engine calls: see struct emu_launch.  `calls` are the module's. */
void rt_host_call(void *calls, uint32_t number, void **arguments, void *result);

#endif
