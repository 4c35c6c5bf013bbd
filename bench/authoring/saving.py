"""Puts files and folders in their place whole or not at all."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from bench.errors import UsageError


def refuse_existing(path: Path) -> None:
    """Refuse to write where something is already."""
    if path.exists() or path.is_symlink():
        message = f"{path}: already exists; give another --output, or remove it"
        raise UsageError(message)


@contextmanager
def new_place(path: Path) -> Iterator[Path]:
    """Give a place to write a file or folder at that becomes `path` when all went well."""
    refuse_existing(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    workshop = Path(mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    try:
        # The name is kept: some formats draw ids from the names of files.
        yield workshop / path.name
        (workshop / path.name).rename(path)
    finally:
        shutil.rmtree(workshop, ignore_errors=True)
