"""What is advised on a study, and the sentences for it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bench.advice import Advice, advice_record, advise, choice_role, sentences
from bench.advice.wording import limits_text
from bench.results import QueryResult, TrialResult
from bench.results.codec import encode
from bench.settings.study import AdviceSettings
from tests.unit.report.sample_study import FAILED, QUERY, TRIAL, several, study_of, with_failures


def test_a_handful_of_queries_is_not_tested() -> None:
    """The error rates of the tests are known from twelve queries on."""
    trials = [several(name, better=0.1, queries=11) for name in ("one", "other")]

    said = advise(study_of(*trials), seed=0)

    assert said.tested is None
    assert sentences(said)[-1] == "No test was run: a test needs 12 or more judged queries."


@pytest.mark.parametrize(
    ("windows", "long_text", "how"),
    [
        ("own", "max", "one vector for each window of a chunk; the best counts"),
        ("own", "mean", "one vector per chunk, the mean of its windows"),
        ("own", "truncate", "one vector per chunk, its beginning only"),
        (
            "small_to_big",
            "max",
            "one vector for each window of a file; the chunks around the best are returned",
        ),
    ],
)
def test_the_advice_says_how_chunks_become_vectors(windows: str, long_text: str, how: str) -> None:
    """Of the trial for the next run: to ship other vectors is to ship something else."""
    low, high = several("low", better=0.0, queries=90), several("high", better=0.3, queries=90)
    high = replace(high, windows=windows, long_text=long_text)

    said = sentences(advise(study_of(low, high), seed=0))

    settings = f"(embedder.windows={windows}, embedder.long_text={long_text})"
    assert f"Vectors of high: {how} {settings}." in said


def test_a_trial_without_vectors_has_no_word_on_them() -> None:
    low, high = several("low", better=0.0, queries=90), several("high", better=0.3, queries=90)
    low = replace(low, windows="own", long_text="max")

    said = sentences(advise(study_of(low, high), seed=0))

    assert not any("Vectors" in sentence for sentence in said)


def test_another_leader_at_equal_text_is_named() -> None:
    """More text at ten hits is not a better retriever."""
    long, short = several("long", better=0.3, queries=60), several("short", better=0, queries=60)
    long = replace(long, summary={**long.summary, "avg_coverage_at_4000_tokens": 0.5})
    short = replace(short, summary={**short.summary, "avg_coverage_at_4000_tokens": 0.75})

    said = advise(study_of(long, short), seed=0)

    assert said.highest is not None
    assert said.highest.trial == "long"
    assert (
        "With the same amount of text the ranking changes: at 4,000 tokens"
        " short shows 75.0% of the right text and long 50.0%." in sentences(said)
    )


def test_equal_trials_are_tied_and_not_ranked() -> None:
    """The first of them is not the better one."""
    one, other = (several(name, better=0.0, queries=60) for name in ("one", "other"))

    said = advise(study_of(one, other), seed=0)

    assert "level with other" in sentences(said)[0]
    assert said.tested is not None
    assert said.tested.ties == (("one", "other"),)
    assert said.tested.winner is None


def test_a_clear_difference_is_named_with_its_interval() -> None:
    """The trial that is better on half of the queries wins, and the page says by how much."""
    low, high = several("low", better=0.0, queries=90), several("high", better=0.3, queries=90)

    said = advise(study_of(low, high), seed=0)

    assert said.tested is not None
    assert said.tested.winner == "high"
    assert any("high against low +0.150" in sentence for sentence in sentences(said))


def test_a_small_difference_on_few_queries_is_not_decidable_yet() -> None:
    """No winner is named by chance."""
    one, other = (several(name, better=0.0, queries=24) for name in ("one", "other"))
    swung = tuple(
        replace(query, numbers={"ndcg_at_10": 0.5 + (0.3 if n // 3 % 2 else -0.28)})
        for n, query in enumerate(other.queries)
    )

    said = advise(study_of(one, replace(other, queries=swung)), seed=0)

    assert said.tested is not None
    assert not said.tested.decided
    assert any("not decidable yet" in sentence.lower() for sentence in sentences(said))


def test_nothing_is_recommended_where_everything_failed() -> None:
    """No result, no advice."""
    said = advise(study_of(FAILED), seed=0)

    assert sentences(said) == ("No trial has a result.",)
    assert said.highest is None


def test_a_trial_beyond_a_limit_is_ruled_out_with_its_reason() -> None:
    """It is measured and shown, and another is recommended."""
    slow, quick = several("slow", better=0.3, queries=90), several("quick", better=0, queries=90)
    slow = replace(slow, summary={**slow.summary, "latency_p95_ms": 250.0})

    said = advise(
        study_of(slow, quick),
        _by_ndcg(max_latency_p95_ms=200),
        seed=0,
    )

    assert said.highest is not None
    assert (said.highest.trial, said.ship) == ("slow", None)
    assert (
        "Ruled out: slow (p95 latency 250 ms is above 200 ms). Only quick is within the limits."
        in sentences(said)
    )


def test_what_was_not_measured_keeps_no_limit() -> None:
    """A limit is a promise."""
    one = several("one", better=0.0, queries=30)
    one = replace(one, summary={**one.summary, "latency_p95_ms": None})

    said = advise(study_of(one), _by_ndcg(max_latency_p95_ms=200), seed=0)

    assert [limits_text(found) for found in said.ruled_out] == ["p95 latency was not measured"]
    assert any("No trial is within the limits" in sentence for sentence in sentences(said))


def test_text_is_a_cost_with_a_limit_of_its_own() -> None:
    """A trial that fills the reader's window is ruled out, whatever it finds."""
    long, short = several("long", better=0.3, queries=60), several("short", better=0, queries=60)
    long = replace(long, summary={**long.summary, "avg_shown_tokens_at_10": 15_224.1})
    short = replace(short, summary={**short.summary, "avg_shown_tokens_at_10": 988.2})

    limited = advise(
        study_of(long, short),
        _by_ndcg(max_shown_tokens=4000),
        seed=0,
    )
    level = [replace(one, queries=short.queries) for one in (long, short)]
    cheapest = advise(
        study_of(*level),
        _by_ndcg(cost="avg_shown_tokens_at_10"),
        seed=0,
    )

    assert [limits_text(one) for one in limited.ruled_out] == [
        "text of 10 hits 15,224 tokens is above 4,000 tokens"
    ]
    assert cheapest.ship == "short"


