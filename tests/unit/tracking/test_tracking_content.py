"""What of a results file is logged."""

import json
import math
import posixpath
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.results.codec import encode
from bench.tracking.content import content_of
from bench.tracking.datasets import datasets_of
from bench.tracking.measured import Measured
from tests.unit.report.sample_study import STUDY, TRIAL
from tests.unit.tracking.whole_results import whole

_ALLOWED_NAME = re.compile(r"[/\w.\- :]+")  # as MLflow documents it
Results = dict[str, Any]

_NUMBERS = st.none() | st.booleans() | st.integers() | st.floats() | st.just(10**400) | st.text()
_MEASURES = st.dictionaries(st.text(max_size=300), _NUMBERS, max_size=5)


def test_the_columns_of_the_table_are_measures_and_lose_avg(results: Results) -> None:
    """The other numbers over all queries are in the table that is sent along."""

    (trial, _) = content_of(whole(results)).trials

    measures = {each.name: each.value for each in trial.measures if each.step == 0}

    assert measures["mrr"] == 0.71
    assert measures["recall_at_10"] == 0.9
    assert measures["recall_at_4000_tokens"] == 0.75
    assert "micro_mrr" not in measures
    assert trial.numbers["micro_mrr"] == 0.7
    assert trial.numbers["latency_ms"] == 12.5


def test_at_most_60_names_are_logged_and_repositories_give_way(results: Results) -> None:
    """MLflow draws a chart of each. Levels are few; a study may have hundreds of repositories."""

    numbers = {"count": 3, "avg_mrr": 0.4, "avg_f1_at_10": 0.6}
    results["reports"][0] |= {
        "levels": {"span": numbers, "file": numbers},
        "repository_metrics": {f"repository-{n:03}": numbers for n in range(200)},
    }

    (trial, _) = content_of(whole(results)).trials

    names = list(dict.fromkeys(each.name for each in trial.measures))
    assert len(names) == 60
    assert names[0] == "mrr"
    assert {"mrr_by_level/span", "mrr_by_level/file"} < set(names)
    assert "mrr_by_repository/repository-000" in names
    assert "recall_by_tokens" in names


def test_a_run_lasts_as_long_as_the_stages_of_its_trial(results: Results) -> None:
    """Files of earlier versions do not say."""

    results["reports"][0]["summary"]["stage_seconds"] = 12.5

    first, second = content_of(whole(results)).trials

    assert first.seconds == 12.5
    assert second.seconds is None


def test_a_study_is_called_by_its_suite_and_its_name(results: Results) -> None:
    assert content_of(whole(results)).parent.name == "quick 20261118-120102-ab12cd"


def test_none_and_nan_are_not_measures(results: Results) -> None:
    """MLflow takes NaN silently and draws nothing."""

    (trial, _) = content_of(whole(results)).trials

    names = {each.name for each in trial.measures}

    assert names.isdisjoint({"ndcg_at_10", "latency_p95_ms"})


def test_token_cut_offs_are_also_the_steps_of_one_curve(results: Results) -> None:
    """MLflow draws a curve over the steps of one name."""

    (trial, _) = content_of(whole(results)).trials

    curve = [each for each in trial.measures if each.name == "recall_by_tokens"]

    assert curve == [
        Measured("recall_by_tokens", 0.5, 1000),
        Measured("recall_by_tokens", 0.75, 4000),
    ]


def test_groups_stand_behind_a_slash(results: Results) -> None:
    """What precedes the slash becomes a section of charts."""

    (trial, _) = content_of(whole(results)).trials

    measures = {each.name: each.value for each in trial.measures}

    assert measures["mrr_by_repository/jinja2"] == 0.6
    assert not [name for name in measures if "count" in name or "queries" in name]


def test_of_levels_and_repositories_the_objective_is_logged(results: Results) -> None:
    """The other groups and measures are in results.json."""

    results["settings"]["advice"] = {"objective": "map_at_10"}
    numbers = {"count": 3, "avg_map_at_10": 0.4, "avg_mrr": 0.5, "avg_f1_at_10": 0.6}
    for key in ("tag_metrics", "language_metrics", "repository_metrics", "levels"):
        results["reports"][0][key] = {"one": numbers}

    (trial, _) = content_of(whole(results)).trials

    grouped = {e.name: e.value for e in trial.measures if e.name.endswith("/one")}
    assert grouped == {"map_at_10_by_level/one": 0.4, "map_at_10_by_repository/one": 0.4}


