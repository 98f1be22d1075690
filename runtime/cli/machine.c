/*
 * Settings of the emulated machine.  Invariant: a value is checked by the same function wherever it stands, and its
 * message says where it stood.
 */
#include "runtime/cli/machine.h"
#include "runtime/cli/spec.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GPUS_LIMIT = 64, THREADS_LIMIT = 1024, SLACK_LIMIT = 1 << 30 };

static const char *const POLICIES[] = {
    [PTXEMU_CONVERGE] = "converge", [PTXEMU_MINPC] = "minpc", [PTXEMU_SERIAL] = "serial", [PTXEMU_RANDOM] = "random"};

enum { POLICY_COUNT = sizeof POLICIES / sizeof POLICIES[0] };

const char *cli_policy_name(ptxemu_policy policy)
{
    return POLICIES[policy];
}

/* --- values ----------------------------------------------------------------------------------- */
static bool take_number(const char *text, uint64_t least, uint64_t most, uint64_t *value, struct cli_error *error)
{
    struct cli_number number;
    struct cli_error ignored;

    if (!cli_number_parse(text, strlen(text), &number, &ignored) || !number.integral || number.negative ||
        number.magnitude < least || number.magnitude > most) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%s': expected a whole number from %ju to %ju", text,
                        (uintmax_t)least, (uintmax_t)most);
    }
    *value = number.magnitude;
    return true;
}

static bool take_count(const char *text, unsigned most, unsigned *value, struct cli_error *error)
{
    uint64_t number = 0;

    if (!take_number(text, 1, most, &number, error)) {
        return false;
    }
    *value = (unsigned)number;
    return true;
}

static bool take_gpu(struct cli_machine *m, const char *text, struct cli_error *error)
{
    (void)error; /* whether there is such a GPU is known when it is opened */
    m->gpu = text;
    return true;
}

static bool take_gpus(struct cli_machine *m, const char *text, struct cli_error *error)
{
    return take_count(text, GPUS_LIMIT, &m->gpus, error);
}

static bool take_threads(struct cli_machine *m, const char *text, struct cli_error *error)
{
    return take_count(text, THREADS_LIMIT, &m->threads, error);
}

static bool take_policy(struct cli_machine *m, const char *text, struct cli_error *error)
{
    for (unsigned i = 0; i < POLICY_COUNT; i++) {
        if (strcmp(text, POLICIES[i]) == 0) {
            m->policy = (ptxemu_policy)i;
            return true;
        }
    }
    return cli_fail(error, PTXEMU_BAD_INPUT, "'%s' is not a policy: expected converge, minpc, serial or random", text);
}

static bool take_seed(struct cli_machine *m, const char *text, struct cli_error *error)
{
    return take_number(text, 0, UINT64_MAX, &m->seed, error);
}

static bool take_slack(struct cli_machine *m, const char *text, struct cli_error *error)
{
    return take_number(text, 0, SLACK_LIMIT, &m->slack, error);
}

static bool take_timeout(struct cli_machine *m, const char *text, struct cli_error *error)
{
    struct cli_number number;
    struct cli_error ignored;

    if (!cli_number_parse(text, strlen(text), &number, &ignored) || !(number.real > 0) || isinf(number.real)) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%s': expected seconds, more than 0", text);
    }
    m->timeout_s = number.real;
    return true;
}

/* "0" is a way to say no in a variable. */
static bool take_verbose(struct cli_machine *m, const char *text, struct cli_error *error)
{
    (void)error;
    m->verbose = strcmp(text, "0") != 0;
    return true;
}

/* --- where they stand ------------------------------------------------------------------------- */
static const struct {
    const char *option, *variable;
    bool (*take)(struct cli_machine *machine, const char *text, struct cli_error *error);
} SETTINGS[CLI_SETTING_COUNT] = {
    [CLI_GPU] = {"--gpu", "PTXEMU_GPU", take_gpu},
    [CLI_GPUS] = {"--gpus", "PTXEMU_GPUS", take_gpus},
    [CLI_THREADS] = {"--threads", "PTXEMU_THREADS", take_threads},
    [CLI_POLICY] = {"--policy", "PTXEMU_POLICY", take_policy},
    [CLI_SEED] = {"--seed", "PTXEMU_SEED", take_seed},
    [CLI_SLACK] = {"--slack", "PTXEMU_SLACK", take_slack},
    [CLI_TIMEOUT] = {"--timeout", "PTXEMU_TIMEOUT", take_timeout},
    [CLI_VERBOSE] = {"--verbose", "PTXEMU_VERBOSE", take_verbose},
};

bool cli_machine_take(struct cli_machine *machine, enum cli_setting setting, const char *value, struct cli_error *error)
{
    machine->given[setting] = value;
    return SETTINGS[setting].take(machine, value, error) || cli_fail_at(error, "%s: ", SETTINGS[setting].option);
}

bool cli_machine_read_environment(struct cli_machine *machine, struct cli_error *error)
{
    for (int i = 0; i < CLI_SETTING_COUNT; i++) {
        const char *value = getenv(SETTINGS[i].variable);

        if (value != NULL && value[0] != '\0' && !SETTINGS[i].take(machine, value, error)) {
            return cli_fail_at(error, "%s: ", SETTINGS[i].variable);
        }
    }
    return true;
}

static bool set_variable(const char *name, const char *value, struct cli_error *error)
{
    return setenv(name, value, 1) == 0 || cli_fail(error, PTXEMU_NO_MEMORY, "cannot set %s: %s", name, strerror(errno));
}

/* The path of a description must hold wherever the program goes; a built-in name is left as it is. */
static bool export_gpu(const char *gpu, struct cli_error *error)
{
    char *path = strpbrk(gpu, "./") != NULL ? realpath(gpu, NULL) : NULL;
    bool ok = set_variable(SETTINGS[CLI_GPU].variable, path != NULL ? path : gpu, error);

    free(path);
    return ok;
}

bool cli_machine_export(const struct cli_machine *machine, struct cli_error *error)
{
    bool ok = machine->given[CLI_GPU] == NULL || export_gpu(machine->given[CLI_GPU], error);

    for (int i = CLI_GPU + 1; i < CLI_SETTING_COUNT && ok; i++) {
        ok = machine->given[i] == NULL || set_variable(SETTINGS[i].variable, machine->given[i], error);
    }
    return ok;
}
