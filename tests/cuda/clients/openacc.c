/*
 * OpenACC of GCC on the device: gangs, workers and vectors, reductions, data regions, routines, asynchronous queues and
 * atomics.  Prints "ok", or what is wrong.
 */
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

#define N    10000
#define ROWS 40

static int failures;

#define CHECK(condition)                                             \
    do {                                                             \
        if (!(condition)) {                                          \
            printf("line %d: %s is not so\n", __LINE__, #condition); \
            failures++;                                              \
        }                                                            \
    } while (0)

#pragma acc routine seq
static int triple(int x)
{
    return 3 * x;
}

static void check_device(void)
{
    int host = 1;

    CHECK(acc_get_num_devices(acc_device_nvidia) >= 1);
    CHECK(acc_get_device_type() == acc_device_nvidia);
    CHECK(acc_get_property(0, acc_device_nvidia, acc_property_memory) > 0);
    CHECK(acc_get_property_string(0, acc_device_nvidia, acc_property_name) != NULL);
#pragma acc parallel copyout(host)
    host = acc_on_device(acc_device_host);
    CHECK(host == 0);
}

static void check_loop(int *a, int *b)
{
    int wrong = 0;

    for (int i = 0; i < N; i++) {
        a[i] = i;
    }
#pragma acc parallel loop gang vector copyin(a[:N]) copyout(b[:N])
    for (int i = 0; i < N; i++) {
        b[i] = triple(a[i]) + 1;
    }
    for (int i = 0; i < N; i++) {
        wrong += b[i] != 3 * i + 1;
    }
    CHECK(wrong == 0);
}

/* One level of parallelism within the other: a gang a row, workers and vector lanes along it. */
static void check_levels(void)
{
    static int grid[ROWS][ROWS], sums[ROWS];
    int wrong = 0;

#pragma acc parallel num_gangs(10) num_workers(4) vector_length(32) copyout(grid, sums)
    {
#pragma acc loop gang
        for (int y = 0; y < ROWS; y++) {
            int sum = 0;

#pragma acc loop worker vector reduction(+ : sum)
            for (int x = 0; x < ROWS; x++) {
                grid[y][x] = y * x;
                sum += y + x;
            }
            sums[y] = sum;
        }
    }
    for (int y = 0; y < ROWS; y++) {
        for (int x = 0; x < ROWS; x++) {
            wrong += grid[y][x] != y * x;
        }
        wrong += sums[y] != ROWS * y + ROWS * (ROWS - 1) / 2;
    }
    CHECK(wrong == 0);
}

static void check_reductions(void)
{
    long sum = 0;
    int low = 1 << 30, high = -1;
    double product = 1;

#pragma acc parallel loop reduction(+ : sum) reduction(min : low) reduction(max : high)
    for (int i = 0; i < N; i++) {
        int value = (int)((i * 7919L) % N);

        sum += i;
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    CHECK(sum == (long)N * (N - 1) / 2);
    CHECK(low == 0 && high == N - 1);
#pragma acc parallel loop reduction(* : product)
    for (int i = 0; i < 20; i++) {
        product *= 2;
    }
    CHECK(product == 1 << 20);
}

static void check_data(int *a)
{
    for (int i = 0; i < N; i++) {
        a[i] = 1;
    }
#pragma acc data copy(a[:N])
    {
        CHECK(acc_is_present(a, N * sizeof *a));
        for (int step = 0; step < 3; step++) {
#pragma acc kernels loop independent present(a[:N])
            for (int i = 0; i < N; i++) {
                a[i] += i + step;
            }
        }
        CHECK(a[7] == 1);
#pragma acc update self(a [7:1])
        CHECK(a[7] == 1 + 3 * 7 + 3);
    }
    CHECK(!acc_is_present(a, N * sizeof *a));
    CHECK(a[N - 1] == 1 + 3 * (N - 1) + 3);
}

/* Two queues, the second of which waits for the first. */
static void check_async(int *a, int *b)
{
#pragma acc data copyout(a[:N], b[:N])
    {
#pragma acc parallel loop async(1)
        for (int i = 0; i < N; i++) {
            a[i] = i;
        }
#pragma acc parallel loop async(2) wait(1)
        for (int i = 0; i < N; i++) {
            b[i] = a[i] + 1;
        }
        acc_wait(2);
        CHECK(acc_async_test(1) && acc_async_test(2));
#pragma acc wait
    }
    CHECK(a[N - 1] == N - 1 && b[N - 1] == N);
}

static void check_atomics(void)
{
    int count = 0;

#pragma acc parallel loop copy(count)
    for (int i = 0; i < N; i++) {
#pragma acc atomic update
        count += i % 3;
    }
    CHECK(count == N - 1);
}

static void check_memory(void)
{
    int *there = acc_malloc(100 * sizeof *there), here[100];

    for (int i = 0; i < 100; i++) {
        here[i] = i;
    }
    acc_memcpy_to_device(there, here, sizeof here);
#pragma acc parallel loop deviceptr(there)
    for (int i = 0; i < 100; i++) {
        there[i] += 5;
    }
    acc_memcpy_from_device(here, there, sizeof here);
    CHECK(here[0] == 5 && here[99] == 104);
    acc_free(there);
}

int main(void)
{
    int *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);

    check_device();
    check_loop(a, b);
    check_levels();
    check_reductions();
    check_data(a);
    check_async(a, b);
    check_atomics();
    check_memory();
    free(a);
    free(b);
    puts(failures == 0 ? "ok" : "failed");
    return failures != 0;
}
