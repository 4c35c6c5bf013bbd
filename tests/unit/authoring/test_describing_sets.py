"""`rankgrid fixtures stats` counts what is there."""

import json
from pathlib import Path

import pytest

from bench.cli import main

QUERIES = """\
queries:
- {id: a, query: "sum of the basket", category: usage, tags: [x, y], expected_symbols: [total]}
- {id: b, query: "green apples", difficulty: hard, tags: [x], expected_files: [notes.md, cart.py]}
- {id: c, query: "sum of hats", draft: true, expected_spans: [{path: cart.py, start: 1, end: 2}]}
- {id: d, query: "how to fly", negative: true}
- {id: e, query: "lost", expected_files: [gone.py]}
"""


def described(folder: Path, *arguments: object) -> int:
    (folder / "tree").mkdir()
    cart = 'def total(hats):\n    """Sum it."""\n    return sum(hats)\n'
    (folder / "tree" / "cart.py").write_text(cart, encoding="utf-8")
    (folder / "tree" / "notes.md").write_text("Apples, pears.\n", encoding="utf-8")
    (folder / "q.yaml").write_text(QUERIES, encoding="utf-8")
    where = ("--repository", str(folder / "tree"))
    with pytest.raises(SystemExit) as caught:
        main(["fixtures", "stats", str(folder / "q.yaml"), *where, *map(str, arguments)])
    return int(caught.value.code or 0)


def test_every_count_is_that_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = described(tmp_path, "--json")

    (found,) = json.loads(capsys.readouterr().out)["sets"]
    assert code == 0
    assert (found["queries"], found["negatives"], found["drafts"], found["unfound"]) == (
        5,
        1,
        1,
        1,
    )
    assert found["categories"] == {"(none)": 4, "usage": 1}
    assert found["difficulties"] == {"(none)": 4, "hard": 1}
    assert found["tags"] == {"x": 2, "y": 1}
    assert found["languages"] == {"python": 3, "md": 1}
    assert found["levels"] == {"symbol": 1, "file": 3, "span": 1}
    assert found["targets"] == {"0": 1, "1": 3, "2": 1}


def test_the_overlap_of_words_is_that_of_the_questions_and_their_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    described(tmp_path, "--json")

    (found,) = json.loads(capsys.readouterr().out)["sets"]
    # a: "sum" of "sum basket"; b: "apples" of "green apples"; c: only "hats" of "sum hats"
    # stands in lines 1 and 2, and "sum" in the docstring there: both.
    assert found["overlap"]["mean"] == pytest.approx((0.5 + 0.5 + 1) / 3)
    assert found["overlap"]["quartiles"] == [0.5, 0.5, 0.75]
    assert found["overlap"]["tenths"] == [0, 0, 0, 0, 0, 2, 0, 0, 0, 1]
    assert found["most_alike"][0] == ["c", 1.0]


def test_people_read_the_same_in_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    described(tmp_path)

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "tree: 5 queries, 1 negative, 1 drafts, 1 targets not found"
    assert "  lexical overlap  mean 0.67, median 0.50, half of them 0.50 to 0.75" in lines
    assert lines[-2].split()[:4] == ["0.9", "to", "1.0", "1"]


def test_what_is_neither_a_path_nor_a_shipped_suite_is_wrong_usage(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["fixtures", "stats", "quikc"])

    assert caught.value.code == 2
    assert "quikc: there is no such file, folder or suite" in capsys.readouterr().err
