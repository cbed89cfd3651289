"""What worlds bring along is drawn: meshes and pictures of every kind, and a plain shape where a file is missing."""

import base64
import json
import struct
import zlib

from running import WORLDS

CUBE = [[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
# Triangles of the corners above, counter-clockwise as seen from outside.
FACES = [
    (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
    (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
]

# The plain shape of each block is a small one in its middle, in magenta; its mesh reaches half a metre.
BLOCK = """
  <block name="{name}">
    <static>true</static>
    <shape> <pt>-0.1 -0.1</pt> <pt>-0.1 0.1</pt> <pt>0.1 0.1</pt> <pt>0.1 -0.1</pt> </shape>
    <zmin>0</zmin> <zmax>0.3</zmax> <color>#ff00ff</color>
    <init_pose>{x} {y} 0</init_pose>
    <visual> <model_uri>{file}</model_uri> {more} </visual>
  </block>"""

WORLD = """<mvsim_world version="1.0">
  <include file="{vehicles}/diffbot.vehicle.xml"/>
  <vehicle name="robot" class="diffbot"> <init_pose>0 -3 0</init_pose> </vehicle>
  <element class="horizontal_plane">
    <x_min>-2</x_min> <x_max>2</x_max> <y_min>1.5</y_min> <y_max>3.5</y_max> <z>0.01</z>
    <texture>stripes.png</texture> <texture_size_x>4</texture_size_x> <texture_size_y>2</texture_size_y>
  </element>{blocks}
</mvsim_world>
"""


def wavefront(folder):
    """A green cube with its materials in a file of their own."""
    (folder / "cube.mtl").write_text("newmtl paint\nKd 0 0.8 0\n")
    lines = ["mtllib cube.mtl", *(f"v {x} {y} {z}" for x, y, z in CUBE), "usemtl paint"]
    (folder / "cube.obj").write_text("\n".join([*lines, *("f {} {} {}".format(*(i + 1 for i in face)) for face in FACES)]) + "\n")


def stereolithography(folder):
    """A cube without colours."""
    corners = lambda face: "".join("vertex {} {} {}\n".format(*CUBE[i]) for i in face)  # noqa: E731
    facets = "".join(f"facet normal 0 0 0\nouter loop\n{corners(face)}endloop\nendfacet\n" for face in FACES)
    (folder / "cube.stl").write_text(f"solid cube\n{facets}endsolid cube\n")


def transmission(folder):
    """A red cube as glTF, with its numbers inside."""
    places = struct.pack("<24f", *(value for corner in CUBE for value in corner))
    indices = struct.pack("<36H", *(i for face in FACES for i in face))
    content = places + indices
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [0.7, 0, 0, 1], "metallicFactor": 0}}],
        "buffers": [{"byteLength": len(content), "uri": "data:application/octet-stream;base64," + base64.b64encode(content).decode()}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(places)},
            {"buffer": 0, "byteOffset": len(places), "byteLength": len(indices)},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "min": [-0.5] * 3, "max": [0.5] * 3},
            {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
        ],
    }
    (folder / "cube.gltf").write_text(json.dumps(document))


def stripes(folder):
    """A picture whose left half is orange and whose right half is blue."""
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    row = b"\0" + 16 * b"\xff\x90\x00" + 16 * b"\x10\x20\xf0"
    head = struct.pack(">IIBBBBB", 32, 16, 8, 2, 0, 0, 0)
    content = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(16 * row)) + chunk(b"IEND", b"")
    (folder / "stripes.png").write_bytes(b"\x89PNG\r\n\x1a\n" + content)


PIXEL = """async (data) => {
  const image = await createImageBitmap(await (await fetch("data:image/png;base64," + data)).blob());
  const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  return [...context.getImageData(1, 1, 1, 1).data].slice(0, 3);
}"""


def colour(viewer, x, y):
    """Red, green, blue of the page over a point of the ground [m], looked at from the top."""
    across, down = viewer.page_at(x, y)
    picture = viewer.page.screenshot(clip={"x": round(across) - 1, "y": round(down) - 1, "width": 3, "height": 3})
    return viewer.page.evaluate(PIXEL, base64.b64encode(picture).decode())


def is_shown(viewer, x, y, strong, weak, awaited):
    """Waits until a channel of the colour there (0 red, 1 green, 2 blue) is much stronger than another."""
    def differs():
        pixel = colour(viewer, x, y)
        return pixel[strong] > pixel[weak] + 60

    viewer.wait_for(differs, awaited)


def show(serve, look, folder, *blocks):
    """Shows a world with these blocks from the top."""
    for make in (wavefront, stereolithography, transmission, stripes):
        make(folder)
    (folder / "things.world.xml").write_text(WORLD.format(vehicles=WORLDS / "vehicles", blocks="".join(blocks)))
    viewer = look(serve(folder / "things.world.xml").link)
    viewer.look("top")
    return viewer


def test_meshes_and_pictures_are_drawn_and_crossed_boxes_where_one_is_missing(serve, look, tmp_path):
    blue = "<model_color>#2030ff</model_color>"
    viewer = show(
        serve, look, tmp_path,
        BLOCK.format(name="green", x=-2, y=0, file="cube.obj", more=""),
        BLOCK.format(name="blue", x=0, y=0, file="cube.stl", more=blue),
        BLOCK.format(name="red", x=2, y=0, file="cube.gltf", more=""),
        BLOCK.format(name="lost", x=0, y=-1.6, file="nowhere.obj", more=""),
    )
    # Beside the plain shape, where only the mesh is.
    is_shown(viewer, -1.65, 0.3, 1, 0, "the OBJ with its material")
    is_shown(viewer, 0.35, 0.3, 2, 0, "the STL in the colour of the world")
    is_shown(viewer, 2.35, 0.3, 0, 1, "the glTF with its material")
    is_shown(viewer, -1, 2.5, 0, 2, "the left half of the picture")
    is_shown(viewer, 1, 2.5, 2, 0, "its right half")
    assert viewer.ask("skidpad.view.stats.missing") == ["nowhere.obj"]
    check_crossed_box(viewer, 0, -1.6)


def check_crossed_box(viewer, x, y):
    """Where a mesh is missing, a crossed box stands."""
    # Lines of the ground are within this.
    beside, ground = colour(viewer, x + 0.35, y + 0.3), colour(viewer, x - 0.8, y - 0.9)
    assert max(abs(a - b) for a, b in zip(beside, ground)) < 30, (beside, ground)
    # From near, its edges are some pixels wide.
    viewer.page.evaluate("(target) => { skidpad.view.lookout = { ...skidpad.view.lookout, target, distance: 1 }; }", [x, y, 0])
    viewer.settle()
    is_shown(viewer, x, y, 0, 2, "the diagonals, which are amber")
    red, green, blue = colour(viewer, x + 0.02, y + 0.06)
    assert max(red, green, blue) - min(red, green, blue) < 40, "between them it is grey, whatever the colour of the block"
