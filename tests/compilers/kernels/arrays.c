//! kernel arrays
//! grid 2
//! block 64
//! arg b64:file(in.bin)
//! arg b64[2048]
//! expect 1 file(expected.bin)
/* Arrays in local memory, of every width, with indices that only the run knows; pointers to them; tables of constants.
 */
#include "words.h"

#define WORDS        16
#define RUN(in, out) arrays(in, out)

DATA const u16 primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
DATA u32 counters[4] = {40, 30, 20, 10};

FUNCTION void sort(u64 *values, u32 count)
{
    for (u32 i = 1; i < count; i++) {
        u64 value = values[i];
        u32 j = i;

        for (; j > 0 && values[j - 1] > value; j--) {
            values[j] = values[j - 1];
        }
        values[j] = value;
    }
}

FUNCTION u32 sum(const u8 *bytes, u32 count)
{
    u32 total = 0;

    while (count-- > 0) {
        total = total * 31 + *bytes++;
    }
    return total;
}

KERNEL arrays(const u64 *in, u64 *out)
{
    u32 t = THREAD;
    u64 longs[10];
    s16 halves[7];
    u8 bytes[19];
    float reals[5];
    u64 *to = out + t * WORDS;

    for (u32 i = 0; i < 19; i++) {
        longs[i % 10] = in[t + i * 3];
        halves[i * 3 % 7] = (s16)in[t + i];
        bytes[i] = (u8)(in[t] >> (i % 8 * 8)) + (u8)i;
        reals[i % 5] = (float)(s32)in[t + i];
    }
    sort(longs, 10);
    for (u32 i = 0; i < 10; i++) {
        *to++ = longs[i];
    }
    *to++ = sum(bytes, in[t] % 20);
    *to++ = sum(bytes + in[t + 1] % 4, 12);
    *to++ = (u64)(s64)halves[in[t + 2] % 7];
    *to++ = bits32(reals[in[t + 3] % 5]);
    *to++ = primes[in[t + 4] % 8];
    *to++ = counters[in[t + 5] % 4] + bytes[in[t + 6] % 19];
}
