"""A second recording beside the first: a ghost in the scene and in the list, its numbers beside those of the vehicle, and the top bar that says
which recording it is."""

import subprocess

import pytest
from playwright.sync_api import expect
from running import BINARY

WORLD = """<mvsim_world version="1.0">
  <vehicle name="r1"><init_pose>0 0 0</init_pose><dynamics class="differential"><controller class="twist_ideal"/></dynamics></vehicle>
</mvsim_world>
"""


@pytest.fixture
def recorded(tmp_path):
    """Two runs of one robot, of 4 s with 1 m/s and of 3 s with 0.5 m/s."""
    (tmp_path / "w.world.xml").write_text(WORLD)
    for name, speed, duration in (("fast", 1.0, 4), ("slow", 0.5, 3)):
        (tmp_path / f"{name}.csv").write_text(f"time,vehicle,v,omega\n0,r1,{speed},0\n")
        command = ["run", "w.world.xml", "--headless", "--no-ros", "--rate", "max", "--duration", str(duration), "--seed", "7"]
        command += ["--commands", f"{name}.csv", "--record", f"{name}.mcap"]
        subprocess.run([BINARY, *command], cwd=tmp_path, check=True, timeout=60)
    return tmp_path


def test_a_ghost_goes_along(recorded, replay, look):
    program = replay(recorded / "fast.mcap", ["--ghost", str(recorded / "slow.mcap"), "--paused"])
    viewer = look(program.link)
    viewer.until("skidpad.store.sample !== undefined && skidpad.store.vehicle !== undefined", "a state")
    assert viewer.ask("skidpad.store.vehicle.name") == "r1", "the ghost is not selected"
    names = viewer.page.locator("#vehicles .row .name")
    expect(names).to_have_text(["r1", "slow.mcap"])
    # Both began at the same place; 2 s after that they are 1 m apart.
    viewer.page.evaluate("location.hash = 'time=2.02'")
    viewer.until("Math.abs(skidpad.store.sample.time - 2.02) < 0.03", "the instant")
    assert viewer.ask("skidpad.store.ghostDistance") == pytest.approx(1.0, abs=0.03)
    cells = viewer.page.locator("#inspector .cell:visible")
    expect(cells.filter(has_text="Ghost's speed").locator(".value")).to_have_text("0.50")
    expect(viewer.page.locator('.plot[data-plot="ghost"]')).to_be_visible()
    expect(viewer.page.locator(".labels > span:visible").filter(has_text="slow.mcap")).to_have_count(1)
    # It cannot be selected, in the list or by keys.
    names.nth(1).click()
    viewer.page.keyboard.press("]")
    assert viewer.ask("skidpad.store.vehicle.name") == "r1"
    # The end of the shorter one is told, and shown in the list.
    viewer.page.evaluate("location.hash = 'time=3.5'")
    expect(viewer.page.locator("#toasts")).to_contain_text("slow.mcap ends here: its ghost stands")
    expect(viewer.page.locator("#vehicles .row").nth(1)).to_contain_text("ended")
    assert viewer.ask("skidpad.store.ghostValue('vx')") == 0, "what stands has no speed"
    assert viewer.ask("skidpad.store.ghostValue('x')") == pytest.approx(1.5, abs=0.03)


def test_the_bar_says_which_recording_it_is(recorded, replay, look):
    viewer = look(replay(recorded / "fast.mcap", ["--paused"]).link)
    button = viewer.page.locator("#recording")
    expect(button).to_contain_text("fast.mcap")
    expect(button).to_contain_text("seed 7")
    button.click()
    expect(viewer.page.locator(".facts")).to_contain_text("skidpad run w.world.xml")
    viewer.page.keyboard.press("Escape")
    expect(viewer.page.locator(".facts")).to_be_hidden()


def test_the_bar_of_a_run_without_a_recording_says_nothing(viewer):
    expect(viewer.page.locator("#recording")).to_be_hidden()
