"""Writes expected.bin: the stencil applied to a box filled with 0 to 16, repeated.  All numbers are small integers."""
import struct

NX, NY, NZ = 20, 12, 10
PLANE = NX * NY
box = [i % 17 for i in range(NX * NY * NZ)]


def point(x, y, z):
    i = z * PLANE + y * NX + x
    if x in (0, NX - 1) or y in (0, NY - 1) or z in (0, NZ - 1):
        return box[i]
    return sum(box[i + step] for step in (-1, 1, -NX, NX, -PLANE, PLANE)) - 6 * box[i]


out = [point(x, y, z) for z in range(NZ) for y in range(NY) for x in range(NX)]

with open("expected.bin", "wb") as file:
    file.write(struct.pack(f"<{len(out)}f", *out))