def test_refusals_are_a_curve(results: Results) -> None:
    """A rate at each percentage of answers kept."""

    results["reports"][0]["negative_curve"] = [
        {"kept": 0.5, "threshold": 0.9, "false_positives": 0.25},
        {"kept": 0.95, "threshold": None, "false_positives": None},
    ]

    (trial, _) = content_of(whole(results)).trials

    refusals = [e for e in trial.measures if e.name.startswith("negative_")]
    assert refusals == [Measured("negative_false_positives_by_percent_kept", 0.25, 50)]


def test_a_trial_bears_its_verdict(results: Results) -> None:
    """The word to filter by: what to ship, what no limit allows, what is only a bound."""

    report = results["reports"][0]
    names = ("a", "b", "c", "d", "e")
    results["reports"] = [report | {"config": {"name": n}, "bound": n == "c"} for n in names]
    results["recommendation"] = {
        "ship": "a",
        "highest": "a",
        "ruled_out": [{"trial": "b", "why": "p95 latency 90 ms"}],
        "tested": {"baseline": "a", "best": "a", "may_be_best": ["a", "d"]},
    }

    content = content_of(whole(results))

    verdicts = [trial.tags.get("rankgrid.verdict") for trial in content.trials]
    assert verdicts == ["ship", "ruled out", "bound", "may be best", None]
    assert content.trials[1].tags["rankgrid.ruled_out"] == "p95 latency 90 ms"
    assert [trial.tags["rankgrid.bound"] for trial in content.trials].count("true") == 1
    assert content.parent.tags["rankgrid.ship"] == "a"


def test_settings_of_the_study_are_searchable_one_by_one(results: Results) -> None:
    """A group of settings is not one long text."""

    results["settings"] = {"seed": 0, "advice": {"objective": "mrr", "margin": 0.02}}

    params = content_of(whole(results)).parent.params

    assert params["advice.objective"] == "mrr"
    assert params["advice.margin"] == "0.02"
    assert params["seed"] == "0"


def test_repositories_that_differ_only_in_forbidden_characters_stay_apart(
    results: Results,
) -> None:
    """A replaced character must not merge two measures."""

    results["reports"][0]["repository_metrics"] = {
        "a/b@1": {"avg_mrr": 0.1},
        "a_b_1": {"avg_mrr": 0.2},
    }

    (trial, _) = content_of(whole(results)).trials

    by_name = {e.name: e.value for e in trial.measures if "_by_repository/" in e.name}
    assert by_name == {"mrr_by_repository/a_b_1": 0.1, "mrr_by_repository/a_b_1-2": 0.2}


def test_params_are_short_and_omit_what_does_not_apply(results: Results) -> None:
    """Nulls and repeated long forms do not become columns."""

    (trial, _) = content_of(whole(results)).trials

    assert trial.params == {
        "chunk": "512",
        "reranker": "on",
        "retriever": "hybrid",
        "weight": "0.55",
        "tokens": "[1000, 4000]",
    }


def test_a_failed_trial_says_why(results: Results) -> None:
    """The cause is readable on the run itself."""

    (complete, failed) = content_of(whole(results)).trials

    assert not complete.failed
    assert "rankgrid.failure" not in complete.tags
    assert failed.failed
    assert failed.tags["rankgrid.failure"] == "Embed jinja2: the model is gone"


def test_runs_are_tagged_with_kind_study_and_trial(results: Results) -> None:
    """Filters of the pages and of a second sending rest on these tags."""

    content = content_of(whole(results))

    assert content.parent.tags["rankgrid.kind"] == "study"
    assert content.parent.tags["rankgrid.study"] == results["study"]
    assert content.parent.tags["rankgrid.git_sha"] == "0" * 40
    assert [each.tags["rankgrid.trial"] for each in content.trials] == ["f1", "f2"]
    assert {each.tags["rankgrid.kind"] for each in content.trials} == {"trial"}


def test_a_study_is_failed_only_when_all_of_it_failed(results: Results) -> None:
    """One failed trial leaves a study finished."""

    mixed = content_of(whole(results)).parent.failed

    results["reports"] = results["reports"][1:]
    all_failed = content_of(whole(results)).parent.failed

    assert (mixed, all_failed) == (False, True)


