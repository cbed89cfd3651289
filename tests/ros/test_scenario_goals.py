"""Scenarios with nav2 beside the simulator: goals, states, topics and localisation, by a stand-in for nav2's servers (nav2_servers.py)."""

import json
import os
import subprocess
import threading

import pytest
import rclpy
from geometry_msgs.msg import TwistStamped
from nav_msgs.msg import Odometry
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rosgraph_msgs.msg import Clock
from std_msgs.msg import Bool

from conftest import BINARY, PATIENCE, seconds
from nav2_servers import Servers

# Of twist_ideal: at (-3, 0), with its heading to +y.
START = (-3.0, 0.0, 1.5707963)
HEAD = "world: twist_ideal\nvehicle: robot\ncontroller: none\n"


class Judge:
    """Runs a scenario beside nodes: judge(text, ros_args) -> (exit status, its document)."""

    def __init__(self, domain, folder):
        self.environment, self.file = dict(os.environ, ROS_DOMAIN_ID=str(domain)), folder / "s.yaml"
        # Errors of the last run, each with its line and column.
        self.messages = []

    def __call__(self, text, *ros_args):
        self.file.write_text(HEAD + text)
        command = [BINARY, "run", "--scenario", self.file, "--headless", "--json", "--ros-args", *ros_args]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=PATIENCE)
        print(done.stdout[-3000:], done.stderr[-3000:])
        document = json.loads(done.stdout)
        errors = [message for message in document["messages"] if message["level"] == "error"]
        self.messages = [((message["place"] or "").rpartition("s.yaml:")[2], message["found"]) for message in errors]
        return done.returncode, (document["result"] or {}).get("scenario")


@pytest.fixture
def judge(domain, tmp_path):
    return Judge(domain, tmp_path)


@pytest.fixture
def servers(domain):
    running = []

    def start(**options):
        running.append(Servers(domain, "robot", START, **options))
        return running[-1]

    yield start
    for server in running:
        server.close()


def reasons(scenario):
    return "; ".join(f"{criterion['name']}: {criterion['actual']}" for criterion in scenario["criteria"] if not criterion["success"])


def test_goals_are_sent_and_what_is_heard_of_them_judged(judge, servers):
    nav2 = servers(recoveries=1, state="inactive")
    status, scenario = judge("""
duration: 40
events:
- {at: 0.2, lifecycle: {node: bt_navigator, transition: activate}}
- {when: {active: bt_navigator}, initial_pose: truth}
- {when: {active: bt_navigator}, name: go, navigate_to: {at: [-3, 3], yaw: 1.57}}
- {when: {goal: accepted, of: go}, parameters: {node: bt_navigator, set: {speed: 1.5}}}
- {when: {goal: reached, of: go}, name: tour, follow_waypoints: {points: [[-2, 3], [-2, 2]]}}
- {when: {goal: reached, of: tour}, name: far, navigate_to: {at: [-2, -5]}}
- {when: {goal: accepted, of: far, near: [-2, 1], within: 0.3}, cancel: far}
- {when: {goal: ended, of: far}, name: path, follow_path: {points: [[-2, 1], [-3, 1]], controller_id: FollowPath}}
expect:
- navigation: {of: go, within: 0.3}
- navigation: {of: tour, within: 0.3}
- navigation: {of: far, status: canceled}
- navigation: {of: path, within: 0.3}
- recoveries: {at_most: 2}
- lifecycle: {node: bt_navigator, by: 20}
- topic_rate: {topic: odom, at_least: 10, from: 4}
- topic_delay: {topic: odom, at_most: 1}
- localisation_error: {at_most: 0.2, frame: map}
""")
    assert status == 0, reasons(scenario)
    first, tour, far, path = nav2.goals
    assert first.pose.header.frame_id == "map" and first.pose.pose.position.y == 3.0
    assert first.pose.pose.orientation.z == pytest.approx(0.7068, abs=1e-3)
    assert seconds(first.pose.header.stamp) > 0 and len(tour.poses) == 2 and far.pose.pose.position.y == -5.0
    assert len(path.path.poses) == 2 and path.path.header.frame_id == "map" and path.controller_id == "FollowPath"
    assert nav2.node.get_parameter("speed").value == 1.5
    (initial,) = nav2.initial_poses
    assert initial.pose.pose.position.x == pytest.approx(-3.0) and initial.pose.covariance[0] == 0.25
    spl = scenario["measures"][0]["spl"]
    assert 0.4 < spl < 1, "three of four goals were reached"


