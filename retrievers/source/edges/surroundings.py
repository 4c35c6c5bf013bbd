"""Edges from documentation, CODEOWNERS files and author tags."""

import re
from collections import defaultdict
from pathlib import PurePosixPath

from retrievers.gitignore import LONGEST_PATTERN, IgnorePatterns
from retrievers.interface import Documents
from retrievers.source.edges.collecting import Collecting
from retrievers.source.edges.manifests import add_author
from retrievers.source.edges.modules import files_named
from retrievers.source.edges.names import Names
from retrievers.source.edges.relations import is_test
from retrievers.source.symbols import CODE_KINDS

_PROSE = (".md", ".rst", ".mdx", ".markdown")
_MENTION = re.compile(r"`{1,2}~?([A-Za-z_][\w.]{3,100})(?:\(\))?`{1,2}")
_AUTHOR = re.compile(r"(?m)^[@\\]author[ \t:]+(\S.{1,100})$")
_MENTIONS = 500
"""Maximum number of mentions per file; a file with more is a list of names."""
_NAMESAKES = 100
"""Maximum number of definitions that share the last parts of a mentioned name."""
_RULES = 300
"""Number of the last CODEOWNERS rules that count, because every rule is tried on every file."""


def add_documentation(documents: Documents, names: Names, found: Collecting) -> None:
    """Add edges from prose to the definitions that it names in code font by a unique name."""
    mentioned = _Mentioned(names)
    for document, path in enumerate(documents.paths):
        if PurePosixPath(path).suffix.lower() not in _PROSE:
            continue
        text = documents.source(document).decode("utf-8", "replace")
        place, line = 0, 1
        for count, mention in enumerate(_MENTION.finditer(text)):
            if count == _MENTIONS:
                break
            line += text.count("\n", place, mention.start())
            place = mention.start()
            row = mentioned.row(mention.group(1).strip("."))
            if row is not None:
                found.add("documents", found.file(document), row, line, is_inferred=True)


class _Mentioned:
    """Definitions with a body, without tests, by the last one and two parts of their names."""

    def __init__(self, names: Names) -> None:
        self._names = names.symbols.names
        self._known: dict[str, dict[str, int]] = defaultdict(dict)
        for row, name in enumerate(self._names):
            if names.kinds[row] in CODE_KINDS and not is_test(names, names.document[row]):
                parts = name.rsplit(".", 2)
                for ending in {parts[-1], ".".join(parts[-2:])}:
                    self._known[ending].setdefault(name, row)

    def row(self, text: str) -> int | None:
        """Return the only definition with a name, or None."""
        held = self._known.get(".".join(text.rsplit(".", 2)[-2:]), {})
        if len(held) > _NAMESAKES:
            return None
        rows = [row for name, row in held.items() if f".{name}".endswith(f".{text}")]
        return rows[0] if len(rows) == 1 else None


def add_owners(documents: Documents, found: Collecting) -> None:
    """Add edges from files to their owners, by the last matching rule of a CODEOWNERS file."""
    text = next((text for _, text in files_named(documents, "CODEOWNERS")), "")
    rules: list[tuple[IgnorePatterns, list[str]]] = []
    for written in text.splitlines():
        pattern, *owners = written.partition("#")[0].split() or [""]
        line = pattern.encode("utf-8", "surrogateescape")
        if pattern and not pattern.startswith("[") and len(line) <= LONGEST_PATTERN:
            rules.append((IgnorePatterns([line]), owners))
    for document, path in enumerate(documents.paths if rules else ()):
        fitting = (owners for spec, owners in reversed(rules[-_RULES:]) if spec.excludes(path))
        for owner in next(fitting, ()):
            found.add("owned_by", found.file(document), found.external(f"owner:{owner}"), 1)


def add_authors(names: Names, found: Collecting) -> None:
    """Add edges from definitions to the authors in their documentation."""
    for row, text in enumerate(names.symbols.docs):
        for said in _AUTHOR.finditer(text) if "author" in text else ():
            add_author(said.group(1), found, row, names.line(row))
