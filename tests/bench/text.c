/* Texts of the benchmark kernels, and a large text of nvcc's making to measure the parser with. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *bench_read_kernel(const char *name, const char *suffix, size_t *length)
{
    char path[4096];
    char *text = NULL;
    size_t room = 0;

    snprintf(path, sizeof path, "%s/%s%s", BENCH_KERNEL_DIR, name, suffix);
    FILE *file = fopen(path, "r");

    if (file == NULL) {
        perror(path);
        return NULL;
    }
    const ssize_t got = getdelim(&text, &room, '\0', file);

    fclose(file);
    if (got < 0) {
        fprintf(stderr, "%s: empty\n", path);
        free(text);
        return NULL;
    }
    *length = (size_t)got;
    return text;
}

/* A text that grows; memory errors are kept by the stream and seen when it is closed. */
struct growing {
    FILE *stream;
    char *text;
    size_t length;
};

/* Append `body` with every occurrence of `name` followed by `_number`: a kernel, its parameters and its shared
 * variables. */
static void append_renamed(FILE *out, const char *body, const char *name, unsigned number)
{
    const size_t name_length = strlen(name);

    for (;;) {
        const char *hit = strstr(body, name);

        if (hit == NULL) {
            break;
        }
        fprintf(out, "%.*s_%u", (int)(hit + name_length - body), body, number);
        body = hit + name_length;
    }
    fputs(body, out);
}

/* What follows the .address_size line of a file. */
static const char *after_header(const char *text)
{
    const char *line = strstr(text, ".address_size");
    const char *end = line == NULL ? NULL : strchr(line, '\n');

    return end == NULL ? text : end + 1;
}

char *bench_nvcc_text(size_t size, size_t *length)
{
    struct bench_case cases[BENCH_MAX_CASES];
    const size_t count = bench_make_cases(true, cases);
    struct growing g = {0};

    g.stream = open_memstream(&g.text, &g.length);
    if (g.stream == NULL) {
        return NULL;
    }
    fputs(".version 9.0\n.target sm_80\n.address_size 64\n", g.stream);
    for (unsigned number = 0; (size_t)ftell(g.stream) < size; number++) {
        const char *name = cases[number % count].name;
        size_t kernel_length;
        char *text = bench_read_kernel(name, ".ptx", &kernel_length);

        if (text == NULL) {
            break;
        }
        append_renamed(g.stream, after_header(text), name, number);
        free(text);
    }
    if (fclose(g.stream) != 0) {
        free(g.text);
        return NULL;
    }
    *length = g.length;
    return g.text;
}
