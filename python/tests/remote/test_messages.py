"""Binary messages: decoded as docs/viewer-protocol.md says, and refused if they cannot be messages."""

import json
import queue
import struct
import threading

import numpy as np
import pytest
import skidpad
from skidpad.remote import messages
from skidpad.remote.arrivals import Arrivals
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import serve as serve_sockets

LAYOUT = {
    "vehicle": [{"name": "x", "unit": "m", "resolution": 1e-3}, {"name": "gear", "unit": "-", "resolution": 1.0}],
    "wheel": [{"name": "spin", "unit": "rad/s", "resolution": 1e-2}],
    "pose": [{"name": "x", "unit": "m", "resolution": 1e-3}],
    "actor": [],
}


def scene(vehicles=2, wheels=(2, 4), blocks=1):
    return {
        "revision": 5,
        "vehicles": [{"name": f"r{i}", "id": i, "wheels": [{}] * wheels[i], "sensors": []} for i in range(vehicles)],
        "blocks": [{"name": f"b{i}", "id": 9 + i} for i in range(blocks)],
        "planes": [],
        "actors": [],
    }


def token(value):
    """A number in LEB128."""
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def encode(before, now, key=False, revision=5):
    """The state that leads from one list of numbers to another."""
    out, unchanged = b"", 0
    for old, new in zip([0] * len(now) if key else before, now, strict=True):
        if old == new:
            unchanged += 1
            continue
        if unchanged:
            out += token(2 * unchanged)
            unchanged = 0
        change = new - old
        out += token(2 * (2 * change if change >= 0 else -2 * change - 1) + 1)
    return struct.pack("<BBIq", 3, int(key), revision, 1_500_000_000) + out


def test_states_follow_the_changes():
    decoder = messages.StateDecoder(LAYOUT, scene())
    random = np.random.default_rng(1)
    numbers = [0] * 11
    for number in range(300):
        now = [int(random.choice([old, random.integers(-(2**48), 2**48), old + random.integers(-3, 4)])) for old in numbers]
        is_key = number % 50 == 0
        snapshot = decoder.decode(encode(numbers, now, is_key))
        numbers = now
        assert snapshot.time == 1.5
        assert snapshot.state["x"].tolist() == [now[0] / 1000, now[4] / 1000]
        assert snapshot.state["gear"].tolist() == [now[1], now[5]]
        wheels = [[now[2] / 100, now[3] / 100, 0.0, 0.0], [value / 100 for value in now[6:10]]]
        assert snapshot.wheels["spin"].tolist() == wheels
        assert snapshot.block_state["x"].tolist() == [now[10] / 1000]


def test_states_of_other_scenes_and_wrong_ones_are_told_apart():
    decoder = messages.StateDecoder(LAYOUT, scene())
    assert decoder.decode(encode([0] * 11, [1] * 11, revision=6)) is None
    state = encode([0] * 11, [1] * 11, key=True)
    with pytest.raises(ValueError, match="a number in a state is incomplete"):
        decoder.decode(state + b"\x80")
    with pytest.raises(ValueError, match="a number in a state is too long"):
        decoder.decode(state[:14] + b"\xff" * 12 + b"\x01")
    with pytest.raises(ValueError, match="a state with more than the 11 numbers of its scene"):
        decoder.decode(state + token(3))
    with pytest.raises(struct.error):
        decoder.decode(state[:10])


def test_worlds_without_vehicles_have_empty_arrays():
    decoder = messages.StateDecoder(LAYOUT, scene(vehicles=0, blocks=0))
    snapshot = decoder.decode(encode([], [], key=True))
    assert (snapshot.state.shape, snapshot.wheels.shape, snapshot.block_state.shape) == ((0,), (0, 0), (0,))
    assert snapshot.state.dtype.names == ("x", "gear")


