"""Robots for rooms on two driven wheels: a cleaner's base (the Create), a base whose lidar looks out of a slit, and one with a ring of sonars."""

from __future__ import annotations

import math

from mesh import Flat, Model, arc, circle, cos_sin
from robot_parts import around, ball, disc_rim, plain_tyre, sheet, shell, slot, standoffs, upright
from shapes import box, disc, lathe, loft, rod, side_plate


def create_wheel() -> Model:
    """A wheel of 0.066 m by 0.02 m."""
    model = Model()
    model.add("rubber", plain_tyre(0.033, 0.02, 0.024, 18))
    disc_rim(model, 0.025, 0.008, "plastic", 5, 0.6, 0.18, 16)
    return model


def create() -> Model:
    """A flat disc of 0.33 m: bumper all along its front, a bay for cargo behind, buttons, a castor."""
    model = Model()
    corners, radius = 34, 0.165
    model.add("dark", upright([(0.0, 0.012), (0.135, 0.012), (0.152, 0.02), (0.152, 0.03)], corners, 30.0))
    model.add(
        "paint", upright([(0.12, 0.03), (0.16, 0.03), (0.162, 0.034), (0.162, 0.074), (0.155, 0.083), (0.142, 0.087), (0.0, 0.087)], corners, 30.0)
    )
    # The bumper: half a ring that stands out ahead.
    levels = [(0.16, 0.022), (radius, 0.026), (radius, 0.066), (0.162, 0.07)]
    rings = [[(x, y, z) for x, y in arc((0.0, 0.0), r, -92.0, 92.0, 22)] for r, z in levels]
    model.add("plastic", loft(rings, closed=False, crease=30.0))
    # The bay, its walls and screw holes.
    bay = [(-0.03, -0.07), (-0.03, 0.07), (-0.118, 0.085), (-0.14, 0.055), (-0.148, 0.0), (-0.14, -0.055), (-0.118, -0.085)]
    model.add("dark", sheet(bay, 0.0882))
    for x, y in ((-0.045, 0.055), (-0.045, -0.055), (-0.115, 0.06), (-0.115, -0.06)):
        model.add("metal", upright([(0.006, 0.0875), (0.006, 0.0905), (0.0, 0.0905)], 8).moved(x, y))
    model.add("plastic", box((-0.1, -0.014, 0.086), (-0.06, 0.014, 0.098), 0.002))
    # A seam around the lid, the buttons, the eye ahead.
    model.add("plastic", upright([(0.133, 0.0868), (0.1332, 0.0878), (0.1368, 0.0878), (0.137, 0.0868)], corners, 30.0))
    model.add("plastic", upright([(0.026, 0.087), (0.026, 0.0895), (0.0, 0.0895)], 18, 30.0).moved(0.045))
    model.add("lamp", sheet(circle(0.017, 14), 0.0899).moved(0.045))
    for y in (-0.045, 0.045):
        model.add("plastic", upright([(0.011, 0.087), (0.011, 0.089), (0.0, 0.089)], 12, 30.0).moved(0.045, y))
    model.add("black", upright([(0.012, 0.087), (0.012, 0.098), (0.008, 0.101), (0.0, 0.101)], 12, 30.0).moved(0.138))
    # The castor.
    model.add("black", ball(0.012, 0.12, 0.0, 8))
    return model


def diffbot_wheel() -> Model:
    """A wheel of 0.2 m by 0.05 m."""
    model = Model()
    model.add("rubber", plain_tyre(0.1, 0.05, 0.07, 22, 0.16))
    model.add("rim", lathe([(0.071, 0.02), (0.063, 0.012), (0.024, 0.009), (0.02, 0.023), (0.0, 0.025)], 18, 30.0))
    model.add("rim", disc(0.071, 0.018, 16).turned(yaw=180.0))
    model.add("rubber", around(disc(0.0095, 0.0112, 6).moved(z=0.043), 6))
    return model


def lifted(outline: list[Flat], by: float) -> list[Flat]:
    """An outline with its corners cut, `by` each."""
    result: list[Flat] = []
    for i, (x, y) in enumerate(outline):
        for ox, oy in (outline[i - 1], outline[(i + 1) % len(outline)]):
            length = math.sqrt((ox - x) ** 2 + (oy - y) ** 2)
            result.append((x + by * (ox - x) / length, y + by * (oy - y) / length))
    return result


