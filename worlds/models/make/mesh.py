"""Shapes of which the vehicle models are made: surfaces of polygons, in metres, x ahead, y to the left, z up.

A shape is a list of flat polygons whose corners run counter-clockwise seen from outside. `Model` gathers shapes by the name of their
material; normals are made at the end, by `Shape.crease`: edges sharper than that angle stay edges, others are rounded in shading.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

Point = tuple[float, float, float]
Flat = tuple[float, float]
Polygon = list[Point]


class Shape:
    """Polygons, and the angle [deg] above which an edge between two of them is seen as one."""

    def __init__(self, polygons: Iterable[Sequence[Point]], crease: float = 50.0) -> None:
        self.polygons: list[Polygon] = [list(polygon) for polygon in polygons]
        self.crease = crease

    def __add__(self, other: Shape) -> Shape:
        return Shape(self.polygons + other.polygons, self.crease)

    def creased(self, angle: float) -> Shape:
        """The same with another limit for edges [deg]: 0 makes all of them edges, 180 none."""
        return Shape(self.polygons, angle)

    def mapped(self, change: Callable[[Point], Point], turns_over: bool = False) -> Shape:
        """Every corner changed; `turns_over` keeps outside outside where the change is a mirror."""
        step = -1 if turns_over else 1
        return Shape([[change(point) for point in polygon][::step] for polygon in self.polygons], self.crease)

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Shape:
        return self.mapped(lambda p: (p[0] + x, p[1] + y, p[2] + z))

    def scaled(self, x: float = 1.0, y: float = 1.0, z: float = 1.0) -> Shape:
        return self.mapped(lambda p: (p[0] * x, p[1] * y, p[2] * z), x * y * z < 0.0)

    def turned(self, roll: float = 0.0, pitch: float = 0.0, yaw: float = 0.0) -> Shape:
        """Turned about the origin by Rz(yaw)·Ry(pitch)·Rx(roll) [deg]."""
        (cr, sr), (cp, sp), (cy, sy) = (cos_sin(angle) for angle in (roll, pitch, yaw))

        def turn(p: Point) -> Point:
            x, y, z = p
            y, z = cr * y - sr * z, sr * y + cr * z
            x, z = cp * x + sp * z, cp * z - sp * x
            return (cy * x - sy * y, sy * x + cy * y, z)

        return self.mapped(turn)

    def mirrored(self) -> Shape:
        """The same on the other side (y becomes -y)."""
        return self.scaled(y=-1.0)

    def both(self) -> Shape:
        """This and its mirror image on the other side."""
        return self + self.mirrored()

    def repeated(self, places: Iterable[Point]) -> Shape:
        """One at each of these places."""
        return Shape([p for place in places for p in self.moved(*place).polygons], self.crease)

    def flipped(self) -> Shape:
        """Seen from the other side."""
        return self.mapped(lambda p: p, True)


class Model:
    """Shapes by material."""

    def __init__(self) -> None:
        self.parts: dict[str, list[Shape]] = {}

    def add(self, material: str, *shapes: Shape) -> None:
        """Adds shapes of a material, a name of `glb.MATERIALS`."""
        self.parts.setdefault(material, []).extend(shapes)

    def merge(self, other: Model, change: Callable[[Shape], Shape] = lambda shape: shape) -> None:
        """Adds another model, each of its shapes changed."""
        for material, shapes in other.parts.items():
            self.add(material, *(change(shape) for shape in shapes))


def cos_sin(angle: float) -> Flat:
    """Cosine and sine of an angle [deg], the same on every machine: libraries of mathematics differ in the last digits."""
    return (round(math.cos(math.radians(angle)), 12), round(math.sin(math.radians(angle)), 12))


def circle(radius: float, corners: int, start: float = 0.0) -> list[Flat]:
    """Corners of a circle, counter-clockwise, the first at angle `start` [deg]."""
    turns = [cos_sin(start + 360.0 * i / corners) for i in range(corners)]
    return [(radius * c, radius * s) for c, s in turns]


def arc(centre: Flat, radius: float, start: float, end: float, steps: int) -> list[Flat]:
    """Points of an arc from angle `start` to `end` [deg], both included."""
    turns = [cos_sin(start + (end - start) * i / steps) for i in range(steps + 1)]
    return [(centre[0] + radius * c, centre[1] + radius * s) for c, s in turns]


def rounded(outline: Sequence[Flat], radius: float, steps: int = 3) -> list[Flat]:
    """A convex or concave outline with its corners rounded."""
    result: list[Flat] = []
    n = len(outline)
    for i, (x, y) in enumerate(outline):
        ends = []
        for j in (i - 1, (i + 1) % n):
            dx, dy = outline[j][0] - x, outline[j][1] - y
            length = math.hypot(dx, dy)
            share = min(radius, 0.45 * length) / length
            ends.append((x + share * dx, y + share * dy))
        (ax, ay), (bx, by) = ends
        for k in range(steps + 1):
            t = k / steps
            u = 1.0 - t
            result.append((u * u * ax + 2 * u * t * x + t * t * bx, u * u * ay + 2 * u * t * y + t * t * by))
    return result


def area(outline: Sequence[Flat]) -> float:
    """Signed area of an outline: positive if it runs counter-clockwise."""
    pairs = zip(outline, [*outline[1:], outline[0]])
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs) / 2.0


def inset(outline: Sequence[Flat], by: float) -> list[Flat]:
    """A counter-clockwise outline whose edges have moved inwards."""
    result = []
    n = len(outline)
    for i in range(n):
        (ax, ay), (bx, by_), (cx, cy) = outline[i - 1], outline[i], outline[(i + 1) % n]
        before, after = math.hypot(bx - ax, by_ - ay), math.hypot(cx - bx, cy - by_)
        n1 = (-(by_ - ay) / before, (bx - ax) / before)
        n2 = (-(cy - by_) / after, (cx - bx) / after)
        cosine = max(1.0 + n1[0] * n2[0] + n1[1] * n2[1], 0.3)
        result.append((bx + by * (n1[0] + n2[0]) / cosine, by_ + by * (n1[1] + n2[1]) / cosine))
    return result


def triangulated(outline: Sequence[Flat]) -> list[tuple[int, int, int]]:
    """Triangles of a simple counter-clockwise outline, by ears."""
    rest = list(range(len(outline)))
    triangles = []

    def side(a: Flat, b: Flat, c: Flat) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    while len(rest) > 3:
        best: tuple[float, int] | None = None
        for k in range(len(rest)):
            ia, ib, ic = rest[k - 1], rest[k], rest[(k + 1) % len(rest)]
            a, b, c = outline[ia], outline[ib], outline[ic]
            if side(a, b, c) <= 1e-15:
                continue
            others = (outline[j] for j in rest if j not in (ia, ib, ic))
            if any(side(a, b, p) >= 0 and side(b, c, p) >= 0 and side(c, a, p) >= 0 for p in others):
                continue
            # The ear with the shortest cut makes the least slivers.
            cut = math.hypot(a[0] - c[0], a[1] - c[1])
            if best is None or cut < best[0] - 1e-12:
                best = (cut, k)
        if best is None:
            raise ValueError(f"outline crosses itself: {outline}")
        k = best[1]
        triangles.append((rest[k - 1], rest[k], rest[(k + 1) % len(rest)]))
        del rest[k]
    triangles.append((rest[0], rest[1], rest[2]))
    return triangles
