"""Patterns of .gitignore files, with git's rules and in bounded time.

A hostile repository may have hostile patterns. A plain translation such as `a.*a.*a.*` makes the
regular expression engine try every way to divide a name among the stars, in time exponential in
their number. A glob needs no backtracking: if the text between two stars matches at several
positions, the first one leaves the most text for the rest. Every part but the last is therefore
an atomic group, `(?>…)`, into which the engine never backtracks. Folders after `**/` are matched
in the same way. The time is at most the length of the path times the length of the pattern.

Git compares bytes: `?` matches one byte, and patterns can match bytes that are not UTF-8.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise

LONGEST_PATTERN = 1000
"""Maximum length of a pattern, in bytes."""
MOST_WILDCARD_BYTES = 100_000
"""Maximum total length of the patterns with wildcards that are tried on one path, in bytes."""
_SPECIAL = re.compile(rb"[*?\[\\]")
_STAR, _FOLDERS, _SOME_FOLDERS, _REST = "*", "**/", r"**\/", "**"
_SLASH = b"/"
_LETTERS = range(65, 91), range(97, 123)
_PUNCTUATION = range(33, 48), range(58, 65), range(91, 97), range(123, 127)
_CLASSES: dict[bytes, tuple[range, ...]] = {
    b"alnum": (range(48, 58), *_LETTERS),
    b"alpha": _LETTERS,
    b"blank": (range(9, 10), range(32, 33)),
    b"cntrl": (range(32), range(127, 128)),
    b"digit": (range(48, 58),),
    b"graph": (range(33, 127),),
    b"lower": _LETTERS[1:],
    b"print": (range(32, 127),),
    b"punct": _PUNCTUATION,
    b"space": (range(9, 11), range(13, 14), range(32, 33)),
    b"upper": _LETTERS[:1],
    b"xdigit": (range(48, 58), range(65, 71), range(97, 103)),
}
"""Git's own character classes, which cover ASCII only."""


class _NeverMatchesError(ValueError):
    """A pattern that git accepts, although it matches no path."""


@dataclass(frozen=True)
class _Rule:
    """One pattern: the literal text or the expression that a whole name or path must match."""

    is_negative: bool
    for_folders: bool
    by_name: bool
    """Whether the pattern is compared with the last part of a path instead of the whole path."""
    literal: bytes | None
    expression: re.Pattern[bytes] | None
    length: int


class IgnorePatterns:
    """The patterns of one file. The last pattern that matches decides."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._rules = [rule for line in lines for rule in _rules(line)]
        self._literals: dict[tuple[bool, bytes], list[int]] = {}
        self._wild: list[tuple[int, re.Pattern[bytes]]] = []
        for number, rule in enumerate(self._rules):
            if rule.literal is not None:
                key = rule.by_name, rule.literal
                self._literals.setdefault(key, []).append(number)
            elif rule.expression is not None:
                self._wild.append((number, rule.expression))
        self._wild.reverse()
        self._folders: dict[str, bool] = {}

    @property
    def wildcard_bytes(self) -> int:
        """Total length of the patterns that are tried on every path; plain names are looked up."""
        return sum(self._rules[number].length for number, _ in self._wild)

    def verdict(self, path: str, *, is_folder: bool) -> bool | None:
        """Return whether a path is ignored, or None if no pattern matches it."""
        whole = path.encode("utf-8", "surrogateescape")
        name = whole.rpartition(b"/")[2]
        found = max(
            self._literal(name, by_name=True, is_folder=is_folder),
            self._literal(whole, by_name=False, is_folder=is_folder),
        )
        for number, expression in self._wild:
            if number < found:
                break
            rule = self._rules[number]
            fits = is_folder or not rule.for_folders
            if fits and expression.fullmatch(name if rule.by_name else whole):
                found = number
                break
        return None if found < 0 else not self._rules[found].is_negative

    def excludes(self, path: str) -> bool:
        """Whether a file or a folder above it is ignored."""
        if not self._rules:
            return False
        ends = [at for at, letter in enumerate(path) if letter == "/"]
        if any(self._excludes_folder(path[:end]) for end in ends):
            return True
        return bool(self.verdict(path, is_folder=False))

    def _excludes_folder(self, path: str) -> bool:
        """Whether the folder itself is ignored. Cached, since many files share their folders."""
        if path not in self._folders:
            self._folders[path] = bool(self.verdict(path, is_folder=True))
        return self._folders[path]

    def _literal(self, text: bytes, *, by_name: bool, is_folder: bool) -> int:
        """Return the number of the last pattern without wildcards that equals the text, or -1."""
        for number in reversed(self._literals.get((by_name, text), ())):
            if is_folder or not self._rules[number].for_folders:
                return number
        return -1


def pattern_lines(content: bytes) -> list[bytes]:
    """Return the lines of a .gitignore file, split by git's rules."""
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return [line.removesuffix(b"\r").partition(b"\0")[0] for line in lines]


