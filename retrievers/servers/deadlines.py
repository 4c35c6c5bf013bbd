"""A time by which everything that a blocking HTTP client does has ended.

A time-out of the client is one of each wait for a byte: a server that sends a byte now and then,
of its headers even, is waited for without end. Here a timer shuts the connections down, and
whatever waits for one of them ends at once. Shut down, not closed: a thread that waits for a
socket is not woken when another closes it.
"""

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Event, Lock, Timer
from typing import Any

_OPENED = ("connect_tcp.complete", "start_tls.complete")


class Connections:
    """The connections of one client, which tells of them by its extension `trace`.

    One thread asks at a time; the timer is another.
    """

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []
        self._lock = Lock()
        self._over = Event()

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Remember a connection that was opened; the client calls this."""
        if event.endswith(_OPENED):
            with self._lock:
                opened = [known for known in self._sockets if known.fileno() >= 0]
                self._sockets = [*opened, info["return_value"].get_extra_info("socket")]
                if self._over.is_set():
                    self._shut_down()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Raise TimeoutError once the block has taken longer, whatever it is waiting for."""
        self._over = over = Event()
        timer = Timer(seconds, self._end, (over,))
        timer.daemon = True
        timer.start()
        try:
            yield
        except Exception as error:
            # Whatever the client makes of a connection that was shut down.
            if over.is_set():
                raise TimeoutError(f"no answer within {seconds:g} s") from error
            raise
        finally:
            timer.cancel()
        # A body whose length is not known beforehand just seems to have ended.
        if over.is_set():
            raise TimeoutError(f"no answer within {seconds:g} s")

    def _end(self, over: Event) -> None:
        with self._lock:
            over.set()
            # A timer may be late, when the next request is already under way.
            if over is self._over:
                self._shut_down()

    def _shut_down(self) -> None:
        for opened in self._sockets:
            with suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)
