"""A deterministic offline answerer. It quotes the sentences with most of the question's words."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrievers.answerers.reply import Passage, Reply, quoted
from retrievers.answerers.settings import Extractive
from retrievers.lexical import tokenize
from retrievers.lexical.stop_words import QUESTION_WORDS, STOP_WORDS

_LONGEST = 300
_BLOCKS = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+#]|[0-9]+[.)])\s)")
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(\[])")
_TICKS = re.compile(r"`+")
_FENCES = re.compile(r"`{3,}|~{3,}")
_FADING = 0.1
"""Decrease of the weight of a piece by the rank of its hit: 1 / (1 + 0.1 * (rank - 1))."""


@dataclass(frozen=True)
class _Piece:
    number: int
    shown: str
    words: frozenset[str]


def extract(
    question: str, passages: Sequence[Passage], settings: Extractive, *, best_score: float
) -> Reply:
    """Return the best pieces of the passages, each with its citation, or a refusal."""
    threshold = settings.threshold
    pieces = [
        piece
        for number, passage in enumerate(passages[: settings.hits], 1)
        for piece in _pieces(passage, number)
    ]
    # The best score is NaN if there are no hits.
    if not pieces or (threshold is not None and not best_score >= threshold):
        return Reply(refused=True)
    chosen = _chosen(_words(question), pieces, settings.pieces)
    return Reply("\n\n".join(f"- {piece.shown} [#{piece.number}]" for piece in chosen))


def _chosen(wanted: frozenset[str], pieces: Sequence[_Piece], count: int) -> list[_Piece]:
    """Return the pieces with most of the question's words, in the order of their hits."""
    weight = _weights(wanted, pieces)

    def said(place: int) -> float:
        piece = pieces[place]
        # `fsum` does not depend on the order of the set, which differs between processes.
        found = math.fsum(weight[word] for word in wanted & piece.words)
        return found / (1 + _FADING * (piece.number - 1))

    order = sorted(range(len(pieces)), key=lambda place: (-said(place), place))
    chosen: list[int] = []
    shown: set[str] = set()
    for place in order:
        new = pieces[place].shown not in shown
        if new and said(place) > 0 and len(chosen) < count:
            chosen.append(place)
            shown.add(pieces[place].shown)
    return [pieces[place] for place in sorted(chosen or [0])]


def _weights(wanted: frozenset[str], pieces: Sequence[_Piece]) -> dict[str, float]:
    """Return the weight of each word, which is higher if fewer pieces have the word."""
    counts = Counter(word for piece in pieces for word in piece.words & wanted)
    return {word: math.log(1 + len(pieces) / (1 + counts[word])) for word in wanted}


def _pieces(passage: Passage, number: int) -> Iterator[_Piece]:
    """Yield the definitions of a passage, or its sentences if it has no definitions."""
    for signature, documentation in passage.definitions:
        line = " ".join(signature.split())
        first = next(iter(_sentences(documentation)), "")
        told = f": {_cut(first)}" if first else ""
        shown = f"{_code(_cut(line))}{quoted(told)}"
        yield _Piece(number, shown, _words(f"{line} {documentation}"))
    if not passage.definitions:
        for sentence in _sentences(passage.text):
            yield _Piece(number, quoted(_cut(sentence)), _words(sentence))


def _sentences(text: str) -> Iterator[str]:
    for block in _BLOCKS.split(text):
        for sentence in _SENTENCES.split(" ".join(_FENCES.sub(" ", block).split())):
            if sentence.strip():
                yield sentence.strip()


def _cut(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return text[:_LONGEST].rpartition(" ")[0] + " …" if " " in text[:_LONGEST] else text[:_LONGEST]


def _code(text: str) -> str:
    """Return a text as a code span with more backticks than any run in the text."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    edge = " " if longest else ""
    ticks = "`" * (longest + 1)
    return f"{ticks}{edge}{text}{edge}{ticks}"


def _words(text: str) -> frozenset[str]:
    return frozenset(tokenize(text, "identifier")) - STOP_WORDS - QUESTION_WORDS
