/*
 * Diagnostics of the last load, as data.  Invariant: they stand for themselves, so that the texts may be gone.
 */
#include "runtime/objects.h"

#include <stdlib.h>
#include <string.h>

void rt_clear_diagnostics(struct ptxemu_device *d)
{
    for (size_t i = 0; i < d->n_diagnostics; i++) {
        free(d->diagnostics[i].file);
        free(d->diagnostics[i].message);
        free(d->diagnostics[i].rendered);
    }
    free(d->diagnostics);
    d->diagnostics = NULL;
    d->n_diagnostics = 0;
}

void rt_keep_diagnostics(struct ptxemu_device *d, const struct diag *dg)
{
    static const ptxemu_level levels[] = {
        [DIAG_NOTE] = PTXEMU_NOTE, [DIAG_WARNING] = PTXEMU_WARNING, [DIAG_ERROR] = PTXEMU_ERROR};
    struct rt_diagnostic *grown =
        reallocarray(d->diagnostics, d->n_diagnostics + dg->count + 1, sizeof *d->diagnostics);

    if (grown == NULL) {
        return;
    }
    d->diagnostics = grown;
    for (size_t i = 0; i < dg->count; i++) {
        const struct diag_message *m = &dg->messages[i];

        d->diagnostics[d->n_diagnostics++] =
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
    return device->n_diagnostics;
}

bool ptxemu_diagnostic_at(const ptxemu_device *device, size_t index, ptxemu_diagnostic *out)
{
    if (index >= device->n_diagnostics) {
        return false;
    }
    const struct rt_diagnostic *d = &device->diagnostics[index];

    *out = (ptxemu_diagnostic){.level = d->level,
                               .file = d->file != NULL ? d->file : "",
                               .line = d->line,
                               .column = d->column,
                               .message = d->message != NULL ? d->message : "",
                               .rendered = d->rendered != NULL ? d->rendered : ""};
    return true;
}
