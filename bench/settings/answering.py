"""Settings of the answerer, which answers questions from the hits."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bench.errors import SettingError, nearest
from bench.settings.fields import build
from retrievers.answerers import ChatServer, Extractive
from retrievers.errors import AnswererError

AnswererSettings = Extractive | ChatServer
_KINDS: Mapping[str, type[Extractive] | type[ChatServer]] = MappingProxyType(
    {"extractive": Extractive, "openai": ChatServer}
)


def parse_answerer(node: Mapping[str, Any]) -> AnswererSettings | None:
    """Return the answerer, or None for answerer=off."""
    kind = str(node.get("kind"))
    if kind == "off":
        return None
    if kind not in _KINDS:
        message = f"answerer={kind}: no such answerer; {nearest(kind, ['off', *_KINDS])}"
        raise SettingError(message)
    own = {name: value for name, value in node.items() if name != "kind"}
    if kind == "openai":
        own |= _prompt(own.pop("template", None))
    answerer = build(_KINDS[kind], own, where="answerer")
    if isinstance(answerer, ChatServer):
        check_key(answerer, where="answerer")
    return answerer


def _prompt(place: object) -> dict[str, str]:
    """Return the content of the template's file; only the content identifies the prompt."""
    if place is None:
        return {}
    try:
        return {"prompt": Path(str(place)).expanduser().read_text(encoding="utf-8")}
    except (OSError, UnicodeDecodeError) as error:
        message = f"answerer.template={place}: cannot be read ({error}); give a text file"
        raise SettingError(message) from error


def check_key(server: ChatServer, *, where: str) -> None:
    """Check the API key now, so that a study does not start without it."""
    try:
        _ = server.key
    except AnswererError as error:
        raise SettingError(f"{where}.{error}") from error
