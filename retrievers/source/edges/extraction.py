"""Extraction of the edges between documents, their symbols and external names."""

import gc
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from retrievers.interface import Documents
from retrievers.source.answers import Answers
from retrievers.source.edges import expressions
from retrievers.source.edges.collecting import Collecting
from retrievers.source.edges.facts import Facts
from retrievers.source.edges.manifests import add_manifests
from retrievers.source.edges.memos import Cycles
from retrievers.source.edges.model import KIND, Edges, Rows
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
from retrievers.source.edges.updating import Earlier, visible
from retrievers.source.edges.usage import Usage
from retrievers.source.edges.uses import Uses
from retrievers.source.parsing import Parsing, ParsingLimits
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
    before: tuple[Edges, Documents, Symbols] | None = None,
) -> Edges:
    """Return the edges between symbols, documents and external names.

    Documents whose parse is in `answers` are not parsed again. `before` has the edges, documents
    and symbols of an earlier tree. Edges of unchanged documents are reused if the changed ones
    define, import and bind the same names as before.
    """
    limits = limits or ParsingLimits()
    with _uncollected():
        names = Names(documents, symbols, folder)
        if before:
            with Parsing(limits, languages(folder), answers) as parsing:
                made = _updated(documents, names, parsing, Earlier(*before))
            if made:
                return made
        with Parsing(limits, languages(folder), answers) as parsing:
            return _found(documents, names, parsing)


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


def _found(documents: Documents, names: Names, parsing: Parsing) -> Edges:
    """Return the edges of all documents."""
    facts = Facts(documents, names.symbols, names, parsing)
    facts.expect()
    every = range(len(documents))
    uses = facts.uses(every)
    found = Collecting(len(names), len(documents))
    cycles = _collect(documents, uses, every, found)
    unsettled = cycles.documents
    if cycles.is_limited or facts.missing or not _is_by_document(uses):
        unsettled = set(every)
    return _edges(found.rows(), found.names(), unsettled, uses)


def _updated(
    documents: Documents, names: Names, parsing: Parsing, before: Earlier
) -> Edges | None:
    """Return the edges, mostly those of an earlier tree, or None if these may differ now."""
    changed = before.changed(documents, names.symbols)
    if changed is None:
        return None
    facts = Facts(documents, names.symbols, names, parsing)
    past = Facts(before.documents, before.symbols, names, parsing)
    past.expect(changed)
    facts.expect()
    if visible(past.uses(changed)) != visible(facts.uses(changed)):
        return None
    again = dict.fromkeys(sorted({*changed, *before.edges.unsettled.tolist()}))
    uses = facts.uses(again)
    uses.names_before = before.edges.local_names
    found = Collecting(len(names), len(documents), before.edges.external)
    kept = before.rows(without=again)
    found.keep(kept)
    cycles = _collect(documents, uses, again, found)
    numbered = before.numbered(found, kept)
    # Requests are for routes, which were not read in all documents.
    is_asked = bool(np.any(found.rows()[len(kept) :, 1] == KIND["consumes_endpoint"]))
    is_limited = cycles.is_limited or parsing.has_wasted or facts.missing or past.missing
    if numbered is None or is_limited or is_asked:
        return None
    return _edges(*numbered, cycles.documents, uses)


def _edges(rows: Rows, external: tuple[str, ...], unsettled: Iterable[int], uses: Uses) -> Edges:
    edges = Edges.of(rows, external)
    numbers = np.array(sorted(unsettled), np.int32)
    return replace(edges, unsettled=numbers, local_names=uses.local_names())


def _is_by_document(uses: Uses) -> bool:
    """Tell whether all facts about a definition or document are those of its own document."""
    names = uses.names
    owners = (names.document[one] == document for one, document in _owned(names))
    rules = (language.uses for language in names.languages if language)
    is_split = uses.packages or uses.remote_bases or any(one.structural for one in rules)
    return not is_split and not len(names.symbols.unparsed) and all(owners)


def _owned(names: Names) -> Iterator[tuple[int, int]]:
    """Yield the owner of each member, and the document of the member."""
    pairs = zip(names.owner, names.document, strict=True)
    return ((owner, document) for owner, document in pairs if owner >= 0)


def _collect(
    documents: Documents, uses: Uses, chosen: Collection[int], found: Collecting
) -> Cycles:
    """Add all edges of the chosen documents, and the edges of others that are found quickly."""
    names = uses.names
    resolver = Resolver(names, uses, _modules(documents, names, uses))
    try:
        resolver.lineage.place_remote()
        add_membership(names, found)
        add_bases(chosen, uses, resolver, found)
        add_structural(names, resolver, found)
        add_inheritance(chosen, names, resolver, found)
        Usage(names, uses, resolver, found).add(chosen)
        add_tests(names, found)
        add_manifests(documents, found)
        add_documentation(documents, names, found)
        add_owners(documents, found)
        add_authors(names, found)
        return resolver.cycles
    finally:
        resolver.close()


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
