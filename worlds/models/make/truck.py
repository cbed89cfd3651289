"""A cab-over truck with two axles and a covered bed, as a MAN of 5 t: cab, tanks and mudguards, drop sides, a cover on bows.

Wheelbase 4.5 m, track 2.07 m, wheels of 1.258 m by 0.385 m, 2.48 m wide, from 1.6 m behind the rear axle to 6 m ahead of it (the vehicle class).
"""

from __future__ import annotations

from mesh import Flat, Model, Point, Shape, arc, rounded
from shapes import block, box, cross_plate, lathe, loft, plate, rod, side_plate, tube
from wheels import dished_rim, tyre

BASE = 4.5
RADIUS = 0.629
HALF = 1.2
FRONT = 5.96
# The windscreen's lower and upper edge: x and z.
SCREEN: list[Flat] = [(5.93, 1.72), (5.74, 2.5)]


def sheet(*points: Point) -> Shape:
    """One flat polygon."""
    return Shape([points])


def cab() -> Model:
    """The cab without what hangs under it."""
    model = Model()
    arch = arc((BASE, RADIUS), 0.78, 8.0, 172.0, 8)
    outline = [(5.5, 0.74), (FRONT, 0.74), (FRONT, 1.4), SCREEN[0], SCREEN[1], (5.56, 2.72), (5.3, 2.79), (4.1, 2.82), (3.72, 2.72), (3.68, 1.15), (3.68, 0.95)]
    outline = outline[:-1] + arch[::-1][:-1] + [(5.35, 0.74)]
    model.add("paint", side_plate(outline[1:] , -HALF, HALF, 0.06))
    model.add("black", box((3.8, -0.72, 0.75), (5.4, 0.72, 1.5)))
    # Windscreen between its pillars, visor, wipers.
    (x0, z0), (x1, z1) = SCREEN
    out = 0.014

    def screen(y: float, share: float, lift: float = out) -> Point:
        return (x0 + share * (x1 - x0) + lift, y, z0 + share * (z1 - z0))

    model.add("glass", sheet(screen(-1.08, 0.06), screen(1.08, 0.06), screen(1.03, 0.93), screen(-1.03, 0.93)))
    for y in (-0.75, 0.05):
        model.add("black", tube([screen(y, 0.0, 0.03), screen(y + 0.5, 0.2, 0.03)], 0.012, 4, False))
    model.add("dark", cross_plate([(-1.1, 2.52), (1.1, 2.52), (1.04, 2.64), (-1.04, 2.64)], 5.74, 5.92, 0.02))
    # Grille of four slats, lamps, bumper.
    model.add("black", sheet((FRONT + out, -0.78, 1.0), (FRONT + out, 0.78, 1.0), (FRONT - 0.01 + out, 0.86, 1.52), (FRONT - 0.01 + out, -0.86, 1.52)))
    slat = block((FRONT - 0.02, -0.8, 0.0), (FRONT + 0.035, 0.8, 0.055))
    model.add("paint", *(slat.moved(z=z) for z in (1.07, 1.21, 1.35)))
    model.add("dark", plate(rounded([(5.3, -1.24), (6.02, -1.24), (6.02, 1.24), (5.3, 1.24)], 0.16, 1), 0.52, 0.9, 0.03))
    model.add("lamp", sheet((6.03, -0.26, 0.58), (6.03, 0.26, 0.58), (6.03, 0.26, 0.69), (6.03, -0.26, 0.69)))
    left = Model()
    left.add("black", block((5.98, 0.62, 0.61), (6.03, 1.1, 0.85)))
    left.add("lamp", sheet((6.034, 0.66, 0.64), (6.034, 0.86, 0.64), (6.034, 0.86, 0.82), (6.034, 0.66, 0.82)))
    left.add("amber", sheet((6.034, 0.9, 0.66), (6.034, 1.06, 0.66), (6.034, 1.06, 0.8), (6.034, 0.9, 0.8)))
    # Side window, door, its handle, steps below.
    y = HALF + out
    left.add("glass", sheet((5.74, y, 1.78), (4.62, y, 1.78), (4.62, y, 2.44), (5.56, y, 2.44)))
    left.add("black", sheet((4.53, y, 1.5), (4.505, y, 1.5), (4.505, y, 2.5), (4.53, y, 2.5)))
    left.add("black", sheet((5.85, y, 1.2), (5.825, y, 1.2), (5.825, y, 1.68), (5.85, y, 1.68)))
    left.add("black", sheet((5.85, y, 1.185), (5.25, y, 1.41), (5.25, y, 1.435), (5.85, y, 1.21)))
    left.add("glass", sheet((4.36, y, 1.86), (3.92, y, 1.86), (3.92, y, 2.4), (4.36, y, 2.4)))
    left.add("black", block((4.62, HALF, 1.6), (4.82, HALF + 0.035, 1.65)))
    for z in (0.62, 0.93):
        left.add("dark", block((5.33, 0.9, z), (5.62, 1.225, z + 0.03)))
    # Mirrors on an arm.
    left.add("black", box((5.66, 1.28, 1.78), (5.76, 1.5, 2.3), 0.03))
    left.add("black", tube([(5.62, 1.15, 2.48), (5.7, 1.38, 2.46), (5.7, 1.4, 2.28)], 0.018, 4, False))
    left.add("black", tube([(5.75, 1.15, 1.7), (5.7, 1.36, 1.7), (5.7, 1.4, 1.8)], 0.018, 4, False))
    # The lip of the wheel arch.
    lip = [arc((BASE, RADIUS), r, 5.0, 175.0, 7) for r in (0.775, 0.83)]
    left.add("dark", loft([[(x, HALF + 0.05, z) for x, z in line] for line in lip], closed=False) + loft(
        [[(x, HALF + 0.05, z) for x, z in lip[1]], [(x, HALF - 0.05, z) for x, z in lip[1]]], closed=False))
    model.merge(left, Shape.both)
    for y in (-0.9, -0.3, 0.3, 0.9):
        model.add("amber", block((5.28, y - 0.05, 2.79), (5.4, y + 0.05, 2.84)))
    return model


