"""The environments by Gymnasium's own checker, and what it does not check."""

import warnings

import gymnasium
import numpy as np
import pytest
import skidpad
import skidpad.envs
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

IDS = [f"skidpad/{name}-v0" for name in skidpad.envs.TASKS]


@pytest.mark.parametrize("name", IDS)
def test_gymnasiums_checker(name):
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*WARN.*")
        # Speeds have no limit.
        warnings.filterwarnings("ignore", message=".*Box observation space (min|max)imum.*")
        check_env(gymnasium.make(name, render_mode="rgb_array").unwrapped)


@pytest.mark.parametrize("name", IDS)
def test_an_episode_repeats_with_its_seed(name):
    def episode(env, seed):
        observations = [env.reset(seed=seed)[0]]
        generator = np.random.default_rng(0)
        for _ in range(20):
            observation, reward, terminated, truncated, _ = env.step(generator.uniform(-1, 1, 2).astype(np.float32))
            observations.append(np.append(observation, reward))
            if terminated or truncated:
                break
        return np.concatenate(observations)

    first_env, second_env = gymnasium.make(name), gymnasium.make(name)
    first = episode(first_env, 3)
    assert np.array_equal(first, episode(second_env, 3)) and np.array_equal(first, episode(first_env, 3))
    assert not np.array_equal(first, episode(first_env, 4))


@pytest.mark.parametrize("name", IDS)
def test_a_vector_environment_has_the_episodes_of_single_ones(name):
    count = 3
    vector = gymnasium.make_vec(name, num_envs=count, autoreset_mode=AutoresetMode.DISABLED)
    assert isinstance(vector.unwrapped, skidpad.envs.SkidpadVectorEnv)
    singles = [gymnasium.make(name) for _ in range(count)]
    together = vector.reset(seed=5)[0]
    alone = np.array([env.reset(seed=5 + index)[0] for index, env in enumerate(singles)])
    assert np.array_equal(together, alone)
    generator = np.random.default_rng(1)
    for _ in range(12):
        actions = generator.uniform(-1, 1, (count, 2)).astype(np.float32)
        observation, reward, terminated, truncated, _ = vector.step(actions)
        results = [env.step(action) for env, action in zip(singles, actions, strict=True)]
        assert np.array_equal(observation, np.array([result[0] for result in results]))
        assert np.array_equal(reward, [result[1] for result in results])
        assert np.array_equal(terminated, [result[2] for result in results])
        if (terminated | truncated).any():
            break


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("name", IDS)
def test_a_vector_environment_has_the_episodes_of_single_ones_after_autoresets(name, mode):
    options = {"time_limit": 0.6, "randomize": {"friction": (0.2, 0.9)}, "randomize_every": 2} if "Drift" in name else {"time_limit": 0.6}
    vector = gymnasium.make_vec(name, num_envs=3, autoreset_mode=mode, **options)
    singles = SyncVectorEnv([lambda: gymnasium.make(name, **options)] * 3, autoreset_mode=mode)
    assert np.array_equal(vector.reset(seed=5)[0], singles.reset(seed=5)[0])
    generator, ends, ended = np.random.default_rng(1), np.zeros(3), np.zeros(3, np.bool_)
    for _ in range(60):
        actions = generator.uniform(-1, 1, (3, 2)).astype(np.float32)
        if mode is AutoresetMode.NEXT_STEP:
            # The action of a step that is a reset plays no part.
            actions[ended] = np.nan
        together, alone = vector.step(actions), singles.step(actions)
        assert all(np.array_equal(in_group, single) for in_group, single in zip(together[:4], alone[:4], strict=True))
        ended = together[2] | together[3]
        ends += ended
    assert (ends >= 3).all()