HULL = [(-0.25, -0.17), (0.2, -0.17), (0.25, -0.1), (0.25, 0.1), (0.2, 0.17), (-0.25, 0.17)]


def diffbot() -> Model:
    """A base for carrying, 0.5 m long: a hull, low in front where the lidar stands, with a tray on posts behind it."""
    model = Model()
    hull = lifted(HULL, 0.025)
    model.add("dark", shell(hull, [(0.014, 0.05), (0.006, 0.056), (0.006, 0.085)], 30.0))
    model.add("paint", shell(hull, [(0.004, 0.08), (0.0, 0.085), (0.0, 0.222), (0.014, 0.238), (0.016, 0.238)], 30.0))
    # The lidar's foot, and strips to screw things to.
    model.add("black", upright([(0.05, 0.238), (0.046, 0.25), (0.036, 0.266), (0.0, 0.266)], 18, 30.0).moved(0.1))
    for y in (-0.11, 0.11):
        model.add("dark", slot(0.08, y, 0.14, 0.022, 0.2385))
    # The tray, its edge and posts.
    tray = lifted([(-0.24, -0.16), (0.015, -0.16), (0.015, 0.16), (-0.24, 0.16)], 0.02)
    model.add("metal", standoffs([(-0.215, -0.135), (-0.215, 0.135), (-0.01, -0.135), (-0.01, 0.135)], 0.238, 0.33, 0.008, 6))
    model.add("black", box((-0.19, -0.1, 0.238), (-0.04, 0.1, 0.3), 0.008))
    board = shell(tray, [(0.004, 0.328), (0.0, 0.332), (0.0, 0.35), (0.003, 0.352), (0.008, 0.352), (0.01, 0.342), (0.011, 0.342)], 30.0)
    board.polygons.append([(x, y, 0.328) for x, y in tray][::-1])
    model.add("paint", board)
    for y in (-0.08, 0.0, 0.08):
        model.add("dark", slot(-0.115, y, 0.2, 0.02, 0.3425))
    # Wheel arches, castors, lamps ahead and behind, a bumper.
    for y in (-1.0, 1.0):
        low, high = sorted((y * 0.166, y * 0.1715))
        arch = [(-0.118, 0.06), *arc((0.0, 0.1), 0.118, 180.0, 0.0, 8), (0.118, 0.06)]
        model.add("dark", side_plate(arch[::-1], low, high))
        low, high = sorted((y * 0.05, y * 0.085))
        model.add("lamp", box((0.248, low, 0.165), (0.253, high, 0.182), 0.002))
        low, high = sorted((y * 0.1, y * 0.145))
        model.add("brake_light", box((-0.253, low, 0.18), (-0.248, high, 0.2), 0.002))
    model.add("black", box((0.24, -0.095, 0.085), (0.258, 0.095, 0.115), 0.006))
    for x in (-0.2, 0.19):
        model.add("black", standoffs([(x, 0.0)], 0.04, 0.055, 0.016, 8), ball(0.024, x, 0.0, 8))
    return model


def castor_wheel() -> Model:
    """A wheel of 0.08 m by 0.03 m."""
    model = Model()
    model.add("rubber", plain_tyre(0.04, 0.03, 0.026, 16, 0.16))
    for side in (0.0, 180.0):
        model.add("rim", lathe([(0.027, 0.011), (0.01, 0.006), (0.008, 0.014), (0.0, 0.014)], 12, 30.0).turned(yaw=side))
        model.add("rubber", around(disc(0.004, 0.0095, 5).moved(z=0.0185), 4).turned(yaw=side))
    return model


