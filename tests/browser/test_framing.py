"""What a camera shows, the next one shows too."""

import math

import pytest

CORRIDOR = """<mvsim_world version="1.0">
  <walls>
    <shape>
      <pt>-2 -12</pt> <pt>2 -12</pt>
      <pt>2 -12</pt> <pt>2 12</pt>
      <pt>2 12</pt> <pt>-2 12</pt>
      <pt>-2 12</pt> <pt>-2 -12</pt>
    </shape>
    <wallThickness>0.1</wallThickness>
    <wallHeight>0.5</wallHeight>
  </walls>
  <vehicle name="robot">
    <dynamics class="differential">
      <l_wheel pos="0 0.2" mass="1" width="0.05" diameter="0.2"/>
      <r_wheel pos="0 -0.2" mass="1" width="0.05" diameter="0.2"/>
      <chassis mass="10" zmin="0.05" zmax="0.3"/>
      <controller class="twist_pid"><KP>10</KP><KI>0</KI><KD>0</KD><max_torque>5</max_torque></controller>
    </dynamics>
    <init_pose>0 0 90</init_pose>
  </vehicle>
</mvsim_world>
"""
pytestmark = [pytest.mark.node(world=CORRIDOR), pytest.mark.together("all")]


def free(viewer):
    """The part of the page that shows the world: left, right, top, bottom [px]."""
    left, right, bar, below = (viewer.page.locator(panel).bounding_box() for panel in ("#left", "#inspector", "#bar", "#viewbar"))
    return left["x"] + left["width"], right["x"], bar["y"] + bar["height"], below["y"]


def test_from_the_top_nothing_is_cut_that_orbit_showed(viewer):
    viewer.look("top")
    left, right, top, bottom = free(viewer)
    for x in (-2, 2):
        for y in (-12, 12):
            across, down = viewer.page_at(x, y)
            assert left < across < right and top < down < bottom, (x, y, across, down)
    # And it is not smaller than it has to be.
    height = viewer.page_at(0, -12)[1] - viewer.page_at(0, 12)[1]
    assert height > 0.7 * (bottom - top)


def test_back_in_orbit_the_camera_is_where_it_was(viewer):
    viewer.drag((600, 400), (680, 380))
    viewer.settle()
    before = [viewer.ground_at(*at) for at in ((400, 400), (700, 500))]
    viewer.look("top")
    viewer.look("orbit")
    after = [viewer.ground_at(*at) for at in ((400, 400), (700, 500))]
    assert all(math.dist(old, new) < 0.01 for old, new in zip(before, after)), (before, after)
