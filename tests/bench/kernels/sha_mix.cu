/* The 64 rounds of SHA-256 on one block per thread, made from the thread's index; the constants are simplified. */
#include "portable.h"

#define ROTATE(v, n) (((v) >> (n)) | ((v) << (32 - (n))))

KERNEL sha_mix(GLOBAL word *out)
{
    word id = GLOBAL_ID(0);
    word w[16];
    word a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a;
    word e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab, h = 0x5be0cd19;

#pragma unroll
    for (int i = 0; i < 16; i++) {
        w[i] = id * 0x9e3779b9u + (word)i;
    }
#pragma unroll
    for (int i = 0; i < 64; i++) {
        word t = w[i % 16];
        word t1 = h + (ROTATE(e, 6) ^ ROTATE(e, 11) ^ ROTATE(e, 25)) + ((e & f) ^ (~e & g)) + 0x428a2f98u * (word)(i + 1) + t;
        word t2 = (ROTATE(a, 2) ^ ROTATE(a, 13) ^ ROTATE(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        word w1 = w[(i + 1) % 16], w14 = w[(i + 14) % 16];

        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
        w[i % 16] = t + (ROTATE(w1, 7) ^ ROTATE(w1, 18) ^ (w1 >> 3)) + w[(i + 9) % 16] +
                    (ROTATE(w14, 17) ^ ROTATE(w14, 19) ^ (w14 >> 10));
    }
    out[id] = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
}
