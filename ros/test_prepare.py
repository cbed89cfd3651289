"""Tests of ros/prepare that need neither ROS nor a network: python3 ros/test_prepare.py"""

import contextlib
import functools
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
ROS = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(ROS, "prepare"))

import interfaces
import meanwhile
import report
import sourced
import state
import wheels


class Sourced(unittest.TestCase):
    def setUp(self):
        self.prefix = tempfile.mkdtemp()
        self.addCleanup(state.remove, self.prefix)
        for package in sourced.PACKAGES:
            os.makedirs(os.path.join(self.prefix, "share", package))
            open(os.path.join(self.prefix, "share", package, "package.xml"), "w").close()
        self.environment = {"ROS_DISTRO": "jazzy", "AMENT_PREFIX_PATH": self.prefix}

    def problem(self, name):
        with self.assertRaises(report.Problem) as raised:
            sourced.require_packages(name, self.environment)
        return raised.exception.text

    def test_private_ros_is_not_a_sourced_one(self):
        self.assertEqual(sourced.distro(self.environment), "jazzy")
        self.assertIsNone(sourced.distro({"ROS_DISTRO": "jazzy", "AMENT_PREFIX_PATH": "/somewhere:" + state.PREFIX}))
        self.assertIsNone(sourced.distro({}))

    def test_unknown_distribution(self):
        self.assertEqual(self.problem("kilted"), "\n".join([
            'ROS_DISTRO: r2r does not know "kilted"',
            "  accepted: humble, jazzy, lyrical, rolling",
            "  hint: open a shell in which no ROS is sourced: `make ros` then builds a private Jazzy in .ros/",
        ]))

    def test_missing_packages_are_named_with_their_debian_packages(self):
        for package in ("tf2_msgs", "ackermann_msgs"):
            state.remove(os.path.join(self.prefix, "share", package))
        self.assertEqual(self.problem("humble"), "\n".join([
            "AMENT_PREFIX_PATH: 2 of {} packages missing".format(len(sourced.PACKAGES)),
            "  ackermann_msgs (apt: ros-humble-ackermann-msgs)",
            "  tf2_msgs (apt: ros-humble-tf2-msgs)",
            "  hint: sudo apt install ros-humble-ackermann-msgs ros-humble-tf2-msgs",
        ]))

    def test_staged_messages_do_not_count_as_sourced(self):
        self.environment["AMENT_PREFIX_PATH"] = os.path.join(state.HOME, "messages-1") + ":" + self.prefix
        self.assertEqual(sourced.prefixes(self.environment), [self.prefix])
        self.environment["AMENT_PREFIX_PATH"] = ""
        self.assertIn("hint: source /opt/ros/jazzy/setup.bash", self.problem("jazzy"))


