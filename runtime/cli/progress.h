/*
 * The progress line: CTAs done, percentage and time left, on a terminal, for launches that take longer than a second.
 */
#ifndef RUNTIME_CLI_PROGRESS_H
#define RUNTIME_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_progress {
    bool enabled; /* stderr is a terminal and nobody asked for quiet */
    /* A line stands on the terminal.  Atomic: a kernel's output, from whichever thread, takes the line away. */
    _Atomic bool shown;
    double start_s;
};

void cli_progress_start(struct cli_progress *progress, bool quiet);
void cli_progress_update(struct cli_progress *progress, uint64_t done, uint64_t total);
/* Take the line away, so that other output starts in a clean column. */
void cli_progress_erase(struct cli_progress *progress);

/* The line's text: "12% 123/1000 CTAs, 5 s left". */
void cli_progress_text(double elapsed_s, uint64_t done, uint64_t total, char *text, size_t room);

#endif
