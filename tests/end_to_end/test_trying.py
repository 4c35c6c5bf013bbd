"""`rankgrid try`: from a repository without a label to advice, and nothing written into it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

GIT = str(shutil.which("git"))
RANKGRID = str(Path(sys.executable).with_name("rankgrid"))
WORK = {
    "invoice": "Add what a customer owes for one month, with every discount.",
    "postage": "Choose the cheapest carrier that delivers to an address in time.",
    "refund": "Give money back after goods were returned unopened.",
    "stock": "Count how many pieces of an article are left in all warehouses.",
    "reminder": "Write to people whose bills are two weeks late.",
    "voucher": "Check a code from an advertisement and say how much it is worth.",
    "tax": "Look up which share of a price goes to the state.",
    "basket": "Merge two unfinished purchases of the same visitor.",
    "review": "Hide comments that contain insults until somebody has read them.",
    "search": "Order articles by how often others bought them together.",
    "login": "Refuse visitors who typed a wrong secret five times.",
    "export": "Write all purchases of a year to a file for the accountant.",
}
SHORT = ["retriever=bm25,lexical", "chunk=64", "latency=off", "tracking=none", "execution=local"]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with one documented function a file, as a git repository with a commit."""
    folder = tmp_path_factory.mktemp("work") / "shop"
    folder.mkdir()
    for number, (name, said) in enumerate(WORK.items()):
        code = f'def step_{number}(data):\n    """{said}"""\n    return data.{name}({number})\n'
        (folder / f"part_{number}.py").write_text(code, encoding="utf-8")
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "All"]):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
        subprocess.run([GIT, *identity, *command], cwd=folder, check=True)
    return folder


def typed(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [RANKGRID, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_a_folder_without_labels_ends_in_advice(shop: Path, tmp_path: Path) -> None:
    found = typed(tmp_path, "try", str(shop), *SHORT)

    assert found.returncode == 0, found.stderr
    assert "12 queries generated: 12 from documentation" in found.stderr
    assert "12 of 12 queries were generated from the source" in " ".join(found.stdout.split())
    results = json.loads((tmp_path / "outputs" / "latest" / "results.json").read_text("utf-8"))
    assert [len(one["query_results"]) for one in results["reports"]] == [12, 12]
    left = subprocess.run(
        [GIT, "status", "--porcelain", "--ignored"], cwd=shop, capture_output=True, check=True
    )
    assert left.stdout == b""


def test_hidden_documentation_is_not_found_by_its_own_words(shop: Path, tmp_path: Path) -> None:
    """In the shop nothing but the documentation has the words of a question."""
    ran = typed(tmp_path, "try", str(shop), "retriever=bm25", *SHORT[1:])

    assert ran.returncode == 0, ran.stderr
    results = json.loads((tmp_path / "outputs" / "latest" / "results.json").read_text("utf-8"))
    (report,) = results["reports"]
    assert report["summary"]["avg_mrr"] == 0
    typed(tmp_path, "fixtures", "make", str(shop), "--output", "made.yaml")
    text = (tmp_path / "made.yaml").read_text("utf-8")
    shown = "\n".join(
        line
        for line in text.split("\n")
        if not line.startswith(("  hidden", "  - path", "    start", "    end"))
    )
    (tmp_path / "shown.yaml").write_text(shown, encoding="utf-8")
    own = ["suite=own", f"repository={shop}", "queries=shown.yaml", "question_copies=allow"]
    again = typed(tmp_path, "bench", *own, "retriever=bm25", *SHORT[1:])
    assert again.returncode == 0, again.stderr
    results = json.loads((tmp_path / "outputs" / "latest" / "results.json").read_text("utf-8"))
    assert results["reports"][0]["summary"]["avg_mrr"] == 1


def test_kept_queries_are_those_that_were_asked(shop: Path, tmp_path: Path) -> None:
    made = typed(tmp_path, "fixtures", "make", str(shop), "--output", "made.yaml")
    (kept,) = _kept(shop, tmp_path)

    assert made.returncode == 0, made.stderr
    assert (tmp_path / "made.yaml").read_text("utf-8") == kept.read_text("utf-8")
    assert "next: " in made.stdout
    assert f"repository={shop}" in made.stdout


def _kept(shop: Path, folder: Path) -> list[Path]:
    ran = typed(folder, "try", str(shop), "--plan", *SHORT)
    assert ran.returncode == 0, ran.stderr
    return sorted((folder / ".rankgrid" / "generated").glob("shop-*.yaml"))


def test_a_git_url_is_tried_at_its_newest_commit(shop: Path, tmp_path: Path) -> None:
    found = typed(tmp_path, "try", shop.as_uri(), *SHORT)

    assert found.returncode == 0, found.stderr
    assert "12 queries generated" in found.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["try", "nowhere"], "repository=nowhere: no such folder"),
        (["try", ".", "suite.count=5"], "suite.count=5: must be a whole number from 10 to 1000"),
        (["try", ".", "suite.sources=[docs]"], "suite.sources=[docs]: no such source"),
        (["try", ".", "--minutes", "0"], "--minutes 0"),
        (["try", ".", "queries=a.yaml"], "queries=a.yaml: suite=auto does not read it"),
        (["try", "."], "0 queries could be generated"),
        (["bench", "suite=auto"], "suite=auto: needs the code to search"),
        (["fixtures", "make", ".", "--output", "x.yaml", "--count", "3"], "suite.count=3"),
    ],
)
def test_a_wrong_line_is_answered_with_its_remedy(
    tmp_path: Path, arguments: list[str], said: str
) -> None:
    (tmp_path / "notes.txt").write_text("Nothing to ask for.\n", encoding="utf-8")

    found = typed(tmp_path, *arguments)

    assert found.returncode == 2, found.stdout
    assert said in found.stderr
    assert len(found.stderr.strip().splitlines()) == 1, found.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["notes.txt"]
