"""The queries of a suite that a study asks: read and chosen before any repository is read."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from bench.errors import SettingError
from bench.queries import (
    Entry,
    Half,
    Only,
    in_half,
    names_of,
    read_asked,
    repositories_in_half,
    reviewed,
)
from bench.settings import RepositorySettings, SuiteSettings
from bench.settings.choosing import refuse_unknown


@dataclass(frozen=True)
class AskedQueries:
    """The queries of a repository that a study asks, and how many it leaves out."""

    repository: RepositorySettings
    entries: tuple[Entry, ...]
    drafts: int
    in_half: int
    """How many queries there are to choose from."""
    other_half: int
    tuning: Collection[str]
    """The ids of the queries of the tune half."""


@dataclass(frozen=True)
class Offered:
    """What a suite has to choose queries from."""

    queries: int = 0
    """In the half that is asked."""
    other_half: int = 0
    repositories: int = 0

    @classmethod
    def of(cls, suite: SuiteSettings, asked: Sequence[AskedQueries]) -> "Offered":
        """Return the counts over the repositories that were read."""
        return cls(
            sum(one.in_half for one in asked),
            sum(one.other_half for one in asked),
            len(suite.repositories),
        )


def asked_queries(suite: SuiteSettings) -> tuple[AskedQueries, ...]:
    """Return the queries of each repository that has any to ask."""
    several = len(suite.repositories) > 1
    found = [
        (one, read_asked(one.queries, repository=one.name if several else ""))
        for one in suite.asked_repositories
    ]
    _refuse_unknown(suite, found)
    asked = tuple(_asked(suite, repository, entries) for repository, entries in found)
    if suite.only != Only() and not any(one.entries for one in asked):
        drafts = "" if suite.include_drafts else _about_drafts(sum(one.drafts for one in asked))
        message = f"{suite.choice}: matches no query. Choose other queries{drafts}"
        raise SettingError(message)
    return asked


def _asked(
    suite: SuiteSettings, repository: RepositorySettings, found: tuple[Entry, ...]
) -> AskedQueries:
    scored = found if suite.include_drafts else reviewed(found, repository.queries)
    # The half of a query does not depend on what else is asked, or a choice of the queries to
    # tune on would hold some of those to report on.
    half = _in_half(suite, repository, suite.half, scored)
    offered = [one.query for one in scored if one.query.id in half]
    chosen = suite.only.asked(offered, repository=repository.name)
    return AskedQueries(
        repository,
        tuple(one for one in scored if one.query.id in chosen),
        drafts=len(found) - len(scored),
        in_half=len(offered),
        other_half=len(scored) - len(offered),
        tuning=_in_half(suite, repository, "tune", scored),
    )


def _in_half(
    suite: SuiteSettings, repository: RepositorySettings, half: Half, entries: Iterable[Entry]
) -> frozenset[str]:
    """Return the ids of the queries of a repository that are in a half."""
    queries = [one.query for one in entries]
    if suite.half_of == "queries":
        return in_half(queries, half, repository=repository.name)
    # All repositories of the suite are halved, also where `only` asks some of them.
    inside = repositories_in_half([one.name for one in suite.repositories], half)
    return frozenset(query.id for query in queries if repository.name in inside)


def _about_drafts(count: int) -> str:
    return ", or add include_drafts=true" if count else ""


def _refuse_unknown(
    suite: SuiteSettings, found: Iterable[tuple[RepositorySettings, tuple[Entry, ...]]]
) -> None:
    """Refuse labels and ids that no query has, not even a draft or one of the other half."""
    asked = [(repository.name, one.query) for repository, own in found for one in own]
    ids = [names_of(query.id, repository) for repository, query in asked]
    tags = [tag for _, query in asked for tag in query.tags]
    categories = [query.category for _, query in asked if query.category]
    refuse_unknown("tags", suite.only.tags, tags, what="tag")
    refuse_unknown("categories", suite.only.categories, categories, what="category")
    for name in suite.only.ids:
        is_of_repository = "/" in name and name not in [plain for plain, _ in ids]
        known = [full if is_of_repository else plain for plain, full in ids]
        refuse_unknown("ids", [name], known, what="query")