def can_match(line: bytes) -> bool:
    """Whether a line is blank, a comment, or a pattern that some path can match."""
    stripped = _without_spaces(line)
    return not stripped or stripped.startswith(b"#") or any(_rules(line))


def _rules(line: bytes) -> Iterator[_Rule]:
    """Yield the rule of a line, or nothing for comments and for patterns that match no path."""
    if line.startswith(b"#"):
        return
    text = _without_spaces(line)
    is_negative = text.startswith(b"!")
    text = text.removeprefix(b"!")
    for_folders = text.endswith(b"/")
    text = text.removesuffix(b"/")
    by_name = b"/" not in text
    try:
        literal, expression = _compiled(text.removeprefix(b"/"), by_name=by_name)
    except _NeverMatchesError:
        return
    yield _Rule(is_negative, for_folders, by_name, literal, expression, len(text))


def _compiled(text: bytes, *, by_name: bool) -> tuple[bytes | None, re.Pattern[bytes] | None]:
    """Return the only text that a pattern matches, or else its regular expression."""
    if text and not _SPECIAL.search(text):
        return text, None
    parts = _parts(text, by_name=by_name)
    letters = [part.literal for part in parts if isinstance(part, _Byte) and part.literal]
    if len(letters) == len(parts):
        return b"".join(letters), None
    return None, re.compile(_expression(parts), re.DOTALL)


def _without_spaces(line: bytes) -> bytes:
    """Return a line without its trailing spaces, except for one that a backslash escapes."""
    text = line.rstrip(b" ")
    backslashes = len(text) - len(text.rstrip(b"\\"))
    return text + b" " if backslashes % 2 and len(line) > len(text) else text


@dataclass(frozen=True)
class _Byte:
    """The expression for one byte of a path, and the byte itself if only one can match."""

    expression: bytes
    literal: bytes | None = None


_Part = _Byte | str


def _parts(text: bytes, *, by_name: bool) -> list[_Part]:
    """Split a pattern into single bytes and wildcards."""
    if not text:
        raise _NeverMatchesError
    special = _SPECIAL.search(text)
    # Git compares the text before the first wildcard separately. For git, a `**` right after it is
    # therefore at the beginning of a pattern: `x**/y` matches x1/y and x/a/y.
    prefix = special.start() if special else len(text)
    parts: list[_Part] = []
    place = 0
    while place < len(text):
        part: _Part
        if text[place : place + 1] == b"*":
            part, place = _stars(text, place, prefix=prefix, by_name=by_name)
        else:
            part, place = _byte(text, place)
        parts.append(part)
    return parts


def _stars(text: bytes, start: int, *, prefix: int, by_name: bool) -> tuple[str, int]:
    """Return the wildcard of a run of stars, and the offset of the text after it."""
    end = start
    while text[end : end + 1] == b"*":
        end += 1
    begins = start == prefix or text[start - 1 : start] == b"/"
    if by_name or end - start == 1 or not begins:
        return _STAR, end
    if end == len(text):
        return _REST, end
    if text[end : end + 1] == b"/":
        return _FOLDERS, end + 1
    if text[end : end + 2] == rb"\/":
        return _SOME_FOLDERS, end + 2
    return _STAR, end


def _byte(text: bytes, place: int) -> tuple[_Byte, int]:
    """Return the expression for the byte at an offset of a pattern, and the next offset."""
    letter = text[place : place + 1]
    if letter == b"?":
        return _Byte(b"[^/]"), place + 1
    if letter == b"[":
        return _set(text, place + 1)
    if letter == b"\\":
        place += 1
        letter = text[place : place + 1]
        if not letter:
            raise _NeverMatchesError
    return _Byte(re.escape(letter), letter), place + 1


