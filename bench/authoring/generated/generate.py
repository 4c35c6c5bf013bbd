"""Generator of queries: candidates of all sources, quality checks, and a sample."""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bench.authoring.generated.candidates import (
    SOURCES,
    Candidate,
    Reading,
    Rejection,
    SourceName,
    spread,
)
from bench.authoring.generated.documentation import from_documentation
from bench.authoring.generated.exercised import from_tests
from bench.authoring.generated.guides import from_guides
from bench.authoring.generated.history import Said, from_history
from bench.authoring.generated.messages import from_messages
from bench.authoring.generated.quality import Quality, copied_elsewhere
from bench.queries import Entry, Query, Target
from bench.queries.located import Place
from bench.study.origins import WIDER
from retrievers.interface import Documents

HISTORY: tuple[SourceName, ...] = ("commits", "issues")
"""Sources that need a git repository."""
_MAKERS: Mapping[SourceName, Callable[[Reading], Iterator[Candidate | Rejection]]] = {
    "documentation": from_documentation,
    "tests": from_tests,
    "guides": from_guides,
    "messages": from_messages,
}
_SHARES: Mapping[SourceName, int] = {
    "documentation": 4,
    "tests": 1,
    "guides": 1,
    "messages": 1,
    "commits": 2,
    "issues": 2,
}
"""Number of queries of each source that are taken in a turn."""
USUAL_SOURCES: tuple[SourceName, ...] = ("documentation",)
WIDER_SOURCES: tuple[SourceName, ...] = ("documentation", "tests", "guides")
FEW = 20
"""With fewer fair questions than this, `rankgrid try` adds questions by wider rules."""
_ID_DIGITS = 8


@dataclass(frozen=True)
class Generating:
    """Settings of the generator."""

    count: int = 120
    sources: tuple[SourceName, ...] = USUAL_SOURCES
    seed: int = 0
    widen_below: int = 0
    """With fewer queries than this, more are made by wider rules, from `wider_sources`."""
    wider_sources: tuple[SourceName, ...] = WIDER_SOURCES


@dataclass(frozen=True)
class Generated:
    """Generated queries, with the number of rejected candidates for each reason."""

    entries: tuple[Entry, ...]
    candidates: Mapping[SourceName, int]
    rejected: Mapping[Rejection, int]

    @property
    def by_source(self) -> Mapping[str, int]:
        """Number of queries of each source."""
        counts = Counter(one.query.category for one in self.entries)
        return {source: counts[source] for source in SOURCES if counts[source]}

    @property
    def wider(self) -> int:
        """Number of queries that only the wider rules accept."""
        return sum(WIDER in one.query.tags for one in self.entries)


def generate(
    documents: Documents, generating: Generating, *, name: str = "", said: Said | None = None
) -> Generated:
    """Return queries for a repository's documents; `name` is the repository's name.

    The messages of its changes (`said`) are needed for the sources of `HISTORY`.
    """
    return generated_from(Reading.of(documents), generating, name=name, said=said)


def generated_from(
    reading: Reading, generating: Generating, *, name: str = "", said: Said | None = None
) -> Generated:
    """Return queries for a parsed repository."""
    kept, made = _pass(reading, generating, said)
    entries = _entries(kept, reading, name)
    if len(kept) >= generating.widen_below:
        return replace(made, entries=entries)
    wide = replace(
        generating, sources=generating.wider_sources, count=generating.count - len(kept)
    )
    more, made = _pass(reading, wide, said, fair=kept)
    return replace(made, entries=(*entries, *_entries(more, reading, name, tags=(WIDER,))))


