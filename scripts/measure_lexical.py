"""Measure cutting and BM25 on this environment's installed sources, bm25s beside it.

Run as `python scripts/measure_lexical.py [--chunks 30000]`. Indexing is given in CPU-seconds of
this process, queries in milliseconds on the clock; all of it on one thread.
"""

import argparse
import re
import statistics
import sysconfig
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import bm25s
import numpy as np
import Stemmer

from retrievers.chunkers import Lines, token_ends
from retrievers.interface import Documents
from retrievers.lexical import BM25, BM25Index, TokenizerName, count_words, tokenize

T = TypeVar("T")
QUERIES = 300
WORDS = 8


def main() -> None:
    """Print a line for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=30_000)
    texts = cut_sources(parser.parse_args().chunks)
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    print(f"{len(texts)} chunks, {megabytes:.1f} MB")
    kinds: tuple[TokenizerName, ...] = ("plain", "english", "identifier")
    queries = sample_queries(texts)
    for kind in kinds:
        compare(kind, texts, megabytes, queries)


def cut_sources(limit: int) -> list[str]:
    """Return chunks of the installed sources, and print the speed of chunking."""
    documents = Documents.of(list(_sources(Path(sysconfig.get_path("purelib")))))
    megabytes = len(documents.content) / 1e6
    tokens, seconds = timed(lambda: token_ends(documents))
    print(f"token_ends        {seconds:7.2f} s  {megabytes / seconds:6.1f} MB/s")
    chunks, seconds = timed(lambda: Lines().cut(documents, tokens))
    print(f"Lines().cut       {seconds:7.2f} s  {megabytes / seconds:6.1f} MB/s")
    return list(chunks.texts(documents))[:limit]


def _sources(folder: Path) -> list[tuple[str, str]]:
    paths = sorted(folder.rglob("*.py"))[:6000]
    return [(str(path), path.read_text("utf-8", "replace")) for path in paths]


def sample_queries(texts: Sequence[str]) -> list[str]:
    """Return random queries with a few words of the texts."""
    generator = np.random.default_rng(0)
    drawn = generator.choice(len(texts), QUERIES, replace=False)
    found = [re.findall(r"[A-Za-z]{3,}", texts[place])[:WORDS] for place in drawn]
    # bm25s fails on queries without a known word.
    return [" ".join(words) for words in found if len(words) == WORDS]


def compare(
    kind: TokenizerName, texts: list[str], megabytes: float, queries: Sequence[str]
) -> None:
    """Index the texts and run the queries with our BM25 and with bm25s."""
    postings, counting = timed(lambda: count_words(texts, kind))
    index, weighing = timed(lambda: BM25Index(postings, BM25(kind)))
    report(f"{kind} ours", counting + weighing, megabytes, each(index.scores, queries))
    print(f"  weighing the postings: {weighing * 1e3:.1f} ms")
    model, indexing = timed(lambda: bm25s_index(kind, texts))
    report(
        f"{kind} bm25s",
        indexing,
        megabytes,
        each(lambda query: model.get_scores(tokenize(query, kind)), queries),
    )


def bm25s_index(kind: TokenizerName, texts: list[str]) -> Any:
    """Return the index of bm25s, with its own tokenizer if it has an equivalent one."""
    tokens: Any
    if kind == "identifier":
        tokens = [tokenize(text, kind) for text in texts]
    else:
        english = kind == "english"
        tokens = bm25s.tokenize(
            texts,
            token_pattern=r"(?u)\b\w\w+\b" if english else r"(?u)\w+",
            stopwords="en" if english else None,
            stemmer=Stemmer.Stemmer("english") if english else None,
            show_progress=False,
        )
    model = bm25s.BM25(k1=1.5, b=0.75)
    model.index(tokens, show_progress=False)
    return model


def report(name: str, seconds: float, megabytes: float, queries: Sequence[float]) -> None:
    """Print the time of an index and of its queries."""
    middle = statistics.median(queries) * 1e3
    speed = megabytes / seconds
    print(f"{name:<17} {seconds:7.2f} s  {speed:6.1f} MB/s  query p50 {middle:.3f} ms")


def each(ask: Callable[[str], object], queries: Sequence[str]) -> list[float]:
    """Return the seconds of each query after a warm-up."""
    seconds = []
    for query in [*queries, *queries]:
        start = time.perf_counter()
        ask(query)
        seconds.append(time.perf_counter() - start)
    return seconds[len(queries) :]


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return the result of `work` and its CPU-seconds."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


if __name__ == "__main__":
    main()
