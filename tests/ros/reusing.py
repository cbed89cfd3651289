"""Simulators that tests use one after another: each test is given a world and parameters of its own by the services of a running one.

Tests that look at a start, at arguments or at an end have a process of their own (`simulate` in conftest.py).
"""

import pathlib

from rcl_interfaces.msg import Parameter, ParameterValue
from rcl_interfaces.srv import GetParameters, ListParameters, SetParameters

from std_srvs.srv import SetBool

from running import RACECAR, Peer, Simulator

try:
    from simulation_interfaces import msg, srv
except ImportError:
    # Without it no world can be loaded, and each test has a process of its own.
    srv = None

STOPPED, OK = 0, 1
# Worlds may be anywhere, as they may for a process of a test's own.
ANYWHERE = ("-p", "load_folders:=/")


def parameter(name, value):
    """A parameter with this value."""
    for kind, number, field in ((bool, 1, "bool_value"), (int, 2, "integer_value"), (float, 3, "double_value"), (str, 4, "string_value")):
        if isinstance(value, kind):
            return Parameter(name=name, value=ParameterValue(type=number, **{field: value}))
    raise TypeError(f"{name}: {value!r}")


class Reused(Simulator):
    """A running simulator, and a peer of its own that prepares it for each test."""

    # Where the log of the present test begins: before its world is loaded.
    begin = 0

    def __init__(self, domain, log, world, setting):
        ros_args, args, environment = setting
        self.world, self.setting, self.clients = world, setting, {}
        super().__init__(domain, log, world, ("-p", "paused:=true", *ros_args), args, environment)
        self.keeper = Peer(domain, "keeper")
        try:
            names = self.call(ListParameters, "list_parameters").result.names
            # Those of vehicles come and go with the world.
            self.usual = self.parameters([name for name in names if "." not in name or name.startswith("tracker.")])
        except BaseException:
            self.stop()
            raise

    @property
    def log(self):
        return self.log_path.read_bytes()[self.begin :].decode(errors="replace")

    @property
    def is_running(self):
        return self.process.poll() is None

    def call(self, kind, service, **fields):
        """The answer of a service of the node."""
        if service not in self.clients:
            client = self.clients[service] = self.keeper.node.create_client(kind, f"/skidpad/{service}")
            self.keeper.spin_until(client.service_is_ready, awaited=service)
            self.keeper.introduce(client.srv_name)
        future = self.clients[service].call_async(kind.Request(**fields))
        self.keeper.spin_until(future.done, awaited=f"the answer of {service}")
        return future.result()

    def parameters(self, names):
        """The values of these parameters, by name."""
        return dict(zip(names, self.call(GetParameters, "get_parameters", names=names).values))

    def set(self, parameters):
        results = self.call(SetParameters, "set_parameters", parameters=parameters).results if parameters else ()
        assert all(result.successful for result in results), results

    def is_in(self, world):
        """Whether it still has the world with which it was started."""
        if world != self.world:
            return False
        answer = self.call(srv.GetCurrentWorld, "get_current_world")
        uri = answer.world.world_resource.uri if hasattr(answer.world, "world_resource") else answer.world.uri
        return answer.result.result == OK and uri == pathlib.Path(world).resolve().as_uri()

    def command_subscriptions(self):
        """Identities of the subscriptions to commands for the vehicles of the present world."""
        node = self.keeper.node
        endpoints = [endpoint for topic, _ in node.get_topic_names_and_types() for endpoint in node.get_subscriptions_info_by_topic(topic)]
        return {bytes(endpoint.endpoint_gid) for endpoint in endpoints if endpoint.node_name.startswith("_skidpad_commands")}

    def load(self, world):
        Peer.ending |= self.command_subscriptions()
        uri = pathlib.Path(world).resolve().as_uri() if isinstance(world, pathlib.Path) else world
        resource = {"world_resource": msg.Resource(uri=uri)} if hasattr(srv.LoadWorld.Request(), "world_resource") else {"uri": uri}
        answer = self.call(srv.LoadWorld, "load_world", **resource)
        assert answer.result.result == OK, answer.result.error_message

    def play(self, parameters):
        """Lets time go on from the start of the world, with these parameters."""
        self.set([parameter(name, value) for name, value in parameters.items()])
        answer = self.call(SetBool, "pause", data=False)
        assert answer.success, answer.message

    def stand(self):
        """Stops time, with the parameters of the start."""
        now = self.parameters(list(self.usual))
        self.set([Parameter(name=name, value=value) for name, value in self.usual.items() if now[name] != value])
        self.call(srv.SetSimulationState, "set_simulation_state", state=msg.SimulationState(state=STOPPED))

    def stop(self):
        self.keeper.close()
        super().stop()


class Pool:
    """The simulator that tests have in common: another takes its place where a test needs other arguments."""

    def __init__(self, domain, folder):
        self.domain, self.folder, self.started, self.present = domain, folder, 0, None

    def take(self, world=RACECAR, ros_args=ANYWHERE, args=(), environment=(), **parameters):
        """A simulator with these arguments, in the world and with the parameters; a parameter with a point in its name is given in `ros_args`."""
        setting = (tuple(map(str, ros_args)), tuple(map(str, args)), tuple(sorted(dict(environment).items())))
        present = self.present
        if srv is None or present is None or not present.is_running or present.setting != setting:
            self.stop()
            self.started += 1
            self.present = Reused(self.domain, self.folder / f"skidpad{self.started}.log", world, setting)
        else:
            present.begin = present.log_path.stat().st_size
            # A world that has got its variables from arguments is not loaded again: it was reset.
            if ros_args == ANYWHERE or not present.is_in(world):
                present.load(world)
        self.present.play(parameters)
        return self.present

    def stand(self, has_failed):
        """After a test: what has failed is not used again."""
        if self.present is None:
            return
        print(self.present.log)
        if has_failed or srv is None or not self.present.is_running:
            self.stop()
        else:
            self.present.stand()

    def stop(self):
        if self.present is not None:
            self.present.stop()
            self.present = None
