"""The terminal page fits its width and says what was not tested."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from bench.reporting import advice, show_result
from bench.study import StudyResult, TrialResult
from tests.unit.reporting.sample_study import FAILED, QUERY, STUDY, TRIAL


def page(result: StudyResult, width: int) -> str:
    """Return what a terminal of this width shows."""
    out = io.StringIO()
    show_result(
        result, advice(result, seed=0), console=Console(file=out, width=width, highlight=False)
    )
    return out.getvalue()


@pytest.mark.parametrize("width", [80, 100, 140])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    """At the common widths."""
    shown = page(STUDY, width)

    assert max(len(line) for line in shown.splitlines()) <= width
    assert "0.6309" in shown
    assert "a note" in shown


def test_a_failed_trial_is_shown_with_its_cause_and_has_no_row() -> None:
    """An error is not a zero."""
    shown = page(STUDY, 100)

    assert "FAILED chunk=512 reranker=off: embed shop: out of memory" in shown
    assert "0.0000" not in shown


def several(name: str, *, better: float, queries: int) -> TrialResult:
    """Return a trial of many queries, every other one of them better by something."""
    asked = tuple(
        replace(
            QUERY,
            id=f"q{n}",
            repository=f"r{n % 3}",
            numbers={"ndcg_at_10": 0.3 + 0.1 * (n % 5) + better * (n % 2)},
        )
        for n in range(queries)
    )
    mean = sum(query.numbers["ndcg_at_10"] or 0.0 for query in asked) / queries
    summary = {**TRIAL.summary, "avg_ndcg_at_10": mean, "judged_queries": queries}
    return replace(TRIAL, name=name, queries=asked, summary=summary)


def study_of(*trials: TrialResult) -> StudyResult:
    """Return a study of these trials."""
    return StudyResult("i", "own", "symbol", trials, STUDY.account, ())


def test_a_handful_of_queries_is_not_tested() -> None:
    """The error rates of the tests are known from twelve queries on."""
    trials = [several(name, better=0.1, queries=11) for name in ("one", "other")]

    said = advice(study_of(*trials), seed=0)

    assert said.tested is None
    assert said.sentences[-1] == "No test was made: it takes 12 judged queries or more."


def test_another_leader_at_equal_text_is_named() -> None:
    """More text at ten hits is not a better retriever."""
    long, short = several("long", better=0.3, queries=60), several("short", better=0, queries=60)
    long = replace(long, summary={**long.summary, "avg_recall_at_4000_tokens": 0.5})
    short = replace(short, summary={**short.summary, "avg_recall_at_4000_tokens": 0.75})

    said = advice(study_of(long, short), seed=0)

    assert said.highest == "long"
    assert (
        "At equal text the order is another: in 4,000 tokens short recalls 0.7500 and long 0.5000."
        in said.sentences
    )


def test_equal_trials_are_tied_and_not_ranked() -> None:
    """The first of them is not the better one."""
    one, other = (several(name, better=0.0, queries=60) for name in ("one", "other"))

    said = advice(study_of(one, other), seed=0)

    assert "level with other" in said.sentences[0]
    assert said.tested is not None
    assert said.tested.ties == (("one", "other"),)
    assert said.tested.winner is None


def test_a_clear_difference_is_named_with_its_interval() -> None:
    """The trial that is better on half of the queries wins, and the page says by how much."""
    low, high = several("low", better=0.0, queries=90), several("high", better=0.3, queries=90)

    said = advice(study_of(low, high), seed=0)

    assert said.tested is not None
    assert said.tested.winner == "high"
    assert any("high against low +0.150" in sentence for sentence in said.sentences)


def test_a_small_difference_on_few_queries_is_not_decidable_yet() -> None:
    """No winner is named by chance."""
    one, other = (several(name, better=0.0, queries=24) for name in ("one", "other"))
    swung = tuple(
        replace(query, numbers={"ndcg_at_10": 0.5 + (0.3 if n // 3 % 2 else -0.28)})
        for n, query in enumerate(other.queries)
    )

    said = advice(study_of(one, replace(other, queries=swung)), seed=0)

    assert said.tested is not None
    assert not said.tested.decided
    assert any("not decidable yet" in sentence.lower() for sentence in said.sentences)


def test_nothing_is_recommended_where_everything_failed() -> None:
    """No result, no advice."""
    said = advice(study_of(FAILED), seed=0)

    assert said.sentences == ("No trial has a result.",)
    assert said.highest is None
