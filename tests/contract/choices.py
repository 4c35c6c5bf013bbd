"""Tries every choice of `retriever=` and `reranker=` as a study would, on a small repository.

What needs a model, a server or a program gets a real one, started here.
"""

import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from bench.engine import Alone, ArtifactStore, NoObserver, Plan, Read, Record, Stage, carry_out
from bench.queries import Query, Target
from bench.settings import TrialSettings, parse_trial
from bench.stages import Ask, Served
from bench.study.corpus import PreparedRepository
from bench.study.repository_trial import RepositoryTrial
from retrievers.interface import Chunks, Documents, Rankings
from tests.contract.model_server import serving
from tests.contract.small_bert import small_bert
from tests.contract.test_external_contract import ENGINE, served

CONF = Path(__file__).parents[2] / "conf"
CART = """\
def checkout_total(cart):
    '''Return what the things in a cart cost together.'''
    return sum(thing.price for thing in cart)


def empty_cart(cart):
    '''Take everything out of a cart.'''
    cart.clear()
"""
FILES = Documents.of(
    [
        ("cart.py", CART),
        ("deep/down/store.py", "class Store:\n    def find(self, order):\n        return order\n"),
        ("empty.py", ""),
        ("größe.py", "GRÖSSE = 'ß λ 設定'\n"),
        ("main.c", 'int main(void) { printf("greeting"); return 0; }\n'),
        ("notes.md", "# Notes\n\nHow the store keeps an order.\n"),
        ("tests/test_cart.py", "def test_total():\n    assert checkout_total([]) == 0\n"),
        ("twice/a.py", "def same():\n    return 'the very same words'\n"),
        ("twice/b.py", "def same():\n    return 'the very same words'\n"),
    ]
)
WANTED = Target("span", path="cart.py", start=6, end=8)
TEXTS = (
    "empty_cart",
    "empty_cart",
    "where does the store keep an order?",
    "the very same words",
    "",
    "...",
    "xyzzy plugh",
    "größe ß λ 設定",
    "lone \ud800 surrogate",
    "( [a-z]* \" ' -- ; \\ $(touch /tmp/x) {root} %s\n\tNEAR/2 OR *",
    "def total " * 400,
)
QUERIES = tuple(Query(f"q{n}", text, (WANTED,)) for n, text in enumerate(TEXTS))


@dataclass(frozen=True)
class Repository(Stage[Documents]):
    """The files above."""

    kind: ClassVar[str] = "repository-of-the-contract"
    codec: ClassVar[Record[Documents]] = Record(Documents)

    def run(self, _read: Read, /) -> Documents:
        """Return the files."""
        return FILES


@dataclass(frozen=True)
class Shown:
    """The chunks that each query is answered with."""

    chunks: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class AskServed(Stage[Shown]):
    """Ask a pipeline as it would be served, each query alone."""

    kind: ClassVar[str] = "ask-served-for-the-contract"
    codec: ClassVar[Record[Shown]] = Record(Shown)

    served: Served
    texts: tuple[str, ...]
    limits: tuple[int, ...] = (3, 1)

    def run(self, read: Read, /) -> Shown:
        """Return the answers to all texts, for one limit after the other."""
        pipeline, asked = self.served.open(read), product(self.limits, self.texts)
        try:
            found = [tuple(pipeline.answer(text, limit)) for limit, text in asked]
        finally:
            pipeline.close()
        return Shown(tuple(found))


def command(*how: str) -> str:
    """Return the engine of the tests as a list that can be typed."""
    return f"retriever.command=[{','.join([sys.executable, ENGINE, *how])}]"


def over_http(stack: ExitStack) -> list[str]:
    """Start the engine as a server and return how it is asked."""
    url = served(stack)
    return [f"retriever.url={url}/search", f"retriever.index_url={url}/index", "retriever.tries=1"]


