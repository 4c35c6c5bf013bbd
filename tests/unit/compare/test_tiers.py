"""What changed in each tier, in the words of an experiment's log."""

import pytest

from bench.compare import as_markdown, as_text, compare, paired
from bench.compare.report import CompareReport
from bench.compare.tiers import (
    fell,
    fell_to_zero,
    regressed,
    rose,
    rose_from_zero,
    tier_lines,
    tier_table,
    tiers,
)
from bench.results import QueryResult
from tests.unit.compare.sample_results import query, results, study, trial


def queries(*ranks: int | None) -> list[QueryResult]:
    """Return queries of a hard and an easy tier in turn."""
    return [
        query(f"x/q{place}", rank, difficulty=("hard", "easy")[place % 2])
        for place, rank in enumerate(ranks)
    ]


def report(before: list[QueryResult], after: list[QueryResult]) -> CompareReport:
    """Return the comparison of two studies of one trial."""
    a, b = (results(study([trial(asked)])) for asked in (before, after))
    (pair,) = paired(a, b).pairs
    return compare(a, b, pair)


def test_tiers_go_from_easy_to_hard_and_end_with_all() -> None:
    found = tiers(report(queries(1, 1, 1, 1), queries(1, 1, None, 2)))

    assert [(tier.name, tier.queries) for tier in found] == [
        ("easy", 2),
        ("hard", 2),
        ("Overall", 4),
    ]
    changes = {
        tier.name: next(one.value for one in tier.deltas if one.measure == "mrr") for tier in found
    }
    assert changes == pytest.approx({"easy": -0.25, "hard": -0.5, "Overall": -0.375})


def test_a_line_has_both_numbers_the_change_and_its_interval() -> None:
    """Two differences of 0 and -1: -0.5 and Student's 12.71 times 0.5 on either side."""
    found = list(tier_lines(tiers(report(queries(1, 1, 1, 1), queries(1, 1, None, 1)))))

    assert found[1] == (
        "- Hard (2): MRR@10 1.000 → 0.500 (-0.500, 95 % -6.853 to +5.853);"
        " R@10 100.0 % → 50.0 % (-50.0 pp, 95 % -685.3 to +585.3)"
    )
    assert found[0].endswith("(+0.0 pp, no interval)")


def test_what_fell_to_zero_and_rose_from_it_is_named() -> None:
    found = report(queries(1, None, 2, 1), queries(None, 4, 9, 1))

    assert fell_to_zero(found) == ["x/q0"]
    assert rose_from_zero(found) == ["x/q1"]


def test_queries_that_rose_or_fell_are_named_with_their_ranks() -> None:
    found = report(queries(1, None, 2, 1, 5), queries(None, 4, 9, 1, 2))

    assert fell(found) == ["x/q2 (2 → 9)"]
    assert rose(found) == ["x/q4 (5 → 2)"]


def test_the_page_has_a_table_by_difficulty_and_names_the_worse_tier() -> None:
    """Both hard queries fall from rank 1 to none; -1 twice leaves no doubt."""
    found = report(queries(1, 2, 1, 2), queries(None, 1, None, 1))

    text, page = as_text(found, flips=0), as_markdown(found)

    assert tier_table(found) == [
        ["by difficulty, b - a", "MRR@10", "R@10", "N"],
        ["easy", "+0.5000", "+0.0000", "2"],
        ["hard", "-1.0000", "-1.0000", "2"],
        ["OVERALL", "-0.2500", "-0.5000", "4"],
    ]
    assert "\nhard                      -1.0000  -1.0000        2\n" in text
    assert "\nregressed: hard (MRR@10 -1.0000; R@10 -1.0000)\n" in text
    assert "| hard | -1.0000 | -1.0000 | 2 |" in page
    assert "\nregressed: hard (MRR" in page


def test_a_tier_that_is_worse_by_chance_is_marked() -> None:
    worse = report(queries(1, 1, 1, 1), queries(1, 1, None, 1))

    assert regressed(worse) == (
        "regressed: hard (MRR@10 -0.5000, within chance; R@10 -0.5000, within chance)"
    )
    assert regressed(report(queries(1, 1), queries(1, 1))) == "no tier regressed"


def test_queries_without_a_difficulty_have_no_table() -> None:
    plain = [query(f"x/q{place}", 1, difficulty="") for place in range(3)]

    assert tier_table(report(plain, plain)) == []
    assert not regressed(report(plain, plain))
    assert "by difficulty" not in as_text(report(plain, plain), flips=0)
