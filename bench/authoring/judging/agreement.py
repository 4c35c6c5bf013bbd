"""Agreement of people who judged the same hits: Cohen's kappa."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from bench.queries import Entry, Target

Answers = Mapping[tuple[str, str, Target], bool]
"""The answers of one person by repository, query and place."""


@dataclass(frozen=True)
class Agreement:
    """The answers of two people about the hits that both judged."""

    first: str
    second: str
    both_right: int
    only_first: int
    only_second: int
    neither: int

    @property
    def hits(self) -> int:
        """Number of hits that both judged."""
        return self.both_right + self.only_first + self.only_second + self.neither

    @property
    def equal(self) -> int:
        """Number of hits with the same answer from both."""
        return self.both_right + self.neither

    @property
    def kappa(self) -> float | None:
        """Agreement beyond chance; None if both always gave the same single answer."""
        of_first = (self.both_right + self.only_first) / self.hits
        of_second = (self.both_right + self.only_second) / self.hits
        by_chance = of_first * of_second + (1 - of_first) * (1 - of_second)
        if by_chance == 1:
            return None
        return (self.equal / self.hits - by_chance) / (1 - by_chance)


def agreements(entries: Iterable[Entry]) -> tuple[Agreement, ...]:
    """Return the agreement of every two people who judged the same hits, sorted by name."""
    people: dict[str, dict[tuple[str, str, Target], bool]] = {}
    for entry in entries:
        for place in entry.judged:
            # A later answer of the same person replaces an earlier one.
            key = (entry.repository, entry.query.id, place.target)
            people.setdefault(place.by, {})[key] = place.relevant
    pairs = combinations(sorted(people), 2)
    found = (_agreement(first, second, people) for first, second in pairs)
    return tuple(one for one in found if one.hits)


def _agreement(first: str, second: str, people: Mapping[str, Answers]) -> Agreement:
    ours, theirs = people[first], people[second]
    pairs = [(ours[key], theirs[key]) for key in ours if key in theirs]
    return Agreement(
        first,
        second,
        both_right=pairs.count((True, True)),
        only_first=pairs.count((True, False)),
        only_second=pairs.count((False, True)),
        neither=pairs.count((False, False)),
    )
