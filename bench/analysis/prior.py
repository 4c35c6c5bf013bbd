"""Own scores combined with those of other repositories: empirical Bayes over cells.

A cell is the queries of one kind about one repository. How far a trial leads the mean of its
rivals differs by the kind of question, by repository, and from query to query. The best linear
prediction for the study weighs all cells by these spreads, so that a handful of own queries
hardly count and hundreds of them replace what the others say.

The spreads are not the same in all directions: other repositories tell much about the chunk size
of one retriever and less about the choice between two. So leads are taken apart into the
directions in which single queries differ, and each group of directions has spreads of its own.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np

from bench.analysis.matrix import Counts, Truths, Values

_SPREADS = (0.0, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
"""What is tried for the variance between kinds and between repositories, in units of that of a
single query's lead: with 0.01, other repositories are worth about 100 queries of one's own."""
_LEADING = 2
"""The directions with spreads of their own; the others share theirs."""
_DRAWS = 4_000
_NOTHING = 1e-6
_ROUNDING = 1e-12
"""The share of the variance under which a direction is rounding."""


@dataclass(frozen=True, eq=False)
class Asked:
    """Scores of queries, with the repository and the kind of each."""

    values: Values
    """Queries x trials."""
    repositories: tuple[str, ...]
    kinds: tuple[str, ...]

    @cached_property
    def leads(self) -> Values:
        """The scores without how hard each query is: the lead over the mean of all trials."""
        found: Values = self.values - self.values.mean(axis=1, keepdims=True)
        return found

    def without(self, repositories: Collection[str]) -> "Asked":
        """Return the queries about other repositories than these."""
        kept = [row for row, name in enumerate(self.repositories) if name not in repositories]
        return Asked(
            self.values[kept],
            tuple(self.repositories[row] for row in kept),
            tuple(self.kinds[row] for row in kept),
        )

    def and_those(self, other: "Asked") -> "Asked":
        """Return these queries and those of other repositories, of the same trials."""
        return Asked(
            np.concatenate([self.values, other.values]),
            self.repositories + other.repositories,
            self.kinds + other.kinds,
        )


@dataclass(frozen=True, eq=False)
class Posterior:
    """Every trial's lead over the mean of all, on the repositories of the study."""

    leads: Values
    errors: Values
    """The covariance of the leads."""
    elsewhere: Values
    """The leads that the other repositories predict alone, for the study's kinds of questions."""
    share: float
    """What the study's own queries count, 0 to 1."""


@dataclass(frozen=True, eq=False)
class _Cells:
    """The mean lead of each cell; the repositories of the study come first."""

    keys: tuple[tuple[str, str], ...]
    """Repository and kind."""
    own: Truths
    seen: Truths
    """The cells with queries; of the others only the truth is wanted."""
    target: Values
    """What each cell weighs in the macro mean of the study."""
    counts: Values
    leads: Values
    apart: Values
    """How the leads of trials vary together from query to query of a cell."""

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
        # A lead that is the same on every query has no variance, and is a lead nevertheless.
        apart += _NOTHING * rows.leads.T @ rows.leads / len(keys)
        is_own = np.array([name in own.repositories for name, _ in names], np.bool_)
        every = np.ones(len(names), np.bool_)
        target = _macro(names, np.where(is_own, counts, 0.0))
        return cls(tuple(names), is_own, every, target, counts, means, apart)

    def towards(self, wanted: Asked) -> "_Cells":
        """Return cells to predict the kinds of these questions about the study's repositories."""
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
        """Which pairs of cells are of one kind, and which of one repository."""
        names, kinds = (np.array(labels) for labels in zip(*self.keys, strict=True))
        return (
            (kinds[:, None] == kinds).astype(np.float64),
            (names[:, None] == names).astype(np.float64),
        )

    @cached_property
    def directions(self) -> tuple[Values, Counts]:
        """Directions as columns, along which the leads of queries vary by 1, and their groups."""
        variances, columns = np.linalg.eigh(self.apart)
        order = np.argsort(-variances)
        kept = order[variances[order] > _ROUNDING * variances.sum()]
        groups: Counts = np.minimum(np.arange(len(kept)), _LEADING)
        return columns[:, kept] * np.sqrt(variances[kept]), groups


