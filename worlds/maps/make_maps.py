#!/usr/bin/env python3
"""Draws the maps of the example worlds: the race tracks with their middles, office.pgm, house.pgm, all with map_server files, the heights of
hills.png, the measured points of quarry.txt, the pictures checkerboard.png and speckles.png for cameras, and the grounds asphalt.png,
concrete.png and floor_tiles.png.

Usage: make_maps.py [DIRECTORY]     (default: the directory of this script)

Needs nothing but Python 3. The bytes it writes are the same on every machine: only + - * / are used on numbers.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parents[1] / "models" / "make"))

from grey_png import grey_png  # noqa: E402
from noise import any_grey, random_words, smooth  # noqa: E402

CELL = 0.05  # side of a cell [m]

# Middles of the race tracks [m], counter-clockwise, closed by Catmull-Rom splines.
TRACKS = {
    "racetrack": [
        (-5.5, -4.6), (-3.0, -4.6), (0.0, -4.6), (3.0, -4.6), (5.5, -4.6), (7.6, -3.9), (8.5, -2.0), (8.5, 0.5), (8.3, 2.8),
        (7.0, 4.3), (5.0, 4.3), (3.6, 2.9), (2.3, 1.0), (0.5, 0.4), (-1.3, 1.2), (-2.0, 3.0), (-3.4, 4.4), (-5.6, 4.5),
        (-7.6, 4.0), (-8.5, 2.2), (-8.1, 0.5), (-7.6, -1.0), (-8.2, -2.6), (-7.6, -4.1),
    ],
    "track_oval": [
        (-4.5, -3.6), (0.0, -4.2), (4.5, -3.6), (7.2, -1.6), (7.2, 1.6), (4.5, 3.6), (0.0, 4.2), (-4.5, 3.6), (-7.2, 1.6), (-7.2, -1.6),
    ],
    "track_bean": [
        (-6.5, -4.3), (-3.0, -4.5), (0.5, -3.8), (4.0, -4.4), (7.3, -3.8), (8.5, -0.8), (7.8, 2.8), (5.0, 4.3), (2.4, 2.8), (-0.2, 1.0),
        (-2.8, 2.4), (-5.0, 4.3), (-7.8, 3.4), (-8.6, 0.4), (-8.4, -2.8),
    ],
    "track_zigzag": [
        (-6.2, -4.4), (-3.8, -4.1), (-1.8, -2.9), (0.4, -2.3), (2.6, -3.1), (4.8, -4.3), (7.2, -3.9), (8.4, -2.0), (7.5, 0.0), (5.2, 0.8),
        (3.6, 2.2), (2.0, 3.9), (-0.4, 4.4), (-2.6, 3.4), (-4.6, 2.9), (-6.6, 3.6), (-8.3, 2.6), (-8.6, 0.6), (-7.9, -1.2), (-7.8, -3.2),
    ],
}
TRACK_HALF_WIDTH = 1.0
TRACK_WALL = 0.15

# Place and radius of the mounds of the hills [pixels], and their height as a share of the greatest.
MOUNDS = [(16, 16, 15, 0.5), (14, 48, 13, 0.4), (34, 36, 12, 0.35), (52, 50, 12, 0.7), (30, 10, 9, 0.2)]


class Grid:
    """Cells of values in rows from the bottom up, with (left, bottom) [m] at the corner of the first."""

    def __init__(self, width, height, left, bottom, value):
        self.columns, self.rows = round(width / CELL), round(height / CELL)
        self.left, self.bottom = left, bottom
        self.cells = [[value] * self.columns for _ in range(self.rows)]

    def fill(self, x0, y0, x1, y1, value):
        """Fills the rectangle between two corners [m]."""
        for row in range(round((y0 - self.bottom) / CELL), round((y1 - self.bottom) / CELL)):
            for column in range(round((x0 - self.left) / CELL), round((x1 - self.left) / CELL)):
                self.cells[row][column] = value


def spline(points, steps):
    """Points on the closed Catmull-Rom spline through `points`, `steps` for each stretch."""
    n = len(points)
    for i in range(n):
        before, start, end, after = (points[(i + k) % n] for k in (-1, 0, 1, 2))
        for step in range(steps):
            t = step / steps
            yield tuple(
                0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t)
                for a, b, c, d in zip(before, start, end, after)
            )


def race_track(middle):
    """0: wall, 3: track, 2: unknown; as pixels of two bits. Unknown is a grey that map servers read as such."""
    grid = Grid(20.0, 12.0, -10.0, -6.0, 2)
    outside = TRACK_HALF_WIDTH + TRACK_WALL
    reach = round(outside / CELL) + 1
    nearest = [[1e9] * grid.columns for _ in range(grid.rows)]
    for x, y in spline(middle, 48):
        column, row = int((x - grid.left) / CELL), int((y - grid.bottom) / CELL)
        for r in range(max(row - reach, 0), min(row + reach + 1, grid.rows)):
            dy = grid.bottom + (r + 0.5) * CELL - y
            for c in range(max(column - reach, 0), min(column + reach + 1, grid.columns)):
                dx = grid.left + (c + 0.5) * CELL - x
                nearest[r][c] = min(nearest[r][c], dx * dx + dy * dy)
    for cells, distances in zip(grid.cells, nearest):
        for c, squared in enumerate(distances):
            if squared < TRACK_HALF_WIDTH * TRACK_HALF_WIDTH:
                cells[c] = 3
            elif squared < outside * outside:
                cells[c] = 0
    return grid


def centerline(middle):
    """The middle of a track in the format of F1TENTH's racelines: position, and free width to both sides [m]."""
    lines = ["# x_m, y_m, w_tr_right_m, w_tr_left_m"]
    lines += [f"{x:.4f}, {y:.4f}, {TRACK_HALF_WIDTH:.4f}, {TRACK_HALF_WIDTH:.4f}" for x, y in spline(middle, 8)]
    return ("\n".join(lines) + "\n").encode()


