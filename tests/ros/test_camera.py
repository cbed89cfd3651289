"""Cameras: their topics, models and frames, and a box of known size and colour in the pixels where the model has it."""

import numpy as np
import pytest
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import CameraInfo, CompressedImage, Image, PointCloud2
from tf2_msgs.msg import TFMessage

from conftest import LATCHED, WORLDS, stamp

# A red box whose face is 3 m ahead of the cameras, 1.2 m wide, from 0.2 m to 0.8 m above the ground, in even light.
WORLD = """<mvsim_world>
  <lights><light_ambient>1</light_ambient></lights>
  <block name="box"><static>true</static><color>#c83214</color><zmin>0.2</zmin><zmax>0.8</zmax><init_pose>4 0 0</init_pose>
    <shape><pt>-0.5 -0.6</pt><pt>0.5 -0.6</pt><pt>0.5 0.6</pt><pt>-0.5 0.6</pt></shape></block>
  <include file="{worlds}/vehicles/diffbot.vehicle.xml"/>
  <vehicle name="r1" class="diffbot">
    <init_pose>0 0 0</init_pose>
    {sensor}
  </vehicle>
</mvsim_world>"""

CAMERA = """<sensor class="camera" name="eye"><pose_3d>0.5 0.1 0.5 -90 0 -90</pose_3d><ncols>160</ncols><nrows>120</nrows>
  <fx>125</fx><fy>120</fy><cx>80.5</cx><cy>58.2</cy><distortion>-0.25 0.08 0.001 -0.002 0</distortion><jpeg_quality>90</jpeg_quality>
  <ignore_parent_body>true</ignore_parent_body></sensor>"""
RGBD = """<include file="{worlds}/sensors/rgbd_camera.sensor.xml" name="eye" x="0.5" y="0.1" ncols="160" nrows="120" fx="125" fy="125"
  cx="80" cy="60" depth_noise_sigma="0" depth_noise_quadratic="0" depth_encoding="{encoding}" publish_ros_colored_pointcloud="true"/>"""
# Corners of the face in the optical axes of a camera at (0.5, 0.1, 0.5), upper left one first: z ahead, x to the right, y down.
FACE = np.array([[-0.5, -0.3, 3.0], [0.7, -0.3, 3.0], [-0.5, 0.3, 3.0], [0.7, 0.3, 3.0]])
RED = (200, 50, 20)
BOTH_LENSES = WORLDS / "racecar_gazebo.world.xml", ("-p", "preset:=racecar_gazebo"), ("--set", "camera=2", "--set", "camera_rate_hz=1")
of_both_lenses = pytest.mark.together("both lenses")


def sensor(reuse, peer, tmp_path, block, first):
    """Starts a robot with this sensor; returns the prefix of its topics, which end with `first`."""
    world = tmp_path / "camera.world.xml"
    world.write_text(WORLD.format(worlds=WORLDS, sensor=block))
    reuse(world)
    return peer.topic_ending(f"/{first}").removesuffix(first)


def pixels_of(image):
    """Rows, columns and red, green, blue."""
    assert image.encoding == "bgr8" and image.step == 3 * image.width and len(image.data) == image.step * image.height
    return np.frombuffer(bytes(image.data), np.uint8).reshape(image.height, image.width, 3)[:, :, ::-1]


def project(info, points):
    """Columns and rows of points in optical axes, by K and D of the message."""
    x, y = points[:, 0] / points[:, 2], points[:, 1] / points[:, 2]
    k1, k2, p1, p2, k3 = info.d
    q = x**2 + y**2
    radial = 1 + k1 * q + k2 * q**2 + k3 * q**3
    bent = x * radial + 2 * p1 * x * y + p2 * (q + 2 * x**2), y * radial + p1 * (q + 2 * y**2) + 2 * p2 * x * y
    k = np.array(info.k).reshape(3, 3)
    return k[0, 0] * bent[0] + k[0, 2], k[1, 1] * bent[1] + k[1, 2]


def assert_is_face(is_face, info):
    """The marked pixels are those that the model gives to the face of the box."""
    columns, rows = project(info, FACE)
    edge = np.linspace(0.0, 1.0, 50)[:, None]
    left = project(info, (1 - edge) * FACE[0] + edge * FACE[2])[0]
    right = project(info, (1 - edge) * FACE[1] + edge * FACE[3])[0]
    top = project(info, (1 - edge) * FACE[0] + edge * FACE[1])[1]
    found_rows, found_columns = np.nonzero(is_face)
    # A pixel whose middle the face covers: bent sides reach half a pixel and the rounding beyond their extremes at most.
    assert abs(found_columns.min() - left.min()) <= 1.01 and abs(found_columns.max() - right.max()) <= 1.01
    assert abs(found_rows.min() - top.min()) <= 1.01
    inside = np.array([[u, v, 3.0] for u in np.linspace(-0.49, 0.69, 9) for v in np.linspace(-0.29, 0.29, 5)])
    for column, row in zip(*project(info, inside)):
        assert is_face[int(round(row)), int(round(column))]
    area = 0.5 * abs(
        (columns[0] - columns[3]) * (rows[1] - rows[2]) - (columns[1] - columns[2]) * (rows[0] - rows[3])
    )
    assert is_face.sum() == pytest.approx(area, rel=0.06)


