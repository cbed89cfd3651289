"""The plugin for pytest, each time in a pytest of its own."""

import json
import subprocess
import sys

# It is there before each session, as a process cannot load it twice.
import numpy  # noqa: F401
import pytest

pytest_plugins = ["pytester"]

# It holds with the shorter duration.
LANE = """
world: twist_ideal
vehicle: robot
controller: none
seeds: 2
vary: {duration: [0.2, 0.4]}
events: [{name: go, at: 0, command: {vx: 1}}]
expect: {path_length_m: {at_most: 0.3}}
"""


def run(pytester, *arguments):
    """Runs pytest in this process; its plugins are those that are installed."""
    return pytester.runpytest("-p", "no:cacheprovider", "-p", "no:xdist", *arguments)


def test_runs_of_files_are_tests_and_recordings_of_failures_are_kept(pytester):
    pytester.path.joinpath("lane.scenario.yaml").write_text(LANE)
    pytester.path.joinpath("other.yaml").write_text("nothing: 1")
    listed = run(pytester, "--collect-only", "-q")
    names = [f"lane.scenario.yaml::lane[duration={d},seed={seed}]" for d in (0.2, 0.4) for seed in (0, 1)]
    assert [line for line in listed.outlines if "::" in line] == names
    result = run(pytester, "--skidpad-out", "kept", "--junitxml", "junit.xml", names[1], names[3])
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines([
        "*lane[[]duration=0.4,seed=1]: failed",
        "*path_length_m of robot: 0.3* m; expected at most 0.3 m",
        "*again: skidpad test lane.scenario.yaml --only=lane[[]duration=0.4,seed=1]",
        "*recording: skidpad replay *kept/*.mcap*",
        "scenarios: *kept/results.html",
    ])
    assert len(list(pytester.path.glob("kept/*/*.mcap"))) == 1 and (pytester.path / "kept/results.html").is_file()
    runs = json.loads((pytester.path / "kept/results.json").read_text())["runs"]
    assert [run["success"] for run in runs] == [True, False]
    assert runs[0]["bits"] in (pytester.path / "junit.xml").read_text()


def test_mistakes_of_files_are_errors_of_the_collection(pytester):
    pytester.path.joinpath("a.yaml").write_text("worlds: a\nexpect: {speed: {at_most: 1}}\n")
    result = run(pytester, "-o", "skidpad_scenarios=a.y*ml")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(['a.yaml:1:1: unknown key "worlds"', "*did you mean*"])


def test_fixtures_run_scenarios_beside_the_test(pytester):
    pytester.path.joinpath("tests").mkdir()
    pytester.path.joinpath("tests/lane.yaml").write_text(LANE)
    pytester.path.joinpath("tests/test_lane.py").write_text(
        "def test_holds(run_scenario):\n"
        "    result = run_scenario('lane.yaml', seed=0, only='*=0.2*')\n"
        "    assert result.passed and len(result.bits) == 64\n"
        "def test_fails(run_scenarios):\n"
        "    run_scenarios('lane.yaml', {'timeout': 60}, seed=0)\n"
        "def test_several(run_scenario):\n"
        "    run_scenario('lane.yaml')\n"
    )
    result = run(pytester, "--basetemp", "temporary")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines([
        "E*AssertionError: lane[[]duration=0.4]: failed",
        "E*path_length_m of robot: *",
        f"E*recording: skidpad replay {pytester.path}/temporary/test_fails0/lane_duration=0.4.mcap",
        "E*again: pytest tests/test_lane.py::test_fails",
        "*notes of lane[[]duration=0.4]*",
        "E*ScenarioError: *found 4 runs: *",
    ])
    assert not any("plugin.py" in line for line in result.outlines)


def test_worlds_are_closed_and_their_seeds_follow_from_the_test(pytester, robot):
    pytester.makepyfile(
        f"import zlib\nROBOT = {robot!r}\n"
        "loaded = []\n"
        "def test_a(world):\n"
        "    loaded.extend([world('twist_ideal'), world(ROBOT, set={'mass': 30}), world(ROBOT, seed=3)])\n"
        "    loaded[1].step(3)\n"
        "    assert loaded[0].seed == loaded[1].seed == zlib.crc32(__file__.split('/')[-1].encode() + b'::test_a') and loaded[2].seed == 3\n"
        "def test_b(world):\n"
        "    assert world(ROBOT).seed != loaded[0].seed\n"
    )
    run(pytester).assert_outcomes(passed=2)


def test_processes_of_xdist_share_the_runs_and_their_reports(pytester):
    pytest.importorskip("xdist")
    pytester.path.joinpath("lane.scenario.yaml").write_text(LANE)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-n", "2", "--skidpad-out", "kept")
    result.assert_outcomes(passed=2, failed=2)
    runs = json.loads((pytester.path / "kept/results.json").read_text())["runs"]
    assert [run["success"] for run in runs] == [True, True, False, False]


def test_a_session_without_scenarios_does_not_import_numpy(pytester):
    pytester.makepyfile("import sys\ndef test_a():\n    assert 'skidpad.testing.plugin' in sys.modules and 'numpy' not in sys.modules\n")
    program = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:pytester"]
    assert "1 passed" in subprocess.run(program, cwd=pytester.path, capture_output=True, text=True, timeout=60).stdout


def test_the_example_passes(pytester):
    outcomes = run(pytester, "--pyargs", "skidpad.examples.scenario_tests").parseoutcomes()
    # One of them needs hypothesis.
    assert outcomes["passed"] + outcomes.get("skipped", 0) == 6 and outcomes["passed"] >= 5 and not outcomes.get("failed")
