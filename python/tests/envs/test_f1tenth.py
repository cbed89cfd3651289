"""The interface of f1tenth_gym, driven by a planner that knows nothing else."""

import subprocess
import sys

import numpy as np
import pytest
import skidpad
import skidpad.f1tenth
from skidpad.envs import track

KEYS = {
    "ego_idx", "scans", "poses_x", "poses_y", "poses_theta", "linear_vels_x", "linear_vels_y", "ang_vels_z", "collisions", "lap_times", "lap_counts",
}  # fmt: skip


def follow_the_gap(scan, field_of_view=4.7):
    """Steers to the farthest beam ahead, slower in curves."""
    angles = np.linspace(-field_of_view / 2, field_of_view / 2, len(scan))
    ahead = np.abs(angles) < 1.2
    smooth = np.convolve(np.minimum(scan, 8.0), np.ones(81) / 81, "same")[ahead]
    angle = angles[ahead][np.argmax(smooth)]
    return np.clip(0.6 * angle, -0.4, 0.4), 2.5 if abs(angle) < 0.3 else 1.5


def pursue(path, x, y, yaw, ahead=0.9):
    point = path.at(path.project(x, y)["s"] + ahead)
    bearing = np.arctan2(point["y"] - y, point["x"] - x) - yaw
    return float(np.arctan(2 * 0.3302 * np.sin(bearing) / ahead))


def open_map(folder):
    """Free ground of 100 m x 100 m, with a wall along one edge."""
    (folder / "field.pgm").write_bytes(b"P5\n200 200\n255\n" + b"\x00" * 200 + b"\xfe" * (199 * 200))
    (folder / "field.yaml").write_text("image: field.pgm\nresolution: 0.5\norigin: [-50, -50, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n")
    return str(folder / "field")


def test_a_lap_is_driven_and_counted():
    _, path = track("racetrack")
    env = skidpad.f1tenth.make(map="racetrack", num_agents=1, timestep=0.01)
    start = path.at(0.0)
    obs, reward, done, info = env.reset(np.array([[start["x"], start["y"], start["heading"]]]))
    assert set(obs) == KEYS and reward == 0.01 and not done and not info["checkpoint_done"].any()
    assert len(obs["scans"]) == 1 and obs["scans"][0].shape == (1080,) and obs["collisions"].shape == (1,)
    steps = 0
    while not done and steps < 6000:
        steer = pursue(path, obs["poses_x"][0], obs["poses_y"][0], obs["poses_theta"][0])
        obs, reward, done, info = env.step(np.array([[steer, 3.0]]))
        steps += 1
    # Two laps end the episode, as there.
    assert done and obs["collisions"][0] == 0 and obs["lap_counts"][0] == 2
    assert obs["lap_times"][0] == pytest.approx(2 * path.length / 3.0, rel=0.06)
    assert obs["linear_vels_x"][0] == pytest.approx(3.0, abs=0.2)


def test_a_crash_of_the_ego_ends_the_episode():
    env = skidpad.f1tenth.make(map="racetrack", num_agents=2)
    obs, _, done, _ = env.reset(np.array([[-2.0, -4.6, 0.0], [1.0, -4.6, 0.0]]))
    assert len(obs["scans"]) == 2 and min(obs["scans"][0][480:600]) < 3.2
    for _ in range(2000):
        obs, _, done, _ = env.step(np.array([[0.0, 4.0], [0.0, 0.0]]))
        if done:
            break
    assert done and obs["collisions"][0] == 1 and obs["poses_x"][0] < 1.0


def test_a_program_written_for_f1tenth_gym_runs_unchanged(tmp_path):
    # It imports gym and f110_gym, neither of which is installed.
    program = tmp_path / "planner.py"
    program.write_text(
        "import gym\nimport numpy as np\nfrom f110_gym.envs.base_classes import Integrator\n"
        f"env = gym.make('f110_gym:f110-v0', map={str(skidpad.WORLDS / 'maps' / 'racetrack')!r}, map_ext='.png', num_agents=1, timestep=0.01, integrator=Integrator.RK4)\n"
        "env.add_render_callback(lambda renderer: None)\n"
        "obs, step_reward, done, info = env.reset(np.array([[-2.0, -4.6, 0.0]]))\n"
        "laptime = 0.0\n"
        "while laptime < 2.0:\n"
        "    obs, step_reward, done, info = env.step(np.array([[0.0, 2.0]]))\n"
        "    laptime += step_reward\n"
        "print(round(obs['poses_x'][0], 1))\n"
    )
    code = f"import runpy, skidpad.f1tenth; skidpad.f1tenth.install(); runpy.run_path({str(program)!r}, run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert 1.2 < float(done.stdout) < 2.1


