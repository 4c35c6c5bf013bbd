"""Removes credentials from logged and printed texts."""

import os
import re

_USERINFO = re.compile(r"(?<=://)[^/\s@]+@")
_SECRET_NAME = re.compile(r"(TOKEN|PASSWORD|SECRET|_KEY)$")
_SHORTEST_SECRET = 6  # shorter values also occur in ordinary words


def redacted(text: str) -> str:
    """Return `text` without credentials in URLs and without secrets of the environment."""
    clean = _USERINFO.sub("***@", text)
    for secret in _secrets():
        clean = clean.replace(secret, "***")
    return clean


def _secrets() -> list[str]:
    found = {value for name, value in os.environ.items() if _SECRET_NAME.search(name.upper())}
    # longest first: otherwise, a secret that contains another one would be removed only in part
    return sorted((v for v in found if len(v) >= _SHORTEST_SECRET), key=len, reverse=True)
