"""Extraction of the edges between documents, their symbols and external names."""

import gc
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from retrievers.interface import Documents
from retrievers.source.answers import Answers
from retrievers.source.edges import expressions
from retrievers.source.edges.collecting import Collecting
from retrievers.source.edges.manifests import add_manifests
from retrievers.source.edges.model import Edges
from retrievers.source.edges.modules import STYLES, Modules, Tree
from retrievers.source.edges.names import Names
from retrievers.source.edges.relations import (
    add_bases,
    add_inheritance,
    add_membership,
    add_structural,
    add_tests,
)
from retrievers.source.edges.resolver import Resolver
from retrievers.source.edges.surroundings import add_authors, add_documentation, add_owners
from retrievers.source.edges.usage import Usage
from retrievers.source.edges.uses import Uses
from retrievers.source.parsing import Fact, Parsing, ParsingLimits
from retrievers.source.registry import LANGUAGES, languages
from retrievers.source.symbols import Symbols


@expressions.forgotten_afterwards()
def find_edges(
    documents: Documents,
    symbols: Symbols,
    *,
    limits: ParsingLimits | None = None,
    folder: Path = LANGUAGES,
    answers: Answers | None = None,
) -> Edges:
    """Return the edges between symbols, documents and external names.

    Documents whose parse is in `answers` are not parsed again.
    """
    with _uncollected():
        names = Names(documents, symbols, folder)
        with Parsing(limits or ParsingLimits(), languages(folder), answers) as parsing:
            uses = _read(documents, names, parsing)
        return _find(documents, names, uses)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Pause the garbage collector.

    It would traverse a million facts without finding a cycle, for half of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _find(documents: Documents, names: Names, uses: Uses) -> Edges:
    resolver = Resolver(names, uses, _modules(documents, names, uses))
    resolver.lineage.place_remote()
    found = Collecting(len(names), len(documents))
    add_membership(names, found)
    add_bases(names, uses, resolver, found)
    add_structural(names, resolver, found)
    add_inheritance(names, resolver, found)
    Usage(names, resolver, found).add(uses)
    add_tests(names, found)
    add_manifests(documents, found)
    add_documentation(documents, names, found)
    add_owners(documents, found)
    add_authors(names, found)
    return found.edges()


def _read(documents: Documents, names: Names, parsing: Parsing) -> Uses:
    """Return the uses in the documents, except those that exceeded a limit of the parser."""
    uses = Uses(names)
    unparsed = set(names.symbols.unparsed.tolist())
    ours = [
        (number, language)
        for number, language in enumerate(names.languages)
        if language and language.edges and number not in unparsed
    ]
    parsing.expect("facts", ((language, documents.source(number)) for number, language in ours))
    for document, language in ours:
        facts = parsing.facts(language, documents.source(document))
        if facts:
            uses.add(document, _placed(documents, names, document, facts))
    return uses


def _placed(
    documents: Documents, names: Names, document: int, facts: Sequence[Fact]
) -> Iterator[tuple[Fact, int, int]]:
    """Yield each fact with the row of the innermost definition around it, or -1, and its line.

    Facts are in the order of their offsets, so one pass over the definitions is enough: `around`
    is the stack of the definitions that are open at a fact.
    """
    ordered = sorted(facts, key=lambda fact: fact.start)
    starts = np.array([fact.start for fact in ordered])
    lines = np.searchsorted(documents.line_starts(document), starts, side="right")
    rows = names.rows_of.get(document, range(0))
    begun = names.symbols.start_byte[rows.start : rows.stop].tolist()
    ended = names.symbols.end_byte[rows.start : rows.stop].tolist()
    around: list[int] = []
    following = 0
    for fact, line in zip(ordered, lines.tolist(), strict=True):
        while following < len(rows) and begun[following] <= fact.start:
            around.append(following)
            following += 1
        while around and ended[around[-1]] <= fact.start:
            around.pop()
        yield fact, rows[around[-1]] if around else -1, line


def _modules(documents: Documents, names: Names, uses: Uses) -> dict[str, Modules]:
    """Return the module rules of each language family."""
    held: dict[str, list[int]] = defaultdict(list)
    styles: dict[str, str] = {}
    for document, language in enumerate(names.languages):
        if language:
            held[language.uses.family].append(document)
            styles[language.uses.family] = language.uses.modules
    return {
        family: STYLES[styles[family]](Tree(documents, names, uses.packages, numbers))
        for family, numbers in held.items()
    }
