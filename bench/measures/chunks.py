"""Facts about the chunks of a repository, independent of queries."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.measures.ranges import Integers
from retrievers.interface import Chunks, Documents, TokenEnds
from retrievers.source import CODE_KINDS, Symbols


@dataclass(frozen=True)
class ChunkFacts:
    """Counts over the chunks of one repository."""

    tokens: np.ndarray[Any, np.dtype[np.int32]]
    """Tokens of each chunk."""
    document_tokens: int
    lines: int
    covered_lines: int
    definitions: int
    """Symbols that have a body."""
    cut_definitions: int
    """Definitions that no chunk holds whole."""
    duplicates: int
    """Chunks whose text equals that of an earlier chunk."""

    @classmethod
    def of(
        cls, chunks: Chunks, documents: Documents, tokens: TokenEnds, symbols: Symbols
    ) -> "ChunkFacts":
        """Return the facts of these chunks."""
        places = _definitions(symbols)
        lines, covered = _lines(chunks, documents)
        return cls(
            tokens=chunks.end_token - chunks.start_token,
            document_tokens=len(tokens.ends),
            lines=lines,
            covered_lines=covered,
            definitions=len(places),
            cut_definitions=int(np.sum(~_whole(chunks, symbols, places))),
            duplicates=len(chunks) - len(set(_contents(chunks, documents))),
        )


def _contents(chunks: Chunks, documents: Documents) -> Iterator[bytes]:
    """Yield the bytes of each chunk. Equal texts have equal bytes, which need not be decoded."""
    base = (documents.ends - np.diff(documents.ends, prepend=0))[chunks.document]
    starts, ends = (base + chunks.start_byte).tolist(), (base + chunks.end_byte).tolist()
    pairs = zip(starts, ends, strict=True)
    return (documents.content[start:end].tobytes() for start, end in pairs)


def _definitions(symbols: Symbols) -> Integers:
    code = [number for number, kind in enumerate(symbols.kinds) if kind in CODE_KINDS]
    return np.array(code, np.int64)


def _whole(chunks: Chunks, symbols: Symbols, places: Integers) -> np.ndarray[Any, Any]:
    """Return whether some chunk holds each of these symbols from start to end."""
    if not len(chunks):
        return np.zeros(len(places), np.bool_)
    reach = 1 + int(max(symbols.end_byte.max(initial=0), chunks.end_byte.max()))
    starts = chunks.document.astype(np.int64) * reach + chunks.start_byte
    base = symbols.document[places].astype(np.int64) * reach
    # Chunks are sorted by start but may nest, so the last one that starts before a symbol need
    # not be the one that ends last.
    ends = np.maximum.accumulate(chunks.document.astype(np.int64) * reach + chunks.end_byte)
    last = np.searchsorted(starts, base + symbols.start_byte[places], side="right") - 1
    whole: np.ndarray[Any, Any] = (last >= 0) & (ends[last] >= base + symbols.end_byte[places])
    return whole


def _lines(chunks: Chunks, documents: Documents) -> tuple[int, int]:
    """Return the number of lines of the documents, and the number of lines in any chunk."""
    breaks = np.flatnonzero(documents.content == ord("\n"))
    counts = np.diff(np.searchsorted(breaks, documents.ends), prepend=0)
    filled = np.flatnonzero(np.diff(documents.ends, prepend=0))
    # The last line may end without a break.
    counts[filled] += documents.content[documents.ends[filled] - 1] != ord("\n")
    base = (np.cumsum(counts) - counts)[chunks.document] if len(documents) else np.zeros(0, int)
    # A difference array: +1 at the start of a chunk, -1 after its end, covered where positive.
    changes = np.zeros(int(counts.sum()) + 1, np.int64)
    np.add.at(changes, base + chunks.start_line - 1, 1)
    np.add.at(changes, base + chunks.end_line, -1)
    return int(counts.sum()), int(np.sum(np.cumsum(changes) > 0))


def chunk_numbers(facts: Sequence[ChunkFacts]) -> Mapping[str, float | int | None]:
    """Return the chunk statistics of the reports, over all repositories together."""
    tokens = np.concatenate([np.zeros(0, np.int32), *(one.tokens for one in facts)])
    count, shown = len(tokens), int(tokens.sum())
    lines, whole = sum(one.lines for one in facts), sum(one.document_tokens for one in facts)
    definitions = sum(one.definitions for one in facts)
    return {
        "chunks": count,
        "tokens_mean": float(tokens.mean()) if count else None,
        "tokens_p50": float(np.percentile(tokens, 50)) if count else None,
        "tokens_p95": float(np.percentile(tokens, 95)) if count else None,
        "tokens_max": int(tokens.max()) if count else None,
        "cut_definition_share": _share(sum(one.cut_definitions for one in facts), definitions),
        "covered_line_share": _share(sum(one.covered_lines for one in facts), lines),
        "duplicate_share": _share(sum(one.duplicates for one in facts), count),
        "repeated_token_share": _share(shown - whole, shown),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
