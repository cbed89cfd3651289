"""A forklift with one steered and driven wheel, the body of the tricycle: it travels with that wheel ahead and its forks behind it. Two legs
with large wheels reach back beside the forks; mast, driver's place under a guard, battery and counterweight."""

from __future__ import annotations

from mesh import Model
from robot_parts import plain_tyre, upright
from shapes import box, disc, lathe, rod, side_plate, tube


def wheel() -> Model:
    """A wheel of 0.6 m by 0.08 m: a band of rubber on a cast disc."""
    model = Model()
    model.add("rubber", plain_tyre(0.3, 0.08, 0.235, 24, 0.12))
    model.add("metal", lathe([(0.24, 0.036), (0.215, 0.032), (0.2, 0.012), (0.085, 0.012), (0.075, 0.036), (0.05, 0.039), (0.0, 0.039)], 18, 30.0))
    model.add("metal", lathe([(0.24, 0.036), (0.2, 0.012), (0.0, 0.012)], 14, 30.0).turned(yaw=180.0))
    for i in range(5):
        model.add(
            "rubber",
            disc(0.036, 0.0135, 7).moved(z=0.145).turned(pitch=72.0 * i),
            disc(0.036, 0.0135, 7).moved(z=0.145).turned(pitch=72.0 * i).turned(yaw=180.0),
        )
    return model


def body() -> Model:
    """All but the wheels; the origin is below the middle of the rear axle, the steered wheel at x = 1.7 m."""
    model = Model()
    # Body of battery and drive, arched over the steered wheel.
    side = [(0.82, 0.13), (1.3, 0.13), (1.34, 0.36), (1.45, 0.58), (1.6, 0.66), (1.82, 0.66), (1.9, 0.74), (1.86, 1.0), (1.7, 1.06), (0.82, 1.06)]
    for y in (-1.0, 1.0):
        low, high = sorted((y * 0.2, y * 0.5))
        model.add(
            "paint", side_plate([(0.82, 0.13), (1.86, 0.13), (1.92, 0.2), (1.92, 0.92), (1.84, 1.02), (1.25, 1.06), (0.82, 1.06)], low, high, 0.04)
        )
    model.add("paint", side_plate(side, -0.22, 0.22, 0.03))
    model.add("dark", box((0.8, -0.46, 0.12), (1.26, 0.46, 0.3), 0.02))
    # Skirts and louvres on the sides, bumper and lamps of the counterweight.
    for y in (-1.0, 1.0):
        low, high = sorted((y * 0.49, y * 0.508))
        model.add("dark", box((0.86, low, 0.12), (1.8, high, 0.26)))
        for z in (0.66, 0.72, 0.78):
            model.add("black", box((1.3, low, z), (1.66, high, z + 0.03)))
        low, high = sorted((y * 0.2, y * 0.46))
        model.add("dark", box((1.9, low, 0.16), (1.95, high, 0.34), 0.02))
        low, high = sorted((y * 0.3, y * 0.42))
        model.add("lamp", box((1.905, low, 0.66), (1.935, high, 0.76), 0.012))
        model.add("brake_light", box((0.775, low, 0.9), (0.81, high, 0.96), 0.008))
        model.add("reverse_light", box((0.775, low, 0.82), (0.81, high, 0.88), 0.008))
    # Legs to the large wheels, with forks at their ends inside.
    for y in (-1.0, 1.0):
        low, high = sorted((y * 0.38, y * 0.445))
        model.add("dark", side_plate([(-0.12, 0.24), (0.0, 0.19), (0.84, 0.13), (0.84, 0.42), (0.55, 0.36), (0.0, 0.37), (-0.12, 0.34)], low, high))
        model.add("metal", rod((0.0, y * 0.37, 0.3), (0.0, y * 0.47, 0.3), 0.045, 7))
    mast(model)
    place(model)
    return model


