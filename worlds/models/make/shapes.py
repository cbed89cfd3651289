"""The primitives of the vehicle models: bevelled boxes, plates, turned parts, tubes and skins between sections."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mesh import Flat, Point, Polygon, Shape, area, circle, inset, triangulated


def loft(rings: Sequence[Sequence[Point]], closed: bool = True, caps: bool = True, crease: float = 50.0) -> Shape:
    """A skin over rings of equally many corners. Seen against the way of the rings, from the last to the first, each runs clockwise;
    so a ring that runs counter-clockwise in x and y is followed by those above it. Open rings (`closed` false) make a sheet."""
    polygons: list[Polygon] = []
    for lower, upper in zip(rings, rings[1:]):
        count = len(lower)
        for i in range(count if closed else count - 1):
            j = (i + 1) % count
            corners = [lower[i], lower[j], upper[j], upper[i]]
            polygons.append([p for k, p in enumerate(corners) if p != corners[k - 1]])
    if closed and caps:
        polygons.append(list(rings[0])[::-1])
        polygons.append(list(rings[-1]))
    return Shape([p for p in polygons if len(p) > 2], crease)


def plate(outline: Sequence[Flat], low: float, high: float, bevel: float = 0.0, crease: float = 50.0) -> Shape:
    """An outline in x and y, from height `low` to `high`, with bevelled edges."""
    points = list(outline) if area(outline) > 0 else list(outline)[::-1]
    levels = [(points, low), (points, high)]
    if bevel > 0.0:
        small = inset(points, bevel)
        levels = [(small, low), (points, low + bevel), (points, high - bevel), (small, high)]
    rings = [[(x, y, z) for x, y in ring] for ring, z in levels]
    skin = loft(rings, caps=False, crease=crease)
    cap = levels[0][0]
    for a, b, c in triangulated(cap):
        skin.polygons.append([rings[0][c], rings[0][b], rings[0][a]])
        skin.polygons.append([rings[-1][a], rings[-1][b], rings[-1][c]])
    return skin


def side_plate(outline: Sequence[Flat], right: float, left: float, bevel: float = 0.0, crease: float = 50.0) -> Shape:
    """An outline in x and z (seen from the right side), from y = `right` to `left`."""
    return plate(outline, -left, -right, bevel, crease).mapped(lambda p: (p[0], -p[2], p[1]))


def cross_plate(outline: Sequence[Flat], back: float, front: float, bevel: float = 0.0, crease: float = 50.0) -> Shape:
    """An outline in y and z (seen from ahead), from x = `back` to `front`."""
    return plate(outline, back, front, bevel, crease).mapped(lambda p: (p[2], p[0], p[1]))


def box(low: Point, high: Point, bevel: float = 0.0) -> Shape:
    """A box between two corners, with bevelled edges that look round."""
    if bevel <= 0.0:
        (x0, y0, z0), (x1, y1, z1) = low, high
        return plate([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], z0, z1)
    return hull_box(low, high, bevel)


def block(low: Point, high: Point) -> Shape:
    """A box without its underside, for what stands on something."""
    shape = box(low, high)
    return Shape(shape.polygons[:4] + shape.polygons[5::2], shape.crease)


def hull_box(low: Point, high: Point, bevel: float) -> Shape:
    """A box all of whose twelve edges are cut: six faces, twelve bevels, eight corners."""
    middle = [(a + b) / 2.0 for a, b in zip(low, high)]
    half = [(b - a) / 2.0 for a, b in zip(low, high)]
    cut = [min(bevel, 0.49 * 2.0 * h) for h in half]

    def corner(axis: int, signs: tuple[int, int, int]) -> Point:
        """The corner of the face across `axis`."""
        values = [middle[k] + signs[k] * (half[k] if k == axis else half[k] - cut[k]) for k in range(3)]
        return (values[0], values[1], values[2])

    polygons: list[Polygon] = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for sign in (-1, 1):
            square = []
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                signs = [0, 0, 0]
                signs[axis], signs[u], signs[v] = sign, a, b
                square.append(corner(axis, (signs[0], signs[1], signs[2])))
            polygons.append(square[::sign])
        # The four bevels along this axis.
        for a in (-1, 1):
            for b in (-1, 1):
                strip = []
                for face, end in ((u, -1), (u, 1), (v, 1), (v, -1)):
                    signs = [0, 0, 0]
                    signs[axis], signs[u], signs[v] = end, a, b
                    strip.append(corner(face, (signs[0], signs[1], signs[2])))
                polygons.append(strip[:: -a * b])
    for sx in (-1, 1):
        for sy in (-1, 1):
            for sz in (-1, 1):
                polygons.append([corner(axis, (sx, sy, sz)) for axis in range(3)][:: sx * sy * sz])
    return Shape(polygons, 60.0)


def lathe(profile: Sequence[Flat], corners: int, crease: float = 40.0, start: float = 0.0) -> Shape:
    """A part turned about the y axis. `profile` has pairs of radius and y; with y growing along it, its outside is away from the axis.
    Radius 0 closes it."""
    rings: list[list[Point]] = []
    # Counter-clockwise seen from +y: z to x.
    turn = circle(1.0, corners, start)
    for radius, y in profile:
        rings.append([(radius * s, y, radius * c) for c, s in turn])
    return loft(rings, caps=False, crease=crease)


def tube(path: Sequence[Point], radius: float, corners: int = 6, caps: bool = True) -> Shape:
    """A round bar along a path; the joints are mitred roughly."""
    rings: list[list[Point]] = []
    for i, place in enumerate(path):
        before, after = path[max(i - 1, 0)], path[min(i + 1, len(path) - 1)]
        along = unit(tuple(b - a for a, b in zip(before, after)))
        aside = unit(cross((0.0, 0.0, 1.0) if abs(along[2]) < 0.9 else (1.0, 0.0, 0.0), along))
        up = cross(along, aside)
        rings.append(
            [tuple(place[k] + c * aside[k] + s * up[k] for k in range(3)) for c, s in circle(radius, corners)]  # type: ignore[misc]
        )
    return loft(rings, caps=caps, crease=max(50.0, 360.0 / corners + 5.0))


def rod(start: Point, end: Point, radius: float, corners: int = 8, caps: bool = True) -> Shape:
    """A straight round bar."""
    return tube([start, end], radius, corners, caps)


def disc(radius: float, y: float, corners: int, start: float = 0.0) -> Shape:
    """A flat disc across the y axis, seen from +y."""
    return Shape([[(radius * s, y, radius * c) for c, s in circle(1.0, corners, start)]])


def unit(v: Sequence[float]) -> Point:
    """A vector of length 1 in the same direction."""
    length = math.sqrt(sum(a * a for a in v))
    return (v[0] / length, v[1] / length, v[2] / length)


def cross(a: Sequence[float], b: Sequence[float]) -> Point:
    """The cross product a × b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
