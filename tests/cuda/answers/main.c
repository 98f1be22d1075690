/*
 * answers RECORDED: make all calls and compare the answers with the recorded ones.  answers --record: print them, as on
 * the GPU that is to be recorded.
 *
 * A line of the record is "CALL = ANSWER", or "CALL = ANSWER, here OTHER" where we differ and docs/deviations.md says
 * why.
 */
#include "answers.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 512 };

static FILE *recorded; /* NULL: print */
static int line_number, differences;

/* The answer that this machine should give; false when the record has another call there. */
static bool wanted(const char *what, char *want)
{
    char line[LINE_BYTES];
    const size_t length = strlen(what);

    do {
        line_number++;
        if (fgets(line, sizeof line, recorded) == NULL) {
            return false;
        }
    } while (line[0] == '#');
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, what, length) != 0 || strncmp(line + length, " = ", 3) != 0) {
        return false;
    }
    const char *here = strstr(line + length, ", here ");

    strcpy(want, here != NULL ? here + strlen(", here ") : line + length + 3);
    return true;
}

void answer_text(const char *what, const char *text)
{
    char want[LINE_BYTES];

    if (recorded == NULL) {
        printf("%s = %s\n", what, text);
        fflush(stdout);
    } else if (!wanted(what, want)) {
        fprintf(stderr, "line %d of the record is not about %s\n", line_number, what);
        exit(1);
    } else if (strcmp(text, want) != 0) {
        fprintf(stderr, "line %d: %s: %s, expected %s\n", line_number, what, text, want);
        differences++;
    }
}

void answer(const char *what, long long value)
{
    char text[32];

    snprintf(text, sizeof text, "%lld", value);
    answer_text(what, text);
}

void answer_named(long long value, const char *what, ...)
{
    char text[LINE_BYTES];
    va_list args;

    va_start(args, what);
    vsnprintf(text, sizeof text, what, args);
    va_end(args);
    answer(text, value);
}

void must_be_zero(long long value, const char *call)
{
    if (value != 0) {
        fprintf(stderr, "%s: %lld\n", call, value);
        exit(1);
    }
}

CUcontext use_primary_context(void)
{
    CUcontext context = NULL;

    must(cuDevicePrimaryCtxRetain(&context, 0));
    must(cuCtxSetCurrent(context));
    return context;
}

static void ask(void)
{
    before_initialization();
    without_a_context();
    devices();
    contexts();
    device_memory();
    copies_and_fills();
    host_memory();
    registered_memory();
    pointers();
    modules();
    function_attributes();
    launches();
    function_settings();
    occupancy();
    streams();
    events();
    host_functions();
    captures();
    graphs();
    linker();
    pools();
    arrays();
    contexts_of_others();
    runtime_errors();
    runtime_launches();
    runtime_memory();
    error_texts();
    after_a_trap();
}

int main(int argc, char **argv)
{
    char rest[LINE_BYTES];

    if (argc != 2) {
        fprintf(stderr, "usage: answers RECORDED | --record\n");
        return 2;
    }
    if (strcmp(argv[1], "--record") != 0) {
        recorded = fopen(argv[1], "r");
        if (recorded == NULL) {
            perror(argv[1]);
            return 1;
        }
    }
    ask();
    if (recorded != NULL && fgets(rest, sizeof rest, recorded) != NULL) {
        fprintf(stderr, "the record goes on with %s", rest);
        return 1;
    }
    return differences == 0 ? 0 : 1;
}
