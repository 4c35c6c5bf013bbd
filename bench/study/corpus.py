"""Gives every repository of a suite its identity and its queries, before planning.

A pinned source is known by its pin. A folder is read here and known by what it contains; its
documents enter the store, so that whoever runs the stages has them.
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
from bench.study.own_folders import own_places, patterns_inside
from retrievers.interface import Documents

DRAWN = "docstring"
"""The tag of queries that were made of docstrings."""
MINED = "mined"
"""The tag of queries that were made of a repository's history."""
NOT_CALIBRATED = frozenset(("commits", "issues"))
"""The sources of generated queries that no shipped repository has."""


@dataclass(frozen=True)
class PreparedRepository:
    """A repository ready to be planned for."""

    name: str
    documents: Stage[Documents]
    questions: Ask
    queries: tuple[Query, ...]
    drafts: int = 0
    """How many queries are left out because nobody has reviewed them."""
    drawn: int = 0
    """How many queries that are scored are drafts with words of their answers."""
    generated: int = 0
    """How many queries were made of the source by a program."""
    uncalibrated: int = 0
    """How many of these are of a source that was never compared with people's queries."""
    most_matches: int = 1
    """How many definitions a symbol's name may mean."""
    missing: Missing = "refuse"
    """What becomes of a target that is not in the source."""
    measures: tuple[str, ...] = ()
    """What is measured besides the standard columns."""
    choosing: tuple[int, ...] = ()
    """The numbers of the queries that may decide over settings: those of the tune half."""
    commit: str = ""
    """Which commit it is, where the queries of a repository are asked of several."""
    earlier: Mapping[str, tuple[TargetState, ...]] | None = None
    """How the targets of each query were found in an earlier study, if its tree was another: then
    queries whose targets are no longer there are left out."""
    copies: FindCopies | None = None
    """What finds all its questions in its documents; blank where only some of them are asked."""
    files: FileChoice = EVERY_FILE
    """Which of its files are searched."""
    judged: tuple[tuple[JudgedPlace, ...], ...] = ()
    """For each query the places that somebody judged; nothing if nobody judged any."""

    @property
    def in_tune_half(self) -> tuple[bool, ...]:
        """Tell of each query whether it is in the tune half."""
        chosen = set(self.choosing)
        return tuple(number in chosen for number in range(len(self.queries)))

    @property
    def place(self) -> str:
        """The name that no other repository of the study has, whatever commit it is at."""
        return f"{self.name}@{self.commit[:12]}" if self.commit else self.name


@dataclass(frozen=True)
class Corpus:
    """The repositories that trials are judged on, and the level they are judged at."""

    suite: str
    repositories: tuple[PreparedRepository, ...]
    level: Level
    half: Half = "all"
    """Which of the queries are asked."""
    half_of: HalfOf = "queries"
    """What was halved: the queries of each repository, or the repositories."""
    only: Only = field(default_factory=Only)
    """Which of these are asked."""
    offered: Offered = field(default_factory=Offered)
    """What there was to choose from."""
    choosing: tuple[PreparedRepository, ...] = ()
    """The repositories with the queries that decide over settings, if any do."""
    question_copies: QuestionCopies = "refuse"
    """Whether a document may hold several of the questions without being their answer."""
    missing: Missing = "refuse"
    """What becomes of a target that is not in the source."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know of what is asked."""
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
            notes.append(f"{text}; docs/generated.md says how far to trust them")
        return (*notes, *map(_note_on_idle, self._idle), *self._notes_on_choice)

    @property
    def _idle(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the patterns that leave nothing out, by repository; pinned ones do not say."""
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
    """Read the queries, identify the sources and settle the primary level.

    If the study `chooses` weights or a threshold, the queries of the tune half are there,
    whatever half is asked. The studies in the folder `output` are not searched.
    """
    own = own_places(suite, store, output)
    asked = asked_queries(suite)
    repositories = _prepared(suite, asked, store, measures, own)
    queries = [query for repository in repositories for query in repository.queries]
    choosing = repositories if chooses else ()
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
    """Return the finest level that every query of a suite has; no repository is read."""
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
    """Return the repository at each commit that its queries are asked of: most often one."""
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
            drawn=sum(map(_is_drawn, here)),
            generated=sum(map(_is_generated, here)),
            uncalibrated=sum(map(_is_uncalibrated, here)),
            choosing=tuple(n for n, query in enumerate(queries) if query.id in tuning),
            commit=commit if len(commits) > 1 else "",
            copies=FindCopies(documents, questions),
            files=repository.files,
            judged=tuple(one.judged for one in here),
        )


def _is_generated(one: Entry) -> bool:
    """Whether nobody wrote or reviewed a query; a mined draft that is scored is such a one."""
    return one.generated or _is_mined_draft(one)


def _is_uncalibrated(one: Entry) -> bool:
    return _is_mined_draft(one) or (one.generated and one.query.category in NOT_CALIBRATED)


def _is_mined_draft(one: Entry) -> bool:
    return one.draft and MINED in one.query.tags


def _note_on_idle(found: tuple[str, tuple[str, ...]]) -> str:
    place, patterns = found
    match = "matches" if len(patterns) == 1 else "match"
    return f"exclude: {', '.join(patterns)} {match} no file of {place} that would be searched"


def _is_drawn(entry: Entry) -> bool:
    return entry.draft and DRAWN in entry.query.tags


def _hidden(entries: Iterable[Entry]) -> tuple[Hidden, ...]:
    """Return what these queries were made of: each part once, in order."""
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
    """Return what reads a repository at a commit, or as it is pinned if the commit is blank.

    Files and folders in `own` are left out of a folder; they are not part of its identity. What is
    `hidden` is not in the documents.
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
    """Return the stage of a folder, today's or that of a commit, known by its content."""
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
