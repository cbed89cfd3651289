"""The connection to a server: a thread that receives, comes back by itself when the connection is lost, and matches answers to orders."""

from __future__ import annotations

import enum
import json
import logging
import socket
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as open_socket
from websockets.typing import Subprotocol

from .address import Address
from .errors import RemoteError, RemoteTimeout
from .messages import ANSWER, PROTOCOL

_log = logging.getLogger("skidpad.remote")

# The server sends a status every second; after so long without a message it counts as gone [s].
_SILENCE = 5.0
# The same while a scene is on its way [s].
_SILENCE_LOADING = 60.0
_FIRST_PAUSE = 0.25
_LONGEST_PAUSE = 5.0
# Code with which a server closes connections when it ends.
_AWAY = 1001
# Most bytes of a message: a large scene.
_LARGEST = 256 << 20
# Most orders that may wait for their answers; the server reads no more.
_MOST_WAITING = 64


class Receiver(Protocol):
    """Who is told of what arrives, by the thread of the connection."""

    def message(self, kind: int, message: bytes) -> None:
        """A message other than an answer. Raises ValueError, KeyError or struct.error if it cannot be one."""

    def connected(self) -> None:
        """A connection is there; its messages follow."""

    def disconnected(self, reason: str, is_end: bool) -> None:
        """It is lost. `is_end`: the server has ended."""


class _Why(enum.Enum):
    """Why a connection ended."""

    LOST = enum.auto()
    END = enum.auto()
    BAD_MESSAGE = enum.auto()


