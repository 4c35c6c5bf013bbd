"""The stored words of each chunk. They are ordered by chunk, so that a commit changes few rows."""

import zlib
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any, ClassVar, NamedTuple

import numpy as np

from retrievers.interface import CHUNKS, DOCUMENTS, Before, Chunks, Derived, Input, ReadInput
from retrievers.lexical.postings import Counts, Postings, count_words, owners
from retrievers.lexical.tokenizers import TokenizerName
from retrievers.unchanged import Run, Splice, runs, starts_of

_CODES = 1 << 32
_LOW = 0xFFFF

Flags = np.ndarray[Any, np.dtype[np.bool_]]
Moves = Sequence[tuple[int, int]]
"""Codes, each with the code that replaces it."""


@dataclass(frozen=True)
class ChunkWords:
    """Postings in the order of the chunks.

    A changed file, another chunk or a new word does not change the rows of other chunks. Numbers
    of terms and of chunks would change in all rows after it.
    """

    tokenizer: TokenizerName
    vocabulary: tuple[str, ...]
    """The terms, sorted."""
    code: Counts
    """For each term, a distinct number that depends on its letters."""
    chunks: Counts
    """For each term, the number of chunks with it."""
    held: Counts
    """For each chunk, the number of its distinct terms."""
    lengths: Counts
    """For each chunk, the number of its tokens."""
    term: Counts
    """The code of each term of each chunk."""
    frequency: Counts

    @classmethod
    def of(cls, postings: Postings) -> "ChunkWords":
        """Return the same postings by chunk."""
        names = postings.vocabulary
        by_name = np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)
        vocabulary = tuple(names[number] for number in by_name.tolist())
        number = np.empty_like(by_name)
        number[by_name] = np.arange(len(by_name))
        counts = np.diff(postings.stops, prepend=0)
        term = np.repeat(number, counts)
        order = np.argsort(postings.chunk.astype(np.int64) * max(len(counts), 1) + term)
        code = _codes(vocabulary)
        return cls(
            tokenizer=postings.tokenizer,
            vocabulary=vocabulary,
            code=code,
            chunks=counts[by_name].astype(np.int32),
            held=np.bincount(postings.chunk, minlength=len(postings.lengths)).astype(np.int32),
            lengths=postings.lengths,
            term=code[term[order]],
            frequency=_narrow(postings.frequency[order]),
        )

    def of_terms(self, terms: Collection[str]) -> Postings:
        """Return the postings of some terms. Postings of all terms take longer to make."""
        names = tuple(filter(self.has, sorted(terms)))
        codes = self.code[[bisect_left(self.vocabulary, name) for name in names]]
        # The low bits of a code show that it is none of the few without a comparison with each.
        is_near = np.zeros(_LOW + 1, bool)
        is_near[codes & _LOW] = True
        near = np.flatnonzero(is_near[self.term & _LOW])
        places = [near[self.term[near] == code] for code in codes.tolist()]
        place = np.concatenate([np.zeros(0, np.int64), *places])
        return Postings(
            tokenizer=self.tokenizer,
            vocabulary=names,
            stops=np.cumsum([*map(len, places)], dtype=np.int64),
            chunk=owners(self.held)[place],
            frequency=self.frequency[place].astype(np.int32),
            lengths=self.lengths,
        )

    def has(self, term: str) -> bool:
        """Return whether any chunk has a term."""
        row = bisect_left(self.vocabulary, term)
        return row < len(self.vocabulary) and self.vocabulary[row] == term

    @cached_property
    def postings(self) -> Postings:
        """The postings by term."""
        # Each number contains a code and its position. Sorting them is much faster than a lookup
        # of each code. Every term occurs in a chunk, so the sorted codes are those of `by_code`.
        marked = (self.term.astype(np.int64) << 32) | np.arange(len(self.term))
        marked.sort()
        held_by, start = self.chunks.astype(np.int64), np.zeros(len(self.code), np.int64)
        by_code = np.argsort(self.code)
        start[by_code] = np.cumsum(held_by[by_code]) - held_by[by_code]
        stops = np.cumsum(held_by)
        order = marked[np.repeat(start - stops + held_by, held_by) + np.arange(len(marked))]
        place = order & (_CODES - 1)
        return Postings(
            tokenizer=self.tokenizer,
            vocabulary=self.vocabulary,
            stops=stops,
            chunk=owners(self.held)[place],
            frequency=self.frequency[place].astype(np.int32),
            lengths=self.lengths,
        )

    def spliced(self, splice: Splice, new: "ChunkWords") -> "ChunkWords":
        """Return the words of the kept chunks and of `new` ones, in the order of the splice."""
        stops, new_stops = np.cumsum(self.held), np.cumsum(new.held)
        inner = splice.within(stops, new_stops)
        terms = _terms(self, inner, new)
        return ChunkWords(
            tokenizer=self.tokenizer,
            vocabulary=terms.vocabulary,
            code=terms.code,
            chunks=terms.chunks,
            held=splice.array(self.held, new.held),
            lengths=splice.array(self.lengths, new.lengths),
            term=inner.array(
                _recoded(self.term, terms.moved), _recoded(new.term, terms.moved_new)
            ),
            frequency=_narrow(inner.array(self.frequency, new.frequency)),
        )


