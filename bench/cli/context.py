"""`rankgrid context` and `rankgrid explain`: symbols of a folder for a task, and their ranks."""

import argparse
import gc
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from bench.cli.fixtures.arguments import positive
from bench.cli.graph_flags import add_facts_flags, add_graph_flags
from bench.errors import UsageError

if TYPE_CHECKING:
    from bench.cli.context_pack import ContextRequest
    from bench.cli.folder_graph import FolderGraph
    from retrievers.graph import Explanation
    from retrievers.reading import Reading

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - it has no public name

_BUDGET, _BUDGET_OF_A_DIFF = 50_000, 8_000


def add_commands(commands: "Commands") -> None:
    """Register both commands."""
    context = commands.add_parser(
        "context", help="collect the symbols that matter for a task, within a budget of tokens"
    )
    add_graph_flags(context)
    asked = context.add_mutually_exclusive_group(required=True)
    asked.add_argument("--task", default="", help="a description of the task")
    asked.add_argument("--files", nargs="+", default=[], metavar="PATH", help="files that change")
    asked.add_argument("--diff", default="", metavar="FILE", help="a unified diff (-: stdin)")
    context.add_argument(
        "--budget",
        type=positive,
        help=f"tokens (default: {_BUDGET}; {_BUDGET_OF_A_DIFF} for a diff)",
    )
    context.add_argument(
        "--nearness",
        type=float,
        metavar="EXPONENT",
        help="weight of a symbol's share of the walk against its score, 0 to 10"
        " (0.3; up to 0.7 where much of the graph is outside the folder)",
    )
    context.add_argument("--format", choices=("text", "xml", "json"), default="text")
    context.add_argument(
        "--json", action="store_const", const="json", dest="format", help="as --format json"
    )
    context.add_argument("--detail", choices=("signature", "source"), default="signature")
    add_facts_flags(context)
    context.set_defaults(command=_context)
    why = commands.add_parser("explain", help="explain the rank of a symbol for a task")
    add_graph_flags(why)
    why.add_argument("--query", "--task", required=True, help="the task or question")
    why.add_argument(
        "--symbol",
        help="the name of the symbol, or its last parts (default for a hybrid: its first hits)",
    )
    why.add_argument(
        "--json",
        action="store_true",
        help="print JSON: symbol, rank, score, components, channels, tiers, concepts, keywords, …",
    )
    add_facts_flags(why)
    why.set_defaults(command=_explain)


@contextmanager
def _one_question() -> Iterator[None]:
    """Turn errors of the graph and its models into usage errors."""
    from retrievers.errors import GraphError, ModelError

    # A garbage collection over the hundred thousand names of a graph takes a fifth of the time and
    # frees nothing. The process ends after its answer.
    gc.disable()
    try:
        yield
    except (GraphError, ModelError) as error:
        raise UsageError(str(error)) from error


def _context(found: argparse.Namespace) -> int:
    with _one_question():
        return _pack(found)


def _explain(found: argparse.Namespace) -> int:
    with _one_question():
        return _show_reasons(found)


def _pack(found: argparse.Namespace) -> int:
    from bench.cli.context_pack import filled
    from bench.cli.graph_facts import gathered
    from bench.cli.graph_settings import is_graph
    from retrievers.errors import GraphError
    from retrievers.graph import Packing

    budget = found.budget or (_BUDGET_OF_A_DIFF if found.diff else _BUDGET)
    try:
        packing = Packing(tokens=budget, detail=found.detail)
    except GraphError as error:
        message = f"--budget {budget}: is out of range; use 500 to 10,000,000 tokens"
        raise UsageError(message) from error
    if found.nearness is not None:
        packing = replace(packing, nearness=found.nearness, nearness_outside=0.0)
    if not is_graph(found.retriever):
        from bench.cli.context_hits import pack_hits

        return pack_hits(found, packing)
    folder = _folder(found)
    request = _request(found, folder)
    facts = gathered(found, folder)
    retriever = folder.open(facts.vocabulary)
    ranked = request.asked_of(retriever, facts.of_nodes)
    ranked, order = folder.in_order(ranked, request.task)
    pack = filled(retriever.graph, ranked, lambda: folder.documents, packing, found.format)
    facts.keep(pack.symbols, request.task, folder.settings)
    print(pack.text)
    counts = f"{len(pack.symbols)} of {pack.candidates} symbols, {pack.tokens} tokens of {budget}"
    by = f"; {order.summary}" if order else ""
    if folder.reordered and not order:
        by = "; without vectors, as files and changes have no words to compare with"
    print(f"rankgrid: {counts}{by}", file=sys.stderr)
    return 0


