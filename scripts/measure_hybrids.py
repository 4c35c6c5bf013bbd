"""Measure retrievers of several channels beside each channel, and what each ingredient is worth.

For each level (with its unit) and each measure: the mean of a retriever by suite and by kind of
query, and the differences to those that it is compared with, one of them the simple ranking of
`measure_simple_baselines.py`. With `--without`, also the default minus the same with one
ingredient changed. Intervals are of 95 %, repositories resampled. All settings are those of conf/.
Vectors are taken from a store, and kept there. Run as

    python scripts/measure_hybrids.py [--half report] [--store FOLDER] [--measures ndcg_at_10,…]
    python scripts/measure_hybrids.py --without [--retrievers lexical,hybrid]
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from measure_retrieval import DEPTH, Asked, asked_by, interval
from measure_simple_baselines import scored

from bench.engine import ArtifactStore, ContentCache, digest_of
from bench.files import data_folder
from bench.launcher.points import read_points
from bench.measures import Characters, Rule, parse_measure, score
from bench.models import load_encoder
from bench.queries import levels_of, resolve
from bench.settings.retrieving import Retrieval, parse_retrieval
from bench.stages.dense import Model
from retrievers.dense import ModelWindows, QueryVectors, Vectors, WindowVectors
from retrievers.dense.windows import cut_chunk_windows, window_texts
from retrievers.fusion import Aligned, align, weigh_each
from retrievers.interface import TOKENS, Derived, Rankings
from retrievers.listing import Entries
from retrievers.reading import read_query
from retrievers.source import EDGES
from retrievers.source.edges import find_edges

SUITES = ("issues", "tasks", "languages", "polyglot", "tiered", "python", "docs")
LEVELS = ("file", "symbol", "span")
MEASURES = ",".join(["ndcg_at_10", *(f"coverage_at_{n}_tokens" for n in (2000, 4000, 8000))])
SIMPLE, WITHOUT_MODEL = "simple", "without_model"
COMPARED: Mapping[str, tuple[str, ...]] = {
    "hybrid": ("bm25", "lexical", "dense", SIMPLE),
    "hybrid_graph": ("lexical", "graph", "dense", "hybrid", SIMPLE),
    "lexical": ("bm25", SIMPLE),
    WITHOUT_MODEL: ("lexical", "graph", SIMPLE),
}
OF_WORDS = (
    "reading=plain",
    "tokenizer=identifier",
    "name_boost=0",
    "definition_boost=0",
    "test_penalty=1",
    "data_penalty=1",
    "aggregation=0",
    "file_share=0",
)
OF_FUSION = ("name_boost=1", "normalisation=min_max", "normalisation=rrf", "rules=off")

Row = Mapping[str, Any]
"""A query: its level, suite, kind and repository, and an array of measures by retriever."""
MINUS = "\N{MINUS SIGN}"


class Embedder:
    """An embedding model with a cache of vectors in a store."""

    def __init__(self, model: Model, store: str) -> None:
        self._encoder = load_encoder(model.settings)
        self._cache = ContentCache(ArtifactStore(store), model.cache_name)

    @classmethod
    def of(cls, name: str, store: str) -> "Embedder":
        """Return the embedding model of a hybrid, with its cache."""
        return cls(Model.of(shipped("hybrid", name, "file").embedder), store)  # type: ignore[arg-type] - it has one

    def inputs(self, asked: Asked, model: Any) -> dict[Any, Any]:
        """Return the inputs of dense retrieval for a repository."""
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


class Rankers:
    """Rankings of a repository's queries. The ranking of each channel is cached."""

    def __init__(self, asked: Asked, embedder: Embedder) -> None:
        self.asked, self._embedder = asked, embedder
        self.texts = [query.text for query in asked.queries]
        self._found: dict[Any, Rankings] = {}
        self._aligned: dict[Any, Aligned] = {}

    def ranking(self, retrieval: Retrieval) -> Rankings:
        """Return the rankings of a retriever for all queries."""
        asked, fusion = self.asked, retrieval.fusion
        channels = [self._channel(one, retrieval) for one in retrieval.channels]
        found = channels[0]
        if fusion is not None:
            key = (retrieval.channels, fusion.normalisation)
            if key not in self._aligned:
                self._aligned[key] = align(channels, normalisation=fusion.normalisation)
            own: Mapping[str, tuple[float, ...]] = dict(fusion.of_kind)
            weights = [own.get(read_query(text).kind, fusion.weights) for text in self.texts]
            found = weigh_each(self._aligned[key], weights, DEPTH)
        floor = "zero" if fusion else "mean"
        if retrieval.rules is not None:
            book, rules = asked.book(), retrieval.rules
            found = book.apply(found, self.texts, rules, depth=DEPTH, floor=floor)  # type: ignore[arg-type]
        entries = Entries.of(retrieval.listing, asked.chunks, asked.definitions())
        return entries.listed(found, floor=floor, depth=DEPTH)  # type: ignore[arg-type]

    def _channel(self, channel: Any, retrieval: Retrieval) -> Rankings:
        if channel not in self._found:
            model = retrieval.embedder
            if model and ModelWindows(model) not in self.asked.made:
                self.asked.made.update(self._embedder.inputs(self.asked, model))
            self._found[channel] = channel.rank(self.texts, self._read, depth=DEPTH)
        return self._found[channel]

    def _read(self, wanted: Any) -> Any:
        made = self.asked.made
        if wanted not in made and wanted is EDGES:
            made[wanted] = find_edges(self.asked.documents, self.asked.symbols)
        elif wanted not in made and wanted is TOKENS:
            made[wanted] = self.asked.tokens
        elif wanted not in made and isinstance(wanted, Derived):
            made[wanted] = wanted.make(self._read)
        return made[wanted] if wanted in made else self.asked.read(wanted)


