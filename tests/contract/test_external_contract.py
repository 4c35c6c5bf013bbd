"""What every engine of somebody else is held to, whichever way it is asked."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from retrievers.external import (
    CommandEngine,
    ExternalError,
    ExternalSettings,
    HttpEngine,
    Places,
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
Build = Callable[[ExitStack], ExternalSettings]


def served(stack: ExitStack) -> str:
    """Start the engine as a server; return its address."""
    process = stack.enter_context(
        subprocess.Popen([sys.executable, ENGINE, "serve"], stdout=subprocess.PIPE, text=True)
    )
    stack.callback(process.kill)
    if process.stdout is None:
        raise OSError
    return f"http://127.0.0.1:{process.stdout.readline().strip()}"


def http(stack: ExitStack) -> ExternalSettings:
    """Return the settings that ask the engine over HTTP."""
    url = served(stack)
    return HttpEngine(f"{url}/search", index_url=f"{url}/index", timeout_seconds=2, tries=1)


def command(_: ExitStack) -> ExternalSettings:
    """Return the settings that run the engine for each query."""
    arguments = (sys.executable, ENGINE, "once", "{root}", "{query}", "{limit}")
    return CommandEngine(arguments, timeout_seconds=2)


def batch(_: ExitStack) -> ExternalSettings:
    """Return the settings that run the engine for all queries."""
    return CommandEngine(
        (sys.executable, ENGINE, "batch", "{root}"), batch=True, timeout_seconds=2
    )


EVERY: dict[str, Build] = {"http": http, "command": command, "batch": batch}


@pytest.fixture(params=EVERY.values(), ids=list(EVERY))
def settings(request: pytest.FixtureRequest) -> Iterator[ExternalSettings]:
    """Return an engine to be asked, running if it has to."""
    with ExitStack() as stack:
        build: Build = request.param
        yield build(stack)


def outcomes(settings: ExternalSettings, *queries: str) -> list[list[Span] | str]:
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


def test_the_best_hit_stands_first_and_a_miss_is_no_error(settings: ExternalSettings) -> None:
    found = outcomes(settings, "total of a cart", "STORE", "xyzzy")

    assert found[0] == [Span("cart.py", 1, 3)]
    assert found[1] == [Span("deep/down/store.py", 1, 2)]
    assert found[2] == []


def test_no_more_hits_are_taken_than_were_asked_for(settings: ExternalSettings) -> None:
    every = outcomes(settings, "class")[0]

    from dataclasses import replace

    assert len(every) == 2
    assert outcomes(replace(settings, depth=1), "class")[0] == every[:1]


def test_a_query_reaches_the_engine_as_it_is(settings: ExternalSettings) -> None:
    """No shell, no placeholder in a placeholder's value, no flag, no line that ends too early."""
    strange = ["$(touch /tmp/x) store", "{root} store", '\'; store\n"store"', "störe store \ud800"]

    assert outcomes(settings, *strange) == [[Span("deep/down/store.py", 1, 2)]] * len(strange)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("outside", "outside the tree"),
        ("elsewhere", "outside the tree"),
        ("unknown", "not in the tree"),
        ("beyond", "do not exist"),
        ("backwards", "do not exist"),
        ("unnamed", "not in the tree"),
        ("typeless", "must be a line's number"),
        ("infinite", "must be a finite number"),
        ("wordy", "not a list"),
    ],
)
def test_an_unusable_answer_is_an_error_of_its_query_alone(
    settings: ExternalSettings, query: str, reason: str
) -> None:
    before, failed, after = outcomes(settings, "cart", query, "store")

    assert isinstance(failed, str)
    assert reason in failed
    assert (before, after) == ([Span("cart.py", 1, 3)], [Span("deep/down/store.py", 1, 2)])
