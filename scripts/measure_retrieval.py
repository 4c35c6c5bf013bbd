"""Measure retrieval by words on the shipped suites, with each ingredient changed by itself.

Two tables for each unit (files, definitions): NDCG@10 of today's retrievers by suite, and what is
lost when an ingredient is changed, over all repositories with a 95 % interval (repositories
resampled). A repository that several suites ask counts once in each suite. Run as

    python scripts/measure_retrieval.py [--half tune] [--suites issues,tasks] [--measure mrr]
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from measure_simple_baselines import scored

from bench.corpora import parse_source, read_source
from bench.measures import Characters, Rule, score
from bench.queries import Query, in_half, levels_of, read_queries, resolve
from retrievers.chunkers import Recursive, text_breaks, token_ends
from retrievers.interface import (
    CHUNKS,
    DOCUMENTS,
    Chunks,
    Derived,
    Documents,
    Rankings,
    Retriever,
    TokenEnds,
)
from retrievers.lexical import BM25, Fields
from retrievers.listing import ChunkDefinitions, Entries, Listing, Unit
from retrievers.rules import PathWords, RuleBook, Rules
from retrievers.source import SYMBOLS, Symbols, find_symbols

ROOT = Path(__file__).resolve().parents[1]
SUITES = ("issues", "tasks", "polyglot", "tiered", "python", "quick", "docs")
DEPTH, TOKENS, SAMPLES = 1000, 512, 4000


@dataclass(frozen=True)
class Configuration:
    """A retriever with its rules and its listing."""

    retriever: Retriever
    rules: Rules | None
    listing: Listing


@dataclass(frozen=True)
class Asked:
    """A repository with the queries of a suite."""

    suite: str
    name: str
    documents: Documents
    tokens: TokenEnds
    symbols: Symbols
    chunks: Chunks
    queries: tuple[Query, ...]
    made: dict[Any, Any]

    def read(self, wanted: Any) -> Any:
        """Return an input of a retriever."""
        if isinstance(wanted, Derived) and wanted not in self.made:
            self.made[wanted] = wanted.make(self.read)
        own = {DOCUMENTS: self.documents, CHUNKS: self.chunks, SYMBOLS: self.symbols}
        return own[wanted] if wanted in own else self.made[wanted]

    def book(self) -> RuleBook:
        """Return the rules' data about the repository."""
        if "book" not in self.made:
            paths = PathWords.of(self.documents)
            self.made["book"] = RuleBook(self.chunks, paths, self.symbols)
        found: RuleBook = self.made["book"]
        return found

    def definitions(self) -> ChunkDefinitions:
        """Return the definition of each chunk."""
        if "definitions" not in self.made:
            self.made["definitions"] = ChunkDefinitions.of(self.chunks, self.symbols)
        found: ChunkDefinitions = self.made["definitions"]
        return found

    def ranking(self, configuration: Configuration) -> Rankings:
        """Return the ranking of every query."""
        texts = [query.text for query in self.queries]
        found = configuration.retriever.rank(texts, self.read, depth=DEPTH)
        if configuration.rules is not None:
            found = self.book().apply(found, texts, configuration.rules, depth=DEPTH)
        entries = Entries.of(configuration.listing, self.chunks, self.definitions())
        return entries.listed(found, floor="mean", depth=DEPTH)

    def scores(self, configuration: Configuration, level: str, measure: str) -> list[float]:
        """Return the value of a measure for every query."""
        if level not in self.made:
            judgements = resolve(self.queries, self.documents, self.symbols)
            self.made[level] = judgements, Rule(Characters(self.documents))
        judgements, rule = self.made[level]
        scores = score(
            self.ranking(configuration),
            self.chunks,
            judgements,
            self.tokens,
            query_count=len(self.queries),
            rule=rule,
        )
        return list(map(float, scores.of(level, measure)))

    def simple(self, level: str, measure: str) -> list[float]:
        """Return the value of a measure for every query under the simple ranking."""
        found = scored(self.documents, self.symbols, self.queries, by_file=level == "file")
        return list(map(float, found.of(level, measure)))


