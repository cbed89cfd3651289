"""The truth for other nodes: all bodies as a topic and as entities, boxes in pictures, and forces from outside."""

import json
import math

import numpy as np
import pytest
from builtin_interfaces.msg import Duration
from geometry_msgs.msg import Point, Vector3, Wrench
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Image
from skidpad.msg import Bodies, Body
from skidpad.srv import ApplyWrench
from std_msgs.msg import String

from conftest import LATCHED, WORLDS
from test_simulation_interfaces import FAILED, OK, PLAYING, STOPPED, Control, category

# The category of people in simulation_interfaces.
HUMAN = 2
WORLD = """<mvsim_world>
  <simul_timestep>0.01</simul_timestep>
  <element class="horizontal_plane"><x_min>-30</x_min><x_max>30</x_max><y_min>-30</y_min><y_max>30</y_max></element>
  <include file="{worlds}/vehicles/diffbot.vehicle.xml"/>
  <vehicle name="r1" class="diffbot">
    <init_pose>0 0 0</init_pose>
    <include file="{worlds}/sensors/camera.sensor.xml" name="eye" x="0.3" ncols="80" nrows="60" fx="50" fy="50" cx="40" cy="30" labels="true"/>
  </vehicle>
  <block name="crate"><mass>10</mass><ground_friction>0</ground_friction><init_pose>0 -9 90</init_pose><init_vel>0.5 0 0</init_vel>
    <linear_damping>0</linear_damping><angular_damping>0</angular_damping>
    <zmin>0</zmin><zmax>0.8</zmax><shape><pt>-1 -0.5</pt><pt>1 -0.5</pt><pt>1 0.5</pt><pt>-1 0.5</pt></shape></block>
  <block name="pillar"><static>true</static><label>post</label><init_pose>4 0.5 0</init_pose>
    <zmin>0</zmin><zmax>1</zmax><shape><pt>-0.2 -0.2</pt><pt>0.2 -0.2</pt><pt>0.2 0.2</pt><pt>-0.2 0.2</pt></shape></block>
  <actor name="walker"><init_pose>8 0 90</init_pose><walking_speed>1.5</walking_speed><height>1.8</height>
    <path loop="false"><waypoint>8 20 90</waypoint></path></actor>
</mvsim_world>"""


@pytest.fixture
def world(tmp_path):
    path = tmp_path / "truth.world.xml"
    path.write_text(WORLD.format(worlds=WORLDS))
    return path


def by_name(message):
    return {body.name: body for body in message.bodies}


def seconds(header):
    return header.stamp.sec + header.stamp.nanosec / 1e9


def test_a_topic_has_poses_boxes_and_velocities_of_all_bodies(reuse, peer, world):
    reuse(world)
    heard = peer.listen(Bodies, "bodies")
    peer.spin_until(lambda: len(heard) > 20, awaited="bodies")
    first, last = by_name(heard[0]), by_name(heard[-1])
    assert heard[0].header.frame_id == "map"
    assert [body.name for body in heard[0].bodies] == ["r1", "crate", "pillar", "walker"]
    facts = {name: (body.kind, body.class_name, body.is_static) for name, body in first.items()}
    assert facts == {
        "r1": (Body.VEHICLE, "vehicle", False), "crate": (Body.BLOCK, "block", False),
        "pillar": (Body.BLOCK, "post", True), "walker": (Body.ACTOR, "actor", False),
    }
    size = first["crate"].box_size
    assert (size.x, size.y, size.z) == (2.0, 1.0, 0.8) and first["crate"].box_center.z == pytest.approx(0.4)
    assert first["walker"].box_size.z == pytest.approx(1.8)
    # Along their own axes: both move along y of the map, the way they look.
    assert first["crate"].twist.linear.x == pytest.approx(0.5) and first["walker"].twist.linear.x == pytest.approx(1.5)
    times = [seconds(message.header) for message in heard]
    elapsed = times[-1] - times[0]
    for name, speed in (("crate", 0.5), ("walker", 1.5)):
        moved = last[name].pose.position.y - first[name].pose.position.y
        assert moved == pytest.approx(speed * elapsed, abs=1e-6)
    # The first one comes as soon as somebody listens, the others every tenth of a second.
    assert times[-1] - times[1] == pytest.approx((len(heard) - 2) * 0.1), "ten a second"
    assert 0.0 < times[1] - times[0] <= 0.1 + 1e-6


def test_bodies_are_detections_where_vision_msgs_is(reuse, peer, world):
    vision = pytest.importorskip("vision_msgs.msg")
    reuse(world)
    heard, detections = peer.listen(Bodies, "bodies"), peer.listen(vision.Detection3DArray, "body_detections")
    peer.spin_until(lambda: heard and len(detections) > 2, awaited="detections")
    assert [detection.id for detection in detections[0].detections] == ["r1", "crate", "pillar", "walker"]
    crate = detections[0].detections[1]
    assert crate.results[0].hypothesis.class_id == "block" and crate.results[0].hypothesis.score == 1.0
    assert (crate.bbox.size.x, crate.bbox.size.y, crate.bbox.size.z) == (2.0, 1.0, 0.8)
    assert crate.bbox.center.position.z == pytest.approx(0.4) and crate.results[0].pose.pose.position.z == 0.0
    assert crate.header.frame_id == detections[0].header.frame_id == "map"


