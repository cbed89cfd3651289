"""A robot on tracks for rubble: a low hull of sheet metal between the belts, which the page draws; here are their cleats, wheels and guards."""

from __future__ import annotations

import math

from mesh import Flat, Model, Shape, arc, cos_sin
from robot_parts import around, slot, standoffs, upright
from shapes import box, disc, lathe, loft, rod, tube

TRACK, HALF_RUN, RADIUS, WIDTH = 0.1985, 0.25, 0.09047, 0.09728


def wheel() -> Model:
    """What turns with a track along its middle: the hub of a bogie, with its bolts."""
    model = Model()
    hub = lathe([(0.022, 0.04), (0.022, 0.0505), (0.017, 0.0545), (0.0, 0.0545)], 10, 30.0)
    bolts = around(disc(0.0042, 0.055, 4).moved(z=0.0105), 4)
    for side in (0.0, 180.0):
        model.add("metal", hub.turned(yaw=side))
        model.add("black", bolts.turned(yaw=side))
    return model


def on_belt(at: float) -> tuple[float, float, float]:
    """The point of the belt's outer side that is `at` [m] along it, from the rear of the ground run: x, z and the angle of its outside [deg] below ahead."""
    run, bend = 2 * HALF_RUN, math.pi * RADIUS
    at %= 2 * (run + bend)
    if at < run:
        return at - HALF_RUN, 0.0, 90.0
    if at < run + bend:
        angle = math.degrees((at - run) / RADIUS)
        c, s = cos_sin(angle)
        return HALF_RUN + RADIUS * s, RADIUS - RADIUS * c, 90.0 - angle
    if at < 2 * run + bend:
        return HALF_RUN - (at - run - bend), 2 * RADIUS, -90.0
    angle = math.degrees((at - 2 * run - bend) / RADIUS)
    c, s = cos_sin(angle)
    return -HALF_RUN - RADIUS * s, RADIUS + RADIUS * c, -90.0 - angle


def stadium(radius: float, steps: int = 8) -> list[Flat]:
    """Outline of the space within a belt, in x and z, counter-clockwise from below ahead."""
    ahead = arc((HALF_RUN, RADIUS), radius, -90.0, 90.0, steps)
    return [*ahead, *[(-x, 2 * RADIUS - z) for x, z in ahead]]


def track(model: Model) -> None:
    """The parts of the left track."""
    half = WIDTH / 2
    # Cleats: they end where the ground begins.
    length = 4 * HALF_RUN + 2 * math.pi * RADIUS
    count = 30
    cleat = Shape(
        [
            [(-0.006, -half, 0.005), (0.006, -half, 0.005), (0.006, half, 0.005), (-0.006, half, 0.005)],
            [(0.006, -half, 0.005), (0.009, -half, -0.002), (0.009, half, -0.002), (0.006, half, 0.005)],
            [(-0.009, -half, -0.002), (-0.006, -half, 0.005), (-0.006, half, 0.005), (-0.009, half, -0.002)],
        ],
        0.0,
    )
    for i in range(count):
        x, z, outside = on_belt((i + 0.5) * length / count)
        if z > 0.0:
            model.add("rubber", cleat.turned(pitch=90.0 + outside).moved(x, TRACK, z))
    # The space within the belt, and what is in it.
    face = TRACK + 0.0445
    model.add("black", Shape([[(x, face, z) for x, z in stadium(0.078)][::-1]]))
    for k in range(5):
        road = lathe([(0.036, 0.0), (0.036, 0.006), (0.014, 0.0035), (0.0, 0.0095)], 10, 30.0)
        model.add("steel", road.moved(0.075 * k - 0.15, face, 0.0505))
    for x in (-HALF_RUN - 0.012, HALF_RUN + 0.012):
        end = lathe([(0.06, 0.0), (0.06, 0.0055), (0.046, 0.0065), (0.018, 0.003), (0.0, 0.0095)], 14, 30.0)
        model.add("steel", end.moved(x, face, RADIUS))
    # The guard that carries the hubs.
    outline = [(-0.235, 0.082), (-0.225, 0.074), (0.225, 0.074), (0.235, 0.082), (0.235, 0.112), (0.2, 0.136), (-0.2, 0.136), (-0.235, 0.112)]
    ring = [[(x, y, z) for x, z in outline] for y in (face + 0.0085, face)]
    model.add("paint", loft(ring, crease=20.0))


def body() -> Model:
    """All but belts and hubs."""
    model = Model()
    track(model)
    other = Model()
    track(other)
    model.merge(other, Shape.mirrored)
    # The hull: sloped ahead, its tail behind the tracks.
    side = [(-0.36, 0.09), (-0.32, 0.055), (0.2, 0.055), (0.262, 0.12), (0.225, 0.2), (0.17, 0.222), (-0.31, 0.222), (-0.36, 0.19)]
    rings = [[(x, y, z) for x, z in side] for y in (0.142, -0.142)]
    model.add("paint", loft(rings, crease=15.0))
    # Fenders over the belts.
    for y in (-1.0, 1.0):
        low, high = sorted((y * 0.142, y * 0.243))
        model.add("dark", box((-0.22, low, 0.2), (0.2, high, 0.206)))
    # The deck with its hatch, rails, the head with lamps.
    model.add("dark", box((-0.28, -0.1, 0.22), (0.06, 0.1, 0.23), 0.003))
    model.add("paint", box((-0.26, -0.085, 0.228), (-0.09, 0.085, 0.243), 0.006))
    for y in (-0.05, 0.0, 0.05):
        model.add("black", slot(-0.015, y, 0.1, 0.01, 0.2305))
    model.add("dark", box((0.09, -0.06, 0.218), (0.16, 0.06, 0.265), 0.008))
    model.add("black", box((0.158, -0.05, 0.228), (0.1625, 0.05, 0.256), 0.002))
    for y in (-0.1, 0.1):
        model.add("lamp", lathe([(0.016, 0.0), (0.016, 0.012), (0.013, 0.015), (0.0, 0.015)], 12, 30.0).turned(yaw=-90.0).moved(0.222, y, 0.185))
        model.add("brake_light", box((-0.364, y - 0.018, 0.15), (-0.358, y + 0.018, 0.17), 0.002))
        bar = [
            (-0.3, y * 1.22, 0.22),
            (-0.3, y * 1.22, 0.262),
            (-0.285, y * 1.22, 0.274),
            (0.03, y * 1.22, 0.274),
            (0.045, y * 1.22, 0.262),
            (0.045, y * 1.22, 0.22),
        ]
        model.add("steel", tube(bar, 0.006, 6))
    model.add("black", standoffs([(-0.32, 0.1)], 0.22, 0.4, 0.003), upright([(0.008, 0.22), (0.005, 0.24)], 8).moved(-0.32, 0.1))
    model.add("steel", rod((-0.37, 0.0, 0.1), (-0.345, 0.0, 0.1), 0.012, 8))
    return model
