"""Decodes the binary messages of the server: states, scans, clouds and pictures. docs/viewer-protocol.md describes them byte by byte."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

PROTOCOL = "skidpad.v1"
GREETING, SCENE, STATE, SCAN, STATUS, ANSWER, NOTICE, CLOUD, PICTURE = range(1, 10)
# One flag: the state does not build upon the previous one.
_KEY = 1
_NOTHING = 65535
# Added to the second byte of a cloud that has labels.
_LABELLED = 4


@dataclass(frozen=True)
class Snapshot:
    """Everything that moves, at one instant. Arrays are read-only and stay as they are. Their fields are float64, SI units and radians."""

    time: float
    """Simulated time [s]."""
    revision: int
    """Revision of the scene that it belongs to."""
    state: NDArray[np.void]
    """(vehicles,): fields of `skidpad.STATE`."""
    wheels: NDArray[np.void]
    """(vehicles, most wheels): fields of `skidpad.WHEEL`; zero where a vehicle has fewer."""
    block_state: NDArray[np.void]
    """(blocks,): fields of `skidpad.POSE`."""


@dataclass(frozen=True)
class Scan:
    """A sample of a planar lidar."""

    vehicle: str
    sensor: str
    time: float
    """Simulated time of the sample [s]."""
    ranges: NDArray[np.float32]
    """(beams,) [m]; +inf: nothing. Exact to `range_max` / 65534."""
    angles: NDArray[np.float64]
    """(beams,) [rad], in the frame of the sensor."""
    range_max: float
    """Farthest range [m]."""
    pose: NDArray[np.float64]
    """(6,): x y z [m] yaw pitch roll [rad] of the sensor in the world."""

    @property
    def points(self) -> NDArray[np.float64]:
        """(hits, 3) [m]: what the beams have hit, in the world."""
        hit = np.isfinite(self.ranges)
        ranges, angles = self.ranges[hit], self.angles[hit]
        points = np.stack([ranges * np.cos(angles), ranges * np.sin(angles), np.zeros(len(ranges))], axis=1)
        return points @ rotation(*self.pose[3:]).T + self.pose[:3]


@dataclass(frozen=True)
class Cloud:
    """Points of a sensor in three dimensions, at most 20 000 of them."""

    vehicle: str
    sensor: str
    topic: int
    """Index of the topic in the sensor's list of the scene."""
    time: float
    points: NDArray[np.float32]
    """(n, 3) [m], in the frame of the sensor."""
    intensity: NDArray[np.uint8] | None
    """(n,), of lidars."""
    ring: NDArray[np.uint8] | None
    """(n,), of lidars."""
    color: NDArray[np.uint8] | None
    """(n, 3): red green blue, of coloured clouds."""
    pose: NDArray[np.float64]
    """(6,): x y z [m] yaw pitch roll [rad] of the sensor in the world."""
    label: NDArray[np.uint16] | None = None
    """(n, 2): the numbers of class and body, of sensors with labels."""


@dataclass(frozen=True)
class Picture:
    """A picture of a camera, at most 320 by 240 pixels."""

    vehicle: str
    sensor: str
    topic: int
    time: float
    jpeg: bytes = field(repr=False)
    darkest: float
    """Of depths: shade s is (255 - s) / 254 of this depth [m], 0: no return. 0: a picture in colours."""


def rotation(yaw: float, pitch: float, roll: float) -> NDArray[np.float64]:
    """(3, 3): rotates about z, then y, then x [rad]."""
    (cz, cy, cx), (sz, sy, sx) = np.cos([yaw, pitch, roll]), np.sin([yaw, pitch, roll])
    return np.array(
        [
            [cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx],
            [sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx],
            [-sy, cy * sx, cy * cx],
        ]
    )


class _Table:
    """Where the numbers of a kind of body are in a state, and what they are divided by."""

    def __init__(self, channels: list[dict[str, Any]]) -> None:
        self.width = len(channels)
        self.dtype = np.dtype([(channel["name"], np.float64) for channel in channels])
        # Division by a whole number gives the nearest decimals, as GET /api/state does.
        self.divisors = np.array([max(round(1.0 / channel["resolution"]), 1) for channel in channels], np.float64)

    def read(self, counts: NDArray[np.int64], starts: NDArray[np.intp]) -> NDArray[np.void]:
        """Bodies whose numbers begin at `starts`, of any shape; below 0: zeros."""
        index = starts[..., None] + np.arange(self.width)
        values = np.where(starts[..., None] >= 0, counts[index], 0) / self.divisors
        bodies = values.view(self.dtype)[..., 0]
        bodies.flags.writeable = False
        return bodies


