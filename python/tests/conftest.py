"""Tests of the installed package. They use nothing of the source tree but the files beside them, and the program that `SKIDPAD_BIN` names."""

import os
import pathlib

import pytest

# Nothing leaves the machine.
os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"

ROBOT = """<mvsim_world>
  <variable name="mass" value="20"/>
  <simul_timestep>0.01</simul_timestep>
  <vehicle name="r1">
    <init_pose>0 0 0</init_pose>
    <dynamics class="differential">
      <chassis mass="${mass}"/>
      <controller class="twist_pid"><KP>50</KP><KI>20</KI></controller>
    </dynamics>
    <sensor class="laser" name="scan"><nrays>36</nrays><fov_degrees>360</fov_degrees><sensor_period>0.1</sensor_period><range_std_noise>0.01</range_std_noise></sensor>
    <sensor class="imu" name="imu"><sensor_period>0.02</sensor_period></sensor>
  </vehicle>
  <block:class name="crate"><mass>5</mass><shape><pt>-0.2 -0.2</pt><pt>0.2 -0.2</pt><pt>0.2 0.2</pt><pt>-0.2 0.2</pt></shape></block:class>
  <block name="wall"><static>true</static><init_pose>3 0 0</init_pose><shape><pt>-0.1 -2</pt><pt>0.1 -2</pt><pt>0.1 2</pt><pt>-0.1 2</pt></shape></block>
</mvsim_world>
"""


@pytest.fixture(scope="session")
def robot():
    """A differential robot that looks at a wall 3 m ahead."""
    return ROBOT


@pytest.fixture(scope="session")
def program():
    """The program `skidpad`, built without this package."""
    path = os.environ.get("SKIDPAD_BIN")
    if not path or not pathlib.Path(path).is_file():
        pytest.skip("SKIDPAD_BIN names no program")
    return path


def pytest_configure(config):
    """Names the marker of tests that start a Ray cluster: `pytest -m ray`, `pytest -m 'not ray'`."""
    config.addinivalue_line("markers", "ray: starts a Ray cluster of two nodes on this machine")
