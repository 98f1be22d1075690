"""Writes expected.bin: the product of the two matrices that launch.txt describes, in exact integers."""
import struct

N = 40
a = [[(row * N + column) % 7 for column in range(N)] for row in range(N)]
b = [[(row * N + column) % 11 for column in range(N)] for row in range(N)]
c = [sum(a[row][k] * b[k][column] for k in range(N)) for row in range(N) for column in range(N)]

with open("expected.bin", "wb") as file:
    file.write(struct.pack(f"<{N * N}f", *c))
