"""Drafts that nobody has reviewed are counted and not scored, unless that is asked for."""

from pathlib import Path

import pytest

from bench.engine import ArtifactStore
from bench.errors import FixtureError, SettingError
from bench.settings.suite import parse_suite
from bench.study import prepare

REVIEWED = "- {id: a, query: q, expected_files: [a.md]}\n"
DRAFT = "- {id: b, query: r, draft: true, expected_files: [a.md]}\n"


def suite_of(folder: Path, queries: str, **more: object) -> dict[str, object]:
    (folder / "tree").mkdir()
    (folder / "tree" / "a.md").write_text("one\n", encoding="utf-8")
    (folder / "q.yaml").write_text("queries:\n" + queries, encoding="utf-8")
    own = {"kind": "own", "name": "own"}
    where = {"repository": str(folder / "tree"), "queries": str(folder / "q.yaml")}
    return {"suite": own, **where, **more}


def test_drafts_are_left_out_and_counted(tmp_path: Path) -> None:
    suite = parse_suite(suite_of(tmp_path, REVIEWED + DRAFT))

    (found,) = prepare(suite, ArtifactStore(str(tmp_path / "s")), level=None).repositories

    assert ([query.id for query in found.queries], found.drafts) == (["a"], 1)


def test_drafts_are_scored_when_that_is_asked_for(tmp_path: Path) -> None:
    suite = parse_suite(suite_of(tmp_path, REVIEWED + DRAFT, include_drafts=True))

    (found,) = prepare(suite, ArtifactStore(str(tmp_path / "s")), level=None).repositories

    assert ([query.id for query in found.queries], found.drafts) == (["a", "b"], 0)


def test_drafts_drawn_from_docstrings_are_told_of(tmp_path: Path) -> None:
    drawn = DRAFT.replace("draft: true", "draft: true, tags: [docstring]")
    reviewed = REVIEWED.replace("id: a", "id: c, tags: [docstring]")
    suite = parse_suite(suite_of(tmp_path, reviewed + drawn, include_drafts=True))

    corpus = prepare(suite, ArtifactStore(str(tmp_path / "s")), level=None)

    (note,) = corpus.notes
    assert note == (
        "1 of 2 queries are drafts drawn from docstrings and are found by their own words; "
        "replace them"
    )


def test_nothing_but_drafts_is_an_error_that_says_so(tmp_path: Path) -> None:
    suite = parse_suite(suite_of(tmp_path, DRAFT))

    with pytest.raises(FixtureError, match="all of its 1 queries are drafts; review them"):
        prepare(suite, ArtifactStore(str(tmp_path / "s")), level=None)


def test_the_setting_is_true_or_false(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="include_drafts=maybe: must be true or false"):
        parse_suite(suite_of(tmp_path, REVIEWED, include_drafts="maybe"))
