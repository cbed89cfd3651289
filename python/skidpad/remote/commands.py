"""From keyword arguments, those of `World.command`, to the command of an order."""

from __future__ import annotations

from typing import Any

from .. import _skidpad
from ..errors import CommandError
from .errors import RemoteError


def read(numbers: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The command with these numbers, and the one that stops the vehicle; steering hinges stay. Raises RemoteError if they are of no kind."""
    try:
        return _skidpad.viewer_command(numbers)
    except CommandError as error:
        raise RemoteError(str(error)) from None


def finite(place: str, value: Any) -> float:
    """A finite number. Raises RemoteError otherwise."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise RemoteError(f"{place}: found {value!r}\n  accepted: a number") from None
    if number - number != 0.0:
        raise RemoteError(f"{place}: found {number}\n  accepted: a finite number")
    return number
