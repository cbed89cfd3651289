"""The presets of other systems, seen by nodes written for those: names, types, frames, rates, commands, teleports.

Rates are of simulated time. REQ-R1 (racecar_gazebo) is in test_racecar.py.
"""

import math
from xml.etree import ElementTree

import pytest
from ackermann_msgs.msg import AckermannDriveStamped
from geometry_msgs.msg import Polygon, PoseArray, PoseStamped, PoseWithCovarianceStamped, Twist
from nav_msgs.msg import OccupancyGrid, Odometry
from sensor_msgs.msg import Imu, JointState, LaserScan
from std_msgs.msg import Bool, Float32, Float64, Int32, String
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import MarkerArray

from conftest import LATCHED, OPEN, WORLDS, stamp
from reusing import ANYWHERE

F1TENTH = WORLDS / "f1tenth.world.xml"
OPEN_FOR_TWO = OPEN.with_name("open_for_two.world.xml")
OFFICE = WORLDS / "office.world.xml"


def preset(name, **parameters):
    """ROS arguments."""
    words = ["-p", f"preset:={name}"]
    for key, value in parameters.items():
        words += ["-p", f"{key}:={value}"]
    return words


# Simulators that tests share: world and arguments.
ONE_AGENT = F1TENTH, [*ANYWHERE, *preset("f1tenth_gym_ros", scan_beams=2, scan_rate_hz=10, odom_rate=50.0)]
THREE_AGENTS = F1TENTH, preset("f1tenth_gym_ros", num_agents=3, scan_beams=2, scan_rate_hz=10)
REAL_CAR = F1TENTH, preset("f1tenth_system", teleport_topics="true"), ("--set", "scan_beams=8", "--set", "scan_rate_hz=40")
FRAMES = {"map_frame_id": "site", "odom_frame_id": "wheels", "base_frame_id": "robot"}
MVSIM = OFFICE, preset("mvsim", period_ms_publish_tf=40.0, teleport_topics="true", **FRAMES)
of_one_agent, of_three_agents, of_the_real_car, of_mvsim = (pytest.mark.together(name) for name in ("one agent", "three agents", "the real car", "mvsim"))


def drive(speed, steering_angle=0.0):
    message = AckermannDriveStamped()
    message.drive.speed = float(speed)
    message.drive.steering_angle = float(steering_angle)
    return message


def at(kind, x, y, yaw):
    """A message with a target pose."""
    message = kind()
    message.header.frame_id = "map"
    pose = message.pose.pose if kind is PoseWithCovarianceStamped else message.pose
    pose.position.x, pose.position.y = float(x), float(y)
    pose.orientation.z, pose.orientation.w = math.sin(0.5 * yaw), math.cos(0.5 * yaw)
    return message


def rate(heard):
    """Messages per simulated second."""
    return (len(heard) - 1) / (stamp(heard[-1]) - stamp(heard[0]))


def pairs(messages):
    return {(t.header.frame_id, t.child_frame_id) for message in messages for t in message.transforms}


def matched(peer, publisher):
    peer.spin_until(lambda: peer.reaches(publisher), awaited=publisher.topic)
    return publisher


def place(odometry):
    position = odometry[-1].pose.pose.position
    return position.x, position.y


