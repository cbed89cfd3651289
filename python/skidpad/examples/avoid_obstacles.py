"""Drives by the lidar: slower where it is narrow, away from what is near, and back where nothing else is possible.

skidpad run office
python -m skidpad.examples.avoid_obstacles
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

import skidpad
from skidpad.remote import Scan

from ._remote import arguments

NEAR = 0.8
AHEAD = math.radians(35.0)


def choose(scan: Scan, fastest: float) -> tuple[float, float]:
    """Speed [m/s] and yaw rate [rad/s] for a scan."""
    ranges = np.minimum(scan.ranges, 5.0)
    angles = np.arctan2(np.sin(scan.angles), np.cos(scan.angles))
    ahead = np.abs(angles) < AHEAD
    clear = float(ranges[ahead].min(initial=5.0))
    # Each side pushes away, the more the nearer it is.
    front = np.abs(angles) < math.pi / 2
    push = float(np.mean(-np.sign(angles[front]) / np.maximum(ranges[front], 0.1) ** 2))
    if clear < NEAR:
        left, right = ranges[front & (angles > 0)].mean(), ranges[front & (angles < 0)].mean()
        return 0.0, 1.0 if left >= right else -1.0
    return fastest * min(1.0, (clear - NEAR) / 1.5 + 0.1), max(-1.0, min(push, 1.0))


def main(args: Sequence[str] | None = None) -> None:
    """Drives for so long."""
    parser = arguments(__doc__)
    parser.add_argument("--speed", type=float, default=0.4, help="highest speed [m/s]")
    parser.add_argument("--seconds", type=float, default=math.inf, help="of simulated time; without it, until Ctrl-C")
    given = parser.parse_args(args)
    with skidpad.connect(given.url, given.token, scans=given.vehicle or True) as sim:
        name = given.vehicle or sim.vehicles[0]
        sim.on("collision", lambda event: print(f"{event.time:.1f} s: {event.name} touches something"))
        steers = "ackermann" in sim.scene["vehicles"][sim.vehicles.index(name)]["accepts"]
        begin, distance = sim.time, 0.0
        try:
            for snapshot in sim.states():
                if snapshot.time - begin > given.seconds:
                    break
                speed, yaw_rate = choose(sim.scan(name), given.speed)
                if steers:
                    # A car cannot turn on the spot: it backs up and steers the other way.
                    speed, angle = (speed, 0.4 * yaw_rate) if speed > 0.0 else (-given.speed, -0.4 * yaw_rate)
                    sim.command(name, speed=speed, steering_angle=angle)
                else:
                    sim.command(name, vx=speed, yaw_rate=yaw_rate)
                distance = float(sim.state["odom_x"][sim.vehicles.index(name)])
        except KeyboardInterrupt:
            pass
        sim.release()
        print(f"drove for {sim.time - begin:.1f} s, to {distance:.2f} m ahead of the start")


if __name__ == "__main__":
    main()
