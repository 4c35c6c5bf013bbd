"""The page of `rankgrid run` against results written by hand."""

from dataclasses import replace
from typing import Any

import pytest

from bench.cli.run_page import Comparison, Marks, against, ended, page
from bench.results import StudyResult
from bench.results.codec import encode
from bench.results.document import from_json
from tests.unit.report.sample_study import PLAN


def row(name: str, rank: int | None, *, limit: int = 5) -> dict[str, Any]:
    """Return a query whose only target was found at a rank, of which `limit` hits count."""
    found = rank is not None and rank <= limit
    return {
        "id": name,
        "repository": "shop",
        "query": f"what\nis {name}",
        "category": "",
        "difficulty": "",
        "negative": False,
        "first_rank": rank,
        "mrr": 1 / rank if rank else 0.0,
        "recall_at_5": float(found),
        "precision_at_5": 0.2 * found,
        "expected": ["a.md"],
        "retrieved": [{"path": "b.md", "start": 1, "end": 2, "score": 1.0}],
    }


def study(*ranks: int | None) -> StudyResult:
    """Return a study of one trial whose queries have their first right hits at these ranks."""
    return of(*(row(f"q{number}", rank) for number, rank in enumerate(ranks)))


def of(*rows: dict[str, Any]) -> StudyResult:
    """Return a study of one trial with these queries."""
    report = {
        "config": {"name": "default"},
        "status": "complete",
        "summary": {},
        "levels": {},
        "query_results": list(rows),
    }
    file = {
        "schema": 1,
        "study": "s",
        "suite": "own",
        "level": "file",
        "plan": encode(PLAN),
        "reports": [report],
    }
    return from_json(file, "results.json")


def test_ranks_1_4_and_miss() -> None:
    """Recall 1, 1, 0; MRR 1, .25, 0: mean .4167, deviation .52."""
    (trial,) = study(1, 4, None).trials

    lines = list(page(trial, Marks(), None))

    assert "  Recall@5:      0.67 (±0.58)" in lines
    assert "  Precision@5:   0.13 (±0.12)" in lines
    assert "  MRR:           0.42 (±0.52)" in lines
    assert "  q0: Recall=1.00, Precision=0.20, MRR=1.00 ✓" in lines
    assert "  q1: Recall=1.00, Precision=0.20, MRR=0.25 ✗" in lines
    assert "\nMissed queries (MRR < 0.5): 2" in lines
    assert lines[-3:] == [
        '  q1: "what is q1"',
        "    Expected:  a.md",
        "    Retrieved: b.md:1-2",
    ]


def test_the_five_worst_misses_are_shown_and_the_others_counted() -> None:
    """A miss comes before a late hit; --verbose shows all of them."""
    (trial,) = study(4, 5, None, 3, 6, 7, None, 1).trials

    few = list(page(trial, Marks(), None))
    every = list(page(trial, Marks(), None, most=None))

    assert [line[2:4] for line in few if line.endswith('"')] == ["q2", "q6", "q5", "q4", "q1"]
    assert few[-1] == "  and 2 more (all: --verbose)"
    assert sum(line.endswith('"') for line in every) == 7
    assert "more" not in every[-1]


def test_marks_follow_their_thresholds() -> None:
    """Rank 2 is fair, rank 4 too if asked."""
    queries = study(1, 2, 4).trials[0].queries

    assert [Marks().of(one) for one in queries] == ["✓", "⚠", "✗"]
    assert [Marks(good=0.5, fair=0.2).of(one) for one in queries] == ["✓", "✓", "⚠"]
    assert Marks().of(replace(queries[0], error="the server answered 500")) == "✗"


def test_a_failed_query_is_told_with_its_cause() -> None:
    """On one line, whatever the cause holds."""
    (trial,) = study(1).trials
    failed = replace(trial.queries[0], error="no whole\nanswer")

    lines = list(page(replace(trial, queries=(failed,)), Marks(), None))

    assert "  q0: no whole answer ✗" in lines
    assert "\nMissed queries (MRR < 0.5): none" in lines
    assert "\nFailed queries (an error): 1" in lines
    assert "    Error:     no whole answer" in lines


def test_a_change_is_held_against_the_tolerance() -> None:
    """MRR falls by .5 / 3, recall is the same; a query that only one has does not count."""
    before, after = study(1, 1, 1), study(1, 2, 1, None)

    strict = against(before, after, Marks(), tolerance=0.1)
    lenient = against(before, after, Marks(), tolerance=0.2)
    better = against(after, before, Marks(), tolerance=0.0)

    assert strict.changes == {"Recall@5": 0.0, "Precision@5": 0.0, "MRR": -0.1667}
    assert (strict.exit_code, lenient.exit_code, better.exit_code) == (3, 0, 0)
    assert lenient.verdict("MRR") == "(within tolerance)"


