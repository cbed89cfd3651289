"""Connections: addresses, refusals, servers that end and come back, and recordings."""

import socket
import subprocess
import threading

import pytest
import skidpad
from skidpad.remote import RemoteError, address


@pytest.mark.parametrize(
    ("url", "token", "expected"),
    [
        ("http://127.0.0.1:8520/#token=abcdefgh", None, ("127.0.0.1", 8520, "ws://127.0.0.1:8520/api/socket", "abcdefgh")),
        ("robot", "12345678", ("robot", 8520, "ws://robot:8520/api/socket", "12345678")),
        ("https://host/sim", None, ("host", 443, "wss://host:443/sim/api/socket", None)),
        ("http://[::1]:9000", None, ("::1", 9000, "ws://[::1]:9000/api/socket", None)),
    ],
)
def test_addresses_are_read(url, token, expected):
    parsed = address.read(url, token)
    assert (parsed.host, parsed.port, parsed.socket_url, parsed.token) == expected


@pytest.mark.parametrize(
    ("url", "token", "reason"),
    [
        ("ftp://host", None, "address 'ftp://host': has no host name\n  accepted: http://HOST:PORT"),
        ("http://:80", None, "has no host name"),
        ("http://host:port", None, "address 'http://host:port': Port could not be cast"),
        ("host", "short", "token: not a token\n  accepted: 8 to 128 letters, digits or -._~"),
    ],
)
def test_bad_addresses_are_refused(url, token, reason):
    with pytest.raises(RemoteError) as refusal:
        skidpad.connect(url, token)
    assert reason in str(refusal.value)


def test_a_token_is_needed_and_checked(serve):
    server = serve("--web-token", "of-my-own")
    bare = server.url.split("#")[0]
    with pytest.raises(RemoteError, match="token") as refusal:
        skidpad.connect(bare)
    assert refusal.value.status == 401
    with pytest.raises(RemoteError, match="token") as refusal:
        skidpad.connect(bare, "another-one")
    assert refusal.value.status == 401
    for url, token in [(bare, "of-my-own"), (server.url, None)]:
        with skidpad.connect(url, token) as sim:
            assert sim.vehicles == ["r1"]


def test_a_read_only_server_shows_and_refuses(serve):
    with skidpad.connect(serve("--web-read-only").url) as sim:
        assert sim.read_only
        assert sim.parameters()["kp"] == 50.0
        for order in (sim.pause, sim.shutdown, lambda: sim.command(vx=1.0), lambda: sim.spawn("crate"), lambda: sim.remove("wall")):
            with pytest.raises(RemoteError, match="order: this server is read-only\n  accepted: watch, parameters"):
                order()
        sim.wait()


def test_nobody_answers():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        with pytest.raises(RemoteError, match="nobody answers: .*\n  hint: start it there with: skidpad run WORLD --web 8520"):
            skidpad.connect(f"127.0.0.1:{port}", timeout=0.3)


def test_a_server_of_another_kind_is_refused():
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer():
            taken, _ = server.accept()
            with taken:
                taken.recv(4096)
                taken.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(RemoteError, match="127"):
            skidpad.connect(f"127.0.0.1:{server.getsockname()[1]}", timeout=2.0)
        thread.join()


def test_a_server_that_comes_back_is_shown_from_its_start(serve, car):
    server = serve()
    with skidpad.connect(server.url) as sim:
        events = sim.events(timeout=60)
        sim.command(vx=0.3)
        first = sim.run
        server.end()
        assert next(event for event in events if event.kind == "disconnected").text
        assert not sim.is_connected
        with pytest.raises(RemoteError, match="pause: there is no connection\n  hint: connection: lost"):
            sim.pause()
        # What was seen last stays.
        assert sim.vehicles == ["r1"]
        serve(world=car, port=server.port)
        assert next(event for event in events if event.kind in ("connected", "restarted")).kind == "restarted"
        sim.wait(lambda: sim.vehicles == ["car"], timeout=60)
        sim.wait()
        assert (sim.run != first, sim.is_connected, sim._in_force) == (True, True, {})
        sim.command("car", speed=1.0)
        sim.wait(lambda: sim.state["vx"][0] > 0.5, timeout=60)


def test_a_run_is_shut_down(serve):
    server = serve()
    with skidpad.connect(server.url) as sim:
        sim.shutdown()
        assert server.process.wait(60) == 0


def test_states_end_with_the_run(serve):
    server = serve("--duration", "1.5")
    with skidpad.connect(server.url) as sim:
        events = sim.events(timeout=60)
        times = [snapshot.time for snapshot in sim.states(timeout=3.0)]
        assert times[-1] == pytest.approx(1.5, abs=0.3)
        assert next(event for event in events if event.kind != "notice").kind == "ended"
    assert server.process.wait(60) == 0


def test_a_closed_client_says_so(shared):
    sim = skidpad.connect(shared.url)
    waiting = threading.Timer(0.3, sim.close)
    waiting.start()
    with pytest.raises(RemoteError, match="wait: the client was closed before the condition"):
        sim.wait(lambda: False, timeout=60)
    waiting.join()
    sim.close()
    with pytest.raises(RemoteError, match="pause: there is no connection"):
        sim.pause()
    assert list(sim.events()) == []


def test_recordings_are_read_and_controlled(program, replay, robot, tmp_path):
    (tmp_path / "w.world.xml").write_text(robot)
    run = [program, "run", "w.world.xml", "--no-ros", "--web", "off", "--rate", "max", "--duration", "3", "--record", "r.mcap"]
    subprocess.run(run, cwd=tmp_path, check=True, capture_output=True, timeout=60)
    with skidpad.connect(replay(tmp_path / "r.mcap").url, scans=True) as sim:
        assert (sim.mode, sim.vehicles) == ("replay", ["r1"])
        sim.pause()
        sim.seek(2.0)
        sim.wait(lambda: sim.time == pytest.approx(2.0, abs=0.02), timeout=60)
        assert sim.status["span"]["end"] == pytest.approx(3.0, abs=0.1)
        assert len(sim.scan().ranges) == 36
        for order, name in [(lambda: sim.command(vx=1), "command"), (lambda: sim.spawn("crate"), "spawn"), (sim.shutdown, "shutdown")]:
            with pytest.raises(RemoteError, match=f"{name}: a recording cannot be changed\n  accepted: pause, resume, step"):
                order()