@dataclass(frozen=True)
class WordCounts(Derived[ChunkWords]):
    """The words of a repository's chunks. All weights, such as k1 and b, share them."""

    is_updated: ClassVar[bool] = True

    tokenizer: TokenizerName

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The texts of the chunks."""
        return DOCUMENTS, CHUNKS

    @property
    def record(self) -> type[ChunkWords]:
        """The words by chunk."""
        return ChunkWords

    def make(self, read: ReadInput, /) -> ChunkWords:
        """Count the words of each chunk."""
        return self._counted(read(CHUNKS).all_shown(read(DOCUMENTS)))

    def updated(self, read: ReadInput, before: Before[ChunkWords], /) -> ChunkWords:
        """Count the words of the chunks in changed documents, and reuse the other counts."""
        chunks, documents = read(CHUNKS), read(DOCUMENTS)
        chunks_before, documents_before = before.read(CHUNKS), before.read(DOCUMENTS)
        starts = starts_of(chunks.document, len(documents))
        starts_before = starts_of(chunks_before.document, len(documents_before))

        def agrees(run: Run) -> bool:
            own = slice(starts[run.first], starts[run.stop])
            then = slice(starts_before[run.before], starts_before[run.before_stop])
            return _same_chunks(chunks, own, chunks_before, then)

        found = runs(documents, documents_before, agrees=agrees)
        new = [
            chunks.shown(chunk, documents)
            for run in found
            if not run.is_kept
            for chunk in range(starts[run.first], starts[run.stop])
        ]
        splice = Splice.of(found, starts, starts_before)
        return before.data.spliced(splice, self._counted(new))

    def _counted(self, texts: Iterable[str]) -> ChunkWords:
        return ChunkWords.of(count_words(texts, self.tokenizer))


def _same_chunks(chunks: Chunks, own: slice, before: Chunks, then: slice) -> bool:
    """Tell whether chunks of equal documents show the same texts."""
    return (
        np.array_equal(chunks.start_byte[own], before.start_byte[then])
        and np.array_equal(chunks.end_byte[own], before.end_byte[then])
        and chunks.headers[own] == before.headers[then]
    )


class _Terms(NamedTuple):
    """The terms of a splice."""

    vocabulary: tuple[str, ...]
    code: Counts
    chunks: Counts
    moved: Moves
    """Terms of the earlier words that have another code now."""
    moved_new: Moves
    """The same of the new words."""


def _terms(before: ChunkWords, inner: Splice, new: ChunkWords) -> _Terms:
    """Return the terms after a splice, without unused terms."""
    chunks = before.chunks - _lost(before, inner)
    known, added = list[tuple[int, int]](), dict[str, int]()
    for term, count in zip(new.vocabulary, new.chunks.tolist(), strict=True):
        if before.has(term):
            known.append((bisect_left(before.vocabulary, term), count))
        else:
            added[term] = count
    rows, counts = np.array(known, np.int64).reshape(-1, 2).T
    chunks[rows] += counts.astype(np.int32)
    own = [*compress(before.vocabulary, chunks.tolist())]
    is_added = np.zeros(len(own) + len(added), bool)
    is_added[[bisect_left(own, term) + place for place, term in enumerate(added)]] = True
    # Sorting two sorted parts takes little more than a look at each term.
    vocabulary = tuple(sorted([*own, *added]))
    held_by = np.empty(len(vocabulary), np.int32)
    held_by[is_added], held_by[~is_added] = list(added.values()), chunks[chunks > 0]
    code = _updated_codes(before.code, chunks > 0, is_added, [*added])
    code = _codes(vocabulary) if code is None else code
    places = [bisect_left(vocabulary, term) for term in new.vocabulary]
    moved = _moves(before.code[chunks > 0], code[~is_added])
    return _Terms(vocabulary, code, held_by, moved, _moves(new.code, code[places]))


def _lost(before: ChunkWords, inner: Splice) -> Counts:
    """Return for each term the number of chunks with it that a splice leaves out."""
    left = np.ones(len(before.term), bool)
    for is_kept, rows in inner.pieces:
        if is_kept:
            left[rows] = False
    codes, counts = np.unique(before.term[left], return_counts=True)
    by_code = np.argsort(before.code)
    lost = np.zeros(len(before.code), np.int32)
    lost[by_code[np.searchsorted(before.code[by_code], codes)]] = counts
    return lost


def _updated_codes(
    before: Counts, is_kept: Flags, is_added: Flags, added: Sequence[str]
) -> Counts | None:
    """Return the codes of a vocabulary, or None if two of its terms may be in each other's way."""
    own, taken = _checksums(added), np.sort(before.view(np.uint32))
    free = before[~is_kept].view(np.uint32)
    # A term takes the next number if another term has its own. It may move if that term goes.
    numbers = np.append(np.array(own, np.uint32), free + np.uint32(1))
    above, below = (np.searchsorted(taken, numbers, side) for side in ("right", "left"))
    if len({*own}) < len(own) or (above > below).any():
        return None
    code = np.empty(len(is_added), np.int32)
    code[is_added] = np.array(own, np.uint32).view(np.int32)
    code[~is_added] = before[is_kept]
    return code


def _moves(before: Counts, code: Counts) -> Moves:
    changed = np.flatnonzero(before != code)
    return [*zip(before[changed].tolist(), code[changed].tolist(), strict=True)]


def _recoded(terms: Counts, moves: Moves) -> Counts:
    """Return the terms of chunks with other codes. Terms that are gone keep theirs."""
    found = terms.copy() if moves else terms
    for code, other in moves:
        found[terms == code] = other
    return found


def _narrow(frequency: Counts) -> Counts:
    """Return counts in the smallest integer type that can represent them."""
    narrow: Counts = frequency.astype(np.min_scalar_type(int(frequency.max(initial=0))))
    return narrow


def _codes(vocabulary: Iterable[str]) -> Counts:
    """Return a number for each term: its CRC-32, or the next free number after a collision."""
    taken: dict[int, None] = {}
    for code in _checksums(vocabulary):
        free = code
        while free in taken:
            free = (free + 1) % _CODES
        taken[free] = None
    return np.array([*taken], np.uint32).view(np.int32)


def _checksums(vocabulary: Iterable[str]) -> list[int]:
    return [zlib.crc32(term.encode("utf-8", "surrogatepass")) for term in vocabulary]