def test_a_reset_to_a_pose_repeats_everything_from_there():
    env = skidpad.f1tenth.make(map="racetrack", num_agents=2)
    poses, actions = np.array([[-2.0, -4.6, 0.0], [1.0, -4.4, 0.1]]), np.array([[0.1, 2.0], [0.0, 1.0]])

    def episode():
        seen = [env.reset(poses)[0]] + [env.step(actions)[0] for _ in range(20)]
        return np.array([[*np.concatenate(observation["scans"]), *observation["poses_x"], *observation["poses_theta"], *observation["linear_vels_x"]] for observation in seen])

    first = episode()
    # The noise is that of the first time, too, as there; another seed has another.
    assert np.array_equal(first, episode())
    assert not np.array_equal(first, first[:, ::-1]) and np.abs(first[0, :1080] - first[1, :1080]).max() > 0.01
    env = skidpad.f1tenth.make(map="racetrack", num_agents=2, seed=1)
    assert not np.array_equal(first[0, :1080], episode()[0, :1080])


def test_yaw_is_from_0_to_2_pi_all_around(tmp_path):
    env = skidpad.f1tenth.make(map=open_map(tmp_path), map_ext=".pgm", num_agents=1)
    for start, turn in ((-0.3, 0.4), (7.0, 0.4), (0.1, -0.4), (-np.pi, -0.4)):
        yaws = [env.reset(np.array([[-2.0, -4.6, start]]))[0]["poses_theta"][0]]
        for _ in range(700):
            obs, *_ = env.step(np.array([[turn, 1.0]]))
            yaws.append(obs["poses_theta"][0])
        yaws = np.array(yaws)
        assert obs["collisions"][0] == 0 and yaws[0] == pytest.approx(start % (2 * np.pi)) and ((yaws >= 0) & (yaws <= 2 * np.pi)).all()
        # More than a turn in the same direction, with one jump.
        steps = np.diff(yaws)
        assert (np.sign(steps[np.abs(steps) < 1][5:]) == np.sign(turn)).all() and (np.abs(steps) > 6).sum() >= 1
        assert env.poses_theta[0] == yaws[-1] == env.sim.agents[0].state[4] == env.sim.agent_poses[0, 2]


def test_where_nothing_is_near_a_scan_has_the_largest_range(tmp_path):
    env = skidpad.f1tenth.make(map=open_map(tmp_path), map_ext=".pgm", num_agents=1)
    obs = env.reset(np.array([[0.0, 40.0, np.pi / 2]]))[0]
    scan = obs["scans"][0]
    assert scan[540] == pytest.approx(9.5, abs=0.06) and (scan[[0, -1]] == 30.0).all() and np.isfinite(scan).all()
    assert all(np.all((space.low <= obs[key]) & (obs[key] <= space.high)) for key, space in env.observation_space.items() if key != "ego_idx") and scan.dtype == np.float64


def test_the_cars_of_the_simulator(tmp_path):
    env = skidpad.f1tenth.make(map=open_map(tmp_path), map_ext=".pgm", num_agents=2)
    assert env.params == skidpad.f1tenth.PARAMETERS and env.unwrapped is env and env.renderer is None and env.map_name.endswith("field")
    assert env.action_space.shape == (2, 2) and np.allclose(env.action_space.low, [[-0.4189, -5.0]] * 2) and np.allclose(env.action_space.high, [[0.4189, 20.0]] * 2)
    sim, (ego, other) = env.sim, env.sim.agents
    assert (sim.num_agents, sim.seed, sim.time_step, sim.ego_idx, ego.is_ego, other.is_ego) == (2, 12345, 0.01, 0, True, False)
    assert (ego.num_beams, ego.fov, ego.scan_simulator.max_range, ego.scan_angles[0]) == (1080, 4.7, 30.0, -2.35)
    env.reset(np.array([[0.0, 0.0, 0.5], [5.0, 0.0, 0.0]]))
    for _ in range(150):
        obs, *_ = env.step(np.array([[0.1, 4.0], [0.0, 0.0]]))
    x, y, steer, speed, yaw, yaw_rate, slip = ego.state
    assert (x, y, speed, yaw, yaw_rate) == (obs["poses_x"][0], obs["poses_y"][0], obs["linear_vels_x"][0], obs["poses_theta"][0], obs["ang_vels_z"][0])
    # A steady turn: the yaw rate of a single track, and a sideslip angle between that of a stiff car and its negative.
    assert steer == pytest.approx(0.1, abs=1e-3) and speed == pytest.approx(4.0, abs=0.1) and yaw_rate == pytest.approx(4.0 / 0.3302 * np.tan(0.1), rel=0.15)
    assert abs(slip) < 0.06 and np.allclose(ego.opp_poses, [[5.0, 0.0, other.state[4]]], atol=0.01)
    # The velocity of the centre of mass is where it goes.
    before, direction = ego.state[:2].copy(), ego.state[4] + ego.state[6]
    env.step(np.array([[0.1, 4.0], [0.0, 0.0]]))
    gone = ego.state[:2] - before
    assert np.arctan2(gone[1], gone[0]) == pytest.approx((direction + np.pi) % (2 * np.pi) - np.pi, abs=0.02)
    assert np.hypot(*gone) == pytest.approx(0.04, abs=0.002)


