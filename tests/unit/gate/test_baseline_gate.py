"""A study against its baseline: worse, not worse, too few queries to tell, or no answer."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from bench.gate import Allowed, Asked, Limit, State, Verdict, judge
from bench.results import QueryResult, RepositoryIdentity, StudyResult, TrialResult
from tests.unit.compare.sample_results import negative, query, results, stored, study, trial
from tests.unit.report.sample_study import FAILED

_RUNS = 120
NAMES = [f"r{number}" for number in range(9)]


def ranks(seed: int, *, queries: int = 60, repositories: int = 9) -> dict[str, int | None]:
    """Return ranks as a retriever has them: a third first, a sixth not found."""
    generator = np.random.default_rng(seed)
    drawn = generator.choice(
        [1, 2, 3, 5, 9, 0], (repositories, queries), p=[2 / 6, *[1 / 6] * 3, 1 / 12, 1 / 12]
    )
    return {
        f"{NAMES[row]}/q{place}": int(rank) or None
        for row, line in enumerate(drawn)
        for place, rank in enumerate(line)
    }


def turned(before: Mapping[str, int | None], *, queries: int) -> dict[str, int | None]:
    """Return ranks that have changed places within the first queries of each repository.

    No repository is better or worse for it; its queries are.
    """
    after = dict(before)
    for name in NAMES:
        keys = [key for key in before if key.startswith(f"{name}/")][:queries]
        after |= {key: before[other] for key, other in zip(keys, keys[1:] + keys[:1], strict=True)}
    return after


def gated(before: StudyResult, after: StudyResult, **allowed: object) -> Verdict:
    """Return the verdict of a study against a baseline."""
    return judge(after, Asked(allowed=Allowed(**allowed)), baseline=before)  # type: ignore[arg-type]


def test_identical_rankings_pass() -> None:
    one = stored(ranks(1))

    found = gated(one, one)

    assert (found.state, found.exit_code) == (State.PASS, 0)
    assert "no ndcg_at_10 of 540 queries changed" in found.lines[0]
    assert "the smallest drop that this suite shows" in found.lines[1]


def test_identical_rankings_pass_where_a_repository_has_a_single_query() -> None:
    one = stored({"x/one": 1, "y/one": None})

    assert gated(one, one).state is State.PASS


def test_queries_that_fail_where_the_baseline_has_answers_are_a_failure() -> None:
    """They have no score that could drop."""
    before = ranks(1)
    queries = [query(key, rank) for key, rank in before.items()]
    broken = [replace(queries[0], numbers={}, first_rank=None, error="no answer"), *queries[1:]]
    after = trial(queries)
    after = replace(after, queries=tuple(broken), summary={**after.summary, "failed_queries": 1})

    found = gated(stored(before), results(study([after])))

    assert (found.state, found.exit_code) == (State.FAIL, 3)
    assert "1 of its queries failed" in found.lines[0]


def test_a_drop_everywhere_is_a_regression() -> None:
    before = ranks(2)
    after = {key: rank and min(rank + 2, 10) for key, rank in before.items()}

    found = gated(stored(before), stored(after))

    assert (found.state, found.exit_code) == (State.FAIL, 3)
    assert any(line.startswith("  - loss r0/") for line in found.lines)
    assert any("more (rankgrid compare shows them)" in line for line in found.lines)


def test_a_regression_planted_in_one_repository_of_nine_is_caught_and_named() -> None:
    before = ranks(3, queries=100)
    after = {
        key: None if key.startswith("r4/") and place % 4 == 0 else rank
        for place, (key, rank) in enumerate(before.items())
    }

    found = gated(stored(before), stored(after))
    waived = gated(stored(before), stored(after), waived=("r4",), drop=0.1)

    assert found.exit_code == 3
    blamed = [line for line in found.lines if line.startswith("  r")]
    assert blamed[0].startswith("  r4: -0.")
    assert blamed[1:] == []
    assert waived.checks[0].state is not State.NOT_COMPARABLE
    assert any("waived" in line for line in waived.lines)


def test_few_queries_are_inconclusive_which_only_strict_fails() -> None:
    before = ranks(4, queries=14, repositories=2)
    after = turned(before, queries=14)

    found = gated(stored(before), stored(after), drop=0.02)

    assert (found.state, found.exit_code) == (State.INCONCLUSIVE, 0)
    assert replace(found, strict=True).exit_code == 3
    assert "a warning" in found.headline


def test_the_allowed_drop_is_wide_under_450_queries() -> None:
    """A slight change of a small suite passes by .05 and not by .02."""
    before = ranks(5, queries=30)
    after = turned(before, queries=4)

    default = gated(stored(before), stored(after))
    narrow = gated(stored(before), stored(after), drop=0.005)

    assert default.state is State.PASS
    assert "allowed: -0.050" in default.lines[1]
    assert narrow.state is State.INCONCLUSIVE


@pytest.mark.parametrize(("queries", "margin"), [(49, "0.050"), (50, "0.020")])
def test_the_allowed_drop_is_narrow_from_450_queries(queries: int, margin: str) -> None:
    before = ranks(5, queries=queries)

    found = gated(stored(before), stored(turned(before, queries=2)))

    assert found.state is State.PASS
    assert f"allowed: -{margin}" in found.lines[1]


def test_ten_queries_that_got_worse_are_named() -> None:
    """Those that are lost come first."""
    before: dict[str, int | None] = {f"x/q{place}": 1 for place in range(30)}
    after = {key: 2 if place < 11 else 1 for place, key in enumerate(before)} | {"x/q29": None}

    found = gated(stored(before), stored(after))

    named = [line for line in found.lines if line.startswith("  - ")]
    assert named[0] == "  - regression x/q29: rank 1 → none"
    assert named[1] == "  - loss x/q0: rank 1 → 2"
    assert named[9:] == [
        "  - loss x/q8: rank 1 → 2",
        "  - and 2 more (rankgrid compare shows them)",
    ]


def test_equal_quality_fails_in_few_runs() -> None:
    """Two systems of equal quality that answer each query on their own."""
    generator = np.random.default_rng(7)
    keys = [f"{name}/q{place}" for name in NAMES[:3] for place in range(30)]
    failed = 0

    for _ in range(_RUNS):
        one, other = (
            stored({key: int(generator.choice([1, 2, 3, 5, 9])) for key in keys}) for _ in "ab"
        )
        failed += gated(one, other).state is State.FAIL

    assert failed <= 0.07 * _RUNS


@pytest.mark.parametrize(
    ("corpus", "said"),
    [
        (RepositoryIdentity("x", "e" * 16, "q" * 16, 1), "corpus: x is not the same source tree"),
        (RepositoryIdentity("x", "d" * 16, "r" * 16, 1), "fixtures: x: the grades or places"),
        (RepositoryIdentity("y", "d" * 16, "q" * 16, 1), "corpus: x is only in a"),
    ],
)
def test_another_corpus_or_other_fixtures_cannot_be_compared(
    corpus: RepositoryIdentity, said: str
) -> None:
    after = replace(study([trial([query("x/one", 1)])]), corpus=(corpus,))

    found = gated(stored({"x/one": 1}), results(after))

    assert (found.state, found.exit_code) == (State.NOT_COMPARABLE, 4)
    assert said in found.lines[0]


def test_measures_that_mean_something_else_cannot_be_compared() -> None:
    one = stored({"x/one": 1})

    found = gated(replace(one, measure_version=0), one)

    assert found.exit_code == 4
    assert "measures: version 0 in a, 2 in b" in found.lines[0]


def test_a_file_that_does_not_say_what_was_searched_cannot_be_a_baseline() -> None:
    one = stored({"x/one": 1})

    found = gated(replace(one, corpus=()), one)

    assert found.exit_code == 4
    assert "does not say what was searched" in found.lines[0]


def test_not_comparable_comes_before_a_floor_that_is_missed() -> None:
    one = stored({"x/one": 1})
    asked = Asked((Limit("mrr", 1.1),))

    found = judge(one, asked, baseline=replace(one, measure_version=0))

    assert found.exit_code == 4
    assert {check.state for check in found.checks} == {State.FAIL, State.NOT_COMPARABLE}


def test_each_trial_is_judged_against_its_like() -> None:
    """The second has no like: that is said, and decides nothing."""
    first = trial([query("x/one", 1)], name="one", axes={"chunk": 1})
    second = trial([query("x/one", 1)], name="two", axes={"chunk": 2})

    found = gated(*map(_stored, (study([first, _also(first)]), study([first, second]))))

    assert [check.trial for check in found.checks] == ["one"]
    assert found.notes == ("the baseline has nothing to compare two with",)


def test_several_trials_share_the_error_rates_of_one() -> None:
    """What one of them may cost in false failures is divided among them."""
    made = study([trial([query("x/one", 1)], name="one", axes={"chunk": 1})])
    several = study([made.trials[0], _also(made.trials[0])])

    alone, many = (gated(_stored(which), _stored(which)) for which in (made, several))

    assert alone.notes == ()
    assert any("2 trials are judged together" in note for note in many.notes)
    assert any("gate.of=best" in line for line in many.lines)


def _also(of: TrialResult) -> TrialResult:
    return replace(of, name="three", axes={"chunk": 3})


def _stored(made: StudyResult) -> StudyResult:
    return results(made)


def test_the_best_is_judged_against_the_best() -> None:
    low, high = (
        trial([query("x/one", rank)], name=str(rank), axes={"n": rank}) for rank in (3, 1)
    )
    before, after = _stored(study([low, high])), _stored(study([replace(low, axes={}), low]))

    found = judge(after, Asked(of="best"), baseline=before)

    assert [
        (check.trial, check.report and check.report.pair.a.name) for check in found.checks
    ] == [("3", "1")]


def test_no_trial_alike_is_not_comparable() -> None:
    one, two = (trial([query("x/one", 1)], name=name, axes={"n": name}) for name in "ab")
    three = replace(one, name="c", axes={"n": "c"})

    found = gated(_stored(study([one, two])), _stored(study([three])))

    assert found.exit_code == 4


def test_a_failed_baseline_is_not_comparable() -> None:
    whole = trial([query("x/one", 1)])
    made = study([whole])
    failed = replace(made, trials=(replace(FAILED, name=whole.name),))

    found = gated(_stored(failed), _stored(made))

    assert found.exit_code == 4


def test_negative_queries_take_no_part() -> None:
    with_negative = _stored(study([trial([query("x/one", 1), negative("x/none")])]))

    found = gated(with_negative, with_negative)

    assert "of 1 query" in found.lines[0]


def test_a_gate_in_which_nothing_changed_names_its_question() -> None:
    """In the headline, and as the name of the test case in JUnit."""
    one = stored({"x/one": 1, "x/two": 2})

    found = gated(one, one)

    assert [check.asked for check in found.checks] == [f"ndcg_at_10 not worse than in {one.id}"]
    assert found.headline == f"gate: passed (ndcg_at_10 not worse than in {one.id})"


def test_the_gate_says_which_tier_regressed() -> None:
    """The hard queries of each repository are found no more; the easy ones are as before."""
    tiers = [f"{name}/q{place}" for name in NAMES for place in range(6)]
    before, after = (
        results(study([trial([_tiered(key, lost=lost) for key in tiers])]))
        for lost in (False, True)
    )

    found = gated(before, after)

    (line,) = (one for one in found.lines if "by difficulty" in one)
    assert line == (
        "  by difficulty: easy +0.0000 (27 queries), hard -1.0000 (27 queries);"
        " regressed: hard (ndcg_at_10 -1.0000)"
    )


def _tiered(key: str, *, lost: bool) -> QueryResult:
    is_hard = int(key[-1]) % 2 == 1
    return query(key, None if lost and is_hard else 1, difficulty="hard" if is_hard else "easy")