def test_clouds_and_pictures_are_decoded():
    current_scene = scene()
    current_scene["vehicles"][0]["sensors"] = [{"name": "lidar"}, {"name": "camera"}]
    head = struct.pack("<HIqHH", 0, 5, 10**9, 0, 0)
    pose = struct.pack("<7f", 1, 2, 3, 0, 0, 0, 32.767)
    points = np.array([[1000, -2000, 0], [32767, 0, 5]], "<i2").tobytes()
    cloud = messages.decode_cloud(bytes([8, 1]) + head + pose + points + bytes([9, 1, 255, 15]), current_scene)
    assert cloud.points == pytest.approx(np.array([[1, -2, 0], [32.767, 0, 0.005]]), abs=1e-4)
    assert (cloud.sensor, cloud.intensity.tolist(), cloud.ring.tolist(), cloud.color) == ("lidar", [9, 255], [1, 15], None)
    cloud = messages.decode_cloud(bytes([8, 2]) + head + pose + points + struct.pack("<HH", 0xF800, 0x07FF), current_scene)
    assert (cloud.color.tolist(), cloud.label) == ([[255, 0, 0], [0, 255, 255]], None)
    cloud = messages.decode_cloud(bytes([8, 5]) + head + pose + points + bytes([9, 1, 255, 15]) + struct.pack("<4H", 3, 1, 4, 513), current_scene)
    assert (cloud.ring.tolist(), cloud.label.tolist()) == ([1, 15], [[3, 1], [4, 513]])
    picture = messages.decode_picture(bytes([9, 0]) + struct.pack("<HIqHHf", 2, 5, 10**9, 0, 1, 4.0) + b"jpeg", current_scene)
    assert (picture.sensor, picture.topic, picture.darkest, picture.jpeg) == ("camera", 2, 4.0, b"jpeg")


@pytest.mark.parametrize(
    "bad",
    [b"\x03\x01", b"\x05{", b"\x05{}", b"\x02[]", b"\x04\x00\x01", b"\x07{}", b"\x06[]", b""],
)
def test_a_message_that_cannot_be_read_ends_the_connection_and_says_so(bad):
    status = {"paused": False, "rate": 1.0, "real_time_factor": 1.0, "time": 0.0, "viewers": 1, "resets": 0, "span": None, "ended": False}
    greeting = {"version": "9", "minor": 1, "mode": "live", "read_only": False, "layout": LAYOUT, "run": "a"}
    send_bad = threading.Event()

    def handle(socket):
        try:
            for kind, content in ((1, greeting), (2, scene()), (5, status)):
                socket.send(bytes([kind]) + json.dumps(content).encode())
            socket.send(b"\x06" + json.dumps({"id": json.loads(socket.recv())["id"], "error": None, "time": 0.0}).encode())
            socket.send(encode([0] * 11, [1] * 11, key=True))
            send_bad.wait(10)
            socket.send(bad)
            socket.recv(10)
        except ConnectionClosed:
            pass

    with serve_sockets(handle, "127.0.0.1", 0, subprotocols=["skidpad.v1"]) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            with skidpad.connect(f"127.0.0.1:{server.socket.getsockname()[1]}") as sim:
                events = sim.events(timeout=60)
                send_bad.set()
                event = next(events)
                assert event.kind == "disconnected"
                assert event.text.startswith(("a message of the server cannot be read: ", "the server has sent no message of skidpad"))
                assert sim.state["x"].tolist() == [0.001, 0.001]
        finally:
            server.shutdown()
            thread.join()


def test_warnings_that_come_again_are_told_once():
    arrivals = Arrivals()
    events = arrivals._events.subscribe()

    def notice(**fields):
        arrivals.message(messages.NOTICE, bytes([messages.NOTICE]) + json.dumps({"level": "warning", **fields}).encode())

    notice(text="slow", time=1.5, number=3)
    notice(text="the server ends", time=None, number=0)
    # The connection was lost meanwhile.
    notice(text="slow", time=1.5, number=3)
    notice(text="failed", time=2.0, number=4)
    # An older server.
    notice(text="the server ends")
    received = [events.get(0.0) for _ in range(4)]
    assert [event.text for event in received] == ["slow", "the server ends", "failed", "the server ends"]
    with pytest.raises(queue.Empty):
        events.get(0.01)
