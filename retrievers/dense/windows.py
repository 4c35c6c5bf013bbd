"""Windows: texts cut to the size that a model can read, from chunks or from whole documents.

The windows of a chunk begin where it begins and lie inside it, so that its vectors depend only on
its own text, its header and its path. The windows of documents (`small_to_big`) are the same for
every way to cut: they are searched, and the chunks around them are returned.

A window is as many whole lines as fit below the header. Only a line that is too long by itself is
cut, between words.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np

from retrievers.dense.reader import Reader, byte_offsets
from retrievers.interface import Chunks, Documents, Integers

Column = np.ndarray[Any, np.dtype[np.int32]]
Members = tuple[Integers, Integers]
"""Pairs of a chunk and one of its windows, in the order of the chunks and then the windows."""

_SHARE = 0.3


class Reads(Protocol):
    """The part of an encoder that is needed for cutting."""

    @property
    def reader(self) -> Reader:
        """Reader of the model's texts."""
        ...


@dataclass(frozen=True)
class Windows:
    """Pieces of documents that a model reads, in the order of documents and offsets."""

    document: Column
    start_byte: Column
    end_byte: Column
    start_line: Column
    end_line: Column
    length: Column
    """Tokens of the model's input: header, prompt and special tokens included."""
    truncated: Column
    """Tokens of the window's text or chunk that the model does not read."""
    chunk: Column
    """Chunk that the window was cut from; -1 if documents were cut."""
    header: Column
    """Position of the text's header among `headers`."""
    headers: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.document)


class _Window(NamedTuple):
    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    length: int
    truncated: int


_COLUMNS = len(_Window._fields) + 1
"""Columns of a window, and the number of its chunk within the document."""


def cut_windows(documents: Documents, encoder: Reads) -> Windows:
    """Return windows that cover all text of every document."""
    headers = [encoder.reader.header(path) for path in documents.paths]
    tables = [document_windows(documents, one, encoder) for one in range(len(documents))]
    return joined_windows(tables, headers)


def cut_chunk_windows(
    documents: Documents, chunks: Chunks, encoder: Reads, *, beginning: bool = False
) -> Windows:
    """Return windows that cover all text of each chunk; with `beginning`, one per chunk."""
    headers = chunk_headers(documents, chunks, encoder)
    tables = [
        chunk_windows(documents, chunks, rows, encoder, headers=headers, beginning=beginning)
        for rows in rows_by_document(chunks, len(documents))
    ]
    return joined_windows(tables, headers, chunks)


def chunk_headers(documents: Documents, chunks: Chunks, encoder: Reads) -> list[str]:
    """Return the text above each chunk in the model's input: its own header, or the path."""
    paths = (documents.paths[document] for document in chunks.document.tolist())
    above = chunks.headers or [""] * len(chunks)
    fitted: dict[tuple[str, str], str] = {}
    pairs = list(zip(paths, above, strict=True))
    for pair in pairs:
        if pair not in fitted:
            fitted[pair] = encoder.reader.header(*pair)
    return [fitted[pair] for pair in pairs]


def rows_by_document(chunks: Chunks, documents: int) -> list[range]:
    """Return the range of chunks of each document."""
    edges = np.searchsorted(chunks.document, np.arange(documents + 1)).tolist()
    return [range(first, last) for first, last in pairwise(edges)]


def document_windows(documents: Documents, document: int, encoder: Reads) -> Column:
    """Return the windows of one document as a table.

    They depend on its text and on the header that its path makes.
    """
    header = encoder.reader.header(documents.paths[document])
    text = documents.text(document)
    return _table([_telling_windows(_Piece.of(text, header, encoder.reader))])


def chunk_windows(
    documents: Documents,
    chunks: Chunks,
    rows: range,
    encoder: Reads,
    *,
    headers: Sequence[str],
    beginning: bool,
) -> Column:
    """Return the windows of some chunks as a table.

    Each chunk is tokenized by itself: tokens across its borders would depend on its neighbours.
    """
    cut = _beginning if beginning else _telling_windows
    pieces = (
        _Piece.of(
            chunks.text(row, documents),
            headers[row],
            encoder.reader,
            start=int(chunks.start_byte[row]),
            first_line=int(chunks.start_line[row]),
        )
        for row in rows
    )
    return _table([cut(piece) for piece in pieces])


