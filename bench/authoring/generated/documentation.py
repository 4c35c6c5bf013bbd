"""The first sentences of a definition's documentation ask for the definition.

The documentation is hidden from every trial, so that a question is not found by its own words.
"""

from collections.abc import Iterator

from bench.authoring.generated.candidates import Candidate, Reading, Rejection, lines_alone
from bench.authoring.generated.plain import sentences
from bench.queries import Target


def from_documentation(reading: Reading) -> Iterator[Candidate | Rejection]:
    """Yield a question for each documented definition."""
    symbols = reading.symbols
    for row in sorted(reading.asked):
        start, end = int(symbols.doc_start[row]), int(symbols.doc_end[row])
        text = sentences(symbols.docs[row]) if start < end else ""
        if not text:
            continue
        if row in reading.only_declared or reading.is_empty(row):
            yield "only declares its answer"
            continue
        document = int(symbols.document[row])
        lines = lines_alone(reading, document, start, end)
        if lines is None:
            yield "shares its lines with code"
            continue
        path = reading.documents.paths[document]
        hidden = (Target("span", path=path, start=lines[0], end=lines[1]),)
        yield Candidate("documentation", text, (row,), path, *lines, hidden)
