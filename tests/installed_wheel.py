"""A wheel of the checkout, and environments that it is installed in without a network."""

import os
import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
INSTALL = ("--quiet", "--no-deps", "--no-index", "--ignore-installed")
"""What pip needs so that it takes the wheel and asks no index for its dependencies."""


def build_wheel(folder: Path) -> Path:
    """Return a wheel that was built from the checkout."""
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run([*build, "--directory", str(folder)], cwd=ROOT, check=True, capture_output=True)
    (found,) = folder.glob("*.whl")
    return found


def make_environment(folder: Path) -> None:
    """Make an environment without rankgrid; its other packages are those of this one.

    A plain path in a .pth file adds the packages in a folder, but not what is installed there in
    editable form: the checkout is not on the path.
    """
    venv.create(folder, with_pip=False, symlinks=True)
    (packages,) = folder.glob("lib/python3*/site-packages")
    shared = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "shared.pth").write_text("\n".join(shared) + "\n", encoding="utf-8")


def install(wheel: Path, environment: Path) -> None:
    """Install the wheel into an environment."""
    pip = [sys.executable, "-m", "pip", "--python", str(environment / "bin" / "python")]
    words = [*pip, "--disable-pip-version-check", "install", *INSTALL, str(wheel)]
    subprocess.run(words, check=True, env=clean())


def clean() -> Mapping[str, str]:
    """Return the variables without those that would lead to the checkout."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
