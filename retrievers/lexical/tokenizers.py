"""Tokenizers: four with names, and any that is composed of options.

A tokenizer has two steps: it finds the words of a text, then expands each word into tokens. The
second step depends on the word alone, so its result is cached, and counting a repository is fast.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from retrievers.errors import LexicalError
from retrievers.lexical.parts import PARTS, Composed, parts_of, shape_of, stem, stemmer
from retrievers.lexical.stop_words import STOP_WORDS

TokenizerName = str
"""A key of `TOKENIZERS` or options joined by `+`, either with changes after `|`."""

_CHANGE = "|"
"""Separator before each change in the name of a tokenizer: english|stop=|stem=porter."""
_PLAIN = re.compile(r"\w+")
_LONG = re.compile(r"\w\w+")
_HYPHENATED = re.compile(r"\w+(?:-\w+)*")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@dataclass(frozen=True)
class Tokenizer:
    """A function that finds words in a text, and a function that returns the tokens of a word."""

    find: Callable[[str], list[str]]
    expand: Callable[[str], tuple[str, ...]]


def tokenize(text: str, kind: TokenizerName) -> list[str]:
    """Return the tokens of `text`, in order."""
    tokenizer = tokenizer_named(kind)
    return [token for word in tokenizer.find(text) for token in tokenizer.expand(word)]


def tokenizer_named(kind: str) -> Tokenizer:
    """Return the tokenizer with this name, which may be composed or changed."""
    if kind in TOKENIZERS:
        return TOKENIZERS[kind]
    if _CHANGE in kind:
        return _adjusted(kind)
    return _composed(kind)


@cache
def _composed(kind: str) -> Tokenizer:
    parts = parts_of(kind)
    if parts is None:
        message = f"tokenizer={kind} is not known; choose one of {', '.join(TOKENIZERS)}"
        raise LexicalError(f"{message}, or join some of {'+'.join(PARTS)}")
    own = Composed(parts)
    return Tokenizer(own.find, own.expand)


def adjusted_name(kind: str, stop_words: Sequence[str] | None, stemmer: str | None) -> str:
    """Return the name of a tokenizer with other stop words or another stemmer; None keeps them.

    The words are part of the name, because the name must determine the tokens.
    """
    stopping = [] if stop_words is None else [f"stop={','.join(sorted(set(stop_words)))}"]
    stemming = [] if stemmer is None else [f"stem={stemmer}"]
    return _CHANGE.join([kind, *stopping, *stemming])


@cache
def _adjusted(kind: str) -> Tokenizer:
    name, *changes = kind.split(_CHANGE)
    base = _base(name)
    chosen = dict(change.split("=", 1) for change in changes)
    stop = frozenset(chosen["stop"].split(",")) if "stop" in chosen else base.stop_words
    stemmed = stemmer(chosen.get("stem", base.stemmer))

    def expand(word: str) -> tuple[str, ...]:
        return tuple(stemmed(token) for token in base.pieces(word) if token not in stop)

    return Tokenizer(base.find, expand)


@dataclass(frozen=True)
class _Base:
    """A tokenizer without its last steps, which are a filter of stop words and a stemmer."""

    find: Callable[[str], list[str]]
    pieces: Callable[[str], tuple[str, ...]]
    stop_words: frozenset[str] = frozenset()
    stemmer: str = "none"


def _base(name: str) -> _Base:
    own, parts = tokenizer_named(name), parts_of(name)
    if parts is not None:
        rest = Composed(parts - {"stem", "stop"})
        stop = STOP_WORDS if "stop" in parts else frozenset[str]()
        return _Base(rest.find, rest.expand, stop, "snowball" if "stem" in parts else "none")
    if name == "english":
        return _Base(own.find, lambda word: (word,), STOP_WORDS, "snowball")
    if name == "stemmed":
        return _Base(own.find, _identifier, stemmer="snowball")
    return _Base(own.find, own.expand)


def _identifier(word: str) -> tuple[str, ...]:
    """Return the parts of a name in lower case, and the whole names.

    `my-HTTPServer2` gives my, http, server, 2, httpserver2 and my-httpserver2; dates and
    subtractions from numbers are not names.
    """
    names = [name for name in word.split("-") if name.strip("_")]
    parts = [[part.lower() for part in _parts(name)] for name in names]
    tokens = [part for found in parts for part in found]
    for name, found in zip(names, parts, strict=True):
        if found != [name.lower()]:
            tokens.append(name.lower())
    if len(names) > 1 and not word[0].isdecimal():
        tokens.append(word.lower())
    return tuple(tokens)


def _stemmed(word: str) -> tuple[str, ...]:
    """Return the stems of the parts of a name and of the name, for matches with prose."""
    return tuple(map(stem(), _identifier(word)))


def _parts(name: str) -> list[str]:
    if name.isascii():
        return _PARTS.findall(name)
    shape = "".join(map(shape_of, name))
    return [name[part.start() : part.end()] for part in _PARTS.finditer(shape)]


def _english(word: str) -> tuple[str, ...]:
    return () if word in STOP_WORDS else (stem()(word),)


TOKENIZERS: Mapping[str, Tokenizer] = MappingProxyType(
    {
        "identifier": Tokenizer(_HYPHENATED.findall, _identifier),
        "stemmed": Tokenizer(_HYPHENATED.findall, _stemmed),
        "plain": Tokenizer(lambda text: _PLAIN.findall(text.lower()), lambda word: (word,)),
        "english": Tokenizer(lambda text: _LONG.findall(text.lower()), _english),
    }
)
"""The tokenizers by name."""
