"""The house stays in order: names that would shadow others, imports that would be slow."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = ("torch", "ray", "mlflow", "sentence_transformers", "transformers", "pyarrow", "rich")


def test_no_child_of_bench_shadows_a_module() -> None:
    """`python bench/run.py` puts bench/ first on the path."""
    children = {path.stem for path in (ROOT / "bench").iterdir() if not path.name.startswith("_")}

    shadowed = [
        name
        for name in children
        if name in sys.stdlib_module_names or importlib.util.find_spec(name) is not None
    ]

    assert shadowed == []


@pytest.mark.parametrize(
    "module",
    ["bench.run", "bench.cli", "hydra_plugins.study_launcher", "bench.settings", "bench.stages"],
)
def test_importing_a_door_loads_nothing_heavy(module: str) -> None:
    """--help and --cfg job answer within a second only if models and servers are not loaded."""
    code = f"import sys, {module}; print([m for m in {HEAVY} if m in sys.modules])"

    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )

    assert found.stdout.strip() == "[]"
