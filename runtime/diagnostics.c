/*
 * Diagnostics of a load, as data.  Invariant: they stand for themselves, so that the texts may be gone.
 */
#include "runtime/objects.h"

#include <stdlib.h>
#include <string.h>

void rt_drop_diagnostics(struct rt_messages *out)
{
    for (size_t i = 0; i < out->n_diagnostics; i++) {
        free(out->diagnostics[i].file);
        free(out->diagnostics[i].message);
        free(out->diagnostics[i].rendered);
    }
    free(out->diagnostics);
    out->diagnostics = NULL;
    out->n_diagnostics = 0;
}

void rt_keep_diagnostics(struct rt_messages *out, const struct diag *dg)
{
    static const ptxemu_level levels[] = {
        [DIAG_NOTE] = PTXEMU_NOTE, [DIAG_WARNING] = PTXEMU_WARNING, [DIAG_ERROR] = PTXEMU_ERROR};
    struct rt_diagnostic *grown =
        reallocarray(out->diagnostics, out->n_diagnostics + dg->count + 1, sizeof *out->diagnostics);

    if (grown == NULL) {
        return;
    }
    out->diagnostics = grown;
    for (size_t i = 0; i < dg->count; i++) {
        const struct diag_message *m = &dg->messages[i];

        out->diagnostics[out->n_diagnostics++] =
            (struct rt_diagnostic){.level = levels[m->level],
                                   .line = m->loc.line,
                                   .column = m->loc.column,
                                   .file = m->of.file == NULL ? NULL : strdup(m->of.file),
                                   .message = strdup(m->text),
                                   .rendered = diag_format(m, false)};
    }
}

size_t ptxemu_diagnostic_count(const ptxemu_device *device)
{
    return device->last.n_diagnostics;
}

bool ptxemu_diagnostic_at(const ptxemu_device *device, size_t index, ptxemu_diagnostic *out)
{
    if (index >= device->last.n_diagnostics) {
        return false;
    }
    const struct rt_diagnostic *d = &device->last.diagnostics[index];

    *out = (ptxemu_diagnostic){.level = d->level,
                               .file = d->file != NULL ? d->file : "",
                               .line = d->line,
                               .column = d->column,
                               .message = d->message != NULL ? d->message : "",
                               .rendered = d->rendered != NULL ? d->rendered : ""};
    return true;
}
