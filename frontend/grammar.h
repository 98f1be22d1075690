/* What the generated lexer and parser need to know of each other's values. */
#ifndef FRONTEND_GRAMMAR_H
#define FRONTEND_GRAMMAR_H

#include <limits.h>
#include <string.h>

#include "frontend/parse.h"

union ptx_value {
    struct ptx_text text;
    struct ptx_operand *operand;
    struct ptx_list *list;
};

/* The grammar's entry: 0 when it reached the end. */
int ptx_yyparse(struct ptx_parse *p, void *scanner);

#endif
