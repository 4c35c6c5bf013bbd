"""What is measured: a measure is a value, and its name is its column."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from bench.errors import SettingError

RESULT_MEASURES = ("mrr", "recall", "precision", "ndcg", "hit")
TOKEN_MEASURES = ("recall", "ndcg")


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
    """What is computed of a ranking, and how far down."""

    name: str
    cutoff: Results | Tokens

    def __post_init__(self) -> None:
        """Refuse what has no formula."""
        names = TOKEN_MEASURES if isinstance(self.cutoff, Tokens) else RESULT_MEASURES
        if self.name not in names or self.cutoff.limit < 1:
            message = (
                f"measure {self.name!r} at {self.cutoff} does not exist: "
                f"take {', '.join(names)} and a cut-off of at least 1"
            )
            raise SettingError(message)

    @property
    def column(self) -> str:
        """The name in tables, files and floors."""
        if self == RECIPROCAL_RANK:
            return "mrr"
        unit = "_tokens" if isinstance(self.cutoff, Tokens) else ""
        return f"{self.name}_at_{self.cutoff.limit}{unit}"


RECIPROCAL_RANK = Measure("mrr", Results(10))

STANDARD: tuple[Measure, ...] = (
    RECIPROCAL_RANK,
    *(Measure("recall", Results(limit)) for limit in (1, 3, 5, 10)),
    Measure("precision", Results(10)),
    Measure("ndcg", Results(10)),
    *(Measure("hit", Results(limit)) for limit in (1, 3, 5, 10)),
    *(Measure("recall", Tokens(limit)) for limit in (1000, 2000, 4000, 8000)),
    *(Measure("ndcg", Tokens(limit)) for limit in (1000, 2000, 4000, 8000)),
)
"""What every run computes, in the order of reports."""


def parse_measure(column: str, measures: Sequence[Measure] = STANDARD) -> Measure:
    """Return the measure of this column."""
    known = {measure.column: measure for measure in measures}
    if column not in known:
        nearest = get_close_matches(column, known, n=3, cutoff=0.5) or list(known)
        message = f"measure {column!r} does not exist: take {' or '.join(nearest)}"
        raise SettingError(message)
    return known[column]
