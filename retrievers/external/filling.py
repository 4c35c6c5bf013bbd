"""Placeholders in the arguments of a program: each part is filled on its own, and only once."""

import re
from collections.abc import Mapping, Sequence

_PLACEHOLDER = re.compile(r"\{(query|limit|root|repository)\}")


def filled(command: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """Return the arguments with the values in place of their names."""
    return [
        _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), part) for part in command
    ]


def sayable(query: str) -> str:
    """Return a query without what neither an argument nor a message can hold."""
    return query.replace("\0", " ").encode("utf-8", "replace").decode()
