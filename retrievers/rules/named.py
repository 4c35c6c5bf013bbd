"""Chunks that a query names: by paths, by frames of tracebacks, by names of definitions."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from retrievers.interface import Chunks
from retrievers.reading import Frame, Reading
from retrievers.rules.definitions import DefinedNames
from retrievers.rules.settings import Rules
from retrievers.source import Symbols

_Doubles = np.ndarray[Any, np.dtype[np.float64]]

_FRAMES_OF_EQUAL_WEIGHT = 3
"""Number of frames, from the innermost on, after which the weight of frames halves."""
_TELLING = 2
"""Parts of a path that must match, if both paths have as many."""


class NamedChunks:
    """Chunks of a repository by the paths, frames and names that a query may contain."""

    def __init__(self, paths: Sequence[str], chunks: Chunks, symbols: Symbols) -> None:
        self._document = chunks.document
        self._files = _Files(paths)
        self._defined = DefinedNames(symbols, chunks)

    def boosts(self, reading: Reading, rules: Rules) -> _Doubles:
        """Return the boost of every chunk by the names in a query."""
        boosts = np.zeros(len(self._document))
        called = {name: self._defined.called(name) for name in reading.identifiers}
        if rules.definition_boost:
            for name, weight in reading.identifiers.items():
                chunks, definitions = called[name]
                share = weight / math.sqrt(max(definitions, 1))
                boosts[chunks] += rules.definition_boost * share
        if rules.path_boost:
            for documents in self._meant_files(reading, called):
                boosts += rules.path_boost * self._share(documents)
        if rules.frame_boost:
            self._add_frames(boosts, reading.frames, rules.frame_boost)
        return boosts

    def _meant_files(
        self, reading: Reading, called: Mapping[str, tuple[list[int], int]]
    ) -> list[list[int]]:
        """Return the files of each path, or nothing if paths are only context.

        "In tests/test_cart.py I call `total`" asks for the definition of `total` in another file.
        """
        files = [self._files.called(path) for path in reading.paths]
        within = {document for documents in files for document in documents}
        of_paths = {part for path in reading.paths for part in re.split(r"[/.]", path)}
        for name in called.keys() - of_paths:
            homes = set(self._document[called[name][0]].tolist())
            if homes and not homes & within:
                return []
        return files

    def _add_frames(self, boosts: _Doubles, frames: Sequence[Frame], weight: float) -> None:
        """Add the boosts of frames in the repository's files, each file and function once."""
        known: set[tuple[object, ...]] = set()
        ours = [(frame, self._files.called(frame.path)) for frame in frames]
        for place, (frame, files) in enumerate((one, own) for one, own in ours if own):
            own_weight = weight * 0.5 ** (place // _FRAMES_OF_EQUAL_WEIGHT)
            if tuple(files) not in known:
                boosts += own_weight * self._share(files)
            chunks = self._functions(frame, files) if (frame.function, *files) not in known else []
            boosts[chunks] += own_weight
            known |= {tuple(files), (frame.function, *files)}

    def _functions(self, frame: Frame, documents: Sequence[int]) -> list[int]:
        chunks, _ = self._defined.called(_last_name(frame.function))
        return [chunk for chunk in chunks if self._document[chunk] in documents]

    def _share(self, documents: Sequence[int]) -> _Doubles:
        """Return 1 for the chunks of a single document, and less for those of several
        documents."""
        found = np.isin(self._document, documents)
        return np.asarray(found / math.sqrt(max(len(documents), 1)))


@dataclass(frozen=True)
class _Named:
    parts: tuple[str, ...]
    document: int


class _Files:
    """Documents by the last part of their path."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = paths

    @cached_property
    def _by_name(self) -> dict[str, list[_Named]]:
        found: dict[str, list[_Named]] = {}
        for document, path in enumerate(self._paths):
            parts = PurePosixPath(path).parts
            found.setdefault(parts[-1], []).append(_Named(parts, document))
        return found

    def called(self, path: str) -> list[int]:
        """Return the documents whose paths share the most last parts with a path, if enough."""
        parts = tuple(part for part in PurePosixPath(path).parts if part not in ("/", ".", ".."))
        if not parts:
            return []
        found = [
            (shared, one.document)
            for one in self._by_name.get(parts[-1], ())
            if (shared := _shared_end(parts, one.parts))
            >= min(_TELLING, len(parts), len(one.parts))
        ]
        most = max((shared for shared, _ in found), default=0)
        return [document for shared, document in found if shared == most]


def _shared_end(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the number of equal parts at the ends."""
    return sum(1 for _ in _equal_ends(left, right))


def _equal_ends(left: Sequence[str], right: Sequence[str]) -> Iterator[None]:
    for one, other in zip(reversed(left), reversed(right), strict=False):
        if one != other:
            return
        yield None


def _last_name(function: str) -> str:
    """Return the name of a function without its qualifiers."""
    return function.replace("::", ".").replace("->", ".").rpartition(".")[2]
