"""Keeps credentials out of whatever is logged or said."""

import os
import re

_USERINFO = re.compile(r"(?<=://)[^/\s@]+@")
_SECRET_NAME = re.compile(r"(TOKEN|PASSWORD|SECRET|_KEY)$")
_SHORTEST_SECRET = 6  # shorter values also occur in innocent words


def redacted(text: str) -> str:
    """Return `text` without the credentials of its URLs and of the environment."""
    clean = _USERINFO.sub("***@", text)
    for secret in _secrets():
        clean = clean.replace(secret, "***")
    return clean


def _secrets() -> list[str]:
    found = {value for name, value in os.environ.items() if _SECRET_NAME.search(name.upper())}
    # longest first, or one secret that holds another would leave its end behind
    return sorted((v for v in found if len(v) >= _SHORTEST_SECRET), key=len, reverse=True)
