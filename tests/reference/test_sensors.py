"""Sensors against independent programs, in recordings of long runs: satellite receivers against PROJ, inertial measurement
units against allantools.

Run by `make test-reference`, which sets SKIDPAD_BIN.
"""

import os
import pathlib
import subprocess

import allantools
import numpy as np
import pytest
from pyproj import Transformer
from rosbags.highlevel import AnyReader

WORLDS = pathlib.Path(__file__).resolve().parents[2] / "worlds"


def record(folder, world, duration, topics, commands=None):
    """Runs this world, and returns the messages of each topic by their stamp [ns]."""
    path = folder / "run.mcap"
    (folder / "run.world.xml").write_text(world)
    program = pathlib.Path(os.environ.get("SKIDPAD_BIN", "target/debug/skidpad")).resolve()
    arguments = ["--no-ros", "--headless", "--rate", "max", "--duration", str(duration), "--record", str(path)]
    arguments += [argument for topic in topics for argument in ("--record-topics", topic)]
    if commands is not None:
        (folder / "drive.csv").write_text(commands)
        arguments += ["--commands", str(folder / "drive.csv")]
    subprocess.run([str(program), "run", str(folder / "run.world.xml"), *arguments], check=True, timeout=600)
    recorded = {topic: {} for topic in topics}
    with AnyReader([path]) as reader:
        for connection, stamp, raw in reader.messages():
            recorded[connection.topic][stamp] = reader.deserialize(raw, connection.msgtype)
    return recorded


# A robot on a plane that is tilted about where it starts, with its antenna away from its reference point.
LEVER = [0.3, -0.2, 1.5]
HILL = """<mvsim_world>
  <georeference><latitude>{latitude}</latitude><longitude>{longitude}</longitude><height>{height}</height>{more}</georeference>
  <element class="elevation_map"><elevation_data_matrix>[-5 -1; 1 5]</elevation_data_matrix><resolution>40</resolution>
    <corner_min_x>{corner_x}</corner_min_x><corner_min_y>{corner_y}</corner_min_y></element>
  <include file="{worlds}/vehicles/diffbot.vehicle.xml"/>
  <vehicle name="r1" class="diffbot"><init_pose>{x} {y} 30</init_pose>
    <sensor class="gnss" name="gps"><pose_3d>0.3 -0.2 1.5 0 0 0</pose_3d><horizontal_std_noise>0</horizontal_std_noise>
      <vertical_std_noise>0</vertical_std_noise></sensor>
  </vehicle></mvsim_world>"""


def antennas(run):
    """The place of the antenna in the world, and the fix, at each time that has both."""
    truths, fixes = run["/ground_truth"], run["/gps"]
    assert len(fixes) == 200
    at, pairs = [stamp for stamp in fixes if stamp in truths], []
    for stamp in at:
        pose = truths[stamp].pose.pose
        q, p = pose.orientation, pose.position
        axis, lever = np.array([q.x, q.y, q.z]), np.array(LEVER)
        turned = lever + 2.0 * np.cross(axis, np.cross(axis, lever) + q.w * lever)
        pairs.append((np.array([p.x, p.y, p.z]) + turned, fixes[stamp]))
    # The lever arm is tilted.
    assert len(pairs) == 200 and max(abs(antenna[2] - run["/ground_truth"][at[0]].pose.pose.position.z - 1.5) for antenna, _ in pairs) > 0.02
    return pairs


def drive_on_the_hill(folder, **place):
    commands = "time,vehicle,v,omega\n0.1,r1,0.8,0.15\n"
    return antennas(record(folder, HILL.format(worlds=WORLDS, **place), 20, ["/gps", "/ground_truth"], commands))


def metres_between(fix, latitude, longitude, height):
    """How far a fix is from this place [deg, m]; on the sphere, which does for millimetres."""
    north = np.radians(fix.latitude - latitude) * 6.371e6
    east = np.radians(fix.longitude - longitude) * 6.371e6 * np.cos(np.radians(latitude))
    return np.linalg.norm([north, east, fix.altitude - height])


@pytest.mark.parametrize(
    ("latitude", "longitude", "height", "turn"), [(36.894718, -2.316988, 200.0, 25.0), (-33.9, 151.2, -30.0, -100.0), (78.2, 15.6, 0.0, 0.0)]
)
def test_every_fix_is_that_of_proj(tmp_path, latitude, longitude, height, turn):
    frame = f"+proj=topocentric +ellps=WGS84 +lat_0={latitude} +lon_0={longitude} +h_0={height}"
    geodetic_from_enu = Transformer.from_pipeline(f"+proj=pipeline +step +inv {frame} +step +inv +proj=cart +ellps=WGS84")
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    pairs = drive_on_the_hill(
        tmp_path, latitude=latitude, longitude=longitude, height=height, x=5000, y=-3000, corner_x=4980, corner_y=-3020,
        more=f"<world_to_enu_rotation_deg>{turn}</world_to_enu_rotation_deg>",
    )
    for (x, y, z), fix in pairs:
        longitude_of_fix, latitude_of_fix, height_of_fix = geodetic_from_enu.transform(cos * x - sin * y, sin * x + cos * y, z)
        assert metres_between(fix, latitude_of_fix, longitude_of_fix, height_of_fix) < 1e-3


