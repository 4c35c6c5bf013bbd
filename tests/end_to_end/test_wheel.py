"""The wheel works where there is no checkout: it brings its settings, fixtures and queries."""

import json
import re
import subprocess
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.installed_wheel import ROOT, build_wheel, clean, install, make_environment

PACKAGES = ("bench", "retrievers", "rankgrid")
DATA = ("conf", "fixtures")
SHOP = ("repository=samples/shop", "queries=samples/queries/shop.yaml")

PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
READ = "import rankgrid; print(tuple(q.id for q in rankgrid.read_queries('queries.yaml')))"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a wheel that was built from the checkout, without a network."""
    return build_wheel(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a new environment with the wheel; its other packages are those of this one."""
    folder = tmp_path_factory.mktemp("environment")
    make_environment(folder)
    install(wheel, folder)
    return folder


def python(environment: Path) -> str:
    """Return the interpreter of an environment."""
    return str(environment / "bin" / "python")


def ran(command: Sequence[str], folder: Path) -> str:
    """Run a command in a folder and return what it printed."""
    found = subprocess.run(
        command, cwd=folder, env=clean(), capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


def test_the_wheel_has_every_file_of_the_packages_and_their_data(wheel: Path) -> None:
    """Queries of tree-sitter, pages, styles and scripts included."""
    places = [path for name in (*PACKAGES, *DATA) for path in (ROOT / name).rglob("*")]
    files = [path for path in places if path.is_file() and "__pycache__" not in path.parts]
    own = [path.relative_to(ROOT).as_posix() for path in files]
    expected = {f"bench/_data/{name}" if name.startswith(DATA) else name for name in own}

    names = zipfile.ZipFile(wheel).namelist()

    assert len(expected) > 500
    assert expected - set(names) == set()
    assert [name for name in names if name.endswith((".pyc", ".draft"))] == []


def test_it_is_imported_from_the_wheel(environment: Path, tmp_path: Path) -> None:
    code = (
        "import bench, bench.files, retrievers, rankgrid;"
        "print(bench.__file__, retrievers.__file__, rankgrid.__file__,"
        " bench.files.data_folder('conf'), sep='\\n')"
    )

    places = ran([python(environment), "-P", "-c", code], tmp_path).splitlines()

    assert all(Path(place).is_relative_to(environment) for place in places)


def test_the_command_says_its_version(environment: Path, tmp_path: Path) -> None:
    metadata = "from importlib.metadata import version; print(version('rankgrid'))"

    command = environment / "bin" / "rankgrid"
    said = ran([str(command), "--version"], tmp_path)

    assert command.read_text(encoding="utf-8").startswith(f"#!{environment}/bin/python")
    assert said == f"rankgrid {ran([python(environment), '-c', metadata], tmp_path)}"


def test_a_grid_runs_on_the_fixtures_of_the_wheel_and_python_reads_it(
    environment: Path, tmp_path: Path
) -> None:
    (data,) = environment.glob("lib/python3*/site-packages/bench/_data/fixtures")
    own = [text.replace("=", f"={data}/", 1) for text in SHOP]
    door = [python(environment), "-P", "-m", "bench.run"]

    printed = ran(
        [*door, "-m", "retriever=bm25,lexical", "suite=own", *own, "latency=off", "tracking=none"],
        tmp_path,
    )

    (report,) = tmp_path.glob("outputs/2*/report.html")
    results = json.loads((report.parent / "results.json").read_text(encoding="utf-8"))
    names = [one["config"]["name"] for one in results["reports"]]
    assert names == ["retriever=bm25", "retriever=lexical"]
    assert all(one["summary"]["avg_mrr"] == 1.0 for one in results["reports"])
    assert "retriever=lexical" in printed
    assert sorted(path.name for path in tmp_path.iterdir()) == [".rankgrid", "outputs"]
    for block in BLOCKS:
        printed = ran([python(environment), "-P", "-c", block], tmp_path)
        assert printed == "" or printed.splitlines()[0].startswith("retriever=bm25 0.")
    queries = ran([python(environment), "-P", "-c", READ], tmp_path)
    assert queries == "('cart-total',)\n"


def test_a_shipped_suite_has_the_queries_that_the_wheel_brings(
    environment: Path, tmp_path: Path
) -> None:
    command = [str(environment / "bin" / "rankgrid"), "fixtures", "stats", "quick"]

    printed = ran(command, tmp_path)

    assert "jinja2: 22 queries, 2 negative, 0 drafts, 0 targets not found" in printed