def castor_robot() -> Model:
    """A base with a castor behind: rounded hull, black deck, sonars around its nose."""
    model = Model()
    turns = map(cos_sin, (-90.0, -66.0, -42.0, -18.0, 18.0, 42.0, 66.0, 90.0))
    nose = [(0.05 + 0.1 * c, 0.15 * s) for c, s in turns]
    hull = [(-0.35, -0.09), (-0.3, -0.15), *nose, (-0.3, 0.15), (-0.35, 0.09)]
    short = [(-0.24, -0.15), *nose, (-0.24, 0.15)]
    model.add("dark", shell(short, [(0.012, 0.052), (0.004, 0.06), (0.004, 0.1)], 30.0))
    model.add("paint", shell(hull, [(0.006, 0.1), (0.0, 0.106), (0.0, 0.205), (0.006, 0.212)], 30.0))
    model.add("dark", shell(hull, [(-0.004, 0.212), (-0.004, 0.25), (0.004, 0.256)], 30.0))
    model.add("paint", shell(hull, [(0.008, 0.256), (0.008, 0.278), (0.018, 0.286), (0.019, 0.286)], 30.0))
    # The deck, with a handle across, slots, a switch.
    for y in (-0.07, 0.0, 0.07):
        model.add("dark", slot(-0.07, y, 0.26, 0.014, 0.2865))
    model.add(
        "metal", rod((-0.3, -0.07, 0.302), (-0.3, 0.07, 0.302), 0.008, 8), *(rod((-0.3, y, 0.284), (-0.3, y, 0.302), 0.006, 6) for y in (-0.06, 0.06))
    )
    model.add("red", upright([(0.013, 0.286), (0.015, 0.294), (0.0, 0.299)], 10).moved(-0.24, 0.105))
    # Sonars: a gold disc in a ring each, in the faces of the black band.
    eye = lathe([(0.016, 0.0), (0.016, 0.005), (0.0125, 0.006), (0.011, 0.003), (0.0, 0.003)], 12, 30.0)
    for (ax, ay), (bx, by) in zip(nose, nose[1:]):
        out = math.degrees(math.atan2(by - ay, bx - ax)) - 90.0
        c, s = cos_sin(out)
        x, y = (ax + bx) / 2 + 0.004 * c, (ay + by) / 2 + 0.004 * s
        model.add("copper", eye.turned(yaw=out - 90.0).moved(x, y, 0.233))
    # Axle and the castor's fork.
    model.add("metal", rod((0.0, -0.18, 0.1), (0.0, 0.18, 0.1), 0.012, 8))
    for y in (-1.0, 1.0):
        low, high = sorted((y * 0.0165, y * 0.0195))
        model.add("metal", side_plate([(-0.312, 0.036), (-0.288, 0.036), (-0.272, 0.088), (-0.328, 0.088)], low, high))
    model.add("metal", box((-0.328, -0.0195, 0.086), (-0.272, 0.0195, 0.1)))
    return model


def round_robot() -> Model:
    """A round base of 0.36 m with two plates on posts above it, as students build upon."""
    model = Model()
    corners = 26
    model.add("dark", upright([(0.0, 0.05), (0.15, 0.05), (0.16, 0.056), (0.16, 0.075)], corners, 30.0))
    model.add("paint", upright([(0.14, 0.075), (0.166, 0.075), (0.168, 0.079), (0.168, 0.125), (0.16, 0.135), (0.0, 0.135)], corners, 30.0))
    # The bumper around its front.
    levels = [(0.166, 0.07), (0.174, 0.074), (0.174, 0.104), (0.166, 0.108)]
    rings = [[(x, y, z) for x, y in arc((0.0, 0.0), r, -62.0, 62.0, 14)] for r, z in levels]
    model.add("black", loft(rings, closed=False, crease=30.0))
    posts = [(0.1, 0.09), (0.1, -0.09), (-0.11, 0.09), (-0.11, -0.09)]
    for low, high in ((0.135, 0.2), (0.206, 0.288)):
        model.add("metal", standoffs(posts, low, high, 0.006, 6))
    model.add("dark", upright([(0.0, 0.2), (0.15, 0.2), (0.15, 0.206), (0.0, 0.206)], corners, 30.0))
    model.add("paint", upright([(0.0, 0.288), (0.158, 0.288), (0.16, 0.29), (0.16, 0.294), (0.158, 0.296), (0.0, 0.296)], corners, 30.0))
    # What it carries: a battery, a computer; holes in the upper plate.
    model.add("black", box((-0.09, -0.06, 0.206), (0.03, 0.06, 0.232), 0.005))
    model.add("metal", box((-0.08, -0.045, 0.135), (0.02, 0.045, 0.165), 0.004))
    hole = sheet(circle(0.007, 6), 0.2965)
    for k in range(12):
        model.add("dark", hole.moved(0.06 + 0.07 * (k % 2)).turned(yaw=30.0 * k))
    for x in (-0.13, 0.13):
        model.add("black", standoffs([(x, 0.0)], 0.04, 0.055, 0.014, 8), ball(0.024, x, 0.0, 8))
    return model