def test_a_ceiling_is_neither_the_highest_nor_recommended() -> None:
    """It is made from the answers."""
    ceiling = replace(several("oracle", better=0.5, queries=60), is_bound=True)
    trials = [several(name, better=0.1, queries=60) for name in ("one", "other")]

    said = advise(study_of(ceiling, *trials), seed=0)

    assert said.highest is not None
    assert said.highest.trial == "one"
    assert not any("oracle" in sentence for sentence in sentences(said))


def test_the_objective_decides_which_trial_is_highest() -> None:
    """Another measure, another order."""
    one, other = several("one", better=0.3, queries=60), several("other", better=0.0, queries=60)
    one = replace(one, summary={**one.summary, "avg_mrr": 0.2})
    other = replace(other, summary={**other.summary, "avg_mrr": 0.4})

    said = advise(study_of(one, other), AdviceSettings(objective="mrr"), seed=0)

    assert said.highest is not None
    assert said.highest.trial == "other"
    assert sentences(said)[0].startswith("Highest: other (MRR 0.4000")


def test_a_trial_that_failed_on_the_hard_queries_is_not_the_highest_for_it() -> None:
    """Its mean is of easier queries; on those that both answered the other one is higher."""
    whole, part = with_failures()

    said = advise(study_of(part, whole), seed=0)

    assert (part.summary["avg_ndcg_at_10"] or 0) > (whole.summary["avg_ndcg_at_10"] or 1)
    assert said.highest is not None
    assert said.highest.trial == "whole"
    assert "over the 36 queries without a failure in any trial" in sentences(said)[0]


def test_answers_decide_by_the_queries_that_have_them_and_at_no_level() -> None:
    """Twenty of sixty queries say what an answer must contain."""
    trials = [_answering(several(name, better=0.0, queries=60), name) for name in ("no", "yes")]

    said = advise(study_of(*trials), AdviceSettings(objective="groundedness"), seed=0)

    assert said.ship == "yes"
    assert sentences(said)[0] == (
        "Highest: yes (groundedness 1.0000, over 20 queries of 1 repository)."
    )
    assert not any("groundedness at" in sentence for sentence in sentences(said))


