"""Parts of observations. All are scaled to about -1 to 1, as float32. The compiled module computes them, beside the steps: `spec` names them there."""

from __future__ import annotations

import numpy as np

UNBOUNDED = (-np.inf, np.inf)


class _Part:
    """A part with its name and its numbers in the compiled module."""

    def __init__(self, *spec: object, bounds: tuple[float, float] = UNBOUNDED) -> None:
        self.spec = spec
        self._bounds = bounds

    def bounds(self) -> tuple[float, float]:
        """Smallest and largest value of each number."""
        return self._bounds


class Scan(_Part):
    """Ranges of the first planar lidar, from the right to the left: 0 at the sensor, 1 at `farthest` [m] and beyond, and where nothing returned.

    `beams`: this many of them, evenly spread; None: all.
    """

    def __init__(self, farthest: float = 10.0, beams: int | None = None) -> None:
        super().__init__("scan", farthest, beams, bounds=(0.0, 1.0))


class Field(_Part):
    """A field of the state, one of `skidpad.STATE`, over a scale."""

    def __init__(self, name: str, scale: float = 1.0) -> None:
        super().__init__("field", name, scale)


class Speed(Field):
    """Velocity along the vehicle over `scale` [m/s]."""

    def __init__(self, scale: float = 10.0) -> None:
        super().__init__("vx", scale)


class YawRate(Field):
    """Yaw rate over `scale` [rad/s]."""

    def __init__(self, scale: float = 5.0) -> None:
        super().__init__("yaw_rate", scale)


class Steering(Field):
    """Set-point of the steering angle over `scale` [rad]."""

    def __init__(self, scale: float = 0.5) -> None:
        super().__init__("wanted_steer", scale)


class SideSlip(_Part):
    """Sideslip angle [rad] of the vehicle: of its velocity from its heading, to the left positive; 0 below 0.3 m/s."""

    def __init__(self) -> None:
        super().__init__("side_slip", bounds=(-np.pi, np.pi))


class LastAction(_Part):
    """The last action."""

    def __init__(self) -> None:
        super().__init__("last_action", bounds=(-1.0, 1.0))


class PathError(_Part):
    """Offset from the path over `scale` [m], then sine and cosine of the heading's deviation from it."""

    def __init__(self, scale: float = 1.0) -> None:
        super().__init__("path_error", scale)


class PathAhead(_Part):
    """Points of the path ahead in the body frame over `reach` [m]: x of `points` of them, evenly spread up to `reach` along the path, then y."""

    def __init__(self, points: int = 10, reach: float = 5.0) -> None:
        super().__init__("path_ahead", points, reach)


class GoalBearing(_Part):
    """Distance to the goal over `scale` [m], sine and cosine of its bearing from the vehicle."""

    def __init__(self, scale: float = 5.0) -> None:
        super().__init__("goal", scale)


class BlockPose(_Part):
    """Distance to a block over `scale` [m], sine and cosine of its bearing from the vehicle."""

    def __init__(self, block: str | int = 0, scale: float = 5.0) -> None:
        super().__init__("block", block, scale)
