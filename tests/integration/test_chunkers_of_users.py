"""A chunker of ten lines is a trial, in Python or as any program."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.launcher.door import run_bench
from retrievers.chunkers import token_ends
from retrievers.errors import ChunkerError
from retrievers.external import CommandChunker, PythonChunker
from retrievers.interface import Documents
from tests.small_study import CART, QUERIES

CHUNKERS = """\
import re


def paragraphs(text, size):
    start = 0
    for gap in re.finditer(r"\\n\\s*\\n", text):
        yield start, gap.end()
        start = gap.end()
    if start < len(text):
        yield start, len(text)


class Halves:
    def cut(self, text, path, overlap):
        print("printed by", path)
        middle = len(text) // 2
        return [(0, middle + overlap), (middle, len(text))]


def broken(text):
    raise ValueError("no idea")


def outside(text):
    return [(0, len(text) + 1)]


def strange(text):
    return [(0.5, 2)]
"""
PROGRAM = """\
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps([[at, at + 1] for at in range(len(asked["text"]))][: asked["size"]]))
"""
DOCUMENTS = Documents.of([("a.md", "größe eins\n\nzwei\n\n\ndrei"), ("b.md", "x\ny\n")])
TOKENS = token_ends(DOCUMENTS)


@pytest.fixture(autouse=True)
def chunkers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put chunkers of a user on the path of Python."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "my_chunkers.py").write_text(CHUNKERS, encoding="utf-8")
    (tmp_path / "lib" / "chunk.py").write_text(PROGRAM, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "lib"))
    return tmp_path


def texts(chunker: PythonChunker | CommandChunker) -> list[str]:
    """Return the texts of the chunks, whose bytes, lines and tokens are checked."""
    chunks = chunker.cut(DOCUMENTS, TOKENS)
    found = [chunks.text(number, DOCUMENTS) for number in range(len(chunks))]
    for number, document in enumerate(chunks.document.tolist()):
        content = DOCUMENTS.text(document).encode()
        start, end = int(chunks.start_byte[number]), int(chunks.end_byte[number])
        assert content[start:end].decode() == found[number]
        assert chunks.start_line[number] == content[:start].count(b"\n") + 1
        assert chunks.end_line[number] == content[: end - 1].count(b"\n") + 1
        ends = np.append(0, TOKENS.of(document))
        assert ends[chunks.start_token[number]] <= start
        assert ends[chunks.end_token[number]] >= end
    return found


def test_a_function_cuts_by_characters() -> None:
    assert texts(PythonChunker("my_chunkers:paragraphs")) == [
        "größe eins\n\n",
        "zwei\n\n\n",
        "drei",
        "x\ny\n",
    ]


def test_a_class_is_called_with_what_it_names_and_may_print() -> None:
    assert texts(PythonChunker("my_chunkers:Halves", overlap=1))[2:] == ["x\ny", "y\n"]


def test_a_program_reads_and_writes_lines(chunkers: Path) -> None:
    program = CommandChunker((sys.executable, str(chunkers / "lib" / "chunk.py")), size=2)

    assert texts(program) == ["g", "r", "x", "\n"]


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("my_chunkers:broken", "a.md: ValueError: no idea"),
        ("my_chunkers:outside", "characters 0 to 24 of a.md are empty or not in it: it has 23"),
        ("my_chunkers:strange", r"a.md: \[0.5, 2\] is not \[start, end\]"),
        ("no_such_module:cut", "No module named 'no_such_module'; install its package or add"),
        ("my_chunkers:nothing", "has no attribute 'nothing'"),
    ],
)
def test_what_goes_wrong_is_one_line(target: str, said: str) -> None:
    with pytest.raises(ChunkerError, match=said) as refused:
        PythonChunker(target).cut(DOCUMENTS, TOKENS)

    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("print('[]')", "answered 1 lines for 2 documents"),
        ("print('x\\n[]')", "a.md: the answer is not JSON: 'x'"),
        ("print('5\\n[]')", "a.md: '5' is not a list"),
        ("raise SystemExit(3)", "ended with status 3"),
        ("import time; time.sleep(60)", "no answer within 0.5 s"),
    ],
)
def test_a_program_that_fails_is_named(code: str, said: str) -> None:
    seconds = 0.5 if "sleep" in code else 60
    program = CommandChunker((sys.executable, "-c", code), timeout_seconds=seconds)

    with pytest.raises(ChunkerError, match=said):
        program.cut(DOCUMENTS, TOKENS)


def test_what_cannot_be_meant_is_refused() -> None:
    with pytest.raises(ChunkerError, match="target=cut: must be package"):
        PythonChunker("cut")
    with pytest.raises(ChunkerError, match="give the program and its arguments as a list"):
        CommandChunker(())


def study(folder: Path, *typed: str, code: int) -> list[dict[str, Any]]:
    """Run a grid on a small repository; return its trials."""
    (folder / "shop").mkdir()
    (folder / "shop" / "cart.py").write_text(CART, encoding="utf-8")
    (folder / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    own = ["suite=own", f"repository={folder / 'shop'}", f"queries={folder / 'queries.yaml'}"]
    fixed = ["tracking=none", "latency=off", "execution=local", "execution.workers=1"]
    places = [f"output={folder / 'out'}", f"store={folder / 'store'}", "retriever=bm25"]
    assert run_bench(["-m", *own, *typed, *fixed, *places], "bench/run.py") == code
    text = (folder / "out/latest/results.json").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(text)["reports"]
    return found


def test_it_is_a_trial_beside_ours(chunkers: Path) -> None:
    ours, theirs = study(
        chunkers, "chunker=symbol,python", "chunker.target=my_chunkers:paragraphs", code=0
    )

    assert theirs["config"]["name"] == "chunker=python"
    assert theirs["summary"]["avg_mrr"] == ours["summary"]["avg_mrr"] == 1
    assert theirs["chunks"]["chunks"] == 2


def test_a_chunker_that_fails_is_a_failed_trial(chunkers: Path) -> None:
    ours, theirs = study(
        chunkers, "chunker=symbol,python", "chunker.target=my_chunkers:broken", code=1
    )

    assert ours["status"] == "complete"
    assert theirs["failures"][0]["cause"] == "chunker: cart.py: ValueError: no idea"
