"""Drafts are reviewed on the real command line, by what is piped into it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.queries import read_entries
from tests.terminal import Terminal

PROJECT = Path(__file__).parents[2]
SHOP = PROJECT / "fixtures" / "samples" / "shop"
RANKGRID = Path(sys.executable).parent / "rankgrid"
DRAFTS = """\
# of the shop
queries:
  - id: total   # the first
    query: how is the sum of a cart computed
    draft: true
    expected_symbols: [cart.Cart.total]
  - {id: store, query: what is SqlStore, draft: true, expected_symbols: [SqlStore, Gone]}
  - id: fly
    query: does it fly
    negative: true
    draft: true
  - {id: done, query: what is shop, expected_files: [README.md]}
"""


def review(
    folder: Path, answers: str, *, editor: str = "", repository: Path = SHOP
) -> subprocess.CompletedProcess[str]:
    command = [str(RANKGRID), "fixtures", "review", "q.yaml", "--repository", str(repository)]
    environment = {**os.environ, "EDITOR": editor, "VISUAL": ""}
    return subprocess.run(
        command,
        cwd=folder,
        input=answers,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def drafts(folder: Path) -> list[str]:
    return [one.query.id for one in read_entries(folder / "q.yaml") if one.draft]


def an_editor(folder: Path, before: str, after: str) -> str:
    """Return the command of an editor that replaces some words, with a name to be quoted."""
    program = folder / "an editor.py"
    program.write_text(
        "import pathlib, sys\n"
        "file = pathlib.Path(sys.argv[-1])\n"
        f"file.write_text(file.read_text('utf-8').replace({before!r}, {after!r}), 'utf-8')\n",
        encoding="utf-8",
    )
    return f"'{sys.executable}' '{program}' --wait"


def test_a_review_goes_on_where_it_stopped(tmp_path: Path) -> None:
    (tmp_path / "q.yaml").write_text(DRAFTS, encoding="utf-8")

    first = review(tmp_path, "what\na\n")  # then the input ends
    kept = (tmp_path / "q.yaml").read_text("utf-8")
    second = review(tmp_path, "a\nr\ns\n")

    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert kept == DRAFTS.replace("    draft: true\n    expected", "    expected")
    assert "draft 1 of 3: total (q.yaml:3)" in first.stdout
    assert "    16 >     def total(self):\n" in first.stdout
    assert "    12       def __init__(self):\n" in first.stdout
    assert "1 accepted, 0 rejected (removed), 2 drafts are left" in first.stdout
    assert "draft 1 of 2: store (q.yaml:6)" in second.stdout
    assert "not accepted, because an answer is wrong" in second.stdout
    assert "0 accepted, 1 rejected (removed), 1 draft is left" in second.stdout
    assert drafts(tmp_path) == ["fly"]
    assert "# the first" in (tmp_path / "q.yaml").read_text("utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["q.yaml"]


def test_a_draft_is_edited_until_it_is_right(tmp_path: Path) -> None:
    (tmp_path / "q.yaml").write_text(DRAFTS, encoding="utf-8")
    wrong = an_editor(tmp_path, "draft: true", "drafd: true")

    refused = review(tmp_path, "s\ne\nq\n", editor=wrong)
    unchanged = (tmp_path / "q.yaml").read_text("utf-8")
    right = an_editor(
        tmp_path,
        "what is SqlStore, draft: true, expected_symbols: [SqlStore, Gone]",
        "where do carts go, expected_symbols: [SqlStore]",
    )
    edited = review(tmp_path, "s\ne\nq\n", editor=right)

    assert "the edited query:3: a query has an unknown field 'drafd'" in refused.stdout
    assert unchanged == DRAFTS
    assert "1 accepted, 0 rejected (removed), 2 drafts are left" in edited.stdout
    assert drafts(tmp_path) == ["total", "fly"]
    assert "{id: store, query: where do carts go, expected_symbols: [SqlStore]}\n" in (
        tmp_path / "q.yaml"
    ).read_text("utf-8")


def test_an_editor_that_fails_changes_nothing_and_no_shell_sees_it(tmp_path: Path) -> None:
    (tmp_path / "q.yaml").write_text(DRAFTS, encoding="utf-8")

    failed = review(tmp_path, "e\nq\n", editor="false")
    missing = review(tmp_path, "e\nq\n", editor="no-such-editor; touch made")

    assert "EDITOR=false: ended with exit code 1; edit it again" in failed.stdout
    assert "cannot be started" in missing.stdout
    assert (failed.returncode, missing.returncode) == (0, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["q.yaml"]
    assert (tmp_path / "q.yaml").read_text("utf-8") == DRAFTS


def test_code_is_shown_in_80_columns_without_signs_that_a_terminal_obeys(tmp_path: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    lines = [f"    value = {number}  # {'x' * 100}" for number in range(40)]
    body = "\n".join(["def total():", "    '\x1b[31mred\u202e'", *lines])
    (code / "cart.py").write_text(body, encoding="utf-8")
    (tmp_path / "q.yaml").write_text(
        f'queries:\n- {{id: a, query: "{"sum of all " * 20}", draft: true, '
        "expected_symbols: [cart.total]}\n",
        encoding="utf-8",
    )

    shown = review(tmp_path, "v\nq\n", repository=code).stdout

    assert max(map(len, shown.split("\n"))) <= 80
    assert not {"\x1b", "\u202e"} & set(shown)
    assert "     2 >     '�[31mred�'\n" in shown
    assert "  … 22 more lines; v shows all\n" in shown
    assert shown.count("    42 >     value = 39") == 1


def test_what_cannot_be_reviewed_is_told(tmp_path: Path) -> None:
    (tmp_path / "q.yaml").write_text(DRAFTS.replace("draft: true", "draft: false"), "utf-8")
    none = review(tmp_path, "")
    (tmp_path / "q.yaml").write_text(
        '{"id": "a", "question": "q", "draft": true, "expected_chunks": []}\n'
    )
    other = review(tmp_path, "")

    assert (none.returncode, none.stdout) == (0, "q.yaml: has no drafts\n")
    assert other.returncode == 2
    assert "q.yaml: is not a query set" in other.stderr


def test_a_terminal_shows_long_code_in_the_pager(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "q.yaml").write_text(DRAFTS, encoding="utf-8")
    pager = f"'{sys.executable}' -c 'import sys; print(len(sys.stdin.readlines()), sys.argv)' -x"
    monkeypatch.setenv("PAGER", pager)

    with Terminal(tmp_path, "review", "q.yaml", "--repository", str(SHOP)) as terminal:
        terminal.expect("quit> ")
        terminal.type("v")
        terminal.expect("13 ['-c', '-x']")
        terminal.expect("quit> ")
        terminal.interrupt()
        terminal.expect("0 accepted, 0 rejected (removed), 3 drafts are left")

        assert terminal.end() == 130