def test_a_box_is_in_the_pixels_where_the_published_model_has_it(reuse, peer, tmp_path):
    prefix = sensor(reuse, peer, tmp_path, CAMERA, "eye/image_raw")
    images = peer.listen(Image, f"{prefix}eye/image_raw", qos_profile_sensor_data)
    infos = peer.listen(CameraInfo, f"{prefix}eye/camera_info", qos_profile_sensor_data)
    jpegs = peer.listen(CompressedImage, f"{prefix}eye/image_raw/compressed", qos_profile_sensor_data)
    transforms = peer.listen(TFMessage, f"{prefix}tf_static", LATCHED)
    peer.spin_until(lambda: len(images) > 2 and infos and jpegs and transforms, awaited="messages")
    image, info = images[-1], infos[-1]
    assert {stamp(m) for m in images} & {stamp(m) for m in infos}, "the same instants"
    assert (info.width, info.height, info.distortion_model) == (160, 120, "plumb_bob")
    assert list(info.k) == [125, 0, 80.5, 0, 120, 58.2, 0, 0, 1] and list(info.d) == [-0.25, 0.08, 0.001, -0.002, 0]
    assert list(info.r) == [1, 0, 0, 0, 1, 0, 0, 0, 1] and list(info.p) == [125, 0, 80.5, 0, 0, 120, 58.2, 0, 0, 0, 1, 0]
    assert image.header.frame_id == info.header.frame_id == "eye"
    mounted = [t.transform for message in transforms for t in message.transforms if t.child_frame_id == "eye"]
    q = mounted[0].rotation
    # Optical axes: (x, y, z) of the camera are (−y, −z, x) of the robot.
    assert np.allclose([q.x, q.y, q.z, q.w], [-0.5, 0.5, -0.5, 0.5]) or np.allclose([q.x, q.y, q.z, q.w], [0.5, -0.5, 0.5, -0.5])
    pixels = pixels_of(image)
    assert_is_face((pixels == RED).all(axis=2), info)
    compressed = jpegs[-1]
    assert compressed.format == "bgr8; jpeg compressed bgr8" and bytes(compressed.data[:3]) == b"\xff\xd8\xff"
    periods = (stamp(images[-1]) - stamp(images[-2])) / 0.1
    assert periods > 0.5 and abs(periods - round(periods)) < 1e-5


@pytest.mark.parametrize("encoding", ["16UC1", "32FC1"])
def test_depths_and_points_are_those_of_the_box(reuse, peer, tmp_path, encoding):
    block = RGBD.format(worlds=WORLDS, encoding=encoding)
    prefix = sensor(reuse, peer, tmp_path, block, "eye_depth/image_raw")
    depths = peer.listen(Image, f"{prefix}eye_depth/image_raw", qos_profile_sensor_data)
    colors = peer.listen(Image, f"{prefix}eye_rgb/image_raw", qos_profile_sensor_data)
    models = {half: peer.listen(CameraInfo, f"{prefix}eye_{half}/camera_info", qos_profile_sensor_data) for half in ("rgb", "depth")}
    clouds = peer.listen(PointCloud2, f"{prefix}eye_points", qos_profile_sensor_data)
    transforms = peer.listen(TFMessage, f"{prefix}tf_static", LATCHED)
    peer.spin_until(lambda: depths and colors and clouds and transforms and all(models.values()), awaited="messages")
    depth, info = depths[-1], models["depth"][-1]
    assert (depth.encoding, depth.header.frame_id, colors[-1].header.frame_id) == (encoding, "eye_depth", "eye_rgb")
    kind, unit = ("<u2", 1e-3) if encoding == "16UC1" else ("<f4", 1.0)
    metres = unit * np.frombuffer(bytes(depth.data), kind).reshape(120, 160).astype(float)
    is_face = metres > 0.0
    assert_is_face(is_face, info)
    assert np.abs(metres[is_face] - 3.0).max() < 1e-3
    assert_is_face((pixels_of(colors[-1]) == RED).all(axis=2), models["rgb"][-1])
    cloud = clouds[-1]
    assert [field.name for field in cloud.fields] == ["x", "y", "z", "rgb"] and cloud.header.frame_id == "eye"
    points = np.frombuffer(bytes(cloud.data), "<f4").reshape(120, 160, 4)
    assert (np.isfinite(points[:, :, 0]) == is_face).all()
    face = points[is_face]
    assert np.abs(face[:, 0] - 3.0).max() < 1e-3, "x ahead"
    assert abs(face[:, 1].max() - 0.5) < 0.03 and abs(face[:, 1].min() + 0.7) < 0.03 and np.abs(np.abs(face[:, 2]).max() - 0.3) < 0.03
    packed = face[:, 3].copy().view(np.uint32)
    assert (packed == (200 << 16 | 50 << 8 | 20)).mean() > 0.95, "the colour of the box"
    frames = {t.child_frame_id: t for message in transforms for t in message.transforms}
    assert frames["eye"].transform.translation.x == pytest.approx(0.5)
    for half in ("eye_rgb", "eye_depth"):
        assert frames[half].header.frame_id == "eye"