def test_what_a_server_does_not_do_is_told(judge, servers):
    nav2 = servers(fails=["abort"])
    goal = "duration: 20\nevents:\n- {at: 0, navigate_to: {at: [-3, 3]}}\nexpect:\n- navigation: {}\n"
    status, scenario = judge(goal)
    assert status == 1 and "aborted, error 9003: took too long" in reasons(scenario)
    assert scenario["simulated_s"] < 19, "it ends with the goal"
    tour = goal.replace("navigate_to: {at: [-3, 3]}", "follow_waypoints: {points: [[0, 0], [1, 1]]}")
    status, scenario = judge(tour)
    assert status == 1 and "succeeded, 2 missed" in reasons(scenario)
    nav2.fails = {"reject"}
    status, scenario = judge(goal)
    assert status == 1 and "rejected" in reasons(scenario)


def test_nodes_that_are_not_there_are_told(judge):
    status, scenario = judge("""
duration: 5
events:
- {at: 0, navigate_to: {at: [-3, 3]}}
expect:
- clearance: {at_least: 0}
- navigation: {by: 2}
""")
    absent = "navigation: no action server /robot/navigate_to_pose within 2.0 s; action servers seen: /skidpad/simulate_steps ("
    assert status == 1 and absent in reasons(scenario) and "s.yaml:7:3)" in reasons(scenario)
    status, scenario = judge("""
duration: 1
events:
- {at: 0.5, parameters: {node: amcl, set: {alpha1: 0.2}}}
expect: {clearance: {at_least: 0}}
""")
    (lapse,) = scenario["broken_by"]
    assert status == 2 and "s.yaml:7:3: parameters: no node /robot/amcl within 0.5 s; nodes seen: /skidpad" in lapse
    status, scenario = judge("duration: 3\nexpect:\n- lifecycle: {node: amcl, by: 1}\n")
    assert status == 1 and "lifecycle: the node has not reported its state" in reasons(scenario)
    # Odometry comes half as often as is asked for.
    status, scenario = judge("duration: 6\nexpect:\n- topic_rate: {topic: odom, at_least: 18, from: 3}\n", "-p", "odom_rate:=10.0")
    assert status == 1 and "Hz" in reasons(scenario)
    status, scenario = judge("duration: 3\nexpect:\n- topic_delay: {topic: tf, at_most: 1}\n")
    assert status == 1 and "no data received" in reasons(scenario) and "has no stamp" in "".join(scenario["notes"])


@pytest.fixture
def listener(domain):
    """A node that spins in a thread of its own: listener(subscribe), where subscribe(node) makes its subscriptions."""
    context = Context()
    rclpy.init(context=context, domain_id=domain)
    executor = SingleThreadedExecutor(context=context)
    thread = threading.Thread(target=executor.spin)

    def start(subscribe):
        node = rclpy.create_node("listener", context=context)
        subscribe(node)
        executor.add_node(node)
        thread.start()

    yield start
    executor.shutdown(0)
    rclpy.shutdown(context=context)
    thread.join()


class Heard(list):
    """What a listener's thread hears."""

    def __init__(self):
        super().__init__()
        self.changed = threading.Condition()

    def hear(self, event):
        with self.changed:
            self.append(event)
            self.changed.notify_all()

    def wait_for(self, count):
        """Until so much has been heard, or nothing more is to be hoped for."""
        with self.changed:
            self.changed.wait_for(lambda: len(self) >= count, PATIENCE)


