"""`import rankgrid` costs next to nothing and has the names that it lists."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import rankgrid
from bench.cli import main

ROOT = Path(__file__).parents[2]
SEARCHING = re.compile(
    r"(retrievers\.(lexical|dense|graph|late|chunkers|answerers|rerankers|listing|external"
    r"|catalogue)|bench\.(stages|models|study|wiring|launcher|cli)"
    r"|torch|ray|mlflow|hydra|transformers|sentence_transformers|onnxruntime|qdrant_client)(\.|$)"
)
"""Modules that search, embed, rerank or answer, and the stages and frameworks that run them."""


def test_importing_rankgrid_loads_nothing_of_ours_and_nothing_heavy() -> None:
    heavy = ("torch", "ray", "mlflow", "numpy", "yaml", "bench", "retrievers")
    code = f"import sys, rankgrid; print([m for m in {heavy} if m in sys.modules])"

    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )

    assert found.stdout.strip() == "[]"


def test_no_name_loads_models_or_servers() -> None:
    heavy = ("torch", "ray", "mlflow", "sentence_transformers", "transformers")
    code = f"import sys; from rankgrid import *; print([m for m in {heavy} if m in sys.modules])"

    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )

    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize("package", ["bench.measures", "bench.compare"])
def test_measuring_and_comparing_load_nothing_that_searches(package: str) -> None:
    """Nor anything that embeds, reranks or answers, so that neither can depend on a retriever."""
    code = f"import sys, {package}; print(*sys.modules, sep='\\n')"

    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )

    loaded = found.stdout.split()
    assert package in loaded
    assert [name for name in loaded if SEARCHING.match(name)] == []


def test_every_public_name_is_there_and_no_other() -> None:
    found = {name: getattr(rankgrid, name) for name in rankgrid.__all__}

    assert dir(rankgrid) == sorted(rankgrid.__all__)
    assert found["read_queries"].__module__.startswith("bench.queries")
    with pytest.raises(AttributeError, match="module 'rankgrid' has no attribute 'torch'"):
        _ = rankgrid.torch  # type: ignore[attr-defined]


def test_the_page_has_every_name() -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")

    assert [name for name in rankgrid.__all__ if not re.search(rf"`{name}[`(]", page)] == []


def test_queries_are_written_and_read_by_public_names(tmp_path: Path) -> None:
    query = rankgrid.Query("a", "how are prices added up", (rankgrid.Target("file", path="a.py"),))
    (tmp_path / "queries.yaml").write_text(rankgrid.write_queries([query]), encoding="utf-8")

    assert rankgrid.read_queries(tmp_path / "queries.yaml") == (query,)
    assert rankgrid.read_queries(str(tmp_path / "queries.yaml")) == (query,)
    with pytest.raises(rankgrid.RankgridError, match=r"gone\.yaml: there is no such file"):
        rankgrid.read_queries(tmp_path / "gone.yaml")


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])

    assert capsys.readouterr().out == f"rankgrid {rankgrid.__version__}\n"
