"""Documents cut into what a model can see at once, whatever chunks will be made of them.

A window is whole lines, as many as fit below the path; only a line that is too long by itself is
cut, between words. A chunk's windows are those that lie in it by more than 30 %.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from retrievers.dense.reader import Reader, byte_offsets
from retrievers.interface import Chunks, Documents, Integers

Column = np.ndarray[Any, np.dtype[np.int32]]
Members = tuple[Integers, Integers]
"""Pairs of a chunk and one of its windows, in the order of the chunks and then the windows."""

_SHARE = 0.3


class Reads(Protocol):
    """An encoder, as far as cutting needs it."""

    @property
    def reader(self) -> Reader:
        """What the model reads of a text."""
        ...


@dataclass(frozen=True)
class Windows:
    """Pieces of documents that a model sees, in the order of the documents and offsets."""

    document: Column
    start_byte: Column
    end_byte: Column
    start_line: Column
    end_line: Column
    length: Column
    """Tokens given to the model: header, prompt and special tokens included."""
    truncated: Column
    """Tokens that belong to the window's text or chunk and that the model does not see."""

    def __len__(self) -> int:
        return len(self.document)


class _Window(NamedTuple):
    document: int
    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    length: int
    truncated: int


_COLUMNS = len(_Window._fields) - 1


def cut_windows(documents: Documents, encoder: Reads) -> Windows:
    """Return windows that cover all text of every document."""
    tables = [document_windows(documents, one, encoder) for one in range(len(documents))]
    return joined_windows(tables)


def document_windows(documents: Documents, document: int, encoder: Reads) -> Column:
    """Return the windows of one document as a table: all columns of `Windows` but `document`.

    They depend on its text and on the header that its path makes.
    """
    rows = _telling_windows(_Tokenized.of(documents, document, encoder.reader))
    return np.array([row[1:] for row in rows], np.int32).reshape(len(rows), _COLUMNS)


def joined_windows(tables: Sequence[Column]) -> Windows:
    """Return the windows of all documents, given the table of each, in whatever shape."""
    shaped = [table.reshape(-1, _COLUMNS) for table in tables]
    document = np.repeat(np.arange(len(shaped), dtype=np.int32), [len(one) for one in shaped])
    whole = np.concatenate([np.zeros((0, _COLUMNS), np.int32), *shaped])
    return Windows(document, *(np.ascontiguousarray(column) for column in whole.T))


def cut_chunk_windows(documents: Documents, chunks: Chunks, encoder: Reads) -> Windows:
    """Return one window a chunk: its beginning, as far as the model sees."""
    rows: list[_Window] = []
    tokenized: _Tokenized | None = None
    for chunk in range(len(chunks)):
        document = int(chunks.document[chunk])
        if tokenized is None or tokenized.document != document:
            tokenized = _Tokenized.of(documents, document, encoder.reader)
        rows.append(_beginning(tokenized, chunks, chunk))
    return _columns(rows)


def window_text(windows: Windows, window: int, documents: Documents, encoder: Reads) -> str:
    """Return what the model is given of a window, but for the passage prompt."""
    document = int(windows.document[window])
    start, end = int(windows.start_byte[window]), int(windows.end_byte[window])
    header = encoder.reader.header(documents.paths[document])
    return header + documents.slice(document, start, end)


def window_texts(
    documents: Documents,
    windows: Windows,
    encoder: Reads,
    places: Sequence[int] | np.ndarray[Any, Any] | None = None,
) -> list[str]:
    """Return what the model is given of some windows, or of all."""
    chosen = range(len(windows)) if places is None else places
    return [window_text(windows, int(place), documents, encoder) for place in chosen]


def members(windows: Windows, chunks: Chunks) -> Members:
    """Return which windows count for which chunk; every chunk has at least one.

    Without a window that lies in it by more than 30 % a chunk has the one that overlaps it most.
    """
    chunk, window = _near(windows, chunks)
    starts = np.maximum(windows.start_byte[window], chunks.start_byte[chunk])
    ends = np.minimum(windows.end_byte[window], chunks.end_byte[chunk])
    overlap = ends.astype(np.int64) - starts
    sizes = windows.end_byte[window] - windows.start_byte[window]
    kept = overlap > _SHARE * sizes
    order = np.lexsort((window, -overlap, chunk))
    firsts = order[np.flatnonzero(np.diff(chunk[order], prepend=-1))]
    served = np.zeros(len(chunks), bool)
    served[chunk[kept]] = True
    kept[firsts] |= ~served[chunk[firsts]]
    return chunk[kept], window[kept]


