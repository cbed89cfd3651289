"""Ctrl-C ends every long call with KeyboardInterrupt: a child process is sent SIGINT when it is in the call, which would take minutes otherwise."""

import os
import signal
import subprocess
import sys

import pytest

# A thread that says so when the main thread has let go of Python in its call: it gets its turn at no other time.
PRELUDE = """
import os, sys, threading
import numpy as np
import skidpad

sys.setswitchinterval(100)
entered = threading.Event()

def tell():
    entered.wait()
    os.write(TOLD, b"in the call")

threading.Thread(target=tell, daemon=True).start()

BLOCKS = "<mvsim_world>" + "".join(
    f'<block name="b{k}"><static>true</static><init_pose>{k % 200} {k // 200} 0</init_pose><shape><pt>0 0</pt><pt>0.5 0</pt><pt>0.5 0.5</pt></shape></block>'
    for k in range(COUNT)
) + "</mvsim_world>"
CAMERA = '''<mvsim_world><vehicle name="r1"><init_pose>0 0 0</init_pose><dynamics class="differential"/>
  <sensor class="camera" name="eye"><ncols>4096</ncols><nrows>4096</nrows><sensor_period>PERIOD</sensor_period></sensor></vehicle></mvsim_world>'''
ROBOT = '<mvsim_world><vehicle name="r1"><init_pose>0 0 0</init_pose><dynamics class="differential"/></vehicle></mvsim_world>'
"""

END = """
entered.set()
try:
    call()
except KeyboardInterrupt:
    print("interrupted", flush=True)
else:
    print("went through", flush=True)
after()
"""


def interrupted(code, count=100_000, period="0.01"):
    """What a child prints after its call has been interrupted."""
    # A pipe of its own: calls may redirect the output.
    read_end, write_end = os.pipe()
    program = PRELUDE.replace("COUNT", str(count)).replace("PERIOD", period).replace("TOLD", str(write_end)) + code + END
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, pass_fds=[write_end])
    os.close(write_end)
    try:
        assert os.read(read_end, 100) == b"in the call", child.communicate(timeout=60)[1]
        child.send_signal(signal.SIGINT)
        out, errors = child.communicate(timeout=60)
    finally:
        child.kill()
        os.close(read_end)
    assert child.returncode == 0, errors
    return out.splitlines(), errors


@pytest.mark.parametrize(
    "code",
    [
        # Also the first picture of a process: NumPy's interface is there before it.
        "world = skidpad.World.from_string(ROBOT)\ndef call(): world.render(8192, 8192)",
        "def call(): skidpad.World.from_string(BLOCKS)",
        "def call(): skidpad.Worlds.from_string(ROBOT, 1_000_000)",
        "worlds = skidpad.Worlds.from_string(ROBOT, 2_000)\ndef call():\n    while True: worlds.reload(seeds=1)",
        "world = skidpad.World.from_string(ROBOT)\ndef call(): world.spawn(BLOCKS[13:].replace('</mvsim_world>', ''), 'many')",
    ],
    ids=["render", "load", "copies", "reload", "spawn"],
)
def test_calls_that_change_nothing_when_they_are_interrupted(code):
    out, errors = interrupted(code + "\ndef after(): print(skidpad.World.from_string(ROBOT).time)")
    assert out == ["interrupted", "0.0"] and errors == ""


def test_long_steps_of_short_ones_end_between_two_of_them():
    code = "worlds = skidpad.Worlds.from_string(ROBOT, 3)\ntime = worlds.time\ndef call(): worlds.step(10**12)\ndef after():\n    assert len(set(time)) == 1 and time[0] > 0\n    worlds.step()\n    print(len(set(time)))"
    assert interrupted(code) == (["interrupted", "1"], "")


@pytest.mark.parametrize("call", ["world.sense()", "worlds.step(10)"])
def test_a_step_that_looks_for_long_ends_in_its_midst(call):
    code = f"""
{"worlds = skidpad.Worlds.from_string(CAMERA, 1)" if "worlds" in call else "world = skidpad.World.from_string(CAMERA)"}
def call(): {call}
def after():
    try:
        {call}
    except skidpad.SkidpadError as error:
        print(error)
    {"worlds" if "worlds" in call else "world"}.reset()
    print({"worlds.time[0]" if "worlds" in call else "world.time"})
"""
    subject = "world 0" if "worlds" in call else "this world"
    hint = [f"{subject}: Ctrl-C has interrupted a step before all sensors had sampled", "  hint: call reset()", "0.0"]
    assert interrupted(code) == (["interrupted", *hint], "")


def test_an_identification_ends(tmp_path):
    code = f"""
from pathlib import Path
from skidpad.sweep import identification
world = skidpad.World("f1tenth", set={{"vehicle": "f1tenth_kinematic", "scan_beams": 3}})
world.record({str(tmp_path / "drive.mcap")!r})
for angle in (0.05, -0.1, 0.05):
    world.command(speed=1.0, steering_angle=angle)
    world.step(500)
world.stop_recording()
config = Path({str(tmp_path / "found.yaml")!r})
config.write_text('name: found\\nvehicle: {{file: f1tenth.vehicle.xml, class: f1tenth_kinematic}}\\nrecordings: ["*.mcap"]\\n'
    'windows: {{length: 1.0, every: 1.0, settle: 0.5}}\\nnoise: {{x: 0.01, y: 0.01, yaw: 0.01, vx: 0.02}}\\n'
    'unknowns:\\n  - {{at: dynamics/inputs/steering@gain, range: [0.5, 1.5]}}\\n')
fit = identification(config, budget=1_000_000)
def call():
    while True: fit({{"dynamics/inputs/steering@gain": 0.7}}, 0)
def after(): pass
"""
    assert interrupted(code) == (["interrupted"], "")


def test_an_experiment_ends(tmp_path):
    code = """
from skidpad.sweep import tracking_experiment
run = tracking_experiment(8e4)
def call(): run({}, 0)
def after(): sys.stdout.flush(); import os; os._exit(0)
"""
    assert interrupted(code) == (["interrupted"], "")


def test_a_recording_is_complete_after_an_interrupt(tmp_path):
    code = f"""
world = skidpad.World.from_string(ROBOT)
world.record({str(tmp_path / "run.mcap")!r})
world.step(2000)
def call():
    while True:
        world.stop_recording()
        world.record({str(tmp_path / "run.mcap")!r})
def after(): world.close()
"""
    # Where the disk is slow, the end of the interpreter says what it waits for.
    out, errors = interrupted(code)
    assert out == ["interrupted"] and errors in ("", "skidpad: waiting for the disk to store the end of a recording; Ctrl-C gives up\n")
    assert (tmp_path / "run.mcap").read_bytes().endswith(b"\x89MCAP0\r\n")
