"""A deadline for all the work of a blocking HTTP client.

The time-outs of the client limit each wait for bytes, so a server that sends a byte now and then
blocks it forever, even with headers. Here a timer shuts the connections down, which ends every
wait at once. Closing them would not work: it does not wake a thread that waits for the socket.
"""

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Event, Lock, Timer
from typing import Any

_OPENED = ("connect_tcp.complete", "start_tls.complete")


class Connections:
    """The connections of one client, which reports them through its extension `trace`.

    Only one thread sends requests at a time. The timer runs in another one.
    """

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []
        self._lock = Lock()
        self._over = Event()

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Store an opened connection. The client calls this function."""
        if event.endswith(_OPENED):
            with self._lock:
                opened = [known for known in self._sockets if known.fileno() >= 0]
                self._sockets = [*opened, info["return_value"].get_extra_info("socket")]
                if self._over.is_set():
                    self._shut_down()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Raise TimeoutError if the block takes longer, including its waits."""
        self._over = over = Event()
        timer = Timer(seconds, self._end, (over,))
        timer.daemon = True
        timer.start()
        try:
            yield
        except Exception as error:
            # The client may raise any exception after a connection was shut down.
            if over.is_set():
                raise TimeoutError(f"no answer within {seconds:g} s") from error
            raise
        finally:
            timer.cancel()
        # A body of unknown length seems complete after the connection was shut down.
        if over.is_set():
            raise TimeoutError(f"no answer within {seconds:g} s")

    def _end(self, over: Event) -> None:
        with self._lock:
            over.set()
            # A late timer must not end the next request.
            if over is self._over:
                self._shut_down()

    def _shut_down(self) -> None:
        for opened in self._sockets:
            with suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)
