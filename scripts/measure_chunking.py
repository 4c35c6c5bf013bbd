"""Measure what cutting costs for one size and for five, and what the chunks are.

Run as `python scripts/measure_chunking.py [--suite conf/suite/polyglot.yaml]`. Times are
CPU-seconds of this process, the least of five, over all repositories of the suite together.
Tokens, and breaks where a chunker has them, are found once; parsing, which is another process's
work, is printed by itself and not part of a ratio.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import yaml

from bench.corpora import parse_source, read_source
from bench.measures import ChunkFacts, chunk_numbers
from retrievers.chunkers import (
    File,
    Lines,
    Recursive,
    Symbol,
    Syntax,
    Tokens,
    definition_breaks,
    text_breaks,
    token_ends,
    whole_definition_breaks,
)
from retrievers.interface import Chunks, Documents, TokenEnds
from retrievers.source import Symbols, find_symbols

T = TypeVar("T")
SIZES = (256, 512, 1024, 2048, 4096)
ONE = SIZES[1]
REPEATS = 5


@dataclass(frozen=True)
class Repository:
    """The documents of a repository, with cached inputs of chunkers."""

    documents: Documents

    @cached_property
    def tokens(self) -> TokenEnds:
        """Token ends of the documents."""
        return token_ends(self.documents)

    @cached_property
    def symbols(self) -> Symbols:
        """Symbols of the documents."""
        return find_symbols(self.documents)

    def cut(self, kind: str, sizes: Sequence[int]) -> list[Chunks]:
        """Return the chunks of each size."""
        documents, tokens = self.documents, self.tokens
        if kind == "recursive":
            breaks = text_breaks(documents, tokens)
            return [Recursive(size).pack(documents, tokens, breaks) for size in sizes]
        if kind == "syntax":
            breaks = definition_breaks(documents, tokens, self.symbols)
            return [Syntax(size).pack(documents, tokens, breaks) for size in sizes]
        if kind == "symbol":
            whole = whole_definition_breaks(documents, tokens, self.symbols)
            return [Symbol(size).pack(documents, tokens, whole) for size in sizes]
        if kind == "file":
            return [File().cut(documents, tokens)]
        chunker = {"lines": Lines, "tokens": Tokens}[kind]
        return [chunker(size).cut(documents, tokens) for size in sizes]


def main() -> None:
    """Print one line for each chunker."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", type=Path, default=Path("conf/suite/polyglot.yaml"))
    repositories = read(parser.parse_args().suite)
    print(f"{len(repositories)} repositories, {megabytes(repositories):.1f} MB")
    tokenising = least(lambda: [token_ends(one.documents) for one in repositories])
    start = time.perf_counter()
    definitions = sum(len(one.symbols) for one in repositories)
    print(f"parse {time.perf_counter() - start:.2f} s on the clock, {definitions} symbols")
    print(f"tokenise {tokenising:.3f} s, {megabytes(repositories) / tokenising:.0f} MB/s")
    for kind in ("lines", "tokens", "recursive", "syntax", "symbol"):
        one = least(lambda kind=kind: [each.cut(kind, [ONE]) for each in repositories])
        five = least(lambda kind=kind: [each.cut(kind, SIZES) for each in repositories])
        ratio = (tokenising + five) / (tokenising + one)
        print(f"{kind:<10} one size {one:.3f} s, five {five:.3f} s; with tokens {ratio:.2f} times")
    for kind in ("lines", "tokens", "recursive", "syntax", "symbol", "file"):
        print(f"{kind:<10} {described(kind, repositories)}")


def read(suite: Path) -> list[Repository]:
    """Return the repositories of a suite."""
    entries = yaml.safe_load(suite.read_text(encoding="utf-8"))["repositories"]
    sources = [parse_source(entry["source"], where=entry["name"]) for entry in entries]
    return [Repository(read_source(source).documents) for source in sources]


def megabytes(repositories: Sequence[Repository]) -> float:
    """Return the size of the repositories' text in megabytes."""
    return sum(len(one.documents.content) for one in repositories) / 1e6


def least(work: Callable[[], T]) -> float:
    """Return the CPU-seconds of the fastest of several runs after a warm-up."""
    work()
    taken = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def described(kind: str, repositories: Sequence[Repository]) -> str:
    """Return the statistics of the chunks of one size."""
    facts = [
        ChunkFacts.of(one.cut(kind, [ONE])[0], one.documents, one.tokens, one.symbols)
        for one in repositories
    ]
    numbers = chunk_numbers(facts)
    shown = (f"{name} {number:.4g}" for name, number in numbers.items() if number is not None)
    return ", ".join(shown)


if __name__ == "__main__":
    main()
