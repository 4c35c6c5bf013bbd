"""Command lines with a mistake: the folder that they are typed in, and what they answer there."""

import io
import json
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from bench.cli.program import main
from bench.launcher.door import run_bench
from tests.small_study import CART, QUERIES

TABLE = Path(__file__).parent / "end_to_end" / "wrong_lines.txt"
_OWN = "suite=own repository=code queries=queries.yaml retriever=bm25 tracking=none"
_SHORT = {
    "$OWN": f"{_OWN} execution=local latency=off",
    "$ASK": "suite=own repository=code retriever=bm25 tracking=none",
    "$LONG": "x" * 300,
}
"""What stands for settings that many lines share."""


@dataclass(frozen=True)
class WrongLine:
    """A command line and the one line that it answers; `…` stands for any text."""

    typed: str
    answer: str = ""

    @property
    def arguments(self) -> list[str]:
        """The command line as a shell would hand it over."""
        text = self.typed
        for name, meaning in _SHORT.items():
            text = text.replace(name, meaning)
        return shlex.split(text)

    def is_answered_by(self, text: str) -> bool:
        """Tell whether a text is the answer, and no more than that."""
        parts = map(re.escape, self.answer.split("…"))
        return re.fullmatch(".*".join(parts), text) is not None


def wrong_lines() -> Iterator[WrongLine]:
    """Yield the lines of the table: `$ COMMAND`, and below it the answer."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    for typed, answer in zip(lines, [*lines[1:], ""], strict=True):
        if typed.startswith("$ "):
            yield WrongLine(typed.removeprefix("$ "), "" if answer.startswith("$ ") else answer)


@dataclass(frozen=True)
class Answer:
    """What a command line did."""

    code: int
    output: str
    errors: str

    @property
    def line(self) -> str:
        """What the user reads, without the name of the program before it."""
        return self.errors.strip().removeprefix("rankgrid: ")


def answered(line: WrongLine) -> Answer:
    """Return what a command line answers in the current folder; it runs in this process."""
    program, *arguments = line.arguments
    output, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(output), redirect_stderr(errors):
        code = _code(program, arguments)
    return Answer(code, output.getvalue(), errors.getvalue())


def _code(program: str, arguments: list[str]) -> int:
    if program == "bench":
        return run_bench(arguments, "rankgrid bench")
    try:
        main(arguments)
    except SystemExit as end:
        return int(end.code or 0)
    return 0


_QUERY = "{id: q1, query: how are prices added up, expected_symbols: [cart.Cart.total]}"
_FILES = {
    "code/cart.py": CART,
    "queries.yaml": QUERIES,
    "empty.yaml": "",
    "list.yaml": "[1, 2]\n",
    "text.yaml": "these are no queries\n",
    "no_queries.yaml": "queries: []\n",
    "null_queries.yaml": "queries:\n",
    "mapping.yaml": "queries: {a: b}\n",
    "question.yaml": "queries:\n  - {id: q1, question: how, expected_files: [cart.py]}\n",
    "near.yaml": "queries:\n  - {id: q1, query: how, expected_symbol: [cart.Cart.total]}\n",
    "symbols.yaml": "queries:\n  - {id: q1, query: how, expected_symbols: cart.Cart.total}\n",
    "far.yaml": "queries:\n  - {id: q1, query: how, colour: red}\n",
    "top.yaml": f"query:\n  - {_QUERY}\n",
    "top_many.yaml": f"querys:\n  - {_QUERY}\n",
    "unresolved.yaml": "queries:\n  - {id: q1, query: how, expected_symbols: [cart.Cart.totl]}\n",
    "gone.yaml": "queries:\n  - {id: q1, query: how, expected_files: [nowhere.py]}\n",
    "broken.yaml": "queries:\n  - {id: q1, query: [\n",
    "drafts.yaml": f"queries:\n  - {_QUERY[:-1]}, draft: true}}\n",
    "query.jsonl": '{"id": "q1", "query": "how", "expected": ["cart.py:1-2"]}\n',
    "golden.jsonl": '{"id": "q1", "query": "how", "expected_chunks": ["cart.py:1-2"]}\n',
    "near.jsonl": '{"id": "q1", "questoin": "how", "expected_chunks": ["cart.py:1-2"]}\n',
    "broken.jsonl": '{"id": "q1", "question": "how"\n',
    "array.jsonl": "[1, 2]\n",
    "empty.jsonl": "",
    "queries.csv": "query,references,corpus_id\n",
    "characters/questions.csv": "query,references,corpus_id\nhow,[],cart\n",
    "characters/corpora/cart.md": CART,
    "near_characters/questions.csv": "questoin,references,corpus_id\nhow,[],cart\n",
    "near_characters/corpora/cart.md": CART,
    "image.png": "\x89PNG\n",
    "other.yaml": "services:\n  web:\n    image: nginx\n",
    "chart.yaml": "apiVersion: v2\nname: chart\n",
    "misspelt.yaml": "retriver: bm25\n",
    "plain.txt": "text\n",
    "other.json": json.dumps({"a": 1}),
    "suite_list.yaml": "- a\n",
    "suite_none.yaml": "name: mine\nrepositories: []\n",
    "suite_near.yaml": "name: mine\nrepositorys: []\n",
    "suite_text.yaml": "name: mine\nrepositories: code\n",
}


def write_folder(folder: Path) -> None:
    """Write the files that the lines of the table name."""
    for name, content in _FILES.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode("latin-1"))
