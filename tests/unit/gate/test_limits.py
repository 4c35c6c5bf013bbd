"""A limit is kept to by a number, never by its absence."""

from dataclasses import replace
from typing import Any

import pytest

from bench.errors import SettingError, UsageError
from bench.gate import Asked, Limit, Side, State, check_groups, check_names, judge, parse_limit
from bench.results import StudyResult, TrialResult
from tests.unit.compare.sample_results import negative, query, results, study
from tests.unit.compare.sample_results import trial as made_trial
from tests.unit.report.sample_study import FAILED, TRIAL

MRR = Limit("mrr", 0.5)
QUERIES = [query("x/one", 2, difficulty="easy"), query("x/two", 2, difficulty="hard")]


def trial(**changes: Any) -> TrialResult:
    """Return a trial of MRR .5 in x, with numbers for two difficulties."""
    tiers = {"easy": {"count": 1, "avg_mrr": 0.75}, "hard": {"count": 1, "avg_mrr": 0.25}}
    return made_trial(QUERIES, difficulties=tiers, categories={}, **changes)


def stored(*trials: TrialResult) -> StudyResult:
    """Return a study of these trials as its file has it."""
    whole = study([trial()])
    return results(replace(whole, trials=trials or whole.trials))


def test_a_number_at_the_floor_passes() -> None:
    """At, not above."""
    verdict = judge(stored(), Asked((MRR,)))

    assert (verdict.state, verdict.exit_code) == (State.PASS, 0)
    assert verdict.lines == ("gate: passed (mrr ≥ 0.5)",)


def test_a_number_below_names_the_queries_that_miss() -> None:
    verdict = judge(stored(), Asked((Limit("mrr", 0.6),)))

    assert verdict.exit_code == 3
    assert verdict.lines[0] == (
        "gate: fail: chunk=512 reranker=on: mrr is 0.5000 at symbol level; required: ≥ 0.6"
    )
    assert verdict.lines[1] == "  - one: mrr 0.50, first right at 2"
    assert verdict.lines[-1] == "gate: failed (mrr ≥ 0.6)"


def test_a_ceiling_holds_for_latency() -> None:
    """The sample trial has 14 ms."""
    low, high = (Limit("latency_p95_ms", bound, Side.CEILING) for bound in (13, 14))

    assert judge(stored(), Asked((high,))).state is State.PASS
    assert judge(stored(), Asked((low,))).exit_code == 3


def test_what_is_too_high_of_answers_names_the_queries_that_are() -> None:
    """And no level: whether an answer was refused is of none."""
    refused = query("x/one", 2, numbers={"false_refusal_rate": 1.0})
    answered = query("x/two", 2, numbers={"false_refusal_rate": 0.0})
    unanswerable = negative("x/none", numbers={"refusal_correctness": 0.0})
    means = {**TRIAL.summary, "avg_false_refusal_rate": 0.5, "avg_refusal_correctness": 0.0}
    made = replace(TRIAL, queries=(refused, answered, unanswerable), summary=means)
    limits = (Limit("false_refusal_rate", 0.1, Side.CEILING), Limit("refusal_correctness", 0.5))

    lines = judge(stored(made), Asked(limits)).lines

    assert lines == (
        "gate: fail: chunk=512 reranker=on: false_refusal_rate is 0.5000; required: ≤ 0.1",
        "  - one: false_refusal_rate 1.00, first right at 2",
        "gate: fail: chunk=512 reranker=on: refusal_correctness is 0.0000; required: ≥ 0.5",
        "  - none: refusal_correctness 0.00, nothing answers it",
        "gate: failed (false_refusal_rate ≤ 0.1, refusal_correctness ≥ 0.5)",
    )


def test_a_latency_that_was_not_measured_keeps_to_no_ceiling() -> None:
    found = judge(stored(), Asked((Limit("latency_p99_ms", 1e9, Side.CEILING),)))

    assert found.state is State.FAIL
    assert "no result" in found.lines[0]


@pytest.mark.parametrize(("group", "passes"), [("easy", True), ("difficulty:hard", False)])
def test_a_part_of_the_suite_may_have_its_own_floor(group: str, *, passes: bool) -> None:
    found = judge(stored(), Asked((Limit("mrr", 0.6, group=group),)))

    assert (found.state is State.PASS) is passes
    if not passes:
        assert [line for line in found.lines if line.startswith("  - ")] == [
            "  - two: mrr 0.50, first right at 2"
        ]


@pytest.mark.parametrize("of", ["all", "best"])
def test_no_result_never_passes(of: str) -> None:
    """Neither a failed trial nor an empty study."""
    floor = Asked((Limit("mrr", 0.0),), of=of)

    assert judge(stored(FAILED), floor).exit_code == 3


def test_the_best_trial_may_stand_for_all() -> None:
    """A failed one beside it does not count then."""
    both = stored(trial(), FAILED)

    assert judge(both, Asked((MRR,), of="best")).exit_code == 0
    assert judge(both, Asked((MRR,), of="all")).exit_code == 3


