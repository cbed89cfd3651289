"""ros2 interface: show, list."""

import os

from problem import Problem, unknown

KINDS = ("msg", "srv", "action")


def add_commands(commands):
    verbs = commands.add_parser("interface", help="types of messages: show, list").add_subparsers(dest="verb", metavar="VERB", required=True)
    verb = verbs.add_parser("show", help="definition of a type")
    verb.add_argument("type")
    verb.set_defaults(act=show)
    verb = verbs.add_parser("list", help="names of all types")
    verb.set_defaults(act=list_types)


def files():
    """The file of each type."""
    found = {}
    for prefix in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep):
        share = os.path.join(prefix, "share")
        for package in os.listdir(share) if os.path.isdir(share) else []:
            for kind in KINDS:
                folder = os.path.join(share, package, kind)
                for file in os.listdir(folder) if os.path.isdir(folder) else []:
                    name, ending = os.path.splitext(file)
                    if ending == "." + kind:
                        found.setdefault("{}/{}/{}".format(package, kind, name), os.path.join(folder, file))
    return found


def show(arguments):
    known = files()
    if arguments.type not in known:
        package = arguments.type.split("/")[0] + "/"
        names = [name for name in known if name.startswith(package)]
        raise unknown("type", arguments.type, sorted(names)) if names else Problem("type", arguments.type + ": there is no such package")
    with open(known[arguments.type]) as file:
        print(file.read(), end="")


def list_types(_):
    print("\n".join(sorted(files())))
