"""Search for questions that documents contain word for word.

Two texts are compared by their sequences of words. Letter case, punctuation, line breaks, comment
signs and the escapes of JSON and YAML are ignored, so that a quoted question is found in any
notation.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrievers.interface import Documents

FEWEST_WORDS = 5
"""Shorter questions are everyday phrases that a document may contain by chance."""

_FEW_WORDS = 30
_WORD = re.compile(r"[^\W_]+")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(?P<space>[nrt])|\r?\n[ \t]*)")
"""Escapes of JSON and YAML: character codes, white space, and continued lines."""


@dataclass(frozen=True)
class CopiedQuestion:
    """A question that occurs word for word in a document that answers it."""

    repository: str
    query: str
    path: str


@dataclass(frozen=True)
class CopyingDocument:
    """A document that contains questions word for word without answering them."""

    repository: str
    path: str
    queries: tuple[str, ...]


@dataclass(frozen=True)
class QuestionCopies:
    """The questions of a study that occur in its documents."""

    in_answers: tuple[CopiedQuestion, ...] = ()
    in_others: tuple[CopyingDocument, ...] = ()
    """Documents that contain several questions."""


def words_of(text: str) -> list[str]:
    """Return the words of a text for comparison; an underscore separates words."""
    return _WORD.findall(_plain(text))


def _plain(text: str) -> str:
    text = _ESCAPE.sub(_unescaped, text) if "\\" in text else text
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return text.casefold()


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    if code:
        return chr(int(code, 16))
    return " " if escape["space"] else ""


def find_copies(questions: Sequence[str], documents: Documents) -> Iterator[tuple[int, int]]:
    """Yield the numbers of each question and of each document that contains it, by document."""
    known = _Questions(questions)
    for document in range(len(documents)) if known.by_word else ():
        for question in sorted(known.inside(documents.text(document))):
            yield question, document


class _Questions:
    """Questions of at least FEWEST_WORDS words, each indexed by the longest of its words.

    Few documents contain that word, and fewer contain all words of the question, so the slow
    search for the sequence is rare.
    """

    def __init__(self, questions: Sequence[str]) -> None:
        self.by_word: dict[str, list[tuple[int, list[str]]]] = {}
        for number, question in enumerate(questions):
            words = words_of(question)
            if len(words) >= FEWEST_WORDS:
                self.by_word.setdefault(max(words, key=len), []).append((number, words))

    def inside(self, text: str) -> Iterator[int]:
        """Yield the numbers of the questions that a text contains."""
        plain = _plain(text)
        # Searching for a word takes a sixtieth of the time of splitting the text into words.
        if len(self.by_word) <= _FEW_WORDS and not any(word in plain for word in self.by_word):
            return
        words = _WORD.findall(plain)
        vocabulary = set(words)
        candidates = [
            (number, question)
            for word in self.by_word.keys() & vocabulary
            for number, question in self.by_word[word]
            if vocabulary.issuperset(question)
        ]
        whole = _joined(words) if candidates else ""
        yield from (number for number, question in candidates if _joined(question) in whole)


def _joined(words: Sequence[str]) -> str:
    """Join words with a space before and after each, so that only whole words match."""
    return f" {' '.join(words)} "
