"""What other repositories taught has a say where own queries do not decide."""

from dataclasses import replace

import numpy as np
import pytest

from bench.advice import Advice, advice_record, advise, choice_role, ending_lines, sentences
from bench.analysis import WinnerKind
from bench.results import GeneratedQuestions, StudyResult, TrialResult
from bench.results.advice_record import AdviceRecord
from bench.results.codec import encode
from bench.results.decoding import decode
from bench.results.prior_table import MEASURES, PriorTable, table_of
from bench.settings.study import AdviceSettings
from tests.unit.report.sample_study import QUERY, TRIAL, study_of

BY_NDCG = AdviceSettings(objective="ndcg_at_10", cost="avg_shown_tokens_at_10")


def trial(name: str, lead: float, repositories: dict[str, int], *, seed: int = 0) -> TrialResult:
    """Return a trial that leads by something on queries about these repositories."""
    random = np.random.default_rng(seed)
    queries = []
    for repository, count in repositories.items():
        apart = random.normal(0, 0.15, count)
        scores = 0.5 + lead + apart - apart.mean()
        queries += [
            replace(
                QUERY,
                id=f"q{number}",
                repository=repository,
                category="api",
                numbers=dict.fromkeys(MEASURES, round(float(score), 4)),
            )
            for number, score in enumerate(scores)
        ]
    mean = {f"avg_{name}": 0.5 + lead for name in MEASURES}
    return replace(
        TRIAL,
        name=name,
        configuration=f"digest of {name}",
        queries=tuple(queries),
        summary={**TRIAL.summary, **mean, "avg_shown_tokens_at_10": 900.0},
    )


def study(leads: dict[str, float], queries: int, *, repository: str = "own") -> StudyResult:
    """Return a study of trials with these leads on one repository."""
    asked = {repository: queries}
    return study_of(
        *(trial(name, lead, asked, seed=place) for place, (name, lead) in enumerate(leads.items()))
    )


def table(leads: dict[str, float], repositories: int = 12) -> PriorTable:
    """Return a table of trials with these leads on other repositories of 24 queries each."""
    names = {f"other{number}": 24 for number in range(repositories)}
    found = study_of(
        *(
            trial(name, lead, names, seed=10 + place)
            for place, (name, lead) in enumerate(leads.items())
        )
    )
    return table_of([found], name="shipped", version="2026-01-02", by="the authors")


def advised(made: StudyResult, *tables: PriorTable, settings: AdviceSettings = BY_NDCG) -> Advice:
    return advise(made, settings, seed=0, tables=tables)


TAUGHT = {"low": 0.0, "high": 0.08}


def test_a_handful_of_queries_does_not_contradict_other_repositories() -> None:
    """Own queries alone would take the other trial: it is .02 higher on eight of them."""
    said = advised(study({"low": 0.02, "high": 0.0}, 8), table(TAUGHT))

    assert said.prior is not None
    assert said.prior.standing == "not contradicted here"
    assert said.highest is not None
    assert (said.highest.trial, said.ship, said.next_run) == ("low", "high", "high")
    assert choice_role(said) == "advised"
    words = " ".join(sentences(said))
    assert (
        "Not contradicted here: the choice on 12 other repositories is high, and your 8 queries"
        " do not contradict it." in words
    )
    assert "It uses 288 queries about other repositories by the authors" in words


def test_hundreds_of_queries_overrule_other_repositories() -> None:
    said = advised(study({"low": 0.15, "high": 0.0}, 240), table(TAUGHT))

    assert said.prior is not None
    assert said.prior.standing == "overruled here"
    assert said.ship == "low"
    words = " ".join(sentences(said))
    assert (
        "Overruled here (your 240 queries): the choice on 12 other repositories is high" in words
    )


@pytest.mark.parametrize(
    ("own", "queries", "said"),
    [
        (
            {"low": 0.02, "high": 0.0},
            8,
            "the same choice on 12 other repositories; your 8 queries do not contradict it",
        ),
        (
            {"low": 0.15, "high": 0.0},
            240,
            "the choice on 12 other repositories is high; your 240 queries overruled it",
        ),
        (
            {"low": 0.0, "high": 0.15},
            240,
            "the same choice on 12 other repositories; your 240 queries confirm it",
        ),
    ],
)
def test_a_line_of_the_ending_says_how_the_choice_stands_to_theirs(
    own: dict[str, float], queries: int, said: str
) -> None:
    lines = ending_lines(advised(study(own, queries), table(TAUGHT)), None)

    found = [line.text for line in lines if line.label == "Elsewhere"]
    assert found == [said]


