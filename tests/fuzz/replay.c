/* Runs a harness on files and on every file of directories: for builds without libFuzzer, and to debug a finding. */
#include "fuzz.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool replay_file(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");

    if (file == NULL) {
        perror(path);
        return false;
    }
    fseek(file, 0, SEEK_END);
    const size_t size = (size_t)ftell(file);
    uint8_t *data = malloc(size + (size == 0)); /* exactly the input, so that a sanitizer sees reads past its end */

    rewind(file);
    const bool ok = data != NULL && fread(data, 1, size, file) == size;

    fclose(file);
    if (ok) {
        LLVMFuzzerTestOneInput(data, size);
        ++*count;
    }
    free(data);
    return ok;
}

static bool replay(const char *path, size_t *count)
{
    struct stat status;

    if (stat(path, &status) != 0) {
        perror(path);
        return false;
    }
    if (!S_ISDIR(status.st_mode)) {
        return replay_file(path, count);
    }
    struct dirent **entries;
    const int found = scandir(path, &entries, NULL, alphasort);
    bool ok = found >= 0;

    for (int i = 0; i < found; i++) {
        if (entries[i]->d_name[0] != '.') {
            char inside[4096];

            snprintf(inside, sizeof inside, "%s/%s", path, entries[i]->d_name);
            ok &= replay(inside, count);
        }
        free(entries[i]);
    }
    if (found >= 0) {
        free(entries);
    }
    return ok;
}

int main(int argc, char **argv)
{
    size_t count = 0;
    bool ok = argc > 1;

    for (int i = 1; i < argc; i++) {
        ok &= replay(argv[i], &count);
    }
    printf("%zu inputs\n", count);
    return ok && count > 0 ? 0 : 1;
}
