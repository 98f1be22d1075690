/*
 * What is known about each row of the FORM table, and the document made from it.
 */
#ifndef SUPPORT_SUPPORT_H
#define SUPPORT_SUPPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "ir/forms.h"
#include "ir/ir.h"

struct form_facts {
    bool recorded; /* some kernel with results recorded on hardware uses it */
    bool accepted; /* some file of tests/ptx/accept uses it */
};

/* Write docs/support.md; `facts` by form. */
void support_write(FILE *out, const struct form_facts *facts);

#endif