def frame() -> Model:
    """Rails, axles, tanks, guards, exhaust and what is at the back."""
    model = Model()
    model.add("dark", block((-1.5, 0.34, 0.82), (3.9, 0.44, 1.06)).both())
    for x in (-1.45, 0.9, 3.0):
        model.add("dark", block((x, -0.36, 0.86), (x + 0.12, 0.36, 1.02)))
    for x in (0.0, BASE):
        model.add("dark", rod((x, -0.9, RADIUS), (x, 0.9, RADIUS), 0.1, 6, False))
    model.add("dark", rod((0.1, 0.0, RADIUS), (BASE - 0.1, 0.0, 0.75), 0.05, 4, False))
    # Fuel on the left, air and battery on the right.
    tank = rounded([(0.62, 0.62), (1.17, 0.62), (1.17, 1.12), (0.62, 1.12)], 0.14, 1)
    model.add("metal", cross_plate(tank, 1.5, 2.75))
    band = [(a + (0.012 if a > 0.9 else -0.012), b + (0.012 if b > 0.87 else -0.012)) for a, b in tank]
    for x in (1.75, 2.45):
        model.add("dark", loft([[(at, y, z) for y, z in band] for at in (x, x + 0.06)], caps=False))
    for z in (0.72, 0.98):
        model.add("metal", lathe([(0.0, -0.02), (0.11, 0.03), (0.11, 0.77), (0.0, 0.82)], 7).turned(yaw=-90.0).moved(1.7, -1.0, z))
    model.add("black", block((2.6, -1.15, 0.66), (3.2, -0.62, 1.14)))
    # Exhaust with its silencer behind the cab.
    model.add("metal", rod((3.55, -0.95, 2.2), (3.55, -0.95, 3.0), 0.07, 6))
    model.add("dark", rod((3.55, -0.95, 1.1), (3.55, -0.95, 2.2), 0.13, 6))
    # Guards over the wheels, flaps behind them.
    guard = arc((0.0, RADIUS), 0.76, 15.0, 165.0, 8)
    model.add("black", loft([[(x, y, z) for x, z in guard] for y in (1.24, 0.78)], closed=False).both())
    edge = loft([[(x, 1.24, z) for x, z in arc((0.0, RADIUS), r, 15.0, 165.0, 8)] for r in (0.72, 0.762)], closed=False)
    model.add("black", edge.flipped().both())
    model.add("black", block((-0.8, 0.8, 0.28), (-0.77, 1.22, 0.85)).both())
    model.add("dark", box((-1.62, -1.2, 0.5), (-1.52, 1.2, 0.64), 0.02))
    model.add("dark", block((-1.5, 0.5, 0.55), (-1.4, 0.6, 0.9)).both())
    for z in (0.55, 0.8):
        for low, high in ((0.85, 1.4), (2.85, 3.5)):
            model.add("metal", sheet((high, 1.2, z), (low, 1.2, z), (low, 1.2, z + 0.1), (high, 1.2, z + 0.1)).both())
    lamp = Model()
    lamp.add("dark", block((-1.62, 0.78, 0.78), (-1.5, 1.2, 0.98)))
    lamp.add("brake_light", sheet((-1.63, 1.17, 0.81), (-1.63, 0.98, 0.81), (-1.63, 0.98, 0.95), (-1.63, 1.17, 0.95)))
    lamp.add("amber", sheet((-1.63, 0.97, 0.81), (-1.63, 0.9, 0.81), (-1.63, 0.9, 0.95), (-1.63, 0.97, 0.95)))
    lamp.add("reverse_light", sheet((-1.63, 0.89, 0.81), (-1.63, 0.81, 0.81), (-1.63, 0.81, 0.95), (-1.63, 0.89, 0.95)))
    model.merge(lamp, Shape.both)
    return model


