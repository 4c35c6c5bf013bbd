"""Queries are written on the real command line: in a terminal, and without one."""

import re
import subprocess
from pathlib import Path

import pytest

from bench.queries import Entry, Target, read_entries
from tests.terminal import FIXTURES, Terminal

PROJECT = Path(__file__).parents[2]
SHOP = PROJECT / "fixtures" / "samples" / "shop"
ENGINE = "src/shop/storage/sql/engine.py"
WORDS = "--retrievers=bm25,tiered"
NEW = ("new", "--repository", str(SHOP), "--output", "q.yaml", WORDS)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*FIXTURES, *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )


def new(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(folder, "new", "--repository", str(SHOP), "--output", "q.yaml", *arguments)


def only(path: Path) -> Entry:
    (entry,) = read_entries(path)
    return entry


def number_of(place: str, listing: str) -> str:
    """Return the number under which a place is listed."""
    found = re.search(rf"^\[(\d+)\] \S+ +{re.escape(place)}$", listing, re.MULTILINE)
    assert found, listing
    return found[1]


def test_a_conversation_writes_what_was_marked(tmp_path: Path) -> None:
    with Terminal(tmp_path, *NEW) as terminal:
        terminal.expect("question> ")
        terminal.type("sum of the total amounts of goods")
        listing = terminal.expect("right> ")
        terminal.talk(
            ("99", "no such candidate; give 1 to"),
            ("src/shop/gone.py", "did you mean"),
            (f"{number_of('Cart.total', listing)}=3 src/shop/cart.py:9-12", "category"),
            ("concept_search", "difficulty"),
            ("easy", "saved sum-total-amounts-goods: 2 answers, lexical overlap"),
            ("does it fly", "right> "),
            ("none", "category"),
            ("", "difficulty"),
            ("", "question> "),
            ("", "2 queries added to q.yaml"),
        )

        assert terminal.end() == 0
    first, second = read_entries(tmp_path / "q.yaml")
    assert first.query.targets == (
        Target("symbol", symbol="src/shop/cart.py::Cart.total", grade=3),
        Target("span", path="src/shop/cart.py", start=9, end=12),
    )
    assert (first.query.category, first.query.difficulty) == ("concept_search", "easy")
    assert (second.query.text, second.query.negative) == ("does it fly", True)
    assert not first.draft
    assert not second.draft
    verified = run(tmp_path, "verify", "q.yaml", "--repository", str(SHOP))
    assert "2 queries, 0 errors" in verified.stdout


def test_ctrl_c_loses_nothing_that_was_marked(tmp_path: Path) -> None:
    (tmp_path / "q.yaml").write_text(
        "# mine\nqueries:\n  - {id: a, query: q, expected_symbols: [Cart]}  # kept\n",
        encoding="utf-8",
    )
    with Terminal(tmp_path, *NEW) as terminal:
        terminal.expect("question> ")
        terminal.type("sum of the total amounts of goods")
        terminal.expect("right> ")
        terminal.type("src/shop/cart.py::Cart.total")
        terminal.expect("category (")
        terminal.expect("> ")
        terminal.interrupt()
        terminal.expect("1 query added to q.yaml")

        assert terminal.end() == 130
    first, second = read_entries(tmp_path / "q.yaml")
    assert (first.query.id, first.draft) == ("a", False)
    assert (second.query.text, second.draft) == ("sum of the total amounts of goods", True)
    assert second.query.targets == (Target("symbol", symbol="src/shop/cart.py::Cart.total"),)
    text = (tmp_path / "q.yaml").read_text("utf-8")
    assert "# mine\n" in text
    assert "# kept\n" in text
    assert {path.name for path in tmp_path.iterdir()} == {"q.yaml", ".rankgrid"}


def test_everything_can_be_given_on_the_command_line(tmp_path: Path) -> None:
    labels = ("--category", "usage", "--difficulty", "hard", "--tag", "x", "--notes", "n")
    places = ("--relevant", "src/shop/cart.py::Cart.total=3", "--relevant", "README.md")

    first = new(tmp_path, "--question", "what it costs", *places, *labels, "--id", "costs")
    second = new(tmp_path, "--question", "does it fly", "--negative", "--draft")

    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    costs, fly = read_entries(tmp_path / "q.yaml")
    assert costs.query.id == "costs"
    assert costs.query.targets == (
        Target("file", path="README.md"),
        Target("symbol", symbol="src/shop/cart.py::Cart.total", grade=3),
    )
    assert (costs.query.category, costs.query.difficulty) == ("usage", "hard")
    assert (costs.query.tags, costs.query.notes) == (("x",), "n")
    assert (fly.query.negative, fly.draft) == (True, True)


def test_candidates_are_listed_the_same_for_a_seed_and_written_nowhere(tmp_path: Path) -> None:
    asked = ("--question", "sum of the total amounts of goods", WORDS)

    first, again = new(tmp_path, *asked), new(tmp_path, *asked)
    other = new(tmp_path, *asked, "--seed", "7")

    assert first.returncode == 0, first.stderr
    assert first.stdout == again.stdout != other.stdout
    assert sorted(_places(first.stdout)) == sorted(_places(other.stdout))
    assert "nothing was written; add --relevant PLACE" in first.stdout
    assert not (tmp_path / "q.yaml").exists()


def _places(listing: str) -> list[str]:
    return re.findall(r"^\[\d+\] (\S+)", listing, re.MULTILINE)


WRONG = {
    "both": (("--question", "q", "--negative", "--relevant", "README.md"), 2, "or --negative"),
    "no question": (("--negative",), 2, "add --question TEXT"),
    "no terminal": ((), 2, "not an interactive terminal"),
    "no such place": (("--question", "q", "--relevant", "READM.md"), 1, "did you mean README.md"),
    "no such lines": (("--question", "q", "--relevant", "README.md:70-90"), 1, "the file has"),
    "no such name": (("--question", "q", "--relevant", "src/shop/cart.py::Car"), 1, "Cart"),
    "no grade": (("--question", "q", "--relevant", "README.md=0"), 2, "is not from 1 to 100"),
    "given away": (
        (
            "--question",
            "what is SqlStore",
            "--relevant",
            "src/shop/storage/sql/engine.py::SqlStore",
        ),
        1,
        "contains the name of its answer",
    ),
    "no such retriever": (("--question", "q", "--retrievers", "bm26"), 2, "there are bm25"),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_what_is_wrong_is_one_line_and_nothing_is_written(
    wrong: tuple[tuple[str, ...], int, str], tmp_path: Path
) -> None:
    arguments, code, words = wrong

    found = new(tmp_path, *arguments)

    assert found.returncode == code
    assert words in found.stderr
    assert found.stderr.count("\n") == 1
    assert not (tmp_path / "q.yaml").exists()


def test_a_question_is_asked_once(tmp_path: Path) -> None:
    new(tmp_path, "--question", "What it costs", "--relevant", "README.md")

    found = new(tmp_path, "--question", "what  it costs", "--relevant", "README.md")

    assert found.returncode == 2
    assert "is already asked by query 'costs'" in found.stderr
    assert only(tmp_path / "q.yaml").query.id == "costs"
