"""One target that stands in several places: read, written, found, verified."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.errors import FixtureError
from bench.queries import (
    Entry,
    Query,
    Target,
    read_queries,
    resolve,
    together,
    write_golden,
    write_queries,
    write_span_lines,
    write_task,
)
from bench.queries.located import Place
from bench.queries.offsets import Offsets
from bench.queries.resolution import Tree
from bench.queries.verification import FixtureSet, verify
from retrievers.interface import Documents
from retrievers.source import find_symbols

FILES = {
    "a.py": "def one():\n    return 1\n\n\ndef two():\n    return 2\n",
    "b.py": "def uno():\n    return 1\n",
    "c.py": "class Box:\n    pass\n",
}
WRITERS: dict[str, Callable[[Sequence[Query]], str]] = {
    "set.yaml": write_queries,
    "golden.jsonl": write_golden,
    "spans.jsonl": write_span_lines,
    "task.yaml": lambda queries: write_task(queries[0]),
}


@pytest.fixture(scope="module")
def documents() -> Documents:
    return Documents.of(list(FILES.items()))


def symbol(name: str, alternative: int = 0, grade: int = 1) -> Target:
    return Target("symbol", symbol=name, alternative=alternative, grade=grade)


def span(path: str, start: int, end: int, alternative: int = 0) -> Target:
    return Target("span", path=path, start=start, end=end, alternative=alternative)


def places(documents: Documents, *targets: Target) -> list[tuple[object, ...]]:
    """Return level, path, lines, grade, and the number among choices of each row."""
    found = resolve([Query("q", "text", targets)], documents, find_symbols(documents))
    choices = found.choice.tolist() or [0] * len(found.level)
    numbers = {choice: number for number, choice in enumerate(dict.fromkeys(sorted(choices)))}
    columns = (found.level, found.document, found.start_byte, found.end_byte, found.grade)
    rows = zip(*(column.tolist() for column in columns), choices, strict=True)
    return [
        (
            level,
            documents.paths[document],
            *Offsets(documents, document).lines_of_bytes(start, end),
            grade,
            numbers[choice] if choice else 0,
        )
        for level, document, start, end, grade, choice in rows
    ]


@pytest.mark.parametrize("name", WRITERS)
def test_alternatives_come_back_as_they_were_written(name: str, tmp_path: Path) -> None:
    """In every format that has targets of its own."""
    made = symbol if name == "task.yaml" else (lambda path, *rest: span(path, 3, 4, *rest))
    targets: tuple[Target, ...] = (
        made("x", 1),
        made("y", 1),
        made("z"),
        made("u", 2),
        made("v", 2),
    )
    if name in ("set.yaml", "golden.jsonl"):
        targets = (
            Target("file", path="w", alternative=1),
            Target("file", path="x", alternative=1),
        )
        targets += (span("y", 1, 1, 2), span("z", 1, 1, 2), span("z", 5, 5))
    query = Query("task", "text", targets)

    (tmp_path / name).write_text(WRITERS[name]([query]), encoding="utf-8")

    assert read_queries(tmp_path / name) == (query,)


def test_a_grade_and_a_repository_are_said_once(tmp_path: Path) -> None:
    """Beside any_of, for all its places; a query set of one repository has only its own."""
    text = (
        "queries: [{id: q, query: text, expected_files: "
        "[{any_of: [a.py, b.py], grade: 3, repo: shop}, c.py]}]"
    )
    (tmp_path / "set.yaml").write_text(text, encoding="utf-8")

    (query,) = read_queries(tmp_path / "set.yaml")
    (other,) = read_queries(tmp_path / "set.yaml", repository="flask")

    assert [(one.grade, one.repository) for one in query.targets] == [
        (3, "shop"),
        (3, "shop"),
        (1, ""),
    ]
    assert [one.path for one in other.targets] == ["c.py"]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("{any_of: [a.py]}", "names fewer than two places"),
        ("{any_of: []}", "names fewer than two places"),
        ("{any_of: a.py}", "field 'any_of' must be a list"),
        ("{any_of: [a.py, {path: b.py, grade: 2}]}", "has 'grade' of its own"),
        ("{any_of: [a.py, {path: b.py, repo: x}]}", "has 'repo' of its own"),
        ("{any_of: [a.py, {any_of: [b.py, c.py]}]}", "has 'any_of' of its own"),
        ("{any_of: [a.py, b.py], path: c.py}", "unknown field 'path'"),
        ("{any_of: [a.py, b.py], grade: 0}", "grade 0 is not from 1"),
    ],
)
def test_a_choice_that_is_none_is_refused(written: str, said: str, tmp_path: Path) -> None:
    """In one line that says where."""
    text = f"queries:\n- id: q\n  query: text\n  expected_files:\n  - {written}\n"
    (tmp_path / "set.yaml").write_text(text, encoding="utf-8")

    with pytest.raises(FixtureError, match=said) as caught:
        read_queries(tmp_path / "set.yaml")

    assert "set.yaml:5: " in caught.value.message
    assert "\n" not in caught.value.message


def test_alternatives_stand_together_at_every_level(documents: Documents) -> None:
    """Be one target of two places, coarser too."""
    found = places(documents, symbol("one", 1, 2), symbol("uno", 1, 2), symbol("two"))

    assert found == [
        (0, "a.py", 1, 6, 1, 0),
        (0, "a.py", 1, 6, 2, 1),
        (0, "b.py", 1, 2, 2, 1),
        (1, "a.py", 1, 2, 2, 2),
        (1, "b.py", 1, 2, 2, 2),
        (1, "a.py", 5, 6, 1, 0),
    ]


def test_alternatives_in_one_file_are_that_file(documents: Documents) -> None:
    """Have no choice where all places are the same, and no target twice."""
    found = places(documents, symbol("one", 1, 3), symbol("two", 1, 3), symbol("one"))

    assert found == [
        (0, "a.py", 1, 6, 3, 0),
        (1, "a.py", 1, 2, 1, 0),
        (1, "a.py", 1, 2, 3, 1),
        (1, "a.py", 5, 6, 3, 1),
    ]


def test_an_alternative_that_is_not_there_is_an_error(documents: Documents) -> None:
    """Verify each place, not only one."""
    with pytest.raises(FixtureError, match="symbol 'unno' is not in the source; did you mean"):
        places(documents, symbol("one", 1), symbol("unno", 1))


@given(st.lists(st.integers(0, 3), max_size=8))
def test_together_keeps_every_target_once_in_order(numbers: list[int]) -> None:
    """Part by number, and nothing that has none."""
    targets = [symbol(f"s{place}", number) for place, number in enumerate(numbers)]

    found = together(targets)

    assert sorted(one.symbol for group in found for one in group) == [t.symbol for t in targets]
    assert len(found) == numbers.count(0) + len(set(numbers) - {0})
    assert all(len({one.alternative for one in group}) == 1 for group in found)
    first = [targets.index(group[0]) for group in found]
    assert first == sorted(first)


def test_verification_counts_a_choice_as_one_symbol(documents: Documents) -> None:
    """Three targets of a task, one of them with an alternative, are enough; two are too few."""
    tree = Tree.of(documents, find_symbols(documents))
    enough = (symbol("one", 1), symbol("uno", 1), symbol("two"), symbol("Box"))

    rules = [
        {one.rule for one in verify(FixtureSet("set", (_task(targets),)), tree).findings}
        for targets in (enough, enough[:3])
    ]

    assert "symbol-count" not in rules[0]
    assert "symbol-count" in rules[1]


def test_verification_warns_of_a_place_that_a_choice_need_not_name(documents: Documents) -> None:
    """A target that is also an alternative is one of them too many; two choices may meet."""
    tree = Tree.of(documents, find_symbols(documents))
    needless = (symbol("one"), symbol("one", 1), symbol("uno", 1))
    meeting = (symbol("one", 1), symbol("uno", 1), symbol("one", 2), symbol("two", 2))

    rules = [
        {one.rule for one in verify(FixtureSet("set", (_task(targets),)), tree).findings}
        for targets in (needless, meeting)
    ]

    assert "duplicate-target" in rules[0]
    assert "duplicate-target" not in rules[1]


def _task(targets: tuple[Target, ...]) -> Entry:
    return Entry(Query("q", "text", targets), "", Place("q.yaml", 1), "tasks")
