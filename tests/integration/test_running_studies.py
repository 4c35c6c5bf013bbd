"""Whole studies in this process: from a command line to its exit code and its files."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.files import data_folder
from bench.launcher.arguments import parse_arguments
from bench.launcher.door import run_bench
from bench.launcher.execute import run_study
from bench.launcher.flags import Flags, flags_of
from bench.launcher.points import read_points
from tests.small_study import CART, QUERIES

QUIET = ("tracking=none", "latency=off", "execution=local", "execution.workers=1")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with code and queries, which is the current one."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "cart.py").write_text(CART, encoding="utf-8")
    (tmp_path / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> int:
    """Run the command line in this process."""
    own = ["suite=own", "repository=code", "queries=queries.yaml", "retriever=bm25"]
    typed = {text.partition("=")[0] for text in arguments}
    kept = [text for text in (*own, *QUIET) if text.partition("=")[0] not in typed]
    return run_bench([*kept, *arguments], "bench/run.py")


def results(folder: Path) -> dict[str, Any]:
    """Return the results of the last study."""
    text = (folder / "outputs" / "latest" / "results.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def test_a_grid_writes_its_results_and_says_what_to_run_next(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run("-m", "chunk=16,64", "retriever=bm25,exact")

    printed = capsys.readouterr()
    names = [report["config"]["name"] for report in results(shop)["reports"]]
    assert code == 0
    assert names == [
        "chunk=16 retriever=bm25",
        "chunk=16 retriever=exact",
        "chunk=64 retriever=bm25",
        "chunk=64 retriever=exact",
    ]
    assert results(shop)["command"].startswith("bench/run.py suite=own")
    assert "Report:    outputs/" in printed.out
    assert "study=outputs/" in printed.out
    assert "4 trials on own" in printed.err


def test_sizes_that_cut_identically_are_one_trial_and_every_page_says_so(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run("-m", "chunk=64,128", "--verbose")

    printed = capsys.readouterr()
    note = "chunk=64 and chunk=128 cut every document identically; only chunk=64 was run"
    assert code == 0
    assert [report["config"]["name"] for report in results(shop)["reports"]] == ["chunk=64"]
    assert f"note: {note}" in printed.out
    assert note in results(shop)["notes"]
    assert note in (shop / "outputs" / "latest" / "report.md").read_text(encoding="utf-8")


def test_the_chosen_configuration_runs_again_without_work(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("-m", "chunk=16,64")
    capsys.readouterr()

    code = run_bench(["study=outputs/latest/chosen.yaml", "-v", *QUIET], "bench/run.py")

    assert code == 0
    assert "0 executed" in " ".join(capsys.readouterr().out.split())


def test_a_study_that_misses_its_floor_exits_3(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--max", "mrr=0.01") == 3
    assert "mrr" in capsys.readouterr().out
    assert run("--min-mrr", "0.01") == 0
    assert (shop / "outputs" / "latest" / "results.json").is_file()


def test_a_study_whose_stage_fails_exits_1_and_keeps_the_other_trials(shop: Path) -> None:
    """The program answers with something that is not JSON."""
    engine = ["retriever.command=[echo,'no JSON']", "retriever.answers=json"]

    code = run("-m", "retriever=bm25,command", *engine)

    assert code == 1
    assert len(results(shop)["reports"]) >= 1


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["chunk=7"], "chunk=7: must be from 16 to 8192"),
        (["chunk=64,128"], "add -m"),
        (["--min-queries", "9"], "--min-queries 9"),
        (["--baseline", "nowhere"], "nowhere"),
        (["--nonsense"], "--nonsense: no such flag; there are --baseline"),
        (["repository=${oc.env:RANKGRID_IS_NOT_SET}"], "RANKGRID_IS_NOT_SET"),
        (["-m", "--cfg", "job"], "--cfg shows one configuration"),
        (["study=weights", "--cfg", "job"], "--cfg shows one configuration"),
    ],
    ids=" ".join,
)
def test_a_command_line_that_cannot_be_run_exits_2_in_one_line(
    shop: Path, capsys: pytest.CaptureFixture[str], typed: list[str], said: str
) -> None:
    code = run(*typed)

    printed = capsys.readouterr()
    assert (code, printed.out) == (2, "")
    assert said in printed.err
    assert printed.err.count("\n") == 1
    assert not (shop / "outputs").exists()


def test_debug_raises_what_went_wrong(shop: Path) -> None:
    from bench.errors import SettingError

    with pytest.raises(SettingError, match="chunk=7"):
        run("chunk=7", "--debug")


def test_a_plan_is_shown_and_nothing_is_run(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run("-m", "chunk=16,64", "--plan")

    assert code == 0
    assert "Nothing was run." in " ".join(capsys.readouterr().out.split())
    assert not (shop / "outputs").exists()


def test_a_configuration_is_shown_without_fields_that_its_choices_lack(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run("--cfg", "job", "chunk=64", "reranker.depth=3")

    shown = capsys.readouterr().out
    assert code == 0
    assert "\nchunk: 64\n" in shown
    assert "depth: 3" not in shown


def test_a_random_search_runs_as_many_trials_as_its_budget(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run("-m", "chunk=16,32,64,128", "strategy=random", "budget_trials=2")

    assert code == 0
    assert len(results(shop)["reports"]) == 2
    assert "2 trials" in capsys.readouterr().err


def test_halving_compares_trials_on_every_query(shop: Path) -> None:
    """With two queries there is nothing to halve, so both trials are run in full."""
    code = run("-m", "chunk=16,64", "strategy=halving")

    assert code == 0
    assert [report["summary"]["total_queries"] for report in results(shop)["reports"]] == [3, 3]


def test_points_and_flags_are_all_that_a_study_needs(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two studies of one process do not know of each other's flags."""
    typed = ["suite=own", "repository=code", "queries=queries.yaml", "retriever=bm25", *QUIET]
    points = read_points(typed, data_folder("conf"), multirun=False)
    gated = flags_of(parse_arguments(["--max", "mrr=0.01"], "bench/run.py"), "")

    assert run_study(points, gated) == 3
    assert run_study(points, Flags()) == 0
    assert "mrr" in capsys.readouterr().out
