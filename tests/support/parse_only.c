/*
 * Parse files and say how it went: diagnostics to standard error, then one line per file with time and memory.
 *
 *   parse_only [-q] [-c] [-n TIMES] FILE...     -q: no diagnostics, -c: check only, -n: repeat, for measuring
 *
 * Exit status: 0 when every file was accepted, 1 when some were not, 2 when one could not be read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "frontend/frontend.h"

struct options {
    bool quiet, check_only;
    enum ptx_scope scope;
    int times;
};

static char *read_file(const char *name, size_t *len)
{
    FILE *f = strcmp(name, "-") == 0 ? stdin : fopen(name, "rb");
    size_t room = 65536;
    char *text = f != NULL ? malloc(room) : NULL;

    *len = 0;
    for (size_t n; text != NULL && (n = fread(text + *len, 1, room - *len, f)) != 0;) {
        *len += n;
        if (*len == room) {
            text = realloc(text, room *= 2);
        }
    }
    if (f != NULL && f != stdin) {
        fclose(f);
    }
    return text;
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void print_diagnostics(const struct diag *dg)
{
    for (size_t i = 0; i < dg->count; i++) {
        char *text = diag_format(&dg->messages[i], false);

        if (text != NULL) {
            fputs(text, stderr);
        }
        free(text);
    }
}

static bool parse_once(const char *name, const char *text, size_t len, const struct options *o, bool print)
{
    struct diag dg;
    bool good;

    diag_init(&dg, name, text, len);
    if (o->check_only) {
        good = ptx_check_only(name, text, len, o->scope, &dg);
    } else {
        struct ir_module *m = ptx_parse(name, text, len, o->scope, &dg);

        good = m != NULL;
        ir_module_free(m);
    }
    if (print) {
        print_diagnostics(&dg);
    }
    diag_release(&dg);
    return good;
}

static int parse_file(const char *name, const struct options *o)
{
    size_t len;
    char *text = read_file(name, &len);
    bool good = false;
    struct rusage usage;

    if (text == NULL) {
        fprintf(stderr, "%s: cannot be read\n", name);
        return 2;
    }
    double start = seconds();

    for (int i = 0; i < o->times; i++) {
        good = parse_once(name, text, len, o, i == 0 && !o->quiet);
    }
    double each = (seconds() - start) / o->times;

    getrusage(RUSAGE_SELF, &usage);
    printf("%s: %s, %zu bytes, %.3f ms, %.1f MB/s, peak %ld KiB\n", name, good ? "accepted" : "refused", len,
           each * 1e3, each > 0 ? (double)len / each / 1e6 : 0.0, usage.ru_maxrss);
    free(text);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct options o = {.times = 1};
    int status = 0;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-q") == 0) {
            o.quiet = true;
        } else if (strcmp(argv[i], "-c") == 0) {
            o.check_only = true;
        } else if (strcmp(argv[i], "-r") == 0) {
            o.scope = PTX_RELOCATABLE;
        } else if (strcmp(argv[i], "-n") == 0 && i + 1 < argc) {
            o.times = atoi(argv[++i]) > 0 ? atoi(argv[i]) : 1;
        } else {
            int result = parse_file(argv[i], &o);

            status = result > status ? result : status;
        }
    }
    return status;
}
