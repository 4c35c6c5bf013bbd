"""The message of a commit, or the issue that it names, asks for the definitions that it changed.

The change is looked up at the commit's parent, and its definitions in the tree of today.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bench.authoring.generated.candidates import Candidate, Reading, Rejection, SourceName
from bench.authoring.mining import Mined
from bench.queries import Query

_MOST_ANSWERS = 3
_FROM = "mined from "


@dataclass(frozen=True)
class Said:
    """Messages of changes, and texts of issues by number."""

    mined: Mined
    issues: Mapping[str, str]


def from_history(
    reading: Reading, said: Said, source: SourceName
) -> Iterator[Candidate | Rejection]:
    """Yield a question for each change with an issue of a known text, or for each other one."""
    issues = frozenset(said.issues.values())
    rows = {name: row for row, name in reading.names.items()}
    for draft in said.mined.drafts:
        if (draft.query.text in issues) == (source == "issues"):
            yield _asked(reading, rows, draft.query, source)


def _asked(
    reading: Reading, rows: Mapping[str, int], query: Query, source: SourceName
) -> Candidate | Rejection:
    changed = {rows[name] for one in query.targets if (name := one.symbol or "") in rows}
    own = tuple(sorted(changed & reading.asked))
    if not own:
        return "no longer there"
    if len(own) > _MOST_ANSWERS:
        return "too many answers"
    path = reading.path(own[0])
    start, end = reading.tree.lines_of(reading.tree.definition(own[0]))
    return Candidate(
        source, query.text, own, path, start, end, said=query.notes.removeprefix(_FROM)
    )
