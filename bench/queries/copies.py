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
_CODE = re.compile(rb"\\(?:[xu]|\r?\n)")
"""Escapes that may make a word of what is not one in the bytes."""
_OTHER_FORM = re.compile(  # each alternative begins with one byte, which makes the search fast
    rb"\xc2[\xaa\xb2\xb3\xb9\xba\xbc-\xbe]|\xc3\x9f|\xc4[\xb0\xb2\xb3\xbf]|\xc5[\x80\x89\xbf]"
    rb"|\xc7[\x84-\x8c\xb0-\xb3]|\xca|\xcb|\xe1[\xb4-\xb6\xba]|\xe2[\x81-\x93\xb1]"
    rb"|\xe3[\x88-\x8f]|\xea|\xef|\xf0"
)
"""Beginnings of characters that are compared as letters or digits of ASCII, such as ligatures."""


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
        if known.may_be_in(documents.source(document)):
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
        self._are_few = len(self.by_word) <= _FEW_WORDS
        self._words = [word.encode() for word in self.by_word]
        # Other words may have several forms, such as an accent of its own.
        self._are_bytes = all(map(str.isascii, self.by_word))

    def may_be_in(self, source: bytes) -> bool:
        """Return False if a search for bytes shows that a text has none of the questions."""
        if not (self._are_few and self._are_bytes and _is_as_written(source)):
            return True
        lower = source.lower()
        return any(word in lower for word in self._words)

    def inside(self, text: str) -> Iterator[int]:
        """Yield the numbers of the questions that a text contains."""
        plain = _plain(text)
        # Searching for a word takes a sixtieth of the time of splitting the text into words.
        if self._are_few and not any(word in plain for word in self.by_word):
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


def _is_as_written(source: bytes) -> bool:
    """Return whether a text has only those letters and digits of ASCII that are its bytes."""
    if b"\\" in source and _CODE.search(source):
        return False
    return source.isascii() or not _OTHER_FORM.search(source)


def _joined(words: Sequence[str]) -> str:
    """Join words with a space before and after each, so that only whole words match."""
    return f" {' '.join(words)} "