@pytest.mark.long
def test_req_r2_two_agents_race_by_the_names_of_the_bridge(simulate, peer):
    names = {"ego_racecar": ("/scan", "/drive"), "opp_racecar": ("/opp_scan", "/opp_drive")}
    odometry = {car: peer.listen(Odometry, f"/{car}/odom") for car in names}
    opponents = {car: peer.listen(Odometry, f"/{car}/opp_odom") for car in names}
    scans = {car: peer.listen(LaserScan, topics[0]) for car, topics in names.items()}
    transforms, fixed = peer.listen(TFMessage, "/tf"), peer.listen(TFMessage, "/tf_static", LATCHED)
    collisions, maps = peer.listen(Bool, "/ego_racecar/collision"), peer.listen(OccupancyGrid, "/map", LATCHED)
    simulate(F1TENTH, preset("f1tenth_gym_ros", num_agent=2, scan_beams=108, scan_rate_hz=250, rate=0.3, sx=-3.0))
    peer.spin_until(lambda: all(len(heard) > 30 for heard in [*odometry.values(), *scans.values()]), awaited="messages")
    peer.spin_until(lambda: all([*opponents.values(), transforms, fixed, maps]), awaited="the other topics")

    # What the bridge has: ground truth in the map, frames below the car's name, 250 messages per second.
    ego = odometry["ego_racecar"]
    assert (ego[0].header.frame_id, ego[0].child_frame_id) == ("map", "ego_racecar/base_link")
    assert rate(ego) == pytest.approx(250.0, rel=0.1) and rate(scans["opp_racecar"]) == pytest.approx(250.0, rel=0.1)
    scan = scans["ego_racecar"][0]
    assert scan.header.frame_id == "ego_racecar/laser" and len(scan.ranges) == 108
    assert scan.angle_max - scan.angle_min == pytest.approx(4.7, abs=1e-3) and scan.range_max == pytest.approx(30.0)
    assert round((scan.angle_max - scan.angle_min) / scan.angle_increment) + 1 == 108
    for car in names:
        wheels = {(f"{car}/front_{side}_hinge", f"{car}/front_{side}_wheel") for side in ("left", "right")}
        assert pairs(transforms) >= {("map", f"{car}/base_link")} | wheels
        peer.spin_until(lambda car=car: (f"{car}/base_link", f"{car}/laser") in pairs(fixed), awaited="the laser's frame")
    assert opponents["ego_racecar"][-1].child_frame_id == "opp_racecar/base_link"
    assert opponents["opp_racecar"][-1].child_frame_id == "ego_racecar/base_link"
    assert place(opponents["opp_racecar"]) == pytest.approx(place(ego), abs=1e-6)
    assert place(ego) == pytest.approx((-3.0, -4.6), abs=1e-3), "sx is a variable of the world"
    assert maps and maps[0].info.width == 400 and not any(message.data for message in collisions)

    # No agent moves before each has received its first command, which then holds forever.
    commands = {car: matched(peer, peer.publisher(AckermannDriveStamped, topics[1])) for car, topics in names.items()}
    commands["ego_racecar"].publish(drive(1.0))
    since = stamp(ego[-1])
    peer.spin_until(lambda: stamp(ego[-1]) > since + 0.5, awaited="half a second")
    assert place(ego) == pytest.approx((-3.0, -4.6), abs=1e-3)
    commands["opp_racecar"].publish(drive(1.5))
    opponent = odometry["opp_racecar"]
    peer.spin_until(lambda: min(ego[-1].twist.twist.linear.x, opponent[-1].twist.twist.linear.x - 0.5) > 0.95, awaited="both")
    since = stamp(ego[-1])
    peer.spin_until(lambda: stamp(ego[-1]) > since + 1.5, awaited="more than a second of silence")
    assert ego[-1].twist.twist.linear.x == pytest.approx(1.0, abs=0.05)


@of_three_agents
def test_req_r5_poses_teleport_cars(reuse, peer):
    reuse(*THREE_AGENTS)
    odometry = [peer.listen(Odometry, f"/{car}/odom") for car in ("ego_racecar", "opp_racecar", "opp_racecar2")]
    peer.spin_until(lambda: all(odometry), awaited="odometry")
    kinds = [("/initialpose", PoseWithCovarianceStamped, 0), ("/goal_pose", PoseStamped, 1), ("/goal_pose2", PoseStamped, 2)]
    for index, (topic, kind, car) in enumerate([*kinds, ("/pose", PoseStamped, 0)]):
        target = (-4.0 + index, -4.6)
        matched(peer, peer.publisher(kind, topic)).publish(at(kind, *target, 0.1))
        peer.spin_until(lambda c=car, t=target: place(odometry[c]) == pytest.approx(t, abs=1e-3), awaited=topic)
    assert stamp(odometry[0][-1]) > stamp(odometry[0][0]), "time goes on"


