"""A study inside the repository that it searches: no document gives the questions away."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.results.packed import unpacked

ROOT = Path(__file__).parents[2]
RANKGRID = str(Path(sys.executable).parent / "rankgrid")
QUERIES = """\
queries:
  - {id: q1, query: how are the prices of a cart added up, expected_symbols: [cart.total]}
  - {id: q2, query: take an item out of the cart, expected_symbols: [cart.remove]}
  - {id: q3, query: how is an order found by its number, expected_symbols: [orders.find]}
  - {id: q4, query: send a parcel to Mars by drone, negative: true}
"""
FILES = {
    "src/cart.py": """\
def total(prices):
    return sum(prices)


def remove(items, name):
    del items[name]
""",
    "src/orders.py": '''\
def find(orders, number):
    """An order, by number."""
    return orders[number]
''',
    "docs/shop.md": "A cart has items, and an item has a price. An order has a number.\n",
    "eval/queries.yaml": QUERIES,
}
TEST = """\
QUESTIONS = [
    "How are the prices of a cart added up?",
    "Take an item out "
    "of the cart.",
    "How is an order found by its number?",
]
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A small repository with its queries inside."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a study in the repository and expect an exit code."""
    suite = ["suite=own", "repository=.", "queries=eval/queries.yaml"]
    fast = ["retriever=bm25", "tracking=none", "latency=off", "execution=local"]
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *suite, *fast, *arguments]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert found.returncode == code, found.stderr + found.stdout
    return found


def results(folder: Path) -> dict[str, Any]:
    """Return the results of the last study."""
    text = (folder / "outputs" / "latest" / "results.json").read_text(encoding="utf-8")
    found: dict[str, Any] = unpacked(json.loads(text))
    return found


def test_four_equal_runs_search_equal_documents_and_give_equal_numbers(repository: Path) -> None:
    """Each of them finds the outputs and the baselines of those before."""
    found = []
    for number in range(4):
        run(repository)
        found.append(results(repository))
        save = [RANKGRID, "baseline", "save", "--name", f"run{number}"]
        subprocess.run(save, cwd=repository, capture_output=True, check=True)

    assert len(list((repository / "baselines").iterdir())) == 4
    assert len(list((repository / "outputs").glob("*/results.json"))) >= 4
    assert len({one["corpus"][0]["pin"] for one in found}) == 1
    queries = [one["reports"][0]["query_results"] for one in found]
    assert queries[0] == queries[1] == queries[2] == queries[3]
    shown = {hit["path"] for query in queries[0] for hit in query["retrieved"]}
    assert shown <= {"src/cart.py", "src/orders.py", "docs/shop.md"}


def test_a_test_with_the_questions_ends_the_study_in_one_line(repository: Path) -> None:
    (repository / "tests").mkdir()
    (repository / "tests" / "test_search.py").write_text(TEST, encoding="utf-8")

    refused = run(repository, "chunk=64", code=2)

    assert refused.stdout == ""
    assert refused.stderr.splitlines()[-1] == (
        "rankgrid: question_copies=refuse: tests/test_search.py of "
        f"{repository.name} holds 3 of the 4 questions word for word and is not their answer. "
        "It would rank above the answers. "
        "Remove it, add it to .gitignore, or pass question_copies=allow."
    )
    assert not (repository / "outputs").exists()


def test_the_setting_is_of_the_study(repository: Path) -> None:
    """Trials on documents that some of them refuse could not be compared."""
    refused = run(repository, "-m", "question_copies=refuse,allow", code=2)

    assert "question_copies" in refused.stderr
    assert "belongs to the study as a whole" in refused.stderr


def test_an_allowed_copy_is_told_by_every_page(repository: Path) -> None:
    (repository / "notes.md").write_text(TEST, encoding="utf-8")

    allowed = run(repository, "question_copies=allow")

    said = "question_copies=allow: notes.md of"
    assert said in allowed.stdout
    assert results(repository)["question_copies"]["in_others"][0]["queries"] == ["q1", "q2", "q3"]
    for page in ("report.md", "report.html"):
        text = (repository / "outputs" / "latest" / page).read_text(encoding="utf-8")
        assert said in text.replace("\\", "")
    chosen = (repository / "outputs" / "latest" / "chosen.yaml").read_text(encoding="utf-8")
    assert "question_copies: allow\n" in chosen
    run(repository, "study=outputs/latest/chosen.yaml")  # without --trust
