"""Settings of a suite: repositories to search, each with its file of queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

from bench.commands import command
from bench.corpora import (
    EVERY_FILE,
    AnyCommit,
    CommittedFolder,
    FileChoice,
    GitSource,
    LocalSource,
    Source,
    named_folder,
    parse_source,
    transport_of,
)
from bench.errors import FixtureError, SettingError, nearest
from bench.files import data_folder
from bench.queries import HALVES, CorpusFolder, Half, HalfOf, Missing, Only, find_corpus
from bench.settings.choosing import OF_FILES, parse_files, parse_only, refuse_unknown
from bench.settings.fields import typed
from bench.settings.including import Listed, listed, read_suite

_SHA1_DIGITS = 40
_COLLECTION = "collection"
OF_OWN = ("repository", "queries", *OF_FILES)
"""Settings of the suite `own` only."""
QuestionCopies = Literal["refuse", "allow"]


@dataclass(frozen=True)
class RepositorySettings:
    """A repository of a suite: its name, its source, and the file of its queries."""

    name: str
    source: Source | CorpusFolder | AnyCommit
    queries: Path
    committed: CommittedFolder | None = None
    """The commit to read instead of the folder in `source`."""
    files: FileChoice = EVERY_FILE
    """Selection of the source's files to search."""


@dataclass(frozen=True)
class SuiteSettings:
    """Repositories that are searched with the same trials."""

    name: str
    repositories: tuple[RepositorySettings, ...]
    include_drafts: bool = False
    """Whether unreviewed queries are scored."""
    most_matches: int = 1
    """Maximal number of definitions of a symbol's name; more are ambiguous."""
    missing: Missing = "refuse"
    """Handling of targets that are not in the source."""
    half: Half = "all"
    """Half of the queries to use: for tuning, for reporting, or all."""
    half_of: HalfOf = "queries"
    """Whether to halve the queries of each repository, or the set of repositories."""
    only: Only = field(default_factory=Only)
    """Further selection of queries by repository, tag, category or id."""
    question_copies: QuestionCopies = "refuse"
    """Whether a document may contain several of the questions without being their answer."""
    file: Path | None = None
    """File of the suite, or None for shipped suites."""

    def __post_init__(self) -> None:
        """Refuse invalid values and unknown names."""
        if type(self.most_matches) is not int or self.most_matches < 1:
            message = (
                f"most_matches={typed(self.most_matches)}: must be a whole number of at least 1"
            )
            raise SettingError(f"{message}; write most_matches=1 for example")
        _refuse_others("missing", self.missing, get_args(Missing))
        _refuse_others("half", self.half, HALVES)
        self._check_half_of()
        _refuse_others("question_copies", self.question_copies, get_args(QuestionCopies))
        names = [one.name for one in self.repositories]
        refuse_unknown("repositories", self.only.repositories, names, what="repository")

    def _check_half_of(self) -> None:
        _refuse_others("half_of", self.half_of, get_args(HalfOf))
        if self.half_of == "repositories" and len(self.repositories) == 1:
            message = (
                f"half_of=repositories: suite={self.name} has one repository, which cannot be"
                " halved. Use half_of=queries, or a suite of several"
            )
            raise SettingError(message)

    @property
    def asked_repositories(self) -> tuple[RepositorySettings, ...]:
        """The repositories with selected queries; others are not read."""
        return tuple(one for one in self.repositories if self.only.takes(one.name))

    @property
    def choice(self) -> str:
        """The settings that select queries, as on the command line; "" if all are used."""
        half = "" if self.half == "all" else f"half={self.half}"
        half_of = "half_of=repositories" if half and self.half_of == "repositories" else ""
        return " ".join(part for part in (half, half_of, str(self.only)) if part)


def _refuse_others(name: str, value: object, choices: Sequence[str]) -> None:
    if value not in choices:
        remedy = nearest(str(value), choices)
        raise SettingError(f"{name}={typed(value)}: not one of its values; {remedy}")


def parse_suite(config: Mapping[str, Any]) -> SuiteSettings:
    """Return the suite of a whole configuration."""
    drafts = config.get("include_drafts", False)
    if not isinstance(drafts, bool):
        message = f"include_drafts={typed(drafts)}: must be true or false; write one of them"
        raise SettingError(message)
    most_matches = config.get("most_matches", 1)
    suite = _suite(config)
    return replace(
        suite,
        include_drafts=drafts or suite.include_drafts,
        most_matches=most_matches,
        missing=config.get("missing", "refuse"),
        half=config.get("half", "all"),
        half_of=config.get("half_of", "queries"),
        only=_only(config),
        question_copies=config.get("question_copies", "refuse"),
    )


def _only(config: Mapping[str, Any]) -> Only:
    """Return the selection of queries. A suite may be the part of another with a tag."""
    only = parse_only(config.get("only") or {})
    of_suite = tuple(config["suite"].get("tags") or ())
    return only if only.tags else replace(only, tags=of_suite)


def _suite(config: Mapping[str, Any]) -> SuiteSettings:
    suite = config["suite"]
    if suite.get("kind") == "own":
        return _own_suite(suite, config)
    if suite.get("kind") == "corpus":
        return _corpus_suite(suite)
    folder, file = Path(), None
    if suite.get("kind") == "file":
        file = Path(str(suite.get("path"))).expanduser().resolve()
        suite, folder = read_suite(suite.get("path"))
    for name in OF_OWN:
        if config.get(name) not in (None, []):
            message = f"{name}={config[name]}: only goes with suite=own; add suite=own"
            raise SettingError(message)
    repositories = tuple(map(_repository, listed(suite, folder)))
    if not repositories:
        message = f"suite={suite.get('name')}: has no repositories; list some under repositories:"
        raise SettingError(message)
    _refuse_twins([repository.name for repository in repositories])
    drafts = suite.get("include_drafts", False)
    if not isinstance(drafts, bool):
        message = f"suite.path={suite['name']}: include_drafts must be true or false"
        raise SettingError(message)
    return SuiteSettings(str(suite["name"]), repositories, include_drafts=drafts, file=file)


