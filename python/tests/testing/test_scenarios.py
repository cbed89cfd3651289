"""`skidpad.testing` runs scenarios as `skidpad test` does, and tells what is wrong with them."""

import copy
import json
import math
import pathlib
import pickle
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
import skidpad
from skidpad.testing import ScenarioError, run_scenario, run_scenarios, write_csv, write_json, write_junit, write_page
from skidpad.testing.sources import as_text

from test_interrupts import interrupted

WALL = "config/scenarios/wall.yaml"
# A robot that drives for so long.
SHORT = {
    "name": "short",
    "world": "twist_ideal",
    "vehicle": "robot",
    "controller": "none",
    "duration": 0.5,
    "events": [{"at": 0, "command": {"vx": 1.0}}],
    "expect": {"speed": {"at_most": 1.1}},
}


def without_times(result):
    """All that is the same in two runs."""
    fields = json.loads(result.record.json())
    return {name: value for name, value in fields.items() if name not in ("wall_s", "recording")}


def test_a_file_runs_as_the_program_runs_it(tmp_path):
    result = run_scenario(WALL)
    out = tmp_path / "results.json"
    assert skidpad._skidpad.main(["test", WALL, "--out", str(tmp_path), "--keep", "none", "--jobs", "1"]) == 0
    (run,) = json.loads(out.read_text())["runs"]
    assert result.bits == run["bits"] and result.verdict == run["verdict"] == "passed" and result.passed
    assert [criterion.name for criterion in result.criteria] == ["collisions", "clearance", "stands"]
    assert result.measures == {name: value for name, value in run["measures"][0].items() if name != "vehicle"} == result.vehicles["robot"]
    assert result.simulated_s == run["simulated_s"] == 8.0 and result.reasons == () and result.check() is result
    assert result.command == ("test", str(result.file), "--only=wall") and result.file.samefile(pathlib.Path(skidpad.__file__).parent / WALL)
    assert str(result) == "wall: passed" and run_scenario(pathlib.Path(WALL), seed=5).seed == 5


def test_changes_make_another_scenario_and_failures_are_explained(tmp_path):
    changes = {"expect": [{"clearance": {"at_least": 0.9}}], "start": {"at": "pose", "x": -5, "y": 5}, "timeout": None}
    result = run_scenario(WALL, changes, out=tmp_path)
    assert result.verdict == "failed" and not result.passed and result.command == ()
    (unmet,) = result.unmet
    assert unmet.name == "clearance" and unmet.expected == "at least 0.9 m" and 0 < unmet.time_s < 8
    assert result.recording.is_file() and sorted(path.name for path in tmp_path.iterdir()) == ["results.csv", "results.html", "results.json", "wall.mcap"]
    with pytest.raises(AssertionError) as raised:
        result.check()
    text = str(raised.value)
    assert text == str(result) and f"clearance of robot: {unmet.actual} at" in text and f"recording: skidpad replay {result.recording}" in text


def test_all_runs_of_several_scenarios_side_by_side_are_the_same_as_alone(tmp_path):
    many = SHORT | {"seeds": 3, "vary": {"duration": [0.2, 0.4]}}
    together = run_scenarios([SHORT, many], jobs=4)
    assert [result.run for result in together] == ["short", *(f"short[duration={d},seed={s}]" for d in (0.2, 0.4) for s in range(3))]
    assert [without_times(a) for a in run_scenarios([SHORT, many], jobs=1)] == [without_times(b) for b in together]
    (selected,) = run_scenarios(many, only="short[duration=0.2,seed=1]")
    assert selected.bits == together[2].bits and selected.vary == {"duration": "0.2", "seed": "1"}
    repeated = run_scenario(SHORT, repeat=3)
    assert repeated.repetition == 3 and repeated.bits == together[0].bits
    with pytest.raises(ScenarioError, match=r"found 6 runs: short\[duration=0.2,seed=0\], .*\n  accepted: one\n  hint: choose"):
        run_scenario(many)