@pytest.mark.parametrize(
    ("own", "queries", "standing"),
    [
        ({"low": 0.0, "high": 0.005}, 8, "your 8 queries do not contradict it"),
        ({"low": 0.15, "high": 0.0}, 240, "your 240 queries confirm it"),
    ],
)
def test_a_choice_within_the_margin_of_theirs_is_not_called_the_same(
    own: dict[str, float], queries: int, standing: str
) -> None:
    said = advised(study(own, queries), table({"low": 0.0, "high": 0.01}))

    lines = ending_lines(said, None)

    assert said.next_run == "low"
    found = [line.text for line in lines if line.label == "Elsewhere"]
    assert found == [f"within 0.02 of the choice on 12 other repositories, high; {standing}"]
    assert "is high, with low within the margin" in " ".join(sentences(said))


def test_too_few_queries_for_a_test_show_the_score_of_the_choice() -> None:
    """Of a choice that is not the highest only the trial has it."""
    made = study({"low": 0.0, "high": 0.02}, 5)

    said = advised(made, table({"low": 0.08, "high": 0.0}))

    low = made.trials[0]
    assert ending_lines(said, low)[0].text == "low (NDCG@10 0.500)"
    assert ending_lines(said, None)[0].text == "low"


def test_the_ending_says_that_only_own_queries_leave_it_open() -> None:
    """Beside a trial that is shipped, "not decided" would contradict."""
    made = study({"low": 0.02, "high": 0.0}, 20)

    both, alone = (
        ending_lines(advised(made, table(TAUGHT)), None),
        ending_lines(advised(made), None),
    )

    assert both[0].label == "Ship"
    (open_here,), (undecided,) = (
        [line.text for line in lines if line.label == "How sure"] for lines in (both, alone)
    )
    assert open_here.startswith(
        "undecided here: 2 of 2 trials may be the best; another may be up to 0."
    )
    ranks = {line.label: line.rank for line in both}
    assert ranks["Elsewhere"] < ranks["To decide"]  # what is left out first where room is short
    assert undecided.startswith(
        "not decided: 2 of 2 trials may be the best; another may be up to 0."
    )


def test_own_evidence_that_decides_the_same_confirms() -> None:
    said = advised(study({"low": 0.0, "high": 0.15}, 240), table(TAUGHT))

    assert said.prior is not None
    assert said.prior.standing == "confirmed here"
    assert said.ship == "high"
    assert any(
        "Confirmed here: the choice on 12 other repositories is high" in sentence
        for sentence in sentences(said)
    )


def test_the_tests_of_the_study_stay_as_they_are() -> None:
    """The prior moves the advice, never the numbers: here a probable winner is not enough."""
    made = study({"low": 0.02, "high": 0.0}, 60)

    alone, both = advised(made), advised(made, table(TAUGHT))

    assert alone.prior is None
    assert alone.tested == both.tested
    assert (alone.ship, both.ship) == ("low", "high")


def test_the_cheapest_of_those_that_lose_nothing_is_taken() -> None:
    made = study({"low": 0.0, "dear": 0.08, "cheap": 0.078}, 40)
    low, dear, cheap = made.trials
    cheap = replace(cheap, summary={**cheap.summary, "avg_shown_tokens_at_10": 10.0})
    taught = table({"low": 0.0, "dear": 0.08, "cheap": 0.078})

    said = advised(replace(made, trials=(low, dear, cheap)), taught)

    assert said.prior is not None
    assert said.prior.trial == "cheap"


def test_a_latency_of_a_busy_machine_makes_no_trial_the_cheapest() -> None:
    """Without a price the best is taken, however short the marked latency is."""
    made = study({"low": 0.0, "dear": 0.08, "cheap": 0.078}, 40)
    low, dear, cheap = made.trials
    cheap = replace(cheap, summary={**cheap.summary, "latency_p50_ms": 0.1})
    marked = replace(cheap, latency=replace(cheap.latency, busy=True))
    taught = table({"low": 0.0, "dear": 0.08, "cheap": 0.078})
    by_latency = replace(BY_NDCG, cost="latency_p50_ms")

    quiet, busy = (
        advised(replace(made, trials=(low, dear, one)), taught, settings=by_latency).prior
        for one in (cheap, marked)
    )

    assert quiet is not None
    assert busy is not None
    assert (quiet.trial, busy.trial) == ("cheap", "dear")


