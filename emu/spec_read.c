/*
 * Reading a GPU description: an INI file through inih into a struct emu_spec.
 *
 * inih calls back with section, key and value but without a line, and reports only the first line it could not read; so
 * the lines are handed to it by a reader here that counts them and notices each line that led to no call.
 *
 * Invariant: `out` is complete and consistent exactly when no error was reported.
 */
#include "emu/spec_value.h"
#include "ir/base/diag.h"

#include <errno.h>
#include <ini.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPEC_FILE_BYTES = 1 << 16 }; /* larger files are no GPU description */

struct reading {
    struct emu_spec *out;
    struct diag *dg;
    const char *at, *end;             /* text not read yet */
    unsigned line;                    /* number of the line inih works on */
    bool awaits_key;                  /* that line must lead to a call of on_key */
    unsigned lines[SPEC_FIELD_COUNT]; /* where each field was given; 0: not yet */
};

static struct diag_loc at_line(unsigned line)
{
    return (struct diag_loc){.line = line, .column = 1, .length = 1};
}

/* --- lines ----------------------------------------------------------------------------------------------------------
 */

static void report_unread_line(struct reading *r)
{
    if (r->awaits_key) {
        diag_error(r->dg, at_line(r->line), "expected '[section]' or 'key = value'");
        r->awaits_key = false;
    }
}

/* Must this line, without its leading blanks, make inih call back? */
static bool needs_key(const char *line)
{
    if (*line == '[') {
        return strchr(line, ']') == NULL;
    }
    return *line != '\0' && *line != ';' && *line != '#' && *line != '\r';
}

/*
 * The next line for inih, in `buffer` of `room` bytes; NULL at the end.  Leading blanks are dropped: to inih an
 * indented line continues the value before it, which no value here needs and which would hide mistakes.
 */
static char *next_line(char *buffer, int room, void *user)
{
    struct reading *r = user;

    report_unread_line(r);
    if (r->at == r->end) {
        return NULL;
    }
    r->line++;
    const char *start = r->at;
    const char *newline = memchr(start, '\n', (size_t)(r->end - start));
    const char *stop = newline ? newline : r->end;
    r->at = newline ? newline + 1 : r->end;
    while (start < stop && (*start == ' ' || *start == '\t')) {
        start++;
    }
    size_t length = (size_t)(stop - start);
    if (length >= (size_t)room) {
        diag_error(r->dg, at_line(r->line), "line is longer than %d characters", room - 1);
        length = 0;
    }
    memcpy(buffer, start, length);
    buffer[length] = '\0';
    r->awaits_key = needs_key(buffer);
    return buffer;
}

/* --- keys -----------------------------------------------------------------------------------------------------------
 */

static bool is_section(const char *name)
{
    for (size_t i = 0; i < SPEC_FIELD_COUNT; i++) {
        if (strcmp(spec_fields[i].section, name) == 0) {
            return true;
        }
    }
    return false;
}

static void report_unknown_key(const struct reading *r, const char *section, const char *key)
{
    if (!is_section(section)) {
        diag_error(r->dg, at_line(r->line), "unknown section [%s]", section);
        return;
    }
    diag_error(r->dg, at_line(r->line), "unknown key '%s' in [%s]", key, section);
    for (size_t i = 0; i < SPEC_FIELD_COUNT; i++) {
        if (strcmp(spec_fields[i].key, key) == 0) {
            diag_note(r->dg, at_line(r->line), "'%s' belongs in [%s]", key, spec_fields[i].section);
        }
    }
}

static void report_out_of_range(const struct reading *r, const struct spec_field *f, const char *value)
{
    if (f->kind == SPEC_TEXT) {
        diag_error(r->dg, at_line(r->line), "'%s' is longer than %zu characters", f->key, f->size - 1);
        return;
    }
    diag_error(r->dg, at_line(r->line), "'%s' is '%s' but must be from %" PRIu64 " to %" PRIu64 "%s", f->key, value,
               f->least, f->most,
               f->kind == SPEC_BYTES   ? " bytes"
               : f->kind == SPEC_CLOCK ? " kHz"
                                       : "");
}

static void store(struct reading *r, size_t index, const char *value)
{
    const struct spec_field *f = &spec_fields[index];

    if (r->lines[index] != 0) {
        diag_error(r->dg, at_line(r->line), "'%s' is given twice", f->key);
        diag_note(r->dg, at_line(r->lines[index]), "first given here");
        return;
    }
    r->lines[index] = r->line;
    switch (spec_value_store(f, value, r->out)) {
    case SPEC_VALUE_OK:
        break;
    case SPEC_VALUE_MALFORMED:
        diag_error(r->dg, at_line(r->line), "'%s' must be %s, not '%s'", f->key, spec_value_form(f->kind), value);
        break;
    case SPEC_VALUE_OUT_OF_RANGE:
        report_out_of_range(r, f, value);
        break;
    }
}

