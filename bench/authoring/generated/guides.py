"""A section of a guide, or an entry of a change log, asks for the definitions that it names.

Names and code are left out of the question, and the lines are hidden from every trial.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator

from bench.authoring.generated.candidates import Candidate, Reading, Rejection
from bench.authoring.generated.plain import name_words, sentences
from bench.queries import Target

_MOST_ANSWERS = 3
_FOREIGN = re.compile(r"\[[^\]]*\]\(\s*https?:[^)]*\)|`[^`<]*<https?:[^`]*`_")
"""Links to what another project documents, in Markdown and reStructuredText."""
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
        after = bisect_right(starts, start)
        end = starts[after] - 1 if after < len(starts) else len(lines)
        piece = "\n".join(lines[start - 1 : end])
        asked = found & reading.asked
        rows = tuple(sorted(row for row in asked if _is_meant(reading, row, piece)))
        if asked and not rows:
            yield "may mean something else"
        if len(rows) > _MOST_ANSWERS:
            yield "too many answers"
        if not 0 < len(rows) <= _MOST_ANSWERS:
            continue
        text = sentences(re.sub(r"^\s*(?:#+|[-*+])\s+", "", piece), code=False)
        hidden = (Target("span", path=path, start=start, end=end),)
        yield Candidate("guides", text, rows, path, start, end, hidden)


def _is_meant(reading: Reading, row: int, piece: str) -> bool:
    """Whether a paragraph means a definition, and not something else of that name.

    A member with a name of one word needs the name of what it is in beside it: any `done` may be
    meant by "call `done()`". A function of one word must be called: `lexical` may be a value.
    """
    name = reading.simple(row)
    around = int(reading.symbols.parent[row])
    is_word, ending = len(name_words(name)) == 1, r"\b"
    if is_word and around >= 0:
        name = f"{reading.simple(around)}.{name}"
    elif is_word and name.islower():
        ending = r"\("
    named = re.escape(name).replace(r"\.", r"(?:\.|::|\#|->)")
    # "Set-Cookie" does not mean `Cookie`.
    return re.search(rf"(?<![\w-]){named}{ending}(?!-\w)", _FOREIGN.sub("", piece)) is not None
