"""A gate on code that changes: the base is measured from git, and targets are followed."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.cli import main
from bench.corpora.gitcall import git_program
from bench.launcher.door import run_bench

WORDS = (
    *("lantern", "harbour", "meadow", "copper", "violin"),
    *("glacier", "orchard", "thimble", "saddle", "compass"),
)
OWN = ("suite=own", "repository=.", "queries=queries.yaml", "retriever=bm25")
QUIET = ("latency=off", "tracking=none", "execution=local", "chunk=64")


def git(*arguments: str) -> None:
    """Run git as somebody."""
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run([git_program(), *who, *arguments], check=True, capture_output=True)


def module(word: str) -> str:
    """Return a module with three functions, of which one answers."""
    lines = [f"def first_{word}():", "    return 1", ""]
    lines += [f"def {word}(items):", f'    """Fetch the {word} of a customer."""']
    return "\n".join([*lines, f"    found = items.get('{word}')", "    return found", ""])


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A committed repository: half of its questions name lines, half of them names."""
    (tmp_path / "src").mkdir()
    lines = ["queries:"]
    for number, word in enumerate(WORDS):
        (tmp_path / "src" / f"m_{word}.py").write_text(module(word), encoding="utf-8")
        place = f"expected_symbols: [m_{word}.{word}]"
        if number % 2:
            place = f"expected_spans: [{{path: src/m_{word}.py, start: 4, end: 7}}]"
        lines.append(f"- {{id: {word}, query: fetch the {word} of a customer, {place}}}")
    (tmp_path / "queries.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    git("init", "--quiet", "--initial-branch=main")
    git("add", "src", "queries.yaml")
    git("commit", "--quiet", "--message=base")
    return tmp_path


Gate = Callable[..., str]


@pytest.fixture
def gate(repository: Path, capsys: pytest.CaptureFixture[str]) -> Gate:
    """Return what runs the gate against the last commit and returns what it printed."""

    def run(*more: str, code: int, baseline: str = "tree:HEAD") -> str:
        capsys.readouterr()
        found = run_bench([*OWN, *QUIET, "--baseline", baseline, *more], "rankgrid bench")
        printed = capsys.readouterr()
        assert found == code, printed.out + printed.err
        return printed.out + printed.err

    return run


def change(word: str, edit: Callable[[str], str]) -> None:
    """Edit a module."""
    file = Path("src", f"m_{word}.py")
    file.write_text(edit(file.read_text(encoding="utf-8")), encoding="utf-8")


def test_a_change_of_the_code_passes_and_lines_are_followed(gate: Gate) -> None:
    for word in WORDS:
        change(word, lambda text: "import os\nimport sys\n\n" + text)

    said = gate(code=0)

    assert "no ndcg_at_10 of 10 queries changed" in said
    assert "the lines of" in said
    file = Path("outputs/latest/results.json")
    asked = json.loads(file.read_text(encoding="utf-8"))["questions"]
    moved = [one["targets"][0]["at"] for one in asked if one["targets"][0]["at"]]
    assert moved == [f"src/m_{word}.py:7-10" for word in WORDS[1::2]]


def test_the_measured_base_is_a_results_file_that_other_commands_read(
    gate: Gate, capsys: pytest.CaptureFixture[str]
) -> None:
    change("lantern", lambda text: text.replace("def lantern", "def lamp"))
    gate(code=0)

    with pytest.raises(SystemExit) as ended:
        main(["gate", "latest", "--baseline", "outputs/latest/baseline.json"])

    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert "9 of 10 queries are compared; left out:" in said
    assert "1 gone (a target is no longer in the code): " in said
    assert "/lantern" in said


def test_a_results_file_is_a_baseline_for_changed_code(gate: Gate) -> None:
    """No git is needed: the file records what its lines said."""
    assert run_bench([*OWN, *QUIET], "rankgrid bench") == 0
    for word in WORDS:
        change(word, lambda text: "x = 1\n" + text)
    change("harbour", lambda _: "nothing = 'is left'\n")

    said = gate(code=0, baseline="latest")

    assert "9 of 10 queries are compared; left out:" in said
    assert "1 rewritten (fewer than half of a target's lines are left): " in said
    assert "/harbour" in said


def test_worse_code_fails_and_names_the_queries(gate: Gate) -> None:
    for word in WORDS:
        change(word, lambda text: text.replace("Fetch the", "See").replace("customer", "thing"))
        decoy = (
            f"def z_{word}():\n" + f"    # fetch the {word} of a customer\n" * 3 + "    return 2\n"
        )
        Path("src", f"z_{word}.py").write_text(decoy, encoding="utf-8")

    said = gate(code=3)

    assert "gate: failed" in said
    assert "/lantern: rank 1 → 2" in said


def test_edited_questions_are_not_comparable(gate: Gate, repository: Path) -> None:
    file = repository / "queries.yaml"
    text = file.read_text(encoding="utf-8").replace("fetch the lantern", "get the lantern")
    file.write_text(text, encoding="utf-8")

    said = gate(code=4)

    assert "lantern changed" in said


def test_lines_that_are_brought_up_to_date_are_the_same_question(
    gate: Gate, repository: Path
) -> None:
    change("harbour", lambda text: "import os\n" + text)
    file = repository / "queries.yaml"
    text = file.read_text(encoding="utf-8")
    old = "path: src/m_harbour.py, start: 4, end: 7"
    file.write_text(text.replace(old, old.replace("4", "5").replace("7", "8")), encoding="utf-8")

    said = gate(code=0)

    assert "no ndcg_at_10 of 10 queries changed" in said
    assert "moved" not in said


def test_a_base_without_the_answers_leaves_their_questions_out(gate: Gate) -> None:
    """The answer comes with the change; there is nothing to compare it with."""
    change("lantern", lambda text: text.replace("def lantern", "def lamp"))
    git("commit", "--quiet", "--all", "--message=before")
    change("lantern", lambda text: text.replace("def lamp", "def lantern"))

    said = gate(code=0)

    assert "1 new (a target is not in the code of the baseline): " in said


def test_code_without_any_of_the_answers_is_not_comparable(gate: Gate) -> None:
    for word in WORDS:
        Path("src", f"m_{word}.py").unlink()
    Path("src", "other.py").write_text("x = 1\n", encoding="utf-8")

    said = gate(code=4)

    assert "every query lost a target" in said
    assert "10 gone" in said


def test_a_mistake_in_the_queries_fails_as_it_does_without_a_gate(
    gate: Gate, repository: Path
) -> None:
    """A target that neither tree has is not a change of the code."""
    file = repository / "queries.yaml"
    text = file.read_text(encoding="utf-8").replace("m_lantern.lantern", "m_lantern.lanterm")
    file.write_text(text, encoding="utf-8")
    git("commit", "--quiet", "--all", "--message=a mistake")

    said = gate(code=2)

    assert "is not in the source" in said


def test_the_everyday_command_follows_the_same_rules(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del repository
    change("lantern", lambda text: text.replace("def lantern", "def lamp"))
    change("harbour", lambda text: "import os\n" + text)

    with pytest.raises(SystemExit) as ended:
        main(["run", *OWN, *QUIET, "--baseline", "tree:HEAD"])

    said = capsys.readouterr().out
    assert ended.value.code == 0, said
    assert "10 queries, 9 judged, 0 failed" in said
    assert "left out: 1 gone" in said


def test_unchanged_code_shares_all_of_its_work(gate: Gate) -> None:
    """The base has the content of the folder, so that nothing is done twice."""
    said = gate(code=0)

    assert "2 of 15 stages to do" in said  # the targets are looked up strictly, and judged


@pytest.mark.parametrize(
    ("baseline", "told"),
    [
        ("tree:nowhere", "nowhere is not a commit that"),
        ("tree:--all", "is not a revision of git"),
        ("tree:", "is not a revision of git"),
    ],
)
def test_a_revision_that_is_not_there_is_one_line(gate: Gate, baseline: str, told: str) -> None:
    said = gate(code=2, baseline=baseline)

    assert told in said
    assert not Path("outputs").exists()


def test_a_finished_study_does_not_measure_a_base(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del repository
    assert run_bench([*OWN, *QUIET], "rankgrid bench") == 0

    with pytest.raises(SystemExit) as ended:
        main(["gate", "latest", "--baseline", "tree:HEAD"])

    assert ended.value.code == 2
    assert "has to be measured first" in capsys.readouterr().err


def test_the_plan_says_that_the_base_comes_first(gate: Gate) -> None:
    said = gate("--plan", code=0)

    assert "--baseline tree:HEAD is measured before" in said
    assert not Path("outputs").exists()


def test_a_folder_outside_of_git_is_one_line(
    gate: Gate, repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The remedy is a results file."""
    del repository
    plain = tmp_path_factory.mktemp("plain")
    (plain / "a.py").write_text("x = 1\n", encoding="utf-8")
    (plain / "q.yaml").write_text("queries:\n- {id: a, query: b, expected_files: [a.py]}\n")

    said = gate(f"repository={plain}", f"queries={plain}/q.yaml", code=2)

    assert "is not in a git repository" in said
    assert "Use a results file" in said
