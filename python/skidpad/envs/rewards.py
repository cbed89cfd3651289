"""Parts of rewards, for each step of the environment. A part that rewards a state is multiplied by the period [s], so that a sum over an episode does not depend on it.

The compiled module computes them: `spec` names them there.
"""

from __future__ import annotations


class Progress:
    """`weight` for each metre along the path, negative backwards."""

    def __init__(self, weight: float = 1.0) -> None:
        self.spec = ("progress", weight)


class Collided:
    """`weight` in a step in which the vehicle has touched something: negative, usually."""

    def __init__(self, weight: float = -1.0) -> None:
        self.spec = ("collided", weight)


class Constant:
    """`weight` a second."""

    def __init__(self, weight: float = 1.0) -> None:
        self.spec = ("constant", weight)


class PathOffset:
    """`-weight` a second for each metre beside the path."""

    def __init__(self, weight: float = 1.0) -> None:
        self.spec = ("path_offset", weight)


class Smoothness:
    """`-weight` for the squared change of the action."""

    def __init__(self, weight: float = 1.0) -> None:
        self.spec = ("smoothness", weight)


class GoalProgress:
    """`weight` for each metre nearer to the goal."""

    def __init__(self, weight: float = 1.0) -> None:
        self.spec = ("goal_progress", weight)


class Reached:
    """`weight` in a step that ends within `radius` [m] of the goal."""

    def __init__(self, weight: float = 1.0, radius: float = 0.25) -> None:
        self.spec = ("reached", weight, radius)


class Drift:
    """`weight` a second for sliding around a circle about the origin, less for what is off.

    The product of three numbers from 0 to 1: of the distance from the origin, 1 at `radius` [m] and 0 at its half and 1.5 times; of the speed along the circle, counter-clockwise, 1 from `speed` [m/s]
    on; and of the sideslip angle, 1 from `angle` [rad] on.
    """

    def __init__(self, weight: float = 1.0, radius: float = 2.0, speed: float = 2.0, angle: float = 0.4) -> None:
        self.spec = ("drift", weight, radius, speed, angle)
