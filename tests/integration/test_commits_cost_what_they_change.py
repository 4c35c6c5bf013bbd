"""A further commit is made of what is stored of the one before, and ranks as a fresh one does."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.results.packed import unpacked
from tests.integration.git_repositories import Repository

DOOR = str(Path(__file__).parents[2] / "bench" / "run.py")
FILES = 120
RETRIEVERS = "retriever=bm25,lexical,graph"


def module(number: int, line: str) -> str:
    """Return a module of its own words; large enough that its repository is stored as a delta."""
    functions = [
        f"def weigh_{number}_{part}(parcel_{number}):\n"
        f'    """Weigh the parcel number {number * part} of the depot."""\n'
        f"    return parcel_{number}.grams * {part}\n"
        for part in range(20)
    ]
    return "\n\n".join([f"{line}\n", *functions])


@pytest.fixture
def history(tmp_path: Path) -> list[dict[str, str]]:
    """Write two commits of a repository, the second with another line in two files."""
    shop = Repository(tmp_path / "shop")
    names = {number: f"module_{number:03}_dot_py" for number in range(FILES)}
    files = {name: module(number, "import os") for number, name in names.items()}
    first = shop.commit("Begin", **files)
    changed = {names[number]: module(number, "import sys, json") for number in (7, 60)}
    second = shop.commit("Change", **changed)
    patch = "--- a/{path}\n+++ b/{path}\n@@ -6,1 +6,1 @@\n-    return 1\n+    return 2\n"
    return [
        {
            "instance_id": f"issue-{number}",
            "repo": "shop",
            "base_commit": commit,
            "problem_statement": f"parcel_{number} is weighed wrongly by weigh_{number}_3",
            "patch": patch.format(path=f"module_{number:03}.py"),
        }
        for number, commit in ((7, first), (60, second))
    ]


def studied(folder: Path, issues: list[dict[str, str]], store: Path) -> tuple[Any, Any]:
    """Return what each trial of a study retrieved, and the stages that it ran."""
    folder.mkdir()
    lines = "".join(f"{json.dumps(issue)}\n" for issue in issues)
    (folder / "issues.jsonl").write_text(lines, encoding="utf-8")
    repository, queries = folder.parent / "shop", folder / "issues.jsonl"
    where = ("suite=own", f"repository={repository}", f"queries={queries}", f"store={store}")
    how = ("-m", RETRIEVERS, "tracking=none", "execution=local", "latency=off")
    command = [sys.executable, DOOR, *where, *how]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    latest = folder / "outputs" / "latest"
    results = unpacked(json.loads((latest / "results.json").read_text("utf-8")))
    retrieved = {report["trial"]: report["query_results"] for report in results["reports"]}
    return retrieved, json.loads((latest / "stages.json").read_text("utf-8"))["stages"]


def parsed(stages: list[dict[str, Any]], kind: str) -> int:
    return sum(s["counts"].get("files_parsed", 0) for s in stages if s["stage"] == kind)


def size_of(store: Path) -> int:
    return sum(path.stat().st_size for path in store.rglob("*") if path.is_file())


def test_a_second_commit_parses_and_stores_what_it_changes(
    history: list[dict[str, str]], tmp_path: Path
) -> None:
    shared, fresh = tmp_path / "shared", tmp_path / "fresh"

    _, first = studied(tmp_path / "one", history[:1], shared)
    before = size_of(shared)
    retrieved, second = studied(tmp_path / "two", history[1:], shared)
    added = size_of(shared) - before
    alone, _ = studied(tmp_path / "three", history[1:], fresh)

    assert [parsed(first, kind) for kind in ("parse", "find-edges")] == [FILES, FILES]
    assert [parsed(second, kind) for kind in ("parse", "find-edges")] == [2, 2]
    assert added < size_of(fresh) / 2
    assert len(retrieved) == 3
    assert all(one["retrieved"] for trial in retrieved.values() for one in trial)
    assert retrieved == alone
