/*
 * The C library on the device, as GCC's OpenMP offers it: functions of libm, memory of the device's heap, strings and
 * printf. Prints the lines of the device, then "ok", or what is wrong.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 500

static int failures;

#define CHECK(condition)                                             \
    do {                                                             \
        if (!(condition)) {                                          \
            printf("line %d: %s is not so\n", __LINE__, #condition); \
            failures++;                                              \
        }                                                            \
    } while (0)

static int near(double a, double b, double relative)
{
    return fabs(a - b) <= relative * fabs(b);
}

static void check_double(void)
{
    static double result[6][N];
    int wrong = 0;

#pragma omp target teams distribute parallel for map(from : result)
    for (int i = 0; i < N; i++) {
        double x = 0.25 + i * 0.125;

        result[0][i] = sqrt(x);
        result[1][i] = sin(x);
        result[2][i] = exp(-x / 8);
        result[3][i] = log(x);
        result[4][i] = pow(x, 1.5);
        result[5][i] = fma(x, x, -x);
    }
    for (int i = 0; i < N; i++) {
        double x = 0.25 + i * 0.125;

        wrong += result[0][i] != sqrt(x); /* rounded correctly on both sides */
        wrong += fabs(result[1][i] - sin(x)) > 1e-13;
        wrong += !near(result[2][i], exp(-x / 8), 1e-14);
        wrong += fabs(result[3][i] - log(x)) > 1e-14;
        wrong += !near(result[4][i], pow(x, 1.5), 1e-14);
        wrong += result[5][i] != fma(x, x, -x);
    }
    CHECK(wrong == 0);
}

static void check_float(void)
{
    float result[4] = {0};

#pragma omp target map(tofrom : result)
    {
        volatile float x = 2.0f;

        result[0] = sqrtf(x);
        result[1] = cosf(x);
        result[2] = powf(x, 10);
        result[3] = fabsf(-x) + floorf(x + 0.75f);
    }
    CHECK(result[0] == sqrtf(2.0f));
    CHECK(near(result[1], cosf(2.0f), 1e-6));
    CHECK(near(result[2], 1024, 1e-6));
    CHECK(result[3] == 4);
}

static void check_heap(void)
{
    int sum = 0;

#pragma omp target map(tofrom : sum)
    {
        int *list = malloc(64 * sizeof *list);

        if (list != NULL) {
            for (int i = 0; i < 64; i++) {
                list[i] = i;
            }
            for (int i = 0; i < 64; i++) {
                sum += list[i];
            }
            free(list);
        }
    }
    CHECK(sum == 2016);
}

static void check_strings(void)
{
    char text[32] = "";
    int length = 0, order = 0;

#pragma omp target map(tofrom : text, length, order)
    {
        char word[16];

        strcpy(word, "on the ");
        strcat(word, "device");
        length = (int)strlen(word);
        order = strcmp(word, "on the host");
        memcpy(text, word, (size_t)length + 1);
    }
    CHECK(strcmp(text, "on the device") == 0);
    CHECK(length == 13 && order < 0);
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0); /* lines of both sides in their order */
    check_double();
    check_float();
    check_heap();
    check_strings();
#pragma omp target
    printf("device says %d, %s, %.3f, %c, %lld\n", 42, "text", 1.5, 'x', 1LL << 40);
    puts(failures == 0 ? "ok" : "failed");
    return failures != 0;
}
