/* The linker: parts with a record separator between them.  What is linked must be as valid as what is parsed. */
#include "fuzz.h"

#include "frontend/frontend.h"
#include "ir/link.h"
#include "ir/passes.h"

#include <stdlib.h>
#include <string.h>

enum { SEPARATOR = 0x1e, MOST_PARTS = 8 };

static struct ir_module *parse(const struct diag_text *text)
{
    struct diag messages;

    diag_init(&messages, text->file, text->text, text->text_len);
    struct ir_module *m = ptx_parse(text->file, text->text, text->text_len, PTX_RELOCATABLE, &messages);

    diag_release(&messages);
    return m;
}

/* The parts that are PTX. */
static uint32_t parse_parts(const char *text, size_t size, struct diag_text *texts, struct ir_module **parts)
{
    const char *end = text + size;
    uint32_t count = 0;

    while (text < end && count < MOST_PARTS) {
        const char *stop = memchr(text, SEPARATOR, (size_t)(end - text));

        stop = stop == NULL ? end : stop;
        texts[count] = (struct diag_text){"part.ptx", text, (size_t)(stop - text)};
        parts[count] = parse(&texts[count]);
        count += parts[count] != NULL;
        text = stop + 1;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const enum ir_link_scope scope = size % 2 == 0 ? IR_LINK_PROGRAM : IR_LINK_PART;
    struct diag_text texts[MOST_PARTS];
    struct ir_module *parts[MOST_PARTS];
    const uint32_t count = parse_parts((const char *)data, size, texts, parts);
    struct diag messages;

    if (count == 0) {
        return 0;
    }
    diag_init_texts(&messages, texts, count);
    struct ir_module *linked = ir_link(parts, count, scope, &messages);

    for (size_t i = 0; i < messages.count; i++) {
        free(diag_format(&messages.messages[i], false));
    }
    if (linked != NULL && !ir_verify(linked, &messages)) {
        abort();
    }
    for (uint32_t i = 0; i < count; i++) {
        ir_module_free(parts[i]);
    }
    ir_module_free(linked);
    diag_release(&messages);
    return 0;
}
