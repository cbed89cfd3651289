"""ros2 service: list, type, call."""

import graph
import messages


def add_commands(commands):
    verbs = commands.add_parser("service", help="services: list, type, call").add_subparsers(dest="verb", metavar="VERB", required=True)
    verb = verbs.add_parser("list", help="names of all services")
    verb.add_argument("-t", "--show-types", action="store_true", help="with their types")
    verb.set_defaults(act=list_services)
    verb = verbs.add_parser("type", help="type of a service")
    verb.add_argument("name")
    verb.set_defaults(act=print_type)
    verb = verbs.add_parser("call", help="calls a service and prints the response")
    verb.add_argument("name")
    verb.add_argument("type")
    verb.add_argument("values", nargs="?", default="{}", help="fields of the request as YAML")
    verb.set_defaults(act=call)


def list_services(arguments):
    with graph.a_node() as node:
        for name, kinds in sorted(graph.settled(lambda: graph.services(node)).items()):
            print("{} [{}]".format(name, ", ".join(kinds)) if arguments.show_types else name)


def print_type(arguments):
    with graph.a_node() as node:
        print("\n".join(graph.wait_for(graph.absolute(arguments.name), "service", lambda: graph.services(node))))


def call(arguments):
    kind = messages.load(arguments.type, "srv")
    request = kind.Request()
    messages.fill(request, messages.parse(arguments.values, "values"), kind.__name__)
    name = graph.absolute(arguments.name)
    with graph.a_node() as node:
        client = node.create_client(kind, name)
        graph.wait_for_server(client.wait_for_service, name, lambda: graph.services(node))
        print("requester: making request: {}\n".format(messages.plain(request)), flush=True)
        response = graph.future_result(node, client.call_async(request), 60.0, name)
        print("response:\n{}".format(messages.plain(response)))
