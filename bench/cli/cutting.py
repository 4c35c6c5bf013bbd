"""Chunker flags of commands, and chunking with them."""

import argparse
from typing import TYPE_CHECKING

from bench.errors import UsageError

if TYPE_CHECKING:
    from bench.settings.chunking import Chunker
    from retrievers.interface import Chunks, Documents, TokenEnds
    from retrievers.source import Symbols


def add_chunker_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the chunker, with the defaults of a study."""
    parser.add_argument(
        "--chunker",
        default="recursive",
        help="recursive, lines, syntax, symbol, … (default: recursive)",
    )
    parser.add_argument("--chunk", type=int, default=512, help="tokens of a chunk (default: 512)")
    parser.add_argument(
        "--overlap",
        type=_overlap,
        default=None,
        help="tokens that neighbouring chunks share, or 50%% (default: 0)",
    )
    parser.add_argument(
        "--encoding",
        default="o200k_base",
        choices=("o200k_base", "cl100k_base", "characters"),
        help="the unit of --chunk (default: o200k_base)",
    )


def _overlap(text: str) -> int | str:
    if text.endswith("%"):
        return text
    if not text.isdecimal():
        message = f"{text!r}: give whole tokens, or a share such as 50%"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def chosen_chunker(found: argparse.Namespace) -> "Chunker":
    """Return the chunker from the flags."""
    from bench.settings.chunking import parse_chunker

    node: dict[str, object] = {"kind": found.chunker}
    if found.overlap is not None:
        node["overlap"] = found.overlap
    return parse_chunker(node, found.chunk)


def cut(
    chunker: "Chunker",
    documents: "Documents",
    tokens: "TokenEnds",
    symbols: "Symbols",
    encoding: str = "o200k_base",
) -> "Chunks":
    """Return the same chunks as a study with these settings, with positions in `tokens`."""
    from retrievers.chunkers import Semantic, Symbol, Syntax, recounted, token_ends

    if isinstance(chunker, Semantic):
        message = "--chunker semantic: a model decides where these chunks end"
        raise UsageError(f"{message}. Use chunker=semantic in a study.")
    sizes = token_ends(documents, encoding)
    if isinstance(chunker, Syntax | Symbol):
        return recounted(chunker.cut(documents, sizes, symbols), documents, tokens)
    return recounted(chunker.cut(documents, sizes), documents, tokens)
