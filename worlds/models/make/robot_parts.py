"""What several robots have: upright turned parts, standoffs, boards, castor balls, and wheels with few corners."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from mesh import Flat, Model, Shape, circle, cos_sin, inset
from shapes import box, disc, lathe, loft


def upright(profile: Sequence[Flat], corners: int, crease: float = 40.0, start: float = 0.0) -> Shape:
    """A part turned about the z axis; `profile` has pairs of radius and height, growing."""
    return lathe(profile, corners, crease, start).turned(roll=90.0)


def standoffs(places: Iterable[Flat], low: float, high: float, radius: float, corners: int = 6) -> Shape:
    """Bars without ends from height `low` to `high`."""
    rings = [[(x, y, z) for x, y in circle(radius, corners)] for z in (low, high)]
    return loft(rings, caps=False, crease=10.0).repeated((x, y, 0.0) for x, y in places)


def corners_of(x: float, y: float, middle: float = 0.0) -> list[Flat]:
    """The corners of a rectangle of half the sides `x` and `y`, about (`middle`, 0)."""
    return [(middle + sx * x, sy * y) for sx in (-1.0, 1.0) for sy in (-1.0, 1.0)]


def sheet(outline: Sequence[Flat], z: float) -> Shape:
    """A flat convex face seen from above."""
    return Shape([[(x, y, z) for x, y in outline]])


def slot(x: float, y: float, length: float, width: float, z: float) -> Shape:
    """A rectangle seen from above, about (x, y)."""
    return sheet(
        [(x - length / 2, y - width / 2), (x + length / 2, y - width / 2), (x + length / 2, y + width / 2), (x - length / 2, y + width / 2)], z
    )


def ball(radius: float, x: float, y: float, corners: int = 10) -> Shape:
    """A castor ball on the ground, without what its holder hides."""
    profile = [(radius * c, radius + radius * s) for c, s in map(cos_sin, (-90.0, -60.0, -25.0, 10.0))]
    return upright([(max(r, 0.0), z) for r, z in profile], corners, 60.0).moved(x, y)


def shell(outline: Sequence[Flat], levels: Sequence[Flat], crease: float = 50.0) -> Shape:
    """A body over a convex outline: at each level of (how far inwards, height), from below. The top is closed."""
    rings = [[(x, y, z) for x, y in (inset(outline, by) if by else list(outline))] for by, z in levels]
    skin = loft(rings, caps=False, crease=crease)
    skin.polygons.append(rings[-1])
    return skin


def plain_tyre(radius: float, width: float, rim: float, corners: int = 20, bevel: float = 0.12) -> Shape:
    """A tyre of five bands."""
    half, soft = width / 2.0, bevel * width
    profile = [(rim, -0.9 * half), (radius - soft, -half), (radius, -half + soft), (radius, half - soft), (radius - soft, half), (rim, 0.9 * half)]
    return lathe(profile, corners, 30.0)


def ribs(radius: float, width: float, height: float, length: float, count: int, has_ends: bool = False) -> Shape:
    """Ribs across a tread that slope at their sides; `radius` is that of their tops. Where a tyre is wider, their ends are not seen."""
    low, half = radius - height, 0.46 * width
    a, b = length / 2.0, 0.3 * length
    rib = Shape(
        [
            [(-b, -half, radius), (b, -half, radius), (b, half, radius), (-b, half, radius)],
            [(b, -half, radius), (a, -half, low), (a, half, low), (b, half, radius)],
            [(-a, -half, low), (-b, -half, radius), (-b, half, radius), (-a, half, low)],
        ],
        0.0,
    )
    if has_ends:
        rib.polygons.append([(-a, -half, low), (a, -half, low), (b, -half, radius), (-b, -half, radius)])
        rib.polygons.append([(a, half, low), (-a, half, low), (-b, half, radius), (b, half, radius)])
    return around(rib, count)


def disc_rim(
    model: Model, radius: float, y: float, material: str, holes: int, at: float, size: float, corners: int = 20, hole_material: str = "rubber"
) -> None:
    """A dished disc with round dark holes on the outer side of a wheel, `y` from its middle, with a hub; the inner side is flat."""
    dish = lathe([(radius, y), (0.88 * radius, 0.72 * y), (0.3 * radius, 0.72 * y), (0.24 * radius, 1.1 * y), (0.0, 1.15 * y)], corners, 30.0)
    model.add(material, dish, disc(radius, 0.8 * y, corners).turned(yaw=180.0))
    hole = disc(size * radius, 0.72 * y + 0.006 * radius + 0.0002, 6).moved(z=at * radius)
    if holes:
        model.add(hole_material, around(hole, holes))


def roller(radius: float, length: float, envelope: float, skew: float, corners: int = 6, bands: int = 3) -> Shape:
    """A barrel whose axis leans by `skew` [deg] from the direction of travel (x) to the axle (y), at the top of a wheel whose rim is at
    `envelope`; `radius` is its largest. It touches the rim along its whole length."""
    along = envelope - radius
    profile = []
    for i in range(bands + 1):
        s = length * (i / bands - 0.5)
        lean = s * cos_sin(skew)[0]
        profile.append((max(envelope - math.sqrt(along * along + lean * lean), 0.2 * radius), s))
    # From the y axis to one that leans.
    barrel = lathe(profile, corners, 50.0)
    barrel.polygons += [disc(profile[-1][0], profile[-1][1], corners).polygons[0], disc(profile[0][0], profile[0][1], corners).polygons[0][::-1]]
    return barrel.turned(yaw=skew - 90.0).moved(z=along)


def around(shape: Shape, count: int, start: float = 0.0) -> Shape:
    """A part repeated about the axle."""
    return Shape([p for i in range(count) for p in shape.turned(pitch=start + 360.0 * i / count).polygons], shape.crease)


def board(
    model: Model, low: tuple[float, float, float], size: tuple[float, float, float], chips: Sequence[tuple[float, float, float, float, float]]
) -> None:
    """A green circuit board with parts on it: x, y of their corner from its own, length, width, height."""
    (x, y, z), (length, width, thick) = low, size
    model.add("board", box(low, (x + length, y + width, z + thick)))
    for cx, cy, cl, cw, ch in chips:
        model.add("metal", box((x + cx, y + cy, z + thick), (x + cx + cl, y + cy + cw, z + thick + ch)))
