"""The matrix of experiments as a sweep."""

import json

import skidpad
from skidpad.examples.matrix import design
from skidpad.sweep.tracking import program


def test_the_matrix_has_the_numbers_of_the_command(tmp_path):
    done = skidpad.sweep(None, design(), experiment=skidpad.sweep.tracking_experiment(10.0), out=tmp_path / "out", progress=False)
    assert (done.made, done.failed) == (40, 0)
    status, text, errors = program(["experiment", "--matrix", "--duration", "10", "--json"], tmp_path)
    assert status == 0, errors
    cells = {(cell["section"], *cell["run"].split(", ")): cell for cell in json.loads(text)["result"]["runs"]}
    rows = {(row["trajectory.trajectory_type"], row["plant"], row["tyre"]): row for row in done.read().to_pylist()}
    assert rows.keys() == cells.keys()
    for name, cell in cells.items():
        assert {key: rows[name][key] for key in cell if isinstance(cell[key], float)} == {
            key: value for key, value in cell.items() if isinstance(value, float)
        }, name


def test_an_experiment_with_errors_says_so(tmp_path):
    done = skidpad.sweep(
        None, [{"plant": "boat"}], experiment=skidpad.sweep.tracking_experiment(1.0), out=tmp_path / "out", processes=1, retries=0, progress=False
    )
    assert done.failed == 1 and "boat" in done.read()["error"][0].as_py()
