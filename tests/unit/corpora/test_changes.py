"""A diff is read for the lines that it leaves in the new tree."""

import subprocess
from pathlib import Path

import pytest

from bench.corpora.changes import changed_spans
from bench.errors import UsageError
from retrievers.interface import Span

DIFF = """diff --git a/cart.py b/cart.py
index 1..2 100644
--- a/cart.py
+++ b/cart.py
@@ -1,5 +1,6 @@
 one
-two
+2
+and more
 three
 four
 five
@@ -20,3 +21,2 @@
 twenty
--- a/looks/like/a/header
 twenty-two
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/new.py b/new.py
new file mode 100644
--- /dev/null
+++ b/new.py
@@ -0,0 +1,2 @@
+first
+second
"""


def test_changed_and_added_lines_are_found_and_a_removal_stands_at_the_line_behind() -> None:
    assert changed_spans(DIFF) == (
        Span("cart.py", 2, 3),
        Span("cart.py", 22, 22),
        Span("new.py", 1, 2),
    )


def test_what_git_prints_leads_to_the_lines_that_changed(tmp_path: Path) -> None:
    old = [f"line {number}" for number in range(1, 31)]
    new = [*old[:4], "added", *old[4:9], *old[10:24], "changed", *old[25:]]
    for name, lines in (("old.txt", old), ("new.txt", new)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")

    command = ["git", "diff", "--no-index", "--no-color", "old.txt", "new.txt"]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    spans = changed_spans(shown.stdout)
    assert spans == (Span("new.txt", 5, 5), Span("new.txt", 11, 11), Span("new.txt", 25, 25))
    assert (new[4], new[10], new[24]) == ("added", "line 11", "changed")


@pytest.mark.parametrize("text", ["", "hello\n", "--- a/x\n+++ b/x\n"])
def test_what_changes_nothing_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="no changed lines there"):
        changed_spans(text)


def test_a_hunk_that_is_cut_short_is_refused() -> None:
    with pytest.raises(UsageError, match="line 7: the hunk ends early"):
        changed_spans("\n".join(DIFF.split("\n")[:6]))
