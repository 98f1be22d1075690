//! kernel integers
//! grid 2
//! block 64
//! arg b64:file(in.bin)
//! arg b64[7168]
//! expect 1 file(expected.bin)
/* Arithmetic, logic, shifts and comparisons of every integer type. */
#include "words.h"

#define WORDS        56
#define RUN(in, out) integers(in, out)
#define OF_TYPE(T)                                                      \
    {                                                                   \
        T a = (T)in[t];                                                 \
        T b = (T)in[t + threads];                                       \
        T c = (T)in[t + 2 * threads];                                   \
        u32 bits = 8 * sizeof(T);                                       \
                                                                        \
        *to++ = (T)((u64)a + (u64)b * (u64)c);                          \
        *to++ = (T)(b == 0 || b == (T)-1 ? a : (T)(a / b));             \
        *to++ = (T)(b == 0 || b == (T)-1 ? c : (T)(a % b));             \
        *to++ = (T)((T)(a ^ b) & ~(T)(b | c));                          \
        *to++ = (T)((u64)a << ((u32)c % bits));                         \
        *to++ = (T)(a >> ((u32)b % bits));                              \
        *to++ = (a < b) | (a <= c) << 1 | (b > c) << 2 | (a != c) << 3; \
    }

KERNEL integers(const u64 *in, u64 *out)
{
    u32 t = THREAD;
    u64 *to = out + t * WORDS;

    OF_TYPE(u8)
    OF_TYPE(s8)
    OF_TYPE(u16)
    OF_TYPE(s16)
    OF_TYPE(u32)
    OF_TYPE(s32)
    OF_TYPE(u64)
    OF_TYPE(s64)
}