@pytest.mark.together("put somewhere")
@pytest.mark.parametrize(("topic", "kind", "car"), [("/initialpose", PoseWithCovarianceStamped, "ego_racecar"), ("/goal_pose", PoseStamped, "opp_racecar")])
def test_a_car_that_is_put_somewhere_stands_until_its_next_command(reuse, peer, topic, kind, car):
    reuse(OPEN_FOR_TWO, preset("f1tenth_gym_ros", odom_rate=50.0, rate=2.0, wait_for="nothing"))
    odometry = peer.listen(Odometry, f"/{car}/odom")
    drive_topic = {"ego_racecar": "/drive", "opp_racecar": "/opp_drive"}[car]
    commands, poses = (matched(peer, peer.publisher(k, t)) for k, t in ((AckermannDriveStamped, drive_topic), (kind, topic)))
    speed = lambda: odometry[-1].twist.twist.linear.x  # noqa: E731
    commands.publish(drive(1.0))
    peer.spin_until(lambda: odometry and speed() > 0.95, awaited="1 m/s")
    poses.publish(at(kind, 3.0, 4.0, 0.5))
    peer.spin_until(lambda: place(odometry) == pytest.approx((3.0, 4.0), abs=1e-2), awaited=topic)
    since, seen = stamp(odometry[-1]), len(odometry)
    peer.spin_until(lambda: stamp(odometry[-1]) > since + 2.0, awaited="two seconds")
    assert max(abs(message.twist.twist.linear.x) for message in odometry[seen:]) < 0.01
    assert place(odometry) == pytest.approx((3.0, 4.0), abs=0.01)
    commands.publish(drive(1.0))
    peer.spin_until(lambda: speed() > 0.95, awaited="1 m/s again")


@of_the_real_car
def test_a_servo_command_does_not_repeat_the_old_motor_speed(reuse, peer):
    reuse(*REAL_CAR, cmd_timeout=0.0)
    odometry = peer.listen(Odometry, "/odom")
    motor, servo = (matched(peer, peer.publisher(Float64, f"/commands/{name}")) for name in ("motor/speed", "servo/position"))
    motor.publish(Float64(data=4614.0))
    peer.spin_until(lambda: odometry and odometry[-1].twist.twist.linear.x > 0.95, awaited="1 m/s")
    matched(peer, peer.publisher(PoseWithCovarianceStamped, "/initialpose")).publish(at(PoseWithCovarianceStamped, -4.0, -4.6, 0))
    peer.spin_until(lambda: abs(odometry[-1].twist.twist.linear.x) < 0.01, awaited="a stand")
    servo.publish(Float64(data=0.5))
    since, seen = stamp(odometry[-1]), len(odometry)
    peer.spin_until(lambda: stamp(odometry[-1]) > since + 0.5, awaited="half a second")
    assert max(abs(message.twist.twist.linear.x) for message in odometry[seen:]) < 0.01


@of_one_agent
def test_laps_are_counted_from_gate_to_gate(reuse, peer):
    reuse(OPEN, ONE_AGENT[1], rate=4.0)
    counts, times = peer.listen(Int32, "/ego_racecar/lap_count"), peer.listen(Float32, "/ego_racecar/lap_time")
    odometry = peer.listen(Odometry, "/ego_racecar/odom")
    peer.spin_until(lambda: counts and times and odometry, awaited="messages")
    assert counts[-1].data == 0 and times[-1].data == 0.0
    # Round and round on open ground: after the first lap, which begins at standstill, each takes 2πr/v.
    matched(peer, peer.publisher(AckermannDriveStamped, "/drive")).publish(drive(1.5, 0.15))
    peer.spin_until(lambda: counts[-1].data == 2, awaited="two laps")
    twist = odometry[-1].twist.twist
    expected = 2.0 * math.pi / twist.angular.z
    peer.spin_until(lambda: times[-1].data == pytest.approx(expected, rel=0.03), awaited=f"a lap of {expected} s")
    # However near: where it is by now.
    x, y = place(odometry)
    matched(peer, peer.publisher(PoseStamped, "/pose")).publish(at(PoseStamped, x, y, 0.0))
    peer.spin_until(lambda: counts[-1].data == 0, awaited="a start anew after a teleport")


