"""Scores as a table with a row per unit and a column per trial.

A unit is a query, or all queries about one target. Rows are nested in repositories.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from bench.errors import UsageError, nearest

Values = np.ndarray[Any, np.dtype[np.float64]]
Counts = np.ndarray[Any, np.dtype[np.int64]]
Truths = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """The score of every unit under every trial. Units of a repository are adjacent."""

    values: Values
    repositories: tuple[str, ...]
    """The repository of each unit."""
    trials: tuple[str, ...]
    queries: int
    """Number of queries behind the units."""

    def __post_init__(self) -> None:
        _check_shape(self.values, self.repositories, self.trials)
        _check_complete(self.values, self.trials)
        changes = sum(
            own != last
            for own, last in zip(self.repositories[1:], self.repositories, strict=False)
        )
        if changes + 1 != len(self.names):
            raise UsageError(
                "score matrix: the rows of a repository are not adjacent;"
                " build it with ScoreMatrix.of, which sorts them"
            )
        self.values.setflags(write=False)

    @classmethod
    def of(
        cls,
        values: Any,
        repositories: Sequence[str],
        trials: Sequence[str],
        *,
        targets: Sequence[str] | None = None,
    ) -> Self:
        """Build the table from rows in any order; rows with the same target become one unit."""
        table = np.array(values, np.float64, ndmin=2)
        _check_shape(table, repositories, trials)
        _check_complete(table, trials)
        keys = _units(repositories, targets)
        names = list(dict.fromkeys(repositories))
        ordered = sorted(dict.fromkeys(keys), key=lambda key: names.index(key[0]))
        places = {key: place for place, key in enumerate(ordered)}
        unit = np.array([places[key] for key in keys], np.int64)
        sums = np.zeros((len(ordered), table.shape[1]))
        np.add.at(sums, unit, table)
        means = sums / np.bincount(unit, minlength=len(ordered))[:, None]
        return cls(means, tuple(key[0] for key in ordered), tuple(trials), len(table))

    @property
    def units(self) -> int:
        """The number of rows."""
        return len(self.repositories)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Distinct repositories in the order of their rows."""
        return tuple(dict.fromkeys(self.repositories))

    @cached_property
    def counts(self) -> Counts:
        """Number of units of each repository."""
        labels = list(self.repositories)
        return np.array([labels.count(name) for name in self.names], np.int64)

    @cached_property
    def starts(self) -> Counts:
        """First row of each repository."""
        return np.concatenate([[0], np.cumsum(self.counts)[:-1]]).astype(np.int64)

    @cached_property
    def weights(self) -> Values:
        """Weight of each unit in a macro mean."""
        return np.repeat(1 / (len(self.names) * self.counts), self.counts)

    @cached_property
    def repository_means(self) -> Values:
        """Mean of each trial in each repository."""
        sums: Values = np.add.reduceat(self.values, self.starts, axis=0)
        return sums / self.counts[:, None]

    @cached_property
    def means(self) -> Values:
        """Macro mean of each trial: the mean of its repository means."""
        found: Values = self.repository_means.mean(axis=0)
        return found

    def place(self, trial: str) -> int:
        """Return the column of a trial."""
        if trial not in self.trials:
            raise UsageError(
                f"trial {trial!r} is not in the scores; {nearest(trial, self.trials)}"
            )
        return self.trials.index(trial)

    def keep(self, columns: Iterable[int]) -> "ScoreMatrix":
        """Return the table with some of the trials."""
        chosen = list(columns)
        return ScoreMatrix(
            self.values[:, chosen],
            self.repositories,
            tuple(self.trials[column] for column in chosen),
            self.queries,
        )

    def of_rows(self, rows: Any) -> "ScoreMatrix":
        """Return the table with some of the units, in the given order."""
        chosen = np.asarray(rows, np.int64).tolist()
        owners = tuple(self.repositories[row] for row in chosen)
        return ScoreMatrix(self.values[chosen], owners, self.trials, len(chosen))

    def of_repositories(self) -> "ScoreMatrix":
        """Return the table of repository means, with a repository as the unit."""
        label = ("repositories like these",) * len(self.names)
        return ScoreMatrix(self.repository_means.copy(), label, self.trials, len(self.names))


def _units(
    repositories: Sequence[str], targets: Sequence[str] | None
) -> list[tuple[str, str, int]]:
    """Return a key for each row; rows of a repository with the same target share it."""
    if targets is None:
        return [(repository, "", row) for row, repository in enumerate(repositories)]
    if len(targets) != len(repositories):
        raise UsageError(
            f"score matrix: {len(targets)} targets for {len(repositories)} rows;"
            ' give one a row, "" where a query has no group'
        )
    return [
        (repository, target, -1) if target else (repository, "", row)
        for row, (repository, target) in enumerate(zip(repositories, targets, strict=True))
    ]


def _check_shape(values: Values, repositories: Sequence[str], trials: Sequence[str]) -> None:
    if values.shape != (len(repositories), len(trials)) or not values.size:
        raise UsageError(
            f"score matrix: {values.shape} scores for {len(repositories)} rows and"
            f" {len(trials)} trials; give a score for each row and trial, and at least one"
        )
    if len(set(trials)) != len(trials):
        raise UsageError("score matrix: two trials have one name; give each its own")


def _check_complete(values: Values, trials: Sequence[str]) -> None:
    missing = ~np.isfinite(values)
    if missing.any():
        rows = np.flatnonzero(missing.any(axis=1))
        lacking = [trials[column] for column in np.flatnonzero(missing.any(axis=0)).tolist()]
        raise UsageError(
            f"score matrix: {len(rows)} of {len(values)} rows have no score under"
            f" {', '.join(lacking[:3])}{' and others' if lacking[3:] else ''}"
            f" (first: row {rows[0]}); compare on the queries that every trial answered"
        )
