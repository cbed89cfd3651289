"""ros2 param: list, get, set, describe, dump."""

import yaml
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import DescribeParameters, GetParameters, ListParameters, SetParameters
from rclpy.parameter import parameter_value_to_python

import graph
from problem import Problem, unknown

TYPES = {value: name[len("PARAMETER_"):].lower().replace("_", " ") for name, value in vars(ParameterType).items() if name.startswith("PARAMETER_")}


def add_commands(commands):
    verbs = commands.add_parser("param", help="parameters: list, get, set, describe, dump").add_subparsers(dest="verb", metavar="VERB", required=True)
    verb = verbs.add_parser("list", help="parameters of a node, or of all nodes")
    verb.add_argument("node", nargs="?")
    verb.set_defaults(act=list_parameters)
    verb = verbs.add_parser("get", help="value of a parameter")
    verb.add_argument("node")
    verb.add_argument("name")
    verb.add_argument("--hide-type", action="store_true", help="the value alone")
    verb.set_defaults(act=get)
    verb = verbs.add_parser("set", help="sets a parameter")
    verb.add_argument("node")
    verb.add_argument("name")
    verb.add_argument("value", help="as YAML")
    verb.set_defaults(act=set_parameter)
    verb = verbs.add_parser("describe", help="type, meaning and range of parameters")
    verb.add_argument("node")
    verb.add_argument("names", nargs="+")
    verb.set_defaults(act=describe)
    verb = verbs.add_parser("dump", help="all parameters of a node as a file of parameters")
    verb.add_argument("node")
    verb.set_defaults(act=dump)


def _ask(node, of, kind, service, request):
    """The response of a node's parameter service."""
    name = "{}/{}".format(graph.absolute(of), service)
    client = node.create_client(kind, name)

    def look():
        names = graph.nodes(node)
        if graph.absolute(of) not in names:
            raise unknown("node", graph.absolute(of), names)
        return graph.services(node)

    graph.wait_for_server(client.wait_for_service, name, look)
    return graph.future_result(node, client.call_async(request), 10.0, name)


def _names(node, of):
    return sorted(_ask(node, of, ListParameters, "list_parameters", ListParameters.Request()).result.names)


def _values(node, of, names):
    found = _ask(node, of, GetParameters, "get_parameters", GetParameters.Request(names=names)).values
    if len(found) != len(names) or any(value.type == ParameterType.PARAMETER_NOT_SET for value in found):
        known = _names(node, of)
        for name in names:
            if name not in known:
                raise unknown("parameter of " + of, name, known)
    return found


def list_parameters(arguments):
    with graph.a_node() as node:
        if arguments.node:
            print("\n".join("  " + name for name in _names(node, arguments.node)))
            return
        for of in graph.settled(lambda: graph.nodes(node)):
            if of + "/list_parameters" in graph.services(node):
                print("{}:\n{}".format(of, "\n".join("  " + name for name in _names(node, of))))


def get(arguments):
    with graph.a_node() as node:
        value = _values(node, arguments.node, [arguments.name])[0]
    shown = parameter_value_to_python(value)
    shown = list(shown) if TYPES[value.type].endswith("array") else shown
    print(shown if arguments.hide_type else "{} value is: {}".format(TYPES[value.type].capitalize(), shown))


def _typed(value, kind):
    """A value as a parameter of the type that it has now."""
    if kind == ParameterType.PARAMETER_DOUBLE and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if kind == ParameterType.PARAMETER_STRING and not isinstance(value, list):
        value = value if isinstance(value, str) else str(value)
    if isinstance(value, list):
        arrays = {bool: "bool_array", int: "integer_array", float: "double_array", str: "string_array"}
        items = [float(item) for item in value] if kind == ParameterType.PARAMETER_DOUBLE_ARRAY else value
        field = arrays.get(type(items[0]), "string_array") if items else "string_array"
        return ParameterValue(type=getattr(ParameterType, "PARAMETER_" + field.upper()), **{field + "_value": items})
    scalar = {bool: "bool", int: "integer", float: "double", str: "string"}.get(type(value))
    if scalar is None:
        raise Problem("value", "found {}".format(value), ["true, false, a number, a text or a list of them"])
    return ParameterValue(type=getattr(ParameterType, "PARAMETER_" + scalar.upper()), **{scalar + "_value": value})


def set_parameter(arguments):
    with graph.a_node() as node:
        now = _values(node, arguments.node, [arguments.name])[0]
        try:
            value = _typed(yaml.safe_load(arguments.value), now.type)
        except (yaml.YAMLError, AssertionError, TypeError, ValueError):
            raise Problem("value", "found {}".format(arguments.value), ["a value of type " + TYPES[now.type]]) from None
        request = SetParameters.Request(parameters=[Parameter(name=arguments.name, value=value)])
        result = _ask(node, arguments.node, SetParameters, "set_parameters", request).results[0]
    if not result.successful:
        raise Problem("Setting parameter failed", result.reason)
    print("Set parameter successful" + (": " + result.reason if result.reason else ""))


def describe(arguments):
    with graph.a_node() as node:
        _values(node, arguments.node, arguments.names)
        request = DescribeParameters.Request(names=arguments.names)
        found = _ask(node, arguments.node, DescribeParameters, "describe_parameters", request).descriptors
    for descriptor in found:
        print("Parameter name: {}\n  Type: {}".format(descriptor.name, TYPES[descriptor.type]))
        if descriptor.description:
            print("  Description: " + descriptor.description)
        print("  Constraints:")
        if descriptor.read_only:
            print("    Read only: true")
        for span in list(descriptor.floating_point_range) + list(descriptor.integer_range):
            print("    Min value: {}\n    Max value: {}".format(span.from_value, span.to_value))
        if descriptor.additional_constraints:
            print("    Additional constraints: " + descriptor.additional_constraints)


def dump(arguments):
    name = graph.absolute(arguments.node)
    with graph.a_node() as node:
        names = _names(node, name)
        values = [parameter_value_to_python(value) for value in _values(node, name, names)]
    tree = {}
    for key, value in zip(names, values):
        *path, last = key.split(".")
        place = tree
        for part in path:
            place = place.setdefault(part, {})
        place[last] = list(value) if not isinstance(value, (bool, int, float, str)) and value is not None else value
    print(yaml.safe_dump({name: {"ros__parameters": tree}}, sort_keys=True, default_flow_style=False, allow_unicode=True), end="")
