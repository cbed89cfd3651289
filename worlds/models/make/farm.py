"""A small tractor and the wooden carts that it tows (tractor_trailer.world.xml).

The tractor: wheelbase 1.3 m, rear wheels of 0.9 m by 0.25 m, front wheels of 0.5 m by 0.15 m. The carts: two wheels of 0.5 m by 0.12 m, and
a drawbar that reaches 1.5 m ahead of them.
"""

from __future__ import annotations

from mesh import Model, Shape, arc
from shapes import block, box, cross_plate, disc, lathe, loft, plate, rod, side_plate, tube
from wheels import dished_rim, spoke, tyre

BASE = 1.3


def tractor() -> Model:
    """Everything but the wheels; the origin is below the middle of the rear axle."""
    model = Model()
    # Bonnet with its grille and lamps, engine under it.
    bonnet = [(0.62, 0.74), (1.62, 0.7), (1.66, 0.78), (1.64, 0.96), (1.5, 1.02), (0.62, 1.1)]
    model.add("paint", side_plate(bonnet, -0.22, 0.22, 0.05))
    model.add("black", cross_plate([(-0.17, 0.56), (0.17, 0.56), (0.17, 0.92), (-0.17, 0.92)], 1.58, 1.672))
    slat = block((1.6, -0.15, 0.0), (1.68, 0.15, 0.02))
    model.add("metal", *(slat.moved(z=0.62 + 0.07 * k) for k in range(4)))
    model.add("lamp", disc(0.045, 0.0, 10).turned(yaw=-90.0).moved(1.676, 0.09, 0.86).both())
    model.add("dark", box((0.1, -0.15, 0.42), (1.58, 0.15, 0.75), 0.04))
    for k in range(4):
        model.add("black", block((0.8 + 0.16 * k, -0.23, 0.8), (0.88 + 0.16 * k, 0.23, 0.94)))
    model.add("dark", rod((1.2, 0.12, 1.0), (1.2, 0.12, 1.4), 0.035, 8), rod((1.2, 0.12, 1.08), (1.2, 0.12, 1.24), 0.055, 8))
    # Axles, steps.
    model.add("dark", rod((0.0, -0.42, 0.45), (0.0, 0.42, 0.45), 0.09, 8, False))
    model.add("dark", box((BASE - 0.05, -0.42, 0.24), (BASE + 0.05, 0.42, 0.34), 0.02))
    model.add("dark", box((BASE - 0.06, -0.12, 0.3), (BASE + 0.06, 0.12, 0.5)))
    model.add("black", box((0.28, -0.44, 0.36), (0.75, 0.44, 0.4)))
    # Guards over the rear wheels.
    inner, outer, at = 0.36, 0.68, (0.0, 0.45)
    line = arc(at, 0.53, 5.0, 165.0, 9)
    cover = loft([[(x, y, z) for x, z in line] for y in (outer, inner)], closed=False)
    wall = loft([[(x, inner, z) for x, z in line], [(x, inner, max(0.45, z - 0.3)) for x, z in line]], closed=False)
    rim = loft([[(x, outer, z) for x, z in arc(at, r, 5.0, 165.0, 9)] for r in (0.5, 0.532)], closed=False)
    model.add("paint", cover.both(), wall.flipped().both(), rim.flipped().both())
    left = Model()
    left.add("brake_light", block((-0.53, 0.42, 0.62), (-0.5, 0.6, 0.7)))
    left.add("amber", block((0.3, 0.5, 0.93), (0.36, 0.6, 0.99)))
    model.merge(left, Shape.both)
    # Seat, wheel, levers, roll bar.
    model.add("black", box((-0.14, -0.22, 0.72), (0.24, 0.22, 0.82), 0.03), box((-0.2, -0.21, 0.78), (-0.12, 0.21, 1.12), 0.03))
    model.add("dark", box((-0.2, -0.28, 0.5), (0.3, 0.28, 0.72)))
    model.add("dark", rod((0.62, 0.0, 0.95), (0.46, 0.0, 1.12), 0.02, 6, False), rod((0.36, -0.24, 0.7), (0.4, -0.26, 0.98), 0.012, 5))
    ring = lathe([(0.17, -0.014), (0.185, 0.0), (0.17, 0.014), (0.155, 0.0), (0.17, -0.014)], 16)
    model.add("black", ring.turned(roll=90.0).turned(pitch=-40.0).moved(0.45, 0.0, 1.13))
    model.add("black", box((-0.012, -0.16, -0.01), (0.012, 0.16, 0.01)).turned(pitch=-40.0).moved(0.45, 0.0, 1.13))
    hoop = [(-0.3, -0.3, 0.5), (-0.34, -0.3, 1.3), (-0.34, -0.24, 1.4), (-0.34, 0.24, 1.4), (-0.34, 0.3, 1.3), (-0.3, 0.3, 0.5)]
    model.add("dark", tube(hoop, 0.028, 6, False))
    # Drawbar.
    model.add("dark", box((-0.64, -0.05, 0.36), (-0.1, 0.05, 0.42)), rod((-0.6, 0.0, 0.33), (-0.6, 0.0, 0.5), 0.025, 8))
    return model