def test_programs_may_change_states_and_put_single_cars_back(tmp_path):
    env = skidpad.f1tenth.make(map=open_map(tmp_path), map_ext=".pgm", num_agents=2)
    env.reset(np.array([[0.0, 0.0, 0.0], [5.0, 0.0, 0.0]]))
    ego, other = env.sim.agents
    ego.state[3] = 3.0
    ego.state[1] = 2.0
    obs, *_ = env.step(np.array([[0.0, 3.0], [0.0, 0.0]]))
    assert obs["linear_vels_x"][0] == pytest.approx(3.0, abs=0.1) and obs["poses_x"][0] == pytest.approx(0.03, abs=0.005) and obs["poses_y"][0] == pytest.approx(2.0)
    other.reset([7.0, 1.0, -1.0])
    obs, *_ = env.step(np.array([[0.0, 3.0], [0.0, 0.0]]))
    assert np.allclose([obs[f"poses_{axis}"][1] for axis in ("x", "y", "theta")], [7.0, 1.0, 2 * np.pi - 1.0], atol=0.01)
    ego.state[2] = 0.2
    with pytest.raises(skidpad.CommandError, match="state of car 0: found another steering angle, 0.2 rad\n  accepted: the present one"):
        env.step(np.zeros((2, 2)))


def test_scans_of_the_map_from_any_pose(tmp_path):
    env = skidpad.f1tenth.make(map=open_map(tmp_path), map_ext=".pgm", num_agents=1)
    lidar = env.sim.agents[0].scan_simulator
    assert (lidar.map_height, lidar.map_width, lidar.map_resolution, lidar.origin) == (200, 200, 0.5, [-50.0, -50.0, 0.0])
    assert lidar.map_img.shape == (200, 200) and (lidar.map_img == 0).sum() == 200 and lidar.get_increment() == pytest.approx(4.7 / 1079)
    scan = lidar.scan(np.array([3.0, 45.0, np.pi / 2]), None)
    straight = 4.5 / np.cos(env.sim.agents[0].scan_angles)
    assert np.allclose(scan[300:780], straight[300:780], atol=1e-4) and (scan[[0, -1]] == 30.0).all()
    noisy = lidar.scan(np.array([3.0, 45.0, np.pi / 2]), np.random.default_rng(0), std_dev=0.02)
    assert np.std(noisy - scan) == pytest.approx(0.02, rel=0.1)


