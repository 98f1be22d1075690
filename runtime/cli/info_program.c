/*
 * Information on programs.  Invariant: text that cannot be read does not hide the others; it is listed with the reason.
 */
#include "runtime/cli/info_program.h"
#include "runtime/cli/images.h"
#include "runtime/cli/json.h"
#include "runtime/cli/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* What is described: the images of a file, and the device on which their texts are loaded to see kernels. */
struct subject {
    struct cli_images images;
    struct cli_session session;
    struct cli_error unreadable; /* why the last text could not be loaded */
};

/* Load the text of an image for what it is, a whole program or a part of one; the reason of a failure is kept. */
static bool load_image(struct subject *s, size_t index)
{
    const ptxemu_load_options options = {.size = sizeof options, .relocatable = s->images.at[index].image.relocatable};
    struct rt_ptx ptx;
    char name[32];

    if (!cli_image_text(&s->images, index, &ptx, &s->unreadable)) {
        return false;
    }
    snprintf(name, sizeof name, "image %zu", index + 1);
    ptxemu_status status =
        ptxemu_module_load_with(s->session.device, &options, name, ptx.text, ptx.length, &s->session.module);
    free(ptx.text);
    return status == PTXEMU_OK || cli_fail_device(s->session.device, status, &s->unreadable);
}

static void unload_image(struct subject *s)
{
    ptxemu_module_unload(s->session.module);
    s->session.module = NULL;
}

static const char *yes_no(bool value)
{
    return value ? "yes" : "no";
}

static int shown(struct rt_bytes text)
{
    return text.size > 200 ? 200 : (int)text.size;
}

/* --- images ----------------------------------------------------------------------------------- */

enum { IMAGE_COLUMNS = 12 };

static const char *const IMAGE_HEADINGS[IMAGE_COLUMNS] = {"image", "fatbin", "kind", "target", "version", "compression",
                                                          "bytes", "stored", "rdc",  "debug",  "used",    "source"};
static const char *const IMAGE_KEYS[IMAGE_COLUMNS] = {"image",       "fatbin",      "kind",  "target",
                                                      "version",     "compression", "bytes", "stored_bytes",
                                                      "relocatable", "debug",       "used",  "source"};

/* That of other kinds is a version of their format, and says nothing. */
static void add_version(struct cli_table *table, const struct rt_image *image)
{
    if (image->kind == RT_IMAGE_PTX) {
        cli_table_add(table, "%u.%u", image->version[0], image->version[1]);
    } else {
        cli_table_add(table, "-");
    }
}

static void add_image(struct cli_table *table, const struct cli_images *images, size_t index)
{
    const struct cli_image *entry = &images->at[index];
    const struct rt_image *image = &entry->image;
    char target[CLI_TARGET_TEXT];

    cli_image_target(image, target);
    cli_table_add(table, "%zu", index + 1);
    cli_table_add(table, "%zu", entry->container);
    cli_table_add(table, "%s", cli_image_kind(image));
    cli_table_add(table, "%s", target);
    add_version(table, image);
    cli_table_add(table, "%s", cli_image_compression(image));
    cli_table_add(table, "%" PRIu64, image->unpacked_bytes);
    cli_table_add(table, "%" PRIu64, image->payload.size);
    cli_table_add(table, "%s", yes_no(entry->relocatable));
    cli_table_add(table, "%s", yes_no(image->debug));
    cli_table_add(table, "%s", yes_no(entry->used));
    cli_table_add(table, "%.*s", image->identifier.size == 0 ? 1 : shown(image->identifier),
                  image->identifier.size == 0 ? "-" : (const char *)image->identifier.at);
}

static void fill_images(struct cli_table *table, const struct subject *s, const char *const *headings)
{
    for (size_t i = 0; i < IMAGE_COLUMNS; i++) {
        cli_table_add(table, "%s", headings[i]);
    }
    for (size_t i = 0; i < s->images.count; i++) {
        add_image(table, &s->images, i);
    }
}

/* --- kernels ---------------------------------------------------------------------------------- */

enum { KERNEL_COLUMNS = 5 };

static const char *const KERNEL_HEADINGS[KERNEL_COLUMNS] = {"image", "line", "params", "registers", "kernel"};