@pytest.mark.parametrize(
    "scenario, changes, expected",
    [
        (SHORT, {"expect": {"spede": {"at_most": 1}}}, ['short: expect.spede: unknown key "spede"', 'did you mean "speed"?']),
        (SHORT, {"duration": -1, "worlds": 3}, ["short: duration: ", 'short: worlds: unknown key "worlds"']),
        (SHORT, {"events": [{"at": 0, "command": "stop"}, {"at": 1}]}, ["short: events[1]: "]),
        (SHORT, {"world": "nowhere"}, ["nowhere: no such world"]),
        (SHORT, {"duration": object()}, ["duration: found <object", "accepted: numbers, texts, lists, dictionaries"]),
        (WALL, {"expect": None}, ["wall.yaml, changed: nothing must hold"]),
        ("no.yaml", None, ["no.yaml: "]),
    ],
)
def test_mistakes_name_the_key(scenario, changes, expected):
    with pytest.raises(ScenarioError) as error:
        run_scenario(scenario, changes)
    for text in expected:
        assert text in str(error.value)
    assert isinstance(error.value, skidpad.SkidpadError) and error.value.problems


def test_values_of_python_are_those_of_yaml():
    text, places = as_text({"a": 1e-7, "b": [{"c": [], "d": {"e": "no"}}, [1, [np.float64(2.5)]], np.arange(2)], "1 2": {"f": None, "g": math.inf}, "h": True})
    assert text.splitlines() == [
        "a: 1e-07", "b:", "  - c: []", "    d:", '      e: "no"', "  - - 1", "    - - 2.5", "  - - 0", "    - 1", '"1 2":', "  f: null", "  g: .inf", "h: true"
    ]  # fmt: skip
    assert places == ("a", "b", "b[0]", "b[0].d", "b[0].d.e", "b[1]", "b[1][1]", "b[2]", "b[2][1]", "1 2", "1 2.f", "1 2.g", "h")


def test_mistakes_of_all_scenarios_are_told_and_names_are_found():
    with pytest.raises(ScenarioError) as error:
        run_scenarios([SHORT | {"duration": -1}, SHORT | {"seeds": 0}])
    assert len(error.value.problems) == 2
    with pytest.raises(ScenarioError, match='only: no run is called "shrot"'):
        run_scenario(SHORT, only="shrot")
    for options, expected in (({"jobs": 0}, "jobs: found 0"), ({"keep": "few"}, 'keep: found "few"\n  accepted: all, failed, none')):
        with pytest.raises(ScenarioError, match=expected):
            run_scenarios(SHORT, **options)


def test_a_run_that_breaks_says_where():
    broken = run_scenario(SHORT, {"events": [{"at": 0.1, "remove": "nobody"}]})
    assert broken.verdict == "broken" and "nobody" in broken.reasons[0], broken


def test_reports_are_those_of_the_program_and_records_travel(tmp_path):
    results = run_scenarios([SHORT, SHORT | {"name": "fast", "expect": {"speed": {"at_most": 0.5}}}])
    travelled = pickle.loads(pickle.dumps(results))
    assert [copy.deepcopy(result).record.chunk() for result in travelled] == [result.record.chunk() for result in results]
    for name, write in (("junit.xml", write_junit), ("a.json", write_json), ("a.csv", write_csv), ("a.html", write_page)):
        write(travelled, tmp_path / name)
    cases = {case.get("name"): case.find("failure") for case in ElementTree.parse(tmp_path / "junit.xml").iter("testcase")}
    assert cases["short"] is None and cases["fast"].get("message") == results[1].reasons[0]
    assert json.loads((tmp_path / "a.json").read_text())["summary"]["failed"] == 1
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 3 and "fast" in (tmp_path / "a.html").read_text()
    with pytest.raises(ScenarioError, match="both processes need the same version"):
        skidpad._skidpad.ScenarioRecord(b"nothing")


def test_ctrl_c_ends_a_run():
    code = f"from skidpad.testing import run_scenario\ndef call(): run_scenario({SHORT | {'duration': 1e5}!r})\ndef after(): print(skidpad.World('twist_ideal').time)\n"
    assert interrupted(code)[0] == ["interrupted", "0.0"]