def joined_windows(
    tables: Sequence[Column], headers: Sequence[str], chunks: Chunks | None = None
) -> Windows:
    """Return the windows of all documents from the table of each, in any shape.

    `headers` has one for each chunk or, if documents were cut, one for each document.
    """
    shaped = [table.reshape(-1, _COLUMNS) for table in tables]
    document = np.repeat(np.arange(len(shaped), dtype=np.int32), [len(one) for one in shaped])
    whole = np.concatenate([np.zeros((0, _COLUMNS), np.int32), *shaped])
    names = (*_Window._fields, "within")
    columns = {n: np.ascontiguousarray(c) for n, c in zip(names, whole.T, strict=True)}
    within = columns.pop("within")
    chunk = np.full(len(document), -1, np.int32)
    if chunks is not None:
        chunk = (within + np.searchsorted(chunks.document, document)).astype(np.int32)
    distinct = {header: place for place, header in enumerate(dict.fromkeys(headers))}
    places = np.array([distinct[header] for header in headers], np.int32)
    above = places[document if chunks is None else chunk]
    return Windows(
        document=document, chunk=chunk, header=above, headers=tuple(distinct), **columns
    )


def window_text(windows: Windows, window: int, documents: Documents) -> str:
    """Return the model's input for a window, without the passage prompt."""
    document = int(windows.document[window])
    start, end = int(windows.start_byte[window]), int(windows.end_byte[window])
    header = windows.headers[int(windows.header[window])]
    return header + documents.slice(document, start, end)


def window_texts(
    documents: Documents,
    windows: Windows,
    places: Sequence[int] | np.ndarray[Any, Any] | None = None,
) -> list[str]:
    """Return the model's inputs for some windows, or for all."""
    chosen = range(len(windows)) if places is None else places
    return [window_text(windows, int(place), documents) for place in chosen]


def members(windows: Windows, chunks: Chunks) -> Members:
    """Return the windows of each chunk; every chunk has at least one.

    Windows that were cut from chunks belong to their chunk. Otherwise a chunk has the windows that
    lie in it by more than 30 %, or else the window with the largest overlap.
    """
    if not len(windows) or windows.chunk[0] >= 0:
        return windows.chunk.astype(np.int64), np.arange(len(windows))
    chunk, window = _near(windows, chunks)
    starts = np.maximum(windows.start_byte[window], chunks.start_byte[chunk])
    ends = np.minimum(windows.end_byte[window], chunks.end_byte[chunk])
    overlap = ends.astype(np.int64) - starts
    sizes = windows.end_byte[window] - windows.start_byte[window]
    kept = overlap > _SHARE * sizes
    # A chunk without such a window keeps the first one with the largest overlap.
    order = np.lexsort((window, -overlap, chunk))
    firsts = order[np.flatnonzero(np.diff(chunk[order], prepend=-1))]
    served = np.zeros(len(chunks), bool)
    served[chunk[kept]] = True
    kept[firsts] |= ~served[chunk[firsts]]
    return chunk[kept], window[kept]


def _near(windows: Windows, chunks: Chunks) -> tuple[Integers, Integers]:
    """Return pairs of each chunk and the windows that overlap it, or else the nearest."""
    reach = 1 + int(max(windows.end_byte.max(initial=0), chunks.end_byte.max(initial=0)))
    # Offsets of all documents are put on one axis, so that one search serves all chunks.
    base = windows.document.astype(np.int64) * reach
    own = chunks.document.astype(np.int64) * reach
    starts, ends = base + windows.start_byte, base + windows.end_byte
    first = np.searchsorted(ends, own + chunks.start_byte, side="right")
    stop = np.searchsorted(starts, own + chunks.end_byte, side="left")
    # Where nothing overlaps (an empty file, a blank gap) the nearest window of the document stays.
    lowest = np.searchsorted(windows.document, chunks.document, side="left")
    highest = np.searchsorted(windows.document, chunks.document, side="right") - 1
    first = np.where(stop > first, first, np.clip(first, lowest, highest))
    counts = np.maximum(stop - first, 1)
    chunk = np.repeat(np.arange(len(chunks)), counts)
    within = np.arange(len(chunk)) - np.repeat(np.cumsum(counts) - counts, counts)
    return chunk, np.repeat(first, counts) + within


