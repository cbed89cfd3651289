"""Orders: time, commands, bodies, parameters; and what is refused."""

import time

import pytest
import skidpad
from skidpad.remote import RemoteError


def test_time_stands_and_steps(shared):
    with skidpad.connect(shared.url) as sim:
        with pytest.raises(RemoteError, match="step: the simulation is running\n  hint: pause it first"):
            sim.step()
        sim.pause()
        sim.wait(lambda: sim.status["paused"], timeout=60)
        before = sim.step()
        assert sim.step(50) == pytest.approx(before + 0.5, abs=1e-9)
        sim.wait(lambda: sim.time == pytest.approx(before + 0.5), timeout=60)
        sim.set_rate(None)
        sim.resume()
        sim.wait(lambda: sim.status["rate"] is None, timeout=60)
        sim.set_rate(2)
        sim.wait(lambda: sim.status["rate"] == 2.0, timeout=60)


def test_a_command_holds_until_it_is_released(serve, car):
    with skidpad.connect(serve(world=car).url) as sim:
        sim.command("car", speed=2.0, steering_angle=0.1)
        sim.wait(lambda: sim.state["vx"][0] > 1.5, timeout=60)
        time.sleep(1.0)
        assert sim.state["wanted_vx"][0] == 2.0
        assert sim.state["wanted_steer"][0] == pytest.approx(0.1)
        sim.release("car")
        sim.wait(lambda: sim.state["wanted_vx"][0] == 0.0, timeout=0.4)
        sim.wait(lambda: abs(sim.state["vx"][0]) < 0.1, timeout=60)


def test_the_server_stops_a_vehicle_whose_driver_is_silent(shared):
    with skidpad.connect(shared.url) as sim, skidpad.connect(shared.url) as driver:
        command = {"kind": "twist", "vx": 0.5, "vy": 0.0, "yaw_rate": 0.0}

        def is_driven():
            # Again and again: on a busy machine one command may end before a state shows it.
            driver.order("command", vehicle=driver.scene["vehicles"][0]["id"], command=command)
            return sim.state["wanted_vx"][0] == 0.5

        sim.wait(is_driven, timeout=60)
        began = time.monotonic()
        sim.wait(lambda: sim.state["wanted_vx"][0] == 0.0, timeout=60)
        assert time.monotonic() - began > 0.3
        # The end of a client stops its vehicles at once.
        driver.command(vx=0.5)
        sim.wait(lambda: sim.state["wanted_vx"][0] == 0.5, timeout=60)
        driver.close()
        sim.wait(lambda: sim.state["wanted_vx"][0] == 0.0, timeout=60)


def test_commands_end_at_a_reset(shared):
    with skidpad.connect(shared.url) as sim:
        sim.command(vx=0.5)
        sim.wait(lambda: sim.state["x"][0] > 0.2, timeout=60)
        sim.reset()
        sim.wait(lambda: abs(sim.state["x"][0]) < 0.1, timeout=60)
        time.sleep(0.7)
        assert abs(sim.state["x"][0]) < 0.1
        assert sim._in_force == {}
        # One that follows at once holds, and ends at a reset of somebody else.
        sim.reset()
        sim.command(vx=0.5)
        time.sleep(0.7)
        assert sim._in_force
        with skidpad.connect(sim._link._address.socket_url.removesuffix("api/socket")) as other:
            other.reset()
        sim.wait(lambda: not sim._in_force, timeout=60)
        sim.wait(lambda: sim.state["vx"][0] == 0.0, timeout=60)


