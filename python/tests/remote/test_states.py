"""States, scans and events of a running simulation."""

import json
import urllib.request

import numpy as np
import pytest
import skidpad
from skidpad.remote import RemoteError, RemoteTimeout


def rest_answer(url, path):
    with urllib.request.urlopen(f"{url}{path}", timeout=60) as answer:
        return json.load(answer)


def test_states_equal_those_of_rest(shared):
    with skidpad.connect(shared.url) as sim:
        assert (sim.vehicles, sim.blocks, sim.mode, sim.read_only) == (["r1"], ["wall"], "live", False)
        assert sim.state.dtype == skidpad.STATE
        assert sim.wheels.dtype == skidpad.WHEEL
        assert sim.block_state.dtype == skidpad.POSE
        sim.command(vx=0.4, yaw_rate=0.2)
        sim.wait(lambda: sim.state["vx"][0] > 0.3, timeout=60)
        sim.pause()
        sim.wait(lambda: sim.status["paused"], timeout=60)
        # The pause is reported before the last state is.
        sim.wait(lambda: sim.time == rest_answer(shared.url, "api/state")["time"], timeout=60)
        of_rest = rest_answer(shared.url, "api/state")
        car = of_rest["vehicles"][0]
        for name in sim.state.dtype.names:
            assert sim.state[name][0] == car[name], name
        assert sim.wheels.shape == (1, len(car["wheels"]))
        for index, wheel in enumerate(car["wheels"]):
            for name in sim.wheels.dtype.names:
                assert sim.wheels[name][0, index] == wheel[name], name
        for name in sim.block_state.dtype.names:
            assert sim.block_state[name][0] == of_rest["blocks"][0][name]


def test_states_are_followed_and_stay_as_they_are(shared):
    with skidpad.connect(shared.url, rate=60.0) as sim:
        states = sim.states()
        first = next(states)
        x = float(first.state["x"][0])
        sim.command("r1", vx=0.5)
        times = [first.time] + [next(states).time for _ in range(20)]
        assert np.all(np.diff(times) > 0)
        assert first.state["x"][0] == x
        with pytest.raises(ValueError, match="read-only"):
            first.state["x"][0] = 1.0
        sim.watch(rate=0)
        with pytest.raises(RemoteTimeout, match=r"wait: the next state did not arrive within 0\.5 s"):
            for _ in range(3):
                sim.wait(timeout=0.5)


def test_scans_show_the_wall(shared):
    with skidpad.connect(shared.url) as sim:
        scan = sim.scan("r1")
        assert (scan.vehicle, scan.sensor, len(scan.ranges)) == ("r1", "scan", 36)
        hits = scan.points
        assert len(hits) > 2
        # The face of the wall is at x = 2.9.
        assert np.all(np.abs(hits[:, 0] - 2.9) < 0.1)
        assert np.isinf(scan.ranges[np.abs(scan.angles) > 2.0]).all()
        newer = sim.wait(lambda: sim.scan().time > scan.time and sim.scan(), timeout=60)
        assert newer.pose == pytest.approx(scan.pose, abs=1e-3)
        sim.watch(stride=2)
        sim.wait(lambda: len(sim.scan().ranges) == 18, timeout=60)
        with pytest.raises(RemoteTimeout, match="a scan of r1/none"):
            sim.scan("r1", "none", timeout=0.2)


def test_events_tell_what_happens(shared):
    happened = []
    with skidpad.connect(shared.url) as sim:
        sim.on("*", happened.append)
        sim.pause()
        sim.wait(lambda: sim.status["paused"], timeout=60)
        sim.resume()
        sim.wait(lambda: not sim.status["paused"], timeout=60)
        sim.command(vx=1.5)
        events = sim.events(timeout=60)
        for event in events:
            if event.kind == "collision":
                break
        assert event.name == "r1"
        sim.reset()
        crate = sim.spawn("crate", x=0.0, y=3.0)
        sim.remove(crate)
        for kind in ("collision_end", "removed"):
            sim.wait(lambda kind=kind: any(event.kind == kind for event in happened))
    kinds = [(event.kind, event.name) for event in happened]
    for wanted in [
        ("paused", ""),
        ("resumed", ""),
        ("collision", "r1"),
        ("collision_end", "r1"),
        ("reset", ""),
        ("spawned", "crate"),
        ("removed", "crate"),
    ]:
        assert wanted in kinds, (wanted, kinds)
    assert "disconnected" not in [kind for kind, _ in kinds]
    assert kinds.index(("spawned", "crate")) < kinds.index(("removed", "crate"))


def test_a_callback_may_give_orders_and_may_fail(shared):
    with skidpad.connect(shared.url) as sim:
        sim.on("paused", lambda event: 1 / 0)
        sim.on("paused", lambda event: sim.resume())
        sim.pause()
        for event in sim.events(timeout=60):
            if event.kind == "resumed":
                break
        sim.wait(lambda: not sim.status["paused"], timeout=60)
        with pytest.raises(RemoteError, match="event 'exploded': there is no such kind\n  accepted: connected, "):
            sim.on("exploded", print)
