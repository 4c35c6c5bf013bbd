"""Settings of `query`: texts that are searched instead of the question."""

from collections.abc import Mapping
from typing import Any, get_args

from bench.errors import SettingError, nearest
from bench.settings.answering import check_key
from bench.settings.fields import build
from bench.settings.retrieving import Retrieval
from retrievers.answerers import ChatServer, Expansion, Method

_KINDS = ("plain", *get_args(Method))
_OF_THE_EXPANSION = ("count", "original")
_OF_THE_REPLY = "answer_tokens"


def parse_expansion(
    node: Mapping[str, Any], answerer: Mapping[str, Any], retrieval: Retrieval
) -> Expansion | None:
    """Return the expansion of questions, or None if they are searched unchanged.

    Options of the chat server that are not set in `query` default to those of `answerer=openai`.
    """
    kind = str(node.get("kind"))
    if kind not in _KINDS:
        raise SettingError(f"query={kind}: no such query; {nearest(kind, _KINDS)}")
    if kind == "plain" or why_unexpanded(retrieval):
        return None
    _refuse_together(kind, retrieval)
    given = {"method": kind, "server": _server(kind, node, answerer)}
    own = {name: node[name] for name in _OF_THE_EXPANSION if name in node}
    return build(Expansion, {**own, **given}, where="query")


def why_unexpanded(retrieval: Retrieval) -> str:
    """Return the reason why a trial's retriever cannot search other texts, or ""."""
    if retrieval.is_bound:
        return "the retriever does not read the question"
    return "the rankings are in a file" * retrieval.is_imported


def _refuse_together(kind: str, retrieval: Retrieval) -> None:
    """Refuse combinations with retrievers that cannot search several texts per question."""
    if retrieval.own_chunks is not None:
        message = "an engine that returns its own places is asked the question itself"
        raise SettingError(f"query={kind}: {message}. Use query=plain, or expand in the engine.")
    if retrieval.fusion is not None and retrieval.fusion.steps is not None:
        message = "weights cannot be chosen if the question itself is not searched"
        raise SettingError(f"query={kind}: {message}. Set weight= or weights=[…].")


def _server(kind: str, node: Mapping[str, Any], answerer: Mapping[str, Any]) -> ChatServer:
    shared = answerer if answerer.get("kind") == "openai" else {}
    names = [name for name in node if name not in ("kind", *_OF_THE_EXPANSION)]
    chosen = {
        name: shared.get(name) if node[name] is None and name != _OF_THE_REPLY else node[name]
        for name in names
    }
    given = {name: value for name, value in chosen.items() if value is not None}
    if not given.get("url"):
        message = f"query={kind}: needs a chat server, and none was given."
        raise SettingError(f"{message} Set query.url= and query.model=, or use answerer=openai.")
    if not given.get("model"):
        message = "the chat server needs the name of a model. Set query.model=NAME"
        raise SettingError(f"query={kind}: {message}, as the server calls it.")
    server = build(ChatServer, given, where="query")
    check_key(server, where="query")
    return server
