/*
 * The host's side of a kernel: this program, compiled with -DKERNEL_FILE="kernels/NAME.c", writes in.bin, plays the
 * kernel's threads one after the other and writes expected.bin.  A kernel whose threads work together has a second text
 * for the host, under #ifdef HOST, that does the work of all threads when thread 0 is played.
 *
 * What the kernel prints goes to standard output.
 */
#include <stdio.h>
#include <stdlib.h>

#include KERNEL_FILE

/* Words of the splitmix64 generator; every eighth is a corner case instead. */
static u64 input(u64 index)
{
    static const u64 corners[] = {0,
                                  1,
                                  0x7f,
                                  0x80,
                                  0x7fffffff,
                                  0x80000000,
                                  0xffffffff,
                                  0x7fffffffffffffff,
                                  0x8000000000000000,
                                  0xffffffffffffffff};
    u64 word = (index + 1) * 0x9e3779b97f4a7c15;

    if (index % 8 == 7) {
        return corners[index / 8 % (sizeof corners / sizeof *corners)];
    }
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
}

static void write_words(const char *path, const u64 *words, size_t count)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL || fwrite(words, sizeof *words, count, file) != count || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

int main(void)
{
    static u64 in[in_count];
    static u64 out[threads * WORDS];

    for (u64 i = 0; i < in_count; i++) {
        in[i] = input(i);
    }
    write_words("in.bin", in, in_count);
    for (host_thread = 0; host_thread < threads; host_thread++) {
        RUN(in, out);
    }
    write_words("expected.bin", out, threads * WORDS);
    return 0;
}
