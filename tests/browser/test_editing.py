"""The world file is edited on the page, driven in, saved, and loaded again."""

import pytest

from running import WORLDS
from test_page import serious
from viewer import PHONE

WORLD = """<!-- A robot in a yard. -->
<mvsim_world version="1.0">
  <variable name="side" value="2"/>
  <walls>
    <shape>
      <pt>-6 -4</pt> <pt>6 -4</pt>
      <pt>6 -4</pt>  <pt>6 4</pt>
    </shape>
    <wallHeight>0.5</wallHeight>
  </walls>

  <block name="crate">  <!-- may be pushed -->
    <zmin>0</zmin> <zmax>0.4</zmax>
    <shape> <pt>-0.3 -0.3</pt> <pt>-0.3 0.3</pt> <pt>0.3 0.3</pt> <pt>0.3 -0.3</pt> </shape>
    <color>#c08040</color>
    <init_pose>2 -2 0.0</init_pose>
  </block>

  <include file="{vehicles}/diffbot.vehicle.xml"/>
  <vehicle name="robot" class="diffbot"> <init_pose>-3 0 0</init_pose> </vehicle>
  <vehicle name="other" class="diffbot"> <init_pose>${{side}} 2 180</init_pose> </vehicle>
</mvsim_world>
"""

BODIES = "[...skidpad.store.world.vehicles, ...skidpad.store.world.blocks]"


@pytest.fixture
def world(tmp_path):
    path = tmp_path / "yard.world.xml"
    path.write_text(WORLD.format(vehicles=WORLDS / "vehicles"))
    return path


@pytest.fixture
def edit(serve, look, world):
    """Opens the page of a node whose world may be edited, looks from the top, and begins to edit."""

    def start(path=world, **options):
        viewer = look(serve(path, args=["--edit", world.parent]).link, **options)
        viewer.wait_for(lambda: viewer.page.locator("#edit").count(), "the editor")
        if "viewport" not in options:
            # All of the world: the first picture has the vehicles.
            viewer.page.keyboard.press("h")
            viewer.settle()
            viewer.look("top")
            viewer.page.keyboard.press("e")
            viewer.page.wait_for_selector("#editor .fields")
            viewer.settle()
        return viewer

    return start


def names(viewer):
    return viewer.ask(f"{BODIES}.map(({{ name }}) => name)")


def is_there(viewer, name, awaited):
    viewer.until(f"{BODIES}.some(({{ name }}) => name === '{name}')", awaited)


def is_at(viewer, name, x, y):
    """Waits until a block starts there, as the scene says."""
    block = f"skidpad.store.world.blocks.find(({{ name }}) => name === '{name}')"
    viewer.until(f"Math.hypot({block}?.pose[0] - ({x}), {block}?.pose[1] - ({y})) < 0.05", f"{name} at {x}, {y}")


def choose(viewer, name, x, y):
    viewer.page.mouse.click(*viewer.page_at(x, y))
    viewer.wait_for(lambda: viewer.page.locator("#edit-chosen").input_value() == name, f"{name} to be chosen")
    viewer.page.wait_for_selector("#editor .fields")


def field(viewer, key, value):
    """Fills a field of the chosen body."""
    viewer.page.fill(f"#editor [data-key='{key}']", value)
    viewer.page.keyboard.press("Enter")