static void add_kernels(struct cli_table *table, struct subject *s, size_t index)
{
    ptxemu_kernel_info info;

    for (size_t i = 0; i < ptxemu_kernel_count(s->session.module); i++) {
        ptxemu_kernel_get_info(ptxemu_kernel_at(s->session.module, i), &info);
        cli_table_add(table, "%zu", index + 1);
        cli_table_add(table, "%u", info.line);
        cli_table_add(table, "%zu", info.param_count);
        cli_table_add(table, "%u", info.registers);
        cli_table_add(table, "%s", info.name);
    }
}

/* Kernels that cannot run, one a line.  What a part of a program lacks is known when it is linked. */
static void note_unsupported(FILE *notes, struct subject *s, size_t index)
{
    const size_t count = s->images.at[index].image.relocatable ? 0 : ptxemu_kernel_count(s->session.module);

    for (size_t i = 0; i < count; i++) {
        const char *reason = ptxemu_kernel_unsupported(ptxemu_kernel_at(s->session.module, i));

        if (reason != NULL) {
            fprintf(notes, "image %zu: cannot run here: %s\n", index + 1, reason);
        }
    }
}

static void look_into_images(struct subject *s, struct cli_table *kernels, FILE *notes)
{
    for (size_t i = 0; i < s->images.count; i++) {
        if (s->images.at[i].image.kind != RT_IMAGE_PTX) {
            continue;
        }
        if (load_image(s, i)) {
            add_kernels(kernels, s, i);
            note_unsupported(notes, s, i);
            unload_image(s);
        } else {
            fprintf(notes, "image %zu: cannot be read: %s\n", i + 1, s->unreadable.text);
        }
    }
}

/* --- formats ---------------------------------------------------------------------------------- */

static void print_program(const struct subject *s)
{
    const struct rt_program *program = &s->images.program;
    const ptxemu_device_info *gpu = &s->session.gpu;

    if (!s->images.is_program) {
        printf("%s: fat binary", s->images.path);
    } else {
        printf("%s: %s, %s%s%s%s%s", s->images.path, rt_program_kind_words(program->kind),
               rt_cuda_link_words(program->link), program->library != NULL ? " (" : "",
               program->library != NULL ? program->library : "", program->library != NULL ? ")" : "",
               program->stripped && program->link != RT_LINK_STATIC_HIDDEN ? ", stripped" : "");
    }
    printf("\n%zu image%s of device code, chosen for %s (%s, sm_%u%u)\n", s->images.count,
           s->images.count == 1 ? "" : "s", gpu->name, gpu->product, gpu->cc_major, gpu->cc_minor);
}

static bool print_text(struct subject *s)
{
    struct cli_table images = {.columns = IMAGE_COLUMNS}, kernels = {.columns = KERNEL_COLUMNS};
    char *notes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&notes, &length);

    if (out == NULL) {
        return false;
    }
    print_program(s);
    fill_images(&images, s, IMAGE_HEADINGS);
    for (size_t i = 0; i < KERNEL_COLUMNS; i++) {
        cli_table_add(&kernels, "%s", KERNEL_HEADINGS[i]);
    }
    look_into_images(s, &kernels, out);
    bool ok = fclose(out) == 0;

    ok &= cli_table_print_below(&images);
    ok &= cli_table_print_below(&kernels);
    cli_table_release(&images);
    cli_table_release(&kernels);
    printf("%s%s", length > 0 ? "\n" : "", ok ? notes : "");
    free(notes);
    return ok;
}

static bool print_csv(const struct subject *s)
{
    struct cli_table table = {.columns = IMAGE_COLUMNS};

    fill_images(&table, s, IMAGE_KEYS);
    bool ok = !table.failed;

    cli_table_print_csv(&table);
    cli_table_release(&table);
    return ok;
}

static json_t *bytes_json(struct rt_bytes text)
{
    return cli_json_bytes(text.size == 0 ? "" : (const char *)text.at, (size_t)text.size);
}

