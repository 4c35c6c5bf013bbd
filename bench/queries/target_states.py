"""States of targets in a tree, and their tracking in another tree of the repository.

A study records the state of each target. A later study of a changed tree reads these records. It
looks names up again, and searches lines by their text. A query with a lost target is excluded,
with the reason. The two trees are never needed at the same time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

import numpy as np

from bench.queries.line_marks import (
    Lines,
    exact_places,
    is_telling,
    joined,
    marks_of,
    near_places,
    parted,
)
from bench.queries.query import Query, Target
from bench.queries.resolution import Problem, Spot, Tree, find_target
from bench.queries.resolved import Judgements
from bench.queries.targets import normal_path

Lost = Literal["", "gone", "rewritten", "ambiguous", "outside"]
Missing = Literal["refuse", "drop"]
"""Handling of targets that are not in the source."""


@dataclass(frozen=True, slots=True)
class TargetState:
    """A target as written in its file, and how it was found."""

    written: str
    lost: Lost = ""
    """Reason why the target was not found, or ""."""
    at: str = ""
    """Current position of its lines, if different from the file of queries."""
    lines: str = ""
    """Marks of its lines, for targets given as lines."""


Earlier = tuple[tuple[TargetState, ...], ...]
"""States of the targets of each query in an earlier study; empty for new queries."""


@dataclass(frozen=True)
class Followed:
    """A query adapted to a tree, and the states of its targets there."""

    query: Query
    """The query with the current position of its lines, without excluded targets."""
    states: tuple[TargetState, ...]


def follow(
    tree: Tree, queries: Sequence[Query], earlier: Earlier | None, *, missing: Missing = "refuse"
) -> list[Followed]:
    """Adapt queries to a tree.

    Without `earlier`, targets that are not in the tree are kept, so that resolving them is an
    error; missing="drop" removes them instead. A query with lines beyond the end of their file
    loses all targets. The same applies to queries with a target that the earlier study did not
    find. With `earlier`, a query that lost a target since then loses all targets.
    """
    finder = _Finder(tree)
    if earlier is None:
        return [_as_written(finder, query, missing) for query in queries]
    return [
        _as_written(finder, query, missing)
        if any(state.lost for state in states)
        else _followed(finder, query, states)
        for query, states in zip(queries, earlier, strict=True)
    ]


def with_states(judgements: Judgements, followed: Sequence[Followed]) -> Judgements:
    """Add the states of the targets to their judgements."""
    rows = [(number, state) for number, one in enumerate(followed) for state in one.states]
    return replace(
        judgements,
        state_query=np.array([number for number, _ in rows], np.int32),
        state_written=tuple(state.written for _, state in rows),
        state_lost=tuple(state.lost for _, state in rows),
        state_at=tuple(state.at for _, state in rows),
        state_lines=tuple(state.lines for _, state in rows),
    )


def states_of(judgements: Judgements, *, query_count: int) -> list[tuple[TargetState, ...]]:
    """Return the states of the targets, by query."""
    found: list[list[TargetState]] = [[] for _ in range(query_count)]
    columns = (
        judgements.state_query.tolist(),
        judgements.state_written,
        judgements.state_lost,
        judgements.state_at,
        judgements.state_lines,
    )
    for number, written, lost, at, lines in zip(*columns, strict=True):
        found[number].append(TargetState(written, cast("Lost", lost), at, lines))
    return [tuple(states) for states in found]


def _as_written(finder: "_Finder", query: Query, missing: Missing) -> Followed:
    states = tuple(finder.state(query, target) for target in query.targets)
    if missing == "refuse":
        return _without_outside(finder, query, states)
    found = zip(query.targets, states, strict=True)
    kept = tuple(target for target, state in found if not state.lost)
    return Followed(replace(query, targets=kept), states)


def _without_outside(finder: "_Finder", query: Query, states: tuple[TargetState, ...]) -> Followed:
    """Return a query with all its targets, or with none if some lines are beyond their file."""
    outside = [finder.is_outside(query, target) for target in query.targets]
    if not any(outside):
        return Followed(query, states)
    told = zip(states, outside, strict=True)
    states = tuple(replace(state, lost="outside") if out else state for state, out in told)
    return Followed(replace(query, targets=()), states)


def _followed(finder: "_Finder", query: Query, earlier: tuple[TargetState, ...]) -> Followed:
    before: Sequence[TargetState | None] = earlier or [None] * len(query.targets)
    found = [finder.again(query, *pair) for pair in zip(query.targets, before, strict=True)]
    states = tuple(state for _, state in found)
    lost = any(state.lost for state in states)
    targets = () if lost else tuple(target for target, _ in found)
    return Followed(replace(query, targets=targets), states)


class _Finder:
    """Finder of targets in a tree. Marks of its files are computed on demand."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._rows: dict[int, tuple[str, ...]] = {}

    def state(self, query: Query, target: Target, at: str = "") -> TargetState:
        """Return the state of a target at its written position."""
        found, written = find_target(self._tree, query, target), target.as_written
        if isinstance(found, Problem):
            return TargetState(written, "ambiguous" if found.rule == "ambiguous" else "gone")
        return TargetState(written, "", at, self._marks(found) if target.level == "span" else "")

    def is_outside(self, query: Query, target: Target) -> bool:
        """Return whether a target's lines or characters are beyond the end of their file."""
        found = find_target(self._tree, query, target)
        return isinstance(found, Problem) and found.rule == "outside-file"

    def again(
        self, query: Query, target: Target, before: TargetState | None
    ) -> tuple[Target, TargetState]:
        """Return a target at its current position, found by its name or by its former text."""
        if before is None or not before.lines:
            return target, self.state(query, target)
        if target.has_characters:
            return target, self._at_its_characters(query, target, before)
        written, places = target.as_written, self._places(target, parted(before.lines))
        if len(places) != 1:
            lost: Lost = "ambiguous" if places else self._why_lost(target)
            return target, TargetState(written, lost, "", before.lines)
        document, (start, end) = places[0]
        now = replace(target, path=self._tree.documents.paths[document], start=start, end=end)
        moved = now.as_written
        state = self.state(query, now, at="" if moved == written else moved)
        return now, replace(state, written=written)

    def _at_its_characters(self, query: Query, target: Target, before: TargetState) -> TargetState:
        """Return the state of a target in characters, kept only if its lines are unchanged.

        Moved lines could be found, but not the characters in them.
        """
        now = self.state(query, target)
        if now.lost or now.lines == before.lines:
            return now
        return TargetState(target.as_written, self._why_lost(target), "", before.lines)

    def _marks(self, spots: Sequence[Spot]) -> str:
        marks: list[str] = []
        for spot in spots:
            first, last = self._tree.lines_of(spot)
            marks += self._of(spot.document)[first - 1 : last]
        return joined(marks)

    def _why_lost(self, target: Target) -> Lost:
        return "gone" if self._document(target) is None else "rewritten"

    def _places(self, target: Target, wanted: tuple[str, ...]) -> list[tuple[int, Lines]]:
        """Return the places of lines: as written, else in their file, else in any other file."""
        own = self._document(target)
        if own is not None:
            rows = self._of(own)
            if rows[target.start - 1 : target.end] == wanted:
                return [(own, (target.start, target.end))]
            found = exact_places(wanted, rows) or near_places(wanted, rows)
            if found:
                return [(own, lines) for lines in found]
        return list(self._elsewhere(wanted, own)) if is_telling(wanted) else []

    def _elsewhere(self, wanted: tuple[str, ...], own: int | None) -> Iterator[tuple[int, Lines]]:
        """Yield the places in other files with exactly these lines: code often moves whole."""
        for document in range(len(self._tree.documents)):
            if document != own:
                for lines in exact_places(wanted, self._of(document)):
                    yield document, lines

    def _document(self, target: Target) -> int | None:
        places = self._tree.documents.places
        return places.get(target.path, places.get(normal_path(target.path)))

    def _of(self, document: int) -> tuple[str, ...]:
        if document not in self._rows:
            self._rows[document] = marks_of(self._tree.documents.text(document))
        return self._rows[document]
