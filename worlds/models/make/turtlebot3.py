"""The TurtleBot3 Burger and Waffle: waffle plates on standoffs, two servos with tyres, boards, a battery, ball castors."""

from __future__ import annotations

from mesh import Flat, Model, Shape
from robot_parts import ball, board, corners_of, disc_rim, plain_tyre, ribs, standoffs, upright
from shapes import box, lathe, loft

RADIUS, WIDTH = 0.033, 0.018


def wheel() -> Model:
    """A wheel of 0.066 m by 0.018 m: a rubber belt over a black sprocket wheel."""
    model = Model()
    model.add("rubber", plain_tyre(RADIUS - 0.0015, WIDTH, 0.025, 18), ribs(RADIUS, WIDTH, 0.003, 0.006, 18))
    disc_rim(model, 0.0255, 0.0075, "plastic", 6, 0.6, 0.2, 16)
    return model


def waffle(outline: list[Flat], low: float, high: float, pitch: float, bar: float) -> Shape:
    """A plate over an octagon (its own outline a rim), with a grid of square holes."""
    shape = Shape([], 0.0)
    xs, ys = [p[0] for p in outline], [p[1] for p in outline]
    inner = [(x - (1 if x > (min(xs) + max(xs)) / 2 else -1) * bar, y - (1 if y > 0 else -1) * bar) for x, y in outline]
    rings = [[(x, y, z) for x, y in ring] for ring, z in ((inner, low), (outline, low), (outline, high), (inner, high), (inner, low))]
    shape += loft(rings, caps=False, crease=20.0)
    x0, x1, y1 = min(xs), max(xs), max(ys)
    cut = max(x for x, y in outline if abs(y - y1) < 1e-9)
    flat_y = max(y for x, y in outline if abs(x - x1) < 1e-9)
    count = round((x1 - x0) / pitch)
    for i in range(1, count):
        at = x0 + (x1 - x0) * i / count
        # Bars end within the rim, also where that is cut.
        beyond = max(at - cut, x0 + x1 - cut - at, 0.0)
        reach = y1 - beyond * (y1 - flat_y) / max(x1 - cut, 1e-9) - 0.4 * bar
        shape += grating(at - bar / 2, at + bar / 2, -reach, reach, low, high)
        side = -y1 + 2 * y1 * i / count
        beyond = max(abs(side) - flat_y, 0.0)
        reach = (x1 - x0) / 2 - beyond * (x1 - cut) / max(y1 - flat_y, 1e-9) - 0.4 * bar
        middle = (x0 + x1) / 2
        shape += grating(middle - reach, middle + reach, side - bar / 2, side + bar / 2, low, high)
    return shape


def grating(x0: float, x1: float, y0: float, y1: float, low: float, high: float) -> Shape:
    """A bar of a plate, without the ends that its rim hides."""
    corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    is_long = x1 - x0 > y1 - y0
    shape = loft([[(x, y, low) for x, y in corners], [(x, y, high) for x, y in corners]], crease=0.0)
    shape.polygons = [p for k, p in enumerate(shape.polygons) if k not in ((1, 3) if is_long else (0, 2))]
    return shape


def octagon(middle: float, half: float, cut: float) -> list[Flat]:
    """A square about (middle, 0) with its corners cut."""
    a, b = half, half - cut
    return [(middle + x, y) for x, y in ((a, -b), (a, b), (b, a), (-b, a), (-a, b), (-a, -b), (-b, -a), (b, -a))]


def servo(y0: float, y1: float) -> Shape:
    """A servo whose horn is at the axle."""
    return box((-0.0355, y0, 0.016), (0.0115, y1, 0.050), 0.002)


