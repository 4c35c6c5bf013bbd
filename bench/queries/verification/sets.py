"""Findings about a set of queries as a whole."""

from collections.abc import Callable, Iterator, Sequence

from bench.queries.building import Entry
from bench.queries.verification.findings import Finding, about
from retrievers.interface import Documents

_FEWEST_QUERIES = 10
_SHORTEST_TEXT = 15
LONGEST_LINE = 1000
"""Longest line in characters that is plausible as source text."""
_MOST_TEXTS = 100
_WITHOUT_FIXTURES = ("beir", "trec", "characters")


def set_findings(name: str, entries: Sequence[Entry], documents: Documents) -> Iterator[Finding]:
    """Yield findings that concern more than one query."""
    yield from _repeated(entries, "duplicate-id", lambda one: one.query.id, _TWICE_ID)
    yield from _repeated(entries, "duplicate-query", _spoken, _TWICE_QUERY)
    if len(entries) < _FEWEST_QUERIES:
        file = entries[0].place.file if entries else name
        yield Finding(
            "warning",
            "few-queries",
            file,
            1,
            "",
            f"the set has {len(entries)} queries, fewer than {_FEWEST_QUERIES}",
            "add more; differences on so few are chance",
        )
    if entries and entries[0].form not in _WITHOUT_FIXTURES:
        yield from _indexed_questions(entries, documents)


def long_lines(entries: Sequence[Entry], counts: Sequence[int]) -> Iterator[Finding]:
    """Yield a finding about targets given as long lines; `counts` are those of each query."""
    first = next((one for one, count in zip(entries, counts, strict=True) if count), None)
    if first is None:
        return
    total = sum(counts)
    yield Finding(
        "warning",
        "long-lines",
        first.place.file,
        first.place.line,
        "",
        f"{total} {'target is' if total == 1 else 'targets are'} given as lines, one of them "
        f"longer than {LONGEST_LINE:,} characters: all of that line counts as the answer",
        "give start_character and end_character instead",
    )


def inside(file: str) -> Finding:
    """Return the warning about a file of queries inside the searched folder."""
    return Finding(
        "warning",
        "indexed-fixture",
        file,
        1,
        "",
        "the file lies in the folder that is searched; rankgrid leaves it out, other engines "
        "would index it",
        "move it out, or list it in .gitignore",
    )


_TWICE_ID = ("has the id of", "give each query an id of its own")
_TWICE_QUERY = ("asks the same as", "reword or remove one")


def _repeated(
    entries: Sequence[Entry], rule: str, key: Callable[[Entry], str], said: tuple[str, str]
) -> Iterator[Finding]:
    seen: dict[str, Entry] = {}
    for one in entries:
        first = seen.setdefault(key(one), one)
        if first is not one:
            what = f"{said[0]} query {first.query.id!r} at {first.place}"
            yield about(one, "error", rule, what, said[1])


def _spoken(one: Entry) -> str:
    return " ".join(one.query.text.casefold().split())


def _indexed_questions(entries: Sequence[Entry], documents: Documents) -> Iterator[Finding]:
    """Yield documents that contain the questions themselves, which makes them trivial to find."""
    texts = {one.query.text.strip().encode() for one in entries}
    asked = sorted((text for text in texts if len(text) >= _SHORTEST_TEXT), key=len)[-_MOST_TEXTS:]
    for number, path in enumerate(documents.paths):
        content = documents.text(number).encode("utf-8", "surrogatepass")
        held = sum(text in content for text in asked)
        if held and held * 2 >= len(asked):
            yield Finding(
                "error",
                "indexed-fixture",
                entries[0].place.file,
                1,
                "",
                f"the searched file {path!r} holds {held} of the {len(asked)} questions word "
                "for word",
                "exclude that file from the tree, or reword the questions",
            )