def mast(model: Model) -> None:
    """Two pairs of rails, crossbars, cylinders and chains; the carriage with its forks, a little lifted."""
    for y in (-1.0, 1.0):
        low, high = sorted((y * 0.27, y * 0.335))
        model.add("dark", box((0.62, low, 0.12), (0.74, high, 2.15)))
        low, high = sorted((y * 0.205, y * 0.262))
        model.add("steel", box((0.6, low, 0.16), (0.7, high, 2.06)))
        model.add("dark", rod((0.72, y * 0.17, 0.2), (0.72, y * 0.17, 1.2), 0.036, 6))
        model.add("metal", rod((0.72, y * 0.17, 1.2), (0.72, y * 0.17, 2.0), 0.02, 5))
        model.add("black", box((0.63, y * 0.085 - 0.012, 0.5), (0.645, y * 0.085 + 0.012, 2.02)))
    for z in (0.16, 1.28, 2.06):
        model.add("dark", box((0.74, -0.335, z), (0.78, 0.335, z + 0.09)))
    model.add("steel", box((0.6, -0.26, 1.98), (0.7, 0.26, 2.05), 0.01))
    # The carriage: two bars, the rack above it, two forks.
    for z in (0.22, 0.52):
        model.add("dark", box((0.53, -0.36, z), (0.59, 0.36, z + 0.09)))
    for y in (-0.34, -0.12, 0.12, 0.34):
        model.add("dark", box((0.545, y - 0.014, 0.52), (0.575, y + 0.014, 1.12)))
    model.add("dark", box((0.54, -0.355, 1.1), (0.58, 0.355, 1.14), 0.008))
    for y in (-0.21, 0.21):
        fork = [(0.52, 0.66), (0.46, 0.66), (0.46, 0.2), (0.43, 0.175), (-0.45, 0.16), (-0.6, 0.145), (-0.6, 0.135), (0.46, 0.125), (0.52, 0.16)]
        model.add("steel", side_plate(fork, y - 0.055, y + 0.055))


def place(model: Model) -> None:
    """The driver's place: seat, wheel, and the guard overhead, which keeps falling goods off."""
    model.add("black", box((1.2, -0.24, 1.06), (1.62, 0.24, 1.17), 0.035))
    model.add("black", side_plate([(1.56, 1.12), (1.68, 1.12), (1.78, 1.58), (1.68, 1.62), (1.62, 1.55)], -0.22, 0.22, 0.035))
    model.add(
        "dark",
        side_plate([(0.82, 1.04), (1.02, 1.04), (0.94, 1.26), (0.84, 1.3)], -0.3, 0.3, 0.02),
        rod((0.94, 0.0, 1.2), (1.06, 0.0, 1.36), 0.02, 6),
    )
    rim = lathe([(0.15, -0.012), (0.165, 0.0), (0.15, 0.012), (0.135, 0.0), (0.15, -0.012)], 10, 60.0).turned(roll=90.0).turned(pitch=-38.0)
    model.add("black", rim.moved(1.07, 0.0, 1.38), box((-0.14, -0.012, -0.006), (0.14, 0.012, 0.006)).turned(pitch=-38.0).moved(1.07, 0.0, 1.375))
    for y in (-1.0, 1.0):
        post = [
            (0.84, y * 0.44, 1.02),
            (0.82, y * 0.44, 1.9),
            (0.9, y * 0.42, 2.06),
            (1.72, y * 0.42, 2.1),
            (1.82, y * 0.44, 1.98),
            (1.86, y * 0.44, 1.0),
        ]
        model.add("dark", tube(post, 0.034, 4))
    for i in range(6):
        x = 0.95 + 0.15 * i
        z = 2.06 + 0.05 * (x - 0.9)
        model.add("dark", box((x - 0.018, -0.42, z - 0.014), (x + 0.018, 0.42, z + 0.014)))
    model.add("paint", box((0.86, -0.43, 2.05), (0.93, 0.43, 2.1), 0.012), box((1.68, -0.43, 2.085), (1.75, 0.43, 2.13), 0.012))
    model.add("amber", upright([(0.045, 0.0), (0.045, 0.07), (0.025, 0.09), (0.0, 0.09)], 8).moved(1.72, 0.3, 2.13))
