"""Match of queries and paths: the shares of names in queries and of queries in paths."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from retrievers.interface import Documents
from retrievers.rules.file_kinds import Kinds, file_kinds
from retrievers.rules.words import stems

_Numbers = np.ndarray[Any, np.dtype[np.int32]]
_Doubles = np.ndarray[Any, np.dtype[np.float64]]

_SHORTEST_PREFIX = 4
_LAST = chr(0x10FFFF)


@dataclass(frozen=True)
class PathWords:
    """Sorted words of a repository's paths, and the documents that have them."""

    paths: tuple[str, ...]
    words: tuple[str, ...]
    in_stem: _Numbers
    """Documents with each word in their name before the extension, word after word."""
    in_stem_stops: _Numbers
    in_path: _Numbers
    """Documents with each word in that name or in a folder, word after word."""
    in_path_stops: _Numbers
    stem_size: _Numbers
    """Number of words in the name of each document."""
    kind: Kinds
    """Position of each document's kind in `FILE_KINDS`."""

    @classmethod
    def of(cls, documents: Documents) -> "PathWords":
        """Return the words of the documents' paths."""
        paths = [PurePosixPath(path) for path in documents.paths]
        in_stem = [stems(path.stem) for path in paths]
        in_path = [
            {*own, *stems(str(path.parent))} for own, path in zip(in_stem, paths, strict=True)
        ]
        words = tuple(sorted(set().union(*in_path)))
        places = {word: place for place, word in enumerate(words)}
        return cls(
            documents.paths,
            words,
            *_inverted(in_stem, places),
            *_inverted(in_path, places),
            stem_size=np.array([len(own) for own in in_stem], np.int32),
            kind=file_kinds(documents),
        )

    def updated(self, documents: Documents) -> "PathWords":
        """Return the words of the documents' paths, which are often those of an earlier commit."""
        if documents.paths != self.paths:
            return PathWords.of(documents)
        return replace(self, kind=file_kinds(documents))


def _inverted(held: Sequence[Iterable[str]], places: dict[str, int]) -> tuple[_Numbers, _Numbers]:
    """Return the documents of all words, word after word, and the end of each word's documents."""
    pairs = sorted((places[word], document) for document, own in enumerate(held) for word in own)
    word, document = np.array(pairs, np.int32).reshape(-1, 2).T
    counts = np.bincount(word, minlength=len(places))
    return document.copy(), np.cumsum(counts).astype(np.int32)


class PathNames:
    """Paths of a repository, prepared for comparison with queries."""

    def __init__(self, path_words: PathWords) -> None:
        self._paths = path_words
        self._places = {word: place for place, word in enumerate(path_words.words)}
        self._longest = max(map(len, path_words.words), default=0)

    def matches(self, query: str) -> _Doubles:
        """Return the match of each document's path with a query, from 0 to 1.

        It is the geometric mean of two shares: of the name's words that the query has, and of the
        query's words that the path has. Rare words of the query count more.
        """
        size = self._paths.stem_size
        found, weight = np.zeros(len(size)), 0.0
        named: set[int] = set()
        for word in stems(query):
            alike = self._alike(word)
            documents = self._with_any(alike)
            rarity = _rarity(len(documents), len(size))
            weight += rarity
            found[documents] += rarity
            named.update(alike)
        if not named or not weight:
            return np.zeros(len(size))
        return np.asarray(np.sqrt(self._named_share(named) * (found / weight)))

    def _named_share(self, named: Iterable[int]) -> _Doubles:
        """Return the share of each file name's words that are in `named`."""
        paths = self._paths
        held = [_slice(paths.in_stem, paths.in_stem_stops, word) for word in named]
        counts = np.bincount(np.concatenate(held), minlength=len(paths.stem_size))
        return counts / np.maximum(paths.stem_size, 1)

    def _with_any(self, words: Sequence[int]) -> _Numbers:
        paths = self._paths
        held = [_slice(paths.in_path, paths.in_path_stops, word) for word in words]
        if len(held) == 1:
            return held[0]
        return np.unique(np.concatenate([np.zeros(0, np.int32), *held]))

    def _alike(self, word: str) -> list[int]:
        """Return the path words that equal a word, begin with it, or are a prefix of it."""
        if len(word) < _SHORTEST_PREFIX:
            return [self._places[word]] if word in self._places else []
        longest = min(len(word) - 1, self._longest)
        shorter = (word[:length] for length in range(_SHORTEST_PREFIX, longest + 1))
        words = self._paths.words
        longer = range(bisect_left(words, word), bisect_left(words, word + _LAST))
        return [*(self._places[own] for own in shorter if own in self._places), *longer]


def _rarity(having: int, documents: int) -> float:
    """Return the weight of a word by its document frequency, as in BM25."""
    return float(np.log1p((documents - having + 0.5) / (having + 0.5)))


def _slice(documents: _Numbers, stops: _Numbers, word: int) -> _Numbers:
    return documents[stops[word - 1] if word else 0 : stops[word]]
