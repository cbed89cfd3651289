"""Pictures of materials: grey ones, whose white is the colour of the material in `glb.MATERIALS`, so that a reader that knows no pictures shows nearly the same.

They repeat without a seam, and are PNG files of 16 greys whose bytes are the same on every machine: only whole numbers count.
"""

from __future__ import annotations

from typing import NamedTuple

from grey_png import grey_png
from noise import any_grey, random_words, smooth

SIDE = 64  # pixels along each side


class Picture(NamedTuple):
    """A picture by its name, and how large it is on a surface [m]: along its rows, and across."""

    name: str
    size: tuple[float, float]


# By material.
PICTURES = {
    "planks": Picture("grain", (1.2, 0.3)),
    "decking": Picture("grain", (0.9, 0.25)),
    "door": Picture("grain", (2.2, 0.45)),
    "bark": Picture("grain", (0.9, 0.35)),
    "leaves": Picture("foliage", (0.9, 0.9)),
    "needles": Picture("foliage", (0.6, 0.6)),
}

# For each picture: columns and rows of the coarsest cells of its noise, how often they are halved, and its darkest grey of 15.
NOISES = {"grain": (2, 16, 3, 7), "foliage": (8, 8, 3, 3)}


def noise(columns: int, rows: int, seed: int) -> list[list[int]]:
    """A grid of SIDE by SIDE values up to 255 between random ones of these cells, which repeats."""
    wide, high = SIDE // columns, SIDE // rows
    grid = smooth(any_grey(columns, rows, random_words(seed)), wide, high)
    return [[value // (wide * high) for value in line] for line in grid]


def greys(name: str) -> list[list[int]]:
    """The pixels of a picture, 0 to 15; its brightest is 15."""
    columns, rows, octaves, darkest = NOISES[name]
    layers = [noise(min(columns << k, SIDE), min(rows << k, SIDE), 7 + k) for k in range(octaves)]
    sums = [[sum(layer[y][x] << (octaves - 1 - k) for k, layer in enumerate(layers)) for x in range(SIDE)] for y in range(SIDE)]
    low, high = min(map(min, sums)), max(map(max, sums))
    return [[darkest + (15 - darkest) * (value - low) // (high - low) for value in row] for row in sums]


def png(name: str) -> bytes:
    """The file of a picture."""
    return grey_png(greys(name), 4)
