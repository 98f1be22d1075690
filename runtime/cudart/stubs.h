/* What functions without an implementation do.  Includes nothing: see stubs.c. */
#ifndef PTXEMU_CUDART_STUBS_H
#define PTXEMU_CUDART_STUBS_H

enum { CRT_MAX_NAMES = 1024 };

/* Answer for the function `name`, the number-th of symbols.def: an error, noted as the thread's last one. */
int crt_refuse(const char *name, unsigned number);

#endif