def _request(found: argparse.Namespace, folder: "FolderGraph") -> "ContextRequest":
    from bench.cli.context_pack import ContextRequest, refuse_silence
    from bench.cli.graph_facts import text_of

    known = set(folder.graph.files)
    if found.diff:
        from bench.corpora.changes import changed_spans

        if found.diff == found.used == "-":
            raise UsageError("--diff - --used -: only one text can be piped in; give a file")
        spans = changed_spans(text_of(found.diff, flag="--diff"))
        kept = tuple(span for span in spans if span.path in known)
        lost = sorted({span.path for span in spans} - known)
        if not kept:
            message = f"--diff: {', '.join(lost[:3])}: not in {found.folder}; give the folder"
            raise UsageError(f"{message} that the diff was made in")
        return ContextRequest(changes=kept)
    for path in found.files:
        if path not in known:
            message = f"--files {path}: no such file in {found.folder}; give its path from there"
            raise UsageError(message)
    if not found.files:
        refuse_silence(found.task)
    return ContextRequest(task=found.task, files=tuple(found.files))


def _show_reasons(found: argparse.Namespace) -> int:
    from bench.cli.graph_facts import gathered
    from bench.cli.graph_settings import is_graph
    from retrievers.graph import explain, find_symbol
    from retrievers.reading import read_query

    if not is_graph(found.retriever):
        from bench.cli.context_hits import explain_hits

        return explain_hits(found)
    if not found.symbol:
        raise UsageError("--symbol: is missing; name one, or explain a hybrid's first hits")
    folder = _folder(found)
    facts = gathered(found, folder)
    retriever = folder.open(facts.vocabulary)
    ranked = retriever.for_task(found.query, facts=facts.of_nodes)
    ranked, order = folder.in_order(ranked, found.query)
    why = explain(retriever, ranked, found.symbol, task=found.query)
    reading = read_query(found.query)
    by = order.reason(find_symbol(retriever.graph, found.symbol)) if order else None
    if found.json:
        shown = {**asdict(why), "reading": asdict(reading), "vectors": by and asdict(by)}
        print(json.dumps(shown, indent=1))
    else:
        vectors = [by.text] if by else []
        print("\n".join([_as_text(why), *vectors, *_reading_lines(reading)]))
    return 0


def _reading_lines(reading: "Reading") -> Iterator[str]:
    """Yield the parts of the query as they were parsed."""
    yield f"query read as: {reading.kind}"
    for part in reading.parts:
        yield f"  {part.name:18} weight {part.weight:g}, {len(part.text.split())} words"
    for name, weight in reading.identifiers.items():
        yield f"  {'identifier':18} {name} ({weight:g})"
    yield from (f"  {'path':18} {path}" for path in reading.paths)
    yield from (f"  {'frame':18} {frame.path} {frame.function}" for frame in reading.frames)
    yield from (f"  {'error type':18} {name}" for name in reading.error_types)


def _as_text(why: "Explanation") -> str:
    lines = [f"{why.symbol}  {why.path}:{why.line}", why.verdict, f"walk {why.walk:.4f}"]
    if why.authority or why.hub:
        lines.append(f"authority {why.authority:.4f}, hub {why.hub:.4f}")
    if why.seed_rank:
        lines += [f"seed {why.seed_rank}, found by", *_channel_lines(why)]
    lines += ["a supplement of the walk"] if why.is_supplement else []
    lines += ["put on top by an equivalence class"] if why.is_forced else []
    if why.rank:
        lines.append(f"score {why.score:.6f}, made of")
        lines += [f"  {name:18} {part:+.6f}" for name, part in why.components.items() if part]
    lines.append("keywords of the query")
    lines += [f"  {name:18} {' '.join(own)}" for name, own in asdict(why.keywords).items() if own]
    return "\n".join(lines)


def _channel_lines(why: "Explanation") -> Iterator[str]:
    """Yield the score, rank and tier of each channel, followed by matched concepts."""
    for name, score in why.channels.items():
        rank = f", rank {why.ranks[name]}" if name in why.ranks else ""
        tier = f" by tier {why.tiers[name]}" if name in why.tiers else ""
        yield f"  {name:18} {score:+.6f}{rank}{tier}"
    for one in why.concepts:
        phrases = ", ".join(f'"{phrase}"' for phrase in one.phrases)
        yield f"    {one.concept} ({one.origin}): {phrases} means {one.target}"


def _folder(found: argparse.Namespace) -> "FolderGraph":
    from bench.cli.folder_graph import FolderGraph
    from bench.cli.graph_settings import graph_settings
    from bench.engine import opened_store

    settings = graph_settings(
        found.set,
        retriever=found.retriever,
        observations=found.observations,
        embedder=found.embedder,
    )
    return FolderGraph.of(str(found.folder), opened_store(found.store), settings)
