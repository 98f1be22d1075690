/*
 * Kernels as functions of C.
 */
#ifndef RUNTIME_KERNEL_FUNCTION_H
#define RUNTIME_KERNEL_FUNCTION_H

struct rt_kernel_function;

/* Free a module's list; may be NULL. */
void rt_kernel_functions_free(struct rt_kernel_function *functions);

#endif
