"""The settings of external engines. Every field is part of the fingerprint.

The answers of an engine are cached under `version`. The user has to change it with the engine,
since nothing else shows that the engine has changed.
"""

import json
import math
from dataclasses import dataclass, field
from typing import get_args

from retrievers.errors import ExternalError, ServerError
from retrievers.external.answers import AnswerFields, Form
from retrievers.external.retriever import EngineRetriever
from retrievers.external.run_file import RunFile
from retrievers.servers import Server, check_url

_MOST_HITS = 1000


@dataclass(frozen=True, kw_only=True)
class _Engine(EngineRetriever):
    """The settings of every engine."""

    version: str = ""
    depth: int = 50
    """Maximum number of hits per query. Larger token budgets need more."""
    timeout_seconds: float = 30.0
    """Time-out of a query."""
    index_timeout_seconds: float = 600.0
    first_line: int = 1
    answer: AnswerFields = field(default_factory=AnswerFields)

    def __post_init__(self) -> None:
        """Raise an error for values out of range."""
        if not 1 <= self.depth <= _MOST_HITS:
            raise ExternalError(f"depth={self.depth}: ask for 1 to {_MOST_HITS} hits")
        if self.first_line not in (0, 1):
            raise ExternalError(f"first_line={self.first_line}: must be 0 or 1")
        for seconds in (self.timeout_seconds, self.index_timeout_seconds):
            if not (math.isfinite(seconds) and seconds > 0):
                raise ExternalError(f"a time-out of {seconds} s: give more than 0")


@dataclass(frozen=True)
class HttpEngine(_Engine):
    """A server that speaks the JSON protocol of docs/external_engines.md."""

    url: str
    """The address for queries, sent by POST."""
    index_url: str = ""
    """The address that receives the tree before the first query; blank for none."""
    tries: int = 3
    requests_per_second: float = 0.0
    key_variable: str = ""

    def __post_init__(self) -> None:
        """Raise an error for addresses and values that are not allowed."""
        _check_url("url", self.url, has_key=bool(self.key_variable))
        if self.index_url:
            _check_url("index_url", self.index_url, has_key=bool(self.key_variable))
        super().__post_init__()
        _ = self.server

    @property
    def server(self) -> Server:
        """The settings of requests. A query that times out is not retried."""
        try:
            return Server(
                timeout_seconds=self.timeout_seconds,
                tries=self.tries,
                requests_per_second=self.requests_per_second,
                key_variable=self.key_variable,
                retry_timeouts=False,
            )
        except ServerError as error:
            raise ExternalError(str(error)) from error


@dataclass(frozen=True)
class CommandEngine(_Engine):
    """A program that is run for each query, or once for all of them."""

    command: tuple[str, ...]
    """The program and its arguments, with {query}, {limit}, {root} and {repository}."""
    index_command: tuple[str, ...] = ()
    """Run before the first query, with {root} and {repository}."""
    answers: Form = "json"
    batch: bool = False
    """Run once, with the sum of the time-outs of all queries. Queries and answers are JSON lines
    with a query_id."""
    no_hits_status: int = 0
    """The exit status for no hits, such as 1 for grep."""

    def __post_init__(self) -> None:
        """Raise an error for commands and values that are not allowed."""
        _check_command("command", self.command, needed=True)
        _check_command("index_command", self.index_command, needed=False)
        _check_form(self.answers)
        if self.batch and self.answers != "json":
            raise ExternalError(f"answers={self.answers}: a batch is answered in json")
        super().__post_init__()


@dataclass(frozen=True)
class McpEngine(_Engine):
    """A tool of an MCP server, started as a program or reached over HTTP."""

    tool: str
    """The tool that is called with a query."""
    command: tuple[str, ...] = ()
    """The server as a program, which uses standard input and output."""
    url: str = ""
    """The address of a running server, instead of `command`."""
    query_argument: str = "query"
    limit_argument: str = "limit"
    """The argument for the number of hits; blank if the tool has none."""
    root_argument: str = ""
    repository_argument: str = ""
    arguments: str = "{}"
    """Additional arguments of every call, as a JSON object."""
    index_tool: str = ""
    """The tool called before the first query. It gets all arguments but the query and limit."""
    environment: tuple[str, ...] = ()
    """Names of variables for the program, in addition to those that every program needs."""
    key_variable: str = ""
    """The variable with the key, for a server at an address."""
    answers: Form = "json"

    def __post_init__(self) -> None:
        """Raise an error for values that are not allowed."""
        if bool(self.command) == bool(self.url):
            raise ExternalError(
                f"command={list(self.command)} and url={self.url}: give one of them"
            )
        _check_command("command", self.command, needed=False)
        if self.url:
            _check_url("url", self.url, has_key=bool(self.key_variable))
        if not self.tool or not self.query_argument:
            raise ExternalError("tool and query_argument: both must have a name")
        _check_arguments(self.arguments)
        _check_form(self.answers)
        super().__post_init__()

    @property
    def place(self) -> str:
        """The address or the program of the server, for messages."""
        return self.url.partition("?")[0] or self.command[0]


@dataclass(frozen=True)
class PythonEngine(_Engine):
    """A class with `search(query, limit)`, and optionally `index(root)`."""

    target: str
    """The name in the form `package.module:Class`."""

    def __post_init__(self) -> None:
        """Raise an error for a name of another form."""
        module, _, name = self.target.partition(":")
        if not name.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
            raise ExternalError(f"target={self.target}: must be package.module:Class")
        super().__post_init__()


LiveEngine = HttpEngine | CommandEngine | McpEngine | PythonEngine
"""The engines that answer queries."""
ExternalSettings = LiveEngine | RunFile


def _check_arguments(text: str) -> None:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise ExternalError(f"arguments={text}: is not JSON ({error})") from error
    if not isinstance(found, dict):
        raise ExternalError(f"arguments={text}: must be a JSON object")


def _check_form(form: str) -> None:
    if form not in get_args(Form):
        raise ExternalError(f"answers={form}: choose one of {', '.join(get_args(Form))}")


def _check_url(name: str, url: str, *, has_key: bool) -> None:
    try:
        check_url(name, url, has_key=has_key)
    except ServerError as error:
        raise ExternalError(str(error)) from error


def _check_command(name: str, command: tuple[str, ...], *, needed: bool) -> None:
    if needed and not command:
        raise ExternalError(f"{name}=[]: give the program and its arguments as a list")
    if command and not command[0].strip():
        raise ExternalError(f"{name}: the first of its parts must be a program")
    if any("\0" in part for part in command):
        raise ExternalError(f"{name}: no part of it may hold a NUL character")
