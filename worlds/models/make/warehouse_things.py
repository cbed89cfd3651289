"""Things of halls and rooms: a pallet, a rack for pallets, a carton, a layer of cartons, and a door in its frame."""

from __future__ import annotations

from collections.abc import Callable

from mesh import Flat, Model, Point, Shape
from robot_parts import upright
from shapes import block, box, plate, rod

# The EUR pallet (EN 13698-1), 1.2 m x 0.8 m x 0.144 m, [m]: widths of the five boards above and the three below, thicknesses of boards, and of blocks.
DECK = (0.145, 0.1, 0.145, 0.1, 0.145)
FEET = (0.1, 0.145, 0.1)
BOARD = 0.022
CROSS = 0.022
BLOCK = 0.078


def spread(widths: tuple[float, ...], width: float) -> list[Flat]:
    """Both edges of boards that lie evenly spread over a width about 0."""
    gap = (width - sum(widths)) / (len(widths) - 1)
    edges, low = [], -0.5 * width
    for board in widths:
        edges.append((low, low + board))
        low += board + gap
    return edges


def pallet() -> Model:
    """A EUR pallet, its 1.2 m along x: three boards on the floor, nine blocks, three boards across, five boards above."""
    model = Model()
    ends = spread((0.145, 0.145, 0.145), 1.2)
    for low, high in spread(FEET, 0.8):
        model.add("decking", box((-0.6, low, 0.0), (0.6, high, BOARD)))
        model.add("planks", *(box((left, low, BOARD), (right, high, BOARD + BLOCK)) for left, right in ends))
    for left, right in ends:
        model.add("planks", box((left, -0.4, BOARD + BLOCK), (right, 0.4, BOARD + BLOCK + CROSS)))
    for low, high in spread(DECK, 0.8):
        model.add("decking", box((-0.6, low, 0.122), (0.6, high, 0.144)))
    return model


# The rack [m]: its bay between the uprights, its depth, and the heights of its beams' upper sides.
BAY, DEPTH, LEVELS, TALL = 2.7, 1.1, (1.5, 3.0), 4.2


def rack() -> Model:
    """A bay of a pallet rack along x, for three EUR pallets side by side on the floor and on two levels: two frames with bracing, and beams in pairs."""
    model = Model()
    for x in (-0.5 * BAY - 0.05, 0.5 * BAY + 0.05):
        for y in (-0.5 * DEPTH, 0.5 * DEPTH):
            post: list[Flat] = [(-0.05, -0.04), (0.05, -0.04), (0.05, 0.04), (0.02, 0.04), (0.02, 0.015), (-0.02, 0.015), (-0.02, 0.04), (-0.05, 0.04)]
            shape = plate(post, 0.0, TALL)
            model.add("rack_blue", (shape if y < 0.0 else shape.turned(yaw=180.0)).moved(x, y))
            model.add("steel", block((x - 0.07, y - 0.06, 0.0), (x + 0.07, y + 0.06, 0.012)))
        zigzag: list[Point] = [(x, (0.5 if k % 2 else -0.5) * (DEPTH - 0.06), 0.3 + 0.6 * k) for k in range(7)]
        model.add("zinc", *(rod(a, b, 0.018, 5, False) for a, b in zip(zigzag, zigzag[1:])))
        model.add("zinc", *(rod((x, -0.5 * DEPTH, z), (x, 0.5 * DEPTH, z), 0.018, 5, False) for z in (0.3, 3.9)))
    for level in LEVELS:
        for y in (-0.5 * DEPTH, 0.5 * DEPTH):
            model.add("rack_orange", box((-0.5 * BAY, y - 0.025, level - 0.12), (0.5 * BAY, y + 0.025, level)))
            for x in (-0.5 * BAY, 0.5 * BAY):
                model.add("rack_orange", box((x - 0.015, y - 0.035, level - 0.17), (x + 0.015, y + 0.035, level + 0.03)))
        for x in (-0.9, 0.0, 0.9):
            model.add("zinc", box((x - 0.03, -0.5 * DEPTH, level - 0.1), (x + 0.03, 0.5 * DEPTH, level - 0.06)))
    return model


