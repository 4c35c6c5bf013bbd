"""Symbols that no walk should start from: external and built code, mocks, very short names."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from retrievers.graph.model import EXTERNAL, CodeGraph, Flags, Keywords
from retrievers.graph.seeding.keywords import parts

_Texts = tuple[str, ...]


@dataclass(frozen=True)
class Noise:
    """The criteria of noise. An empty list turns its criterion off."""

    kinds: _Texts = (EXTERNAL,)
    unless_named: _Texts = ("field", "variable", "variant", "declaration")
    """Kinds that are noise unless the task has their name, since words of prose match too many."""
    prefixes: _Texts = ("external://", "stdlib://")
    folders: _Texts = ("dist", "build", "vendor", "node_modules")
    built: _Texts = (".min.", ".bundle.")
    """Parts of the names of built files."""
    test_files: _Texts = ("conftest.py", "fixtures.py")
    test_paths: _Texts = ("/testutil", "/testhelper", "test_helper")
    doubles: _Texts = ("mock", "fake", "stub")
    """Words in the names of test doubles. No setting here depends on the case of letters."""
    name_letters: int = 3
    """Minimum length of a name: minifiers produce shorter ones."""
    short_names: _Texts = ("id", "ok", "db", "ip", "io", "go", "do")
    """Shorter names that have a meaning."""


class NoiseFilter:
    """Decides for every node whether it is noise, and whether this holds for tasks about tests."""

    def __init__(self, graph: CodeGraph, settings: Noise) -> None:
        self._settings = settings
        self._unless_named = _of_kinds(graph, settings.unless_named)
        self._nameable: dict[str, list[int]] = {}
        for node in np.flatnonzero(self._unless_named).tolist():
            last = graph.names[node].rpartition(".")[2].lower()
            self._nameable.setdefault(last, []).append(node)
        # External nodes have document -1, which selects the last flag.
        built = np.array([*(_is_built(path, settings) for path in graph.files), True])
        helping = np.array([*(_helps_tests(path, settings) for path in graph.files), False])
        self._always = built[graph.document] | _of_kinds(graph, settings.kinds)
        self._always[_saying_nothing(graph, settings)] = True
        self._unless_tests = helping[graph.document]
        self._unless_tests[_doubles(graph, settings)] = True

    def noisy(self, keywords: Keywords, *, spare_tests: bool) -> Flags:
        """Return for every node whether it is noise. `spare_tests` keeps helpers of tests."""
        noise = self._always if spare_tests else self._always | self._unless_tests
        named = [
            node
            for name in (*keywords.exact, *keywords.compounds)
            for node in self._nameable.get(name.rpartition(".")[2].lower(), ())
        ]
        unnamed = self._unless_named.copy()
        unnamed[named] = False
        return np.asarray(noise | unnamed)


def _saying_nothing(graph: CodeGraph, settings: Noise) -> list[int]:
    prefixes, letters, known = settings.prefixes, settings.name_letters, settings.short_names
    return [
        node
        for node, name in enumerate(graph.names)
        # The dot before a short last part is near the end. This test avoids splitting most names.
        if name.startswith(prefixes)
        or (
            (len(name) < letters or "." in name[-letters:])
            and (last := name.rpartition(".")[2]).lower() not in known
            and len(last) < letters
        )
    ]


def _doubles(graph: CodeGraph, settings: Noise) -> list[int]:
    """Return the nodes with the name of a test double, and the nodes inside them."""
    # Few names contain one of the words at all, and only these need to be split.
    names = [name.lower() for name in graph.names[: len(graph) - graph.external_count]]
    doubles = _lower(settings.doubles)
    hinted = {node for word in doubles for node, name in enumerate(names) if word in name}
    return [
        node
        for node in sorted(hinted)
        if any(_names_double(part, doubles) for part in _around(graph, node))
    ]


def _of_kinds(graph: CodeGraph, kinds: _Texts) -> Flags:
    wanted = frozenset(kinds)
    return np.fromiter((kind in wanted for kind in graph.kinds), bool, len(graph))


def _is_built(path: str, settings: Noise) -> bool:
    folders = path.lower().split("/")[:-1]
    in_folder = not _lower(settings.folders).isdisjoint(folders)
    return in_folder or any(mark in path.lower() for mark in _lower(settings.built))


def _helps_tests(path: str, settings: Noise) -> bool:
    whole = "/" + path.lower()
    name = whole.rpartition("/")[2]
    is_helper = name in _lower(settings.test_files)
    return is_helper or any(mark in whole for mark in _lower(settings.test_paths))


@lru_cache(maxsize=32)
def _lower(words: _Texts) -> frozenset[str]:
    return frozenset(word.lower() for word in words)


def _around(graph: CodeGraph, node: int) -> list[str]:
    """Return the names of a symbol and the symbols around it, such as a type and its method."""
    depth = 1
    outer = int(graph.parent[node])
    while outer >= 0:
        depth, outer = depth + 1, int(graph.parent[outer])
    return graph.names[node].split(".")[-depth:]


def _names_double(name: str, doubles: frozenset[str]) -> bool:
    return not doubles.isdisjoint(parts(name))
