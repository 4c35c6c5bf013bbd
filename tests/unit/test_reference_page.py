"""The reference of settings is what conf/ says."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_reference_is_fresh() -> None:
    """Run scripts/make_reference.py after a change of conf/."""
    program = [sys.executable, str(ROOT / "scripts" / "make_reference.py"), "--check"]

    found = subprocess.run(program, capture_output=True, text=True, check=False)

    assert found.returncode == 0, found.stderr
