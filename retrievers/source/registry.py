"""The languages whose definitions can be found, with one folder each under `languages/`.

A folder has `language.toml` (extensions, grammar, rules of names and visibility) and two
tree-sitter queries: `definitions.scm` for the definitions in a file and `edges.scm` for its uses.
`patterns.toml` next to the folders has the languages without a grammar. Other code never names a
language. docs/languages.md and docs/edges.md describe these files.
"""

import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from retrievers.source.rules import EdgeRules, NameRules, PatternRules, VisibilityRules

LANGUAGES = Path(__file__).resolve().parent / "languages"
_JOINTS = (".", "::", ":")
_OWNERS = ("this", "self", "_", "__", "x")
_AROUND = "`'*@ "
_OPENNESS = tuple((word, word) for word in ("private", "protected", "internal"))
_MARKS = r"(?m)^[ \t]*(?:--+|;+|%+|!+|\(\*)[ \t]?|\*\)$"
"""Comment marks that are removed, in addition to the marks common to all languages."""
_PATHS = 65_536
"""Size of the caches by path, since every symbol of a file asks for its path."""


@dataclass(frozen=True, slots=True)
class Language:
    """The rules for recognising, parsing and interpreting the files of a language."""

    name: str
    extensions: tuple[str, ...]
    grammar: str
    """The package of the grammar; blank for patterns."""
    entry: str
    """The function of that package which returns the grammar."""
    folder_files: tuple[str, ...]
    """Stems of files that represent their folder in qualified names."""
    definitions: str
    """The query that finds definitions."""
    names: NameRules
    visibility: VisibilityRules
    edges: str
    """The query that finds uses: calls, imports, bases, types."""
    uses: EdgeRules
    unread: str
    """A regular expression whose first group is hidden from the parser: macros that are unknown to
    the grammar."""
    doc_noise: str
    """A regular expression for the parts of a documentation comment that are not text."""
    patterns: PatternRules | None = None
    """The rules that find definitions without a grammar."""


@cache
def languages(folder: Path = LANGUAGES) -> tuple[Language, ...]:
    """Return all languages with a grammar and a folder in `folder`, by name."""
    folders = sorted(path.parent for path in folder.glob("*/language.toml"))
    return tuple(_read(one) for one in folders)


@cache
def pattern_languages(folder: Path = LANGUAGES) -> tuple[Language, ...]:
    """Return all languages without a grammar, whose definitions are found by patterns, by name."""
    file = folder / "patterns.toml"
    declared = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    shared = {name: declared.pop(name) for name in ("modifiers", "keywords") if name in declared}
    return tuple(_by_patterns(name, shared | table) for name, table in sorted(declared.items()))


def _by_patterns(name: str, table: Mapping[str, Any]) -> Language:
    """Return a language without a grammar from its table."""
    others = ("extensions", "clauses", "joints", "more")
    rules = {key: value for key, value in table.items() if key not in others}
    rules["keywords"] = rules["keywords"] | table.get("more", {})
    return Language(
        name=name,
        extensions=tuple(table["extensions"]),
        grammar="",
        entry="",
        folder_files=(),
        definitions="",
        edges="",
        uses=EdgeRules(family=name),
        names=NameRules(
            separators=tuple(table.get("joints", _JOINTS)),
            strip=_AROUND,
            drop=_OWNERS,
            clauses=tuple(table.get("clauses", ())),
        ),
        unread="",
        doc_noise=_MARKS,
        visibility=VisibilityRules(words=_OPENNESS),
        patterns=PatternRules(**_tuples(rules)),
    )


@lru_cache(maxsize=_PATHS)
def language_of(path: str, folder: Path = LANGUAGES) -> Language | None:
    """Return the language of the file at `path`, or None."""
    return _by_extension(folder).get(PurePosixPath(path).suffix)


def extensions_of(names: Collection[str]) -> tuple[str, ...]:
    """Return the extensions of these languages, sorted."""
    known = _by_extension(LANGUAGES)
    return tuple(sorted(one for one, language in known.items() if language.name in names))


def language_names() -> tuple[str, ...]:
    """Return the names of all languages, with or without a grammar, sorted."""
    return tuple(sorted({one.name for one in _by_extension(LANGUAGES).values()}))


@lru_cache(maxsize=_PATHS)
def module_name(path: str, folder: Path = LANGUAGES) -> str:
    """Return the first part of the qualified names in a file: its path, dotted."""
    language = language_of(path, folder)
    parts = PurePosixPath(path).with_suffix("").parts if language else PurePosixPath(path).parts
    if language and parts[-1] in language.folder_files:
        parts = parts[:-1]
    return ".".join(parts)


@cache
def _by_extension(folder: Path) -> dict[str, Language]:
    every = (*pattern_languages(folder), *languages(folder))
    return {extension: one for one in every for extension in one.extensions}


def _read(folder: Path) -> Language:
    declared = tomllib.loads((folder / "language.toml").read_text(encoding="utf-8"))
    edges = declared.get("edges", {})
    return Language(
        name=folder.name,
        extensions=tuple(declared["extensions"]),
        grammar=declared["grammar"],
        entry=declared["entry"],
        folder_files=tuple(declared.get("folder_files", ())),
        definitions=_query(folder, "definitions.scm", declared.get("extends", ())),
        edges=_query(folder, "edges.scm", edges.pop("extends", ())),
        uses=EdgeRules(**{"family": folder.name} | _tuples(edges)),
        names=NameRules(**_tuples(declared.get("names", {}))),
        unread=declared.get("unread", ""),
        doc_noise=declared.get("doc_noise", ""),
        visibility=VisibilityRules(**_tuples(declared.get("visibility", {}))),
    )


def _query(folder: Path, name: str, extends: Sequence[str]) -> str:
    """Return the query of a folder, after the queries of the languages that it extends."""
    files = [folder.parent / one / name for one in (*extends, folder.name)]
    return "\n".join(file.read_text(encoding="utf-8") for file in files if file.exists())


def _tuples(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table with its lists and inner tables as tuples."""
    return {name: _as_tuple(value) for name, value in table.items()}


def _as_tuple(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple(value.items())
    if isinstance(value, list):
        return tuple(_as_tuple(item) for item in value)
    return value
