"""Package indexes from pip's configuration, so that one setting serves both."""

import ast
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

_SECTIONS = ("global", "install", "download", ":env:")
"""Sections of pip's configuration, in the order of increasing priority."""


@dataclass(frozen=True)
class Indexes:
    """Package indexes and folders of files, in order of priority."""

    index_urls: tuple[str, ...] = field(default=(), repr=False)
    find_links: tuple[str, ...] = field(default=(), repr=False)
    trusted_hosts: tuple[str, ...] = ()
    certificates: str = ""


def configured_indexes() -> Indexes:
    """Return the indexes of pip's configuration files and PIP_… variables."""
    settings = _settings_of_pip() | _settings_of_environment(os.environ)
    main = settings.get("index-url") or _public_index()
    first = () if _is_true(settings.get("no-index", "")) else (main,)
    extra = () if not first else tuple(settings.get("extra-index-url", "").split())
    return Indexes(
        index_urls=tuple(map(_as_url, (*first, *extra))),
        find_links=tuple(map(_as_url, settings.get("find-links", "").split())),
        trusted_hosts=tuple(settings.get("trusted-host", "").split()),
        certificates=settings.get("cert", ""),
    )


def parse_pip_settings(listing: str) -> dict[str, str]:
    """Return the settings in the output of `pip config list`."""
    found: dict[str, tuple[int, str]] = {}
    for line in listing.splitlines():
        place, _, quoted = line.partition("=")
        section, _, name = place.rpartition(".")
        if section not in _SECTIONS:
            continue
        value = _unquoted(quoted)
        rank = _SECTIONS.index(section)
        if rank >= found.get(name, (-1, ""))[0]:
            found[name] = (rank, value)
    return {name: value for name, (_, value) in found.items()}


def _settings_of_pip() -> dict[str, str]:
    # -P instead of -I: PYTHONPATH may contain pip, but the current folder must not.
    command = [sys.executable, "-P", "-m", "pip", "--disable-pip-version-check", "config", "list"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=60, check=False, errors="replace"
        )
    except (OSError, subprocess.TimeoutExpired):
        return {}
    return parse_pip_settings(done.stdout) if done.returncode == 0 else {}


def _settings_of_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return pip's variables, which also apply if pip itself is not installed."""
    return {
        name.removeprefix("PIP_").lower().replace("_", "-"): value
        for name, value in environment.items()
        if name.startswith("PIP_") and value
    }


def _public_index() -> str:
    from unearth import PackageFinder

    return str(PackageFinder().sources[0]["url"])


def _unquoted(text: str) -> str:
    try:
        return str(ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return text


def _as_url(place: str) -> str:
    return place if "://" in place else Path(place).expanduser().resolve().as_uri()


def _is_true(value: str) -> bool:
    return value.strip().lower() in ("1", "true", "yes", "on", "y", "t")
