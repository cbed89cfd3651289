"""Vehicles and blocks come and go by services while a page looks on."""

import pytest

pytest.importorskip("simulation_interfaces", reason="built without simulation_interfaces")

from nav_msgs.msg import Odometry  # noqa: E402
from simulation_interfaces.srv import DeleteEntity, ResetSimulation, SpawnEntity  # noqa: E402

BOX = """<block name="box">
  <shape> <pt>-0.2 -0.2</pt> <pt>-0.2 0.2</pt> <pt>0.2 0.2</pt> <pt>0.2 -0.2</pt> </shape>
  <zmin>0</zmin> <zmax>0.4</zmax> <color>#c03030</color>
</block>"""


@pytest.fixture
def services(peer):
    """Calls that have things come and go: spawn(name, x, y, uri or text), delete(name). In the end all of that is undone."""

    class Services:
        def spawn(self, name, x, y, uri="", text=""):
            request = SpawnEntity.Request(name=name)
            # Version 2 of the package has them together.
            resource = getattr(request, "entity_resource", request)
            resource.uri, resource.resource_string = uri, text
            request.initial_pose.pose.position.x, request.initial_pose.pose.position.y = float(x), float(y)
            self.done(peer.call(SpawnEntity, "/skidpad/spawn_entity", request))

        def delete(self, name):
            self.done(peer.call(DeleteEntity, "/skidpad/delete_entity", DeleteEntity.Request(entity=name)))

        def done(self, answer):
            assert answer.result.result == 1, answer.result

    services = Services()
    yield services
    services.done(peer.call(ResetSimulation, "/skidpad/reset_simulation", ResetSimulation.Request(scope=ResetSimulation.Request.SCOPE_SPAWNED)))


@pytest.fixture
def viewer(viewer):
    viewer.page.get_by_role("option", name="robot").click()
    return viewer


def names(viewer):
    return [row.inner_text().split("\n")[0] for row in viewer.page.get_by_role("option").all() if row.is_visible()]


def until_named(viewer, *wanted):
    viewer.wait_for(lambda: names(viewer) == list(wanted), f"the list to be {wanted}")
    viewer.until(f"skidpad.store.world.vehicles.length === {len(wanted)} && skidpad.store.sample !== undefined", "a state of it")


def test_the_selected_vehicle_stays_selected_when_others_are_added_or_removed(viewer, services, peer):
    truth = peer.listen(Odometry, "guest/ground_truth")
    chosen = viewer.ask("skidpad.store.vehicle.id")
    rows = viewer.ask("skidpad.store.history.length")
    services.spawn("guest", 3, 0, uri="diffbot")
    until_named(viewer, "car", "robot", "guest")
    viewer.until("skidpad.view.project(2)?.visible", "the guest in the picture")
    # The one before it in the list leaves: its index is another one.
    services.delete("car")
    until_named(viewer, "robot", "guest")
    assert viewer.ask("[skidpad.store.vehicle.id, skidpad.store.selected]") == [chosen, 0]
    assert viewer.page.locator("#inspector h2").inner_text() == "robot"
    assert viewer.page.get_by_role("option", name="robot").get_attribute("aria-selected") == "true"
    viewer.until(f"skidpad.store.history.length > {rows}", "its plots to go on")
    # The newcomer can be chosen and driven like any other.
    viewer.page.get_by_role("option", name="guest").click()
    viewer.wait_for(lambda: truth, "odometry")
    with viewer.held("w"):
        viewer.wait_for(lambda: truth[-1].twist.twist.linear.x > 0.1, "the guest to drive")
    # Orders that are under way when it leaves are refused.
    viewer.allow("api/orders: 409")
    services.delete("guest")
    until_named(viewer, "robot")
    assert viewer.ask("skidpad.store.vehicle.name") == "robot", "who is left is chosen when the chosen one leaves"


def test_blocks_come_and_go_and_the_chosen_vehicle_stays(viewer, services):
    chosen = viewer.ask("skidpad.store.vehicle.id")
    blocks = "skidpad.store.world.blocks.map((block) => block.name).join()"
    before = viewer.ask("skidpad.view.stats.triangles")
    services.spawn("box", 0, -1, text=BOX)
    viewer.until(f"{blocks}.endsWith('box')", "the box")
    viewer.until(f"skidpad.view.stats.triangles > {before}", "the box in the picture")
    # It can be moved like those that were there at first.
    for key in ("g", "]", "]"):
        viewer.page.keyboard.press(key)
    assert viewer.page.locator("#carried select option:checked").inner_text() == "box"
    viewer.page.keyboard.press("Escape")
    services.delete("crate")
    viewer.until(f"!{blocks}.includes('crate')", "the crate to leave")
    services.delete("box")
    viewer.until(f"!{blocks}.includes('box')", "the box to leave")
    assert viewer.ask("skidpad.store.vehicle.id") == chosen


def test_a_carried_body_stays_carried_until_it_is_removed(viewer, services):
    for key in ("g", "ArrowUp", "ArrowLeft", "q"):
        viewer.page.keyboard.press(key)
    load = viewer.ask("skidpad.view.load")
    services.spawn("guest", 3, 0, uri="diffbot")
    until_named(viewer, "car", "robot", "guest")
    assert viewer.ask("skidpad.view.load") == load
    assert viewer.page.locator("#carried select option").all_inner_texts() == ["car", "robot", "guest", "crate"]
    assert viewer.page.locator("#carried select option:checked").inner_text() == "robot"
    services.delete("robot")
    until_named(viewer, "car", "guest")
    viewer.until("skidpad.view.load === undefined", "the hand to be empty")
    assert not viewer.page.locator("#carried").is_visible()
