"""What every engine of somebody else is held to, whichever way it is asked."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from retrievers.errors import ExternalError
from retrievers.external import (
    AnswerFields,
    CommandEngine,
    HttpEngine,
    LiveEngine,
    McpEngine,
    Places,
    PythonEngine,
    laid_out,
    open_engine,
)
from retrievers.interface import Documents, Span

ENGINE = str(Path(__file__).with_name("word_engine.py"))
DOCUMENTS = Documents.of(
    [
        ("cart.py", "class Cart:\n    def total(self):\n        return 0\n"),
        ("deep/down/store.py", "class Store:\n    pass\n"),
        ("notes.md", "nothing\n"),
    ]
)
Build = Callable[[ExitStack], LiveEngine]


def served(stack: ExitStack, *how: str) -> str:
    """Start the engine as a server; return its address."""
    process = stack.enter_context(
        subprocess.Popen(
            [sys.executable, ENGINE, *(how or ("serve",))], stdout=subprocess.PIPE, text=True
        )
    )
    stack.callback(process.kill)
    if process.stdout is None:
        raise OSError
    return f"http://127.0.0.1:{process.stdout.readline().strip()}"


def http(stack: ExitStack) -> LiveEngine:
    """Return the settings that ask the engine over HTTP."""
    url = served(stack)
    return HttpEngine(f"{url}/search", index_url=f"{url}/index", timeout_seconds=2, tries=1)


def command(_: ExitStack) -> LiveEngine:
    """Return the settings that run the engine for each query."""
    arguments = (sys.executable, ENGINE, "once", "{root}", "{query}", "{limit}")
    return CommandEngine(arguments, timeout_seconds=2)


def batch(_: ExitStack) -> LiveEngine:
    """Return the settings that run the engine for all queries."""
    return CommandEngine(
        (sys.executable, ENGINE, "batch", "{root}"), batch=True, timeout_seconds=2
    )


def mcp_program(_: ExitStack) -> LiveEngine:
    """Return the settings that start the engine as an MCP server."""
    arguments = (sys.executable, ENGINE, "mcp", "stdio", "{root}")
    return McpEngine("find", command=arguments, timeout_seconds=10)


def mcp_over_http(stack: ExitStack) -> LiveEngine:
    """Return the settings that ask a running MCP server, which has to be told of the tree."""
    url = f"{served(stack, 'mcp', 'http', '/nowhere')}/mcp"
    until_it_listens(url)
    return McpEngine("find", url=url, index_tool="look", root_argument="root", timeout_seconds=10)


def until_it_listens(url: str) -> None:
    """Wait until somebody listens at an address."""
    parts = urlsplit(url)
    for _ in range(200):
        with suppress(OSError), socket.create_connection((parts.hostname, parts.port), 1):
            return
        time.sleep(0.1)
    raise TimeoutError(url)


def python(_: ExitStack) -> LiveEngine:
    """Return the settings that import the engine."""
    return PythonEngine("tests.contract.word_engine:Words", timeout_seconds=5)


EVERY: dict[str, Build] = {
    "http": http,
    "command": command,
    "batch": batch,
    "mcp, stdio": mcp_program,
    "mcp, http": mcp_over_http,
    "python": python,
}


@pytest.fixture(params=EVERY.values(), ids=list(EVERY))
def settings(request: pytest.FixtureRequest) -> Iterator[LiveEngine]:
    """Return an engine to be asked, running if it has to."""
    with ExitStack() as stack:
        build: Build = request.param
        yield build(stack)


def outcomes(settings: LiveEngine, *queries: str) -> list[list[Span] | str]:
    """Return for each query where its hits are, or why there are none."""
    found: list[list[Span] | str] = []
    with laid_out(DOCUMENTS) as scratch, open_engine(settings, scratch, "shop") as engine:
        places = Places(DOCUMENTS, lambda _: [], scratch.root)
        for asked in engine.ask(queries):
            try:
                spans = [span for span, _ in places.spans(asked.answers)]
            except ExternalError as error:
                found.append(str(error))
            else:
                found.append(asked.error or spans)
    return found


def test_the_best_hit_stands_first_and_a_miss_is_no_error(settings: LiveEngine) -> None:
    found = outcomes(settings, "total of a cart", "STORE", "xyzzy")

    assert found[0] == [Span("cart.py", 1, 3)]
    assert found[1] == [Span("deep/down/store.py", 1, 2)]
    assert found[2] == []


def test_no_more_hits_are_taken_than_were_asked_for(settings: LiveEngine) -> None:
    every = outcomes(settings, "class")[0]

    assert len(every) == 2
    assert outcomes(replace(settings, depth=1), "class")[0] == every[:1]


def test_a_query_reaches_the_engine_as_it_is(settings: LiveEngine) -> None:
    """No shell, no placeholder in a placeholder's value, no flag, no line that ends too early."""
    strange = ["$(touch /tmp/x) store", "{root} store", '\'; store\n"store"', "störe store \ud800"]

    assert outcomes(settings, *strange) == [[Span("deep/down/store.py", 1, 2)]] * len(strange)