def test_a_camera_with_labels_has_boxes_around_what_it_sees(reuse, peer, world):
    vision = pytest.importorskip("vision_msgs.msg")
    reuse(world)
    tables = peer.listen(String, peer.topic_ending("/label_table"), LATCHED)
    pictures = peer.listen(Image, peer.topic_ending("/eye/labels"), qos_profile_sensor_data)
    boxes = peer.listen(vision.Detection2DArray, peer.topic_ending("/eye/detections"), qos_profile_sensor_data)

    def pair():
        return next(((a, b) for a in pictures for b in boxes if a.header.stamp == b.header.stamp), None)

    peer.spin_until(lambda: tables and pair(), awaited="a picture and its boxes")
    picture, message = pair()
    table = json.loads(tables[-1].data)
    number = next(int(number) for number, body in table["bodies"].items() if body["name"] == "pillar")
    labels = np.frombuffer(bytes(picture.data), "<u2").reshape(picture.height, picture.width, 2)
    rows, columns = np.nonzero(labels[..., 1] == number)
    box = next(detection for detection in message.detections if detection.id == str(number))
    assert table["classes"][box.results[0].hypothesis.class_id] == "post"
    left, right = (box.bbox.center.position.x + sign * box.bbox.size_x / 2 for sign in (-1, 1))
    top, bottom = (box.bbox.center.position.y + sign * box.bbox.size_y / 2 for sign in (-1, 1))
    assert (left, right, top, bottom) == (columns.min(), columns.max() + 1, rows.min(), rows.max() + 1)
    ground = {int(number) for number, body in table["bodies"].items() if body["class"] == "ground"}
    assert (labels[..., 1] == min(ground)).any() and not {int(d.id) for d in message.detections} & ground


def test_actors_are_entities(reuse, peer, world):
    reuse(world)
    control = Control(peer)
    assert "walker" in control.expect(OK, "get_entities").entities
    assert list(control.names(categories=category(HUMAN))) == ["walker"]
    info = control.expect(OK, "get_entity_info", entity="walker").info
    assert info.category.category == HUMAN and list(info.tags) == ["actor"]
    state = control.expect(OK, "get_entity_state", entity="walker").state
    assert state.twist.linear.y == pytest.approx(1.5) and abs(state.twist.linear.x) < 1e-9
    assert control.expect(OK, "get_entity_bounds", entity="walker").bounds.points[0].z == pytest.approx(1.8)

    control.set_entity("walker", position=(6.0, 5.0), yaw=math.pi / 2, twist=(0.0, 0.0, 0.0))
    assert control.where("walker").pose.position.x == pytest.approx(6.0, abs=0.5), "it walks on from there"
    refused = control.set_entity("walker", FAILED, position=(6.0, 5.0), twist=(2.0, 0.0, 0.0))
    assert "the path of an actor sets its velocity" in refused.result.error_message
    control.expect(OK, "delete_entity", entity="walker")
    assert "walker" not in control.expect(OK, "get_entities").entities
    control.expect(OK, "reset_simulation")
    assert "walker" in control.expect(OK, "get_entities").entities


def test_a_wrench_pushes_a_body_for_a_time(reuse, peer, world):
    reuse(world)
    control = Control(peer)
    control.set_state(STOPPED)
    heard = peer.listen(Bodies, "bodies")
    client = peer.node.create_client(ApplyWrench, "/skidpad/apply_wrench")
    peer.spin_until(client.service_is_ready, awaited="the service")
    peer.introduce(client.srv_name)

    def apply(entity="crate", force=(0.0, 0.0, 0.0), torque=0.0, duration=None, **fields):
        duration = Duration(nanosec=500_000_000) if duration is None else duration
        request = ApplyWrench.Request(entity=entity, duration=duration, **fields)
        request.wrench = Wrench(force=Vector3(x=force[0], y=force[1], z=force[2]), torque=Vector3(z=torque))
        future = client.call_async(request)
        peer.spin_until(future.done, awaited="the answer of apply_wrench")
        return future.result()

    # 20 N along x of the map for half a second on 10 kg: 1 m/s to the right of the crate, which looks along y.
    assert apply(force=(20.0, 0.0, 0.0)).success
    refusals = {
        "force.z is 1": apply(force=(0.0, 0.0, 1.0)),
        "frame \"crat\": unknown": apply(frame_id="crat"),
        "entity \"crat\": not found\n  hint: did you mean \"crate\"?": apply(entity="crat"),
        "wrench on \"pillar\": no force moves it": apply(entity="pillar"),
        "wrench on \"walker\": no force moves it": apply(entity="walker"),
        "a number of the wrench is not finite": apply(force=(math.inf, 0.0, 0.0)),
    }
    for reason, answer in refusals.items():
        assert not answer.success and reason in answer.message, answer
    control.set_state(PLAYING)
    peer.spin_until(lambda: heard and seconds(heard[-1].header) > 0.7, awaited="the end of the push")
    twist = by_name(heard[-1])["crate"].twist
    assert (twist.linear.x, twist.linear.y) == pytest.approx((0.5, -1.0), abs=1e-6)
    assert apply(force=(6.0, 0.0, 0.0), frame_id="crate", has_point=True, point=Point(y=-0.5), duration=Duration(sec=1000)).success
    peer.spin_until(lambda: by_name(heard[-1])["crate"].twist.angular.z > 0.1, awaited="a turn")
    assert apply(duration=Duration()).success, "all wrenches end"
    time = seconds(heard[-1].header)
    peer.spin_until(lambda: seconds(heard[-1].header) > time + 0.2, awaited="bodies after the end")
    settled = len(heard) - 1
    peer.spin_until(lambda: len(heard) > settled + 5, awaited="more bodies")
    rates = {round(by_name(message)["crate"].twist.angular.z, 9) for message in heard[settled:]}
    assert len(rates) == 1, rates
