"""Robots on wheels with rollers: a ROSbot XL on mecanum wheels, a Robotino on three omni wheels, a robot of the Small Size League on four."""

from __future__ import annotations

import math

from mesh import Model, Shape, arc, circle
from robot_parts import around, plain_tyre, ribs, roller, shell, sheet, slot, upright
from shapes import box, disc, lathe, plate, rod, tube


def mecanum_wheel(skew: float) -> Model:
    """A mecanum wheel of 0.1 m by 0.05 m, whose rollers at the top lie at `skew` [deg] from its direction of travel."""
    model = Model()
    model.add("rubber", around(roller(0.0125, 0.058, 0.05, skew, 6, 3), 8))
    cheek = lathe([(0.035, 0.016), (0.041, 0.019), (0.041, 0.0215), (0.022, 0.0215), (0.018, 0.0245), (0.0, 0.0245)], 16, 30.0)
    model.add("metal", cheek, lathe([(0.041, 0.019), (0.041, 0.0215), (0.0, 0.0215)], 16, 30.0).turned(yaw=180.0))
    model.add("metal", lathe([(0.022, -0.018), (0.022, 0.018)], 12))
    return model


def mecanum_wheel_left() -> Model:
    """Of the front left and the rear right."""
    return mecanum_wheel(45.0)


def mecanum_wheel_right() -> Model:
    """Of the front right and the rear left."""
    return mecanum_wheel(-45.0)


def rosbot_xl() -> Model:
    """A flat body between mecanum wheels: a dark lower tray, a painted hood, a deck of aluminium with a pattern of holes."""
    model = Model()
    low = [(-0.152, -0.08), (-0.13, -0.1), (0.13, -0.1), (0.152, -0.08), (0.152, 0.08), (0.13, 0.1), (-0.13, 0.1), (-0.152, 0.08)]
    model.add("dark", shell(low, [(0.012, 0.028), (0.0, 0.038), (0.0, 0.072)], 30.0))
    hood = [(-0.163, -0.088), (-0.14, -0.105), (0.14, -0.105), (0.163, -0.088), (0.163, 0.088), (0.14, 0.105), (-0.14, 0.105), (-0.163, 0.088)]
    model.add("paint", shell(hood, [(0.006, 0.07), (0.0, 0.074), (0.0, 0.108), (0.008, 0.116), (0.01, 0.116)], 30.0))
    # The deck stands clear of the hood.
    model.add("dark", shell(hood, [(0.014, 0.116), (0.014, 0.121)], 30.0))
    top = [(-0.15, -0.07), (-0.13, -0.092), (0.13, -0.092), (0.15, -0.07), (0.15, 0.07), (0.13, 0.092), (-0.13, 0.092), (-0.15, 0.07)]
    model.add("paint", shell(top, [(0.0, 0.121), (0.0, 0.1255), (0.0015, 0.127)], 20.0))
    model.add("metal", shell([(-0.1, -0.06), (0.1, -0.06), (0.1, 0.06), (-0.1, 0.06)], [(0.0, 0.127), (0.0, 0.129), (0.001, 0.13)], 20.0))
    for x in (-0.08, -0.04, 0.0, 0.04, 0.08):
        for y in (-0.04, 0.0, 0.04):
            model.add("black", sheet(circle(0.0058, 6), 0.1304).moved(x, y))
    # The band of lamps around the hood, the sides' covers over the motors, axles.
    for end in (-1.0, 1.0):
        at = sorted((end * 0.1625, end * 0.1645))
        model.add("lamp" if end > 0 else "brake_light", box((at[0], -0.06, 0.086), (at[1], 0.06, 0.093)))
    for x in (-0.085, 0.085):
        model.add("metal", rod((x, -0.118, 0.05), (x, 0.118, 0.05), 0.008, 6))
        model.add("black", box((x - 0.024, -0.106, 0.03), (x + 0.024, 0.106, 0.07), 0.004))
    # Two antennas and a display at the rear.
    for y in (-0.075, 0.075):
        model.add("black", upright([(0.006, 0.127), (0.005, 0.14), (0.0045, 0.2), (0.0, 0.203)], 8).moved(-0.14, y))
    model.add("black", box((-0.167, -0.035, 0.096), (-0.16, 0.035, 0.112), 0.001))
    return model


def omni_wheel(radius: float, width: float, count: int, size: float) -> Model:
    """An omni wheel: two rows of `count` barrels across its axle, those of one row amid those of the other; `size` is their largest radius."""
    model = Model()
    length = 0.82 * math.tau * (radius - size) / count
    row = around(roller(size, length, radius, 0.0, 6, 2), count)
    model.add("rubber", row.moved(y=-0.25 * width), row.turned(pitch=180.0 / count).moved(y=0.25 * width))
    hub, half = radius - 1.1 * size, width / 2.0
    dish = [
        (hub, 0.5 * half),
        (hub, 0.86 * half),
        (0.7 * hub, 0.86 * half),
        (0.6 * hub, 0.5 * half),
        (0.3 * hub, 0.5 * half),
        (0.26 * hub, half),
        (0.0, half),
    ]
    model.add("rim", lathe(dish, 14, 30.0), disc(hub, 0.8 * half, 14).turned(yaw=180.0), lathe([(hub, -0.8 * half), (hub, 0.5 * half)], 14))
    return model


def robotino_wheel() -> Model:
    """A wheel of 0.08 m by 0.03 m."""
    return omni_wheel(0.04, 0.03, 7, 0.0085)


