"""Grids of weights on the command line: Hydra would take `grid(20)` for a function of its own."""

import re

_BARE = re.compile(r"(?<![\w'\"])grid\([^()]*\)")
_QUOTED = re.compile(r"(['\"])(grid\([^()]*\))\1")


def quoted(override: str) -> str:
    """Return `weights=grid(20)` as Hydra reads it: as text."""
    return _BARE.sub(r"'\g<0>'", override) if override.startswith("weights=") else override


def unquoted(override: str) -> str:
    """Return an override as it was typed."""
    return _QUOTED.sub(r"\2", override) if override.startswith("weights=") else override
