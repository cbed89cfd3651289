"""Replays of recordings of a real node: they show what its page showed, also with a preset without ground truth and engine data, and after a change of the world."""

import json
import signal
import time
import urllib.error
import urllib.request

import pytest

pytest.importorskip("simulation_interfaces", reason="built without simulation_interfaces")

from conftest import PATIENCE, WORLDS  # noqa: E402
from running import Program  # noqa: E402
from test_simulation_interfaces import PAUSED, PLAYING, Control  # noqa: E402


def link(program):
    """The address of its page, once printed."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        for line in program.log.splitlines():
            if line.startswith("viewer: "):
                return line.split()[1].split("#")[0]
        time.sleep(0.05)
    raise AssertionError(f"no page: {program.log}")


def get(address, path):
    """What is there; a state has to be waited for where another scene has just come."""
    for _ in range(50):
        try:
            with urllib.request.urlopen(f"{address}{path}", timeout=10) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            assert error.code == 503, f"{path}: {error}"
            time.sleep(0.05)
    raise AssertionError(f"{path}: nothing comes")


def look(address):
    """Vehicles and names, and the picture of the map, if there is one."""
    state, scene = (json.loads(get(address, f"api/{name}")) for name in ("state", "scene"))
    maps = [get(address, shown["path"]) for shown in scene["maps"]]
    return state["time"], state["vehicles"], [vehicle["name"] for vehicle in scene["vehicles"]], maps


def numbers(vehicles):
    """All numbers by name; the ground velocities of wheels are recomputed."""
    numbers_by_name = {}
    for index, vehicle in enumerate(vehicles):
        parts = [(f"{index}", vehicle), *((f"{index}.{number}", wheel) for number, wheel in enumerate(vehicle["wheels"]))]
        for place, part in parts:
            numbers_by_name |= {f"{place} {name}": value for name, value in part.items() if isinstance(value, int | float) and not name.startswith("wheel_v")}
    return numbers_by_name


def test_a_replay_matches_the_live_page(simulate, peer, domain, tmp_path):
    (tmp_path / "drive.csv").write_text("time,vehicle,throttle,brake,gear,steering_angle\n0.1,car,0.8,0,drive,0.1\n")
    recording = tmp_path / "run.mcap"
    # Every step is an instant of the odometry, so that any time can be compared.
    arguments = ["--record", recording, "--web", "127.0.0.1:0", "--commands", tmp_path / "drive.csv"]
    node = simulate(WORLDS / "powertrain.world.xml", ["-p", "preset:=turtlebot3", "-p", "odom_rate:=200.0"], arguments)
    control = Control(peer)
    address = link(node)

    def pause_at(seconds):
        peer.spin_until(lambda: look(address)[0] > seconds, awaited=f"{seconds} s")
        control.set_state(PAUSED)
        return look(address)

    first = pause_at(2.0)
    control.load(uri="office")
    control.set_state(PLAYING)
    second = pause_at(1.0)
    node.send(signal.SIGINT)
    assert node.wait(PATIENCE) == 0, node.log

    again = Program(domain, tmp_path / "replay.log", ["replay", recording, "--paused", "--web", "127.0.0.1:0"])
    try:
        address = link(again)
        end = json.loads(get(address, "api/status"))["span"]["end"]
        assert end == pytest.approx(first[0] + second[0], abs=1e-6), "the log goes on where load_world has set time back"
        for moment, live in ((end, second), (first[0], first), (end, second)):
            order = json.dumps({"do": "seek", "time": moment}).encode()
            request = urllib.request.Request(f"{address}api/orders", order, {"Content-Type": "application/json"})
            assert json.loads(urllib.request.urlopen(request, timeout=10).read())["error"] is None
            shown = look(address)
            assert shown[0] == pytest.approx(moment, abs=1e-6)
            assert shown[2:] == live[2:], "names and maps"
            assert numbers(shown[1]) == pytest.approx(numbers(live[1]), abs=2e-3, rel=1e-6)
        assert first[2] == ["car"] and not first[3] and len(second[3]) == 1
        assert first[1][0]["engine_speed"] > 50 and first[1][0]["throttle"] == 0.8
    finally:
        again.stop()
