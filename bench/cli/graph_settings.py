"""Settings of a graph on the command line, with the same names as in a grid."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from bench.errors import UsageError, nearest
from bench.files import data_folder
from bench.settings.graph import parse_graph, parse_reordering
from bench.settings.trust import reason_for_trust
from retrievers.graph import Graph
from retrievers.graph.seeding.classes import LOADER

if TYPE_CHECKING:
    from retrievers.graph.reordered import ReorderedGraph

_FILES = (".yaml", ".yml")
_EMBEDDER = "minilm"
"""Default model, as in conf/config.yaml."""
_SAY = "Use graph, graph_described or a file with kind: graph."


def graph_settings(
    assignments: Sequence[str],
    *,
    retriever: str = "graph",
    observations: str = "",
    embedder: str = "",
) -> "Graph | ReorderedGraph":
    """Return the settings of a retriever's file with overrides.

    `embedder` names the model for a retriever that reorders results by vectors.
    """
    node, model = _described(retriever)
    model = {"embedder": embedder} if embedder else model
    for assignment in assignments:
        name, sign, value = assignment.partition("=")
        if not sign:
            message = f"--set {assignment}: cannot be read; write --set NAME=VALUE"
            raise UsageError(message)
        _put(node, name.split("."), _value(value, assignment), asked=f"--set {assignment}")
    if observations:
        node["observations"] = observations
    graph, reordering = parse_graph(node), parse_reordering(node)
    if not reordering.weight:
        return graph
    from bench.settings.embedding import parse_embedder
    from retrievers.graph.reordered import ReorderedGraph

    asked = f"--embedder {embedder}" if embedder else f"--retriever {retriever}"
    return ReorderedGraph(graph, reordering, parse_embedder({"embedder": _model(model, asked)}))


def is_graph(retriever: str) -> bool:
    """Return True for a graph, which opens without the modules of a study."""
    if not retriever.endswith(_FILES):
        return _kind(retriever) == "graph"
    node = _mapping(Path(retriever), retriever)
    return "retriever" not in node or _kind(str(node["retriever"])) == "graph"


def _kind(name: str) -> str:
    """Return the kind of a shipped retriever, which its defaults may define."""
    place = data_folder("conf") / "retriever" / f"{name}.yaml"
    if not place.is_file():
        known = sorted(file.stem for file in place.parent.glob("*.yaml"))
        raise UsageError(f"--retriever {name}: no such retriever; {nearest(name, known)}")
    node = _mapping(place, name)
    others = [base for base in node.get("defaults", []) if base != "_self_" and "@" not in base]
    return str(node["kind"] if "kind" in node else _kind(others[0]))


def _described(retriever: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings of a shipped retriever or of a file, and the file's embedder
    settings."""
    is_file = retriever.endswith(_FILES)
    return _of_file(retriever) if is_file else (_shipped(retriever), {})


def _shipped(name: str) -> dict[str, Any]:
    place = data_folder("conf") / "retriever" / f"{name}.yaml"
    node = _of_a_graph(_mapping(place, name), name)
    for base in node.pop("defaults", []):
        if base != "_self_":
            node = _merged(_shipped(base), node)
    return node


def _model(typed: Mapping[str, Any], asked: str) -> dict[str, Any]:
    """Return the settings of a shipped model with overrides."""
    folder, name = data_folder("conf") / "embedder", str(typed.get("embedder", _EMBEDDER))
    known = sorted(file.stem for file in folder.glob("*.yaml"))
    if name not in known:
        raise UsageError(f"{asked}: no such model; {nearest(name, known)}")
    node = _mapping(folder / f"{name}.yaml", name)
    for setting, value in typed.items():
        if setting != "embedder":
            _put(node, setting.split(".")[1:], value, asked=f"{asked}: {setting}")
    return node


def _of_file(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings of a graph in a file, over the defaults.

    The file has the form of conf/retriever or of chosen.yaml.
    """
    node, asked = _mapping(Path(name), name), f"--retriever {name}"
    if "retriever" not in node:
        return _merged(_shipped("graph"), _of_a_graph(node, name)), {}
    chosen, model = _shipped(str(node["retriever"])), {}
    for setting, value in node.items():
        group, _, rest = setting.partition(".")
        if group == "embedder":
            if reason := reason_for_trust(setting, [value]):
                raise UsageError(f"{asked}: {setting} {reason}; remove it")
            model[setting] = value
        elif group == "retriever" and rest:
            _put(chosen, rest.split("."), value, asked=f"{asked}: {setting}")
    return chosen, model


def _of_a_graph(node: dict[str, Any], name: str) -> dict[str, Any]:
    if (kind := node.get("kind", "graph")) != "graph":
        raise UsageError(f"--retriever {name}: kind={kind} is not a graph. {_SAY}")
    return node


def _mapping(place: Path, name: str) -> dict[str, Any]:
    try:
        node = yaml.load(place.read_text(encoding="utf-8"), LOADER)  # noqa: S506 - a safe one
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise UsageError(f"--retriever {name}: cannot be read ({reason}). {_SAY}") from error
    if not isinstance(node, dict):
        raise UsageError(f"--retriever {name}: not a mapping of settings. {_SAY}")
    return node


def _merged(below: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return nested settings, where `over` overrides `below`."""
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
