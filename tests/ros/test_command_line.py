"""The `ros2` of ros/cli, which stands in for that of ROS where none is sourced, with a node of rclpy as its peer."""

import concurrent.futures
import contextlib
import os
import queue
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import FloatingPointRange, ParameterDescriptor
from rclpy.action import ActionServer
from simulation_interfaces.action import SimulateSteps
from std_srvs.srv import SetBool
from tf2_msgs.msg import TFMessage

from conftest import BINARY, LATCHED, OPEN, PATIENCE, RELIABLE, ROOT

CLI = ROOT / "ros" / "cli" / "ros2"


@pytest.fixture
def feedback_printed():
    """Ends the goals of the robot: a publisher of feedback that has just been found loses messages, so it is sent until somebody has it."""
    return threading.Event()


@pytest.fixture
def robot(peer, feedback_printed):
    """A node with a topic each way, a service, an action and a parameter; gives what it has heard."""
    heard = queue.SimpleQueue()
    peer.node.create_subscription(Twist, "/cmd_vel", heard.put, RELIABLE)
    odometry = peer.publisher(Odometry, "/odom")
    message = Odometry()
    message.pose.pose.position.x = 1.5
    peer.node.create_timer(0.02, lambda: odometry.publish(message))

    def pause(request, response):
        response.success, response.message = True, "paused" if request.data else "runs"
        return response

    def simulate(handle):
        late = time.monotonic() + PATIENCE
        while not feedback_printed.wait(0.02) and time.monotonic() < late:
            handle.publish_feedback(SimulateSteps.Feedback(completed_steps=1))
        handle.succeed()
        return SimulateSteps.Result()

    peer.node.create_service(SetBool, "/pause", pause)
    action = ActionServer(peer.node, SimulateSteps, "/simulate_steps", simulate)
    span = FloatingPointRange(from_value=0.0, to_value=9.0)
    peer.node.declare_parameter("rate", 1.0, ParameterDescriptor(description="speed of time", floating_point_range=[span]))
    over = threading.Event()

    def spin():
        while not over.is_set():
            peer.executor.spin_once(timeout_sec=0.02)

    thread = threading.Thread(target=spin)
    thread.start()
    yield heard
    over.set()
    thread.join()
    action.destroy()


