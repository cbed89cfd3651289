"""A compact wheel loader: rear frame with engine, counterweight and cab; front frame with lift arms and bucket; tyres of 1 m."""

from __future__ import annotations

from mesh import Flat, Model, Point, Shape, arc
from robot_parts import around, plain_tyre, ribs, upright
from shapes import box, cross, disc, lathe, loft, rod, side_plate, tube, unit


def wheel() -> Model:
    """A wheel of 1 m by 0.4 m: a tyre with deep slanted lugs on a painted rim."""
    model = Model()
    model.add("rubber", plain_tyre(0.468, 0.4, 0.27, 22, 0.16))
    lug = ribs(0.5, 0.225, 0.05, 0.11, 1, has_ends=True)
    left, right = lug.turned(yaw=28.0).moved(y=0.096), lug.turned(yaw=-28.0).moved(y=-0.096)
    model.add("rubber", around(left, 13), around(right, 13, 180.0 / 13))
    model.add("white", lathe([(0.275, 0.185), (0.25, 0.17), (0.225, 0.06), (0.1, 0.05), (0.09, 0.13), (0.07, 0.15), (0.0, 0.15)], 16, 30.0))
    model.add("white", disc(0.275, 0.15, 16).turned(yaw=180.0))
    for i in range(8):
        model.add("rubber", disc(0.02, 0.058, 6).moved(z=0.15).turned(pitch=45.0 * i))
    return model


def fender(model: Model, x: float, y0: float, y1: float) -> None:
    """A fender over the tyre whose axle is at `x`, from `y0` to `y1`."""
    outer, inner = (arc((x, 0.5), radius, 22.0, 158.0, 4) for radius in (0.585, 0.56))
    rings: list[list[Point]] = []
    for (ox, oz), (ix, iz) in zip(outer, inner):
        rings.append([(ox, y0, oz), (ox, y1, oz), (ix, y1, iz), (ix, y0, iz)])
    model.add("dark", loft(rings, crease=35.0))


def body() -> Model:
    """The rear frame; the origin is below the middle of the rear axle, the hinge at x = 1.1 m."""
    model = Model()
    # Frame, axle, counterweight.
    model.add("dark", box((-1.05, -0.34, 0.42), (0.98, 0.34, 0.78), 0.03), rod((0.0, -0.55, 0.5), (0.0, 0.55, 0.5), 0.13, 10))
    side = [(-1.32, 0.5), (-1.1, 0.42), (-0.62, 0.5), (-0.62, 0.86), (-1.32, 0.86)]
    model.add("dark", side_plate(side, -0.62, 0.62, 0.05))
    # The hood falls towards the rear; louvres on its sides, the radiator's grille behind.
    hood = [(-1.3, 0.84), (-0.1, 0.84), (-0.1, 1.46), (-0.3, 1.5), (-1.0, 1.4), (-1.2, 1.32), (-1.3, 1.15)]
    model.add("paint", side_plate(hood, -0.5, 0.5, 0.06))
    for y in (-1.0, 1.0):
        for z in (1.0, 1.1, 1.2):
            low, high = sorted((y * 0.49, y * 0.506))
            model.add("glass", box((-1.05, low, z), (-0.5, high, z + 0.045)))
        low, high = sorted((y * 0.36, y * 0.47))
        model.add("brake_light", box((-1.335, low, 0.98), (-1.29, high, 1.08), 0.01))
        model.add("reverse_light", box((-1.335, low, 0.91), (-1.29, high, 0.96), 0.01))
    model.add("glass", box((-1.315, -0.3, 0.9), (-1.29, 0.3, 1.2), 0.01))
    model.add("metal", tube([(-0.55, 0.25, 1.4), (-0.55, 0.25, 1.9), (-0.62, 0.25, 1.98)], 0.045, 8))
    for y in (-1.0, 1.0):
        fender(model, 0.0, min(y * 0.46, y * 0.9), max(y * 0.46, y * 0.9))
        # Steps to the cab.
        low, high = sorted((y * 0.5, y * 0.74))
        for z in (0.5, 0.76):
            model.add("dark", box((0.56, low, z), (0.92, high, z + 0.03)))
        low, high = sorted((y * 0.5, y * 0.54))
        model.add("dark", box((0.56, low, 0.5), (0.6, high, 1.1)), box((0.88, low, 0.5), (0.92, high, 1.1)))
    cab(model)
    # The rear half of the hinge.
    for z in (0.5, 0.7):
        model.add("dark", box((0.9, -0.16, z), (1.16, 0.16, z + 0.06), 0.02))
    return model


