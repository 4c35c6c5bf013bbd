"""Asks a chat server; whatever goes wrong with a question becomes the cause of its failure.

Every attempt has an end, so has every pause, and there is a number of attempts: nothing hangs.
The key is in one header; what the server says is kept without it, should it be repeated there.
"""

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from retrievers.answerers.reply import Reply
from retrievers.answerers.settings import ChatServer

if TYPE_CHECKING:
    import httpx2

_MOST_BYTES = 10_000_000
_FIRST_PAUSE = 0.5
_AGAIN = (408, 409, 425, 429)
_ENOUGH_FAILURES = 5
"""After so many failures in a row the server is taken to be down: one attempt a question."""
_LONGEST_CAUSE = 300


class _NoReplyError(Exception):
    """Why there is no reply, whether to ask again, and when at the earliest."""

    def __init__(self, cause: str, *, again: bool = False, wait: float = 0.0) -> None:
        super().__init__(cause)
        self.cause, self.again, self.wait = cause, again, wait


class ChatAnswerer:
    """A chat server, ready to be asked."""

    def __init__(self, settings: ChatServer) -> None:
        self._settings = settings
        self._key = settings.key
        self._failed_in_a_row = 0

    def replies(self, prompts: Sequence[str], done: Callable[[int, Reply], None]) -> None:
        """Ask every prompt, a few at a time, and tell each reply as it comes."""
        asyncio.run(self._ask_all(prompts, done))

    async def _ask_all(self, prompts: Sequence[str], done: Callable[[int, Reply], None]) -> None:
        import httpx2

        turns = asyncio.Semaphore(self._settings.parallel)
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}

        async def ask(client: "httpx2.AsyncClient", number: int) -> None:
            async with turns:
                done(number, await self._reply(client, prompts[number]))

        # An attempt as a whole has an end, see _attempt.
        async with httpx2.AsyncClient(headers=headers, timeout=None) as client:
            await asyncio.gather(*(ask(client, number) for number in range(len(prompts))))

    async def _reply(self, client: "httpx2.AsyncClient", prompt: str) -> Reply:
        attempts = 1 if self._failed_in_a_row >= _ENOUGH_FAILURES else self._settings.attempts
        for attempt in range(attempts):
            try:
                reply = await self._attempt(client, prompt)
            except _NoReplyError as error:
                pause = max(error.wait, _FIRST_PAUSE * 2**attempt if error.again else 0.0)
                if not error.again or attempt + 1 == attempts:
                    return self._failed(error.cause, attempt + 1)
                if error.wait > self._settings.longest_wait_seconds:
                    cause = f"{error.cause}; asks to wait {error.wait:.0f} s"
                    return self._failed(cause, attempt + 1)
                await asyncio.sleep(min(pause, self._settings.longest_wait_seconds))
            else:
                self._failed_in_a_row = 0
                return reply
        return self._failed("was not asked", 0)

    def _failed(self, cause: str, attempts: int) -> Reply:
        self._failed_in_a_row += 1
        tried = f" ({attempts} attempts)" if attempts > 1 else ""
        return Reply(cause=f"{self._without_key(cause)}{tried}")

    async def _attempt(self, client: "httpx2.AsyncClient", prompt: str) -> Reply:
        import httpx2

        seconds, started = self._settings.timeout_seconds, time.perf_counter()
        try:
            async with asyncio.timeout(seconds):
                response, content = await self._posted(client, prompt)
        except TimeoutError as error:
            raise _NoReplyError(f"no whole answer in {seconds:g} s", again=True) from error
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            told = str(error) or type(error).__name__
            raise _NoReplyError(f"the connection failed: {told}", again=True) from error
        if response.status_code != HTTPStatus.OK:
            raise _refused(response.status_code, response.headers, content)
        milliseconds = (time.perf_counter() - started) * 1000
        return self._read(content, milliseconds)

    async def _posted(
        self, client: "httpx2.AsyncClient", prompt: str
    ) -> tuple["httpx2.Response", bytes]:
        settings = self._settings
        body = {
            "model": settings.model,
            "messages": [{"role": "user", "content": _whole(prompt)}],
            "temperature": 0,
            "max_tokens": settings.answer_tokens,
        }
        url = f"{settings.url.rstrip('/')}/chat/completions"
        async with client.stream("POST", url, json=body) as response:
            content = bytearray()
            async for part in response.aiter_bytes():
                content += part
                if len(content) > _MOST_BYTES:
                    raise _NoReplyError(f"the answer is over {_MOST_BYTES:,} bytes")
            return response, bytes(content)

    def _read(self, content: bytes, milliseconds: float) -> Reply:
        """Return what a response says, if it is one."""
        try:
            whole = json.loads(content)
            choice = whole["choices"][0]
            text, reason = choice["message"]["content"], choice.get("finish_reason")
        except (
            ValueError,
            KeyError,
            IndexError,
            TypeError,
            AttributeError,
            RecursionError,
        ) as error:
            cause = f"not a chat completion: {content[:100].decode('utf-8', 'replace')!r}"
            raise _NoReplyError(cause, again=True) from error
        if reason == "length":
            asked = self._settings.answer_tokens
            raise _NoReplyError(f"cut off by the server (answer_tokens={asked}; give more)")
        if not isinstance(text, str) or not text.strip() or reason == "content_filter":
            raise _NoReplyError(f"no text in the answer (finish_reason {reason})")
        text = self._cleared(text)
        prompt, completion = _usage(whole, "prompt_tokens"), _usage(whole, "completion_tokens")
        refused = text.strip().startswith(self._settings.refusal.strip())
        return Reply(text, refused, "", prompt, completion, milliseconds)

    def _without_key(self, cause: str) -> str:
        return " ".join(self._cleared(cause).split())[:_LONGEST_CAUSE]

    def _cleared(self, text: str) -> str:
        """Return what a server said without the key, and with whole characters only."""
        return _whole(text).replace(self._key, "***") if self._key else _whole(text)


def _whole(text: str) -> str:
    """Return a text without halves of characters, which no request can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _usage(whole: Mapping[str, Any], name: str) -> int | None:
    usage = whole.get("usage")
    count = usage.get(name) if isinstance(usage, Mapping) else None
    return count if type(count) is int and count >= 0 else None


def _refused(status: int, headers: Mapping[str, str], content: bytes) -> _NoReplyError:
    """Return what an answer with another status than 200 means."""
    again = status in _AGAIN or status >= HTTPStatus.INTERNAL_SERVER_ERROR
    told = _told(content)
    cause = f"the server answered {status}{f': {told}' if told else ''}"
    return _NoReplyError(cause, again=again, wait=_wait(headers.get("retry-after", "")))


def _told(content: bytes) -> str:
    """Return the message of an error, whose form servers agree on more or less."""
    try:
        found = json.loads(content)
        error = found.get("error", found)
        return str(error.get("message", error) if isinstance(error, dict) else error)
    except (ValueError, AttributeError, RecursionError):
        return content[:_LONGEST_CAUSE].decode("utf-8", "replace")


def _wait(text: str) -> float:
    """Return the seconds that Retry-After asks for: a number or a date."""
    if text.strip().replace(".", "", 1).isdecimal():
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return 0.0
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max((when - datetime.now(UTC)).total_seconds(), 0.0)
