"""Scores of which the truth is known, and how often the statistics are wrong about it.

The fast tests and scripts/simulate_statistics.py count the same errors.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr

from bench.advice.prior import pick, standing
from bench.analysis import (
    Asked,
    GateState,
    Objective,
    Question,
    Sampling,
    ScoreMatrix,
    WinnerKind,
    combined,
    compare_all,
    difference_elsewhere,
    difference_here,
    difference_in_one_further,
    expected_regrets,
    judge_change,
    recommend_each,
    round_sizes,
    select,
    stop_trailing,
    tuned_score,
)

Values = np.ndarray[Any, np.dtype[np.float64]]
DRAWS, MARGIN, AREA, SMALL = 1_000, 0.02, 0.05, 0.01


@dataclass(frozen=True)
class Change:
    """How a trial's scores differ from a common base: seldom or often, evenly or skewed."""

    share: float
    sizes: tuple[float, ...]

    def deviations(self, random: np.random.Generator, shape: tuple[int, ...]) -> Values:
        """Return changes of mean zero."""
        sizes = np.array(self.sizes)
        found = np.where(random.random(shape) < self.share, random.choice(sizes, shape), 0.0)
        centred: Values = found - self.share * sizes.mean()
        return centred


# Two trials of one kind differ by .17, .26 and .41 (standard deviations of real differences).
FEW = Change(0.033, (-1.0, -0.5, -0.25, 0.25, 0.5, 1.0))
SIBLING = Change(0.157, (-0.7, -0.4, -0.1, 0.1, 0.4, 0.7))
FAMILY = Change(0.382, (-0.7, -0.4, -0.1, 0.1, 0.4, 0.7))
SKEWED = Change(0.1, (1.0, 1.0, 0.9, 0.5))


@dataclass(frozen=True)
class World:
    """Repositories, queries in each, and how trials differ from each other."""

    repositories: int
    queries: int
    change: Change = SIBLING
    apart: float = 0.0
    """The deviation of a trial's mean from one repository to the next."""

    def matrix(self, random: np.random.Generator, effects: Values) -> ScoreMatrix:
        """Return the scores of one study; a trial's true macro mean is its effect."""
        rows, trials = self.repositories * self.queries, len(effects)
        changes = self.change.deviations(random, (rows, trials))
        if min(self.change.sizes) > 0:
            changes[:, 0] = 0.0  # two skewed changes would differ evenly
        scores = random.random((rows, 1)) + changes
        local = random.normal(size=(self.repositories, trials)) * self.apart
        scores += np.repeat(local, self.queries, axis=0) + effects
        names = tuple(
            f"r{place}" for place in range(self.repositories) for _ in range(self.queries)
        )
        return ScoreMatrix(scores, names, tuple(f"t{place}" for place in range(trials)), rows)


def coverage(world: World, question: Question, studies: int, seed: int = 1) -> float:
    """Return how often the interval of a difference holds the truth."""
    random = np.random.default_rng(seed)
    ask = difference_here if question is Question.HERE else difference_elsewhere
    truth, held = 0.03, 0
    for _ in range(studies):
        matrix = world.matrix(random, np.array([0.0, truth]))
        found = ask(matrix, "t1", "t0")
        low, high = (found.interval.low, found.interval.high) if found.interval else (truth, truth)
        held += low <= truth <= high
    return held / studies


def family_errors(world: World, trials: int, studies: int, seed: int = 2) -> tuple[float, float]:
    """Return how often any of several equal trials is said to differ: here, elsewhere."""
    random = np.random.default_rng(seed)
    here = elsewhere = 0
    for study in range(studies):
        found = compare_all(world.matrix(random, np.zeros(trials)), "t0", _few(study))
        here += min(one.here.adjusted_p for one in found) <= AREA
        elsewhere += min(one.elsewhere.adjusted_p if one.elsewhere else 1 for one in found) <= AREA
    return here / studies, elsewhere / studies


