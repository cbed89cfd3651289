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
