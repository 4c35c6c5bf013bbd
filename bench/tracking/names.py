"""MLflow's rules for names and texts, applied so that distinct names stay distinct."""

import json
import re
from collections.abc import Iterable

from bench.tracking.redaction import redacted

LONGEST_NAME, LONGEST_TEXT = 200, 5_000
_FORBIDDEN = re.compile(r"[^A-Za-z0-9_\-. ]")


def safe(name: str) -> str:
    """Return `name` with the characters replaced that MLflow does not allow."""
    clean = _FORBIDDEN.sub("_", name)[:LONGEST_NAME]
    return clean if clean.strip(". ") else "_"


def distinct(names: Iterable[str]) -> dict[str, str]:
    """Return a distinct safe name for each name, with a number where replacements collide."""
    given: dict[str, str] = {}
    for name in names:
        wanted, number = safe(name), 2
        while wanted in given.values():
            wanted, number = f"{safe(name)}-{number}", number + 1
        given[name] = wanted
    return given


def text_of(value: object) -> str:
    """Return a value as text for a parameter or a tag, without secrets, and cut if too long."""
    plain = value if isinstance(value, str) else json.dumps(value, default=str)
    return redacted(plain)[:LONGEST_TEXT]
