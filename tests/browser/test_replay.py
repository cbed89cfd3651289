"""A recording in the page: its time bar leads to any of its instants."""

import signal

import pytest
from nav_msgs.msg import Odometry

from running import stamp
from viewer import GONE


def test_the_time_bar_seeks(serve, replay, look, peer, tmp_path):
    truth = peer.listen(Odometry, "car/ground_truth")
    file = tmp_path / "run.mcap"
    node = serve(args=["--record", str(file)])
    viewer = look(node.link)
    with viewer.held("w"):
        viewer.wait_for(lambda: truth and truth[-1].pose.pose.position.x > -1.5, "the car to drive")
    viewer.rest(0.5)
    # Orders that are under way at the end are refused.
    viewer.allow(f"{GONE}|api/orders: 409")
    node.send(signal.SIGINT)
    assert node.wait() == 0
    viewer.page.close()

    path = {round(stamp(one), 3): one.pose.pose.position.x for one in truth}
    again = look(replay(file).link)
    again.until("skidpad.store.isReplay && skidpad.store.running.span !== null", "the span")
    span = again.ask("skidpad.store.running.span")
    assert span["end"] - span["start"] == pytest.approx(max(path), abs=0.5)
    if not again.ask("skidpad.store.running.paused"):
        again.page.keyboard.press("p")
    again.until("skidpad.store.running.paused", "the pause")
    track = again.page.locator("#seek").bounding_box()
    seen = []
    for share in (0.05, 0.95, 0.5, 0.7):
        again.page.mouse.click(track["x"] + share * track["width"], track["y"] + track["height"] / 2)
        wanted = span["start"] + share * (span["end"] - span["start"])
        again.until(f"Math.abs(skidpad.store.sample.time - {wanted}) < 0.1", f"the instant {wanted}")
        time, x = again.ask("[skidpad.store.sample.time, skidpad.store.value('x')]")
        nearest = min(path, key=lambda instant: abs(instant - time))
        assert x == pytest.approx(path[nearest], abs=0.1), f"where it was at {time} s"
        seen.append(x)
    assert seen[1] > seen[0] + 1, "another pose"
    again.page.keyboard.press("p")
    again.until(f"skidpad.store.sample.time > {again.ask('skidpad.store.sample.time')} + 0.2", "the replay to go on")
    assert not again.page.locator("#drive").is_visible(), "nobody drives a recording"
    again.page.keyboard.press("Home")
    again.until("skidpad.store.sample.time < skidpad.store.running.span.start + 1.5", "the beginning")
