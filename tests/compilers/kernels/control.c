//! kernel control
//! grid 2
//! block 64
//! arg b64:file(in.bin)
//! arg b64[1024]
//! expect 1 file(expected.bin)
/* Switches, loops with several ways out, goto, recursion, and pointers to functions: all of them divergent. */
#include "words.h"

#define WORDS        8
#define RUN(in, out) control(in, out)

FUNCTION u32 fibonacci(u32 n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

FUNCTION u32 ackermann(u32 m, u32 n)
{
    if (m == 0) {
        return n + 1;
    }
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

FUNCTION u32 odd(u32 n);
FUNCTION u32 even(u32 n)
{
    return n == 0 ? 1 : odd(n - 1);
}
FUNCTION u32 odd(u32 n)
{
    return n == 0 ? 0 : even(n - 1);
}

FUNCTION u64 collatz(u64 n, u32 limit)
{
    u32 steps = 0;

    while (1) {
        if (n == 1 || steps == limit) {
            break;
        }
        steps++;
        if (n & 1) {
            n = 3 * n + 1;
            continue;
        }
        n >>= 1;
    }
    return steps;
}

FUNCTION u32 choose(u32 which, u32 x)
{
    u32 y = 1;

again:
    switch (which) {
    case 0:
        return x + 1;
    case 1:
        y += x;
    case 2:
        return y * 5;
    case 3:
        which = x & 7;
        x >>= 3;
        y++;
        if (y < 9)
            goto again;
        return x;
    case 4:
        return x ^ 0x55;
    case 5:
        for (u32 i = 0; i < (x & 15); i++)
            y += i * x;
        return y;
    case 6:
        return ~x;
    case 1000:
        return 3;
    default:
        return 17 + y;
    }
}

FUNCTION u32 twice(u32 x)
{
    return 2 * x;
}
FUNCTION u32 square(u32 x)
{
    return x * x;
}
FUNCTION u32 negate(u32 x)
{
    return 0u - x;
}

KERNEL control(const u64 *in, u64 *out)
{
    u32 t = THREAD;
    u64 *to = out + t * WORDS;
    u32 (*functions[3])(u32) = {twice, square, negate};

    *to++ = fibonacci(t % 12);
    *to++ = ackermann(t % 3, (u32)in[t] % 5);
    *to++ = even((u32)in[t] % 9);
    *to++ = collatz(in[t] % 1000 + 1, 60);
    *to++ = choose(t % 9, (u32)in[t]);
    *to++ = choose(3, (u32)in[t + 1]);
    *to++ = functions[in[t] % 3]((u32)in[t + 1]);
    *to++ = functions[t % 2](functions[in[t] % 2 + 1](t));
}
