"""ros2 node: list, info."""

import graph
from problem import unknown


def add_commands(commands):
    verbs = commands.add_parser("node", help="nodes: list, info").add_subparsers(dest="verb", metavar="VERB", required=True)
    verb = verbs.add_parser("list", help="names of all nodes")
    verb.add_argument("--no-daemon", action="store_true", help="accepted: there is no daemon here")
    verb.set_defaults(act=list_nodes)
    verb = verbs.add_parser("info", help="what a node publishes, subscribes to and offers")
    verb.add_argument("name")
    verb.set_defaults(act=info)


def list_nodes(_):
    with graph.a_node() as node:
        for name in graph.settled(lambda: graph.nodes(node)):
            print(name)


def info(arguments):
    name = graph.absolute(arguments.name)
    with graph.a_node() as node:
        names = graph.settled(lambda: graph.nodes(node))
        if name not in names:
            raise unknown("node", name, names)
        namespace, own = name.rsplit("/", 1)
        parts = {
            "Subscribers": node.get_subscriber_names_and_types_by_node,
            "Publishers": node.get_publisher_names_and_types_by_node,
            "Service Servers": node.get_service_names_and_types_by_node,
            "Service Clients": node.get_client_names_and_types_by_node,
        }
        print(name)
        for title, ask in parts.items():
            print("  {}:".format(title))
            for entry, kinds in graph.settled(lambda: ask(own, namespace or "/")):
                if not graph.is_hidden(entry):
                    print("    {}: {}".format(entry, ", ".join(kinds)))