def test_any_message_is_sent_when_the_scenario_says(judge, listener):
    stops, notes = Heard(), Heard()

    def subscribe(node):
        node.create_subscription(Bool, "/robot/emergency_stop", lambda message: stops.hear(message.data), 10)
        node.create_subscription(TwistStamped, "/note", notes.hear, 10)

    listener(subscribe)
    status, scenario = judge("""
duration: 2
ready: {nodes: [/listener]}
events:
- {at: 0.5, publish: {topic: emergency_stop, type: std_msgs/msg/Bool, message: {data: true}}}
- {when: {after: note, delay: 0.1}, publish: {topic: emergency_stop, type: std_msgs/msg/Bool}}
- name: note
  at: 1
  publish: {topic: /note, type: geometry_msgs/msg/TwistStamped, message: {twist: {linear: {x: 1, y: 2}}}}
expect: {clearance: {at_least: 0}}
""")
    stops.wait_for(2)
    notes.wait_for(1)
    assert status == 0 and stops == [True, False]
    (note,) = notes
    assert abs(seconds(note.header.stamp) - 1) < 0.011 and note.twist.linear.y == 2


def test_messages_that_cannot_be_sent_are_mistakes_of_the_file(judge):
    status, scenario = judge("""
duration: 2
events:
- {at: 0, publish: {topic: /a, type: std_msgs/msg/Bool, message: {dat: 1}}}
- {at: 0, publish: {topic: /b, type: my_msgs/msg/Stop}}
expect: {clearance: {at_least: 0}}
""")
    assert status == 2 and scenario is None
    assert judge.messages == [
        ("7:3", 'std_msgs/msg/Bool: message: no field "dat"'),
        ("8:3", "type: skidpad was built without my_msgs/msg/Stop"),
    ]


def test_a_recording_is_played_in_simulated_time(judge, listener, tmp_path):
    bag = tmp_path / "drive.mcap"
    record = [BINARY, "run", "racecar", "--headless", "--no-ros", "--duration=3", "--rate=max", f"--record={bag}"]
    subprocess.run(record, check=True, capture_output=True, timeout=PATIENCE)
    clock, heard = [], Heard()

    # With the wall times at which messages were sent.
    def subscribe(node):
        note_clock = lambda message, about: clock.append((about["source_timestamp"], seconds(message.clock)))  # noqa: E731
        node.create_subscription(Clock, "/clock", note_clock, 2000)
        hear = lambda message, about: heard.hear((about["source_timestamp"], seconds(message.header.stamp)))  # noqa: E731
        node.create_subscription(Odometry, "/odom", hear, 2000)

    listener(subscribe)
    status, scenario = judge(f"""
duration: 4
beside:
- bag: {bag}
  topics: [/odom]
ready: {{nodes: [/listener]}}
expect: {{clearance: {{at_least: 0}}}}
""", "-p", "rate:=4.0")
    assert status == 0, scenario
    (note,) = [note for note in scenario["notes"] if note.startswith("drive: ")]
    count = int(note.split()[1])
    heard.wait_for(count)
    assert len(heard) == count > 20
    stamps = [stamp for _, stamp in heard]
    assert stamps == sorted(stamps) and stamps[-1] - stamps[0] > 2.5
    # Four times as fast as the wall clock, as the simulation is: in wall time the last would come 9 s of simulated time later than the first.
    behind = sorted(max((at for sent, at in clock if sent <= when), default=0.0) - stamp for when, stamp in heard)
    assert behind[9 * count // 10] - behind[count // 10] < 1, behind
    missing = judge(f"duration: 1\nbeside: [{{bag: {bag}, topics: [/odo]}}]\nexpect: {{clearance: {{at_least: 0}}}}\n")
    assert missing[0] == 2 and judge.messages == [("5:10", 'bag: topics: the recording has no "/odo"')]
