/*
 * docs/support.md: what is known about each row of the FORM table.
 */
#ifndef SUPPORT_SUPPORT_H
#define SUPPORT_SUPPORT_H

#include <stdio.h>

#include "coverage.h"

void support_write(FILE *out, const struct coverage *coverage);

#endif
