"""The client of a chat server. An error becomes the cause of the failure of its question.

Attempts, pauses and the number of attempts are limited, so nothing hangs. The key is only in one
header, and it is removed from answers that repeat it.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from retrievers.answerers.reply import Reply
from retrievers.answerers.settings import ChatServer
from retrievers.errors import ServerError
from retrievers.servers import AsyncJsonClient, PassingError, without_key

_ENOUGH_FAILURES = 5
"""After this number of failures in a row, each question gets one attempt only."""
_SHOWN = 100


class ChatAnswerer:
    """A client of a chat server."""

    def __init__(self, settings: ChatServer) -> None:
        self._settings = settings
        self._key = settings.key
        self._failed_in_a_row = 0

    def replies(self, prompts: Sequence[str], done: Callable[[int, Reply], None]) -> None:
        """Send all prompts, `parallel` at a time. `done` gets the number and reply of each."""
        asyncio.run(self._ask_all(prompts, done))

    async def _ask_all(self, prompts: Sequence[str], done: Callable[[int, Reply], None]) -> None:
        client = AsyncJsonClient(self._settings.server)
        turns = asyncio.Semaphore(self._settings.parallel)

        async def ask(number: int) -> None:
            async with turns:
                done(number, await self._reply(client, prompts[number]))

        try:
            await asyncio.gather(*(ask(number) for number in range(len(prompts))))
        finally:
            await client.close()

    async def _reply(self, client: AsyncJsonClient, prompt: str) -> Reply:
        settings = self._settings
        url = f"{settings.url.rstrip('/')}/chat/completions"
        body = {
            "model": settings.model,
            "messages": [{"role": "user", "content": without_key(prompt, "")}],
            "temperature": 0,
            "max_tokens": settings.answer_tokens,
        }
        tries = 1 if self._failed_in_a_row >= _ENOUGH_FAILURES else settings.attempts
        try:
            timed = await client.post(url, body, read=self._read, tries=tries)
        except ServerError as error:
            self._failed_in_a_row += 1
            return Reply(cause=str(error))
        self._failed_in_a_row = 0
        reply: Reply = timed.answer
        return replace(reply, milliseconds=timed.milliseconds)

    def _read(self, answer: Any) -> Reply:
        """Return the reply in an answer. Raise an error if it is not a complete text."""
        try:
            choice = answer["choices"][0]
            text, reason = choice["message"]["content"], choice.get("finish_reason")
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            shown = without_key(repr(answer), self._key)[:_SHOWN]
            raise PassingError(ServerError(f"not a chat completion ({shown})")) from error
        if reason == "length":
            asked = self._settings.answer_tokens
            raise ServerError(f"cut off by the server (answer_tokens={asked}; give more)")
        if not isinstance(text, str) or not text.strip() or reason == "content_filter":
            raise ServerError(f"no text in the answer (finish_reason {reason})")
        text = without_key(text, self._key)
        refused = text.strip().startswith(self._settings.refusal.strip())
        prompt, completion = _usage(answer, "prompt_tokens"), _usage(answer, "completion_tokens")
        return Reply(text, refused, "", prompt, completion)


def _usage(whole: Mapping[str, Any], name: str) -> int | None:
    usage = whole.get("usage")
    count = usage.get(name) if isinstance(usage, Mapping) else None
    return count if type(count) is int and count >= 0 else None