static json_t *kernels_json(const struct subject *s)
{
    json_t *list = json_array();
    ptxemu_kernel_info info;

    for (size_t i = 0; i < ptxemu_kernel_count(s->session.module); i++) {
        ptxemu_kernel *kernel = ptxemu_kernel_at(s->session.module, i);

        ptxemu_kernel_get_info(kernel, &info);
        json_array_append_new(list, json_pack("{s:o,s:I,s:I,s:o}", "name", cli_json_text(info.name), "line",
                                              (json_int_t)info.line, "registers", (json_int_t)info.registers,
                                              "unsupported", cli_json_text(ptxemu_kernel_unsupported(kernel))));
    }
    return list;
}

static json_t *image_json(struct subject *s, size_t index)
{
    const struct cli_image *entry = &s->images.at[index];
    const struct rt_image *image = &entry->image;
    char target[CLI_TARGET_TEXT], version[16];
    const bool is_ptx = image->kind == RT_IMAGE_PTX, loaded = is_ptx && load_image(s, index);

    cli_image_target(image, target);
    snprintf(version, sizeof version, "%u.%u", image->version[0], image->version[1]);
    json_t *json =
        json_pack("{s:I,s:s,s:s,s:o,s:s,s:o,s:o,s:b,s:b,s:b,s:o,s:o,s:o,s:o}", "fatbin", (json_int_t)entry->container,
                  "kind", cli_image_kind(image), "target", target, "version", cli_json_text(is_ptx ? version : NULL),
                  "compression", cli_image_compression(image), "bytes", cli_json_uint(image->unpacked_bytes),
                  "stored_bytes", cli_json_uint(image->payload.size), "relocatable", (int)entry->relocatable, "debug",
                  (int)image->debug, "used", (int)entry->used, "options", bytes_json(image->options), "source",
                  bytes_json(image->identifier), "kernels", loaded ? kernels_json(s) : json_null(), "unreadable",
                  is_ptx && !loaded ? cli_json_text(s->unreadable.text) : json_null());

    if (loaded) {
        unload_image(s);
    }
    return json;
}

/* Null for a fat binary that is no program. */
static json_t *program_json(const struct cli_images *images)
{
    const struct rt_program *program = &images->program;
    json_t *needed = json_array();
    struct rt_section dynamic;
    const char *name;
    uint64_t at = 0;

    if (!images->is_program) {
        json_decref(needed);
        return json_null();
    }
    while (rt_elf_dynamic(&program->elf, &dynamic) && (name = rt_elf_needed(&program->elf, &dynamic, &at)) != NULL) {
        json_array_append_new(needed, cli_json_text(name));
    }
    return json_pack("{s:s,s:s,s:o,s:b,s:o}", "kind", rt_program_kind_words(program->kind), "cuda",
                     rt_cuda_link_words(program->link), "library", cli_json_text(program->library), "stripped",
                     (int)program->stripped, "needed", needed);
}

static bool print_json(struct subject *s)
{
    json_t *images = json_array();

    for (size_t i = 0; i < s->images.count; i++) {
        json_array_append_new(images, image_json(s, i));
    }
    return cli_json_put(json_pack("{s:s,s:o,s:s,s:o,s:o}", "version", ptxemu_version(), "file",
                                  cli_json_text(s->images.path), "gpu", s->session.gpu.name, "program",
                                  program_json(&s->images), "images", images));
}

static bool print_subject(struct subject *s, enum cli_format format)
{
    switch (format) {
    case CLI_FORMAT_JSON:
        return print_json(s);
    case CLI_FORMAT_CSV:
        return print_csv(s);
    default:
        return print_text(s);
    }
}

bool cli_info_program(const struct cli_info_options *options, struct cli_error *error)
{
    struct subject s = {0};
    bool ok = cli_images_open(options->files.paths[0], &s.images, error) &&
              cli_session_open_gpu(&(struct cli_machine){.gpu = options->gpu}, &s.session, error);

    if (ok) {
        cli_images_choose(&s.images, s.session.gpu.cc_major * 10 + s.session.gpu.cc_minor);
        if (!print_subject(&s, options->format) || fflush(stdout) != 0) {
            ok = cli_fail(error, PTXEMU_BAD_INPUT, "cannot write to standard output");
        }
    }
    cli_session_close(&s.session);
    cli_images_close(&s.images);
    return ok;
}
