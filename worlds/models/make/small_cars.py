"""What cars of scale 1:10 share: suspension with coil springs, cooler, antenna and motor."""

from __future__ import annotations

from mesh import Flat, Model, Point, Shape
from shapes import block, box, cross_plate, disc, lathe, plate, rod

HUB = 0.05  # height of the axles [m]


def damper(low: Point, high: Point, radius: float, spring: str, coils: int = 3) -> Model:
    """A coil spring around its damper, from the arm to the tower."""
    model = Model()
    at = [tuple(a + share * (b - a) for a, b in zip(low, high)) for share in (0.16, 0.78, 0.96)]
    first, last, cap = ((p[0], p[1], p[2]) for p in at)
    wave = [(radius * (1.0 if i % 2 else 0.72), i / (2 * coils)) for i in range(2 * coils + 1)]
    model.add(spring, along(lathe(wave, 6, 180.0), first, last))
    model.add("dark", along(lathe([(1.15 * radius, 0.0), (1.15 * radius, 1.0), (0.0, 1.0)], 6, 65.0), last, cap))
    return model


def along(shape: Shape, start: Point, end: Point) -> Shape:
    """A shape turned about y, whose y from 0 to 1 comes to lie between two points of equal x."""
    dy, dz = end[1] - start[1], end[2] - start[2]
    length = (dy * dy + dz * dz) ** 0.5
    c, s = dy / length, dz / length
    return shape.mapped(
        lambda p: (start[0] + p[0], start[1] + c * length * p[1] - s * p[2], start[2] + s * length * p[1] + c * p[2])
    )


def axle(x: float, ahead: int, spring: str, reach: float) -> Model:
    """Suspension of the wheels at x, whose inner faces are at ±`reach`; the tower of the springs stands on the side of `ahead`."""
    model = Model()
    # Differential, tower, drive shafts.
    model.add("dark", box((x - 0.024, -0.02, 0.026), (x + 0.024, 0.02, 0.066), 0.006))
    tower = [(-0.026, 0.05), (0.026, 0.05), (0.052, 0.096), (0.044, 0.102), (0.018, 0.084), (-0.018, 0.084), (-0.044, 0.102), (-0.052, 0.096)]
    model.add("dark", cross_plate(tower, x + ahead * 0.026 - 0.002, x + ahead * 0.026 + 0.002).creased(0.0))
    half = Model()
    half.add("metal", rod((x, 0.018, HUB), (x, reach - 0.004, HUB), 0.003, 4, False))
    arm = [(x - 0.024, 0.022), (x + 0.024, 0.022), (x + 0.012, reach), (x - 0.006, reach)]
    half.add("dark", plate(arm, 0.031, 0.038))
    half.add("dark", block((x - 0.011, reach - 0.009, 0.03), (x + 0.011, reach + 0.004, 0.07)))
    half.add("metal", rod((x - 0.01 * ahead, 0.018, 0.07), (x - 0.004 * ahead, reach - 0.003, 0.064), 0.0022, 4, False))
    half.merge(damper((x + ahead * 0.034, 0.064, 0.036), (x + ahead * 0.034, 0.044, 0.099), 0.0075, spring))
    model.merge(half, Shape.both)
    return model


def cooler(low: Point, size: tuple[float, float, float], fins: int) -> Model:
    """A heat sink with a fan on it: its lowest corner, and its length, width and height without the fan."""
    model = Model()
    (x, y, z), (long, wide, high) = low, size
    fin = block((x, y, z), (x + long, y + 0.04 * wide, z + high))
    model.add("metal", *(fin.moved(y=0.96 * wide * k / (fins - 1)) for k in range(fins)))
    top, half = z + high, 0.45 * min(long, wide)
    middle = (x + long / 2.0, y + wide / 2.0)
    model.add("black", block((middle[0] - half, middle[1] - half, top), (middle[0] + half, middle[1] + half, top + 0.007)))
    fan = disc(0.9 * half, 0.0, 14).turned(roll=90.0).moved(*middle, top + 0.0072)
    model.add("dark", fan)
    flat = [(0.3 * half, -0.12 * half), (0.85 * half, -0.35 * half), (0.85 * half, 0.05 * half), (0.3 * half, 0.12 * half)]
    blade = Shape([[(a, b, top + 0.008) for a, b in flat]])
    model.add("black", *(blade.turned(yaw=72.0 * k).moved(*middle) for k in range(5)))
    model.add("black", disc(0.35 * half, 0.0, 8).turned(roll=90.0).moved(*middle, top + 0.0085))
    return model


def antenna(x: float, y: float, low: float, high: float, lean: Flat) -> Model:
    """A rod antenna with its socket; `lean` is where its top is from its foot [m] in x and y."""
    model = Model()
    foot, neck = (x, y, low), (x + 0.08 * lean[0], y + 0.08 * lean[1], low + 0.1 * (high - low))
    model.add("metal", rod(foot, neck, 0.0035, 5, False))
    model.add("black", rod(neck, (x + lean[0], y + lean[1], high), 0.0042, 5))
    return model


def motor(x: float, y: float, z: float) -> Model:
    """A motor that lies along x, whose middle end is at x."""
    model = Model()
    can = lathe([(0.0, 0.0), (0.018, 0.001), (0.018, 0.047), (0.0, 0.048)], 11)
    model.add("metal", can.turned(yaw=90.0).moved(x, y, z))
    return model