def _pass(
    reading: Reading,
    generating: Generating,
    said: Said | None,
    fair: Sequence[Candidate] | None = None,
) -> tuple[list[Candidate], Generated]:
    """Return the accepted candidates and the counts. With `fair`, use the wider rules."""
    rejected: Counter[Rejection] = Counter()
    candidates: dict[SourceName, list[Candidate]] = {}
    for source in generating.sources:
        candidates[source] = []
        for one in _made(reading, source, said):
            if isinstance(one, Candidate) and one in (fair or ()):
                continue
            if isinstance(one, Candidate):
                candidates[source].append(one)
            else:
                rejected[one] += 1
    counts = {source: len(found) for source, found in candidates.items()}
    drawn = {
        source: spread(sorted(found, key=lambda one: _chance(one, generating.seed)))
        for source, found in candidates.items()
    }
    kept, reasons = _judged(reading, drawn, generating.count, fair)
    rejected.update(reasons)
    return kept, Generated((), counts, dict(rejected.most_common()))


def _made(
    reading: Reading, source: SourceName, said: Said | None
) -> Iterator[Candidate | Rejection]:
    if source in HISTORY:
        return from_history(reading, said, source) if said else iter(())
    return _MAKERS[source](reading)


def _judged(
    reading: Reading,
    drawn: Mapping[SourceName, Sequence[Candidate]],
    count: int,
    fair: Sequence[Candidate] | None,
) -> tuple[list[Candidate], Counter[Rejection]]:
    """Return the accepted candidates, and the number of rejections for each reason.

    Only what they are made of is hidden. One that the tree then still has word for word, perhaps
    in what a rejected one was made of, gives its place to another.
    """
    copied: set[Candidate] = set()
    while True:
        kept, reasons = _chosen(reading, drawn, count, copied, fair)
        found = copied_elsewhere(reading, [*(fair or ()), *kept])
        if not found:
            return kept, reasons
        copied |= found


def _chosen(
    reading: Reading,
    drawn: Mapping[SourceName, Sequence[Candidate]],
    count: int,
    copied: Collection[Candidate],
    fair: Sequence[Candidate] | None,
) -> tuple[list[Candidate], Counter[Rejection]]:
    quality = Quality(reading, [one for found in drawn.values() for one in found], fair)
    kept: list[Candidate] = []
    reasons: Counter[Rejection] = Counter()
    for one in _in_turn(drawn):
        if len(kept) == count:
            break
        reason = "copied elsewhere" if one in copied else quality.rejection(one)
        if reason is None:
            kept.append(one)
        else:
            reasons[reason] += 1
    return kept, reasons


def _order(one: Candidate) -> tuple[int, str, int]:
    return SOURCES.index(one.source), one.path, one.start


def _in_turn(drawn: Mapping[SourceName, Sequence[Candidate]]) -> Iterator[Candidate]:
    """Yield candidates of the sources in turn, in proportion to `_SHARES`."""
    left = {source: iter(found) for source, found in drawn.items()}
    while left:
        for source in list(left):
            for _ in range(_SHARES[source]):
                one = next(left[source], None)
                if one is None:
                    del left[source]
                    break
                yield one


def _chance(one: Candidate, seed: int) -> bytes:
    text = f"{seed}\0{one.source}\0{one.path}\0{one.start}\0{one.text}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _entries(
    kept: Sequence[Candidate], reading: Reading, name: str, tags: tuple[str, ...] = ()
) -> tuple[Entry, ...]:
    return tuple(_entry(one, reading, name, tags) for one in sorted(kept, key=_order))


def _entry(one: Candidate, reading: Reading, name: str, tags: tuple[str, ...]) -> Entry:
    digest = hashlib.sha256(f"{one.evidence}\0{one.text}".encode("utf-8", "surrogatepass"))
    targets = tuple(_target(reading, row) for row in one.rows)
    query = Query(
        f"{one.source}-{digest.hexdigest()[:_ID_DIGITS]}",
        one.text,
        targets,
        category=one.source,
        tags=tags,
        notes=one.evidence,
    )
    place = Place(name, 1)
    return Entry(query, "", place, "queries", generated=True, hidden=one.hidden)


def _target(reading: Reading, row: int) -> Target:
    """Return a definition as a symbol, or as lines in a manual."""
    if not reading.is_manual:
        return Target("symbol", symbol=reading.names[row])
    start, end = reading.tree.lines_of(reading.tree.definition(row))
    return Target("span", path=reading.path(row), start=start, end=end)
