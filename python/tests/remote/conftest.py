"""Programs that run for tests of the client, on the loopback device."""

import contextlib
import json
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("websockets")

CAR = """<mvsim_world>
  <simul_timestep>0.005</simul_timestep>
  <block:class name="crate"><mass>5</mass><shape><pt>-0.2 -0.2</pt><pt>0.2 -0.2</pt><pt>0.2 0.2</pt><pt>-0.2 0.2</pt></shape></block:class>
  <vehicle name="car">
    <init_pose>0 -20 0</init_pose>
    <dynamics class="ackermann"><max_steer_ang_deg>30</max_steer_ang_deg><controller class="front_steer_pid"><KP>200</KP><KI>200</KI><max_torque>400</max_torque></controller></dynamics>
  </vehicle>
</mvsim_world>
"""


class Server:
    """A program with its page."""

    def __init__(self, program: str, arguments: list[str], folder: Path) -> None:
        self.process = subprocess.Popen([program, *arguments], cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self.lines: list[str] = []
        self.url = ""
        for line in self.process.stderr:
            self.lines.append(line)
            if line.startswith("viewer: "):
                self.url = line.removeprefix("viewer: ").strip()
                break
        if not self.url:
            raise RuntimeError(f"no page: {''.join(self.lines)}")
        # A full pipe would hold the program up.
        self._reader = threading.Thread(target=self.lines.extend, args=(self.process.stderr,))
        self._reader.start()

    @property
    def port(self) -> int:
        return int(self.url.split("//")[1].split("/")[0].rsplit(":", 1)[1])

    def end(self) -> int:
        """Ends it, and returns its exit status."""
        if self.process.poll() is None:
            self.process.kill()
        status = self.process.wait(60)
        self._reader.join()
        self.process.stderr.close()
        return status


def start_run(program: str, folder: Path, world: str, *arguments: str, port: int = 0) -> Server:
    """Starts `skidpad run` of this world."""
    (folder / "w.world.xml").write_text(world)
    return Server(program, ["run", "w.world.xml", "--headless", "--no-ros", "--web", f"127.0.0.1:{port}", *arguments], folder)


@pytest.fixture(scope="session")
def common(program, robot, tmp_path_factory) -> Iterator[Server]:
    """A run of the robot of conftest.py for all tests."""
    server = start_run(program, tmp_path_factory.mktemp("common"), robot)
    yield server
    server.end()


@pytest.fixture
def shared(common) -> Server:
    """A run of the robot of conftest.py that other tests use too: at its start, without what they have added, while time goes on as usual."""
    state = ask(common, "state")
    added = [body["id"] for kind in ("vehicles", "blocks") for body in state[kind] if body["name"] not in ("r1", "wall")]
    orders = [{"do": "remove", "entity": entity} for entity in added]
    for order in [*orders, {"do": "reset"}, {"do": "set_rate", "rate": 1.0}, {"do": "resume"}]:
        assert ask(common, "orders", order)["error"] is None
    return common


def ask(server: Server, path: str, order: dict | None = None) -> dict:
    """What a request of the viewer's protocol answers, with an order if it has one."""
    content = json.dumps(order).encode() if order else None
    request = urllib.request.Request(f"{server.url}api/{path}", content, {"Content-Type": "application/json"})
    deadline = time.monotonic() + 60.0
    while True:
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            # While bodies come and go there is no state: the hint says to ask again.
            if error.code != 503 or time.monotonic() > deadline:
                raise
            time.sleep(0.05)


@pytest.fixture
def serve(program, tmp_path, robot) -> Iterator[object]:
    """Starts `skidpad run` with the robot of conftest.py, or another world, for this test alone."""
    with contextlib.ExitStack() as servers:

        def start(*arguments: str, world: str = robot, port: int = 0) -> Server:
            server = start_run(program, tmp_path, world, *arguments, port=port)
            servers.callback(server.end)
            return server

        yield start


@pytest.fixture
def replay(program, tmp_path) -> Iterator[object]:
    """Starts `skidpad replay` with a recording."""
    with contextlib.ExitStack() as servers:

        def start(recording: Path) -> Server:
            server = Server(program, ["replay", str(recording), "--web", "127.0.0.1:0"], tmp_path)
            servers.callback(server.end)
            return server

        yield start


@pytest.fixture
def car() -> str:
    """A car that takes speed and steering angle, and a class of crates."""
    return CAR


@pytest.fixture(autouse=True)
def _no_threads_left() -> Iterator[None]:
    """Every client ends its threads."""
    yield
    left = [thread.name for thread in threading.enumerate() if thread.name.startswith("skidpad")]
    assert left == []