def test_a_study_lasts_as_long_as_it_took(results: Results) -> None:
    """A study sent days later does not seem to have run for days."""

    content = content_of(whole(results))

    assert content.started == 1_795_003_262_000  # date -u -d 2026-11-18T12:01:02Z +%s
    assert content.ended - content.started == 91_500


def test_the_least_results_file_is_enough() -> None:
    """Optional keys may be absent."""

    content = content_of(whole({"study": "s", "reports": [{}]}))

    assert [trial.name for trial in content.trials] == ["trial"]
    assert content.trials[0].measures == ()


@given(summary=_MEASURES, groups=st.dictionaries(st.text(max_size=300), _MEASURES, max_size=4))
def test_whatever_a_summary_holds_only_finite_numbers_with_allowed_names_are_logged(
    summary: Any, groups: Any
) -> None:
    """MLflow refuses a whole batch for one bad name."""

    made = replace(TRIAL, summary=summary, repositories=groups)

    (trial,) = content_of(replace(STUDY, trials=(made,))).trials

    for each in trial.measures:
        assert math.isfinite(each.value)
        assert _ALLOWED_NAME.fullmatch(each.name)
        assert posixpath.normpath(each.name) == each.name


def test_secrets_of_the_environment_reach_no_field(
    results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A token in a command line or in a cause stays out of the database."""

    monkeypatch.setenv("MLFLOW_TRACKING_TOKEN", "hush-hush-hush")
    results["command"] = "run.py url=http://me:pw@host/x token=hush-hush-hush"
    results["settings"]["store"] = "hush-hush-hush"
    results["reports"][0]["config"]["name"] = "hush-hush-hush"
    results["reports"][1]["failures"][0]["cause"] = "GET http://me:pw@host said hush-hush-hush"
    results["recommendation"]["sentences"] = ["hush-hush-hush"]

    everything = repr(content_of(whole(results)))

    assert "hush" not in everything
    assert "me:pw" not in everything


def test_chosen_weights_are_a_parameter_with_their_worth_and_curve(results: Results) -> None:
    """A family of weightings is one run; a trial whose weights were given has none of it."""
    curve = [{"weights": [0.3, 0.7], "score": 0.5}, {"weights": [1.0, 0.0], "score": 0.4}]
    results["reports"][0]["tuning"] = {
        "objective": "ndcg_at_10",
        "half": "tune",
        "queries": 4,
        "steps": 10,
        "chosen_before": [],
        "channels": ["bm25", "dense"],
        "weightings": 2,
        "chosen": {"bm25": 0.3, "dense": 0.7},
        "repositories": {},
        "override": "weights=[0.3,0.7]",
        "in_sample": 0.5,
        "expected_here": 0.45,
        "expected_on_a_new_repository": None,
        "curve": curve,
    }

    tuned, given = content_of(whole(results)).trials

    assert tuned.params["weights_chosen"] == "weights=[0.3,0.7]"
    assert [one for one in tuned.measures if one.name.startswith("tuning/")] == [
        Measured("tuning/ndcg_at_10_in_sample", 0.5),
        Measured("tuning/ndcg_at_10_expected_here", 0.45),
    ]
    assert tuned.tuning is not None
    assert encode(tuned.tuning.curve) == curve
    assert "weights_chosen" not in given.params
    assert given.tuning is None


def test_a_dataset_says_what_to_fetch_to_have_it() -> None:
    """The pin of each repository; a folder has the digest of its content."""
    pin = f"git https://example.org/shop@{'a' * 40}"
    shop = {"repository": "shop", "documents": "d" * 16, "queries": "q" * 16, "count": 3}

    made = whole({"study": "s", "reports": [{}], "corpus": [{**shop, "pin": pin}]})

    (found,) = datasets_of(made)

    assert json.loads(found.source)["pin"] == pin
    assert found.digest.startswith("d" * 16)


def test_the_name_of_a_run_has_the_parts_that_differ(results: Results) -> None:
    """A tag has it in full, and that is what finds the trial again."""
    study = whole(results)
    names = ("chunk=64 retriever=bm25", "chunk=64 retriever=dense")
    trials = tuple(replace(study.trials[0], name=name) for name in names)

    runs = content_of(replace(study, trials=trials)).trials

    assert [run.name for run in runs] == ["retriever=bm25", "retriever=dense"]
    assert [run.tags["rankgrid.name"] for run in runs] == list(names)
    assert {run.tags["rankgrid.shared"] for run in runs} == {"chunk=64"}
