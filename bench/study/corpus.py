"""Gives every repository of a suite its identity and its queries, before planning.

A pinned source is known by its pin. A folder is read here and known by what it contains; its
documents enter the store, so that whoever runs the stages has them.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.corpora import LocalSource, content_digest, read_source
from bench.errors import FixtureError
from bench.judgements import (
    CorpusFolder,
    Level,
    Query,
    finest_level,
    read_asked,
    read_corpus,
    refuse_several_commits,
    reviewed,
)
from bench.measures import STANDARD, measures_of
from bench.pipeline import ArtifactStore, Cost, Stage
from bench.settings import RepositorySettings, SuiteSettings
from bench.stages import Ask, CheckOut, CheckOutFolder, ReadCorpus
from retrievers.interface import Documents


@dataclass(frozen=True)
class PreparedRepository:
    """A repository ready to be planned for."""

    name: str
    documents: Stage[Documents]
    questions: Ask
    queries: tuple[Query, ...]
    drafts: int = 0
    """How many queries are left out because nobody has reviewed them."""
    most_matches: int = 1
    """How many definitions a symbol's name may mean."""
    measures: tuple[str, ...] = ()
    """What is measured besides the standard columns."""


@dataclass(frozen=True)
class Corpus:
    """The repositories that trials are judged on, and the level they are judged at."""

    suite: str
    repositories: tuple[PreparedRepository, ...]
    level: Level

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know of what is asked."""
        drafts = sum(one.drafts for one in self.repositories)
        if not drafts:
            return ()
        return (f"{drafts} unreviewed drafts were left out; include_drafts=true scores them",)


def prepare(
    suite: SuiteSettings,
    store: ArtifactStore,
    *,
    level: Level | None,
    measures: tuple[str, ...] = (),
) -> Corpus:
    """Read the queries, identify the sources and settle the primary level."""
    several = len(suite.repositories) > 1
    more = tuple(measure.column for measure in measures_of(measures) if measure not in STANDARD)
    prepared = (
        _prepared(
            repository,
            store,
            asked_as=repository.name if several else "",
            drafts=suite.include_drafts,
        )
        for repository in suite.repositories
    )
    repositories = tuple(
        replace(one, most_matches=suite.most_matches, measures=more) for one in prepared
    )
    queries = [query for repository in repositories for query in repository.queries]
    _refuse_no_answers(suite, queries)
    return Corpus(suite.name, repositories, level or finest_level(queries))


def _prepared(
    repository: RepositorySettings, store: ArtifactStore, *, asked_as: str, drafts: bool
) -> PreparedRepository:
    found = read_asked(repository.queries, repository=asked_as)
    refuse_several_commits(found)
    entries = found if drafts else reviewed(found, repository.queries)
    queries = tuple(one.query for one in entries)
    texts = tuple(query.text for query in queries)
    return PreparedRepository(
        name=repository.name,
        documents=_documents(repository, store),
        questions=Ask(texts, repository=repository.name),
        queries=queries,
        drafts=len(found) - len(entries),
    )


def _documents(repository: RepositorySettings, store: ArtifactStore) -> Stage[Documents]:
    source, exclude = repository.source, _inside(repository)
    if isinstance(source, CorpusFolder):
        return _corpus(source, repository.name, store)
    if not isinstance(source, LocalSource):
        return CheckOut(source, exclude=exclude, repository=repository.name)
    found = read_source(source, exclude=exclude)
    stage = CheckOutFolder(
        content_digest(found.documents),
        source=source,
        exclude=exclude,
        repository=repository.name,
    )
    if not store.has(stage):
        counts = {f"left_out_{rule}": count for rule, count in found.left_out.items()}
        counts["documents"] = len(found.documents)
        store.save(stage, stage.codec.encode(found.documents), Cost(counts=counts))
    return stage


def _corpus(folder: CorpusFolder, name: str, store: ArtifactStore) -> Stage[Documents]:
    documents = read_corpus(Path(folder.path))
    stage = ReadCorpus(content_digest(documents), folder=folder, repository=name)
    if not store.has(stage):
        counts = {"documents": len(documents)}
        store.save(stage, stage.codec.encode(documents), Cost(counts=counts))
    return stage


def _inside(repository: RepositorySettings) -> tuple[str, ...]:
    """Return the file of queries as a pattern, if it lies in the folder that is searched."""
    source: Any = repository.source
    if not isinstance(source, LocalSource):
        return ()
    root = Path(source.path).resolve()
    if root not in repository.queries.resolve().parents:
        return ()
    return ("/" + repository.queries.resolve().relative_to(root).as_posix(),)


def _refuse_no_answers(suite: SuiteSettings, queries: list[Query]) -> None:
    if all(query.negative for query in queries):
        message = f"suite={suite.name}: no query has a target; nothing could be measured"
        raise FixtureError(message)
