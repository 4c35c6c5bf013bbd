"""Two clients with the same retries: a blocking one, and one for many requests at a time."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from retrievers.servers.attempts import Attempts, PassingError
from retrievers.servers.deadlines import Connections
from retrievers.servers.settings import Server, key_of

if TYPE_CHECKING:
    import httpx2

JsonObject = Mapping[str, Any]
"""A JSON object with the server's keys."""


@dataclass(frozen=True)
class Timed:
    """An answer, and the duration of the successful try."""

    answer: Any
    milliseconds: float


class JsonClient:
    """A blocking client that posts JSON and returns JSON, with retries."""

    def __init__(self, settings: Server, *, sleep: Callable[[float], None] = time.sleep) -> None:
        import httpx2

        self._settings, self._sleep = settings, sleep
        self._key = key_of(settings.key_variable)
        self._client = httpx2.Client(headers=_headers(self._key))
        self._connections = Connections()
        self._next = 0.0

    def post(self, url: str, body: JsonObject, *, seconds: float | None = None) -> Any:
        """Return the JSON of the answer. `seconds` limits each try. Raise an error if all fail."""
        attempts = Attempts(self._settings, url, key=self._key, seconds=seconds)
        while True:
            self._wait_for_turn()
            try:
                return attempts.read(*self._sent(url, body, attempts))
            except PassingError as passing:
                self._sleep(attempts.pause(passing))

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _sent(
        self, url: str, body: JsonObject, attempts: Attempts
    ) -> tuple[int, "httpx2.Headers", bytes]:
        """Return the status, headers and content of a response, within the limits."""
        import httpx2

        content, seconds = bytearray(), attempts.seconds
        attempts.begin()
        traced = {"trace": self._connections.trace}
        try:
            with (
                self._connections.within(seconds),
                self._client.stream(
                    "POST", url, content=_ascii(body), timeout=seconds, extensions=traced
                ) as response,
            ):
                for piece in response.iter_bytes():
                    content += piece
                    attempts.check(len(content))
        except (httpx2.TimeoutException, TimeoutError) as error:
            raise attempts.too_slow() from error
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            raise attempts.broken(error) from error
        return response.status_code, response.headers, bytes(content)

    def _wait_for_turn(self) -> None:
        if not self._settings.requests_per_second:
            return
        now = time.monotonic()
        if self._next > now:
            self._sleep(self._next - now)
        self._next = max(now, self._next) + 1 / self._settings.requests_per_second


class AsyncJsonClient:
    """A client for many requests at a time. The time-out covers a whole try."""

    def __init__(
        self,
        settings: Server,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        import httpx2

        self._settings, self._sleep = settings, sleep
        self._key = key_of(settings.key_variable)
        self._client = httpx2.AsyncClient(headers=_headers(self._key), timeout=None)

    async def post(
        self,
        url: str,
        body: JsonObject,
        *,
        read: Callable[[Any], Any],
        tries: int | None = None,
    ) -> Timed:
        """Return the result of `read` on an answer. For a retry, `read` raises PassingError."""
        settings = self._settings if tries is None else replace(self._settings, tries=tries)
        attempts = Attempts(settings, url, key=self._key)
        while True:
            started = time.perf_counter()
            try:
                answer = read(attempts.read(*await self._sent(url, body, attempts)))
                return Timed(answer, (time.perf_counter() - started) * 1000)
            except PassingError as passing:
                await self._sleep(attempts.pause(passing))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _sent(
        self, url: str, body: JsonObject, attempts: Attempts
    ) -> tuple[int, "httpx2.Headers", bytes]:
        import httpx2

        content = bytearray()
        attempts.begin()
        try:
            async with (
                asyncio.timeout(attempts.seconds),
                self._client.stream("POST", url, content=_ascii(body)) as response,
            ):
                async for piece in response.aiter_bytes():
                    content += piece
                    attempts.check(len(content))
        except (httpx2.TimeoutException, TimeoutError) as error:
            raise attempts.too_slow() from error
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            raise attempts.broken(error) from error
        return response.status_code, response.headers, bytes(content)


def _headers(key: str) -> dict[str, str]:
    kind = {"Content-Type": "application/json"}
    return {**kind, "Authorization": f"Bearer {key}"} if key else kind


def _ascii(body: JsonObject) -> bytes:
    """Return a body as ASCII JSON, since lone surrogates have no UTF-8 form."""
    return json.dumps(body).encode()