class State(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(state.remove, self.folder)

    def test_digest_follows_names_and_contents(self):
        path = os.path.join(self.folder, "a")
        state.write(path, "1")
        first = state.digest(("path", self.folder))
        self.assertEqual(first, state.digest(("path", self.folder)))
        state.write(path, "2")
        self.assertNotEqual(first, state.digest(("path", self.folder)))
        state.write(path, "1")
        os.rename(path, path + "b")
        self.assertNotEqual(first, state.digest(("path", self.folder)))

    def test_a_failed_command_tells_the_end_of_its_output(self):
        log = os.path.join(self.folder, "log.txt")
        with self.assertRaises(report.CommandFailed) as raised:
            report.run_command(["sh", "-c", "seq 1 100; exit 3"], log)
        text = raised.exception.problem("counting").text
        self.assertIn("counting failed with code 3\n  86\n", text)
        self.assertTrue(text.endswith("  100"))


class Beside(unittest.TestCase):
    """A command beside the steps, here one of the shell."""

    def setUp(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(state.remove, folder)
        self.addCleanup(setattr, meanwhile, "LOG", meanwhile.LOG)
        meanwhile.LOG = os.path.join(folder, "log.txt")
        said = contextlib.redirect_stdout(io.StringIO())
        said.__enter__()
        self.addCleanup(said.__exit__, None, None, None)
        self.addCleanup(report._ending.clear)

    def run_beside(self, script):
        return meanwhile.Meanwhile(["sh", "-c", script], dict(os.environ, ROS_DISTRO="jazzy"))

    def test_it_ends_with_the_steps_and_its_progress_is_told(self):
        with self.run_beside("echo '   Compiling a v1'; echo '    Checking b v1'; exec sleep 600") as running:
            while running.progress() != ", 2 libraries built meanwhile":
                time.sleep(0.01)
        self.assertEqual(running.process.returncode, -signal.SIGTERM)

    def test_without_a_command_there_is_nothing_to_tell(self):
        with meanwhile.Meanwhile([], {}) as running:
            self.assertEqual(running.progress(), "")

    def test_it_is_to_fail_at_r2r_and_nowhere_else(self):
        with self.run_beside("echo 'error: failed to run custom build command for `r2r_rcl v0.9.7`'; exit 101") as running:
            running.process.wait()
            self.assertEqual(running.progress(), "")
        with self.run_beside("echo '   Compiling a v1'; echo \"error: no such $ROS_DISTRO\"; exit 101") as running:
            running.process.wait()
            with self.assertRaises(report.Problem) as raised:
                running.progress()
        self.assertIn("failed with code 101\n  error: no such \n  hint:", raised.exception.text)

    def test_the_first_of_several_commands_that_fails_ends_the_others(self):
        folder = os.path.dirname(meanwhile.LOG)
        scripts = ["exec sleep 600", "exit 4"]
        actions = [functools.partial(report.run_command, ["sh", "-c", script], os.path.join(folder, str(i))) for i, script in enumerate(scripts)]
        with self.assertRaises(report.CommandFailed):
            report.run_at_the_same_time(actions)


class Lock(unittest.TestCase):
    def test_every_line_pins_one_version_and_names_no_address(self):
        with open(wheels.LOCK) as file:
            lines = [line.strip() for line in file if not line.startswith("#")]
        for line in lines:
            self.assertRegex(line, r'^[A-Za-z0-9_.-]+==[0-9][0-9a-z.]*( ; python_version (<|>=) "3\.11")?$')

    def test_package_xml_and_filter_of_r2r_agree(self):
        with open(os.path.join(state.ROOT, "package.xml")) as file:
            depends = {line.split("<depend>")[1].split("<")[0] for line in file if "<depend>" in line}
        with open(os.path.join(state.ROOT, ".cargo", "config.toml")) as file:
            text = file.read()
        bound = set(text.split('value = "')[1].split('"')[0].split(";"))
        self.assertEqual({name for name in depends if not name.startswith("rcl") or name == "rcl_interfaces"} - bound, set())
        self.assertLessEqual(depends, set(sourced.PACKAGES) | set(sourced.OPTIONAL))
        # rosdep has no key for vesc_msgs, which comes with the sources of the real car, and for those of Autoware not in every distribution.
        self.assertLessEqual(set(sourced.OPTIONAL) - {"autoware_control_msgs", "autoware_vehicle_msgs", "vesc_msgs"}, depends)
        self.assertLessEqual(set(sourced.OPTIONAL), bound)


class Shell(unittest.TestCase):
    """ros/env.sh in every shell there is, twice, in a copy of the checkout's outline whose path has a space."""

    def setUp(self):
        self.root = os.path.join(tempfile.mkdtemp(), "a checkout")
        self.addCleanup(state.remove, os.path.dirname(self.root))
        os.makedirs(os.path.join(self.root, "ros"))
        with open(os.path.join(ROS, "env.sh")) as file:
            state.write(os.path.join(self.root, "ros", "env.sh"), file.read())

    def run_in(self, shell, script, **variables):
        environment = dict({"PATH": os.environ["PATH"]}, **variables)
        return subprocess.run([shell, "-c", script], cwd=self.root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def shells(self):
        return [name for name in ("sh", "bash", "zsh") if subprocess.call(["sh", "-c", "command -v " + name], stdout=subprocess.DEVNULL) == 0]

    def test_says_what_to_run_when_nothing_is_prepared(self):
        for shell in self.shells():
            ended = self.run_in(shell, ". ros/env.sh")
            self.assertEqual(ended.returncode, 1, shell)
            self.assertEqual(ended.stderr, "ros/env.sh: ROS is not prepared for this checkout\n  hint: run: make ros\n", shell)

    def test_twice_is_once(self):
        state.write(os.path.join(self.root, ".ros", "ready-private"), "messages-1 lib/python3.11/site-packages\n")
        home = os.path.join(os.path.realpath(self.root), ".ros")
        for shell in self.shells():
            ended = self.run_in(shell, 'set -eu; . ros/env.sh; . ros/env.sh; echo "$AMENT_PREFIX_PATH"; echo "$ROS_DISTRO"', AMENT_PREFIX_PATH="/x y:/z")
            expected = ":".join([home + "/messages-1", home + "/overlay", home + "/prefix", "/x y", "/z"])
            self.assertEqual(ended.stdout, expected + "\njazzy\n", shell + ended.stderr)

    def test_a_sourced_ros_is_left_as_it_is(self):
        state.write(os.path.join(self.root, ".ros", "ready-sourced-humble"), "messages-2 lib/python3.10/site-packages\n")
        home = os.path.join(os.path.realpath(self.root), ".ros")
        for shell in self.shells():
            script = '. ros/env.sh; echo "$AMENT_PREFIX_PATH"; echo "$ROS_DISTRO ${CMAKE_TOOLCHAIN_FILE:-none}"'
            ended = self.run_in(shell, script, ROS_DISTRO="humble", AMENT_PREFIX_PATH="/opt/ros/humble")
            self.assertEqual(ended.stdout, home + "/messages-2:/opt/ros/humble\nhumble none\n", shell + ended.stderr)


class Messages(unittest.TestCase):
    def test_the_version_of_a_package_is_chosen_by_its_variable(self):
        chosen = lambda value: interfaces.chosen_version("simulation_interfaces", {"SIMULATION_INTERFACES": value})
        self.assertEqual([chosen(""), chosen("1"), chosen("2")], ["1", "1", "2"])
        with self.assertRaises(report.Problem) as raised:
            chosen("3")
        self.assertEqual(raised.exception.text, 'SIMULATION_INTERFACES: found "3"\n  accepted: 1, 2')

    def test_another_version_is_whole_and_of_that_number(self):
        for package, versions in interfaces.VERSIONS.items():
            for version in versions:
                folder = os.path.join(interfaces.SOURCES, package, "" if version == versions[0] else version)
                with open(os.path.join(folder, "package.xml")) as file:
                    self.assertIn("<version>" + version + ".", file.read())
                for kind in ("msg", "srv"):
                    for name in os.listdir(os.path.join(folder, kind)):
                        self.assertTrue(os.path.isfile(os.path.join(interfaces.SOURCES, package, kind, name)), name)

    def test_a_new_ros_beneath_makes_a_new_folder(self):
        self.assertRegex(interfaces.messages_name("a"), r"^messages-[0-9a-f]{12}$")
        self.assertNotEqual(interfaces.messages_name("a"), interfaces.messages_name("b"))


if __name__ == "__main__":
    unittest.main()
