"""Transfer of targets from one tree of a repository to another, by name or by text."""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from heapq import nlargest
from typing import Literal

from bench.authoring.similarity import Words, alike, shared, words_of
from bench.queries import Query, Target
from bench.queries.matching import Definition
from bench.queries.resolution import Problem, Spot, Tree, find_target
from bench.queries.targets import normal_path

_LOOKED_AT = 5
_SAME_NAME = 0.1
"""Bonus for the same name, among definitions that are similar enough."""

How = Literal["kept", "moved", "changed", "lost"]


@dataclass(frozen=True)
class Carried:
    """The state of a target in the new tree."""

    query: str
    target: Target
    now: tuple[Target, ...]
    """Empty if the target is lost."""
    how: How
    """`changed`: the name still exists, but with a very different text."""
    likeness: float
    """Similarity of its old and new text; for a lost target that of the nearest text."""


@dataclass(frozen=True)
class _Found:
    target: Target
    likeness: float


class Carrier:
    """Finder of an old tree's targets in a new tree."""

    def __init__(self, new: Tree, threshold: float) -> None:
        self._new = new
        self._threshold = threshold

    def carry(self, query: Query, target: Target, old: Tree) -> Carried:
        """Return the new place of a target, or that it is lost."""
        where = find_target(old, query, target)
        if isinstance(where, Problem):
            return Carried(query.id, target, (), "lost", 0.0)
        same = self._same(query, target, where, old)
        if same is not None:
            how: How = "kept" if same >= self._threshold else "changed"
            return Carried(query.id, target, (target,), how, same)
        found = [self._found(target, spot, old) for spot in where]
        likeness = min((one.likeness for one in found if one), default=0.0)
        if not all(one and one.likeness >= self._threshold for one in found):
            return Carried(query.id, target, (), "lost", likeness)
        now = tuple(dict.fromkeys(one.target for one in found if one))
        how = "kept" if now == (target,) else "moved"
        return Carried(query.id, target, now, how, likeness)

    def _same(
        self, query: Query, target: Target, where: Sequence[Spot], old: Tree
    ) -> float | None:
        """Return the similarity of a file or symbol with the same name, or None without one."""
        again = find_target(self._new, query, target)
        if target.level == "span" or isinstance(again, Problem):
            return None
        then = "\n".join(old.text(spot) for spot in where)
        return alike(then, "\n".join(self._new.text(spot) for spot in again))

    def _found(self, target: Target, spot: Spot, old: Tree) -> _Found | None:
        if target.level == "symbol":
            return self._definition(target, old.text(spot))
        if target.level == "file":
            path, likeness = self._file(old, spot.document)
            return _Found(replace(target, path=path), likeness) if path else None
        return self._lines(target, spot, old)

    def _definition(self, target: Target, text: str) -> _Found | None:
        """Return the definition with the most similar text."""
        words, name = words_of(text), target.symbol.rpartition(".")[2].rpartition(":")[2]
        likely = nlargest(_LOOKED_AT, self._definitions, key=lambda one: shared(words, one[1]))
        found = [(one, alike(text, self._text(one))) for one, _ in likely]
        if not found:
            return None

        def worth(one: tuple[Definition, float]) -> float:
            return one[1] + _SAME_NAME * (one[0].name.rpartition(".")[2] == name)

        best, likeness = max(found, key=worth)
        return _Found(replace(target, symbol=best.asked), likeness)

    def _lines(self, target: Target, spot: Spot, old: Tree) -> _Found | None:
        """Return the lines with the same text in the same file, even if the file was renamed."""
        path = normal_path(target.path)
        if path not in self._new.documents.places:
            path, _ = self._file(old, spot.document)
        if not path:
            return None
        document = self._new.documents.places[path]
        here = self._same_characters(target, old.text(spot), document)
        if here is not None:
            return _Found(replace(here, path=path), 1.0)
        then, now = _rows(old, spot.document), _rows(self._new, document)
        lines = _moved(old.lines_of(spot), then, now)
        if lines is None:
            return None
        likeness = alike(old.text(spot), self._new.text(self._new.lines(document, *lines)))
        return _Found(_on_lines(replace(target, path=path), lines), likeness)

    def _same_characters(self, target: Target, text: str, document: int) -> Target | None:
        """Return the characters with the same text, for a target in characters."""
        content = self._new.documents.text(document)
        if not target.has_characters or content.count(text) != 1:
            return None
        start = content.index(text)
        first = 1 + content.count("\n", 0, start)
        moved = _on_lines(target, (first, first + text[:-1].count("\n")))
        return replace(moved, start_character=start, end_character=start + len(text))

    def _file(self, old: Tree, document: int) -> tuple[str, float]:
        """Return the file with the most similar text. New paths take precedence over old ones."""
        text = old.documents.text(document)
        words = words_of(text)
        fresh = [path for path in self._new.documents.paths if path not in old.documents.places]
        paths = fresh or self._new.documents.paths
        if not paths:
            return "", 0.0
        best = max(paths, key=lambda path: (shared(words, self._words(path)), path))
        return best, shared(words, self._words(best))

    @cached_property
    def _definitions(self) -> list[tuple[Definition, Words]]:
        tree = self._new
        return [(one, words_of(self._text(one))) for one in tree.definitions.all()]

    def _text(self, definition: Definition) -> str:
        return self._new.text(self._new.definition(definition.row))

    @lru_cache(maxsize=4096)  # noqa: B019 - a carrier lives as long as its tree
    def _words(self, path: str) -> Words:
        return words_of(self._new.documents.text(self._new.documents.places[path]))


def carry_all(
    queries: Iterable[tuple[Query, Tree]], new: Tree, *, threshold: float
) -> list[list[Carried]]:
    """Return the new states of each query's targets; each query comes with its old tree."""
    carrier = Carrier(new, threshold)
    return [
        [carrier.carry(query, target, old) for target in query.targets] for query, old in queries
    ]


def _rows(tree: Tree, document: int) -> list[str]:
    return [line.strip() for line in tree.documents.text(document).split("\n")]


def _on_lines(target: Target, lines: tuple[int, int]) -> Target:
    return replace(target.on_lines, start=lines[0], end=lines[1])


def _moved(
    lines: tuple[int, int], then: Sequence[str], now: Sequence[str]
) -> tuple[int, int] | None:
    """Return the new lines for old ones, from the unchanged text around them."""
    wanted = then[lines[0] - 1 : lines[1]]
    places = [n for n in range(len(now) - len(wanted) + 1) if now[n : n + len(wanted)] == wanted]
    # A unique exact copy is more reliable than a diff.
    if len(places) == 1 and any(wanted):
        return places[0] + 1, places[0] + len(wanted)
    codes = difflib.SequenceMatcher(None, then, now).get_opcodes()
    first, last = lines[0] - 1, lines[1]
    touched = (code for code in codes if code[1] < last and first < code[2])
    ranges = [_part(code, first, last) for code in touched]
    kept = [one for one in ranges if one[0] < one[1]]
    return (kept[0][0] + 1, kept[-1][1]) if kept else None


def _part(code: tuple[str, int, int, int, int], first: int, last: int) -> tuple[int, int]:
    """Return the part of a diff block's new lines that corresponds to a range of old lines."""
    tag, old_start, old_end, new_start, new_end = code
    if tag != "equal":
        return new_start, new_end
    return new_start + max(first - old_start, 0), new_end - max(old_end - last, 0)
