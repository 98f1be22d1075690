/*
 * The process: options from the environment, devices, and one line of text at a time for the user.
 *
 * Invariant: once state is READY, options and devices do not change.
 */
#include "runtime/driver/process.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/driver/context.h"

enum { NOT_READY, READY, FORKED };

static struct drv_process process = {.lock = PTHREAD_MUTEX_INITIALIZER};
static _Atomic int state;
static CUresult outcome; /* of the only attempt to initialise */

/* --- messages --------------------------------------------------------------------------------- */
static void say(const char *format, va_list args)
{
    char text[4096];
    const int head = snprintf(text, sizeof text, "ptxemu: ");
    const int n = vsnprintf(text + head, sizeof text - (size_t)head - 1, format, args);
    size_t length = strlen(text);

    if (n >= 0 && (length == 0 || text[length - 1] != '\n')) {
        text[length++] = '\n';
    }
    /* One write, so that lines of several threads do not mix. */
    fwrite(text, 1, length, stderr);
}

void drv_say(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(format, args);
    va_end(args);
}

static bool is_verbose(void)
{
    const char *value = getenv("PTXEMU_VERBOSE");

    return value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
}

void drv_verbose(const char *format, ...)
{
    va_list args;

    if (is_verbose()) {
        va_start(args, format);
        say(format, args);
        va_end(args);
    }
}

CUresult drv_unsupported(const char *name)
{
    enum { SEEN_MOST = 256 };
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static const char *seen[SEEN_MOST];
    static unsigned count;
    bool known = false;

    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < count && !known; i++) {
        known = strcmp(seen[i], name) == 0;
    }
    if (!known && count < SEEN_MOST) {
        seen[count++] = name;
    }
    pthread_mutex_unlock(&lock);
    if (!known) {
        drv_verbose("%s is not supported", name);
    }
    return CUDA_ERROR_NOT_SUPPORTED;
}

/* --- options ---------------------------------------------------------------------------------- */
static const char *text_option(const char *name)
{
    const char *value = getenv(name);

    return value != NULL && value[0] != '\0' ? value : NULL;
}

static bool whole_option(const char *name, uint64_t most, uint64_t *out)
{
    const char *text = text_option(name);
    char *end = NULL;

    if (text == NULL) {
        return true;
    }
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 0);

    if (errno != 0 || *end != '\0' || text[0] == '-' || value > most) {
        drv_say("%s=%s: not a whole number up to %llu", name, text, (unsigned long long)most);
        return false;
    }
    *out = value;
    return true;
}

static bool seconds_option(const char *name, double *out)
{
    const char *text = text_option(name);
    char *end = NULL;

    if (text == NULL) {
        return true;
    }
    const double value = strtod(text, &end);

    if (*end != '\0' || !(value >= 0)) {
        drv_say("%s=%s: not a number of seconds", name, text);
        return false;
    }
    *out = value;
    return true;
}

static bool policy_option(const char *name, ptxemu_policy *out)
{
    static const char *const names[] = {[PTXEMU_CONVERGE] = "converge",
                                        [PTXEMU_MINPC] = "minpc",
                                        [PTXEMU_SERIAL] = "serial",
                                        [PTXEMU_RANDOM] = "random"};
    const char *text = text_option(name);

    if (text == NULL) {
        return true;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i]) == 0) {
            *out = (ptxemu_policy)i;
            return true;
        }
    }
    drv_say("%s=%s: a policy is converge, minpc, serial or random", name, text);
    return false;
}

static bool read_options(struct drv_options *o)
{
    uint64_t devices = 1, threads = 0, blocking = 0;
    const bool good =
        whole_option("PTXEMU_GPUS", DRV_DEVICES_MOST, &devices) && whole_option("PTXEMU_THREADS", 4096, &threads) &&
        whole_option("PTXEMU_SEED", UINT64_MAX, &o->seed) && whole_option("PTXEMU_SLACK", DRV_SLACK_MOST, &o->slack) &&
        whole_option("CUDA_LAUNCH_BLOCKING", UINT64_MAX, &blocking) &&
        seconds_option("PTXEMU_TIMEOUT", &o->timeout_s) && policy_option("PTXEMU_POLICY", &o->policy);

    o->gpu = text_option("PTXEMU_GPU");
    o->devices = devices == 0 ? 1 : (unsigned)devices;
    o->host_threads = (unsigned)threads;
    o->launch_blocking = blocking != 0;
    o->verbose = is_verbose();
    return good;
}

/* --- initialisation --------------------------------------------------------------------------- */
static CUresult open_devices(void)
{
    const ptxemu_device_options options = {.size = sizeof options,
                                           .gpu = process.options.gpu,
                                           .host_threads = process.options.host_threads,
                                           .slack = process.options.slack};

    for (unsigned i = 0; i < process.options.devices; i++) {
        struct drv_device *d = &process.devices[i];
        char *error = NULL;
        const ptxemu_status status = ptxemu_device_open(&options, &d->gpu, &error);

        if (status != PTXEMU_OK) {
            drv_say("%s", error != NULL ? error : ptxemu_status_name(status));
            free(error);
            return status == PTXEMU_NO_MEMORY ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_NO_DEVICE;
        }
        d->ordinal = (int)i;
        process.device_count++;
    }
    return CUDA_SUCCESS;
}

/* A child has neither our threads nor, in truth, the device: as on hardware, it may not go on. */
static void after_fork(void)
{
    if (atomic_load(&state) == READY) {
        atomic_store(&state, FORKED);
    }
    pthread_mutex_init(&process.lock, NULL);
}

static void initialize_once(void)
{
    pthread_atfork(NULL, NULL, after_fork);
    outcome = read_options(&process.options) ? open_devices() : CUDA_ERROR_NO_DEVICE;
    if (outcome == CUDA_SUCCESS) {
        ptxemu_device_info info;

        ptxemu_device_get_info(process.devices[0].gpu, &info);
        drv_verbose("version %s, %d x %s (%s), %u host threads", ptxemu_version(), process.device_count, info.product,
                    info.name, process.devices[0].gpu->host_threads);
        atomic_store(&state, READY);
    }
}

CUresult drv_initialize(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    if (atomic_load(&state) == FORKED) {
        return CUDA_ERROR_NOT_INITIALIZED;
    }
    pthread_once(&once, initialize_once);
    return outcome;
}

CUresult drv_ready(void)
{
    return atomic_load_explicit(&state, memory_order_acquire) == READY ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

struct drv_process *drv_process(void)
{
    return &process;
}

struct drv_device *drv_device(CUdevice ordinal)
{
    return ordinal >= 0 && ordinal < process.device_count ? &process.devices[ordinal] : NULL;
}

CUresult drv_device_enter(CUdevice ordinal, const void *out, struct drv_device **device)
{
    const CUresult ready = drv_check_out(drv_ready(), out);

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    *device = drv_device(ordinal);
    return *device == NULL ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}