@pytest.mark.parametrize(
    ("heading", "change", "verdict"),
    [
        ("MRR", 0.1, "✓"),
        ("MRR", -0.1, "(within tolerance)"),
        ("MRR", -0.11, "✗"),
        ("MRR", None, "not in the baseline"),
        ("False refusal rate", -0.2, "✓"),
        ("False refusal rate", 0.1, "(within tolerance)"),
        ("False refusal rate", 0.11, "✗"),
    ],
)
def test_a_change_for_the_worse_is_let_pass_within_the_tolerance(
    heading: str, change: float | None, verdict: str
) -> None:
    """Less is better of refusals of what has an answer."""
    assert Comparison("s", 1, {heading: change}, tolerance=0.1).verdict(heading) == verdict


def test_what_was_measured_of_answers_stands_beside_the_rankings() -> None:
    """Half of the answers say what they must; the negative query was refused once and then not."""
    answered = [row("q0", 1) | {"groundedness": 1.0}, row("q1", 1) | {"groundedness": 0.0}]
    nothing = {"negative": True, "mrr": None, "recall_at_5": None, "precision_at_5": None}
    refused = row("q2", None) | nothing | {"refusal_correctness": 1.0}
    before, after = of(*answered, refused), of(*answered, refused | {"refusal_correctness": 0.0})

    comparison = against(before, after, Marks(), tolerance=0.1)
    lines = list(page(after.trials[0], Marks(), comparison))

    assert "  Groundedness:        0.50 (±0.71)" in lines
    assert "  Refusal correctness: -1.0000 ✗" in lines
    assert "  Groundedness:        +0.0000 ✓" in lines
    assert "  q2: negative, answered" in lines
    assert "  q2: negative, refused" in list(page(before.trials[0], Marks(), None))


def test_nothing_in_common_is_no_pass() -> None:
    """Exit 4, as where a baseline cannot be compared."""
    assert against(study(), study(1), Marks(), tolerance=0.1).exit_code == 4


def test_the_same_results_give_the_same_page() -> None:
    """Line for line."""
    (trial,) = study(1, 2, None).trials
    comparison = against(study(1, 1, 1), study(1, 2, None), Marks(), tolerance=0.1)

    pages = [list(page(trial, Marks(), comparison)) for _ in range(2)]

    assert pages[0] == pages[1]


def test_means_are_over_repositories_as_the_limits_are() -> None:
    """One repository has MRR 1 and .5, the other 0: the mean of .75 and 0."""
    rows = [row("a", 1), row("b", 2), row("c", None) | {"repository": "bank"}]
    (trial,) = of(*rows).trials
    worse = of(*rows[:2], row("c", 2) | {"repository": "bank"})

    lines = list(page(trial, Marks(), None))
    comparison = against(of(*rows), worse, Marks(), tolerance=0.1)

    assert "Results (mean over 2 repositories, ± deviation of queries):" in lines
    assert "  MRR:           0.38 (±0.50)" in lines
    assert comparison.changes["MRR"] == 0.25


def test_each_tier_has_its_means_and_its_changes() -> None:
    """The hard query falls from rank 1 to 2; the easy one stays."""
    before, after = (
        of(row("a", rank) | {"difficulty": "hard"}, row("b", 1) | {"difficulty": "easy"})
        for rank in (1, 2)
    )

    comparison = against(before, after, Marks(), tolerance=0.1)
    lines = list(page(after.trials[0], Marks(), comparison))

    place = lines.index("By difficulty:")
    assert lines[place + 1 : place + 4] == [
        "  easy:          Recall@5 1.00, Precision@5 0.20, MRR 1.00 (N 1)",
        "  hard:          Recall@5 1.00, Precision@5 0.20, MRR 0.50 (N 1)",
        "  OVERALL:       Recall@5 1.00, Precision@5 0.20, MRR 0.75 (N 2)",
    ]
    assert "  hard: Recall@5 +0.0000, Precision@5 +0.0000, MRR -0.5000 (1 query)" in lines
    assert "  regressed: hard" in lines
    assert "  a (hard): Recall=1.00, Precision=0.20, MRR=0.50 ⚠" in lines


def test_the_baseline_is_named_by_its_day() -> None:
    before = replace(study(1), timestamp="2026-01-02T03:04:05Z")

    lines = list(page(study(1).trials[0], Marks(), against(before, study(1), Marks(), 0.1)))

    assert "Comparison to baseline of 2026-01-02 (study s, 1 query):" in lines


@pytest.mark.parametrize(
    ("code", "line"), [(0, "PASSED"), (1, "FAILED"), (3, "FAILED"), (4, "FAILED")]
)
def test_the_last_line_says_if_the_run_passed(code: int, line: str) -> None:
    assert ended(code).partition(":")[0] == line
