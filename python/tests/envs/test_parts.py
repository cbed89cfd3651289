"""Observations, rewards, ends and starts, by closed forms."""

import numpy as np
import pytest
import skidpad
from skidpad import envs


def drive(task, actions, count=1, seed=0):
    episodes = envs.vector.Episodes(task, count)
    episodes.reset_all(seed)
    results = []
    for action in actions:
        result = episodes.step(np.tile(np.asarray(action, np.float32), (count, 1)))
        results.append([np.copy(part) for part in result])
    return episodes, results


def test_progress_is_the_way_along_the_path_also_over_its_end():
    path = skidpad.Path([[0, 0], [4, 0], [4, 4], [0, 4]], closed=True)
    task = envs.follow(path, start=envs.Poses([(0.0, 1.0, -np.pi / 2)], speed=2.0), reward=(envs.Progress(3.0),), ends=())
    episodes, results = drive(task, [[0.33, 0]] * 12)
    total = sum(float(reward[0]) for reward, _, _ in results)
    drivers = episodes.drivers
    # It has driven from s = 15 down over the corner at s = 16 = 0.
    assert drivers.y[0] < 0.2 and total == pytest.approx(3.0 * (1.0 - max(drivers.y[0], 0.0)), abs=0.1)


def test_rewards_by_closed_forms():
    task = envs.follow(start=envs.Poses([(0.0, 0.3, 0.7)]), reward=(envs.PathOffset(2.0), envs.Constant(-1.0), envs.Smoothness(0.5)))
    episodes, results = drive(task, [[-1, 0], [-1, 0.4]])
    drivers = episodes.drivers
    offset = abs(float(drivers.offset[0]))
    assert results[1][0][0] == pytest.approx(-2.0 * 0.05 * offset - 0.05 - 0.5 * 0.4**2, rel=1e-5)


def test_the_scan_is_scaled_and_thinned_out():
    task = envs.race(beams=41, observation=(envs.Scan(farthest=5.0, beams=5),))
    episodes = envs.vector.Episodes(task, 2)
    episodes.reset_all(0)
    seen, scan = episodes.observe(), episodes.drivers.scan
    assert seen.shape == (2, 5) and np.allclose(seen, np.clip(scan[:, [0, 10, 20, 30, 40]] / 5.0, 0, 1))


def test_path_and_goal_are_seen_from_the_vehicle():
    path = skidpad.Path([[0, 0], [10, 0]])
    task = envs.follow(path, start=envs.Poses([(1.0, 0.5, np.pi / 2)]), observation=(envs.PathAhead(2, 4.0), envs.PathError(2.0)))
    episodes = envs.vector.Episodes(task, 1)
    episodes.reset_all(0)
    # Points at x = 3 and 5, to its right and 0.5 m behind; the car looks to the left of the path.
    assert np.allclose(episodes.observe()[0], [-0.125, -0.125, -0.5, -1.0, 0.25, 1.0, 0.0], atol=1e-6)
    task = envs.push(start=envs.Poses([(0.0, 0.0, 0.0)]), goals=lambda generator, start: (0.0, 2.0))
    episodes = envs.vector.Episodes(task, 1)
    episodes.reset_all(0)
    assert np.allclose(episodes.observe()[0, :6], [0.5, 0.0, 1.0, 1.0, 1.0, 0.0], atol=1e-6)
    assert episodes.drivers.goal_distance[0] == pytest.approx(np.sqrt(5))


def test_pushing_the_crate_to_the_goal_is_rewarded():
    task = envs.push(start=envs.Poses([(0.0, 0.0, 0.0)]), goals=lambda generator, start: (1.6, 0.0))
    episodes, results = drive(task, [[0.5, 0]] * 60)
    ended = [index for index, (_, terminated, _) in enumerate(results) if terminated[0]]
    assert ended and results[ended[0]][0][0] > 4.5
    until = results[: ended[0] + 1]
    assert sum(float(reward[0]) for reward, _, _ in until) == pytest.approx(5.0 + 0.6 - 0.2, abs=0.15)


def test_drift_is_rewarded_for_sliding_around_the_circle():
    task = envs.drift(friction=0.3, reward=(envs.Drift(2.0, radius=2.0, speed=2.0, angle=0.4),), ends=())
    episodes = envs.vector.Episodes(task, 8)
    episodes.reset_all(0)
    drivers, rewarded = episodes.drivers, 0
    for _ in range(60):
        reward, _, _ = episodes.step(np.tile(np.float32([0.3, 0.8]), (8, 1)))
        # Radius and polar angle, and the velocity along the circle.
        distance, polar = np.hypot(drivers.x, drivers.y), np.arctan2(drivers.y, drivers.x)
        along = np.hypot(drivers.vx, drivers.vy) * np.sin(drivers.yaw + np.arctan2(drivers.vy, drivers.vx) - polar)
        slip = np.abs(np.arctan2(drivers.vy, np.abs(drivers.vx)))
        near = np.clip(1 - np.abs(distance - 2.0), 0, 1)
        expected = 2.0 * 0.05 * near * np.clip(along / 2.0, 0, 1) * np.clip(slip / 0.4, 0, 1)
        assert np.allclose(reward, expected, atol=1e-5)
        rewarded += (expected > 0.01).sum()
    assert rewarded > 20


