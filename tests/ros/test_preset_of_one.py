"""A preset with the names of one vehicle: what would bring a second one is refused."""

import pytest

pytest.importorskip("simulation_interfaces", reason="built without simulation_interfaces")

from simulation_interfaces import msg  # noqa: E402

from test_simulation_interfaces import FAILED, OK, ONE_CRATE, VERSION, Control  # noqa: E402


def test_a_preset_of_one_vehicle_has_no_topics_for_a_second_one(simulate, peer):
    # The option of `run` comes before the parameter of the same name.
    simulate(ros_args=("-p", "preset:=mvsim"), args=("--preset", "racecar_gazebo"))
    control = Control(peer)
    world = '<mvsim_world version="1.0">{}</mvsim_world>'
    car = '<vehicle name="{}"><init_pose>{} 9 0</init_pose><dynamics class="differential"/></vehicle>'
    source = {"entity_resource": msg.Resource(resource_string=car.format("r2", 5))} if VERSION == 2 else {"resource_string": car.format("r2", 5)}
    refused = control.expect(FAILED, "spawn_entity", name="r2", **source).result.error_message
    assert refused == (
        'spawn: "r2" would have no topics: those of the preset "racecar_gazebo" belong to "racecar"\n'
        "  accepted: one vehicle, and any blocks\n  hint: delete the other vehicle first, or start the node without that preset")
    assert "r2" not in control.names()
    assert control.spawn(text=ONE_CRATE) == "lone"
    control.expect(OK, "delete_entity", entity="racecar")
    assert control.spawn(text=car.format("r2", 5)) == "r2"
    for count in (2, 1):
        text = world.format("".join(car.format(f"a{number}", number) for number in range(count)))
        if count == 2:
            source = {"world_resource": msg.Resource(resource_string=text)} if VERSION == 2 else {"resource_string": text}
            refused = control.expect(FAILED, "load_world", **source).result.error_message
            assert refused.startswith('world: has 2 vehicles, but the preset "racecar_gazebo" has topics for only one\n  accepted: a world with one vehicle\n')
            assert "r2" in control.names()
        else:
            control.load(text=text)
            assert control.names() == ["a0"]
