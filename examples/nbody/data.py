"""Writes bodies.bin (x, y, z, mass of each body) and expected.bin (the field at each body, computed in double)."""
import random
import struct

N = 200
SOFTENING = 0.01

# Multiples of 1/64 are exact as float, so that kernel and check start from the same numbers.
dice = random.Random(1687)
bodies = [[dice.randrange(-64, 64) / 64 for _ in range(3)] + [dice.randrange(1, 65) / 64] for _ in range(N)]


def field(me):
    total = [0.0, 0.0, 0.0, 0.0]
    for body in bodies:
        d = [body[axis] - me[axis] for axis in range(3)]
        inverse = (sum(x * x for x in d) + SOFTENING) ** -0.5
        for axis in range(3):
            total[axis] += body[3] * inverse**3 * d[axis]
        total[3] -= body[3] * inverse
    return total


def write(name, rows):
    with open(name, "wb") as file:
        for row in rows:
            file.write(struct.pack("<4f", *row))


write("bodies.bin", bodies)
write("expected.bin", [field(me) for me in bodies])