def _set(text: bytes, place: int) -> tuple[_Byte, int]:
    """Return a set of bytes, such as `[a-c]`, and the offset of the text after it."""
    is_negative = text[place : place + 1] in (b"!", b"^")
    place += is_negative
    members: set[int] = set()
    before = 0
    while True:
        more, before, place = _member(text, place, before)
        members.update(more)
        if text[place : place + 1] == b"]":
            break
    if is_negative:
        members = set(range(256)) - members
    # A set never matches the separator of folders, not even a negative one.
    return _Byte(_any_of(members - {47})), place + 1


def _any_of(members: AbstractSet[int]) -> bytes:
    """Return the expression for a set of bytes, as ranges, since a set may have 255 members."""
    edges = [byte for byte in range(257) if (byte in members) != (byte - 1 in members)]
    ranges = (
        b"\\x%02x-\\x%02x" % (first, after - 1)
        for first, after in zip(edges[::2], edges[1::2], strict=True)
    )
    return b"[" + b"".join(ranges) + b"]" if edges else b"(?!)"


def _member(text: bytes, place: int, before: int) -> tuple[Iterable[int], int, int]:
    """Return members of a set, the possible start of a range (or 0), and the next offset."""
    letter = _at(text, place)
    if letter == b"\\":
        member = _at(text, place + 1)[0]
        return (member,), member, place + 2
    is_range = letter == b"-" and before and text[place + 1 : place + 2] not in (b"", b"]")
    if is_range:
        place += text[place + 1 : place + 2] == b"\\"
        return range(before, _at(text, place + 1)[0] + 1), 0, place + 2
    if text[place : place + 2] == b"[:":
        end = text.find(b"]", place + 2)
        if end < 0:
            raise _NeverMatchesError
        if end > place + 2 and text[end - 1 : end] == b":":
            named = _CLASSES.get(text[place + 2 : end - 1])
            if named is None:
                raise _NeverMatchesError
            return (member for part in named for member in part), 0, end + 1
    return (letter[0],), letter[0], place + 1


def _at(text: bytes, place: int) -> bytes:
    letter = text[place : place + 1]
    if not letter:
        raise _NeverMatchesError
    return letter


_SEARCHES = {
    _FOLDERS: b"(?:[^/]*/)*?",
    _SOME_FOLDERS: b"(?:[^/]*/)+?",
    _REST: b".*",
}


def _expression(parts: Sequence[_Part]) -> bytes:
    """Return the regular expression of a pattern, for `fullmatch`."""
    searches = [place for place, part in enumerate(parts) if part in _SEARCHES]
    bounds = [0, *searches, len(parts)]
    found = []
    for start, end in pairwise(bounds):
        chunk = parts[start:end]
        search = _SEARCHES.get(chunk[0], b"") if chunk and isinstance(chunk[0], str) else b""
        segments = _segments(chunk[1:] if search else chunk)
        # The last part has to reach the end of the path, so its first match may not be enough.
        is_last = end == len(parts)
        found.append(search + segments if is_last else b"(?>" + search + segments + b")")
    return b"".join(found)


def _segments(parts: Sequence[_Part]) -> bytes:
    """Return the expression for parts of names, with the slashes between them."""
    names: list[list[_Part]] = [[]]
    for part in parts:
        if isinstance(part, _Byte) and part.literal == _SLASH:
            names.append([])
        else:
            names[-1].append(part)
    return _SLASH.join(map(_segment, names))


def _segment(parts: Sequence[_Part]) -> bytes:
    """Return the expression for one name: the text between its stars, in order."""
    pieces = [b""]
    for part in parts:
        if isinstance(part, _Byte):
            pieces[-1] += part.expression
        else:
            pieces.append(b"")
    if len(pieces) == 1:
        return pieces[0]
    first, *middle, last = pieces
    between = b"".join(b"(?>[^/]*?" + piece + b")" for piece in middle)
    return first + between + b"(?>[^/]*" + last + rb"(?=/|\Z))"
