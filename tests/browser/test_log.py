"""The log: what was wrong with the world, and what has happened since."""

import pytest

LOST = """<mvsim_world version="1.0">
  <block name="crate">
    <mass>3</mass> <zmin>0</zmin> <zmax>0.4</zmax>
    <shape> <pt>-0.3 -0.3</pt> <pt>-0.3 0.3</pt> <pt>0.3 0.3</pt> <pt>0.3 -0.3</pt> </shape>
    <visual> <model_uri>gone.dae</model_uri> </visual>
    <init_pose>1 0 0</init_pose>
  </block>
  <vehicle name="robot">
    <dynamics class="differential">
      <l_wheel pos="0 0.2" mass="1" width="0.05" diameter="0.2"/>
      <r_wheel pos="0 -0.2" mass="1" width="0.05" diameter="0.2"/>
      <chassis mass="10" zmin="0.05" zmax="0.3"/>
      <controller class="twist_pid"><KP>10</KP><KI>0</KI><KD>0</KD><max_torque>5</max_torque></controller>
    </dynamics>
    <init_pose>0 0 0</init_pose>
  </vehicle>
</mvsim_world>
"""
pytestmark = [pytest.mark.node(world=LOST), pytest.mark.together("all")]


def entries(viewer):
    return viewer.page.locator("#log li .words").all_inner_texts()


def test_files_that_are_not_there_are_counted_and_logged(node, look):
    # A page whose log nobody has opened yet.
    viewer = look(node.link)
    assert viewer.ask("skidpad.view.stats.missing") == ["gone.dae"]
    viewer.page.locator("#log-button .badge").wait_for()
    viewer.page.click("#log-button")
    viewer.wait_for(lambda: any("gone.dae" in text for text in entries(viewer)), "the warning of the world")
    viewer.page.locator("#log-button .badge").wait_for(state="hidden")
    viewer.page.click("#shows")
    viewer.page.get_by_text("Not found, shown as crossed boxes or plain shapes, or not at all: 1").wait_for()


def test_what_happens_is_logged(viewer):
    with viewer.held("w"):
        viewer.until("skidpad.store.value('colliding') > 0", "the robot to reach the crate")
    viewer.page.keyboard.press("p")
    viewer.until("skidpad.store.running.paused", "the pause")
    viewer.page.click("#log-button")
    viewer.wait_for(lambda: {"robot: collision", "Paused"} <= set(entries(viewer)), "both")
    viewer.page.locator("#log").get_by_text("Warnings only").click()
    viewer.wait_for(lambda: "Paused" not in entries(viewer), "only warnings")
    assert "robot: collision" in entries(viewer)
    viewer.page.locator("#log").get_by_role("button", name="Clear").click()
    viewer.page.get_by_text("Nothing yet.").wait_for()
    viewer.page.locator("#log").get_by_role("button", name="Close").focus()
    viewer.page.keyboard.press("Escape")
    assert not viewer.page.locator("#log").is_visible()


def test_the_speed_of_time_has_a_graph_with_a_scale(viewer):
    viewer.page.click("#pace")
    graph = viewer.page.get_by_role("img", name="Real-time factor over time")
    viewer.wait_for(lambda: graph.locator("text").count() >= 2 and graph.locator(".pace-line").get_attribute("d"), "the graph")
