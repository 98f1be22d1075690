/*
 * Diagnostics: source positions, and a list of located messages that somebody else prints.  Knows nothing of what is
 * being compiled.  A list keeps at most DIAG_MAX_KEPT messages; further ones are only counted.
 *
 * A list speaks of one text, or of several in turn: a message belongs to the text that was current when it was
 * reported.
 */
#ifndef IR_BASE_DIAG_H
#define IR_BASE_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum diag_level { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR };

enum { DIAG_MAX_KEPT = 200 };

/* A place in the text: 1-based line and column; line 0 means "no place".  `length` columns are underlined, at least
 * one. */
struct diag_loc {
    uint32_t line;
    uint32_t column : 24;
    uint32_t length : 8;
};

/* A text that messages speak of; it must outlive the list. */
struct diag_text {
    const char *file;
    const char *text; /* NULL: not at hand, so messages show no line of it */
    size_t text_len;
};

struct diag_message {
    enum diag_level level;
    struct diag_text of;
    struct diag_loc loc;
    char *text; /* one line, starts lower case, no final stop */
};

struct diag {
    struct diag_text at;           /* the current text */
    const struct diag_text *texts; /* all of them, for diag_turn_to; NULL: there is only this one */
    size_t n_texts;
    struct diag_message *messages;
    size_t count; /* kept */
    size_t room;
    size_t errors; /* all reported, kept or not */
    size_t warnings;
};

void diag_init(struct diag *d, const char *file, const char *text, size_t text_len);
/* A list that speaks of `count` texts, the first to begin with; the array must outlive the list. */
void diag_init_texts(struct diag *d, const struct diag_text *texts, size_t count);
/* What is reported from now on belongs to texts[index].  Does nothing when the list has one text. */
void diag_turn_to(struct diag *d, size_t index);
void diag_release(struct diag *d);

__attribute__((format(printf, 3, 4))) void diag_error(struct diag *d, struct diag_loc loc, const char *format, ...);
__attribute__((format(printf, 3, 4))) void diag_warning(struct diag *d, struct diag_loc loc, const char *format, ...);
/* A note belongs to the message before it. */
__attribute__((format(printf, 3, 4))) void diag_note(struct diag *d, struct diag_loc loc, const char *format, ...);

/*
 * One message as compilers print it: "file:line:column: error: text", the source line and a caret line with tildes.
 * Returns a malloc'd string that ends in a newline, or NULL when memory is exhausted.  `color`: ANSI colours.
 */
char *diag_format(const struct diag_message *m, bool color);

#endif
