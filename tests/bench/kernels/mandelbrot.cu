/* Iterations until |z| > 2 for each point of a square of the complex plane, at most `limit`. */
#include "portable.h"

KERNEL mandelbrot(GLOBAL word *iterations, word size, word limit)
{
    word px = GLOBAL_ID(0), py = GLOBAL_ID(1);
    float cx = -2.2f + 3.0f / (float)size * (float)px;
    float cy = -1.5f + 3.0f / (float)size * (float)py;
    float x = 0, y = 0;
    word n = 0;

    while (n < limit && x * x + y * y <= 4.0f) {
        float next = x * x - y * y + cx;

        y = 2.0f * x * y + cy;
        x = next;
        n++;
    }
    iterations[py * size + px] = n;
}