def test_wrappers_for_learning_written_for_gym(tmp_path):
    # What public programs do: a wrapper with spaces of its own, one for rewards around it, an environment with the simulator inside, and one derived from F110Env.
    program = tmp_path / "train.py"
    program.write_text(
        "import gym\nimport numpy as np\nfrom gym import spaces\nfrom gym.spaces import Box\nfrom gym.utils import seeding\nfrom gym.envs.registration import register\n"
        "from f110_gym.envs import F110Env\nfrom f110_gym.envs.base_classes import Integrator, RaceCar, Simulator\nfrom f110_gym.envs.laser_models import ScanSimulator2D\n"
        "class Wrapped(gym.Wrapper):\n"
        "    def __init__(self, env):\n"
        "        super().__init__(env)\n"
        "        self.action_space = spaces.Box(low=-1.0, high=1.0, shape=(2,), dtype=np.float32)\n"
        "        self.observation_space = Box(0.0, 1.0, (1080,), np.float32)\n"
        "        self.s_max, self.v_max = self.env.params['s_max'], self.env.params['v_max']\n"
        "    def step(self, action):\n"
        "        obs, reward, done, info = self.env.step(np.array([[action[0] * self.s_max, 1 + action[1]]]))\n"
        "        return np.float32(obs['scans'][0] / 30), reward, bool(done), info\n"
        "    def reset(self, start_xy=(-2.0, -4.6), direction=0.0):\n"
        "        obs, *_ = self.env.reset(np.array([[*start_xy, direction]]))\n"
        "        return np.float32(obs['scans'][0] / 30)\n"
        "    def seed(self, seed):\n"
        "        self.chosen = seed\n"
        "class Slower(gym.RewardWrapper):\n"
        "    def reward(self, reward):\n"
        "        return 2 * reward\n"
        "class Own(F110Env):\n"
        "    def __init__(self, **kwargs):\n"
        "        super().__init__(**kwargs)\n"
        "        self.beams = self.sim.agents[0].scan_simulator.num_beams\n"
        f"track = {str(skidpad.WORLDS / 'maps' / 'racetrack')!r}\n"
        "inner = gym.make('f110_gym:f110-v0', map=track, map_ext='.png', num_agents=1, timestep=0.01, integrator=Integrator.RK4)\n"
        "env = Slower(Wrapped(inner))\n"
        "env.seed(3)\n"
        "assert env.chosen == 3 and inner.seed == 12345 and isinstance(inner, gym.Env) and isinstance(env, gym.core.Wrapper) and env.unwrapped is inner\n"
        "assert env.num_agents == 1 and env.timestep == 0.01 and env.observation_space.contains(env.reset())\n"
        "obs, reward, done, info = env.step(env.action_space.sample())\n"
        "assert env.observation_space.contains(obs) and reward == 0.02 and not done and inner.current_time > 0\n"
        "register(id='own-v0', entry_point=Own, kwargs={'map': track, 'num_agents': 1})\n"
        "own = gym.make('own-v0', timestep=0.02)\n"
        "assert own.beams == 1080 and own.timestep == 0.02 and own.reset(np.zeros((1, 3)))[1] == 0.02\n"
        "try:\n"
        "    from f110_gym.envs.dynamic_models import pid\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    code = f"import runpy, skidpad.f1tenth; skidpad.f1tenth.install(); runpy.run_path({str(program)!r}, run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("f110_gym.envs.dynamic_models: pid is not part of skidpad.f1tenth\n  accepted: ") and "hint: the cars are skidpad's" in done.stdout


def test_what_is_ignored_is_said(tmp_path):
    with pytest.warns(UserWarning, match="integrator: found Euler; skidpad has one integrator"):
        env = skidpad.f1tenth.make(num_agents=1, integrator=skidpad.f1tenth.Integrator.Euler)
    with pytest.warns(UserWarning, match="add_render_callback: callbacks are not called"):
        env.add_render_callback(lambda renderer: None)
    name = open_map(tmp_path)
    (tmp_path / "field.png").write_bytes((skidpad.WORLDS / "maps" / "racetrack.png").read_bytes())
    with pytest.raises(skidpad.CommandError, match=r"map_ext: found .png, but .*field.yaml names the image field.pgm"):
        skidpad.f1tenth.make(map=name, map_ext=".png", num_agents=1)


def test_bad_input():
    env = skidpad.f1tenth.make(map="racetrack", num_agents=1)
    with pytest.raises(skidpad.CommandError, match=r"poses: found shape \(2, 3\)\n  accepted: \(1, 3\)"):
        env.reset(np.zeros((2, 3)))
    env.reset(np.array([[-2.0, -4.6, 0.0]]))
    with pytest.raises(skidpad.CommandError, match=r"action: found shape \(2,\)"):
        env.step(np.zeros(2))
    with pytest.raises(skidpad.CommandError, match="not finite"):
        env.step(np.array([[np.nan, 1.0]]))
    with pytest.raises(skidpad.CommandError, match="params: found m=5.0"):
        skidpad.f1tenth.make(params={"m": 5.0})
    with pytest.raises(skidpad.CommandError, match="map nowhere: there is no nowhere.yaml"):
        skidpad.f1tenth.make(map="nowhere")
