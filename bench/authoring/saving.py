"""Atomic creation of files and folders."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from bench.errors import UsageError


def refuse_existing(path: Path) -> None:
    """Refuse an output path that already exists."""
    if path.exists() or path.is_symlink():
        message = f"{path}: already exists; give another --output, or remove it"
        raise UsageError(message)


@contextmanager
def new_place(path: Path) -> Iterator[Path]:
    """Yield a temporary path for a file or folder, which is renamed to `path` on success."""
    refuse_existing(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    workshop = Path(mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    try:
        # The name is kept, because some formats derive ids from file names.
        yield workshop / path.name
        (workshop / path.name).rename(path)
    finally:
        shutil.rmtree(workshop, ignore_errors=True)
