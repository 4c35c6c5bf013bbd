"""What is made of patches: the old lines they change, file by file, and the functions."""

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.errors import FixtureError
from bench.queries import (
    Commit,
    Query,
    Target,
    read_asked,
    read_issues,
    read_queries,
    resolve,
    split_at_definitions,
)
from bench.queries.diffs import DiffError, parse_diff
from bench.queries.offsets import Offsets
from retrievers.interface import Documents
from retrievers.source import find_symbols

FIRST, SECOND = "a" * 40, "b" * 40
CHANGE = """diff --git a/src/cart.py b/src/cart.py
index 1..2 100644
--- a/src/cart.py
+++ b/src/cart.py
@@ -1,4 +1,3 @@ class Cart:
 one
-two
-three
+2
 four
@@ -10,2 +9,3 @@
 ten
+ten and a half
 eleven
"""
NEW = """diff --git a/new.py b/new.py
new file mode 100644
--- /dev/null
+++ b/new.py
@@ -0,0 +1 @@
+x = 1
"""
DELETED = """diff --git a/old.py b/old.py
deleted file mode 100644
--- a/old.py
+++ /dev/null
@@ -1,2 +0,0 @@
-a
-b
\\ No newline at end of file
"""
RENAMED = """diff --git a/lib/a.py b/lib/b.py
similarity index 90%
rename from lib/a.py
rename to lib/b.py
--- a/lib/a.py
+++ b/lib/b.py
@@ -3 +3 @@
-x
+y
"""
MOVED = """diff --git a/a b.py b/c.py
similarity index 100%
rename from a b.py
rename to c.py
"""
MODE = "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n"
BINARY = "diff --git a/i.png b/i.png\nindex 1..2 100644\nBinary files a/i.png and b/i.png differ\n"
COPIED = """diff --git a/a.py b/c.py
similarity index 90%
copy from a.py
copy to c.py
--- a/a.py
+++ b/c.py
@@ -3 +3 @@
-x
+y
"""
PLAIN = "--- src/x.py\t2020-01-01\n+++ src/x.py\t2020-01-02\n@@ -7 +7 @@\n-a\n+b\n"
QUOTED = 'diff --git "a/caf\\303\\251.py" "b/caf\\303\\251.py"\nold mode 100644\nnew mode 1\n'
DASHES = "--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- comment\n+++ more\n \n"
PATCHES = {
    "several hunks": (CHANGE, [("src/cart.py", [(2, 3), (10, 10)])]),
    "a new file": (NEW, [(None, [])]),
    "a deleted file": (DELETED, [("old.py", [(1, 2)])]),
    "a rename with a change": (RENAMED, [("lib/a.py", [(3, 3)])]),
    "a mere rename": (MOVED, [("a b.py", [])]),
    "a mode": (MODE, [("run.sh", [])]),
    "a binary file": (BINARY, [("i.png", [])]),
    "a copy, whose source stays": (COPIED, [(None, [])]),
    "no prefixes and times": (PLAIN, [("src/x.py", [(7, 7)])]),
    "two without git's line": (PLAIN + PLAIN, [("src/x.py", [(7, 7)])] * 2),
    "a quoted name": (QUOTED, [("café.py", [])]),
    "lines that look like headers": (DASHES, [("q.sql", [(1, 1)])]),
    "a letter around it": ("From: me\n\n" + MODE + "-- \n2.30\n", [("run.sh", [])]),
    "several files": (CHANGE + NEW + MODE, [("src/cart.py", [(2, 3), (10, 10)]), (None, []),
                                            ("run.sh", [])]),
    "addition before a blank line's successor": (
        "--- a/f\n+++ b/f\n@@ -4,3 +4,4 @@\n x\n \n+new\n y\n",
        [("f", [(6, 6)])],
    ),
    "addition at the end": ("--- a/f\n+++ b/f\n@@ -4 +4,2 @@\n x\n+new\n", [("f", [(4, 4)])]),
    "addition at the start": ("--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n+new\n x\n", [("f", [(1, 1)])]),
    "addition without context": ("--- a/f\n+++ b/f\n@@ -5,0 +6 @@\n+new\n", [("f", [(5, 5)])]),
    "addition to an empty file": ("--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+new\n", [("f", [])]),
    "a context line stripped of its blank": (
        "--- a/f\n+++ b/f\n@@ -1,3 +1,2 @@\n x\n\n-y\n",
        [("f", [(3, 3)])],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("patch", "expected"), PATCHES.values(), ids=PATCHES.keys())
def test_a_patch_is_read_as_old_files_and_lines(
    patch: str, expected: list[tuple[str | None, list[tuple[int, int]]]]
) -> None:
    assert [(one.old_path, one.spans) for one in parse_diff(patch)] == expected


WRONG_PATCHES = {
    "no patch": ("nothing\n", "line 1"),
    "cut short": ("--- a/f\n+++ b/f\n@@ -1,3 +1 @@\n x\n", "line 3 of the patch: the hunk is cut"),
    "too long": (
        "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n-y\n",
        "line 5 of the patch: the hunk is not",
    ),
    "another line": ("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\nx\n", "line 4 of the patch"),
    "a hunk without a file": ("@@ -1 +1 @@\n-x\n+y\n", "line 1 of the patch: a hunk without"),
    "a hunk without a range": ("--- a/f\n+++ b/f\n@@ x @@\n", "line 3 of the patch"),
}


@pytest.mark.parametrize(("patch", "words"), WRONG_PATCHES.values(), ids=WRONG_PATCHES.keys())
def test_a_patch_that_is_wrong_is_refused_with_its_line(patch: str, words: str) -> None:
    with pytest.raises(DiffError, match=words):
        parse_diff(patch)


PIECES = st.sampled_from(
    ["--- a/f\n", "+++ b/f\n", "@@ -1,2 +1 @@\n", "@@ -0,0 +1 @@\n", "-x\n", "+y\n", " z\n", "\n"]
)


@given(st.lists(PIECES | st.text(max_size=20), max_size=12))
def test_any_text_is_a_patch_or_refused(pieces: list[str]) -> None:
    try:
        changes = parse_diff("".join(pieces))
    except DiffError as error:
        assert str(error).startswith("line ")  # noqa: PT017 - most texts are refused, not all
    else:
        assert all(1 <= start <= end for one in changes for start, end in one.spans)


LINES = st.lists(st.sampled_from(["a", "b", "", "--- a/f", "+++ b/f", "@@ -1 +1 @@"]), max_size=9)


@settings(deadline=None, max_examples=25)
@given(old=LINES, new=LINES, context=st.integers(0, 3))
def test_every_line_that_git_takes_away_is_in_a_span(
    old: list[str], new: list[str], context: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("diff")
    for name, lines in (("old", old), ("new", new)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    command = ["git", "diff", "--no-index", f"-U{context}", "old", "new"]
    patch = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout
    if not patch:
        return

    (change,) = parse_diff(patch)

    changed = {line for start, end in change.spans for line in range(start, end + 1)}
    removed = {place for place, line in enumerate(old, 1)} - kept(patch, old)
    assert removed <= changed
    assert all(1 <= line <= len(old) for line in changed)


def kept(patch: str, old: list[str]) -> set[int]:
    """Return the old lines that a patch keeps, found by applying it the slow way."""
    found, line, in_hunk, left = set(range(1, len(old) + 1)), 0, False, 0
    for text in patch.splitlines():
        if not in_hunk or left == 0:
            in_hunk = text.startswith("@@ ")
            if in_hunk:
                sides = text.split()[1:3]
                counts = [int([*one.split(","), "1"][1]) for one in sides]
                line, left = int(sides[0][1:].split(",")[0]), sum(counts)
            continue
        left -= 2 if text[:1] == " " else text[:1] in "+-"
        if text.startswith("-"):
            found.discard(line)
        line += text[:1] in " -"
    return found


def record(**changed: object) -> str:
    fields: dict[str, object] = {
        "instance_id": "shop-1",
        "repo": "someone/shop",
        "base_commit": FIRST,
        "problem_statement": "carts lose goods",
        "patch": CHANGE,
        "hints_text": "",
        "FAIL_TO_PASS": ["test_a"],
    }
    return json.dumps({**fields, **changed}) + "\n"


def issues(folder: Path, *records: str) -> Path:
    path = folder / "issues.jsonl"
    path.write_text("".join(records), encoding="utf-8")
    return path


def test_issues_are_queries_by_commit(tmp_path: Path) -> None:
    path = issues(
        tmp_path,
        record(),
        record(instance_id="shop-2", base_commit=SECOND, patch=MODE),
        record(instance_id="shop-3", patch=DELETED + NEW),
        record(instance_id="other-1", repo="someone/other", patch=MODE),
    )

    found = read_issues(path, repository="someone/shop")

    assert list(found) == [Commit("someone/shop", FIRST), Commit("someone/shop", SECOND)]
    first, third = found[Commit("someone/shop", FIRST)]
    assert first == Query(
        "shop-1",
        "carts lose goods",
        (
            Target("file", path="src/cart.py"),
            Target("span", path="src/cart.py", start=2, end=3),
            Target("span", path="src/cart.py", start=10, end=10),
        ),
    )
    assert third.targets == (
        Target("file", path="old.py"),
        Target("span", path="old.py", start=1, end=2),
    )
    assert len(read_issues(path)) == 3


def test_issues_of_one_commit_are_a_file_of_queries(tmp_path: Path) -> None:
    path = issues(tmp_path, record(), record(instance_id="shop-2"))

    assert [query.id for query in read_queries(path)] == ["shop-1", "shop-2"]


def test_issues_of_several_commits_are_not(tmp_path: Path) -> None:
    path = issues(tmp_path, record(), record(instance_id="shop-2", base_commit=SECOND))

    with pytest.raises(FixtureError, match=r"issues\.jsonl:2: .*another commit"):
        read_queries(path)


def test_changed_lines_count_as_every_function_they_change() -> None:
    text = "def a():\n    x = 1\n    return x\ndef b():\n    return 2\n\nc = 3\n"
    documents = Documents.of([("m.py", text)])
    symbols = find_symbols(documents)
    query = Query(
        "q", "?", (Target("file", path="m.py"), Target("span", path="m.py", start=3, end=7))
    )

    (parted,) = split_at_definitions([query], documents, symbols)

    assert [(one.start, one.end) for one in parted.targets] == [(0, 0), (3, 3), (4, 5), (6, 7)]
    found = resolve([parted], documents, symbols)
    functions = [
        Offsets(documents, 0).lines_of_bytes(start, end)
        for level, start, end in zip(found.level, found.start_byte, found.end_byte, strict=True)
        if level == 1
    ]
    assert functions == [(1, 3), (4, 5), (6, 7)]


def test_spans_in_files_that_are_not_there_stay_whole() -> None:
    query = Query("q", "?", (Target("span", path="gone.py", start=3, end=7),))
    documents = Documents.of([("m.py", "x = 1\n")])

    assert split_at_definitions([query], documents, find_symbols(documents)) == (query,)


WRONG_ISSUES = {
    "a short commit": (record(base_commit="abc"), ":1:", "whole commit hash"),
    "a missing field": (record(patch=None), ":1:", "'patch'"),
    "a broken patch": (record(patch=CHANGE[:-10]), ":1:", "line 11 of the patch"),
    "only new files": (record(patch=NEW), ":1:", "changes nothing that the base commit has"),
    "a path upwards": (record(patch=MODE.replace("run.sh", "../x")), ":1:", "contains '..'"),
    "an id twice": (record() + record(), ":2:", "appears twice"),
    "bad JSON": (record() + "{]\n", ":2:", "not valid JSON"),
    "nothing": ("\n", ": ", "holds no issues"),
}


@pytest.mark.parametrize(("text", "place", "words"), WRONG_ISSUES.values(), ids=WRONG_ISSUES)
def test_wrong_issues_are_one_line_with_place(
    tmp_path: Path, text: str, place: str, words: str
) -> None:
    path = issues(tmp_path, text)

    with pytest.raises(FixtureError) as caught:
        read_issues(path)

    assert caught.value.message.startswith(f"{path}{place}")
    assert words in caught.value.message
    assert "\n" not in caught.value.message


def test_the_repositories_of_issues_are_listed_where_the_suite_has_none_of_them(
    tmp_path: Path,
) -> None:
    names = [f"someone/{number}" for number in range(12)]
    path = tmp_path / "issues.jsonl"
    records = (
        {
            "instance_id": f"i-{name}",
            "repo": name,
            "base_commit": FIRST,
            "problem_statement": "it fails",
            "patch": CHANGE,
        }
        for name in names
    )
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")

    with pytest.raises(FixtureError) as error:
        read_asked(path, repository="shop")

    message = error.value.message
    assert "no query is about repository 'shop', but about someone/0, someone/1, " in message
    assert "someone/9 and 2 more; give the repository of the suite one of these names" in message
