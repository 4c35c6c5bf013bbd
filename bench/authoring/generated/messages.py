"""An error message, as a user would meet it, asks for the definition that raises it."""

import re
from collections.abc import Iterator

from bench.authoring.generated.candidates import Candidate, Reading, Rejection
from retrievers.source import language_of

_RAISED = re.compile(
    r"""\b(?:raise|throw|panic!?|bail!|fail|error|warn(?:ing)?|fatal|Errorf|New|reject)\b
    [^"'`\n]{0,60}(?P<quote>["'`])(?P<text>(?:\\.|(?!(?P=quote))[^\\\n]){15,200})(?P=quote)""",
    re.VERBOSE,
)
_HOLE = re.compile(r"\$?\{[^{}\n]*\}|%[-+ #0-9.]*[sdrvfgqx]|\{\}")
_VALUES = ("example", "42", "default")
"""Values that fill the holes of a message."""


def from_messages(reading: Reading) -> Iterator[Candidate | Rejection]:
    """Yield a question for each message of code outside of tests."""
    for document, path in enumerate(reading.documents.paths):
        if document in reading.tests or language_of(path) is None:
            continue
        for number, line in enumerate(reading.documents.text(document).split("\n"), 1):
            found = _RAISED.search(line)
            row = _around(reading, document, number) if found else None
            if found and row is not None:
                yield Candidate("messages", _filled(found["text"]), (row,), path, number, number)


def _filled(text: str) -> str:
    values = iter(_VALUES * len(_HOLE.findall(text)))
    return " ".join(_HOLE.sub(lambda _: next(values), text).replace("\\", " ").split())


def _around(reading: Reading, document: int, line: int) -> int | None:
    """Return the innermost definition around a line, if it may be asked for."""
    symbols = reading.symbols
    inside = (
        (int(symbols.end_line[row]) - int(symbols.start_line[row]), row)
        for row in reading.by_document.get(document, ())
        if symbols.start_line[row] <= line <= symbols.end_line[row]
    )
    return min(inside, default=(0, None))[1]
