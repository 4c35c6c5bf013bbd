"""Definitions that a change touches, in the tree before it."""

import re
from collections.abc import Iterator, Sequence

from bench.authoring.patches import Section
from bench.queries import Query, Target, split_at_definitions
from bench.queries.resolution import Spot, Tree
from retrievers.interface import Documents
from retrievers.source import find_symbols

_IMPORT = re.compile(
    r"\s*(?:import|from|use|using|package|namespace|require|include|#include|export|mod|extern)\b"
)


def changed_code(changed: Sequence[Section], documents: Documents) -> tuple[Target, ...]:
    """Return the changed functions and types, or lines of the file if there are none.

    An insertion between two definitions changes the definition around both. If only the file is
    around them, the inserted code is new and could not have been found.
    """
    looking = _Looking(documents)
    sections = [one for one in changed if one.old_path in documents.places]
    spots = list(dict.fromkeys(spot for one in sections for spot in looking.spots(one)))
    code = [looking.names[spot] for spot in spots if spot in looking.names]
    if code:
        return tuple(Target("symbol", symbol=name) for name in dict.fromkeys(code))
    return tuple(looking.lines(spot) for spot in spots if looking.says_something(spot))


class _Looking:
    """Lookup of the definitions around lines of a few files."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._symbols = find_symbols(documents)
        self._tree = Tree.of(documents, self._symbols)
        self.names = {
            self._tree.definition(one.row): one.asked
            for one in self._tree.definitions.all()
            if self._tree.is_code[one.row]
        }

    def spots(self, section: Section) -> Iterator[Spot]:
        """Yield the definitions that a section changes, or its lines outside of definitions."""
        path = section.old_path
        document = self._documents.places[path]
        last = self._tree.line_count(document)
        lines = (Target("span", path=path, start=a, end=b) for a, b in section.changed)
        (parted,) = split_at_definitions(
            [Query("", "", tuple(lines))], self._documents, self._symbols
        )
        for target in parted.targets:
            if target.end <= last:
                yield self._tree.around(self._tree.lines(document, target.start, target.end))
        for before, behind in section.inserted:
            if 1 <= before <= behind <= last:
                around = self._tree.around(self._tree.lines(document, before, behind))
                if around in self.names:
                    yield around

    def lines(self, spot: Spot) -> Target:
        """Return a spot as lines of its file."""
        path, (start, end) = self._documents.paths[spot.document], self._tree.lines_of(spot)
        return Target("span", path=path, start=start, end=end)

    def says_something(self, spot: Spot) -> bool:
        """Return whether lines contain more than imports and blanks."""
        lines = self._tree.text(spot).split("\n")
        return any(line.strip() and not _IMPORT.match(line) for line in lines)