class StateDecoder:
    """Follows the states of one scene over one connection."""

    def __init__(self, layout: dict[str, Any], scene: dict[str, Any]) -> None:
        self.revision = int(scene["revision"])
        self._vehicle, self._wheel, self._pose = (_Table(layout[name]) for name in ("vehicle", "wheel", "pose"))
        wheel_counts = [len(vehicle["wheels"]) for vehicle in scene["vehicles"]]
        self._vehicles = np.zeros(len(wheel_counts), np.intp)
        self._wheels = np.full((len(wheel_counts), max(wheel_counts, default=0)), -1, np.intp)
        at = 0
        for index, count in enumerate(wheel_counts):
            self._vehicles[index] = at
            at += self._vehicle.width
            self._wheels[index, :count] = at + self._wheel.width * np.arange(count)
            at += self._wheel.width * count
        self._blocks = at + self._pose.width * np.arange(len(scene["blocks"]))
        at += self._pose.width * (len(scene["blocks"]) + len(scene["planes"])) + len(layout["actor"]) * len(scene["actors"])
        # One more, so that an index below 0 finds something.
        self._counts = np.zeros(at + max(self._wheel.width, 1), np.int64)
        self._size = at

    def decode(self, message: bytes) -> Snapshot | None:
        """The state of a message; None if it belongs to another scene. Raises ValueError for a message that cannot be one."""
        _, flags, revision, time = struct.unpack_from("<BBIq", message)
        if revision != self.revision:
            return None
        if flags & _KEY:
            self._counts[:] = 0
        tokens = leb128(np.frombuffer(message, np.uint8, offset=14))
        halves, changes = tokens >> 1, (tokens & 1).astype(bool)
        advance = np.where(changes, 1, halves)
        index = (np.cumsum(advance) - advance)[changes]
        if len(index) and index[-1] >= self._size:
            raise ValueError(f"a state with more than the {self._size} numbers of its scene")
        zigzag = halves[changes]
        self._counts[index] += (zigzag >> 1) ^ -(zigzag & 1)
        counts = self._counts
        return Snapshot(
            time=time * 1e-9,
            revision=revision,
            state=self._vehicle.read(counts, self._vehicles),
            wheels=self._wheel.read(counts, self._wheels),
            block_state=self._pose.read(counts, self._blocks),
        )


def leb128(data: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Numbers of seven bits a byte, the lowest first; bit 7 is set if more bytes follow. Raises ValueError if the last one is incomplete."""
    if len(data) == 0:
        return np.zeros(0, np.int64)
    ends = np.flatnonzero(data < 128)
    if len(ends) == 0 or ends[-1] != len(data) - 1:
        raise ValueError("a number in a state is incomplete")
    starts = np.concatenate([[0], ends[:-1] + 1])
    place = np.arange(len(data)) - np.repeat(starts, ends - starts + 1)
    if place.max() > 8:
        raise ValueError("a number in a state is too long")
    return np.add.reduceat((data & 127).astype(np.int64) << (7 * place), starts)


def _sensor(scene: dict[str, Any], vehicle: int, sensor: int) -> tuple[str, dict[str, Any]]:
    info = scene["vehicles"][vehicle]
    return info["name"], info["sensors"][sensor]


def decode_scan(message: bytes, scene: dict[str, Any]) -> Scan | None:
    """The scan of a message; None if it belongs to another scene."""
    _, _, stride, revision, time, vehicle, sensor, *pose, farthest = struct.unpack_from("<BBHIqHH7f", message)
    if revision != scene["revision"]:
        return None
    name, info = _sensor(scene, vehicle, sensor)
    values = np.frombuffer(message, "<u2", offset=48)
    ranges = np.where(values == _NOTHING, np.inf, values * (farthest / (_NOTHING - 1))).astype(np.float32)
    angles = info["angle_min"] + np.arange(len(values)) * stride * info["angle_increment"]
    return Scan(name, info["name"], time * 1e-9, ranges, angles, farthest, np.array(pose))


def decode_cloud(message: bytes, scene: dict[str, Any]) -> Cloud | None:
    """The cloud of a message; None if it belongs to another scene."""
    _, tint, topic, revision, time, vehicle, sensor, *pose, extent = struct.unpack_from("<BBHIqHH7f", message)
    if revision != scene["revision"]:
        return None
    name, info = _sensor(scene, vehicle, sensor)
    has_labels, tint = bool(tint & _LABELLED), tint & ~_LABELLED
    count = (len(message) - 48) // (12 if has_labels else 8)
    points = np.frombuffer(message, "<i2", 3 * count, 48).reshape(count, 3) * np.float32(extent / 32767)
    tints = np.frombuffer(message, np.uint8, 2 * count, 48 + 6 * count).reshape(count, 2)
    intensity, ring = (tints[:, 0], tints[:, 1]) if tint == 1 else (None, None)
    color = None
    if tint == 2:
        packed = tints[:, 0].astype(np.uint16) | tints[:, 1].astype(np.uint16) << 8
        parts = ((packed >> 11) * 255 // 31, (packed >> 5 & 63) * 255 // 63, (packed & 31) * 255 // 31)
        color = np.stack(parts, axis=1).astype(np.uint8)
    label = np.frombuffer(message, "<u2", 2 * count, 48 + 8 * count).reshape(count, 2) if has_labels else None
    return Cloud(name, info["name"], topic, time * 1e-9, points, intensity, ring, color, np.array(pose), label)


def decode_picture(message: bytes, scene: dict[str, Any]) -> Picture | None:
    """The picture of a message; None if it belongs to another scene."""
    _, _, topic, revision, time, vehicle, sensor, darkest = struct.unpack_from("<BBHIqHHf", message)
    if revision != scene["revision"]:
        return None
    name, info = _sensor(scene, vehicle, sensor)
    return Picture(name, info["name"], topic, time * 1e-9, message[24:], darkest)
