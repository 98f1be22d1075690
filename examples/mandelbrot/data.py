"""Writes expected.bin: the picture, computed in exact fractions that are rounded to float where the kernel rounds."""
from fractions import Fraction

WIDTH, HEIGHT, LIMIT = 64, 32, 100
LEFT, TOP, DX, DY = Fraction(-2), Fraction(-5, 4), Fraction(5, 128), Fraction(5, 64)


def to_float(x):
    """The float nearest to x, ties to even.  x is 0 or in the range of normal numbers."""
    if x == 0:
        return x
    exponent = abs(x.numerator).bit_length() - x.denominator.bit_length()
    if abs(x) < Fraction(2) ** exponent:
        exponent -= 1
    ulp = Fraction(2) ** (exponent - 23)
    return round(x / ulp) * ulp


def fmaf(a, b, c):
    return to_float(a * b + c)


def steps(cr, ci):
    zr = zi = Fraction(0)
    for step in range(LIMIT):
        if fmaf(zi, zi, to_float(zr * zr)) > 4:
            return step
        zr, zi = fmaf(zr, zr, fmaf(-zi, zi, cr)), fmaf(to_float(zr + zr), zi, ci)
    return LIMIT


picture = [steps(fmaf(x, DX, LEFT), fmaf(y, DY, TOP)) for y in range(HEIGHT) for x in range(WIDTH)]

with open("expected.bin", "wb") as file:
    file.write(bytes(picture))