def _macro(keys: Sequence[tuple[str, str]], weights: Values) -> Values:
    """Return weights of cells with the same sum for each repository that has any."""
    found = weights.astype(np.float64)
    names = np.array([name for name, _ in keys])
    for name in dict.fromkeys(names[weights > 0].tolist()):
        found[names == name] /= found[names == name].sum()
    scaled: Values = found / found.sum()
    return scaled


def _shares(asked: Asked) -> dict[str, float]:
    """Return what share of the queries of a repository is of each kind, on average."""
    keys = list(zip(asked.repositories, asked.kinds, strict=True))
    cells = list(dict.fromkeys(keys))
    weights = _macro(cells, np.array([keys.count(cell) for cell in cells], np.float64))
    found: dict[str, float] = {}
    for (_, kind), weight in zip(cells, weights.tolist(), strict=True):
        found[kind] = found.get(kind, 0.0) + weight
    return found


def combined(own: Asked, others: Asked, *, are_stand_ins: bool = False) -> Posterior:
    """Return what own queries and those about other repositories say together.

    Own queries may be `are_stand_ins` for those that people would ask, as generated ones are.
    Then the prediction is for the kinds of questions that the others have, about the own
    repositories. Own queries then say how a repository differs from the others, and no more.
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
    """Return what each cell counts for each group of directions, and the variances.

    The spreads are not known: what follows from each pair of them counts by how likely the
    leads are under it. Own queries that contradict all others make large spreads likely, and so
    count more.
    """
    _, groups = cells.directions
    likelihoods, weights, variances = [], [], []
    for kind, repository in product(_SPREADS, _SPREADS):
        # A repository differs as a whole, and as much again in each kind of question.
        own_way = cells.alike[1] + np.eye(len(cells.own))
        truth = kind * cells.alike[0] + repository * own_way
        noisy = truth + np.diag(1 / cells.counts)
        own = _log_likelihoods(noisy[np.ix_(seen, seen)], along[seen])
        likelihoods.append(np.bincount(groups, own, minlength=_LEADING + 1))
        found = best_prediction(truth, noisy, cells.target, seen)
        weights.append(found.weights)
        variances.append(found.variance)
    chances = np.exp(np.array(likelihoods) - np.max(likelihoods, axis=0))
    chances /= chances.sum(axis=0)
    return chances.T @ np.array(weights), chances.T @ np.array(variances)


def _log_likelihoods(noisy: Values, observed: Values) -> Values:
    """Return the restricted log likelihood of each column of leads, whose mean is not known."""
    factor = np.linalg.cholesky(noisy)
    scaled = np.linalg.solve(factor, np.column_stack([np.ones(len(noisy)), observed]))
    ones, leads = scaled[:, 0], scaled[:, 1:]
    residuals = leads - np.outer(ones, ones @ leads / (ones @ ones))
    spread = np.log(factor.diagonal()).sum() + 0.5 * np.log(ones @ ones)
    found: Values = -spread - 0.5 * (residuals**2).sum(axis=0)
    return found


class Prediction(NamedTuple):
    """A weighted mean of cells, and how far it may be off."""

    weights: Values
    """What each cell counts."""
    variance: float


def best_prediction(truth: Values, noisy: Values, target: Values, seen: Truths) -> Prediction:
    """Return the best linear unbiased prediction of the target from the cells that are seen."""
    towards = truth @ target
    right = np.stack([towards[seen], np.ones(int(seen.sum()))], axis=1)
    solved = np.linalg.solve(noisy[np.ix_(seen, seen)], right)
    left, precision = 1 - solved[:, 0].sum(), solved[:, 1].sum()
    weights = np.zeros(len(target))
    weights[seen] = solved[:, 0] + left / precision * solved[:, 1]
    variance = target @ towards - towards[seen] @ solved[:, 0] + left**2 / precision
    return Prediction(weights, float(variance))


def expected_regrets(found: Posterior, seed: int) -> Values:
    """Return how much better than each trial the best one is expected to be."""
    generator = np.random.Generator(np.random.SFC64(seed))
    variances, columns = np.linalg.eigh(found.errors)
    scaled = columns * np.sqrt(np.maximum(variances, 0.0))
    draws = found.leads + generator.standard_normal((_DRAWS, len(variances))) @ scaled.T
    regrets: Values = draws.max(axis=1).mean() - draws.mean(axis=0)
    return regrets