def _corpus_suite(suite: Mapping[str, Any]) -> SuiteSettings:
    """Return the suite of a single folder with its own documents and queries."""
    if not suite.get("path"):
        message = f"suite={suite['name']}: needs a folder; add suite.path=FOLDER"
        raise SettingError(message)
    folder = Path(str(suite["path"])).expanduser().resolve()
    try:
        corpus = find_corpus(folder)
    except FixtureError as error:
        raise SettingError(f"suite.path={suite['path']}: {error.message}") from error
    repository = RepositorySettings(folder.name, corpus, folder)
    return SuiteSettings(str(suite["name"]), (repository,))


def _own_suite(suite: Mapping[str, Any], config: Mapping[str, Any]) -> SuiteSettings:
    place, queries = config.get("repository"), config.get("queries")
    if not isinstance(place, str) or not place:
        message = "suite=own: needs the code to search; add repository=PATH"
        raise SettingError(message)
    if not isinstance(queries, str) or not queries:
        message = (
            "suite=own: needs questions; add queries=FILE"
            f" ({command('init PATH')} writes a first one)"
        )
        raise SettingError(message)
    # An error in the repository is reported before an error in the queries.
    repository = replace(
        own_repository(place, Path()), queries=_queries_file(queries), files=parse_files(config)
    )
    return SuiteSettings(str(suite["name"]), (repository,))


def own_repository(place: str, queries: Path) -> RepositorySettings:
    """Return a folder or git URL as the repository of a file of queries."""
    source = _own_source(place)
    name = place.rstrip("/").rpartition("/")[2].partition("@")[0].removesuffix(".git")
    if isinstance(source, LocalSource):
        name = Path(place).expanduser().resolve().name
    return RepositorySettings(name or "repository", source, queries)


def _own_source(place: str) -> Source | AnyCommit:
    folder = Path(place).expanduser()
    if folder.is_dir():
        return LocalSource(str(folder.resolve()))
    url, at, commit = place.rpartition("@")
    if at and len(commit) == _SHA1_DIGITS:
        parsed = parse_source({"kind": "git", "url": url, "commit": commit}, where="repository")
        if isinstance(parsed, GitSource):
            return parsed
    if "://" in place or ":" in place.split("/", maxsplit=1)[0]:
        return AnyCommit(place)
    wrong = "is a file, not a folder" if folder.exists() else "no such folder"
    message = f"repository={place}: {wrong}; give a folder, or a git URL such as https://…@COMMIT"
    raise SettingError(message)


def _queries_file(name: str, folder: Path = Path()) -> Path:
    place = folder / Path(name).expanduser()
    shipped = data_folder("fixtures").parent / name
    if not place.exists() and name.startswith("fixtures/") and shipped.exists():
        return shipped
    if not place.exists():
        message = f"queries={name}: no such file; {command('init PATH')} writes one to edit"
        raise SettingError(message)
    return place.resolve()


def _repository(one: Listed) -> RepositorySettings:
    entry, where, folder = one.entry, one.where, one.folder
    if isinstance(entry, Mapping) and _COLLECTION in entry:
        return _collection(entry, where, folder)
    needed = {"name", "source", "queries"}
    if not isinstance(entry, Mapping) or not needed <= set(entry) <= needed | {*OF_FILES}:
        message = (
            f"{where}: must have name, source and queries, and may have {', '.join(OF_FILES)};"
            f" or name and {_COLLECTION}; correct its keys"
        )
        raise SettingError(message)
    if not isinstance(entry["source"], Mapping):
        message = f"{where}.source: must be a mapping with a kind (local, git, pypi, npm)"
        raise SettingError(message)
    source = _source(dict(entry["source"]), f"{where}.source", folder)
    queries = _queries_file(str(entry["queries"]), folder)
    files = parse_files(entry, where)
    return RepositorySettings(str(entry["name"]), source, queries, files=files)


def _collection(entry: Mapping[str, object], where: str, folder: Path) -> RepositorySettings:
    """Return a folder with its own documents and queries, as a repository of a suite."""
    place = entry[_COLLECTION]
    if not set(entry) <= {"name", _COLLECTION} or not isinstance(place, str):
        message = f"{where}: a collection has a path and perhaps a name, and nothing else"
        raise SettingError(f"{message}; correct its keys")
    path = named_folder(place, folder).resolve()
    try:
        found = find_corpus(path)
    except FixtureError as error:
        raise SettingError(f"{where}.{_COLLECTION}: {error.message}") from error
    return RepositorySettings(str(entry.get("name") or path.name), found, path)


def _source(entry: Mapping[str, object], where: str, folder: Path) -> Source | AnyCommit:
    """Return a source. Git without a commit means the commits that the queries name."""
    if set(entry) == {"kind", "url"} and entry["kind"] == "git":
        url = str(entry["url"])
        is_here = transport_of(url) == "file"
        return AnyCommit(str(named_folder(url, folder)) if is_here else url)
    source = parse_source(entry, where=where)
    if isinstance(source, LocalSource):
        return LocalSource(str(named_folder(source.path, folder)))
    if isinstance(source, GitSource) and transport_of(source.url) == "file":
        return replace(source, url=str(named_folder(source.url, folder)))
    return source


def _refuse_twins(names: Sequence[str]) -> None:
    twins = sorted({name for name in names if names.count(name) > 1})
    if twins:
        message = f"suite: two repositories are named {twins[0]}; give each a name of its own"
        raise SettingError(message)
