"""The languages whose definitions can be found: one folder each under `languages/`.

A folder holds `language.toml` (which files, which grammar) and `definitions.scm` (a tree-sitter
query whose captures are `@definition.<kind>` and `@name`). Nothing else names a language.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

_FOLDER = Path(__file__).resolve().parent / "languages"


@dataclass(frozen=True, slots=True)
class Language:
    """How the files of one language are recognised and parsed."""

    name: str
    extensions: tuple[str, ...]
    grammar: str
    """The package that holds the grammar."""
    entry: str
    """The function of that package which returns the grammar."""
    folder_files: tuple[str, ...]
    """Stems of files that stand for their folder in qualified names."""
    definitions: str
    """The query that finds definitions."""


@cache
def languages() -> tuple[Language, ...]:
    """Return every language, by name."""
    folders = sorted(path.parent for path in _FOLDER.glob("*/language.toml"))
    return tuple(_read(folder) for folder in folders)


def language_of(path: str) -> Language | None:
    """Return the language of the file at `path`, or None."""
    return _by_extension().get(PurePosixPath(path).suffix)


def module_name(path: str) -> str:
    """Return the first part of the qualified names in a file: its path, dotted."""
    language = language_of(path)
    parts = PurePosixPath(path).with_suffix("").parts if language else PurePosixPath(path).parts
    if language and parts[-1] in language.folder_files:
        parts = parts[:-1]
    return ".".join(parts)


@cache
def _by_extension() -> dict[str, Language]:
    return {extension: one for one in languages() for extension in one.extensions}


def _read(folder: Path) -> Language:
    declared = tomllib.loads((folder / "language.toml").read_text(encoding="utf-8"))
    return Language(
        name=folder.name,
        extensions=tuple(declared["extensions"]),
        grammar=declared["grammar"],
        entry=declared["entry"],
        folder_files=tuple(declared["folder_files"]),
        definitions=(folder / "definitions.scm").read_text(encoding="utf-8"),
    )
