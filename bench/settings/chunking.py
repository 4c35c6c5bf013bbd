"""Typed settings for the chunking of documents."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from bench.errors import SettingError, nearest
from bench.settings.fields import build
from retrievers.chunkers import (
    BYTE_PAIRS,
    CHARACTERS,
    File,
    Headers,
    Lines,
    Recursive,
    Semantic,
    Sentence,
    Symbol,
    SymbolChunker,
    Syntax,
    TextChunker,
    Tokens,
)
from retrievers.dense import EmbeddingModel, EmbeddingServer
from retrievers.external import CommandChunker, ProgramChunker, PythonChunker

Chunker = TextChunker | SymbolChunker | ProgramChunker | Semantic

BY_MODEL = "model"
_ENCODINGS = (*BYTE_PAIRS, BY_MODEL, CHARACTERS)
_NOT_OF_THE_CHUNKER = ("kind", "header", "encoding")
_WHOLE = 100
_HEADERS = ("off", "path", "scope", "full")
_CHUNKERS: dict[str, type[Chunker]] = {
    "lines": Lines,
    "tokens": Tokens,
    "recursive": Recursive,
    "syntax": Syntax,
    "symbol": Symbol,
    "file": File,
    "sentence": Sentence,
    "semantic": Semantic,
    "python": PythonChunker,
    "command": CommandChunker,
}


@dataclass(frozen=True)
class SizeTokens:
    """Unit of the size of chunks. Shown text is always counted in o200k tokens."""

    encoding: str = BYTE_PAIRS[0]
    model: EmbeddingModel | None = None
    """The model whose tokens are counted, for encoding=model."""


def parse_chunker(node: Mapping[str, Any], size: int) -> Chunker:
    """Return the chunker of a configuration; `size` is for chunkers with a size."""
    name = str(node.get("kind"))
    if name not in _CHUNKERS:
        message = f"chunker={name}: no such chunker; {nearest(name, _CHUNKERS)}"
        raise SettingError(message)
    kind = _CHUNKERS[name]
    own = {field: value for field, value in node.items() if field not in _NOT_OF_THE_CHUNKER}
    if not is_sized(kind):
        return build(kind, own, where="chunker")
    if "overlap" in own:
        own["overlap"] = _overlap(own["overlap"], size)
    return build(kind, {**own, "size": size}, where="chunker")


def _overlap(value: object, size: int) -> object:
    """Return an overlap in tokens; `build` refuses invalid values later."""
    if not isinstance(value, str) or not value.endswith("%"):
        return value
    try:
        share = float(value.removesuffix("%"))
    except ValueError:
        return value
    if not 0 <= share < _WHOLE:
        raise SettingError(f"chunker.overlap={value}: must be from 0% to less than {_WHOLE}%")
    return int(size * share / _WHOLE)


def parse_size_tokens(
    node: Mapping[str, Any], embedder: Callable[[], EmbeddingModel]
) -> SizeTokens:
    """Return the unit of the size of chunks; `embedder` is only called for encoding=model."""
    encoding = str(node.get("encoding", BYTE_PAIRS[0]))
    if encoding not in _ENCODINGS:
        remedy = nearest(encoding, _ENCODINGS)
        raise SettingError(f"chunker.encoding={encoding}: not one of its values; {remedy}")
    if encoding != BY_MODEL:
        return SizeTokens(encoding)
    model = embedder()
    if isinstance(model, EmbeddingServer):
        message = (
            "chunker.encoding=model: the tokens of a model behind a server are not known here"
        )
        raise SettingError(f"{message}; choose o200k_base, cl100k_base or characters")
    return SizeTokens(encoding, model)


def parse_sentence_model(
    chunker: Chunker | None, embedder: Callable[[], EmbeddingModel]
) -> EmbeddingModel | None:
    """Return the model that compares sentences for the semantic chunker, or None for others.

    Sentences are compared without the path header, which would make all sentences of a file
    similar. Settings that only affect searches get their defaults, so that trials share chunks.
    """
    if not isinstance(chunker, Semantic):
        return None
    plain: dict[str, Any] = {"path_header": False, "windows": "own", "long_text": "max"}
    return replace(embedder(), **plain, query_prompt="")


def parse_headers(node: Mapping[str, Any]) -> Headers | None:
    """Return the header above chunks, or None."""
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
    """Return whether the size of chunks is a setting of this chunker."""
    return any(field.name == "size" for field in fields(chunker))
