"""A pedestrian of 1.75 m: a skin over a skeleton, with the clips idle, walk and run, as glTF has them.

The skeleton has 13 joints, whose sizes are those of `gait.py`; each corner of the skin follows one joint, or two near a joint. The clips stay in place: an actor moves along its
path at the mean speed of the clip.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable, Sequence

import gait
from gait import ANKLE, HEEL, HEIGHT, SHANK, THIGH, TOE, Cycle, Gait, Pose
from glb import container, material, surface
from mesh import Flat, Point, Shape, circle, cos_sin
from shapes import loft

# Heights and half widths as shares of a person's height (Winter 2009, figure 4.1), in metres.
ANKLE_Z, KNEE_Z, HIP_Z = (HEIGHT * share for share in (ANKLE, ANKLE + SHANK, ANKLE + SHANK + THIGH))
WAIST_Z, SHOULDER_Z, NECK_Z = (HEIGHT * share for share in (0.63, 0.818, 0.87))
ELBOW_Z, WRIST_Z = SHOULDER_Z - HEIGHT * 0.186, SHOULDER_Z - HEIGHT * (0.186 + 0.146)
HIP_Y, SHOULDER_Y = 0.09, 0.19

# Joints with the one above them, and their places when the person stands.
JOINTS: dict[str, tuple[str, Point]] = {"hips": ("", (0.0, 0.0, HIP_Z)), "chest": ("hips", (0.0, 0.0, WAIST_Z)), "head": ("chest", (0.0, 0.0, NECK_Z))}
for _side, _sign in (("left", 1.0), ("right", -1.0)):
    _hip, _shoulder = _sign * HIP_Y, _sign * SHOULDER_Y
    JOINTS[f"{_side}_thigh"] = ("hips", (0.0, _hip, HIP_Z))
    JOINTS[f"{_side}_shank"] = (f"{_side}_thigh", (0.0, _hip, KNEE_Z))
    JOINTS[f"{_side}_foot"] = (f"{_side}_shank", (0.0, _hip, ANKLE_Z))
    JOINTS[f"{_side}_arm"] = ("chest", (0.0, _shoulder, SHOULDER_Z - 0.02))
    JOINTS[f"{_side}_forearm"] = (f"{_side}_arm", (0.0, _shoulder, ELBOW_Z))
NAMES = list(JOINTS)

# For a place on the skin the joints that it follows, and how much.
Weights = Callable[[Point], dict[str, float]]
KEYS = 24  # of a cycle


def between(upper: str, lower: str, height: float, reach: float) -> Weights:
    """Follows one joint above a height [m], another below it, and both within a reach of it."""

    def weights(p: Point) -> dict[str, float]:
        share = min(max(0.5 + 0.5 * (p[2] - height) / reach, 0.0), 1.0)
        return {upper: share, lower: 1.0 - share}

    return weights


def upper_of(height: float, upper: Weights, lower: Weights) -> Weights:
    """Follows as the one says above a height [m], and as the other below it."""
    return lambda p: upper(p) if p[2] >= height else lower(p)


def all_of(joint: str) -> Weights:
    """Follows one joint."""
    return lambda _: {joint: 1.0}


def rings(levels: Sequence[tuple[float, float, float, float, float]], corners: int) -> Shape:
    """A skin through ellipses, from below: each has its middle x and y, its height, and its half widths along x and y."""
    unit = circle(1.0, corners)
    return loft([[(x + a * c, y + b * s, z) for c, s in unit] for x, y, z, a, b in levels], crease=80.0)


def leg(y: float) -> tuple[Shape, Shape]:
    """Trouser and shoe of a leg."""
    trouser = [
        (-0.005, y, 0.055, 0.042, 0.04),
        (-0.006, y, 0.2, 0.046, 0.044),
        (-0.012, y, 0.36, 0.056, 0.054),
        (0.0, y, KNEE_Z - 0.05, 0.056, 0.055),
        (0.004, y, KNEE_Z, 0.06, 0.057),
        (0.0, y, KNEE_Z + 0.06, 0.064, 0.062),
        (0.0, y, 0.68, 0.077, 0.075),
        (-0.004, y, 0.8, 0.09, 0.084),
        (-0.006, 0.9 * y, 0.9, 0.1, 0.085),
    ]
    toe, heel = HEIGHT * TOE + 0.03, -HEIGHT * HEEL - 0.01
    low = [(heel, 0.028), (0.0, 0.036), (0.6 * toe, 0.046), (0.85 * toe, 0.04), (toe, 0.018)]
    rows = [[(x, y - w) for x, w in low], [(x, y + w) for x, w in reversed(low)]]
    outline: list[Flat] = rows[0] + rows[1]

    def at(z: Callable[[float], float], shrink: float) -> list[Point]:
        return [(x, y + (v - y) * shrink, z(x)) for x, v in outline]

    shoe = loft([at(lambda _: 0.0, 0.95), at(lambda _: 0.025, 1.0), at(lambda x: 0.085 if x < 0.05 else 0.085 - 0.35 * (x - 0.05), 0.7)], crease=60.0)
    return rings(trouser, 9), shoe


def arm(y: float) -> tuple[Shape, Shape]:
    """Sleeve and hand of an arm."""
    sleeve = [
        (0.0, y, WRIST_Z + 0.02, 0.027, 0.025),
        (0.0, y, WRIST_Z + 0.12, 0.035, 0.033),
        (0.0, y, ELBOW_Z - 0.04, 0.04, 0.038),
        (0.0, y, ELBOW_Z, 0.041, 0.039),
        (0.0, y, ELBOW_Z + 0.05, 0.043, 0.041),
        (0.0, y, SHOULDER_Z - 0.12, 0.05, 0.046),
        (0.0, y, SHOULDER_Z - 0.02, 0.056, 0.05),
        (0.0, 0.92 * y, SHOULDER_Z + 0.03, 0.035, 0.035),
    ]
    hand = [(0.01, y, WRIST_Z - 0.16, 0.022, 0.012), (0.005, y, WRIST_Z - 0.09, 0.042, 0.018), (0.0, y, WRIST_Z - 0.02, 0.028, 0.018), (0.0, y, WRIST_Z + 0.04, 0.024, 0.02)]
    return rings(sleeve, 8), rings(hand, 7)


def parts() -> list[tuple[str, Shape, Weights]]:
    """Material, shape and weights of all that the person consists of."""
    trunk = [
        (-0.005, 0.0, 0.9, 0.1, 0.15),
        (-0.005, 0.0, 0.97, 0.11, 0.165),
        (0.0, 0.0, 1.06, 0.1, 0.15),
        (0.0, 0.0, 1.14, 0.098, 0.142),
        (0.0, 0.0, 1.28, 0.11, 0.165),
        (-0.005, 0.0, 1.38, 0.108, 0.178),
        (-0.01, 0.0, 1.44, 0.085, 0.165),
        (-0.01, 0.0, 1.485, 0.06, 0.09),
    ]
    neck = [(-0.01, 0.0, 1.46, 0.054, 0.054), (0.0, 0.0, 1.53, 0.05, 0.05), (0.01, 0.0, 1.56, 0.05, 0.048)]
    skull = []
    for angle in (-75.0, -45.0, -15.0, 15.0, 45.0, 72.0, 88.0):
        c, s = cos_sin(angle)
        skull.append((0.018, 0.0, 1.635 + 0.112 * s, 0.094 * c, 0.076 * c))
    cap = [(0.006, 0.0, 1.645, 0.094, 0.082), (0.0, 0.0, 1.68, 0.1, 0.083), (0.004, 0.0, 1.72, 0.078, 0.064), (0.01, 0.0, 1.75, 0.02, 0.018)]
    hair = rings(cap, 12).mapped(lambda p: (p[0] - 0.02, p[1], p[2] - (0.06 if p[0] < 0.03 and p[2] < 1.66 else 0.0)))
    waist = between("chest", "hips", WAIST_Z, 0.08)
    found = [("shirt", rings(trunk[1:], 12), waist), ("trousers", rings([(-0.005, 0.0, 0.86, 0.08, 0.13), *trunk[:2], (0.0, 0.0, 1.0, 0.107, 0.158)], 12), all_of("hips"))]
    found += [("skin", rings(neck, 8), between("head", "chest", 1.5, 0.03)), ("skin", rings(skull, 12), all_of("head")), ("hair", hair, all_of("head"))]
    nose = Shape([[(0.108, -0.012, 1.62), (0.108, 0.012, 1.62), (0.13, 0.0, 1.612)], [(0.108, 0.012, 1.62), (0.106, 0.0, 1.66), (0.13, 0.0, 1.612)], [(0.106, 0.0, 1.66), (0.108, -0.012, 1.62), (0.13, 0.0, 1.612)]])
    found.append(("skin", nose, all_of("head")))
    for side, sign in (("left", 1.0), ("right", -1.0)):
        trouser, shoe = leg(sign * HIP_Y)
        knee, hip = between(f"{side}_thigh", f"{side}_shank", KNEE_Z, 0.06), between("hips", f"{side}_thigh", HIP_Z + 0.02, 0.09)
        found.append(("trousers", trouser, upper_of(0.7, hip, knee)))
        found.append(("shoes", shoe, all_of(f"{side}_foot")))
        sleeve, hand = arm(sign * SHOULDER_Y)
        elbow, shoulder = between(f"{side}_arm", f"{side}_forearm", ELBOW_Z, 0.05), between("chest", f"{side}_arm", SHOULDER_Z + 0.01, 0.05)
        found.append(("shirt", sleeve, upper_of(1.25, shoulder, elbow)))
        found.append(("skin", hand, all_of(f"{side}_forearm")))
    return found


def up(p: Sequence[float]) -> Point:
    """A vector in the axes of glTF, whose y is up."""
    return (p[0], p[2], -p[1] + 0.0)


class File:
    """The binary part of a file, and what its accessors are."""

    def __init__(self) -> None:
        self.rows = bytearray()
        self.views: list[dict[str, object]] = []
        self.accessors: list[dict[str, object]] = []

    def add(self, kind: str, form: str, rows: Sequence[Sequence[float]], target: int = 0, **more: object) -> int:
        """Adds rows of numbers of a form of `struct`; returns the number of their accessor."""
        component = {"f": 5126, "h": 5122, "H": 5123, "B": 5121}[form]
        data = b"".join(struct.pack(f"<{len(row)}{form}", *row) for row in rows)
        self.views.append({"buffer": 0, "byteOffset": len(self.rows), "byteLength": len(data), **({"target": target} if target else {})})
        self.rows += data + b"\0" * (-len(data) % 4)
        self.accessors.append({"bufferView": len(self.views) - 1, "componentType": component, "count": len(rows), "type": kind, **more})
        return len(self.accessors) - 1


def skin(file: File) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Primitives and materials of the skin, one for each material."""
    by_material: dict[str, list[tuple[Shape, Weights]]] = {}
    for name, shape, weights in parts():
        by_material.setdefault(name, []).append((shape, weights))
    primitives: list[dict[str, object]] = []
    for number, shapes in enumerate(by_material.values()):
        places, normals, joints, shares, triangles = [], [], [], [], []
        for shape, weights in shapes:
            for (corners, indices), is_flat in zip(surface([shape]), (False, True)):
                triangles += [(len(places) + index,) for index in indices]
                for k, (place, round_normal, _) in enumerate(corners):
                    normal: Point = round_normal
                    if is_flat:
                        first = indices.index(k) // 3 * 3
                        a, b, c = (corners[index][0] for index in indices[first : first + 3])
                        normal = flat_normal(a, b, c)
                    length = math.sqrt(sum(n * n for n in normal))
                    places.append(up(place))
                    normals.append(up([n / length for n in normal]))
                    followed = sorted(((share, NAMES.index(name)) for name, share in weights(place).items() if share > 0.004), reverse=True)
                    first = round(255 * followed[0][0])
                    second = 255 - first
                    joints.append((followed[0][1], followed[1][1] if second else 0, 0, 0))
                    shares.append((first, second, 0, 0))
        low, high = ([bound(place[k] for place in places) for k in range(3)] for bound in (min, max))
        attributes = {
            "POSITION": file.add("VEC3", "f", places, 34962, min=low, max=high),
            "NORMAL": file.add("VEC3", "f", normals, 34962),
            "JOINTS_0": file.add("VEC4", "B", joints, 34962),
            "WEIGHTS_0": file.add("VEC4", "B", shares, 34962, normalized=True),
        }
        primitives.append({"attributes": attributes, "indices": file.add("SCALAR", "H", triangles, 34963), "material": number})
    return primitives, [material(name) for name in by_material]


