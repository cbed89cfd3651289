"""The MIT racecar: a Traxxas rally car of scale 1:10 whose body gave way to a deck with computer, lidar and camera.

Wheelbase 0.325 m, track 0.2 m, wheels of 0.1 m by 0.045 m, lidar at x = 0.265 m (racecar_description's URDF); the rest by eye.
"""

from __future__ import annotations

from mesh import Model, Shape
from shapes import block, box, disc, plate, rod, tube
from small_cars import antenna, axle, cooler, motor
from wheels import spoked_rim, tyre

BASE = 0.325
DECK = 0.086


def wheel() -> Model:
    """A wheel of 0.1 m by 0.045 m: rally tyre on a rim of many spokes."""
    model = Model()
    model.add("rubber", tyre(0.05, 0.045, 0.032, tread=0.0012))
    model.merge(spoked_rim(0.032, 0.045, 6, 0.008, 0.28, lean=11.0))
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
    model.merge(motor(0.1, -0.03, 0.048))
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
    model.merge(cooler((0.036, -0.0295, floor + 0.007), (0.081, 0.059, 0.019), 6))
    for low, high in ((-0.056, -0.04), (-0.036, -0.022), (-0.017, -0.003), (0.003, 0.02)):
        model.add("metal", block((-0.011, low, floor + 0.002), (0.012, high, floor + 0.014)))
    model.add("black", block((-0.008, 0.028, floor + 0.002), (0.01, 0.042, floor + 0.012)))
    for side in (-1, 1):
        model.merge(antenna(-0.03, side * 0.05, DECK + 0.004, 0.205, (-0.014, side * 0.012)))
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
    for part in (chassis(), axle(0.0, -1, "red", 0.078), axle(BASE, 1, "red", 0.078), deck(), computer()):
        model.merge(part)
    # The shaft between the axles.
    model.add("metal", rod((0.02, 0.0, 0.04), (BASE - 0.02, 0.0, 0.04), 0.0035, 5, False))
    return model
