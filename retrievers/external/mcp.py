"""An engine that is a tool of an MCP server, which is a program or has an HTTP address.

The official SDK is asynchronous, so it runs in a thread of its own. A failed connection is
dropped, and the next query opens a new one.
"""

import json
import logging
import os
from asyncio import CancelledError
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

from retrievers.errors import ExternalError, ServerError
from retrievers.external.answers import Answer, Asked, each, json_answers, read_answers
from retrievers.external.filling import filled, sayable
from retrievers.external.settings import McpEngine
from retrievers.external.tree import Scratch
from retrievers.servers import key_of

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from mcp import Client
    from mcp.types import CallToolResult

_SHOWN = 200
_SILENT = logging.NullHandler()
"""Without a handler, Python would print warnings of the SDK, which may quote the server."""
_GRACE_SECONDS = 2.0
"""Extra time for the connection, in addition to the time-out of the server."""
_CLOSING_SECONDS = 5.0
_OPENING_SECONDS = 30.0
"""Extra time for opening. The SDK first waits up to ten seconds for a server with a newer
protocol, possibly twice."""


class McpClient:
    """Calls a tool for queries."""

    def __init__(self, settings: McpEngine, scratch: Scratch, repository: str) -> None:
        self._settings, self._scratch = settings, scratch
        self._values = {"root": scratch.root.as_posix(), "repository": repository}
        self._stack = ExitStack()
        self._portal: BlockingPortal | None = None
        self._open: tuple[BlockingPortal, Client] | None = None

    def index(self) -> None:
        """Connect, and call the index tool, if there is one."""
        try:
            self._connected()
            if self._settings.index_tool:
                self._called(self._settings.index_tool, {}, self._settings.index_timeout_seconds)
        except ExternalError as error:
            raise ExternalError(f"index: {error}") from error

    def ask(self, queries: Sequence[str]) -> list[Asked]:
        """Return the outcome of each query."""
        return each(self._search, queries)

    def close(self) -> None:
        """End the connection, and the server if we started it."""
        self._open = None
        stack, self._stack = self._stack, ExitStack()
        portal, self._portal = self._portal, None
        # A dead server breaks its connection in many ways, none of which matters now. A slow one
        # could block us forever, since the SDK closes connections without a time-out.
        with suppress(Exception, CancelledError), _stopped_after(portal, _CLOSING_SECONDS):
            stack.close()

    def _search(self, query: str) -> tuple[Answer, ...]:
        settings = self._settings
        asked: dict[str, Any] = {settings.query_argument: sayable(query)}
        if settings.limit_argument:
            asked[settings.limit_argument] = settings.depth
        result = self._called(settings.tool, asked, settings.timeout_seconds)
        return _answers(result, settings)[: settings.depth]

    def _called(self, tool: str, asked: Mapping[str, Any], seconds: float) -> "CallToolResult":
        """Return the result of a tool. Raise an error for a result that is marked as an error."""
        arguments = {**self._constants(), **asked}
        portal, client = self._connected()
        try:
            call = partial(client.call_tool, tool, arguments, read_timeout_seconds=seconds)
            result = portal.start_task_soon(call).result(seconds + _GRACE_SECONDS)
        except Exception as error:  # the SDK raises any exception that ended the connection
            self.close()
            raise ExternalError(f"tool {tool}: {_reason(error, seconds)}") from error
        if result.is_error:
            raise ExternalError(f"tool {tool}: {_short(_text(result))}")
        return result

    def _constants(self) -> dict[str, Any]:
        """Return the arguments that every call has."""
        names = {self._settings.root_argument: "root"}
        names[self._settings.repository_argument] = "repository"
        places = {name: self._values[value] for name, value in names.items() if name}
        return {**json.loads(self._settings.arguments), **places}

    def _connected(self) -> "tuple[BlockingPortal, Client]":
        """Return the open connection, or open one."""
        if self._open is None:
            seconds = self._settings.timeout_seconds
            try:
                self._open = self._opened(seconds)
            except ExternalError:
                self.close()
                raise
            except (Exception, CancelledError) as error:  # any exception, as in `_called`
                self.close()
                message = f"{self._settings.place}: no MCP connection ({_reason(error, seconds)})"
                raise ExternalError(message) from error
        return self._open

    def _opened(self, seconds: float) -> "tuple[BlockingPortal, Client]":
        from anyio.from_thread import start_blocking_portal
        from mcp import Client

        logging.getLogger("mcp").addHandler(_SILENT)
        portal = self._portal = self._stack.enter_context(start_blocking_portal())
        client = Client(self._transport(portal), read_timeout_seconds=seconds, cache=None)
        with _stopped_after(portal, seconds + _OPENING_SECONDS):
            return portal, self._stack.enter_context(portal.wrap_async_context_manager(client))

    def _transport(self, portal: "BlockingPortal") -> Any:
        settings = self._settings
        if settings.url:
            return self._over_http(portal)
        from mcp.client.stdio import StdioServerParameters, stdio_client

        program, *arguments = filled(settings.command, self._values)
        missing = [name for name in settings.environment if name not in os.environ]
        if missing:
            raise ExternalError(f"environment: {missing[0]} is not set; export it")
        nowhere = self._stack.enter_context(Path(os.devnull).open("w"))  # noqa: SIM115 - until close
        parameters = StdioServerParameters(
            command=program,
            args=arguments,
            cwd=self._scratch.work,
            env={name: os.environ[name] for name in settings.environment},
            encoding_error_handler="replace",
        )
        return stdio_client(parameters, errlog=nowhere)

    def _over_http(self, portal: "BlockingPortal") -> Any:
        import httpx2
        from mcp.client.streamable_http import streamable_http_client

        settings = self._settings
        try:
            key = key_of(settings.key_variable)
        except ServerError as error:
            raise ExternalError(str(error)) from error
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        timeout = httpx2.Timeout(settings.timeout_seconds, read=settings.index_timeout_seconds)
        client = httpx2.AsyncClient(headers=headers, timeout=timeout)
        opened = self._stack.enter_context(portal.wrap_async_context_manager(client))
        return streamable_http_client(settings.url, http_client=opened)


