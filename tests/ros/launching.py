"""Carries out launch files without ROS 2's `launch`, which no wheel on PyPI has: as much of it as skidpad's launch files use.

As there, an included file sees the arguments of the one that includes it, and what it is given stays set afterwards.
"""

import contextlib
import importlib.util
import sys
import types

import yaml

NAMES = {
    "launch": ["LaunchDescription"],
    "launch.actions": [
        "DeclareLaunchArgument", "EmitEvent", "ExecuteProcess", "GroupAction", "IncludeLaunchDescription", "LogInfo", "OpaqueFunction",
        "RegisterEventHandler", "SetEnvironmentVariable", "TimerAction",
    ],
    "launch.conditions": ["IfCondition", "UnlessCondition"],
    "launch.event_handlers": ["OnProcessExit", "OnProcessStart", "OnShutdown"],
    "launch.events": ["Shutdown"],
    "launch.launch_description_sources": ["PythonLaunchDescriptionSource"],
    "launch.substitutions": ["LaunchConfiguration", "PathJoinSubstitution", "PythonExpression", "TextSubstitution"],
    "launch_ros": [],
    "launch_ros.actions": ["Node", "PushRosNamespace", "SetParameter"],
}


class Thing:
    """Any action of a launch file: records its arguments."""

    def __init__(self, *values, **named):
        self.values, self.named = values, named

    def __getattr__(self, name):
        try:
            return self.__dict__["named"][name]
        except KeyError:
            raise AttributeError(name) from None


class LaunchConfiguration(Thing):
    def perform(self, context):
        name = self.values[0]
        if name not in context.launch_configurations:
            raise RuntimeError(f"launch configuration '{name}' does not exist")
        return context.launch_configurations[name]


class DeclareLaunchArgument(Thing):
    @property
    def name(self):
        return self.values[0]


@contextlib.contextmanager
def instead_of_launch():
    """Puts the modules in the place of launch and launch_ros."""
    own = {"LaunchConfiguration": LaunchConfiguration, "DeclareLaunchArgument": DeclareLaunchArgument}
    before = {name: sys.modules.get(name) for name in NAMES}
    for module, names in NAMES.items():
        sys.modules[module] = types.ModuleType(module)
        for name in names:
            setattr(sys.modules[module], name, own.get(name) or type(name, (Thing,), {}))
    try:
        yield
    finally:
        for name, module in before.items():
            sys.modules.pop(name)
            if module is not None:
                sys.modules[name] = module


class Launched:
    """Result of executing a launch file: nodes, messages, and actions at shutdown."""

    def __init__(self, file, arguments):
        self.launch_configurations = dict(arguments)
        self.nodes, self.messages, self.at_shutdown = [], [], []
        with instead_of_launch():
            self.include(file, arguments)

    def include(self, file, arguments):
        self.launch_configurations.update({name: self.text(value) for name, value in dict(arguments).items()})
        spec = importlib.util.spec_from_file_location("launch_file", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        self.carry_out(module.generate_launch_description().values[0])

    def text(self, value):
        if isinstance(value, (list, tuple)):
            return "".join(self.text(part) for part in value)
        return value.perform(self) if isinstance(value, LaunchConfiguration) else value

    def carry_out(self, actions):
        for action in actions or []:
            condition = action.named.get("condition")
            if condition is not None and self.text(condition.values[0]).lower() not in ("true", "1"):
                continue
            getattr(self, "do_" + type(action).__name__)(action)

    def do_DeclareLaunchArgument(self, argument):
        name = argument.values[0]
        if name not in self.launch_configurations:
            if "default_value" not in argument.named:
                raise RuntimeError(f"launch argument {name} is missing")
            self.launch_configurations[name] = self.text(argument.default_value)

    def do_OpaqueFunction(self, action):
        self.carry_out(action.function(self))

    def do_IncludeLaunchDescription(self, action):
        self.include(self.text(action.values[0].values[0]), action.named.get("launch_arguments", ()))

    def do_LogInfo(self, action):
        self.messages.append(self.text(action.msg))

    def do_RegisterEventHandler(self, action):
        if type(action.values[0]).__name__ == "OnShutdown":
            self.at_shutdown += action.values[0].on_shutdown

    def do_Node(self, node):
        described = {name: self.text(value) if isinstance(value, LaunchConfiguration) else value for name, value in node.named.items()}
        self.nodes.append(described)

    def shut_down(self):
        self.carry_out(self.at_shutdown)


def command_line(program, node):
    """How launch_ros starts a node."""
    words = [str(program), *node.get("arguments", []), "--ros-args", "-r", f"__ns:=/{node.get('namespace') or ''}"]
    for parameters in node.get("parameters", []):
        if isinstance(parameters, dict):
            for name, value in parameters.items():
                text = value if isinstance(value, str) else yaml.safe_dump(value, default_flow_style=True).removesuffix("\n...\n").strip()
                words += ["-p", f"{name}:={text}"]
        else:
            words += ["--params-file", str(parameters)]
    for remap in node.get("remappings", []):
        words += ["-r", ":=".join(remap)]
    return words
