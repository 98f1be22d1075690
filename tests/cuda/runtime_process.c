/* A process that forks, and one that ends with work under way: neither hangs nor crashes. */
#include "registration.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char spin_stub[1];

/* Counts to a few thousand millions. */
static const char spin_ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                               ".visible .entry spin()\n{\n    .reg .pred %p<2>;\n    .reg .b64 %rd<2>;\n"
                               "    mov.u64 %rd1, 0;\nagain:\n    add.s64 %rd1, %rd1, 1;\n"
                               "    setp.lt.u64 %p1, %rd1, 100000000000;\n    @%p1 bra again;\n    ret;\n}\n";

static struct wrapper wrapper;
static void **module;

static void unregister(void)
{
    __cudaUnregisterFatBinary(module);
}

static int exit_code(pid_t child)
{
    int status = 0;

    CHECK(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* A child has nothing of its parent's initialisation: its calls say so. */
static void child_of_an_initialised_process(void)
{
    pid_t child = fork();

    if (child == 0) {
        void *memory = NULL;

        _exit(cudaMalloc(&memory, 16) == cudaErrorInitializationError ? 42 : 1);
    }
    CHECK_EQUAL(exit_code(child), 42);
}

/* As a compiled program does: unregisters at exit. */
static void registers_launches_and_exits(void)
{
    wrapper = wrap(spin_ptx, 70);
    module = __cudaRegisterFatBinary(&wrapper);
    register_function(module, spin_stub, "spin");
    __cudaRegisterFatBinaryEnd(module);
    atexit(unregister);
    CHECK_OK(cudaLaunchKernel(spin_stub, extent(1, 1, 1), extent(32, 1, 1), NULL, 0, NULL));
    exit(42);
}

static void ends_with_work_under_way(void)
{
    time_t begin = time(NULL);
    pid_t child = fork(); /* before this process initialises anything */

    if (child == 0) {
        registers_launches_and_exits();
    }
    CHECK_EQUAL(exit_code(child), 42);
    CHECK(time(NULL) - begin < 30);
}

int main(void)
{
    ends_with_work_under_way();
    CHECK_OK(cudaFree(NULL));
    child_of_an_initialised_process();
    return 0;
}
