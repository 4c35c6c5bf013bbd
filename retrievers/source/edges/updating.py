"""Edges of an earlier tree that the edges of a tree can be made of.

If the changed documents define, import and bind the same names as before, no name in another
document has a new meaning. Only the uses in the changed documents are resolved again, and those in
unsettled documents, which depend on the order of the resolution.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import PurePosixPath
from typing import Any, TypeVar

import numpy as np

from retrievers.interface import Documents
from retrievers.source.edges.collecting import Collecting
from retrievers.source.edges.expressions import Path, path_of
from retrievers.source.edges.manifests import MANIFESTS
from retrievers.source.edges.model import KIND, Edges, Rows
from retrievers.source.edges.uses import Binding, Uses
from retrievers.source.symbols import Symbols
from retrievers.unchanged import Array, runs

K = TypeVar("K")

_COLUMNS = ("names", "kinds", "visibility", "parent", "document", "unparsed")
"""The columns of the symbols that decide the meaning of names."""
_MOST = 0.5
"""The largest share of documents whose uses are resolved again. With more, everything is."""
_PHASES = (
    ("extends", "implements"),
    (),  # all other kinds
    ("consumes_endpoint",),
    ("imports",),
    ("depends_on", "owned_by", "authored_by"),
)
"""Kinds of edges in the order in which they are found; within a phase by document."""
_AGAIN = ("tested_by", "co_tested_with", "depends_on", "documents", "owned_by", "authored_by")
"""Kinds that are always found again, because they can depend on any document."""


@dataclass(frozen=True)
class Earlier:
    """The edges of an earlier tree."""

    edges: Edges
    documents: Documents
    symbols: Symbols

    def changed(self, documents: Documents, symbols: Symbols) -> list[int] | None:
        """Return the changed documents, or None if there are other files or symbols now."""
        columns = ((getattr(symbols, name), getattr(self.symbols, name)) for name in _COLUMNS)
        if documents.paths != self.documents.paths or not all(_equal(*pair) for pair in columns):
            return None
        found = (run for run in runs(documents, self.documents) if not run.is_kept)
        changed = [one for run in found for one in range(run.first, run.stop)]
        is_known = not any(
            PurePosixPath(documents.paths[one]).name in MANIFESTS for one in changed
        )
        again = {*changed, *self.edges.unsettled.tolist()}
        return changed if is_known and len(again) <= _MOST * len(documents) else None

    def rows(self, without: Collection[int]) -> Rows:
        """Return the edges that are still true, as rows, except those of some documents."""
        table = self._table()
        dropped = np.isin(self._documents_of(table), list(without))
        again = np.isin(table[:, 1], [KIND[kind] for kind in _AGAIN])
        return table[~dropped & ~again]

    def numbered(self, found: Collecting, kept: Rows) -> tuple[Rows, tuple[str, ...]] | None:
        """Return all edges with the external nodes in the order in which all documents name them.

        None if the order is unknown: a changed document named an external node first, and now an
        unchanged one does. Only the sorted order of its edges is known.
        """
        first_external = len(self.symbols.names) + len(self.documents)
        first_before = self._first(self._table(), first_external)
        first_kept = self._first(kept, first_external).items()
        order = {target: (*place, target) for target, place in first_kept}
        for count, (target, (kind, document)) in enumerate(found.first.items()):
            place = (_PHASE[kind], document, count)
            if target not in order or place < order[target]:
                order[target] = place
            elif order[target][:2] != first_before[target]:
                return None
        moved = (order[one][:2] != first_before[one] for one in order if one not in found.first)
        if any(moved):
            return None
        names = found.names()
        ordered = sorted(order, key=order.__getitem__)
        table = found.rows()
        numbers = np.arange(first_external + len(names))
        numbers[ordered] = np.arange(first_external, first_external + len(ordered))
        table[:, 2] = numbers[table[:, 2]]
        return table, tuple(names[one - first_external] for one in ordered)

    def _table(self) -> Rows:
        edges = self.edges
        columns = (edges.source, edges.kind, edges.target, edges.line, edges.provenance)
        return np.stack([column.astype(np.int64) for column in columns], axis=1)

    def _documents_of(self, table: Rows) -> Array:
        """Return the document of the source of each row."""
        every = np.concatenate([self.symbols.document, np.arange(len(self.documents))])
        return every[table[:, 0]]

    def _first(self, table: Rows, first_external: int) -> dict[int, tuple[int, int]]:
        """Return the phase and the document that name each external node first."""
        table = table[table[:, 2] >= first_external]
        phases, documents = np.array(_PHASE)[table[:, 1]], self._documents_of(table)
        order = np.lexsort([documents, phases, table[:, 2]])
        targets, places = np.unique(table[order, 2], return_index=True)
        first = order[places]
        pairs = zip(phases[first].tolist(), documents[first].tolist(), strict=True)
        return dict(zip(targets.tolist(), pairs, strict=True))


_PHASE = [1] * len(KIND)
for _number, _kinds in enumerate(_PHASES):
    for _kind in _kinds:
        _PHASE[KIND[_kind]] = _number


def visible(uses: Uses) -> tuple[object, ...]:
    """Return the facts in `uses` that can decide what other documents mean.

    These are all but the uses themselves, lines, and local names of functions. Local names are
    visible if an attribute, a base, a result or a value in the same function may refer to them.
    """
    names = uses.names
    attributes, given = _bindings(uses.attributes), _bindings(uses.given)
    local = _bindings(uses.bound)
    bases = {row: [base._replace(line=0) for base in held] for row, held in uses.bases.items()}
    remote = [(path, base._replace(line=0)) for path, base in uses.remote_bases]
    rows = {base.row for held in bases.values() for base in held} | set(uses.returns)
    bindings = chain(chain(*attributes.values()), chain(*given.values()))
    rows |= {row for row, *_ in bindings}
    functions = {one for row in rows for one in names.around(row) if names.is_function(one)}
    bound = {key: found for key, found in local.items() if key[0] < 0 or key[0] in functions}
    imported = (uses.imports, uses.wildcards, uses.exports, uses.packages)
    uses_of_all = chain.from_iterable(uses.by_document.values())
    routes = [use._replace(line=0) for use in uses_of_all if use.what == "route"]
    return *imported, routes, remote, bound, attributes, given, uses.accessors, uses.returns, bases


def _bindings(held: Mapping[K, list[Binding]]) -> dict[K, list[tuple[int, str, Path]]]:
    """Return the parts of bindings that decide a value."""
    return {
        key: [(one.row, one.type, path_of(one.value) if one.value else ()) for one in found]
        for key, found in held.items()
    }


def _equal(one: Any, other: Any) -> bool:
    """Tell whether two columns are equal."""
    return bool(one == other if isinstance(one, tuple) else np.array_equal(one, other))
