"""A skid-steer robot for open ground: a yellow hull between four knobbed tyres, bumpers, a deck with rails of round bar."""

from __future__ import annotations

from mesh import Model
from robot_parts import corners_of, plain_tyre, ribs, shell, slot, standoffs, upright
from shapes import box, disc, lathe, rod, tube


def wheel() -> Model:
    """A wheel of 0.2 m by 0.06 m."""
    model = Model()
    model.add("rubber", plain_tyre(0.094, 0.06, 0.055, 20, 0.2))
    lug = ribs(0.1, 0.034, 0.012, 0.018, 12, has_ends=True)
    model.add("rubber", lug.moved(y=-0.0125), lug.turned(pitch=15.0).moved(y=0.0125))
    model.add("rim", lathe([(0.056, 0.026), (0.05, 0.014), (0.022, 0.012), (0.02, 0.027), (0.014, 0.031), (0.0, 0.031)], 20, 30.0))
    model.add("rim", disc(0.056, 0.02, 16).turned(yaw=180.0))
    for i in range(6):
        model.add("rubber", disc(0.006, 0.0135, 6).moved(z=0.035).turned(pitch=60.0 * i))
    return model


def body() -> Model:
    """All but the wheels, whose middle is at the origin."""
    model = Model()
    hull = [(-0.235, -0.105), (-0.205, -0.158), (0.205, -0.158), (0.235, -0.105), (0.235, 0.105), (0.205, 0.158), (-0.205, 0.158), (-0.235, 0.105)]
    model.add("dark", shell(hull, [(0.02, 0.058), (0.0, 0.075), (0.0, 0.128)], 30.0))
    model.add("paint", shell(hull, [(-0.004, 0.128), (-0.004, 0.2), (0.014, 0.218), (0.03, 0.2185)], 30.0))
    # The deck, with slots to screw things to.
    deck = [(-0.19, -0.115), (0.19, -0.115), (0.19, 0.115), (-0.19, 0.115)]
    model.add("dark", shell(deck, [(0.0, 0.218), (0.0, 0.225), (0.003, 0.228)], 20.0))
    for y in (-0.08, -0.04, 0.0, 0.04, 0.08):
        model.add("black", slot(0.02, y, 0.28, 0.009, 0.2285))
    # Axles, and plates behind the wheels.
    for x in (-0.15, 0.15):
        model.add("metal", rod((x, -0.19, 0.1), (x, 0.19, 0.1), 0.014))
    # Bumpers ahead and behind, on their holders.
    for end in (-1.0, 1.0):
        bar = [(end * x, y, 0.115) for x, y in ((0.222, -0.15), (0.262, -0.115), (0.262, 0.115), (0.222, 0.15))]
        model.add("black", tube(bar if end > 0 else bar[::-1], 0.013, 8))
        model.add("dark", box((min(end * 0.225, end * 0.256), -0.07, 0.1), (max(end * 0.225, end * 0.256), 0.07, 0.13), 0.003))
    # Lamps in the hull's ends.
    for y in (-0.075, 0.075):
        model.add("lamp", box((0.236, y - 0.02, 0.16), (0.2415, y + 0.02, 0.182), 0.003))
        model.add("brake_light", box((-0.2415, y - 0.02, 0.16), (-0.236, y + 0.02, 0.182), 0.003))
    # The rails: two hoops along the sides, joined across.
    for y in (-0.13, 0.13):
        hoop = [(-0.195, y, 0.21), (-0.185, y, 0.278), (-0.165, y, 0.292), (0.15, y, 0.292), (0.17, y, 0.278), (0.19, y, 0.21)]
        model.add("metal", tube(hoop, 0.0085, 6))
    for x in (-0.15, 0.135):
        model.add("metal", rod((x, -0.13, 0.292), (x, 0.13, 0.292), 0.0085, 6))
    # The switch that stops it, at the rear, and an antenna.
    model.add("dark", upright([(0.024, 0.0), (0.022, 0.012), (0.0, 0.012)], 12).moved(-0.165, 0.085, 0.228))
    model.add("red", upright([(0.015, 0.012), (0.017, 0.024), (0.012, 0.029), (0.0, 0.03)], 12).moved(-0.165, 0.085, 0.228))
    model.add("black", standoffs([(-0.17, -0.085)], 0.225, 0.36, 0.0035), upright([(0.009, 0.228), (0.005, 0.245)], 8).moved(-0.17, -0.085))
    model.add("black", *(upright([(0.006, 0.218), (0.006, 0.222), (0.0, 0.222)], 6).moved(x, y) for x, y in corners_of(0.205, 0.08)))
    return model
