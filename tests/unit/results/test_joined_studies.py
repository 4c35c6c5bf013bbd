"""Several finished studies of the same queries become one, whose trials can be compared."""

from dataclasses import replace

import pytest

from bench.advice import advise
from bench.errors import UsageError
from bench.results import LatencyMethod, RepositoryIdentity, StudyResult, rounded
from bench.results.join import joined
from bench.settings import StudySettings
from tests.unit.compare.sample_results import query, study, trial

CORPUS = (RepositoryIdentity("x", "documents", "queries", 14),)
KEYS = [f"x/q{number}" for number in range(14)]


def made(name: str, ranks: int, *, chunk: int, keys: list[str] | None = None) -> StudyResult:
    """Return a study of one trial whose right hits all have one rank."""
    queries = [query(key, ranks) for key in keys or KEYS]
    one = trial(queries, name=f"chunk={chunk}", axes={"chunk": chunk, "retriever": name})
    one = replace(one, fingerprint=f"{name}{chunk}")
    return replace(study([one]), id=name, corpus=CORPUS, notes=(f"of {name}",))


def test_all_trials_are_in_one_study_that_can_be_advised_on() -> None:
    one, other = made("bm25", 1, chunk=64), made("dense", 2, chunk=128)

    found = joined([one, other])

    assert [each.name for each in found.trials] == ["chunk=64", "chunk=128"]
    assert found.notes == ("one report over 2 studies: bm25, dense", "of bm25", "of dense")
    assert found.plan.distinct == one.plan.distinct + other.plan.distinct
    assert found.id == joined([one, other]).id != joined([other, one]).id
    tested = advise(found, seed=0).tested
    assert tested is not None
    assert tested.best == "chunk=64"
    assert rounded(found).trials[1].name == "chunk=128"


def test_queries_are_in_one_order() -> None:
    found = joined(
        [made("bm25", 1, chunk=64), made("dense", 2, chunk=128, keys=list(reversed(KEYS)))]
    )

    first, second = found.trials
    assert [one.key for one in first.queries] == [one.key for one in second.queries]


def test_trials_of_one_name_are_told_apart_by_their_settings() -> None:
    studies = [made("bm25", 1, chunk=64), made("dense", 2, chunk=64)]

    names = [one.name for one in joined(studies).trials]

    assert names == ["chunk=64 retriever=bm25", "chunk=64 retriever=dense"]


def test_a_trial_that_several_studies_have_is_listed_once() -> None:
    one = made("bm25", 1, chunk=64)

    assert len(joined([one, replace(one, id="again")]).trials) == 1


def test_trials_that_no_setting_tells_apart_are_numbered() -> None:
    one, other = made("bm25", 1, chunk=64), made("bm25", 2, chunk=64)
    other = replace(other, trials=(replace(other.trials[0], fingerprint="of another tree"),))

    assert [each.name for each in joined([one, other]).trials] == ["chunk=64", "chunk=64 (2)"]


def test_measures_that_any_study_was_asked_for_are_kept() -> None:
    one, other = made("bm25", 1, chunk=64), made("dense", 2, chunk=64)
    other = replace(other, settings=StudySettings(measures=("ndcg_at_3",)))

    assert joined([one, other]).settings.measures == ("ndcg_at_3",)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"level": "file"}, "their level differs"),
        ({"measure_version": 1}, "their measure version differs"),
        ({"corpus": (replace(CORPUS[0], queries="other"),)}, "the queries of x differ"),
        ({"corpus": (replace(CORPUS[0], documents="other"),)}, "the documents of x differ"),
        ({"corpus": (*CORPUS, replace(CORPUS[0], repository="y"))}, "only one of them searched y"),
    ],
)
def test_studies_that_cannot_be_compared_are_refused(
    changes: dict[str, object], said: str
) -> None:
    other = replace(made("dense", 2, chunk=64), **changes)  # type: ignore[arg-type]

    with pytest.raises(UsageError, match=f"bm25 and dense: {said}; "):
        joined([made("bm25", 1, chunk=64), other])


def test_a_file_with_other_queries_than_it_says_is_refused() -> None:
    with pytest.raises(UsageError, match="hold other queries"):
        joined([made("bm25", 1, chunk=64), made("dense", 2, chunk=64, keys=KEYS[1:])])


def test_warnings_name_other_machines_and_versions() -> None:
    one, other = made("bm25", 1, chunk=64), made("dense", 2, chunk=128)
    slow = replace(other.trials[0], latency=LatencyMethod(machine="slow"))
    fast = replace(one.trials[0], latency=LatencyMethod(machine="fast"))
    one = replace(one, trials=(fast,), stage_versions={"rank": 1, "cut": 1})
    other = replace(other, trials=(slow,), stage_versions={"rank": 2, "cut": 1, "embed": 1})

    notes = joined([one, other]).notes

    assert "warning: latencies were measured on different machines; do not compare them" in notes
    assert "warning: the studies were made by different versions of rank" in notes
