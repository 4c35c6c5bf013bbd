"""A section of a guide, or an entry of a change log, asks for the definitions that it names.

Names and code are left out of the question, and the lines are hidden from every trial.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator

from bench.authoring.generated.candidates import Candidate, Reading, Rejection
from bench.authoring.generated.plain import sentences
from bench.queries import Target

_MOST_ANSWERS = 3
_PIECE = re.compile(r"^(?:#{1,6} |[-*+] |\s*$)", re.MULTILINE)
"""Where a heading, an entry of a list or a paragraph begins."""


def from_guides(reading: Reading) -> Iterator[Candidate | Rejection]:
    """Yield a question for each paragraph or entry of prose that names definitions."""
    count = len(reading.symbols)
    for node, mentions in sorted(reading.pairs("documents").items()):
        document = node - count
        if not 0 <= document < len(reading.documents):
            continue
        yield from _of_document(reading, document, mentions)


def _of_document(
    reading: Reading, document: int, mentions: list[tuple[int, int]]
) -> Iterator[Candidate | Rejection]:
    lines = reading.documents.text(document).split("\n")
    starts = [1, *(number for number, line in enumerate(lines, 1) if _PIECE.match(line))]
    starts = sorted(set(starts))
    named: dict[int, set[int]] = defaultdict(set)
    for row, line in mentions:
        named[starts[bisect_right(starts, line) - 1]].add(row)
    path = reading.documents.paths[document]
    for start, found in sorted(named.items()):
        rows = tuple(sorted(found & reading.asked))
        if len(rows) > _MOST_ANSWERS:
            yield "too many answers"
        if not 0 < len(rows) <= _MOST_ANSWERS:
            continue
        after = bisect_right(starts, start)
        end = starts[after] - 1 if after < len(starts) else len(lines)
        piece = "\n".join(lines[start - 1 : end])
        text = sentences(re.sub(r"^\s*(?:#+|[-*+])\s+", "", piece), code=False)
        hidden = (Target("span", path=path, start=start, end=end),)
        yield Candidate("guides", text, rows, path, start, end, hidden)
