"""Recordings of the package say how they were made, and can be made again."""

import hashlib
import json
import subprocess
import sys

import skidpad

DRIVE = """
import sys

import skidpad

world = skidpad.World("w.world.xml", seed=int(sys.argv[1]), set={"mass": 25})
world.record("a.mcap")
world.command("r1", vx=0.5, yaw_rate=1 / 3)
world.step(20)
world.place("r1", 0.5, 0.25, 0.1, vx=0.2)
world.set_parameter(0, "kp", 40)
world.step(15)
world.reset()
for k in range(10):
    world.command(vx=0.1 * k, yaw_rate=-0.1 * k)
    world.step()
world.reset(time=False)
world.place("wall", 2, 0)
world.spawn("crate", "c", 1, 1, 0.3)
world.step(5)
world.remove("wall")
world.step(5)
world.reset()
world.step(2)
world.stop_recording()
"""


def call(folder, *arguments):
    """Exit status and answer of the command line of the package, in a folder."""
    done = subprocess.run([sys.executable, "-m", "skidpad", *arguments, "--json"], cwd=folder, capture_output=True, text=True, timeout=180)
    return done.returncode, json.loads(done.stdout)


def test_a_recording_says_how_it_was_made_and_is_made_again_without_python(tmp_path, robot):
    (tmp_path / "w.world.xml").write_text(robot)
    (tmp_path / "drive.py").write_text(DRIVE)
    subprocess.run([sys.executable, "drive.py", "7"], cwd=tmp_path, check=True)
    status, answer = call(tmp_path, "analyze", "a.mcap")
    made = answer["result"]["runs"][0]["provenance"]
    assert made["command"] == ["python", "drive.py", "7"]
    assert made["again"] == ["run", "w.world.xml", "--set=mass=25", "--seed=7"]
    assert (made["world"], made["seed"], made["variables"]["mass"], made["version"]) == ("w.world.xml", 7, "25", skidpad.__version__)
    sums = {file["path"]: file["sha256"] for file in made["files"]}
    assert sums == {name: hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() for name in ("drive.py", "w.world.xml")}
    status, answer = call(tmp_path, "rerun", "a.mcap")
    assert (status, answer["result"]["same"], answer["messages"]) == (0, True, []), answer
    # The program that has made it need not be there; another world is found.
    (tmp_path / "drive.py").unlink()
    assert call(tmp_path, "rerun", "a.mcap", "--embedded")[0] == 0
    (tmp_path / "w.world.xml").write_text(robot.replace(">3 0 0<", ">2.9 0 0<"))
    status, answer = call(tmp_path, "rerun", "a.mcap")
    assert (status, answer["result"]["changed_files"]) == (1, ["drive.py", "w.world.xml"]), answer


def test_a_trajectory_and_a_world_from_text_are_made_again(tmp_path, robot):
    config = tmp_path / "circle.yaml"
    config.write_text("trajectory:\n  trajectory_type: circle\n")
    followed, text = tmp_path / "followed.mcap", tmp_path / "text.mcap"
    world = skidpad.World("tracking")
    world.follow(config)
    world.record(followed)
    world.step(100)
    world.close()
    status, answer = call(tmp_path, "rerun", str(followed))
    assert (status, answer["result"]["same"]) == (0, True), answer
    world = skidpad.World.from_string(robot, seed=3)
    world.record(text)
    world.step(50)
    world.close()
    assert call(tmp_path, "rerun", str(text))[0] == 2
    status, answer = call(tmp_path, "rerun", str(text), "--embedded")
    assert (status, answer["result"]["same"]) == (0, True), answer


def test_what_cannot_be_made_again_is_named(tmp_path, robot):
    def recorded_change(change, before=lambda world: None):
        path = tmp_path / "other.mcap"
        path.unlink(missing_ok=True)
        world = skidpad.World.from_string(robot)
        before(world)
        world.record(path)
        world.step(3)
        change(world)
        world.step(2)
        world.close()
        status, answer = call(tmp_path, "rerun", str(path), "--embedded")
        return status, "".join(message["found"] for message in answer["messages"][-1:])

    begin = "cannot be made again: at step"
    assert recorded_change(lambda world: world.reset(5)) == (2, f"{begin} 3 (0.030 s): the world was loaded again")
    assert recorded_change(lambda world: world.sense()) == (2, f"{begin} 3 (0.030 s): all sensors took a sample, by sense()")
    before = f"{begin} 0 (0.000 s): the world had been stepped, reset or changed before the recording began"
    assert recorded_change(lambda world: None, lambda world: world.step()) == (2, before)
    assert recorded_change(lambda world: None, lambda world: world.reset(4))[0] == 0, "it was loaded before the recording began"