def cab(model: Model) -> None:
    """The driver's place: floor, glass between four posts, roof with lamps."""
    model.add("paint", box((-0.14, -0.54, 0.86), (0.86, 0.54, 1.04), 0.03))
    floor, roof = [(-0.12, -0.5), (0.8, -0.46), (0.8, 0.46), (-0.12, 0.5)], [(-0.06, -0.46), (0.68, -0.42), (0.68, 0.42), (-0.06, 0.46)]
    glass = [[(x, y, 1.03) for x, y in floor], [(x, y, 2.28) for x, y in roof]]
    model.add("glass", loft(glass, caps=False, crease=10.0))
    for (x0, y0), (x1, y1) in zip(floor, roof):
        model.add("dark", tube([(x0, y0, 1.02), (x1, y1, 2.3)], 0.042, 4, caps=False))
    # The doors' front posts, the sills and the edge below the roof.
    for y in (-1.0, 1.0):
        model.add("dark", tube([(0.32, y * 0.487, 1.03), (0.32, y * 0.45, 2.29)], 0.026, 4, caps=False))
        model.add("dark", rod((-0.12, y * 0.5, 1.5), (0.3, y * 0.475, 1.5), 0.018, 4))
    model.add("paint", box((-0.14, -0.53, 2.27), (0.78, 0.53, 2.38), 0.045))
    for y in (-0.36, 0.36):
        model.add("lamp", box((0.76, y - 0.08, 2.29), (0.81, y + 0.08, 2.36), 0.012))
    model.add("amber", upright([(0.05, 2.38), (0.05, 2.46), (0.03, 2.49), (0.0, 2.49)], 10).moved(0.05, 0.3))
    for y in (-1.0, 1.0):
        model.add(
            "dark",
            rod((0.74, y * 0.5, 2.0), (0.9, y * 0.72, 2.0), 0.012, 4),
            box((0.88, min(y * 0.66, y * 0.8), 1.84), (0.91, max(y * 0.66, y * 0.8), 2.08), 0.012),
        )


def bar(start: Flat, end: Flat, width: float, y: float, thick: float) -> Shape:
    """A flat bar in the plane of x and z, about `y`."""
    along = unit((end[0] - start[0], 0.0, end[1] - start[1]))
    up = cross(along, (0.0, 1.0, 0.0))
    w = width / 2
    outline = [
        (start[0] - w * up[0], start[1] - w * up[2]),
        (end[0] - w * up[0], end[1] - w * up[2]),
        (end[0] + w * up[0], end[1] + w * up[2]),
        (start[0] + w * up[0], start[1] + w * up[2]),
    ]
    return side_plate(outline, y - thick / 2, y + thick / 2)


def cylinder(model: Model, start: Flat, end: Flat, y: float, radius: float, share: float) -> None:
    """A hydraulic cylinder; `share` is the part of its length that is barrel."""
    x, z = (start[k] + share * (end[k] - start[k]) for k in (0, 1))
    model.add("dark", rod((start[0], y, start[1]), (x, y, z), radius, 8))
    model.add("metal", rod((x, y, z), (end[0], y, end[1]), 0.55 * radius, 6))


