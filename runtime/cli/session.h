/*
 * A session: one device and one module, loaded from one PTX file or linked from several.  Everything later stands on it
 * and is freed with it.
 */
#ifndef RUNTIME_CLI_SESSION_H
#define RUNTIME_CLI_SESSION_H

#include "runtime/cli/machine.h"
#include "runtime/cli/error.h"
#include "runtime/cli/text.h"

/* What the text is taken for: all of a program, or a part that another file completes. */
enum cli_scope { CLI_WHOLE_PROGRAM, CLI_RELOCATABLE };

/* The files of a command line, in order; the list is owned. */
struct cli_files {
    const char **paths;
    size_t count;
};
bool cli_files_add(struct cli_files *files, const char *path, struct cli_error *error);
void cli_files_release(struct cli_files *files);

/* A file that was read. */
struct cli_source {
    const char *path;    /* as the user wrote it; stands in messages */
    unsigned char *text; /* owned */
    size_t length;
};

struct cli_session {
    struct cli_source *sources; /* the first has the `//!` lines; owned */
    size_t source_count;
    ptxemu_device *device;
    ptxemu_module *module; /* NULL until cli_session_load succeeded */
    ptxemu_device_info gpu;
};

/* Read the files (at least one), which must be PTX text, and open the GPU as the machine's settings say. */
bool cli_session_open(const struct cli_files *files, const struct cli_machine *machine, struct cli_session *session,
                      struct cli_error *error);
/* Open the GPU alone; the session has no text, and no path. */
bool cli_session_open_gpu(const struct cli_machine *machine, struct cli_session *session, struct cli_error *error);
/* Parse and load the text; several are linked.  Diagnostics stay with the device whether this succeeds or not. */
bool cli_session_load(struct cli_session *session, enum cli_scope scope, struct cli_error *error);
void cli_session_close(struct cli_session *session);

/* Line `number` (from 1) of the PTX file `path`, without its end; empty when there is none. */
struct cli_span cli_session_line(const struct cli_session *session, const char *path, unsigned number);

/* The device's own words for its last failure become ours. */
bool cli_fail_device(const ptxemu_device *device, ptxemu_status status, struct cli_error *error);

#endif
