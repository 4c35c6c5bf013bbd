"""Tokenizers composed of options: where words are split, and which tokens are kept or dropped.

Their name joins the options, such as `camel+snake+original`, and is allowed wherever the name of a
tokenizer is. `identifier` and the other named tokenizers are fixed choices.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache

from retrievers.lexical.stop_words import STOP_WORDS

PARTS = ("camel", "snake", "kebab", "digits", "original", "stem", "stop", "long")
"""In order: split at capitals, at underscores, at hyphens, around digits; also keep the whole
word; stem; drop stop words; drop words of one letter."""

STEMMERS = {"snowball": "english", "porter": "porter"}
"""Our names of the stemmers, and the names in the library."""

_WORD = re.compile(r"\w+")
_HYPHENATED = re.compile(r"\w+(?:-\w+)*")
_CAPITALS = r"(?<=[a0])(?=A)|(?<=A)(?=Aa)"
_DIGITS = r"(?<=0)(?=[^0])|(?<=[^0])(?=0)"
_CUT = "\0"


def parts_of(kind: str) -> frozenset[str] | None:
    """Return the options in the name of a composed tokenizer, or None for any other name."""
    parts = kind.split("+")
    return frozenset(parts) if set(parts) <= set(PARTS) else None


@dataclass(frozen=True)
class Composed:
    """A tokenizer with these options."""

    parts: frozenset[str]

    def find(self, text: str) -> list[str]:
        """Return the words of a text, in lower case unless words are split at capitals."""
        pattern = _HYPHENATED if "kebab" in self.parts else _WORD
        return pattern.findall(text if "camel" in self.parts else text.lower())

    def expand(self, word: str) -> tuple[str, ...]:
        """Return the tokens of a word."""
        tokens = self._pieces(word)
        if "stop" in self.parts:
            tokens = [token for token in tokens if token not in STOP_WORDS]
        if "long" in self.parts:
            tokens = [token for token in tokens if len(token) > 1]
        return tuple(map(stem(), tokens) if "stem" in self.parts else tokens)

    def _pieces(self, word: str) -> list[str]:
        snake = "snake" in self.parts
        names = [name for name in word.split("-") if name.strip("_") or not snake]
        found = [[piece.lower() for piece in self._cut(name)] for name in names]
        tokens = [piece for pieces in found for piece in pieces]
        if "original" in self.parts:
            pairs = zip(names, found, strict=True)
            tokens += [name.lower() for name, pieces in pairs if pieces != [name.lower()]]
            if len(names) > 1 and not word[0].isdecimal():
                tokens.append(word.lower())
        return tokens

    def _cut(self, name: str) -> list[str]:
        shape = "".join(map(shape_of, name))
        cuts = {edge.start() for edge in _edges(self.parts).finditer(shape)}
        marked = (_CUT * (place in cuts) + letter for place, letter in enumerate(name))
        if "snake" in self.parts:
            pairs = zip(marked, shape, strict=True)
            marked = (_CUT if kind == "_" else letter for letter, kind in pairs)
        return [piece for piece in "".join(marked).split(_CUT) if piece]


@cache
def _edges(parts: Collection[str]) -> re.Pattern[str]:
    """Return an expression that matches between two characters where a word is split."""
    chosen = [("camel", _CAPITALS), ("digits", _DIGITS)]
    return re.compile("|".join(edge for name, edge in chosen if name in parts) or r"(?!)")


def shape_of(character: str) -> str:
    """Return `A` for an upper-case letter, `0` for a digit, `a` for another letter, else `_`."""
    if character.isupper():
        return "A"
    if character.isdecimal():
        return "0"
    return "a" if character.isalnum() else "_"


@cache
def stem() -> Callable[[str], str]:
    """Return the English stemmer of Snowball."""
    return stemmer("snowball")


@cache
def stemmer(name: str) -> Callable[[str], str]:
    """Return a stemmer: `snowball` (English), `porter` (Porter's original), or `none`."""
    import Stemmer

    if name == "none":
        return str
    found: Callable[[str], str] = Stemmer.Stemmer(STEMMERS[name]).stemWord
    return found
