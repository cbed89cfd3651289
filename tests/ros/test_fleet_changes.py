"""Vehicles that come and go while others drive, as the graph and the others see it."""

import pathlib

import pytest

pytest.importorskip("simulation_interfaces", reason="built without simulation_interfaces")

from geometry_msgs.msg import Twist  # noqa: E402
from nav_msgs.msg import Odometry  # noqa: E402
from rcl_interfaces.srv import ListParameters  # noqa: E402
from tf2_msgs.msg import TFMessage  # noqa: E402

from conftest import LATCHED, TWO_ROBOTS, nanoseconds, stamp  # noqa: E402
from test_simulation_interfaces import OK, Control  # noqa: E402


pytestmark = pytest.mark.together("guest")
PREFIXED = ("-p", "guest.tf_mode:=prefixed")


def resident(simulator):
    """Memory of the simulator [MiB]."""
    status = pathlib.Path(f"/proc/{simulator.process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")) / 1024


def test_adding_and_removing_a_vehicle_does_not_affect_others(reuse, peer):
    reuse(TWO_ROBOTS, PREFIXED)
    control = Control(peer)
    other = peer.listen(Odometry, "r1/odom")
    guest = peer.listen(Odometry, "guest/ground_truth")
    static = peer.listen(TFMessage, "/tf_static", LATCHED)
    command = peer.publisher(Twist, "guest/cmd_vel")
    peer.spin_until(lambda: other, awaited="the simulator")
    turn = Twist()
    turn.angular.z = 1.0
    for _ in range(2):
        guest.clear()
        control.spawn(name="guest", uri="diffbot", pose={"position": (0.0, 3.0)})
        peer.spin_until(lambda: guest and command.get_subscription_count(), awaited="the guest")
        # A vehicle of the same name was commanded to turn before; this one was not.
        assert abs(guest[-1].twist.twist.angular.z) < 1e-3
        peer.drive(command, turn, guest, 1.0)
        assert guest[-1].twist.twist.angular.z == pytest.approx(1.0, abs=0.1)
        peer.spin_until(lambda: static and static[-1].transforms, awaited="its transforms")
        assert {t.header.frame_id.split("/")[0] for t in static[-1].transforms} == {"guest"}
        parameters = peer.call(ListParameters, "/skidpad/list_parameters", ListParameters.Request()).result.names
        assert {"guest.tf_mode", "guest.cmd_timeout", "r2.range_noise"} <= set(parameters)
        control.expect(OK, "delete_entity", entity="guest")
        gone = lambda: not peer.node.get_publishers_info_by_topic("/guest/odom") and not command.get_subscription_count()  # noqa: E731
        peer.spin_until(gone, awaited="the end of the guest's topics")
        left = peer.call(ListParameters, "/skidpad/list_parameters", ListParameters.Request()).result.names
        assert not [name for name in left if name.startswith("guest.")]
    stamps = [nanoseconds(message.header.stamp) for message in other]
    gaps = [later - earlier for earlier, later in zip(stamps, stamps[1:])]
    assert min(gaps) > 0 and max(gaps) <= 100_000_000, "r1 was published all the time"


def test_coming_and_going_takes_no_memory(reuse, peer):
    simulator = reuse(TWO_ROBOTS, PREFIXED)
    control = Control(peer)
    odom = peer.listen(Odometry, "r1/odom")
    peer.spin_until(lambda: odom, awaited="the simulator")

    def come_and_go(times):
        for _ in range(times):
            control.spawn(name="guest", uri="diffbot", pose={"position": (0.0, 3.0)})
            control.expect(OK, "delete_entity", entity="guest")
        last = stamp(odom[-1])
        peer.spin_until(lambda: stamp(odom[-1]) > last + 0.5, awaited="half a second")

    come_and_go(40)
    before = resident(simulator)
    come_and_go(40)
    assert resident(simulator) - before < 4
