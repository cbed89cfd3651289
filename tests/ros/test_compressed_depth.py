"""Cameras for colour and depth: compressed pictures, read by the rules of image_transport's plugins, and labels of both halves.

A reader of PNG of one channel of 16 bits by its specification (W3C, Portable Network Graphics, third edition) stands for OpenCV's.
"""

import struct
import zlib

import numpy as np
import pytest
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import CompressedImage, Image, PointCloud2

from conftest import WORLDS, stamp
from test_camera import WORLD

RGBD = """<sensor class="rgbd_camera" name="eye"><pose_3d>0.5 0.1 0.5 0 0 0</pose_3d>{size}<depth_encoding>{encoding}</depth_encoding>
  <rgb_jpeg_quality>90</rgb_jpeg_quality><depth_compressed>true</depth_compressed><rgb_labels>true</rgb_labels><depth_labels>true</depth_labels>
  <ignore_parent_body>true</ignore_parent_body></sensor>"""
GROUND = """<element class="horizontal_plane"><x_min>-9</x_min><x_max>9</x_max><y_min>-9</y_min><y_max>9</y_max></element>"""
SIZE = "".join(
    f"<{half}_ncols>160</{half}_ncols><{half}_nrows>120</{half}_nrows><{half}_fx>125</{half}_fx><{half}_fy>125</{half}_fy>"
    f"<{half}_cx>80</{half}_cx><{half}_cy>60</{half}_cy>"
    for half in ("rgb", "depth")
)


def paeth(left, above, corner):
    near = {abs(left + above - corner - value): value for value in (corner, above, left)}
    return near[min(near)]


def png16(data):
    """Rows and columns of the numbers of a PNG of one channel of 16 bits."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = [], 8
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        content = data[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length)[0] == zlib.crc32(kind + content)
        chunks.append((kind, content))
        at += 12 + length
    assert chunks[0][0] == b"IHDR" and chunks[-1] == (b"IEND", b"")
    columns, rows, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[0][1])
    assert (depth, color, interlaced) == (16, 0, 0)
    stream = zlib.decompress(b"".join(content for kind, content in chunks if kind == b"IDAT"))
    stride, above, out = 2 * columns, bytearray(2 * columns), bytearray()
    assert len(stream) == rows * (stride + 1)
    for row in range(rows):
        how, line = stream[row * (stride + 1)], bytearray(stream[row * (stride + 1) + 1 : (row + 1) * (stride + 1)])
        for index in range(stride):
            left, corner = (line[index - 2], above[index - 2]) if index > 1 else (0, 0)
            guess = (0, left, above[index], (left + above[index]) // 2, paeth(left, above[index], corner))[how]
            line[index] = (line[index] + guess) % 256
        out += line
        above = line
    return np.frombuffer(bytes(out), ">u2").reshape(rows, columns)


@pytest.mark.parametrize("encoding", ["16UC1", "32FC1"])
def test_compressed_pictures_and_labels_are_those_of_the_pictures_beside_them(reuse, peer, tmp_path, encoding):
    world = tmp_path / "camera.world.xml"
    block = RGBD.format(size=SIZE, encoding=encoding)
    world.write_text(WORLD.format(worlds=WORLDS, sensor=block).replace("<lights>", f"{GROUND}<lights>"))
    reuse(world)
    prefix = peer.topic_ending("/eye_depth/image_raw/compressedDepth").removesuffix("eye_depth/image_raw/compressedDepth")

    def listen(kind, name):
        return peer.listen(kind, f"{prefix}{name}", qos_profile_sensor_data)

    raws, packed = listen(Image, "eye_depth/image_raw"), listen(CompressedImage, "eye_depth/image_raw/compressedDepth")
    jpegs, colors = listen(CompressedImage, "eye_rgb/image_raw/compressed"), listen(Image, "eye_rgb/image_raw")
    labels, depth_labels = listen(Image, "eye_rgb/labels"), listen(Image, "eye_depth/labels")
    clouds = listen(PointCloud2, "eye_points")
    topics = (raws, packed, jpegs, colors, labels, depth_labels, clouds)

    def common():
        return set.intersection(*({stamp(message) for message in of} for of in topics))

    peer.spin_until(common, awaited="messages of one instant")
    instant = max(common())
    raw, compressed, jpeg, color, label, depth_label, cloud = (next(m for m in of if stamp(m) == instant) for of in topics)

    assert compressed.format == f"{encoding}; compressedDepth png" and compressed.header == raw.header
    kind, a, b = struct.unpack_from("<iff", bytes(compressed.data))
    numbers = png16(bytes(compressed.data)[12:]).astype(float)
    depths = np.frombuffer(bytes(raw.data), "<u2" if encoding == "16UC1" else "<f4").reshape(120, 160).astype(float)
    assert kind == 0
    if encoding == "16UC1":
        assert (numbers == depths).all() and (depths > 0).any() and (depths == 0).any()
    else:
        with np.errstate(divide="ignore"):
            read = np.where(numbers > 0, a / (numbers - b), np.nan)
        assert (np.isfinite(read) == np.isfinite(depths)).all()
        is_measured = np.isfinite(depths)
        assert (np.abs(read - depths)[is_measured] <= 1.01 * depths[is_measured] ** 2 / (2 * a) + 1e-6).all()

    assert jpeg.format == "bgr8; jpeg compressed bgr8" and jpeg.header == color.header and bytes(jpeg.data[:3]) == b"\xff\xd8\xff"

    def pairs(picture, frame):
        assert (picture.encoding, picture.header.frame_id, picture.step) == ("16UC2", frame, 4 * 160)
        return np.frombuffer(bytes(picture.data), "<u2").reshape(120, 160, 2)

    seen, measured = pairs(label, "eye_rgb"), pairs(depth_label, "eye_depth")
    # 1 is the ground, 3 a block: the box in the middle, the ground below, nothing above.
    assert (seen[60, 80, 0], seen[119, 80, 0], seen[0, 80, 0]) == (3, 1, 0)
    is_measured = (depths > 0) & np.isfinite(depths)
    assert (seen[is_measured] == measured[is_measured]).all() and (measured[is_measured, 0] > 0).all()
    names = [(field.name, field.offset, field.datatype) for field in cloud.fields]
    assert names == [("x", 0, 7), ("y", 4, 7), ("z", 8, 7), ("class", 16, 4), ("body", 18, 4)] and cloud.point_step == 20
    points = np.frombuffer(bytes(cloud.data), np.uint8).reshape(120, 160, 20)
    of_points = points[:, :, 16:].copy().view("<u2")
    assert (of_points[is_measured] == measured[is_measured]).all() and (of_points[~is_measured] == 0).all()