def bed() -> Model:
    """Floor, drop sides with posts, and a cover over bows."""
    model = Model()
    back, front, floor = -1.6, 3.42, 1.3
    model.add("dark", box((back, -1.22, floor), (front, 1.22, floor + 0.14)))
    model.add("paint", box((back, 1.19, floor + 0.14), (front, 1.24, 1.95)).both())
    model.add("paint", box((back, -1.2, floor + 0.14), (back + 0.05, 1.2, 1.95)), box((front - 0.05, -1.2, floor + 0.14), (front, 1.2, 1.95)))
    bows = [back + (front - back) * k / 5 for k in range(6)]
    for x in bows:
        at = min(max(x, back + 0.06), front - 0.06)
        model.add("dark", sheet((at + 0.05, 1.255, floor), (at - 0.05, 1.255, floor), (at - 0.05, 1.255, 1.97), (at + 0.05, 1.255, 1.97)).both())
    for y in (-0.4, 0.4):
        x = back - 0.015
        model.add("dark", sheet((x, y + 0.04, floor), (x, y - 0.04, floor), (x, y - 0.04, 1.95), (x, y + 0.04, 1.95)))
    top = [(1.205, 1.93), (1.205, 2.62), (1.13, 2.8), (0.9, 2.86), (0.0, 2.9)]
    section = [*top, *((-y, z) for y, z in top[-2::-1])]
    rings: list[list[Point]] = []
    for k, x in enumerate(bows):
        for at, thin in ((x, 1.0), ((x + bows[k + 1]) / 2 if k < 5 else x, 0.975)):
            if not rings or rings[-1][0][0] != at:
                rings.append([(at, y * thin, 1.93 + (z - 1.93) * thin) for y, z in section])
    skin = loft(rings, closed=False, crease=40.0)
    model.add("canvas", skin, Shape([rings[0][::-1], rings[-1]]))
    # Straps down to the sides, and the laces of the door.
    for x in [a + (front - back) * s / 5 for a in bows[:-1] for s in (0.25, 0.75)]:
        model.add("dark", sheet((x + 0.02, 1.255, 1.72), (x - 0.02, 1.255, 1.72), (x - 0.02, 1.235, 2.05), (x + 0.02, 1.235, 2.05)).both())
    x = back - 0.01
    model.add("dark", sheet((x, 0.012, 1.95), (x, -0.012, 1.95), (x, -0.012, 2.86), (x, 0.012, 2.86)))
    return model


def body() -> Model:
    """Everything but the wheels; the origin is below the middle of the rear axle."""
    model = Model()
    for part in (cab(), frame(), bed()):
        model.merge(part)
    return model


def wheel() -> Model:
    """A wheel with a coarse tread on a dished steel rim."""
    model = Model()
    model.add("rubber", tyre(RADIUS, 0.385, 0.33, 24, 0.22, 0.022))
    model.merge(dished_rim(0.33, 0.15, 0.11, 8, 0.035, 16))
    return model
