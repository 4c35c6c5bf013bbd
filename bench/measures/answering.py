"""Measures of one answer; None where a measure is undefined."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

OF_ANSWERS = (
    "citation_coverage",
    "citation_precision",
    "groundedness",
    "refusal_correctness",
    "false_refusal_rate",
)
"""Measures of answers, in the order of the reports."""


@dataclass(frozen=True)
class Given:
    """An answer that is judged. Answers that failed are not judged."""

    text: str
    refused: bool
    cited: Sequence[int]
    """Passage numbers that the answer cites, from 1."""
    shown: int
    """Number of passages in the prompt."""


@dataclass(frozen=True)
class Wanted:
    """The correct behaviour for a query."""

    negative: bool = False
    """Whether no passage answers the query, so that it should be refused."""
    must_contain: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()


def answer_numbers(
    given: Given, wanted: Wanted, credited: Sequence[str], *, refusal_counts: bool = True
) -> Mapping[str, float | None]:
    """Return the measures of an answer.

    `credited` has the credit of each passage: "nothing", or another word if it matches a target.
    `refusal_counts` is off for queries that calibrated the threshold.
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
    """Return 1 if every citation refers to a passage, and 0 without citations."""
    return float(bool(given.cited) and max(given.cited) <= given.shown)


def _precision(given: Given, credited: Sequence[str]) -> float | None:
    """Return the share of citations that refer to a passage with a target."""
    if given.refused or not given.cited:
        return None
    return sum(_is_right(number, credited) for number in given.cited) / len(given.cited)


def _is_right(number: int, credited: Sequence[str]) -> bool:
    return number <= len(credited) and credited[number - 1] != "nothing"


def _grounded(text: str, wanted: Wanted) -> float | None:
    """Return 1 if an answer has every required text and no forbidden one; None without either."""
    if not wanted.must_contain and not wanted.forbidden:
        return None
    has_all = _says(text, wanted.must_contain) == len(wanted.must_contain)
    return float(has_all and not _says(text, wanted.forbidden))


def _says(text: str, wanted: Collection[str]) -> int:
    """Count the texts that occur in an answer, ignoring line breaks and runs of white space."""
    whole = " ".join(text.split())
    return sum(" ".join(one.split()) in whole for one in wanted)
