/*
 * Pieces of text.  Invariant: a span never reaches past the string it was made from.
 */
#include "runtime/cli/text.h"
#include "runtime/cli/element.h"

#include <stdlib.h>
#include <string.h>

struct cli_span cli_span_of(const char *text)
{
    return (struct cli_span){text, strlen(text)};
}

bool cli_span_is(struct cli_span span, const char *word)
{
    return strlen(word) == span.length && memcmp(span.at, word, span.length) == 0;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

struct cli_span cli_span_trim(struct cli_span span)
{
    while (span.length > 0 && is_space(span.at[0])) {
        span.at++;
        span.length--;
    }
    while (span.length > 0 && is_space(span.at[span.length - 1])) {
        span.length--;
    }
    return span;
}

static struct cli_span split(struct cli_span *rest, size_t length, size_t skipped)
{
    struct cli_span head = {rest->at, length};

    rest->at += length + skipped;
    rest->length -= length + skipped;
    return head;
}

struct cli_span cli_span_cut(struct cli_span *rest, char separator)
{
    const char *found = rest->length == 0 ? NULL : memchr(rest->at, separator, rest->length);

    return found == NULL ? split(rest, rest->length, 0) : split(rest, (size_t)(found - rest->at), 1);
}

const char *cli_span_last(struct cli_span span, char c)
{
    return span.length == 0 ? NULL : memrchr(span.at, c, span.length);
}

struct cli_span cli_span_word(struct cli_span *rest)
{
    size_t length = 0;

    *rest = cli_span_trim(*rest);
    while (length < rest->length && !is_space(rest->at[length])) {
        length++;
    }
    struct cli_span word = split(rest, length, 0);

    *rest = cli_span_trim(*rest);
    return word;
}

char *cli_span_copy(struct cli_span span)
{
    char *copy = malloc(span.length + 1);

    if (copy != NULL) {
        memcpy(copy, span.at, span.length);
        copy[span.length] = '\0';
    }
    return copy;
}

int cli_span_shown(struct cli_span span)
{
    return span.length > 60 ? 60 : (int)span.length;
}

static unsigned suffix_shift(char c)
{
    switch (c) {
    case 'K':
    case 'k':
        return 10;
    case 'M':
    case 'm':
        return 20;
    case 'G':
    case 'g':
        return 30;
    default:
        return 0;
    }
}

bool cli_size_parse(struct cli_span text, uint64_t *value, struct cli_error *error)
{
    struct cli_span digits = text;
    unsigned shift = text.length == 0 ? 0 : suffix_shift(text.at[text.length - 1]);
    struct cli_number number;
    struct cli_error ignored;

    digits.length -= shift != 0;
    if (digits.length == 0 || !cli_number_parse(digits.at, digits.length, &number, &ignored) || !number.integral ||
        number.negative || number.magnitude > UINT64_MAX >> shift) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%.*s' is not a size: expected a whole number, also with K, M or G",
                        cli_span_shown(text), text.at);
    }
    *value = number.magnitude << shift;
    return true;
}

char *cli_path_join(const char *folder, struct cli_span path)
{
    if (folder == NULL || (path.length > 0 && path.at[0] == '/')) {
        return cli_span_copy(path);
    }
    size_t head = strlen(folder);
    char *joined = malloc(head + 1 + path.length + 1);

    if (joined != NULL) {
        memcpy(joined, folder, head);
        joined[head] = '/';
        memcpy(joined + head + 1, path.at, path.length);
        joined[head + 1 + path.length] = '\0';
    }
    return joined;
}

char *cli_path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL) {
        return cli_span_copy(cli_span_of("."));
    }
    return cli_span_copy((struct cli_span){path, slash == path ? 1 : (size_t)(slash - path)});
}

void *cli_append(void *items, size_t *count, size_t size)
{
    unsigned char *array;

    memcpy(&array, items, sizeof array); /* the caller's pointer, whatever it points to */
    if ((*count & (*count - 1)) == 0) {  /* room for a power of two is used up */
        size_t room = *count == 0 ? 1 : *count * 2;

        array = room > SIZE_MAX / size ? NULL : realloc(array, room * size);
        if (array == NULL) {
            return NULL;
        }
        memcpy(items, &array, sizeof array);
    }
    return memset(array + size * (*count)++, 0, size);
}
