"""Samples of queries for a first comparison of trials."""

from dataclasses import replace

from bench.queries import Query, in_turn
from bench.stages import Ask
from bench.study.corpus import Corpus, PreparedRepository


def most_queries(corpus: Corpus) -> int:
    """Return the largest number of queries with targets in a repository."""
    return max(len(ids) for ids in _ordered(corpus, 0).values())


def first_queries(corpus: Corpus, size: int, *, seed: int) -> Corpus:
    """Return the corpus with the first `size` queries of each repository.

    The order is seeded and alternates between categories. Queries without targets are excluded.
    """
    chosen = {name: frozenset(ids[:size]) for name, ids in _ordered(corpus, seed).items()}
    parts = (_part(one, chosen[one.name]) for one in corpus.repositories)
    return replace(corpus, repositories=tuple(one for one in parts if one.queries))


def _ordered(corpus: Corpus, seed: int) -> dict[str, list[str]]:
    queries: dict[str, list[Query]] = {}
    for one in corpus.repositories:
        queries.setdefault(one.name, []).extend(query for query in one.queries if query.targets)
    return {name: in_turn(of, repository=name, seed=seed) for name, of in queries.items()}


def _part(repository: PreparedRepository, chosen: frozenset[str]) -> PreparedRepository:
    queries = tuple(query for query in repository.queries if query.id in chosen)
    questions = Ask(tuple(query.text for query in queries), repository=repository.name)
    return replace(repository, queries=queries, questions=questions, choosing=(), copies=None)
