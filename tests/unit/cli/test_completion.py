"""What TAB offers, and that it is offered at once."""

import subprocess
import sys

import pytest

from bench.cli.candidates import candidates

HEAVY = (
    *("torch", "ray", "mlflow", "transformers", "numpy", "scipy", "pyarrow", "rich", "hydra"),
    *("bench.settings.trial", "bench.report", "bench.study", "retrievers.lexical"),
)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("rankgrid be", ["bench"]),
        ("rankgrid baseline ", ["save", "show"]),
        ("rankgrid completion ", ["bash", "fish", "zsh"]),
        ("rankgrid compare --js", ["--json"]),
        ("rankgrid run reranker=o", ["reranker=off", "reranker=on"]),
        ("rankgrid bench --trus", ["--trust"]),
        ("rankgrid bench retr", ["retriever="]),
        ("rankgrid bench max_i", ["max_index_seconds="]),
        ("rankgrid bench retriever=bm", ["retriever=bm25"]),
        ("rankgrid bench -m retriever=bm25,gre", ["retriever=bm25,grep"]),
        ("rankgrid bench retriever=bm25 retriever.k", ["retriever.k1=", "retriever.kind="]),
        ("rankgrid bench retriever=graph retriever.wal", ["retriever.walk."]),
        ("rankgrid bench retriever=graph retriever.walk.alp", ["retriever.walk.alpha="]),
        ("rankgrid bench targets.e", ["targets.easy="]),
        ("rankgrid bench study=we", ["study=weights"]),
        ("rankgrid bench study=outputs/", []),
        ("rankgrid bench repository=", []),
        ("rankgrid bench --baseline ", []),
        ("rankgrid bench --baseline x retr", ["retriever="]),
        ("scripts/bench retr", ["retriever="]),
        ("python bench/run.py retr", ["retriever="]),
        ("/usr/bin/python3 /far/bench/run.py --baselin", ["--baseline"]),
        ("rankgrid nonsense --", ["--help", "--version"]),
        ("rankgrid bench 'retr", []),
    ],
)
def test_a_word_is_completed(line: str, offered: list[str]) -> None:
    assert candidates(line) == offered


def test_every_setting_is_offered_for_an_empty_word() -> None:
    offered = candidates("rankgrid bench ")

    assert {"retriever=", "chunk=", "study=", "tracking="} <= set(offered)


@pytest.mark.parametrize("line", ["rankgrid ", "rankgrid bench retriever.", "rankgrid bench --"])
def test_nothing_heavy_is_imported_on_a_tab(line: str) -> None:
    code = (
        "import sys; from bench.cli.candidates import candidates; candidates(sys.argv[1]);"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )

    found = subprocess.run(
        [sys.executable, "-P", "-c", code, line], capture_output=True, text=True, check=True
    )

    assert found.stdout.strip() == "[]"
