"""The exceptions of the client."""

from ..errors import SkidpadError


class RemoteError(SkidpadError):
    """The server refuses an order or the connection, or there is no connection. The text is the server's, if it has sent one.

    `status`: HTTP status of a refused connection, such as 401 without the token; None otherwise.
    """

    def __init__(self, text: str, status: int | None = None) -> None:
        super().__init__(text)
        self.status = status


class RemoteTimeout(RemoteError, TimeoutError):
    """Something has not happened in time."""
