"""The settings of a graph as a command takes them: the same names as in a grid."""

from collections.abc import Sequence
from typing import Any

import yaml

from bench.errors import UsageError
from bench.files import data_folder
from bench.settings.graph import parse_graph, parse_reordering
from retrievers.graph import Graph


def graph_settings(assignments: Sequence[str], *, observations: str = "") -> Graph:
    """Return the settings of conf/retriever/graph.yaml with some of them assigned."""
    text = (data_folder("conf") / "retriever" / "graph.yaml").read_text(encoding="utf-8")
    node: dict[str, Any] = yaml.safe_load(text)
    for assignment in assignments:
        name, sign, value = assignment.partition("=")
        if not sign:
            message = f"--set {assignment}: cannot be read; write --set NAME=VALUE"
            raise UsageError(message)
        _assign(node, name.split("."), value, asked=assignment)
    if observations:
        node["observations"] = observations
    if weight := parse_reordering(node).weight:
        message = f"--set reordering.weight={weight}: this command has no vectors"
        raise UsageError(f"{message}. Use retriever.reordering.weight={weight} in a grid.")
    return parse_graph(node)


def _assign(node: dict[str, Any], parts: list[str], value: str, *, asked: str) -> None:
    *outer, last = parts
    for part in outer:
        inner = node.setdefault(part, {})
        if not isinstance(inner, dict):
            raise UsageError(f"--set {asked}: {part} is one value; it has no settings within")
        node = inner
    try:
        node[last] = yaml.safe_load(value)
    except yaml.YAMLError as error:
        raise UsageError(f"--set {asked}: the value cannot be read; quote it") from error