def test_a_measure_that_no_query_asks_for_is_named() -> None:
    """There are results, but none of it."""
    said = advise(
        study_of(several("one", better=0.0, queries=20)),
        AdviceSettings(objective="groundedness"),
        seed=0,
    )

    assert sentences(said)[0] == "No trial has a number for groundedness."


def _answering(trial: TrialResult, name: str) -> TrialResult:
    """Return a trial of which every third answer is known to be grounded, or not."""
    value = float(name == "yes")
    queries = [
        replace(one, numbers={**one.numbers, "groundedness": None if place % 3 else value})
        for place, one in enumerate(trial.queries)
    ]
    summary = {**trial.summary, "avg_groundedness": value}
    return replace(trial, queries=tuple(queries), summary=summary)


def test_a_repository_where_another_trial_is_clearly_better_is_an_exception() -> None:
    """What is best on the whole is not best everywhere."""
    trials = [several(name, better=0.0, queries=90) for name in ("general", "special")]
    general = replace(trials[0], queries=tuple(_raised(q, "r2", -0.25) for q in trials[0].queries))
    general = replace(general, queries=tuple(_raised(q, "r0", 0.4) for q in general.queries))
    general = replace(general, queries=tuple(_raised(q, "r1", 0.4) for q in general.queries))

    said = advise(study_of(general, trials[1]), seed=0)

    assert said.ship == "general"
    assert [(one.repository, one.trial) for one in said.exceptions] == [("r2", "special")]
    assert round(said.exceptions[0].difference, 2) == 0.25


def _raised(query: QueryResult, repository: str, amount: float) -> QueryResult:
    """Return the query with another score, a little different each time, in one repository."""
    if query.repository != repository:
        return query
    value = (query.numbers["ndcg_at_10"] or 0.0) + amount + 0.01 * (int(query.id[1:]) % 4 - 1.5)
    return replace(query, numbers={"ndcg_at_10": value})


def test_the_next_run_is_never_a_trial_beyond_a_limit() -> None:
    """The highest is kept out of chosen.yaml; the only other trial is what is left."""
    slow, quick = several("slow", better=0.3, queries=90), several("quick", better=0, queries=90)
    slow = replace(slow, summary={**slow.summary, "latency_p95_ms": 250.0})
    limits = _by_ndcg(max_latency_p95_ms=200)

    free = advise(study_of(slow, quick), seed=0)
    limited = advise(study_of(slow, quick), limits, seed=0)
    nothing = advise(study_of(slow), limits, seed=0)

    assert (free.ship, free.next_run, choice_role(free)) == ("slow", "slow", "advised")
    assert (limited.ship, limited.next_run) == (None, "quick")
    assert choice_role(limited) == "the only one within the limits"
    assert nothing.next_run is None


def test_the_document_holds_the_decision_and_every_sentence() -> None:
    trials = [
        several(name, better=better, queries=90) for name, better in (("a", 0.0), ("b", 0.3))
    ]
    found = advise(study_of(*trials), seed=0)

    document = encode(advice_record(found))

    assert (document["highest"], document["ship"]) == ("b", "b")
    assert document["sentences"] == list(sentences(found))
    tested = document["tested"]
    assert tested["objective"] == {
        "measure": "NDCG@10",
        "level": "symbol",
        "cost": "median latency in ms",
        "margin": 0.02,
        "baseline": None,
        "looks": 1,
    }
    statements = [one["text"] for one in tested["statements"]]
    assert statements[0].startswith("Ship b: ")
    assert set(statements) < set(sentences(found))
    assert [f"Note: {one}" for one in tested["warnings"]] == list(sentences(found)[-1:])
    assert tested["against_best"][0]["here"]["alone"]["notes"] == []


def _by_ndcg(**limits: Any) -> AdviceSettings:
    return AdviceSettings(objective="ndcg_at_10", **limits)


