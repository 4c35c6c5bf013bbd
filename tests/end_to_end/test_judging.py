"""`rankgrid judge`: from a finished study to answers in the file of queries, and their effect."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bench.authoring.judging import JudgedStudy, asked_files
from bench.engine import opened_store
from bench.queries import read_entries
from bench.results import read_results
from tests.terminal import Terminal

ROOT = Path(__file__).parents[2]
RANKGRID = str(Path(sys.executable).parent / "rankgrid")
COLUMN = "ndcg_at_10"
NOUNS = ("cart", "parcel", "invoice", "refund", "voucher", "customer", "shelf")
HOSTILE = "</td></table><img src=x onerror=alert(1)><script>alert(2)</script>"
VERBS = ("add", "remove", "print", "count")


def write_shop(folder: Path) -> None:
    """Write a module for each noun with a function for each verb, and 14 queries about them.

    The words of a question occur in many functions, so that retrievers order them differently.
    """
    (folder / "shop").mkdir()
    for place, noun in enumerate(NOUNS):
        others = [NOUNS[(place + step) % len(NOUNS)] for step in range(len(VERBS))]
        functions = [
            f"def {verb}_{noun}(name):\n    # {f'{other} {verb} ' * (1 + number * place % 3)}\n"
            f"    return {VERBS[number - 1]}(name, {other!r})  # {HOSTILE}\n"
            for number, (verb, other) in enumerate(zip(VERBS, others, strict=True))
        ]
        (folder / "shop" / f"{noun}s.py").write_text("\n\n".join(functions), encoding="utf-8")
    queries = [
        f"- id: {verb}-{noun}\n  query: how to {verb} something to the {noun}\n"
        f"  expected_symbols: [{noun}s.{VERBS[number + 1]}_{noun}]\n"
        for noun in NOUNS
        for number, verb in enumerate(VERBS[:2])
    ]
    text = "# of the shop\nqueries:\n" + "".join(queries)
    (folder / "queries.yaml").write_text(text, encoding="utf-8")


def run_study(work: Path) -> str:
    """Run three trials; return what was printed."""
    study = ["-m", "retriever=bm25,lexical,fields", "chunk=16", "suite=own", "repository=shop"]
    study += ["queries=queries.yaml", "tracking=none", "execution=local", "latency=off"]
    study += [f"objective={COLUMN}"]
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *study]
    done = subprocess.run(command, cwd=work, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def finished_study(folder: Path) -> Path:
    """Return the folder, with a study that has been run in it."""
    write_shop(folder)
    run_study(folder)
    return folder


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return finished_study(tmp_path_factory.mktemp("finished"))


@pytest.fixture
def work(finished: Path, tmp_path: Path) -> Path:
    """A copy of a folder with a finished study."""
    shutil.copytree(finished, tmp_path / "work", symlinks=True)
    return tmp_path / "work"


def judge(
    work: Path, *arguments: str, typed: str = "", code: int = 0
) -> subprocess.CompletedProcess[str]:
    command = [RANKGRID, "judge", *arguments]
    found = subprocess.run(
        command, cwd=work, input=typed, capture_output=True, text=True, check=False
    )
    assert found.returncode == code, found.stderr + found.stdout
    return found


def opened(work: Path, *, by: str = "ada", second: bool = False) -> JudgedStudy:
    folder = (work / "outputs" / "latest").resolve()
    study = read_results(folder)
    files = asked_files(study, folder, queries=work / "queries.yaml", to=None)
    store = opened_store(str(work / ".rankgrid" / "store"), None)
    return JudgedStudy.opened(study, store, files, by=by, second=second)


def test_the_effect_of_answers_is_what_the_study_measures_afterwards(work: Path) -> None:
    judged = opened(work)
    before = judged.session.values.copy()
    for number in range(6):
        candidate = judged.current
        assert candidate is not None
        judged.answer(candidate, relevant=number % 3 != 1)
    assert not np.array_equal(before, judged.session.values)

    run_study(work)

    trials = read_results(work / "outputs" / "latest").trials
    measured = [[query.numbers[COLUMN] for query in trial.queries] for trial in trials]
    assert np.allclose(np.array(measured, float).T, judged.session.values, atol=1e-4)
    assert all(0 < (trial.summary["unjudged_at_10"] or 0) < 1 for trial in trials)


def test_the_most_decisive_hit_comes_first_and_nothing_known_is_asked(work: Path) -> None:
    judged = opened(work)
    asked = set()
    decisive = []
    while (candidate := judged.current) is not None:
        place = judged.session.candidates.index(candidate)
        decisive.append(float(judged.session.decisiveness[place]))
        asked.add((candidate.row, candidate.target))
        judged.answer(candidate, relevant=None)

    assert decisive == sorted(decisive, reverse=True)
    assert len(asked) == len(decisive) > 20
    rows = judged.session.study.trials[0].queries
    own = {(row, expected) for row, one in enumerate(rows) for expected in one.expected}
    names = {
        (row, Path(t.symbol.split("::")[0]).stem + "." + t.symbol.split("::")[1])
        for row, t in asked
    }
    assert not own & names
    assert (work / "queries.yaml").read_text().count("judged") == 0


def test_undo_restores_the_file_and_the_scores(work: Path) -> None:
    text = (work / "queries.yaml").read_text(encoding="utf-8")
    judged = opened(work)
    before, first = judged.session.values.copy(), judged.current
    assert first is not None

    judged.answer(first, relevant=True)
    assert judged.current != first
    assert judged.undo()

    assert judged.current == first
    assert np.array_equal(judged.session.values, before, equal_nan=True)
    assert (work / "queries.yaml").read_text(encoding="utf-8") == text
    assert not judged.undo()


def test_a_later_session_counts_earlier_answers_and_asks_none_of_them_again(work: Path) -> None:
    judged = opened(work)
    answered = [judged.current]
    judged.answer(judged.current, relevant=True)  # type: ignore[arg-type]
    answered.append(judged.current)
    judged.answer(judged.current, relevant=False)  # type: ignore[arg-type]

    later = opened(work, by="bob")

    assert np.allclose(later.session.values, judged.session.values, equal_nan=True)
    assert not {(one.row, one.target) for one in later.session.candidates} & {
        (one.row, one.target) for one in answered if one
    }


def test_a_conversation_in_a_terminal(work: Path) -> None:
    command = (sys.executable, "-c", "from bench.cli import main; main()", "judge", "--by", "ada")
    with Terminal(work, command=command) as terminal:
        terminal.talk(("y", "right?"), ("n", "1 answer: "), ("u", "2 answers: "))
        terminal.talk(("s", "1 answer: "), ("q", "right?"))
        said = terminal.expect("run the study again to use them")

    assert "1 right and 0 not, written to " in said
    (judged,) = [place for one in read_entries(work / "queries.yaml") for place in one.judged]
    assert (judged.relevant, judged.by, len(judged.text)) == (True, "ada", 12)


def test_the_end_of_the_input_ends_with_what_was_written(work: Path) -> None:
    found = judge(work, "--by", "ada", typed="y\nn\n")

    assert "the input ended\n2 answers: " in found.stdout
    assert found.stdout.endswith("run the study again to use them\n")
    assert "# of the shop\n" in (work / "queries.yaml").read_text(encoding="utf-8")
    assert "no answers\n" in judge(work, typed="").stdout


def test_two_people_are_compared(work: Path) -> None:
    judge(work, "--by", "ada", typed="y\nn\nn\ny\n")
    assert "no hit was judged by two people" in judge(work, "--agreement").stdout

    second = judge(work, "--by", "bob", "--second", typed="y\ny\ny\ny\n")

    line = "ada and bob: 4 hits judged by both, 2 equal, Cohen's kappa 0.00\n"
    assert second.stdout.endswith(line)
    assert judge(work, "--agreement").stdout == line
    assert (
        "0 hits were judged by others and not by bob"
        in judge(work, "--by", "bob", "--second").stdout
    )


def test_another_file_gets_the_queries_and_the_answers(work: Path) -> None:
    text = (work / "queries.yaml").read_text(encoding="utf-8")

    judge(work, "--to", "mine.yaml", typed="n\n")
    judge(work, "--to", "mine.yaml", typed="n\n")

    assert (work / "queries.yaml").read_text(encoding="utf-8") == text
    entries = read_entries(work / "mine.yaml")
    assert len(entries) == 14
    assert sum(len(one.judged) for one in entries) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--queries", "a.yaml", "--to", "b.yaml"), "only one of them"),
        (("--queries", "absent.yaml"), "absent.yaml: there is no such file"),
        (("--queries", "other.yaml"), "other.yaml: has none of the queries"),
        (("--by", " "), "--by= : is blank"),
        (("absent",), "absent: no such results"),
    ],
)
def test_a_wrong_line_says_what_to_do(arguments: tuple[str, ...], said: str, work: Path) -> None:
    other = "queries:\n- {id: x, query: y, negative: true}\n"
    (work / "other.yaml").write_text(other, encoding="utf-8")

    assert said in judge(work, *arguments, code=2).stderr


def test_a_shipped_suite_is_not_written_to(work: Path) -> None:
    chosen = work / "outputs" / "latest" / "chosen.yaml"
    chosen.write_text("suite: quick\n", encoding="utf-8")
    results = work / "outputs" / "latest" / "results.json"
    results.write_text(results.read_text().replace('"shop"', '"rich"'), encoding="utf-8")

    assert "add --to FILE" in judge(work, code=2).stderr


def test_judgements_that_no_longer_describe_the_code_are_told_and_carried_along(
    work: Path,
) -> None:
    judge(work, "--by", "ada", typed="n\nn\n")
    first, second = [one for entry in read_entries(work / "queries.yaml") for one in entry.judged]
    shutil.copytree(work / "shop", work / "then")
    file, _, name = first.target.symbol.partition("::")
    changed = (work / "shop" / file).read_text(encoding="utf-8")
    changed = changed.replace(f"def {name}(name):", f"def {name}(name):\n    log(name)")
    (work / "shop" / file).write_text(changed, encoding="utf-8")

    def fixtures(action: str, *arguments: str) -> str:
        command = [RANKGRID, "fixtures", action, "queries.yaml", *arguments]
        return subprocess.run(
            command, cwd=work, capture_output=True, text=True, check=False
        ).stdout

    assert "stale" not in fixtures("verify", "--repository", "then", "--all")
    assert "[stale-judgement]" in fixtures("verify", "--repository", "shop", "--all")
    run_study(work)
    (note,) = [x for x in read_results(work / "outputs" / "latest").notes if "any more" in x]
    assert note.startswith("1 judgement does not describe the code any more (")
    assert "fixtures update" in note

    fixtures("update", "--repository", "then", "--to", "shop", "--write", "now.yaml")
    (work / "queries.yaml").write_text((work / "now.yaml").read_text(), encoding="utf-8")

    assert "stale" not in fixtures("verify", "--repository", "shop", "--all")
    kept = [one for entry in read_entries(work / "queries.yaml") for one in entry.judged]
    assert [one.target for one in kept] == [first.target, second.target]
    assert [kept[0].text == first.text, kept[1].text == second.text] == [False, True]