def test_a_world_is_edited_driven_in_saved_and_loaded_again(edit, serve, look, world):
    viewer = edit()
    page = viewer.page
    assert viewer.ask("skidpad.store.running.paused")
    offered = page.locator("#edit-add option").all_inner_texts()
    assert offered == ["Add…", "diffbot", "box", "cylinder", "ramp"]
    # Dragged, and the rest of the line stays as it is written.
    choose(viewer, "crate", 2, -2)
    viewer.drag(viewer.page_at(2, -2), viewer.page_at(0, -1))
    is_at(viewer, "crate", 0, -1)
    page.wait_for_selector("#editor [data-key=size0]")
    field(viewer, "size0", "1.2")
    viewer.until("skidpad.store.world.blocks.some(({ outline }) => Math.max(...outline.map(([x]) => x)) === 0.6)", "a longer crate")
    page.wait_for_selector("#editor [data-key='own:color']")
    page.locator("#editor [data-key='own:color']").fill("#ff0000")
    viewer.wait_for(lambda: "not saved" in page.locator("#editor .kind").first.inner_text(), "a note that it is not saved")
    # Added, turned by its field, and removed by a key.
    page.select_option("#edit-add", label="diffbot")
    is_there(viewer, "diffbot", "another robot")
    page.wait_for_selector("#editor [data-key=pose2]")
    viewer.until("skidpad.store.vehicle.name === 'diffbot'", "list and ring to follow it")
    page.select_option("#edit-add", label="ramp")
    is_there(viewer, "ramp", "a ramp")
    viewer.wait_for(lambda: page.locator("#edit-chosen").input_value() == "ramp", "the ramp to be chosen")
    page.wait_for_selector("#editor .fields")
    page.keyboard.press("Delete")
    viewer.until(f"!{BODIES}.some(({{ name }}) => name === 'ramp')", "no ramp")
    # Walls, whose points snap.
    page.click("#edit-walls")
    for point in ((-5, 2), (-3, 2.02), (-3, 3)):
        page.mouse.click(*viewer.page_at(*point))
        viewer.let_pass(0.1)
    page.keyboard.press("Enter")
    is_there(viewer, "wall_0004", "two walls more")
    page.keyboard.press("Control+z")
    viewer.until(f"!{BODIES}.some(({{ name }}) => name === 'wall_0004')", "none of them")
    page.keyboard.press("Control+y")
    is_there(viewer, "wall_0004", "both again")
    # Driven in.
    page.click("#edit-done")
    viewer.until("!skidpad.store.running.paused", "time to go on")
    robot = names(viewer).index("robot")
    viewer.ask("skidpad.store.select(values[0])", robot)
    with viewer.held("w"):
        viewer.until("skidpad.store.value('vx') > 0.3", "the robot to drive")
    page.keyboard.press("e")
    page.wait_for_selector("#editor .fields")
    # The last states of the drive may come after the editor.
    viewer.until("skidpad.store.running?.paused === true", "time to stand")
    seen: list[float] = []

    def stands():
        seen.append(viewer.value("x"))
        return len(seen) > 15 and len(set(seen[-15:])) == 1

    viewer.wait_for(stands, "the robot to stand")
    # It stays where it has gone to, whatever else is edited.
    where, time = viewer.value("x"), viewer.ask("skidpad.store.running.time")
    assert time > 0
    page.wait_for_selector("#edit-elsewhere")
    page.select_option("#edit-add", label="cylinder")
    is_there(viewer, "cylinder", "a cylinder")
    page.keyboard.press("Control+z")
    viewer.until(f"!{BODIES}.some(({{ name }}) => name === 'cylinder') && skidpad.store.value('x') !== undefined", "no cylinder")
    assert abs(viewer.value("x") - where) < 0.01 and viewer.ask("skidpad.store.running.time") >= time
    page.select_option("#edit-chosen", label="robot")
    page.click("#edit-back")
    viewer.until("Math.abs(skidpad.store.value('x') + 3) < 0.01", "the robot at its start")
    page.wait_for_selector("#edit-elsewhere", state="hidden")
    page.keyboard.press("Control+s")
    viewer.wait_for(lambda: "not saved" not in page.locator("#editor .kind").first.inner_text(), "it to be saved")
    saved, before = world.read_text(), WORLD.format(vehicles=WORLDS / "vehicles")
    changed = [line for line in before.splitlines() if line not in saved.splitlines()]
    assert [line.strip().split(">")[0] for line in changed] == ["<shape", "<color", "<init_pose"], saved
    assert "<color>#ff0000</color>" in saved and "      <pt>-5 2</pt> <pt>-3 2</pt>\n      <pt>-3 2</pt> <pt>-3 3</pt>\n" in saved
    assert '<vehicle name="diffbot" class="diffbot">' in saved and "ramp" not in saved
    # Loaded again.
    again = look(serve(world).link)
    assert sorted(names(again)) == sorted(names(viewer))
    is_at(again, "crate", 0, -1)
    assert again.page.locator("#edit").count() == 0, "without leave nobody edits"


