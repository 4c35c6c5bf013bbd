"""The lines that end a study on a terminal: each fact once, and a choice only where decided."""

from dataclasses import replace

import pytest

from bench.advice import Line, advise, ending_lines
from bench.results import TrialResult
from bench.settings.study import AdviceSettings
from tests.unit.advice.test_study_advice import LARGE, SMALL
from tests.unit.report.sample_study import FAILED, TRIAL, several, study_of


def ending(*trials: TrialResult, settings: AdviceSettings | None = None) -> list[Line]:
    """Return the lines on a study of these trials."""
    said = advise(study_of(*trials), settings, seed=0)
    return list(ending_lines(said, next((t for t in trials if t.name == said.next_run), None)))


def text(lines: list[Line], label: str) -> list[str]:
    """Return the texts under a label."""
    return [line.text for line in lines if line.label == label]


def test_a_decided_study_says_what_to_ship_how_sure_and_at_what_cost() -> None:
    low, high = several("low", better=0.0, queries=90), several("high", better=0.3, queries=90)

    lines = ending(low, high)

    assert text(lines, "Ship") == ["high (NDCG@10 0.650)"]
    assert text(lines, "Highest") == []
    assert text(lines, "How sure") == [
        "no other trial is more than 0.001 better (95 % confidence)"
    ]
    assert text(lines, "Cost") == ["12.0 ms a query"]


def test_a_latency_of_a_busy_machine_is_told_with_its_reason() -> None:
    low, high = several("low", better=0.0, queries=90), several("high", better=0.3, queries=90)
    marked = replace(high, latency=replace(high.latency, busy=True))

    said = "12.0 ms a query, measured while the machine was busy"
    assert text(ending(low, marked), "Cost") == [said]


def test_where_nothing_is_decided_nothing_is_shipped() -> None:
    """The highest is a fact; what would decide is said beside it."""
    one, other = (several(name, better=0.0, queries=24) for name in ("one", "other"))
    swung = tuple(
        replace(query, numbers={"ndcg_at_10": 0.5 + (0.3 if n // 3 % 2 else -0.28)})
        for n, query in enumerate(other.queries)
    )

    lines = ending(one, replace(other, queries=swung))

    assert text(lines, "Ship") == []
    assert len(text(lines, "Highest")) == 1
    assert text(lines, "How sure")[0].startswith(
        "not decided: 2 of 2 trials may be the best; another may be up to 0."
    )
    assert "times the queries" in text(lines, "To decide")[0]


def test_each_budget_is_named_once_with_its_own_configuration() -> None:
    lines = ending(LARGE, SMALL, settings=AdviceSettings())

    assert text(lines, "Ship") == [
        "small at 4,000 tokens (coverage 0.500)",
        "the same at 1,000 and 2,000 tokens",
        "large at 8,000 tokens and ten hits",
    ]


def test_the_same_is_directly_below_the_trial_that_it_means() -> None:
    """Whatever is chosen at the budgets in between."""
    said = advise(study_of(LARGE, SMALL), AdviceSettings(), seed=0)
    names = {1000: "large", 8000: "small", None: "small"}
    budgets = tuple(replace(one, trial=names.get(one.tokens, one.trial)) for one in said.budgets)

    lines = list(ending_lines(replace(said, budgets=budgets), SMALL))

    assert text(lines, "Ship") == [
        "small at 4,000 tokens (coverage 0.500)",
        "the same at 2,000 and 8,000 tokens and ten hits",
        "large at 1,000 tokens",
    ]


def test_three_amounts_of_text_are_one_list() -> None:
    said = advise(study_of(LARGE, SMALL), AdviceSettings(), seed=0)
    budgets = tuple(replace(one, trial="small") for one in said.budgets if one.tokens)

    lines = list(ending_lines(replace(said, budgets=budgets), SMALL))

    assert text(lines, "Ship")[1] == "the same at 1,000, 2,000 and 8,000 tokens"


def test_another_trial_that_may_be_the_best_and_is_much_faster_is_named() -> None:
    one, other = (several(name, better=0.0, queries=24) for name in ("one", "other"))
    swung = tuple(
        replace(query, numbers={"ndcg_at_10": 0.5 + (0.3 if n // 3 % 2 else -0.28)})
        for n, query in enumerate(other.queries)
    )
    highest = replace(other, queries=swung, summary={**other.summary, "avg_ndcg_at_10": 0.51})
    slow = replace(highest, summary={**highest.summary, "latency_p50_ms": 1200.0})

    assert text(ending(one, slow), "Cost") == ["1,200 ms a query; one may be as good at 12.0 ms"]
    assert text(ending(one, highest), "Cost") == ["12.0 ms a query"]


def test_a_handful_of_queries_is_not_tested() -> None:
    lines = ending(*(several(name, better=0.1, queries=11) for name in ("one", "other")))

    assert text(lines, "How sure") == ["not tested: there are too few queries"]
    assert text(lines, "To decide") == ["use 12 or more judged queries"]


def test_identical_trials_are_said_to_be_identical() -> None:
    lines = ending(*(several(name, better=0.0, queries=60) for name in ("one", "other")))

    assert text(lines, "How sure") == ["all 2 trials have the same score on every query"]


def test_a_trial_beyond_a_limit_is_named_and_the_last_one_is_shipped() -> None:
    slow, quick = several("slow", better=0.3, queries=90), several("quick", better=0, queries=90)
    slow = replace(slow, summary={**slow.summary, "latency_p95_ms": 250.0})
    limits = AdviceSettings(objective="ndcg_at_10", max_latency_p95_ms=200)

    lines = ending(slow, quick, settings=limits)

    assert text(lines, "Ship") == ["quick (NDCG@10 0.500; the only one within the limits)"]
    assert text(lines, "Ruled out") == ["slow (p95 latency 250 ms is above 200 ms)"]


def test_a_trial_that_answers_nothing_somewhere_says_so_beside_the_choice() -> None:
    low, high = several("low", better=0.0, queries=90), several("high", better=0.3, queries=90)
    silent = tuple(
        replace(query, hits=()) if query.repository == "r1" else query for query in high.queries
    )

    lines = ending(low, replace(high, queries=silent))

    assert text(lines, "But") == ["it answers nothing in r1 (30 of 90 queries)"]
    assert not text(ending(low, high), "But")


def test_one_trial_has_no_choice_and_its_score_is_in_the_table() -> None:
    assert [line.label for line in ending(TRIAL)] == ["Cost"]
    assert text(ending(FAILED), "Ship") == ["nothing: no trial has a result"]


@pytest.mark.parametrize("better", [0.0, 0.01, 0.3])
def test_no_line_has_the_word_for_a_winner_or_a_number_of_zero(better: float) -> None:
    trials = [several("low", better=0.0, queries=60), several("high", better=better, queries=60)]

    said = " ".join(line.text for line in ending(*trials))

    assert "inner" not in said
    assert "0.000" not in said
