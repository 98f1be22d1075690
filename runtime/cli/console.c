/*
 * Messages on standard error.  Invariant: without colour nothing but the messages' own bytes is written.
 */
#include "runtime/cli/console.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RED     "\033[1;31m"
#define MAGENTA "\033[1;35m"
#define CYAN    "\033[1;36m"
#define GREEN   "\033[1;32m"
#define PLAIN   "\033[0m"

static bool wants_color(void)
{
    const char *no_color = getenv("NO_COLOR");

    return isatty(STDERR_FILENO) == 1 && (no_color == NULL || no_color[0] == '\0');
}

static void put_colored(struct cli_span text, const char *color)
{
    fprintf(stderr, "%s%.*s%s", color, (int)text.length, text.at, PLAIN);
}

void cli_console_error(const struct cli_error *error)
{
    bool color = wants_color();

    fflush(stdout);
    fprintf(stderr, "ptxemu: %serror:%s %s\n", color ? RED : "", color ? PLAIN : "", error->text);
}

static const char *level_word(ptxemu_level level)
{
    return level == PTXEMU_ERROR ? "error:" : level == PTXEMU_WARNING ? "warning:" : "note:";
}

static const char *level_color(ptxemu_level level)
{
    return level == PTXEMU_ERROR ? RED : level == PTXEMU_WARNING ? MAGENTA : CYAN;
}

/* Nothing but spaces, tabs, carets and tildes, perhaps after a "|" margin: the line below the source line. */
static bool is_caret_line(struct cli_span line)
{
    bool caret = false;

    for (size_t i = 0; i < line.length; i++) {
        if (strchr(" \t|^~", line.at[i]) == NULL) {
            return false;
        }
        caret |= line.at[i] == '^';
    }
    return caret;
}

/* The heading's level word and the caret line get colour, the user's text stays as it is. */
static void put_diagnostic(const ptxemu_diagnostic *d)
{
    const char *word = level_word(d->level);
    struct cli_span rest = cli_span_of(d->rendered);
    struct cli_span heading = cli_span_cut(&rest, '\n');
    const char *found = memmem(heading.at, heading.length, word, strlen(word));
    size_t before = found == NULL ? heading.length : (size_t)(found - heading.at);

    fprintf(stderr, "%.*s", (int)before, heading.at);
    if (found != NULL) {
        put_colored(cli_span_of(word), level_color(d->level));
        fprintf(stderr, "%.*s", (int)(heading.length - before - strlen(word)), found + strlen(word));
    }
    fputc('\n', stderr);
    while (rest.length > 0) {
        struct cli_span line = cli_span_cut(&rest, '\n');

        if (is_caret_line(line)) {
            put_colored(line, GREEN);
        } else {
            fprintf(stderr, "%.*s", (int)line.length, line.at);
        }
        fputc('\n', stderr);
    }
}

/* Notes belong to the message before them. */
void cli_console_diagnostics(const ptxemu_device *device, bool errors_only)
{
    bool color = wants_color(), wanted = true;
    ptxemu_diagnostic d;

    fflush(stdout);
    for (size_t i = 0; ptxemu_diagnostic_at(device, i, &d); i++) {
        if (d.level != PTXEMU_NOTE) {
            wanted = !errors_only || d.level == PTXEMU_ERROR;
        }
        if (wanted && color) {
            put_diagnostic(&d);
        } else if (wanted) {
            fputs(d.rendered, stderr);
        }
    }
}

void cli_console_fault(const struct cli_session *session, const ptxemu_fault_info *fault)
{
    struct cli_span line = cli_session_line(session, fault->file, fault->line);
    bool color = wants_color();

    fflush(stdout);
    fprintf(stderr, "ptxemu: %sfault:%s %s\n", color ? RED : "", color ? PLAIN : "", fault->message);
    if (line.length > 0) {
        fprintf(stderr, "%s:%u:\n    %.*s\n", fault->file, fault->line, line.length > 200 ? 200 : (int)line.length,
                line.at);
    }
}
