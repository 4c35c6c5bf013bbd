"""The header above a chunk, which tells retrievers and readers its origin.

The offsets, lines and tokens of a chunk exclude its header.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from retrievers.chunkers.tokens import token_ends
from retrievers.interface import Chunks, Documents
from retrievers.source import CODE_KINDS, Symbols

_IMPORT = re.compile(
    r"(?:import|from|#\s*include|use|using|require|require_relative|extern crate)\b[^\n]*"
    r"|(?:const|let|var)\s[^\n=]*=\s*require\([^\n]*",
)
MOST_IMPORTS = 20
"""Maximum number of imports in a header."""


@dataclass(frozen=True)
class Headers:
    """Adds a header above each chunk, for readers and for retrievers that read chunks.

    `path` is the path of the file. `scope` adds the signatures of the definitions that start above
    the chunk and continue in it. `full` also adds unindented imports of the file.
    """

    kind: Literal["path", "scope", "full"]

    def added(self, chunks: Chunks, documents: Documents, symbols: Symbols) -> Chunks:
        """Return the chunks with their headers."""
        headers = tuple(self._headers(chunks, documents, symbols))
        return replace(chunks, headers=headers, header_tokens=_tokens(headers))

    def _headers(self, chunks: Chunks, documents: Documents, symbols: Symbols) -> Iterator[str]:
        scopes = enclosing(chunks, symbols)
        imports: tuple[int, list[_Import]] = (-1, [])
        for number, around in enumerate(scopes):
            document = int(chunks.document[number])
            lines = [documents.paths[document]]
            if self.kind == "full":
                if imports[0] != document:
                    imports = (document, _imports(documents.text(document)))
                start, end = int(chunks.start_line[number]), int(chunks.end_line[number])
                lines += [one.text for one in imports[1] if not start <= one.line <= end]
            if self.kind != "path":
                lines += [symbols.signatures[row] for row in around]
            yield "\n".join(lines) + "\n"


def enclosing(chunks: Chunks, symbols: Symbols) -> Iterator[Sequence[int]]:
    """Yield, for each chunk, the definitions that start above it and continue in it."""
    code = [number for number, kind in enumerate(symbols.kinds) if kind in CODE_KINDS]
    document, start, end = (
        column.tolist() for column in (symbols.document, symbols.start_line, symbols.end_line)
    )
    open_ones: list[int] = []
    following = 0
    places = zip(chunks.document.tolist(), chunks.start_line.tolist(), strict=True)
    for place in places:
        while following < len(code) and (
            (document[code[following]], start[code[following]]) < place
        ):
            open_ones.append(code[following])
            following += 1
        open_ones = [row for row in open_ones if (document[row], end[row]) >= place]
        yield tuple(open_ones)


class _Import(NamedTuple):
    line: int
    text: str


def _imports(text: str) -> list[_Import]:
    lines = text.splitlines()
    found = [
        _Import(number, line.rstrip())
        for number, line in enumerate(lines, 1)
        if _IMPORT.match(line)
    ]
    return found[:MOST_IMPORTS]


def _tokens(headers: Sequence[str]) -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
    """Return the number of tokens of each header. Equal headers are counted once."""
    places = {header: number for number, header in enumerate(dict.fromkeys(headers))}
    distinct = Documents.of([(f"{number:09}", header) for header, number in places.items()])
    counts = np.diff(token_ends(distinct).stops, prepend=0)
    return np.array([counts[places[header]] for header in headers], np.int32)
