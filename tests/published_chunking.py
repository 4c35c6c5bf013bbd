"""A chunking study as they are published, in plain Python: chunks, recall, precision, IoU, omega.

It shares nothing with rankgrid but the tokenizer's package. A chunk is a range of characters.
"""

import warnings
from collections.abc import Iterable, Mapping, Sequence

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of the way it reads its own data
    import bpe_openai

Range = tuple[int, int]


def cut(text: str, size: int, overlap: int) -> list[Range]:
    """Return windows of `size` tokens that share `overlap` of them with the one before."""
    encoding = bpe_openai.get_encoding("cl100k_base")
    lengths = [len(encoding.decode([token])) for token in encoding.encode_ordinary(text)]
    places = [sum(lengths[:number]) for number in range(len(lengths) + 1)]
    chunks, start = [], 0
    while True:
        end = min(start + size, len(lengths))
        chunks.append((places[start], places[end]))
        if end == len(lengths):
            return chunks
        start += size - overlap


def measures(
    hits: Sequence[Range], chunks: Sequence[Range], right: Sequence[Range], text: str
) -> Mapping[str, float]:
    """Return what is published of one question's hits, and what counts all text once."""
    shown = sum(end - start for start, end in hits)
    found, whole = _within(hits, right), sum(end - start for start, end in right)
    every = [chunk for chunk in chunks if _within([chunk], right)]
    once, wanted = _dark(_characters(hits), text), _dark(_characters(right), text)
    common = len(once & wanted)
    return {
        "published_recall": len(found) / whole,
        "published_precision": len(found) / shown,
        "published_iou": len(found) / (shown + whole - len(found)),
        "published_precision_omega": len(_within(every, right)) / len(_characters(every)),
        "coverage": common / len(wanted),
        "character_precision": common / len(once) if once else 0.0,
        "character_iou": common / len(once | wanted),
    }


def _characters(ranges: Iterable[Range]) -> set[int]:
    return {place for start, end in ranges for place in range(start, end)}


def _within(ranges: Iterable[Range], right: Iterable[Range]) -> set[int]:
    return _characters(ranges) & _characters(right)


def _dark(places: set[int], text: str) -> set[int]:
    """Return the places that are not white space."""
    return {place for place in places if not text[place].isspace()}