def choices(world: World, effects: Values, studies: int, seed: int = 3) -> dict[str, float]:
    """Return how often choices are made, and how often they are bad."""
    random = np.random.default_rng(seed)
    regrets = effects.max() - effects
    counts = dict.fromkeys(
        ("best left out", "cheapest worse", "winner worse", "probable", "probable worse",
         "abstained", "regret above bound"), 0.0)  # fmt: skip
    for study in range(studies):
        matrix = world.matrix(random, effects)
        costs = random.permutation(len(effects)).tolist()
        found = select(matrix, costs, _few(study), margin=MARGIN, confidence=0.95)
        counts["best left out"] += not found.screen.may_be_best[regrets.argmin()]
        counts["abstained"] += found.cheapest is None
        bad = regrets > MARGIN
        counts["cheapest worse"] += found.cheapest is not None and bad[found.cheapest]
        probable = found.winner is WinnerKind.PROBABLE
        counts["probable"] += probable
        counts["probable worse"] += probable and bad[found.best]
        counts["winner worse"] += found.winner is WinnerKind.WITHIN_MARGIN and bad[found.best]
        counts["regret above bound"] += regrets[found.best] > found.against_best.regret
    return {name: count / studies for name, count in counts.items()}


def choices_by_budget(
    world: World, effects: Values, studies: int, *, together: bool = True, seed: int = 7
) -> dict[str, float]:
    """Return how often any of several budgets' choices is bad; a row of effects is a budget's."""
    random = np.random.default_rng(seed)
    counts = dict.fromkeys(("best left out", "cheapest worse", "winner worse", "abstained"), 0.0)
    objective, worse = Objective(MARGIN), effects.max(axis=1, keepdims=True) - effects > MARGIN
    for study in range(studies):
        common = world.matrix(random, np.zeros(effects.shape[1]))
        tables = [_budget(common, world, row, random) for row in effects]
        costs = random.permutation(effects.shape[1]).tolist()
        asked = [tables] if together else [[one] for one in tables]
        found = [
            one for some in asked
            for one in recommend_each(some, objective, costs, seed=study, draws=DRAWS)
        ]  # fmt: skip
        names = common.trials
        bad = [dict(zip(names, row.tolist(), strict=True)) for row in worse]
        pairs = list(zip(found, bad, effects, strict=True))
        counts["best left out"] += any(
            names[int(row.argmax())] not in one.may_be_best for one, _, row in pairs
        )
        counts["cheapest worse"] += any(
            one.cheapest and is_bad[one.cheapest] for one, is_bad, _ in pairs
        )
        counts["winner worse"] += any(
            one.winner and one.winner_kind is WinnerKind.WITHIN_MARGIN and is_bad[one.winner]
            for one, is_bad, _ in pairs
        )
        counts["abstained"] += sum(one.cheapest is None for one in found) / len(found)
    return {name: count / studies for name, count in counts.items()}


def _budget(
    common: ScoreMatrix, world: World, effects: Values, random: np.random.Generator
) -> ScoreMatrix:
    """Return the scores at one budget: half of the spread is shared by all budgets."""
    own = world.matrix(random, np.zeros(len(effects)))
    values = (common.values + own.values) / np.sqrt(2) + effects
    return ScoreMatrix(values, common.repositories, common.trials, common.queries)


def further_repositories(world: World, studies: int, seed: int = 8) -> float:
    """Return how often the difference of one further repository is where it was predicted."""
    random = np.random.default_rng(seed)
    held = 0
    for _ in range(studies):
        more = World(world.repositories + 1, world.queries, world.change, world.apart)
        matrix = more.matrix(random, np.array([0.0, 0.03]))
        known = matrix.of_rows(range(world.repositories * world.queries))
        interval = difference_in_one_further(known, "t1", "t0")
        truth = float(matrix.repository_means[-1, 1] - matrix.repository_means[-1, 0])
        held += interval is not None and interval.low <= truth <= interval.high
    return held / studies


@dataclass(frozen=True)
class Elsewhere:
    """A study of one repository, and a table with the scores of others."""

    queries: int
    """Of the study; each other repository has 24."""
    apart: float
    """The deviation of a trial's mean from one repository to the next, and of each kind in it."""
    shift: float = 0.0
    """How much better than elsewhere the worst trial of the others is in the study."""
    change: Change = SIBLING
    others: int = 12
    kinds: int = 4

    def draw(self, random: np.random.Generator, effects: Values) -> tuple[Asked, Asked, Values]:
        """Return queries of the study, those of the others, and the true means of the study."""
        of_kinds = random.normal(size=(self.kinds, len(effects))) * 0.03
        found = [
            self._repository(random, effects + of_kinds, place) for place in range(self.others + 1)
        ]
        (own, truth), *rest = found
        table = rest[0][0]
        for one, _ in rest[1:]:
            table = table.and_those(one)
        return own, table, truth

    def _repository(
        self, random: np.random.Generator, means: Values, place: int
    ) -> tuple[Asked, Values]:
        """Return a repository's queries, their kinds in turn, and the true mean of each trial."""
        count, trials = 24 if place else self.queries, means.shape[1]
        local = means + random.normal(size=trials) * self.apart
        local = local + random.normal(size=means.shape) * self.apart
        if not place:
            local[:, means.mean(axis=0).argmin()] += self.shift
        kinds = np.arange(count) % self.kinds
        scores = random.random((count, 1)) + self.change.deviations(random, (count, trials))
        asked = Asked(scores + local[kinds], (f"r{place}",) * count, tuple(map(str, kinds)))
        return asked, local[kinds].mean(axis=0)


