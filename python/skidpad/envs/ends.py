"""Reasons for an episode to terminate. The compiled module looks for them: `spec` names them there."""

from __future__ import annotations

import math


class OnCollision:
    """The vehicle has touched something in the last step."""

    spec = ("collision",)


class OnOverturn:
    """The vehicle has tipped over and lies on its side or roof; `<suspension>` lets vehicles do so."""

    spec = ("overturned",)


class OffPath:
    """The vehicle's reference point is farther from the path than the path is wide, or than `farthest` [m]."""

    def __init__(self, farthest: float = math.inf) -> None:
        self.spec = ("off_path", farthest)


class Backwards:
    """The vehicle heads against the path."""

    spec = ("backwards",)


class AtGoal:
    """What shall get to the goal is within `radius` [m] of it."""

    def __init__(self, radius: float = 0.25) -> None:
        self.spec = ("at_goal", radius)
