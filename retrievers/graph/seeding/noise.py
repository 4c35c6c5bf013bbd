"""What no walk should start from: code of others, built code, mocks, names of no meaning."""

from dataclasses import dataclass

import numpy as np

from retrievers.graph.model import EXTERNAL, CodeGraph, Flags, Keywords
from retrievers.graph.seeding.keywords import parts

_Texts = tuple[str, ...]


@dataclass(frozen=True)
class Noise:
    """What counts as noise; an empty list lets everything of its sort through."""

    kinds: _Texts = (EXTERNAL,)
    unless_named: _Texts = ("field", "variable", "variant", "declaration")
    """Kinds that only what a task calls by its name may lead to: words of prose hit too many."""
    prefixes: _Texts = ("external://", "stdlib://")
    folders: _Texts = ("dist", "build", "vendor", "node_modules")
    built: _Texts = (".min.", ".bundle.")
    """What the names of built files hold."""
    test_files: _Texts = ("conftest.py", "fixtures.py")
    test_paths: _Texts = ("/testutil", "/testhelper", "test_helper")
    doubles: _Texts = ("mock", "fake", "stub")
    """Words of types that replace others in tests."""
    name_letters: int = 3
    """Names with fewer letters are what minifiers leave."""
    short_names: _Texts = ("id", "ok", "db", "ip", "io", "go", "do")
    """Short names that mean something."""


class NoiseFilter:
    """Knows of every node whether it is noise, and whether only for tasks that are not tests."""

    def __init__(self, graph: CodeGraph, settings: Noise) -> None:
        self._settings = settings
        self._unless_named = _of_kinds(graph, settings.unless_named)
        self._nameable: dict[str, list[int]] = {}
        for node in np.flatnonzero(self._unless_named).tolist():
            last = graph.names[node].rpartition(".")[2].lower()
            self._nameable.setdefault(last, []).append(node)
        # The last flag belongs to nodes outside, whose document is -1.
        built = np.array([*(_is_built(path, settings) for path in graph.files), True])
        helping = np.array([*(_helps_tests(path, settings) for path in graph.files), False])
        self._always = built[graph.document] | _of_kinds(graph, settings.kinds)
        self._always[_saying_nothing(graph, settings)] = True
        self._unless_tests = helping[graph.document]
        self._unless_tests[_doubles(graph, settings)] = True

    def noisy(self, keywords: Keywords, *, spare_tests: bool) -> Flags:
        """Return for every node whether it is noise; what helps tests may be spared."""
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
        # The dot before a short last part is near the end: few names are taken apart.
        if name.startswith(prefixes)
        or (
            (len(name) < letters or "." in name[-letters:])
            and (last := name.rpartition(".")[2]).lower() not in known
            and len(last) < letters
        )
    ]


def _doubles(graph: CodeGraph, settings: Noise) -> list[int]:
    """Return the nodes that are called like a double, or are within one that is."""
    # Few names hold one of the words at all, and only those need to be taken apart.
    names = [name.lower() for name in graph.names[: len(graph) - graph.external_count]]
    doubles = [word.lower() for word in settings.doubles]
    hinted = {node for word in doubles for node, name in enumerate(names) if word in name}
    return [
        node
        for node in sorted(hinted)
        if any(_names_double(part, settings) for part in _around(graph, node))
    ]


def _of_kinds(graph: CodeGraph, kinds: _Texts) -> Flags:
    wanted = frozenset(kinds)
    return np.fromiter((kind in wanted for kind in graph.kinds), bool, len(graph))


def _is_built(path: str, settings: Noise) -> bool:
    folders = path.lower().split("/")[:-1]
    in_folder = not set(folders).isdisjoint(settings.folders)
    return in_folder or any(mark in path.lower() for mark in settings.built)


def _helps_tests(path: str, settings: Noise) -> bool:
    whole = "/" + path.lower()
    name = whole.rpartition("/")[2]
    return name in settings.test_files or any(mark in whole for mark in settings.test_paths)


def _around(graph: CodeGraph, node: int) -> list[str]:
    """Return the name of a symbol and of those it is in, such as a type and its method."""
    depth = 1
    outer = int(graph.parent[node])
    while outer >= 0:
        depth, outer = depth + 1, int(graph.parent[outer])
    return graph.names[node].split(".")[-depth:]


def _names_double(name: str, settings: Noise) -> bool:
    return not set(parts(name)).isdisjoint(settings.doubles)
