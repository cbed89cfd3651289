"""The end of the node: joined, in order, with whatever is on the graph, and with all that was recorded."""

import signal
import struct
import threading

import pytest
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock

from conftest import TWO_ROBOTS, WORLDS, Peer

pytestmark = pytest.mark.core

VEHICLES = 60
#: Ends are bounded by this [wall s] on the busiest machine; the node itself waits for the middleware while it makes progress.
MAX_DURATION = 60.0


@pytest.fixture
def fleet(tmp_path):
    """A world with many vehicles far apart from each other."""
    world = tmp_path / "fleet.world.xml"
    world.write_text(
        f'<mvsim_world version="1.0"><include file="{WORLDS / "vehicles" / "diffbot.vehicle.xml"}"/>'
        f'<for var="i" from="1" to="{VEHICLES}"><vehicle name="r${{i}}" class="diffbot">'
        "<init_pose>$f{4*${i}} 0 0</init_pose></vehicle></for></mvsim_world>"
    )
    return world


@pytest.fixture
def visitors(domain):
    """Peers that come and go all the time."""
    over = threading.Event()

    def come_and_go():
        while not over.is_set():
            peer = Peer(domain, "visitor")
            peer.listen(Odometry, "r1/odom")
            peer.spin_for(0.5)
            peer.close()

    thread = threading.Thread(target=come_and_go)
    thread.start()
    yield
    over.set()
    thread.join()


def expect_a_clean_end(simulator):
    assert simulator.wait(MAX_DURATION) == 0, simulator.log
    for bad in ("panicked", "malloc", "double free", "Failed to delete", "Fail in delete", "ROS: "):
        assert bad not in simulator.log, simulator.log


def is_whole(recording):
    """Whether an MCAP file is complete: it ends with the footer that locates the index."""
    content = recording.read_bytes()
    magic = b"\x89MCAP0\r\n"
    footer, end = content[-37:-8], content[-8:]
    opcode, length, summary = struct.unpack("<BQQ", footer[:17])
    return content.startswith(magic) and end == magic and (opcode, length) == (2, 20) and summary > 0


@pytest.mark.long
def test_many_vehicles_end_in_order_while_peers_come_and_go(simulate, peer, visitors, fleet, tmp_path):
    for life in range(4):
        recording = tmp_path / f"{life}.mcap"
        clock = peer.listen(Clock, "/clock")
        simulator = simulate(fleet, args=("--record", recording))
        peer.spin_until(lambda: len(clock) > 50, awaited="the clock")
        simulator.send(signal.SIGINT if life % 2 else signal.SIGTERM)
        expect_a_clean_end(simulator)
        assert is_whole(recording)


@pytest.mark.long
def test_spawned_vehicles_end_in_order(simulate, peer, visitors):
    srv = pytest.importorskip("simulation_interfaces.srv", reason="built without simulation_interfaces")
    simulator = simulate(TWO_ROBOTS)
    client = peer.node.create_client(srv.SpawnEntity, "/skidpad/spawn_entity")
    peer.spin_until(client.service_is_ready, awaited="the service")
    peer.introduce(client.srv_name)
    for i in range(VEHICLES):
        request = srv.SpawnEntity.Request(name=f"s{i}")
        # Version 2 has a message for it.
        getattr(request, "entity_resource", request).uri = "diffbot"
        request.initial_pose.pose.position.x, request.initial_pose.pose.position.y = 4.0 * (i % 10), 40.0 + 4.0 * (i // 10)
        request.initial_pose.pose.orientation.w = 1.0
        future = client.call_async(request)
        peer.spin_until(future.done, awaited="the answer")
        assert future.result().result.result == 1, future.result().result.error_message
    last = peer.listen(Odometry, f"s{VEHICLES - 1}/odom")
    peer.spin_until(lambda: last, awaited="the last vehicle")
    simulator.send(signal.SIGINT)
    expect_a_clean_end(simulator)


def test_a_small_node_ends_in_order(run_node, peer):
    for name in ("trajectory_tracker", "ackermann_mux", "kinematic_linearizer", "single_track_simulator"):
        node = run_node(name)
        peer.spin_until(lambda: name in peer.node.get_node_names(), awaited="the node")
        node.send_signal(signal.SIGINT)
        output = node.communicate(timeout=MAX_DURATION)[0].decode()
        assert node.returncode == 0, output
        assert "panicked" not in output and "ROS: " not in output
