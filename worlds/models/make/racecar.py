"""The MIT racecar: a Traxxas rally car of scale 1:10 whose body gave way to a deck with computer, lidar and camera.

Wheelbase 0.325 m, track 0.2 m, wheels of 0.1 m by 0.045 m, lidar at x = 0.265 m (racecar_description's URDF); the rest by eye.
"""

from __future__ import annotations

from mesh import Model, Point, Shape
from shapes import block, box, cross_plate, disc, lathe, plate, rod, tube
from wheels import spoked_rim, tyre

BASE = 0.325
HUB = 0.05
DECK = 0.086


def wheel() -> Model:
    """A wheel of 0.1 m by 0.045 m: rally tyre on a rim of many spokes."""
    model = Model()
    model.add("rubber", tyre(0.05, 0.045, 0.032, tread=0.0012))
    model.merge(spoked_rim(0.032, 0.045, 6, 0.008, 0.28, lean=11.0))
    return model


def damper(low: Point, high: Point, radius: float, coils: int = 3) -> Model:
    """A coil spring around its damper, from the arm to the tower."""
    model = Model()
    at = [tuple(a + share * (b - a) for a, b in zip(low, high)) for share in (0.16, 0.78, 0.96)]
    first, last, cap = ((p[0], p[1], p[2]) for p in at)
    wave = [(radius * (1.0 if i % 2 else 0.72), i / (2 * coils)) for i in range(2 * coils + 1)]
    model.add("red", along(lathe(wave, 6, 180.0), first, last))
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


def axle(x: float, ahead: int) -> Model:
    """Suspension of the wheels at x; the arms' tower stands on the side of `ahead`."""
    model = Model()
    # Differential, tower, drive shafts.
    model.add("dark", box((x - 0.024, -0.02, 0.026), (x + 0.024, 0.02, 0.066), 0.006))
    tower = [(-0.026, 0.05), (0.026, 0.05), (0.052, 0.096), (0.044, 0.102), (0.018, 0.084), (-0.018, 0.084), (-0.044, 0.102), (-0.052, 0.096)]
    model.add("dark", cross_plate(tower, x + ahead * 0.026 - 0.002, x + ahead * 0.026 + 0.002).creased(0.0))
    half = Model()
    half.add("metal", rod((x, 0.018, HUB), (x, 0.074, HUB), 0.003, 4, False))
    arm = [(x - 0.024, 0.022), (x + 0.024, 0.022), (x + 0.012, 0.078), (x - 0.006, 0.078)]
    half.add("dark", plate(arm, 0.031, 0.038))
    half.add("dark", block((x - 0.011, 0.07, 0.03), (x + 0.011, 0.082, 0.07)))
    half.add("metal", rod((x - 0.01 * ahead, 0.018, 0.07), (x - 0.004 * ahead, 0.076, 0.064), 0.0022, 4, False))
    half.merge(damper((x + ahead * 0.034, 0.064, 0.036), (x + ahead * 0.034, 0.044, 0.099), 0.0075))
    model.merge(half, Shape.both)
    return model


def chassis() -> Model:
    """Tub, bumpers, battery, motor and its controller."""
    model = Model()
    tub = [(-0.075, -0.024), (-0.04, -0.026), (0.035, -0.058), (0.26, -0.058), (0.3, -0.03), (0.385, -0.026)]
    tub += [(x, -y) for x, y in tub[::-1]]
    model.add("dark", plate(tub, 0.022, 0.028))
    model.add("dark", block((0.04, 0.053, 0.026), (0.255, 0.058, 0.042)).both())
    front = [(0.372, -0.03), (0.385, -0.088), (0.402, -0.088), (0.42, -0.05), (0.42, 0.05), (0.402, 0.088), (0.385, 0.088), (0.372, 0.03)]
    model.add("black", plate(front, 0.028, 0.06, 0.005))
    back = [(-0.09, -0.05), (-0.07, -0.06), (-0.066, 0.0), (-0.07, 0.06), (-0.09, 0.05)]
    model.add("black", plate(back, 0.028, 0.05, 0.005))
    model.add("brake_light", block((-0.0925, 0.026, 0.034), (-0.088, 0.046, 0.044)).both())
    # Battery on the left, motor and controller on the right.
    model.add("yellow", box((0.075, 0.008, 0.028), (0.225, 0.05, 0.058), 0.004))
    model.add("black", block((0.11, 0.0078, 0.03), (0.126, 0.0502, 0.0585)))
    can = lathe([(0.0, 0.0), (0.018, 0.001), (0.018, 0.047), (0.0, 0.048)], 11)
    model.add("metal", can.turned(yaw=90.0).moved(0.1, -0.03, 0.048))
    model.add("black", block((0.12, -0.05, 0.028), (0.19, -0.01, 0.048)))
    for k in range(3):
        y = -0.02 - 0.009 * k
        model.add(("red", "yellow", "black")[k], tube([(0.097, y, 0.055), (0.11, y, 0.066), (0.13, y, 0.058), (0.135, y, 0.046)], 0.0018, 5, False))
    # Servo.
    model.add("black", block((0.232, -0.045, 0.028), (0.27, -0.02, 0.058)))
    return model