def body_of_burger() -> Model:
    """All but wheels and lidar: four plates of 0.14 m square, 0.13 m of standoffs between them."""
    model = Model()
    middle, half = -0.032, 0.07
    levels = [0.0105, 0.0555, 0.1, 0.1435]
    for z in levels:
        model.add("paint", waffle(octagon(middle, half, 0.016), z, z + 0.006, 0.0233, 0.0125))
    posts = [*corners_of(0.055, 0.062, middle), (middle - 0.062, 0.0), (middle + 0.062, 0.0)]
    for low, high in zip(levels, levels[1:]):
        model.add("metal", standoffs(posts, low + 0.006, high, 0.0032))
    model.add("black", servo(0.024, 0.0665), servo(-0.0665, -0.024))
    model.add("black", lathe([(0.009, 0.066), (0.009, 0.073)], 8).moved(z=RADIUS), lathe([(0.009, -0.073), (0.009, -0.066)], 8).moved(z=RADIUS))
    # The battery behind the servos, the controller's board above it, the computer with its sockets above that.
    model.add("blue", box((-0.094, -0.044, 0.0185), (-0.04, 0.044, 0.044), 0.002))
    board(
        model,
        (-0.085, -0.0375, 0.068),
        (0.105, 0.075, 0.0016),
        [(0.006, 0.006, 0.014, 0.03, 0.009), (0.055, 0.022, 0.016, 0.016, 0.002), (0.088, 0.05, 0.014, 0.014, 0.01)],
    )
    board(
        model,
        (-0.08, -0.028, 0.112),
        (0.085, 0.056, 0.0016),
        [
            (0.0, 0.003, 0.017, 0.013, 0.0145),
            (0.0, 0.021, 0.017, 0.013, 0.0145),
            (0.0, 0.039, 0.02, 0.015, 0.013),
            (0.045, 0.02, 0.014, 0.014, 0.002),
        ],
    )
    model.add("black", upright([(0.013, 0.0085), (0.011, 0.0115)], 10).moved(-0.081))
    model.add("metal", ball(0.0075, -0.081, 0.0))
    # The foot of the lidar, on the upper plate.
    model.add("black", box((-0.075, -0.035, 0.1495), (0.013, 0.035, 0.158), 0.003))
    return model


def body_of_waffle() -> Model:
    """All but wheels, lidar and camera: three plates of 0.266 m with cut corners, wide and low."""
    model = Model()
    middle, half = -0.064, 0.133
    levels = [0.0105, 0.053, 0.094]
    for z in levels:
        model.add("paint", waffle(octagon(middle, half, 0.05), z, z + 0.006, 0.0333, 0.02))
    posts = [*corners_of(0.08, 0.12, middle), *corners_of(0.12, 0.055, middle), (middle, 0.0)]
    for low, high in zip(levels, levels[1:]):
        model.add("metal", standoffs(posts, low + 0.006, high, 0.0035))
    model.add("black", servo(0.088, 0.1305), servo(-0.1305, -0.088))
    model.add("black", lathe([(0.009, 0.13), (0.009, 0.136)], 8).moved(z=RADIUS), lathe([(0.009, -0.136), (0.009, -0.13)], 8).moved(z=RADIUS))
    model.add("blue", box((-0.13, -0.045, 0.0185), (-0.05, 0.045, 0.043), 0.002))
    board(model, (-0.15, -0.0975, 0.066), (0.075, 0.105, 0.0016), [(0.006, 0.006, 0.014, 0.03, 0.009), (0.04, 0.04, 0.016, 0.016, 0.002)])
    board(
        model,
        (-0.05, -0.028, 0.066),
        (0.085, 0.056, 0.0016),
        [
            (0.068, 0.003, 0.017, 0.013, 0.0145),
            (0.068, 0.021, 0.017, 0.013, 0.0145),
            (0.066, 0.039, 0.02, 0.015, 0.013),
            (0.02, 0.02, 0.014, 0.014, 0.002),
        ],
    )
    for y in (-0.064, 0.064):
        model.add("black", upright([(0.013, 0.0085), (0.011, 0.0115)], 10).moved(-0.177, y))
        model.add("metal", ball(0.0075, -0.177, y))
    model.add("black", box((-0.107, -0.035, 0.1), (-0.019, 0.035, 0.107), 0.002))
    return model
