"""The rules of a language as data: names, visibility, patterns and edges."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

Pairs = tuple[tuple[str, str], ...]

LOCAL_TO = ("function", "method", "constructor", "property", "overload")
"""Kinds whose inner definitions cannot be reached from outside."""


@dataclass(frozen=True, slots=True)
class NameRules:
    """Rules that turn the text of a name into the parts of a qualified name."""

    separators: tuple[str, ...] = ()
    """Separators between the parts of a name in source, such as `::`."""
    strip: str = ""
    """Characters around a name that are not part of it, such as quotes."""
    drop: tuple[str, ...] = ()
    """Parts without a meaning, such as `prototype`."""
    whole: str = ""
    """A regular expression for a last part with punctuation of its own, such as `operator<`."""
    brackets: str = ""
    """The two characters around type arguments, which are not part of a name."""
    nameless: tuple[str, ...] = ()
    """Kinds whose names are not prefixes of inner names, because the path already has them."""
    clauses: tuple[str, ...] = ()
    """Kinds that are written in clauses: adjacent ones with the same name are one definition."""

    def parts(self, text: str) -> list[str]:
        """Return the parts of a name."""
        found = re.search(self.whole, text) if self.whole else None
        head = text[: found.start()] if found else text
        if self.brackets:
            head = _without_arguments(head, *self.brackets)
        parts = self._split(head)
        if found:
            parts.append(found.group())
        named = [" ".join(part.split()).strip(self.strip) for part in parts]
        named = [part for part in named if part]
        return [part for part in named if part not in self.drop] or named[-1:]

    def _split(self, text: str) -> list[str]:
        if not self.separators:
            return [text]
        return re.split("|".join(re.escape(one) for one in self.separators), text)


@dataclass(frozen=True, slots=True)
class VisibilityRules:
    """The visibility of a definition, by its modifiers, its name and its scope."""

    words: Pairs = ()
    """Pairs of a pattern for modifiers and its visibility. The first match counts."""
    names: Pairs = ()
    """Pairs of a pattern for the last part of a name and a visibility. The first match counts."""
    capital: str = ""
    """The visibility of names with a capital first letter; blank for no rule."""
    default: Pairs = ()
    """The visibility without another rule, by the kind of the definition around: `file` at the top
    of a file, `*` anywhere."""

    def of_words(self, modifiers: Iterable[str]) -> str:
        """Return the visibility by the modifiers, or an empty text."""
        texts = ["".join(text.split()) for text in modifiers]
        return next(
            (
                level
                for pattern, level in self.words
                if any(fnmatchcase(t, pattern) for t in texts)
            ),
            "",
        )

    def of_name(self, name: str) -> str:
        """Return the visibility by the name, or an empty text."""
        if self.capital and name[:1].isupper():
            return self.capital
        return next((level for pattern, level in self.names if fnmatchcase(name, pattern)), "")

    def of_place(self, around: str) -> str:
        """Return the default visibility in a definition of this kind."""
        levels = dict(self.default)
        return levels.get(around or "file", levels.get("*", "public"))


@dataclass(frozen=True, slots=True)
class PatternRules:
    """The beginnings and ends of definitions in a language without a grammar."""

    blocks: str = "braces"
    """The end of a definition: its `braces`, its `indentation`, `end` with its `name`, its
    `parens`, or the `next` definition."""
    keywords: Pairs = ()
    """Pairs of a word and the kind of the name after it. A `variable` with parameters is a
    function."""
    modifiers: tuple[str, ...] = ()
    """Words that are allowed before a keyword."""
    lead: tuple[str, ...] = ()
    """The allowed first words of a line with a definition; empty allows all."""
    comments: tuple[str, ...] = ()
    """Beginnings of comments up to the end of the line."""
    between: Pairs = ()
    """Beginnings and ends of comments and strings of several lines."""
    quotes: str = ""
    """Quotation marks of strings in one line."""
    letters: str = ""
    """Additional characters of names."""
    parameters: str = ""
    """The beginning of parameters, in addition to round and square brackets."""
    given: tuple[str, ...] = ()
    """Words that define a name by an assignment: `name = function`."""
    arrows: bool = False
    """Whether `=>` defines a function."""
    typed: bool = False
    """Whether functions begin with a type or their name instead of a keyword."""
    plain: bool = False
    """Whether such functions outside of types may begin with their name: `name() {`."""
    announced: bool = False
    """Whether such functions in a type may have no body."""
    body: str = ""
    """The text after the parameters of a function without a keyword at the start of a line."""
    inside: bool = False
    """Whether the name comes first inside the brackets after a keyword."""
    whole: tuple[str, ...] = ()
    """Keywords that, without a body, apply up to the next such keyword."""
    bodiless: str = ""
    """The end of the first line of a definition without a body, for `blocks=name`."""
    continues: tuple[str, ...] = ()
    """Beginnings of lines that continue a definition without deeper indentation."""
    attributes: tuple[str, ...] = ("@", "#[", "[<")
    """Beginnings of the lines above a definition that are part of it."""
    any_case: bool = False
    """Whether names and keywords ignore case."""


@dataclass(frozen=True, slots=True)
class EdgeRules:
    """Rules that resolve the names that a file uses."""

    family: str
    """The family of the language. Languages of one family may use each other's definitions."""
    modules: str = "spaces"
    """The rules that lead from an import to files: a name in `edges/modules/__init__.py`."""
    shares: str = "file"
    """The code that sees a file's names without an import: its `file`, its `folder`, its `package`
    or `everything`."""
    own: tuple[str, ...] = ()
    """Names for the object itself, such as `self`."""
    own_type: tuple[str, ...] = ()
    """Names for the type itself, such as `Self`."""
    above: tuple[str, ...] = ()
    """Names for the object as an instance of the base type, such as `super`."""
    roots: tuple[str, ...] = ()
    """Names that lead to a module without an import."""
    makers: tuple[str, ...] = ()
    """Methods of every type that create an object of it."""
    same: tuple[str, ...] = ()
    """Methods that return their receiver, or the object that it wraps."""
    untyped: tuple[str, ...] = ()
    """Words instead of a type, for which the value determines the type."""
    structural: bool = False
    """Whether a type with the methods of an interface implements it."""
    implicit: bool = False
    """Whether members of the enclosing type are used without a receiver."""
    keywords: tuple[str, ...] = ()
    """Functions that act as statements, such as `require`. They are not calls or values."""
    accessors: tuple[str, ...] = ()
    """Decorators that make a method readable like a field."""
    wrappers: tuple[str, ...] = ()
    """Types that mean their first argument, such as `Optional`."""
    common: tuple[str, ...] = ()
    """Methods of the language's own types, which are never guessed from the name alone."""
    announces: tuple[str, ...] = ()
    """Patterns for the names of files that only declare definitions of other files."""
    tests: tuple[str, ...] = ()
    """Patterns for the paths of tests."""
    routes: tuple[str, ...] = ()
    """Functions and decorators, by the last part of their name, that bind a handler to a route."""
    test_modules: tuple[str, ...] = ()
    """Names of inner modules that contain tests."""
    reads_env: tuple[str, ...] = ()
    """External functions, by full name, whose first text is an environment variable."""
    executes_process: tuple[str, ...] = ()
    """External functions, by full name, that start a process."""
    consumes_endpoint: tuple[str, ...] = ()
    """External functions, by full name, that request the address in their first text."""


def _without_arguments(text: str, opening: str, closing: str) -> str:
    kept: list[str] = []
    depth = 0
    for letter in text:
        depth += letter == opening
        if not depth:
            kept.append(letter)
        depth -= letter == closing and depth > 0
    return "".join(kept)
