"""Sensors that cast rays work for those who read them, and for nobody else; `/diagnostics` counts the rays."""

from diagnostic_msgs.msg import DiagnosticArray
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Image, Imu, LaserScan, PointCloud2
from std_srvs.srv import SetBool, Trigger

from conftest import OPEN, nanoseconds

# Rays of a second: scan 10 x 11, cloud 10 x 80, picture 10 x 192.
WORLD = """<mvsim_world><simul_timestep>0.005</simul_timestep>
  <block name="box"><static>true</static><init_pose>4 0 0</init_pose></block>
  <vehicle name="r1"><init_pose>0 0 0</init_pose><dynamics class="differential"><controller class="twist_ideal"/></dynamics>
    <sensor class="laser" name="scan"><nrays>11</nrays><sensor_period>0.1</sensor_period></sensor>
    <sensor class="lidar3d" name="lidar"><pose_3d>0 0 0.5 0 0 0</pose_3d><vert_nrays>2</vert_nrays><horz_nrays>40</horz_nrays>
      <organized>true</organized><sensor_period>0.1</sensor_period></sensor>
    <sensor class="camera" name="eye"><ncols>16</ncols><nrows>12</nrows><fx>10</fx><fy>10</fy><cx>8</cx><cy>6</cy><sensor_period>0.1</sensor_period></sensor>
    <sensor class="imu" name="imu"><sensor_period>0.1</sensor_period></sensor>
  </vehicle></mvsim_world>"""
PERIOD = 100_000_000


def rays(message):
    """Rays of a simulated second."""
    lidars = next(status for status in message.status if status.name == "skidpad: lidars")
    return float(next(value.value for value in lidars.values if value.key == "rays_per_simulated_second"))


def await_rays(peer, diagnostics, accepted, awaited):
    """Waits for a window of a second in which so many rays were cast."""
    seen = len(diagnostics)
    peer.spin_until(lambda: any(accepted(rays(message)) for message in diagnostics[seen:]), awaited=awaited)


def test_sensors_cast_rays_while_somebody_subscribes(simulate, peer, tmp_path):
    world = tmp_path / "readers.world.xml"
    world.write_text(WORLD)
    # Slow, so that what the machine has to do beside is little simulated time.
    simulate(world, ["-p", "rate:=0.5"])
    diagnostics = peer.listen(DiagnosticArray, "/diagnostics")
    clock = peer.listen(Clock, "/clock")
    samples = peer.listen(Imu, "imu")
    peer.spin_until(lambda: len(diagnostics) > 1 and len(samples) > 1 and clock, awaited="what costs nothing")
    assert [rays(message) for message in diagnostics] == [0.0] * len(diagnostics), "nobody reads"

    scans, clouds, pictures = [], [], []
    subscribed = nanoseconds(clock[-1].clock)
    subscriptions = [peer.node.create_subscription(LaserScan, "scan", scans.append, 10)]
    peer.spin_until(lambda: len(scans) > 4, awaited="scans")
    first = nanoseconds(scans[0].header.stamp)
    assert first % PERIOD == 0 and first < subscribed + 10 * PERIOD
    assert [nanoseconds(scan.header.stamp) - first for scan in scans[:5]] == [k * PERIOD for k in range(5)]
    await_rays(peer, diagnostics, lambda rays: 80 <= rays <= 140, "the rays of scans alone")

    subscriptions.append(peer.node.create_subscription(PointCloud2, "lidar_points", clouds.append, 10))
    subscriptions.append(peer.node.create_subscription(Image, "eye/image_raw", pictures.append, 10))
    peer.spin_until(lambda: len(clouds) > 2 and len(pictures) > 2, awaited="clouds and pictures")
    assert all(cloud.width * cloud.height == 80 for cloud in clouds), "turns are whole"
    await_rays(peer, diagnostics, lambda rays: 2500 < rays < 3200, "the rays of all")

    for subscription in subscriptions:
        peer.node.destroy_subscription(subscription)
    await_rays(peer, diagnostics, lambda rays: rays == 0.0, "the end of rays")


def test_single_steps_have_the_readings_of_those_who_have_subscribed(simulate, peer, tmp_path):
    world = tmp_path / "readers.world.xml"
    world.write_text(WORLD)
    simulate(world)
    assert peer.call(SetBool, "skidpad/pause", SetBool.Request(data=True)).success
    scans = peer.listen(LaserScan, "scan")
    # A scan is due in one of twenty steps; the first may be too early for the subscription.
    for _ in range(1000):
        assert peer.call(Trigger, "skidpad/step", Trigger.Request()).success
        if scans:
            break
    assert scans


def test_instants_that_cannot_be_published_are_missed_only_where_somebody_listens(simulate, peer):
    free = ("--rate", "max")
    unheard = simulate(OPEN, args=(*free, "--duration", "500"))
    assert unheard.wait() == 0
    assert "does not keep up" not in unheard.log, unheard.log
    heard = simulate(OPEN, args=free)
    odometry = peer.listen(Odometry, "odom")
    peer.spin_until(lambda: odometry and "publishing does not keep up: " in heard.log, awaited="the number of what was left out")