def front() -> Model:
    """The front frame, where it is as long as the loader goes straight ahead."""
    model = Model()
    model.add("dark", box((1.3, -0.32, 0.42), (2.5, 0.32, 0.8), 0.03), rod((2.2, -0.55, 0.5), (2.2, 0.55, 0.5), 0.13, 10))
    for z in (0.58, 0.76):
        model.add("dark", box((1.05, -0.15, z), (1.36, 0.15, z + 0.06), 0.02))
    # The tower that carries the arms.
    tower = [(1.38, 0.7), (2.3, 0.7), (1.98, 1.2), (1.85, 1.58), (1.62, 1.58), (1.48, 1.1)]
    for y in (-1.0, 1.0):
        low, high = sorted((y * 0.2, y * 0.27))
        model.add("paint", side_plate(tower, low, high))
    model.add("dark", rod((1.75, -0.42, 1.48), (1.75, 0.42, 1.48), 0.06, 10), rod((2.78, -0.44, 0.48), (2.78, 0.44, 0.48), 0.05, 8))
    # Arms with a knee, each of one plate.
    arm = [(1.66, 1.4), (1.76, 1.38), (2.48, 0.98), (2.68, 0.44), (2.78, 0.38), (2.88, 0.46), (2.84, 0.62), (2.66, 1.16), (1.84, 1.58), (1.7, 1.57)]
    for y in (-1.0, 1.0):
        low, high = sorted((y * 0.31, y * 0.39))
        model.add("paint", side_plate(arm, low, high, 0.015))
        cylinder(model, (1.7, 0.74), (2.42, 1.16), y * 0.35, 0.055, 0.62)
        fender(model, 2.2, min(y * 0.5, y * 0.9), max(y * 0.5, y * 0.9))
        model.add(
            "dark",
            box((2.1, min(y * 0.4, y * 0.52), 1.02), (2.3, max(y * 0.4, y * 0.52), 1.06)),
            rod((2.3, y * 0.45, 0.8), (2.3, y * 0.62, 1.5), 0.02, 6),
        )
        model.add("lamp", box((2.28, y * 0.62 - 0.07, 1.44), (2.38, y * 0.62 + 0.07, 1.56), 0.015))
    # The crossbar, and the lever that tips the bucket.
    model.add("paint", box((2.4, -0.33, 0.98), (2.56, 0.33, 1.12), 0.02))
    model.add("paint", bar((2.42, 1.42), (2.6, 0.74), 0.13, 0.0, 0.09))
    cylinder(model, (1.78, 1.44), (2.42, 1.4), 0.0, 0.06, 0.6)
    model.add("dark", bar((2.6, 0.78), (2.93, 0.72), 0.08, 0.0, 0.06))
    bucket(model)
    return model


def bucket(model: Model) -> None:
    """A bucket on the ground: a bent sheet between two cheeks, with an edge of steel and teeth."""
    outer = [(3.58, 0.06), (3.05, 0.05), *arc((3.1, 0.32), 0.27, 250.0, 150.0, 4), (2.94, 0.68), (3.02, 0.86), (3.1, 0.95)]
    inner = [(3.58, 0.085), (3.06, 0.08), *arc((3.1, 0.32), 0.24, 250.0, 150.0, 4), (2.97, 0.67), (3.045, 0.845), (3.12, 0.93)]
    rings = [[(ox, 0.88, oz), (ox, -0.88, oz), (ix, -0.88, iz), (ix, 0.88, iz)] for (ox, oz), (ix, iz) in zip(outer, inner)]
    model.add("paint", loft(rings, crease=40.0))
    cheek = [outer[0], (3.6, 0.12), (3.34, 0.5), *outer[::-1][:-1]]
    for y in (-1.0, 1.0):
        low, high = sorted((y * 0.86, y * 0.9))
        model.add("paint", side_plate(cheek[::-1], low, high))
        low, high = sorted((y * 0.33, y * 0.42))
        model.add("dark", side_plate([(2.68, 0.42), (2.9, 0.36), (2.98, 0.7), (2.9, 0.74), (2.72, 0.54)], low, high))
    model.add("steel", box((3.5, -0.9, 0.03), (3.64, 0.9, 0.062), 0.01))
    for i in range(7):
        y = -0.81 + 0.27 * i
        tooth = Shape(
            [
                [(3.6, y - 0.05, 0.09), (3.78, y, 0.045), (3.6, y + 0.05, 0.09)],
                [(3.6, y - 0.05, 0.09), (3.6, y - 0.05, 0.03), (3.78, y, 0.045)],
                [(3.6, y + 0.05, 0.03), (3.6, y + 0.05, 0.09), (3.78, y, 0.045)],
            ],
            0.0,
        )
        model.add("steel", tooth)
