"""Addresses of servers, as `skidpad run` prints them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from .errors import RemoteError

_SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
_ACCEPTED = "accepted: http://HOST:PORT, with #token=TOKEN if it was printed so"
_PORT = 8520


@dataclass(frozen=True)
class Address:
    """Where a server is."""

    host: str
    port: int
    socket_url: str
    token: str | None = field(repr=False)

    def __str__(self) -> str:
        return self.socket_url.removesuffix("api/socket").replace("ws", "http", 1)


def read(url: str, token: str | None) -> Address:
    """The address that a link or `HOST:PORT` names; `token` takes precedence over the link's. Raises RemoteError."""
    text = url if "://" in url else f"http://{url}"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise RemoteError(f"address {url!r}: {error}\n  {_ACCEPTED}") from None
    if parts.scheme not in _SCHEMES or not parts.hostname:
        raise RemoteError(f"address {url!r}: has no host name\n  {_ACCEPTED}")
    scheme = _SCHEMES[parts.scheme]
    port = port or (443 if scheme == "wss" else _PORT)
    given = re.fullmatch(r"token=(.*)", parts.fragment)
    token = token or (given[1] if given else None)
    if token is not None and not re.fullmatch(r"[A-Za-z0-9\-._~]{8,128}", token):
        raise RemoteError("token: not a token\n  accepted: 8 to 128 letters, digits or -._~")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    folder = parts.path if parts.path.endswith("/") else f"{parts.path}/"
    return Address(parts.hostname, port, f"{scheme}://{host}:{port}{folder}api/socket", token)