def main() -> None:
    """Print the tables."""
    given = _arguments()
    retrievers = given.retrievers.split(",")
    others = {
        one: given.against.split(",") if given.against else COMPARED[one] for one in retrievers
    }
    changed = {one: changes_of(one) if given.without else [] for one in retrievers}
    names = {name for one in retrievers for name in (one, *others[one], *changed[one])}
    embedder = Embedder.of(given.embedder, given.store)
    rows = [
        row
        for suite in given.suites.split(",")
        for asked in asked_by(suite, given.half)
        if asked.queries and asked.name not in given.leave_out.split(",")
        for row in rows_of(Rankers(asked, embedder), given, sorted(names))
    ]
    for one, level in product(retrievers, LEVELS):
        own = [row for row in rows if row["level"] == level]
        if not own:
            continue
        for place, measure in enumerate(given.measures.split(",")):
            print(f"\n{one}: {measure} by {level}\n")
            print_compared(own, (one, *others[one]), place)
            if given.without:
                print()
                print_ingredients(own, (one, *changed[one]), place)


def changes_of(retriever: str) -> list[str]:
    """Return the names of variants of a retriever with one changed ingredient each."""
    changes = OF_WORDS if retriever == "lexical" else (*OF_WORDS, *OF_FUSION)
    return [f"{retriever} {change}" for change in changes]


def _arguments() -> argparse.Namespace:
    parser = parser_of(__doc__, suites=SUITES, retrievers=tuple(COMPARED), measures=MEASURES)
    parser.add_argument("--leave-out", default="", help="names of repositories")
    parser.add_argument("--against", default="", help="retrievers to compare with")
    parser.add_argument("--without", action="store_true", help="change one ingredient at a time")
    return parser.parse_args()


def parser_of(
    page: str, *, suites: Sequence[str], retrievers: Sequence[str], measures: str
) -> argparse.ArgumentParser:
    """Return a parser with the flags for the suites, the measures and the store."""
    parser = argparse.ArgumentParser(description=page.split("\n", 1)[0])
    parser.add_argument("--half", default="tune", choices=("tune", "report", "all"))
    parser.add_argument("--suites", default=",".join(suites))
    parser.add_argument("--retrievers", default=",".join(retrievers))
    parser.add_argument("--measures", default=measures)
    parser.add_argument("--embedder", default="minilm")
    parser.add_argument("--store", default=".rankgrid/store")
    return parser


