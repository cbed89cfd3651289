"""Writes models as binary glTF 2.0: one mesh with a primitive for the round faces of each material, whose corners are shared where their normals agree,
and one without normals for its flat faces, which readers of glTF shade as such. Materials with a picture (`PICTURES`) have coordinates on it, too.

In the file y is up, as glTF asks for: `<model_roll>90</model_roll>` of a world makes it z again. Positions are 32-bit floats, rounded to
10 µm; so are normals, in steps of 1/127, because Assimp, by which RViz reads models, knows no shorter ones. Equal models give equal bytes on
every machine: what the library of mathematics computes is rounded before it is written.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Sequence

from mesh import Model, Point, Shape, triangulated
from pictures import PICTURES, png

# Colour (sRGB), share of metal, roughness.
MATERIALS: dict[str, tuple[str, float, float]] = {
    # Takes the vehicle's colour.
    "paint": ("#c8ccd2", 0.1, 0.45),
    # Glow when the vehicle brakes or reverses.
    "brake_light": ("#a01818", 0.0, 0.4),
    "reverse_light": ("#d8d8d2", 0.0, 0.4),
    "rubber": ("#2a2c2f", 0.0, 0.95),
    "rim": ("#c2c6cb", 0.6, 0.4),
    "metal": ("#9aa0a8", 0.6, 0.45),
    "steel": ("#5c6168", 0.5, 0.55),
    "dark": ("#373b41", 0.0, 0.75),
    "plastic": ("#4d5259", 0.0, 0.7),
    "black": ("#1b1d20", 0.0, 0.6),
    "glass": ("#27323d", 0.1, 0.15),
    "lamp": ("#eef1f0", 0.1, 0.2),
    "amber": ("#d8862a", 0.0, 0.4),
    "white": ("#e4e6e4", 0.0, 0.6),
    "board": ("#1f6b45", 0.0, 0.6),
    "copper": ("#b9783f", 0.5, 0.5),
    "blue": ("#2b5ea8", 0.0, 0.55),
    "green": ("#3fae49", 0.0, 0.55),
    "pink": ("#d65a9c", 0.0, 0.55),
    "red": ("#b02a26", 0.0, 0.55),
    "yellow": ("#e0a81e", 0.0, 0.55),
    "canvas": ("#b9b19b", 0.0, 0.9),
    "wood": ("#8c6b45", 0.0, 0.85),
    "zinc": ("#a9aeb2", 0.5, 0.5),
    "rack_blue": ("#24508f", 0.1, 0.5),
    "rack_orange": ("#d8641c", 0.1, 0.5),
    "reflecting": ("#e9e9e4", 0.0, 0.5),
    "sign_red": ("#b3201f", 0.0, 0.5),
    "sign_black": ("#17181a", 0.0, 0.6),
    "cone": ("#e2511b", 0.0, 0.6),
    "tag_black": ("#060606", 0.0, 0.9),
    "tag_white": ("#f4f4f4", 0.0, 0.9),
    "shirt": ("#3f7cac", 0.0, 0.9),
    "trousers": ("#3a424e", 0.0, 0.9),
    "skin": ("#d9a98a", 0.0, 0.7),
    "hair": ("#3a2a20", 0.0, 0.9),
    "shoes": ("#26211e", 0.0, 0.7),
    # These have a picture, which makes their colour darker here and there.
    "carton": ("#b98f5e", 0.0, 0.9),
    "planks": ("#c39a63", 0.0, 0.85),
    "decking": ("#c9ad83", 0.0, 0.85),
    "door": ("#a97c50", 0.0, 0.7),
    "bark": ("#6b5138", 0.0, 0.95),
    "leaves": ("#5f8f3e", 0.0, 0.95),
    "needles": ("#3d6b45", 0.0, 0.95),
}

MAX_VERTICES = 65535  # what indices of 16 bits reach
PLACES = 5  # decimals of positions [m]

# Bytes of a corner: a place; with a normal; with a place on a picture.
STRIDES = {"round": 24, "flat": 12, "round_drawn": 32, "flat_drawn": 20}

# A place, a normal in steps of 1/127, and where a picture has one its place there: 0 0 is its upper left corner.
Corner = tuple[Point, tuple[int, int, int], tuple[float, float]]
NOWHERE = (0.0, 0.0)


def glb(model: Model) -> bytes:
    """The file of a model. Raises ValueError for a material that is not in the table, or for too many vertices."""
    accessors: list[dict[str, object]] = []
    primitives: list[dict[str, object]] = []
    materials: list[dict[str, object]] = []
    # Corners with a normal, corners without, and the triangles of both.
    parts = {kind: bytearray() for kind in (*STRIDES, "triangles")}
    drawn: list[str] = []
    for name in MATERIALS:
        if name not in model.parts:
            continue
        picture = PICTURES.get(name)
        for kind, (corners, indices) in zip(("round", "flat"), surface(model.parts[name], picture.size if picture else None)):
            if not indices:
                continue
            kind += "_drawn" if picture else ""
            if len(corners) > MAX_VERTICES:
                raise ValueError(f"{name}: {len(corners)} vertices\n  accepted: up to {MAX_VERTICES}")
            # y is up in glTF, and z to the right of what looks along x.
            places = [(p[0], p[2], -p[1] + 0.0) for p, _, _ in corners]
            low, high = ([bound(place[k] for place in places) for k in range(3)] for bound in (min, max))
            attributes = {"POSITION": len(accessors)}
            vectors = {"bufferView": kind, "componentType": 5126, "count": len(corners), "type": "VEC3"}
            accessors.append({**vectors, "byteOffset": len(parts[kind]), "min": low, "max": high})
            start, is_round = len(parts[kind]), kind.startswith("round")
            if is_round:
                attributes["NORMAL"] = len(accessors)
                accessors.append({**vectors, "byteOffset": start + 12})
            if picture:
                attributes["TEXCOORD_0"] = len(accessors)
                accessors.append({**vectors, "byteOffset": start + (24 if is_round else 12), "type": "VEC2"})
            for place, (_, (x, y, z), on_picture) in zip(places, corners):
                length = math.sqrt(x * x + y * y + z * z)
                normal = (x / length, z / length, -y / length + 0.0) if is_round else ()
                numbers = (*place, *normal, *(on_picture if picture else ()))
                parts[kind] += struct.pack(f"<{len(numbers)}f", *numbers)
            primitives.append({"attributes": attributes, "indices": len(accessors), "material": len(materials)})
            accessors.append(
                {"bufferView": "triangles", "byteOffset": len(parts["triangles"]), "componentType": 5123, "count": len(indices), "type": "SCALAR"}
            )
            parts["triangles"] += struct.pack(f"<{len(indices)}H", *indices)
        materials.append(material(name))
        if picture:
            if picture.name not in drawn:
                drawn.append(picture.name)
            surface_of = materials[-1]["pbrMetallicRoughness"]
            surface_of["baseColorTexture"] = {"index": drawn.index(picture.name)}  # type: ignore[index]
    views: list[dict[str, object]] = []
    rows = bytearray()
    for kind, part in parts.items():
        if not part:
            continue
        for accessor in accessors:
            if accessor["bufferView"] == kind:
                accessor["bufferView"] = len(views)
        stride = {"byteStride": STRIDES[kind]} if kind in STRIDES else {}
        target = 34963 if kind == "triangles" else 34962
        views.append({"buffer": 0, "byteOffset": len(rows), "byteLength": len(part), **stride, "target": target})
        rows += part
    images = []
    for name in drawn:
        image = png(name)
        images.append({"bufferView": len(views), "mimeType": "image/png", "name": name})
        rows += b"\0" * (-len(rows) % 4)
        views.append({"buffer": 0, "byteOffset": len(rows), "byteLength": len(image)})
        rows += image
    binary = bytes(rows) + b"\0" * (-len(rows) % 4)
    unknown = sorted(set(model.parts) - set(MATERIALS))
    if unknown:
        raise ValueError(f"material: {', '.join(unknown)}\n  accepted: {', '.join(MATERIALS)}")
    document = {
        "asset": {"version": "2.0", "generator": "worlds/models/make"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": primitives}],
        "materials": materials,
        **pictured(images),
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(binary)}],
    }
    text = json.dumps(document, separators=(",", ":")).encode()
    return container(text + b" " * (-len(text) % 4), binary)


def pictured(images: list[dict[str, object]]) -> dict[str, object]:
    """What a file with these pictures has besides: they repeat, and are smooth near and far."""
    if not images:
        return {}
    sampler = {"magFilter": 9729, "minFilter": 9987, "wrapS": 10497, "wrapT": 10497}
    return {"images": images, "samplers": [sampler], "textures": [{"sampler": 0, "source": k} for k in range(len(images))]}


def container(text: bytes, binary: bytes) -> bytes:
    """A .glb of its two chunks."""
    total = 12 + 8 + len(text) + 8 + len(binary)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, total) + chunks


def material(name: str) -> dict[str, object]:
    """A row of the table as glTF has it: colours are linear there."""
    color, metallic, roughness = MATERIALS[name]
    factor = [linear(int(color[i : i + 2], 16)) for i in (1, 3, 5)]
    surface_of = {"baseColorFactor": [*factor, 1.0], "metallicFactor": metallic, "roughnessFactor": roughness}
    return {"name": name, "pbrMetallicRoughness": surface_of}


def linear(byte: int) -> float:
    """A byte of sRGB as a share of linear light (IEC 61966-2-1)."""
    share = byte / 255.0
    return round(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4, 4)


def surface(shapes: list[Shape], picture: tuple[float, float] | None = None) -> list[tuple[list[Corner], list[int]]]:
    """Corners with their normals, and triangles of them: those of round faces, and those of flat ones, whose normals do not count. Shapes do not round each other's
    edges. A picture of this size [m] lies on each face, its rows along the longer side of the shape, elsewhere on each shape."""
    corners: list[dict[Corner, int]] = [{}, {}]
    indices: list[list[int]] = [[], []]
    for turn, shape in enumerate(shapes):
        polygons = [[tuple(round(v, PLACES) + 0.0 for v in p) for p in polygon] for polygon in shape.polygons]
        faces = [face_normal(polygon) for polygon in polygons]  # type: ignore[arg-type]
        around: dict[Point, list[int]] = {}
        for number, polygon in enumerate(polygons):
            for point in polygon:
                around.setdefault(point, []).append(number)  # type: ignore[arg-type]
        limit = math.cos(math.radians(shape.crease))
        extent = [max(p[k] for p in around) - min(p[k] for p in around) for k in range(3)]
        for number, polygon in enumerate(polygons):
            own, own_area = faces[number]
            if own_area <= 1e-12:
                continue
            own_steps = steps(own, 1.0)
            keys: list[Corner] = []
            for point in polygon:
                total = [0.0, 0.0, 0.0]
                for other in around[point]:  # type: ignore[index]
                    normal, size = faces[other]
                    if sum(a * b for a, b in zip(own, normal)) >= limit - 1e-9:
                        total = [t + size * n for t, n in zip(total, normal)]
                length = math.sqrt(sum(t * t for t in total)) or 1.0
                place = on_picture(point, own, extent, picture, turn) if picture else NOWHERE  # type: ignore[arg-type]
                keys.append((point, steps(total, length), place))  # type: ignore[arg-type]
            flat = all(normal == own_steps for _, normal, _ in keys)
            if flat:
                keys = [(point, (0, 0, 127), place) for point, _, place in keys]
            numbers = [corners[flat].setdefault(key, len(corners[flat])) for key in keys]
            for a, b, c in triangles_of(polygon, own):  # type: ignore[arg-type]
                if len({numbers[a], numbers[b], numbers[c]}) == 3:
                    indices[flat] += (numbers[a], numbers[b], numbers[c])
    return [(list(known), found) for known, found in zip(corners, indices)]


def on_picture(point: Point, normal: Point, extent: Sequence[float], size: tuple[float, float], turn: int) -> tuple[float, float]:
    """Where a corner of a face is on a picture of this size [m], seen along the axis that the face faces most."""
    axis = max(range(3), key=lambda k: abs(normal[k]))
    along, across = sorted((k for k in range(3) if k != axis), key=lambda k: -extent[k])
    return (round(point[along] / size[0] + 0.29 * (turn % 31), 4), round(point[across] / size[1] + 0.37 * (turn % 29), 4))


def steps(normal: Sequence[float], length: float) -> tuple[int, int, int]:
    """A vector of this length as a normal in steps of 1/127."""
    x, y, z = (round(127.0 * round(t / length, 6)) for t in normal)
    return x, y, z


def triangles_of(polygon: list[Point], normal: Point) -> list[tuple[int, int, int]]:
    """Triangles of a polygon: a fan where there are four corners or fewer, ears elsewhere."""
    if len(polygon) <= 4:
        return [(0, k, k + 1) for k in range(1, len(polygon) - 1)]
    # Seen along the axis that it faces most.
    axis = max(range(3), key=lambda k: abs(normal[k]))
    u, v = (axis + 1) % 3, (axis + 2) % 3
    if normal[axis] < 0.0:
        u, v = v, u
    return triangulated([(p[u], p[v]) for p in polygon])


def face_normal(polygon: list[Point]) -> tuple[Point, float]:
    """The normal of a polygon and its area, by Newell's method."""
    x = y = z = 0.0
    for a, b in zip(polygon, [*polygon[1:], polygon[0]]):
        x += (a[1] - b[1]) * (a[2] + b[2])
        y += (a[2] - b[2]) * (a[0] + b[0])
        z += (a[0] - b[0]) * (a[1] + b[1])
    length = math.sqrt(x * x + y * y + z * z)
    return ((x / length, y / length, z / length) if length > 0.0 else (0.0, 0.0, 1.0)), length / 2.0
