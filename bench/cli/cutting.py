"""How the commands cut documents: the flags that name a chunker, and what it makes of them."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.settings.chunking import Chunker
    from retrievers.interface import Chunks, Documents, TokenEnds
    from retrievers.source import Symbols


def add_chunker_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say how documents are cut, with a study's defaults."""
    parser.add_argument(
        "--chunker", default="recursive", help="recursive (default), lines, syntax, symbol, …"
    )
    parser.add_argument("--chunk", type=int, default=512, help="tokens of a chunk (512)")
    parser.add_argument("--overlap", type=int, default=None, help="tokens that are repeated (0)")


def chosen_chunker(found: argparse.Namespace) -> "Chunker":
    """Return the chunker that the flags name."""
    from bench.settings.chunking import parse_chunker

    node: dict[str, object] = {"kind": found.chunker}
    if found.overlap is not None:
        node["overlap"] = found.overlap
    return parse_chunker(node, found.chunk)


def cut(
    chunker: "Chunker", documents: "Documents", tokens: "TokenEnds", symbols: "Symbols"
) -> "Chunks":
    """Return the chunks, numbered as in a study with the same settings."""
    from retrievers.chunkers import Symbol, Syntax

    if isinstance(chunker, Syntax | Symbol):
        return chunker.cut(documents, tokens, symbols)
    return chunker.cut(documents, tokens)
