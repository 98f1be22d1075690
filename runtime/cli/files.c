/*
 * Files and the host's memory.  Invariant: nothing is allocated for a file before its size is known and within the
 * limit.
 */
#include "runtime/cli/files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail_errno(struct cli_error *error, const char *action, const char *path)
{
    return cli_fail(error, PTXEMU_BAD_INPUT, "cannot %s '%s': %s", action, path, strerror(errno));
}

static bool check_regular(const char *path, const struct stat *info, uint64_t limit, struct cli_error *error)
{
    if (S_ISDIR(info->st_mode)) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%s' is a directory", path);
    }
    if (!S_ISREG(info->st_mode)) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%s' is not a regular file", path);
    }
    if ((uint64_t)info->st_size > limit) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%s' has %jd bytes; at most %" PRIu64 " can be used here", path,
                        (intmax_t)info->st_size, limit);
    }
    return true;
}

/* Fill `bytes`; the file may have shrunk since its size was taken, then `*length` says so. */
static bool read_all(int fd, const char *path, unsigned char *bytes, size_t size, size_t *length,
                     struct cli_error *error)
{
    *length = 0;
    while (*length < size) {
        ssize_t got = read(fd, bytes + *length, size - *length);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return fail_errno(error, "read", path);
        }
        if (got == 0) {
            break;
        }
        *length += (size_t)got;
    }
    bytes[*length] = 0;
    return true;
}

static bool read_open(int fd, const char *path, uint64_t limit, unsigned char **bytes, size_t *length,
                      struct cli_error *error)
{
    struct stat info;

    if (fstat(fd, &info) != 0) {
        return fail_errno(error, "read", path);
    }
    if (!check_regular(path, &info, limit, error)) {
        return false;
    }
    size_t size = (size_t)info.st_size;

    *bytes = malloc(size + 1);
    if (*bytes == NULL) {
        return cli_fail_memory(error);
    }
    if (!read_all(fd, path, *bytes, size, length, error)) {
        free(*bytes);
        *bytes = NULL;
        return false;
    }
    return true;
}

bool cli_file_read(const char *path, uint64_t limit, unsigned char **bytes, size_t *length, struct cli_error *error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe without a writer must not block */

    *bytes = NULL;
    *length = 0;
    if (fd < 0) {
        return fail_errno(error, "open", path);
    }
    bool ok = read_open(fd, path, limit, bytes, length, error);

    close(fd);
    return ok;
}

bool cli_file_head(const char *path, unsigned char *bytes, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info;

    if (fd < 0) {
        return false;
    }
    bool ok = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && read(fd, bytes, size) == (ssize_t)size;

    close(fd);
    return ok;
}

bool cli_file_write(const char *path, const void *head, size_t head_length, const void *body, size_t body_length,
                    struct cli_error *error)
{
    FILE *file = fopen(path, "wbe");

    if (file == NULL) {
        return fail_errno(error, "write", path);
    }
    bool ok = fwrite(head, 1, head_length, file) == head_length && fwrite(body, 1, body_length, file) == body_length;

    if (fclose(file) != 0 || !ok) {
        return fail_errno(error, "write", path);
    }
    return true;
}

/* The number after `key` in a small text file; UINT64_MAX when there is none. */
static uint64_t number_in_file(const char *path, const char *key)
{
    FILE *file = fopen(path, "re");
    char line[256];
    uint64_t value = UINT64_MAX;

    if (file == NULL) {
        return value;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, key, strlen(key)) == 0 && sscanf(line + strlen(key), "%" SCNu64, &value) == 1) {
            break;
        }
    }
    fclose(file);
    return value;
}

uint64_t cli_host_memory(void)
{
    uint64_t available_kib = number_in_file("/proc/meminfo", "MemAvailable:");
    uint64_t allowed = number_in_file("/sys/fs/cgroup/memory.max", "");
    uint64_t available = available_kib <= UINT64_MAX / 1024
                             ? available_kib * 1024
                             : (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);

    return allowed < available ? allowed : available;
}
