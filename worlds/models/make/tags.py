#!/usr/bin/env python3
"""Boards with a tag, by number: AprilTags of the families 36h11 and 16h5, and the markers of ArUco's first dictionary.

Usage: tags.py FAMILY NUMBER… [--out DIRECTORY]     (default: the directory above this script)

It writes FAMILY_NUMBER.glb, as the block classes of worlds/blocks/apriltag.block.xml and aruco.block.xml show it. The first of tag36h11 and aruco come with the project: make.py writes them.

No table: codes are computed as their authors did. AprilTags are a lexicode (E. Olson, "AprilTag: A robust and flexible visual fiducial system", ICRA 2011, section
IV): the words from a first one in steps of a large prime, of which those are kept that are complex enough and differ in enough bits from all kept ones and from
themselves, however turned. The markers have ten bits of number in five rows, each one of four words (S. Garrido-Jurado et al., "Automatic generation and detection of
highly reliable fiducial markers under occlusion", Pattern Recognition 47, 2014, section 2, on the first ArUco).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import islice
from pathlib import Path

sys.dont_write_bytecode = True

from glb import glb
from mesh import Model, Shape
from shapes import box

# White in the rows of a tag from above, each from the left: True.
Cells = list[list[bool]]

# Step of the search [-]: the prime that AprilTag's generator of families has.
PRIME = 982451653
# For each family: side [cells], least distance [bits], least number of rectangles in its picture, its first word, and how many of its tags the search finds within
# seconds (the last of the 587 of 36h11 takes it half a day).
LEXICODES = {"tag36h11": (6, 11, 10, 0xD5D628584, 250), "tag16h5": (4, 5, 5, 0x231B, 30)}

# The word of each pair of bits in a row: its second and fourth cell are the bits, the others find errors.
ARUCO_WORDS = (0b10000, 0b10111, 0b01001, 0b01110)


def turned(word: int, side: int) -> int:
    """The word of a tag turned by a quarter."""
    bits = [word >> (side * side - 1 - k) & 1 for k in range(side * side)]
    result = 0
    for row in range(side):
        for column in range(side):
            result = result << 1 | bits[column * side + side - 1 - row]
    return result


def turns(word: int, side: int) -> list[int]:
    """A word and the three that it becomes when it is turned."""
    result = [word]
    for _ in range(3):
        result.append(turned(result[-1], side))
    return result


def distance(a: int, b: int) -> int:
    """The number of bits in which two words differ."""
    return bin(a ^ b).count("1")


@cache
def spans(side: int) -> list[int]:
    """All rectangles of a tag, as words; in this order, of those that are equally good the first is painted."""
    ends = [(low, high) for low in range(side) for high in range(low, side)]
    return [sum(1 << y * side + x for y in range(rows[0], rows[1] + 1) for x in range(columns[0], columns[1] + 1)) for rows in ends for columns in ends]


def rectangles(word: int, side: int) -> int:
    """How many rectangles of black and white, painted over each other, make this picture, if each is the one that makes most cells right."""
    everything = (1 << side * side) - 1
    colors = (everything & ~word, word)
    right = count = 0
    while right != everything:
        best = (0, 0, 0)
        for mask in spans(side):
            for good in colors:
                gain = distance(mask & good & ~right, 0) - distance(mask & ~good & right, 0)
                if gain > best[0]:
                    best = (gain, mask, good)
        _, mask, good = best
        right = right & ~mask | mask & good
        count += 1
    return count


def lexicode(family: str) -> Iterator[int]:
    """The words of a family, in the order of their numbers."""
    side, least, complexity, word, _ = LEXICODES[family]
    size = 1 << side * side
    kept: list[int] = []
    for _ in range(size):
        if all(distance(word, other) >= least for other in kept):
            all_turns = turns(word, side)
            is_apart = all(distance(a, b) >= least for k, a in enumerate(all_turns) for b in all_turns[:k])
            if is_apart and rectangles(word, side) >= complexity:
                kept += all_turns
                yield word
        word = (word + PRIME) % size


@cache
def search(family: str) -> tuple[Iterator[int], list[int]]:
    """The one search for the words of a family, which goes on where it stopped, and those that it has found."""
    return lexicode(family), []


def words(family: str, count: int) -> list[int]:
    """The first words of a family."""
    going_on, found = search(family)
    found.extend(islice(going_on, max(0, count - len(found))))
    return found[:count]


def april_cells(family: str, number: int) -> Cells:
    """The cells of an AprilTag: the bits of its word row by row, the first in the upper left corner, in a black frame."""
    side = LEXICODES[family][0]
    word = words(family, number + 1)[number]
    rows = [[bool(word >> (side * (side - row) - 1 - column) & 1) for column in range(side)] for row in range(side)]
    return framed(rows, False)


def aruco_cells(number: int) -> Cells:
    """The cells of a marker of ArUco's first dictionary: the two highest bits of its number are in the upper row."""
    code = [ARUCO_WORDS[number >> 2 * (4 - row) & 3] for row in range(5)]
    return framed([[bool(word >> (4 - column) & 1) for column in range(5)] for word in code], False)


