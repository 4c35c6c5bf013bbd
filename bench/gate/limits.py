"""Minimums and maximums of numbers of a trial, over the suite or a part of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from bench.errors import SettingError, UsageError, nearest
from bench.measures import OF_ANSWERS, STANDARD, parse_measure
from bench.results import TrialResult

COSTS = (
    "avg_latency_ms",
    "latency_p50_ms",
    "latency_p95_ms",
    "latency_p99_ms",
    "index_seconds",
    "peak_memory_bytes",
    "texts_embedded",
    "tokens_embedded",
    "pairs_scored",
    "unseen_token_share",
    "empty_result_rate",
    "negative_refusal_rate",
    "negative_returned",
    "negative_auroc",
    "negative_false_positives_at_95",
    "negative_above_threshold",
    "answered_above_threshold",
    "answer_latency_p50_ms",
    "answer_latency_p95_ms",
    "answer_prompt_tokens",
    "answer_completion_tokens",
    "answer_cost",
    "query_latency_p50_ms",
    "query_latency_p95_ms",
    "query_prompt_tokens",
    "query_completion_tokens",
    "query_cost",
)
"""Numbers of a trial that are not measures."""
_COUNTS = ("shown_tokens", "duplicates")
"""Measures that are counts instead of shares."""
_BY_NAME = ("repository", "difficulty", "category", "tag")
"""Kinds of groups with names that the suite defines; they need no prefix."""
_BY_PREFIX = ("language", "file_type")
"""Kinds of groups that only the searched code defines, known after the run: language:python."""


class Side(StrEnum):
    """Allowed side of a bound."""

    FLOOR = "≥"
    CEILING = "≤"


@dataclass(frozen=True)
class Limit:
    """A bound on a number of each trial."""

    name: str
    bound: float
    side: Side = Side.FLOOR
    group: str = ""
    """Repository, difficulty, category or tag; KIND:NAME if a name occurs in two kinds."""

    def __str__(self) -> str:
        return f"{f'{self.group}.' if self.group else ''}{self.name} {self.side} {self.bound:g}"

    def holds(self, value: float | None) -> bool:
        """Return whether a number is within the bound; None and NaN are not."""
        if value is None:
            return False
        return value >= self.bound if self.side is Side.FLOOR else value <= self.bound


def parse_limit(text: str, side: Side) -> Limit:
    """Parse NAME=NUMBER or GROUP.NAME=NUMBER."""
    flag = "--min" if side is Side.FLOOR else "--max"
    example = "recall_at_5=0.8" if side is Side.FLOOR else "latency_p95_ms=200"
    named, equals, value = text.rpartition("=")
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not equals or number != number:  # noqa: PLR0124 - only NaN differs from itself
        raise UsageError(f"{flag} {text}: must be NAME=NUMBER, such as {flag} {example}")
    group, _, name = named.strip().rpartition(".")
    if not name:
        raise UsageError(f"{flag} {text}: must be NAME=NUMBER, such as {flag} {example}")
    return Limit(name, number, side, group)


def check_names(limits: Iterable[Limit]) -> None:
    """Refuse a limit on a number that trials do not have."""
    for limit in limits:
        if limit.name in COSTS and limit.group:
            message = f"{limit}: {limit.name} belongs to the whole trial; remove {limit.group}"
            raise SettingError(message)
        if limit.name not in (*COSTS, *OF_ANSWERS):
            _check_measure(limit)
        _check_bound(limit)


def _check_bound(limit: Limit) -> None:
    """Refuse a bound outside the range of the number; 70 instead of .7 is a common mistake."""
    is_count = limit.name in COSTS or limit.name.startswith(_COUNTS)
    if limit.bound < 0 or (limit.bound > 1 and not is_count):
        values = "is never negative" if is_count else "lies between 0 and 1"
        raise SettingError(f"{limit}: {limit.name} {values}. Use a bound in that range.")


def _check_measure(limit: Limit) -> None:
    try:
        parse_measure(limit.name)
    except SettingError as error:
        known = [*COSTS, *OF_ANSWERS, *(measure.column for measure in STANDARD)]
        message = (
            f"{limit}: no such measure; {nearest(limit.name, known, page='docs/measures.md')}"
        )
        raise SettingError(message) from error


def check_groups(limits: Iterable[Limit], known: Mapping[str, Iterable[str]]) -> None:
    """Refuse a limit on a part that the suite does not have; `known` are names by kind."""
    for limit in limits:
        if limit.group and limit.group.partition(":")[0] not in _BY_PREFIX:
            _kind_of(limit, known)


def _kind_of(limit: Limit, known: Mapping[str, Iterable[str]]) -> tuple[str, str]:
    """Return the kind and the name of a limit's group."""
    kind, colon, name = limit.group.partition(":")
    if colon and name in known.get(kind, ()):
        return kind, name
    kinds = [kind for kind in _BY_NAME if limit.group in known.get(kind, ())]
    if len(kinds) == 1:
        return kinds[0], limit.group
    if kinds:
        choices = " or ".join(f"{kind}:{limit.group}" for kind in kinds)
        raise SettingError(f"{limit}: {limit.group} is ambiguous; write {choices}")
    names = sorted({name for kind in _BY_NAME for name in known.get(kind, ()) if name})
    message = f"{limit}: the suite has no such part; {nearest(limit.group, names)}"
    raise SettingError(message)


def value_of(trial: TrialResult, limit: Limit) -> float | None:
    """Return the value that a limit applies to, or None."""
    numbers = trial.summary
    if limit.group:
        kind, name = in_group(trial, limit)
        numbers = trial.groups.get(kind, {}).get(name, {})
    return numbers.get(limit.name if limit.name in COSTS else f"avg_{limit.name}")


def in_group(trial: TrialResult, limit: Limit) -> tuple[str, str]:
    """Return the kind and the name of the part that a limit applies to, or two empty strings."""
    kind, _, name = limit.group.partition(":")
    if not limit.group or kind in _BY_PREFIX:
        return kind, name
    return _kind_of(limit, trial.groups)
