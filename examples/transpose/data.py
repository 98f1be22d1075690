"""Writes expected.bin: the transpose of the matrix 0, 1, 2, ... that launch.txt describes."""
import struct

WIDTH, HEIGHT = 72, 40
out = [y * WIDTH + x for x in range(WIDTH) for y in range(HEIGHT)]

with open("expected.bin", "wb") as file:
    file.write(struct.pack(f"<{WIDTH * HEIGHT}I", *out))
