"""Pictures of materials: grey ones, whose white is the colour of the material in `glb.MATERIALS`, so that a reader that knows no pictures shows nearly the same.

They repeat without a seam, and are PNG files of 16 greys whose bytes are the same on every machine: only whole numbers count, and nothing is compressed, since
compressors differ.
"""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple

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
    state = seed
    cells = []
    for _ in range(rows):
        row = []
        for _ in range(columns):
            # Numerical Recipes, ch. 7.1.
            state = (1664525 * state + 1013904223) % 2**32
            row.append(state >> 24)
        cells.append(row)
    wide, high = SIDE // columns, SIDE // rows
    grid = []
    for y in range(SIDE):
        above, below, t = cells[y // high], cells[(y // high + 1) % rows], y % high
        line = []
        for x in range(SIDE):
            k, s = x // wide, x % wide
            left = above[k] * (high - t) + below[k] * t
            right = above[(k + 1) % columns] * (high - t) + below[(k + 1) % columns] * t
            line.append((left * (wide - s) + right * s) // (wide * high))
        grid.append(line)
    return grid


def greys(name: str) -> list[list[int]]:
    """The pixels of a picture, 0 to 15; its brightest is 15."""
    columns, rows, octaves, darkest = NOISES[name]
    layers = [noise(min(columns << k, SIDE), min(rows << k, SIDE), 7 + k) for k in range(octaves)]
    sums = [[sum(layer[y][x] << (octaves - 1 - k) for k, layer in enumerate(layers)) for x in range(SIDE)] for y in range(SIDE)]
    low, high = min(map(min, sums)), max(map(max, sums))
    return [[darkest + (15 - darkest) * (value - low) // (high - low) for value in row] for row in sums]


def png(name: str) -> bytes:
    """The file of a picture."""
    lines = bytearray()
    for row in greys(name):
        lines.append(0)
        lines += bytes(left << 4 | right for left, right in zip(row[::2], row[1::2]))
    stored = b"\x78\x01" + struct.pack("<BHH", 1, len(lines), len(lines) ^ 0xFFFF) + lines + struct.pack(">I", zlib.adler32(bytes(lines)))
    header = struct.pack(">IIBBBBB", SIDE, SIDE, 4, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", stored) + chunk(b"IEND", b"")


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
