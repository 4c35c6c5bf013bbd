"""Effects of the axes of a grid: paired differences over queries, averaged over the other axes.

Every question is a contrast, a weight for each trial: +1/n for the trials with one value of an
axis, and -1/n for trials that differ only in having the first value of the axis. The score of a
contrast on a query is one number, so the tests for differences of two trials apply.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np

from bench.analysis.caveats import lone_queries
from bench.analysis.comparisons import Answer, compare_all
from bench.analysis.differences import SignCount, sign_count
from bench.analysis.matrix import ScoreMatrix, Values
from bench.analysis.sampling import Sampling

Settings = Mapping[str, object]
_NOTHING = "no difference"
_MISSING = -1
Codes = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, eq=False)
class Contrast:
    """Weights of trials that add up to zero."""

    name: str
    axes: tuple[str, ...]
    value: str
    against: str
    pairs: int
    """Number of averaged differences: pairs of trials, or pairs of pairs for interactions."""
    weights: Values


@dataclass(frozen=True)
class Effect:
    """The size and significance of a contrast, positive if `value` is better than `against`."""

    name: str
    axes: tuple[str, ...]
    value: str
    against: str
    pairs: int
    queries: int
    size: float
    here: Answer | None
    """None if a repository has a single query."""
    elsewhere: Answer | None
    signs: SignCount


def axis_contrasts(settings: Sequence[Settings]) -> tuple[Contrast, ...]:
    """Compare each value of each axis with its first value, with all other axes equal.

    A setting that a trial does not have (a weight without fusion) counts as equal to any value.
    """
    axes, codes, names = _coded(settings)
    found = []
    for column, axis in enumerate(axes):
        alike = _alike(np.delete(codes, column, axis=1))
        for value in range(1, len(names[column])):
            pairs = alike & np.outer(codes[:, column] == value, codes[:, column] == 0)
            contrast = _of_pairs(axis, names[column][value], names[column][0], pairs)
            if contrast is not None:
                found.append(contrast)
    return tuple(found)


def interaction_contrasts(settings: Sequence[Settings]) -> tuple[Contrast, ...]:
    """Compare, for each two axes, the effect of one between values of the other."""
    axes, codes, names = _coded(settings)
    found = []
    for one, other in combinations(range(len(axes)), 2):
        cells = _cells(codes, one, other)
        values = product(range(1, len(names[one])), range(1, len(names[other])))
        for value, context in values:
            corners = _corners(cells, value, context)
            if corners:
                found.append(
                    Contrast(
                        name=f"{axes[one]}={names[one][value]} with "
                        f"{axes[other]}={names[other][context]}",
                        axes=(axes[one], axes[other]),
                        value=f"{axes[other]}={names[other][context]}",
                        against=f"{axes[other]}={names[other][0]}",
                        pairs=len(corners),
                        weights=_of_corners(corners, len(codes)),
                    )
                )
    return tuple(found)


def effects_of(
    contrasts: Sequence[Contrast],
    matrix: ScoreMatrix,
    sampling: Sampling,
    *,
    confidence: float = 0.95,
) -> tuple[Effect, ...]:
    """Return the effect of each contrast. Intervals are corrected for the number of contrasts."""
    if not contrasts:
        return ()
    table = _table(contrasts, matrix)
    if lone_queries(table):
        answers: dict[str, tuple[Answer, Answer | None]] = {}
    else:
        compared = compare_all(table, _NOTHING, sampling, confidence=confidence)
        answers = {one.trial: (one.here, one.elsewhere) for one in compared}
    return tuple(
        Effect(
            name=contrast.name,
            axes=contrast.axes,
            value=contrast.value,
            against=contrast.against,
            pairs=contrast.pairs,
            queries=matrix.queries,
            size=float(table.means[place]),
            here=answers.get(contrast.name, (None, None))[0],
            elsewhere=answers.get(contrast.name, (None, None))[1],
            signs=sign_count(table, contrast.name, _NOTHING),
        )
        for place, contrast in enumerate(contrasts, 1)
    )


def effects_by_group(
    contrasts: Sequence[Contrast],
    matrix: ScoreMatrix,
    groups: Sequence[str],
    sampling: Sampling,
) -> dict[str, tuple[Effect, ...]]:
    """Return the effects in each group of queries; queries with the group "" are excluded.

    Repositories with a single query of a group are excluded, because their error is unknown.
    """
    labels = np.array(groups, np.str_)
    found = {}
    for name in dict.fromkeys(group for group in groups if group):
        rows = _without_lone(matrix, np.flatnonzero(labels == name))
        if len(rows):
            found[name] = effects_of(contrasts, matrix.of_rows(rows), sampling)
    return found


def _without_lone(matrix: ScoreMatrix, rows: Codes) -> Codes:
    owners = np.array(matrix.repositories, np.str_)[rows]
    names, counts = np.unique(owners, return_counts=True)
    return rows[np.isin(owners, names[counts > 1])]


def _table(contrasts: Sequence[Contrast], matrix: ScoreMatrix) -> ScoreMatrix:
    """Return a table with a column of zeros, and one for each contrast."""
    weights = np.stack([contrast.weights for contrast in contrasts], axis=1)
    columns = np.column_stack([np.zeros(matrix.units), matrix.values @ weights])
    # Rounding errors must not count as small differences that are the same on every query.
    columns[np.abs(columns) < np.finfo(np.float32).eps] = 0.0
    names = (_NOTHING, *(contrast.name for contrast in contrasts))
    return ScoreMatrix(columns, matrix.repositories, names, matrix.queries)


def _coded(settings: Sequence[Settings]) -> tuple[list[str], Codes, list[list[str]]]:
    """Return the axes that vary, the values of each trial as numbers, and the numbers' names."""
    axes, columns, names = [], [], []
    for axis in dict.fromkeys(name for own in settings for name in own):
        values = [str(own[axis]) if axis in own else None for own in settings]
        distinct = list(dict.fromkeys(value for value in values if value is not None))
        if len(distinct) > 1:
            axes.append(axis)
            names.append(distinct)
            columns.append([_MISSING if v is None else distinct.index(v) for v in values])
    codes = np.array(columns, np.int64).reshape(len(axes), len(settings)).T
    return axes, codes, names