REASONS = {
    "outside": "outside the tree",
    "elsewhere": "outside the tree",
    "unknown": "not in the tree",
    "beyond": "do not exist",
    "backwards": "do not exist",
    "unnamed": "not in the tree",
    "typeless": "must be a line's number",
    "unscored": "must be a number from",
    "wordy": "not a list",
}


def test_an_unusable_answer_is_an_error_of_its_query_alone(settings: LiveEngine) -> None:
    before, *failed, after = outcomes(settings, "cart", *REASONS, "store")

    for reason, said in zip(REASONS.values(), failed, strict=True):
        assert reason in said
    assert (before, after) == ([Span("cart.py", 1, 3)], [Span("deep/down/store.py", 1, 2)])


@pytest.mark.parametrize("query", ["crash", "hang", "garbage"])
def test_an_engine_in_trouble_fails_its_query_and_answers_the_next(
    settings: LiveEngine, query: str
) -> None:
    """A batch is one run: it fails from there on, and what it said before counts."""
    hasty = replace(settings, timeout_seconds=3)

    before, failed, after = outcomes(hasty, "cart", query, "store")

    assert before == [Span("cart.py", 1, 3)]
    assert isinstance(failed, str)
    assert isinstance(after, str) or not is_batch(settings)
    assert after == [Span("deep/down/store.py", 1, 2)] or is_batch(settings)


@pytest.mark.parametrize("tool", ["find", "find_list", "find_text"])
def test_a_tool_may_answer_with_an_object_a_list_or_text(tool: str) -> None:
    """The SDK wraps a list and a text as `result`, and either way the hits are the same."""
    arguments = (sys.executable, ENGINE, "mcp", "stdio", "{root}")

    found = outcomes(McpEngine(tool, command=arguments, timeout_seconds=10), "total of a cart")

    assert found == [[Span("cart.py", 1, 3)]]


def test_a_wrapped_answer_is_found_by_its_own_path_too() -> None:
    arguments = (sys.executable, ENGINE, "mcp", "stdio", "{root}")
    fields = AnswerFields(hits="result")

    found = outcomes(
        McpEngine("find_list", command=arguments, answer=fields, timeout_seconds=10), "cart"
    )

    assert found == [[Span("cart.py", 1, 3)]]


def test_an_answer_of_another_shape_names_the_shape_that_was_expected() -> None:
    arguments = (sys.executable, ENGINE, "mcp", "stdio", "{root}")

    (said,) = outcomes(McpEngine("find_number", command=arguments, timeout_seconds=10), "cart")

    assert said == (
        "the answer is not a list of hits: '54'; expected {\"hits\": [hit, …]} or [hit, …] with"
        ' hits like {"path": "a.py", "start": 1, "end": 9}'
    )


def is_batch(settings: LiveEngine) -> bool:
    """Tell whether all queries are one run."""
    return isinstance(settings, CommandEngine) and settings.batch


@pytest.mark.parametrize("build", [mcp_program, python])
def test_an_engine_that_died_is_started_again(build: Build) -> None:
    """The query that killed it is the one that fails."""
    with ExitStack() as stack:
        found = outcomes(build(stack), "cart", "die", "store")

    assert isinstance(found[1], str)
    assert (found[0], found[2]) == ([Span("cart.py", 1, 3)], [Span("deep/down/store.py", 1, 2)])
