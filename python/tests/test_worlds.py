"""Many worlds: the same numbers as one alone, whatever the threads."""

import threading

import numpy as np
import pytest
import skidpad


def test_each_world_is_as_one_alone(robot):
    count = 9
    worlds = skidpad.Worlds.from_string(robot, count, seeds=10, set={"mass": list(range(20, 20 + count))})
    speeds = np.linspace(0.1, 0.9, count)
    worlds.command(vx=speeds, yaw_rate=0.2)
    state, ranges = worlds.state, worlds.reading("scan").ranges
    worlds.step(70)
    assert state.shape == (count, 1) and ranges.shape == (count, 36) and len(worlds) == count
    for index in range(count):
        alone = skidpad.World.from_string(robot, seed=10 + index, set={"mass": 20 + index})
        alone.command(vx=speeds[index], yaw_rate=0.2)
        alone.step(70)
        assert alone.state.tobytes() == state[index].tobytes()
        assert alone.reading("scan").ranges.tobytes() == ranges[index].tobytes()


def test_a_parameter_is_set_in_all_worlds_or_in_none(robot):
    worlds = skidpad.Worlds.from_string(robot, 3)
    worlds.set_parameter(0, "max_torque", [1.0, 2.0, 3.0])
    worlds.command(vx=0.5)
    with pytest.raises(ValueError, match="world 2: .*max_torque: found -1"):
        worlds.set_parameter(0, "max_torque", [7.0, 8.0, -1.0])
    worlds.step(50)
    for index, torque in enumerate([1.0, 2.0, 3.0]):
        alone = skidpad.World.from_string(robot)
        alone.set_parameter(0, "max_torque", torque)
        alone.command(vx=0.5)
        alone.step(50)
        assert alone.state.tobytes() == worlds.state[index].tobytes()


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_change_nothing(robot, threads):
    def run(threads):
        worlds = skidpad.Worlds.from_string(robot, 16, threads=threads)
        worlds.command(vx=0.5)
        state = worlds.state
        for _ in range(5):
            worlds.step(7)
        return state.tobytes(), worlds.threads

    assert run(threads)[0] == run(2)[0] and run(threads)[1] == threads


def test_one_call_of_many_steps_is_many_calls(robot):
    single, many = (skidpad.Worlds.from_string(robot, 4) for _ in range(2))
    for worlds in (single, many):
        worlds.command(vx=0.4, yaw_rate=0.1)
    single.step(30)
    for _ in range(30):
        many.step()
    assert single.state.tobytes() == many.state.tobytes()


def test_some_worlds_are_reset_placed_and_commanded(robot):
    worlds = skidpad.Worlds.from_string(robot, 4)
    x, time = worlds.state["x"], worlds.time
    worlds.command(vx=[0.5, 1.0], where=[1, 3])
    worlds.step(100)
    assert x[0, 0] == x[2, 0] == 0.0 < x[1, 0] < x[3, 0]
    worlds.reset(np.array([False, True, False, False]))
    assert x[1, 0] == 0.0 and x[3, 0] > 0 and list(time) == [1.0, 0.0, 1.0, 1.0]
    worlds.place("r1", [7.0, 8.0], 1.0, np.pi / 2, vx=0.3, where=[0, 2])
    assert list(x[:, 0][[0, 2]]) == [7.0, 8.0] and worlds.state["vx"][0, 0] == pytest.approx(0.3)
    worlds.sense([0])
    reading = worlds.reading("scan")
    assert reading.fresh[0] and reading.time[0] == 1.0


def test_collisions_between_two_looks_are_noticed(robot):
    worlds = skidpad.Worlds.from_string(robot, 2)
    collided = worlds.collided
    worlds.command(vx=[1.0, 0.1])
    worlds.step(600)
    assert collided[0, 0] and not collided[1, 0]
    worlds.command(vx=0.0)
    worlds.reset()
    worlds.step(1)
    assert not collided.any()


def test_worlds_are_loaded_again_with_other_variables(robot):
    worlds = skidpad.Worlds.from_string(robot, 3)
    worlds.reload([1, 2], set={"mass": [30, 60]}, seeds=[7, 8])
    worlds.command(vx=1.0)
    worlds.step(50)
    for index, (mass, seed) in enumerate([(20, 0), (30, 7), (60, 8)]):
        alone = skidpad.World.from_string(robot, seed=seed, set={"mass": mass})
        alone.command(vx=1.0)
        alone.step(50)
        assert alone.state.tobytes() == worlds.state[index].tobytes()
    assert len(set(worlds.state["x"][:, 0])) == 3


def test_all_vehicles_of_all_worlds_are_commanded_at_once():
    worlds = skidpad.Worlds("two_robots", 3)
    speeds = np.arange(6).reshape(3, 2) * 0.1
    worlds.command(None, vx=speeds)
    worlds.step(100)
    assert np.allclose(worlds.state["vx"], speeds, atol=0.08)


def test_gains_of_each_world(robot):
    worlds = skidpad.Worlds.from_string(robot, 3)
    worlds.set_parameter("r1", "kp", [10.0, 20.0, 30.0])
    worlds.set_parameter("r1", "ki", 0.0)
    worlds.command(vx=1.0)
    worlds.step(20)
    vx = worlds.state["vx"][:, 0]
    assert vx[0] < vx[1] < vx[2]


def test_copies_share_their_map_and_start_quickly():
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    skidpad.Worlds("f1tenth", 8)
    before = resident()
    worlds = skidpad.Worlds("f1tenth", 256)
    assert len(worlds) == 256 and (resident() - before) / 256 < 1e6


def test_pictures_of_one_of_them(robot):
    worlds = skidpad.Worlds.from_string(robot, 2)
    worlds.place("r1", 1.0, 1.0, where=[1])
    pictures = [worlds.render(index, 60, 40) for index in (0, 1, 0)]
    assert np.array_equal(pictures[0], pictures[2]) and not np.array_equal(pictures[0], pictures[1])


def test_viewers_change_no_bodies_of_one_of_them(robot):
    worlds = skidpad.Worlds.from_string(robot, 2)
    state, refusals = worlds.state, []

    def order(url):
        with skidpad.connect(url) as sim:
            for change in (lambda: sim.remove("r1"), lambda: sim.spawn("crate")):
                try:
                    change()
                except skidpad.SkidpadError as error:
                    refusals.append(str(error))
            sim.command("r1", vx=0.5)
            sim.wait(lambda: sim.state["x"][0] > 0.2, timeout=60)

    with worlds:
        viewer = threading.Thread(target=order, args=(worlds.serve(1),))
        viewer.start()
        while viewer.is_alive():
            worlds.step()
    text = "all worlds of Worlds keep the same vehicles and blocks\n  accepted: a single World"
    assert refusals == [f"remove: {text}", f"spawn: {text}"]
    assert state["x"][1, 0] > 0.2 and state["x"][0, 0] == 0.0
