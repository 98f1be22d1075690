/*
 * The progress line.  Invariant: after cli_progress_erase the terminal looks as if there had never been one.
 */
#include "runtime/cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double QUIET_S = 1; /* shorter launches show nothing */

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void cli_progress_start(struct cli_progress *progress, bool quiet)
{
    *progress = (struct cli_progress){.enabled = !quiet && isatty(STDERR_FILENO) == 1, .start_s = now_s()};
}

static void describe_time(double seconds, char *text, size_t room)
{
    unsigned long whole = seconds < 1e9 ? (unsigned long)(seconds + 0.5) : 1000000000;

    if (whole < 120) {
        snprintf(text, room, "%lu s", whole);
    } else if (whole < 7200) {
        snprintf(text, room, "%lu min", (whole + 30) / 60);
    } else {
        snprintf(text, room, "%lu h %lu min", whole / 3600, whole % 3600 / 60);
    }
}

void cli_progress_text(double elapsed_s, uint64_t done, uint64_t total, char *text, size_t room)
{
    double share = total == 0 ? 1 : (double)done / (double)total;
    char left[32];

    if (done == 0) {
        snprintf(text, room, "0%% 0/%" PRIu64 " CTAs", total);
        return;
    }
    describe_time(elapsed_s / share - elapsed_s, left, sizeof left);
    snprintf(text, room, "%d%% %" PRIu64 "/%" PRIu64 " CTAs, %s left", (int)(share * 100), done, total, left);
}

void cli_progress_update(struct cli_progress *progress, uint64_t done, uint64_t total)
{
    double elapsed_s = now_s() - progress->start_s;
    char text[128];

    if (!progress->enabled || elapsed_s < QUIET_S) {
        return;
    }
    cli_progress_text(elapsed_s, done, total, text, sizeof text);
    fprintf(stderr, "\r\033[K%s", text);
    fflush(stderr);
    progress->shown = true;
}

void cli_progress_erase(struct cli_progress *progress)
{
    if (progress->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        progress->shown = false;
    }
}
