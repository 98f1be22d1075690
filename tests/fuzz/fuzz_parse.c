/* The front end: any bytes are PTX text; every message is rendered, since rendering reads the text again. */
#include "fuzz.h"

#include "frontend/frontend.h"
#include "ir/base/diag.h"
#include "ir/ir.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const enum ptx_scope scope = size % 2 == 0 ? PTX_WHOLE_PROGRAM : PTX_RELOCATABLE;
    struct diag messages;

    diag_init(&messages, "fuzz.ptx", (const char *)data, size);
    struct ir_module *module = ptx_parse("fuzz.ptx", (const char *)data, size, scope, &messages);

    for (size_t i = 0; i < messages.count; i++) {
        free(diag_format(&messages.messages[i], false));
    }
    ir_module_free(module);
    diag_release(&messages);
    return 0;
}