@pytest.mark.parametrize(("simulated", "topics", "moving_joints"), [
    pytest.param(THREE_AGENTS, ["/ego_robot_description", "/opp_robot_description"], 2, id="f1tenth_gym_ros", marks=of_three_agents),
    pytest.param(MVSIM, ["/robot_description"], 0, id="mvsim", marks=of_mvsim),
])
def test_every_link_of_a_description_has_a_pose(reuse, peer, simulated, topics, moving_joints):
    """What RViz needs beside a robot_state_publisher, which gives the fixed joints and those of joint states."""
    reuse(*simulated)
    described = [peer.listen(String, topic, LATCHED) for topic in topics]
    moving, fixed = peer.listen(TFMessage, "/tf"), peer.listen(TFMessage, "/tf_static", LATCHED)
    peer.spin_until(lambda: all(described) and fixed and len(moving) > 20, awaited="the descriptions")
    joint_states = lambda: [topic for topic, kinds in peer.node.get_topic_names_and_types() if kinds == ["sensor_msgs/msg/JointState"]]  # noqa: E731
    # Topics of the world before may still be known. Where there are any, their joints move too.
    peer.spin_until(lambda: joint_states() == [], awaited="a graph without joint states")
    links = []
    for description in described:
        robot = ElementTree.fromstring(description[0].data)
        joints = {(joint.find("parent").get("link"), joint.find("child").get("link")): joint.get("type") for joint in robot.iter("joint")}
        own = {link.get("name"): link for link in robot.iter("link")}
        roots = own.keys() - {child for _, child in joints}
        assert len(roots) == 1 and own[roots.copy().pop()].find("inertial") is None, "KDL supports no inertia of the root"
        assert roots & {child for _, child in pairs(moving)}, "it hangs in the tree"
        assert {pair for pair, kind in joints.items() if kind != "fixed"} <= pairs(moving)
        assert len(joints) == len(own) - 1 and sum(kind != "fixed" for kind in joints.values()) == moving_joints
        links += own
    assert len(set(links)) == len(links), "no two cars share a frame"


@of_one_agent
def test_the_keyboard_steers_and_pause_sim_stops_time(reuse, peer):
    reuse(*ONE_AGENT)
    odometry = peer.listen(Odometry, "/ego_racecar/odom")
    keyboard = matched(peer, peer.publisher(Twist, "/cmd_vel"))
    pause = matched(peer, peer.publisher(Bool, "/pause_sim"))
    turn = Twist()
    turn.linear.x, turn.angular.z = 0.7, 0.01
    peer.spin_until(lambda: odometry, awaited="odometry")
    # Like a keyboard, again and again.
    peer.drive(keyboard, turn, odometry, 0.5)
    # 0.3 rad of steering: v·tan(0.3)/L.
    expected = 0.7 * math.tan(0.3) / 0.3302
    turns = lambda: odometry and odometry[-1].twist.twist.angular.z == pytest.approx(expected, rel=0.1)  # noqa: E731
    peer.spin_until(turns, awaited="a turn")
    pause.publish(Bool(data=True))
    peer.spin_until_silence(odometry)
    count = len(odometry)
    pause.publish(Bool(data=False))
    peer.spin_until(lambda: len(odometry) > count, awaited="time that goes on")


@of_the_real_car
def test_req_r3_the_real_cars_topics_drive_it(reuse, peer):
    # The multiplexer's 0.2 s are a second of the wall's time.
    reuse(*REAL_CAR, rate=0.2)
    odometry, scans = peer.listen(Odometry, "/odom"), peer.listen(LaserScan, "/scan")
    imu, servo = peer.listen(Imu, "/sensors/imu/raw"), peer.listen(Float64, "/sensors/servo_position_command")
    passed = peer.listen(AckermannDriveStamped, "/ackermann_drive")
    transforms = peer.listen(TFMessage, "/tf")
    peer.spin_until(lambda: len(odometry) > 5 and scans and imu and servo and transforms, awaited="messages")
    assert (odometry[0].header.frame_id, odometry[0].child_frame_id) == ("odom", "base_link")
    assert rate(odometry) == pytest.approx(50.0, rel=0.1) and scans[0].header.frame_id == "laser"
    assert pairs(transforms) == {("odom", "base_link")}
    assert imu[0].linear_acceleration.z == pytest.approx(9.80665) and imu[0].header.frame_id == "base_link"
    assert servo[0].data == pytest.approx(0.5304)
    try:
        from vesc_msgs.msg import VescStateStamped

        core = peer.listen(VescStateStamped, "/sensors/core")
    except ImportError:
        core = None
    navigation, person = (matched(peer, peer.publisher(AckermannDriveStamped, topic)) for topic in ("/drive", "/teleop"))
    peer.drive(navigation, drive(0.5, 0.1), odometry, 0.3)
    assert passed and passed[-1].drive.speed == pytest.approx(0.5)
    assert servo[-1].data == pytest.approx(0.5304 - 1.2135 * 0.1, abs=1e-4)
    person.publish(drive(0.2, 0.0))
    peer.spin_until(lambda: passed[-1].drive.speed == pytest.approx(0.2), awaited="the person's command")
    navigation.publish(drive(0.5, 0.1))
    peer.spin_for(0.2)
    assert passed[-1].drive.speed == pytest.approx(0.2), "who has the higher priority is heard alone"
    # The output of ackermann_to_vesc.
    motor, steering = (peer.publisher(Float64, f"/commands/{name}") for name in ("motor/speed", "servo/position"))
    matched(peer, motor), matched(peer, steering)
    steering.publish(Float64(data=0.5304))
    motor.publish(Float64(data=4614.0 * 0.8))
    peer.spin_until(lambda: odometry[-1].twist.twist.linear.x > 0.75, awaited="0.8 m/s")
    if core is not None:
        peer.spin_until(lambda: core and core[-1].state.speed > 0.9 * 0.75 * 4614.0, awaited="the motor's speed")


