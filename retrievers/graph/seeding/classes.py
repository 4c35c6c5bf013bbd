"""Equivalence classes: phrases that people use for an idea, and names that code uses for it.

The built-in classes are about programming in general, or about one language. A project can have
classes of its own in the same format. They are read with a safe YAML loader, never executed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

import yaml

from retrievers.errors import SeedError
from retrievers.graph.seeding.keywords import parts

Origin = Literal["universal", "language", "project"]

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The loader in C needs a tenth of the time, but not every PyYAML has it."""
_FOLDER = Path(__file__).with_name("equivalences")
_KNOWN = frozenset(("concept", "phrases", "targets", "weight"))
_USUAL_WEIGHTS: Mapping[Origin, float] = {"universal": 0.8, "language": 0.8, "project": 1.0}


@dataclass(frozen=True)
class EquivalenceClass:
    """A concept: the phrases that tasks use for it, and the names of its symbols."""

    concept: str
    phrases: tuple[str, ...]
    targets: tuple[str, ...]
    weight: float
    origin: Origin
    languages: tuple[str, ...] = ()
    """The languages of the symbols; empty for all languages."""


@dataclass(frozen=True)
class Match:
    """A class, and the phrases of it that a task contains."""

    of: EquivalenceClass
    phrases: tuple[str, ...]

    @property
    def is_strong(self) -> bool:
        """Whether the task contains a phrase of several words, or several phrases."""
        return len(self.phrases) > 1 or " " in self.phrases[0]


def spoken(text: str) -> str:
    """Return the words of a text in lower case with blanks around each. Identifiers are split."""
    return f" {' '.join(parts(text))} "


def has_phrase(words: str, phrase: str) -> bool:
    """Return whether the result of `spoken` contains a phrase, in singular or plural."""
    wanted = _spoken_phrase(phrase)
    return bool(wanted) and (wanted + " " in words or wanted + "s " in words)


@lru_cache(maxsize=65536)
def _spoken_phrase(phrase: str) -> str:
    return spoken(phrase).rstrip()


def matches(task: str, classes: Iterable[EquivalenceClass]) -> list[Match]:
    """Return the classes with phrases in a task, ordered by weight, then by number of phrases."""
    words = spoken(task)
    found = [
        Match(one, phrases)
        for one in classes
        if (phrases := tuple(phrase for phrase in one.phrases if has_phrase(words, phrase)))
    ]
    return sorted(found, key=lambda match: (-match.of.weight, -len(match.phrases)))


@cache
def built_in_classes() -> tuple[EquivalenceClass, ...]:
    """Return the built-in classes: the universal ones first, then those of each language."""
    files = sorted(_FOLDER.glob("*.yaml"), key=lambda file: (file.stem != "universal", file.stem))
    return tuple(
        one
        for file in files
        for one in read_classes(
            file.read_text(encoding="utf-8"),
            place=file.name,
            origin="universal" if file.stem == "universal" else "language",
        )
    )


def read_classes(
    text: str, *, place: str, origin: Origin = "project"
) -> tuple[EquivalenceClass, ...]:
    """Return the classes of a YAML text. `place` names the text in errors."""
    try:
        held = yaml.load(text, LOADER)  # noqa: S506 - a safe one
    except yaml.YAMLError as error:
        message = f"{place}: no readable YAML: {' '.join(str(error).split())}"
        raise SeedError(message) from error
    if not isinstance(held, dict) or not isinstance(held.get("classes"), list):
        raise SeedError(f"{place}: no classes; write `classes:` and a list below it")
    languages = _texts(held.get("languages", []), f"{place}: languages")
    return tuple(
        _class(item, f"{place}: class {number}", origin, languages)
        for number, item in enumerate(held["classes"], 1)
    )


def _class(item: Any, place: str, origin: Origin, languages: tuple[str, ...]) -> EquivalenceClass:
    if not isinstance(item, dict):
        raise SeedError(f"{place}: not a mapping; give it concept, phrases and targets")
    unknown = sorted(map(str, set(item) - _KNOWN))
    if unknown:
        message = f"{place}: {unknown[0]} is not known; choose from {', '.join(sorted(_KNOWN))}"
        raise SeedError(message)
    concept = item.get("concept")
    if not isinstance(concept, str) or not concept:
        raise SeedError(f"{place}: no concept; name the idea")
    return EquivalenceClass(
        concept=concept,
        phrases=_some_texts(item, "phrases", place),
        targets=_some_texts(item, "targets", place),
        weight=_weight(item.get("weight", _USUAL_WEIGHTS[origin]), place),
        origin=origin,
        languages=languages,
    )


def _some_texts(item: Mapping[str, Any], name: str, place: str) -> tuple[str, ...]:
    found = _texts(item.get(name, []), f"{place}: {name}")
    if not found:
        raise SeedError(f"{place}: no {name}; list at least one")
    return found


def _texts(value: Any, place: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
        raise SeedError(f"{place}: not a list of texts; quote what YAML takes for something else")
    return tuple(value)


def _weight(value: Any, place: str) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 < value <= 1:
        raise SeedError(f"{place}: weight={value} is out of range; choose above 0, to 1")
    return float(value)
