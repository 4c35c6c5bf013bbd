"""How good an answer is: numbers of one answer each, None where there is nothing to divide by."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

OF_ANSWERS = (
    "citation_coverage",
    "citation_precision",
    "groundedness",
    "refusal_correctness",
    "false_refusal_rate",
)
"""What is measured of answers, in the order of reports."""


@dataclass(frozen=True)
class Given:
    """What is judged of an answer; one that failed is judged by nothing."""

    text: str
    refused: bool
    cited: Sequence[int]
    """The numbers that it cites, from 1."""
    shown: int
    """How many passages it was given."""


@dataclass(frozen=True)
class Wanted:
    """What is right for a query."""

    negative: bool = False
    """Whether nothing answers it, so that it should be refused."""
    must_contain: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()


def answer_numbers(
    given: Given, wanted: Wanted, credited: Sequence[str], *, refusal_counts: bool = True
) -> Mapping[str, float | None]:
    """Return the measures of an answer; `credited` say what each passage was credited with.

    `refusal_counts` is off for queries that the threshold was calibrated on.
    """
    refused = float(given.refused) if refusal_counts else None
    return {
        "citation_coverage": None if given.refused else _coverage(given),
        "citation_precision": None if wanted.negative else _precision(given, credited),
        "groundedness": _grounded(given.text, wanted),
        "refusal_correctness": refused if wanted.negative else None,
        "false_refusal_rate": None if wanted.negative else refused,
    }


def _coverage(given: Given) -> float:
    """Return whether every citation is of a passage; an answer without any has none that is."""
    return float(bool(given.cited) and max(given.cited) <= given.shown)


def _precision(given: Given, credited: Sequence[str]) -> float | None:
    """Return the share of the citations that are of passages that hold something right."""
    if given.refused or not given.cited:
        return None
    return sum(_is_right(number, credited) for number in given.cited) / len(given.cited)


def _is_right(number: int, credited: Sequence[str]) -> bool:
    return number <= len(credited) and credited[number - 1] != "nothing"


def _grounded(text: str, wanted: Wanted) -> float | None:
    """Return whether an answer says what it must and not what it must not, if that is known."""
    if not wanted.must_contain and not wanted.forbidden:
        return None
    has_all = _says(text, wanted.must_contain) == len(wanted.must_contain)
    return float(has_all and not _says(text, wanted.forbidden))


def _says(text: str, wanted: Collection[str]) -> int:
    """Count the texts that occur in another, however their lines are broken."""
    whole = " ".join(text.split())
    return sum(" ".join(one.split()) in whole for one in wanted)