def choices_with_prior(
    world: Elsewhere, effects: Values, studies: int, seed: int = 9
) -> dict[str, float]:
    """Return how often "overruled here" is wrong, and what is chosen with a prior and without.

    Wrong and worse mean by more than the margin, on the repository of the study. Both choices are
    by quality alone; what is shipped is the cheapest that is expected to be within the margin.
    """
    random = np.random.default_rng(seed)
    counts = dict.fromkeys(
        ("overruled", "overruled wrongly", "worse than alone", "better than alone", "shipped",
         "shipped worse", "regret alone", "regret elsewhere", "regret together"), 0.0)  # fmt: skip
    for study in range(studies):
        own, others, truth = world.draw(random, effects)
        names = tuple(f"t{place}" for place in range(len(effects)))
        matrix = ScoreMatrix(own.values, own.repositories, names, world.queries)
        costs = random.permutation(len(effects)).astype(float).tolist()
        tested = select(matrix, costs, _few(study), margin=MARGIN, confidence=0.95)
        found = combined(own, others)
        is_shown = tested.winner is WinnerKind.WITHIN_MARGIN
        both = tested.best if is_shown else int(found.leads.argmax())
        elsewhere = int(found.elsewhere.argmax())
        if standing(found, both, MARGIN, decided=is_shown) == "overruled here":
            counts["overruled"] += 1
            counts["overruled wrongly"] += truth[elsewhere] - truth[both] > MARGIN
        counts["worse than alone"] += truth[tested.best] - truth[both] > MARGIN
        counts["better than alone"] += truth[both] - truth[tested.best] > MARGIN
        regrets = expected_regrets(found, study)
        place = pick(found, regrets, costs, MARGIN) if tested.cheapest is None else tested.cheapest
        if tested.cheapest is not None or regrets[place] < MARGIN:
            counts["shipped"] += 1
            counts["shipped worse"] += truth.max() - truth[place] > MARGIN
        for name, one in (("alone", tested.best), ("elsewhere", elsewhere), ("together", both)):
            counts[f"regret {name}"] += truth.max() - truth[one]
    return {name: count / studies for name, count in counts.items()}


def gate_states(
    world: World, studies: int, *, drop: float = 0.0, places: int = 0, seed: int = 4
) -> dict[GateState, float]:
    """Return how often the gate says what, of a change that drops in some repositories."""
    random = np.random.default_rng(seed)
    counts = dict.fromkeys(GateState, 0.0)
    for study in range(studies):
        matrix = world.matrix(random, np.zeros(2))
        values = matrix.values.copy()
        values[: places * world.queries, 1] -= drop
        changed = ScoreMatrix(values, matrix.repositories, matrix.trials, matrix.queries)
        found = judge_change(changed, "t1", "t0", _few(study), margin=MARGIN)
        counts[found.state] += 1
    return {state: count / studies for state, count in counts.items()}


def changed_tree_states(
    world: World, studies: int, *, left_out: float, is_uneven: bool = False, drop: float = 0.0
) -> dict[GateState, float]:
    """Return how often the gate says what, of a change after which some queries are left out.

    They are those whose targets are gone: any, or most of some repositories and none of others.
    Whether a query got better or worse has no part in it.
    """
    random = np.random.default_rng(5)
    counts = dict.fromkeys(GateState, 0.0)
    for study in range(studies):
        whole = world.matrix(random, np.array([0.0, -drop]))
        kept = _kept(world, random, left_out, is_uneven=is_uneven)
        names = tuple(name for name, keep in zip(whole.repositories, kept, strict=True) if keep)
        values = whole.values[kept]
        matrix = ScoreMatrix(values, names, whole.trials, len(values))
        found = judge_change(matrix, "t1", "t0", _few(study), margin=MARGIN)
        counts[found.state] += 1
    return {state: count / studies for state, count in counts.items()}


