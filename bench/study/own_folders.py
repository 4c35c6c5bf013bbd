"""Patterns that exclude a study's inputs and outputs from a searched folder.

Files that rankgrid wrote are recognised by their content. These patterns avoid reading a store of
many gigabytes, and they exclude a study's own files in any format.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench.engine import ArtifactStore
from bench.settings import SuiteSettings

_STUDY = re.compile(r"\d{8}-\d{6}-[0-9a-f]{6}(-rescored)*")
_SPECIAL = re.compile(r"([\\*?\[\]! #])")


def own_places(suite: SuiteSettings, store: ArtifactStore, output: str) -> tuple[Path, ...]:
    """Return the suite, its queries, the contents of the store and the studies in `output`.

    Other files in `output` belong to the user and are searched.
    """
    queries = [one.queries for one in suite.repositories]
    suites = [suite.file] if suite.file else []
    return (*suites, *queries, *store.folders, *(_studies(Path(output)) if output else ()))


def patterns_inside(root: Path, places: Iterable[Path]) -> tuple[str, ...]:
    """Return gitignore patterns of the places inside a folder."""
    root = root.resolve()
    resolved = dict.fromkeys(place.resolve() for place in places)
    inside = (place.relative_to(root) for place in resolved if root in place.parents)
    return tuple("/" + _SPECIAL.sub(r"\\\1", place.as_posix()) for place in inside)


def _studies(output: Path) -> Iterator[Path]:
    folder = output.expanduser()
    if folder.is_dir():
        yield from sorted(one for one in folder.iterdir() if _STUDY.fullmatch(one.name))
