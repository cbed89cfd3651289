"""An open-wheel car without a driver, as the Dallara AV-21 of the Indy Autonomous Challenge: narrow body, side pods, wings, slicks.

Wheelbase 2.9808 m, tracks 1.64 and 1.52 m, front wheels of 0.6 m by 0.3 m, rear wheels of 0.62 m by 0.38 m (the vehicle class).
"""

from __future__ import annotations

from collections.abc import Sequence

from mesh import Model, Point, Shape
from shapes import block, box, loft, plate, rod, side_plate
from wheels import spoked_rim, tyre

BASE = 2.9808


def hull(sections: Sequence[tuple[float, float, float, float, float]], power: float = 0.55) -> Shape:
    """A skin over sections from front to back: x, lower and upper height, half the width, and how narrow the top is (share)."""
    rings: list[list[Point]] = []
    for x, low, high, half, top in sections:
        middle = low + power * (high - low)
        side = [(0.82 * half, low), (half, low + 0.2 * (middle - low)), (half, middle), (0.55 * half * (1 + top), middle + 0.62 * (high - middle)), (half * top, high)]
        rings.append([(x, y, z) for y, z in side] + [(x, -y, z) for y, z in side[::-1]])
    return loft(rings, crease=42.0).flipped()


def body() -> Model:
    """Everything but the wheels; the origin is below the middle of the rear axle."""
    model = Model()
    tub = [
        (4.02, 0.2, 0.29, 0.09, 0.6), (3.85, 0.18, 0.35, 0.14, 0.6), (3.3, 0.15, 0.46, 0.19, 0.55), (2.75, 0.1, 0.56, 0.25, 0.6),
        (2.3, 0.07, 0.64, 0.34, 0.62), (1.95, 0.06, 0.68, 0.40, 0.66), (1.15, 0.06, 0.80, 0.38, 0.42),
        (0.85, 0.06, 0.90, 0.33, 0.3), (0.3, 0.1, 0.78, 0.25, 0.25), (-0.3, 0.18, 0.58, 0.18, 0.3), (-0.6, 0.24, 0.5, 0.14, 0.4),
    ]
    model.add("paint", hull(tub))
    pod = [(1.98, 0.1, 0.46, 0.2, 0.75), (1.85, 0.06, 0.52, 0.24, 0.75), (1.2, 0.06, 0.5, 0.23, 0.7), (0.6, 0.06, 0.4, 0.16, 0.6), (0.42, 0.08, 0.3, 0.1, 0.6)]
    model.add("paint", hull(pod, 0.7).moved(y=0.55).both())
    model.add("black", box((1.97, 0.4, 0.16), (2.0, 0.7, 0.44)).both())
    model.add("black", plate([(2.25, -0.4), (2.25, 0.4), (1.9, 0.78), (0.4, 0.78), (-0.2, 0.45), (-0.2, -0.45), (0.4, -0.78), (1.9, -0.78)], 0.04, 0.065))
    # Where the driver was: a lid with the computers' inlets; the roll hoop with the air inlet.
    lid = [(2.32, 0.56, 0.66, 0.2, 0.7), (2.1, 0.58, 0.73, 0.25, 0.7), (1.5, 0.6, 0.76, 0.26, 0.7), (1.3, 0.6, 0.74, 0.22, 0.7)]
    model.add("dark", hull(lid))
    model.add("black", box((1.15, -0.11, 0.79), (1.2, 0.11, 0.95), 0.03))
    model.add("dark", rod((1.24, -0.24, 0.62), (1.14, -0.1, 0.98), 0.025, 5, False), rod((1.24, 0.24, 0.62), (1.14, 0.1, 0.98), 0.025, 5, False))
    model.add("dark", rod((1.14, -0.11, 0.97), (1.14, 0.11, 0.97), 0.025, 5))
    # Masts of the antennas.
    for x in (2.62, 0.55):
        model.add("black", rod((x, 0.0, 0.5), (x, 0.0, 0.92), 0.012, 5), block((x - 0.05, -0.05, 0.92), (x + 0.05, 0.05, 0.95)))
    front_wing(model)
    rear_wing(model)
    # Arms to the wheels.
    half = Model()
    for x, inner, hub, reach in ((BASE, 0.2, 0.3, 0.68), (0.0, 0.16, 0.31, 0.58)):
        for low, high in ((0.22, 0.24), (0.42, 0.38)):
            half.add("black", rod((x + 0.32, inner, low), (x, reach, high), 0.016, 4, False), rod((x - 0.28, inner, low), (x, reach, high), 0.016, 4, False))
        half.add("black", rod((x + 0.06, inner, 0.5), (x, reach, 0.24), 0.013, 4, False))
        half.add("dark", box((x - 0.07, reach - 0.03, hub - 0.13), (x + 0.07, reach + 0.06, hub + 0.13)))
    half.add("dark", rod((0.0, 0.1, 0.31), (0.0, 0.6, 0.31), 0.03, 6, False))
    half.add("paint", box((1.98, 0.44, 0.66), (2.06, 0.62, 0.74)))
    half.add("black", rod((2.02, 0.3, 0.6), (2.02, 0.5, 0.68), 0.012, 4, False))
    half.add("metal", rod((-0.2, 0.14, 0.5), (-0.62, 0.12, 0.56), 0.04, 6))
    model.merge(half, Shape.both)
    return model


