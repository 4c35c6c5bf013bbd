"""Settings of a graph, parsed without the imports of a whole study."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.errors import SettingError
from bench.settings.fields import build
from bench.settings.own_settings import own_settings
from retrievers.errors import GraphError, SeedError
from retrievers.graph import Graph, Observation, read_observations
from retrievers.graph.reordering import Reordering
from retrievers.graph.seeding import EquivalenceClass, read_classes


def parse_graph(node: Mapping[str, Any]) -> Graph:
    """Return the settings of a graph, with equivalences and observations read from their files.

    `reordering` is excluded, because it needs a model (`parse_reordering`).
    """
    own = own_settings(node)
    own.pop("reordering", None)
    classes, observations = own.pop("equivalences", None), own.pop("observations", None)
    if classes is not None:
        own["classes"] = _classes(classes)
    if observations is not None:
        own["observations"] = _observations(observations)
    return build(Graph, own, where="retriever")


def parse_reordering(node: Mapping[str, Any], *, where: str = "retriever") -> Reordering:
    """Return the settings that reorder a graph's first symbols by vectors."""
    own = {name: node[name] for name in node if name == "reordering"}
    return build(_Reordered, own, where=where).reordering


@dataclass(frozen=True)
class _Reordered:
    reordering: Reordering = field(default_factory=Reordering)


def _classes(place: object) -> tuple[EquivalenceClass, ...]:
    try:
        return read_classes(_text("equivalences", place, form="YAML"), place=str(place))
    except SeedError as error:
        raise SettingError(f"retriever.equivalences={error}") from error


def _observations(place: object) -> tuple[Observation, ...]:
    try:
        return read_observations(_text("observations", place, form="JSONL"), place=str(place))
    except GraphError as error:
        raise SettingError(f"retriever.observations={error}") from error


def _text(name: str, place: object, *, form: str) -> str:
    try:
        return Path(str(place)).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"retriever.{name}={place}: cannot be read ({error}); give a {form} file"
        raise SettingError(message) from error
