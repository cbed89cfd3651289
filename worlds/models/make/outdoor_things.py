"""Things of roads and gardens: a traffic cone, trees, and road signs on their posts, which are own drawings after the Vienna Convention on Road Signs and Signals (1968)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from mesh import Flat, Model, Point, Shape, arc, circle, cos_sin, inset, rounded, triangulated
from noise import random_words
from robot_parts import upright
from shapes import block, loft, rod


def cone() -> Model:
    """A traffic cone of 0.5 m (EN 13422) on a foot of 0.3 m, with two white bands."""
    model = Model()
    model.add("black", block((-0.15, -0.15, 0.0), (0.15, 0.15, 0.03)))
    # Its radius from 0.11 m at the foot to 0.03 m at the top.
    heights = [(0.03, "cone"), (0.17, "reflecting"), (0.25, "cone"), (0.33, "reflecting"), (0.4, "cone"), (0.5, "")]
    radius = [0.11 - 0.08 * (z - 0.03) / 0.47 for z, _ in heights]
    for k, (z, color) in enumerate(heights[:-1]):
        profile = [(radius[k], z), (radius[k + 1], heights[k + 1][0])]
        model.add(color, upright([*profile, (0.0, 0.5)] if k == 4 else profile, 20))
    return model


class Chance:
    """Numbers from 0 to 1 that are the same everywhere."""

    def __init__(self, seed: int) -> None:
        self.words = random_words(seed)

    def __call__(self) -> float:
        return next(self.words) / 2**32


def trunk(points: Sequence[tuple[float, float, float, float]], corners: int) -> Shape:
    """A round stem through these places, each with its radius, whose middles shift a little."""
    rings = [[(x + r * c, y + r * s, z) for c, s in circle(1.0, corners)] for x, y, z, r in points]
    return loft(rings, crease=80.0)


def spruce() -> Model:
    """A spruce of 6 m: tiers of branches, the lowest 0.7 m above the ground, and a stem of 0.12 m."""
    model, chance = Model(), Chance(3)
    model.add("bark", trunk([(0.0, 0.0, 0.0, 0.14), (0.0, 0.0, 0.3, 0.12), (0.0, 0.0, 3.0, 0.08)], 9))
    tiers = 8
    for tier in range(tiers):
        share = tier / tiers
        low, top = 0.7 + 4.7 * share, 0.7 + 4.7 * share + 1.35 - 0.45 * share
        wide = 1.55 * (1.0 - share) + 0.18
        twigs = 14
        rim: list[Point] = []
        for k in range(twigs):
            c, s = cos_sin(360.0 * (k + 0.5 * (tier % 2)) / twigs)
            r = wide * (1.0 if k % 2 else 0.62) * (0.88 + 0.24 * chance())
            rim.append((r * c, r * s, low - 0.12 * (k % 2) + 0.1 * chance()))
        tip = (0.0, 0.0, min(top, 6.0))
        inner = (0.0, 0.0, low + 0.25)
        skin = Shape([[a, b, tip] for a, b in zip(rim, [*rim[1:], rim[0]])] + [[b, a, inner] for a, b in zip(rim, [*rim[1:], rim[0]])], 100.0)
        model.add("needles", skin)
    return model


def ball(middle: Point, radius: Point, chance: Chance, rings: int = 6, corners: int = 10) -> Shape:
    """A lump of leaves: an ellipsoid with dents."""
    levels: list[list[Point]] = []
    for k in range(1, rings):
        c, s = cos_sin(-90.0 + 180.0 * k / rings)
        ring = []
        for cx, cy in circle(1.0, corners, 18.0 * (k % 2)):
            dent = 0.86 + 0.28 * chance()
            ring.append((middle[0] + radius[0] * c * cx * dent, middle[1] + radius[1] * c * cy * dent, middle[2] + radius[2] * s * dent))
        levels.append(ring)
    low, top = ((middle[0], middle[1], middle[2] + sign * 0.95 * radius[2]) for sign in (-1.0, 1.0))
    shape = loft(levels, caps=False, crease=100.0)
    shape.polygons += [[b, a, low] for a, b in zip(levels[0], [*levels[0][1:], levels[0][0]])]
    shape.polygons += [[a, b, top] for a, b in zip(levels[-1], [*levels[-1][1:], levels[-1][0]])]
    return shape


def linden() -> Model:
    """A broadleaf tree of 5.5 m: a stem of 0.15 m, branches from 1.8 m on, and a crown of lumps."""
    model, chance = Model(), Chance(11)
    model.add("bark", trunk([(0.0, 0.0, 0.0, 0.2), (0.0, 0.0, 0.25, 0.15), (0.03, 0.02, 1.8, 0.12), (0.0, 0.05, 3.6, 0.06)], 10))
    for angle, far, high in ((20.0, 0.9, 3.0), (140.0, 0.85, 3.2), (255.0, 0.95, 2.9)):
        c, s = cos_sin(angle)
        model.add("bark", rod((0.03, 0.02, 1.7), (far * c, far * s, high), 0.05, 6, False))
        model.add("leaves", ball((far * c, far * s, high + 0.4), (1.0, 1.0, 0.85), chance))
    for place, radius in (((0.0, 0.0, 4.3), (1.15, 1.15, 1.1)), ((0.5, 0.6, 3.9), (0.8, 0.8, 0.7)), ((-0.55, 0.1, 3.8), (0.85, 0.85, 0.75)), ((0.15, -0.65, 3.9), (0.8, 0.8, 0.7))):
        model.add("leaves", ball(place, radius, chance))
    return model


# Signs stand 2.1 m above the ground to their lower edge; their front is at x = 0.
FRONT, UNDER = 0.03, 2.1


def face(outline: Sequence[Flat], x: float) -> Shape:
    """A flat face in y and z that looks along x."""
    return Shape([[(x, *outline[k]) for k in corners] for corners in triangulated(outline)])


def sheet(outline: Sequence[Flat]) -> Shape:
    """The back of a sign, and its edge."""
    pairs = list(zip(outline, [*outline[1:], outline[0]]))
    edge = [[(FRONT - 0.004, *a), (FRONT - 0.004, *b), (FRONT, *b), (FRONT, *a)] for a, b in pairs]
    return Shape([*edge, *[[(FRONT - 0.004, *outline[k]) for k in corners[::-1]] for corners in triangulated(outline)]])


def stroke(path: Sequence[Flat], wide: float, x: float) -> Shape:
    """A line of this width along a path in y and z, with square joints."""
    quads = []
    sides = []
    for k, (y, z) in enumerate(path):
        (ay, az), (by, bz) = path[max(k - 1, 0)], path[min(k + 1, len(path) - 1)]
        before, after = (y - ay, z - az), (by - y, bz - z)
        units = [(dy / math.hypot(dy, dz), dz / math.hypot(dy, dz)) for dy, dz in (before, after) if dy or dz]
        ny, nz = -sum(u[1] for u in units), sum(u[0] for u in units)
        scale = 0.5 * wide * len(units) / (ny * ny + nz * nz)
        sides.append(((y + ny * scale, z + nz * scale), (y - ny * scale, z - nz * scale)))
    for (a_left, a_right), (b_left, b_right) in zip(sides, sides[1:]):
        quads.append([(x, *a_right), (x, *b_right), (x, *b_left), (x, *a_left)])
    return Shape(quads)


def bow(y: float, z: float, radius: Flat, start: float, end: float, steps: int = 10) -> list[Flat]:
    """Points of an arc of an ellipse."""
    return [(y + radius[0] * c, z + radius[1] * s) for c, s in arc((0.0, 0.0), 1.0, start, end, steps)]


# Letters and digits as lines in a box 0.6 wide and 1 high, their lines 0.18 wide inside of it.
E1 = 0.09
GLYPHS: dict[str, list[list[Flat]]] = {
    "S": [[*bow(0.3, 0.705, (0.21, 0.205), 20.0, 270.0), *bow(0.3, 0.295, (0.21, 0.205), 90.0, -160.0)]],
    "T": [[(0.0, 1.0 - E1), (0.6, 1.0 - E1)], [(0.3, 0.0), (0.3, 1.0 - 2 * E1)]],
    "O": [[*bow(0.3, 0.5, (0.21, 0.41), 0.0, 360.0, 24)]],
    "P": [[(E1, 0.0), (E1, 1.0)], [(E1, 1.0 - E1), (0.3, 1.0 - E1), *bow(0.3, 0.7, (0.21, 0.21), 90.0, -90.0, 8), (E1, 0.49)]],
    "0": [[*bow(0.3, 0.5, (0.21, 0.41), 0.0, 360.0, 24)]],
    "3": [[*bow(0.3, 0.705, (0.21, 0.205), 150.0, -90.0), *bow(0.3, 0.295, (0.21, 0.205), 90.0, -150.0)]],
    "5": [[(0.54, 1.0 - E1), (0.12, 1.0 - E1), (0.11, 0.52), *bow(0.29, 0.33, (0.23, 0.24), 120.0, -150.0)]],
}


def writing(text: str, middle: Flat, high: float, x: float) -> Shape:
    """A line of letters about a place in y and z."""
    step = 0.74
    wide = step * (len(text) - 1) + 0.6
    shape = Shape([])
    for k, letter in enumerate(text):
        for line in GLYPHS[letter]:
            path = [(middle[0] + high * (a + step * k - 0.5 * wide), middle[1] + high * (b - 0.5)) for a, b in line]
            shape += stroke(path, 0.18 * high, x)
    return shape


def post(height: float) -> Model:
    """The post behind a sign, a pipe of 60 mm."""
    model = Model()
    model.add("zinc", upright([(0.03, 0.0), (0.03, height), (0.0, height)], 12).moved(x=-0.005))
    return model


def stop() -> Model:
    """Stop (B, 2): an octagon of 0.6 m."""
    outline = circle(0.3 / cos_sin(22.5)[0], 8, 22.5)
    middle = UNDER + 0.3
    model = post(middle + 0.2)
    placed = [(y, z + middle) for y, z in outline]
    model.add("zinc", sheet(placed))
    model.add("reflecting", face(placed, FRONT))
    model.add("sign_red", face(inset(placed, 0.015), FRONT + 0.001))
    model.add("reflecting", writing("STOP", (0.0, middle), 0.19, FRONT + 0.002))
    return model


def limit(speed: int) -> Model:
    """A limit of speed [km/h] (C, 14): a disc of 0.6 m with a red rim."""
    middle = UNDER + 0.3
    model = post(middle + 0.2)
    placed = [(y, z + middle) for y, z in circle(0.3, 32)]
    model.add("zinc", sheet(placed))
    model.add("sign_red", face(placed, FRONT))
    model.add("reflecting", face([(y, z + middle) for y, z in circle(0.235, 32)], FRONT + 0.001))
    model.add("sign_black", writing(str(speed), (0.0, middle), 0.25, FRONT + 0.002))
    return model


def warning() -> Model:
    """Other dangers (A, 32): a triangle of 0.7 m with a red rim."""
    high = 0.7 * cos_sin(30.0)[0]
    corners = [(-0.35, 0.0), (0.35, 0.0), (0.0, high)]
    placed = [(y, z + UNDER) for y, z in rounded(corners, 0.05)]
    model = post(UNDER + 0.4)
    model.add("zinc", sheet(placed))
    model.add("sign_red", face(placed, FRONT))
    model.add("reflecting", face(rounded(inset([(y, z + UNDER) for y, z in corners], 0.06), 0.02), FRONT + 0.001))
    mark = [(-0.026, 0.36), (-0.016, 0.2), (0.016, 0.2), (0.026, 0.36)]
    model.add("sign_black", face([(y, z + UNDER) for y, z in mark], FRONT + 0.002))
    model.add("sign_black", face([(y, z + UNDER + 0.145) for y, z in circle(0.025, 12)], FRONT + 0.002))
    return model


THINGS: dict[str, Callable[[], Model]] = {
    "traffic_cone": cone,
    "spruce": spruce,
    "linden": linden,
    "sign_stop": stop,
    "sign_limit_30": partial(limit, 30),
    "sign_limit_50": partial(limit, 50),
    "sign_warning": warning,
}
