/*
 * Collecting and formatting diagnostics.  Invariant: messages[0, count) are complete; a message whose text could not be
 * stored is counted but not kept, so running out of memory never hides that there were errors.
 */
#include "ir/base/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAB_COLUMNS = 8 };

static const char *const level_names[] = {[DIAG_NOTE] = "note", [DIAG_WARNING] = "warning", [DIAG_ERROR] = "error"};
static const char *const level_colors[] = {
    [DIAG_NOTE] = "\033[1;36m", [DIAG_WARNING] = "\033[1;35m", [DIAG_ERROR] = "\033[1;31m"};
static const char bold[] = "\033[1m";
static const char plain[] = "\033[0m";

void diag_init(struct diag *d, const char *file, const char *text, size_t text_len)
{
    *d = (struct diag){.at = {.file = file, .text = text, .text_len = text == NULL ? 0 : text_len}};
}

void diag_init_texts(struct diag *d, const struct diag_text *texts, size_t count)
{
    *d = (struct diag){.texts = texts, .n_texts = count};
    diag_turn_to(d, 0);
}

void diag_turn_to(struct diag *d, size_t index)
{
    if (index < d->n_texts) {
        d->at = d->texts[index];
    }
}

void diag_release(struct diag *d)
{
    for (size_t i = 0; i < d->count; i++) {
        free(d->messages[i].text);
    }
    free(d->messages);
    d->messages = NULL;
    d->count = d->room = 0;
}

static bool make_room(struct diag *d)
{
    if (d->count < d->room) {
        return true;
    }
    size_t room = d->room == 0 ? 8 : d->room * 2;
    struct diag_message *grown = reallocarray(d->messages, room, sizeof *grown);

    if (grown == NULL) {
        return false;
    }
    d->messages = grown;
    d->room = room;
    return true;
}

__attribute__((format(printf, 4, 0))) static void report(struct diag *d, enum diag_level level, struct diag_loc loc,
                                                         const char *format, va_list args)
{
    d->errors += level == DIAG_ERROR;
    d->warnings += level == DIAG_WARNING;
    if (d->count >= DIAG_MAX_KEPT || !make_room(d)) {
        return;
    }
    char *text;

    if (vasprintf(&text, format, args) >= 0) {
        d->messages[d->count++] = (struct diag_message){.level = level, .of = d->at, .loc = loc, .text = text};
    }
}

void diag_error(struct diag *d, struct diag_loc loc, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    report(d, DIAG_ERROR, loc, format, args);
    va_end(args);
}

void diag_warning(struct diag *d, struct diag_loc loc, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    report(d, DIAG_WARNING, loc, format, args);
    va_end(args);
}

void diag_note(struct diag *d, struct diag_loc loc, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    report(d, DIAG_NOTE, loc, format, args);
    va_end(args);
}

/* The source line `number`, without its end of line; length 0 when there is none. */
static const char *source_line(const struct diag_text *of, uint32_t number, size_t *len)
{
    *len = 0;
    if (of->text == NULL || number == 0) {
        return NULL;
    }
    const char *at = of->text;
    const char *end = of->text + of->text_len;

    for (uint32_t line = 1; line < number; line++) {
        at = memchr(at, '\n', (size_t)(end - at));
        if (at == NULL) {
            return NULL;
        }
        at++;
    }
    const char *stop = memchr(at, '\n', (size_t)(end - at));

    *len = (size_t)((stop == NULL ? end : stop) - at);
    while (*len > 0 && at[*len - 1] == '\r') {
        (*len)--;
    }
    return at;
}

/* Unprintable bytes become '?', so that a terminal never interprets what a file says; tabs become blanks. */
static void print_source(FILE *out, const char *line, size_t len)
{
    size_t column = 0;

    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)line[i];

        if (c == '\t') {
            do {
                fputc(' ', out);
            } while (++column % TAB_COLUMNS != 0);
        } else {
            fputc(c < 0x20 || c >= 0x7f ? '?' : c, out);
            column++;
        }
    }
    fputc('\n', out);
}

/* Column on the screen (from 0) of byte `index` of the line. */
static size_t screen_column(const char *line, size_t index)
{
    size_t column = 0;

    for (size_t i = 0; i < index; i++) {
        column = line[i] == '\t' ? (column / TAB_COLUMNS + 1) * TAB_COLUMNS : column + 1;
    }
    return column;
}

static void print_caret(FILE *out, const char *line, size_t len, struct diag_loc loc, bool color)
{
    size_t first = loc.column == 0 ? 0 : loc.column - 1;

    if (first > len) {
        first = len;
    }
    size_t last = first + (loc.length == 0 ? 1 : loc.length);
    size_t from = screen_column(line, first);
    size_t to = last > len ? screen_column(line, len) : screen_column(line, last);

    fprintf(out, "%*s%s^", (int)from, "", color ? "\033[1;32m" : "");
    for (size_t i = from + 1; i < to; i++) {
        fputc('~', out);
    }
    fprintf(out, "%s\n", color ? plain : "");
}

static void print_place(FILE *out, const struct diag_message *m)
{
    const struct diag_loc loc = m->loc;

    fputs(m->of.file == NULL ? "<ptx>" : m->of.file, out);
    if (loc.line != 0) {
        fprintf(out, ":%u", loc.line);
        if (loc.column != 0) {
            fprintf(out, ":%u", loc.column);
        }
    }
    fputs(": ", out);
}

char *diag_format(const struct diag_message *m, bool color)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL) {
        return NULL;
    }
    fputs(color ? bold : "", out);
    print_place(out, m);
    fprintf(out, "%s%s: %s%s%s%s\n", color ? level_colors[m->level] : "", level_names[m->level], color ? plain : "",
            color ? bold : "", m->text, color ? plain : "");

    size_t len;
    const char *line = source_line(&m->of, m->loc.line, &len);

    if (line != NULL) {
        print_source(out, line, len);
        print_caret(out, line, len, m->loc, color);
    }
    bool failed = ferror(out) != 0;

    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
