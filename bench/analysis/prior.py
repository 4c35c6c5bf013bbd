"""Own scores combined with scores of other repositories: empirical Bayes over cells.

A cell is the queries of one kind about one repository. The lead of a trial over the mean of its
rivals varies by kind of question, by repository, and from query to query. The best linear
prediction for the study weights all cells by these variances. A handful of own queries hardly
count, and hundreds of them replace the evidence of other repositories.

The variances differ between directions: other repositories predict the chunk size of a retriever
well, and the choice between two retrievers less well. Leads are therefore decomposed into the
directions in which single queries vary, and each group of directions has its own variances.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np

from bench.analysis.matrix import Counts, Truths, Values

_SPREADS = (0.0, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
"""Candidate variances between kinds and between repositories, relative to single queries.

With 0.01, other repositories are worth about 100 own queries.
"""
_LEADING = 2
"""Number of directions with variances of their own; the others share theirs."""
_DRAWS = 4_000
_NOTHING = 1e-6
_ROUNDING = 1e-12
"""Directions below this share of the variance are rounding errors."""


@dataclass(frozen=True, eq=False)
class Asked:
    """Scores of queries, with their repositories and kinds."""

    values: Values
    """Queries x trials."""
    repositories: tuple[str, ...]
    kinds: tuple[str, ...]

    @cached_property
    def leads(self) -> Values:
        """Leads over the mean of all trials, which removes the difficulty of each query."""
        found: Values = self.values - self.values.mean(axis=1, keepdims=True)
        return found

    def without(self, repositories: Collection[str]) -> "Asked":
        """Return the queries of all repositories but these."""
        kept = [row for row, name in enumerate(self.repositories) if name not in repositories]
        return Asked(
            self.values[kept],
            tuple(self.repositories[row] for row in kept),
            tuple(self.kinds[row] for row in kept),
        )

    def and_those(self, other: "Asked") -> "Asked":
        """Return these queries and those of other repositories with the same trials."""
        return Asked(
            np.concatenate([self.values, other.values]),
            self.repositories + other.repositories,
            self.kinds + other.kinds,
        )


@dataclass(frozen=True, eq=False)
class Posterior:
    """The lead of every trial over the mean of all, on the repositories of the study."""

    leads: Values
    errors: Values
    """The covariance of the leads."""
    elsewhere: Values
    """Leads predicted by the other repositories alone, for the study's kinds of questions."""
    share: float
    """Weight of the study's own queries, 0 to 1."""


@dataclass(frozen=True, eq=False)
class _Cells:
    """Mean lead of each cell; the repositories of the study come first."""

    keys: tuple[tuple[str, str], ...]
    """Repository and kind."""
    own: Truths
    seen: Truths
    """Cells with queries. Cells without queries are only predicted."""
    target: Values
    """Weight of each cell in the macro mean of the study."""
    counts: Values
    leads: Values
    apart: Values
    """Covariance of the leads of trials between queries of a cell."""

    @classmethod
    def of(cls, own: Asked, others: Asked) -> "_Cells":
        rows = own.and_those(others)
        keys = list(zip(rows.repositories, rows.kinds, strict=True))
        names = list(dict.fromkeys(keys))
        place: Counts = np.array([names.index(key) for key in keys], np.int64)
        counts = np.bincount(place).astype(np.float64)
        sums = np.zeros((len(names), rows.values.shape[1]))
        np.add.at(sums, place, rows.leads)
        means = sums / counts[:, None]
        residuals = rows.leads - means[place]
        apart = residuals.T @ residuals / max(1, len(keys) - len(names))
        # A lead that is the same on every query has no variance but is still a lead.
        apart += _NOTHING * rows.leads.T @ rows.leads / len(keys)
        is_own = np.array([name in own.repositories for name, _ in names], np.bool_)
        every = np.ones(len(names), np.bool_)
        target = _macro(names, np.where(is_own, counts, 0.0))
        return cls(tuple(names), is_own, every, target, counts, means, apart)

    def towards(self, wanted: Asked) -> "_Cells":
        """Add cells without queries: the kinds of `wanted` in the repositories of the study."""
        own = dict.fromkeys(name for name, _ in np.array(self.keys)[self.own].tolist())
        shares = _shares(wanted)
        keys = [(name, kind) for name in own for kind in shares]
        more, trials = len(keys), self.leads.shape[1]
        weights = _macro(keys, np.array([shares[kind] for _, kind in keys]))
        return _Cells(
            self.keys + tuple(keys),
            np.append(self.own, np.ones(more, np.bool_)),
            np.append(self.seen, np.zeros(more, np.bool_)),
            np.append(np.zeros(len(self.keys)), weights),
            np.append(self.counts, np.ones(more)),
            np.append(self.leads, np.zeros((more, trials)), axis=0),
            self.apart,
        )

    @cached_property
    def alike(self) -> tuple[Values, Values]:
        """Whether each two cells have the same kind, and whether they have the same repository."""
        names, kinds = (np.array(labels) for labels in zip(*self.keys, strict=True))
        return (
            (kinds[:, None] == kinds).astype(np.float64),
            (names[:, None] == names).astype(np.float64),
        )

    @cached_property
    def directions(self) -> tuple[Values, Counts]:
        """Directions as columns, scaled to variance 1 of the queries' leads, and their groups."""
        variances, columns = np.linalg.eigh(self.apart)
        order = np.argsort(-variances)
        kept = order[variances[order] > _ROUNDING * variances.sum()]
        groups: Counts = np.minimum(np.arange(len(kept)), _LEADING)
        return columns[:, kept] * np.sqrt(variances[kept]), groups


