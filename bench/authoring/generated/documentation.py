"""The first sentences of a definition's documentation ask for the definition.

The documentation is hidden from every trial, so that a question is not found by its own words.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from bench.authoring.generated.candidates import Candidate, Reading, Rejection, lines_alone
from bench.authoring.generated.plain import sentences, standing_alone
from bench.queries import Target

_REMARK = re.compile(rb"//(?![/!])|/\*(?![*!])|#")
"""How a comment begins that documents nothing where documentation has marks of its own."""
_UNMARKED = (
    ".go",
    ".zig",
    ".c",
    ".h",
    ".cc",
    ".cpp",
    ".cxx",
    ".hpp",
    ".rb",
    ".sh",
    ".bash",
    ".ex",
)
"""Languages in which any comment above a definition is its documentation."""


def from_documentation(reading: Reading) -> Iterator[Candidate | Rejection]:
    """Yield a question for each documented definition."""
    symbols = reading.symbols
    for row in sorted(reading.asked):
        start, end = int(symbols.doc_start[row]), int(symbols.doc_end[row])
        text = sentences(symbols.docs[row]) if start < end else ""
        text = standing_alone(text, reading.simple(row))
        if not text:
            continue
        document = int(symbols.document[row])
        path = reading.documents.paths[document]
        is_remark = _REMARK.match(reading.documents.source(document), start)
        if is_remark and PurePosixPath(path).suffix.lower() not in _UNMARKED:
            yield "not its documentation"
            continue
        if row in reading.only_declared or reading.is_empty(row):
            yield "only declares its answer"
            continue
        lines = lines_alone(reading, document, start, end)
        if lines is None:
            yield "shares its lines with code"
            continue
        hidden = (Target("span", path=path, start=lines[0], end=lines[1]),)
        yield Candidate("documentation", text, (row,), path, *lines, hidden)