def office():
    """Pixel values of map_server: 0 wall, 254 free, 205 unknown."""
    wall, free = 0, 254
    grid = Grid(20.0, 15.0, -10.0, -7.5, 205)
    fill = grid.fill
    fill(-9.8, -7.3, 9.8, 7.3, wall)
    fill(-9.6, -7.1, 9.6, 7.1, free)
    # A corridor along x, 2.2 m wide, and one that leads down from it.
    for y in (-1.2, 1.1):
        fill(-9.6, y, 9.6, y + 0.1, wall)
    for x in (1.0, 3.1):
        fill(x, -7.1, x + 0.1, -1.1, wall)
    fill(1.1, -1.2, 3.1, -1.1, free)
    # Rooms above and below the corridor.
    for x in (-5.2, -0.6, 4.6):
        fill(x, 1.2, x + 0.1, 7.1, wall)
    for x in (-4.4, 6.4):
        fill(x, -7.1, x + 0.1, -1.2, wall)
    # Doors, 1 m wide: from the corridors, and between two rooms.
    for x in (-8.0, -3.4, 1.4, 6.6):
        fill(x, 1.1, x + 1.0, 1.2, free)
    for x in (-7.4, -2.2, 4.4, 7.6):
        fill(x, -1.2, x + 1.0, -1.1, free)
    fill(1.0, -5.2, 1.1, -4.2, free)
    fill(3.1, -4.6, 3.2, -3.6, free)
    fill(4.6, 4.4, 4.7, 5.4, free)
    # Desks along walls, a table, shelves and pillars.
    for x, y, width, depth in (
        (-9.6, 6.3, 1.6, 0.8), (-7.2, 6.3, 1.6, 0.8), (-4.9, 6.3, 1.6, 0.8), (-2.6, 6.3, 1.6, 0.8), (-0.3, 6.3, 1.6, 0.8),
        (1.4, 3.4, 1.8, 1.2), (8.8, 2.4, 0.8, 1.6), (8.8, 5.0, 0.8, 1.6),
        (-9.6, -4.2, 0.4, 2.4), (-6.6, -7.1, 1.6, 0.8), (-3.6, -5.0, 1.6, 1.0), (-0.6, -3.4, 0.8, 1.6),
        (4.2, -7.1, 1.6, 0.8), (9.2, -6.6, 0.4, 2.0),
        (-5.6, 0.9, 0.2, 0.2), (4.2, 0.9, 0.2, 0.2), (-3.0, -1.1, 0.2, 0.2), (7.0, -1.1, 0.2, 0.2),
    ):
        fill(x, y, x + width, y + depth, wall)
    return grid


