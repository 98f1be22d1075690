/*
 * `ptxemu embed FILE.ptx...`: read the texts, link them to see that they are a program, write what was asked for.
 * Invariant: nothing is written unless everything can be.
 */
#include "runtime/cli/embed.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/console.h"
#include "runtime/cli/files.h"
#include "runtime/cli/options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#if defined __x86_64__
static const bool HOST_HAS_OBJECTS = true;
#else
static const bool HOST_HAS_OBJECTS = false;
#endif

/* --- what is embedded ------------------------------------------------------------------------- */
/* The file's name without folder and ending, as an identifier; NULL when memory is exhausted. */
static char *identifier_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    char *name;

    if (asprintf(&name, "%s%.*s", isdigit((unsigned char)base[0]) ? "_" : "", (int)strcspn(base, "."), base) < 0) {
        return NULL;
    }
    for (char *at = name; *at != '\0'; at++) {
        *at = isalnum((unsigned char)*at) ? *at : '_';
    }
    return name;
}

static bool add_text(struct cli_embed *embed, const struct cli_source *source, bool linked, struct cli_error *error)
{
    struct cli_embed_text *text = &embed->texts[embed->text_count];
    struct rt_image_error why;

    text->path = source->path;
    text->name = identifier_of(source->path);
    if (text->name == NULL) {
        return cli_fail_memory(error);
    }
    embed->text_count++;
    for (size_t i = 0; i + 1 < embed->text_count; i++) {
        if (strcmp(embed->texts[i].name, text->name) == 0) {
            return cli_fail(error, PTXEMU_BAD_INPUT, "'%s' and '%s' would both be called %s_ptx: rename one",
                            embed->texts[i].path, text->path, text->name);
        }
    }
    return rt_container_write((struct rt_bytes){source->text, source->length}, linked, &text->container, &why) ==
               RT_IMAGE_OK ||
           cli_fail(error, why.status == RT_IMAGE_OUT_OF_MEMORY ? PTXEMU_NO_MEMORY : PTXEMU_UNSUPPORTED, "'%s': %s",
                    source->path, why.text);
}

static bool add_kernel(struct cli_embed *embed, const ptxemu_kernel *handle, struct cli_error *error)
{
    struct cli_embed_kernel *kernel = &embed->kernels[embed->kernel_count++];

    ptxemu_kernel_get_info(handle, &kernel->info);
    kernel->params = calloc(kernel->info.param_count + 1, sizeof *kernel->params);
    if (kernel->params == NULL) {
        return cli_fail_memory(error);
    }
    for (size_t i = 0; i < kernel->info.param_count; i++) {
        ptxemu_kernel_param(handle, i, &kernel->params[i]);
    }
    return cli_embed_check_kernel(kernel, error);
}

static bool gather(const struct cli_session *session, struct cli_embed *embed, struct cli_error *error)
{
    const size_t kernels = ptxemu_kernel_count(session->module);

    if (kernels == 0) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%s' has no kernels", session->sources[0].path);
    }
    embed->texts = calloc(session->source_count, sizeof *embed->texts);
    embed->kernels = calloc(kernels, sizeof *embed->kernels);
    if (embed->texts == NULL || embed->kernels == NULL) {
        return cli_fail_memory(error);
    }
    for (size_t i = 0; i < session->source_count; i++) {
        if (!add_text(embed, &session->sources[i], session->source_count > 1, error)) {
            return false;
        }
    }
    embed->name = embed->texts[0].name;
    for (size_t i = 0; i < kernels; i++) {
        if (!add_kernel(embed, ptxemu_kernel_at(session->module, i), error)) {
            return false;
        }
    }
    return true;
}

static void release(struct cli_embed *embed)
{
    for (size_t i = 0; i < embed->text_count; i++) {
        free(embed->texts[i].name);
        free(embed->texts[i].container.bytes);
    }
    for (size_t i = 0; i < embed->kernel_count; i++) {
        free(embed->kernels[i].params);
    }
    free(embed->texts);
    free(embed->kernels);
}

/* --- writing ---------------------------------------------------------------------------------- */
static bool write_object(const struct cli_embed *embed, const char *path, struct cli_error *error)
{
    unsigned char *file;
    size_t size = 0;

    if (!cli_embed_object(embed, &file, &size, error)) {
        return false;
    }
    bool ok = cli_file_write(path, "", 0, file, size, error);

    free(file);
    return ok;
}

static bool write_text(const struct cli_embed *embed, const char *path,
                       void (*print)(FILE *out, const struct cli_embed *embed), struct cli_error *error)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    if (out == NULL) {
        return cli_fail_memory(error);
    }
    print(out, embed);
    bool ok = fclose(out) == 0 ? cli_file_write(path, "", 0, text, length, error) : cli_fail_memory(error);

    free(text);
    return ok;
}

/* NAME.o, unless only C is asked for. */
static bool write_forms(const struct cli_embed *embed, const struct cli_embed_options *options, struct cli_error *error)
{
    char *usual = NULL;
    const char *object = options->object;
    bool ok = true;

    if (object == NULL && options->source == NULL) {
        if (asprintf(&usual, "%s.o", embed->name) < 0) {
            return cli_fail_memory(error);
        }
        object = usual;
    }
    if (object != NULL && !HOST_HAS_OBJECTS) {
        ok = cli_fail(error, PTXEMU_UNSUPPORTED,
                      "object files are written on x86-64 only: write C with --c, and compile it");
    }
    ok = ok && (object == NULL || write_object(embed, object, error)) &&
         (options->source == NULL || write_text(embed, options->source, cli_embed_print_source, error)) &&
         (options->header == NULL || write_text(embed, options->header, cli_embed_print_header, error));
    free(usual);
    return ok;
}

/* --- the command ------------------------------------------------------------------------------ */
static bool embed_files(const struct cli_embed_options *options, struct cli_error *error)
{
    struct cli_session session;
    struct cli_embed embed = {0};

    if (!cli_session_open(&options->files, &(struct cli_machine){0}, &session, error)) {
        return false;
    }
    bool ok = cli_session_load(&session, CLI_WHOLE_PROGRAM, error);

    cli_console_diagnostics(session.device, false);
    ok = ok && gather(&session, &embed, error) && write_forms(&embed, options, error);
    release(&embed);
    cli_session_close(&session);
    return ok;
}

int cli_embed_command(int argc, char **argv)
{
    struct cli_embed_options options;
    struct cli_error error;
    bool ok = cli_embed_options_parse(argc, argv, &options, &error);

    if (ok && options.help) {
        cli_embed_help();
    } else if (!ok || !embed_files(&options, &error)) {
        cli_console_error(&error);
        ok = false;
    }
    cli_files_release(&options.files);
    return ok ? PTXEMU_OK : (int)error.status;
}
