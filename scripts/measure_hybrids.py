"""Measure the default hybrid beside each of its channels, by suite and by kind of query.

For each level (with its unit) and each suite, and for each kind of query over all suites: NDCG@10
of `hybrid`, of `lexical` and `dense` alone, and the differences with 95 % intervals (repositories
resampled). All settings are those of conf/. Vectors are taken from a store, and kept there. Run as

    python scripts/measure_hybrids.py [--half report] [--embedder static] [--store FOLDER]
"""

import argparse
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from measure_retrieval import DEPTH, Asked, asked_by, interval

from bench.engine import ArtifactStore, ContentCache, digest_of
from bench.files import data_folder
from bench.launcher.points import read_points
from bench.measures import Characters, Rule, score
from bench.models import load_encoder
from bench.queries import levels_of, resolve
from bench.settings.retrieving import Retrieval, parse_retrieval
from bench.stages.dense import Model
from retrievers.dense import ModelWindows, QueryVectors, Vectors, WindowVectors
from retrievers.dense.windows import cut_chunk_windows, window_texts
from retrievers.fusion import align, weigh_each
from retrievers.interface import Rankings
from retrievers.listing import Entries
from retrievers.reading import read_query

SUITES = ("issues", "tasks", "languages", "polyglot", "tiered", "python", "docs")
LEVELS = ("file", "symbol", "span")
COMPARED = ("lexical", "dense")


class Embedder:
    """A model whose vectors a store keeps by the text that they are of."""

    def __init__(self, retrieval: Retrieval, store: str) -> None:
        model = Model.of(retrieval.embedder)  # type: ignore[arg-type] - a hybrid has one
        self._encoder = load_encoder(model.settings)
        self._cache = ContentCache(ArtifactStore(store), model.cache_name)

    def inputs(self, asked: Asked, model: Any) -> dict[Any, Any]:
        """Return what dense reads of a repository."""
        windows = cut_chunk_windows(asked.documents, asked.chunks, self._encoder)
        places = np.arange(len(windows))
        texts = window_texts(asked.documents, windows, places)
        queries = self._encoder.queries([query.text for query in asked.queries])
        return {
            ModelWindows(model): windows,
            WindowVectors(model): (Vectors(places.astype(np.int32), self._embedded(texts)),),
            QueryVectors(model): Vectors(np.arange(len(queries), dtype=np.int32), queries),
        }

    def _embedded(self, texts: Sequence[str]) -> Any:
        digests = [digest_of(text) for text in texts]
        known = dict(self._cache.find(digests))
        missing = {one: text for one, text in zip(digests, texts, strict=True) if one not in known}
        keys = list(missing)
        for places, vectors in self._encoder.passages_in_batches(list(missing.values())):
            own = [keys[place] for place in places]
            self._cache.add(own, vectors)
            known.update(zip(own, vectors, strict=True))
        return np.stack([known[digest] for digest in digests]).astype(np.float32)


def main() -> None:
    """Print a table for each level."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--half", default="tune", choices=("tune", "report", "all"))
    parser.add_argument("--suites", default=",".join(SUITES))
    parser.add_argument("--embedder", default="minilm")
    parser.add_argument("--store", default=".rankgrid/store")
    given = parser.parse_args()
    embedder = Embedder(shipped("hybrid", given.embedder, "file"), given.store)
    found: dict[str, list[dict[str, Any]]] = {level: [] for level in LEVELS}
    for suite in given.suites.split(","):
        for asked in asked_by(suite, given.half):
            for level in LEVELS:
                if asked.queries and all(level in levels_of(one) for one in asked.queries):
                    found[level] += rows_of(asked, embedder, given.embedder, level)
    for level, rows in found.items():
        print_table(level, rows)


@cache
def shipped(retriever: str, embedder: str, level: str) -> Retrieval:
    """Return a retriever with its defaults, as conf/ has them."""
    typed = [f"retriever={retriever}", f"embedder={embedder}", f"measure_level={level}"]
    point = read_points(typed, data_folder("conf"), multirun=False)[0]
    return parse_retrieval(point.config)


def rows_of(asked: Asked, embedder: Embedder, name: str, level: str) -> list[dict[str, Any]]:
    """Return a row for each query: where it is from, its kind, and each retriever's score."""
    judgements = resolve(asked.queries, asked.documents, asked.symbols)
    columns: dict[str, list[float]] = {}
    for retriever in ("hybrid", *COMPARED):
        retrieval = shipped(retriever, name, level)
        if retrieval.embedder and ModelWindows(retrieval.embedder) not in asked.made:
            asked.made.update(embedder.inputs(asked, retrieval.embedder))
        scores = score(
            ranking(asked, retrieval),
            asked.chunks,
            judgements,
            asked.tokens,
            query_count=len(asked.queries),
            rule=Rule(Characters(asked.documents)),
        )
        columns[retriever] = list(map(float, scores.of(level, "ndcg_at_10")))  # type: ignore[arg-type]
    return [
        {
            "suite": asked.suite,
            "kind": read_query(query.text).kind,
            "repository": asked.name,
            **{retriever: values[place] for retriever, values in columns.items()},
        }
        for place, query in enumerate(asked.queries)
    ]


def ranking(asked: Asked, retrieval: Retrieval) -> Rankings:
    """Return the ranking of every query."""
    texts, fusion = [query.text for query in asked.queries], retrieval.fusion
    channels = [
        one.rank(texts, own_inputs(asked), depth=DEPTH)  # type: ignore[union-attr]
        for one in retrieval.channels
    ]
    found = channels[0]
    if fusion is not None:
        own: Mapping[str, tuple[float, ...]] = dict(fusion.of_kind)
        weights = [own.get(read_query(text).kind, fusion.weights) for text in texts]
        found = weigh_each(align(channels, normalisation=fusion.normalisation), weights, DEPTH)
    floor = "zero" if fusion else "mean"
    if retrieval.rules is not None:
        found = asked.book().apply(found, texts, retrieval.rules, depth=DEPTH, floor=floor)  # type: ignore[arg-type]
    entries = Entries.of(retrieval.listing, asked.chunks, asked.definitions())
    return entries.listed(found, floor=floor, depth=DEPTH)  # type: ignore[arg-type]


def own_inputs(asked: Asked) -> Any:
    """Return a reader that knows the vectors of the repository."""
    return lambda wanted: asked.made[wanted] if wanted in asked.made else asked.read(wanted)


def print_table(level: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Print a line for each suite and for each kind of query, and one for all."""
    print(
        f"\n| by {level} | queries | hybrid | "
        + " | ".join(f"{one} | hybrid - {one}" for one in COMPARED)
        + " |"
    )
    print("|---" * (3 + 2 * len(COMPARED)) + "|")
    for group in ("suite", "kind"):
        for name in dict.fromkeys(row[group] for row in rows):
            print(line(name, [row for row in rows if row[group] == name]))
    print(line("all", rows))


def line(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the means over queries, and the differences with their intervals."""
    hybrid = np.array([row["hybrid"] for row in rows])
    cells = [name, str(len(rows)), f"{hybrid.mean():.3f}"]
    for one in COMPARED:
        other = np.array([row[one] for row in rows])
        low, high = interval(hybrid - other, [row["repository"] for row in rows])
        cells += [
            f"{other.mean():.3f}",
            f"{(hybrid - other).mean():+.3f} [{low:+.3f}, {high:+.3f}]",
        ]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