def house():
    """A flat of five rooms around a hall, 13 m x 9 m, with furniture: pixel values of map_server."""
    wall, free = 0, 254
    grid = Grid(14.0, 10.0, -7.0, -5.0, 205)
    fill = grid.fill
    fill(-6.7, -4.7, 6.7, 4.7, wall)
    fill(-6.5, -4.5, 6.5, 4.5, free)
    # The hall, along x, between the rooms above and below.
    fill(-6.5, 0.7, 6.5, 0.8, wall)
    fill(-6.5, -1.6, 6.5, -1.5, wall)
    # Two rooms above, three below.
    fill(0.4, 0.8, 0.5, 4.5, wall)
    for x in (-2.4, 2.1):
        fill(x, -4.5, x + 0.1, -1.6, wall)
    # Doors, 0.9 m wide: from the hall, and between the rooms above.
    for x in (-4.2, 3.6):
        fill(x, 0.7, x + 0.9, 0.8, free)
    for x in (-5.6, -0.8, 4.6):
        fill(x, -1.6, x + 0.9, -1.5, free)
    fill(0.4, 2.9, 0.5, 3.8, free)
    # Sofa, table and its four chairs, kitchen, beds, cupboards, a bath, and shoes in the hall.
    for x, y, width, depth in (
        (-6.5, 2.0, 0.9, 2.0), (-3.4, 2.2, 1.4, 0.8), (-3.9, 2.4, 0.3, 0.3), (-1.8, 2.4, 0.3, 0.3), (-2.9, 1.7, 0.3, 0.3),
        (-2.9, 3.2, 0.3, 0.3), (-1.6, 4.0, 2.0, 0.5), (1.6, 3.9, 3.0, 0.6), (5.9, 1.4, 0.6, 2.4), (2.2, 1.4, 0.9, 0.9),
        (-6.5, -4.5, 1.4, 2.0), (-3.0, -4.5, 0.6, 1.2), (-1.0, -4.5, 2.0, 1.4), (1.5, -2.6, 0.6, 0.9),
        (4.9, -4.5, 1.6, 0.7), (2.2, -3.4, 0.5, 1.2), (-6.5, -0.9, 0.3, 1.0), (0.6, 0.5, 1.2, 0.2), (5.9, -1.5, 0.6, 0.4),
    ):
        fill(x, y, x + width, y + depth, wall)
    return grid


def png(grid):
    """Two-bit grey scale: 0, 85, 170, 255."""
    return grey_png(grid.cells[::-1], 2)


def pgm(grid):
    return b"P5\n%d %d\n255\n" % (grid.columns, grid.rows) + b"".join(bytes(cells) for cells in reversed(grid.cells))


def map_server(image, grid):
    return (
        f"image: {image}\nmode: trinary\nresolution: {CELL}\norigin: [{grid.left}, {grid.bottom}, 0.0]\n"
        "negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.25\n"
    ).encode()


def mound(x, y, left, bottom, radius):
    """A smooth mound of height 1 about (left, bottom) and of this radius, at (x, y)."""
    rest = 1.0 - ((x - left) * (x - left) + (y - bottom) * (y - bottom)) / (radius * radius)
    return rest * rest if rest > 0.0 else 0.0


def hills():
    """16-bit grey scale of 65 x 65 pixels: five mounds and a hollow, level around them."""

    def pixel(column, row):
        height = 0.3 - 0.3 * mound(row, column, 44, 22, 14)
        for left, bottom, radius, top in MOUNDS:
            height += top * mound(row, column, left, bottom, radius)
        return round(height * 65535.0)

    return grey_png([[pixel(column, row) for column in range(65)] for row in range(65)], 16)


def checkerboard():
    """11 x 8 squares, black in the lower left, with a white border as wide as a square; 10 pixels a square. Only + - * / on whole numbers."""

    def pixel(column, row):
        square, line = column // 10 - 1, row // 10 - 1
        is_inside = 0 <= square < 11 and 0 <= line < 8
        return 20 if is_inside and (square + line) % 2 == 1 else 235

    return grey_png([[pixel(column, row) for column in range(130)] for row in range(100)], 8)


