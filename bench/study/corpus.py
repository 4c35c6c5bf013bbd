"""Identities and queries of a suite's repositories, determined before planning.

A pinned source is identified by its pin. A folder is read here and identified by its content. Its
documents are saved in the store, so that every worker has them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from bench.corpora import (
    EVERY_FILE,
    FileChoice,
    GitSource,
    Hidden,
    LocalSource,
    at_commit,
    content_digest,
    hide,
    read_source,
)
from bench.engine import ArtifactStore, Cost, Stage
from bench.errors import FixtureError
from bench.measures import STANDARD, measures_of
from bench.queries import (
    CorpusFolder,
    Entry,
    Half,
    HalfOf,
    JudgedPlace,
    Level,
    Missing,
    Only,
    Query,
    TargetState,
    finest_level,
    read_corpus,
)
from bench.settings import QuestionCopies, RepositorySettings, SuiteSettings
from bench.stages import Ask, CheckOut, CheckOutFolder, FindCopies, ReadCorpus, size_of
from bench.study.asked import AskedQueries, Offered, asked_queries
from bench.study.origins import is_drawn, is_generated, is_uncalibrated, is_wider
from bench.study.own_folders import own_places, patterns_inside
from retrievers.interface import Documents


@dataclass(frozen=True)
class PreparedRepository:
    """A repository with its documents and queries, ready for planning."""

    name: str
    documents: Stage[Documents]
    questions: Ask
    queries: tuple[Query, ...]
    drafts: int = 0
    """Number of queries that are left out because nobody has reviewed them."""
    drawn: int = 0
    """Number of scored drafts that share words with their answers."""
    generated: int = 0
    """Number of queries that were generated from the source."""
    uncalibrated: int = 0
    """Number of generated queries from sources that were never compared with people's queries."""
    wider: int = 0
    """Number of generated queries that were made by wider rules."""
    most_matches: int = 1
    """Maximum number of definitions that a symbol name may match."""
    missing: Missing = "refuse"
    """Whether a target outside the source is an error or is dropped."""
    measures: tuple[str, ...] = ()
    """Measures besides the standard columns."""
    choosing: tuple[int, ...] = ()
    """Indexes of the tune half's queries, which may decide on settings."""
    commit: str = ""
    """The commit, if the queries of a repository refer to several commits; otherwise empty."""
    earlier: Mapping[str, tuple[TargetState, ...]] | None = None
    """States of each query's targets in an earlier study of another tree, or None. Queries whose
    targets are gone are then left out."""
    copies: FindCopies | None = None
    """Stage that finds the queries in the documents. It is None for a sample of the queries."""
    files: FileChoice = EVERY_FILE
    """Selection of the files that are searched."""
    judged: tuple[tuple[JudgedPlace, ...], ...] = ()
    """Judged places of each query; empty without judgements."""

    @property
    def in_tune_half(self) -> tuple[bool, ...]:
        """Return for each query whether it is in the tune half."""
        chosen = set(self.choosing)
        return tuple(number in chosen for number in range(len(self.queries)))

    @property
    def place(self) -> str:
        """Name with the commit, unique among the repositories of a study."""
        return f"{self.name}@{self.commit[:12]}" if self.commit else self.name


