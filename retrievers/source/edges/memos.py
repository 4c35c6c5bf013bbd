"""Results that are computed once, and the documents whose results depend on a cycle.

A name can depend on itself, such as two modules that import a name from each other. What it means
then depends on which module is asked first. A document that met no cycle has the same edges in any
order, so its edges may be kept while other documents change.
"""

from collections.abc import Callable, Hashable
from typing import Any, Final, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

NOTHING: Final[Any] = object()
"""For a memo whose result within a cycle is computed again."""


class Cycles:
    """The documents whose edges depend on more than the documents that they lead to."""

    def __init__(self) -> None:
        self.documents: set[int] = set()
        self.is_limited = False
        """Whether a limit of the resolution was reached. Then all results depend on the order."""
        self.met = 0
        """How often a result depended on another one that was not complete."""
        self.innermost: tuple[object, object] = (None, None)
        """The memo and the key that are being computed."""
        self._noted = 0

    def note(self, document: int) -> None:
        """Add a document if a cycle was met since the last call."""
        if self.met != self._noted:
            self._noted = self.met
            self.documents.add(document)


class Memo(Generic[K, V]):
    """Results by key. A result that refers to itself gets `pending` in place of itself."""

    def __init__(self, cycles: Cycles, pending: V) -> None:
        self._cycles = cycles
        self._pending = pending
        self._values: dict[K, V] = {}
        self._unsure: set[K] = set()
        """Keys that are being computed, and keys whose results met a cycle."""

    def get(self, key: K, compute: Callable[[K], V]) -> V:
        """Return the result of a key.

        The memo does not hold `compute`, because a bound method would be a reference cycle.
        """
        cycles = self._cycles
        if key in self._values:
            # A direct reference to itself is the same wherever a search begins.
            if key in self._unsure and cycles.innermost != (self, key):
                cycles.met += 1
            return self._values[key]
        if key in self._unsure:
            cycles.met += 1
            value = self._values[key] = compute(key)
            return value
        met, around = cycles.met, cycles.innermost
        cycles.innermost = (self, key)
        self._unsure.add(key)
        if self._pending is not NOTHING:
            self._values[key] = self._pending
        value = self._values[key] = compute(key)
        if cycles.met == met:
            self._unsure.discard(key)
        cycles.innermost = around
        return value