def test_progress_is_no_more_than_the_way_where_the_path_crosses_itself():
    # Random play on the eight, whose crossing is half its length away from itself.
    episodes = envs.vector.Episodes(envs.follow(ends=(), time_limit=None), 64)
    episodes.reset_all(0)
    drivers, generator = episodes.drivers, np.random.default_rng(1)
    crossed = np.zeros(64, np.bool_)
    for _ in range(200):
        before = np.c_[drivers.x, drivers.y]
        episodes.step(generator.uniform([0, -1], 1, (64, 2)).astype(np.float32))
        distance = np.hypot(*(np.c_[drivers.x, drivers.y] - before).T)
        near = np.abs(drivers.offset) < 1.0
        # Beside a bend, the way along the path is longer than the car's.
        assert (np.abs(drivers.progress)[near] <= 2.0 * distance[near] + 0.5 + 1e-9).all()
        crossed |= (np.hypot(drivers.x, drivers.y) < 0.3) & near
    assert crossed.sum() > 5


def test_own_parts_are_added_to_those_of_the_package():
    class Distance:
        def size(self, drivers):
            return 2

        def bounds(self):
            return 0.0, np.inf

        def write(self, drivers, out):
            out[:, 0] = np.hypot(drivers.x, drivers.y)
            out[:, 1] = drivers.steps

    class Still:
        def __call__(self, drivers):
            return -np.abs(drivers.vx)

    class Late:
        def __call__(self, drivers):
            return drivers.steps >= 3

    task = envs.follow(observation=(envs.Speed(1.0), Distance(), envs.Field("yaw")), reward=(envs.Constant(10.0), Still()), ends=(Late(),))
    episodes, results = drive(task, [[0.5, 0.1]] * 3, count=2)
    drivers, seen = episodes.drivers, episodes.observe()
    assert seen.shape == (2, 4) and np.allclose(seen, np.c_[drivers.vx, np.hypot(drivers.x, drivers.y), [3, 3], drivers.yaw])
    assert np.allclose(results[2][0], 0.5 - np.abs(drivers.vx)) and [bool(result[1].all()) for result in results] == [False, False, True]


def test_starts_and_goals_are_free():
    task = envs.goal()
    episodes = envs.vector.Episodes(task, 24)
    episodes.reset_all(0)
    drivers = episodes.drivers
    assert len(np.unique(drivers.x)) > 20 and not drivers.collided.any()
    distance = np.hypot(drivers.goal[:, 0] - drivers.x, drivers.goal[:, 1] - drivers.y)
    assert (distance <= 4.0).all() and (distance >= 0.99).all()
    drivers.worlds.step(1)
    assert not drivers.collided.any()
    assert (drivers.scan.min(axis=1) > 0.15).all()


def test_cars_start_on_the_track_in_its_direction():
    episodes = envs.vector.Episodes(envs.race("track_bean"), 32)
    episodes.reset_all(1)
    drivers = episodes.drivers
    assert (np.abs(drivers.offset) < 0.31).all() and (np.cos(drivers.yaw - drivers.heading) > 0.9).all()
    assert drivers.s.max() - drivers.s.min() > 30


VAN = """<mvsim_world><simul_timestep>0.005</simul_timestep><vehicle name="van"><init_pose>0 0 0</init_pose>
<dynamics class="ackermann_drivetrain">
<rl_wheel pos="0 0.75" mass="30" diameter="0.6"/><rr_wheel pos="0 -0.75" mass="30" diameter="0.6"/>
<fl_wheel mass="30" diameter="0.6"/><fr_wheel mass="30" diameter="0.6"/><f_wheels_x>2.6</f_wheels_x><f_wheels_d>1.5</f_wheels_d>
<chassis mass="1500" com="1.3 0" com_height="{height}" inertia="2500" zmin="0.3" zmax="2.2"><shape>
<pt>-0.7 -0.9</pt><pt>3.4 -0.9</pt><pt>3.4 0.9</pt><pt>-0.7 0.9</pt></shape></chassis>
<suspension><axle><ride_frequency>1.6</ride_frequency></axle></suspension>
<controller class="front_steer_pid"><KP>3000</KP><max_torque>2500</max_torque></controller></dynamics>
<friction class="default"><mu>1</mu></friction></vehicle></mvsim_world>"""


@pytest.mark.parametrize(("height", "tips"), [(0.5, False), (1.3, True)])
def test_a_vehicle_that_tips_over_ends_its_episode(tmp_path, height, tips):
    world = tmp_path / "van.world.xml"
    world.write_text(VAN.format(height=height))
    task = envs.follow(
        skidpad.Path([[0, 0], [500, 0]]),
        world=str(world),
        action=envs.SpeedSteering(15.0, 0.35),
        start=envs.Poses([(0.0, 0.0, 0.0)], speed=15.0),
        reward=(envs.Constant(0.0),),
        ends=(envs.OnOverturn(),),
    )
    _, results = drive(task, [[1, 1]] * 120)
    assert any(bool(ended[0]) for _, ended, _ in results) == tips
