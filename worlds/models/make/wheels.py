"""Wheels: turned about the y axis, outside towards +y, their middle at the origin."""

from __future__ import annotations

from mesh import Flat, Model, Point, Shape, circle
from shapes import disc, lathe, loft


def tyre(radius: float, width: float, rim: float, corners: int = 26, shoulder: float = 0.25, tread: float = 0.0) -> Shape:
    """A tyre around a rim. `shoulder` is the share of its height that is round, `tread` the depth of its blocks [m], 0 for a smooth one.
    Of a tread, every second corner is a block, shifted by one across the middle."""
    half, soft = width / 2.0, shoulder * (radius - rim)
    profile: list[Flat] = [(rim, -0.8 * half), (rim + 0.35 * (radius - rim), -half), (radius - soft, -0.97 * half)]
    edge = -0.97 * half + 0.8 * soft
    profile += [(radius - 0.25 * soft, edge - 0.35 * soft)] if tread == 0.0 else []
    profile += [(radius, edge)]
    middle = [(radius, 0.0)] if tread > 0.0 else []
    profile += [*middle, *((r, -y) for r, y in profile[::-1])]
    turn = circle(1.0, corners)
    # Its inside needs no bead: the wheel is closed there.
    profile = profile[1:]
    rings: list[list[Point]] = []
    for r, y in profile:
        is_tread = tread > 0.0 and r == radius
        depths = [tread if is_tread and i % 2 == (y == 0.0) else 0.0 for i in range(corners)]
        rings.append([((r - d) * s, y, (r - d) * c) for (c, s), d in zip(turn, depths)])
    return loft(rings, caps=False, crease=48.0)


def spoke(root: float, tip: float, inner: float, outer: float, y: float, depth: float) -> Shape:
    """A spoke along z from radius `inner` to `outer`, `root` and `tip` wide, its face at y. Its back is open."""
    low = [(-root / 2, y - depth, inner), (-0.36 * root, y, inner), (0.36 * root, y, inner), (root / 2, y - depth, inner)]
    high = [(-tip / 2, y - depth, outer), (-0.36 * tip, y, outer), (0.36 * tip, y, outer), (tip / 2, y - depth, outer)]
    return loft([high, low], closed=False, crease=65.0)


def spoked_rim(
    radius: float, width: float, spokes: int, hub: float, wide: float = 0.3, face: float = 0.72, corners: int = 20, lean: float = 0.0
) -> Model:
    """A rim with a dark well behind straight spokes. `wide` is the width of a spoke at its root over the radius, `face` is where spokes
    are over half the width; with `lean` [deg] there are pairs of spokes that part outwards."""
    model = Model()
    half = width / 2.0
    y = face * half
    well, edge = 0.84 * radius, 0.82 * half
    model.add("rim", lathe([(radius * 1.03, edge - 0.04 * half), (well, edge), (well, 0.3 * half)], corners))
    model.add("black", lathe([(well, 0.3 * half), (0.0, 0.2 * half)], corners))
    bar = spoke(wide * radius, 0.7 * wide * radius, 0.5 * hub, 1.01 * well, y, 0.22 * half)
    for i in range(spokes):
        for side in (-lean, lean) if lean else (0.0,):
            # Pairs share their root.
            model.add("rim", bar.mapped(lambda p: (p[0] + (p[2] - hub) * side / 57.3, p[1], p[2])).turned(pitch=360.0 * i / spokes))
    model.add("rim", lathe([(hub, y - 0.2 * half), (hub, y + 0.04 * half), (0.0, y + 0.12 * half)], 8))
    # What is behind it, seen from the vehicle's middle.
    model.add("black", disc(radius * 1.25, 0.86 * half, corners // 2).mirrored())
    return model


def dished_rim(radius: float, y: float, depth: float, holes: int, hole: float, corners: int = 18) -> Model:
    """A steel wheel as lorries have: a dish that comes outwards to the hub, with round holes of radius `hole` and a ring of nuts."""
    model = Model()
    model.add("rim", lathe([(1.03 * radius, y), (0.95 * radius, y), (0.88 * radius, y - depth), (0.8 * radius, y - depth)], corners))
    model.add("rim", lathe([(0.8 * radius, y - depth), (0.46 * radius, y - 0.25 * depth)], corners))
    hub = [(0.44 * radius, y - 0.25 * depth), (0.27 * radius, y - 0.25 * depth), (0.25 * radius, y + 0.2 * depth), (0.2 * radius, y + 0.3 * depth)]
    model.add("rim", lathe([*hub, (0.0, y + 0.32 * depth)], 12, 25.0))
    slope = 57.3 * 0.75 * depth / (0.34 * radius)
    for i in range(holes):
        dot = disc(hole, 0.002 * radius, 6).turned(roll=-slope).moved(y=y - 0.62 * depth, z=0.63 * radius)
        model.add("black", dot.turned(pitch=360.0 * i / holes))
        nut = disc(0.04 * radius, 0.0, 5).moved(y=y - 0.2 * depth, z=0.36 * radius)
        model.add("black", nut.turned(pitch=360.0 * (i + 0.5) / holes))
    model.add("black", disc(1.3 * radius, y, corners).mirrored())
    return model
