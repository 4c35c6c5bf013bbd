"""Tokens, breaks and chunks of a tree, made from those of an earlier tree.

The breaks of a document depend on the document alone, with one exception: blanks at its end reach
into the next one, and the line above its first is the last line of the one before.
"""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from retrievers.chunkers.breaks import Breaks, text_breaks
from retrievers.chunkers.tokens import joined_token_ends
from retrievers.interface import Chunks, Documents, Integers, TokenEnds
from retrievers.unchanged import (
    Run,
    Splice,
    new_documents,
    part_of,
    runs,
    spliced_starts,
    starts_of,
)

Pack = Callable[[Documents, TokenEnds, Breaks], Chunks]
_SEPARATING = 2
"""Bytes after leading blanks with which a document hides those behind it from the line above."""


def updated_tokens(
    documents: Documents,
    before: tuple[Documents, TokenEnds],
    find: Callable[[Documents], TokenEnds],
) -> TokenEnds:
    """Return the same as `find`, with the earlier tokens of unchanged documents."""
    documents_before, tokens = before
    found = runs(documents, documents_before)
    made = find(part_of(documents, new_documents(found)))
    starts_before = np.append(0, tokens.stops)
    starts = spliced_starts(found, np.diff(made.stops, prepend=0), starts_before)
    splice = Splice.of(found, starts, starts_before)
    return TokenEnds(splice.array(tokens.ends, made.ends), starts[1:])


def updated_breaks(
    documents: Documents, tokens: TokenEnds, earlier: tuple[Documents, Breaks]
) -> Breaks:
    """Return the same as `text_breaks`, with the earlier breaks of documents without a change."""
    documents_before, before = earlier
    kept = runs(documents, documents_before)
    found = [part for run in kept for part in _apart(run, documents, documents_before)]
    new = new_documents(found)
    near = _with_neighbours(new, documents)
    made = text_breaks(part_of(documents, near), _tokens_of(tokens, near))
    is_new, lines = np.isin(near, new), np.diff(made.stops, prepend=0)
    rows = np.repeat(is_new, lines)
    starts_before = np.append(0, before.stops)
    starts = spliced_starts(found, lines[is_new], starts_before)
    splice = Splice.of(found, starts, starts_before)
    return Breaks(
        byte=splice.array(before.byte, made.byte[rows]),
        token=splice.array(before.token, made.token[rows]),
        stops=starts[1:],
        level=splice.array(before.level, made.level[rows]),
    )


def updated_chunks(
    documents: Documents,
    tokens: TokenEnds,
    breaks: Breaks,
    *,
    before: tuple[Documents, Breaks, Chunks],
    pack: Pack,
) -> Chunks:
    """Return the same as `pack`, with the earlier chunks of documents with the same breaks."""
    documents_before, breaks_before, chunks = before
    lines, lines_before = np.append(0, breaks.stops), np.append(0, breaks_before.stops)

    def agrees(run: Run) -> bool:
        own = slice(lines[run.first], lines[run.stop])
        then = slice(lines_before[run.before], lines_before[run.before_stop])
        return np.array_equal(breaks.level[own], breaks_before.level[then]) and np.array_equal(
            breaks.token[own], breaks_before.token[then]
        )

    found = runs(documents, documents_before, agrees=agrees)
    new = new_documents(found)
    part = part_of(documents, new)
    made = pack(part, _tokens_of(tokens, new), _breaks_of(breaks, new))
    starts_before = starts_of(chunks.document, len(documents_before))
    counts = np.bincount(made.document, minlength=len(new))
    starts = spliced_starts(found, counts, starts_before)
    splice = Splice.of(found, starts, starts_before)
    return Chunks(
        document=np.repeat(np.arange(len(documents), dtype=np.int32), np.diff(starts)),
        start_byte=splice.array(chunks.start_byte, made.start_byte),
        end_byte=splice.array(chunks.end_byte, made.end_byte),
        start_line=splice.array(chunks.start_line, made.start_line),
        end_line=splice.array(chunks.end_line, made.end_line),
        start_token=splice.array(chunks.start_token, made.start_token),
        end_token=splice.array(chunks.end_token, made.end_token),
    )


def _apart(run: Run, documents: Documents, before: Documents) -> Iterator[Run]:
    """Yield a kept run without the documents at its ends, whose neighbours may have changed."""
    first, stop = run.first, run.stop
    if run.is_kept and (run.first or run.before):
        first += len(_up_to_text(documents, range(first, stop)))
    if run.is_kept and (run.stop < len(documents) or run.before_stop < len(before)):
        stop -= len(_up_to_text(documents, reversed(range(first, stop))))
    if first > run.first:
        yield Run(run.first, first, -1)
    if stop > first:
        yield Run(first, stop, run.before + first - run.first if run.is_kept else -1)
    if run.stop > stop:
        yield Run(stop, run.stop, -1)


def _with_neighbours(new: Integers, documents: Documents) -> Integers:
    """Return these documents with the neighbours that their breaks depend on."""
    found = set(new.tolist())
    for number in new.tolist():
        found.update(_up_to_text(documents, reversed(range(number))))
        found.update(_up_to_text(documents, range(number + 1, len(documents))))
    return np.array(sorted(found), np.int64)


def _up_to_text(documents: Documents, numbers: Iterable[int]) -> list[int]:
    """Return the first documents, up to one that no leading blanks or short texts end."""
    found = []
    for number in numbers:
        found.append(number)
        if len(documents.source(number).lstrip(b" \t")) >= _SEPARATING:
            break
    return found


def _tokens_of(tokens: TokenEnds, numbers: Integers) -> TokenEnds:
    return joined_token_ends([tokens.of(number) for number in numbers.tolist()])


def _breaks_of(breaks: Breaks, numbers: Integers) -> Breaks:
    counts = np.diff(breaks.stops, prepend=0)
    rows = np.repeat(np.isin(np.arange(len(counts)), numbers), counts)
    return Breaks(
        byte=breaks.byte[rows],
        token=breaks.token[rows],
        stops=np.cumsum(counts[numbers]),
        level=breaks.level[rows],
    )