@pytest.mark.parametrize("of", ["all", "best"])
def test_a_bound_is_held_to_nothing_and_stands_for_nobody(of: str) -> None:
    """Neither a random order, which no floor is for, nor an oracle, which nobody can ship."""
    bound = made_trial([query("x/one", 1), query("x/two", 1)], name="oracle", is_bound=True)

    found = judge(stored(trial(), bound), Asked((Limit("mrr", 0.9),), of=of))

    assert [check.trial for check in found.checks] == [TRIAL.name]
    assert found.exit_code == 3


@pytest.mark.parametrize("of", ["all", "best"])
def test_a_mean_without_the_queries_that_failed_does_not_pass(of: str) -> None:
    """Else the engine that fails on every hard question is the one to ship."""
    partly = trial()
    partly = replace(partly, summary={**partly.summary, "failed_queries": 1})

    found = judge(stored(partly), Asked((MRR,), of=of))

    assert found.exit_code == 3
    assert "1 of its queries failed" in found.lines[0]


def test_nothing_asked_is_no_gate() -> None:
    verdict = judge(stored(FAILED), Asked())

    assert (verdict.lines, verdict.exit_code) == ((), 0)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("mrr=0.5", Limit("mrr", 0.5)),
        ("easy.mrr=.5", Limit("mrr", 0.5, group="easy")),
        ("a.b/c.d.mrr=1", Limit("mrr", 1.0, group="a.b/c.d")),
        ("category:x=y.mrr=1", Limit("mrr", 1.0, group="category:x=y")),
    ],
)
def test_limits_are_read(text: str, limit: Limit) -> None:
    assert parse_limit(text, Side.FLOOR) == limit


@pytest.mark.parametrize("text", ["mrr", "mrr=", "mrr=x", "mrr=nan", "=", ""])
def test_a_limit_without_a_number_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--max"):
        parse_limit(text, Side.CEILING)


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        (Limit("mrrr", 0.5), "mrr"),
        (Limit("latency_p95", 1), "latency_p95_ms"),
        (Limit("latency_p95_ms", 1, group="easy"), "belongs to the whole trial"),
    ],
)
def test_a_number_that_no_trial_has_is_refused(limit: Limit, said: str) -> None:
    """Before anything runs."""
    with pytest.raises(SettingError, match=said):
        check_names([limit])


def test_numbers_of_the_whole_and_measures_of_a_part_are_accepted() -> None:
    check_names([Limit("latency_p95_ms", 200, Side.CEILING), Limit("mrr", 0.5, group="easy")])


def test_the_queries_that_miss_by_the_most_are_named_first_and_ten_of_them() -> None:
    ranks = [1, 2, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 10]
    made = made_trial([query(f"x/q{number}", rank) for number, rank in enumerate(ranks)])

    found = judge(stored(made), Asked((Limit("mrr", 0.6),)))

    named = [line for line in found.lines if line.startswith("  - ")]
    assert named[0] == "  - q12: mrr 0.10, first right at 10"
    assert named[1] == "  - q3: mrr 0.20, first right at 5"
    assert named[9] == "  - q11: mrr 0.20, first right at 5"
    assert named[10:] == ["  - and 2 more (results.json has them all)"]


def test_a_part_that_the_suite_does_not_have_is_refused() -> None:
    known = {"difficulty": ["easy", "hard"], "category": ["easy"], "repository": ["x"]}

    with pytest.raises(SettingError, match="did you mean hard"):
        check_groups([Limit("mrr", 1, group="hart")], known)
    with pytest.raises(SettingError, match="difficulty:easy or category:easy"):
        check_groups([Limit("mrr", 1, group="easy")], known)
    check_groups([Limit("mrr", 1, group="category:easy"), Limit("mrr", 1, group="x")], known)


def test_a_part_that_only_the_searched_code_has_is_named_with_its_kind() -> None:
    """Before the work nobody knows the languages; afterwards an absent one keeps to no floor."""
    languages = {"python": {"count": 2, "avg_mrr": 0.75}}
    made = stored(trial(languages=languages))
    limits = [Limit("mrr", 0.6, group=f"language:{name}") for name in ("python", "cobol")]

    check_groups(limits, {})

    assert [check.state for check in judge(made, Asked(tuple(limits))).checks] == [
        State.PASS,
        State.FAIL,
    ]


def test_a_failed_trial_says_that_it_failed() -> None:
    found = judge(stored(replace(FAILED, name=TRIAL.name)), Asked((MRR,)))

    assert "it failed" in found.lines[0]


@pytest.mark.parametrize(
    "limit",
    [
        Limit("mrr", 70),
        Limit("mrr", -1),
        Limit("groundedness", 1.1),
        Limit("latency_p95_ms", -1, Side.CEILING),
    ],
)
def test_a_bound_that_every_number_is_on_one_side_of_is_refused(limit: Limit) -> None:
    with pytest.raises(SettingError, match="Use a bound in that range"):
        check_names([limit])


def test_bounds_of_counts_may_be_large() -> None:
    check_names([Limit("shown_tokens_at_10", 4000, Side.CEILING), Limit("index_seconds", 90)])
