"""The beginnings of definitions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from retrievers.source.patterns.text import LONGEST_LINE, SPACE, Line, Text
from retrievers.source.rules import PatternRules

_MOST_WORDS = 8
"""Maximum number of words before a keyword."""
_TYPES = ("class", "interface", "struct", "enum", "trait")
_GIVEN = re.compile(rb"[ \t]*(?:<-|:=|=|:)[ \t]*")
_ASYNC = re.compile(rb"async[ \t]+")
_PARAMETER = re.compile(rb"[\w$]+")
_ARROW = re.compile(rb"[ \t]*=>[ \t]*")
_TYPE = re.compile(rb"[\w\x80-\xff<>\[\],.?*&:~$ \t-]*")
_FIRST = re.compile(rb"[\w\x80-\xff]+")
_TYPED_NAME = re.compile(rb"~?[\w\x80-\xff$:]+\Z")
_AFTER_TYPE = re.compile(rb"[{;=(*]")
_SPACES = re.compile(rb"\s*")
_END = re.compile(rb"[{;]")
_AFTER_PARAMETERS = re.compile(rb"[{;=)(\"]")
_MADE = re.compile(rb"=[ \t]*(?:default|delete)\b")
_NO_TYPES = frozenset(
    b"return else new throw case await if while for switch catch do try when in is as and or not "
    b"yield delete typeof goto assert using lock with until unless elif foreach match "
    b"synchronized sizeof defined echo print import package from fixed".split()
)
"""Words that begin a statement or a call, and never a definition."""


@dataclass(slots=True)
class Begun:
    """A definition with a known beginning. Its last line is set later."""

    kind: str
    name: bytes
    keyword: bytes
    after: int
    """The end of its name."""
    line: int = -1
    last: int = -1
    is_whole: bool = False
    """Whether it has no body and extends to the next one of its kind."""
    modifiers: list[str] = field(default_factory=list)


class Beginnings:
    """The beginnings of definitions."""

    def __init__(self, rules: PatternRules, text: Text) -> None:
        self._rules = rules
        self._text = text
        self._bodies: set[int] = set()
        """The opening braces of types. Definitions inside are members."""
        self._is_member = False
        self._name, self._word = _name_of(rules), _word_of(rules)
        self._given_words = frozenset(word.encode() for word in rules.given)
        self._lead = frozenset(word.encode() for word in rules.lead)
        self._keywords = {word.encode(): kind for word, kind in rules.keywords}
        self._no_names = _NO_TYPES | self._keywords.keys()
        self._modifiers = frozenset(word.encode() for word in rules.modifiers)

    def all(self, most: int) -> Iterator[Begun]:
        """Yield the beginnings in order, at most one per line and `most` in total."""
        for number, (line, inner) in enumerate(self._text.with_braces()):
            self._is_member = inner in self._bodies
            one = self._in(line) if line.indent >= 0 and most > 0 else None
            if one:
                most -= 1
                one.line = one.last = number
                if one.kind in _TYPES:
                    self._bodies.add(self._text.brace_after(one.after))
                yield one

    def _in(self, line: Line) -> Begun | None:
        text = self._text
        end = min(line.end, line.start + LONGEST_LINE)
        place = line.start + (self._rules.blocks == "parens" and text.at(line.start) == b"(")
        modifiers: list[str] = []
        one: Begun | None = None
        for _ in range(_MOST_WORDS):
            word = self._word.match(text.plain, place, end)
            said = text.cased(word.group()) if word else b""
            if self._lead and not modifiers and said not in self._lead:
                return None
            if word and said in self._keywords:
                one = self._named(said, word.end(), end)
            if one or word is None or not self._is_modifier(said, word.end()):
                break
            modifiers.append(said.decode("utf-8", "replace"))
            place = text.past(SPACE, text.past_brackets(word.end()), end)
        one = one or self._given(place, end) or self._typed(line, place, end)
        if one:
            one.modifiers = modifiers
        return one

    def _is_modifier(self, word: bytes, after: int) -> bool:
        """Return whether a word may be before a keyword. Keywords are allowed: `enum class`."""
        text, sign = self._text, self._text.at(after)
        if word[:1] == b"@" or sign in (b" ", b"\t", b"<"):
            # A word with a value is a name.
            is_name = text.at(text.past(SPACE, after, after + LONGEST_LINE)) in (b"=", b":")
            is_known = word in self._modifiers or word in self._keywords
            return word[:1] == b"@" or (is_known and not is_name)
        # A modifier with arguments, such as pub(crate), needs another word after it. Otherwise it
        # is the name of a function.
        follows = text.past(_SPACES, text.past_brackets(after), after + LONGEST_LINE)
        second = self._word.match(text.plain, follows) if sign == b"(" else None
        said = second.group() if second else b""
        return word in self._modifiers and (said in self._modifiers or said in self._keywords)

    def _named(self, word: bytes, after: int, end: int) -> Begun | None:
        """Return the definition of a keyword, or None without a name after it."""
        place = self._before_name(after, end)
        text = self._text
        name = self._name.match(text.plain, place, max(place, end)) if place > after else None
        if name is None or text.cased(name.group()) in self._keywords:
            return None
        kind = self._keywords[word]
        if kind == "variable" and text.at(text.past(SPACE, name.end(), end)) not in b"=:":
            kind = "function"
        one = Begun(kind, name.group(), word, name.end())
        if self._rules.typed and kind in _TYPES and name.group().isupper():
            # Likely a macro: class EXPORTED Cart.
            second = self._name.match(text.plain, text.past(SPACE, name.end(), end), end)
            one = Begun(kind, second.group(), word, second.end()) if second else one
        if kind == "type" and self._rules.typed:
            return one if text.at(text.past(_SPACES, one.after, end)) == b"=" else None
        is_checked = kind in _TYPES and self._rules.typed
        return None if is_checked and not self._has_body(one.after) else one

    def _before_name(self, after: int, end: int) -> int:
        """Return the position of a name after a keyword, past a receiver or type parameters."""
        text = self._text
        place = text.past(SPACE, after, end)
        if self._rules.blocks == "parens":
            place += text.at(place) == b"("
        elif text.at(place) in (b"(", b"["):
            place = place + 1 if self._rules.inside else text.past_brackets(place)
        elif text.at(place) == b"<":
            place = max(place, text.plain.find(b">", place, end) + 1)
        elif text.at(place) in (b",", b":"):
            place = max(place, text.plain.find(b"::", place, end) + 2)
        return text.past(SPACE, place, end)

    def _has_body(self, place: int) -> bool:
        """Return whether the braces of a type follow, so that it is not just a use of its name."""
        text = self._text
        sign = _AFTER_TYPE.search(text.plain, place, place + LONGEST_LINE)
        if sign and sign.group() == b"(":
            after = text.past_brackets(sign.start())
            sign = _AFTER_TYPE.search(text.plain, after, after + LONGEST_LINE)
            return bool(sign) and place == text.past(SPACE, place, place + 1)
        return bool(sign) and text.at(sign.start() if sign else 0) == b"{"

    def _given(self, place: int, end: int) -> Begun | None:
        """Return a name with a function as its value: `name = function`."""
        text = self._text
        is_sought = self._rules.given or self._rules.arrows
        name = self._name.match(text.plain, place, end) if is_sought else None
        called = name.group().rstrip(b":") if name else b""
        sign = _GIVEN.match(text.plain, place + len(called), end) if called else None
        if sign is None:
            return None
        after = text.past(_ASYNC, sign.end(), end)
        word = self._word.match(text.plain, after, end)
        said = text.cased(word.group()) if word else b""
        if said in self._given_words and word:
            return Begun(self._keywords.get(said, "function"), called, said, word.end())
        is_pair = b":" in sign.group()
        is_arrow = self._rules.arrows and self._is_arrow(after, end, needs_body=is_pair)
        return Begun("function", called, b"", after) if is_arrow else None

    def _is_arrow(self, place: int, end: int, *, needs_body: bool) -> bool:
        text = self._text
        if text.at(place) == b"<":
            place = max(place, text.plain.find(b">(", place, end) + 1)
        after = max(text.past(_PARAMETER, place, end), text.past_brackets(place))
        arrow = _ARROW.match(text.plain, after) if after > place else None
        return bool(arrow) and (not needs_body or text.at(arrow.end() if arrow else 0) == b"{")

    def _typed(self, line: Line, place: int, end: int) -> Begun | None:
        """Return a function without a keyword: type, name, parameters, braces."""
        text = self._text
        is_sought = self._rules.typed or (self._rules.body and line.indent == 0)
        opening = text.plain.find(b"(", place, end) if is_sought else -1
        before = text.plain[place:opening].rstrip() if opening >= 0 else b""
        if before.endswith(b"operator"):
            opening = text.past_brackets(opening)
            before = text.plain[place:opening]
        if before.endswith(b">"):
            before = before[: before.find(b"<")]
        operator = before.find(b"operator")
        name = _TYPED_NAME.search(before)
        called = before[operator:] if operator >= 0 else name.group() if name else b""
        first = _FIRST.match(before)
        if not called or before.endswith(b":") or (first and first.group() in _NO_TYPES):
            return None
        simple = called.rpartition(b":")[2]
        allowed = before[:operator] if operator >= 0 else before
        if simple in self._no_names or simple[:1].isdigit() or not _TYPE.fullmatch(allowed):
            return None
        # Outside of a type, a name without a type before it may be a call.
        is_bare = len(called) == len(before)
        may_be_bare = self._is_member or self._rules.plain or self._rules.body
        if (is_bare and not may_be_bare) or before[:1] == b".":
            return None
        one = Begun("function", called.strip(b":"), b"", place + len(before))
        return one if self._has_function_body(opening, line.end, is_bare=is_bare) else None

    def _has_function_body(self, opening: int, end: int, *, is_bare: bool) -> bool:
        text = self._text
        after = text.past_brackets(opening)
        if self._rules.body:
            return text.plain.find(self._rules.body.encode(), after, max(after, end)) >= 0
        if after == opening:
            return False
        start = text.past(_SPACES, after, after + LONGEST_LINE)
        if text.at(start) == b":" and text.at(start + 1) != b":":
            # The initialisers of a constructor, or the type of the result.
            sign = _END.search(text.plain, start, start + LONGEST_LINE)
        else:
            sign = _AFTER_PARAMETERS.search(text.plain, after, after + LONGEST_LINE)
        if sign is None:
            return False
        said = sign.group()
        is_arrow = text.plain[sign.start() : sign.start() + 2] == b"=>"
        is_made = _MADE.match(text.plain, sign.start()) is not None
        may_lack = self._rules.announced and (self._rules.arrows or not is_bare)
        is_announced = said == b";" and self._is_member and may_lack
        return said == b"{" or is_announced or is_made or (is_arrow and self._rules.arrows)


@cache
def _word_of(rules: PatternRules) -> re.Pattern[bytes]:
    letters = "".join(f"\\{sign}" for sign in rules.letters)
    return re.compile(rf"[@#]?[\w\x80-\xff{letters}]+|[-+](?=[ \t]*\()".encode("latin-1"))


@cache
def _name_of(rules: PatternRules) -> re.Pattern[bytes]:
    letters = "".join(f"\\{sign}" for sign in rules.letters)
    first = rf"[A-Za-z_$~@`\x80-\xff{letters}]"
    return re.compile(rf"{first}[\w$.:@`\x80-\xff{letters}]*".encode("latin-1"))