/* inih's callback; always content, since errors are collected here. */
static int on_key(void *user, const char *section, const char *key, const char *value)
{
    struct reading *r = user;

    r->awaits_key = false;
    for (size_t i = 0; i < SPEC_FIELD_COUNT; i++) {
        if (strcmp(spec_fields[i].key, key) == 0 && strcmp(spec_fields[i].section, section) == 0) {
            store(r, i, value);
            return 1;
        }
    }
    report_unknown_key(r, section, key);
    return 1;
}

/* --- the whole ------------------------------------------------------------------------------------------------------
 */

static void report_missing(const struct reading *r)
{
    for (size_t i = 0; i < SPEC_FIELD_COUNT; i++) {
        if (r->lines[i] == 0) {
            diag_error(r->dg, (struct diag_loc){0}, "missing key '%s' in [%s]", spec_fields[i].key,
                       spec_fields[i].section);
        }
    }
}

/* Where the field of the member at `offset` was given. */
static struct diag_loc place_of(const struct reading *r, size_t offset)
{
    for (size_t i = 0; i < SPEC_FIELD_COUNT; i++) {
        if (spec_fields[i].offset == offset) {
            return at_line(r->lines[i]);
        }
    }
    return (struct diag_loc){0};
}

/* Report that a value contradicts others; `member` is the one to blame. */
#define CHECK(condition, member, ...)                                                   \
    if (!(condition)) {                                                                 \
        diag_error(r->dg, place_of(r, offsetof(struct emu_spec, member)), __VA_ARGS__); \
    }

/* Relations between values that the rest of the program relies on. */
static void check_relations(const struct reading *r)
{
    const struct emu_spec *s = r->out;

    CHECK(s->max_threads_per_sm <= s->max_warps_per_sm * s->warp_lanes, max_threads_per_sm,
          "'max_threads_per_sm' exceeds the lanes of 'max_warps_per_sm' warps");
    CHECK(s->max_threads_per_cta <= s->max_threads_per_sm, max_threads_per_cta,
          "'max_threads_per_cta' exceeds 'max_threads_per_sm'");
    CHECK(s->registers_per_sm % s->smsp_per_sm == 0, registers_per_sm,
          "'registers_per_sm' is not a multiple of 'smsp_per_sm'");
    CHECK(s->registers_per_cta <= s->registers_per_sm, registers_per_cta,
          "'registers_per_cta' exceeds 'registers_per_sm'");
    CHECK(s->shared_per_cta <= s->shared_per_cta_optin, shared_per_cta,
          "'shared_per_cta' exceeds 'shared_per_cta_optin'");
    CHECK(s->shared_per_cta_optin + s->shared_reserved_per_cta <= s->shared_per_sm, shared_per_cta_optin,
          "'shared_per_cta_optin' and 'shared_reserved_per_cta' together exceed 'shared_per_sm'");
}

#undef CHECK

static void read_text(struct reading *r)
{
    static const char bom[] = "\xef\xbb\xbf";

    if (memchr(r->at, '\0', (size_t)(r->end - r->at))) {
        diag_error(r->dg, (struct diag_loc){0}, "not a text file");
        return;
    }
    if ((size_t)(r->end - r->at) >= sizeof(bom) - 1 && memcmp(r->at, bom, sizeof(bom) - 1) == 0) {
        r->at += sizeof(bom) - 1;
    }
    size_t errors_before = r->dg->errors;
    if (ini_parse_stream(next_line, r, on_key, r) < 0) {
        diag_error(r->dg, (struct diag_loc){0}, "out of memory");
    }
    if (r->dg->errors == errors_before) {
        report_missing(r);
    }
    if (r->dg->errors == errors_before) {
        check_relations(r);
    }
}

/* Up to `room` bytes of a file; false with an error reported. */
static bool load(const char *path, char *text, size_t room, size_t *length, struct diag *dg)
{
    FILE *file = fopen(path, "rb");

    if (!file) {
        diag_error(dg, (struct diag_loc){0}, "cannot open '%s': %s", path, strerror(errno));
        return false;
    }
    *length = fread(text, 1, room, file);
    bool good = !ferror(file);
    if (!good) {
        diag_error(dg, (struct diag_loc){0}, "cannot read '%s': %s", path, strerror(errno));
    } else if (*length == room) {
        diag_error(dg, (struct diag_loc){0}, "'%s' is too large for a GPU description", path);
        good = false;
    }
    fclose(file);
    return good;
}

bool emu_spec_read(const char *path, struct emu_spec *out, struct diag *dg)
{
    size_t errors_before = dg->errors, length;
    char *text = malloc(SPEC_FILE_BYTES);

    if (!text) {
        diag_error(dg, (struct diag_loc){0}, "out of memory");
        return false;
    }
    if (load(path, text, SPEC_FILE_BYTES, &length, dg)) {
        *out = (struct emu_spec){0};
        read_text(&(struct reading){.out = out, .dg = dg, .at = text, .end = text + length});
    }
    free(text);
    return dg->errors == errors_before;
}