def test_a_trial_that_the_table_does_not_know_is_judged_by_own_evidence_alone() -> None:
    """The engine of one's own leads on few queries: that is not shown, and so it is named only."""
    said = advised(study({"low": 0.0, "high": 0.0, "mine": 0.03}, 12), table(TAUGHT))

    assert said.prior is not None
    assert said.prior.unknown == ("mine",)
    assert said.next_run == "high"
    assert any("mine was not measured on other repositories" in one for one in sentences(said))


def test_a_trial_that_the_table_does_not_know_can_win_by_own_evidence() -> None:
    said = advised(study({"low": 0.0, "high": 0.0, "mine": 0.2}, 200), table(TAUGHT))

    assert said.ship == "mine"
    assert said.prior is not None
    assert said.prior.standing == "not known elsewhere"
    assert said.prior.regret is None
    assert any("mine was not measured on 12 other repositories" in one for one in sentences(said))


def test_nothing_is_shipped_while_an_unknown_trial_is_ahead_by_the_margin() -> None:
    """Whether the lead is luck is for more own queries to say."""
    behind, ahead = (
        advised(study({"low": 0.0, "high": 0.0, "mine": lead}, 11), table(TAUGHT))
        for lead in (0.01, 0.1)
    )

    assert behind.ship == "high"
    assert (ahead.ship, ahead.next_run) == (None, "high")
    assert any("On them mine leads by 0.100" in one for one in sentences(ahead))
    assert [ending_lines(one, None)[0].label for one in (behind, ahead)] == ["Ship", "Likely"]


def test_a_probable_winner_that_the_table_does_not_know_is_advised() -> None:
    """There is no better guess than that of own queries."""
    said = advised(study({"low": 0.0, "high": 0.0, "mine": 0.04}, 40), table(TAUGHT))

    assert said.tested is not None
    assert said.tested.winner_kind is WinnerKind.PROBABLE
    assert said.ship == "mine"


def test_the_repositories_of_the_study_itself_are_left_out_of_the_table() -> None:
    """Their queries would count twice."""
    said = advised(study({"low": 0.0, "high": 0.0}, 10, repository="other3"), table(TAUGHT))

    assert said.prior is not None
    assert (said.prior.repositories, said.prior.queries) == (11, 264)


def test_a_repository_in_two_tables_counts_once() -> None:
    first, again = table(TAUGHT), replace(table(TAUGHT, 6), name="mine", by="us")

    said = advised(study({"low": 0.0, "high": 0.0}, 10), first, again)

    assert said.prior is not None
    assert said.prior.queries == 288
    assert said.prior.by == ("the authors", "us")


@pytest.mark.parametrize(
    ("taught", "why"),
    [
        (table(TAUGHT, 4), "fewer than two of these trials are known from 5 other repositories"),
        (table({"high": 0.0}), "fewer than two of these trials"),
        (replace(table(TAUGHT), level="file"), "no table was measured at symbol level"),
        (replace(table(TAUGHT), rules={"measures": 1}), "by the present rules"),
    ],
)
def test_a_table_that_cannot_be_compared_has_no_say(taught: PriorTable, why: str) -> None:
    said = advised(study({"low": 0.02, "high": 0.0}, 20), taught)

    assert said.prior is None
    assert why in sentences(said)[-1] or any(why in one for one in sentences(said))


def test_another_version_of_a_retriever_is_told() -> None:
    made = replace(study(TAUGHT, 20), stage_versions={"BM25": 2})
    taught = replace(table(TAUGHT), versions={"BM25": 1})

    said = advised(made, taught)

    assert any("measured with other versions of BM25" in one for one in sentences(said))


def test_a_measure_that_no_table_has_is_decided_by_the_study_alone() -> None:
    made = study({"low": 0.02, "high": 0.0}, 20)
    queries = [
        tuple(replace(query, numbers={"mrr": 0.5}) for query in one.queries) for one in made.trials
    ]
    trials = (replace(one, queries=own) for one, own in zip(made.trials, queries, strict=True))

    said = advised(
        replace(made, trials=tuple(trials)),
        table(TAUGHT),
        settings=AdviceSettings(objective="mrr"),
    )

    assert said.prior is None


