"""Edges derived from symbols and other edges: membership, inheritance, tests."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import islice, permutations
from pathlib import PurePosixPath

import numpy as np

from retrievers.source.edges.collecting import Collecting
from retrievers.source.edges.names import Names
from retrievers.source.edges.resolver import Resolver
from retrievers.source.edges.uses import Uses

_SUBJECTS = 6
"""Maximum number of definitions that a test may call to relate any two of them."""
_INTERFACES = 100
"""Maximum number of interfaces that a type implements by its methods alone."""
_INHERITED = 300
"""Maximum number of inherited methods per type."""
_FEWEST_METHODS = 2
"""Minimum number of methods and bases of such an interface; one method matches by accident."""


def add_membership(names: Names, found: Collecting) -> None:
    """Add edges between each definition and its owner: another definition or the file."""
    for row, owner in enumerate(names.owner):
        line = names.line(row)
        holder = owner if owner >= 0 else found.file(names.document[row])
        holder_line = line if owner < 0 or names.document[owner] == names.document[row] else 1
        found.add("contains", holder, row, holder_line)
        found.add("member_of", row, holder, line)


def add_bases(
    documents: Collection[int], uses: Uses, resolver: Resolver, found: Collecting
) -> None:
    """Add edges from each type in documents to the bases that it extends or implements."""
    names = uses.names
    # Resolving a base may read other documents.
    for row, bases in list(uses.bases.items()):
        if names.document[row] not in documents:
            continue
        found.document = names.document[row]
        for base in bases:
            value = resolver.lineage.base(base)
            line = base.line if base.document == names.document[row] else names.line(row)
            kind = base.kind
            if value and value.what == "symbol":
                is_interface = names.is_interface(value.row)
                said = "implements" if is_interface and names.kinds[row] != "interface" else kind
                found.add(said, row, value.row, line)
            elif value and value.what == "outside":
                found.add(kind, row, found.external(value.name), line)
        resolver.cycles.note(names.document[row])


def add_structural(names: Names, resolver: Resolver, found: Collecting) -> None:
    """Add edges from types to the interfaces whose methods they all have."""
    rows = [row for row in range(len(names)) if names.is_type(row)]
    rows = [row for row in rows if names.language(names.document[row]).uses.structural]
    owners: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        for name in () if names.is_interface(row) else _methods(row, names):
            owners[name].add(row)
    left = Counter(dict.fromkeys(rows, _INTERFACES))
    for row in rows:
        wanted = _methods(row, names) if names.is_interface(row) else {}
        if not wanted or len(wanted) + len(resolver.lineage.bases(row)) < _FEWEST_METHODS:
            continue
        held = sorted((owners[name] for name in wanted), key=len)
        for one in sorted(held[0].intersection(*held[1:])):
            left[one] -= 1
            if left[one] >= 0:
                found.add("implements", one, row, names.line(one), is_inferred=True)


def add_inheritance(
    documents: Collection[int], names: Names, resolver: Resolver, found: Collecting
) -> None:
    """Add edges for inherited methods and for overridden methods.

    Private methods are not inherited. Types in tests get no `inherits` edges, because each of
    them inherits all assertions of the test framework.
    """
    for document in documents:
        for row in filter(names.is_type, names.rows_of.get(document, ())):
            _add_overrides(row, names, resolver, found)
            if not is_test(names, document):
                _add_inherited(row, names, resolver, found)
        resolver.cycles.note(document)


def _add_overrides(row: int, names: Names, resolver: Resolver, found: Collecting) -> None:
    left = _methods(row, names)
    for ancestor in resolver.lineage.ancestors(row) if left else ():
        above = _methods(ancestor, names)
        for name in left.keys() & above.keys():
            method = left.pop(name)
            found.add("overrides", method, above[name], names.line(method))


def _add_inherited(row: int, names: Names, resolver: Resolver, found: Collecting) -> None:
    for method in islice(_inherited(row, names, resolver), _INHERITED):
        found.add("inherits", row, method, names.line(row))


def _inherited(row: int, names: Names, resolver: Resolver) -> Iterator[int]:
    own = names.members.get(row, {})
    for base in resolver.lineage.bases(row):
        for name, method in _methods(base.row, names).items() if base.what == "symbol" else ():
            if name not in own and names.symbols.visibility[method] != "private":
                yield method


def _methods(row: int, names: Names) -> dict[str, int]:
    members = names.members.get(row, {})
    return {
        name: one
        for name, one in members.items()
        if names.is_method(one) and names.kinds[one] != "constructor"
    }


def add_tests(names: Names, found: Collecting) -> None:
    """Add edges between tests, the definitions that they call, and pairs of these."""
    in_test = np.array([_in_test(names, row) for row in range(len(names))], bool)
    subjects: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
    # The tests of documents whose edges were kept come first: their calls are sorted.
    for rows in (found.found("tests"), found.found("calls")):
        inner = rows[np.all(rows[:, [0, 2]] < len(names), axis=1)]
        tests = inner[in_test[inner[:, 0]] & ~in_test[inner[:, 2]]]
        for source, _, target, line, provenance in tests.tolist():
            subjects[source].setdefault(target, (line, provenance))
    for test, called in subjects.items():
        for subject, (line, provenance) in called.items():
            start = names.line(subject)
            is_inferred = bool(provenance)
            found.add("tests", test, subject, line, is_inferred=is_inferred)
            found.add("tested_by", subject, test, start, is_inferred=is_inferred)
        if len(called) <= _SUBJECTS:
            for one, other in permutations(called, 2):
                start = names.line(one)
                found.add("co_tested_with", one, other, start, is_inferred=True)


def _in_test(names: Names, row: int) -> bool:
    """Tell whether a definition is in a test file or a test module, such as Rust's `tests`."""
    document = names.document[row]
    modules = names.language(document).uses.test_modules
    return is_test(names, document) or (
        bool(modules)
        and any(names.simple[one] in modules for one in names.around(row) if one != row)
    )


def is_test(names: Names, document: int) -> bool:
    """Tell whether the path of a file matches the test patterns of its language."""
    language = names.languages[document]
    return language is not None and _is_test(names.paths[document], language.uses.tests)


@lru_cache(100_000)
def _is_test(path: str, patterns: tuple[str, ...]) -> bool:
    *folders, name = PurePosixPath(path).parts
    held = {f"{part}/" for part in folders}
    return any(one in held or fnmatchcase(name, one) for one in patterns)
