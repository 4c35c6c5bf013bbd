"""Placeholders in the arguments of a program. Inserted values are not searched again."""

import re
from collections.abc import Mapping, Sequence

_PLACEHOLDER = re.compile(r"\{(query|limit|root|repository)\}")


def filled(command: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """Return the arguments with values instead of placeholders. Unknown ones stay."""
    return [
        _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), part) for part in command
    ]


def sayable(query: str) -> str:
    """Return a query without NUL and lone surrogates, which arguments cannot contain."""
    return query.replace("\0", " ").encode("utf-8", "replace").decode()