Typed = Callable[[ExitStack, Path], list[str]]
OF_RETRIEVERS: dict[str, Typed] = {
    "command": lambda *_: [command("once", '"{root}"', '"{query}"', '"{limit}"')],
    "http": lambda stack, _: over_http(stack),
    "mcp": lambda *_: ["retriever.tool=find", command("mcp", "stdio", '"{root}"')],
    "python": lambda *_: ["retriever.target=tests.contract.word_engine:Words"],
    "graph with vectors": lambda *_: ["retriever.reordering.weight=0.6"],
}
OF_RERANKERS: dict[str, Typed] = {
    "cross_encoder": lambda _, folder: [f"reranker.model={small_bert(folder / 'bert', labels=1)}"],
    "server": lambda stack, _: [
        f"reranker.url={stack.enter_context(serving()).url}/v1/rerank",
        "reranker.tries=1",
    ],
}
"""What has to be typed besides the choice, and started first."""


def nothing(_stack: ExitStack, _folder: Path) -> list[str]:
    """Return what has to be typed for most."""
    return []


@dataclass
class Trying:
    """A place to try one choice."""

    folder: Path
    stack: ExitStack
    store: str
    """Where stages are kept: what several tests need is made once."""

    def settings(self, *typed: str) -> TrialSettings:
        """Return the trial that the overrides describe."""
        with initialize_config_dir(config_dir=str(CONF), version_base=None):
            composed = compose("config", ["chunk=32", "embedder.dtype=float32", *typed])
        config: Any = OmegaConf.to_container(composed, resolve=True)
        groups = ("retriever", "reranker", "chunker", "embedder", "vectors", "answerer", "query")
        return parse_trial(config, choices=dict.fromkeys(groups, "chosen"))

    def retriever(self, kind: str, *typed: str) -> TrialSettings:
        """Return the trial of a retriever, or of one as a channel: `hybrid of http`.

        What comes after `with` is a setting that makes it another retriever.
        """
        kind, _, channel = kind.partition(" of ")
        needed = OF_RETRIEVERS.get(channel or kind, nothing)(self.stack, self.folder)
        if channel:
            needed = [text.replace("retriever.", f"retriever.{channel}.", 1) for text in needed]
            needed.append(f"retriever.channels=[bm25,{channel}]")
        return self.settings(f"retriever={kind.split()[0]}", *needed, *typed)

    def reranker(self, kind: str, *typed: str) -> TrialSettings:
        """Return the trial of a reranker behind a plain retriever."""
        needed = OF_RERANKERS.get(kind, nothing)(self.stack, self.folder)
        return self.settings("retriever=bm25", f"reranker={kind}", *needed, *typed)

    def made(self, stage: Stage[Any], *, is_fresh: bool = False) -> Any:
        """Carry out a stage with all that it needs and return its result."""
        url = str(self.folder / "another store") if is_fresh else self.store
        known = ArtifactStore(url)
        outcomes = carry_out(Plan.reaching([stage], done=known.has), url, Alone(), NoObserver())
        failed = [one.failure for one in outcomes.values() if one.failure]
        assert failed == []
        artifact = known.load(stage)
        assert artifact is not None
        return stage.codec.decode(artifact.payload)


def repository_trial(
    settings: TrialSettings, queries: tuple[Query, ...] = QUERIES
) -> RepositoryTrial:
    """Return the stages of a trial on the files."""
    asked = Ask(tuple(query.text for query in queries))
    return RepositoryTrial(settings, PreparedRepository("shop", Repository(), asked, queries))


def check(rankings: Rankings, chunks: Chunks, *, queries: int, depth: int) -> None:
    """Check what every ranking is: of all queries, sorted, without doubles, inside the tree."""
    assert len(rankings) == len(rankings.mean) == len(rankings.deviation) == queries
    for query in range(queries):
        found, scores = rankings.of_query(query)
        assert len(found) == len(scores) <= depth
        assert np.isfinite(scores).all()
        assert (np.diff(scores) <= 0).all(), "not sorted"
        assert len(set(found.tolist())) == len(found), "a chunk stands there twice"
        for chunk in found.tolist():
            assert 0 <= chunk < len(chunks)
            span = chunks.span(chunk, FILES)
            last = max(1, len(FILES.line_starts(FILES.places[span.path])))
            assert 1 <= span.start <= span.end <= last, "outside the tree"
