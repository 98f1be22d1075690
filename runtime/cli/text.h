/*
 * Pieces of text: spans that point into a larger string, growing arrays, paths.  Owns nothing but the copies it
 * returns.
 */
#ifndef RUNTIME_CLI_TEXT_H
#define RUNTIME_CLI_TEXT_H

#include "runtime/cli/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_span {
    const char *at;
    size_t length;
};

struct cli_span cli_span_of(const char *text);
bool cli_span_is(struct cli_span span, const char *word);
struct cli_span cli_span_trim(struct cli_span span);
/* The part before the first `separator`; `*rest` keeps what follows, and is empty when there is none. */
struct cli_span cli_span_cut(struct cli_span *rest, char separator);
/* Where the last `c` stands; NULL: nowhere. */
const char *cli_span_last(struct cli_span span, char c);
/* The part before the first white space; `*rest` keeps the trimmed remainder. */
struct cli_span cli_span_word(struct cli_span *rest);
/* A malloc'd, terminated copy; NULL when memory is exhausted. */
char *cli_span_copy(struct cli_span span);
/* Length for "%.*s" in a message: long or binary input must not flood it. */
int cli_span_shown(struct cli_span span);

/* A decimal, or 0x hexadecimal, whole number; with `K`, `M` or `G` behind it times 2^10, 2^20, 2^30. */
bool cli_size_parse(struct cli_span text, uint64_t *value, struct cli_error *error);

/* `path` as seen from `folder`; absolute paths and a NULL folder leave it alone.  NULL when memory is exhausted. */
char *cli_path_join(const char *folder, struct cli_span path);
/* The folder a file lies in, "." if its path names none.  NULL when memory is exhausted. */
char *cli_path_folder(const char *path);

/* Append one zeroed element of `size` bytes to the array at `*items`; NULL when memory is exhausted. */
void *cli_append(void *items, size_t *count, size_t size);

#endif
