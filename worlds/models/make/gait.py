"""How a person walks, runs and stands: the angles of the joints over a cycle, and how far a cycle goes.

Angles of hip, knee and ankle in the plane of motion follow published mean curves, every tenth of a cycle that begins with the contact of the foot: of walking
at a natural cadence, D. A. Winter, "Biomechanics and Motor Control of Human Movement", 4th ed., 2009, ch. 4 and appendix A; of running, T. F. Novacheck,
"The biomechanics of running", Gait and Posture 7, 1998, figure 7. They are no measurements: whole degrees, rounded and moved by up to 8 so that with these segments both feet are on the ground
together, within 8 mm, and the strides are as long as people's at these speeds. Smooth curves (Catmull-Rom) lead through them; the other leg is half a cycle later.
Arms swing against the legs.

Feet that stand do not slide: the body moves over the foot that carries it as its joints say, so that the length of a stride follows from them, and the duration of a
cycle from that and the speed. Speeds up and down within a cycle stay in the clip; its mean is the speed of the actor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mesh import Flat, cos_sin

STEPS = 240  # of a cycle, for the way of the feet
GRAVITY = 9.81

# Segments of a person 1 m tall [-] (Winter, figure 4.1): thigh, shank, height of the ankle, and of the foot before and behind it.
THIGH, SHANK, ANKLE, TOE, HEEL = 0.245, 0.246, 0.039, 0.115, 0.037
HEIGHT = 1.75  # of the person [m]


class Gait(NamedTuple):
    """A gait: angles [deg] every tenth of a cycle, flexion and the toes up are positive."""

    speed: float  # [m/s]
    hip: Sequence[float]
    knee: Sequence[float]
    ankle: Sequence[float]
    stance: float  # share of the cycle in which a foot carries [-]; more than half: both do at times
    lean: float  # of the trunk, forwards [deg]
    shoulder: tuple[float, float]  # middle and swing of the upper arm [deg]
    elbow: tuple[float, float]  # the same of the elbow
    turn: float  # of the chest against the hips, to either side [deg]


WALK = Gait(
    1.2,
    (19, 16, 9, 0, -10, -16, -14, 4, 17, 24),
    (4, 14, 16, 11, 6, 15, 36, 59, 58, 26),
    (2, -2, 3, 5, 8, 12, -11, -9, 1, 2),
    0.6,
    2.0,
    (-3.0, 17.0),
    (16.0, 8.0),
    5.0,
)
RUN = Gait(
    3.0,
    (26, 26, 15, -1, -16, -13, 6, 24, 38, 39),
    (13, 36, 40, 30, 23, 41, 74, 92, 74, 34),
    (5, 12, 20, 9, -16, -14, -4, 2, 4, 4),
    0.38,
    8.0,
    (-8.0, 32.0),
    (85.0, 12.0),
    10.0,
)


def curve(values: Sequence[float], share: float) -> float:
    """A smooth closed curve through values at equal distances."""
    n = len(values)
    at = share % 1.0 * n
    k, t = int(at), at - int(at)
    before, start, end, after = (values[(k + i) % n] for i in (-1, 0, 1, 2))
    return 0.5 * (2 * start + (end - before) * t + (2 * before - 5 * start + 4 * end - after) * t * t + (3 * start - before - 3 * end + after) * t * t * t)


def foot(gait: Gait, share: float) -> tuple[Flat, Flat]:
    """Heel and ball of a foot against the hip [m], ahead and up."""
    thigh = curve(gait.hip, share)
    shank = thigh - curve(gait.knee, share)
    sole = shank + curve(gait.ankle, share)
    ahead = up = 0.0
    for length, angle in ((THIGH, thigh), (SHANK, shank)):
        c, s = cos_sin(angle)
        ahead, up = ahead + length * s, up - length * c
    c, s = cos_sin(sole)
    ends = []
    for along in (-HEEL, TOE):
        ends.append((HEIGHT * (ahead + along * c + ANKLE * s), HEIGHT * (up + along * s - ANKLE * c)))
    return ends[0], ends[1]


class Cycle(NamedTuple):
    """A cycle of a gait."""

    duration: float  # [s]
    stride: float  # how far it goes [m]
    ahead: list[float]  # where the hips are before or behind their mean place, for each step [m]
    up: list[float]  # their height above the ground [m]


def cycle(gait: Gait) -> Cycle:
    """The cycle that the feet make: each carries from its contact until the other one's, or until it leaves the ground, on its heel or its ball, whichever is lower."""
    share = min(gait.stance, 0.5)
    up, way, carried = [], [0.0], 0
    for k in range(STEPS):
        late = 0.5 * (k >= STEPS // 2)
        here, there = (foot(gait, (k + step) / STEPS - late) for step in (0, 1))
        end = min((0, 1), key=lambda end: here[end][1])
        is_carried = k / STEPS - late < share
        up.append(-here[end][1])
        way.append(way[-1] + (here[end][0] - there[end][0] if is_carried else 0.0))
        carried += is_carried
    # While no foot carries, the speed is that of the actor, which makes the whole cycle longer.
    duration = way[-1] * STEPS / carried / gait.speed
    stride = gait.speed * duration
    ahead, flown = [], 0
    for k in range(STEPS):
        ahead.append(way[k] + flown * stride / STEPS - stride * k / STEPS)
        flown += k / STEPS % 0.5 >= share
    if share < 0.5:
        up = flights(gait, up, duration)
    mean = sum(ahead) / STEPS
    return Cycle(duration, stride, [x - mean for x in ahead], up)


def flights(gait: Gait, up: list[float], duration: float) -> list[float]:
    """Heights of the hips where both feet are in the air: throws from where a foot leaves the ground to where the other one meets it."""
    result = [*up, up[0]]
    for side in (0.0, 0.5):
        first, last = round((side + gait.stance) * STEPS), round((side + 0.5) * STEPS)
        for k in range(first, last + 1):
            t = (k - first) / (last - first)
            flight = (last - first) / STEPS * duration
            result[k] = result[first] * (1.0 - t) + result[last] * t + 0.5 * GRAVITY * flight * flight * t * (1.0 - t)
    return result[:-1]


def turn(axis: str, angle: float) -> tuple[float, float, float, float]:
    """The quaternion x y z w, in the axes of glTF, of a flexion (axis "y", forwards and up is positive) or a turn to the left (axis "z") [deg]."""
    c, s = cos_sin(0.5 * angle)
    return (0.0, 0.0, s, c) if axis == "y" else (0.0, s, 0.0, c)


def after(a: Sequence[float], b: Sequence[float]) -> tuple[float, float, float, float]:
    """The product of two quaternions."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


Pose = dict[str, tuple[float, float, float, float]]


def pose(gait: Gait, share: float) -> Pose:
    """The turns of the joints at this share of a cycle of the right leg."""
    swing, lift = cos_sin(360.0 * share)
    result: Pose = {}
    for side, late in (("right", 0.0), ("left", 0.5)):
        sign = 1.0 if side == "right" else -1.0
        result[f"{side}_thigh"] = turn("y", curve(gait.hip, share + late))
        result[f"{side}_shank"] = turn("y", -curve(gait.knee, share + late))
        result[f"{side}_foot"] = turn("y", curve(gait.ankle, share + late))
        # The arm is behind where the leg of its side is ahead.
        result[f"{side}_arm"] = turn("y", gait.lean + gait.shoulder[0] - sign * gait.shoulder[1] * swing)
        result[f"{side}_forearm"] = turn("y", gait.elbow[0] - sign * gait.elbow[1] * swing)
    # The left shoulder is ahead with the right leg.
    result["chest"] = after(turn("z", -gait.turn * swing), turn("y", -gait.lean))
    result["head"] = after(turn("y", 0.8 * gait.lean), turn("z", gait.turn * swing))
    return result


def breathing(share: float) -> Pose:
    """The turns of the joints of a person who stands and breathes."""
    _, s = cos_sin(360.0 * share)
    result: Pose = {"chest": turn("y", 0.8 * s), "head": turn("y", -0.5 * s)}
    for side in ("right", "left"):
        result |= {f"{side}_{joint}": turn("y", 0.0) for joint in ("thigh", "shank", "foot")}
        result[f"{side}_arm"] = turn("y", -2.0 - s)
        result[f"{side}_forearm"] = turn("y", 14.0 + 1.5 * s)
    return result