def rear_wheel() -> Model:
    """The large one: high treads, and a rim in the old style, yellow."""
    return field_wheel(0.45, 0.25, 0.28, 0.03, 24)


def front_wheel() -> Model:
    """The small one."""
    return field_wheel(0.25, 0.15, 0.15, 0.008, 20)


def field_wheel(radius: float, width: float, rim: float, tread: float, corners: int) -> Model:
    """A tyre for fields on a dished rim."""
    model = Model()
    model.add("rubber", tyre(radius, width, rim, corners, 0.2, tread))
    for name, shapes in dished_rim(rim, 0.36 * width, 0.3 * width, 6, 0.1 * rim, 16).parts.items():
        model.add("yellow" if name == "rim" else name, *shapes)
    return model


def cart() -> Model:
    """A cart of planks on two wheels; the origin is below the middle of its axle."""
    model = Model()
    model.add("dark", box((-0.7, -0.42, 0.34), (0.6, -0.36, 0.42)), box((-0.7, 0.36, 0.34), (0.6, 0.42, 0.42)))
    model.add("dark", rod((0.0, -0.44, 0.25), (0.0, 0.44, 0.25), 0.03, 6, False), block((-0.06, 0.34, 0.22), (0.06, 0.42, 0.36)).both())
    for side in (-1, 1):
        model.add("dark", tube([(0.5, side * 0.38, 0.38), (1.42, side * 0.03, 0.38)], 0.025, 4, False))
    eye = plate([(1.4, -0.06), (1.5, -0.05), (1.54, 0.0), (1.5, 0.05), (1.4, 0.06)], 0.36, 0.4)
    model.add("dark", eye, rod((-0.8, 0.0, 0.32), (-0.8, 0.0, 0.46), 0.025, 8), box((-0.84, -0.05, 0.34), (-0.66, 0.05, 0.4)))
    model.add("wood", box((-0.7, -0.45, 0.42), (0.6, 0.45, 0.46)))
    for k in range(3):
        low, high = 0.47 + 0.085 * k, 0.55 + 0.085 * k
        model.add("paint", block((-0.7, 0.42, low), (0.6, 0.45, high)).both())
        model.add("paint", block((-0.7, -0.42, low), (-0.67, 0.42, high)), block((0.57, -0.42, low), (0.6, 0.42, high)))
    for x in (-0.66, -0.05, 0.54):
        model.add("dark", block((x - 0.025, 0.45, 0.4), (x + 0.025, 0.47, 0.71)).both())
    # A load of sacks.
    for x, y, yaw in ((-0.4, 0.16, 8.0), (0.02, -0.14, -12.0), (0.34, 0.14, 80.0), (-0.38, -0.2, 95.0)):
        sack = box((-0.25, -0.15, 0.0), (0.25, 0.15, 0.2), 0.085).turned(yaw=yaw).moved(x, y, 0.46)
        model.add("canvas", sack.creased(180.0))
    model.add("brake_light", block((-0.725, 0.34, 0.345), (-0.7, 0.44, 0.4)).both())
    return model


def cart_wheel() -> Model:
    """A wheel with six spokes."""
    model = Model()
    model.add("rubber", tyre(0.25, 0.12, 0.17, 22, 0.3))
    model.add("rim", lathe([(0.175, 0.048), (0.15, 0.048), (0.15, -0.048), (0.175, -0.048)], 22))
    model.add("rim", lathe([(0.045, -0.055), (0.045, 0.055), (0.0, 0.058)], 10))
    bar = spoke(0.04, 0.03, 0.04, 0.152, 0.02, 0.02)
    for k in range(6):
        model.add("rim", bar.turned(pitch=60.0 * k), bar.turned(yaw=180.0).turned(pitch=60.0 * k))
    return model
