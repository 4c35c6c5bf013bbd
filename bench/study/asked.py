"""Selection of a suite's queries, made before any repository is read."""

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
    """The selected queries of a repository, with counts of the others."""

    repository: RepositorySettings
    entries: tuple[Entry, ...]
    drafts: int
    in_half: int
    """Number of queries in the requested half, before `only` selects among them."""
    other_half: int
    tuning: Collection[str]
    """IDs of the queries in the tune half."""


@dataclass(frozen=True)
class Offered:
    """Counts of the queries and repositories that a selection is made from."""

    queries: int = 0
    """Number of queries in the requested half."""
    other_half: int = 0
    repositories: int = 0

    @classmethod
    def of(cls, suite: SuiteSettings, asked: Sequence[AskedQueries]) -> "Offered":
        """Return the counts over all repositories of a suite."""
        return cls(
            sum(one.in_half for one in asked),
            sum(one.other_half for one in asked),
            len(suite.repositories),
        )


def asked_queries(suite: SuiteSettings) -> tuple[AskedQueries, ...]:
    """Return the selected queries of the repositories that the study asks."""
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
    # The half of a query must not depend on the other selections. Otherwise a selection of queries
    # to tune on would contain queries to report on.
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
    """Return the IDs of a repository's queries that are in a half."""
    queries = [one.query for one in entries]
    if suite.half_of == "queries":
        return in_half(queries, half, repository=repository.name)
    # Split all repositories of the suite, even if `only` selects some of them.
    inside = repositories_in_half([one.name for one in suite.repositories], half)
    return frozenset(query.id for query in queries if repository.name in inside)


def _about_drafts(count: int) -> str:
    return ", or add include_drafts=true" if count else ""


def _refuse_unknown(
    suite: SuiteSettings, found: Iterable[tuple[RepositorySettings, tuple[Entry, ...]]]
) -> None:
    """Refuse labels and IDs that match no query, including drafts and the other half."""
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
