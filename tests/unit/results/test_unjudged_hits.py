"""The share of hits that nobody judged, and the note where a comparison depends on it."""

from collections.abc import Sequence

import pytest

from bench.queries import JudgedPlace, Target
from bench.results import Hit, Place, QueryResult, TrialResult
from bench.results.unjudged import notes_on_unjudged, unjudged_numbers

WRONG = JudgedPlace(Target("symbol", symbol="b.py::run"), relevant=False)


def query(hits: Sequence[Hit], *, repository: str = "shop", negative: bool = False) -> QueryResult:
    targets = () if negative else (Place("a.py", 1, 10),)
    return QueryResult(
        id="q",
        repository=repository,
        text="x",
        category="",
        difficulty="",
        negative=negative,
        numbers={},
        expected=(),
        targets=targets,
        hits=tuple(hits),
    )


def test_hits_are_judged_by_credit_target_or_answer() -> None:
    hits = [
        Hit("c.py", 1, 3, credit="relevant"),
        Hit("a.py", 9, 10, credit="nothing"),  # within the target
        Hit("b.py", 1, 9, credit="nothing", symbol="b.run"),  # judged not right
        Hit("b.py", 11, 19, credit="nothing", symbol="b.stop"),
    ]
    other = [Hit("c.py", 1, 3, credit="nothing")] * 20

    found = unjudged_numbers(
        [query(hits), query(other, repository="bank"), query(other, negative=True)],
        [(WRONG,), (), ()],
    )

    assert found == {"unjudged_at_10": pytest.approx((0.25 + 1) / 2)}


def test_without_any_judged_place_there_is_no_number() -> None:
    assert unjudged_numbers([query([Hit("c.py", 1, 3)])], [()]) == {}


def trial(name: str, score: float, precision: float, unjudged: float | None) -> TrialResult:
    numbers = {"avg_mrr": score, "avg_precision_at_10": precision, "unjudged_at_10": unjudged}
    return TrialResult(name=name, axes={}, levels={}, queries=(), summary=numbers)


@pytest.mark.parametrize(
    ("precision", "unjudged", "noted"),
    [
        (0.25, 0.5, True),
        (0.1, 0.5, False),
        (0.3, 0.41, False),
        (0.3, 0.43, True),
        (0.3, None, False),
    ],
)
def test_a_comparison_depends_on_what_a_rival_has_more(
    precision: float, unjudged: float | None, *, noted: bool
) -> None:
    """The best has a precision of 0.3, and 0.4 of its hits are unjudged; the margin is 0.02."""
    trials = [trial("a", 0.9, 0.3, 0.4), trial("b", 0.8, precision, unjudged)]

    found = notes_on_unjudged(trials, "mrr", margin=0.02)

    assert bool(found) == noted
    if found:
        assert found[0].startswith("the comparison depends on unjudged hits: ")
        assert "of b and 40% of a; `rankgrid judge`" in found[0]
