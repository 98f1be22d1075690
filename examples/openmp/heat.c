/*
 * Heat that spreads over a plate whose upper edge is hot: OpenMP, no CUDA.  The plate stays on the device for all
 * steps; a reduction says how much still changes.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 64, STEPS = 20, REPORT = 5 };

static double plate[SIDE][SIDE], next[SIDE][SIDE];

/* One step; returns the sum of all changes. */
static double step(void)
{
    double change = 0;

#pragma omp target teams distribute parallel for collapse(2) reduction(+ : change) map(tofrom : change)
    for (int y = 1; y < SIDE - 1; y++) {
        for (int x = 1; x < SIDE - 1; x++) {
            const double t = (plate[y - 1][x] + plate[y + 1][x] + plate[y][x - 1] + plate[y][x + 1]) / 4;

            change += t > plate[y][x] ? t - plate[y][x] : plate[y][x] - t;
            next[y][x] = t;
        }
    }
#pragma omp target teams distribute parallel for collapse(2)
    for (int y = 1; y < SIDE - 1; y++) {
        for (int x = 1; x < SIDE - 1; x++) {
            plate[y][x] = next[y][x];
        }
    }
    return change;
}

int main(void)
{
    int on_host = 1;

#pragma omp target map(tofrom : on_host)
    on_host = omp_is_initial_device();
    printf("%d device, target regions run %s\n", omp_get_num_devices(), on_host ? "on the host" : "on the device");
    for (int x = 0; x < SIDE; x++) {
        plate[0][x] = 100;
    }
#pragma omp target data map(tofrom : plate) map(alloc : next)
    for (int i = 1; i <= STEPS; i++) {
        const double change = step();

        if (i % REPORT == 0) {
            printf("step %d: change %.3f\n", i, change);
        }
    }
    return on_host;
}
