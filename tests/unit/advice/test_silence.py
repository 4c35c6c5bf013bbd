"""A retriever that answers nothing somewhere is named, and compared where it answers."""

from dataclasses import replace

import pytest

from bench.advice import advise, sentences
from bench.advice.silence import silences
from bench.report.html.tradeoffs import frontier_section
from bench.report.insights import insights
from bench.report.study_view import StudyView
from bench.results import Place, QueryResult, StudyResult, TrialResult
from tests.unit.report.sample_study import QUERY, TRIAL, study_of

HITS = QUERY.hits


def asked(number: int, path: str, score: float, *, answered: bool = True) -> QueryResult:
    return replace(
        QUERY,
        id=f"q{number}",
        repository=f"r{number % 2}",
        targets=(Place(path, 1, 9),),
        hits=HITS if answered else (),
        numbers={"ndcg_at_10": score if answered else 0.0},
    )


def trial(name: str, score: float, *, silent_in: str = "none", empty: float = 0.0) -> TrialResult:
    """Return a trial with 6 queries in Fortran and 12 in Python."""
    paths = [*["a.f90"] * 6, *["b.py"] * 12]
    queries = [
        asked(number, path, score, answered=not path.endswith(silent_in))
        for number, path in enumerate(paths)
    ]
    mean = sum(query.numbers["ndcg_at_10"] or 0.0 for query in queries) / len(queries)
    summary = {**TRIAL.summary, "avg_ndcg_at_10": mean, "empty_result_rate": empty}
    return replace(TRIAL, name=name, queries=tuple(queries), summary=summary)


def notes(*trials: TrialResult) -> list[str]:
    found: StudyResult = study_of(*trials)
    return [one for one in sentences(advise(found, seed=0)) if "answers nothing" in one]


def test_a_language_without_answers_is_named_with_what_the_rest_says() -> None:
    graph, plain = trial("graph", 0.7, silent_in=".f90"), trial("bm25", 0.5)

    (note,) = notes(graph, plain)

    begun = "Note: graph answers nothing in Fortran: 6 of 18 queries."
    assert note == f"{begun} On the rest it leads bm25 by 0.200 NDCG@10."


def test_a_trial_that_is_worse_where_it_answers_is_said_to_be_behind() -> None:
    graph, plain = trial("graph", 0.4, silent_in=".f90"), trial("bm25", 0.5)

    (note,) = notes(graph, plain)

    assert note.endswith("On the rest it is behind bm25 by 0.100 NDCG@10.")


def test_a_trial_without_any_answer_is_compared_on_nothing() -> None:
    assert notes(trial("graph", 0.7, silent_in=""), trial("bm25", 0.5)) == [
        "Note: graph answers nothing at all."
    ]


def test_trials_that_are_silent_for_the_same_queries_share_a_note() -> None:
    both = [trial(name, score, silent_in=".f90") for name, score in (("a", 0.6), ("b", 0.7))]

    (note,) = notes(*both, trial("bm25", 0.5))

    assert note.startswith("Note: b (and 1 other trial) answers nothing in Fortran")


def test_trials_that_answer_have_no_note() -> None:
    assert notes(trial("graph", 0.7), trial("bm25", 0.5)) == []


def test_single_queries_without_hits_are_no_silence() -> None:
    graph = trial("graph", 0.7)
    queries = tuple(
        replace(one, hits=()) if one.id in ("q0", "q6") else one for one in graph.queries
    )

    assert silences([replace(graph, queries=queries)], "ndcg_at_10") == ()


def test_a_repository_without_answers_is_named_where_its_language_is_answered() -> None:
    graph = trial("graph", 0.7)
    queries = tuple(
        replace(one, hits=(), numbers={"ndcg_at_10": 0.0}) if one.repository == "r1" else one
        for one in graph.queries
    )

    (one,) = silences([replace(graph, queries=queries), trial("bm25", 0.5)], "ndcg_at_10")

    assert (one.languages, one.repositories, one.empty) == ((), ("r1",), 9)
    assert one.lead == pytest.approx(0.2)


def test_a_trial_that_answers_less_than_others_is_not_the_fastest() -> None:
    quick = trial("graph", 0.7, silent_in=".f90", empty=1 / 3)
    quick = replace(quick, summary={**quick.summary, "latency_p50_ms": 0.1})
    slow = trial("bm25", 0.5)
    slow = replace(slow, summary={**slow.summary, "latency_p50_ms": 5.0})

    said = advise(study_of(quick, slow), seed=0)

    assert said.fastest is not None
    assert said.fastest.trial == "bm25"


def test_a_trial_that_answers_less_is_on_no_frontier_and_named_beside_it() -> None:
    silent = trial("graph", 0.7, silent_in=".f90", empty=1 / 3)
    trials = [silent, trial("bm25", 0.5), trial("dense", 0.6)]
    tokens = zip(trials, (100.0, 900.0, 1_500.0), strict=True)
    priced = [
        replace(one, summary={**one.summary, "avg_shown_tokens_at_10": cost})
        for one, cost in tokens
    ]
    view = StudyView(study_of(*priced))

    found = insights(view)

    (shown,) = [one for one in found.frontiers if one.unit == "tokens"]
    assert {point.trial for point in shown.points} == {"bm25", "dense"}
    assert shown.silent == ("graph",)
    (_, _, section) = frontier_section(view, found) or ("", "", "")
    assert "Not drawn: graph answers fewer queries than others." in str(section)
