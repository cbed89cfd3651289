"""Scans of a map from any pose: what f1tenth_gym has in `f110_gym.envs.laser_models`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import World
from ..errors import CommandError
from .maps import map_file

# The lidar of f1tenth_gym: beams, field of view [rad] with a beam at each edge, largest range [m].
BEAMS, FIELD_OF_VIEW, MAX_RANGE = 1080, 4.7, 30.0

# A lidar that nothing carries, on a map.
WORLD = """<mvsim_world>
  <element class="occupancy_grid"><file>{map}</file></element>
  <include file="{folder}/vehicles/f1tenth.vehicle.xml"/>
  <vehicle name="lidar" class="f1tenth_kinematic">
    <init_pose>0 0 0</init_pose>
    <sensor class="laser" name="scan">
      <pose_3d>0 0 0.1 0 0 0</pose_3d>
      <fov_degrees>{degrees!r}</fov_degrees> <nrays>{beams}</nrays>
      <min_range>0</min_range> <max_range>{range!r}</max_range>
      <range_std_noise>0</range_std_noise> <angle_std_noise_deg>0</angle_std_noise_deg>
    </sensor>
  </vehicle>
</mvsim_world>"""


class ScanSimulator2D:
    """A lidar of `num_beams` beams over `fov` [rad], with a beam at each edge, and ranges up to `max_range` [m]; `set_map`, then `scan` from any pose.

    `map_height`, `map_width` [cells], `map_resolution` [m], `origin` (x, y, yaw), `map_img` (0: occupied, 255: free) are those of the map, the first row at its lowest y.
    """

    def __init__(self, num_beams: int, fov: float, eps: float = 0.0001, theta_dis: int = 2000, max_range: float = MAX_RANGE) -> None:
        """`eps`, `theta_dis`: how finely f1tenth_gym searches; rays are exact here."""
        self.num_beams, self.fov, self.eps, self.theta_dis, self.max_range = num_beams, fov, eps, theta_dis, max_range
        self.angle_increment = fov / (num_beams - 1)
        self.origin: Any = None
        self.map_height: int | None = None
        self.map_width: int | None = None
        self.map_resolution: float | None = None
        self._file: str | None = None
        self._world: World | None = None

    def set_map(self, map_path: str, map_ext: str = ".png") -> bool:
        """Uses this map_server file."""
        self._file, self._world = map_file(map_path, map_ext), None
        grid = self._loaded().maps[0]
        self.map_height, self.map_width = grid["occupied"].shape
        self.map_resolution, self.origin = grid["resolution"], list(grid["origin"])
        self.orig_x, self.orig_y = self.origin[:2]
        self.orig_s, self.orig_c = np.sin(self.origin[2]), np.cos(self.origin[2])
        return True

    def _loaded(self) -> World:
        if self._world is None:
            if self._file is None:
                raise ValueError("map: none is set\n  hint: call set_map(map_path, map_ext) first")
            from .. import WORLDS

            text = WORLD.format(map=self._file, folder=WORLDS, degrees=float(np.degrees(self.fov)), beams=self.num_beams, range=float(self.max_range))
            self._world = World.from_string(text, name="scan")
        return self._world

    @property
    def map_img(self) -> NDArray[np.float64]:
        """(map_height, map_width) 0 where the map is occupied, 255 elsewhere."""
        return np.where(self._loaded().maps[0]["occupied"], 0.0, 255.0)

    @property
    def dt(self) -> NDArray[np.float64]:
        """(map_height, map_width) distance of each cell's middle from that of the nearest occupied one [m]. Needs SciPy."""
        from scipy.ndimage import distance_transform_edt

        assert self.map_resolution is not None, "map_img has raised without a map"
        return self.map_resolution * distance_transform_edt(self.map_img)

    def get_increment(self) -> float:
        """Angle between two beams [rad]."""
        return self.angle_increment

    def scan(self, pose: ArrayLike, rng: np.random.Generator | None, std_dev: float = 0.01) -> NDArray[np.float64]:
        """Ranges (num_beams,) [m] of the map alone from x, y [m], yaw [rad] of the lidar, with normal noise of `std_dev` [m] from `rng`; None: without noise."""
        x, y, yaw = (float(number) for number in np.asarray(pose, np.float64))
        if not np.isfinite([x, y, yaw]).all():
            raise CommandError(f"pose: found {pose}\n  accepted: finite numbers x, y [m], yaw [rad]")  # type: ignore[str-bytes-safe]
        world = self._loaded()
        world.place("lidar", x, y, yaw)
        world.sense()
        ranges = np.clip(world.reading("scan").ranges, 0.0, self.max_range, dtype=np.float64)
        return ranges if rng is None else ranges + rng.normal(0.0, std_dev, size=self.num_beams)
