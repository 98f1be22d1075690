"""Writes expected.bin: the product of the matrix and the vector that launch.txt describes, in exact integers."""
import struct

ROWS, N = 16, 2400
a = [[(row * N + column) % 7 for column in range(N)] for row in range(ROWS)]
x = [column % 11 for column in range(N)]
y = [sum(a[row][column] * x[column] for column in range(N)) for row in range(ROWS)]

with open("expected.bin", "wb") as file:
    file.write(struct.pack(f"<{ROWS}f", *y))
