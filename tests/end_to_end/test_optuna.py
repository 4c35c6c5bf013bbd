"""The example of docs/search.md finds the best of a small space, on the shared store."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.errors import SettingError, UsageError
from bench.launcher.optuna_objective import objective
from tests.end_to_end.test_one_command import CART, QUERIES, STORE

optuna = pytest.importorskip(
    "optuna", reason="optuna is not installed: pip install rankgrid[search]"
)
ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "search.md").read_text(encoding="utf-8")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The folder that the example asks about."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "cart.py").write_text(CART, encoding="utf-8")
    (tmp_path / "shop" / "store.py").write_text(STORE, encoding="utf-8")
    (tmp_path / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    return tmp_path


def test_the_example_of_the_guide_runs_and_its_answer_can_be_typed(shop: Path) -> None:
    """The command that it prints gives the score that Optuna was told."""
    (example,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    (shop / "search.py").write_text(example, encoding="utf-8")

    found = subprocess.run(
        [sys.executable, "search.py"],
        cwd=shop,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert found.returncode == 0, found.stderr
    score, command = found.stdout.strip().splitlines()[-1].split(" ", 1)
    shown = subprocess.run(
        [
            sys.executable,
            str(ROOT / "bench" / "run.py"),
            *command.split(),
            "tracking=none",
            "latency=off",
            "--verbose",
        ],
        cwd=shop,
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.returncode == 0, shown.stderr
    assert f"Coverage at 4,000 tokens is {float(score):.4f}" in " ".join(shown.stdout.split())
    assert "0 executed" in shown.stdout


@pytest.mark.parametrize("values", [[], (1,), (1, 2, 3), ("a", "b")])
def test_what_is_no_space_is_refused(values: list[int]) -> None:
    """Before Optuna is asked for anything."""
    with pytest.raises(SettingError, match=r"retriever\.k1: .* is not a space"):
        objective(["retriever=bm25"], {"retriever.k1": values})


def test_a_setting_that_does_not_exist_is_named_with_its_remedy() -> None:
    """As on the command line."""
    score = objective(["retriever=bm25"], {"retriever.k2": (0.5, 2.0)})

    with pytest.raises(SettingError, match=r"retriever\.k2=.*no such setting"):
        score(optuna.trial.FixedTrial({"retriever.k2": 1.0}))


def test_text_that_stays_on_this_machine_is_not_sent_by_optuna() -> None:
    """The same check as on the command line, before anything is planned."""
    server = ["embedder=server", "embedder.model=any", "embedder.url=https://example.com/v1"]
    score = objective(["share.text=false", "retriever=dense", *server], {"chunk": [64, 128]})

    with pytest.raises(UsageError, match="not on this machine"):
        score(optuna.trial.FixedTrial({"chunk": 64}))