def test_bodies_come_go_and_are_placed(shared, tmp_path):
    with skidpad.connect(shared.url) as sim:
        assert [sim.spawn("crate", x=0.0, y=y) for y in (2.0, 3.0)] == ["crate", "crate_2"]
        assert sim.blocks == ["wall", "crate", "crate_2"]
        sim.wait(lambda: len(sim.block_state) == 3, timeout=60)
        assert sim.block_state["y"][1] == pytest.approx(2.0, abs=1e-3)
        sim.place("crate", 1.0, -4.0, 0.5)
        sim.wait(lambda: sim.block_state["y"][1] == -4.0, timeout=60)
        sim.remove("crate")
        assert sim.blocks == ["wall", "crate_2"]
        file = tmp_path / "robot.xml"
        file.write_text('<vehicle name="r2"><dynamics class="differential"><controller class="twist_ideal"/></dynamics></vehicle>')
        assert sim.spawn(file, x=-3.0) == "r2"
        assert sim.vehicles == ["r1", "r2"]
        sim.command("r2", vx=0.3)
        sim.wait(lambda: len(sim.state) == 2 and sim.state["vx"][1] == pytest.approx(0.3), timeout=60)
        sim.place("r2", -5.0, 1.0, vx=0.2)
        sim.wait(lambda: sim.state["y"][1] == 1.0, timeout=60)
        # Its command goes with it.
        sim.remove("r2")
        assert sim._in_force == {}


def test_parameters_are_read_and_changed(shared):
    with skidpad.connect(shared.url) as sim:
        assert sim.parameters("r1")["kp"] == 50.0
        sim.set_parameter("r1", "kp", 60)
        assert sim.parameters()["kp"] == 60.0
        # A reset keeps it, and other tests want the usual one.
        sim.set_parameter("r1", "kp", 50)


@pytest.mark.parametrize(
    ("do", "reason"),
    [
        (lambda sim: sim.command("r9", vx=1), "vehicle 'r9': not found\n  accepted: r1"),
        (lambda sim: sim.command(3, vx=1), "vehicle 3: not found\n  accepted: r1"),
        (lambda sim: sim.command(), "command: found nothing\n  accepted: names of one kind: vx vy yaw_rate · "),
        (lambda sim: sim.command(vx=1, throttle=1), "command: found vx throttle\n  accepted: "),
        (lambda sim: sim.command(vx=float("nan")), "command: holds a number that is not finite\n  accepted: finite numbers"),
        (lambda sim: sim.command(vx="fast"), "accepted: "),
        (lambda sim: sim.command(spin=1.0), "spin: found 1.0\n  accepted: 4 numbers, None to keep one"),
        (lambda sim: sim.command(throttle=1.0), "pedals"),
        (lambda sim: sim.command(vx=1e9), "asks for more than any vehicle can do"),
        (lambda sim: sim.place("moon", 0, 0), "'moon': neither a vehicle nor a block\n  accepted: r1, wall"),
        (lambda sim: sim.place("r1", 1e12, 0), 'state of "r1": its position is too far away'),
        (lambda sim: sim.place("r1", None, 0), "x: found None\n  accepted: a number"),
        (lambda sim: sim.spawn("tree"), "tree"),
        (lambda sim: sim.spawn("crate", "wall"), 'spawn "wall": the name is taken\n  hint: "wall_2" is free'),
        (lambda sim: sim.spawn("<vehicle"), "spawn"),
        (
            lambda sim: sim.spawn("<block>" + " " * 70_000),
            "order: the connection was lost before its answer: message: too long\n  accepted: up to 65536 bytes",
        ),
        (lambda sim: sim.set_parameter("r1", "speed", 1), 'its controller has no "speed"\n  accepted: kp, ki'),
        (lambda sim: sim.set_parameter("r1", "max_torque", -1), "max_torque: found -1\n  accepted: a number from 0"),
        (lambda sim: sim.set_rate(-1), "set_rate: rate -1 is out of range\n  accepted: 0.001 or more, none"),
        (lambda sim: sim.step(0), "step: count 0 is out of range"),
        (lambda sim: sim.seek(1.0), "seek: a running simulation has no other times"),
        (lambda sim: sim.watch(rate=1000), "watch: rate 1000 is out of range"),
        (lambda sim: sim.order("dance"), "order: unknown variant `dance`"),
    ],
)
def test_bad_input_is_refused_with_a_reason(shared, do, reason):
    with skidpad.connect(shared.url) as sim:
        with pytest.raises(RemoteError) as refusal:
            do(sim)
        assert reason in str(refusal.value)
        assert isinstance(refusal.value, skidpad.SkidpadError)