@dataclass(frozen=True)
class _Piece:
    """A text to cut, with its lines and tokens; positions are bytes from its start."""

    content: bytes
    reader: Reader
    header: str
    around: int
    """Tokens that every window has in addition: header, prompt and special tokens."""
    lines: list[int]
    tokens: list[int]
    words: list[int]
    before: list[int]
    """Number of tokens before each line and before the end."""
    start: int
    """Byte where the text starts in its document."""
    first_line: int

    @classmethod
    def of(
        cls, text: str, header: str, reader: Reader, *, start: int = 0, first_line: int = 1
    ) -> "_Piece":
        content = text.encode("utf-8", "surrogatepass")
        found = reader.starts(text)
        offsets = byte_offsets(text)
        tokens = found.starts if offsets is None else offsets[found.starts]
        tokens = np.maximum.accumulate(tokens)
        lines = _line_starts(content)
        before = np.append(np.searchsorted(tokens, lines), len(tokens))
        return cls(
            content=content,
            reader=reader,
            header=header,
            around=reader.length(header),
            lines=[*lines, len(content)],
            tokens=tokens.tolist(),
            words=found.words.tolist(),
            before=before.tolist(),
            start=start,
            first_line=first_line,
        )

    @property
    def room(self) -> int:
        return max(1, self.reader.window - self.around)

    def line_of(self, byte: int) -> int:
        """Return the number of the document's line that contains a byte."""
        within = min(max(1, bisect_right(self.lines, byte)), len(self.lines) - 1)
        return self.first_line + within - 1

    def cut_after(self, token: int, stop: int) -> int:
        """Return the end of a window that starts at `token`: between words if possible."""
        limit = token + self.room
        if limit >= stop:
            return stop
        word = self.words[bisect_right(self.words, limit) - 1]
        return word if word > token else limit

    def window(self, start: int, end: int, tokens: int, *, unseen: int = 0) -> _Window:
        """Return the window between two bytes; tokens are counted again if sums are not exact."""
        length, truncated = self.around + tokens, unseen
        if not self.reader.additive or not self._at_words(start, end):
            counted = self.reader.length(self.header + self.text(start, end))
            length = min(counted, self.reader.window)
            truncated = unseen + counted - length
        last = max(start, end - 1)
        return _Window(
            self.start + start,
            self.start + end,
            self.line_of(start),
            self.line_of(last),
            length,
            truncated,
        )

    def text(self, start: int, end: int) -> str:
        return self.content[start:end].decode("utf-8", "surrogatepass")

    def _at_words(self, start: int, end: int) -> bool:
        return self._parts_words(start) and self._parts_words(end)

    def _parts_words(self, byte: int) -> bool:
        """Whether a byte lies between words, judged by the starts of lines and words."""
        line = bisect_right(self.lines, byte) - 1
        if self.lines[line] == byte:
            return True
        token = bisect_right(self.tokens, byte) - 1
        if token < 0 or self.tokens[token] != byte:
            return False
        return self.words[bisect_right(self.words, token) - 1] == token

    def is_blank(self, window: _Window) -> bool:
        """Whether a window has only white space."""
        start, end = window.start_byte - self.start, window.end_byte - self.start
        return not self.text(start, end).strip()


def _line_starts(content: bytes) -> list[int]:
    breaks = np.flatnonzero(np.frombuffer(content, np.uint8) == ord("\n")) + 1
    return [0, *(place for place in breaks.tolist() if place < len(content))]


def _telling_windows(piece: _Piece) -> list[_Window]:
    windows = list(_packed(piece))
    telling = [window for window in windows if not piece.is_blank(window)]
    # A blank text keeps its first window, because every chunk needs a vector.
    return telling or windows[:1]


def _packed(piece: _Piece) -> Iterator[_Window]:
    """Yield windows of as many lines as fit."""
    line, stop, before = 0, len(piece.lines) - 1, piece.before
    while line < stop:
        following = bisect_right(before, before[line] + piece.room) - 1
        if following > line:
            tokens = before[following] - before[line]
            yield piece.window(piece.lines[line], piece.lines[following], tokens)
            line = following
        else:
            yield from _split_line(piece, line)
            line += 1


def _split_line(piece: _Piece, line: int) -> Iterator[_Window]:
    token, stop = piece.before[line], piece.before[line + 1]
    start = piece.lines[line]
    while token < stop:
        following = piece.cut_after(token, stop)
        end = piece.lines[line + 1] if following == stop else piece.tokens[following]
        yield piece.window(start, end, following - token)
        token, start = following, end


def _beginning(piece: _Piece) -> list[_Window]:
    stop = len(piece.tokens)
    following = piece.cut_after(0, stop)
    seen = len(piece.content) if following == stop else piece.tokens[following]
    return [piece.window(0, seen, following, unseen=stop - following)]


def _table(found: Sequence[Sequence[_Window]]) -> Column:
    rows = [(*window, number) for number, windows in enumerate(found) for window in windows]
    return np.array(rows, np.int32).reshape(len(rows), _COLUMNS)
