"""How documents are cut, as typed settings."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from bench.errors import SettingError, nearest
from bench.settings.fields import build
from retrievers.chunkers import (
    File,
    Headers,
    Lines,
    Recursive,
    Symbol,
    SymbolChunker,
    Syntax,
    TextChunker,
    Tokens,
)

Chunker = TextChunker | SymbolChunker

_HEADERS = ("off", "path", "scope", "full")
_CHUNKERS: dict[str, type[Chunker]] = {
    "lines": Lines,
    "tokens": Tokens,
    "recursive": Recursive,
    "syntax": Syntax,
    "symbol": Symbol,
    "file": File,
}


def parse_chunker(node: Mapping[str, Any], size: int) -> Chunker:
    """Return the chunker that a configuration describes; `size` is for those that have one."""
    name = str(node.get("kind"))
    if name not in _CHUNKERS:
        message = f"chunker={name}: no such chunker; {nearest(name, _CHUNKERS)}"
        raise SettingError(message)
    kind = _CHUNKERS[name]
    own = {field: value for field, value in node.items() if field not in ("kind", "header")}
    return build(kind, {**own, "size": size} if is_sized(kind) else own, where="chunker")


def parse_headers(node: Mapping[str, Any]) -> Headers | None:
    """Return what stands above chunks, or nothing."""
    kind = node.get("header", "off")
    # YAML reads a bare `off` as false.
    if kind == "off" or kind is False:
        return None
    if kind not in _HEADERS:
        remedy = nearest(str(kind), _HEADERS)
        message = f"chunker.header={kind}: not one of its values; {remedy}"
        raise SettingError(message)
    return Headers(kind)


def is_sized(chunker: Chunker | type[Chunker]) -> bool:
    """Say whether the size of chunks is a setting of this chunker."""
    return any(field.name == "size" for field in fields(chunker))