def _kept(
    world: World, random: np.random.Generator, left_out: float, *, is_uneven: bool
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Tell which queries are compared."""
    shares = np.full(world.repositories, left_out)
    if is_uneven:
        hit = random.random(world.repositories) < 2 * left_out
        shares = np.where(hit, 0.5, 0.0)
    return random.random(world.repositories * world.queries) >= np.repeat(shares, world.queries)


def shared_drop(seed: int, drop: float = 0.04, deviation: float = 0.3) -> ScoreMatrix:
    """Return 9 repositories of 60 queries whose change has the same mean in each of them."""
    changes = np.random.default_rng(seed).normal(-drop, deviation, 9 * 60)
    scores = np.stack([np.zeros(len(changes)), changes], axis=1)
    names = tuple(f"r{place}" for place in range(9) for _ in range(60))
    return ScoreMatrix(scores, names, ("t0", "t1"), len(changes))


def shared_drops_caught(studies: int) -> float:
    """Return how often the gate fails a drop of .04 that all repositories share."""
    states = (
        judge_change(shared_drop(seed), "t1", "t0", _few(seed), margin=MARGIN).state
        for seed in range(studies)
    )
    return sum(state is GateState.FAIL for state in states) / studies


@dataclass(frozen=True)
class Weights:
    """Fusion weights of three channels: a query is found if the weighted evidence suffices."""

    repositories: int
    queries: int
    settings: int = 300
    strength: tuple[float, float, float] = (0.1, 0.3, 0.2)
    apart: float = 0.25

    def off(self, random: np.random.Generator, study: int) -> Values:
        """Return how far the three scores of the chosen weights are from the truth."""
        weights = random.dirichlet(np.ones(3), self.settings)
        length = np.sqrt((weights**2).sum(axis=1))
        local = random.normal(self.strength, self.apart, (self.repositories, 3))
        evidence = np.repeat(local, self.queries, axis=0)
        evidence = evidence + random.normal(size=evidence.shape)
        names = [f"r{place}" for place in range(self.repositories) for _ in range(self.queries)]
        labels = [str(place) for place in range(self.settings)]
        found = tuned_score(ScoreMatrix.of(evidence @ weights.T > 0, names, labels), _few(study))
        chosen = int(found.chosen)
        here = ndtr(local @ weights[chosen] / length[chosen]).mean()
        spread = length[chosen] * np.sqrt(1 + self.apart**2)
        new = ndtr(np.array(self.strength) @ weights[chosen] / spread)
        elsewhere = new if found.expected_elsewhere is None else found.expected_elsewhere
        return np.array([found.in_sample - here, found.expected_here - here, elsewhere - new])


def optimism(world: Weights, studies: int, seed: int = 5) -> tuple[float, float, float]:
    """Return by how much each score of the chosen weights is too high, on average."""
    random = np.random.default_rng(seed)
    off = np.array([world.off(random, study) for study in range(studies)])
    in_sample, here, new = off.mean(axis=0).tolist()
    return in_sample, here, new


def halving(world: World, effects: Values, studies: int, seed: int = 6) -> tuple[float, float]:
    """Return how often the pick is worse by more than .01 for stopping, and what it saves."""
    random = np.random.default_rng(seed)
    worse, spent = 0, 0.0
    for _ in range(studies):
        matrix = world.matrix(random, effects)
        alive, seen = list(range(len(effects))), 0
        for size in round_sizes(world.queries):
            spent += len(alive) * (size - seen)
            seen = size
            part = _first_queries(matrix.keep(alive), world.queries, size)
            kept = stop_trailing(part).kept
            alive = [place for place in alive if matrix.trials[place] in kept]
        full = int(matrix.means.argmax())
        pick = alive[int(matrix.means[alive].argmax())]
        worse += effects[full] - effects[pick] > SMALL
    return worse / studies, 1 - spent / (studies * len(effects) * world.queries)


def _first_queries(matrix: ScoreMatrix, queries: int, size: int) -> ScoreMatrix:
    rows = np.arange(matrix.units) % queries < size
    names = tuple(name for name, row in zip(matrix.repositories, rows, strict=True) if row)
    return ScoreMatrix(matrix.values[rows], names, matrix.trials, int(rows.sum()))


def _few(study: int) -> Sampling:
    return Sampling(study, DRAWS, min(500, DRAWS))