@of_both_lenses
def test_the_racecar_has_the_topics_and_the_frame_of_its_zed(reuse, peer):
    reuse(*BOTH_LENSES)
    images = peer.listen(Image, "/camera/zed/rgb/image_rect_color", qos_profile_sensor_data)
    infos = peer.listen(CameraInfo, "/camera/zed/rgb/camera_info", qos_profile_sensor_data)
    peer.spin_until(lambda: images and infos, awaited="pictures")
    image, info = images[-1], infos[-1]
    assert (image.width, image.height, image.encoding, image.header.frame_id) == (640, 480, "bgr8", "camera_link_optical")
    assert info.header.frame_id == "camera_link_optical" and not any(info.d)
    assert 2.0 * np.arctan(320.0 / info.k[0]) == pytest.approx(0.8709216, abs=1e-6)
    # The upper rows show nothing but the sky, by the law of docs/world/appearance.md, with noise of 0.007 of 255, the lower ones the ground.
    rows = pixels_of(image).reshape(480, 640, 3).astype(float)
    sky, ground = rows[:200], rows[300:].reshape(-1, 3)
    ahead, right, up = info.k[0], np.arange(640) - info.k[2], info.k[5] - np.arange(200)[:, None]
    zenith = np.exp(0.32 * (1 - np.sqrt(ahead**2 + right**2 + up**2) / up))[:, :, None]
    error = sky - (zenith * [90, 146, 214] + (1 - zenith) * [216, 230, 242])
    assert np.abs(error.mean(axis=(0, 1))).max() < 0.5 and np.abs(error.std(axis=(0, 1)) - 1.81).max() < 0.05
    assert np.ptp(ground.mean(axis=0)) < 5.0, "grey"


def test_the_racecars_pictures_are_in_its_link_as_in_gazebo_on_request(simulate, peer):
    parameters = ["-p", "preset:=racecar_gazebo", "-p", "camera_frame_id:=camera_link"]
    simulate(WORLDS / "racecar_gazebo.world.xml", parameters, ["--set", "camera=1", "--set", "camera_rate_hz=1"])
    images = peer.listen(Image, "/camera/zed/rgb/image_rect_color", qos_profile_sensor_data)
    transforms = peer.listen(TFMessage, "/tf_static", LATCHED)
    peer.spin_until(lambda: images and transforms, awaited="pictures")
    assert images[-1].header.frame_id == "camera_link"
    places = [t.transform for message in transforms for t in message.transforms if t.child_frame_id == "camera_link"]
    assert [place.rotation.w for place in places] == pytest.approx([1.0]), "one place, with x ahead"


@of_both_lenses
def test_the_racecars_zed_has_a_right_lens_on_request(reuse, peer):
    reuse(*BOTH_LENSES)
    images = peer.listen(Image, "/camera/zed/right/image_rect_color", qos_profile_sensor_data)
    infos = {side: peer.listen(CameraInfo, f"/camera/zed/{side}/camera_info", qos_profile_sensor_data) for side in ("rgb", "right")}
    transforms = peer.listen(TFMessage, "/tf_static", LATCHED)
    peer.spin_until(lambda: images and all(infos.values()) and transforms, awaited="pictures")
    left, right = (infos[side][-1] for side in ("rgb", "right"))
    assert left.p[3] == 0.0 and right.p[3] / right.p[0] == pytest.approx(-0.12) and list(left.k) == list(right.k)
    assert images[-1].header.frame_id == right.header.frame_id == "zed_camera_right_link_optical"
    frames = {t.child_frame_id: t.transform for message in transforms for t in message.transforms}
    # Links have x ahead, frames of pictures z.
    assert (frames["camera_link"].rotation.w, frames["camera_link_optical"].rotation.w) == pytest.approx((1.0, 0.5))
    places = [frames[name].translation for name in ("camera_link", "zed_camera_right_link")]
    assert places[0].y - places[1].y == pytest.approx(0.12) and places[0].x == places[1].x
