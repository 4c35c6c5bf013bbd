"""A study file stands for the settings that it holds, often a grid."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.errors import SettingError, UsageError
from bench.launcher.overrides import read_overrides
from bench.launcher.study_files import with_study_file

ROOT = Path(__file__).parents[3]
CONF = ROOT / "conf"


def test_a_study_is_written_out_as_its_axes() -> None:
    found = with_study_file(["study=harness", "suite=python"], CONF)

    axes = ["chunk=512,1024,2048,4096,8000", "embedder=minilm,static", "reranker=on,off"]
    assert found == (["suite=python", *axes], True)


def test_an_axis_that_was_typed_stays() -> None:
    found = with_study_file(["chunk=64,128", "study=harness"], CONF)

    assert found == (
        ["chunk=64,128", "suite=harness", "embedder=minilm,static", "reranker=on,off"],
        True,
    )


@pytest.mark.parametrize("name", sorted(file.stem for file in (CONF / "study").glob("*.yaml")))
def test_every_ready_study_is_a_grid_that_can_be_typed(name: str) -> None:
    axes, is_grid = with_study_file([f"study={name}"], CONF)

    assert is_grid
    read_overrides(axes, CONF, multirun=True)


def test_a_file_of_one_configuration_is_no_grid(tmp_path: Path) -> None:
    """So that --cfg job can show it; what is typed counts, and another suite takes all of it."""
    place = tmp_path / "chosen.yaml"
    place.write_text(
        "suite: own\nrepository: code\nqueries: q.yaml\nchunk: 256\nlimit: null\n",
        encoding="utf-8",
    )

    found = with_study_file([f"study={place}"], CONF)
    other = with_study_file([f"study={place}", "suite=python", "chunk=64"], CONF)
    grid = with_study_file([f"study={place}", "chunk=64,128"], CONF)

    own = ["suite=own", "repository=code", "queries=q.yaml"]
    assert found == ([*own, "chunk=256", "limit=null"], False)
    assert other == (["suite=python", "chunk=64", "limit=null"], False)
    assert grid == (["chunk=64,128", *own, "limit=null"], False)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (None, "there is no such file"),
        ("- chunk", "Write lines of SETTING: VALUES"),
        ("", "Write lines of SETTING: VALUES"),
        ("a: [", r"mine.yaml:1: is not valid YAML"),
    ],
)
def test_a_file_that_is_no_study_is_refused_in_one_line(
    tmp_path: Path, text: str | None, wrong: str
) -> None:
    place = tmp_path / "mine.yaml"
    if text is not None:
        place.write_text(text, encoding="utf-8")

    with pytest.raises(SettingError, match=wrong) as refused:
        with_study_file([f"study={place}"], CONF)

    assert "\n" not in str(refused.value)


def test_other_command_lines_are_left_alone() -> None:
    assert with_study_file(["chunk=64,128"], CONF) == (["chunk=64,128"], False)


def test_an_unknown_study_names_the_nearest() -> None:
    with pytest.raises(SettingError, match="did you mean weights"):
        with_study_file(["study=weight"], CONF)
    with pytest.raises(UsageError, match="only one study="):
        with_study_file(["study=weights", "study=harness"], CONF)


def test_a_ready_study_is_planned_by_the_command(tmp_path: Path) -> None:
    """Eleven weights; those of 0 and 1 are trials of their own."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "a.py").write_text("x = 1\n", encoding="utf-8")
    queries = "queries:\n- {id: q, query: x, expected_files: [a.py]}\n"
    (tmp_path / "q.yaml").write_text(queries, encoding="utf-8")
    own = ["study=weights", "suite=own", "repository=code", "queries=q.yaml", "--plan"]

    found = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "run.py"), *own],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith("11 trials on own (1 repository: code; 1 query), ")


def test_the_targets_of_tiers_are_settings_with_names() -> None:
    """As the guide to reports types them."""
    read_overrides(["targets.easy=0.5"], CONF, multirun=False)

    with pytest.raises(SettingError, match=r"did you mean targets\.easy"):
        read_overrides(["targets.esay=0.5"], CONF, multirun=False)
