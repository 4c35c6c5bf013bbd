"""Means of groups of queries, and file types of rankings."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from bench.queries import Query
from bench.results.query_result import Hit, Numbers, Place
from retrievers.source import language_of

Values = np.ndarray[Any, np.dtype[np.float64]]
Labels = Sequence[Collection[str]]
"""Groups of each query: none, one or several."""
TOPS = (1, 5, 10)
_NO_TYPE, _OTHER = "(none)", "other"
_LONGEST_TYPE = 10


@dataclass(frozen=True)
class Table:
    """Values of a trial at one level: a row per query, NaN if it is not judged."""

    columns: tuple[str, ...]
    values: Values
    repositories: Sequence[str]

    def grouped(self, labels: Labels) -> dict[str, Numbers]:
        """Return the means of each group, macro over its repositories."""
        names = sorted({name for one in labels for name in one if name})
        return {name: self._of([name in one for one in labels]) for name in names}

    def by_repository(self) -> dict[str, Numbers]:
        """Return the means of each repository, in the order of the queries."""
        names = list(dict.fromkeys(self.repositories))
        return {name: self._of([own == name for own in self.repositories]) for name in names}

    def _of(self, members: list[bool]) -> Numbers:
        rows = np.flatnonzero(members)
        values, names = self.values[rows], np.array(self.repositories)[rows]
        _, place = np.unique(names, return_inverse=True)
        shape = (place.max(initial=-1) + 1, values.shape[1])
        sums, counts = np.zeros(shape), np.zeros(shape)
        np.add.at(sums, place, np.nan_to_num(values))
        np.add.at(counts, place, ~np.isnan(values))
        means = np.divide(sums, counts, out=np.zeros(shape), where=counts > 0)
        having = (counts > 0).sum(axis=0)
        macro = means.sum(axis=0) / np.maximum(having, 1)
        return {
            "count": int((~np.isnan(values[:, 0])).sum()),
            **{
                f"avg_{column}": float(mean) if known else None
                for column, mean, known in zip(self.columns, macro, having, strict=True)
            },
        }


def labels_of(queries: Iterable[Query], field: str) -> Labels:
    """Return the groups of queries by a field: one label, or several for tags."""
    found = (getattr(query, field) for query in queries)
    return [one if isinstance(one, tuple) else (str(one),) for one in found]


def languages_of(places: Iterable[Sequence[Place]]) -> Labels:
    """Return the languages of each query's targets."""
    return [{_language(place.path) for place in of_query} for of_query in places]


def file_types_of(places: Iterable[Sequence[Place]]) -> Labels:
    """Return the file types of each query's targets."""
    return [{file_type(place.path) for place in of_query} for of_query in places]


@lru_cache(maxsize=10_000)
def file_type(path: str) -> str:
    """Return the extension of a file, such as `.py`."""
    ending = PurePosixPath(path).suffix.lower()
    plain = 1 < len(ending) <= _LONGEST_TYPE and ending[1].isalpha() and ending.isascii()
    return ending if plain else _NO_TYPE


def _language(path: str) -> str:
    known = language_of(path)
    return known.name if known else _OTHER


def top_file_types(
    shown: Sequence[Sequence[Hit]], places: Iterable[Sequence[Place]]
) -> dict[str, Numbers]:
    """Return the share of each file type among the first hits and among the targets."""
    tops = {
        f"share_at_{top}": _shares(hit.path for hits in shown for hit in hits[:top])
        for top in TOPS
    }
    tops["share_of_targets"] = _shares(place.path for of_query in places for place in of_query)
    names = sorted({name for shares in tops.values() for name in shares})
    return {
        name: {
            column: shares.get(name, 0.0) if shares else None for column, shares in tops.items()
        }
        for name in names
    }


def _shares(paths: Iterable[str]) -> Mapping[str, float]:
    counts = Counter(map(file_type, paths))
    return {name: count / counts.total() for name, count in counts.items()}