# Cells of a tag by its number, and how many numbers there are.
FAMILIES: dict[str, tuple[Callable[[int], Cells], int]] = {
    **{name: (partial(april_cells, name), row[4]) for name, row in LEXICODES.items()},
    "aruco": (aruco_cells, 1024),
}


def framed(cells: Cells, color: bool) -> Cells:
    """Cells with a frame of this colour around them."""
    edge = [color] * (len(cells[0]) + 2)
    return [edge, *([color, *row, color] for row in cells), edge]


def pieces(cells: Cells) -> Iterator[tuple[bool, int, int, int, int]]:
    """Cells as rectangles of one colour each: the colour, the first row and column, and those behind the last."""
    rest = {(row, column) for row in range(len(cells)) for column in range(len(cells[0]))}
    while rest:
        row, column = min(rest)
        color = cells[row][column]
        right = column
        while (row, right) in rest and cells[row][right] == color:
            right += 1
        low = row
        while all((low, k) in rest and cells[low][k] == color for k in range(column, right)):
            low += 1
        rest -= {(r, k) for r in range(row, low) for k in range(column, right)}
        yield color, row, column, low, right


def board(family: str, number: int) -> Model:
    """A tag that looks along x with its middle in the origin, on a board. Its black frame is 1 m wide outside, with a white margin as wide as a cell."""
    cells, count = FAMILIES[family]
    if not 0 <= number < count:
        raise ValueError(f"{family}: number {number}\n  accepted: 0 to {count - 1}")
    tag = framed(cells(number), True)
    cell = 1.0 / (len(tag) - 2)
    half = 0.5 * len(tag) * cell
    faces: dict[bool, list[Shape]] = {True: [], False: []}
    for color, top, left, low, right in pieces(tag):
        # Who looks at it has y on the right.
        (y0, y1), (z0, z1) = ((left * cell - half, right * cell - half), (half - low * cell, half - top * cell))
        faces[color].append(Shape([[(0.0, y0, z0), (0.0, y1, z0), (0.0, y1, z1), (0.0, y0, z1)]]))
    back = box((-0.03, -half, -half), (0.0, half, half))
    model = Model()
    model.add("tag_white", *faces[True])
    model.add("tag_black", *faces[False])
    # Without the face in front, where the tag is.
    model.add("metal", Shape([p for p in back.polygons if any(x < 0.0 for x, _, _ in p)], back.crease))
    return model


def main() -> None:
    """Writes the tags that the command line names."""
    parser = argparse.ArgumentParser(description="Writes boards with tags as glTF files for worlds/blocks/apriltag.block.xml and aruco.block.xml.")
    parser.add_argument("family", choices=sorted(FAMILIES))
    parser.add_argument("numbers", nargs="+", type=int, metavar="NUMBER")
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent.parent, metavar="DIRECTORY")
    options = parser.parse_args()
    count = FAMILIES[options.family][1]
    wrong = [str(number) for number in options.numbers if not 0 <= number < count]
    if wrong:
        parser.error(f"{options.family}: number {', '.join(wrong)}\n  accepted: 0 to {count - 1}")
    for number in options.numbers:
        file = options.out / f"{options.family}_{number}.glb"
        file.write_bytes(glb(board(options.family, number)))
        print(file)


if __name__ == "__main__":
    main()
