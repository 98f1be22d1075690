/* What functions without an implementation do.  Includes nothing: see stubs.c. */
#ifndef RUNTIME_DRIVER_STUBS_H
#define RUNTIME_DRIVER_STUBS_H

int drv_stub(const char *name);

#endif
