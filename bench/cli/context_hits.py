"""`rankgrid context` and `explain` with a configuration of channels, such as a hybrid."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict

from bench.cli.context_pack import filled, refuse_silence
from bench.cli.folder_hits import Answer, FolderHits, Hit, as_ranked, channel_settings
from bench.engine import opened_store
from bench.errors import UsageError
from retrievers.graph import Packing

_SHOWN = 10
"""Number of hits in an explanation."""
_OF_WALKS = ("files", "diff", "nearness")
_OF_SYMBOLS = ("observations", "session", "used", "useful", "useless")
"""Flags of a graph. Other configurations search with words alone and do not know symbols."""


def pack_hits(found: argparse.Namespace, packing: Packing) -> int:
    """Print a pack with the hits of the configuration."""
    if not _given(found):
        refuse_silence(found.task)
    folder = _opened(found)
    answer = folder.ask(found.task)
    ranked = as_ranked(answer)
    pack = filled(folder.graph, ranked, lambda: folder.documents, packing, found.format)
    print(pack.text)
    counts = f"{len(pack.symbols)} of {pack.candidates} symbols"
    tokens = f"{pack.tokens} tokens of {packing.tokens}"
    print(f"rankgrid: {counts}, {tokens}; {_weighed(answer)}", file=sys.stderr)
    return 0


def explain_hits(found: argparse.Namespace) -> int:
    """Print the first hits, or those of a symbol, with each channel's share."""
    answer = _opened(found).ask(found.query)
    hits = [hit for hit in answer.hits if _is_meant(hit, found.symbol)]
    if found.symbol and not hits:
        message = f"--symbol {found.symbol}: not among the {len(answer.hits)} hits"
        raise UsageError(f"{message}; leave it out to see the first ones")
    shown = hits[:_SHOWN]
    if found.json:
        print(json.dumps({**asdict(answer), "hits": [asdict(hit) for hit in shown]}, indent=1))
    else:
        lines = _lines(shown, answer.weights)
        print("\n".join([f"query read as: {answer.kind}", _weighed(answer), *lines]))
    return 0


def _opened(found: argparse.Namespace) -> FolderHits:
    if given := _given(found):
        message = f"--{given[0]}: only a graph can use it, and {found.retriever} is not a graph"
        raise UsageError(f"{message}; leave it out, or use --retriever graph")
    settings = channel_settings(found.retriever, found.set, embedder=found.embedder)
    return FolderHits(str(found.folder), opened_store(found.store), settings)


def _given(found: argparse.Namespace) -> list[str]:
    return [
        name
        for name in (*_OF_WALKS, *_OF_SYMBOLS)
        if getattr(found, name, None) not in (None, "", [])
    ]


def _is_meant(hit: Hit, symbol: str | None) -> bool:
    return not symbol or hit.symbol == symbol or hit.symbol.endswith(f".{symbol}")


def _weighed(answer: Answer) -> str:
    weights = ", ".join(f"{name} {weight:.3g}" for name, weight in answer.weights.items())
    vectors = f"; vectors of {answer.model}" if answer.model else ""
    return f"weights of a query of this kind ({answer.kind}): {weights}{vectors}"


def _lines(hits: list[Hit], weights: Mapping[str, float]) -> Iterator[str]:
    for hit in hits:
        yield f"{hit.rank:3}  {hit.path}:{hit.start}-{hit.end}  {hit.symbol}".rstrip()
        yield f"     score {hit.score:.4f}; fused {hit.fused:.4f}, made of"
        for name in (one for one, weight in weights.items() if weight):
            rank = f", rank {hit.ranks[name]}" if name in hit.ranks else ", not found"
            yield f"       {name:10} {hit.shares[name]:+.4f}{rank}"
