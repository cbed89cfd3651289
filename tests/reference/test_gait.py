"""The clips of the pedestrian's model, read from its file: feet that stand do not slide at the speeds of its class, nor sink into the ground, and strides are people's.

At 1.2 m/s people walk with strides of 1.2 to 1.4 m, at 3 m/s they run with 2 to 2.3 m (Winter 2009, ch. 4; Novacheck 1998).
"""

import json
import pathlib
import struct

import numpy as np
import pytest

WORLDS = pathlib.Path(__file__).resolve().parents[2] / "worlds"
FORMATS = {5126: ("<f4", 1.0), 5122: ("<i2", 32767.0)}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


def read():
    """The document of the model, and a function that gives the numbers of an accessor."""
    data = (WORLDS / "models" / "person.glb").read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    document, binary = json.loads(data[20 : 20 + length]), data[28 + length :]

    def numbers(index):
        accessor = document["accessors"][index]
        kind, unit = FORMATS[accessor["componentType"]]
        start, width = document["bufferViews"][accessor["bufferView"]]["byteOffset"], WIDTHS[accessor["type"]]
        return np.frombuffer(binary, kind, accessor["count"] * width, start).reshape(-1, width) / unit

    return document, numbers


@pytest.mark.parametrize("name, speed, stance, strides", [("walk", 1.2, 0.5, (1.2, 1.4)), ("run", 3.0, 0.38, (2.0, 2.3))])
def test_feet_that_stand_do_not_slide(name, speed, stance, strides):
    tag = {"walk": "walking_speed", "run": "running_speed"}[name]
    assert f"<{tag}>{speed}</{tag}>" in (WORLDS / "actors" / "pedestrian.actor.xml").read_text()
    document, numbers = read()
    clip = next(clip for clip in document["animations"] if clip["name"] == name)
    names = [node["name"] for node in document["nodes"]]
    places = {node["name"]: np.array(node.get("translation", (0.0, 0.0, 0.0))) for node in document["nodes"]}
    times = numbers(clip["samplers"][0]["input"])[:, 0]
    assert strides[0] < speed * times[-1] < strides[1]
    moments = times[-1] * np.arange(240) / 240

    def channel(joint, path):
        matching = next(c for c in clip["channels"] if (names[c["target"]["node"]], c["target"]["path"]) == (joint, path))
        values = numbers(clip["samplers"][matching["sampler"]]["output"])
        return np.array([np.interp(moments, times, column) for column in values.T])

    ahead, up, _ = channel("hips", "translation")
    angle = np.zeros(moments.size)
    # Down the leg: each joint's place in the frame of the one above it, and its turn in the plane of motion.
    for joint in ("right_thigh", "right_shank", "right_foot"):
        x, y, _ = places[joint]
        ahead, up = ahead + x * np.cos(angle) - y * np.sin(angle), up + x * np.sin(angle) + y * np.cos(angle)
        _, _, sine, cosine = channel(joint, "rotation")
        angle = angle + 2.0 * np.arctan2(sine, cosine)
    height = sum(places[joint][1] for joint in ("hips", "right_thigh", "right_shank", "right_foot"))
    # Heel and ball of the foot.
    ends = []
    for along in (-0.037 * 1.75, 0.115 * 1.75):
        ends.append((ahead + along * np.cos(angle) + height * np.sin(angle) + speed * moments, up + along * np.sin(angle) - height * np.cos(angle)))
    standing = int(240 * stance) - 1
    lower = np.argmin([end[1][:standing] for end in ends], axis=0)
    steps = np.array([np.diff(end[0])[:standing] for end in ends])[lower, np.arange(standing)]
    slide, depth = np.abs(np.cumsum(steps)).max(), min(end[1].min() for end in ends)
    print(f"{name}: stride {speed * times[-1]:.3f} m, slides {1e3 * slide:.1f} mm, {-1e3 * depth:.1f} mm below the ground")
    assert slide < 0.002 and depth > -0.012
