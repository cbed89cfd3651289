"""Many vehicles: each with its names, transforms, parameters and commands, and none with another's."""

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import GetParameters, SetParameters
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState, LaserScan
from tf2_msgs.msg import TFMessage

from conftest import LATCHED, OPEN, WORLDS, nanoseconds, stamp
from reusing import ANYWHERE

COUNT = 10
#: Vehicles with different TF topics than the others.
MODES = {"r1": "prefixed", "r2": "both", "r3": "prefixed"}
#: A mode for those that have none of their own, and others for all of the fleet.
PREFIXED = [
    *ANYWHERE, "-p", "tf_mode:=prefixed", "-p", "r4.cmd_timeout:=0.0",
    *(word for i in range(COUNT) for word in ("-p", f"r{i}.tf_mode:={MODES.get(f'r{i}', 'namespaced')}")),
]
prefixed = pytest.mark.together("prefixed")
#: Vehicles that are driven, with their yaw rates [rad/s].
DRIVEN = {"r0": 0.5, "r1": -0.5, "r4": 1.0}


@pytest.fixture
def fleet(tmp_path):
    """A world with ten vehicles far apart from each other."""
    vehicles = "".join(
        f'<vehicle name="r{i}" class="diffbot"><init_pose>{4 * i} 0 0</init_pose></vehicle>' for i in range(COUNT)
    )
    world = tmp_path / "fleet.world.xml"
    include = f'<include file="{WORLDS / "vehicles" / "diffbot.vehicle.xml"}"/>'
    world.write_text(f'<mvsim_world version="1.0">{include}{vehicles}</mvsim_world>')
    return world


def transforms(messages):
    """Parent, child and stamp of every transform."""
    return [
        (t.header.frame_id, t.child_frame_id, nanoseconds(t.header.stamp)) for m in messages for t in m.transforms
    ]


def edges(messages):
    return {(parent, child) for parent, child, _ in transforms(messages)}


