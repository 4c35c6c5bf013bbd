"""Paths of expressions and types: sequences of names, calls and subscripts.

The path of `self.store.open(path).read` is `self` `store` `open` `()` `read`. For other
expressions the path is `?` and the last name of the text, if it has one.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

Path = tuple[str, ...]
UNKNOWN, CALLED, TAKEN = "?", "()", "[]"
_BRACKETS = {"(": (CALLED,), "{": (CALLED,), "[": (TAKEN,)}
_DEEPEST = 30
_KEPT = 200_000
_LONGEST = 20_000
"""Maximum length of an expression in characters; a longer one is a table or an attack."""

_TOKEN = re.compile(
    r"""(?P<space>\s+|/\*.*?\*/|\\\n)
    |(?P<name>(?:@@?|[\#$])?[^\W\d][\w$]*(?:[!?](?![\w.=]))?)
    |(?P<step>\?\.|!\.|&\.|::(?!<)|->|\.)
    |(?P<open>[(\[{<]|::<)
    |(?P<tail>!|\?(?![.]?[\w(\[]))
    |(?P<try>\?(?=\.))
    """,
    re.VERBOSE | re.DOTALL,
)
_QUOTED = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`'
_BRACKET = re.compile(rf"{_QUOTED}|[()\[\]{{}}]", re.DOTALL)
_ANGLE = re.compile(r"->|[<>]|[;(){}]")
_PREFIX = re.compile(
    r"(?:(?:new|await|yield|mut|const|typeof|ref|in|out|throw|raise|static|struct|class|dyn|impl)\b(?=\s*[\w(&*'])"
    r"|[&*~]|'\w+\b(?!'))\s*"
)
_LAST = re.compile(r"(?:\.|::|->)\s*([^\W\d][\w$]*)\s*$")
_NAMES = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::)[^\W\d][\w$]*)*")
_ARGUMENTS = re.compile(r"^([\w.:$]+)\s*[\[<](.*)[\]>]$", re.DOTALL)
_NOTHING = ("None", "null", "undefined", "nil", "Null")


@contextmanager
def forgotten_afterwards() -> Iterator[None]:
    """Forget all expressions at the end.

    Their paths lie among a million facts, whose memory could not be returned to the system.
    """
    try:
        yield
    finally:
        for known in (path_of, type_of, types_in):
            known.cache_clear()


@lru_cache(_KEPT)
def path_of(text: str) -> Path:
    """Return the path of an expression, which may begin with `UNKNOWN`."""
    found = _read(_unwrapped(text)) if len(text) <= _LONGEST else None
    if found is not None:
        return found
    last = _LAST.search(text[-_LONGEST:])
    return (UNKNOWN, last.group(1)) if last else (UNKNOWN,)


def _unwrapped(text: str) -> str:
    """Return an expression without leading words that do not change its path, such as `await`."""
    text = text.strip()
    while prefix := _PREFIX.match(text):
        text = text[prefix.end() :]
    return text


def _read(text: str) -> Path | None:
    if not text.startswith("("):
        return _steps(text, 0, ())
    end = _closing(text, 0)
    inner = _read(_unwrapped(text[1 : end - 1])) if end else None
    return inner and _steps(text, end, inner)


def _steps(text: str, place: int, before: Path) -> Path | None:
    """Return `before` with the steps of `text` from `place` on, or None if it is not a path."""
    parts, expected = list(before), not before
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None or (token.lastgroup == "name" and not expected):
            return None
        place = token.end()
        if token.lastgroup == "open":
            place = _closing(text, token.end() - 1) if parts else 0
            if not place:
                return None
        parts.extend(_meant(token, is_first=not parts))
        expected = {"name": False, "step": True}.get(token.lastgroup or "", expected)
    return tuple(parts) if parts and not expected else None


def _meant(token: re.Match[str], *, is_first: bool) -> Path:
    """Return the parts of a token: a name, `()`, `[]`, or none for a separator."""
    text = token.group()
    if token.lastgroup == "name" and (is_first or text != "await"):
        return (text,)
    return _BRACKETS.get(text, ())


def _closing(text: str, place: int) -> int:
    """Return the offset after the closing bracket of the one at `place`, or 0 without one."""
    if text[place] == "<":
        return _closing_angle(text, place)
    depth = 0
    for found in _BRACKET.finditer(text, place):
        if found.group() in "([{":
            depth += 1
        elif found.group() in ")]}":
            depth -= 1
        if not depth:
            return found.end()
    return 0


def _closing_angle(text: str, place: int) -> int:
    depth = 0
    for found in _ANGLE.finditer(text, place):
        if found.group() in ";(){}":
            return 0
        depth += {"<": 1, ">": -1}.get(found.group(), 0)
        if not depth:
            return found.end()
    return 0


@lru_cache(_KEPT)
def type_of(text: str, wrappers: tuple[str, ...]) -> Path:
    """Return the path of the type in an annotation, or `UNKNOWN` for several types.

    Types in `wrappers` with a type argument, such as `Optional[X]`, are `X`.
    """
    text = _unwrapped(text.strip().lstrip(":").strip().strip("\"'"))
    if text.startswith("("):
        if _closing(text, 0) != len(text):
            return (UNKNOWN,)
        text = _unwrapped(text[1:].partition(",")[0].rstrip(")").rpartition(" ")[2])
    kept = [one for one in (part.strip() for part in text.split("|")) if one not in _NOTHING]
    if len(kept) != 1:
        return (UNKNOWN,)
    text = _unwrapped(kept[0]).rstrip("?!*& ")
    arguments = _ARGUMENTS.match(text)
    if arguments and re.split(r"\.|::", arguments.group(1))[-1] in wrappers:
        return type_of(arguments.group(2).split(",")[0], wrappers)
    path = _read(text)
    if (
        path is None
        or CALLED in path
        or (path[-1] == TAKEN and not (arguments and arguments.group(2)))
    ):
        return (UNKNOWN,)
    return path[:-1] if path[-1] == TAKEN else path


def expanded(text: str, depth: int = 0) -> list[tuple[Path, str]]:
    """Return each path in an import tree, `a::{b, c::{d as e, *}}`, with its local name."""
    if depth > _DEEPEST:
        return []
    text = " ".join(text.split())
    opening = text.find("{")
    if opening < 0:
        path, _, given = text.partition(" as ")
        parts = tuple(part.strip() for part in path.split("::") if part.strip())
        parts = parts[:-1] if parts[-1:] == ("self",) and parts[1:] else parts
        return [(parts, given.strip() or parts[-1])] if parts else []
    before = tuple(part.strip() for part in text[:opening].split("::") if part.strip())
    end = _closing(text, opening)
    found: list[tuple[Path, str]] = []
    for piece in _pieces(text[opening + 1 : end - 1]) if end else ():
        if piece.partition(" ")[0] == "self" and before:
            given = piece.partition(" as ")[2].strip()
            found.append((before, given or before[-1]))
        else:
            found.extend(((*before, *path), local) for path, local in expanded(piece, depth + 1))
    return found


def _pieces(text: str) -> list[str]:
    """Return the parts between commas outside of braces."""
    pieces, depth = [""], 0
    for letter in text:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "," and not depth:
            pieces.append("")
        else:
            pieces[-1] += letter
    return [piece.strip() for piece in pieces if piece.strip()]


@lru_cache(_KEPT)
def types_in(text: str) -> tuple[Path, ...]:
    """Return the distinct paths of all names in the text of a type."""
    names = dict.fromkeys(_NAMES.findall(text))
    return tuple(tuple(re.split(r"\.|::", name)) for name in names)
