"""Several agents on one track, by PettingZoo's own checks."""

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test
from skidpad.envs.parallel import race_parallel_env


def test_pettingzoos_checks():
    parallel_api_test(race_parallel_env(3, beams=12, time_limit=1.0), num_cycles=100)
    parallel_seed_test(lambda: race_parallel_env(2, beams=12, time_limit=1.0))


def test_cars_start_behind_each_other_and_see_each_other():
    env = race_parallel_env(2, beams=1080)
    env.reset(seed=1)
    scans = env.episodes.drivers.scan
    alone = race_parallel_env(1, beams=1080)
    alone.reset(seed=1)
    assert scans.shape == (2, 1080)
    # The second sees the first, 1.5 m ahead of it.
    ahead = scans[1][500:580]
    assert ahead.min() < 1.6


def test_a_car_that_hits_a_wall_is_out_and_the_others_go_on():
    env = race_parallel_env(2, beams=24)
    env.reset(seed=0)
    for _ in range(200):
        actions = {agent: np.array([1.0, 1.0] if agent == "car_0" else [-1.0, 0.0], np.float32) for agent in env.agents}
        _, rewards, terminated, _, _ = env.step(actions)
        if terminated.get("car_0"):
            break
    assert env.agents == ["car_1"] and rewards["car_0"] < -5
    env.step({"car_1": np.zeros(2, np.float32)})
    with pytest.raises(ValueError, match="step: found no action of car_1"):
        env.step({})
    with pytest.raises(ValueError, match="step: found actions of car_9"):
        env.step({"car_9": np.zeros(2)})
    with pytest.raises(ValueError, match="agents: found 0\n  accepted: 1 to 16"):
        race_parallel_env(0)