@pytest.mark.parametrize(
    ("latitude", "longitude", "epsg", "x", "y"), [(36.9, -2.3, 32630, 562_390, 4_084_000), (-33.857, 151.215, 32756, 334_873, 6_252_266)]
)
def test_every_fix_of_a_utm_world_is_that_of_proj(tmp_path, latitude, longitude, epsg, x, y):
    geodetic_from_grid = Transformer.from_crs(epsg, 4326, always_xy=True)
    pairs = drive_on_the_hill(
        tmp_path, latitude=latitude, longitude=longitude, height=20, x=x, y=y, corner_x=x - 20, corner_y=y - 20,
        more="<world_is_utm>true</world_is_utm>",
    )
    for (easting, northing, z), fix in pairs:
        longitude_of_fix, latitude_of_fix = geodetic_from_grid.transform(easting, northing)
        assert metres_between(fix, latitude_of_fix, longitude_of_fix, 20 + z) < 1e-3


# White noise, growth of the bias, and deviation and correlation time of the bias that comes and goes, of gyroscope and accelerometer.
PERIOD, BIAS_TIME = 0.05, 4.0
GYROSCOPE = {"noise_density": 2e-4, "random_walk_std_noise": 1e-5, "bias_instability": 1e-3}
ACCELEROMETER = {"noise_density": 2e-3, "random_walk_std_noise": 2e-4, "bias_instability": 5e-3}


def errors(quantity, values):
    tags = {**values, "bias_time": BIAS_TIME}
    return "".join(f"<{quantity}_{name}>{value}</{quantity}_{name}>" for name, value in tags.items())


@pytest.fixture(scope="module")
def standstill(tmp_path_factory):
    """What an inertial measurement unit measures in two hours at rest: angular velocity and acceleration, one row a sample."""
    world = f"""<mvsim_world><simul_timestep>{PERIOD}</simul_timestep>
      <include file="{WORLDS}/vehicles/diffbot.vehicle.xml"/>
      <vehicle name="r1" class="diffbot"><init_pose>0 0 0</init_pose>
        <sensor class="imu" name="inertia"><sensor_period>{PERIOD}</sensor_period>
          {errors("angular_velocity", GYROSCOPE)}{errors("linear_acceleration", ACCELEROMETER)}</sensor></vehicle></mvsim_world>"""
    samples = record(tmp_path_factory.mktemp("rest"), world, 7200, ["/inertia"])["/inertia"].values()
    vectors = [(sample.angular_velocity, sample.linear_acceleration) for sample in samples]
    assert len(vectors) == 7200 / PERIOD
    return [np.array([(v.x, v.y, v.z) for v in column]) for column in zip(*vectors)]


def deviations(samples, times):
    """Overlapping Allan deviation at these averaging times [s], over the three axes."""
    of_axes = []
    for axis in samples.T:
        taus, deviation, _, _ = allantools.oadev(axis, rate=1.0 / PERIOD, data_type="freq", taus=times)
        assert np.allclose(taus, times)
        of_axes.append(deviation)
    return np.sqrt(np.mean(np.square(of_axes), axis=0))


def closed_form(errors_given, times):
    """Allan deviation of white noise, random walk and a first-order Gauss-Markov process: IEEE Std 952-1997, annex C."""
    density, walk, bias = errors_given["noise_density"], errors_given["random_walk_std_noise"], errors_given["bias_instability"]
    ratio = times / BIAS_TIME
    # Of the process with variance bias² and correlation exp(-t/T).
    wandering = bias**2 / ratio**2 * (2 * ratio - 3 + 4 * np.exp(-ratio) - np.exp(-2 * ratio))
    return np.sqrt(density**2 / times + walk**2 * times / 3 + wandering)


@pytest.mark.parametrize(("index", "given"), [(0, GYROSCOPE), (1, ACCELEROMETER)])
def test_allan_deviations_are_those_of_the_parameters(standstill, index, given):
    times = np.array([0.05, 0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 60.0])
    actual, wanted = deviations(standstill[index], times), closed_form(given, times)
    assert np.abs(actual / wanted - 1.0).max() < 0.1, actual / wanted


@pytest.mark.parametrize(("index", "given"), [(0, GYROSCOPE), (1, ACCELEROMETER)])
def test_density_and_bias_instability_are_read_off_the_curve(standstill, index, given):
    """As a user with a data sheet does: the density where white noise rules, and the bias instability at the maximum."""
    density = deviations(standstill[index], np.array([PERIOD]))[0] * np.sqrt(PERIOD)
    assert density == pytest.approx(given["noise_density"], rel=0.1)
    times = np.arange(40, 400, 10) * PERIOD
    bias = deviations(standstill[index], times).max() / 0.617
    assert bias == pytest.approx(given["bias_instability"], rel=0.1)
