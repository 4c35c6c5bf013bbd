"""Edges from string literals: environment variables, processes, handled and requested routes."""

from collections import defaultdict
from urllib.parse import urlsplit

from retrievers.source.edges.collecting import Collecting
from retrievers.source.edges.expressions import CALLED, UNKNOWN
from retrievers.source.edges.names import Names
from retrievers.source.edges.resolver import Resolver
from retrievers.source.edges.uses import Use

_VIEWS = ("as_view", "asView")
_VERBS = ("get", "post", "put", "patch", "delete", "head", "options")


class Literals:
    """Conversion of string arguments to edges."""

    def __init__(self, names: Names, resolver: Resolver, found: Collecting) -> None:
        self._names = names
        self._resolver = resolver
        self._found = found
        self._handled: dict[str, set[str]] = defaultdict(set)
        self._asked: list[tuple[Use, int, str]] = []

    def add_text(self, use: Use, document: int) -> None:
        """Add an edge to the environment variable or program that a text names, if any."""
        name, words = self._outside(use, document), use.text.split()
        rules = self._names.language(document).uses
        if name in rules.reads_env:
            self._add("reads_env", use, document, f"env:{use.text}")
        elif name in rules.executes_process and words:
            self._add("executes_process", use, document, f"process:{words[0]}")

    def add_endpoint(self, use: Use, document: int) -> None:
        """Collect a requested address. `add_asked` adds the edge once all routes are known."""
        name = self._outside(use, document)
        if name in self._names.language(document).uses.consumes_endpoint:
            self._asked.append((use, document, name))

    def add_route(self, use: Use, document: int) -> None:
        """Add an edge from a handler, an argument or a decorated function, to its route."""
        row = use.row
        if use.handler:
            path = use.handler
            while path[-1] == CALLED or path[-1] in _VIEWS:
                path = path[:-1] or (UNKNOWN,)
            value = self._resolver.used(path, document, use.row)
            row = value.row if value and value.what == "symbol" else -1
        verb = use.path[-1].lower().removesuffix("mapping")
        verb = _verb(verb.removeprefix("http").removeprefix("map"))
        # A call such as `settings.get("key", default)` looks like a route with a verb.
        is_address = use.text.startswith("/") or not (verb and use.handler)
        if row >= 0 and is_address:
            route = _route(verb, use.text)
            self._handled[use.text].add(route)
            handler = self._names.document[row]
            line = use.line if handler == document else self._names.line(row)
            if handler != document:
                # The edges of one document are found in the other.
                self._resolver.cycles.documents |= {handler, document}
            self._found.add("handles_route", row, self._found.external(route), line)

    def add_asked(self) -> None:
        """Add edges to requested addresses.

        A request without a verb goes to the only handled route with its address, if there is one.
        """
        for use, document, name in self._asked:
            self._found.document = document
            path = _path_of(use.text)
            verb = _verb(name.rpartition(".")[2].lower())
            handled = self._handled.get(path, set())
            only = next(iter(handled)) if len(handled) == 1 and not verb else ""
            self._add("consumes_endpoint", use, document, only or _route(verb, path))

    def _outside(self, use: Use, document: int) -> str:
        """Return the full name of the external function that receives a text, or an empty text."""
        value = self._resolver.used(use.path, document, use.row)
        return value.name if value and value.what == "outside" else ""

    def _add(self, kind: str, use: Use, document: int, target: str) -> None:
        source = self._found.source(use.row, document)
        self._found.add(kind, source, self._found.external(target), use.line)


def _verb(name: str) -> str:
    return name.upper() if name in _VERBS else ""


def _route(verb: str, path: str) -> str:
    return f"route:{verb} {path}" if verb else f"route:{path}"


def _path_of(address: str) -> str:
    """Return the path of a URL without host, query and fragment."""
    try:
        return urlsplit(address).path or "/"
    except ValueError:
        return address