def ring(inner: float, outer: float, low: float, high: float, corners: int, bevel: float) -> Shape:
    """An upright ring with bevelled outer edges."""
    profile = [(inner, low), (outer - bevel, low), (outer, low + bevel), (outer, high - bevel), (outer - bevel, high), (inner, high)]
    return upright(profile, corners, 35.0)


def robotino() -> Model:
    """A round body of 0.36 m: a rubber bumper at the height of its wheels, a drum, a deck with slots, a tower with handle."""
    model = Model()
    corners = 26
    # The lower plate, and between the wheels the covers of the motors.
    model.add("dark", upright([(0.0, 0.02), (0.155, 0.02), (0.165, 0.026), (0.165, 0.034)], corners, 35.0))
    model.add("dark", upright([(0.104, 0.034), (0.104, 0.09)], 20))
    for angle in (0.0, 120.0, 240.0):
        model.add("dark", box((0.09, -0.075, 0.034), (0.15, 0.075, 0.088), 0.006).turned(yaw=angle))
    model.add("black", ring(0.165, 0.18, 0.03, 0.066, corners, 0.007))
    model.add("paint", upright([(0.0, 0.088), (0.16, 0.088), (0.172, 0.094), (0.172, 0.172), (0.16, 0.186), (0.15, 0.187)], corners, 35.0))
    # A panel around the drum, with the eyes of its distance sensors.
    for i in range(9):
        model.add("black", box((0.17, -0.011, 0.112), (0.1745, 0.011, 0.126), 0.001).turned(yaw=20.0 + 40.0 * i))
    model.add("metal", upright([(0.15, 0.187), (0.15, 0.194), (0.146, 0.197), (0.0, 0.197)], corners, 35.0))
    for y in (-0.09, -0.03, 0.03, 0.09):
        model.add("black", slot(0.03, y, 0.2 - 0.9 * abs(y), 0.012, 0.1975))
    # The tower with computer, display and antennas, and the handles beside it.
    model.add("dark", box((-0.13, -0.07, 0.197), (-0.055, 0.07, 0.28), 0.008))
    model.add("black", box((-0.053, -0.045, 0.222), (-0.0535, 0.045, 0.265)), box((-0.056, -0.045, 0.222), (-0.0525, 0.045, 0.265), 0.001))
    model.add("paint", box((-0.132, -0.072, 0.276), (-0.053, 0.072, 0.289), 0.005))
    for y in (-1.0, 1.0):
        bar = [
            (-0.085, y * 0.115, 0.195),
            (-0.085, y * 0.115, 0.235),
            (-0.075, y * 0.115, 0.248),
            (0.055, y * 0.115, 0.248),
            (0.065, y * 0.115, 0.235),
            (0.065, y * 0.115, 0.195),
        ]
        model.add("metal", tube(bar, 0.006, 6))
    return model


def soccer_wheel() -> Model:
    """A wheel of 0.065 m by 0.005 m: many small rollers on a thin disc."""
    model = Model()
    model.add("rubber", plain_tyre(0.0312, 0.005, 0.022, 24, 0.2), ribs(0.0325, 0.0054, 0.004, 0.0042, 20, has_ends=True))
    model.add(
        "rim",
        lathe([(0.0235, 0.0026), (0.02, 0.0014), (0.009, 0.0014), (0.008, 0.0032), (0.0, 0.0034)], 18, 30.0),
        disc(0.0235, 0.0026, 18).turned(yaw=180.0),
    )
    hole = disc(0.0032, 0.0018, 6).moved(z=0.0145)
    model.add("rubber", around(hole, 6))
    return model


def soccer_robot() -> Model:
    """A drum of 0.18 m with a flat front, kicker and dribbler below it; its number is told by the spots on its lid."""
    model = Model()
    front = 0.073
    edge = math.degrees(math.acos(front / 0.088))
    drum = arc((0.0, 0.0), 0.088, edge, 360.0 - edge, 28)
    model.add("metal", plate(circle(0.078, 20), 0.012, 0.017))
    # The frame of the motors, and the drum above the wheels.
    model.add("dark", plate([(x * 0.66, y * 0.66) for x, y in drum], 0.017, 0.07))
    model.add("paint", shell(drum, [(0.0, 0.066), (0.0, 0.144), (0.004, 0.149), (0.006, 0.149)], 30.0))
    # Apron between the wheels, as the rules ask for a closed hull.
    for start, end in ((84, 112), (156, 204), (248, 276)):
        part = arc((0.0, 0.0), 0.0875, start, end, 4)
        model.add("paint", plate([*part, *[(0.93 * x, 0.93 * y) for x, y in part[::-1]]], 0.022, 0.067))
    # Dribbler and kicker.
    model.add("metal", rod((0.066, -0.036, 0.041), (0.066, 0.036, 0.041), 0.003, 6))
    model.add("amber", rod((0.066, -0.03, 0.041), (0.066, 0.03, 0.041), 0.0075, 10))
    model.add("metal", box((0.05, -0.025, 0.016), (0.07, 0.025, 0.03), 0.002))
    for y in (-1.0, 1.0):
        model.add("dark", box((0.045, min(y * 0.036, y * 0.041), 0.017), (0.073, max(y * 0.036, y * 0.041), 0.066), 0.001))
    # The spots: the team in the middle, its number around.
    model.add("blue", sheet(circle(0.025, 16), 0.1494))
    for (x, y), name in zip(((0.033, 0.05), (0.033, -0.05), (-0.05, 0.033), (-0.05, -0.033)), ("green", "pink", "pink", "pink")):
        model.add(name, sheet(circle(0.019, 14), 0.1494).moved(x, y))
    return model
