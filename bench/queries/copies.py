"""Finds the questions that documents hold word for word.

Two texts are compared by their sequences of words. Letter case, punctuation, line breaks, comment
signs and the escapes of JSON and YAML do not count, so that a question is found however it is
quoted.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrievers.interface import Documents

FEWEST_WORDS = 5
"""Shorter questions are everyday phrases: a document may hold them by chance."""

_FEW_WORDS = 30
_WORD = re.compile(r"[^\W_]+")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(?P<space>[nrt])|\r?\n[ \t]*)")
"""Of JSON and YAML: a character by its code, white space, and a line that goes on."""


@dataclass(frozen=True)
class CopiedQuestion:
    """A question that is word for word in a document that answers it."""

    repository: str
    query: str
    path: str


@dataclass(frozen=True)
class CopyingDocument:
    """A document that holds questions word for word and does not answer them."""

    repository: str
    path: str
    queries: tuple[str, ...]


@dataclass(frozen=True)
class QuestionCopies:
    """The questions of a study that are in its documents."""

    in_answers: tuple[CopiedQuestion, ...] = ()
    in_others: tuple[CopyingDocument, ...] = ()
    """Documents with several of them."""


def words_of(text: str) -> list[str]:
    """Return the words that texts are compared by; an underscore parts words."""
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
    """Yield the numbers of each question and of each document that holds it, by document."""
    known = _Questions(questions)
    for document in range(len(documents)) if known.by_word else ():
        for question in sorted(known.inside(documents.text(document))):
            yield question, document


class _Questions:
    """The questions that are long enough, each under the longest of its words.

    Few documents have that word, and fewer have all words of the question, so that the sequence
    is hardly ever looked for.
    """

    def __init__(self, questions: Sequence[str]) -> None:
        self.by_word: dict[str, list[tuple[int, list[str]]]] = {}
        for number, question in enumerate(questions):
            words = words_of(question)
            if len(words) >= FEWEST_WORDS:
                self.by_word.setdefault(max(words, key=len), []).append((number, words))

    def inside(self, text: str) -> Iterator[int]:
        """Yield the numbers of the questions that a text holds."""
        plain = _plain(text)
        # To look for a word takes a sixtieth of the time of finding all words.
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
    """Return words with a space before and after each, so that only whole words match."""
    return f" {' '.join(words)} "
