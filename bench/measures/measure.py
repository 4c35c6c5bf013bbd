"""Measures as values. The name of a measure is its column.

docs/measures.md defines each measure; the formulas are in `formulas` and `texts`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bench.errors import SettingError
from bench.measures.answering import OF_ANSWERS
from bench.near_names import close_names

OF_TEXT = (
    *("token_precision", "token_recall", "token_iou"),
    *("character_precision", "character_iou"),
)
"""Recall of characters is `coverage`, where any part of a file counts as the whole file."""
PUBLISHED = ("published_precision", "published_recall", "published_iou")
"""Definitions of published studies of chunking: white space and repeated text count."""
PUBLISHED_OMEGA = "published_precision_omega"
OF_CHUNKS = ("precision_omega", "recall_ceiling", PUBLISHED_OMEGA)
TOKEN_MEASURES = (
    *("mrr", "map", "recall", "coverage", "precision", "f1", "ndcg", "hit", "acc", "file_recall"),
    *(*OF_TEXT, "token_efficiency", "duplicates"),
)
RESULT_MEASURES = (*TOKEN_MEASURES, *PUBLISHED, "returned_precision", "shown_tokens")
LOWER_IS_BETTER = ("duplicates", "false_refusal_rate", "shown_tokens")
_MOST_RESULTS, MOST_TOKENS = 1_000, 1_000_000
_COLUMN = re.compile(r"(?P<name>[a-z0-9_]+?)(_at_(?P<limit>[1-9][0-9]{0,6})(?P<unit>_tokens)?)?")


@dataclass(frozen=True, slots=True)
class Results:
    """A cut-off after a number of hits."""

    limit: int


@dataclass(frozen=True, slots=True)
class Tokens:
    """A cut-off after a number of tokens of text shown."""

    limit: int


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of a ranking down to a cut-off, or of chunks without one."""

    name: str
    cutoff: Results | Tokens | None = None

    def __post_init__(self) -> None:
        """Refuse measures without a formula."""
        names, most = _possible(self.cutoff)
        limit = self.cutoff.limit if self.cutoff else 1
        if self.name not in names or not 1 <= limit <= most:
            message = (
                f"measure {self.name!r} at {self.cutoff} does not exist; "
                f"use {', '.join(names)} and a cut-off from 1 to {most}"
            )
            raise SettingError(message)

    @property
    def column(self) -> str:
        """The name in tables, files and minimums."""
        if self == RECIPROCAL_RANK:
            return "mrr"
        if self.cutoff is None:
            return self.name
        unit = "_tokens" if isinstance(self.cutoff, Tokens) else ""
        return f"{self.name}_at_{self.cutoff.limit}{unit}"


def _possible(cutoff: Results | Tokens | None) -> tuple[Sequence[str], int]:
    if cutoff is None:
        return OF_CHUNKS, 1
    if isinstance(cutoff, Tokens):
        return TOKEN_MEASURES, MOST_TOKENS
    return RESULT_MEASURES, _MOST_RESULTS


RECIPROCAL_RANK = Measure("mrr", Results(10))

SHOWN_TOKENS = "shown_tokens_at_10"
"""The cost of text for its reader. Studies compare it with quality."""

STANDARD: tuple[Measure, ...] = (
    RECIPROCAL_RANK,
    *(Measure("recall", Results(limit)) for limit in (1, 3, 5, 10)),
    Measure("coverage", Results(10)),
    Measure("precision", Results(10)),
    Measure("ndcg", Results(10)),
    *(Measure("hit", Results(limit)) for limit in (1, 3, 5, 10)),
    *(Measure("acc", Results(limit)) for limit in (1, 3, 5, 10)),
    *(Measure("recall", Tokens(limit)) for limit in (1000, 2000, 4000, 8000)),
    *(Measure("coverage", Tokens(limit)) for limit in (1000, 2000, 4000, 8000)),
    *(Measure("ndcg", Tokens(limit)) for limit in (1000, 2000, 4000, 8000)),
    *(Measure(name, Results(10)) for name in ("map", "f1", "file_recall", "returned_precision")),
    *(Measure(f"token_{of}", Results(10)) for of in ("precision", "recall", "iou", "efficiency")),
    Measure("duplicates", Results(10)),
    *(Measure(name) for name in ("precision_omega", "recall_ceiling")),
)
"""Measures of every run, in the order of the reports."""


def parse_measure(column: str) -> Measure:
    """Return the measure of a column, at any cut-off."""
    found = _COLUMN.fullmatch(column)
    measure = _named(column, found) if found else None
    if measure is None or measure.column != column:
        raise SettingError(_refusal(column, measure))
    return measure


def _named(column: str, found: re.Match[str]) -> Measure | None:
    name, limit, unit = found.group("name", "limit", "unit")
    if limit is None:
        return RECIPROCAL_RANK if column == "mrr" else _made(column, None)
    return _made(name, Tokens(int(limit)) if unit else Results(int(limit)))


def _made(name: str, cutoff: Results | Tokens | None) -> Measure | None:
    names, most = _possible(cutoff)
    within = cutoff is None or cutoff.limit <= most
    return Measure(name, cutoff) if name in names and within else None


def _refusal(column: str, measure: Measure | None) -> str:
    if column in OF_ANSWERS:
        return f"measure {column!r} is of answers: it comes unasked wherever an answerer is"
    return f"measure {column!r} does not exist; {_remedy(column, measure)}"


def _remedy(column: str, measure: Measure | None) -> str:
    if measure is not None:
        return f"it is called {measure.column!r}"
    standard = [*(one.column for one in STANDARD), *OF_ANSWERS]
    name, _, limit = column.partition("_at_")
    limit = limit if _COLUMN.fullmatch(f"mrr_at_{limit}") else "10"
    others = [f"{one}_at_{limit}" for one in close_names(name, RESULT_MEASURES)]
    in_tokens = [f"{column}_tokens"] if f"{column}_tokens" in standard else []
    near = in_tokens or close_names(column, standard) or others
    if near:
        return f"use {' or '.join(near)}"
    return (
        f"use mrr, or {', '.join(RESULT_MEASURES[1:])} at hits or tokens, as recall_at_10 or"
        " recall_at_4000_tokens"
    )


def measures_of(columns: Sequence[str]) -> tuple[Measure, ...]:
    """Return the standard measures and those of the columns, without repetition."""
    return tuple(dict.fromkeys([*STANDARD, *map(parse_measure, columns)]))
