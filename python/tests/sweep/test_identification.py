"""Identifications through a sweep find what a recorded car was made of."""

import pytest
import skidpad
from skidpad.sweep import SweepError, identification

CONFIG = """name: found
vehicle: {file: f1tenth.vehicle.xml, class: f1tenth_kinematic}
recordings: ["*.mcap"]
windows: {length: 1.0, every: 1.0, settle: 0.5}
noise: {x: 0.01, y: 0.01, yaw: 0.01, vx: 0.02}
unknowns:
  - {at: dynamics/inputs/steering@gain, range: [0.5, 1.5]}
"""
GAIN = "dynamics/inputs/steering@gain"


@pytest.fixture
def config(tmp_path):
    """For six recorded seconds of a car whose gain of the steering is 1."""
    world = skidpad.World("f1tenth", set={"vehicle": "f1tenth_kinematic", "scan_beams": 3})
    world.record(tmp_path / "drive.mcap")
    for angle in (0.05, -0.1, 0.05):
        world.command(speed=1.0, steering_angle=angle)
        world.step(round(2.0 / world.timestep))
    world.stop_recording()
    path = tmp_path / "found.yaml"
    path.write_text(CONFIG)
    return path


def test_every_start_finds_the_same_car(config, tmp_path):
    done = skidpad.sweep(None, {GAIN: [0.7, 1.3]}, experiment=identification(config), out=tmp_path / "out", processes=2, progress=False)
    rows = done.read().to_pylist()
    assert done.failed == 0 and sorted(row[GAIN] for row in rows) == [0.7, 1.3], rows
    for row in rows:
        assert row[f"{GAIN} value"] == pytest.approx(1.0, abs=0.02) and row[f"{GAIN} is_determined"] and row[f"{GAIN} half_width"] < 0.05
        assert row["position [m], fitted"] < 0.02


def test_wrong_input_says_what_is_accepted(config, tmp_path):
    with pytest.raises(SweepError, match="no such file\n  accepted: a config of skidpad identify"):
        identification(tmp_path / "nothing.yaml")
    for start, text in (({"mass": 3.0}, f'start "mass": no unknown\n  accepted: {GAIN}'), ({GAIN: 2.0}, f'start "{GAIN}": found 2\n  accepted: 0.5 to 1.5')):
        with pytest.raises(skidpad.CommandError) as error:
            identification(config)(start, 0)
        assert str(error.value) == text
