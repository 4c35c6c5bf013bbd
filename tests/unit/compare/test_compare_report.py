"""Two studies side by side: pairs, changes with intervals, causes, and the file's shape."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from bench.compare import (
    CauseKind,
    CompareReport,
    against_one,
    as_json,
    as_markdown,
    as_text,
    compare,
    named_pair,
    paired,
)
from bench.errors import UsageError
from bench.results import RepositoryIdentity, StudyResult
from tests.unit.compare.sample_results import (
    negative,
    query,
    results,
    stored,
    study,
    trial,
)
from tests.unit.report.sample_study import FAILED, TRIAL

SNAPSHOT = Path(__file__).with_name("compare_report.json")
BEFORE = {"x/one": 1, "x/two": 3, "x/three": None, "y/one": 2, "y/two": 4, "y/three": None}
AFTER = {"x/one": 1, "x/two": 2, "x/three": 5, "y/one": 4, "y/two": None, "y/three": None}


def report(a: StudyResult, b: StudyResult, *, strict: bool = False) -> CompareReport:
    """Return the comparison of the only pair."""
    (pair,) = paired(a, b).pairs
    return compare(a, b, pair, strict=strict)


def changed(**config: Any) -> dict[str, Any]:
    """Return the configuration of the sample trial with some axes changed."""
    return {**TRIAL.axes, **config}


def causes(a: StudyResult, b: StudyResult) -> dict[CauseKind, str]:
    """Return what is known to differ, by kind."""
    return {cause.kind: cause.text for cause in report(a, b).causes}


def test_the_shape_of_the_file_is_the_reviewed_one() -> None:
    """A change of the shape is a visible change of the file beside this test."""
    chunk = changed(chunk=1024)
    found = as_json(report(stored(BEFORE), stored(AFTER, axes=chunk, chunking="n" * 16)))

    assert found == json.loads(SNAPSHOT.read_text(encoding="utf-8"))


def test_classes_of_two_runs_on_made_up_ranks() -> None:
    found = as_json(report(stored(BEFORE), stored(AFTER)))

    kinds = {f"{one['repository']}/{one['query_id']}": one["kind"] for one in found["per_query"]}
    assert kinds == {
        "x/one": "draw",
        "x/two": "win",
        "x/three": "win",
        "y/one": "loss",
        "y/two": "regression",
        "y/three": "draw",
    }
    assert found["counts"] == {"win": 2, "loss": 1, "regression": 1, "draw": 2}


def test_comparing_twice_gives_the_same() -> None:
    a, b = stored(BEFORE), stored(AFTER)

    assert as_json(report(a, b)) == as_json(report(a, b))


def test_a_delta_is_b_minus_a_of_the_means_over_repositories() -> None:
    found = report(stored(BEFORE), stored(AFTER))

    mrr = next(delta for delta in found.deltas if delta.measure == "mrr")
    x = (1 + 1 / 2 + 1 / 5) / 3 - (1 + 1 / 3) / 3
    y = (1 / 4) / 3 - (1 / 2 + 1 / 4) / 3
    assert mrr.value == pytest.approx((x + y) / 2, abs=1e-4)
    assert (mrr.signs.better, mrr.signs.level, mrr.signs.worse) == (1, 0, 1)


def answered(*numbers: Mapping[str, float]) -> StudyResult:
    """Return a study of a trial whose queries have these numbers, and of one negative query."""
    first = [query(f"x/{place}", 1, numbers=of) for place, of in enumerate(numbers[:-1])]
    queries = (*first, negative("x/none", numbers=numbers[-1]))
    return results(study([replace(TRIAL, queries=queries)]))


def test_measures_of_answers_are_compared_where_both_trials_have_them() -> None:
    """The first query says nothing of groundedness, the last is right to be refused."""
    found = report(
        answered({"mrr": 1.0}, {"mrr": 1.0, "groundedness": 0.0}, {"refusal_correctness": 1.0}),
        answered(
            {"mrr": 1.0, "groundedness": 0.0},
            {"mrr": 1.0, "groundedness": 1.0},
            {"refusal_correctness": 0.0},
        ),
    )

    deltas = {one.measure: (one.queries, one.a, one.b, one.value) for one in found.deltas}
    assert deltas == {
        "mrr": (2, 1.0, 1.0, 0.0),
        "groundedness": (1, 0.0, 1.0, 1.0),
        "refusal_correctness": (1, 1.0, 0.0, -1.0),
    }
    assert "(queries: 1)" in as_text(found, flips=0)
    assert as_json(found)["not_compared"]["negative"] == 1


def test_the_interval_in_one_repository_is_students() -> None:
    before = {f"x/{number}": number + 1 for number in range(8)}
    after = {f"x/{number}": (number * 3) % 8 + 1 for number in range(8)}
    apart = [round(1 / after[key], 4) - round(1 / before[key], 4) for key in before]
    expected = stats.ttest_1samp(apart, 0).confidence_interval(0.95)

    found = report(stored(before), stored(after))

    mrr = next(delta for delta in found.deltas if delta.measure == "mrr")
    assert mrr.here is not None
    assert mrr.here.interval is not None
    assert (mrr.here.interval.low, mrr.here.interval.high) == pytest.approx(
        (expected.low, expected.high)
    )


def test_queries_with_the_same_answer_are_one_unit() -> None:
    ranks = {"x/one": 1, "x/two": 2, "x/three": 3}
    same = [query(key, rank, expected=("same",)) for key, rank in ranks.items()]
    one = results(study([trial([*same, query("x/four", 1)])]))

    found = report(one, one)

    assert found.shared_targets == 2
    assert "2 queries share their answers" in as_text(found, flips=0)


def test_different_chunkings_are_compared_by_document_and_lines() -> None:
    a, b = stored(BEFORE), stored(AFTER, axes=changed(chunk=1024), chunking="n" * 16)

    found = as_json(report(a, b))

    assert found["deltas"]["chunker_version_match"] == "fallback_doc_span"
    assert causes(a, b)[CauseKind.CHUNKER] == "chunks of 512 → 1024 tokens"
    notes = {one["kind"]: one["note"] for one in found["per_query"]}
    assert "chunker" in notes["regression"]
    assert notes["draw"] is None


def test_one_chunking_is_compared_chunk_by_chunk() -> None:
    found = as_json(report(stored(BEFORE), stored(AFTER), strict=True))

    assert found["deltas"]["chunker_version_match"] == "exact"


def test_strictness_refuses_two_chunkings() -> None:
    with pytest.raises(UsageError, match="--strict-chunker-version"):
        report(stored(BEFORE), stored(AFTER, chunking="n" * 16), strict=True)


def test_a_file_that_does_not_say_how_it_cut_is_known_by_its_settings() -> None:
    old = stored(BEFORE, chunking="")

    alike = report(old, stored(AFTER))
    apart = report(old, stored(AFTER, axes=changed(chunk=64)))

    assert (alike.exact, apart.exact) == (True, False)


def test_known_causes_are_named() -> None:
    a = stored(BEFORE)
    made = study(
        [trial([query(key, rank) for key, rank in AFTER.items()], embedding_model="mpnet")],
        stage_versions={"cut": 2, "evaluate": 1},
        level="file",
    )
    moved = replace(
        made,
        corpus=(
            RepositoryIdentity("x", "e" * 16, "q" * 16, 3),
            RepositoryIdentity("y", "d" * 16, "r" * 16, 3),
        ),
    )

    found = causes(a, results(moved))

    assert found == {
        CauseKind.CORPUS: "x is not the same source tree, and how its targets were found is not "
        "recorded in a and b; run that study again with this rankgrid",
        CauseKind.FIXTURES: "y: the grades or places of answers changed",
        CauseKind.LEVEL: "a is measured at symbol level, b at file level",
        CauseKind.MODEL: "embedding_model all-MiniLM-L6-v2 → mpnet",
        CauseKind.CODE: "stage cut version 1 → 2",
    }


@pytest.mark.parametrize(
    ("level", "is_named"), [("symbol", True), ("span", False), ("file", False)]
)
def test_another_credit_of_symbols_is_not_comparable_where_symbols_are_measured(
    level: str, is_named: bool
) -> None:
    trials = [trial([query(key, rank) for key, rank in BEFORE.items()])]
    strict, lenient = (
        results(replace(study(trials, level=level), symbol_credit=credit))
        for credit in ("strict", "lenient")
    )

    found = report(strict, lenient)

    named = [cause for cause in found.causes if cause.kind is CauseKind.CREDIT]
    assert [str(cause) for cause in named] == [
        "credit: symbols have strict credit in a, lenient credit in b"
    ] * is_named
    assert all(cause.breaks for cause in named)


def test_another_choice_of_queries_is_not_comparable_where_other_queries_are_asked() -> None:
    """The settings are named first: they say more than a list of queries."""
    trials = [trial([query(key, rank) for key, rank in BEFORE.items()])]
    a, b = (results(study(trials, only=only)) for only in ("", "only.tags=[fast]"))
    others = replace(
        b, half="tune", corpus=tuple(replace(one, queries="r" * 16) for one in b.corpus)
    )

    found = [str(cause) for cause in report(a, others).causes if cause.breaks]

    asked = "a asks all queries, b asks half=tune only.tags=[fast]"
    assert found[0] == f"fixtures: {asked}"
    same_choice = replace(others, half="all", only="")
    for unchanged in (b, same_choice):
        assert not [cause for cause in report(a, unchanged).causes if "asks" in cause.text]


def test_changed_queries_are_named() -> None:
    a = stored({"x/one": 1, "x/two": 1, "x/old": 1})
    asked = [query("x/one", 1), query("x/two", 1, text="another"), query("x/new", 1)]
    made = replace(study([trial(asked)]), corpus=(RepositoryIdentity("x", "d" * 16, "r" * 16, 3),))

    found = causes(a, results(made))

    assert found[CauseKind.FIXTURES] == "x: new added; old removed; two changed"


def test_settings_that_differ_are_named_with_both_values() -> None:
    found = report(stored(BEFORE), stored(AFTER, axes=changed(weight=0.7, limit=20)))

    assert [str(cause) for cause in found.causes] == [
        "setting: weight 0.55 → 0.7",
        "setting: limit none → 20",
    ]


def test_another_prompt_is_named_as_a_cause() -> None:
    before, after = (
        stored(BEFORE, axes=changed(**{"answerer.template": name}))
        for name in ("short.txt", "strict.txt")
    )

    found = report(before, after)

    cause = "setting: answerer.template short.txt → strict.txt"
    assert [str(one) for one in found.causes] == [cause]
    assert cause in as_text(found, flips=0)


def test_a_prompt_that_was_edited_under_its_name_is_named_as_a_cause() -> None:
    axes = changed(**{"answerer.template": "prompt.txt"})
    before, after, unsaid = (
        stored(BEFORE, axes=axes, prompt=text) for text in ("a1b2", "c3d4", None)
    )

    found = report(before, after)

    cause = "setting: the text of the answerer's template a1b2 → c3d4"
    assert [str(one) for one in found.causes] == [cause]
    assert cause in as_text(found, flips=0)
    assert report(before, before).causes == ()
    assert report(before, unsaid).causes == ()


def test_trials_are_paired_by_configuration_then_by_name() -> None:
    on, off = changed(reranker="on"), changed(reranker="off")
    queries = [query("x/one", 1)]
    a = study([trial(queries, name="1", axes=on), trial(queries, name="2", axes=off)])
    b = study([trial(queries, name="off", axes=off), trial(queries, name="1", axes={"chunk": 9})])

    found = paired(results(a), results(b))

    assert [(pair.a.name, pair.b.name, pair.why) for pair in found.pairs] == [
        ("2", "off", "equal configuration"),
        ("1", "1", "equal name"),
    ]
    assert (found.only_a, found.only_b) == ((), ())


def test_a_trial_that_is_not_there_is_named_with_the_nearest() -> None:
    one = stored(BEFORE)

    with pytest.raises(UsageError, match="did you mean chunk=512 reranker=on"):
        named_pair(one, one, of_a="chunk=512 reranker=onn", of_b="")


def test_a_failed_trial_is_not_compared() -> None:
    failed = results(study([trial([query("x/one", 1)]), FAILED]))
    one = stored(BEFORE)
    (pair,) = named_pair(one, failed, of_a="", of_b=FAILED.name).pairs

    with pytest.raises(UsageError, match="failed and has no rankings"):
        compare(one, failed, pair)


def test_studies_of_other_questions_are_refused() -> None:
    with pytest.raises(UsageError, match="no query in common"):
        report(stored({"x/one": 1}), stored({"y/one": 1}))


def test_the_page_shows_both_rankings_of_what_flipped() -> None:
    found = as_text(report(stored(BEFORE), stored(AFTER)), flips=1)

    assert "regression  y/two  rank 4 → not found" in found
    assert "  4  ✓ file3.py:1-40    file3.py:1-40  (was 4)" in found
    assert "6 queries: 2 win, 1 loss, 1 regression, 2 draw" in found
    assert "and 1 more of class win" in found


def test_markdown_shows_hostile_text_as_text() -> None:
    text = "<img src=x> | `tick` @everyone [link](http://x)\nsecond line"
    before, after = ([query("x/one", rank, text=text)] for rank in (1, None))
    a, b = (results(study([trial(asked)])) for asked in (before, after))

    found = as_markdown(report(a, b))

    assert r"\<img src=x\> \| \`tick\` @&#8203;everyone \[link\](http://x) second line" in found
    assert "### Regressions (1)" in found


def test_every_trial_of_b_is_held_against_one_of_a_but_itself_and_what_failed() -> None:
    queries = [query("x/one", 1)]
    several = results(study([trial(queries, name=name) for name in ("one", "two", "three")]))
    with_failed = results(study([trial(queries, name="two"), FAILED], id="another"))

    of_one = against_one(several, several, "two")
    of_two = against_one(several, with_failed, "two")

    assert [(pair.a.name, pair.b.name) for pair in of_one.pairs] == [
        ("two", "one"),
        ("two", "three"),
    ]
    assert [(pair.a.name, pair.b.name) for pair in of_two.pairs] == [("two", "two")]
    with pytest.raises(UsageError, match="no other trial than one has a result"):
        against_one(several, replace(several, trials=several.trials[:1]), "one")


def test_trials_that_are_compared_together_share_the_error_rate() -> None:
    """Five comparisons: each interval has 99 %, so that all five hold together with 95 %."""
    a, b = stored(BEFORE), stored(AFTER)
    (pair,) = paired(a, b).pairs

    lone, together = (compare(a, b, pair, trials=trials) for trials in (1, 5))

    alone, shared = (found.deltas[0].here for found in (lone, together))
    assert alone
    assert shared
    assert alone.interval
    assert shared.interval
    widths = [one.interval.high - one.interval.low for one in (alone, shared) if one.interval]
    degrees = alone.degrees
    expected = stats.t.ppf(0.995, degrees) / stats.t.ppf(0.975, degrees)
    assert widths[1] / widths[0] == pytest.approx(expected, rel=1e-6)
    assert together.deltas[0].p_together == min(1.0, 5 * (lone.deltas[0].p_together or 0.0))
    assert "95 % for all 5 trials together" in as_text(together, flips=0)
    assert "95 % interval for all 5 trials together" in as_markdown(together)
    assert "together" not in as_text(lone, flips=0)


def test_measures_in_which_nothing_changed_are_folded() -> None:
    """Equal means are not enough: two queries that swap their ranks have changed."""
    a, b = stored({"x/one": 1, "x/two": 2}), stored({"x/one": 2, "x/two": 1})

    found = report(a, b)

    folded, whole = (as_text(found, flips=0, every=every) for every in (False, True))
    count = sum(delta.unchanged for delta in found.deltas) + len(found.costs)
    assert [delta.measure for delta in found.deltas if not delta.unchanged] == [
        "mrr",
        "ndcg_at_10",
    ]
    assert f"\n{count} measures unchanged (--all shows them)\n" in folded
    assert "\nmrr " in folded
    assert "\nrecall_at_10 " not in folded
    assert "\nlatency_p50_ms " not in folded
    assert "\nrecall_at_10 " in whole
    assert "\nlatency_p50_ms " in whole
    assert "unchanged" not in whole
    assert "\n1 measure unchanged.\n" in as_markdown(found)
    assert "| recall_at_10 |" in as_markdown(found, every=True)


def test_a_latency_of_a_busy_machine_is_marked() -> None:
    busy = replace(TRIAL.latency, busy=True)
    a, b = stored(BEFORE), stored(BEFORE, latency=busy, summary={"latency_p50_ms": 99.0})

    lines = as_text(report(a, b), flips=0).splitlines()

    assert [one for one in lines if "latency_p50_ms" in one and one.endswith("machine was busy")]