def test_expressions_are_overwritten_on_confirmation_only(edit, world):
    viewer = edit()
    choose(viewer, "other", 2, 2)
    viewer.drag(viewer.page_at(2, 2), viewer.page_at(1, 1))
    viewer.page.get_by_role("button", name="Leave it").click()
    viewer.let_pass(0.3)
    assert viewer.page.locator("#edit-undo").is_disabled()
    viewer.drag(viewer.page_at(2, 2), viewer.page_at(1, 1))
    viewer.page.click("#edit-overwrite")
    viewer.wait_for(lambda: viewer.page.locator("#edit-undo").is_enabled(), "the edit")
    viewer.page.click("#edit-save")
    viewer.page.fill("#edit-name", "new")
    viewer.page.keyboard.press("Enter")
    new = world.parent / "new.world.xml"
    viewer.wait_for(new.exists, "a new file")
    pose = new.read_text().split('name="other" class="diffbot"> <init_pose>')[1].split("<")[0].split()
    assert [round(float(number), 1) for number in pose] == [1, 1, 180] and pose[2] == "180"
    assert world.read_text() == WORLD.format(vehicles=WORLDS / "vehicles"), "the world's own file stays"


def test_a_world_is_begun_in_a_new_file(edit, world):
    viewer = edit()
    page = viewer.page
    assert page.locator("#edit-grid option").all_inner_texts()[1:] == ["0.05 m", "0.1 m", "0.25 m", "0.5 m", "1 m", "None"]
    page.select_option("#edit-grid", label="0.5 m")
    viewer.wait_for(lambda: page.locator("#grid").inner_text() == "grid 50 cm", "its lines")
    page.select_option("#edit-add", label="box")
    is_there(viewer, "box", "a box")
    x, y = viewer.ask("skidpad.store.world.blocks.find(({ name }) => name === 'box').pose.slice(0, 2)")
    assert (2 * x) % 1 == 0 and (2 * y) % 1 == 0, "on the lines"

    def begin(name):
        page.click("#edit-new")
        page.fill("#edit-new-name", name)
        page.keyboard.press("Enter")

    begin("fresh")
    page.get_by_role("button", name="Keep editing").click()
    assert not (world.parent / "fresh.world.xml").exists()
    begin("fresh")
    page.get_by_role("button", name="Lose them").click()
    viewer.until("skidpad.store.world.vehicles.length === 1 && skidpad.store.vehicle.name === 'robot'", "the robot of the new world")
    viewer.wait_for(lambda: "Wrote fresh.world.xml" in page.locator("body").inner_text(), "the page to say so")
    assert (world.parent / "fresh.world.xml").exists() and page.locator("#editor .kind").first.inner_text() == "fresh.world.xml"
    assert world.read_text() == WORLD.format(vehicles=WORLDS / "vehicles")
    page.select_option("#edit-add", label="robot")
    is_there(viewer, "robot_2", "another robot")


def test_walls_can_be_chosen_and_dragged(edit, world):
    viewer = edit()
    choose(viewer, "wall_0001", 0, -4)
    viewer.drag(viewer.page_at(0, -4), viewer.page_at(0, -3))
    is_at(viewer, "wall_0001", 0, -3)
    viewer.page.keyboard.press("Control+s")
    viewer.wait_for(lambda: world.read_text() != WORLD.format(vehicles=WORLDS / "vehicles"), "it to be saved")
    ends = world.read_text().split("<shape>")[1].split("\n")[1].replace("<pt>", "").replace("</pt>", "").split()
    assert [round(float(number), 1) for number in ends] == [-6, -3, 6, -3]


def test_on_a_phone_the_editor_is_a_sheet(edit):
    viewer = edit(viewport=PHONE, has_touch=True)
    page = viewer.page
    page.click(".tab-viewbar")
    page.click("#edit")
    page.wait_for_selector("#editor .fields")
    assert page.locator(".tab-editor").is_visible() and not page.locator(".tab-inspector").is_visible()
    assert serious(viewer) == []
    page.click("#edit-done")
    viewer.wait_for(lambda: not page.locator("#editor").is_visible(), "the sheet to close")