def _alike(codes: Codes) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return whether each two trials agree in all settings that both have."""
    alike = np.ones((len(codes), len(codes)), np.bool_)
    for column in codes.T:
        missing = column == _MISSING
        alike &= (column[:, None] == column) | missing[:, None] | missing
    return alike


def _of_pairs(
    axis: str, value: str, against: str, pairs: np.ndarray[Any, np.dtype[np.bool_]]
) -> Contrast | None:
    count = int(pairs.sum())
    if not count:
        return None
    weights = (pairs.sum(axis=1) - pairs.sum(axis=0)) / count
    return Contrast(f"{axis}={value}", (axis,), value, against, count, weights)


_Cells = dict[tuple[int, ...], dict[tuple[int, int], int]]


def _cells(codes: Codes, one: int, other: int) -> _Cells:
    """Return the trials by the values of two axes, grouped by the values of all other axes."""
    found: _Cells = {}
    for trial, row in enumerate(codes.tolist()):
        rest = tuple(code for place, code in enumerate(row) if place not in (one, other))
        found.setdefault(rest, {})[row[one], row[other]] = trial
    return found


def _corners(cells: _Cells, value: int, context: int) -> list[tuple[int, int, int, int]]:
    wanted = ((value, context), (0, context), (value, 0), (0, 0))
    return [
        (of[wanted[0]], of[wanted[1]], of[wanted[2]], of[wanted[3]])
        for of in cells.values()
        if all(corner in of for corner in wanted)
    ]


def _of_corners(corners: Sequence[tuple[int, int, int, int]], trials: int) -> Values:
    weights = np.zeros(trials)
    for both, plain, alone, neither in corners:
        weights[[both, neither]] += 1 / len(corners)
        weights[[plain, alone]] -= 1 / len(corners)
    return weights
