"""Designs of experiments: which values the variables of the runs have. Every run is made when it is asked for, so that a million of them need no memory."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from .errors import SweepError

Variables = dict[str, Any]


class Grid:
    """All combinations of values, the last name fastest."""

    def __init__(self, values: Mapping[str, Sequence[Any]]) -> None:
        self.values = {name: list(values) for name, values in _lists(values)}

    def __len__(self) -> int:
        return math.prod(len(values) for values in self.values.values())

    def __iter__(self) -> Iterator[Variables]:
        for combination in itertools.product(*self.values.values()):
            yield dict(zip(self.values, combination, strict=True))


class LatinHypercube:
    """Samples that are spread evenly over each variable: of `samples` slices of equal width each has one sample.

    M. D. McKay, R. J. Beckman, W. J. Conover, "A Comparison of Three Methods for Selecting Values of Input Variables", Technometrics 21 (1979).
    """

    def __init__(self, ranges: Mapping[str, tuple[float, float]], samples: int, seed: int = 0) -> None:
        self.ranges, self.samples, self.seed = dict(ranges), samples, seed
        if isinstance(samples, bool) or not isinstance(samples, int) or samples < 1:
            raise SweepError(f"samples: {samples!r}\n  accepted: a positive integer")
        for name, limits in self.ranges.items():
            numbers = np.asarray(limits, dtype=float) if np.size(limits) == 2 else np.array([np.nan])
            if not np.all(np.isfinite(numbers)) or numbers[0] >= numbers[1]:
                raise SweepError(f"{name}: {limits!r}\n  accepted: (low, high) with low < high, both finite")

    def __len__(self) -> int:
        return self.samples

    def __iter__(self) -> Iterator[Variables]:
        random = np.random.default_rng(self.seed)
        slices = [random.permutation(self.samples) for _ in self.ranges]
        for row in zip(*slices, strict=True) if slices else [()] * self.samples:
            places = (np.array(row) + random.random(len(row))) / self.samples
            yield {name: float(low + place * (high - low)) for (name, (low, high)), place in zip(self.ranges.items(), places, strict=True)}


def grid(values: Mapping[str, Sequence[Any]]) -> Grid:
    """All combinations of the values of each name: `grid({"mass": [3, 4], "mu": [0.5, 1.0]})` has four."""
    return Grid(values)


def latin_hypercube(ranges: Mapping[str, tuple[float, float]], samples: int, seed: int = 0) -> LatinHypercube:
    """`samples` points between `(low, high)` of each name, spread evenly over each; the same seed gives the same points."""
    return LatinHypercube(ranges, samples, seed)


def design_of(variables: Any) -> Iterable[Variables]:
    """The design that `sweep` was given: a mapping of names to lists is a grid, an iterable of dictionaries is taken as it is."""
    if variables is None:
        return [{}]
    if isinstance(variables, Mapping):
        return Grid(variables)
    if isinstance(variables, str | bytes) or not isinstance(variables, Iterable):
        raise SweepError(
            f"variables: {variables!r}\n  accepted: a dictionary of lists, a design such as skidpad.grid({{…}}), or an iterable of dictionaries"
        )
    return variables


def _lists(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, several in values.items():
        if isinstance(several, str | bytes) or not isinstance(several, Iterable):
            raise SweepError(f"{name}: {several!r} is one value\n  accepted: a list of values\n  hint: [{several!r}]")
        several = list(several)
        if not several:
            raise SweepError(f"{name}: has no values\n  accepted: a list with at least one")
        yield name, several