@pytest.mark.parametrize("name", IDS)
def test_without_a_seed_every_environment_has_episodes_of_its_own(name):
    # Noise, starts and goals: of two environments, of those of a vector, and of two resets.
    first, second = (gymnasium.make(name).reset()[0] for _ in range(2))
    assert not np.array_equal(first, second)
    env = gymnasium.make_vec(name, num_envs=3)
    first, second = env.reset()[0], env.reset()[0]
    assert len(np.unique(np.concatenate([first, second]), axis=0)) == 6
    assert not np.array_equal(gymnasium.make_vec(name, num_envs=3).reset()[0], first)


def test_seeds_of_a_vector_environment():
    env = gymnasium.make_vec("skidpad/Race-v0", num_envs=3, beams=12, autoreset_mode=AutoresetMode.DISABLED)
    first, second = env.reset(seed=[4, None, 6])[0], env.reset(seed=[4, None, 6])[0]
    assert [bool(np.array_equal(*pair)) for pair in zip(first, second, strict=True)] == [True, False, True]
    assert np.array_equal(env.reset(seed=4)[0][[0, 2]], first[[0, 2]])
    # A seed is for those that are reset.
    again = env.reset(seed=4, options={"reset_mask": np.array([False, False, True])})[0]
    assert np.array_equal(again[2], first[2])
    with pytest.raises(skidpad.CommandError, match="seed: found 2 seeds\n  accepted: a number, or 3 of them"):
        env.reset(seed=[1, 2])


def crash(count, mode):
    """Race cars that drive into a wall, until the first has hit it."""
    env = gymnasium.make_vec("skidpad/Race-v0", num_envs=count, autoreset_mode=mode, beams=12)
    env.reset(seed=0)
    actions = np.ones((count, 2), np.float32)
    for _ in range(200):
        result = env.step(actions)
        if result[2].any():
            return env, actions, result
    raise AssertionError("no car has hit a wall")


def test_next_step_autoreset():
    env, actions, (before, reward, terminated, _, info) = crash(4, AutoresetMode.NEXT_STEP)
    first = int(np.argmax(terminated))
    assert reward[first] < -5 and info == {}
    observation, reward, terminated, truncated, _ = env.step(actions)
    assert reward[first] == 0.0 and not terminated[first] and not truncated[first]
    drivers = env.unwrapped.episodes.drivers
    assert drivers.steps[first] == 0 and drivers.collided[first] == 0 and not np.array_equal(observation[first], before[first])
    assert drivers.steps[terminated.argmin()] >= 0
    env.step(actions)
    assert drivers.steps[first] == 1


def test_same_step_autoreset():
    env, _, (observation, reward, terminated, _, info) = crash(4, AutoresetMode.SAME_STEP)
    first = int(np.argmax(terminated))
    assert info["_final_obs"][first] and info["final_obs"][first].shape == observation[first].shape
    assert not np.array_equal(info["final_obs"][first], observation[first])
    assert env.unwrapped.episodes.drivers.steps[first] == 0 and reward[first] < -5


def test_without_autoreset_an_ended_episode_has_to_be_reset():
    env, actions, (_, _, terminated, truncated, _) = crash(4, AutoresetMode.DISABLED)
    with pytest.raises(ValueError, match='has ended\n  hint: call reset\\(options={"reset_mask"'):
        env.step(actions)
    steps = env.unwrapped.episodes.drivers.steps[~terminated].copy()
    env.reset(options={"reset_mask": terminated | truncated})
    assert (env.unwrapped.episodes.drivers.steps[~terminated] == steps).all()
    env.step(actions)
    with pytest.raises(ValueError, match="reset_mask: found shape"):
        env.reset(options={"reset_mask": [1, 0]})


def test_time_limits_truncate():
    env = gymnasium.make("skidpad/Follow-v0", time_limit=0.25, ends=())
    env.reset(seed=0)
    ended = [env.step(np.zeros(2, np.float32))[2:4] for _ in range(5)]
    assert ended == [(False, False)] * 4 + [(False, True)]


