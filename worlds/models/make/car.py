"""A compact car of five doors: a shell with open wheel arches, a glass house with pillars, lamps, bumpers, mirrors and the lines of its doors.

The shell is drawn in columns along x, each with rows from the sill to the belt line; `side` and `end` say where its skin is, so that lamps,
lines and plates lie on it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mesh import Flat, Model, Point, Shape, cos_sin
from shapes import block, box, lathe, loft, plate, rod
from wheels import spoked_rim, tyre

# Rows of the side: height [m] and share of the half width there.
ROWS = [(0.2, 0.90), (0.27, 0.972), (0.36, 0.965), (0.6, 0.99), (0.745, 1.0), (0.775, 0.975), (0.93, 0.915)]
ARCH = 0.045  # between tyre and arch [m]
SKIN = 0.008  # how far outside lamps and lines are [m]


@dataclass(frozen=True)
class Car:
    """Dimensions [m]: the wheels' radius, width, wheelbase and tracks; ends of the body before the rear axle; half its width."""

    radius: float
    tread: float
    base: float
    rear_track: float
    rear: float
    front: float
    half: float

    def belt(self, x: float) -> float:
        """Height of the belt line, and of the bonnet's edge."""
        nose = max(x - (self.base - 0.35), 0.0) / (self.front - self.base + 0.35)
        return 0.93 - 0.17 * nose**1.6

    def wide(self, x: float) -> float:
        """Half the width at x."""
        ahead = max(x - self.base + 0.1, 0.0) / (self.front - self.base + 0.1)
        behind = max(0.1 - x, 0.0) / (0.1 - self.rear)
        return self.half * (1.0 - 0.10 * ahead**2 - 0.07 * behind**2)

    def side(self, x: float, z: float) -> float:
        """y of the skin on the left side."""
        return self.wide(x) * between(ROWS, z)

    def bend(self, p: Point) -> Point:
        """The ends are round, seen from above and from the side: where a point of the straight shell comes to lie."""
        x, y, z = p
        across = abs(y) / self.half
        ahead = smooth((x - self.base + 0.15) / (self.front - self.base + 0.15))
        behind = smooth((0.25 - x) / (0.25 - self.rear))
        x -= ahead * (0.2 * across**2.4 + 0.45 * max(z - 0.55, 0.0) ** 1.3 + 0.5 * max(0.36 - z, 0.0))
        x += behind * (0.13 * across**2.4 + 0.3 * max(z - 0.6, 0.0) + 0.5 * max(0.36 - z, 0.0))
        return (x, y, z)


def between(table: Sequence[Flat], at: float) -> float:
    """A value between those of a table."""
    for (x0, y0), (x1, y1) in zip(table, table[1:]):
        if at <= x1:
            return y0 + (y1 - y0) * max(at - x0, 0.0) / (x1 - x0)
    return table[-1][1]


