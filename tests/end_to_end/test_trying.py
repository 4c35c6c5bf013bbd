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
    # Only what another file uses is asked for.
    uses = "".join(f"from part_{number} import step_{number}\n" for number in range(len(WORK)))
    (folder / "__init__.py").write_text(uses, encoding="utf-8")
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
    said = " ".join(found.stdout.split())
    assert "Trust: 12 of 12 questions were generated; on 14 repositories, advice with" in said
    results = json.loads((tmp_path / "outputs" / "latest" / "results.json").read_text("utf-8"))
    assert [len(one["query_results"]) for one in results["reports"]] == [12, 12]
    left = subprocess.run(
        [GIT, "status", "--porcelain", "--ignored"], cwd=shop, capture_output=True, check=True
    )
    assert left.stdout == b""


def test_the_chosen_configuration_asks_the_same_generated_questions(
    shop: Path, tmp_path: Path
) -> None:
    """The number of questions and the seed decide which ones are drawn."""
    few = typed(tmp_path, "try", str(shop), "suite.count=10", "seed=3", *SHORT)
    first = json.loads((tmp_path / "outputs" / "latest" / "results.json").read_text("utf-8"))

    again = typed(tmp_path, "bench", "study=outputs/latest/chosen.yaml", "tracking=none")

    assert (few.returncode, again.returncode) == (0, 0), few.stderr + again.stderr
    assert "changes nothing" not in few.stdout
    second = json.loads((tmp_path / "outputs" / "latest" / "results.json").read_text("utf-8"))
    assert len(first["questions_asked"]) == 10
    assert second["questions_asked"] == first["questions_asked"]


def test_without_fair_questions_wider_rules_make_some_and_advice_says_so(
    shop: Path, tmp_path: Path
) -> None:
    """No other file names the functions, so strict rules accept none of them."""
    unused = tmp_path / "unused"
    shutil.copytree(shop, unused, ignore=shutil.ignore_patterns(".git", "__init__.py"))

    found = typed(tmp_path, "try", str(unused), *SHORT)

    assert found.returncode == 0, found.stderr
    assert "fair questions: 0 only; 12 more were made by wider rules" in found.stderr
    said = " ".join(found.stdout.split())
    assert "Trust: 12 of 12 questions (12 by wider rules) were generated; on 12 repos" in said
    results = json.loads((tmp_path / "outputs" / "latest" / "results.json").read_text("utf-8"))
    assert results["generated"]["wider"] == 12
    assert any("12 by wider rules (about half" in note for note in results["notes"])
    strict = typed(tmp_path, "try", str(unused), "suite.sources=[documentation,messages]", *SHORT)
    assert strict.returncode == 2
    assert "or leave out suite.sources" in strict.stderr


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
        (["try", ".", "suite.sources=[issues]"], "suite.issues=null: must be a file"),
        (
            ["try", ".", "suite.sources=[commits]"],
            "repository=.: is not a git repository, which commits",
        ),
        (["try", "."], "0 queries could be generated, and a study needs at least 10."),
        (["try", "empty"], "repository=empty: no text files found that could be searched"),
        (["try", "notes.txt"], "repository=notes.txt: is a file, not a folder; give a folder"),
        (["bench", "suite=auto"], "suite=auto: needs the code to search"),
        (["fixtures", "make", ".", "--output", "x.yaml", "--count", "3"], "suite.count=3"),
    ],
)
def test_a_wrong_line_is_answered_with_its_remedy(
    tmp_path: Path, arguments: list[str], said: str
) -> None:
    (tmp_path / "notes.txt").write_text("Nothing to ask for.\n", encoding="utf-8")
    (tmp_path / "empty").mkdir()

    found = typed(tmp_path, *arguments)

    assert found.returncode == 2, found.stdout
    assert said in found.stderr
    assert len(found.stderr.strip().splitlines()) == 1, found.stderr
    assert {one.name for one in tmp_path.iterdir()} == {"empty", "notes.txt"}