@of_one_agent
def test_req_r4_limits_in_commands_are_ignored_by_default(reuse, peer):
    reuse(*ONE_AGENT)
    odometry = peer.listen(Odometry, "/ego_racecar/odom")
    publisher = matched(peer, peer.publisher(AckermannDriveStamped, "/drive"))
    command = drive(1.0)
    command.drive.acceleration = 0.01
    command.drive.steering_angle_velocity = 0.001
    publisher.publish(command)
    peer.spin_until(lambda: odometry and odometry[-1].twist.twist.linear.x > 0.95, awaited="1 m/s")


def test_nav2_loopback_teleports_to_initialpose(simulate, peer):
    odometry, scans = peer.listen(Odometry, "odom"), peer.listen(LaserScan, "scan")
    transforms, fixed = peer.listen(TFMessage, "/tf"), peer.listen(TFMessage, "/tf_static", LATCHED)
    arguments = preset("nav2_loopback", base_frame_id="base", odom_publish_dur=0.05, scan_publish_dur=0.1, wait_for="pose")
    simulate(OFFICE, [*arguments, "-p", "enable_stamped_cmd_vel:=false"])
    velocity = matched(peer, peer.publisher(Twist, "cmd_vel"))
    twist = Twist()
    twist.linear.x = 0.2
    peer.spin_until(lambda: len(odometry) > 10 and len(scans) > 4 and transforms and fixed, awaited="messages")
    peer.drive(velocity, twist, odometry, 0.5)
    assert odometry[-1].twist.twist.linear.x == pytest.approx(0.0, abs=1e-3), "nowhere to drive from"
    assert rate(odometry) == pytest.approx(20.0, rel=0.1) and rate(scans) == pytest.approx(10.0, rel=0.1)
    assert odometry[0].child_frame_id == "base" and scans[0].header.frame_id == "base_scan"
    assert pairs(transforms) == {("map", "odom"), ("odom", "base")}
    assert pairs(fixed) == {("base", "base_link"), ("base_link", "base_scan")}
    matched(peer, peer.publisher(PoseWithCovarianceStamped, "initialpose")).publish(at(PoseWithCovarianceStamped, 2, 0, 0))

    def in_map():
        """x of the robot in the map, by tf."""
        latest = {(t.header.frame_id, t.child_frame_id): t.transform for m in transforms[-3:] for t in m.transforms}
        if len(latest) < 2:
            return None
        above, below = latest["map", "odom"], latest["odom", "base"]
        yaw = 2.0 * math.atan2(above.rotation.z, above.rotation.w)
        x, y = below.translation.x, below.translation.y
        return above.translation.x + math.cos(yaw) * x - math.sin(yaw) * y

    peer.spin_until(lambda: in_map() == pytest.approx(2.0, abs=0.05), awaited="the pose in tf")
    peer.drive(velocity, twist, odometry, 1.0)
    assert odometry[-1].twist.twist.linear.x > 0.1


