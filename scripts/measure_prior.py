"""Measure what a prior from other repositories is worth: leave repositories out of the tables.

python scripts/measure_prior.py [--draws 8] [--level span] [--least 15]

One repository, or three together, are left out; a third of their queries is held back. From n of
the others a configuration is chosen: by these queries alone, by the other repositories alone (for
the same kinds of questions), and by both. Its regret is how far it is, on the queries that were
held back, behind the configuration that is the best there. Prints rows of a Markdown table:
means over studies, with 95 % intervals, for repositories like these, of what choosing by both
gains against either alone.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bench.advice import measure_label
from bench.analysis import Asked, combined
from bench.analysis.student import t_quantile
from bench.results.prior_table import MEASURES, PriorTable, shipped_tables

STUDIES = ((1, 5), (1, 10), (1, None), (3, 20), (3, 40), (3, None))
"""Number of repositories that are left out together, and the total number of their queries. None
uses all queries that are not held back."""
HEADINGS = (
    "measure",
    "study",
    "own queries alone",
    "others alone",
    "both",
    "both against own",
    "both against others",
    "own count",
)


@dataclass(frozen=True, eq=False)
class World:
    """Queries of a table, with configurations that were measured on all of them."""

    asked: Asked

    @property
    def names(self) -> list[str]:
        """Names of the repositories."""
        return list(dict.fromkeys(self.asked.repositories))

    def rows_of(self, name: str) -> np.ndarray:
        """Return the indexes of a repository's queries."""
        return np.flatnonzero([owner == name for owner in self.asked.repositories])

    def of(self, rows: Sequence[int]) -> Asked:
        """Return a subset of the queries."""
        return Asked(
            self.asked.values[list(rows)],
            tuple(self.asked.repositories[row] for row in rows),
            tuple(self.asked.kinds[row] for row in rows),
        )


def means_of(asked: Asked) -> np.ndarray:
    """Return the macro mean of each configuration."""
    names = np.array(asked.repositories)
    return np.mean([asked.values[names == name].mean(axis=0) for name in set(names)], axis=0)


def study(
    world: World, left_out: Sequence[str], queries: int | None, random: np.random.Generator
) -> np.ndarray:
    """Return the regrets of the three choices and the weight of own queries in one study."""
    own: list[int] = []
    held: list[int] = []
    for place, name in enumerate(left_out):
        rows = random.permutation(world.rows_of(name)).tolist()
        third = len(rows) // 3
        most = len(rows) - third
        wanted = most if queries is None else len(range(place, queries, len(left_out)))
        held += rows[:third]
        own += rows[third : third + min(most, wanted)]
    asked = world.of(own)
    found = combined(asked, world.asked.without(left_out))
    truth = means_of(world.of(held))
    choices = (means_of(asked), found.elsewhere, found.leads)
    regrets = [truth.max() - truth[int(scores.argmax())] for scores in choices]
    return np.array([*regrets, found.share])


@dataclass(frozen=True, eq=False)
class Found:
    """Outcomes of the studies (draws x groups x numbers), with the groups that were left out."""

    outcomes: np.ndarray
    groups: np.ndarray
    """Draws x groups x repositories of a group."""

    def interval(self, first: int, second: int) -> tuple[float, float]:
        """Return the mean difference of two numbers, and half of its 95 % interval.

        Repositories that are left out together share their outcomes. The variance of their means
        over all draws separates the variance between repositories from the rest.
        """
        values = self.outcomes[:, :, first] - self.outcomes[:, :, second]
        draws, count, size = self.groups.shape
        repositories = count * size
        own = [values[np.any(self.groups == name, axis=2)].mean() for name in range(repositories)]
        # The outcome of a group is the mean of its repositories' effects (variance v each) and a
        # rest. The mean of a repository over all draws then has the variance v / size² +
        # (all_in_one - v / size²) / draws. The next line solves this for v.
        all_in_one, between = values.var(ddof=1), np.var(own, ddof=1)
        of_each = size**2 * max(0.0, between - all_in_one / draws) / (1 - 1 / draws)
        rest = max(0.0, all_in_one - of_each / size)
        error = np.sqrt(of_each / repositories + rest / (draws * count))
        return values.mean(), float(t_quantile(0.025, repositories - 1)) * error


def studies(world: World, count: int, queries: int | None, draws: int, seed: int) -> Found:
    """Leave every repository out once per draw, in groups of `count`."""
    random = np.random.default_rng(seed)
    usable = len(world.names) // count * count
    groups = np.array([random.permutation(usable).reshape(-1, count) for _ in range(draws)])
    outcomes = [
        [study(world, [world.names[place] for place in group], queries, random) for group in draw]
        for draw in groups
    ]
    return Found(np.array(outcomes), groups)


def row(measure: str, count: int, queries: int | None, found: Found) -> str:
    """Return a row of the table."""
    asked = "all" if queries is None else str(queries)
    who = f"{count} repositor{'y' if count == 1 else 'ies'}, {asked} queries"
    own, others, both, share = found.outcomes.mean(axis=(0, 1))
    cells = (
        measure_label(measure),
        who,
        f"{own:.3f}",
        f"{others:.3f}",
        f"{both:.3f}",
        gain(*found.interval(0, 2)),
        gain(*found.interval(1, 2)),
        f"{share:.0%}",
    )
    return f"| {' | '.join(cells)} |"


def gain(value: float, half: float) -> str:
    """Return a difference with its interval; positive values favour choosing by both."""
    return f"{value:+.3f} [{value - half:+.3f}, {value + half:+.3f}]"


def worlds(table: PriorTable, measure: str, least: int) -> World:
    """Return the queries for configurations that were measured on at least `least`
    repositories."""
    digests = [
        one.configuration
        for one in table.configurations
        if len(table.repositories_of(one.configuration)) >= least
    ]
    return World(table.asked(measure, digests))


def lines(table: PriorTable, measures: Sequence[str], draws: int, least: int) -> Iterator[str]:
    """Yield the lines of the table."""
    yield f"| {' | '.join(HEADINGS)} |"
    yield f"|{'---|' * len(HEADINGS)}"
    for measure in measures:
        world = worlds(table, measure, least)
        for seed, (count, queries) in enumerate(STUDIES):
            yield row(measure, count, queries, studies(world, count, queries, draws, seed))
        names, trials = len(world.names), world.asked.values.shape[1]
        yield f"<!-- {measure}: {trials} configurations, {names} repositories -->"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=8, help="how often each is left out (8)")
    parser.add_argument("--level", default="span", help="the table that is used (span)")
    parser.add_argument("--measures", nargs="+", default=MEASURES, choices=MEASURES)
    parser.add_argument(
        "--least", type=int, default=15, help="repositories that a configuration needs (15)"
    )
    asked = parser.parse_args()
    table = next(one for one in shipped_tables() if one.level == asked.level)
    for line in lines(table, asked.measures, asked.draws, asked.least):
        print(line, flush=True)


if __name__ == "__main__":
    main()
