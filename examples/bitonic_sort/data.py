"""Writes shuffled.npy: the numbers 0 to 1023 in an order without pattern, as a one-dimensional NumPy array."""
import random
import struct

N = 1024
keys = list(range(N))
random.Random(1968).shuffle(keys)

header = f"{{'descr': '<u4', 'fortran_order': False, 'shape': ({N},), }}".ljust(117) + "\n"
with open("shuffled.npy", "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    file.write(struct.pack(f"<{N}I", *keys))