def asked_by(suite: str, half: Any) -> Iterator[Asked]:
    """Yield repositories of a suite with the queries of a half, without negative queries."""
    settings = yaml.safe_load((ROOT / "conf" / "suite" / f"{suite}.yaml").read_text("utf-8"))
    for entry in settings["repositories"]:
        if {"include", "exclude"} & set(entry):
            continue  # only studies support partial searches
        name = entry["name"]
        queries = read_queries(ROOT / entry["queries"])
        chosen = in_half(queries, half, repository=name)
        kept = tuple(one for one in queries if one.id in chosen and not one.negative)
        documents = read_source(parse_source(entry["source"], name)).documents
        tokens, symbols = token_ends(documents), find_symbols(documents)
        breaks = text_breaks(documents, tokens)
        chunks = Recursive(TOKENS).pack(documents, tokens, breaks)
        yield Asked(suite, name, documents, tokens, symbols, chunks, kept, {})


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--half", default="tune", choices=("tune", "report", "all"))
    parser.add_argument("--suites", default=",".join(SUITES))
    parser.add_argument("--measure", default="ndcg_at_10")
    given = parser.parse_args()
    asked = [one for suite in given.suites.split(",") for one in asked_by(suite, given.half)]
    for unit, level in (("file", "file"), ("definition", "symbol")):
        judged = [one for one in asked if all(level in levels_of(q) for q in one.queries)]
        print_tables(judged, unit, level, given.measure)  # type: ignore[arg-type] - both are units


def print_tables(asked: Sequence[Asked], unit: Unit, level: str, measure: str) -> None:
    """Print the table of a unit."""
    print(f"\n{measure} by {level}, unit={unit}")
    base = lexical(unit)
    means = {"simple": np.array([np.mean(each.simple(level, measure)) for each in asked])}
    for name, one in {**retrievers(unit), **ingredients(base)}.items():
        means[name] = np.array([np.mean(each.scores(one, level, measure)) for each in asked])
    suites = [each.suite for each in asked]
    for name, values in means.items():
        by_suite = (
            f"{suite} {values[[one == suite for one in suites]].mean():.3f}"
            for suite in dict.fromkeys(suites)
        )
        low, high = interval(means["lexical"] - values, [each.name for each in asked])
        lost = f"{(means['lexical'] - values).mean():+.4f} [{low:+.4f}, {high:+.4f}]"
        print(f"{name:28} {lost}  {values.mean():.3f}  {', '.join(by_suite)}", flush=True)


def interval(differences: Any, names: Sequence[str]) -> tuple[float, float]:
    """Return the 95 % interval of a mean. A repository is resampled together with all its
    suites."""
    _, place = np.unique(names, return_inverse=True)
    sums, counts = np.bincount(place, differences), np.bincount(place)
    drawn = np.random.default_rng(0).integers(0, len(counts), (SAMPLES, len(counts)))
    low, high = np.percentile(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1), (2.5, 97.5))
    return float(low), float(high)


def lexical(unit: Unit) -> Configuration:
    """Return `retriever=lexical` with its defaults."""
    return Configuration(
        BM25("stemmed", reading="parts"), Rules(data_penalty=0.5), Listing(unit, file_share=0.5)
    )


def retrievers(unit: Unit) -> Mapping[str, Configuration]:
    """Return the retrievers that the table compares."""
    return {
        "bm25": Configuration(BM25(), None, Listing(unit)),
        "fields": Configuration(Fields(), None, Listing(unit, file_share=0.5)),
        "lexical": lexical(unit),
    }


def ingredients(base: Configuration) -> Mapping[str, Configuration]:
    """Return variants of the default with one changed ingredient each."""
    retriever, rules, listing = base.retriever, base.rules, base.listing
    return {
        "reading=plain": replace(base, retriever=replace(retriever, reading="plain")),
        "tokenizer=identifier": replace(
            base, retriever=replace(retriever, tokenizer="identifier")
        ),
        **{
            f"{name}={value:g}": replace(base, rules=replace(rules, **{name: value}))
            for name, value in (
                ("name_boost", 0.0),
                ("name_boost", 0.3),
                ("definition_boost", 0.0),
                ("definition_boost", 1.0),
                ("path_boost", 0.3),
                ("frame_boost", 0.5),
                ("test_penalty", 1.0),
                ("example_penalty", 0.5),
                ("documentation_penalty", 0.5),
                ("generated_penalty", 0.5),
                ("translation_penalty", 0.5),
                ("prose_penalty", 0.5),
                ("data_penalty", 1.0),
            )
        },
        **{
            f"{name}={value:g}": replace(base, listing=replace(listing, **{name: value}))
            for name, value in (("aggregation", 0.0), ("file_share", 0.0), ("file_share", 0.3))
        },
    }


if __name__ == "__main__":
    main()
