/*
 * Calls the kernels of kernels.ptx both ways: through the header's function, and by their own names, as the code that
 * compilers make of <<<...>>> does.  Every argument must arrive.
 */
#include "kernels.h"

#include <stdio.h>
#include <string.h>

static int wrong;

#define CHECK(index, expected)                                              \
    do {                                                                    \
        if (memcmp(arguments[index], &(expected), sizeof(expected)) != 0) { \
            printf("argument %d is wrong\n", index);                        \
            wrong = 1;                                                      \
        }                                                                   \
    } while (0)

static const uint8_t a0 = 200;
static const int16_t a1 = -3;
static const float a2 = 1.5f;
static char target;
static void *const a3 = &target;
static const double a4 = -2.25;
static const struct mixed_p_5 a5 = {"twelve bytes"};
static const uint32_t a6 = 0xdeadbeef;
static const struct mixed_p_7 a7 = {"sixteen of them"};
static const int64_t a8 = -5000000000;
static const struct mixed_p_9 a9 = {"thirty-two, on the stack"};
static const float rest[] = {3, 4, 5, 6, 7, 8, 9};
static const uint32_t last = 77;

void check_arguments(const char *kernel, void **arguments);

void check_arguments(const char *kernel, void **arguments)
{
    if (strcmp(kernel, "mixed") != 0) {
        return;
    }
    CHECK(0, a0);
    CHECK(1, a1);
    CHECK(2, a2);
    CHECK(3, a3);
    CHECK(4, a4);
    CHECK(5, a5);
    CHECK(6, a6);
    CHECK(7, a7);
    CHECK(8, a8);
    CHECK(9, a9);
    for (int i = 0; i < 7; i++) {
        CHECK(10 + i, rest[i]);
    }
    CHECK(17, last);
}

int main(void)
{
    const dim3 grid = {4, 5, 6}, block = {7, 8, 9};
    const cudaStream_t stream = (cudaStream_t)(void *)&target;
    int codes = 0;

    codes |= (int)mixed_launch(grid, block, 100, NULL, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, rest[0], rest[1],
                               rest[2], rest[3], rest[4], rest[5], rest[6], last);
    codes |= (int)__cudaPushCallConfiguration(grid, block, 4096, stream);
    codes |= (int)mixed(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, rest[0], rest[1], rest[2], rest[3], rest[4], rest[5],
                        rest[6], last);
    codes |= (int)nothing_launch(block, grid, 0, NULL);
    printf("codes %d, without a configuration %d\n", codes, (int)nothing());
    printf("text of %zu bytes, %zu, %.12s\n", kernels_ptx_size, strlen(kernels_ptx), kernels_ptx);
    return wrong;
}