def test_async_vector_environments_work():
    env = AsyncVectorEnv([lambda: gymnasium.make("skidpad/Follow-v0")] * 2)
    try:
        env.reset(seed=1)
        observation, *_ = env.step(np.zeros((2, 2), np.float32))
        assert observation.shape[0] == 2
    finally:
        env.close()


def test_bad_actions():
    env = gymnasium.make("skidpad/Race-v0", beams=12).unwrapped
    env.reset(seed=0)
    with pytest.raises(skidpad.CommandError, match="action: world 0: command to .* holds a number that is not finite\n.*\n  hint: actions are numbers from -1 to 1"):
        env.step(np.array([np.nan, 0], np.float32))
    with pytest.raises(skidpad.CommandError, match=r"action: found shape \[1, 3\]\n  accepted: \[1, 2\]"):
        env.step(np.zeros(3, np.float32))
    env.step(np.zeros(2, np.float32))
    vector = gymnasium.make_vec("skidpad/Race-v0", num_envs=3, beams=12)
    vector.reset(seed=0)
    with pytest.raises(skidpad.CommandError, match=r"action: found shape \[2, 2\]\n  accepted: \[3, 2\]"):
        vector.step(np.zeros((2, 2), np.float32))
    with pytest.raises(ValueError, match='render_mode: found "x"'):
        skidpad.envs.SkidpadEnv(skidpad.envs.race(), render_mode="x")


def test_bad_tasks():
    race = skidpad.envs.race
    for task, text in (
        (race(period=0.015), "period: found 0.015 s\n  accepted: a multiple of the timestep of the world, 0.01 s"),
        (race().but(vehicle="r9"), 'vehicle "r9": not found'),
        (race().but(observation=(skidpad.envs.Scan(beams=500),)), "Scan: found beams=500\n  accepted: 1 to 108"),
        (skidpad.envs.follow().but(observation=(skidpad.envs.Scan(),)), 'Scan: vehicle "racecar" has no planar lidar'),
        (skidpad.envs.push().but(observation=(skidpad.envs.BlockPose("tree"),)), "block tree: not found"),
        (race().but(path=None), "OnPath: the task has no path"),
    ):
        with pytest.raises(skidpad.CommandError) as error:
            skidpad.envs.SkidpadEnv(task)
        assert str(error.value).startswith(text), str(error.value)
    with pytest.raises(skidpad.CommandError, match="track monza: not found\n  accepted: racetrack, "):
        race("monza")


def test_variables_are_drawn_for_every_episode():
    start = skidpad.envs.Poses([(2.0, 0.0, 1.57)], speed=1.5)
    task = skidpad.envs.drift().but(randomize={"friction": (0.2, 0.9)}, time_limit=0.2, start=start)
    env = skidpad.envs.SkidpadVectorEnv(task, 4, autoreset_mode=AutoresetMode.SAME_STEP)

    def ends(seed):
        env.reset(seed=seed)
        speeds = []
        for _ in range(12):
            env.step(np.tile(np.array([1.0, 1.0], np.float32), (4, 1)))
            speeds.append(env.episodes.drivers.vx.copy())
        return np.array(speeds)

    first = ends(0)
    # Episodes of the same car at the same start differ by the friction alone.
    assert len(np.unique(first[[2, 6, 10]].round(6))) > 6
    assert np.array_equal(first, ends(0))


def test_pictures():
    env = gymnasium.make("skidpad/Push-v0", render_mode="rgb_array")
    env.reset(seed=0)
    assert env.render().shape == (480, 640, 3)
    vector = gymnasium.make_vec("skidpad/Push-v0", num_envs=2, render_mode="rgb_array")
    vector.reset(seed=0)
    assert len(vector.render()) == 2


def test_a_page_shows_an_environment(capsys):
    env = gymnasium.make("skidpad/Follow-v0", render_mode="human")
    env.reset(seed=0)
    env.step(np.zeros(2, np.float32))
    assert capsys.readouterr().out.startswith("viewer: http://127.0.0.1:")
    env.close()