@contextmanager
def _stopped_after(portal: "BlockingPortal | None", seconds: float) -> Iterator[None]:
    """Cancel all work in the thread of the SDK if the block takes longer."""

    def stop() -> None:
        with suppress(RuntimeError):  # the portal has already stopped
            if portal is not None:
                portal.start_task_soon(portal.stop, True)

    timer = Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _answers(result: "CallToolResult", settings: McpEngine) -> tuple[Answer, ...]:
    """Return the hits in the structured content of a result, or else in its text."""
    content = _unwrapped(result.structured_content, settings)
    # A tool that returns text may have put JSON into it.
    if settings.answers == "json" and content is not None and not isinstance(content, str):
        return json_answers(content, settings.answer)
    return read_answers(_text(result), settings.answers, settings.answer)


def _unwrapped(content: object, settings: McpEngine) -> object:
    """Return the value that a tool returned. The SDK wraps non-objects as {"result": …}."""
    is_named = settings.answer.hits.partition(".")[0] == "result"
    if isinstance(content, Mapping) and set(content) == {"result"} and not is_named:
        return content["result"]
    return content


def _text(result: "CallToolResult") -> str:
    texts = (getattr(block, "text", None) for block in result.content)
    return "\n".join(text for text in texts if isinstance(text, str))


def _reason(error: BaseException, seconds: float) -> str:
    """Return the reason of a failed call; the first one of a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    said = _short(str(error)) or type(error).__name__
    if isinstance(error, TimeoutError | CancelledError) or "timed out" in said:
        return f"no answer within {seconds:g} s"
    return said


def _short(text: str) -> str:
    return " ".join(text.split())[:_SHOWN] or "an error without a reason"
