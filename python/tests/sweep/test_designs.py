"""Designs of experiments."""

import itertools

import numpy as np
import pytest
import skidpad
from skidpad.sweep import SweepError


def test_a_grid_has_all_combinations_with_the_last_name_fastest():
    design = skidpad.grid({"mass": [3, 4], "law": ["linear", "fiala", "pacejka"]})
    assert len(design) == 6 and len(list(design)) == 6
    assert list(design)[:2] == [{"mass": 3, "law": "linear"}, {"mass": 3, "law": "fiala"}]
    assert len({tuple(run.values()) for run in design}) == 6


def test_a_latin_hypercube_has_one_sample_in_each_slice():
    design = skidpad.latin_hypercube({"mass": (3.0, 5.0), "mu": (0.2, 1.0)}, 40, seed=3)
    runs = list(design)
    for name, low, high in (("mass", 3.0, 5.0), ("mu", 0.2, 1.0)):
        slices = [int((run[name] - low) / (high - low) * 40) for run in runs]
        assert sorted(slices) == list(range(40))
    assert runs == list(design), "again"
    assert runs != list(skidpad.latin_hypercube({"mass": (3.0, 5.0), "mu": (0.2, 1.0)}, 40, seed=4))
    assert all(type(value) is float for run in runs for value in run.values())


def test_a_design_of_a_million_runs_is_made_one_by_one():
    design = skidpad.grid({"a": np.arange(1000), "b": range(1000)})
    assert len(design) == 1_000_000 and len(list(itertools.islice(design, 3))) == 3


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: skidpad.grid({"mass": 3}), "mass: 3 is one value\n  accepted: a list of values\n  hint: [3]"),
        (lambda: skidpad.grid({"mass": []}), "mass: has no values\n  accepted: a list with at least one"),
        (lambda: skidpad.latin_hypercube({"mass": (3, 3)}, 4), "mass: (3, 3)\n  accepted: (low, high) with low < high, both finite"),
        (lambda: skidpad.latin_hypercube({"mass": (3, 4)}, 0), "samples: 0\n  accepted: a positive integer"),
    ],
)
def test_wrong_designs_say_what_is_accepted(make, text):
    with pytest.raises(SweepError) as error:
        make()
    assert str(error.value) == text
