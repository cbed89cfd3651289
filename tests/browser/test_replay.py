"""A recording in the page: its time bar and links lead to any of its instants."""

import re
import signal

import pytest
from nav_msgs.msg import Odometry
from playwright.sync_api import expect

from running import stamp
from viewer import GONE


def test_time_bar_and_links_lead_to_instants(serve, replay, look, peer, tmp_path):
    truth = peer.listen(Odometry, "car/ground_truth")
    file = tmp_path / "run.mcap"
    node = serve(args=["--record", str(file)])
    viewer = look(node.link)
    expect(viewer.page.locator("#recording")).to_contain_text("Recording to run.mcap")
    with viewer.held("w"):
        viewer.wait_for(lambda: truth and truth[-1].pose.pose.position.x > -1.5, "the car to drive")
    viewer.let_pass(0.5)
    # Orders that are under way at the end are refused.
    viewer.allow(f"{GONE}|api/orders: 409")
    node.send(signal.SIGINT)
    assert node.wait() == 0
    viewer.page.close()

    program = replay(file)
    path = {round(stamp(message), 3): message.pose.pose.position.x for message in truth}
    again = look(program.link)
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
    again.page.close()
    check_link(look(program.link + "#time=1.5&vehicle=robot"))


def check_link(viewer):
    """The page was opened by a link to an instant and a vehicle of the recording."""
    viewer.until("skidpad.store.running.paused && Math.abs(skidpad.store.sample.time - 1.5) < 0.1", "the instant")
    assert viewer.ask("skidpad.store.vehicle.name") == "robot"
    viewer.page.click("#link")
    viewer.wait_for(lambda: re.search(r"time=1\.[45]", viewer.page.url), "its link")
