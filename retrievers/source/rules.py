"""What a language's folder says of names and of visibility, as data."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

Pairs = tuple[tuple[str, str], ...]

LOCAL_TO = ("function", "method", "constructor", "property", "overload")
"""A definition in one of these cannot be reached from outside."""


@dataclass(frozen=True, slots=True)
class NameRules:
    """How the text of a name becomes the parts of a qualified name."""

    separators: tuple[str, ...] = ()
    """The separator between the parts of a name in source, such as `::`."""
    strip: str = ""
    """Letters around a name that do not belong to it, such as quotes."""
    drop: tuple[str, ...] = ()
    """Parts that say nothing, such as `prototype`."""
    whole: str = ""
    """A regular expression for a last part with punctuation of its own, such as `operator<`."""
    brackets: str = ""
    """The two letters around type arguments, which do not belong to a name."""
    nameless: tuple[str, ...] = ()
    """Kinds that lend no name to what is in them, because the path says it already."""
    clauses: tuple[str, ...] = ()
    """Kinds whose neighbours with the same name are one definition, written in clauses."""

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
    """How visible a definition is, by its modifiers, its name and what is around it."""

    words: Pairs = ()
    """What a modifier means, by a pattern for its text; the first that fits counts."""
    names: Pairs = ()
    """What a name means, by a pattern for its last part; the first that fits counts."""
    capital: str = ""
    """What a capital first letter means."""
    default: Pairs = ()
    """What no rule says: by the kind of the definition around it, `file` at the top of a file,
    `*` anywhere."""

    def of_words(self, modifiers: Iterable[str]) -> str:
        """Return what the modifiers say, or nothing."""
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
        """Return what a name says, or nothing."""
        if self.capital and name[:1].isupper():
            return self.capital
        return next((level for pattern, level in self.names if fnmatchcase(name, pattern)), "")

    def of_place(self, around: str) -> str:
        """Return how visible a definition is without other information."""
        levels = dict(self.default)
        return levels.get(around or "file", levels.get("*", "public"))


@dataclass(frozen=True, slots=True)
class PatternRules:
    """What begins and ends a definition in a language without a grammar."""

    blocks: str = "braces"
    """What ends a definition: its `braces`, its `indentation`, `end` with its `name`, its
    `parens`, or the `next` one."""
    keywords: Pairs = ()
    """What a word makes of the name behind it; a `variable` with parameters is a function."""
    modifiers: tuple[str, ...] = ()
    """Words that may come before a keyword."""
    lead: tuple[str, ...] = ()
    """One of these words comes first; if there are none, any word."""
    comments: tuple[str, ...] = ()
    """What begins a comment up to the end of the line."""
    between: Pairs = ()
    """What comments and strings of several lines begin and end with."""
    quotes: str = ""
    """What strings in one line begin and end with."""
    letters: str = ""
    """Letters of names besides the usual ones."""
    parameters: str = ""
    """What parameters begin with, besides brackets that are round or square."""
    given: tuple[str, ...] = ()
    """Words that define a name to which they are given: `name = function`."""
    arrows: bool = False
    """Whether `=>` makes a function."""
    typed: bool = False
    """Whether functions begin with a type, or with their name, and without a keyword."""
    plain: bool = False
    """Whether such functions have neither a type nor a keyword outside of types: `name() {`."""
    announced: bool = False
    """Whether such functions may lack a body in a type."""
    body: str = ""
    """What follows the parameters of a function that begins a line without a keyword."""
    inside: bool = False
    """Whether the name is the first thing inside of the brackets after a keyword."""
    whole: tuple[str, ...] = ()
    """Keywords that, without a body, speak of everything up to the next one."""
    bodiless: str = ""
    """What the first line of a definition ends with that has no body to end by `name`."""
    continues: tuple[str, ...] = ()
    """What a line begins with that belongs to a definition although it is not deeper."""
    attributes: tuple[str, ...] = ("@", "#[", "[<")
    """What a line above a definition begins with that belongs to it."""
    any_case: bool = False


@dataclass(frozen=True, slots=True)
class EdgeRules:
    """How the names that a file uses find what they mean."""

    family: str
    """Languages of one family may use each other's definitions."""
    modules: str = "spaces"
    """Which rules lead from an import to files: a name in `edges/modules/__init__.py`."""
    shares: str = "file"
    """What sees a file's names without importing them: its `file`, its `folder`, its `package`
    or `everything`."""
    own: tuple[str, ...] = ()
    """What an object calls itself."""
    own_type: tuple[str, ...] = ()
    """What a type calls itself."""
    above: tuple[str, ...] = ()
    """What an object calls itself as one of its type's base."""
    roots: tuple[str, ...] = ()
    """Names that lead to a module without being imported."""
    makers: tuple[str, ...] = ()
    """Methods that every type has and that make an object of it."""
    same: tuple[str, ...] = ()
    """Methods that give what they are called on, or what it wraps."""
    untyped: tuple[str, ...] = ()
    """Words in place of a type but leave it to the value."""
    structural: bool = False
    """Whether a type implements an interface by having its methods."""
    implicit: bool = False
    """Whether members of the enclosing type need no receiver."""
    keywords: tuple[str, ...] = ()
    """Functions in place of statements, such as `require`: no calls, and no values."""
    accessors: tuple[str, ...] = ()
    """Decorators that make of a method what is read like a field."""
    wrappers: tuple[str, ...] = ()
    """Types that mean the first of their arguments."""
    common: tuple[str, ...] = ()
    """Methods of the language's own types: never guessed from the name alone."""
    announces: tuple[str, ...] = ()
    """Patterns for the names of files that only announce what others define."""
    tests: tuple[str, ...] = ()
    """Patterns for the paths of tests."""
    routes: tuple[str, ...] = ()
    """Functions and decorators, by their last name, that bind a handler to an address."""
    test_modules: tuple[str, ...] = ()
    """Names of modules inside of files that hold tests."""
    reads_env: tuple[str, ...] = ()
    """Functions of others, by full name, whose first text is an environment variable."""
    executes_process: tuple[str, ...] = ()
    """Functions of others, by full name, that start a process."""
    consumes_endpoint: tuple[str, ...] = ()
    """Functions of others, by full name, that ask the address which is their first text."""


def _without_arguments(text: str, opening: str, closing: str) -> str:
    kept: list[str] = []
    depth = 0
    for letter in text:
        depth += letter == opening
        if not depth:
            kept.append(letter)
        depth -= letter == closing and depth > 0
    return "".join(kept)
