"""A small policy: a network with one hidden layer from beams, speed and last action to speed and steering. Nothing but NumPy.

It reads what `skidpad.envs.race` shows, so that the same file drives in the environment and, through ROS, in the node.
"""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import ArrayLike, NDArray

BEAMS = 21
"""Beams that the policy looks at, evenly spread over the lidar's, from the right to the left."""
HIDDEN = 10
MAX_RANGE = 10.0
"""Ranges are limited to this [m], and divided by it."""
SCALE_OF_SPEED = 10.0

INPUTS = BEAMS + 3
SIZE = (INPUTS + 1) * HIDDEN + (HIDDEN + 1) * 2
"""Count of weights."""


def act(weights: NDArray[np.floating], seen: NDArray[np.floating]) -> NDArray[np.float32]:
    """Actions (n, 2), from -1 to 1, of policies with `weights` (n, SIZE) that see (n, INPUTS)."""
    count = (INPUTS + 1) * HIDDEN
    first = weights[:, :count].reshape(-1, HIDDEN, INPUTS + 1)
    second = weights[:, count:].reshape(-1, 2, HIDDEN + 1)
    hidden = np.tanh(np.einsum("nhi,ni->nh", first[:, :, :-1], seen) + first[:, :, -1])
    return np.tanh(np.einsum("noh,nh->no", second[:, :, :-1], hidden) + second[:, :, -1]).astype(np.float32)


class Policy:
    """Weights, and what is needed to use them on a car: the range of its commands."""

    def __init__(self, weights: ArrayLike, fastest: float, slowest: float, most_steering: float) -> None:
        """Speeds [m/s] and the steering angle [rad] at actions of -1 and 1."""
        self.weights = np.asarray(weights, np.float64).reshape(SIZE)
        self.fastest, self.slowest, self.most_steering = fastest, slowest, most_steering
        self._last = np.zeros(2, np.float32)

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes it as `.npz`."""
        np.savez(file, weights=self.weights, fastest=self.fastest, slowest=self.slowest, most_steering=self.most_steering)

    @staticmethod
    def load(file: str | os.PathLike[str]) -> Policy:
        """Reads a saved one. Raises ValueError for other files."""
        try:
            with np.load(file, allow_pickle=False) as saved:
                return Policy(saved["weights"], float(saved["fastest"]), float(saved["slowest"]), float(saved["most_steering"]))
        except (KeyError, ValueError) as error:
            raise ValueError(f"{file}: not a policy: {error}\n  accepted: a file that skidpad.examples.race has written") from error

    def restart(self) -> None:
        """Forgets the last action."""
        self._last[:] = 0.0

    def drive(self, ranges: ArrayLike, speed: float) -> tuple[float, float]:
        """Speed [m/s] and steering angle [rad] for a scan of any number of beams over 4.7 rad, and the present speed [m/s]."""
        scan = np.asarray(ranges, np.float64)
        chosen = scan[np.linspace(0, len(scan) - 1, BEAMS).round().astype(int)]
        seen = np.concatenate([np.clip(np.fmin(chosen, MAX_RANGE), 0.0, None) / MAX_RANGE, [speed / SCALE_OF_SPEED], self._last])
        self._last = act(self.weights[None], seen[None])[0]
        middle, half = 0.5 * (self.fastest + self.slowest), 0.5 * (self.fastest - self.slowest)
        return float(middle + half * self._last[0]), float(self.most_steering * self._last[1])