def front_wing(model: Model) -> None:
    """Main plane, flaps, end plates and the pylons to the nose."""
    outline = [(3.62, -0.88), (3.78, -0.88), (3.98, -0.2), (3.98, 0.2), (3.78, 0.88), (3.62, 0.88), (3.74, 0.2), (3.74, -0.2)]
    model.add("paint", plate(outline, 0.08, 0.105))
    flap = [(3.5, -0.86), (3.64, -0.86), (3.76, -0.26), (3.62, -0.26)]
    model.add("black", plate(flap, 0.13, 0.15).both())
    end = [(3.42, 0.06), (3.86, 0.06), (3.84, 0.2), (3.42, 0.3)]
    model.add("paint", side_plate(end, 0.87, 0.89).both())
    model.add("black", box((3.76, 0.1, 0.1), (3.94, 0.12, 0.22)).both())


def rear_wing(model: Model) -> None:
    """Two planes between end plates, on a pylon, with the rain light under it."""
    section = [(-0.9, 0.86), (-0.5, 0.78), (-0.48, 0.8), (-0.88, 0.9)]
    model.add("paint", side_plate(section, -0.55, 0.55))
    model.add("black", side_plate([(-0.94, 0.94), (-0.78, 0.88), (-0.76, 0.9), (-0.92, 0.98)], -0.55, 0.55))
    model.add("paint", side_plate([(-0.98, 0.55), (-0.46, 0.6), (-0.44, 0.98), (-0.98, 1.0)], 0.55, 0.57).both())
    model.add("black", side_plate([(-0.82, 0.4), (-0.5, 0.4), (-0.58, 0.8), (-0.8, 0.84)], -0.02, 0.02))
    model.add("black", box((-0.78, -0.5, 0.28), (-0.5, 0.5, 0.32)))
    model.add("brake_light", block((-0.85, -0.06, 0.42), (-0.81, 0.06, 0.56)))


def front_wheel() -> Model:
    """A slick of 0.6 m by 0.3 m."""
    return slick(0.3, 0.3)


def rear_wheel() -> Model:
    """A slick of 0.62 m by 0.38 m."""
    return slick(0.31, 0.38)


def slick(radius: float, width: float) -> Model:
    """A slick on a rim of many spokes."""
    model = Model()
    model.add("rubber", tyre(radius, width, 0.2, 22, 0.28))
    model.merge(spoked_rim(0.2, width, 6, 0.05, 0.2, 0.74, 16, 8.0))
    return model
