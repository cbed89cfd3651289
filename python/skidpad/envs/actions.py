"""Actions: two numbers from -1 to 1 become commands."""

from __future__ import annotations


class SpeedSteering:
    """Speed and steering angle of a car.

    -1 to 1 stands for `slowest` to `fastest` [m/s], and for `-most_steering` to `most_steering` [rad], to the left positive.
    """

    def __init__(self, fastest: float, most_steering: float, slowest: float = 0.0) -> None:
        self.spec = ("ackermann", (slowest, -most_steering), (fastest, most_steering))


class Velocity:
    """Speed and yaw rate of a robot.

    -1 to 1 stands for `slowest` to `fastest` [m/s], and for `-most_yaw_rate` to `most_yaw_rate` [rad/s].
    """

    def __init__(self, fastest: float, most_yaw_rate: float, slowest: float = 0.0) -> None:
        self.spec = ("twist", (slowest, -most_yaw_rate), (fastest, most_yaw_rate))
