"""With share.text=false no text of sources and questions is in what a study leaves behind."""

import base64
import gzip
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

ROOT = Path(__file__).parents[2]
MARK, ASKED = "zebrafinch", "quokka"
"""A word of the source that no name has, and a word of a question."""
CODE = f'''\
def total(prices):
    """Add the prices up, as a {MARK} would."""
    return sum(prices)  # {MARK}


def broken(order):
    """Find an order. The {MARK} knows its number."""
    return order["{MARK}"]
'''
NOTES = f"# The {MARK} of the shop\n\nA {MARK} adds the prices up and finds orders.\n"
QUERIES = f"""\
queries:
  - {{id: q1, query: how does the {ASKED} add prices up, expected_symbols: [cart.total]}}
  - {{id: q2, query: find an order, expected_files: [notes.md]}}
  - {{id: q3, query: send a parcel by {ASKED}, negative: true}}
"""
COMPLAINING = f"""\
import sys
if sys.argv[1] in sys.argv[2]:
    sys.exit("cannot read {MARK}")
print('{{"hits": []}}')
"""


def study(folder: Path, *settings: str, code: int = 0) -> str:
    """Run a study with answers on a small repository, sent to MLflow; return its errors."""
    own = ["suite=own", "repository=code", "queries=queries.yaml", "latency=off"]
    light = ["retriever=bm25", "execution=local", "execution.workers=1"]
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *own, *light, *settings]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stderr


def written(folder: Path) -> Iterator[Path]:
    """Yield every file that a study left, but for the store, which is this machine's memory."""
    for top in ("outputs", ".rankgrid"):
        for path in sorted((folder / top).rglob("*")):
            if path.is_file() and not path.is_relative_to(folder / ".rankgrid" / "store"):
                yield path


def content_of(path: Path) -> bytes:
    """Return the content of a file, and that of what is packed in it."""
    content = path.read_bytes()
    if path.suffix == ".parquet":
        return str(pq.read_table(path).to_pylist()).encode()
    if path.suffix == ".html":
        packed = re.findall(rb'<script type="text/plain" id="rows">([^<]+)', content)
        assert packed
        return content + gzip.decompress(base64.b64decode(packed[0]))
    return content


def files_with(paths: Iterable[Path], word: str) -> set[str]:
    """Return the names of the files that a word is in."""
    return {path.name for path in paths if word.encode() in content_of(path)}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Return a folder with a small repository and its queries."""
    (tmp_path / "code").mkdir()
    (tmp_path / "outputs").mkdir()
    (tmp_path / "code" / "cart.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "code" / "notes.md").write_text(NOTES, encoding="utf-8")
    (tmp_path / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("share", ["true", "false"])
def test_text_is_in_every_result_or_in_none(shop: Path, share: str) -> None:
    gate = ["--markdown", "outputs/gate.md", "--junit", "outputs/gate.xml"]
    gate += ["--gate-json", "outputs/gate.json"]
    study(shop, "answerer=extractive", f"share.text={share}", "--min", "mrr=0.1", *gate)

    names = {path.name for path in written(shop)}
    assert names >= {"results.json", "report.html", "FINDINGS.md", "mlflow.db", "gate.md"}
    if share == "true":
        assert files_with(written(shop), MARK) >= {
            "results.json",
            "report.html",
            "queries.parquet",
        }
        assert files_with(written(shop), ASKED) >= {"results.json", "report.html", "FINDINGS.md"}
    else:
        assert files_with(written(shop), MARK) == set()
        assert files_with(written(shop), ASKED) == set()


@pytest.mark.parametrize("fails_on", ["", "find"], ids=["every query", "one query"])
def test_errors_that_quote_text_are_withheld_and_studies_can_be_compared(
    shop: Path, fails_on: str
) -> None:
    """A program that complains of what it read; the baseline was made with its questions."""
    program = shop / "engine.py"
    program.write_text(COMPLAINING, encoding="utf-8")
    words = [sys.executable, str(program), fails_on, "{query}"]
    engine = ["retriever=command", f"retriever.command={words}"]
    first = ["tracking=none", "share.text=true"]
    study(shop, *first)
    study(shop, *first, *engine, "output=loud", code=1)
    assert MARK in (shop / "loud" / "latest" / "results.json").read_text(encoding="utf-8")

    quiet = ["tracking=none", "share.text=false"]
    study(shop, *quiet, *engine, "output=quiet", code=1)
    study(
        shop,
        *quiet,
        "chunk=32",
        "output=quiet",
        "--baseline",
        "outputs/latest",
        "--markdown",
        "quiet/gate.md",
    )

    quiet_files = [path for path in (shop / "quiet").rglob("*") if path.is_file()]
    assert "results.json" in {path.name for path in quiet_files}
    assert files_with(quiet_files, MARK) == files_with(quiet_files, ASKED) == set()
    assert "passed" in (shop / "quiet" / "gate.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        (
            ["retriever=dense", "embedder=server", "embedder.model=m"],
            "embedder.url=https://example.com/x",
        ),
        (["reranker=server"], "reranker.url=https://example.com/x"),
        (["answerer=openai", "answerer.model=m"], "answerer.url=https://example.com/x"),
        (["retriever=http"], "retriever.url=https://example.com/x"),
        ([], "store=s3://bucket/store"),
        (["execution=ray"], "execution.address=ray://10.0.0.1:10001"),
        (["retriever=dense", "vectors=server"], "vectors.url=https://example.com/x"),
    ],
)
def test_other_machines_are_refused_in_one_line(
    shop: Path, settings: list[str], named: str
) -> None:
    said = study(shop, *settings, named, "share.text=false", "tracking=none", code=2)

    assert f"{named}: is not on this machine, and share.text=false keeps text on it." in said
    assert said.count("\n") == 1
    assert not (shop / ".rankgrid").exists()


def test_a_server_on_this_machine_is_not_refused(shop: Path) -> None:
    here = ["retriever=dense", "embedder=server", "embedder.model=m", "share.text=false"]
    said = study(shop, *here, "embedder.url=http://127.0.0.1:9/v1/embeddings", "--plan")

    assert "is not on this machine" not in said