def test_each_budget_has_a_choice_of_its_own() -> None:
    """Ten hits of one trial show much more text than those of the other."""
    made = study({"low": 0.02, "high": 0.0}, 20)
    low, high = made.trials
    low = replace(low, summary={**low.summary, "avg_shown_tokens_at_10": 9000.0})

    said = advised(replace(made, trials=(low, high)), table(TAUGHT), settings=AdviceSettings())

    assert [one.trial for one in said.budgets] == ["high"] * 5
    assert {one.standing for one in said.budgets} == {"not contradicted here"}


def test_the_record_is_read_back() -> None:
    record = advice_record(advised(study({"low": 0.02, "high": 0.0}, 8), table(TAUGHT)))

    found = decode(AdviceRecord, encode(record))

    assert found.prior is not None
    assert found.prior.standing == "not contradicted here"
    assert found.ship == "high"


def generated(made: StudyResult, *, level: str, uncalibrated: int = 0, people: int = 0) -> Advice:
    """Return the advice of a study on generated questions, with a table of the same level."""
    count = len(made.trials[0].queries)
    questions = GeneratedQuestions(count - people, count, uncalibrated)
    names = {f"other{number}": 24 for number in range(12)}
    found = study_of(*(trial(name, lead, names, seed=7) for name, lead in TAUGHT.items()))
    others = table_of([replace(found, level=level)], name="shipped", version="1", by="the authors")
    return advised(replace(made, level=level, generated=questions), others)


def test_generated_questions_are_not_used_where_answers_are_lines_of_text() -> None:
    """They all favour one trial, and other repositories the other: that is what is shipped."""
    clear = study({"low": 0.2, "high": 0.0}, 120)

    said = generated(clear, level="span")

    assert said.abstains
    assert (said.ship, said.next_run) == ("high", "high")
    assert said.prior is not None
    assert (said.prior.standing, said.prior.share) == ("not asked here", 0.0)
    assert said.prior.regret is None
    assert said.tested is None
    assert said.budgets == ()
    lines = {line.label: line.text for line in ending_lines(said, None)}
    assert lines["Not used"].startswith("120 of 120 questions were generated")
    assert lines["Elsewhere"] == "the choice on 12 other repositories"
    assert "judged queries" in lines["To decide"]
    assert "How sure" not in lines
    assert any("are not used, because they were generated" in one for one in sentences(said))
    record = advice_record(said)
    assert decode(AdviceRecord, encode(record)) == record


def test_without_other_repositories_unused_questions_decide_nothing() -> None:
    clear = study({"low": 0.2, "high": 0.0}, 120)

    said = advised(replace(clear, level="span", generated=GeneratedQuestions(120, 120)))

    assert said.abstains
    assert said.ship is None


def test_generated_questions_count_less_than_peoples() -> None:
    """The same answers to the same questions: people's overrule other repositories."""
    clear = study({"low": 0.2, "high": 0.0}, 120)

    theirs, peoples = generated(clear, level="symbol"), generated(clear, level="symbol", people=1)

    assert (theirs.ship, peoples.ship) == ("high", "low")
    assert theirs.prior is not None
    assert peoples.prior is not None
    assert 0 < theirs.prior.share < peoples.prior.share


@pytest.mark.parametrize(("level", "people"), [("symbol", 0), ("span", 1)])
def test_generated_questions_decide_what_no_other_repository_knows(
    level: str, people: int
) -> None:
    leads = {"low": 0.0, "high": 0.0, "mine": 0.2}

    said = generated(study(leads, 200), level=level, people=people)

    assert not said.abstains
    assert said.ship == "mine"
    (trust,) = [line for line in ending_lines(said, None) if line.label == "Trust"]
    assert f"{200 - people} of 200 questions were generated" in trust.text
    assert trust.rank == 0


def test_questions_from_history_are_said_not_to_be_calibrated() -> None:
    said = generated(study({"low": 0.2, "high": 0.0}, 120), level="symbol", uncalibrated=30)

    (trust,) = [line for line in ending_lines(said, None) if line.label == "Trust"]
    assert "30 from history, not calibrated" in trust.text
