"""Writes expected.bin: the prefix sums of the digits 0 to 9, repeated."""
import itertools
import struct

N = 1000
sums = list(itertools.accumulate(i % 10 for i in range(N)))

with open("expected.bin", "wb") as file:
    file.write(struct.pack(f"<{N}I", *sums))