def test_turtlebot3_has_its_frames_joints_and_limits(simulate, peer):
    odometry, joints = peer.listen(Odometry, "odom"), peer.listen(JointState, "joint_states")
    imu, scans = peer.listen(Imu, "imu"), peer.listen(LaserScan, "scan")
    fixed = peer.listen(TFMessage, "/tf_static", LATCHED)
    simulate(OFFICE, preset("turtlebot3", cmd_vel_type="twist"))
    peer.spin_until(lambda: len(scans) > 2 and len(imu) > 100 and len(odometry) > 10 and joints and fixed, awaited="messages")
    assert (odometry[0].header.frame_id, odometry[0].child_frame_id) == ("odom", "base_footprint")
    assert rate(odometry) == pytest.approx(30.0, rel=0.1) and rate(imu) == pytest.approx(200.0, rel=0.1)
    assert rate(scans) == pytest.approx(5.0, rel=0.1) and len(scans[0].ranges) == 360
    assert joints[0].name == ["wheel_left_joint", "wheel_right_joint"] and imu[0].header.frame_id == "imu_link"
    expected = {("base_footprint", "base_link"), ("base_link", "imu_link"), ("base_link", "base_scan")}
    assert pairs(fixed) == expected
    scan = next(t for t in fixed[0].transforms if t.child_frame_id == "base_scan").transform.translation
    assert (scan.x, scan.y) == (pytest.approx(-0.064), 0.0)
    twist = Twist()
    twist.linear.x = 3.0
    peer.drive(matched(peer, peer.publisher(Twist, "cmd_vel")), twist, odometry, 1.5)
    assert max(message.twist.twist.linear.x for message in odometry) < 0.5


@of_mvsim
def test_mvsims_names_and_descriptions_with_chosen_names_of_frames(reuse, peer):
    simulator = reuse(*MVSIM)
    truth, odometry = peer.listen(Odometry, "base_pose_ground_truth"), peer.listen(Odometry, "odom")
    poses, clouds = peer.listen(PoseWithCovarianceStamped, "amcl_pose", LATCHED), peer.listen(PoseArray, "particlecloud")
    markers, polygons = peer.listen(MarkerArray, "chassis_markers", LATCHED), peer.listen(Polygon, "chassis_polygon", LATCHED)
    maps, fixed = peer.listen(OccupancyGrid, "simul_map", LATCHED), peer.listen(TFMessage, "/tf_static", LATCHED)
    transforms = peer.listen(TFMessage, "/tf")
    scans = peer.listen(LaserScan, "scan")
    heard = [truth, odometry, poses, clouds, markers, polygons, maps, fixed, scans, transforms]
    peer.spin_until(lambda: all(heard) and len(odometry) > 10, awaited="all topics")
    assert rate(odometry) == pytest.approx(25.0, rel=0.1)
    assert (odometry[0].header.frame_id, odometry[0].child_frame_id) == ("wheels", "robot")
    assert pairs(transforms) == {("site", "wheels"), ("wheels", "robot")}
    assert {("robot", "base_footprint"), ("robot", scans[0].header.frame_id)} <= pairs(fixed)
    assert {message.header.frame_id for message in (maps[0], truth[0], poses[0], clouds[0])} == {"site"}
    position = truth[-1].pose.pose.position
    assert poses[-1].pose.pose.position.x == pytest.approx(position.x, abs=1e-3) and len(clouds[-1].poses) == 1
    first = markers[-1].markers[0]
    assert (first.header.frame_id, first.ns) == ("robot", "mvsim.chassis_shape") and len(markers[-1].markers) == 3
    assert len(polygons[0].points) == len(first.points) - 1
    assert "/ground_truth" not in dict(peer.node.get_topic_names_and_types())

    # Poses are those in the frame of the map, whatever it is called.
    initial_pose = matched(peer, peer.publisher(PoseWithCovarianceStamped, "initialpose"))
    target = at(PoseWithCovarianceStamped, 2, 0, 0)
    initial_pose.publish(target)
    peer.spin_until(lambda: 'a pose in the frame "map"\n  accepted: site' in simulator.log, awaited="the refusal")
    target.header.frame_id = "site"
    initial_pose.publish(target)
    peer.spin_until(lambda: place(truth) == pytest.approx((2.0, 0.0), abs=1e-3), awaited="the pose")
