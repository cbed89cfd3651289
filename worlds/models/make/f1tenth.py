"""The F1TENTH car: a Traxxas Slash of scale 1:10, without its body, under a platform with computer, power board and lidar.

Wheelbase 0.3302 m, track 0.2032 m, wheels of 0.1016 m by 0.0381 m, 0.58 m long (f1tenth_gym and its ROS bridge); the rest by eye.
"""

from __future__ import annotations

from mesh import Model
from shapes import block, box, disc, plate, rod, tube
from small_cars import antenna, axle, cooler, motor
from wheels import spoked_rim, tyre

BASE = 0.3302
DECK = 0.074


def wheel() -> Model:
    """A short-course wheel of 0.1016 m by 0.0381 m."""
    model = Model()
    model.add("rubber", tyre(0.0508, 0.0381, 0.033, tread=0.0016))
    model.merge(spoked_rim(0.033, 0.0381, 5, 0.0085, 0.34, lean=13.0))
    return model


def chassis() -> Model:
    """Tub with running boards, bumpers of a short-course truck, battery, motor and its controller."""
    model = Model()
    tub = [(-0.09, -0.024), (0.03, -0.03), (0.06, -0.052), (0.26, -0.052), (0.3, -0.03), (0.4, -0.026)]
    model.add("dark", plate(tub + [(x, -y) for x, y in tub[::-1]], 0.022, 0.028))
    board = [(0.075, 0.052), (0.255, 0.052), (0.235, 0.105), (0.095, 0.105)]
    model.add("black", plate(board, 0.03, 0.036).both())
    rail = [(0.085, 0.1, 0.034), (0.1, 0.11, 0.042), (0.23, 0.11, 0.042), (0.245, 0.1, 0.034)]
    model.add("black", tube(rail, 0.004, 4, False).both())
    front = [(0.39, -0.03), (0.405, -0.105), (0.425, -0.105), (0.452, -0.055), (0.452, 0.055), (0.425, 0.105), (0.405, 0.105), (0.39, 0.03)]
    model.add("black", plate(front, 0.03, 0.046, 0.004))
    hoop = [(0.405, -0.08, 0.046), (0.425, -0.07, 0.07), (0.432, -0.04, 0.076), (0.432, 0.04, 0.076), (0.425, 0.07, 0.07), (0.405, 0.08, 0.046)]
    model.add("black", tube(hoop, 0.005, 4, False))
    back = [(-0.122, -0.075), (-0.1, -0.09), (-0.085, -0.03), (-0.085, 0.03), (-0.1, 0.09), (-0.122, 0.075)]
    model.add("black", plate(back, 0.032, 0.05, 0.004))
    model.add("brake_light", block((-0.125, 0.035, 0.037), (-0.12, 0.065, 0.046)).both())
    model.add("blue", box((0.08, 0.004, 0.028), (0.225, 0.048, 0.055), 0.003))
    model.add("dark", block((0.11, 0.0038, 0.03), (0.125, 0.0482, 0.0555)))
    model.merge(motor(0.095, -0.028, 0.046))
    model.add("metal", block((0.125, -0.05, 0.028), (0.2, -0.008, 0.046)))
    for k in range(3):
        y = -0.018 - 0.009 * k
        path = [(0.093, y, 0.053), (0.107, y, 0.064), (0.13, y, 0.056), (0.135, y, 0.044)]
        model.add(("blue", "black", "dark")[k], tube(path, 0.0018, 4, False))
    model.add("black", block((0.235, -0.045, 0.028), (0.272, -0.02, 0.056)))
    return model


def platform() -> Model:
    """The deck on its standoffs: power board behind, computer in the middle, room for the lidar in front."""
    model = Model()
    outline = [(-0.105, -0.045), (-0.09, -0.06), (0.225, -0.06), (0.245, -0.048), (0.335, -0.048), (0.35, -0.034)]
    model.add("paint", plate(outline + [(x, -y) for x, y in outline[::-1]], DECK, DECK + 0.005))
    for x, y in ((-0.085, 0.045), (0.05, 0.048), (0.21, 0.048), (0.335, 0.025)):
        for side in (-1, 1):
            model.add("metal", rod((x, side * y, 0.026), (x, side * y, DECK), 0.003, 4, False))
            model.add("metal", disc(0.004, 0.0, 5).turned(roll=90.0).moved(x, side * y, DECK + 0.0055))
    top = DECK + 0.005
    # Power board, with its plugs and switch.
    floor = top + 0.008
    model.add("board", box((-0.075, -0.045, floor), (0.02, 0.045, floor + 0.002)))
    for y in (-0.034, 0.012):
        model.add("yellow", block((-0.072, y, floor + 0.002), (-0.056, y + 0.014, floor + 0.012)))
    model.add("black", block((-0.045, -0.03, floor + 0.002), (-0.015, 0.005, floor + 0.012)), block((0.0, -0.036, floor + 0.002), (0.014, -0.02, floor + 0.01)))
    model.add("metal", block((-0.04, 0.014, floor + 0.002), (-0.016, 0.038, floor + 0.009)))
    model.add("red", block((0.0, 0.02, floor + 0.002), (0.012, 0.036, floor + 0.01)))
    # A Jetson with its carrier board.
    floor = top + 0.01
    model.add("board", box((0.045, -0.05, floor), (0.15, 0.05, floor + 0.002)))
    model.add("dark", block((0.068, -0.034, floor + 0.002), (0.138, 0.034, floor + 0.008)))
    model.merge(cooler((0.07, -0.032, floor + 0.008), (0.066, 0.064, 0.017), 6))
    for low, high in ((-0.046, -0.03), (-0.022, -0.004), (0.006, 0.036)):
        model.add("metal", block((0.039, low, floor + 0.002), (0.058, high, floor + 0.014)))
    for side in (-1, 1):
        model.merge(antenna(-0.088, side * 0.03, top, 0.2, (-0.01, side * 0.022)))
    # To the lidar, and from the battery.
    cable = [(0.15, -0.03, floor + 0.006), (0.18, -0.034, top + 0.004), (0.215, -0.028, top + 0.004), (0.25, -0.012, top + 0.006)]
    model.add("black", tube(cable, 0.0022, 4, False))
    cord = [(0.2, 0.045, 0.05), (0.16, 0.072, 0.062), (0.06, 0.07, top + 0.004), (-0.02, 0.056, top + 0.016), (-0.064, 0.03, top + 0.016)]
    model.add("red", tube(cord, 0.002, 4, False))
    model.add("black", tube([(x + 0.006, y, z) for x, y, z in cord], 0.002, 4, False))
    return model


def body() -> Model:
    """Everything but the wheels; the origin is below the middle of the rear axle."""
    model = Model()
    for part in (chassis(), axle(0.0, -1, "blue", 0.0816), axle(BASE, 1, "blue", 0.0816), platform()):
        model.merge(part)
    model.add("metal", rod((0.02, 0.0, 0.04), (BASE - 0.02, 0.0, 0.04), 0.0035, 5, False))
    return model