@cache
def shipped(name: str, embedder: str, level: str) -> Retrieval:
    """Return a retriever of conf/, with changes given in its name."""
    retriever, *changes = name.replace(WITHOUT_MODEL, "hybrid channels=[bm25,graph]").split()
    typed = [f"retriever={retriever}", f"embedder={embedder}", f"measure_level={level}"]
    typed += [f"retriever.{change}" for change in changes]
    point = read_points(typed, data_folder("conf"), multirun=False)[0]
    return parse_retrieval(point.config)


def rows_of(rankers: Rankers, given: argparse.Namespace, names: Sequence[str]) -> Iterator[Row]:
    """Yield a row per query at each level that all queries of the repository have."""
    asked = rankers.asked
    for level in LEVELS:
        if not all(level in levels_of(one) for one in asked.queries):
            continue
        columns = {name: values_of(rankers, given, name, level) for name in names}
        for place, query in enumerate(asked.queries):
            of_query = {"kind": read_query(query.text).kind, "category": query.category}
            values = {name: found[place] for name, found in columns.items()}
            yield {
                "level": level,
                "suite": asked.suite,
                "repository": asked.name,
                **of_query,
                **values,
            }


def values_of(rankers: Rankers, given: argparse.Namespace, name: str, level: str) -> Any:
    """Return the measures of every query for a retriever or the simple ranking."""
    asked, measures = rankers.asked, tuple(map(parse_measure, given.measures.split(",")))
    if name == SIMPLE:
        found = scored(asked.documents, asked.symbols, asked.queries, by_file=level == "file")
        return np.stack([found.of(level, measure.column) for measure in measures], axis=1)
    if "judged" not in asked.made:
        judgements = resolve(asked.queries, asked.documents, asked.symbols)
        asked.made["judged"] = judgements, Rule(Characters(asked.documents))
    judgements, rule = asked.made["judged"]
    scores = score(
        rankers.ranking(shipped(name, given.embedder, level)),
        asked.chunks,
        judgements,
        asked.tokens,
        query_count=len(asked.queries),
        rule=rule,
        measures=measures,
    )
    return scores.values[scores.levels.index(level)]


def print_compared(rows: Sequence[Row], names: Sequence[str], place: int) -> None:
    """Print a row for each suite, each kind of query and all queries."""
    first, *others = names
    print(f"| | queries | {first} | {' | '.join(f'{MINUS} `{one}`' for one in others)} |")
    print("|---" * (3 + len(others)) + "|")
    groups = [
        (f"{title}{name}", [row for row in rows if row[by] == name])
        for by, title in (("suite", ""), ("kind", "kind: "))
        for name in dict.fromkeys(row[by] for row in rows)
    ]
    for title, own in (*groups, ("**all**", rows)):
        mean = short(np.mean([row[first][place] for row in own])).lstrip("+")
        cells = [differing(own, first, one, place) for one in others]
        print(f"| {' | '.join([title, str(len(own)), mean, *cells])} |")


def print_ingredients(rows: Sequence[Row], names: Sequence[str], place: int) -> None:
    """Print a row for each ingredient, with the default minus the variant."""
    first, *others = names
    suites = list(dict.fromkeys(row["suite"] for row in rows))
    print(f"| instead | all | {' | '.join(suites)} |")
    print("|---" * (2 + len(suites)) + "|")
    for one in others:
        cells = [differing(rows, first, one, place)]
        for suite in suites:
            own = [row[first][place] - row[one][place] for row in rows if row["suite"] == suite]
            cells.append(short(np.mean(own)))
        print(f"| {' | '.join([f'`{one.split()[1]}`', *cells])} |")


def differing(rows: Sequence[Row], first: str, other: str, place: int) -> str:
    """Return the mean difference of two retrievers with its interval."""
    found = np.array([row[first][place] - row[other][place] for row in rows])
    low, high = interval(found, [row["repository"] for row in rows])
    return f"{short(found.mean())} [{short(low)}, {short(high)}]"


def short(value: Any) -> str:
    """Return a share with its sign and 3 decimals, in the format of the docs."""
    text = f"{abs(float(value)):.3f}"
    sign = " " if text == "0.000" else MINUS if value < 0 else "+"
    return (sign + text.replace("0.", ".", 1)).strip()


if __name__ == "__main__":
    main()
