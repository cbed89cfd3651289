"""Losing the server and finding it again, tokens, and pages that may only watch."""

import json
import urllib.error
import urllib.request

import pytest
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock

from viewer import GONE, free_port

TOKEN = "0123456789abcdef"


def test_a_page_finds_the_next_server_at_the_same_port(serve, look, peer):
    port = free_port()
    node = serve(port=port)
    viewer = look(node.link)
    viewer.allow(GONE)
    run = viewer.ask("skidpad.store.server.run")
    node.stop()
    viewer.until("skidpad.store.current.is === 'lost'", "the page to notice")
    viewer.page.get_by_text("Connection lost").wait_for()
    clock = peer.listen(Clock, "/clock")
    serve(port=port)
    viewer.until("skidpad.store.current.is === 'live' && skidpad.store.sample !== undefined", "the page to find it")
    assert viewer.ask("skidpad.store.server.run") != run
    assert viewer.page.get_by_text("Connection lost").count() == 0
    time = viewer.ask("skidpad.store.sample.time")
    viewer.until(f"skidpad.store.sample.time > {time}", "time to go on")
    viewer.wait_for(lambda: clock, "the clock of the next node")


def test_a_page_without_the_token_sees_nothing_until_it_is_given(serve, look):
    node = serve(args=["--web-token", TOKEN])
    assert node.link.endswith(f"#token={TOKEN}")
    viewer = look()
    viewer.allow(r"WebSocket connection to .* failed|401")
    viewer.page.goto(node.link.replace(TOKEN, "wrong"))
    viewer.page.get_by_text("A token is needed").wait_for()
    assert viewer.ask("skidpad.store.world === undefined")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(node.link.split("#")[0] + "api/scene")
    assert refused.value.code == 401 and "error" in json.load(refused.value)
    viewer.page.fill("#token", TOKEN)
    viewer.page.get_by_role("button", name="Connect").click()
    viewer.until("skidpad.store.current.is === 'live' && skidpad.store.sample !== undefined", "the world")
    other = look(node.link)
    assert "token" not in other.page.url, "nobody reads it over the shoulder"
    other.page.click("#link")
    other.wait_for(lambda: "camera=" in other.page.url, "the link")
    assert "token" not in other.page.url and TOKEN not in other.page.url


def test_a_page_that_may_only_watch_moves_nothing(serve, look, peer):
    truth = peer.listen(Odometry, "car/ground_truth")
    viewer = look(serve(args=["--web-read-only"]).link)
    viewer.page.locator("#locked").wait_for()
    viewer.wait_for(lambda: truth, "odometry")
    viewer.page.keyboard.press("p")
    with viewer.held("w"):
        viewer.let_pass(1)
    assert viewer.ask("skidpad.store.running.paused") is False
    assert abs(truth[-1].pose.pose.position.x + 3) < 0.01 and truth[-1].twist.twist.linear.x < 0.01
    order = urllib.request.Request(viewer.page.url.split("#")[0] + "api/orders", b'{"do": "pause"}', {"Content-Type": "application/json"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(order)
    assert refused.value.code == 403
