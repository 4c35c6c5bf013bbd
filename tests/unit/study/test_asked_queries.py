"""Which queries of a suite a study asks: `only` chooses among those of the half."""

import re
from pathlib import Path

import pytest

from bench.engine import ArtifactStore
from bench.errors import FixtureError, SettingError
from bench.results.identity import identity_of
from bench.study import Corpus, prepare
from bench.study.asked import Offered, asked_queries
from tests.small_suite import suite_of, write_suite


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Two repositories of nine queries, one of them negative."""
    return write_suite(tmp_path)


def asked(suite: Path, **settings: object) -> list[str]:
    """Return what is asked, as `repository/query`."""
    found = asked_queries(suite_of(suite, **settings))
    return [f"{one.repository.name}/{each.query.id}" for one in found for each in one.entries]


def corpus_of(suite: Path, *, chooses: bool = False, **settings: object) -> Corpus:
    store = ArtifactStore(str(suite.parent / "store"))
    return prepare(suite_of(suite, **settings), store, level=None, chooses=chooses)


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        ({"tags": ["fast"], "categories": ["a"]}, ["shop/q0", "shop/q4", "bank/q0", "bank/q4"]),
        ({"ids": ["q3", "bank/q5"]}, ["shop/q3", "bank/q3", "bank/q5"]),
        ({"repositories": ["bank"], "categories": ["b"]}, ["bank/q1", "bank/q5"]),
        ({"categories": ["d"], "tags": None, "per_repository": 9}, ["q3", "q7"]),
    ],
)
def test_queries_that_fit_are_asked(
    suite: Path, only: dict[str, object], expected: list[str]
) -> None:
    both = [f"{name}/{one}" for name in ("shop", "bank") for one in expected if "/" not in one]

    assert asked(suite, only=only) == (both or expected)


def test_ids_of_digits_are_ids(suite: Path) -> None:
    """Numbers are what a command line makes of them."""
    file = suite.parent / "shop.yaml"
    file.write_text(file.read_text("utf-8").replace("id: q3", 'id: "3"'), encoding="utf-8")

    assert asked(suite, only={"ids": [3]}) == ["shop/3"]


def test_so_many_of_each_repository_are_asked(suite: Path) -> None:
    found = asked(suite, only={"per_repository": 4})

    assert [name.partition("/")[0] for name in found] == ["shop"] * 4 + ["bank"] * 4
    corpus = corpus_of(suite, only={"per_repository": 4})
    assert all(
        [query.category for query in sorted(one.queries, key=lambda query: query.category)]
        == ["a", "b", "c", "d"]
        for one in corpus.repositories
    )


def test_a_repository_that_is_not_chosen_is_not_read(suite: Path) -> None:
    """Neither its queries, which are broken, nor its folder, which is not there."""
    (suite.parent / "shop.yaml").write_text("[", encoding="utf-8")
    (suite.parent / "shop" / "shop.py").unlink()
    (suite.parent / "shop").rmdir()

    corpus = corpus_of(suite, only={"repositories": ["bank"]})

    assert [one.name for one in corpus.repositories] == ["bank"]


def test_a_repository_without_a_chosen_query_is_not_searched(suite: Path) -> None:
    corpus = corpus_of(suite, only={"ids": ["bank/q1"]})

    assert [one.name for one in corpus.repositories] == ["bank"]


def test_the_half_of_a_query_does_not_depend_on_what_else_is_asked(suite: Path) -> None:
    """Else a query to report on would be tuned on where fewer are asked."""
    half = set(asked(suite, half="tune"))

    fast = set(asked(suite, half="tune", only={"tags": ["fast"]}))
    some = set(asked(suite, half="tune", only={"per_repository": 2}))

    assert fast == half & set(asked(suite, only={"tags": ["fast"]}))
    assert some < half
    assert len(some) == 4


def test_half_of_the_repositories_has_all_their_queries(tmp_path: Path) -> None:
    """The halves are apart, and a choice by name moves none."""
    suite = write_suite(tmp_path, ["shop", "bank", "club"])
    halves = {"half_of": "repositories"}

    tune, report = (asked(suite, half=half, **halves) for half in ("tune", "report"))

    assert sorted(tune + report) == sorted(asked(suite))
    names = [{name.partition("/")[0] for name in each} for each in (tune, report)]
    assert [len(each) for each in names] == [1, 2]
    assert len(tune) == 9
    assert asked(suite, half="tune", **halves, only={"repositories": [*names[0]]}) == tune
    (one, *_) = sorted(names[1])
    assert len(asked(suite, half="report", **halves, only={"repositories": [one]})) == 9
    with pytest.raises(
        SettingError, match=r"^half=tune half_of=repositories only.rep.*matches no"
    ):
        asked(suite, half="tune", **halves, only={"repositories": [one]})


def test_the_other_repositories_choose_what_half_of_them_report(tmp_path: Path) -> None:
    """And with half=all, the queries of the tune half are all of its repositories."""
    suite = write_suite(tmp_path, ["shop", "bank", "club"])

    report = corpus_of(suite, chooses=True, half="report", half_of="repositories")
    whole = corpus_of(suite, chooses=True, half_of="repositories")

    searched = {one.name for one in report.repositories}
    choosing = {one.name for one in report.choosing}
    assert searched | choosing == {"shop", "bank", "club"}
    assert not searched & choosing
    assert {one.name for one in whole.choosing if one.choosing} == choosing
    assert all(len(one.choosing) == 9 for one in report.choosing)
    assert report.notes == (
        "half=report half_of=repositories: 18 queries; 9 are in the other half",
    )


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"half_of": "repositories"},
            "^half_of=repositories: suite=several has one repository, .* Use half_of=queries",
        ),
        ({"half_of": "files"}, "^half_of=files: .*there are queries, repositories"),
    ],
)
def test_what_cannot_be_halved_is_refused(
    tmp_path: Path, settings: dict[str, object], said: str
) -> None:
    with pytest.raises(SettingError, match=said):
        suite_of(write_suite(tmp_path, ["shop"]), **settings)


def test_what_is_chosen_on_is_chosen_too(suite: Path) -> None:
    """Weights for the report half are chosen on the fitting queries of the tune half."""
    corpus = corpus_of(suite, chooses=True, half="report", only={"tags": ["fast"]})

    ids = {query.id for one in corpus.choosing for query in one.queries}
    assert ids
    assert ids <= {"q0", "q2", "q4", "q6"}
    assert not {(one.name, query.id) for one in corpus.choosing for query in one.queries} & {
        (one.name, query.id) for one in corpus.repositories for query in one.queries
    }


def test_the_choice_is_part_of_what_was_asked(suite: Path) -> None:
    """The searched documents stay the same."""
    identities = [
        [identity_of(one) for one in corpus_of(suite, only=only).repositories]
        for only in ({}, {"tags": ["fast"]}, {"tags": ["slow"]}, {"tags": ["fast", "slow"]})
    ]

    assert len({one.queries for found in identities for one in found}) == 8
    assert len({one.documents for found in identities for one in found}) == 2


def test_notes_count_what_is_asked_of_what_there_is(suite: Path) -> None:
    both = corpus_of(suite, half="tune", only={"repositories": ["bank"], "per_repository": 2})

    offered = both.offered
    assert offered == Offered(offered.queries, 9 - offered.queries, repositories=2)
    assert both.notes == (
        f"half=tune: {offered.queries} queries; {offered.other_half} are in the other half",
        f"{both.only}: 2 of {offered.queries} queries, in 1 of 2 repositories",
    )
    assert corpus_of(suite).notes == ()


@pytest.mark.parametrize(
    ("only", "said"),
    [
        ({"tags": ["fats"]}, r"only.tags=\[fats\]: no such tag in the suite; did you mean fast"),
        ({"categories": ["x"]}, r"only.categories=\[x\]: .*; there are a, b, c, d$"),
        ({"ids": ["q1", "zzz"]}, r"only.ids=\[zzz\]: no such query .*; there are none, q0, q1,"),
        ({"ids": ["shop/q9"]}, r"only.ids=\[shop/q9\]: no such query .*did you mean shop/q"),
        ({"repositories": ["shp"]}, r"only.repositories=\[shp\]: .*; did you mean shop\?"),
        ({"tags": "fast"}, r"only.tags=fast: must be a list; write only.tags=\[fast\]"),
        ({"tags": [1.5]}, "only.tags=1.5: must be text"),
        ({"tag": ["fast"]}, "only.tag: no such setting; did you mean"),
        ({"per_repository": 0}, "only.per_repository=0: must be 1 or more"),
        ({"per_repository": "two"}, "only.per_repository=two: must be a whole number"),
        (
            {"tags": ["slow"], "categories": ["a"]},
            r"^only.tags=\[slow\] only.categories=\[a\]: matches no query. Choose other",
        ),
    ],
)
def test_what_cannot_be_chosen_is_refused(suite: Path, only: dict[str, object], said: str) -> None:
    """One line, and nothing was started."""
    with pytest.raises(SettingError, match=said) as error:
        asked(suite, only=only)

    assert "\n" not in error.value.message


def test_a_choice_of_nothing_but_drafts_says_how_to_ask_them(suite: Path) -> None:
    file = suite.parent / "shop.yaml"
    file.write_text(file.read_text("utf-8").replace("id: q3,", "id: q3, draft: true,"), "utf-8")

    with pytest.raises(SettingError, match=r"matches no query.*or add include_drafts=true"):
        asked(suite, only={"ids": ["shop/q3"]})
    assert asked(suite, only={"ids": ["shop/q3"]}, include_drafts=True) == ["shop/q3"]


def test_a_choice_without_any_target_is_refused_with_its_settings(suite: Path) -> None:
    with pytest.raises(FixtureError, match=r"^suite=several only.ids=\[none\]: no query has"):
        corpus_of(suite, only={"ids": ["none"]})


def test_a_suite_without_tags_says_so(suite: Path) -> None:
    for name in ("shop", "bank"):
        file = suite.parent / f"{name}.yaml"
        text = file.read_text("utf-8")
        file.write_text(re.sub("tags: .*?\\], ", "", text), encoding="utf-8")

    with pytest.raises(SettingError, match=r"no such tag in the suite; it has none at all. Remo"):
        asked(suite, only={"tags": ["fast"]})
