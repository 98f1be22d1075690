/*
 * functions write IN     makes the arguments of every row of functions.def
 * functions check IN OUT compares the results of the device with those of the host's C library, in higher precision
 */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { values = 512 };

struct row {
    const char *name;
    bool is_float;
    double low[2], high[2];
    double units; /* allowed, of the last place */
    long double (*one)(long double);
    long double (*two)(long double, long double);
};

static long double rsqrtl(long double x)
{
    return 1 / sqrtl(x);
}

#define ONE(function, low, high, units) {#function, false, {low, 0}, {high, 0}, units, function##l, NULL},
#define TWO(function, low, high, low2, high2, units) \
    {#function, false, {low, low2}, {high, high2}, units, NULL, function##l},
#define FLOAT(function, host, low, high, units) {#function, true, {low, 0}, {high, 0}, units, host##l, NULL},
static const struct row rows[] = {
#include "functions.def"
};
enum { row_count = sizeof(rows) / sizeof(rows[0]) };

/* --- arguments --- */

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 11; /* 53 bits */
}

static double between(double low, double high, uint64_t *state)
{
    double share = (double)next_random(state) * 0x1p-53;

    return low * (1 - share) + high * share;
}

/* A number whose size is anything from tiny to the range's end, or 0 if the range has no such numbers. */
static double of_any_size(double low, double high, uint64_t *state)
{
    int top = ilogb(fmax(fabs(low), fabs(high))) + 1;
    double value = ldexp(between(0.5, 1, state), top - (int)(next_random(state) % 80));

    if (next_random(state) & 1) {
        value = -value;
    }
    return value >= low && value <= high ? value : -value >= low && -value <= high ? -value : low;
}

static double argument(int i, double low, double high, uint64_t *state)
{
    static const double corners[] = {0.0,        -0.0,    INFINITY, -INFINITY, NAN,  1,      -1,        0.5,
                                     -0.5,       2,       3,        -3,        10,   100,    1000,      0x1p-1074,
                                     -0x1p-1030, DBL_MIN, DBL_MAX,  -DBL_MAX,  1e22, 0x1p52, 0x1p53 + 2};

    if (i < (int)(sizeof(corners) / sizeof(corners[0]))) {
        return corners[i];
    }
    return i % 2 ? between(low, high, state) : of_any_size(low, high, state);
}

static int write_arguments(const char *path)
{
    FILE *file = fopen(path, "wb");
    uint64_t state = 1;

    if (!file) {
        return perror(path), 2;
    }
    for (int r = 0; r < row_count; r++) {
        for (int i = 0; i < values; i++) {
            /* the second argument goes through its corners slowly, so that corners meet */
            double pair[2] = {argument(rows[r].two ? i % 29 : i, rows[r].low[0], rows[r].high[0], &state),
                              argument(i / 29, rows[r].low[1], rows[r].high[1], &state)};

            if (rows[r].is_float) {
                pair[0] = (float)pair[0];
            }
            fwrite(pair, sizeof(double), 2, file);
        }
    }
    return fclose(file) == 0 ? 0 : 2;
}

/* --- results --- */

/* Units of the last place between a result and the true value; infinite if they are of different kinds. */
static double distance(double got, long double truth, bool is_float)
{
    double nearest = is_float ? (double)(float)truth : (double)truth;
    int lowest = is_float ? -149 : -1074;
    int digits = is_float ? 23 : 52;
    int last;

    if (isnan(nearest) || isnan(got)) {
        return isnan(nearest) && isnan(got) ? 0 : INFINITY;
    }
    if (nearest == got) {
        return nearest == 0 && signbit(got) != signbit((double)truth) ? INFINITY : isinf(got) ? 0 : 0.0;
    }
    if (isinf(got)) {
        return fabsl(truth) > (is_float ? FLT_MAX : DBL_MAX) * 0.9999999L ? 0 : INFINITY;
    }
    if (isinf(nearest)) {
        return fabs(got) == (is_float ? FLT_MAX : DBL_MAX) ? 1 : INFINITY;
    }
    last = truth == 0 ? lowest : ilogbl(truth) - digits;
    return (double)fabsl(ldexpl(got - truth, -(last < lowest ? lowest : last)));
}

static bool check_row(const struct row *row, const double *in, const double *out)
{
    double worst = 0;
    int at = 0;

    for (int i = 0; i < values; i++) {
        long double truth = row->one ? row->one(in[2 * i]) : row->two(in[2 * i], in[2 * i + 1]);
        double units = distance(out[i], truth, row->is_float);

        /* Rounding is exact to half a unit; a row that allows less allows the nearest value only. */
        if (units > worst) {
            worst = units;
            at = i;
        }
    }
    printf("%-10s %8.3f of %g units\n", row->name, worst, row->units);
    if (worst <= row->units) {
        return true;
    }
    printf("FAILED: %s(%a, %a) is %a, not %La\n", row->name, in[2 * at], in[2 * at + 1], out[at],
           row->one ? row->one(in[2 * at]) : row->two(in[2 * at], in[2 * at + 1]));
    return false;
}

static double *read_all(const char *path, size_t count)
{
    double *data = malloc(count * sizeof(double));
    FILE *file = fopen(path, "rb");

    if (!data || !file || fread(data, sizeof(double), count, file) != count) {
        fprintf(stderr, "%s: not %zu numbers\n", path, count);
        exit(2);
    }
    fclose(file);
    return data;
}

static int check_results(const char *arguments, const char *results)
{
    double *in = read_all(arguments, (size_t)row_count * values * 2);
    double *out = read_all(results, (size_t)row_count * values);
    bool good = true;

    for (int r = 0; r < row_count; r++) {
        good &= check_row(&rows[r], in + (size_t)r * values * 2, out + (size_t)r * values);
    }
    free(in);
    free(out);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "write") == 0) {
        return write_arguments(argv[2]);
    }
    if (argc == 4 && strcmp(argv[1], "check") == 0) {
        return check_results(argv[2], argv[3]);
    }
    fprintf(stderr, "usage: functions write IN | functions check IN OUT\n");
    return 2;
}
