/*
 * Sessions.  Invariant: a session that failed to open holds nothing.
 */
#include "runtime/cli/session.h"
#include "runtime/cli/files.h"

#include <stdlib.h>
#include <string.h>

/* A PTX file beyond this is a mistake: nvcc's largest are some hundred megabytes. */
static const uint64_t LARGEST_PTX_BYTES = UINT64_C(1) << 30;

enum { PROBED_BYTES = 4096 };

struct signature {
    const char *bytes;
    size_t length;
    const char *what;
};

static const struct signature SIGNATURES[] = {
    {"\177ELF", 4,
     "a program or object file, not PTX text: a program is run alone, as in 'ptxemu PROGRAM ARGUMENT...', and 'ptxemu "
     "extract' takes PTX out of it"},
    {"\x50\xed\x55\xba", 4, "a fat binary; extract its PTX with 'ptxemu extract'"},
    {"BC\xc0\xde", 4, "LLVM bitcode; compile it with 'llc -march=nvptx64'"},
    {"#!", 2, "a script, not PTX text: it is run alone, as in 'ptxemu SCRIPT ARGUMENT...'"},
    {"\x1f\x8b", 2, "a compressed file; unpack it first"},
    {"PK\x03\x04", 4, "a compressed file; unpack it first"},
};

/* Text in whatever encoding has no zero bytes; that it is PTX is for the parser to say. */
static bool check_is_text(const struct cli_source *s, struct cli_error *error)
{
    for (size_t i = 0; i < sizeof SIGNATURES / sizeof SIGNATURES[0]; i++) {
        const struct signature *known = &SIGNATURES[i];

        if (s->length >= known->length && memcmp(s->text, known->bytes, known->length) == 0) {
            return cli_fail(error, PTXEMU_UNSUPPORTED, "'%s' is %s", s->path, known->what);
        }
    }
    if (memchr(s->text, 0, s->length < PROBED_BYTES ? s->length : PROBED_BYTES) != NULL) {
        return cli_fail(error, PTXEMU_UNSUPPORTED, "'%s' is a binary file, not PTX text", s->path);
    }
    return true;
}

static bool open_device(const struct cli_machine *machine, struct cli_session *s, struct cli_error *error)
{
    const ptxemu_device_options options = {
        .size = sizeof options, .gpu = machine->gpu, .host_threads = machine->threads, .slack = machine->slack};
    char *message = NULL;
    ptxemu_status status = ptxemu_device_open(&options, &s->device, &message);

    if (status != PTXEMU_OK) {
        cli_fail(error, status, "%s", message != NULL ? message : "the GPU cannot be opened");
        free(message);
        return false;
    }
    ptxemu_device_get_info(s->device, &s->gpu);
    return true;
}

bool cli_files_add(struct cli_files *files, const char *path, struct cli_error *error)
{
    const char **grown = reallocarray(files->paths, files->count + 1, sizeof *grown);

    if (grown == NULL) {
        return cli_fail_memory(error);
    }
    files->paths = grown;
    files->paths[files->count++] = path;
    return true;
}

void cli_files_release(struct cli_files *files)
{
    free(files->paths);
    *files = (struct cli_files){0};
}

static bool read_source(const char *path, struct cli_source *source, struct cli_error *error)
{
    source->path = path;
    return cli_file_read(path, LARGEST_PTX_BYTES, &source->text, &source->length, error) &&
           check_is_text(source, error);
}

static bool read_sources(const struct cli_files *files, struct cli_session *s, struct cli_error *error)
{
    s->sources = calloc(files->count, sizeof *s->sources);
    if (s->sources == NULL) {
        return cli_fail_memory(error);
    }
    s->source_count = files->count;
    for (size_t i = 0; i < files->count; i++) {
        if (!read_source(files->paths[i], &s->sources[i], error)) {
            return false;
        }
    }
    return true;
}

bool cli_session_open(const struct cli_files *files, const struct cli_machine *machine, struct cli_session *session,
                      struct cli_error *error)
{
    *session = (struct cli_session){0};
    if (read_sources(files, session, error) && open_device(machine, session, error)) {
        return true;
    }
    cli_session_close(session);
    return false;
}

bool cli_session_open_gpu(const struct cli_machine *machine, struct cli_session *session, struct cli_error *error)
{
    *session = (struct cli_session){0};
    return open_device(machine, session, error);
}

static ptxemu_status load_one(struct cli_session *s, const ptxemu_load_options *options)
{
    return ptxemu_module_load_with(s->device, options, s->sources->path, (const char *)s->sources->text,
                                   s->sources->length, &s->module);
}

static ptxemu_status link_all(struct cli_session *s, const ptxemu_load_options *options)
{
    ptxemu_text *texts = calloc(s->source_count, sizeof *texts);

    if (texts == NULL) {
        return PTXEMU_NO_MEMORY;
    }
    for (size_t i = 0; i < s->source_count; i++) {
        const struct cli_source *source = &s->sources[i];

        texts[i] = (ptxemu_text){sizeof texts[i], source->path, (const char *)source->text, source->length};
    }
    const ptxemu_status status = ptxemu_module_link(s->device, options, texts, s->source_count, &s->module);

    free(texts);
    return status;
}

bool cli_session_load(struct cli_session *session, enum cli_scope scope, struct cli_error *error)
{
    const ptxemu_load_options options = {.size = sizeof options, .relocatable = scope == CLI_RELOCATABLE};
    ptxemu_status status = session->source_count == 1 ? load_one(session, &options) : link_all(session, &options);

    return status == PTXEMU_OK || cli_fail_device(session->device, status, error);
}

void cli_session_close(struct cli_session *session)
{
    if (session->device != NULL) {
        ptxemu_device_close(session->device); /* unloads the module, too */
    }
    for (size_t i = 0; i < session->source_count; i++) {
        free(session->sources[i].text);
    }
    free(session->sources);
    *session = (struct cli_session){0};
}

static const struct cli_source *find_source(const struct cli_session *session, const char *path)
{
    for (size_t i = 0; i < session->source_count && path != NULL; i++) {
        if (strcmp(session->sources[i].path, path) == 0) {
            return &session->sources[i];
        }
    }
    return NULL;
}

struct cli_span cli_session_line(const struct cli_session *session, const char *path, unsigned number)
{
    const struct cli_source *source = find_source(session, path);

    if (source == NULL) {
        return (struct cli_span){0};
    }
    struct cli_span rest = {(const char *)source->text, source->length}, line = {rest.at, 0};

    for (unsigned i = 0; i < number; i++) {
        line = cli_span_cut(&rest, '\n');
    }
    return cli_span_trim(line);
}

bool cli_fail_device(const ptxemu_device *device, ptxemu_status status, struct cli_error *error)
{
    const char *message = ptxemu_last_error(device);

    return cli_fail(error, status, "%s", message[0] != '\0' ? message : ptxemu_status_name(status));
}