def by_text(name: str, *, shown: float, at: Mapping[str, float], latency: float) -> TrialResult:
    """Return a trial of 60 queries that shows so many tokens in ten hits."""
    asked = tuple(
        replace(
            QUERY,
            id=f"q{n}",
            repository=f"r{n % 3}",
            numbers={
                f"coverage_at_{cut}": 0.1 * (n // 3 % 5) + better for cut, better in at.items()
            },
        )
        for n in range(60)
    )
    means = {
        f"avg_{column}": sum(query.numbers[column] or 0.0 for query in asked) / 60
        for column in asked[0].numbers
    }
    costs = {"avg_shown_tokens_at_10": shown, "latency_p50_ms": latency}
    return replace(TRIAL, name=name, queries=asked, summary={**TRIAL.summary, **means, **costs})


LARGE = by_text(
    "large",
    shown=15_000,
    latency=700,
    at={
        "10": 0.5,
        **{f"{budget}_tokens": 0.1 for budget in (1000, 2000, 4000)},
        "8000_tokens": 0.4,
    },
)
SMALL = by_text(
    "small",
    shown=4_000,
    latency=9,
    at={
        "10": 0.2,
        **{f"{budget}_tokens": 0.3 for budget in (1000, 2000, 4000)},
        "8000_tokens": 0.3,
    },
)


def asked_of(*trials: TrialResult, budget: int | None = None) -> Advice:
    """Return the advice on these trials where no measure was named."""
    return advise(study_of(*trials), AdviceSettings(budget_tokens=budget), seed=0)


def _swung(trial: TrialResult, step: int, period: int, by: float) -> TrialResult:
    """Return a trial whose queries are better by up to (period - 1) times something, in turn."""
    queries = tuple(
        replace(
            query,
            numbers={
                column: (value or 0.0) + by * (number * step % period)
                for column, value in query.numbers.items()
            },
        )
        for number, query in enumerate(trial.queries)
    )
    return replace(trial, queries=queries)


def test_trials_that_show_different_amounts_of_text_have_a_choice_for_each() -> None:
    """Ten large hits find more because they are more text."""
    said = asked_of(LARGE, SMALL)

    choices = {choice.tokens: choice.trial for choice in said.budgets}
    assert choices == {1000: "small", 2000: "small", 4000: "small", 8000: "large", None: "large"}
    assert said.ship == "small"
    assert all(choice.decided for choice in said.budgets)
    assert any(
        text.startswith("This is for 4,000 tokens: ten hits show 4,000 to 15,000 tokens")
        and text.endswith("The choice for 8,000 tokens and ten hits is a different one.")
        for text in sentences(said)
    )


def test_a_budget_that_was_named_is_one_answer() -> None:
    """Nothing else is asked, and nothing else is corrected for."""
    said = asked_of(LARGE, SMALL, budget=8000)

    assert said.budgets == ()
    assert said.ship == "large"


def test_trials_of_the_same_text_have_one_answer() -> None:
    """A table would say the same five times."""
    even = replace(LARGE, summary={**LARGE.summary, "avg_shown_tokens_at_10": 4_900.0})

    assert asked_of(even, SMALL).budgets == ()


def test_several_budgets_ask_more_of_the_evidence_than_one() -> None:
    """The bound of each row holds for all of them."""
    noisy = [_swung(LARGE, 3, 7, 1.0), _swung(SMALL, 5, 7, 1.0)]

    alone, together = asked_of(*noisy, budget=4000), asked_of(*noisy)

    assert alone.tested is not None
    assert together.tested is not None
    assert alone.tested.regret_bound is not None
    assert together.tested.regret_bound is not None
    assert together.tested.regret_bound > alone.tested.regret_bound


def test_a_gain_that_takes_long_is_shown_with_its_price() -> None:
    """The reader buys it, not the test."""
    slow = by_text("slow", shown=4_000, latency=700, at={"4000_tokens": 0.4})
    quick = by_text("quick", shown=4_000, latency=9, at={"4000_tokens": 0.3})
    swung = tuple(
        replace(
            query,
            numbers={
                "coverage_at_4000_tokens": (query.numbers["coverage_at_4000_tokens"] or 0)
                + 0.02 * (n % 2)
            },
        )
        for n, query in enumerate(quick.queries)
    )

    said = asked_of(slow, replace(quick, queries=swung))

    (trade,) = said.trades
    assert (trade.trial, trade.advised, trade.role) == ("quick", "slow", "much cheaper")
    assert trade.difference == pytest.approx(-0.09)
    assert trade.low < trade.difference < trade.high < 0
    assert trade.ratio == pytest.approx(700 / 9)
    assert any("quick, for a fraction of the cost: -0.090 [" in text for text in sentences(said))


def test_the_neighbours_of_the_cheapest_have_their_price() -> None:
    one = by_text("one", shown=4_000, latency=9, at={"4000_tokens": 0.3})

    assert asked_of(one).trades == ()


def disturbed(trial: TrialResult) -> TrialResult:
    """Return a trial whose latency was measured while the machine was busy."""
    return replace(trial, latency=replace(trial.latency, busy=True))


def test_a_latency_of_a_busy_machine_is_no_price() -> None:
    """The marked trial would be the fastest and the cheapest of those that may be the best."""
    low, high = several("low", better=0.3, queries=90), several("high", better=0.3, queries=90)
    low = disturbed(replace(low, summary={**low.summary, "latency_p50_ms": 1.0}))
    dear = replace(high, name="dear", summary={**high.summary, "latency_p50_ms": 90.0})

    found = advise(study_of(low, high, dear), seed=0)

    assert found.tested is not None
    assert found.tested.cheapest == "high"
    assert found.fastest is not None
    assert found.fastest.trial == "high"
    assert "low" not in [trade.trial for trade in found.trades]
    assert any(one.startswith("Marked with ~: 1 of 3 latencies") for one in sentences(found))


def test_the_fastest_is_named_with_its_milliseconds() -> None:
    """Its own, not those of the trial that answers best; a tail that is not known is not said."""
    slow, quick = several("slow", better=0.3, queries=90), several("quick", better=0, queries=90)
    timed = replace(quick, summary={**quick.summary, "latency_p50_ms": 1.2, "latency_p95_ms": 3.5})
    without = replace(timed, summary={**timed.summary, "latency_p95_ms": None})

    said, shorter = (sentences(advise(study_of(slow, one), seed=0)) for one in (timed, without))

    assert "Fastest: quick (1.2 ms median, 3.5 ms p95 per query)." in said
    assert "Fastest: quick (1.2 ms median per query)." in shorter


def test_a_marked_latency_is_no_price_at_any_budget() -> None:
    """Three are level for the small text; the marked one would be the cheapest."""
    level = [
        replace(SMALL, name=name, summary={**SMALL.summary, "latency_p50_ms": latency})
        for name, latency in (("quick", 1.0), ("slow", 90.0))
    ]
    marked = disturbed(level[0])

    choices = [
        {one.tokens: one.trial for one in asked_of(LARGE, SMALL, first, level[1]).budgets}
        for first in (level[0], marked)
    ]

    assert [choice[4000] for choice in choices] == ["quick", "small"]


def test_where_every_latency_is_marked_the_advice_names_no_price_and_says_why() -> None:
    trials = [several(name, better=0.3, queries=90) for name in ("low", "high")]

    found = advise(study_of(*map(disturbed, trials)), seed=0)

    assert found.tested is not None
    assert not found.tested.priced
    assert found.fastest is None
    assert found.trades == ()
    why = "Latency was measured while the machine was busy, for every trial"
    remedy = "Run the study again on a quiet machine: only these latencies are measured again."
    assert f"{why}: the advice compares no costs. {remedy}" in sentences(found)


def test_other_costs_do_not_depend_on_the_load() -> None:
    trials = [disturbed(several(name, better=0.3, queries=90)) for name in ("low", "high")]
    trials = [replace(one, summary={**one.summary, "index_seconds": 5.0}) for one in trials]
    settings = AdviceSettings(objective="ndcg_at_10", cost="index_seconds")

    found = advise(study_of(*trials), settings, seed=0)

    assert found.tested is not None
    assert found.tested.priced
    assert any("the advice uses none of them" in one for one in sentences(found))


def test_a_limit_holds_for_a_latency_of_a_busy_machine() -> None:
    """The load makes it longer only: what keeps the limit nevertheless keeps it."""
    trials = [disturbed(several(name, better=0.3, queries=90)) for name in ("low", "high")]

    assert advise(study_of(*trials), _by_ndcg(max_latency_p95_ms=200), seed=0).ruled_out == ()