def computer() -> Model:
    """A Jetson on its carrier board: heat sink with fan, sockets at the back, two antennas."""
    model = Model()
    floor = DECK + 0.014
    model.add("board", box((-0.005, -0.062, floor), (0.135, 0.062, floor + 0.002)))
    model.add("dark", block((0.035, -0.03, floor + 0.002), (0.118, 0.03, floor + 0.007)))
    fin = block((0.036, -0.0295, floor + 0.007), (0.117, -0.0275, floor + 0.026))
    model.add("metal", *(fin.moved(y=0.0114 * k) for k in range(6)))
    top = floor + 0.026
    model.add("black", block((0.05, -0.026, top), (0.104, 0.026, top + 0.007)))
    fan = disc(0.0235, 0.0, 14).turned(roll=90.0).moved(0.077, 0.0, top + 0.0072)
    model.add("dark", fan)
    blade = Shape([[(0.008, -0.003, top + 0.008), (0.022, -0.009, top + 0.008), (0.022, 0.001, top + 0.008), (0.008, 0.003, top + 0.008)]])
    for k in range(5):
        model.add("black", blade.turned(yaw=360.0 * k / 5).moved(0.077))
    model.add("black", disc(0.009, 0.0, 8).turned(roll=90.0).moved(0.077, 0.0, top + 0.0085))
    for low, high in ((-0.056, -0.04), (-0.036, -0.022), (-0.017, -0.003), (0.003, 0.02)):
        model.add("metal", block((-0.011, low, floor + 0.002), (0.012, high, floor + 0.014)))
    model.add("black", block((-0.008, 0.028, floor + 0.002), (0.01, 0.042, floor + 0.012)))
    for side in (-1, 1):
        low, high = (-0.03, side * 0.05, DECK + 0.002), (-0.044, side * 0.062, 0.205)
        model.add("metal", rod(low, (-0.0312, side * 0.051, DECK + 0.012), 0.0035, 5, False))
        model.add("black", rod((-0.0312, side * 0.051, DECK + 0.012), high, 0.0042, 5))
    return model


def deck() -> Model:
    """The plate above the tub on its standoffs, with a hub for USB and the inertial sensor; the lidar stands in front."""
    model = Model()
    outline = [(-0.07, -0.05), (-0.045, -0.07), (0.215, -0.07), (0.262, -0.038), (0.335, -0.038), (0.35, -0.026)]
    outline += [(x, -y) for x, y in outline[::-1]]
    model.add("paint", plate(outline, DECK, DECK + 0.004, 0.0012))
    for x, y in ((-0.052, 0.042), (0.09, 0.056), (0.21, 0.056), (0.34, 0.02)):
        for side in (-1, 1):
            model.add("metal", rod((x, side * y, 0.026), (x, side * y, DECK), 0.003, 4, False))
            model.add("metal", disc(0.004, 0.0, 5).turned(roll=90.0).moved(x, side * y, DECK + 0.0045))
    model.add("metal", box((0.16, -0.062, DECK + 0.004), (0.185, 0.03, DECK + 0.02), 0.003))
    socket = Shape([[(0.1853, y, DECK + z) for y, z in ((-0.055, 0.008), (-0.042, 0.008), (-0.042, 0.015), (-0.055, 0.015))]])
    model.add("black", *(socket.moved(y=0.02 * k) for k in range(4)))
    model.add("red", block((0.197, -0.018, DECK + 0.004), (0.222, 0.012, DECK + 0.008)))
    cable = [(0.187, -0.028, DECK + 0.012), (0.21, -0.03, DECK + 0.013), (0.232, -0.022, DECK + 0.012), (0.245, -0.01, DECK + 0.01)]
    model.add("black", tube(cable, 0.002, 4, False))
    # From the battery to the computer.
    cord = [(0.2, 0.04, 0.05), (0.212, 0.066, 0.06), (0.19, 0.076, 0.088), (0.15, 0.068, 0.104), (0.132, 0.05, 0.104)]
    model.add("red", tube(cord, 0.002, 4, False))
    model.add("black", tube([(x + 0.006, y, z) for x, y, z in cord], 0.002, 4, False))
    return model


def body() -> Model:
    """Everything but the wheels; the origin is below the middle of the rear axle."""
    model = Model()
    for part in (chassis(), axle(0.0, -1), axle(BASE, 1), deck(), computer()):
        model.merge(part)
    # The shaft between the axles.
    model.add("metal", rod((0.02, 0.0, 0.04), (BASE - 0.02, 0.0, 0.04), 0.0035, 5, False))
    return model
