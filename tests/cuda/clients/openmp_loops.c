/*
 * OpenMP of GCC on the device: loops over teams and threads, reductions of several kinds, data that stays on the
 * device, and functions and variables of the device.  Prints "ok", or what is wrong.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 20000

static int failures;

#define CHECK(condition)                                             \
    do {                                                             \
        if (!(condition)) {                                          \
            printf("line %d: %s is not so\n", __LINE__, #condition); \
            failures++;                                              \
        }                                                            \
    } while (0)

#pragma omp declare target
static int table[16] = {1, 2, 3, 5, 8, 13, 21, 34};
static int calls;

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
#pragma omp end declare target

static void check_devices(void)
{
    int host = 1, team_count = 0, thread_count = 0;

    CHECK(omp_get_num_devices() >= 1);
    CHECK(omp_get_initial_device() == omp_get_num_devices());
#pragma omp target map(from : host)
    host = omp_is_initial_device();
    CHECK(host == 0);
#pragma omp target teams num_teams(5) thread_limit(64) map(from : team_count, thread_count)
    {
        if (omp_get_team_num() == 3) {
            team_count = omp_get_num_teams();
        }
#pragma omp parallel num_threads(2)
        if (omp_get_team_num() == 3 && omp_get_thread_num() == 1) {
            thread_count = omp_get_num_threads();
        }
    }
    CHECK(team_count == 5);
    CHECK(thread_count == 2);
}

static void check_loop(int *a, int *b)
{
    long wrong = 0;

    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = 2 * i;
    }
#pragma omp target teams distribute parallel for map(to : a[:N]) map(tofrom : b[:N])
    for (int i = 0; i < N; i++) {
        b[i] += 3 * a[i];
    }
    for (int i = 0; i < N; i++) {
        wrong += b[i] != 5 * i;
    }
    CHECK(wrong == 0);
}

static void check_reductions(void)
{
    long sum = 0, squares = 0;
    int low = 1 << 30, high = -1;
    unsigned bits = 0;
    double halves = 0;

#pragma omp target teams distribute parallel for reduction(+ : sum, squares) reduction(min : low) reduction(max : high)
    for (int i = 0; i < N; i++) {
        int value = (int)((i * 7919L) % N);

        sum += i;
        squares += (long)i * i;
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    CHECK(sum == (long)N * (N - 1) / 2);
    CHECK(squares == (long)(N - 1) * N * (2L * N - 1) / 6);
    CHECK(low == 0 && high == N - 1);
#pragma omp target parallel for reduction(| : bits) reduction(+ : halves)
    for (int i = 0; i < 300; i++) {
        bits |= 1u << i % 32;
        halves += 0.5;
    }
    CHECK(bits == ~0u);
    CHECK(halves == 150);
}

/* Data of an enclosing region stays where it is; the host sees it after an update. */
static void check_data(int *a)
{
    for (int i = 0; i < N; i++) {
        a[i] = 1;
    }
#pragma omp target data map(tofrom : a[:N])
    {
        for (int step = 0; step < 3; step++) {
#pragma omp target teams distribute parallel for
            for (int i = 0; i < N; i++) {
                a[i] += i + step;
            }
        }
        CHECK(a[7] == 1);
#pragma omp target update from(a [7:1])
        CHECK(a[7] == 1 + 3 * 7 + 3);
        CHECK(a[8] == 1);
        CHECK(omp_target_is_present(a, omp_get_default_device()));
    }
    CHECK(!omp_target_is_present(a, omp_get_default_device()));
    CHECK(a[N - 1] == 1 + 3 * (N - 1) + 3);
#pragma omp target enter data map(to : a[:100])
    a[50] = -1;
#pragma omp target exit data map(from : a[:100])
    CHECK(a[50] == 1 + 3 * 50 + 3);
}

static void check_functions(void)
{
    int sum = 0, value = 0;

#pragma omp target map(tofrom : sum, value)
    {
        for (int i = 0; i < 8; i++) {
            sum += table[i];
        }
        value = fibonacci(15);
        calls = 41;
    }
    CHECK(sum == 87);
    CHECK(value == 610);
    table[0] = 100;
#pragma omp target update to(table)
    sum = 0;
#pragma omp target map(tofrom : sum)
    sum = table[0] + ++calls;
    CHECK(sum == 142);
}

/* omp_target_alloc and copies, and pointers that are the device's own. */
static void check_pointers(void)
{
    int device = omp_get_default_device(), host = omp_get_initial_device();
    int *there = omp_target_alloc(1000 * sizeof *there, device);
    int here[1000];

    CHECK(there != NULL);
    for (int i = 0; i < 1000; i++) {
        here[i] = i;
    }
    CHECK(omp_target_memcpy(there, here, sizeof here, 0, 0, device, host) == 0);
#pragma omp target teams distribute parallel for is_device_ptr(there)
    for (int i = 0; i < 1000; i++) {
        there[i] *= 3;
    }
    CHECK(omp_target_memcpy(here, there + 10, 4 * sizeof *here, 0, 0, host, device) == 0);
    CHECK(here[0] == 30 && here[3] == 39 && here[4] == 4);
    omp_target_free(there, device);
}

static void check_atomics(void)
{
    int count = 0, last = -1;

#pragma omp target teams distribute parallel for map(tofrom : count)
    for (int i = 0; i < N; i++) {
#pragma omp atomic
        count += i % 3;
    }
    CHECK(count == N - 1);
#pragma omp target parallel num_threads(4) map(tofrom : last)
    for (int turn = 0; turn < 4; turn++) {
#pragma omp critical
        last += 1;
#pragma omp barrier
    }
    CHECK(last == 15);
}

/* Tasks that wait for each other: regions in flight from several host threads. */
static void check_nowait(int *a, int *b)
{
    for (int i = 0; i < N; i++) {
        a[i] = b[i] = i;
    }
#pragma omp target teams distribute parallel for nowait depend(out : a[0]) map(tofrom : a[:N])
    for (int i = 0; i < N; i++) {
        a[i] += 1;
    }
#pragma omp target teams distribute parallel for nowait depend(in : a[0]) map(to : a[:N]) map(tofrom : b[:N])
    for (int i = 0; i < N; i++) {
        b[i] += a[i];
    }
#pragma omp taskwait
    CHECK(a[100] == 101 && b[100] == 201 && b[N - 1] == 2 * N - 1);
}

int main(void)
{
    int *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);

    check_devices();
    check_loop(a, b);
    check_reductions();
    check_data(a);
    check_functions();
    check_pointers();
    check_atomics();
    check_nowait(a, b);
    free(a);
    free(b);
    puts(failures == 0 ? "ok" : "failed");
    return failures != 0;
}
