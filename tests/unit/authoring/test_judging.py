"""Answers about hits: how they are kept in a file, how people agree, what more of them decide."""

from pathlib import Path

import numpy as np
import pytest

from bench.authoring.judging import Agreement, JudgedFile, agreements
from bench.authoring.judging.forecast import answers_needed
from bench.errors import FixtureError, UsageError
from bench.queries import (
    Entry,
    JudgedPlace,
    JudgedPlaces,
    Query,
    Target,
    digest_of,
    read_entries,
    write_queries,
)
from bench.queries.located import Place

BLOCK = """\
# of the shop
repo: shop   # its name
queries:
  # the first
  - id: a   # keep
    query: "what, # is it"
    expected_symbols:   # by name
    - src/cart.py::Cart.total  # the sum
    # of all
    notes: |
      several lines

  # the second
  - {id: b, query: "how, so", expected_files: [x.py]}  # in braces
  - id: c
    query: where is it
    expected_files: [x.py, "y.py"]  # two
    expected_spans: []
# the end
"""
FLOW = '{"queries": [{"id": "a", "query": "x", "expected_files": ["x.py"]}]}\n'
NAMED = Target("symbol", symbol="src/cart.py::Cart.add")
ADDED = "{symbol: 'src/cart.py::Cart.add', relevant: true, by: ada, date: '2026-11-19'}"
RIGHT = JudgedPlace(NAMED, relevant=True, by="ada", date="2026-11-19")
KEPT = f"    judged:\n      - {ADDED}\n"
SPAN = "{path: z.py, start: 1, end: 2}"
CASES = {
    "a list below its field": (
        *(BLOCK, "a", (NAMED,)),
        "    - src/cart.py::Cart.total  # the sum\n",
        "    - src/cart.py::Cart.total  # the sum\n    - 'src/cart.py::Cart.add'\n",
        "      several lines\n",
        f"      several lines\n    judged:\n      - {ADDED}\n",
    ),
    "a query in braces": (
        *(BLOCK, "b", (Target("file", path="z.py"),)),
        "expected_files: [x.py]}",
        f"expected_files: [x.py, z.py], judged: [{ADDED}]}}",
        "",
        "",
    ),
    "lists in brackets": (
        *(BLOCK, "c", (Target("file", path="z.py"), Target("span", "z.py", start=1, end=2))),
        '[x.py, "y.py"]  # two\n    expected_spans: []\n',
        f'[x.py, "y.py", z.py]  # two\n    expected_spans: [{SPAN}]\n{KEPT}',
        "",
        "",
    ),
    "JSON": (
        *(FLOW, "a", (Target("file", path="z.py"),)),
        '["x.py"]}',
        f'["x.py", z.py], judged: [{ADDED}]}}',
        "",
        "",
    ),
}


def file_of(folder: Path, text: str, identifier: str) -> tuple[JudgedFile, Entry]:
    path = folder / "q.yaml"
    path.write_bytes(text.encode())
    entry = next(one for one in read_entries(path) if one.query.id == identifier)
    return JudgedFile(entry), entry


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_an_answer_adds_its_lines_and_no_other_sign_changes(
    case: tuple[str, str, tuple[Target, ...], str, str, str, str], tmp_path: Path
) -> None:
    text, identifier, targets, before, after, second, then = case
    file, entry = file_of(tmp_path, text, identifier)

    changed = file.record(entry, RIGHT, targets)

    expected = text.replace(before, after).replace(second, then) if second else ""
    assert file.path.read_text(encoding="utf-8") == (expected or text.replace(before, after))
    assert changed.judged == (RIGHT,)
    assert set(changed.query.targets) == {*entry.query.targets, *targets}


def test_a_second_answer_is_put_behind_the_first_one(tmp_path: Path) -> None:
    file, entry = file_of(tmp_path, BLOCK, "a")
    wrong = JudgedPlace(Target("span", "x.py", start=2, end=9), relevant=False, by="bob")

    file.record(file.record(entry, RIGHT, (NAMED,)), wrong, ())

    lines = file.path.read_text(encoding="utf-8").splitlines()
    place = lines.index("    judged:")
    assert lines[place + 1 : place + 3] == [
        f"      - {ADDED}",
        "      - {path: x.py, start: 2, end: 9, relevant: false, by: bob}",
    ]


def test_lines_that_end_as_on_windows_stay_so(tmp_path: Path) -> None:
    file, entry = file_of(tmp_path, BLOCK.replace("\n", "\r\n"), "a")

    file.record(entry, RIGHT, (NAMED,))

    content = file.path.read_bytes()
    assert content.count(b"\n") == content.count(b"\r\n")


def test_taking_back_restores_the_text_unless_it_was_changed_meanwhile(tmp_path: Path) -> None:
    file, entry = file_of(tmp_path, BLOCK, "a")
    entry = file.record(entry, RIGHT, (NAMED,))
    file.take_back()
    assert file.path.read_text(encoding="utf-8") == BLOCK

    file.record(file_of(tmp_path, BLOCK, "a")[1], RIGHT, (NAMED,))
    with file.path.open("a", encoding="utf-8") as more:
        more.write("# mine\n")

    for _ in range(2):  # a refused undo can be tried again
        with pytest.raises(FixtureError, match="changed since the answer"):
            file.take_back()


