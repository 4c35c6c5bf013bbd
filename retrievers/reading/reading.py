"""Reading of a query, the same for every retriever."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, get_args

from retrievers.reading.kinds import QueryKind, kind_of
from retrievers.reading.named import error_types_in, names_in, paths_in
from retrievers.reading.parts import Part, parts_of
from retrievers.reading.test_words import has_test_word
from retrievers.reading.tracebacks import Frame, frame_of

Mode = Literal["parts", "plain"]
MODES: tuple[Mode, ...] = get_args(Mode)
"""parts: a query is split into its parts; plain: a query is one text, and each word counts as
often as it occurs."""


@dataclass(frozen=True)
class Reading:
    """Kind of a query, its parts, and the names in it."""

    text: str
    kind: QueryKind
    parts: tuple[Part, ...]
    paths: tuple[str, ...] = ()
    frames: tuple[Frame, ...] = ()
    """Frames of tracebacks, the innermost call first."""
    identifiers: Mapping[str, float] = field(default_factory=dict)
    """Dotted names of code, with the confidence in each, up to 1."""
    error_types: tuple[str, ...] = ()

    @property
    def asks_for_tests(self) -> bool:
        """Whether the query asks for tests; in an issue, only its title and paths count."""
        if self.kind != "issue":
            return has_test_word(self.text)
        titles = [part.text for part in self.parts if part.name == "title"]
        return any(map(has_test_word, (*titles, *self.paths)))


@lru_cache(maxsize=4096)
def read_query(query: str) -> Reading:
    """Return the kind of a query, its parts, and the names in it."""
    kind = kind_of(query)
    parts = parts_of(query, is_issue=kind == "issue")
    return Reading(
        query,
        kind,
        parts,
        paths=paths_in(parts),
        frames=_frames(parts),
        identifiers=names_in(parts, query),
        error_types=error_types_in(parts),
    )


def _frames(parts: tuple[Part, ...]) -> tuple[Frame, ...]:
    """Return the frames of a query, the innermost first. Python prints it last."""
    lines = [line for part in parts if part.name == "frames" for line in part.text.splitlines()]
    found = [frame for line in lines if (frame := frame_of(line))]
    innermost_last = any(line.lstrip().startswith('File "') for line in lines)
    return tuple(found[::-1] if innermost_last else found)
