"""Synonyms in programs, such as `consumer`, `subscriber` and `listener`."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import yaml

from retrievers.graph.seeding.classes import LOADER

_CLUSTERS = Path(__file__).with_name("thesaurus.yaml")


def related(words: Iterable[str]) -> tuple[str, ...]:
    """Return the synonyms of these words, without these words."""
    asked = dict.fromkeys(words)
    found = dict.fromkeys(other for word in asked for other in _thesaurus().get(word, ()))
    return tuple(other for other in found if other not in asked)


@cache
def _thesaurus() -> Mapping[str, tuple[str, ...]]:
    text = _CLUSTERS.read_text(encoding="utf-8")
    clusters: list[list[str]] = yaml.load(text, LOADER)  # noqa: S506 - a safe one
    known: dict[str, dict[str, None]] = {}
    for cluster in clusters:
        for word in cluster:
            known.setdefault(word, {}).update(dict.fromkeys(cluster))
    return {word: tuple(others) for word, others in known.items()}