def test_only_query_sets_take_answers(tmp_path: Path) -> None:
    file = tmp_path / "spans.jsonl"
    file.write_text(
        '{"id": "a", "query": "x", "expected_spans": [{"path": "x", "start": 1, "end": 2}]}'
    )

    with pytest.raises(UsageError, match="not a query set"):
        JudgedFile(read_entries(file)[0])


def test_judged_places_are_read_as_they_are_written(tmp_path: Path) -> None:
    places = (
        RIGHT,
        JudgedPlace(Target("file", path="x.py"), relevant=False, text="0123456789ab"),
        JudgedPlace(Target("span", "x.py", start=2, end=9), relevant=False, by="ö, [x]: #"),
    )
    query = Query("a", "what", targets=(NAMED,))
    entry = Entry(query, "", Place("", 1), "queries", judged=places)
    path = tmp_path / "q.yaml"
    path.write_text(write_queries([entry]), encoding="utf-8")

    assert read_entries(path)[0].judged == places


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("{path: x.py}", "lacks the field 'relevant'"),
        ("{path: x.py, relevant: 1}", "must be true or false"),
        ("{path: ../x.py, relevant: true}", "contains '..'"),
        ("{path: x.py, relevant: true, who: me}", "unknown field 'who'"),
        ("x.py", "must be a mapping"),
    ],
)
def test_a_wrong_judged_place_names_its_line(item: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "q.yaml"
    text = "queries:\n- id: a\n  query: x\n  negative: true\n  judged:\n  - "
    path.write_text(f"{text}{item}\n", encoding="utf-8")

    with pytest.raises(FixtureError, match=said) as error:
        read_entries(path)

    assert f"{path}:6" in error.value.message


def test_a_hit_is_judged_by_its_file_its_definition_or_half_of_its_lines() -> None:
    places = JudgedPlaces(
        JudgedPlace(target, relevant=False)
        for target in (
            Target("file", path="a.py"),
            Target("symbol", symbol="src/b.py::B.run"),
            Target("span", "c.py", start=1, end=4),
            Target("span", "c.py", start=8, end=9),
        )
    )

    assert places.hold("a.py", 5, 9, "")
    assert places.hold("src/b.py", 5, 9, "src.b.B.run")
    assert not places.hold("src/b.py", 5, 9, "src.b.B")
    assert places.hold("c.py", 3, 9, "")  # lines 3, 4, 8 and 9 of 7
    assert places.hold("c.py", 3, 8, "x")  # lines 3, 4 and 8 of 6
    assert not places.hold("c.py", 4, 8, "x")  # lines 4 and 8 of 5
    assert not places.hold("c.py", 5, 7, "")


def test_the_digest_does_not_see_blanks_at_the_ends_of_lines() -> None:
    assert digest_of("a  \r\nb\n") == digest_of("a\nb")
    assert digest_of("a\nb") != digest_of("a\n b")


def judged(*answers: tuple[str, str, bool]) -> list[Entry]:
    """A query with the answers (who, path, right) of people."""
    places = tuple(
        JudgedPlace(Target("file", path=path), relevant=right, by=by)
        for by, path, right in answers
    )
    return [Entry(Query("a", "x"), "", Place("", 1), "queries", judged=places)]


def test_kappa_is_that_of_the_textbook() -> None:
    """Cohen's example of 50 proposals: 20 both yes, 15 both no, 5 and 10 apart; kappa is 0.4."""
    assert Agreement("ada", "bob", 20, 5, 10, 15).kappa == pytest.approx(0.4)
    assert Agreement("ada", "bob", 1, 0, 0, 1).kappa == 1
    assert Agreement("ada", "bob", 0, 1, 1, 0).kappa == -1
    assert Agreement("ada", "bob", 0, 0, 0, 3).kappa is None


def test_people_are_compared_on_what_both_judged_by_their_last_answer() -> None:
    found = agreements(
        judged(
            *(("ada", "x", True), ("ada", "y", True), ("ada", "z", False), ("ada", "z", True)),
            *(("bob", "x", True), ("bob", "z", False), ("cleo", "w", True)),
        )
    )

    assert found == (Agreement("ada", "bob", 1, 1, 0, 0),)


def test_the_forecast_is_the_number_of_right_hits_that_is_missing() -> None:
    """Ten hits that are all right raise a score by 0.1 each, and 0.55 decide: the sixth does."""
    effects = [(0, np.array([0.1]))] * 10

    def needed(at: float) -> int | None:
        return answers_needed(
            np.zeros((1, 1)), effects, share=1, decides=lambda values: bool(values[0, 0] > at)
        )

    assert needed(0.55) == 6
    assert needed(0.95) == 10
    assert needed(1.5) is None