@prefixed
def test_req_n5_ten_vehicles_have_a_namespace_a_tree_and_commands_each(reuse, peer, another_peer, fleet):
    names = [f"r{i}" for i in range(COUNT)]
    reuse(fleet, PREFIXED, odom_rate=10.0)
    clock = peer.listen(Clock, "/clock")
    truth = {name: peer.listen(Odometry, f"{name}/ground_truth") for name in names}
    odom = {name: peer.listen(Odometry, f"{name}/odom") for name in ("r1", "r2")}
    scans = {name: peer.listen(LaserScan, f"{name}/scan") for name in ("r0", "r1", "r2")}
    joints = peer.listen(JointState, "r1/joint_states")
    tf = {name: peer.listen(TFMessage, f"{name}/tf") for name in names}
    world_tf = peer.listen(TFMessage, "/tf")
    commands = {name: peer.publisher(Twist, f"{name}/cmd_vel") for name in DRIVEN}
    heard = [clock, joints, *truth.values(), *odom.values(), *scans.values()]
    everybody = lambda: all(heard) and all(peer.reaches(p) for p in commands.values())  # noqa: E731
    peer.spin_until(everybody, awaited="the fleet")
    # Commands of r4 hold for ever, those of the others for the second that all have; r0 is given less.
    short = Parameter(name="r0.cmd_timeout", value=ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=0.3))
    results = peer.call(SetParameters, "/skidpad/set_parameters", SetParameters.Request(parameters=[short])).results
    assert results[0].successful, results[0].reason
    begin = stamp(truth["r0"][-1])
    while stamp(truth["r0"][-1]) < begin + 2.0:
        for name, publisher in commands.items():
            command = Twist()
            command.angular.z = DRIVEN[name]
            publisher.publish(command)
        peer.spin_for(0.05)
    silent_from = stamp(truth["r0"][-1])

    # Each follows its own commands only.
    for name in names:
        rate = truth[name][-1].twist.twist.angular.z
        assert rate == pytest.approx(DRIVEN.get(name, 0.0), abs=0.05), name

    # Every topic's stamps increase, and no transform is published twice.
    for messages in (*odom.values(), *truth.values(), *scans.values()):
        stamps = [nanoseconds(m.header.stamp) for m in messages]
        assert all(later > earlier for earlier, later in zip(stamps, stamps[1:]))
    clocks = [nanoseconds(m.clock) for m in clock]
    assert all(later >= earlier for earlier, later in zip(clocks, clocks[1:]))
    for messages in (*tf.values(), world_tf):
        stated = transforms(messages)
        assert len(stated) == len(set(stated))

    # Transforms are on the topics of the mode, and the headers of a prefixed vehicle have the same frames.
    for name in names:
        own = edges(tf[name])
        assert own == (set() if MODES.get(name) == "prefixed" else {("odom", "base_footprint")}), name
    prefixed = {(f"{name}/odom", f"{name}/base_footprint") for name in MODES}
    assert edges(world_tf) == prefixed
    assert (odom["r1"][-1].header.frame_id, odom["r1"][-1].child_frame_id) == ("r1/odom", "r1/base_footprint")
    assert (truth["r1"][-1].header.frame_id, scans["r1"][-1].header.frame_id) == ("map", "r1/scan")
    assert joints[-1].header.frame_id == "r1/base_link"
    assert (odom["r2"][-1].header.frame_id, scans["r2"][-1].header.frame_id) == ("odom", "scan")
    # A scan of a prefixed vehicle has the transform of its stamp, as one with a namespace has.
    for name, messages in (("r0", tf["r0"]), ("r1", world_tf)):
        known = {when for _, child, when in transforms(messages) if child.endswith("base_footprint")}
        settled = [nanoseconds(m.header.stamp) for m in scans[name]]
        settled = [when for when in settled if min(known) <= when <= max(known)]
        assert settled and set(settled) <= known, name

    # A late subscriber receives all static transforms, from one publisher.
    late = another_peer()
    static = late.listen(TFMessage, "/tf_static", LATCHED)
    own_static = late.listen(TFMessage, "r2/tf_static", LATCHED)
    late.spin_until(lambda: static and own_static, awaited="the fixed transforms")
    fixed = [("base_footprint", "base_link"), ("base_link", "scan")]
    assert edges(static) == {(f"{name}/{a}", f"{name}/{b}") for name in MODES for a, b in fixed}
    assert edges(own_static) == set(fixed) and len(static) == 1
    assert len(late.node.get_publishers_info_by_topic("/tf_static")) == 1

    # Silence. The last commands come together, if late: r0 stops 0.7 s before r1, and r4 goes on.
    def stopped(name):
        """Simulated time at which a vehicle has stopped turning."""
        still = lambda: [m for m in truth[name] if stamp(m) > silent_from and abs(m.twist.twist.angular.z) < 0.2]  # noqa: E731
        return stamp(peer.spin_until(still, awaited=f"{name} to stop")[0])

    assert stopped("r1") - stopped("r0") == pytest.approx(0.7, abs=0.3)
    end = stopped("r1") + 0.2
    later = peer.spin_until(lambda: [m for m in truth["r4"] if stamp(m) > end], awaited="r4 after the others")[0]
    assert later.twist.twist.angular.z == pytest.approx(DRIVEN["r4"], abs=0.2)
    wanted = GetParameters.Request(names=["r1.tf_mode", "r9.tf_mode", "r4.cmd_timeout", "r9.cmd_timeout"])
    values = peer.call(GetParameters, "/skidpad/get_parameters", wanted).values
    assert [values[0].string_value, values[1].string_value] == ["prefixed", "namespaced"]
    assert [values[2].double_value, values[3].double_value] == [0.0, -1.0]


@prefixed
def test_a_vehicle_alone_has_no_prefix_in_any_mode(reuse, peer):
    simulator = reuse(OPEN, PREFIXED)
    tf = peer.listen(TFMessage, "/tf")
    odom = peer.listen(Odometry, "/odom")
    peer.spin_until(lambda: tf and odom, awaited="odometry")
    assert edges(tf) == {("odom", "base_footprint")} and odom[-1].header.frame_id == "odom"
    assert "/racecar/" not in simulator.log


def test_a_world_without_vehicles_has_a_clock(reuse, peer, tmp_path):
    world = tmp_path / "empty.world.xml"
    world.write_text('<mvsim_world version="1.0"/>')
    reuse(world)
    clock = peer.listen(Clock, "/clock")
    peer.spin_until(lambda: len(clock) > 20, awaited="the clock")
    assert nanoseconds(clock[-1].clock) > nanoseconds(clock[0].clock)