def speckles():
    """128 x 64 cells of any grey."""
    return grey_png(any_grey(128, 64, random_words(1)), 8)


def asphalt():
    """128 x 128 pixels of grains in patches of 8 pixels that run into each other; it goes on across its edges."""
    grains, patches = any_grey(128, 128, random_words(1)), smooth(any_grey(16, 16, random_words(1)), 8, 8)
    pairs = [zip(*rows) for rows in zip(patches, grains)]
    return grey_png([[86 + patch // 64 * 16 // 256 + grain * 44 // 256 for patch, grain in row] for row in pairs], 8)


def floor_tiles():
    """2 x 2 tiles of 64 pixels, each a little different, with joints of 2 pixels along their left and upper edges."""
    grains, tones = any_grey(128, 128, random_words(1)), [[0, 9], [13, 5]]

    def pixel(column, row):
        if column % 64 < 2 or row % 64 < 2:
            return 128
        return 172 + tones[row // 64][column // 64] + grains[row][column] * 14 // 256

    return grey_png([[pixel(column, row) for column in range(128)] for row in range(128)], 8)


def concrete():
    """256 x 256 pixels of a floor that repeat without a seam: patches of all sizes, pores and stains, and joints along two sides."""
    side, words = 256, random_words(5)
    sums = [[0] * side for _ in range(side)]
    for cells, weight in ((4, 3), (8, 3), (16, 3), (64, 4), (128, 6)):
        step = side // cells
        for row, greys in zip(sums, smooth(any_grey(cells, cells, words), step, step)):
            for x, grey in enumerate(greys):
                row[x] += weight * (grey - 128 * step * step) // (step * step)
    rows = [[140 + value // 44 for value in row] for row in sums]
    for _ in range(220):
        word = next(words)
        # Place, radius and depth of a pore, or of a splash, which is bright.
        column, line, radius, depth = word >> 24, word >> 16 & 255, 1 + (word >> 12 & 3), 12 + (word >> 8 & 15)
        shade = depth if word >> 15 & 1 else -depth
        for dy in range(-radius, radius + 1):
            for dx in range(-radius, radius + 1):
                if dx * dx + dy * dy <= radius * radius:
                    rows[(line + dy) % side][(column + dx) % side] += shade
    for k in range(side):
        rows[0][k], rows[k][0] = 84, 84
    return grey_png([[min(max(value, 0), 255) for value in row] for row in rows], 8)


def quarry():
    """Points x y z r g b in UTM metres, 1 m apart: level ground at 120 m, a pit of 1 m, and a bank of 2 m."""
    lines = ["# x y z r g b"]
    for i in range(21):
        for j in range(21):
            pit, bank = mound(i, j, 6, 10, 5), mound(i, j, 15, 10, 6)
            shade = round(120 + 60 * bank - 60 * pit)
            lines.append(f"{627000 + i} {4077000 + j} {120.0 - pit + 2.0 * bank:.3f} {shade} {shade - 20} {shade - 50}")
    return "\n".join(lines).encode() + b"\n"


def main():
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
    floor = office()
    for name, middle in TRACKS.items():
        track = race_track(middle)
        (directory / f"{name}.png").write_bytes(png(track))
        (directory / f"{name}.yaml").write_bytes(map_server(f"{name}.png", track))
        (directory / f"{name}_centerline.csv").write_bytes(centerline(middle))
    for name, data in (
        ("office.pgm", pgm(floor)),
        ("office.yaml", map_server("office.pgm", floor)),
        ("house.pgm", pgm(house())),
        ("house.yaml", map_server("house.pgm", house())),
        ("hills.png", hills()),
        ("quarry.txt", quarry()),
        ("checkerboard.png", checkerboard()),
        ("speckles.png", speckles()),
        ("asphalt.png", asphalt()),
        ("concrete.png", concrete()),
        ("floor_tiles.png", floor_tiles()),
    ):
        (directory / name).write_bytes(data)


if __name__ == "__main__":
    main()