def _near(windows: Windows, chunks: Chunks) -> tuple[Integers, Integers]:
    """Return the pairs of each chunk and the windows that overlap or, failing that, touch it."""
    reach = 1 + int(max(windows.end_byte.max(initial=0), chunks.end_byte.max(initial=0)))
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
class _Tokenized:
    """A document with its lines and tokens, all places in bytes."""

    document: int
    documents: Documents
    reader: Reader
    header: str
    around: int
    """Tokens of every window that are not its own: header, prompt, special ones."""
    lines: list[int]
    tokens: list[int]
    words: list[int]
    before: list[int]
    """For each line, and the end, the number of tokens before it."""

    @classmethod
    def of(cls, documents: Documents, document: int, reader: Reader) -> "_Tokenized":
        text = documents.text(document)
        found = reader.starts(text)
        offsets = byte_offsets(text)
        tokens = found.starts if offsets is None else offsets[found.starts]
        tokens = np.maximum.accumulate(tokens)
        lines = documents.line_starts(document)
        before = np.append(np.searchsorted(tokens, lines), len(tokens))
        header = reader.header(documents.paths[document])
        return cls(
            document=document,
            documents=documents,
            reader=reader,
            header=header,
            around=reader.length(header),
            lines=[*lines.tolist(), documents.size(document)],
            tokens=tokens.tolist(),
            words=found.words.tolist(),
            before=before.tolist(),
        )

    @property
    def room(self) -> int:
        return max(1, self.reader.window - self.around)

    def line_of(self, byte: int) -> int:
        """Return the number of the line, from 1, that a byte is in."""
        return min(max(1, bisect_right(self.lines, byte)), len(self.lines) - 1)

    def cut_after(self, token: int, stop: int) -> int:
        """Return where to end a piece that starts at `token`: at a word if that is possible."""
        limit = token + self.room
        if limit >= stop:
            return stop
        word = self.words[bisect_right(self.words, limit) - 1]
        return word if word > token else limit

    def window(self, start: int, end: int, tokens: int, *, unseen: int = 0) -> _Window:
        """Return the window from byte to byte, counted anew where lengths do not add up."""
        length, truncated = self.around + tokens, unseen
        if not self.reader.additive or not self._at_words(start, end):
            text = self.header + self.documents.slice(self.document, start, end)
            counted = self.reader.length(text)
            length = min(counted, self.reader.window)
            truncated = unseen + counted - length
        last = max(start, end - 1)
        first_line, last_line = self.line_of(start), self.line_of(last)
        return _Window(self.document, start, end, first_line, last_line, length, truncated)

    def _at_words(self, start: int, end: int) -> bool:
        return self._parts_words(start) and self._parts_words(end)

    def _parts_words(self, byte: int) -> bool:
        """Whether no word goes across a byte, as far as line and word starts tell."""
        line = bisect_right(self.lines, byte) - 1
        if self.lines[line] == byte:
            return True
        token = bisect_right(self.tokens, byte) - 1
        if token < 0 or self.tokens[token] != byte:
            return False
        return self.words[bisect_right(self.words, token) - 1] == token

    def blank(self, window: _Window) -> bool:
        """Whether a window has nothing but white space."""
        start, end = window.start_byte, window.end_byte
        return not self.documents.slice(self.document, start, end).strip()


def _telling_windows(document: _Tokenized) -> list[_Window]:
    windows = list(_packed(document))
    telling = [window for window in windows if not document.blank(window)]
    return telling or windows


def _packed(document: _Tokenized) -> Iterator[_Window]:
    """Yield as many lines as fit, again and again."""
    line, stop, before = 0, len(document.lines) - 1, document.before
    while line < stop:
        following = bisect_right(before, before[line] + document.room) - 1
        if following > line:
            tokens = before[following] - before[line]
            yield document.window(document.lines[line], document.lines[following], tokens)
            line = following
        else:
            yield from _split_line(document, line)
            line += 1


def _split_line(document: _Tokenized, line: int) -> Iterator[_Window]:
    token, stop = document.before[line], document.before[line + 1]
    start = document.lines[line]
    while token < stop:
        following = document.cut_after(token, stop)
        end = document.lines[line + 1] if following == stop else document.tokens[following]
        yield document.window(start, end, following - token)
        token, start = following, end


def _beginning(document: _Tokenized, chunks: Chunks, chunk: int) -> _Window:
    start, end = int(chunks.start_byte[chunk]), int(chunks.end_byte[chunk])
    token = bisect_right(document.tokens, start - 1)
    stop = bisect_right(document.tokens, end - 1)
    following = document.cut_after(token, stop)
    seen = end if following == stop else document.tokens[following]
    return document.window(start, seen, following - token, unseen=stop - following)


def _columns(rows: Sequence[_Window]) -> Windows:
    table = np.array(rows, np.int32).reshape(len(rows), len(_Window._fields))
    return Windows(*(np.ascontiguousarray(column) for column in table.T))
