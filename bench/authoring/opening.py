"""Opens the sets of queries at a path: a suite, a corpus with its own documents, or queries."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from bench.corpora import (
    EVERY_FILE,
    AnyCommit,
    FileChoice,
    LocalSource,
    Source,
    at_commit,
    read_source,
)
from bench.corpora.rules import BY_NAME
from bench.errors import FixtureError, UsageError
from bench.files import data_folder, read_yaml
from bench.queries import (
    FORMATS,
    CorpusFolder,
    Entry,
    Fault,
    Formats,
    asked_of,
    corpus_format,
    read_corpus,
    read_entries,
    refuse_duplicates,
    refuse_several_commits,
)
from bench.queries.resolution import Tree
from bench.settings import RepositorySettings, SuiteSettings
from bench.settings.suite import parse_suite
from bench.settings.trust import refuse_interpolations
from bench.study.own_folders import patterns_inside
from retrievers.interface import Documents
from retrievers.source import find_symbols

_LARGEST_SUITE = 1_000_000


@dataclass(frozen=True)
class OpenedSet:
    """The queries about one repository, and its documents at each of their commits."""

    name: str
    entries: tuple[Entry, ...]
    documents_at: Callable[[str], Documents]
    faults: tuple[Fault, ...] = ()
    inside: tuple[str, ...] = ()
    """Files of queries inside the searched folder, which are excluded from the documents."""
    left_out: Callable[[str], str] = lambda _path: ""
    """Returns the rule that excludes a path from the documents, or ""."""
    queries_file: Path = Path()
    source: Source | AnyCommit | None = None
    """Source of the documents; None if the set contains them."""

    @property
    def documents(self) -> Documents:
        """The documents; an error if the queries are about several commits."""
        if self.entries:
            refuse_several_commits(self.entries)
        return self.documents_at(self.entries[0].commit if self.entries else "")

    def tree_of(self, *, most_matches: int = 1) -> Callable[[Entry], Tree]:
        """Return a function that returns the tree of a query; the last two trees are cached."""

        @lru_cache(maxsize=2)
        def tree(commit: str) -> Tree:
            documents = self.documents_at(commit)
            return Tree.of(documents, find_symbols(documents), most_matches)

        return lambda entry: tree(entry.commit)


def open_sets(
    path: Path,
    *,
    repository: str = "",
    commit: str = "",
    tolerant: bool = False,
    formats: Formats = FORMATS,
) -> Iterator[OpenedSet]:
    """Yield every set at a path; `repository` is the tree for plain queries.

    `commit` is the commit for queries without one. With `tolerant`, invalid records are kept as
    faults. Otherwise the first one is an error.
    """
    suite = find_suite(path)
    reading = _Reading(commit, tolerant, formats)
    if suite is not None:
        several = len(suite.repositories) > 1
        for one in suite.repositories:
            yield reading.of_repository(one, asked_as=one.name if several else "")
    elif not path.exists():
        message = f"{path}: there is no such file, folder or suite; check the path"
        raise UsageError(message)
    elif corpus_format(path, formats):
        yield reading.of_corpus(path)
    else:
        yield reading.of_repository(asked_repository(path, repository))


def find_suite(path: Path) -> SuiteSettings | None:
    """Return the suite in a file, or the shipped suite of that name; None for other paths."""
    shipped = data_folder("conf") / "suite" / f"{path}.yaml"
    if not path.is_file() and path.parent == Path() and shipped.is_file():
        path = shipped
    if path.suffix not in (".yaml", ".yml") or not path.is_file():
        return None
    if path.stat().st_size > _LARGEST_SUITE:
        return None
    try:
        content = read_yaml(path, FixtureError)
    except FixtureError:
        return None
    if not isinstance(content, Mapping) or not {"repositories", "include"} & set(content):
        return None
    refuse_interpolations(content, str(path))
    is_shipped = content.get("kind") == "repositories"
    suite = content if is_shipped else {"kind": "file", "path": str(path)}
    return parse_suite({"suite": suite})


def asked_repository(path: Path, repository: str) -> RepositorySettings:
    """Return the tree that the queries at `path` are about."""
    if not repository:
        message = f"{path}: needs the source that its queries are about; add --repository FOLDER"
        raise UsageError(message)
    suite = {"name": "own", "kind": "own"}
    config = {"suite": suite, "repository": repository, "queries": str(path)}
    return parse_suite(config).repositories[0]


@dataclass(frozen=True)
class _Reading:
    """Reader of sets. With `tolerant`, invalid records are collected instead of raised."""

    commit: str
    tolerant: bool
    formats: Formats

    def of_corpus(self, path: Path, name: str = "") -> OpenedSet:
        """Return the set of a corpus with its own documents."""
        entries, faults = self._entries(path)
        documents = read_corpus(path, self.formats)
        name = name or path.name
        return OpenedSet(name, entries, lambda _commit: documents, faults, queries_file=path)

    def of_repository(self, repository: RepositorySettings, *, asked_as: str = "") -> OpenedSet:
        """Return the set of one repository, without queries that name another."""
        source, path = repository.source, repository.queries
        if isinstance(source, CorpusFolder):
            return self.of_corpus(path, repository.name)
        entries, faults = self._entries(path)
        entries = asked_of(entries, asked_as) if asked_as else entries
        is_only = len({one.commit for one in entries}) <= 1
        inside = _files_inside(source, path) if is_only else ()

        @lru_cache(maxsize=1)
        def documents_at(commit: str) -> Documents:
            at = at_commit(source, commit or self.commit, is_only=is_only)
            return read_tree(at, path, repository.files)

        rule = _rule_of(source, documents_at, repository.files)
        return OpenedSet(
            repository.name, entries, documents_at, faults, inside, rule, path, source
        )

    def _entries(self, path: Path) -> tuple[tuple[Entry, ...], tuple[Fault, ...]]:
        faults: list[Fault] = []
        gathered = faults if self.tolerant else None
        entries = read_entries(path, faults=gathered, formats=self.formats)
        if not self.tolerant:
            refuse_duplicates(entries)
        return entries, tuple(faults)


def read_tree(source: Source, queries: Path, files: FileChoice = EVERY_FILE) -> Documents:
    """Return the documents of a source, without the file of queries if it is inside."""
    exclude: tuple[str, ...] = ()
    if isinstance(source, LocalSource):
        exclude = patterns_inside(Path(source.path), (queries,))
    return read_source(source, exclude=exclude, files=files).documents


def _name_inside(source: Source | AnyCommit, queries: Path) -> str:
    """Return the path of the queries relative to a folder, or "" if they are not inside."""
    if not isinstance(source, LocalSource):
        return ""
    root = Path(source.path).resolve()
    inside = root in queries.resolve().parents
    return queries.resolve().relative_to(root).as_posix() if inside else ""


def _files_inside(source: Source | AnyCommit, queries: Path) -> tuple[str, ...]:
    """Return the files of queries that would be documents without their exclusion."""
    name = _name_inside(source, queries)
    if not name or not isinstance(source, LocalSource):
        return ()
    found = read_source(source)
    paths = (*found.documents.paths, *found.own_files)
    held = [path for path in paths if path == name or path.startswith(f"{name}/")]
    return tuple(str(Path(source.path).resolve() / path) for path in held)


def _rule_of(
    source: Source | AnyCommit, documents_at: Callable[[str], Documents], files: FileChoice
) -> Callable[[str], str]:
    """Return a function that names the rule that excludes a path from the tree, or returns ""."""
    root = Path(source.path) if isinstance(source, LocalSource) else None

    def rule(path: str) -> str:
        if not path or (root and path in documents_at("").places):
            return ""
        file = root / path if root and ".." not in path.split("/") else None
        exists = file is not None and file.is_file()
        if root and not exists:
            return ""
        size = file.stat().st_size if file and exists else 0
        named = files.rule(path)
        named = named or next((name for name, holds in BY_NAME if holds(path, size)), "")
        return named or (
            "ignored, generated, binary, a link or written by rankgrid" if exists else ""
        )

    return rule
