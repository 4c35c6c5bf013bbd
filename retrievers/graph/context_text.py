"""A pack: the symbols that fit a budget of tokens, as text for an agent or a person."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from retrievers.graph.model import CodeGraph
from retrievers.graph.packing import Packing, estimated_costs, pack
from retrievers.graph.ranking import Ranked
from retrievers.interface import Documents, Integers

Format = Literal["text", "xml", "json"]
FORMATS: tuple[Format, ...] = get_args(Format)
_Doubles = np.ndarray[Any, np.dtype[np.float64]]
Counter = Callable[[Sequence[str]], Integers]
"""A function that counts the tokens of each text."""
_COUNTS = 3
"""A number of tokens that becomes one digit shorter or longer is counted again."""


@dataclass(frozen=True)
class Entry:
    """A symbol in a pack."""

    symbol: str
    kind: str
    path: str
    start: int
    end: int
    signature: str
    doc: str
    score: float
    source: str = ""
    """The text of the symbol; empty if the pack shows signatures only."""


@dataclass(frozen=True)
class Pack:
    """The symbols that fit a budget, best first."""

    entries: tuple[Entry, ...]
    budget: int
    tokens: int
    """Tokens of the text in the chosen format."""
    candidates: int
    """Number of symbols before the choice."""


def packed(
    graph: CodeGraph,
    ranked: Ranked,
    documents: Documents,
    settings: Packing,
    *,
    form: Format,
    count: Counter,
) -> Pack:
    """Return the symbols with the highest worth per token within the budget.

    With `detail=source`, a symbol inside another shown symbol is not shown. The signatures of an
    overloaded function count as one symbol, its implementation, with the best score among them.
    """
    nodes, worth, near = _distinct(graph, ranked)
    entries = [
        _entry(graph, documents, node, score, settings)
        for node, score in zip(nodes.tolist(), worth.tolist(), strict=True)
    ]
    between = ",\n" if form == "json" else "\n"
    cost = count([shown_entry(entry, form) + between for entry in entries])
    if settings.characters_per_token:
        cost = estimated_costs(graph, nodes, settings.characters_per_token)
    nearness = near ** settings.exponent(ranked.outside, len(nodes))
    whole = settings.tokens
    frame = int(count([render(Pack((), whole, whole, len(nodes)), form)])[0])
    around = _holders(graph, nodes) if settings.detail == "source" else {}
    taken = pack(
        np.maximum(worth, 0), cost, settings.tokens - frame, nearness=nearness, around=around
    )
    chosen = tuple(entries[row] for row in taken)
    return _counted(Pack(chosen, whole, whole, len(nodes)), form, count)


def _counted(found: Pack, form: Format, count: Counter) -> Pack:
    """Return a pack with the tokens of its text, which may contain this number itself."""
    for _ in range(_COUNTS):
        tokens = int(count([render(found, form)])[0])
        if tokens == found.tokens:
            break
        found = replace(found, tokens=tokens)
    return found


def _distinct(graph: CodeGraph, ranked: Ranked) -> tuple[Integers, _Doubles, _Doubles]:
    """Return the candidate nodes, best first, with their scores and their nearness."""
    rows: dict[int, int] = {}
    for row, node in enumerate(ranked.scored.node.tolist()):
        rows.setdefault(graph.implementation(node), row)
    best = list(rows.values())
    nodes = np.array(list(rows), np.int64)
    return nodes, ranked.scored.score[best], ranked.nearness[best]


def _holders(graph: CodeGraph, nodes: Integers) -> dict[int, list[int]]:
    """Return for each position in `nodes` the positions of the symbols around its symbol."""
    places = {node: place for place, node in enumerate(nodes.tolist())}
    return {
        place: [places[outer] for outer in _around(graph, node) if outer in places]
        for node, place in places.items()
    }


def _around(graph: CodeGraph, node: int) -> Iterator[int]:
    outer = int(graph.parent[node])
    while outer >= 0:
        yield outer
        outer = int(graph.parent[outer])


def _entry(
    graph: CodeGraph, documents: Documents, node: int, score: float, settings: Packing
) -> Entry:
    start, end = int(graph.start_line[node]), int(graph.end_line[node])
    source = ""
    if settings.detail == "source":
        source = _lines(documents, int(graph.document[node]), start, end)
    return Entry(
        symbol=graph.names[node],
        kind=graph.kinds[node],
        path=graph.path(node),
        start=start,
        end=end,
        signature=graph.signatures[node],
        doc=graph.docs[node].strip().partition("\n")[0],
        score=round(score, 6),
        source=source,
    )


def _lines(documents: Documents, document: int, start: int, end: int) -> str:
    starts = documents.line_starts(document)
    last = int(starts[end]) if end < len(starts) else documents.size(document)
    return documents.slice(document, int(starts[start - 1]), last).rstrip("\n")


def render(pack: Pack, form: Format) -> str:
    """Return a pack as text, XML or JSON."""
    entries = [shown_entry(entry, form) for entry in pack.entries]
    if form == "text":
        return "\n".join(entries)
    numbers = {"budget": pack.budget, "tokens": pack.tokens, "candidates": pack.candidates}
    if form == "xml":
        head = " ".join(f'{name}="{value}"' for name, value in numbers.items())
        return "\n".join([f"<context {head}>", *entries, "</context>"])
    head = json.dumps(numbers)[1:-1]
    return f'{{{head}, "symbols": [\n' + ",\n".join(entries) + "\n]}"


def shown_entry(entry: Entry, form: Format) -> str:
    """Return the text of one entry of a pack."""
    if form == "json":
        return json.dumps({name: value for name, value in asdict(entry).items() if value != ""})
    if form == "xml":
        return _xml(entry)
    head = f"{entry.path}:{entry.start}-{entry.end}  {entry.kind} {entry.symbol}"
    body = entry.source or "\n".join(
        f"    {line}" for line in (entry.signature, entry.doc) if line
    )
    return f"{head}\n{body}\n" if body else f"{head}\n"


def _xml(entry: Entry) -> str:
    from xml.sax.saxutils import escape, quoteattr  # slow: it imports an HTTP client

    attributes = {
        "name": entry.symbol,
        "kind": entry.kind,
        "path": entry.path,
        "lines": f"{entry.start}-{entry.end}",
        "score": f"{entry.score:g}",
    }
    head = " ".join(f"{name}={quoteattr(value)}" for name, value in attributes.items())
    body = entry.source or "\n".join(line for line in (entry.signature, entry.doc) if line)
    return f"<symbol {head}>\n{_plain(escape(body))}\n</symbol>"


def _plain(text: str) -> str:
    """Return a text with control characters replaced, which XML does not allow."""
    return "".join(c if c in "\t\n\r" or c >= " " else "\ufffd" for c in text)