class _Answer:
    """The answer to an order, once it is there."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.answer: dict[str, Any] = {}


class Link:
    """One connection. `order` may be called from any thread."""

    def __init__(self, address: Address, receiver: Receiver) -> None:
        self._address, self._receiver = address, receiver
        self._lock = threading.Lock()
        self._socket: ClientConnection | None = None
        self._waiting: dict[int, _Answer | Callable[[dict[str, Any]], None]] = {}
        self._last_id = 0
        self._closing = threading.Event()
        self.is_loading = True
        self.failure: RemoteError | None = None
        """Why there is no connection; None while there is one."""
        self._thread = threading.Thread(target=self._run, name="skidpad remote", daemon=True)

    def start(self, patience: float) -> None:
        """Connects, for at most `patience` [s] if nobody answers, and begins to receive. Raises RemoteError."""
        deadline = time.monotonic() + patience
        while True:
            try:
                self._socket = self._open(max(deadline - time.monotonic(), 0.5))
                break
            except RemoteError as error:
                if error.status is not None or time.monotonic() + _FIRST_PAUSE >= deadline:
                    raise
                time.sleep(_FIRST_PAUSE)
        self._thread.start()

    def close(self) -> None:
        """Ends the connection and its thread."""
        self._closing.set()
        with self._lock:
            held = self._socket
        if held is not None:
            held.close()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()

    @property
    def is_closed(self) -> bool:
        """Whether `close` has been called."""
        return self._closing.is_set()

    def order(self, order: dict[str, Any], timeout: float | None) -> dict[str, Any]:
        """Gives an order and waits for its answer, as long as the connection lasts if `timeout` [s] is None. Raises RemoteError with the server's reason."""
        if threading.current_thread() is self._thread:
            raise RemoteError(f"{order['do']}: was called from the receiving thread, which cannot wait for an answer")
        answer = _Answer()
        number = self.send(order, answer)
        if not answer.done.wait(timeout):
            with self._lock:
                self._waiting.pop(number, None)
            raise RemoteTimeout(f"{order['do']}: no answer within {timeout:g} s\n  hint: the simulation may be busy with a long step; try again")
        if answer.answer.get("error"):
            raise RemoteError(answer.answer["error"])
        return answer.answer

    def send(self, order: dict[str, Any], answer: _Answer | Callable[[dict[str, Any]], None]) -> int:
        """Gives an order without waiting for its answer. Raises RemoteError if there is no connection."""
        with self._lock:
            held = self._socket
            if held is None:
                reason = self.failure or "connection: it is closed"
                raise RemoteError(f"{order['do']}: there is no connection\n  hint: {_first_line(reason)}")
            if len(self._waiting) >= _MOST_WAITING:
                raise RemoteError(f"{order['do']}: {_MOST_WAITING} orders are waiting for answers\n  hint: send orders less often")
            self._last_id = self._last_id % 0xFFFF_FFFF + 1
            number = self._last_id
            self._waiting[number] = answer
        try:
            held.send(json.dumps({"id": number, "order": order}, allow_nan=False))
        except (ConnectionClosed, OSError):
            with self._lock:
                self._waiting.pop(number, None)
            raise RemoteError(f"{order['do']}: the connection was lost") from None
        except ValueError as error:
            with self._lock:
                self._waiting.pop(number, None)
            raise RemoteError(f"{order['do']}: {error}\n  accepted: finite numbers") from None
        return number

    def _open(self, timeout: float) -> ClientConnection:
        address = self._address
        protocols = [Subprotocol(PROTOCOL)] + ([Subprotocol(f"token.{address.token}")] if address.token else [])
        try:
            # A socket of its own keeps proxies of the environment out.
            plain = socket.create_connection((address.host, address.port), timeout)
        except OSError as error:
            hint = "hint: start it there with: skidpad run WORLD --web 8520"
            raise RemoteError(f"{address}: nobody answers: {error.strerror or error}\n  {hint}") from None
        try:
            connection = open_socket(
                address.socket_url, sock=plain, subprotocols=protocols, open_timeout=timeout, close_timeout=1.0, max_size=_LARGEST, compression=None
            )
            # By whichever version of websockets, this gives the open connection.
            opened = connection.__enter__()
        except InvalidStatus as refusal:
            plain.close()
            raise RemoteError(f"{address}: {_reason(refusal)}", refusal.response.status_code) from None
        except (InvalidHandshake, WebSocketException, EOFError) as error:
            plain.close()
            raise RemoteError(f"{address}: not a skidpad server: {error}\n  accepted: the address that skidpad run prints", 0) from None
        except (OSError, TimeoutError) as error:
            plain.close()
            raise RemoteError(f"{address}: it does not answer: {error}") from None
        if opened.subprotocol != PROTOCOL:
            opened.close()
            raise RemoteError(f"{address}: the server uses the protocol {opened.subprotocol}\n  accepted: {PROTOCOL}", 0)
        return opened

    def _run(self) -> None:
        attempt = 0
        while not self._closing.is_set():
            with self._lock:
                held = self._socket
            if held is None:
                if self._closing.wait(min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** min(attempt, 10))):
                    return
                attempt += 1
                try:
                    held = self._open(_LONGEST_PAUSE)
                except RemoteError as error:
                    self.failure = error
                    continue
                with self._lock:
                    self._socket, self.failure = held, None
                if self._closing.is_set():
                    held.close()
                    return
                _log.warning("%s: connected again", self._address)
            # Bad messages are as bad when they come again at once.
            reason, why = self._receive(held)
            attempt = 10 if why is _Why.BAD_MESSAGE else 0
            held.close()
            self._lose(reason, why is _Why.END)

    def _receive(self, held: ClientConnection) -> tuple[str, _Why]:
        """Receives until the connection ends; why it ended, in words and as a kind."""
        self.is_loading = True
        try:
            self._receiver.connected()
            while True:
                message = held.recv(_SILENCE_LOADING if self.is_loading else _SILENCE)
                if not isinstance(message, bytes) or not message:
                    return "the server has sent no message of skidpad", _Why.BAD_MESSAGE
                if message[0] == ANSWER:
                    self._answered(json.loads(message[1:]))
                else:
                    self._receiver.message(message[0], message)
        except ConnectionClosed as closed:
            reason = (closed.rcvd.reason if closed.rcvd else "") or "the connection was lost"
            return reason, _Why.END if closed.rcvd and closed.rcvd.code == _AWAY else _Why.LOST
        except TimeoutError:
            return "nothing was heard from the server", _Why.LOST
        except OSError as error:
            return str(error), _Why.LOST
        except Exception as error:  # noqa: BLE001 - whatever a wrong message causes
            return f"a message of the server cannot be read: {type(error).__name__}: {error}", _Why.BAD_MESSAGE

    def _answered(self, answer: dict[str, Any]) -> None:
        with self._lock:
            waiting = self._waiting.pop(answer["id"], None)
        self._tell(waiting, answer)

    @staticmethod
    def _tell(waiting: _Answer | Callable[[dict[str, Any]], None] | None, answer: dict[str, Any]) -> None:
        if isinstance(waiting, _Answer):
            waiting.answer = answer
            waiting.done.set()
        elif waiting is not None:
            waiting(answer)

    def _lose(self, reason: str, is_end: bool) -> None:
        with self._lock:
            self._socket, self.failure = None, RemoteError(f"connection: lost: {reason}")
            waiting, self._waiting = self._waiting, {}
        for receiver in waiting.values():
            self._tell(receiver, {"id": 0, "error": f"order: the connection was lost before its answer: {reason}"})
        if not self._closing.is_set():
            _log.warning("%s: the connection was lost: %s; trying again", self._address, reason)
            self._receiver.disconnected(reason, is_end)


def _first_line(reason: object) -> str:
    return str(reason).split("\n", 1)[0]


def _reason(refusal: InvalidStatus) -> str:
    """What the server says about a refused connection."""
    response = refusal.response
    try:
        return str(json.loads(response.body or b"")["error"])
    except (ValueError, KeyError, TypeError):
        return f"refused with status {response.status_code}"
