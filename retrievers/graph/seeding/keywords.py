"""The keywords of a task: quoted identifiers, other identifiers and guesses, and single words.

They are searched in this order, so that the parts of a name do not hide the name.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from retrievers.graph.model import Keywords
from retrievers.graph.seeding.words import (
    ABBREVIATIONS,
    ACTION_VERBS,
    FILLERS,
    NAMING_VERBS,
    STOPPED,
)
from retrievers.lexical.tokenizers import tokenizer_named

_NAME = r"[^\W\d]\w*"
_QUOTED = re.compile(r"`([^`\n]*)`")
_QUOTABLE = re.compile(rf"[.#]?{_NAME}(?:(?:\.|::|->|#|-){_NAME})*")
_SEPARATOR = re.compile(r"::|->|#")
_CALLED = re.compile(rf"(\.?{_NAME}(?:\.{_NAME})*)\(\)")
_CALLED_WITH = re.compile(rf"(\.{_NAME}|{_NAME}(?:\.{_NAME})+)\([^()\n]*\)")
_DOTTED = re.compile(rf"(?<![\w.]){_NAME}(?:\.{_NAME})+")
_WORD = re.compile(rf"{_NAME}(?:\.{_NAME})*|\S")
_LONG_PATH = 3
_UNPAIRED = (STOPPED - NAMING_VERBS) | FILLERS
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")


@dataclass(frozen=True)
class Extraction:
    """Limits of the lengths of keywords, in characters."""

    quoted_letters: int = 100
    """Maximum of a quoted name."""
    word_letters: int = 2
    """Minimum of a single word."""
    bigram_letters: int = 3
    """Minimum of both words of a pair that may form a name."""
    bigram_longer_letters: int = 4
    """Minimum of the longer word of such a pair."""


def extract_keywords(task: str, settings: Extraction | None = None) -> Keywords:
    """Return the keywords of a task."""
    settings = settings or Extraction()
    words = [found.group() for found in _WORD.finditer(task)]
    spoken = [word for word in words if _is_word(word)]
    priority = _first_object(spoken)
    compounds = [
        *_both_cases(code_patterns(task)),
        *([priority] if priority and is_compound(priority) else []),
        *(word for word in spoken if is_compound(word)),
        *_bigrams(words, settings),
    ]
    return Keywords(
        exact=_distinct(_both_cases(_quoted(task, settings))),
        compounds=_distinct(compounds),
        components=_components(spoken, priority, settings),
    )


def code_patterns(task: str) -> Iterator[str]:
    """Yield the parts of a text that must be code: calls, members of types, and module paths.

    A module path has an underscore or at least three parts. `e.g.` and versions are not paths.
    """
    for pattern in (_CALLED, _CALLED_WITH):
        yield from (found.lstrip(".") for found in pattern.findall(task))
    for dotted in _DOTTED.findall(task):
        segments = dotted.split(".")
        if min(map(len, segments)) > 1 and _is_path(segments):
            yield dotted


def is_compound(word: str) -> bool:
    """Return whether a word is a name of several words. Abbreviations such as `e.g` are not."""
    inner = word.strip("_.")
    if "." in inner and min(map(len, inner.split("."))) == 1:
        return False
    return "_" in inner or "." in inner or bool(_CAMEL.search(inner))


def parts(word: str) -> list[str]:
    """Return the words of a name, in lower case."""
    return list(_parts(word))


@lru_cache(maxsize=1 << 17)
def _parts(word: str) -> tuple[str, ...]:
    expand = tokenizer_named("identifier").expand
    found: list[str] = []
    for segment in re.split(r"\W", word):
        tokens = expand(segment)
        whole = len(tokens) > 1 and tokens[-1] == segment.lower()
        found.extend(tokens[:-1] if whole else tokens)
    return tuple(found)


def _is_path(segments: list[str]) -> bool:
    is_member = segments[0][0].isupper()
    return is_member or len(segments) >= _LONG_PATH or any("_" in part for part in segments)


def _quoted(task: str, settings: Extraction) -> Iterator[str]:
    for text in _QUOTED.findall(task):
        name = text.strip().removesuffix("()")
        if _QUOTABLE.fullmatch(name) and len(name) <= settings.quoted_letters:
            yield _SEPARATOR.sub(".", name).lstrip(".#")


def _both_cases(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield from (name, name.lower())


def _is_word(token: str) -> bool:
    return token[0].isalpha() or token[0] == "_"


def _first_object(words: list[str]) -> str:
    """Return the object of the verb at the start of a task, or an empty text without a verb."""
    if not words or words[0].lower() not in ACTION_VERBS:
        return ""
    return next((word for word in words[1:] if not _is_filler(word)), "")


def _is_filler(word: str) -> bool:
    """Return whether a word cannot be the object. Acronyms usually qualify the object."""
    return word.lower() in STOPPED | FILLERS or (len(word) > 1 and word.isupper())


def _bigrams(tokens: list[str], settings: Extraction) -> Iterator[str]:
    """Yield the names that pairs of adjacent words would form, as `FooBar` and `foo_bar`."""
    for left, right in pairwise(tokens):
        if not all(_can_pair(word, settings) for word in (left, right)):
            continue
        if max(len(left), len(right)) >= settings.bigram_longer_letters:
            yield left[0].upper() + left[1:] + right[0].upper() + right[1:]
            yield f"{left}_{right}".lower()


def _can_pair(word: str, settings: Extraction) -> bool:
    if not word[0].isalpha() or is_compound(word) or len(word) < settings.bigram_letters:
        return False
    return word.lower() not in _UNPAIRED


def _components(words: list[str], priority: str, settings: Extraction) -> tuple[str, ...]:
    """Return single words: the object of the task first, then the others, longest first."""
    first = [priority.lower(), priority.capitalize()] if not is_compound(priority) else []
    single = [part for word in words for part in parts(word)]
    spelled = [ABBREVIATIONS[part] for part in single if part in ABBREVIATIONS]
    rest = [part for part in (*single, *spelled) if part not in STOPPED]
    long = [part for part in rest if len(part) >= settings.word_letters and not part.isdigit()]
    return _distinct([*first, *sorted(long, key=len, reverse=True)])


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))
