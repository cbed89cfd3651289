"""skidpad's Python package and its ROS messages, which have the same name, in one sourced shell: both are there, whichever comes first on the path."""

from __future__ import annotations

import os
import pathlib
import subprocess

import pytest

import skidpad

ROOT = pathlib.Path(__file__).resolve().parents[2]
INSTALLED = pathlib.Path(skidpad.__file__).parent.parent
ORDERS = {"the messages first": f'"$PYTHONPATH:{INSTALLED}"', "the package first": f'"{INSTALLED}:$PYTHONPATH"'}

BOTH = """
import skidpad
from skidpad.msg import Pedals
from rclpy.serialization import deserialize_message, serialize_message
import skidpad.envs, skidpad.sweep

world = skidpad.World("racecar")
world.step(2)
assert skidpad.WORLDS.joinpath("racecar.world.xml").is_file() and skidpad.connect and skidpad.__doc__.startswith("skidpad simulates")
print(deserialize_message(serialize_message(Pedals(throttle=0.5)), Pedals).throttle, world.time)
"""


def sourced(command: str) -> subprocess.CompletedProcess[str]:
    """Runs a command in a shell with ROS, whose `python3` is that of ROS."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONHOME")}
    return subprocess.run(["bash", "-c", f". '{ROOT}/ros/env.sh' && {command}"], env=environment, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("path", ORDERS.values(), ids=ORDERS)
def test_both_packages_are_there_in_either_order(path: str) -> None:
    done = sourced(f"PYTHONPATH={path} python3 -c '{BOTH}'")
    assert (done.returncode, done.stdout) == (0, "0.5 0.01\n"), done.stderr


@pytest.mark.parametrize("path", ORDERS.values(), ids=ORDERS)
def test_the_commands_of_the_package_run_from_module_and_program(path: str) -> None:
    for program in ("python3 -m skidpad", f"'{os.environ['SKIDPAD_BIN']}'"):
        done = sourced(f"PYTHONPATH={path} {program} sweep racecar")
        assert done.returncode == 2 and "skidpad sweep: error: the following arguments are required: --duration" in done.stderr, done.stderr


def test_the_messages_alone_say_what_is_missing() -> None:
    done = sourced("python3 -c 'import skidpad.msg; print(skidpad.msg.Pedals); skidpad.World'")
    assert done.returncode == 1 and done.stdout.startswith("<class 'skidpad.msg._pedals.Pedals'>")
    error = "AttributeError: module 'skidpad' has no attribute 'World': only the messages of the ROS package are on the path\n  hint: install skidpad's wheel for "
    assert error in done.stderr
    done = sourced(f"'{os.environ['SKIDPAD_BIN']}' tune racecar")
    assert done.returncode == 1 and "error: skidpad tune: python3 has no package skidpad\n  hint: pip install" in done.stderr, done.stderr


def test_a_package_that_cannot_be_loaded_leaves_the_messages(tmp_path: pathlib.Path) -> None:
    package = tmp_path / "skidpad"
    package.mkdir()
    (package / "_skidpad.py").write_text("")
    (package / "__init__.py").write_text("import not_installed_at_all\n")
    done = sourced(f"PYTHONPATH=\"$PYTHONPATH:{tmp_path}\" python3 -c 'import skidpad.msg; print(skidpad.msg.Pedals.__name__); skidpad.World'")
    assert done.stdout == "Pedals\n"
    assert f"has no attribute 'World': {package}: No module named 'not_installed_at_all'" in done.stderr
