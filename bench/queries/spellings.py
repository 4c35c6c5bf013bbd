"""Notations of names by languages and tools: type parameters, receivers and `<init>`.

Definitions have plain names: `List.add` for a member of `List<T>`.
"""

import re

_CONSTRUCTOR = re.compile(r"[.:#]+<init>$")
"""The name of constructors in class files of the JVM."""
_OPERATOR = re.compile(r"\boperator\W")
_QUALIFIED = re.compile(r"<(?P<type>.+) as .+>::(?P<member>\w+)")
"""`<List<T> as Show>::show` in Rust."""
_RECEIVER = re.compile(r"(?P<before>^|[.:#])\(\*?(?P<type>[^()]+)\)(?=\.)")
"""`(*Stack).Push` in Go."""
_IMPLEMENTATION = re.compile(r"\bimpl\s+(?:.*\sfor\s+)?[&*]?(?:'\w+\s+)?(?:(?:mut|dyn)\s+)?")
"""`impl Show for &'a mut List` in Rust."""
_COMPUTED = re.compile(r"\[[^\[\]]*\.[^\[\]]*\]$")
"""`Cart[Symbol.iterator]` in JavaScript, where the brackets are part of the name."""


def constructed_type(name: str) -> str:
    """Return the type of a constructor's name, or "" for other names."""
    owner = _CONSTRUCTOR.sub("", name)
    return owner if owner != name else ""


def plain_name(name: str) -> str:
    """Return a name without type parameters, Go's receivers and Rust's `impl`."""
    folder, slash, own = name.rpartition("/")
    return f"{folder}{slash}{_plain(own)}"


def _plain(name: str) -> str:
    qualified = _QUALIFIED.fullmatch(name)
    if qualified:
        return f"{_plain(qualified['type'])}::{qualified['member']}"
    operator = _OPERATOR.search(name)
    end = operator.start() if operator else len(name)
    bare = _without_brackets(name[:end]) + name[end:]
    return _IMPLEMENTATION.sub("", _RECEIVER.sub(r"\g<before>\g<type>", bare)).strip()


def _without_brackets(name: str) -> str:
    if name.startswith("<") or _COMPUTED.search(name):
        return name
    kept, depth = [], 0
    for place, sign in enumerate(name):
        if sign in "<[":
            depth += 1
        elif sign in ">]":
            depth -= name[place - 1] not in "-="  # an arrow is not a bracket
        elif not depth:
            kept.append(sign)
    # `List::<T>::add` without brackets has two adjacent separators.
    return re.sub(r":{3,}", "::", "".join(kept)) if depth == 0 else name
