"""Types of messages by name, and messages from YAML and as YAML."""

import array
import importlib

import yaml

from problem import Problem, unknown


def load(name, kind):
    """The class of `package/kind/Name`; `package/Name` is accepted too. `kind` is msg, srv or action."""
    parts = name.split("/")
    if len(parts) == 2:
        parts.insert(1, kind)
    if len(parts) != 3 or parts[1] != kind or not all(parts):
        raise Problem(name, "no type of this form", ["package/{}/Name".format(kind)])
    try:
        module = importlib.import_module(".".join(parts[:2]))
    except ModuleNotFoundError:
        raise Problem(name, "there is no package {} with such types".format(parts[0]), hint="make ros prepares the packages that skidpad uses") from None
    if not hasattr(module, parts[2]):
        raise unknown("{}/{}".format(*parts[:2]), parts[2], sorted(n for n in vars(module) if n[0].isupper() and "_" not in n))
    return getattr(module, parts[2])


def parse(text, place):
    """The dictionary that a YAML text holds."""
    try:
        values = yaml.safe_load(text or "{}")
    except yaml.YAMLError as error:
        raise Problem(place, "no YAML: {}".format(str(error).replace("\n", " "))) from None
    if not isinstance(values, dict):
        raise Problem(place, "found {}".format(text), ["'{field: value, …}'"])
    return values


def fill(message, values, place):
    """Sets fields of a message, and of the messages in it, from a dictionary."""
    types = message.get_fields_and_field_types()
    for name, value in values.items():
        if name not in types:
            raise unknown(place, str(name), list(types))
        try:
            setattr(message, name, _value(getattr(message, name), types[name], value, "{}.{}".format(place, name)))
        except (AssertionError, TypeError, ValueError, OverflowError):
            raise Problem("{}.{}".format(place, name), "found {}".format(value), [types[name]]) from None


def _value(now, kind, value, place):
    if isinstance(value, dict):
        fill(now, value, place)
        return now
    if kind.endswith("]") or kind.startswith("sequence<"):
        of = kind.split("<")[-1].split(",")[0].split("[")[0].rstrip(">")
        if "/" in of:
            return [_filled(of, item, place) for item in value]
        return value
    # YAML has whole numbers where ROS has floating ones.
    return type(now)(value) if isinstance(now, float) and not isinstance(value, str) else value


def _filled(kind, values, place):
    message = load(kind, "msg")()
    fill(message, values, place)
    return message


def plain(value):
    """A message, or a value in one, as dictionaries, lists and numbers."""
    if hasattr(value, "get_fields_and_field_types"):
        return {name: plain(getattr(value, name)) for name in value.get_fields_and_field_types()}
    if isinstance(value, (bytes, bytearray)):
        return list(value)
    if isinstance(value, (list, tuple, array.array)) or hasattr(value, "tolist"):
        return [plain(item) for item in (value.tolist() if hasattr(value, "tolist") else value)]
    return value


def shown(value, longest=128):
    """YAML of a message; sequences longer than `longest` are cut, None cuts nothing."""
    return yaml.safe_dump(_cut(plain(value), longest), sort_keys=False, default_flow_style=False, allow_unicode=True)


def _cut(value, longest):
    if isinstance(value, dict):
        return {name: _cut(item, longest) for name, item in value.items()}
    if isinstance(value, list):
        rest = longest is not None and len(value) > longest
        return [_cut(item, longest) for item in (value[:longest] if rest else value)] + (["..."] if rest else [])
    return value
