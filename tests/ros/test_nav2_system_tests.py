"""`tests/nav2/system_tests.py`, which runs nav2's own system tests: here tests of the same form, with scripts that need no nav2."""

import os
import subprocess
import sys

import pytest

from conftest import BINARY, PATIENCE, ROOT, WORLDS

TOP = """
if(BUILD_TESTING)
  add_subdirectory(src/system)
  # add_subdirectory(src/gps)
endif()
"""
TESTS = """
ament_add_test(test_drives
  COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/drives_launch.py"
  TIMEOUT 60
  ENV
    TEST_DIR=${CMAKE_CURRENT_SOURCE_DIR}
    MASK=${PROJECT_SOURCE_DIR}/maps/mask.yaml
)
ament_add_test(test_fails
  COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/fails_launch.py"
)
# ament_add_test(test_of_nobody
#   COMMAND "x_launch.py"
# )
ament_add_test(test_in_cpp
  COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/fails_launch.py"
  ENV
    TEST_EXECUTABLE=$<TARGET_FILE:test_in_cpp>
)
ament_add_test(test_without_simulator
  COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/plain_launch.py"
)
"""
# What the launch files and testers of nav2 do: the robot of nav2_minimal_tb3_sim is started, and driven by topics.
DRIVES = """
import os
import subprocess
import sys

import rclpy
from ament_index_python.packages import get_package_share_directory
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from sensor_msgs.msg import LaserScan

simulation = get_package_share_directory("nav2_minimal_tb3_sim")
assert "base_footprint" in open(os.path.join(simulation, "urdf", "turtlebot3_waffle.urdf")).read()
assert os.path.exists(os.environ["MASK"]) and os.path.exists(os.path.join(get_package_share_directory("nav2_system_tests"), "maps", "mask.yaml"))
gz = subprocess.Popen(["gz", "sim", "-r", "-s", os.path.join(simulation, "worlds", "tb3_sandbox.sdf.xacro")])
rclpy.init()
node = rclpy.create_node("tester")
scans, odometry, truth = [], [], []
node.create_subscription(LaserScan, "scan", scans.append, 10)
node.create_subscription(Odometry, "odom", odometry.append, 10)
node.create_subscription(Odometry, "ground_truth", truth.append, 10)
publisher = node.create_publisher(Twist, "cmd_vel", 10)
command = Twist()
command.linear.x = 0.2
while not (scans and odometry and odometry[-1].pose.pose.position.x > 0.1):
    publisher.publish(command)
    rclpy.spin_once(node, timeout_sec=0.1)
pose = truth[-1].pose.pose.position
print(f"at {pose.x:.1f}, {pose.y:.1f}")
gz.terminate()
gz.wait()
sys.exit(0 if -2.0 < pose.x < -1.0 and abs(pose.y + 0.5) < 0.1 else 1)
"""


@pytest.fixture
def sources(tmp_path):
    """A folder like nav2_system_tests of nav2's sources."""
    folder = tmp_path / "nav2_system_tests"
    system = folder / "src" / "system"
    system.mkdir(parents=True)
    for name in ("maps", "models"):
        (folder / name).mkdir()
    (folder / "maps" / "mask.yaml").write_text("image: mask.pgm\n")
    (folder / "CMakeLists.txt").write_text(TOP)
    (system / "CMakeLists.txt").write_text(TESTS)
    (system / "drives_launch.py").write_text(DRIVES)
    (system / "fails_launch.py").write_text("# nav2_minimal_tb3_sim\nimport sys\nsys.exit(3)\n")
    (system / "plain_launch.py").write_text("")
    return folder


@pytest.fixture
def run(domain, tmp_path, sources):
    """Runs the script: run(arguments) -> CompletedProcess. nav2_bringup, of which it takes the map, is a folder with a map of skidpad's."""
    share = tmp_path / "nav2" / "share"
    (share / "nav2_bringup" / "maps").mkdir(parents=True)
    index = share / "ament_index" / "resource_index" / "packages"
    index.mkdir(parents=True)
    (index / "nav2_bringup").touch()
    (share / "nav2_bringup" / "maps" / "tb3_sandbox.yaml").write_text((WORLDS / "maps" / "house.yaml").read_text())
    (share / "nav2_bringup" / "maps" / "house.pgm").write_bytes((WORLDS / "maps" / "house.pgm").read_bytes())
    environment = dict(os.environ, ROS_DOMAIN_ID=str(domain), AMENT_PREFIX_PATH=f"{tmp_path / 'nav2'}:{os.environ['AMENT_PREFIX_PATH']}")
    script = [sys.executable, str(ROOT / "tests" / "nav2" / "system_tests.py"), str(sources)]

    def start(*arguments):
        options = ["--skidpad", str(BINARY), "--logs", str(tmp_path / "logs"), *arguments]
        return subprocess.run(script + options, env=environment, capture_output=True, text=True, timeout=PATIENCE * 3)

    return start


def test_each_test_runs_with_the_simulator_in_the_place_of_gazebo(run, tmp_path):
    done = run()
    logs = {file.stem: file.read_text() for file in (tmp_path / "logs").iterdir()}
    lines = [line.split(",")[0] for line in done.stdout.splitlines()]
    assert lines == ["test_drives: passed", "test_fails: failed", "test_in_cpp: left out", "1 passed"], f"{done.stdout}{done.stderr}{logs}"
    assert "status 3" in done.stdout and done.stdout.endswith("1 passed, 1 failed, 1 left out\n")
    assert done.returncode == 1


def test_it_names_the_tests_there_are(run, sources):
    assert run("--list").stdout.split() == ["test_drives", "test_fails", "test_in_cpp"]
    done = run("test_of_nobody")
    assert done.returncode == 2 and "found test_of_nobody" in done.stderr and "accepted: test_drives, test_fails, test_in_cpp" in done.stderr
    (sources / "CMakeLists.txt").unlink()
    assert "accepted: the folder nav2_system_tests" in run("--list").stderr