def smooth(share: float) -> float:
    """From 0 to 1 without a kink."""
    t = min(max(share, 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


def patch(at: Callable[[float, float], Point], us: Sequence[float], vs: Sequence[float]) -> Shape:
    """A sheet over a grid, outside where u grows to the right and v upwards."""
    return loft([[at(u, v) for u in us] for v in vs], closed=False)


def slanted(left: float, right: float, narrow: Flat, wide: Flat) -> Callable[[float, float], float]:
    """Heights of a strip that grows from one pair of lower and upper bounds to another: at u, and share v of its height."""

    def height(u: float, v: float) -> float:
        t = (u - left) / (right - left)
        low, high = (a + t * (b - a) for a, b in zip(narrow, wide))
        return low + v * (high - low)

    return height


def stations(car: Car) -> list[tuple[float, float]]:
    """Columns of the side: x, and the height where they begin, which follows the wheel arches."""
    arch = car.radius + ARCH
    low = ROWS[0][0]
    reach = math.degrees(math.acos(math.sqrt(1.0 - ((low - car.radius) / arch) ** 2)))
    result = [(car.rear, low + 0.06), (car.rear + 0.2, low + 0.03)]
    for middle, following in ((0.0, [0.8, 1.3, 1.8]), (car.base, [car.front - 0.2, car.front])):
        for k in range(11):
            cosine, sine = cos_sin(180.0 + reach - (180.0 + 2.0 * reach) * k / 10)
            result.append((middle + arch * cosine, car.radius + arch * sine))
        result += [(x, low if middle == 0.0 else low + 0.04) for x in following]
    return result


def column(car: Car, x: float, low: float) -> list[Point]:
    """The points of a column on the left side, from below to the belt line."""
    heights = [max(z, low + 0.012 * k) for k, (z, _) in enumerate(ROWS[:-1])] + [car.belt(x)]
    return [(x, car.side(x, z), z) for z in heights]


def shell(car: Car) -> Model:
    """The body below the belt line, without its lamps."""
    model = Model()
    columns = [column(car, x, low) for x, low in stations(car)]
    left = loft(columns, closed=False, crease=40.0)
    edge = car.base - 0.36
    xs = [x for x, _ in stations(car) if x > edge - 0.3]

    def bonnet(x: float, share: float) -> Point:
        y, z = car.side(x, car.belt(x)), car.belt(x)
        return (x, share * y, z + 0.05 * (1.0 - share**2))

    top = patch(lambda share, x: bonnet(x, share), [-1.0, -0.72, 0.0, 0.72, 1.0], xs[::-1])
    back = [x for x, _ in stations(car) if x < 0.1]
    lid = patch(lambda share, x: (x, share * car.side(x, 0.93), 0.93), [-1.0, 0.0, 1.0], back[::-1])
    # Edges of the bonnet.
    shut = [[bonnet(x, share)[:2] + (bonnet(x, share)[2] + 0.007,) for x in xs] for share in (0.86, 0.875)]
    ends = Shape([], 40.0)
    for x, low in (stations(car)[0], stations(car)[-1]):
        rows = column(car, x, low)
        cap = loft([[(x, share * y, z) for share in (-1.0, -0.55, 0.0, 0.55, 1.0)] for _, y, z in rows], closed=False)
        if x > 0.0:
            rise = [[bonnet(x, share) for share in (-1.0, -0.72, 0.0, 0.72, 1.0)]]
            cap += loft([[(x, share * rows[-1][1], rows[-1][2]) for share in (-1.0, -0.72, 0.0, 0.72, 1.0)], *rise], closed=False)
        ends += cap if x > 0.0 else cap.flipped()
    paint = left.both() + top + lid + ends
    model.add("paint", paint.mapped(car.bend).creased(40.0))
    model.add("black", loft(shut, closed=False).both().mapped(car.bend))
    # Inner edges of the shell, the wheels' houses and the floor.
    lip = loft([[c[0] for c in columns], [(c[0][0], c[0][1] - 0.1, c[0][2]) for c in columns]], closed=False).flipped()
    model.add("black", lip.both().mapped(car.bend))
    inside = car.rear_track / 2.0 - car.tread / 2.0 - 0.04
    model.add("black", box((car.rear + 0.25, -inside, 0.18), (car.front - 0.3, inside, 0.8)))
    model.add("black", box((car.radius + 0.1, -0.95 * car.half, 0.17), (car.base - car.radius - 0.1, 0.95 * car.half, 0.24)))
    return model


def house(car: Car) -> Model:
    """The glass house: rings at the belt line, at the lower and upper edges of the glass, and at the edge of the roof."""
    model = Model()
    b, r = car.base, car.rear
    half = car.half / 0.805
    # Belt line and roof, from the middle of the windscreen to that of the rear window: x, y, z of both.
    belt = [
        (b - 0.13, 0.0, 0.975), (b - 0.17, 0.40, 0.965), (b - 0.36, 0.685, 0.935), (b - 0.46, 0.71, 0.93),
        (b - 1.56, 0.735, 0.93), (b - 1.66, 0.735, 0.93), (r + 0.95, 0.728, 0.935),
        (r + 0.4, 0.665, 0.945), (r + 0.2, 0.6, 0.95), (r + 0.15, 0.0, 0.96),
    ]
    roof = [
        (b - 0.92, 0.0, 1.415), (b - 0.94, 0.33, 1.41), (b - 1.0, 0.515, 1.385), (b - 1.08, 0.545, 1.385),
        (b - 1.60, 0.575, 1.405), (b - 1.68, 0.575, 1.405), (r + 0.98, 0.56, 1.375),
        (r + 0.72, 0.515, 1.35), (r + 0.64, 0.45, 1.345), (r + 0.59, 0.0, 1.37),
    ]

    def ring(share: float, out: float) -> list[Point]:
        points = [(p[0] + share * (q[0] - p[0]), half * (p[1] + share * (q[1] - p[1]) + (out if p[1] > 0.0 else 0.0)), p[2] + share * (q[2] - p[2])) for p, q in zip(belt, roof)]
        return points + [(x, -y, z) for x, y, z in points[-2:0:-1]]

    rings = [[(x, 0.99 * y, z - 0.06) for x, y, z in ring(0.0, 0.0)], ring(0.06, 0.004), ring(0.88, 0.012), ring(1.0, 0.0)]
    count = len(belt)
    # What a span between two points of a ring is made of: from one pillar to the next.
    spans = ["glass", "glass", "paint", "glass", "black", "glass", "paint", "paint", "glass"]
    spans += spans[::-1]
    size = 2 * count - 2
    bands: dict[str, list[list[Point]]] = {}
    for level, (low, high) in enumerate(zip(rings, rings[1:])):
        for i in range(size):
            j = (i + 1) % size
            # The windscreen goes up to the roof's edge.
            name = spans[i] if level == 1 else "paint"
            name = "black" if name == "paint" and level == 0 else name
            bands.setdefault(name, []).append([low[i], low[j], high[j], high[i]])
    for name, polygons in bands.items():
        model.add(name, Shape(polygons, 32.0))
    edge = rings[-1]
    middle = ((edge[0][0] + edge[count - 1][0]) / 2.0, 0.0)
    crown = [(middle[0] + 0.72 * (x - middle[0]), 0.72 * y, z + 0.028) for x, y, z in edge]
    model.add("paint", loft([edge, crown], caps=False, crease=40.0) + Shape([crown], 40.0))
    # Spoiler with the third brake light, fin of the antenna.
    wing = [(r + 0.68, -0.46), (r + 0.68, 0.46), (r + 0.53, 0.43), (r + 0.48, 0.0), (r + 0.53, -0.43)]
    model.add("paint", plate(wing, 1.335, 1.362, 0.008))
    model.add("brake_light", block((r + 0.475, -0.12, 1.34), (r + 0.51, 0.12, 1.354)))
    fin = [(r + 0.85, -0.012), (r + 1.0, 0.0), (r + 0.85, 0.012)]
    model.add("black", loft([[(x, y, 1.38) for x, y in fin], [(r + 0.85 + 0.2 * (x - r - 0.85), 0.3 * y, 1.455) for x, y in fin]]))
    return model


def face(car: Car) -> Model:
    """What is on the skin: lamps, grille, plates, bumpers, lines and handles of the doors, mirrors."""
    model = Model()

    def ahead(out: float) -> Callable[[float, float], Point]:
        def at(u: float, z: float) -> Point:
            x, y, z = car.bend((car.front, u, z))
            return (x + out, y, z)

        return at

    def behind(out: float) -> Callable[[float, float], Point]:
        def at(u: float, z: float) -> Point:
            x, y, z = car.bend((car.rear, -u, z))
            return (x - out, y, z)

        return at

    w = car.half / 0.805
    model.add("black", patch(ahead(SKIN), [-0.36 * w, -0.15, 0.0, 0.15, 0.36 * w], [0.565, 0.64, 0.69]))
    model.add("black", patch(ahead(0.014), [-0.6 * w, -0.44 * w, 0.0, 0.44 * w, 0.6 * w], [0.28, 0.36, 0.42]))
    model.add("metal", patch(ahead(0.016), [-0.36 * w, 0.0, 0.36 * w], [0.622, 0.634]))
    model.add("white", patch(ahead(0.016), [-0.24, 0.0, 0.24], [0.44, 0.54]))
    left = Model()
    slant = slanted(0.40 * w, 0.735 * w, (0.61, 0.655), (0.60, 0.735))
    left.add("black", patch(lambda u, v: ahead(SKIN)(u, slant(u, v)), [0.37 * w, 0.5 * w, 0.62 * w, 0.735 * w], [-0.1, 1.1]))
    left.add("lamp", patch(lambda u, v: ahead(2 * SKIN)(u, slant(u, v)), [0.41 * w, 0.5 * w, 0.62 * w, 0.725 * w], [0.1, 0.9]))
    left.add("lamp", patch(ahead(0.022), [0.5 * w, 0.58 * w], [0.36, 0.4]))
    left.add("brake_light", patch(behind(SKIN), [-0.745 * w, -0.66 * w, -0.56 * w, -0.44 * w], [0.68, 0.745, 0.775, 0.84]))
    left.add("reverse_light", patch(behind(SKIN), [-0.435 * w, -0.36 * w], [0.70, 0.76]))
    left.add("red", patch(behind(SKIN), [-0.64 * w, -0.54 * w], [0.42, 0.445]))
    for z, reach in ((0.555, 0.74), (0.885, 0.5)):
        model.add("black", patch(behind(0.008), [-reach * w, -0.4, 0.0, 0.4, reach * w], [z - 0.005, z + 0.005]))
    model.add("black", patch(ahead(0.008), [-0.74 * w, -0.4, 0.0, 0.4, 0.74 * w], [0.555, 0.563]))
    model.add("black", patch(behind(0.014), [-0.6 * w, -0.44 * w, 0.0, 0.44 * w, 0.6 * w], [0.27, 0.36]))
    model.add("white", patch(behind(0.012), [-0.24, 0.0, 0.24], [0.6, 0.7]))
    model.add("black", patch(behind(SKIN), [-0.12, 0.12], [0.74, 0.765]))

    def side(out: float) -> Callable[[float, float], Point]:
        def at(x: float, z: float) -> Point:
            return car.bend((-x, car.side(-x, z) + out, z))

        return at

    # Lamps go round the corners.
    f, r = car.front, car.rear
    left.add("lamp", patch(side(SKIN), [-f + 0.012, -f + 0.08, -f + 0.16], [0.61, 0.72]))
    left.add("brake_light", patch(side(SKIN), [-r - 0.2, -r - 0.1, -r - 0.01], [0.68, 0.745, 0.775, 0.84]))
    b, line = car.base, 0.006
    for x, low in ((b - 0.46, 0.32), (b - 1.61, 0.26), (0.04 + car.radius, 0.42)):
        heights = [z for z in (0.27, 0.36, 0.47, 0.6, 0.745, 0.775) if z >= low]
        left.add("black", patch(side(0.007), [-x - line, -x + line], [*heights, 0.92]))
    for x in (b - 1.45, 0.22):
        left.add("dark", box((x - 0.1, car.side(x, 0.82) - 0.01, 0.805), (x + 0.1, car.side(x, 0.82) + 0.022, 0.832), 0.008))
    mirror = box((b - 0.62, 0.80 * w, 0.955), (b - 0.5, 0.97 * w, 1.065), 0.035)
    left.add("paint", mirror)
    left.add("black", rod((b - 0.55, 0.7 * w, 0.965), (b - 0.55, 0.83 * w, 0.98), 0.025, 4, False))
    left.add("glass", patch(lambda u, v: (b - 0.623, -u, v), [-0.955 * w, -0.82 * w], [0.975, 1.05]).flipped())
    model.merge(left, Shape.both)
    model.add("metal", lathe([(0.034, 0.0), (0.034, 0.12), (0.026, 0.12), (0.026, 0.06)], 8).turned(yaw=90.0).moved(car.rear + 0.18, -0.48, 0.25))
    return model


def body(car: Car) -> Model:
    """Everything but the wheels; the origin is below the middle of the rear axle."""
    model = Model()
    for part in (shell(car), house(car), face(car)):
        model.merge(part)
    return model


def wheel(car: Car) -> Model:
    """An alloy wheel with five pairs of spokes."""
    model = Model()
    rim = 0.66 * car.radius
    model.add("rubber", tyre(car.radius, car.tread, rim, 28, 0.3))
    model.merge(spoked_rim(rim, car.tread, 5, 0.2 * rim, 0.26, 0.86, 22, 13.0))
    return model


COMPACT = Car(radius=0.344, tread=0.2, base=2.5789, rear_track=1.36398, rear=-1.06, front=3.428, half=0.805)
ROAD = Car(radius=0.31, tread=0.2, base=2.6, rear_track=1.5, rear=-0.8, front=3.4, half=0.86)