@pytest.fixture
def ros2(domain):
    """Runs the command to its end: ros2(*words). Each waits for the graph for seconds: ros2.together(words, words) runs several at the same time."""

    def run(*words):
        with started(*words) as process:
            out, error = process.communicate(timeout=PATIENCE)
            return subprocess.CompletedProcess(words, process.returncode, out, error)

    @contextlib.contextmanager
    def started(*words):
        environment = os.environ | {"ROS_DOMAIN_ID": str(domain), "PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(
            [sys.executable, str(CLI), *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
        try:
            yield process
        finally:
            process.kill()
            process.communicate()

    def until(text, *words, then=None, interrupt=True):
        """What the command prints until a line has `text`, when `then` is called, and after it, which an interrupt ends if it shall."""
        late = threading.Timer(PATIENCE, lambda: process.kill())
        with started(*words) as process:
            late.start()
            lines = []
            for line in process.stdout:
                lines.append(line)
                if text in line:
                    (then or (lambda: None))()
                    if interrupt:
                        process.send_signal(signal.SIGINT)
                    break
            remaining_output, error = process.communicate(timeout=PATIENCE)
            late.cancel()
            return subprocess.CompletedProcess(words, process.returncode, "".join(lines) + remaining_output, error)

    def together(*commands):
        """The results of several commands (tuples of words, or functions without arguments), which run at the same time, in this order."""
        with concurrent.futures.ThreadPoolExecutor(len(commands)) as pool:
            return list(pool.map(lambda entry: entry() if callable(entry) else run(*entry), commands))

    def listing(*words, entry):
        """Lines of the output of a command that lists what there is by now, repeated until one of them is `entry`."""
        for _ in range(5):
            lines = run(*words).stdout.splitlines()
            if entry in lines:
                return lines
        raise AssertionError(f"no {entry} in {lines}")

    for name, function in {"started": started, "until": until, "together": together, "listing": listing}.items():
        setattr(run, name, function)
    return run


def test_topics_are_listed_read_and_written(robot, ros2):
    listed, kind, info = ros2.together(
        lambda: ros2.listing("topic", "list", "-t", entry="/odom [nav_msgs/msg/Odometry]"), ("topic", "type", "odom"), ("topic", "info", "/odom", "-v"))
    assert "/cmd_vel [geometry_msgs/msg/Twist]" in listed, listed
    assert kind.stdout == "nav_msgs/msg/Odometry\n"
    assert "Publisher count: 1\nSubscription count: 0\n" in info.stdout and "Publisher: /peer, reliable, volatile" in info.stdout
    once, rate, done = ros2.together(
        ("topic", "echo", "/odom", "--once", "--field", "pose.pose.position"),
        lambda: ros2.until("window: ", "topic", "hz", "/odom"),
        ("topic", "pub", "--once", "/cmd_vel", "geometry_msgs/msg/Twist", "{linear: {x: 1}, angular: {z: 0.2}}"))
    assert once.stdout == "x: 1.5\ny: 0.0\nz: 0.0\n---\n"
    assert "average rate: " in rate.stdout, rate.stdout + rate.stderr
    assert done.returncode == 0, done.stderr
    message = robot.get(timeout=PATIENCE)
    assert (message.linear.x, message.angular.z) == (1.0, 0.2) and robot.empty()


def test_nodes_services_and_actions_are_listed_and_called(robot, ros2, feedback_printed):
    nodes, info, _, actions = ros2.together(
        lambda: ros2.listing("node", "list", entry="/peer"),
        ("node", "info", "/peer"),
        lambda: ros2.listing("service", "list", "-t", entry="/pause [std_srvs/srv/SetBool]"),
        lambda: ros2.listing("action", "list", "-t", entry="/simulate_steps [simulation_interfaces/action/SimulateSteps]"))
    assert nodes == ["/peer"] and len(actions) == 1
    assert "/cmd_vel: geometry_msgs/msg/Twist" in info.stdout and "/pause: std_srvs/srv/SetBool" in info.stdout, info.stdout
    called, sent = ros2.together(
        ("service", "call", "/pause", "std_srvs/srv/SetBool", "{data: true}"),
        lambda: ros2.until("completed_steps: 1", "action", "send_goal", "-f", "/simulate_steps", "simulation_interfaces/action/SimulateSteps", "{steps: 1}",
                           then=feedback_printed.set, interrupt=False))
    assert "{'success': True, 'message': 'paused'}" in called.stdout, called.stdout + called.stderr
    assert "completed_steps: 1" in sent.stdout and "Goal finished with status: SUCCEEDED" in sent.stdout, sent.stdout + sent.stderr


def test_parameters_are_read_and_set(robot, ros2):
    listed, value, described = ros2.together(("param", "list", "/peer"), ("param", "get", "/peer", "rate"), ("param", "describe", "/peer", "rate"))
    assert "  rate" in listed.stdout.splitlines()
    assert value.stdout == "Double value is: 1.0\n"
    assert "Description: speed of time" in described.stdout and "Max value: 9.0" in described.stdout, described.stdout
    assert ros2("param", "set", "/peer", "rate", "2").stdout == "Set parameter successful\n"
    dumped, refused = ros2.together(("param", "dump", "/peer"), ("param", "set", "/peer", "rate", "20"))
    assert "    rate: 2.0\n" in dumped.stdout
    assert refused.returncode == 1 and refused.stderr.startswith("Setting parameter failed: "), refused.stderr


def test_a_recording_is_made_described_and_played(robot, ros2, another_peer, tmp_path):
    bag = tmp_path / "bag"

    def has_some():
        """Until the file, which is written every second, has eleven messages."""
        with sqlite3.connect(bag / "bag_0.db3") as base:
            end = time.monotonic() + PATIENCE
            while base.execute("SELECT count(*) FROM messages").fetchone()[0] <= 10:
                assert time.monotonic() < end, "nothing is recorded"
                time.sleep(0.05)

    made = ros2.until("Subscribed to topic '/odom'", "bag", "record", "-o", str(bag), "/odom", then=has_some)
    assert "Subscribed to topic '/odom'" in made.stdout and (bag / "metadata.yaml").exists(), made.stdout + made.stderr
    info = ros2("bag", "info", str(bag)).stdout
    count = int(info.split("| Type: nav_msgs/msg/Odometry | Count: ")[1].split(" ")[0])
    assert count > 10 and f"Messages:          {count}\n" in info, info
    # Recorded under another name, which nobody publishes on.
    with sqlite3.connect(bag / "bag_0.db3") as base:
        assert base.execute("SELECT schema_version FROM schema").fetchall() == [(4,)]
        kind, encoding, text, digest = base.execute(
            "SELECT topic_type, encoding, encoded_message_definition, type_description_hash FROM message_definitions").fetchone()
        assert (kind, encoding) == ("nav_msgs/msg/Odometry", "ros2msg")
        assert digest.startswith("RIHS01_") and base.execute("SELECT type_description_hash FROM topics").fetchall() == [(digest,)]
        parts = [part.split("\n", 1)[0] for part in text.split(80 * "=" + "\nMSG: ")[1:]]
        assert {"std_msgs/Header", "builtin_interfaces/Time", "geometry_msgs/Quaternion"} <= set(parts) and len(parts) == len(set(parts)) == 9, parts
        base.execute("UPDATE topics SET name = '/again'")
    path = bag / "metadata.yaml"
    path.write_text(path.read_text().replace("/odom", "/again"))
    listener = another_peer("listener")
    heard = listener.listen(Odometry, "/again")
    with ros2.started("bag", "play", "--loop", "-r", "4", str(bag)) as played:
        # Over and over, because the peers may find each other only after the first time is over.
        listener.spin_until(lambda: len(heard) > count, awaited="the recording, and the begin of it again")
        played.send_signal(signal.SIGINT)
        played.wait(PATIENCE)
    assert heard[0].pose.pose.position.x == 1.5
    whole, again, none = ros2.together(
        ("bag", "play", "-r", "100", str(bag)), ("bag", "record", "-o", str(bag), "/odom"), ("bag", "info", str(tmp_path / "none")))
    assert whole.returncode == 0
    assert again.stderr.startswith(f"{bag}: exists already\n")
    assert "accepted: a folder of ros2 bag record" in none.stderr


def test_recordings_of_skidpad_are_described_and_played(ros2, peer, tmp_path):
    made = {}
    for compression in ("none", "lz4", "zstd"):
        made[compression] = tmp_path / f"{compression}.mcap"
        run = [BINARY, "run", OPEN, "--no-ros", "--rate", "max", "--duration", "1", "--record", made[compression], "--record-compression", compression]
        subprocess.run(run, check=True, capture_output=True)
    cut, other = tmp_path / "cut.mcap", tmp_path / "other.mcap"
    cut.write_bytes(made["none"].read_bytes()[:-200])
    other.write_text("no recording")
    *infos, of_cut, of_other = ros2.together(*(("bag", "info", str(path)) for path in (*made.values(), cut, other)))
    for info in infos:
        assert "Storage id:        mcap\nDuration:          0.9" in info.stdout, info.stdout + info.stderr
        assert "Topic: /odom | Type: nav_msgs/msg/Odometry | Count: 50 |" in info.stdout, info.stdout + info.stderr
    assert "Topic: /odom | " in of_cut.stdout, "one that was cut off is read as far as it is whole"
    assert of_other.stderr == f"{other}: this is no MCAP file\n  accepted: a folder of ros2 bag record, a file FILE.mcap\n"
    heard, latched = peer.listen(Odometry, "/odom"), peer.listen(TFMessage, "/tf_static", LATCHED)
    with ros2.started("bag", "play", "--loop", "-r", "4", str(made["zstd"])) as played:
        peer.spin_until(lambda: len(heard) > 50 and latched, awaited="the recording, and the begin of it again")
        played.send_signal(signal.SIGINT)
        played.wait(PATIENCE)
    assert heard[0].header.frame_id == "odom" and latched[0].transforms


def test_what_is_wrong_is_said_with_what_is_accepted(robot, ros2):
    cases = {
        ("topic", "info", "/odm"): "topic: /odm: not found\n  accepted: /",
        ("topic", "pub", "/x", "geometry_msgs/msg/Twst"): "geometry_msgs/msg: Twst: not found\n  accepted: ",
        ("topic", "pub", "/x", "geometry_msgs/msg/Twist", "{linear: {z: up}}"): "Twist.linear.z: found up\n  accepted: double\n",
        ("topic", "pub", "/x", "geometry_msgs/msg/Twist", "{liner: 1}"):
            "Twist: liner: not found\n  accepted: linear, angular\n  hint: did you mean linear?\n",
        ("param", "get", "/peer", "rat"): "parameter of /peer: rat: not found\n  accepted: ",
        ("service", "call", "/rest", "std_srvs/srv/Empty"): "name: /rest: not found\n  accepted: /",
        ("action", "send_goal", "/walk", "simulation_interfaces/action/SimulateSteps", "{steps: 3}"): "name: /walk: not found\n",
        ("launch", "skidpad", "sim.launch.py", "world:=office"): "ros2 launch: needs the packages launch and launch_ros, which PyPI does not have\n",
    }
    for (words, expected), done in zip(cases.items(), ros2.together(*cases)):
        assert (done.returncode, done.stdout) == (1, ""), words
        assert done.stderr.startswith(expected), done.stderr


def test_the_sourced_shell_has_skidpad_and_ros2(tmp_path):
    script = f'cd "{ROOT}" && . ros/env.sh && cd "{tmp_path}" && command -v skidpad && command -v ros2'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=PATIENCE)
    skidpad, ros2 = done.stdout.splitlines()
    assert skidpad == f"{ROOT}/ros/bin/skidpad" and os.access(ros2, os.X_OK), done.stderr