def carton() -> Model:
    """A carton of 0.6 m x 0.4 m x 0.4 m, with tape over its lid."""
    model = Model()
    model.add("carton", box((-0.3, -0.2, 0.0), (0.3, 0.2, 0.4), 0.004))
    model.add("canvas", Shape([[(-0.296, -0.025, 0.4005), (0.296, -0.025, 0.4005), (0.296, 0.025, 0.4005), (-0.296, 0.025, 0.4005)]]))
    for x, turn in ((0.3005, 0.0), (-0.3005, 180.0)):
        strip = Shape([[(0.0, -0.025, 0.3), (0.0, 0.025, 0.3), (0.0, 0.025, 0.396), (0.0, -0.025, 0.396)]])
        model.add("canvas", strip.turned(yaw=turn).moved(x=x))
    return model


def carton_layer() -> Model:
    """Four cartons side by side, as one layer on a EUR pallet: 1.2 m x 0.8 m x 0.4 m. Their tapes end at their lids."""
    model = Model()
    for x in (-0.3, 0.3):
        for y in (-0.2, 0.2):
            model.add("carton", box((x - 0.297, y - 0.197, 0.0), (x + 0.297, y + 0.197, 0.4), 0.004))
            model.add("canvas", Shape([[(x - 0.293, y - 0.025, 0.4005), (x + 0.293, y - 0.025, 0.4005), (x + 0.293, y + 0.025, 0.4005), (x - 0.293, y + 0.025, 0.4005)]]))
    return model


# The door [m] (DIN 18101): width and height of its leaf, and its thickness.
LEAF = (0.86, 1.985, 0.04)


def door_leaf() -> Model:
    """A leaf that reaches from its hinge, in the origin, along x; it stands 5 mm above the floor."""
    wide, high, thick = LEAF
    model = Model()
    model.add("door", box((0.0, -0.5 * thick, 0.005), (wide, 0.5 * thick, high), 0.003))
    for side in (-1.0, 1.0):
        for low, top in ((0.18, 0.85), (1.05, 1.82)):
            y0, y1 = sorted((side * 0.5 * thick, side * (0.5 * thick + 0.008)))
            model.add("door", box((0.13, y0, low), (wide - 0.13, y1, top), 0.006))
        y = side * (0.5 * thick + 0.05)
        model.add("zinc", upright([(0.026, 0.0), (0.026, 0.008), (0.0, 0.008)], 10).turned(roll=-90.0 * side).moved(wide - 0.065, side * 0.5 * thick, 1.05))
        model.add("zinc", rod((wide - 0.065, side * 0.5 * thick, 1.05), (wide - 0.065, y, 1.05), 0.009, 6), rod((wide - 0.055, y, 1.05), (wide - 0.19, y, 1.05), 0.01, 8))
    for z in (0.25, 1.75):
        model.add("zinc", rod((0.0, 0.5 * thick, z - 0.05), (0.0, 0.5 * thick, z + 0.05), 0.011, 6))
    return model


def door_frame() -> Model:
    """The frame around that leaf, whose hinge is in the origin: two posts and a head, as deep as a wall of 0.12 m."""
    wide, high, _ = LEAF
    model = Model()
    for low, top in ((-0.07, -0.006), (wide + 0.006, wide + 0.07)):
        model.add("white", block((low, -0.065, 0.0), (top, 0.065, high + 0.06)))
    model.add("white", box((-0.006, -0.065, high + 0.006), (wide + 0.006, 0.065, high + 0.06)))
    return model


THINGS: dict[str, Callable[[], Model]] = {"pallet": pallet, "rack": rack, "carton": carton, "carton_layer": carton_layer, "door_leaf": door_leaf, "door_frame": door_frame}
