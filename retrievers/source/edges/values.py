"""What a name can lead to."""

from typing import NamedTuple


class Value(NamedTuple):
    """What a path leads to: a symbol, an object of a type, a file, a folder, a namespace, or
    what is outside."""

    what: str
    row: int = -1
    """A symbol (`symbol`, `object`, `same`, `above`) or a document (`module`, `space`)."""
    name: str = ""
    """Of a `package` or `space`, as its language names it, or of something `outside`."""


UNCLEAR = Value("unknown")
"""What is being worked out, or cannot be."""


def symbol(row: int) -> Value:
    """Return the definition itself."""
    return Value("symbol", row)


def outside(name: str) -> Value:
    """Return something that the repository does not define."""
    return Value("outside", name=name)
