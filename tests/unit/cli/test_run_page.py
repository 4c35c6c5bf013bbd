"""The page of `rankgrid run` against results written by hand."""

from typing import Any

from bench.cli.run_page import Marks, against, page
from bench.comparison import StoredStudy, stored_study


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


def study(*ranks: int | None) -> StoredStudy:
    """Return a study of one trial whose queries have their first right hits at these ranks."""
    report = {
        "config": {"name": "default"},
        "status": "complete",
        "summary": {},
        "levels": {},
        "query_results": [row(f"q{number}", rank) for number, rank in enumerate(ranks)],
    }
    return stored_study({"study": "s", "suite": "own", "level": "file", "reports": [report]})


def test_ranks_1_4_and_miss() -> None:
    """Recall 1, 1, 0; MRR 1, .25, 0: mean .4167, deviation .52."""
    (trial,) = study(1, 4, None).trials

    lines = list(page(trial, {}, Marks(), None))

    assert "  Recall@5:      0.67 (±0.58)" in lines
    assert "  Precision@5:   0.13 (±0.12)" in lines
    assert "  MRR:           0.42 (±0.52)" in lines
    assert "  q0: Recall=1.00, Precision=0.20, MRR=1.00 ✓" in lines
    assert "  q1: Recall=1.00, Precision=0.20, MRR=0.25 ✗" in lines
    assert "\nFailed queries (MRR < 0.5, or an error): 2" in lines
    assert lines[-3:] == [
        '  q2: "what is q2"',
        "    Expected:  a.md",
        "    Retrieved: b.md:1-2",
    ]


def test_marks_follow_their_thresholds() -> None:
    """Rank 2 is fair, rank 4 too if asked."""
    queries = list(study(1, 2, 4).trials[0].queries.values())

    assert [Marks().of(one, "") for one in queries] == ["✓", "⚠", "✗"]
    assert [Marks(good=0.5, fair=0.2).of(one, "") for one in queries] == ["✓", "✓", "⚠"]
    assert Marks().of(queries[0], "the server answered 500") == "✗"


def test_a_failed_query_is_told_with_its_cause() -> None:
    """On one line, whatever the cause holds."""
    (trial,) = study(1).trials

    lines = list(page(trial, {("shop", "q0"): "no whole\nanswer"}, Marks(), None))

    assert "  q0: no whole answer ✗" in lines
    assert "    Error:     no whole answer" in lines


def test_a_change_is_held_against_the_tolerance() -> None:
    """MRR falls by .5 / 3, recall is the same; a query that only one has does not count."""
    before, after = study(1, 1, 1), study(1, 2, 1, None)

    strict = against(before, after, Marks(), tolerance=0.1)
    lenient = against(before, after, Marks(), tolerance=0.2)
    better = against(after, before, Marks(), tolerance=0.0)

    assert strict.changes == {"Recall@5": 0.0, "Precision@5": 0.0, "MRR": -0.1667}
    assert (strict.exit_code, lenient.exit_code, better.exit_code) == (3, 0, 0)
    assert lenient.verdict(-0.1667) == "(within tolerance)"
    assert [strict.verdict(one) for one in (0.1, -0.1, -0.11, None)] == [
        "✓",
        "(within tolerance)",
        "✗",
        "not in the baseline",
    ]


def test_nothing_in_common_is_no_pass() -> None:
    """Exit 4, as where a baseline cannot be compared."""
    assert against(study(), study(1), Marks(), tolerance=0.1).exit_code == 4


def test_the_same_results_give_the_same_page() -> None:
    """Line for line."""
    (trial,) = study(1, 2, None).trials
    comparison = against(study(1, 1, 1), study(1, 2, None), Marks(), tolerance=0.1)

    pages = [list(page(trial, {}, Marks(), comparison)) for _ in range(2)]

    assert pages[0] == pages[1]
