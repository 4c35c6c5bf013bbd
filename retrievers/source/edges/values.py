"""Values: the targets of names and paths."""

from typing import NamedTuple


class Value(NamedTuple):
    """The target of a path: a definition, an object, a file, a package or an external name."""

    what: str
    """The kind of the value: `symbol` is a definition, `object` an object of a type, `above` such
    an object as an instance of its base type, `same` a method that returns its receiver, `module`
    a file, `package`, `space` a namespace, `outside` an external name, and `unknown`."""
    row: int = -1
    """A symbol (`symbol`, `object`, `same`, `above`) or a document (`module`, `space`).

    Among definitions of the same name in a `space`, the nearest to this document counts.
    """
    name: str = ""
    """The name of a `package` or `space` in its language, or the full name of an external one."""


UNCLEAR = Value("unknown")
"""The value of a name that is ambiguous or being resolved."""


def symbol(row: int) -> Value:
    """Return the value of a definition."""
    return Value("symbol", row)


def outside(name: str) -> Value:
    """Return the value of an external name."""
    return Value("outside", name=name)
