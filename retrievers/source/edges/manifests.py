"""Dependencies and authors in the manifests of packages."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from retrievers.interface import Documents
from retrievers.source.edges.collecting import Collecting
from retrievers.source.edges.modules import files_named

_MOST = 2_000
"""Maximum number of packages and of people per manifest; longer lists are generated."""
_LONGEST = 300
"""Maximum length of an author entry in characters."""
_DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)+/")
_GO_VERSION = re.compile(r"v\d")
_PACKAGE = re.compile(r"[A-Za-z0-9][\w.-]*")


class _Said(NamedTuple):
    """Names of packages and people in a manifest."""

    packages: list[str]
    people: list[str]


def add_manifests(documents: Documents, found: Collecting) -> None:
    """Add edges from each manifest to its declared dependencies and authors."""
    for name, read in MANIFESTS.items():
        for path, text in files_named(documents, name):
            source = found.file(documents.places[path])
            said = _said(text, read)
            for package in islice(dict.fromkeys(said.packages), _MOST):
                target = found.external(f"package:{package}")
                found.add("depends_on", source, target, _line(text, package))
            for person in islice(dict.fromkeys(said.people), _MOST):
                add_author(person, found, source, _line(text, person))


def add_author(text: str, found: Collecting, source: int, line: int) -> None:
    """Add an edge to an author by name. Mail addresses are removed for privacy."""
    name = " ".join(re.sub(r"<[^<>]*>|\([^()]*\)|\S+@\S+", " ", text[:_LONGEST]).split())
    if name:
        found.add("authored_by", source, found.external(f"author:{name}"), line)


def _line(text: str, said: str) -> int:
    return text.count("\n", 0, max(0, text.find(said))) + 1


def _said(text: str, read: Callable[[str], _Said]) -> _Said:
    try:
        return read(text)
    except (ValueError, RecursionError):
        return _Said([], [])


def _of_pyproject(text: str) -> _Said:
    project = _table(tomllib.loads(text), "project")
    needed = (_PACKAGE.match(str(one)) for one in _list(project.get("dependencies")))
    people = (one.get("name") for one in _list(project.get("authors")) if isinstance(one, dict))
    return _Said([one.group() for one in needed if one], _texts(people))


def _of_npm(text: str) -> _Said:
    declared = json.loads(text)
    kinds = ("dependencies", "devDependencies", "peerDependencies")
    known = declared if isinstance(declared, dict) else {}
    people = [known.get("author"), *_list(known.get("contributors"))]
    names = (one.get("name") if isinstance(one, dict) else one for one in people)
    return _Said([name for kind in kinds for name in _table(declared, kind)], _texts(names))


def _of_cargo(text: str) -> _Said:
    declared = tomllib.loads(text)
    kinds = ("dependencies", "dev-dependencies", "build-dependencies")
    people = _list(_table(declared, "package").get("authors"))
    return _Said([name for kind in kinds for name in _table(declared, kind)], _texts(people))


def _of_go(text: str) -> _Said:
    return _Said(list(_required(text)), [])


def _required(text: str) -> Iterator[str]:
    for line in text.splitlines():
        words = line.split(maxsplit=3)
        module, *version = words[words[:1] == ["require"] :] or [""]
        if version and _GO_VERSION.match(version[0]) and _DOMAIN.match(module):
            yield module


def _table(declared: Any, name: str) -> Mapping[str, Any]:
    held = declared.get(name) if isinstance(declared, dict) else None
    return held if isinstance(held, dict) else {}


def _list(held: Any) -> list[Any]:
    return held if isinstance(held, list) else []


def _texts(held: Any) -> list[str]:
    return [one for one in held if isinstance(one, str)]


MANIFESTS: Mapping[str, Callable[[str], _Said]] = {
    "pyproject.toml": _of_pyproject,
    "package.json": _of_npm,
    "Cargo.toml": _of_cargo,
    "go.mod": _of_go,
}