def _macro(keys: Sequence[tuple[str, str]], weights: Values) -> Values:
    """Normalise weights of cells to the same sum for each repository that has any."""
    found = weights.astype(np.float64)
    names = np.array([name for name, _ in keys])
    for name in dict.fromkeys(names[weights > 0].tolist()):
        found[names == name] /= found[names == name].sum()
    scaled: Values = found / found.sum()
    return scaled


def _shares(asked: Asked) -> dict[str, float]:
    """Return the share of each kind in the queries of a repository, averaged over repositories."""
    keys = list(zip(asked.repositories, asked.kinds, strict=True))
    cells = list(dict.fromkeys(keys))
    weights = _macro(cells, np.array([keys.count(cell) for cell in cells], np.float64))
    found: dict[str, float] = {}
    for (_, kind), weight in zip(cells, weights.tolist(), strict=True):
        found[kind] = found.get(kind, 0.0) + weight
    return found


def combined(own: Asked, others: Asked, *, are_stand_ins: bool = False) -> Posterior:
    """Combine own queries with those of other repositories.

    With `are_stand_ins`, own queries only represent the real ones, like generated queries. The
    prediction is then for the kinds of questions of the others, in the own repositories. Own
    queries then only inform about the differences between repositories.
    """
    cells = _Cells.of(own, others)
    if are_stand_ins:
        cells = cells.towards(others)
    columns, groups = cells.directions
    sizes = (columns**2).sum(axis=0)
    along = cells.leads @ (columns / sizes)
    both, variances = _predictions(cells, along, cells.seen)
    elsewhere, _ = _predictions(cells, along, cells.seen & ~cells.own)
    counting = both[:, cells.own].sum(axis=1)[groups]
    return Posterior(
        leads=columns @ (both[groups] * along.T).sum(axis=1),
        errors=(columns * variances[groups]) @ columns.T,
        elsewhere=columns @ (elsewhere[groups] * along.T).sum(axis=1),
        share=float(counting @ sizes / sizes.sum()) if len(sizes) else 0.0,
    )


def _predictions(cells: _Cells, along: Values, seen: Truths) -> tuple[Values, Values]:
    """Return the weight of each cell for each group of directions, and the variances.

    The true variances are unknown. The results of all candidate pairs are averaged by the
    likelihood of the leads. Own queries that contradict the others make large variances likely,
    and so get more weight.
    """
    _, groups = cells.directions
    likelihoods, weights, variances = [], [], []
    for kind, repository in product(_SPREADS, _SPREADS):
        # A repository differs as a whole, and equally strongly in each kind of question.
        own_way = cells.alike[1] + np.eye(len(cells.own))
        truth = kind * cells.alike[0] + repository * own_way
        noisy = truth + np.diag(1 / cells.counts)
        own = _log_likelihoods(noisy[np.ix_(seen, seen)], along[seen])
        likelihoods.append(np.bincount(groups, own, minlength=_LEADING + 1))
        found = best_prediction(truth, noisy, cells.target, seen)
        weights.append(found.weights)
        variances.append(found.variance)
    # Without the subtraction of the maximum, all chances could underflow to 0.
    chances = np.exp(np.array(likelihoods) - np.max(likelihoods, axis=0))
    chances /= chances.sum(axis=0)
    return chances.T @ np.array(weights), chances.T @ np.array(variances)


def _log_likelihoods(noisy: Values, observed: Values) -> Values:
    """Return the restricted log likelihood of each column of leads with an unknown mean."""
    factor = np.linalg.cholesky(noisy)
    scaled = np.linalg.solve(factor, np.column_stack([np.ones(len(noisy)), observed]))
    ones, leads = scaled[:, 0], scaled[:, 1:]
    residuals = leads - np.outer(ones, ones @ leads / (ones @ ones))
    spread = np.log(factor.diagonal()).sum() + 0.5 * np.log(ones @ ones)
    found: Values = -spread - 0.5 * (residuals**2).sum(axis=0)
    return found


class Prediction(NamedTuple):
    """Weights of cells in a mean, and its error variance."""

    weights: Values
    """Weight of each cell."""
    variance: float


def best_prediction(truth: Values, noisy: Values, target: Values, seen: Truths) -> Prediction:
    """Return the best linear unbiased prediction of the target from the observed cells."""
    towards = truth @ target
    right = np.stack([towards[seen], np.ones(int(seen.sum()))], axis=1)
    solved = np.linalg.solve(noisy[np.ix_(seen, seen)], right)
    # `left` makes the weights add up to 1, since the common mean of the cells is unknown.
    left, precision = 1 - solved[:, 0].sum(), solved[:, 1].sum()
    weights = np.zeros(len(target))
    weights[seen] = solved[:, 0] + left / precision * solved[:, 1]
    variance = target @ towards - towards[seen] @ solved[:, 0] + left**2 / precision
    return Prediction(weights, float(variance))


def expected_regrets(found: Posterior, seed: int) -> Values:
    """Return the expected lead of the best trial over each trial."""
    generator = np.random.Generator(np.random.SFC64(seed))
    variances, columns = np.linalg.eigh(found.errors)
    scaled = columns * np.sqrt(np.maximum(variances, 0.0))
    draws = found.leads + generator.standard_normal((_DRAWS, len(variances))) @ scaled.T
    regrets: Values = draws.max(axis=1).mean() - draws.mean(axis=0)
    return regrets
