"""Wheels: turned about the y axis, outside towards +y, their middle at the origin."""

from __future__ import annotations

from mesh import Flat, Model, Shape, circle
from shapes import box, disc, lathe, side_plate


def tyre(radius: float, width: float, rim: float, corners: int = 28, shoulder: float = 0.22) -> Shape:
    """A tyre around a rim; `shoulder` is the share of its height that is round."""
    half, soft = width / 2.0, shoulder * (radius - rim)
    profile: list[Flat] = [
        (rim, -0.80 * half),
        (rim + 0.3 * (radius - rim), -half),
        (radius - soft, -half),
        (radius - 0.3 * soft, -half + 0.55 * soft),
        (radius, -half + 1.6 * soft),
    ]
    profile += [(r, -y) for r, y in profile[::-1]]
    return lathe(profile, corners)


def knobs(radius: float, width: float, height: float, count: int) -> Shape:
    """The blocks of a coarse tread: three across, the middle ones between those at the sides."""
    length = 0.5 * 6.283 * radius / count
    shape = Shape([], 0.0)
    for row, at in enumerate((-0.36, 0.0, 0.36)):
        block = box((-length / 2, (at - 0.12) * width, radius - height), (length / 2, (at + 0.12) * width, radius)).creased(0.0)
        block.polygons = block.polygons[:4] + block.polygons[5:]
        for i in range(count):
            shape += block.turned(pitch=360.0 * (i + 0.5 * (row % 2)) / count)
    return shape


def spoked_rim(radius: float, width: float, spokes: int, hub: float, face: float = 0.3, corners: int = 28, twin: bool = False) -> Model:
    """A rim with a barrel, straight spokes and a hub. `face` is where the spokes are, as a share of half the width."""
    model = Model()
    half = width / 2.0
    lip, well = 0.86 * radius, 0.82 * radius
    barrel = [(radius, half), (lip, 0.94 * half), (well, 0.6 * half), (well, -half)]
    # Its inside is seen.
    model.add("rim", lathe([(radius * 1.02, 0.8 * half), *barrel[:3]], corners))
    model.add("dark", lathe([(well, 0.6 * half), (well, -0.5 * half)], corners), disc(well, -0.4 * half, corners))
    y = face * half
    thick = 0.12 * half + 0.02 * radius
    base, tip = (0.30, 0.17) if not twin else (0.17, 0.11)
    spoke = side_plate(
        [(-base * radius / 2, 0.5 * hub), (base * radius / 2, 0.5 * hub), (tip * radius / 2, 0.9 * radius), (-tip * radius / 2, 0.9 * radius)],
        y - thick,
        y + thick,
        0.6 * thick,
    )
    for i in range(spokes):
        turn = 360.0 * i / spokes
        for lean in (-0.16, 0.16) if twin else (0.0,):
            model.add("rim", spoke.turned(pitch=turn + 57.3 * lean))
    model.add("rim", lathe([(hub, y - thick), (hub, y + 1.2 * thick), (0.8 * hub, y + 1.8 * thick), (0.0, y + 1.9 * thick)], 16))
    return model


def nut(radius: float, y: float, depth: float) -> Shape:
    """A hexagonal nut, seen from outside."""
    return side_plate(circle(radius, 6), y - depth, y + depth, 0.2 * depth).creased(20.0)


def hole_plate(radius: float, y: float, thick: float, holes: int, at: float, size: float, corners: int = 28) -> Model:
    """A dished steel wheel with round holes, as lorries have."""
    model = Model()
    model.add("rim", lathe([(radius, y), (0.9 * radius, y - 0.3 * thick), (0.6 * radius, y - thick), (0.34 * radius, y)], corners))
    model.add("rim", lathe([(0.34 * radius, y), (0.32 * radius, y + 0.4 * thick), (0.0, y + 0.5 * thick)], 16))
    for i in range(holes):
        hole = disc(size * radius, y - 0.72 * thick, 8).moved(z=at * radius)
        model.add("black", hole.turned(pitch=360.0 * i / holes))
    return model

