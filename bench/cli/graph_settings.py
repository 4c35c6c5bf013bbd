"""The settings of a graph as a command takes them: the same names as in a grid."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from bench.errors import UsageError
from bench.files import data_folder
from bench.settings.graph import parse_graph, parse_reordering
from retrievers.graph import Graph

_FILES = (".yaml", ".yml")
_OF_RETRIEVER = "retriever."
_SAY = "Use graph, graph_described or a file with kind: graph."


def graph_settings(
    assignments: Sequence[str], *, retriever: str = "graph", observations: str = ""
) -> Graph:
    """Return the settings of a retriever's file with some of them assigned."""
    node = _described(retriever)
    for assignment in assignments:
        name, sign, value = assignment.partition("=")
        if not sign:
            message = f"--set {assignment}: cannot be read; write --set NAME=VALUE"
            raise UsageError(message)
        _put(node, name.split("."), _value(value, assignment), asked=f"--set {assignment}")
    if observations:
        node["observations"] = observations
    if weight := parse_reordering(node).weight:
        message = f"--set reordering.weight={weight}: this command has no vectors"
        raise UsageError(f"{message}. Use retriever.reordering.weight={weight} in a grid.")
    return parse_graph(node)


def _described(retriever: str) -> dict[str, Any]:
    """Return the settings of a shipped retriever by its name, or those in a file."""
    is_file = retriever.endswith(_FILES)
    return _of_file(retriever) if is_file else _shipped(retriever)


def _shipped(name: str) -> dict[str, Any]:
    place = data_folder("conf") / "retriever" / f"{name}.yaml"
    if not place.is_file():
        raise UsageError(f"--retriever {name}: no such retriever. {_SAY}")
    node = _of_a_graph(_mapping(place, name), name)
    for base in node.pop("defaults", []):
        if base != "_self_":
            node = _merged(_shipped(base), node)
    return node


def _of_file(name: str) -> dict[str, Any]:
    """Return the settings of a graph in a file: the defaults hold for what it leaves out.

    It is a file as in conf/retriever, or a configuration as in chosen.yaml.
    """
    node = _mapping(Path(name), name)
    if "retriever" not in node:
        return _merged(_shipped("graph"), _of_a_graph(node, name))
    chosen = _shipped(str(node["retriever"]))
    for setting, value in node.items():
        if setting.startswith(_OF_RETRIEVER):
            parts = setting.removeprefix(_OF_RETRIEVER).split(".")
            _put(chosen, parts, value, asked=f"--retriever {name}: {setting}")
    return chosen


def _of_a_graph(node: dict[str, Any], name: str) -> dict[str, Any]:
    if (kind := node.get("kind", "graph")) != "graph":
        raise UsageError(f"--retriever {name}: kind={kind} is not a graph. {_SAY}")
    return node


def _mapping(place: Path, name: str) -> dict[str, Any]:
    try:
        node = yaml.safe_load(place.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise UsageError(f"--retriever {name}: cannot be read ({reason}). {_SAY}") from error
    if not isinstance(node, dict):
        raise UsageError(f"--retriever {name}: not a mapping of settings. {_SAY}")
    return node


def _merged(below: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return nested settings with those of `over` in place of those below."""
    merged = dict(below)
    for name, value in over.items():
        old = merged.get(name)
        both = (old, value) if isinstance(old, dict) and isinstance(value, dict) else None
        merged[name] = _merged(*both) if both else value
    return merged


def _value(text: str, assignment: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        message = f"--set {assignment}: the value cannot be read; quote it"
        raise UsageError(message) from error


def _put(node: dict[str, Any], parts: list[str], value: Any, *, asked: str) -> None:
    *outer, last = parts
    for part in outer:
        inner = node.setdefault(part, {})
        if not isinstance(inner, dict):
            raise UsageError(f"{asked}: {part} is one value; it has no settings within")
        node = inner
    node[last] = value
