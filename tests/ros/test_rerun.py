"""A recording of the node is made again by `skidpad rerun`, with what other nodes have done to it at the same steps: commands, spawned, moved and removed
bodies, and parameters that were set."""

import json
import signal
import subprocess

from ackermann_msgs.msg import AckermannDriveStamped
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from simulation_interfaces import msg, srv

from conftest import BINARY, OPEN, PATIENCE, WORLDS


BOX = "<block><mass>1</mass><shape><pt>-1 -1</pt><pt>1 -1</pt><pt>1 1</pt></shape></block>"


def change(peer):
    """Spawns a box, moves the car, sets noise and a gain, and removes the box."""

    def call(service, kind, **fields):
        answer = peer.call(kind, f"/skidpad/{service}", kind.Request(**fields))
        assert answer.result.result == msg.Result.RESULT_OK, answer.result

    def put(name, number):
        value = ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=number)
        request = SetParameters.Request(parameters=[Parameter(name=name, value=value)])
        [result] = peer.call(SetParameters, "/skidpad/set_parameters", request).results
        assert result.successful, result.reason

    # As version 2 of the interfaces has it, or version 1.
    is_new = hasattr(srv.SpawnEntity.Request(), "entity_resource")
    box = {"entity_resource": msg.Resource(resource_string=BOX)} if is_new else {"resource_string": BOX}
    call("spawn_entity", srv.SpawnEntity, name="box", **box)
    state = msg.EntityState()
    state.pose.position.x, state.pose.orientation.w, state.twist.linear.x = 3.0, 1.0, 0.3
    call("set_entity_state", srv.SetEntityState, entity="racecar", state=state, **({"set_pose": True, "set_twist": True} if is_new else {}))
    put("range_noise", 0.05)
    put("racecar.controller.kp", 0.3)
    call("delete_entity", srv.DeleteEntity, entity="box")


def rerun(path):
    """Exit status, and the result in the answer."""
    done = subprocess.run([BINARY, "rerun", path, "--json"], capture_output=True, text=True, timeout=PATIENCE)
    return done.returncode, json.loads(done.stdout)["result"]


def test_commands_of_another_node_act_again_at_their_steps(simulate, peer, tmp_path):
    world, recording = tmp_path / "w.world.xml", tmp_path / "a.mcap"
    text = OPEN.read_text().replace("../../worlds", str(WORLDS))
    world.write_text(text)
    simulator = simulate(world, args=("--record", recording), ros_args=("-p", "rate:=3.0"))
    truth = peer.listen(Odometry, "ground_truth")
    publisher = peer.publisher(AckermannDriveStamped, "ackermann_cmd")
    peer.spin_until(lambda: truth and peer.reaches(publisher), awaited="the simulator")
    for speed, angle in ((1.0, 0.2), (1 / 3, -0.1)):
        command = AckermannDriveStamped()
        command.drive.speed, command.drive.steering_angle = speed, angle
        publisher.publish(command)
        # The sign of the yaw rate tells it from the car's coming to rest after a command that is late.
        twist = lambda: truth[-1].twist.twist  # noqa: E731
        moves = lambda speed=speed, angle=angle: abs(twist().linear.x - speed) < 0.1 and twist().angular.z * angle > 0  # noqa: E731
        peer.spin_until(moves, awaited=f"{speed} m/s, {angle} rad")
    change(peer)
    seen = len(truth)
    peer.spin_until(lambda: len(truth) > seen + 10, awaited="motion after the changes")
    simulator.send(signal.SIGINT)
    assert simulator.wait() == 0
    assert b",racecar,0.3333333432674408,-0.10000000149011612" in recording.read_bytes(), "with all digits of the message's float32"
    status, result = rerun(recording)
    assert status == 0 and result["same"] and result["changed_files"] == [], result
    world.write_text(text.replace(">1 2 30<", ">1 2 31<"))
    status, result = rerun(recording)
    assert (status, result["same"], result["changed_files"]) == (1, False, [str(world)])
