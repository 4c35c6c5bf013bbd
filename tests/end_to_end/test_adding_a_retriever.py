"""A retriever is one module, one YAML file and one row of the catalogue: nothing else."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.small_study import CART, QUERIES

ROOT = Path(__file__).parents[2]
MODULE = '''\
"""Search for the words of a query as they are written."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from retrievers.interface import CHUNKS, DOCUMENTS, Floats, IndexRetriever, Input, ReadInput


@dataclass(frozen=True)
class Substring(IndexRetriever):
    """Find chunks that hold the long words of a query."""

    least_letters: int = 4

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The texts of the chunks."""
        return DOCUMENTS, CHUNKS

    def index(self, read: ReadInput, /) -> "SubstringIndex":
        """Keep the texts."""
        return SubstringIndex(list(read(CHUNKS).all_shown(read(DOCUMENTS))), self.least_letters)


@dataclass(frozen=True)
class SubstringIndex:
    """Chunks, ready to be scored."""

    texts: list[str]
    least_letters: int

    def scores(self, query: str) -> Floats:
        """Return how many of the long words each chunk has."""
        words = [word for word in query.split() if len(word) >= self.least_letters]
        found = [sum(word in text for word in words) for text in self.texts]
        return np.array(found, np.float32)
'''
SETTINGS = """\
# Chunks that hold the words of the query
# When: never
# Index: none
# Query: a scan
kind: substring
least_letters: 4         # shorter words are not looked for
rules: "off"
"""
ROW = '        "grep": Grep,\n'


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the source with a retriever added to it."""
    for folder in ("bench", "retrievers", "conf"):
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    (tmp_path / "retrievers" / "lexical" / "substring.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "conf" / "retriever" / "substring.yaml").write_text(SETTINGS, encoding="utf-8")
    catalogue = tmp_path / "retrievers" / "catalogue.py"
    text = catalogue.read_text(encoding="utf-8")
    imported = "from retrievers.lexical.substring import Substring\n\nRETRIEVERS:"
    assert text.count(ROW) == text.count("\nRETRIEVERS:") == 1
    text = text.replace("\nRETRIEVERS:", imported).replace(
        ROW, f'{ROW}        "substring": Substring,\n'
    )
    catalogue.write_text(text, encoding="utf-8")
    return tmp_path


def study(tree: Path, *typed: str) -> dict[str, Any]:
    """Run a study of the copy on a small repository and return its results."""
    (tree / "shop").mkdir()
    (tree / "shop" / "cart.py").write_text(CART, encoding="utf-8")
    (tree / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    own = ["suite=own", "repository=shop", "queries=queries.yaml", "chunker=symbol"]
    quiet = ["tracking=none", "execution=local", "execution.workers=1"]
    done = subprocess.run(
        [sys.executable, str(tree / "bench" / "run.py"), *own, *quiet, *typed],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(
        (tree / "outputs" / "latest" / "results.json").read_text(encoding="utf-8")
    )
    return found


def test_a_module_a_file_and_a_row_are_a_retriever(tree: Path) -> None:
    """It is swept, judged and timed like those that come with us."""
    found = study(tree, "-m", "retriever=substring", "retriever.least_letters=4,40")

    long, longer = found["reports"]
    assert [one["config"]["retriever.least_letters"] for one in (long, longer)] == [4, 40]
    assert long["summary"]["avg_mrr"] > longer["summary"]["avg_mrr"] == 0
    assert long["summary"]["avg_latency_ms"] > 0


def test_it_can_be_fused_and_ordered_by_rules(tree: Path) -> None:
    """As a channel it has the settings of its module."""
    channels = "retriever.channels=[substring,bm25]"

    found = study(tree, "retriever=hybrid", channels, "latency=off")

    assert [one["config"]["retriever.channels"] for one in found["reports"]] == [
        ["substring", "bm25"]
    ]
    assert found["reports"][0]["summary"]["avg_mrr"] > 0
