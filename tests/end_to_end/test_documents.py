"""What the README says can be typed."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from bench.queries import read_queries

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOORS = ("python bench/run.py", "scripts/bench")


def commands() -> list[str]:
    """Return the README's commands that run a study."""
    lines = (line.strip().partition("#")[0].strip() for line in README.splitlines())
    return [line for line in lines if line.startswith(DOORS) and "…" not in line]


@pytest.mark.parametrize("line", commands())
def test_every_command_of_the_readme_is_understood(line: str, tmp_path: Path) -> None:
    """It is composed (a grid: planned), and nothing is run."""
    typed = line.removeprefix(DOORS[0]).removeprefix(DOORS[1])
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *shlex.split(typed)]

    show = ["--plan"] if "-m" in command else ["--cfg", "job"]
    found = subprocess.run(
        [*command, *show], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert found.returncode == 0, found.stderr
    assert "retriever:" in found.stdout or "Nothing was run." in found.stdout


def test_the_readme_has_commands() -> None:
    """So that the test above cannot pass by finding none."""
    assert len(commands()) >= 4


def test_the_queries_of_the_readme_are_read(tmp_path: Path) -> None:
    """The block of YAML is a file of queries."""
    (block,) = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
    (tmp_path / "queries.yaml").write_text(block, encoding="utf-8")

    queries = read_queries(tmp_path / "queries.yaml")

    assert [query.negative for query in queries] == [False, True]


@pytest.mark.parametrize("name", re.findall(r"\]\(([^)h][^)]*)\)", README))
def test_every_link_of_the_readme_leads_somewhere(name: str) -> None:
    """Files and folders of this repository, and headings of its pages."""
    place, _, heading = name.partition("#")

    assert (ROOT / place).exists()
    if heading:
        page = (ROOT / place).read_text(encoding="utf-8").lower().splitlines()
        assert any(line.lstrip("# ").replace(" ", "-") == heading for line in page)
