"""Cache of values in memory, limited by their size."""

from collections import OrderedDict
from typing import Any


class Memory:
    """Values that this process used last, by name."""

    def __init__(self, bound: int) -> None:
        self.bound = bound
        self._values: OrderedDict[str, tuple[Any, int]] = OrderedDict()
        self._bytes = 0

    def get(self, name: str) -> Any:
        """Return a cached value, or None."""
        if name not in self._values:
            return None
        self._values.move_to_end(name)
        return self._values[name][0]

    def keep(self, name: str, value: Any, size: int) -> None:
        """Cache `value` and drop the values that were used longest ago."""
        if name in self._values or size > self.bound:
            return
        self._values[name] = (value, size)
        self._bytes += size
        while self._bytes > self.bound:
            _, (_, dropped) = self._values.popitem(last=False)
            self._bytes -= dropped
