"""A review changes one query of a file; every other sign stays as somebody wrote it."""

import json
from pathlib import Path

import pytest

from bench.authoring.reviewing import ReviewedFile
from bench.errors import FixtureError
from bench.queries import read_entries

BLOCK = """\
# of the shop
repo: shop   # its name
queries:
  # the first
  - id: a   # keep
    query: "what, # is it"
    draft: true   # unreviewed
    notes: |
      several lines
      draft: true

  # the second
  - draft: true
    # about b
    id: b
    query: how does it work
    expected_files:
      - x.py  # the file

  - {id: c, query: "q # c", draft: true, negative: true}  # in braces
  -
    id: d
    query: where is it
    negative: true
    draft: true
# the end
"""
BLOCK = BLOCK.replace("    notes: |", "    expected_symbols: [Cart]\n    notes: |")
FLOW = (
    '{"queries": [{"id": "a", "query": "x", "draft": true, "negative": true},\n'
    ' {"draft": true, "id": "b", "query": "y", "negative": true}]}\n'
)


def written(folder: Path, text: str) -> ReviewedFile:
    path = folder / "q.yaml"
    path.write_bytes(text.encode())
    return ReviewedFile(path)


def text_of(file: ReviewedFile) -> str:
    return file.path.read_bytes().decode()


ACCEPTED = {
    "a field on a line": (BLOCK, "a", "    draft: true   # unreviewed\n", ""),
    "a field beside the dash": (BLOCK, "b", "- draft: true\n    # about b", "- # about b"),
    "a field in braces": (
        BLOCK,
        "c",
        ", draft: true, negative: true}  # in",
        ", negative: true}  # in",
    ),
    "the last field": (BLOCK, "d", "    draft: true\n# the end", "# the end"),
    "the first of a list in brackets": (FLOW, "a", '"draft": true, "negative"', '"negative"'),
    "the last of a list in brackets": (FLOW, "b", '{"draft": true, ', "{"),
    "lines that end as on Windows": (
        BLOCK.replace("\n", "\r\n"),
        "a",
        "    draft: true   # unreviewed\r\n",
        "",
    ),
}


@pytest.mark.parametrize("case", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_accepting_removes_the_mark_alone(case: tuple[str, str, str, str], tmp_path: Path) -> None:
    text, identifier, before, after = case
    file = written(tmp_path, text)

    file.accept(identifier)

    assert text.count(before) == 1
    assert text_of(file) == text.replace(before, after)
    accepted = {one.query.id for one in read_entries(file.path) if not one.draft}
    assert accepted == {identifier}


REJECTED = {
    "lines": (BLOCK, "a", BLOCK[BLOCK.index("  - id: a") : BLOCK.index("\n  # the second")]),
    "braces": (
        BLOCK,
        "c",
        '  - {id: c, query: "q # c", draft: true, negative: true}  # in braces\n',
    ),
    "the last": (BLOCK, "d", BLOCK[BLOCK.index("  -\n    id: d") : BLOCK.index("# the end")]),
    "the first in brackets": (FLOW, "a", FLOW[FLOW.index('{"id": "a"') : FLOW.index('{"draft"')]),
    "the last in brackets": (FLOW, "b", FLOW[FLOW.index(",\n") : FLOW.index("]}")]),
}


@pytest.mark.parametrize("case", REJECTED.values(), ids=REJECTED.keys())
def test_rejecting_removes_the_query_alone(case: tuple[str, str, str], tmp_path: Path) -> None:
    text, identifier, removed = case
    file = written(tmp_path, text)

    file.reject(identifier)

    assert text_of(file) == text.replace(removed, "")
    assert identifier not in {one.query.id for one in read_entries(file.path)}


@pytest.mark.parametrize("text", [BLOCK, FLOW])
def test_all_can_be_rejected(text: str, tmp_path: Path) -> None:
    file = written(tmp_path, text)

    for one in read_entries(file.path):
        file.reject(one.query.id)

    assert read_entries(file.path) == ()


def test_an_edited_query_stands_where_it_stood_as_it_was_typed(tmp_path: Path) -> None:
    file = written(tmp_path, BLOCK)
    edited = file.to_edit("a").replace("what, # is it", "where is it  # sold")

    entry = file.edit("a", edited + "    # a last word\n")

    assert (entry.query.text, entry.repository, entry.draft) == (
        "where is it  # sold",
        "shop",
        True,
    )
    assert text_of(file) == BLOCK.replace("what, # is it", "where is it  # sold").replace(
        "      draft: true\n\n", "      draft: true\n    # a last word\n\n"
    )


def test_an_edited_query_in_brackets_stays_there(tmp_path: Path) -> None:
    file = written(tmp_path, FLOW)

    file.edit("b", file.to_edit("b").replace('"y"', '"ÿ: {"'))

    again = json.loads(text_of(file))["queries"]
    assert [one["query"] for one in again] == ["x", "ÿ: {"]


def test_an_edited_query_of_another_indent_is_fitted_in(tmp_path: Path) -> None:
    file = written(tmp_path, BLOCK)

    file.edit("b", "queries:\n- id: b\n  query: other\n  negative: true\n")

    texts = [one.query.text for one in read_entries(file.path)]
    assert texts == ["what, # is it", "other", "q # c", "where is it"]
    assert "# the end\n" in text_of(file)


WRONG = {
    "nothing": ("", "is empty"),
    "two queries": (
        "queries:\n- {id: a, query: q, negative: true}\n" * 1
        + "- {id: z, query: r, negative: true}\n",
        "leave exactly one",
    ),
    "a taken id": ("queries:\n- {id: b, query: q, negative: true}\n", "is taken by another"),
    "no YAML": ("queries: [\n", "the edited query:"),
    "a wrong field": ("queries:\n- {id: a, qery: q}\n", "did you mean 'query'?"),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_edit_changes_nothing(wrong: tuple[str, str], tmp_path: Path) -> None:
    file = written(tmp_path, BLOCK)

    with pytest.raises(FixtureError, match=wrong[1].replace("?", r"\?")):
        file.edit("a", wrong[0])

    assert text_of(file) == BLOCK


def test_a_query_that_shares_its_text_with_another_is_not_changed(tmp_path: Path) -> None:
    """The targets of one are an alias of the other's."""
    text = (
        "queries:\n"
        "  - {id: a, query: q, draft: true, expected_files: &files [x.py]}\n"
        "  - {id: b, query: r, expected_files: *files}\n"
    )
    file = written(tmp_path, text)

    with pytest.raises(FixtureError, match="cannot be changed without changing others"):
        file.reject("a")

    assert text_of(file) == text


def test_what_is_written_meanwhile_is_kept(tmp_path: Path) -> None:
    file = written(tmp_path, BLOCK)
    file.path.write_text(BLOCK.replace("# the end", "  - {id: e, query: s, negative: true}"))

    file.accept("d")

    assert [one.query.id for one in read_entries(file.path)] == ["a", "b", "c", "d", "e"]
