"""Measure the simplest ranking that deserves the name on the suites `tasks` and `issues`.

BM25 over functions: identifiers split, words stemmed, names counted four times, tests at half
their score; a file is as good as its best function. Nothing here comes from our retrievers;
documents, definitions and measures do. Run as

    python scripts/measure_simple_baselines.py [--tasks FOLDER] [--issues FOLDER] [--files FOLDER]

with outputs of studies of these suites to print their trials beside it: of tasks and of issues
with `retriever.unit=definition`, and of issues with `retriever.unit=file measure_level=file`.
Numbers are means over the queries of a suite; `acc_at_5` is the share with all targets in the
first five.
"""

import argparse
import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import Stemmer
import yaml

from bench.authoring.mining import is_test
from bench.corpora import parse_source, read_source
from bench.measures import Characters, Rule, Scores, score
from bench.queries import Query, read_queries, resolve
from retrievers.chunkers import recounted, token_ends
from retrievers.interface import Chunks, Documents, Rankings
from retrievers.source import CODE_KINDS, Symbols, find_symbols

ROOT = Path(__file__).resolve().parents[1]
K1, B, NAME_WEIGHT, TEST_FACTOR, DEPTH = 1.5, 0.75, 4, 0.5, 200
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
STEM = Stemmer.Stemmer("english")
PARTS = (
    ("tasks", "tasks", "symbol", ("precision_at_10", "recall_at_10", "mrr")),
    ("issues", "issues", "symbol", ("acc_at_5", "recall_at_5")),
    ("files", "issues", "file", ("acc_at_5", "recall_at_5")),
)
"""Option, suite, level and measures of each table."""


def main() -> None:
    """Print a table for each suite and level."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    for option, *_ in PARTS:
        parser.add_argument(f"--{option}", type=Path, help="folder of a study's output")
    given = vars(parser.parse_args())
    for option, suite, level, names in PARTS:
        print(f"\n{suite} by {level}: {', '.join(names)}")
        rows = {"simple": simple(suite, level, names), **trials(given[option], names)}
        for name, of_queries in rows.items():
            means = " ".join(f"{np.mean(one):.3f}" for one in of_queries.values())
            print(f"{name:<20} {means} ({len(of_queries[names[0]])} queries)")


def simple(suite: str, level: str, names: Sequence[str]) -> dict[str, list[float]]:
    """Return each measure of a suite's queries under the simple ranking."""
    found: dict[str, list[float]] = {name: [] for name in names}
    suite_file = ROOT / "conf" / "suite" / f"{suite}.yaml"
    for entry in yaml.safe_load(suite_file.read_text("utf-8"))["repositories"]:
        documents = read_source(parse_source(entry["source"], entry["name"])).documents
        queries = read_queries(ROOT / entry["queries"])
        symbols = find_symbols(documents)
        scores = scored(documents, symbols, queries, by_file=level == "file")
        for name in names:
            found[name] += map(float, scores.of(level, name))
    return found


def trials(folder: Path | None, names: Sequence[str]) -> dict[str, dict[str, list[float]]]:
    """Return each measure of every query for the trials of a study."""
    found: dict[str, dict[str, list[float]]] = {}
    if folder is None:
        return found
    table = pyarrow.parquet.read_table(folder / "queries.parquet", columns=["trial", *names])
    for row in table.to_pylist():
        for name in names:
            found.setdefault(row["trial"], {one: [] for one in names})[name].append(row[name])
    return found


def scored(
    documents: Documents, symbols: Symbols, queries: Sequence[Query], *, by_file: bool
) -> Scores:
    """Return the scores of a repository's queries."""
    units = functions(documents, symbols)
    words = [words_of(documents, symbols, row, unit) for row, unit in units]
    factors = [TEST_FACTOR if is_test(documents.paths[one[0]]) else 1.0 for _, one in units]
    index, ranked = Index(words), []
    for query in queries:
        points = index.scores(split(query.text)) * factors
        order = [int(one) for one in np.argsort(-points, kind="stable") if points[one] > 0]
        if by_file:
            best = {units[one][1][0]: one for one in reversed(order)}
            order = [one for one in order if best[units[one][1][0]] == one]
        ranked.append((order[:DEPTH], [float(points[one]) for one in order[:DEPTH]]))
    rankings = Rankings.of(ranked, [0.0] * len(queries), [0.0] * len(queries))
    judgements, tokens = resolve(queries, documents, symbols), token_ends(documents)
    chunks = recounted(chunks_of(documents, [unit for _, unit in units]), documents, tokens)
    rule = Rule(Characters(documents))
    return score(rankings, chunks, judgements, tokens, query_count=len(queries), rule=rule)


def functions(documents: Documents, symbols: Symbols) -> list[tuple[int, tuple[int, int, int]]]:
    """Return (row, (document, start, end)) of functions, and of types up to their first member."""
    first: dict[int, int] = {}
    for row, parent in enumerate(symbols.parent):
        first[int(parent)] = min(first.get(int(parent), 1 << 31), int(symbols.start_byte[row]))
    found = []
    for row, kind in enumerate(symbols.kinds):
        document, start = int(symbols.document[row]), int(symbols.start_byte[row])
        is_function = kind in ("function", "method", "constructor", "property", "macro")
        end = int(symbols.end_byte[row])
        end = end if is_function else max(start + 1, min(end, first.get(row, end)))
        if kind in CODE_KINDS and kind not in ("module", "namespace", "overload"):
            found.append((row, (document, start, end)))
    return found


def words_of(
    documents: Documents, symbols: Symbols, row: int, unit: tuple[int, int, int]
) -> list[str]:
    """Return the words of a definition, with the words of its name repeated."""
    name = symbols.names[row].split(".", int(symbols.path_parts[row]))[-1]
    return split(name) * NAME_WEIGHT + split(documents.slice(*unit))


def split(text: str) -> list[str]:
    """Return stems of words and of parts of identifiers."""
    return list(STEM.stemWords([word.lower() for word in WORD.findall(text)]))


class Index:
    """A BM25 index."""

    def __init__(self, units: Sequence[Sequence[str]]) -> None:
        lengths = np.array([len(unit) for unit in units])
        self.norm = K1 * (1 - B + B * lengths / max(1.0, lengths.mean()))
        self.postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, unit in enumerate(units):
            for word, count in Counter(unit).items():
                self.postings[word].append((number, count))

    def scores(self, words: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return the score of every unit."""
        found = np.zeros(len(self.norm))
        for word in words:
            units, counts = np.array(self.postings.get(word, [(0, 0)])).T
            idf = math.log(1 + (len(self.norm) - len(units) + 0.5) / (len(units) + 0.5))
            found[units] += idf * counts * (K1 + 1) / (counts + self.norm[units])
        return found


def chunks_of(documents: Documents, units: Sequence[tuple[int, int, int]]) -> Chunks:
    """Return definitions as chunks for the measures."""
    lines = [
        [documents.slice(document, 0, end).count("\n") + 1 for end in (start, end)]
        for document, start, end in units
    ]
    columns = np.array([[*unit, *line, 0, 0] for unit, line in zip(units, lines, strict=True)])
    return Chunks(*np.ascontiguousarray(columns.T.astype(np.int32)))


if __name__ == "__main__":
    main()
