/*
 * Reading a set of tests/conformance/data: index.tsv, and the packed records and PTX files that its rows point into.
 * Every row that recorded_read hands out lies inside what was read.
 */
#include "recorded.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 17, PATH_BYTES = 4096 };

/* --- files ------------------------------------------------------------------------------------------------------ */
static struct blob read_stream(FILE *stream)
{
    struct blob blob = {0};
    size_t room = 1 << 20, got;

    blob.bytes = malloc(room + 1);
    while (blob.bytes != NULL && (got = fread(blob.bytes + blob.size, 1, room - blob.size, stream)) > 0) {
        blob.size += got;
        if (blob.size == room) {
            room *= 2;
            blob.bytes = realloc(blob.bytes, room + 1);
        }
    }
    if (blob.bytes != NULL) {
        blob.bytes[blob.size] = '\0';
    }
    return blob;
}

struct blob recorded_text(const char *path)
{
    struct blob blob = {0};
    FILE *file = fopen(path, "rb");

    if (file == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return blob;
    }
    blob = read_stream(file);
    fclose(file);
    return blob;
}

static struct blob read_plain(const char *folder, const char *name)
{
    char path[PATH_BYTES];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return recorded_text(path);
}

struct blob recorded_packed(const char *folder, const char *name)
{
    char command[PATH_BYTES];
    struct blob blob = {0};

    snprintf(command, sizeof command, "xz -dc '%s/%s.xz'", folder, name);
    FILE *pipe = popen(command, "r");
    if (pipe != NULL) {
        blob = read_stream(pipe);
        pclose(pipe);
    }
    return blob;
}

static const struct blob *ptx_file(struct recorded_set *set, const char *folder, const char *name)
{
    for (size_t i = 0; i < set->n_files; i++) {
        if (strcmp(set->files[i].name, name) == 0) {
            return &set->files[i].text;
        }
    }
    if (set->n_files == sizeof set->files / sizeof set->files[0]) {
        return NULL;
    }
    struct ptx_file *file = &set->files[set->n_files++];

    snprintf(file->name, sizeof file->name, "%s", name);
    file->text = recorded_packed(folder, name);
    return &file->text;
}

/* --- rows ------------------------------------------------------------------------------------- */
static bool inside(const struct blob *blob, size_t offset, size_t bytes)
{
    return offset <= blob->size && bytes <= blob->size - offset;
}

static bool read_row(struct recorded_set *set, const char *folder, char *line, struct recorded *row)
{
    char *column[COLUMNS];
    size_t n = 0;

    for (char *next = line; next != NULL && n < COLUMNS;) {
        column[n++] = strsep(&next, "\t");
    }
    if (n < COLUMNS) {
        return false;
    }
    const size_t ptx_at = strtoul(column[4], NULL, 10), in_at = strtoul(column[7], NULL, 10);
    const size_t out_at = strtoul(column[10], NULL, 10);
    const struct blob *ptx = ptx_file(set, folder, column[3]);

    *row = (struct recorded){.name = column[0], .family = column[1], .instruction = column[2]};
    row->ptx_bytes = strtoul(column[5], NULL, 10);
    row->n = (uint32_t)strtoul(column[8], NULL, 10);
    row->in_stride = strtoul(column[9], NULL, 10);
    row->out_stride = strtoul(column[11], NULL, 10);
    row->block = (unsigned)strtoul(column[12], NULL, 10);
    row->in_fields = column[13];
    row->out_fields = column[14];
    if (ptx == NULL || !inside(ptx, ptx_at, row->ptx_bytes) || !inside(&set->in, in_at, row->n * row->in_stride) ||
        !inside(&set->out, out_at, row->n * row->out_stride) || row->n == 0 || row->block == 0) {
        return false;
    }
    row->ptx = (const char *)ptx->bytes + ptx_at;
    row->in = set->in.bytes + in_at;
    row->out = set->out.bytes + out_at;
    row->out_at = out_at;
    return true;
}

static size_t count_lines(const char *text)
{
    size_t n = 0;

    for (; *text != '\0'; text++) {
        n += *text == '\n';
    }
    return n;
}

static bool read_rows(struct recorded_set *set, const char *folder)
{
    char *next = set->index;

    set->at = calloc(count_lines(set->index) + 1, sizeof *set->at);
    strsep(&next, "\n"); /* the names of the columns */
    for (char *line; set->at != NULL && (line = strsep(&next, "\n")) != NULL && *line != '\0';) {
        if (!read_row(set, folder, line, &set->at[set->count])) {
            fprintf(stderr, "%s/index.tsv: row %zu points outside the files\n", folder, set->count + 2);
            return false;
        }
        set->count++;
    }
    return set->count > 0;
}

bool recorded_read(const char *folder, struct recorded_set *set)
{
    *set = (struct recorded_set){0};
    set->index = (char *)read_plain(folder, "index.tsv").bytes;
    set->in = recorded_packed(folder, "in.bin");
    set->out = recorded_packed(folder, "out.bin");
    return set->index != NULL && read_rows(set, folder);
}

/* The end of the last output that the index speaks of. */
static size_t out_bytes(const char *index)
{
    size_t end = 0;

    for (const char *line = index; (line = strchr(line, '\n')) != NULL && line[1] != '\0';) {
        const char *column[COLUMNS] = {++line};

        for (size_t i = 1; i < COLUMNS && column[i - 1] != NULL; i++) {
            column[i] = strchr(column[i - 1], '\t');
            column[i] = column[i] != NULL ? column[i] + 1 : NULL;
        }
        if (column[COLUMNS - 1] != NULL) {
            const size_t n = strtoul(column[8], NULL, 10), stride = strtoul(column[11], NULL, 10);
            const size_t here = strtoul(column[10], NULL, 10) + n * stride;

            end = here > end ? here : end;
        }
    }
    return end;
}

bool recorded_read_inputs(const char *folder, struct recorded_set *set)
{
    *set = (struct recorded_set){0};
    set->index = (char *)read_plain(folder, "index.tsv").bytes;
    set->in = recorded_packed(folder, "in.bin");
    set->out.size = set->index != NULL ? out_bytes(set->index) : 0;
    set->out.bytes = calloc(set->out.size + 1, 1);
    return set->index != NULL && set->out.bytes != NULL && read_rows(set, folder);
}

void recorded_free(struct recorded_set *set)
{
    for (size_t i = 0; i < set->n_files; i++) {
        free(set->files[i].text.bytes);
    }
    free(set->in.bytes);
    free(set->out.bytes);
    free(set->index);
    free(set->at);
}
