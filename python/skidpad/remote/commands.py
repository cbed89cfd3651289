"""From keyword arguments, those of `World.command`, to the command of an order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .errors import RemoteError

# Kinds with the names of their numbers and the values of those that may be left out. Arguments are of the first kind that has all of them.
_KINDS: list[tuple[str, dict[str, Any]]] = [
    ("twist", {"vx": 0.0, "vy": 0.0, "yaw_rate": 0.0}),
    ("steering_rate", {"speed": 0.0, "steering_rate": 0.0}),
    ("ackermann", {"speed": 0.0, "steering_angle": 0.0, "acceleration": None, "steering_rate": None}),
    ("wheel_speeds", {"left": 0.0, "right": 0.0}),
    ("pedals", {"throttle": 0.0, "brake": 0.0, "steering_angle": 0.0, "gear": "drive"}),
    ("wheels", {"spin": [None] * 4, "hinge": [None] * 2}),
]


def read(numbers: dict[str, float | Sequence[float | None] | str | None]) -> dict[str, Any]:
    """The command with these numbers. Raises RemoteError if they are of no kind."""
    given = {name: value for name, value in numbers.items() if value is not None}
    for kind, known in _KINDS:
        if given and all(name in known for name in given):
            return {"kind": kind, **known, **{name: _plain(name, value) for name, value in given.items()}}
    found = ", ".join(given) or "nothing"
    accepted = "; ".join(", ".join(known) for _, known in _KINDS)
    raise RemoteError(f"command: found {found}\n  accepted: numbers of one kind: {accepted}")


def stop_of(command: dict[str, Any]) -> dict[str, Any]:
    """The command of the same kind that stops the vehicle."""
    match command["kind"]:
        case "pedals":
            return read({"throttle": 0.0, "brake": 1.0})
        case "wheels":
            return read({"spin": [0.0] * 4})
        case "steering_rate":
            return read({"speed": 0.0, "steering_angle": 0.0})
        case kind:
            return {"kind": kind, **dict(_KINDS)[kind]}


def _plain(name: str, value: Any) -> Any:
    """A value as JSON has it: numbers of NumPy become plain ones."""
    if isinstance(value, str):
        return value
    try:
        if name in {"spin", "hinge"}:
            return [None if one is None else finite(f"command, {name}", one) for one in value]
        return finite(f"command, {name}", value)
    except TypeError:
        raise RemoteError(f"command, {name}: found {value!r}\n  accepted: a number, or several for spin and hinge") from None


def finite(place: str, value: Any) -> float:
    """A finite number. Raises RemoteError otherwise."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise RemoteError(f"{place}: found {value!r}\n  accepted: a number") from None
    if number - number != 0.0:
        raise RemoteError(f"{place}: found {number}\n  accepted: a finite number")
    return number
