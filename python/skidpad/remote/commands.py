"""From keyword arguments, those of `World.command`, to the command of an order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _skidpad
from .errors import RemoteError

# Each kind with its fields and the values of those that may be left out, the fields that must be given, and the command that stops.
_KINDS: dict[str, dict[str, Any]] = {kind["kind"]: kind for kind in _skidpad.command_kinds()}


def read(numbers: dict[str, float | Sequence[float | None] | str | None]) -> dict[str, Any]:
    """The command with these numbers, of the first kind that has all of them and lacks none. Raises RemoteError if they are of no kind."""
    given = {name: value for name, value in numbers.items() if value is not None}
    for name, kind in _KINDS.items():
        fields = kind["fields"]
        if given and all(field in fields for field in given) and all(field in given for field in kind["required"]):
            return {"kind": name, **fields, **{field: _plain(field, value) for field, value in given.items()}}
    found = ", ".join(given) or "nothing"
    accepted = "; ".join(", ".join(kind["fields"]) for kind in _KINDS.values())
    raise RemoteError(f"command: found {found}\n  accepted: numbers of one kind: {accepted}")


def stop_of(command: dict[str, Any]) -> dict[str, Any]:
    """The command that stops the vehicle; steering hinges stay."""
    return dict(_KINDS[command["kind"]]["stop"])


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
