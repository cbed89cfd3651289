"""Definitions of message types with all types that they hold, as recordings keep them."""

import json
import os
import re

import interface

PRIMITIVES = {
    "bool", "byte", "char", "float32", "float64", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "string", "wstring",
}
# The encoding of the texts, by the name that rosbag2 and MCAP give it.
ENCODING = "ros2msg"
# The type of a field, and not its array or bound.
FIELD = re.compile(r"^\s*([A-Za-z][A-Za-z0-9_/]*)")


def _parts(text, package):
    """The types that a definition of this package holds, as `package/Name`, in order."""
    found = (FIELD.match(line.split("#", 1)[0]) for line in text.splitlines())
    names = {match[1] for match in found if match} - PRIMITIVES
    return sorted(name.replace("/msg/", "/") if "/" in name else "{}/{}".format(package, name) for name in names)


def full_text(kind):
    """The definition of `package/msg/Name`, followed by those of all types that it holds, each once behind a line of its own, as rosbag2 writes
    them; empty if one of them is not there."""
    files, seen = interface.files(), set()

    def text_of(kind):
        package, _, name = kind.replace("/msg/", "/").partition("/")
        with open(files["{}/msg/{}".format(package, name)]) as file:
            text = file.read()
        for part in _parts(text, package):
            if part not in seen:
                seen.add(part)
                text += "\n{}\nMSG: {}\n{}".format(80 * "=", part, text_of(part))
        return text

    try:
        return text_of(kind)
    except KeyError:
        return ""


def type_hash(kind):
    """The hash of the type, by which nodes of newer distributions know whether they mean the same; empty if it is not known."""
    path = interface.files().get(kind, "")
    try:
        with open(os.path.splitext(path)[0] + ".json") as file:
            hashes = json.load(file)["type_hashes"]
        return next(entry["hash_string"] for entry in hashes if entry["type_name"] == kind)
    except (OSError, ValueError, KeyError, StopIteration):
        return ""