@dataclass(frozen=True)
class Corpus:
    """Repositories with their queries, and the level of the judgements."""

    suite: str
    repositories: tuple[PreparedRepository, ...]
    level: Level
    half: Half = "all"
    """The requested half of the queries."""
    half_of: HalfOf = "queries"
    """The unit of the split: queries within each repository, or whole repositories."""
    only: Only = field(default_factory=Only)
    """Further selection among the queries of the half."""
    offered: Offered = field(default_factory=Offered)
    """Counts before this selection."""
    choosing: tuple[PreparedRepository, ...] = ()
    """Repositories with the queries of the tune half, if settings are chosen; otherwise empty."""
    question_copies: QuestionCopies = "refuse"
    """Whether a document may contain several questions without being their answer."""
    missing: Missing = "refuse"
    """Whether a target outside the source is an error or is dropped."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user on the selection of queries."""
        notes = []
        drafts = sum(one.drafts for one in self.repositories)
        if drafts:
            text = f"{drafts} unreviewed drafts were left out; include_drafts=true scores them"
            notes.append(text)
        asked = sum(len(one.queries) for one in self.repositories)
        drawn = sum(one.drawn for one in self.repositories)
        if drawn:
            of = f"{drawn} of {asked} queries are drafts drawn from docstrings"
            notes.append(f"{of} and are found by their own words; replace them")
        generated = sum(one.generated for one in self.repositories)
        if generated:
            text = f"{generated} of {asked} queries were generated from the source"
            wider = sum(one.wider for one in self.repositories)
            if wider:
                text += f", {wider} by wider rules (about half of these read as fair)"
            notes.append(f"{text}; docs/generated.md says how far to trust them")
        return (*notes, *map(_note_on_idle, self._idle), *self._notes_on_choice)

    @property
    def _idle(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield unused exclude patterns by repository; unknown for pinned sources."""
        for one in self.repositories:
            if isinstance(one.documents, CheckOutFolder) and one.documents.idle:
                yield one.place, one.documents.idle

    @property
    def _notes_on_choice(self) -> Iterator[str]:
        offered = self.offered
        if self.half != "all":
            half_of = " half_of=repositories" if self.half_of == "repositories" else ""
            yield (
                f"half={self.half}{half_of}: {offered.queries} queries;"
                f" {offered.other_half} are in the other half"
            )
        if self.only != Only():
            asked = sum(len(one.queries) for one in self.repositories)
            count, every = len({one.name for one in self.repositories}), offered.repositories
            where = f", in {count} of {every} repositories" if every > 1 else ""
            yield f"{self.only}: {asked} of {offered.queries} queries{where}"


def prepare(
    suite: SuiteSettings,
    store: ArtifactStore,
    *,
    level: Level | None,
    measures: tuple[str, ...] = (),
    chooses: bool = False,
    output: str = "",
) -> Corpus:
    """Read the queries, identify the sources and determine the level.

    If the study `chooses` weights or a threshold, the queries of the tune half are included for
    any requested half. Studies in the folder `output` are excluded from the searched files.
    """
    own = own_places(suite, store, output)
    asked = asked_queries(suite)
    repositories = _prepared(suite, asked, store, measures, own)
    queries = [query for repository in repositories for query in repository.queries]
    choosing = repositories if chooses else ()
    # The report half has no queries of the tune half, so these are prepared separately.
    if chooses and suite.half == "report":
        tune = replace(suite, half="tune")
        choosing = _prepared(tune, asked_queries(tune), store, measures, own)
    level = level or finest_level(queries)
    return Corpus(
        suite.name,
        repositories,
        level,
        half=suite.half,
        half_of=suite.half_of,
        only=suite.only,
        offered=Offered.of(suite, asked),
        choosing=choosing,
        question_copies=suite.question_copies,
        missing=suite.missing,
    )


def level_of(suite: SuiteSettings) -> Level:
    """Return the finest level that all queries of a suite have, without reading a repository."""
    return finest_level(one.query for asked in asked_queries(suite) for one in asked.entries)


def _prepared(
    suite: SuiteSettings,
    asked: Sequence[AskedQueries],
    store: ArtifactStore,
    measures: tuple[str, ...],
    own: tuple[Path, ...],
) -> tuple[PreparedRepository, ...]:
    more = tuple(measure.column for measure in measures_of(measures) if measure not in STANDARD)
    prepared = (one for each in asked for one in _at_commits(each, store, own))
    repositories = tuple(
        replace(one, most_matches=suite.most_matches, missing=suite.missing, measures=more)
        for one in prepared
    )
    queries = [query for repository in repositories for query in repository.queries]
    _refuse_no_answers(suite, queries)
    return repositories


def _at_commits(
    asked: AskedQueries, store: ArtifactStore, own: tuple[Path, ...]
) -> Iterator[PreparedRepository]:
    """Yield the repository at each commit of its queries; most have one."""
    repository, entries, tuning = asked.repository, asked.entries, asked.tuning
    commits = dict.fromkeys(one.commit for one in entries)
    for number, commit in enumerate(commits):
        here = [one for one in entries if one.commit == commit]
        queries = tuple(one.query for one in here)
        documents = documents_stage(
            *(repository, commit, store),
            is_only=len(commits) == 1,
            own=own,
            hidden=_hidden(here),
        )
        questions = Ask(tuple(query.text for query in queries), repository=repository.name)
        yield PreparedRepository(
            name=repository.name,
            documents=documents,
            questions=questions,
            queries=queries,
            drafts=0 if number else asked.drafts,
            drawn=sum(map(is_drawn, here)),
            generated=sum(map(is_generated, here)),
            uncalibrated=sum(map(is_uncalibrated, here)),
            wider=sum(map(is_wider, here)),
            choosing=tuple(n for n, query in enumerate(queries) if query.id in tuning),
            commit=commit if len(commits) > 1 else "",
            copies=FindCopies(documents, questions),
            files=repository.files,
            judged=tuple(one.judged for one in here),
        )


def _note_on_idle(found: tuple[str, tuple[str, ...]]) -> str:
    place, patterns = found
    match = "matches" if len(patterns) == 1 else "match"
    return f"exclude: {', '.join(patterns)} {match} no file of {place} that would be searched"


def _hidden(entries: Iterable[Entry]) -> tuple[Hidden, ...]:
    """Return the hidden spans of these queries without repetition, in order."""
    targets = (target for one in entries for target in one.hidden)
    found = {Hidden(target.path, target.start, target.end) for target in targets}
    return tuple(sorted(found, key=lambda one: (one.path, one.start, one.end)))


def documents_stage(
    repository: RepositorySettings,
    commit: str,
    store: ArtifactStore,
    *,
    is_only: bool,
    own: tuple[Path, ...] = (),
    hidden: tuple[Hidden, ...] = (),
) -> Stage[Documents]:
    """Return the stage that reads a repository at a commit, or at its pin if the commit is blank.

    Paths in `own` are excluded from a folder and from its identity. Spans in `hidden` are removed
    from the documents.
    """
    if isinstance(repository.source, CorpusFolder):
        return _corpus(repository.source, repository.name, store)
    source = at_commit(repository.source, commit, is_only=is_only)
    if not isinstance(source, LocalSource):
        rule: Literal["", "left out"] = "left out" if isinstance(source, GitSource) else ""
        return CheckOut(
            source,
            repository=repository.name,
            own_files=rule,
            files=repository.files,
            hidden=hidden,
        )
    committed = repository.committed
    more = committed.own if committed else ()
    exclude = patterns_inside(Path(source.path), (repository.queries, *own, *more))
    folder = committed.source if committed else source
    return _folder(folder, exclude, repository, store, hidden)


def _folder(
    source: LocalSource | GitSource,
    exclude: tuple[str, ...],
    repository: RepositorySettings,
    store: ArtifactStore,
    hidden: tuple[Hidden, ...],
) -> Stage[Documents]:
    """Return the stage of a folder or of a local commit, identified by content.

    The documents are saved in the store, because they were read to compute the identity.
    """
    found = read_source(source, exclude=exclude, files=repository.files)
    documents = hide(found.documents, hidden)
    stage = CheckOutFolder(
        content_digest(documents),
        source=source,
        exclude=exclude,
        files=repository.files,
        hidden=hidden,
        repository=repository.name,
        idle=found.idle,
    )
    if store.load(stage) is None:
        counts = {f"left_out_{rule}": count for rule, count in found.left_out.items()}
        counts |= size_of(documents)
        store.save(stage, stage.codec.encode(documents), Cost(counts=counts))
    return stage


def _corpus(folder: CorpusFolder, name: str, store: ArtifactStore) -> Stage[Documents]:
    documents = read_corpus(Path(folder.path))
    stage = ReadCorpus(content_digest(documents), folder=folder, repository=name)
    if store.load(stage) is None:
        cost = Cost(counts=size_of(documents))
        store.save(stage, stage.codec.encode(documents), cost)
    return stage


def _refuse_no_answers(suite: SuiteSettings, queries: list[Query]) -> None:
    if all(query.negative for query in queries):
        chosen = " ".join(part for part in (f"suite={suite.name}", suite.choice) if part)
        message = f"{chosen}: no query has a target; nothing could be measured"
        raise FixtureError(message)