MANUAL = {
    "invoice": "Every invoice shows what is owed, with discounts, in the currency of the buyer. ",
    "postage": "Parcels travel with whoever is cheapest, unless somebody pays for speed. ",
}


def test_a_manual_ends_in_the_advice_of_other_repositories(shop: Path, tmp_path: Path) -> None:
    """Questions about definitions say nothing of prose: they are shown and not used."""
    manual = tmp_path / "manual"
    shutil.copytree(shop, manual, ignore=shutil.ignore_patterns(".git"))
    for name, said in MANUAL.items():
        (manual / f"{name}.md").write_text(f"# {name}\n\n{said * 30}\n", encoding="utf-8")

    found = typed(
        tmp_path, "try", str(manual), *SHORT[2:], "chunk=512,2048", "retriever=bm25,fields"
    )

    assert found.returncode == 0, found.stderr
    said = " ".join(found.stdout.split())
    assert "Not used: 12 of 12 questions were generated" in said
    assert "Elsewhere: the choice on" in said
    results = json.loads((tmp_path / "outputs" / "latest" / "results.json").read_text("utf-8"))
    advised = results["recommendation"]["prior"]
    assert (advised["standing"], advised["share"]) == ("not asked here", 0)
    assert advised["trial"] == advised["elsewhere"]
    assert results["generated"] == {"count": 12, "asked": 12, "uncalibrated": 0, "wider": 0}


@pytest.fixture(scope="module")
def mended(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shop with a history: each part was changed once, and half of them name an issue."""
    folder = tmp_path_factory.mktemp("work") / "mended"
    shutil.copytree(shop, folder)
    for number, said in enumerate(WORK.values()):
        part = folder / f"part_{number}.py"
        text = part.read_text(encoding="utf-8").replace(f"({number})", f"({number}, again=True)")
        part.write_text(text, encoding="utf-8")
        about = f"Mend what people noticed: {said.lower().rstrip('.')}"
        message = f"{about} (#{number})" if number % 2 else about
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
        commit = [GIT, *identity, "commit", "-qam", message]
        subprocess.run(commit, cwd=folder, check=True)
    return folder


def test_history_is_asked_where_wanted_and_not_calibrated(mended: Path, tmp_path: Path) -> None:
    found = typed(tmp_path, "try", str(mended), "suite.sources=[commits]", *SHORT)

    assert found.returncode == 0, found.stderr
    assert "12 queries generated: 12 from commits" in found.stderr
    said = " ".join(found.stdout.split())
    assert "12 of 12 questions (12 from history, not calibrated) were generated" in said


def test_linked_issues_are_asked_in_their_own_words(mended: Path, tmp_path: Path) -> None:
    lines = [
        json.dumps({"id": number, "text": f"Somebody told us about trouble: {said}"})
        for number, said in enumerate(WORK.values())
    ]
    (tmp_path / "issues.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    sources = ["--sources", "documentation,commits,issues", "--issues", "issues.jsonl"]

    made = typed(tmp_path, "fixtures", "make", str(mended), "--output", "made.yaml", *sources)

    assert made.returncode == 0, made.stderr
    text = (tmp_path / "made.yaml").read_text("utf-8")
    assert "12 from documentation, 6 from commits, 6 from issues" in made.stdout
    assert text.count("Somebody told us about trouble") == 6
    assert text.count("notes: issues at commit ") == 6


def test_a_definition_that_is_gone_is_no_answer(mended: Path, tmp_path: Path) -> None:
    folder = tmp_path / "renamed"
    shutil.copytree(mended, folder)
    part = folder / "part_3.py"
    part.write_text(part.read_text("utf-8").replace("step_3", "other_3"), encoding="utf-8")

    made = typed(
        tmp_path, "fixtures", "make", str(folder), "--output", "made.yaml", "--sources", "commits"
    )

    assert made.returncode == 0, made.stderr
    assert "11 queries generated: 11 from commits" in made.stdout
    assert "1 no longer there" in made.stdout
