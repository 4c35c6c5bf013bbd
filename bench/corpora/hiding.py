"""Hiding of source parts from which queries were generated."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from retrievers.interface import Documents

_WORDS = bytes(byte for byte in range(256) if byte > ord("~") or chr(byte).isalnum()) + b"_"
_BLANKED = bytes.maketrans(_WORDS, b" " * len(_WORDS))
"""Words become blanks. Punctuation stays, so that docstrings and comments remain valid."""


@dataclass(frozen=True)
class Hidden:
    """Lines whose words are blanked, or a whole file that is removed."""

    path: str
    start: int = 0
    """First line, counted from 1; 0 for the whole file."""
    end: int = 0
    """Last line, inclusive."""


def hide(documents: Documents, hidden: Iterable[Hidden]) -> Documents:
    """Return documents without the hidden parts; other lines keep their numbers and byte
    offsets."""
    stretches: dict[int, list[Hidden]] = defaultdict(list)
    left_out = set()
    for one in hidden:
        document = documents.places.get(one.path)
        if document is None:
            continue
        if one.start:
            stretches[document].append(one)
        else:
            left_out.add(document)
    if not stretches and not left_out:
        return documents
    kept = [number for number in range(len(documents)) if number not in left_out]
    sources = [_blanked(documents, number, stretches.get(number, ())) for number in kept]
    return Documents(
        paths=tuple(documents.paths[number] for number in kept),
        content=np.frombuffer(b"".join(sources), np.uint8),
        ends=np.cumsum([len(source) for source in sources], dtype=np.int64),
    )


def _blanked(documents: Documents, number: int, stretches: Sequence[Hidden]) -> bytes:
    source = documents.source(number)
    if not stretches:
        return source
    text = bytearray(source)
    starts = [*documents.line_starts(number).tolist(), len(source)]
    last = len(starts) - 1
    for one in stretches:
        start, end = starts[min(one.start - 1, last)], starts[min(one.end, last)]
        text[start:end] = text[start:end].translate(_BLANKED)
    return bytes(text)