def flat_normal(a: Point, b: Point, c: Point) -> Point:
    """The normal of a triangle."""
    u, v = ([q[k] - a[k] for k in range(3)] for q in (b, c))
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])


def clip(file: File, name: str, duration: float, poses: Sequence[Pose], hips: Sequence[tuple[float, float]]) -> dict[str, object]:
    """An animation whose poses are at equal times, the last at its end; `hips` is where they are ahead and up [m]."""
    times = [(round(duration * k / (len(poses) - 1), 5),) for k in range(len(poses))]
    clock = file.add("SCALAR", "f", times, min=[0.0], max=list(times[-1]))
    samplers: list[dict[str, object]] = [{"input": clock, "output": file.add("VEC3", "f", [(round(x, 5), round(z, 5), 0.0) for x, z in hips])}]
    channels: list[dict[str, object]] = [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]
    for joint in poses[0]:
        channels.append({"sampler": len(samplers), "target": {"node": NAMES.index(joint), "path": "rotation"}})
        turns = [[round(32767 * round(q, 6)) for q in pose[joint]] for pose in poses]
        samplers.append({"input": clock, "output": file.add("VEC4", "h", turns, normalized=True)})
    return {"name": name, "channels": channels, "samplers": samplers}


def moving(file: File, name: str, way: Gait) -> dict[str, object]:
    """The clip of a gait."""
    made: Cycle = gait.cycle(way)
    keys = [k * gait.STEPS // KEYS % gait.STEPS for k in range(KEYS + 1)]
    poses = [gait.pose(way, k / gait.STEPS) for k in keys]
    return clip(file, name, made.duration, poses, [(made.ahead[k], made.up[k]) for k in keys])


def person() -> bytes:
    """The file of the pedestrian."""
    file = File()
    primitives, materials = skin(file)
    # From the frame of the figure to that of each joint, in columns.
    inverse = [(1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, *(-v + 0.0 for v in up(place)), 1.0) for _, place in JOINTS.values()]
    skins = [{"joints": list(range(len(NAMES))), "skeleton": 0, "inverseBindMatrices": file.add("MAT4", "f", inverse)}]
    standing = [gait.breathing(k / 8) for k in range(9)]
    animations = [clip(file, "idle", 4.0, standing, [(0.0, HIP_Z)] * 9), moving(file, "walk", gait.WALK), moving(file, "run", gait.RUN)]
    nodes: list[dict[str, object]] = []
    for name, (above, place) in JOINTS.items():
        base = JOINTS[above][1] if above else (0.0, 0.0, 0.0)
        children = [NAMES.index(other) for other, (of, _) in JOINTS.items() if of == name]
        offset = [round(a - b, 6) + 0.0 for a, b in zip(up(place), up(base))]
        nodes.append({"name": name, "translation": offset, **({"children": children} if children else {})})
    nodes.append({"name": "person", "mesh": 0, "skin": 0})
    document = {
        "asset": {"version": "2.0", "generator": "worlds/models/make"},
        "scene": 0,
        "scenes": [{"nodes": [0, len(nodes) - 1]}],
        "nodes": nodes,
        "meshes": [{"primitives": primitives}],
        "skins": skins,
        "animations": animations,
        "materials": materials,
        "accessors": file.accessors,
        "bufferViews": file.views,
        "buffers": [{"byteLength": len(file.rows)}],
    }
    text = json.dumps(document, separators=(",", ":")).encode()
    return container(text + b" " * (-len(text) % 4), bytes(file.rows))
